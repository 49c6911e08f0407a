"""The modals in which reviewers give a verdict in words: on a request, on a breach, on a note."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from blocks.cards.decision import CONDITIONS
from blocks.elements import (
    MOST_OPTIONS,
    PLACEHOLDER,
    Block,
    View,
    input_block,
    modal,
    option,
    plain_text,
    section,
    text_box,
)
from blocks.ids import CASE_BOX, VERDICT, Press, read_press, write_press
from blocks.modal import titled
from blocks.page import Page
from blocks.text import escape
from blocks.utterances import sentence
from state.draft.draft import Draft
from state.draft.record import ASK, Breach
from state.draft.route import answerable, case_of, decision_wanted, sentence_of
from state.form import Form
from state.record.on_decision import APPROVE

LONGEST = 1500
ABOUT = "\n"
"""Between the press and the channel in the view's private data."""


def build_verdict(form: Form, draft: Draft, press: Press, channel: str) -> View:
    """Return what the verdict wants in words. `channel` is where its button was clicked; a refusal is told there."""
    page, verdict = Page(form, draft, draft.began[:10], press.card), str(press.value or "")
    about = f"*{escape(draft.filed.number)}*\n{escape(page.essence)}"
    given = page.verdict(APPROVE if verdict == CONDITIONS else verdict)
    return _box(page, VERDICT, press, channel, titled(page, given), given, [section(about), *_inputs(page, verdict)])


def _box(
    page: Page, callback_id: str, press: Press, channel: str, title: str, submit: str, blocks: list[Block]
) -> View:
    data = f"{write_press(press)}{ABOUT}{channel}"
    return modal(title, page.say("modal_close"), blocks, submit=submit, callback_id=callback_id, data=data)


def _inputs(page: Page, verdict: str) -> Iterator[Block]:
    state = decision_wanted(page.form, page.draft)
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
    """Return the form's fields by their labels, to pick those that are to be answered again."""
    known = answerable(page.form, page.draft)[:MOST_OPTIONS]
    element = {
        "type": "multi_static_select",
        "action_id": FIELDS,
        "placeholder": plain_text(page.say("pick"), PLACEHOLDER),
        "options": [option(page.label(field), field.name) for field in known],
    }
    hint = page.say("decision_fields_hint")
    return input_block(FIELDS, page.say("decision_fields"), element, hint=hint)


def text_input(page: Page, name: str, *, wanted: bool, said: str = "") -> Block:
    """Return a box for words of an officer."""
    label, hint = page.say(f"decision_{said or name}"), page.say(f"decision_{said or name}_hint")
    return input_block(name, label, text_box(name, LONGEST, multiline=True), hint=hint, optional=not wanted)


def read_verdict(view: Mapping[str, Any]) -> tuple[Press, Mapping[str, Any]] | None:
    """Return what a submitted modal means: the press, and the fields of `DecisionMade`; None for a view that is not ours."""
    press, channel, words = _read(view, WORDS)
    if press is None:
        return None
    verdict = APPROVE if press.value == CONDITIONS else str(press.value or "")
    values = (view.get("state") or {}).get("values") or {}
    chosen = (values.get(FIELDS) or {}).get(FIELDS, {}).get("selected_options") or ()
    fields = tuple(str(option.get("value")) for option in chosen)
    return press, {"verdict": verdict, "where": channel, "fields": fields, **words}


FIELDS = "fields"
"""The menu of fields, by its block id."""
WORDS = ("reason", "conditions", "note")
"""The boxes of the modal, by their block ids, which are the event's own names."""


def build_case_box(form: Form, draft: Draft, press: Press, channel: str) -> View:
    """`channel` is where its button was clicked; a refusal is told there."""
    page, case = Page(form, draft, draft.began[:10], press.card), case_of(draft, press.field)
    what = sentence(page, sentence_of(case)) if isinstance(case, Breach) else escape(case.name if case else "")
    about = section("\n".join(filter(None, (f"*{escape(draft.filed.number)}*", escape(page.essence), what))))
    blocks = [about, text_input(page, "reason", wanted=True), text_input(page, "note", wanted=False)]
    verdict = page.verdict(str(press.value or ""))
    return _box(page, CASE_BOX, press, channel, verdict, verdict, blocks)


def read_case_box(view: Mapping[str, Any]) -> tuple[Press, dict[str, str]] | None:
    """Return what a submitted modal means: the press, and further fields of `CaseJudged`; None for a view that is not ours."""
    press, channel, words = _read(view, ("reason", "note"))
    return (press, {"where": channel, **words}) if press else None


def _read(view: Mapping[str, Any], names: Sequence[str]) -> tuple[Press | None, str, dict[str, str]]:
    """Return the press of a submitted modal, the channel that it was opened in, and what was written, by box."""
    written, _, channel = str(view.get("private_metadata") or "").partition(ABOUT)
    values = (view.get("state") or {}).get("values") or {}
    words = {name: str((values.get(name) or {}).get(name, {}).get("value") or "") for name in names}
    return read_press(written), channel, words
