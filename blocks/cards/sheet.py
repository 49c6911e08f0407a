"""The sheet: what a draft holds so far, in two columns, with the one menu that edits all of it."""

from collections.abc import Collection, Iterator

from blocks.elements import Element, button, context, fields, press_id, select
from blocks.message import Block
from blocks.options import edit_options
from blocks.page import Page
from blocks.text import NOTHING, escape, line
from blocks.utterances import fill
from state.engine.cards import Phrase, Utterance
from state.form import Field

MOST, COLUMNS = 12, 10
"""Answers that the sheet shows, the last ones of the form, and texts that Slack takes in one section."""
_LABEL, _ANSWER = 40, 90


def build_sheet(page: Page, without: Collection[str] = ()) -> list[Block]:
    """Where the draft stands, its answers, and the menu beside them. Nothing but the progress where nothing is answered.

    `without` are fields that the card shows elsewhere.
    """
    answers = [field for field in page.answered if field.name not in without]
    shown = [_answer(page, field) for field in answers[-MOST:]]
    left = len(answers) - len(shown)
    more = [context(fill(page, "review_more", {"count": left}))] if left else []
    return [context(escape(page.progress)), *_columns(page, shown), *more]


def undo(page: Page, told: tuple[Utterance, ...]) -> Element | None:
    """A change that was just told can be taken back beside it."""
    corrected = any(isinstance(t, Phrase) and t.key == "was_now" for t in told)
    return button(page.say("undo"), page.press("undo")) if corrected and page.draft.undo else None


def _answer(page: Page, field: Field) -> str:
    check = "" if page.draft.values[field.name].sure else " :warning:"
    return f"*{escape(line(page.label(field), _LABEL))}*  {escape(line(page.whole_answer(field), _ANSWER)) or NOTHING}{check}"


def _columns(page: Page, shown: list[str]) -> Iterator[Block]:
    edits = edit_options(page) if page.draft.open else []
    for start in range(0, len(shown), COLUMNS):
        block = fields(shown[start : start + COLUMNS])
        if edits and not start:
            press = page.press("edit")
            block |= {"block_id": press_id(press), "accessory": select(page.say("edit"), press, edits)}
        yield block
