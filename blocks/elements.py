"""Block Kit's pieces as this project uses them, and the messages and modals that they make.

Texts given to `section`, `context` and `fields` are escaped; labels are plain.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from blocks.ids import FIND, ID_LIMIT, OPTION_LIMIT, Press, action_id, write_press
from blocks.text import NOTHING, SECTION, cut, plain, split

Block = dict[str, Any]

MOST_BLOCKS, MOST_CHARACTERS = 50, 11_500
"""Slack takes 50 blocks; about 12,000 characters of them in all, containers counted, fail with `msg_blocks_too_long`."""


@dataclass(frozen=True)
class Message:
    """`text` is escaped, never empty, and at most 3,000 characters."""

    text: str
    blocks: tuple[Block, ...]


def message(text: str, blocks: Sequence[Block]) -> Message:
    """Return a message whose fallback is `text` (escaped already), cut to size."""
    return Message(cut(text, SECTION).strip() or NOTHING, tuple(blocks))


def weight(blocks: Sequence[Block]) -> int:
    """Return the characters of the blocks as they are sent, which is never less than what Slack counts."""
    return len(json.dumps(blocks, ensure_ascii=False, separators=(",", ":")))


def first_that_fits(
    layouts: Iterable[list[Block]], most: int = MOST_BLOCKS, characters: int = MOST_CHARACTERS
) -> list[Block]:
    """Return the first layout that Slack takes; the last one where none is small enough."""
    blocks: list[Block] = []
    for blocks in layouts:
        if len(blocks) <= most and weight(blocks) <= characters:
            break
    return blocks


Element = dict[str, Any]
View = dict[str, Any]
Style = Literal["", "primary", "danger"]
Level = Literal["default", "info", "warning", "error", "success"]

BUTTON, OPTION, HEADER, PLACEHOLDER, FIELD, CONTEXT = 75, 75, 150, 150, 2000, 2000
CARD, CARD_BODY = 150, 200
TITLE, LABEL, HINT, INPUT = 24, 2000, 2000, 3000
"""Characters that Slack takes (https://docs.slack.dev/reference/block-kit)."""
MOST_OPTIONS, MENU = 100, 5000
"""Options that a menu takes, and characters of them that leave room for the rest of the message."""


def plain_text(text: str, limit: int) -> Element:
    """Return a text object that formats nothing."""
    return {"type": "plain_text", "text": plain(text, limit), "emoji": True}


def mrkdwn(text: str, limit: int) -> Element:
    """Return a text object of escaped text; `verbatim` keeps Slack from making links and mentions of it."""
    return {"type": "mrkdwn", "text": cut(text, limit) or NOTHING, "verbatim": True}


def header(text: str) -> Block:
    return {"type": "header", "text": plain_text(text, HEADER)}


def section(text: str, accessory: Element | None = None) -> Block:
    block: Block = {"type": "section", "text": mrkdwn(text, SECTION)}
    return block | {"accessory": accessory} if accessory else block


def fields(texts: Iterable[str]) -> Block:
    """Return up to ten texts in two columns, read row by row."""
    return {"type": "section", "fields": [mrkdwn(text, FIELD) for text in texts]}


def table(rows: Iterable[Sequence[str]], *, wrapped: int) -> Block:
    """Return rows of plain cells of the same number; the cells of column `wrapped` (from 0) break into lines."""
    cells = [[{"type": "raw_text", "text": cell or NOTHING} for cell in row] for row in rows]
    settings = [{"is_wrapped": n == wrapped} for n in range(wrapped + 1)]
    return {"type": "table", "rows": cells, "column_settings": settings}


def context(text: str) -> Block:
    """Return small print."""
    return {"type": "context", "elements": [mrkdwn(text, CONTEXT)]}


def small(text: str) -> list[Block]:
    """Return text of any length as small print; nothing where there is none."""
    return [context(part) for part in split(text, CONTEXT)]


def card(title: str, subtitle: str = "", body: str = "", buttons: Sequence[Element] = ()) -> Block:
    """Return a framed card; a part without text is left out."""
    texts = {"title": (title, CARD), "subtitle": (subtitle, CARD), "body": (body, CARD_BODY)}
    shown = {name: mrkdwn(text, limit) for name, (text, limit) in texts.items() if text}
    return {"type": "card", **shown} | ({"actions": list(buttons)} if buttons else {})


def alert(text: str, level: Level) -> Block:
    """Return a sentence that nobody should miss."""
    return {"type": "alert", "level": level, "text": mrkdwn(text, SECTION)}


def divider() -> Block:
    return {"type": "divider"}


def actions(elements: Sequence[Element], block_id: str = "") -> Block:
    block: Block = {"type": "actions", "elements": list(elements)}
    return block | {"block_id": block_id} if block_id else block


def button(label: str, press: Press, which: int | str = "", style: Style = "", opens: str = "") -> Element:
    """Return a button that carries a press. `opens` names another action_id than the act's own."""
    element = {"type": "button", "action_id": opens or action_id(press.act, which), "value": write_press(press)}
    return element | {"text": plain_text(label, BUTTON)} | ({"style": style} if style else {})


def plain_button(label: str, action: str, value: str) -> Element:
    """Return a button that a listener answers at once: it carries no press and is no event of a draft."""
    return {"type": "button", "action_id": action, "text": plain_text(label, BUTTON), "value": value}


def feedback(good: tuple[str, Press], bad: tuple[str, Press]) -> Block:
    """Return two small buttons by which a person says whether words of a model's were of use."""
    sides = {
        name: {
            "text": plain_text(label, BUTTON),
            "value": write_press(press),
            "accessibility_label": plain(label, BUTTON),
        }
        for name, (label, press) in (("positive_button", good), ("negative_button", bad))
    }
    element = {"type": "feedback_buttons", "action_id": action_id("feedback"), **sides}
    return {"type": "context_actions", "elements": [element]}


def link(label: str, url: str, action: str) -> Element:
    """Return a button that opens an address."""
    return {"type": "button", "action_id": action, "text": plain_text(label, BUTTON), "url": url}


def option(label: str, value: str) -> Element:
    return {"text": {"type": "plain_text", "text": plain(label, OPTION)}, "value": plain(value, OPTION_LIMIT)}


def select(placeholder: str, press: Press, options: Sequence[Element]) -> Element:
    """Return a menu; where it would weigh too much, one that asks for its options. Its press stands in its block's block_id."""
    shown = {"placeholder": plain_text(placeholder, PLACEHOLDER)}
    if len(options) > MOST_OPTIONS or weight(options) > MENU:
        return {"type": "external_select", "action_id": f"{FIND}.{press.act}", "min_query_length": 0} | shown
    return {"type": "static_select", "action_id": action_id(press.act, "select"), "options": list(options)} | shown


def multi_select(placeholder: str, options: Sequence[Element]) -> Element:
    """Return a menu of which several options may be picked."""
    shown = {"placeholder": plain_text(placeholder, PLACEHOLDER)}
    return {"type": "multi_static_select", "options": list(options)} | shown


def press_id(press: Press) -> str:
    """Return the block_id that carries the press of a select or a date picker."""
    return write_press(press, ID_LIMIT)


def modal(
    title: str, close: str, blocks: Iterable[Block], *, submit: str = "", callback_id: str = "", data: str = ""
) -> View:
    """Return a view for `views.open`. `data` comes back with what is done in it."""
    named = {"callback_id": callback_id, "private_metadata": data}
    view = {
        "type": "modal",
        "title": plain_text(title, TITLE),
        "close": plain_text(close, TITLE),
        "blocks": list(blocks),
    }
    return view | {k: v for k, v in named.items() if v} | ({"submit": plain_text(submit, TITLE)} if submit else {})


def input_block(name: str, label: str, element: Element, *, hint: str = "", optional: bool = False) -> Block:
    """Return a labelled input of a modal. `name` is its block id."""
    block = {"type": "input", "block_id": name, "label": plain_text(label, LABEL), "element": element}
    return block | ({"hint": plain_text(hint, HINT)} if hint else {}) | ({"optional": True} if optional else {})


def text_box(name: str, longest: int, *, multiline: bool = False, **more: Any) -> Element:
    """Return a box to write in. `more` are further keys of Slack's, those without a value left out."""
    element = {"type": "plain_text_input", "action_id": name, "multiline": multiline, "max_length": longest}
    return element | {key: value for key, value in more.items() if value}
