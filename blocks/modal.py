"""The modals in which a person writes: one answer, the report of what they did, a reviewer's verdict."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from blocks import ids
from blocks.cards.decision import CONDITIONS
from blocks.elements import (
    INPUT,
    MOST_OPTIONS,
    PLACEHOLDER,
    TITLE,
    Block,
    Element,
    View,
    context,
    input_block,
    modal,
    multi_select,
    option,
    plain_text,
    section,
    small,
    text_box,
)
from blocks.inputs import MOST_BOXES, answer_options, date_picker, tick_boxes
from blocks.page import Page, fill, sentence
from blocks.phrases import Phrasebook
from blocks.text import clean, cut, escape, lines
from state.draft.display import declared_by, filled_in, report_draft, report_form, shown_fields
from state.draft.draft import Draft
from state.draft.missing import would_ask_again
from state.draft.record import ASK, Breach
from state.draft.route import APPROVE, answerable, case_of, decision_wanted, message_wanted, sentence_of
from state.fields import element_of, kind_of
from state.fields.base import Unreadable
from state.form import Field, Form
from state.form.field import Data
from state.record.on_case import REFUSE

LONGEST = 1500
"""Characters of an officer's words."""
ABOUT = "\n"
"""Between the press and the channel in the view's private data."""
FIELDS = "fields"
"""The menu of fields, by its block id."""
WORDS = ("reason", "conditions", "note")
"""The boxes of the verdict's modal, by their block ids, which are the event's own names."""


def build_entry(form: Form, draft: Draft, press: ids.Press, today: str) -> View:
    """Build the modal for `press.field`, with the present answer in it. Raises KeyError where the form has no such field."""
    page = Page(form, draft, today, press.card)
    field = form.fields[press.field]
    return _view(page, field, press, [_input_block(page, field, _written(page, field))])


def build_edit(form: Form, draft: Draft, press: ids.Press, today: str) -> View | None:
    """Build the modal that edits `press.field`, with what would be asked again; None where the answer cannot be given in a modal."""
    page = Page(form, draft, today, press.card)
    field = form.fields.get(press.field)
    editor = EDITORS.get(element_of(field)) if field and field.name in draft.values else None
    if field is None or editor is None:
        return None
    again = ", ".join(page.label(f) for f in would_ask_again(form, draft, field.name))
    declares = page.declared(field, declared_by(form, draft, (field.name,), page.context))
    named = [*small(declares), *([context(fill(page, "edit_again", {"fields": again}))] if again else [])]
    view = _view(page, field, press, [_input_block(page, field, editor(page, field)), *named])
    return view | {"notify_on_close": True}


def _view(page: Page, field: Field, press: ids.Press, blocks: list[Block]) -> View:
    return modal(
        titled(page, page.label(field)),
        page.say("modal_close"),
        blocks,
        submit=page.say("modal_submit"),
        callback_id=ids.ENTRY,
        data=ids.write_press(press),
    )


def titled(page: Page, title: str, other: str = "modal_title") -> str:
    """Return the title of a modal, or the phrase `other` where it is too long."""
    return title if len(title) <= TITLE else page.say(other)


def entry_error(form: Form, key: str, args: Mapping[str, object]) -> dict[str, str]:
    """Return Slack's `errors` for an entry that cannot be read: the sentence below the box."""
    texts = {name: str(value) for name, value in args.items()}
    return {ids.ENTRY_BLOCK: Phrasebook(form.language, form.says).say(key, **texts)}


def read_entry(view: Mapping[str, Any]) -> tuple[ids.Press, Data] | None:
    """Return the press of a submitted modal and the answer in it; None for a view that is not ours."""
    press = ids.read_press(view.get("private_metadata"))
    entry = view.get("state", {}).get("values", {}).get(ids.ENTRY_BLOCK, {}).get(ids.ENTRY_INPUT, {})
    entered = given(entry) if isinstance(entry, Mapping) else None
    return (press, entered) if press and entered is not None else None


def given(entry: Mapping[str, Any]) -> Data | None:
    """Return an input's value: text, a date, one option or several."""
    if "selected_options" in entry:
        return tuple(str(o.get("value")) for o in entry["selected_options"] or ())
    if isinstance(option := entry.get("selected_option"), Mapping):
        return ids.press_value(str(option.get("value")))
    written = entry.get("selected_date", entry.get("value"))
    return (written or "") if written is None or isinstance(written, str) else None


