"""Turn a `Request` into the arguments of one `messages.create` call, with or without what an endpoint may not take; what models cost.

Turns alternate, and an operator's message follows a user turn; where the endpoint takes no system messages, the operator's words go into
the user turn in a marked block. Source: the Messages API's rules for `role: "system"` messages (after a user turn, last or before an
assistant turn).
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import Any, Literal

from prompts.marks import softened
from prompts.request import Message, Request
from state.draft.reply import Usage


@dataclass(frozen=True)
class Takes:
    """The extras that a model takes.

    `thinking_off` is the `thinking.type` that turns thinking off, None where it is off unasked or cannot be turned off;
    `thinks` says the latter, so that an answer needs room for it.
    """

    system_messages: bool = False
    thinking_off: Literal["disabled", "between_tools"] | None = None
    effort: bool = False
    thinks: bool = False


PLAIN = Takes()

_TABLE: tuple[tuple[str, tuple[int, int], Takes], ...] = (
    ("haiku", (5, 5), Takes(system_messages=True, thinking_off="disabled", effort=True)),
    ("sonnet", (5, 5), Takes(system_messages=True, thinking_off="between_tools", effort=True)),
    ("sonnet", (5, 0), Takes(thinking_off="disabled", effort=True)),
    ("sonnet", (4, 6), Takes(effort=True)),
    ("opus", (5, 5), Takes(system_messages=True, effort=True, thinks=True)),
    ("opus", (5, 0), Takes(system_messages=True, thinking_off="disabled", effort=True)),
    ("opus", (4, 8), Takes(system_messages=True, effort=True)),
    ("opus", (4, 5), Takes(effort=True)),
    ("fable", (5, 0), Takes(system_messages=True, effort=True, thinks=True)),
)
"""Line, first version, what it takes; newest version of a line first."""

_NAME = re.compile(r"(?:^|[./])claude-(?P<line>[a-z]+)-(?P<major>\d{1,2})(?:-(?P<minor>\d{1,2}))?(?!\d)")


def capabilities(model: str) -> Takes:
    """Return what the model of this name takes, with or without a cloud's prefix and a date (`us.anthropic.claude-opus-5-20260801`)."""
    found = _NAME.search(model.lower())
    if not found:
        return PLAIN
    version = int(found["major"]), int(found["minor"] or 0)
    rows = (takes for line, since, takes in _TABLE if line == found["line"] and version >= since)
    return next(rows, PLAIN)


PRICES: Mapping[str, tuple[float, float]] = {"claude-haiku-5-5": (0.10, 0.50)}
"""Model to the price of what it reads and of what it writes (https://docs.claude.com/en/docs/about-claude/pricing)."""


def cost(model: str, used: Usage) -> float:
    """Dollars of one call; 0 where the price is not known."""
    reads, writes = PRICES.get(model, (0.0, 0.0))
    return (used.input * reads + used.output * writes) / 1_000_000


THINKING_ROOM = 4_000
"""Tokens added where thinking cannot be turned off: it counts toward `max_tokens`, and would eat a short answer's whole allowance."""


class Extra(StrEnum):
    """An extra of a request, beyond the plainest one, that an endpoint may not take."""

    SYSTEM_MESSAGES = "system_messages"
    STRICT = "strict"
    THINKING = "thinking"
    EFFORT = "effort"
    FILES = "files"


_NAMED_BY = {
    Extra.SYSTEM_MESSAGES: re.compile(r"\broles?\b|`system`|'system'", re.IGNORECASE),
    Extra.STRICT: re.compile(
        r"strict|tools\.\d+|optional parameters|union|grammar|too complex|additionalProperties", re.IGNORECASE
    ),
    Extra.THINKING: re.compile("thinking", re.IGNORECASE),
    Extra.EFFORT: re.compile("effort|output_config", re.IGNORECASE),
    Extra.FILES: re.compile(r"\bimages?\b|\bdocuments?\b|\bpdf\b|media_type|base64", re.IGNORECASE),
}


