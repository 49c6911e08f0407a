"""A message without its looks: as a screen reader reads it, and line by line for whoever reads later what was shown."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import unescape
from typing import Any

from blocks.elements import Block, Message
from blocks.ids import TICK, TOGETHER, read_press
from blocks.text import SECTION, cut, escape, size
from state.engine.events import Act

FEW, BETWEEN = 8, " / "
ANSWERING: frozenset[Act] = frozenset({
    "answer", "accept", "go", "keep", "change", "cancel_confirmed", "restart_confirmed", "disclose_confirmed", "stay", "confirm",
    "decline", "submit", "cancel", "submit_anyway", "take", "take_all", "leave",
    "erase_confirmed", "erase_kept", "decide", "withdraw", "withdraw_confirmed", "report", "unused", "unused_confirmed", "judge",
})  # fmt: skip
"""Acts that answer the question above their button; an explanation, a box to write in or a person does not."""
PICKING: Act = "pick"
"""Its button reads "Use this": the result is in the text beside it."""


def aloud(built: Message) -> Message:
    """Add a message's clickable answers to its notification text, each once; not where there are none or many."""
    clickable = list(dict.fromkeys(answers(built.blocks)))
    below = BETWEEN.join(clickable)
    if not 0 < len(clickable) <= FEW or size(below) > SECTION // 2:
        return built
    return replace(built, text=f"{cut(built.text, SECTION - size(below) - 1)}\n{below}")


def answers(blocks: Sequence[Block]) -> Iterator[str]:
    """Yield the answers that can be clicked, as escaped text in reading order."""
    for block in blocks:
        beside = block.get("accessory")
        if beside and _act(beside) == PICKING:
            yield str(block["text"]["text"]).partition("\n")[0].replace("*", "")
            continue
        row = block.get("elements", ()) if block["type"] == "actions" else ()
        for element in (*([beside] if beside else []), *row):
            if _act(element) in ANSWERING:
                yield escape(str(element["text"]["text"]))
            elif str(element.get("action_id", "")).startswith((TICK, f"{TOGETHER}.")):
                yield from (escape(str(option["text"]["text"])) for option in element.get("options", ()))


def _act(element: dict[str, Any]) -> Act | None:
    press = read_press(element.get("value")) if element.get("type") == "button" else None
    return press.act if press else None


Json = Mapping[str, Any]
MENU, EMPTY, TICKED = "▾", "☐", "📎"
DATE = re.compile(r"<!date\^[^|>]*\|([^>]*)>")
LINK = re.compile(r"<(?:https?|mailto|tel):[^|>]*\|([^>]*)>")
BOLD = re.compile(r"(?<!\w)([*_])([^*_\n]+)\1(?!\w)")


def screen_lines(message: Json) -> list[str]:
    """Return a message as it reads on screen, line by line: its blocks, or its text; buttons in brackets, menus with a mark, people as `<@U…>`."""
    blocks = message.get("blocks") or []
    found = [line for block in blocks for line in _block(block)] if blocks else _text(str(message.get("text", "")))
    return [*found, *(f"{TICKED} {file.get('name', '')}" for file in message.get("files") or ())]


def _block(block: Json) -> list[str]:
    kind, elements = block.get("type"), block.get("elements") or ()
    if kind == "actions":
        return ["  ".join(map(_element, elements))]
    if kind == "divider":
        return ["―"]
    parts = [block.get(key) for key in ("title", "subtitle", "text", "body", "alt_text", "label")]
    lines = [line for part in (*parts, *(block.get("fields") or ())) for line in _text(_plain(part))]
    if kind == "context":
        lines += [" ".join(_text(_plain(e)) or [_element(e)]) for e in elements]
    if kind == "table":
        lines += [" | ".join(map(_words, row)) for row in block.get("rows", ())]
    if kind == "rich_text":
        lines += map(_words, elements)
    if beside := block.get("accessory"):
        lines = [*lines[:-1], f"{lines[-1]}  {_element(beside)}" if lines else _element(beside)]
    return [*lines, *(["  ".join(map(_element, block["actions"]))] if block.get("actions") else [])]


def _words(part: Any) -> str:
    if isinstance(part, Mapping) and isinstance(part.get("text"), str):
        return str(part["text"])
    if isinstance(part, Mapping):
        return "".join(map(_words, part.get("elements", ())))
    return "".join(map(_words, part)) if isinstance(part, list) else ""


def _element(element: Json) -> str:
    if element.get("type") == "button":
        return f"[{_plain(element.get('text'))}]"
    options = [_plain(option.get("text")) for option in element.get("options", ())]
    if element.get("type") in ("checkboxes", "radio_buttons"):
        return "  ".join(f"{EMPTY} {option}" for option in options)
    if "action_id" not in element:
        return _plain(element)
    return f"[{_plain(element.get('placeholder')) or ', '.join(options)} {MENU}]"


def _plain(part: Any) -> str:
    if isinstance(part, Mapping):
        part = part.get("text", part.get("alt_text", ""))
    return part if isinstance(part, str) else ""


def _text(said: str) -> list[str]:
    """Return lines of Slack's markup as they are read."""
    plain = BOLD.sub(r"\2", LINK.sub(r"\1", DATE.sub(r"\1", said)))
    return [line.rstrip() for line in unescape(plain).splitlines() if line.strip()]
