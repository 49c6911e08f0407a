"""Check a request as the Messages API does before any model sees it."""

import base64
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from bot.model.sending import Takes, capabilities

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
    unions = sum("anyOf" in part or "oneOf" in part or isinstance(part.get("type"), list) for _, part in parts)
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


def _is_nullable(part: Schema) -> bool:
    """Return True if null is among its values: what "optional" means where everything is required."""
    branches = [*part.get("anyOf", []), *part.get("oneOf", [])]
    return "null" in _types(part) or None in part.get("enum", []) or any(map(_is_nullable, branches))


Body = dict[str, Any]

_PARAMETERS = {
    "model", "max_tokens", "messages", "system", "tools", "tool_choice", "thinking", "output_config", "stream",
    "stop_sequences", "metadata", "cache_control", "service_tier", "container", "diagnostics", "inference_geo", "speed",
}  # fmt: skip
_THINKING = ("adaptive", "enabled", "disabled", "between_tools")
_MOST_TOKENS = 128_000
_MEDIA = {"image": {"image/png", "image/jpeg", "image/gif", "image/webp"}, "document": {"application/pdf"}}
MOST_IMAGE = 5 * 1024 * 1024
"""Characters of base64."""
_BLOCKS = {
    "user": {"text", "image", "document", "tool_result"},
    "assistant": {"text", "thinking", "redacted_thinking", "tool_use"},
    "system": {"text"},
}


def check_request(body: Body, *, continues_a_pause: bool, counts_only: bool = False) -> None:
    """Raises `Invalid` for the first fault; `counts_only` for the endpoint that counts tokens and takes no `max_tokens`."""
    _check_parameters(body, counts_only)
    takes = capabilities(body["model"])
    _check_thinking(body, takes)
    _check_turns(body["messages"], takes, continues_a_pause)
    for place, message in enumerate(body["messages"]):
        _check_content(f"messages.{place}", message)
    _check_results(body["messages"])
    if "tools" in body:
        check_tools(body["tools"])


def _check_parameters(body: Body, counts_only: bool) -> None:
    if sampling := [name for name in ("temperature", "top_p", "top_k") if name in body]:
        raise Invalid(f"{sampling[0]} is not supported for this model")
    if unknown := sorted(set(body) - _PARAMETERS):
        raise Invalid(f"{unknown[0]}: Extra inputs are not permitted")
    if missing := [name for name in ("model", "messages") if not body.get(name)]:
        raise Invalid(f"{missing[0]}: Field required")
    if not isinstance(body["messages"], list) or not all(isinstance(message, dict) for message in body["messages"]):
        raise Invalid("messages: Input should be a valid list of messages")
    if not counts_only:
        _check_max_tokens(body.get("max_tokens"))
    if body.get("system") is not None:
        _check_text("system", body["system"])


def _check_max_tokens(most: object) -> None:
    if most is None:
        raise Invalid("max_tokens: Field required")
    if not isinstance(most, int) or isinstance(most, bool) or not 1 <= most <= _MOST_TOKENS:
        raise Invalid(f"max_tokens: Input should be a number from 1 to {_MOST_TOKENS}")


def _check_thinking(body: Body, takes: Takes) -> None:
    kind = body["thinking"].get("type") if "thinking" in body else None
    if "thinking" in body and kind not in _THINKING:
        raise Invalid(f'"thinking.type" must be one of: {", ".join(_THINKING)}')
    if kind == "enabled" or (kind in ("disabled", "between_tools") and kind != takes.thinking_off):
        raise Invalid(f'"thinking.type.{kind}" is not supported for this model.')
    effort = body.get("output_config", {}).get("effort")
    if effort is not None and (not takes.effort or effort not in ("low", "medium", "high", "xhigh", "max")):
        raise Invalid(f"This model does not support effort level '{effort}'.")


def _check_turns(messages: list[Body], takes: Takes, continues_a_pause: bool) -> None:
    roles = [message.get("role") for message in messages]
    for place, role in enumerate(roles):
        if role not in _BLOCKS:
            raise Invalid(f"messages.{place}.role: Input should be 'user', 'assistant' or 'system'")
    if roles[0] == "system":
        raise Invalid("messages.0: use the top-level 'system' parameter for the initial system prompt")
    if roles[0] == "assistant":
        raise Invalid("messages.0: first message must use the user role")
    if "system" in roles and not takes.system_messages:
        raise Invalid("role 'system' is not supported on this model")
    _check_neighbours(roles)
    if roles[-1] == "assistant" and not continues_a_pause:
        raise Invalid("This model does not support assistant message prefill. The last message must be the user's.")


