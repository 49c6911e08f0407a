"""The rounds of a turn's tool loop as messages: what the model called, what each call came to, what was wrong with its words.

Calls and words go back as they came. Thinking does not: the draft, and with it the tools and [GROUND TRUTH], changes from
round to round, and the API takes a thought back only behind an unchanged conversation, or not at all.
Source: the Messages API's pages on tool use and preserved thinking, November 2026.
"""

import json
from collections.abc import Mapping
from typing import Any

from prompts.marks import FLAW, inert
from prompts.request import Message
from state.draft.reply import Reply, Round

_OTHERS = ("name", "text")
"""What other people wrote in a result: a document's name and text."""
_SENT_BACK = ("text", "tool_use")
_UNANSWERED: Mapping[str, Any] = {"status": "rejected", "reason": "REJECTED: this call was not looked at."}
"""The API wants a result for every call."""


def round_messages(rounds: tuple[Round, ...], most: int) -> tuple[Message, ...]:
    """Return the newest rounds that held calls, in order. Words without a call were refused, and are not sent again."""
    called = [r for r in rounds if r.reply.calls]
    return tuple(message for r in called[-most:] for message in tool_results(r.reply, r.results))


def tool_results(reply: Reply, results: Mapping[str, Mapping[str, Any]]) -> tuple[Message, Message]:
    """Return the assistant's message and the user's that answers it; `results` by call id. The reply must hold calls."""
    content = _content(reply)
    answers = [_answer(b["id"], results.get(b["id"], _UNANSWERED)) for b in content if b["type"] == "tool_use"]
    return {"role": "assistant", "content": content}, {"role": "user", "content": answers}


def flaw_text(reason: str) -> str:
    """Return what was wrong with the last words, for the closing system message; `reason` is a clause ("it asks about …")."""
    return f"{FLAW}\nYour last words were not shown: {reason.rstrip('.')}. Mend that."


def _content(reply: Reply) -> list[dict[str, Any]]:
    """Return blocks as received; made from text and calls where a reader kept none, or not those of the calls."""
    kept = [b for b in reply.content if b.get("type") in _SENT_BACK and (b["type"] != "text" or b["text"].strip())]
    if [b["id"] for b in kept if b["type"] == "tool_use"] == [call.id for call in reply.calls]:
        return kept
    words = [{"type": "text", "text": reply.text}] if reply.text.strip() else []
    calls = ({"type": "tool_use", "id": c.id, "name": c.tool, "input": c.arguments or {}} for c in reply.calls)
    return [*words, *calls]


def _answer(call: str, result: Mapping[str, Any]) -> dict[str, Any]:
    plain = {n: inert(v) if isinstance(v, str) and n in _OTHERS else v for n, v in result.items()}
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    refused = {"is_error": True} if result.get("status") == "rejected" else {}
    return {"type": "tool_result", "tool_use_id": call, "content": text, **refused}