def _input_block(page: Page, field: Field, element: Element) -> Element:
    typed = element | {"action_id": ids.ENTRY_INPUT, "focus_on_load": True}
    return input_block(ids.ENTRY_BLOCK, page.question(field), typed, hint=field.help)


def _written(page: Page, field: Field) -> Element:
    longest = max(1, min(field.max_length, INPUT))
    placeholder = field.placeholder or page.say("placeholder_text" if kind_of(field).verbatim else "placeholder_short")
    element = {
        "type": "plain_text_input",
        "multiline": kind_of(field).verbatim and not field.short,
        "max_length": longest,
        "placeholder": plain_text(placeholder, PLACEHOLDER),
    }
    present = cut(clean(page.whole_answer(field) if kind_of(field).money else page.answer(field)), longest)
    return element | ({"initial_value": present} if present else {})


def _chosen(page: Page, field: Field) -> Element:
    """Return radio buttons, or a menu where there are many; a box to write in where a menu does not hold them."""
    options = answer_options(page, field)
    if len(options) > MOST_OPTIONS:
        return _written(page, field)
    value = page.draft.values.get(field.name)
    held = ids.written_value(value.data) if value else ""
    present = next(({"initial_option": o} for o in options if o["value"] == held), {})
    if len(options) <= MOST_BOXES:
        return {"type": "radio_buttons", "options": options} | present
    placeholder = plain_text(field.placeholder or page.say("pick"), PLACEHOLDER)
    return {"type": "static_select", "options": options, "placeholder": placeholder} | present


def _ticked(page: Page, field: Field) -> Element:
    boxes, value = tick_boxes(page, field), page.draft.values.get(field.name)
    data = value.data if value else ()
    held = [o for o in boxes["options"] if isinstance(data, tuple) and o["value"] in data]
    return boxes | ({"initial_options": held} if held else {})


def _dated(page: Page, field: Field) -> Element:
    value = page.draft.values.get(field.name)
    return date_picker(page) | ({"initial_date": str(value.data)} if value else {})


EDITORS: Mapping[str, Callable[[Page, Field], Element]] = {
    "input": _written,
    "yes_or_no": _chosen,
    "buttons": _chosen,
    "tick": _ticked,
    "date_picker": _dated,
}
"""The elements by which an answer is edited in a modal; one picked from results, sent as a file or acknowledged is asked anew instead."""


def build_report_box(form: Form, draft: Draft, press: ids.Press, today: str) -> View:
    """Build the modal for `views.open`. `press.hash` says what had been reported when its button was shown."""
    page, figures = Page(form, draft, today), filled_in(form, draft, today)
    mini = Page(report_form(form), report_draft(draft, figures), today)
    key = "correct" if draft.filed.reports else "report"
    until = [fill(page, "valid_until", {"day": page.day(draft.filed.valid_until)})] if draft.filed.valid_until else []
    about = "\n".join((f"*{escape(draft.filed.number)}*", escape(page.essence), *until))
    boxes = []
    for field in shown_fields(form, figures):
        element = EDITORS[element_of(field)](mini, field) | {"action_id": field.name}
        question, optional = mini.question(field), not field.required
        boxes.append(input_block(field.name, question, element, hint=field.help, optional=optional))
    return modal(
        titled(page, page.say(key)),
        page.say("modal_close"),
        [section(about), *boxes],
        submit=page.say("report_submit"),
        callback_id=ids.REPORT_BOX,
        data=ids.write_press(press),
    )


def read_report_box(view: Mapping[str, Any]) -> tuple[ids.Press, dict[str, Data]] | None:
    """Return the press of a submitted box and its entries by field; None for a view that is not ours."""
    press = ids.read_press(view.get("private_metadata"))
    values = (view.get("state") or {}).get("values") or {}
    entries = {name: given(block.get(name) or {}) for name, block in values.items()}
    return (
        (press, {name: entry for name, entry in entries.items() if entry is not None and entry != ""})
        if press
        else None
    )


def report_errors(form: Form, wrong: Mapping[str, Unreadable]) -> dict[str, str]:
    """Return Slack's `errors`: the sentence below each box that cannot be read."""
    words = Phrasebook(form.language, form.says)
    return {n: words.say(w.key, **{a: str(v) for a, v in w.args_.items()}) for n, w in wrong.items()}


def build_verdict(form: Form, draft: Draft, press: ids.Press, channel: str) -> View:
    """Build the modal of a verdict that wants words. `channel` is where its button was clicked; a refusal is posted there."""
    page, verdict = Page(form, draft, draft.began[:10], press.card), str(press.value or "")
    about = section(f"*{escape(draft.filed.number)}*\n{escape(page.essence)}")
    label, boxes = page.verdict(verdict), [about, *_inputs(page, verdict)]
    return _box(page, ids.VERDICT, press, channel, titled(page, label, "modal_verdict"), label, boxes)


