"""The boxes in which a person writes: one answer, filled in with the present one, or the report of what they did."""

from collections.abc import Callable, Mapping
from typing import Any

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
    plain_text,
    section,
)
from blocks.ids import (
    ENTRY,
    ENTRY_BLOCK,
    ENTRY_INPUT,
    REPORT_BOX,
    Press,
    press_value,
    read_press,
    write_press,
    written_value,
)
from blocks.inputs import MOST_BOXES, choice_options
from blocks.page import Page
from blocks.phrases import Phrasebook
from blocks.text import clean, cut, escape
from blocks.utterances import fill
from state.draft.draft import Draft
from state.draft.missing import would_ask_again
from state.draft.reporting import filled_in, report_draft, report_form, shown_fields
from state.fields import element_of, kind_of
from state.fields.base import Unreadable
from state.form import Field, Form
from state.form.field import Data


def build_entry(form: Form, draft: Draft, press: Press, today: str) -> View:
    """Build the modal for `press.field`, with the present answer in it. Raises KeyError where the form has no such field."""
    page = Page(form, draft, today, press.card)
    field = form.fields[press.field]
    return _view(page, field, press, [_input_block(page, field, _written(page, field))])


def build_edit(form: Form, draft: Draft, press: Press, today: str) -> View | None:
    """Build the modal that edits `press.field`, with what would be asked again; None where the answer cannot be given in a modal."""
    page = Page(form, draft, today, press.card)
    field = form.fields.get(press.field)
    editor = EDITORS.get(element_of(field)) if field and field.name in draft.values else None
    if field is None or editor is None:
        return None
    again = ", ".join(page.label(f) for f in would_ask_again(form, draft, field.name))
    named: list[Block] = [context(fill(page, "edit_again", {"fields": again}))] if again else []
    view = _view(page, field, press, [_input_block(page, field, editor(page, field)), *named])
    return view | {"notify_on_close": True}


def _view(page: Page, field: Field, press: Press, blocks: list[Block]) -> View:
    return modal(
        titled(page, page.label(field)),
        page.say("modal_close"),
        blocks,
        submit=page.say("modal_submit"),
        callback_id=ENTRY,
        data=write_press(press),
    )


def titled(page: Page, title: str) -> str:
    """Return the title of a modal, or one that fits where it is too long."""
    return title if len(title) <= TITLE else page.say("modal_title")


def entry_error(form: Form, key: str, args: Mapping[str, object]) -> dict[str, str]:
    """Slack's `errors` for an entry that cannot be read: the sentence below the box."""
    texts = {name: str(value) for name, value in args.items()}
    return {ENTRY_BLOCK: Phrasebook(form.language, form.says).say(key, **texts)}


def read_entry(view: Mapping[str, Any]) -> tuple[Press, Data] | None:
    """Return what a submitted modal means, and what was written or chosen; None for a view that is not ours."""
    press = read_press(view.get("private_metadata"))
    entry = view.get("state", {}).get("values", {}).get(ENTRY_BLOCK, {}).get(ENTRY_INPUT, {})
    entered = given(entry) if isinstance(entry, Mapping) else None
    return (press, entered) if press and entered is not None else None


def given(entry: Mapping[str, Any]) -> Data | None:
    """Return what an input holds: text, a date, one option or several."""
    if "selected_options" in entry:
        return tuple(str(o.get("value")) for o in entry["selected_options"] or ())
    if isinstance(option := entry.get("selected_option"), Mapping):
        return press_value(str(option.get("value")))
    written = entry.get("selected_date", entry.get("value"))
    return (written or "") if written is None or isinstance(written, str) else None


def _input_block(page: Page, field: Field, element: Element) -> Element:
    typed = element | {"action_id": ENTRY_INPUT, "focus_on_load": True}
    return input_block(ENTRY_BLOCK, page.question(field), typed, hint=field.help)


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


def _yes_no(page: Page, field: Field) -> Element:
    return _radio(page, field, [_option(page.say(key), data) for data, key in ((True, "yes"), (False, "no"))])