def _check_neighbours(roles: list[Any]) -> None:
    for place, (before, after) in enumerate(pairwise(roles), start=1):
        if after == "system" and before != "user":
            raise Invalid(f"messages.{place}: role 'system' must directly follow a user message")
        if before == "system" and after != "assistant":
            raise Invalid(f"messages.{place}: a 'system' message must be last or followed by an assistant message")
        if before == after:
            raise Invalid(f"messages.{place}: roles must alternate between user and assistant")


def _check_content(where: str, message: Body) -> None:
    if unknown := sorted(set(message) - {"role", "content"}):
        raise Invalid(f"{where}.{unknown[0]}: Extra inputs are not permitted")
    content, allowed = message.get("content"), _BLOCKS[message["role"]]
    if isinstance(content, str):
        return _check_text(where, content)
    if not isinstance(content, list) or not content:
        raise Invalid(f"{where}: content must be non-empty")
    for block in content:
        _check_block(where, block, allowed)
    kinds = [block["type"] == "tool_result" for block in content]
    if kinds != sorted(kinds, reverse=True):
        raise Invalid(f"{where}: `tool_result` blocks must come first in the content")
    return None


def _check_block(where: str, block: object, allowed: set[str]) -> None:
    if not isinstance(block, dict) or block.get("type") not in allowed:
        raise Invalid(f"{where}.content: Input tag does not match any of {sorted(allowed)}")
    if block["type"] == "text":
        _check_text(where, block.get("text"))
    if block["type"] in _MEDIA:
        _check_source(f"{where}.content.{block['type']}", block)
    if block["type"] == "tool_result" and isinstance(block.get("content"), list):
        for inner in block["content"]:
            _check_block(f"{where}.content.tool_result", inner, {"text", "image", "document", "search_result"})
    if block["type"] == "tool_use":
        _check_call(f"{where}.content.tool_use", block)


def _check_source(where: str, block: Body) -> None:
    """A file comes as base64 of a media type that its block takes."""
    source = block.get("source")
    if not isinstance(source, dict) or source.get("type") != "base64" or not isinstance(source.get("data"), str):
        raise Invalid(f"{where}.source: Field required")
    if source.get("media_type") not in _MEDIA[block["type"]]:
        raise Invalid(f"{where}.source.base64.media_type: Input should be one of {sorted(_MEDIA[block['type']])}")
    try:
        size = len(base64.b64decode(source["data"], validate=True))
    except ValueError:
        raise Invalid(f"{where}.source.base64: Invalid base64 data") from None
    if not size or (len(source["data"]) > MOST_IMAGE and block["type"] == "image"):
        raise Invalid(f"{where}.source.base64: image exceeds 5 MB maximum")


def _check_call(where: str, block: Body) -> None:
    for name in ("id", "name"):
        if not isinstance(block.get(name), str) or not NAME.fullmatch(block[name]):
            raise Invalid(f"{where}.{name}: String should match pattern '^[a-zA-Z0-9_-]{{1,64}}$'")
    if not isinstance(block.get("input"), dict):
        raise Invalid(f"{where}.input: Input should be a valid dictionary")


def _check_text(where: str, content: object) -> None:
    if isinstance(content, list) and content:
        for block in content:
            _check_block(where, block, {"text"})
    elif not isinstance(content, str) or not content:
        raise Invalid(f"{where}: text content blocks must be non-empty")
    elif not content.strip():
        raise Invalid(f"{where}: text content blocks must contain non-whitespace text")


def _check_results(messages: list[Body]) -> None:
    turns = [message for message in messages if message["role"] != "system"]
    ids = [call for turn in turns for call in _ids(turn, "tool_use", "id")]
    if len(set(ids)) < len(ids):
        raise Invalid("messages: `tool_use` ids must be unique")
    for before, turn in pairwise([{"content": ""}, *turns, {"content": ""}]):
        asked, answered = list(_ids(before, "tool_use", "id")), list(_ids(turn, "tool_result", "tool_use_id"))
        if unanswered := [call for call in asked if call not in answered]:
            raise Invalid(f"`tool_use` ids were found without `tool_result` blocks immediately after: {unanswered[0]}")
        if len(set(answered)) < len(answered) or set(answered) - set(asked):
            raise Invalid("each `tool_result` block must answer one `tool_use` block in the previous message")


def _ids(turn: Body, kind: str, name: str) -> Iterator[str]:
    content = turn["content"]
    return (block[name] for block in content if isinstance(block, dict) and block["type"] == kind)
