"""The box in which a person reports what they did: a few fields, filled in with what was approved, or with the report that is to be put right."""

from collections.abc import Mapping
from typing import Any

from blocks.elements import plain_text, section
from blocks.ids import REPORT_BOX, Press, read_press, write_press
from blocks.message import Block
from blocks.modal import EDITORS, HINT, LABEL, TITLE, View, given
from blocks.page import Page
from blocks.phrases import Phrasebook
from blocks.text import escape
from blocks.utterances import fill
from state.draft.draft import Draft
from state.draft.reporting import filled_in, report_draft, report_form, shown_fields
from state.fields import element_of
from state.fields.base import Unreadable
from state.form import Field, Form
from state.form.field import Data


def build_report_box(form: Form, draft: Draft, press: Press, today: str) -> View:
    """The modal for `views.open`. `press.hash` says what had been reported when its button was shown."""
    page, figures = Page(form, draft, today), filled_in(form, draft, today)
    mini = Page(report_form(form), report_draft(draft, figures), today)
    key = "correct" if draft.reports else "report"
    until = [fill(page, "valid_until", {"day": page.day(draft.valid_until)})] if draft.valid_until else []
    about = "\n".join((f"*{escape(draft.record)}*", escape(page.essence), *until))
    return {
        "type": "modal",
        "callback_id": REPORT_BOX,
        "title": plain_text(_title(page, key), TITLE),
        "submit": plain_text(page.say("report_submit"), TITLE),
        "close": plain_text(page.say("modal_close"), TITLE),
        "private_metadata": write_press(press),
        "blocks": [section(about), *(_input(mini, field) for field in shown_fields(form, figures))],
    }


def _title(page: Page, key: str) -> str:
    said = page.say(key)
    return said if len(said) <= TITLE else page.say("modal_title")


def _input(page: Page, field: Field) -> Block:
    element = EDITORS[element_of(field)](page, field) | {"action_id": field.name}
    block = {
        "type": "input",
        "block_id": field.name,
        "optional": not field.required,
        "label": plain_text(page.question(field), LABEL),
        "element": element,
    }
    return block | ({"hint": plain_text(field.help, HINT)} if field.help else {})


def read_report_box(view: Mapping[str, Any]) -> tuple[Press, dict[str, Data]] | None:
    """What a submitted box means, and what stands in it by field; None for a view that is not ours."""
    press = read_press(view.get("private_metadata"))
    values = (view.get("state") or {}).get("values") or {}
    entries = {name: given(block.get(name) or {}) for name, block in values.items()}
    told = {name: entry for name, entry in entries.items() if entry not in (None, "")}
    return (press, {n: e for n, e in told.items() if e is not None}) if press else None


def report_errors(form: Form, wrong: Mapping[str, Unreadable]) -> dict[str, str]:
    """Slack's `errors`: the sentence below each box that cannot be read."""
    words = Phrasebook(form.language, form.says)
    return {n: words.say(w.key, **{a: str(v) for a, v in w.args_.items()}) for n, w in wrong.items()}
