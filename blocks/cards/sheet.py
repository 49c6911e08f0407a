"""The sheet: what a draft holds so far, in two columns, and the one menu that edits all of it."""

from collections.abc import Collection, Sequence

from blocks.elements import Block, Element, actions, button, context, fields, press_id, select
from blocks.ids import Press
from blocks.inputs import edit_options
from blocks.page import Page
from blocks.text import NOTHING, escape, line
from blocks.utterances import fill
from state.draft.utterance import Phrase, Utterance
from state.form import Field

MOST, COLUMNS = 12, 10
"""Answers that the sheet shows, the last ones of the form, and texts that Slack takes in one section."""
_LABEL, _ANSWER = 40, 90


def build_sheet(page: Page, without: Collection[str] = ()) -> list[Block]:
    """Where the draft stands, and its answers, but for the fields in `without`, which the card shows elsewhere."""
    answers = [field for field in page.answered if field.name not in without]
    shown = [answer_line(page, field) for field in answers[-MOST:]]
    left = len(answers) - len(shown)
    more = [context(fill(page, "review_more", {"count": left}))] if left else []
    columns = (fields(shown[start : start + COLUMNS]) for start in range(0, len(shown), COLUMNS))
    return [context(escape(page.progress)), *columns, *more]


def acts(page: Page, elements: Sequence[Element], press: Press | None = None) -> list[Block]:
    """Return what may be clicked, with the menu that edits at its end; a row whose own menu has its `press` leaves it a row below."""
    edits = edit_options(page) if page.draft.open else []
    edit = edit_press(page)
    menu = [select(page.say("edit_one"), edit, edits)] if edits else []
    if press is None:
        row = [*elements, *menu]
        return [actions(row, press_id(edit) if menu else "")] if row else []
    return [actions(elements, press_id(press)), *([actions(menu, press_id(edit))] if menu else [])]


def edit_press(page: Page) -> Press:
    """Return what the Edit menu means; its id is another one once a box that it opened was closed."""
    return page.press("edit", hash=str(page.draft.boxes_closed or ""))


def undo(page: Page, told: tuple[Utterance, ...]) -> Element | None:
    """Return the button that takes back a change that was just told."""
    corrected = any(isinstance(t, Phrase) and t.key == "was_now" for t in told)
    return button(page.say("undo"), page.press("undo")) if corrected and page.draft.undo else None


def answer_line(page: Page, field: Field) -> str:
    """ "✓ Quantity: 200 shares"; an answer that no parser confirmed is marked to be checked."""
    mark = "✓" if page.draft.values[field.name].sure else ":warning:"
    label, answer = line(page.label(field), _LABEL), line(page.whole_answer(field), _ANSWER)
    return f"{mark} {escape(label)}: {escape(answer) or NOTHING}"