def build_case_box(form: Form, draft: Draft, press: ids.Press, channel: str) -> View:
    """Build the modal that closes a breach or judges a note. `channel` is where its button was clicked; a refusal is posted there."""
    page, case = Page(form, draft, draft.began[:10], press.card), case_of(draft, press.field)
    what = sentence(page, sentence_of(case)) if isinstance(case, Breach) else escape(case.name if case else "")
    about = section(lines(f"*{escape(draft.filed.number)}*", escape(page.essence), what))
    verdict = page.verdict(str(press.value or ""))
    boxes = _words(page, told=press.value == REFUSE, reason=True)
    return _box(page, ids.CASE_BOX, press, channel, verdict, verdict, [about, *boxes])


def _box(
    page: Page, callback_id: str, press: ids.Press, channel: str, title: str, submit: str, blocks: list[Block]
) -> View:
    data = f"{ids.write_press(press)}{ABOUT}{channel}"
    return modal(title, page.say("modal_close"), blocks, submit=submit, callback_id=callback_id, data=data)


def _inputs(page: Page, verdict: str) -> Iterator[Block]:
    """Yield the boxes that a verdict wants; a question back names the fields that are to be answered again."""
    if verdict == ASK:
        known = answerable(page.form, page.draft)[:MOST_OPTIONS]
        menu = multi_select(page.say("pick"), [option(page.label(field), field.name) for field in known])
        hint = page.say("decision_fields_hint")
        yield text_input(page, "note", wanted=False, said="asked")
        menu |= {"action_id": FIELDS}
        yield input_block(FIELDS, page.say("decision_fields"), menu, hint=hint, optional=True)
        return
    if verdict == CONDITIONS:
        yield text_input(page, "conditions", wanted=True)
    given = APPROVE if verdict == CONDITIONS else verdict
    told, reason = message_wanted(page.form, page.draft, given), given in decision_wanted(page.form, page.draft).reason
    yield from _words(page, told=told, reason=reason)[: 1 if verdict == CONDITIONS else 2]


def _words(page: Page, *, told: bool, reason: bool) -> list[Block]:
    """Return the boxes for a message and a reason: where the person has to be told why, the message first and the reason as a private one."""
    if told:
        return [text_input(page, "note", wanted=True), text_input(page, "reason", wanted=False, said="private")]
    return [text_input(page, "reason", wanted=reason), text_input(page, "note", wanted=False)]


def text_input(page: Page, name: str, *, wanted: bool, said: str = "") -> Block:
    """Return a box for words of an officer."""
    label, hint = page.say(f"decision_{said or name}"), page.say(f"decision_{said or name}_hint")
    return input_block(name, label, text_box(name, LONGEST, multiline=True), hint=hint, optional=not wanted)


def read_verdict(view: Mapping[str, Any]) -> tuple[ids.Press, Mapping[str, Any]] | None:
    """Return the press of a submitted modal, and the fields of `DecisionMade`; None for a view that is not ours."""
    press, channel, words = _read(view, WORDS)
    if press is None:
        return None
    verdict = APPROVE if press.value == CONDITIONS else str(press.value or "")
    values = (view.get("state") or {}).get("values") or {}
    chosen = (values.get(FIELDS) or {}).get(FIELDS, {}).get("selected_options") or ()
    fields = tuple(str(option.get("value")) for option in chosen)
    return press, {"verdict": verdict, "where": channel, "fields": fields, **words}


def read_case_box(view: Mapping[str, Any]) -> tuple[ids.Press, dict[str, str]] | None:
    """Return the press of a submitted modal, and further fields of `CaseJudged`; None for a view that is not ours."""
    press, channel, words = _read(view, ("reason", "note"))
    return (press, {"where": channel, **words}) if press else None


def _read(view: Mapping[str, Any], names: Sequence[str]) -> tuple[ids.Press | None, str, dict[str, str]]:
    """Return the press of a submitted modal, the channel that it was opened in, and what was written, by box."""
    written, _, channel = str(view.get("private_metadata") or "").partition(ABOUT)
    values = (view.get("state") or {}).get("values") or {}
    words = {name: str((values.get(name) or {}).get(name, {}).get("value") or "") for name in names}
    return ids.read_press(written), channel, words
