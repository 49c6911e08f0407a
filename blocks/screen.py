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
    """What a message shows, line by line: its blocks, or its text; buttons in brackets, menus with a mark, people as `<@U…>`."""
    blocks = message.get("blocks") or []
    found = [line for block in blocks for line in _block(block)] if blocks else _text(str(message.get("text", "")))
    return [*found, *(f"{TICKED} {file.get('name', '')}" for file in message.get("files") or ())]


def _block(block: Json) -> list[str]:
    if block.get("type") == "actions":
        return ["  ".join(_element(e) for e in block.get("elements", ()))]
    if block.get("type") == "divider":
        return ["―"]
    lines = [
        line
        for key in ("title", "subtitle", "text", "body", "alt_text", "label")
        for line in _text(_plain(block.get(key)))
    ]
    lines += [line for part in block.get("fields") or () for line in _text(_plain(part))]
    lines += (
        [" ".join(_text(_plain(e)) or [_element(e)]) for e in block.get("elements") or ()]
        if block.get("type") == "context"
        else []
    )
    lines += _rich(block) if block.get("type") in ("rich_text", "table") else []
    accessory = block.get("accessory")
    if accessory:
        lines = [*lines[:-1], f"{lines[-1]}  {_element(accessory)}" if lines else _element(accessory)]
    if block.get("actions"):
        lines.append("  ".join(_element(e) for e in block["actions"]))
    return lines


def _rich(block: Json) -> list[str]:
    """Return the words of a text with formats, or the rows of a table."""
    if block.get("type") == "table":
        return [" | ".join(_words(cell) for cell in row) for row in block.get("rows", ())]
    return [_words(part) for part in block.get("elements", ())]


def _words(part: Any) -> str:
    if isinstance(part, Mapping):
        return (
            str(part["text"])
            if isinstance(part.get("text"), str)
            else "".join(_words(e) for e in part.get("elements", ()))
        )
    return "".join(map(_words, part)) if isinstance(part, list) else ""


def _element(element: Json) -> str:
    if element.get("type") == "button":
        return f"[{_plain(element.get('text'))}]"
    options = [_plain(option.get("text")) for option in element.get("options", ())]
    if element.get("type") in ("checkboxes", "radio_buttons"):
        return "  ".join(f"{EMPTY} {option}" for option in options)
    return (
        f"[{_plain(element.get('placeholder')) or ', '.join(options)} {MENU}]"
        if "action_id" in element
        else _plain(element)
    )


def _plain(part: Any) -> str:
    if isinstance(part, Mapping):
        part = part.get("text", part.get("alt_text", ""))
    return part if isinstance(part, str) else ""


def _text(said: str) -> list[str]:
    """Lines of Slack's markup as they are read."""
    plain = BOLD.sub(r"\2", LINK.sub(r"\1", DATE.sub(r"\1", said)))
    return [line.rstrip() for line in unescape(plain).splitlines() if line.strip()]
