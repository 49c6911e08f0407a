"""What the Messages API says of a tool list: names, schemas, and what `strict` asks of them."""

import re
from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]

STRICT_TOOLS = 20
STRICT_OPTIONAL = 24
STRICT_UNIONS = 16

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_KEYS = {"name", "description", "input_schema", "strict", "cache_control", "type", "input_examples"}
_UNSUPPORTED = {
    "integer": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "string": ("minLength", "maxLength"),
    "array": ("maxItems", "uniqueItems"),
    "object": ("minProperties", "maxProperties"),
}


class Invalid(Exception):
    """A request that the API answers with a 400; its text is the API's message."""


def check_tools(tools: object) -> None:
    """Raises `Invalid` for the first fault of the list."""
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        raise Invalid("tools: Input should be a valid list of tools")
    for place, tool in enumerate(tools):
        _check_tool(f"tools.{place}.custom", tool)
    names = [tool["name"] for tool in tools]
    if len(set(names)) < len(names):
        raise Invalid("tools: Tool names must be unique.")
    _check_strict([(f"tools.{at}.custom", tool["input_schema"]) for at, tool in enumerate(tools) if tool.get("strict")])


def _check_tool(where: str, tool: dict[str, Any]) -> None:
    if unknown := sorted(set(tool) - _KEYS):
        raise Invalid(f"{where}.{unknown[0]}: Extra inputs are not permitted")
    if not isinstance(tool.get("name"), str) or not NAME.fullmatch(tool["name"]):
        raise Invalid(f"{where}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,64}}$'")
    schema = tool.get("input_schema")
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise Invalid(f"{where}.input_schema.type: Input should be 'object'")
    if not isinstance(tool.get("description", ""), str):
        raise Invalid(f"{where}.description: Input should be a valid string")


def _check_strict(schemas: list[tuple[str, Schema]]) -> None:
    if len(schemas) > STRICT_TOOLS:
        raise Invalid(f"Too many strict tools ({len(schemas)}). The maximum number supported is {STRICT_TOOLS}.")
    parts = [(where, part) for where, schema in schemas for part in _parts(schema)]
    for where, part in parts:
        _check_strict_part(where, part)
    nullable = sum(map(_is_nullable, (part for _, part in parts)))
    if nullable > STRICT_OPTIONAL:
        raise Invalid(f"Schemas contains too many optional parameters ({nullable}). (limit: {STRICT_OPTIONAL})")
    unions = sum(map(_is_union, (part for _, part in parts)))
    if unions > STRICT_UNIONS:
        raise Invalid(f"Schemas contains too many union-typed parameters ({unions}). (limit: {STRICT_UNIONS})")


def _parts(schema: Schema) -> Iterator[Schema]:
    """Yield the schema and every schema inside it."""
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", []), *schema.get("oneOf", [])]
    for part in [*inner, *([schema["items"]] if "items" in schema else [])]:
        yield from _parts(part)


def _check_strict_part(where: str, part: Schema) -> None:
    for kind in _types(part):
        for word in _UNSUPPORTED.get(kind, ()):
            if word in part:
                raise Invalid(f"{where}: For '{kind}' type, property '{word}' is not supported")
    if "object" not in _types(part):
        return
    if part.get("additionalProperties") is not False:
        raise Invalid(f"{where}: For 'object' type, 'additionalProperties' must be explicitly set to false")
    if missing := sorted(set(part.get("properties", {})) - set(part.get("required", ()))):
        raise Invalid(f"{where}: strict tools list every property in 'required'; '{missing[0]}' is not")


def _types(part: Schema) -> list[str]:
    kind = part.get("type", [])
    return [kind] if isinstance(kind, str) else list(kind)


def _is_union(part: Schema) -> bool:
    return "anyOf" in part or "oneOf" in part or isinstance(part.get("type"), list)


def _is_nullable(part: Schema) -> bool:
    """Return True if null is among its values: what "optional" means where everything is required."""
    branches = [*part.get("anyOf", []), *part.get("oneOf", [])]
    return "null" in _types(part) or None in part.get("enum", []) or any(map(_is_nullable, branches))