def _chosen(page: Page, field: Field) -> Element:
    options = [_option(choice.label, choice.value) for choice in field.choices]
    return _radio(page, field, options) if len(options) <= MOST_BOXES else _menu(page, field, options)


def _option(label: str, data: Data) -> Element:
    return {"text": plain_text(label, 75), "value": written_value(data)}


def _radio(page: Page, field: Field, options: list[Element]) -> Element:
    return {"type": "radio_buttons", "options": options} | _present(page, field, options)


def _menu(page: Page, field: Field, options: list[Element]) -> Element:
    if len(options) > MOST_OPTIONS:
        return _written(page, field)
    placeholder = plain_text(field.placeholder or page.say("pick"), PLACEHOLDER)
    return {"type": "static_select", "options": options, "placeholder": placeholder} | _present(page, field, options)


def _present(page: Page, field: Field, options: list[Element]) -> Element:
    value = page.draft.values.get(field.name)
    held = written_value(value.data) if value else ""
    return next(({"initial_option": o} for o in options if o["value"] == held), {})


def _ticked(page: Page, field: Field) -> Element:
    options = choice_options(field)[:MOST_OPTIONS]
    value = page.draft.values.get(field.name)
    data = value.data if value else ()
    held = [o for o in options if isinstance(data, tuple) and o["value"] in data]
    present = {"initial_options": held} if held else {}
    if len(options) <= MOST_BOXES:
        return {"type": "checkboxes", "options": options} | present
    placeholder = plain_text(field.placeholder or page.say("pick"), PLACEHOLDER)
    return {"type": "multi_static_select", "options": options, "placeholder": placeholder} | present


def _dated(page: Page, field: Field) -> Element:
    placeholder = plain_text(page.say("pick_date"), PLACEHOLDER)
    value = page.draft.values.get(field.name)
    present = {"initial_date": str(value.data)} if value else {}
    return {"type": "datepicker", "placeholder": placeholder} | present


EDITORS: Mapping[str, Callable[[Page, Field], Element]] = {
    "input": _written,
    "yes_or_no": _yes_no,
    "buttons": _chosen,
    "tick": _ticked,
    "date_picker": _dated,
}
"""How an answer is edited in a modal; what is picked from results, sent as a file or acknowledged is asked anew instead."""


def build_report_box(form: Form, draft: Draft, press: Press, today: str) -> View:
    """Build the modal for `views.open`. `press.hash` says what had been reported when its button was shown."""
    page, figures = Page(form, draft, today), filled_in(form, draft, today)
    mini = Page(report_form(form), report_draft(draft, figures), today)
    key = "correct" if draft.filed.reports else "report"
    until = [fill(page, "valid_until", {"day": page.day(draft.filed.valid_until)})] if draft.filed.valid_until else []
    about = "\n".join((f"*{escape(draft.filed.number)}*", escape(page.essence), *until))
    return modal(
        titled(page, page.say(key)),
        page.say("modal_close"),
        [section(about), *(_report_input(mini, field) for field in shown_fields(form, figures))],
        submit=page.say("report_submit"),
        callback_id=REPORT_BOX,
        data=write_press(press),
    )


def _report_input(page: Page, field: Field) -> Block:
    element = EDITORS[element_of(field)](page, field) | {"action_id": field.name}
    return input_block(field.name, page.question(field), element, hint=field.help, optional=not field.required)


def read_report_box(view: Mapping[str, Any]) -> tuple[Press, dict[str, Data]] | None:
    """Return what a submitted box means, and what stands in it by field; None for a view that is not ours."""
    press = read_press(view.get("private_metadata"))
    values = (view.get("state") or {}).get("values") or {}
    entries = {name: given(block.get(name) or {}) for name, block in values.items()}
    told = {name: entry for name, entry in entries.items() if entry not in (None, "")}
    return (press, {n: e for n, e in told.items() if e is not None}) if press else None


def report_errors(form: Form, wrong: Mapping[str, Unreadable]) -> dict[str, str]:
    """Slack's `errors`: the sentence below each box that cannot be read."""
    words = Phrasebook(form.language, form.says)
    return {n: words.say(w.key, **{a: str(v) for a, v in w.args_.items()}) for n, w in wrong.items()}
