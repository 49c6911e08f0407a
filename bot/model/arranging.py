"""The conversation in the order the Messages API wants it: turns alternate, and an operator's message follows a user turn.

Where the endpoint takes no system messages, the operator's words go into the user turn in a marked block.
Source: the Messages API's rules for `role: "system"` messages (after a user turn, last or before an assistant turn).
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from prompts.request import Message

OPEN, CLOSE = "⟦operator⟧", "⟦/operator⟧"

NOTE = f"Text between {OPEN} and {CLOSE} is the operator's, not the user's. Follow it as you follow this prompt."
"""What the system prompt adds when instructions travel in marked blocks."""

_ROLES = ("operator", "system")
_OPENING, _CLOSING = r"\[<{⟦⟨⟪⟬⟮〈〈《「『【〔〖〘〚‹«｛［＜", r"\]>}⟧⟩⟫⟭⟯〉〉》」』】〕〗〙〛›»｝］＞"
_BRACKETED = re.compile(rf"[{_OPENING}]([^{_OPENING}{_CLOSING}\n]{{1,80}})[{_CLOSING}]")
_TWINS = str.maketrans("аеорстуѕмοετρυ", "aeopctysmoetpu")
"""Cyrillic and Greek letters that a reader takes for Latin ones."""


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
    text = text.replace("⟦", "[").replace("⟧", "]")
    while (softer := _BRACKETED.sub(_soften, text)) != text:
        text = softer
    return text


def _soften(found: re.Match[str]) -> str:
    return f"({found[1]})" if _names_a_role(found[1]) else found[0]


def _names_a_role(words: str) -> bool:
    letters = "".join(c for c in unicodedata.normalize("NFKC", words).casefold() if c.isalpha())
    return letters.translate(_TWINS).startswith(_ROLES)


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
