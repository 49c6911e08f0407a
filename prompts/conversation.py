"""The conversation as a model sees it: its lines in turns, the rounds of the tool loop, documents beside the results that tell of them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

from prompts.marks import CLICKED, CUT, EARLIER, FLAW, UNREAD, cut, inert, inert_act, one_line
from prompts.request import LED, Message, Request, TokenBudget
from prompts.view import View
from state.draft.changes import WINDOW
from state.draft.draft import HANDED_BACK, TOOK_OVER, ChatLine, Draft
from state.draft.reply import Reply, Round

NEWEST = 2000
"""Characters of the newest message that a model sees; the whole of it stays in its event."""
_UNANSWERED = 4
"""How many times the room of an older line the person's words have that no reply came to."""
_NAMED = 6
"""Fields that the line about left-out lines names."""
_OTHERS = ("name", "text")
"""Keys of a result that hold other people's words: a document's name and text."""
_SENT_BACK = ("text", "tool_use")
_NO_RESULT: Mapping[str, Any] = {"status": "rejected", "reason": "REJECTED: this call was not looked at."}
"""The API wants a result for every call."""
Block = dict[str, Any]


@dataclass(frozen=True)
class History:
    """Lines up to the newest of the person's; `opening` of them are the conversation's first, before a gap."""

    lines: tuple[ChatLine, ...]
    opening: int = 0

    @property
    def unanswered(self) -> int:
        """Return the index of the first words that no reply came to."""
        spoken = [i for i, line in enumerate(self.lines) if line.role == "assistant"]
        return spoken[-1] + 1 if spoken else 0

    @property
    def first_unread(self) -> int:
        """Return the index of the first unread line."""
        return next((i for i, line in enumerate(self.lines) if line.unread), len(self.lines))

    @property
    def waits(self) -> bool:
        """Return True if older lines than the newest are unread: then the unread ones are marked."""
        return self.first_unread < len(self.lines) - 1


def window(view: View, act: str, room: TokenBudget) -> tuple[Message, ...]:
    """Return turns of user and assistant, first and last the user's. `act` is the newest line where the draft does not hold it."""
    history = heard(view.draft, act)
    dropped = min(max(0, len(history.lines) - room.lines), history.first_unread)
    texts = [(line.role, _text(view, history, i, room)) for i, line in enumerate(history.lines)][dropped:]
    acts = sum(line.role == "user" for line in (*view.draft.opening, *view.draft.window))
    if dropped or (len(view.draft.window) >= WINDOW and view.draft.turn > acts):  # or the draft's own window is full
        gave = _gave(view, history.lines[dropped:]) if room.lines > LED else ""
        texts.insert(max(0, history.opening - dropped), ("user", f"{EARLIER} Lines are left out here.{gave}"))
    grouped = [(role, [text for _, text in group]) for role, group in groupby(texts, key=lambda said: said[0])]
    first = 1 if grouped[0][0] == "assistant" else 0
    return tuple({"role": role, "content": "\n".join(said)} for role, said in grouped[first:])


def heard(draft: Draft, act: str = "") -> History:
    """Return the lines that count: what the bot said after the person's newest line is on screen, and nothing to answer."""
    lines = tuple(line for line in (*draft.opening, *draft.window) if one_line(line.text))
    spoken = [i for i, line in enumerate(lines) if line.role == "user"]
    held = bool(spoken) and (not act or lines[spoken[-1]].text == act)
    said = ChatLine("user", act or f"{CLICKED} start", clicked=True)
    lines = lines[: spoken[-1] + 1] if held else (*lines, said)
    newest = lines[-1]  # older clicks and the questions before them are left out: [GROUND TRUTH] holds the answers
    typed = [
        line
        for line, after in pairwise(lines)
        if not (_is_click(line) or (line.role == "assistant" and after is not newest and _is_click(after)))
    ]
    lines = (*typed, newest)
    return History(lines, sum(any(line is first for first in draft.opening) for line in lines))


