"""Documents beside the tool results that tell their text: the model looks at pages and pictures itself."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from prompts.request import Message, Request
from state.draft.reply import Round

Block = dict[str, Any]


def documents_read(rounds: tuple[Round, ...]) -> tuple[str, ...]:
    """Ids of the documents that calls of this turn read, each once."""
    results = (result for r in rounds for result in r.results.values() if result.get("status") == "ok")
    return tuple(dict.fromkeys(str(result["document"]) for result in results if "document" in result))


def told_text(rounds: tuple[Round, ...]) -> str:
    """All that documents told in this turn: what was asked for is no reason to give up anything else."""
    results = (result for r in rounds for result in r.results.values())
    return "\n".join(str(result.get("text", "")) for result in results if "document" in result)


def with_documents(request: Request, files: Mapping[str, Block]) -> Request:
    """Return the request with each file, by document id, inside the newest tool result that tells of it."""
    left, messages = dict(files), []
    for message in reversed(request.messages):
        messages.append(_filled(message, left))
    return replace(request, messages=tuple(reversed(messages)))


def _filled(message: Message, left: dict[str, Block]) -> Message:
    if isinstance(message["content"], str) or message["role"] != "user":
        return message
    return {**message, "content": [_with_file(block, left) for block in message["content"]]}


def _with_file(block: Block, left: dict[str, Block]) -> Block:
    if block.get("type") != "tool_result" or block.get("is_error") or not isinstance(block["content"], str):
        return block
    file = left.pop(str(json.loads(block["content"]).get("document", "")), None)
    return {**block, "content": [{"type": "text", "text": block["content"]}, file]} if file else block
