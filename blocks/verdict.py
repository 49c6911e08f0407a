"""The modal in which a verdict is given in words: the reason, the conditions, and what the person who asks is told."""

from collections.abc import Iterator, Mapping
from typing import Any

from blocks.cards.decision import CONDITIONS
from blocks.elements import MOST_OPTIONS, PLACEHOLDER, option, plain_text, section
from blocks.ids import VERDICT, Press, read_press, write_press
from blocks.message import Block
from blocks.modal import LABEL, TITLE, View
from blocks.page import Page
from blocks.text import escape
from state.draft.decisions import ASK
from state.draft.draft import Draft
from state.engine.on_decision import APPROVE
from state.engine.route import answerable, before_them
from state.form import Form

HINT, LONGEST = 150, 1500
ABOUT = "\n"
"""Between the press and the channel in the view's private data."""


def build_verdict(form: Form, draft: Draft, press: Press, channel: str) -> View:
    """What the verdict wants in words. `channel` is where its button was clicked; a refusal is told there."""
    page, verdict = Page(form, draft, draft.began[:10], press.card), str(press.value or "")
    about = f"*{escape(draft.record)}*\n{escape(page.essence)}"
    return {
        "type": "modal",
        "callback_id": VERDICT,
        "title": plain_text(_title(page, verdict), TITLE),
        "submit": plain_text(page.verdict(APPROVE if verdict == CONDITIONS else verdict), TITLE),
        "close": plain_text(page.say("modal_close"), TITLE),
        "private_metadata": f"{write_press(press)}{ABOUT}{channel}",
        "blocks": [section(about), *_inputs(page, verdict)],
    }


def _title(page: Page, verdict: str) -> str:
    label = page.verdict(APPROVE if verdict == CONDITIONS else verdict)
    return label if len(label) <= TITLE else page.say("modal_title")


def _inputs(page: Page, verdict: str) -> Iterator[Block]:
    state = before_them(page.form, page.draft)
    if verdict == ASK:
        yield _fields(page)
        yield text_input(page, "note", wanted=True, said="asked")
        return
    if verdict == CONDITIONS:
        yield text_input(page, "conditions", wanted=True)
    given = APPROVE if verdict == CONDITIONS else verdict
    yield text_input(page, "reason", wanted=given in state.reason)
    if verdict != CONDITIONS:
        yield text_input(page, "note", wanted=False)


def _fields(page: Page) -> Block:
    """The form's fields by their labels, to pick those that are to be answered again."""
    known = answerable(page.form, page.draft)[:MOST_OPTIONS]
    element = {
        "type": "multi_static_select",
        "action_id": FIELDS,
        "placeholder": plain_text(page.say("pick"), PLACEHOLDER),
        "options": [option(page.label(field), field.name) for field in known],
    }
    return {
        "type": "input",
        "block_id": FIELDS,
        "label": plain_text(page.say("decision_fields"), LABEL),
        "hint": plain_text(page.say("decision_fields_hint"), HINT),
        "element": element,
    }


def text_input(page: Page, name: str, *, wanted: bool, said: str = "") -> Block:
    """A box for words of an officer."""
    element = {"type": "plain_text_input", "action_id": name, "multiline": True, "max_length": LONGEST}
    return {
        "type": "input",
        "block_id": name,
        "optional": not wanted,
        "label": plain_text(page.say(f"decision_{said or name}"), LABEL),
        "hint": plain_text(page.say(f"decision_{said or name}_hint"), HINT),
        "element": element,
    }


def read_verdict(view: Mapping[str, Any]) -> tuple[Press, Mapping[str, Any]] | None:
    """What a submitted modal means: the press, and the fields of `DecisionMade`; None for a view that is not ours."""
    written, _, channel = str(view.get("private_metadata") or "").partition(ABOUT)
    press = read_press(written)
    if press is None:
        return None
    values = (view.get("state") or {}).get("values") or {}
    words = {name: str((values.get(name) or {}).get(name, {}).get("value") or "") for name in WORDS}
    verdict = APPROVE if press.value == CONDITIONS else str(press.value or "")
    chosen = (values.get(FIELDS) or {}).get(FIELDS, {}).get("selected_options") or ()
    fields = tuple(str(option.get("value")) for option in chosen)
    return press, {"verdict": verdict, "where": channel, "fields": fields, **words}


FIELDS = "fields"
"""The menu of fields, by its block id."""
WORDS = ("reason", "conditions", "note")
"""The boxes of the modal, by their block ids, which are the event's own names."""