def _is_click(line: ChatLine) -> bool:
    return line.clicked and line.role == "user" and line.text not in (TOOK_OVER, HANDED_BACK)


def never_cut(history: History) -> str:
    """Return the text that no budget cuts: the newest message and unread lines, as the model sees them."""
    return "\n".join(_whole(line) for line in history.lines[:-1] if line.unread) + _whole(history.lines[-1])


def _whole(line: ChatLine) -> str:
    return _fitted(line, line.text.strip(), NEWEST)


def _text(view: View, history: History, place: int, room: TokenBudget) -> str:
    line = history.lines[place]
    if line.unread and history.waits:
        asked = view.form.fields.get(line.asked or "")
        mark = f"{UNREAD[:-1]}, asked for {view.label(asked)}]" if asked else UNREAD
        return f"{mark} {_whole(line)}"
    if place == len(history.lines) - 1:
        return _whole(line)
    waits = place >= history.unanswered and not line.clicked
    return _fitted(line, one_line(line.text), room.line * (_UNANSWERED if waits else 1))


def _fitted(line: ChatLine, text: str, limit: int) -> str:
    part = text[: limit + 1]
    return cut(inert_act(part) if line.clicked else inert(part), limit, CUT)


def _gave(view: View, kept: tuple[ChatLine, ...]) -> str:
    """Return the fields that were given by lines left out."""
    seen = {line.message for line in kept if line.message}
    told = tuple(f for f in view.filled if view.draft.values[f.name].provenance.message not in seen)
    more = f" and {len(told) - _NAMED} more" if len(told) > _NAMED else ""
    return f" They gave: {view.labels(told[:_NAMED])}{more}." if told else ""


def round_messages(rounds: tuple[Round, ...], most: int) -> tuple[Message, ...]:
    """Return the newest rounds that held calls, in order. Words without a call were refused, and are not sent again."""
    called = [r for r in rounds if r.reply.calls]
    return tuple(message for r in called[-most:] for message in tool_results(r.reply, r.results))


def tool_results(reply: Reply, results: Mapping[str, Mapping[str, Any]]) -> tuple[Message, Message]:
    """Return the assistant's message and the user's that answers it; `results` by call id. The reply must hold calls."""
    content = _content(reply)
    answers = [_answer(b["id"], results.get(b["id"], _NO_RESULT)) for b in content if b["type"] == "tool_use"]
    return {"role": "assistant", "content": content}, {"role": "user", "content": answers}


def flaw_text(reason: str) -> str:
    """Return the fault of the last words for the closing system message; `reason` is a clause ("it asks about …")."""
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


def documents_read(rounds: tuple[Round, ...]) -> tuple[str, ...]:
    """Return the ids of the documents that calls of this turn read, each once."""
    results = (result for r in rounds for result in r.results.values() if result.get("status") == "ok")
    return tuple(dict.fromkeys(str(result["document"]) for result in results if "document" in result))


def told_text(rounds: tuple[Round, ...]) -> str:
    """Return the documents' text of this turn: what was asked for is no reason to give up anything else."""
    results = (result for r in rounds for result in r.results.values())
    return "\n".join(str(result.get("text", "")) for result in results if "document" in result)


def with_documents(request: Request, files: Mapping[str, Block]) -> Request:
    """Return the request with each file, by document id, inside the newest tool result that tells of it."""
    left = dict(files)
    messages = [
        {**message, "content": [_with_file(block, left) for block in message["content"]]}
        if message["role"] == "user" and not isinstance(message["content"], str)
        else message
        for message in reversed(request.messages)
    ]
    return replace(request, messages=tuple(reversed(messages)))


def _with_file(block: Block, left: dict[str, Block]) -> Block:
    if block.get("type") != "tool_result" or block.get("is_error") or not isinstance(block["content"], str):
        return block
    file = left.pop(str(json.loads(block["content"]).get("document", "")), None)
    return {**block, "content": [{"type": "text", "text": block["content"]}, file]} if file else block