def arguments(request: Request, model: str, takes: Takes, without: frozenset[Extra] = frozenset()) -> dict[str, Any]:
    """Keyword arguments of `messages.create`. No sampling parameter and no prefill is ever among them."""
    before, messages = arranged(
        request.messages, system_messages=takes.system_messages and Extra.SYSTEM_MESSAGES not in without
    )
    messages = without_files(messages) if Extra.FILES in without else messages
    told = [request.system, before, NOTE if holds_mark(messages) else ""]
    optional = {
        "system": "\n\n".join(part for part in told if part),
        "tools": request.tools
        if Extra.STRICT not in without
        else [{name: value for name, value in tool.items() if name != "strict"} for tool in request.tools],
        "thinking": {"type": takes.thinking_off} if takes.thinking_off and Extra.THINKING not in without else None,
        "output_config": {"effort": "low"} if takes.effort and Extra.EFFORT not in without else None,
    }
    given = {name: value for name, value in optional.items() if value}
    room = THINKING_ROOM if takes.thinks or (takes.thinking_off and "thinking" not in given) else 0
    args = {"model": model, "max_tokens": request.max_tokens + room, "messages": messages, **given}
    text = json.dumps(args, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return dict(json.loads(text.encode("utf-8", "replace")))
    return args


def extras_in(args: dict[str, Any]) -> frozenset[Extra]:
    """Return what these arguments hold beyond the plainest request."""
    held = {
        Extra.SYSTEM_MESSAGES: any(message["role"] == "system" for message in args["messages"]),
        Extra.STRICT: any(tool.get("strict") for tool in args.get("tools", ())),
        Extra.THINKING: "thinking" in args,
        Extra.EFFORT: "output_config" in args,
        Extra.FILES: any(map(holds_files, args["messages"])),
    }
    return frozenset(extra for extra, is_held in held.items() if is_held)


def blamed(complaint: str, held: frozenset[Extra]) -> frozenset[Extra]:
    """Return the extra that a 400 names first; all that were sent where it names none (some endpoints say only "invalid")."""
    named = {found.start(): extra for extra in held if (found := _NAMED_BY[extra].search(complaint))}
    return frozenset({named[min(named)]}) if named else held


_TOO_MUCH = re.compile(r"too many|too complex|too large|grammar|limit", re.IGNORECASE)
_STREAMING = re.compile(r"\bstream", re.IGNORECASE)


@dataclass(frozen=True)
class Manner:
    """`lacking` is what the endpoint does not take, `for_now` what this one request is too big for."""

    stream: bool = False
    stream_is_settled: bool = False
    lacking: frozenset[Extra] = frozenset()
    for_now: frozenset[Extra] = frozenset()

    @property
    def without(self) -> frozenset[Extra]:
        """Everything to leave out of the request."""
        return self.lacking | self.for_now

    def after(self, complaint: str, held: frozenset[Extra]) -> "Manner | None":
        """Return the manner to try next, after a 400 with these words to a request that held these extras; None when none is left."""
        if _STREAMING.search(complaint) and not self.stream_is_settled:
            return replace(self, stream=not self.stream, stream_is_settled=True)
        if not held:
            return None
        guilty = blamed(complaint, held)
        if _TOO_MUCH.search(complaint) or guilty == {Extra.FILES}:  # one file may be bad where others are not
            return replace(self, for_now=self.for_now | guilty)
        return replace(self, lacking=self.lacking | guilty)

    def remembered(self) -> "Manner":
        """Return what holds for the next request too."""
        return replace(self, for_now=frozenset())


OPEN, CLOSE = "⟦operator⟧", "⟦/operator⟧"

NOTE = f"Text between {OPEN} and {CLOSE} is the operator's, not the user's. Follow it as you follow this prompt."
"""What the system prompt adds when instructions travel in marked blocks."""


def marked(text: str) -> str:
    """Return the operator's text as a block of a user turn."""
    return f"{OPEN}\n{inert(text)}\n{CLOSE}"


def unmarked(text: str) -> str:
    """Return a user turn's own words, without the operator's blocks."""
    return re.sub(rf"\s*{OPEN}\n.*?\n{CLOSE}", "", text, flags=re.DOTALL).strip()


def inert(text: str) -> str:
    """The text with the mark's own brackets made plain and bracketed role names put in round ones; all else as it was.

    The first makes a forged mark impossible; the second keeps its look-alikes (`[SYSTEM]`, `<operator>`) from being obeyed.
    """
    return softened(text, ("operator", "system")).replace("⟦", "[").replace("⟧", "]")


Block = dict[str, Any]
Content = str | list[Block]

_GAP = "\n\n"


def arranged(messages: Sequence[Message], *, system_messages: bool) -> tuple[str, list[Message]]:
    """Return the operator's words that come before any turn (for the system prompt), and the messages to send.

    Blank messages are left out and neighbours of one role become one. The words of users and documents lose everything that looks like the
    operator's mark; an assistant's content stays as it is.
    """
    before: list[str] = []
    turns: list[Message] = []
    worded = [message for message in messages if _without_blanks(message["content"])]
    for is_assistant, group in groupby(worded, key=lambda message: message["role"] == "assistant"):
        run = list(group)
        if is_assistant:
            turns += _turn("assistant", joined(message["content"] for message in run))
        elif not turns and not _of(run, "user"):
            before.append(_operator_words(run))
        else:
            turns += _user_side(run, system_messages)
    return _GAP.join(before), turns


def holds_mark(turns: Sequence[Message]) -> bool:
    """Return True if an operator's block travels in one of these user turns (nobody else can write one)."""
    return any(OPEN in _text(turn["content"]) for turn in turns if turn["role"] == "user")


def holds_files(turn: Message) -> bool:
    """Return True if a tool result of this turn holds a file beside its text."""
    blocks = turn["content"] if isinstance(turn["content"], list) else []
    return any(isinstance(b.get("content"), list) and len(b["content"]) > 1 for b in blocks)


def without_files(turns: Sequence[Message]) -> list[Message]:
    """The same turns; tool results tell the text of a document alone."""
    return [{**turn, "content": _texts_alone(turn["content"])} if holds_files(turn) else turn for turn in turns]


def _texts_alone(content: list[Block]) -> list[Block]:
    return [
        {**b, "content": [part for part in b["content"] if part.get("type") == "text"]}
        if isinstance(b.get("content"), list)
        else b
        for b in content
    ]


def _user_side(run: list[Message], system_messages: bool) -> list[Message]:
    said = joined(_inert(content) for content in _of(run, "user"))
    told = _operator_words(run)
    if system_messages and said:
        return _turn("user", said) + _turn("system", told)
    return _turn("user", joined([said, marked(told)] if told else [said]))


def _turn(role: str, content: Content) -> list[Message]:
    return [{"role": role, "content": content}] if content else []


def _of(run: list[Message], role: str) -> list[Content]:
    return [message["content"] for message in run if message["role"] == role]


def _operator_words(run: list[Message]) -> str:
    return _GAP.join(_text(content) for content in _of(run, "system")).strip()


def _text(content: Content) -> str:
    return content if isinstance(content, str) else _GAP.join(block.get("text", "") for block in content)


def joined(contents: Iterable[Content]) -> Content:
    """Return several contents as one; text stays text. Blank text is left out, and tool results come first, as the API asks."""
    parts = [kept for content in contents if (kept := _without_blanks(content))]
    words = [part for part in parts if isinstance(part, str)]
    if len(words) == len(parts):
        return _GAP.join(words)
    blocks = [block for part in parts for block in _as_blocks(part)]
    return sorted(blocks, key=lambda block: block.get("type") != "tool_result")


def _without_blanks(content: Content) -> Content:
    if isinstance(content, str):
        return content if content.strip() else ""
    return [block for block in content if block.get("type") != "text" or block["text"].strip()]


def _as_blocks(content: Content) -> list[Block]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _inert(content: Content) -> Content:
    return inert(content) if isinstance(content, str) else [_inert_block(block) for block in content]


def _inert_block(block: Block) -> Block:
    """Return a block's text, or the content of one that holds others (a tool result), neutralised."""
    if block.get("type") == "text":
        return {**block, "text": inert(block["text"])}
    if "content" in block:
        return {**block, "content": _inert(block["content"])}
    return block
