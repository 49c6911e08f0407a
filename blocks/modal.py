"""The box in which an answer is written: a modal with one field."""

from collections.abc import Mapping
from typing import Any

from blocks.elements import PLACEHOLDER, Element, plain_text
from blocks.ids import ENTRY, ENTRY_BLOCK, ENTRY_INPUT, Press, read_press, write_press
from blocks.page import Page
from blocks.phrases import Phrasebook
from blocks.text import clean, cut
from state.draft.draft import Draft
from state.fields import kind_of
from state.form import Field, Form

View = dict[str, Any]

TITLE, LABEL, HINT, INPUT = 24, 2000, 2000, 3000
"""Characters that Slack takes of a modal's title, an input's label, its hint and its value."""


def build_entry(form: Form, draft: Draft, press: Press, today: str) -> View:
    """The modal for `press.field`, with the present answer in it. Raises KeyError where the form has no such field."""
    page = Page(form, draft, today, press.card)
    field = form.fields[press.field]
    return {
        "type": "modal",
        "callback_id": ENTRY,
        "title": plain_text(_title(page, field), TITLE),
        "submit": plain_text(page.say("modal_submit"), TITLE),
        "close": plain_text(page.say("modal_close"), TITLE),
        "private_metadata": write_press(press),
        "blocks": [_input_block(page, field)],
    }


def entry_error(form: Form, key: str, args: Mapping[str, object]) -> dict[str, str]:
    """Slack's `errors` for an entry that cannot be read: the sentence below the box."""
    texts = {name: str(value) for name, value in args.items()}
    return {ENTRY_BLOCK: Phrasebook(form.language, form.says).say(key, **texts)}


def read_entry(view: Mapping[str, Any]) -> tuple[Press, str] | None:
    """What a submitted modal means, and the text that was written; None for a view that is not ours."""
    press = read_press(view.get("private_metadata"))
    entry = view.get("state", {}).get("values", {}).get(ENTRY_BLOCK, {}).get(ENTRY_INPUT, {})
    written = entry.get("value")
    return (press, written or "") if press and (written is None or isinstance(written, str)) else None


def _title(page: Page, field: Field) -> str:
    label = page.label(field)
    return label if len(label) <= TITLE else page.say("modal_title")


def _input_block(page: Page, field: Field) -> Element:
    block = {
        "type": "input",
        "block_id": ENTRY_BLOCK,
        "label": plain_text(page.question(field), LABEL),
        "element": _input(page, field),
    }
    return block | ({"hint": plain_text(page.form.fields[field.name].help, HINT)} if field.help else {})


def _input(page: Page, field: Field) -> Element:
    longest = max(1, min(field.max_length, INPUT))
    placeholder = field.placeholder or page.say("placeholder_text" if kind_of(field).verbatim else "placeholder_short")
    element = {
        "type": "plain_text_input",
        "action_id": ENTRY_INPUT,
        "multiline": kind_of(field).verbatim and not field.short,
        "max_length": longest,
        "placeholder": plain_text(placeholder, PLACEHOLDER),
        "focus_on_load": True,
    }
    present = cut(clean(page.answer(field)), longest)
    return element | ({"initial_value": present} if present else {})
