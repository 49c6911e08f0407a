"""A message as it reads on screen, without Slack: for whoever reads later what was shown."""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

Json = Mapping[str, Any]
MENU, EMPTY, TICKED = "▾", "☐", "📎"
DATE = re.compile(r"<!date\^[^|>]*\|([^>]*)>")
LINK = re.compile(r"<(?:https?|mailto|tel):[^|>]*\|([^>]*)>")
BOLD = re.compile(r"(?<!\w)([*_])([^*_\n]+)\1(?!\w)")


def screen_lines(message: Json) -> list[str]:
    """Return what a message shows, line by line: its blocks, or its text; buttons in brackets, menus with a mark, people as `<@U…>`."""
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
    if kind in ("rich_text", "table"):
        lines += _rich(block)
    if beside := block.get("accessory"):
        lines = [*lines[:-1], f"{lines[-1]}  {_element(beside)}" if lines else _element(beside)]
    return [*lines, *(["  ".join(map(_element, block["actions"]))] if block.get("actions") else [])]


def _rich(block: Json) -> list[str]:
    """Return the words of a text with formats, or the rows of a table."""
    if block.get("type") == "table":
        return [" | ".join(_words(cell) for cell in row) for row in block.get("rows", ())]
    return [_words(part) for part in block.get("elements", ())]


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
