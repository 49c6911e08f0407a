"""Tools as lines of text: name, arguments with their types, what it is for. Written from the same schemas that native tools have."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from prompts.request import Tool

Schema = Mapping[str, Any]
SETTER = "set_"
WORDS = "words"


def is_setter(tool: Tool) -> bool:
    """Return True if the tool sets fields: it takes them by name, beside the person's words."""
    return tool["name"].startswith(SETTER) and WORDS in tool["input_schema"]["properties"]


def signatures(tools: Sequence[Tool]) -> str:
    """Return a line per tool: `- correct(field: "quantity"|"value", value: string, words: string): Change …`."""
    return "\n".join(f"- {tool['name']}({_arguments(tool['input_schema'])}): {tool['description']}" for tool in tools)


def fields(setters: Sequence[Tool]) -> str:
    """Return a line per setter with the fields it sets and their types, without the words they rest on."""
    return "\n".join(f"- {_arguments(_only_fields(tool['input_schema']))}: {tool['description']}" for tool in setters)


def _only_fields(schema: Schema) -> Schema:
    properties = {name: part for name, part in schema["properties"].items() if name != WORDS}
    return {**schema, "properties": properties, "required": list(properties)}


def _arguments(schema: Schema) -> str:
    needed = schema.get("required", ())
    given = schema.get("properties", {}).items()
    return ", ".join(f"{name}{'' if name in needed else '?'}: {type_of(part)}" for name, part in given)


def type_of(schema: Schema) -> str:
    """Return the type in a few characters, with what its description adds."""
    plain = _plain_type(schema)
    return f"{plain} ({schema['description']})" if schema.get("description") else plain


def _plain_type(schema: Schema) -> str:
    if "enum" in schema:
        return "|".join(json.dumps(choice, ensure_ascii=False) for choice in schema["enum"])
    if "anyOf" in schema:
        return "|".join(map(type_of, schema["anyOf"]))
    kinds = schema.get("type", "any")
    if kinds == "array":
        return f"[{type_of(schema.get('items', {}))}, …]"
    if kinds == "object":
        return f"{{{_arguments(schema)}}}"
    return kinds if isinstance(kinds, str) else "|".join(kinds)
