"""The Messages API's checks of a request before any model sees it: parameters, turns, blocks, tool results."""

import base64
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from bot.model.sending import Takes, capabilities
from bot.sandbox.models.schema_rules import NAME, Invalid, check_tools

Body = dict[str, Any]

_PARAMETERS = {
    "model", "max_tokens", "messages", "system", "tools", "tool_choice", "thinking", "output_config", "stream",
    "stop_sequences", "metadata", "cache_control", "service_tier", "container", "diagnostics", "inference_geo", "speed",
}  # fmt: skip
_SAMPLING = ("temperature", "top_p", "top_k")
_THINKING = ("adaptive", "enabled", "disabled", "between_tools")
_EFFORTS = ("low", "medium", "high", "xhigh", "max")
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
    if sampling := [name for name in _SAMPLING if name in body]:
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
    if effort is not None and (not takes.effort or effort not in _EFFORTS):
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
