"""The review: every answer with where it came from, what is confirmed by submitting, and the three things to do."""

from blocks.cards.rows import rows
from blocks.elements import actions, button, header, option, press_id, section, select
from blocks.message import MOST_BLOCKS, MOST_CHARACTERS, Block, Message, message, weight
from blocks.page import Page
from blocks.text import cut, escape, one_line
from blocks.told import fill, sentences
from state.cards import Review
from state.form import Field
from state.missing import reachable

WIDTHS = (600, 300, 160, 100, 60, 30)
"""Characters of one answer that are shown: as many as the whole card has room for. The draft keeps all of it."""
_LEAD, _STATEMENT = 1500, 1500


def build_review(page: Page, card: Review) -> Message:
    """The widest of the cards that Slack takes."""
    lead = cut(sentences(page, card.lead_in), _LEAD)
    blocks = next(filter(_fits, (_blocks(page, lead, width) for width in WIDTHS)), _blocks(page, lead, WIDTHS[-1]))
    answers = "\n".join(_line(page, field) for field in answered(page))
    return message("\n".join(filter(None, (lead, escape(page.say("review_title")), answers))), blocks)


def answered(page: Page) -> tuple[Field, ...]:
    """Fields that count and have an answer, in the form's order."""
    return tuple(f for f in reachable(page.form, page.draft) if f.name in page.draft.values)


def _fits(blocks: list[Block]) -> bool:
    return len(blocks) <= MOST_BLOCKS and weight(blocks) <= MOST_CHARACTERS


def _blocks(page: Page, lead: str, width: int) -> list[Block]:
    return [
        header(page.say("review_title")),
        *([section(lead)] if lead else []),
        *rows(page, answered(page), width),
        section(escape(page.form.statement, _STATEMENT) or fill(page, "statement")),
        _acts(page),
    ]


def _acts(page: Page) -> Block:
    submit = button(page.say("submit"), page.press("submit", hash=page.draft.hash), style="primary")
    cancel = button(page.say("cancel"), page.press("cancel"))
    edits = [option(page.label(field), field.name) for field in answered(page)]
    edit = [select(page.say("edit_one"), page.press("edit"), edits)] if edits else []
    return actions([submit, *edit, cancel], press_id(page.press("edit")))


def _line(page: Page, field: Field) -> str:
    return f"{escape(page.label(field), 75)}: {escape(cut(one_line(page.answer(field)), 100))}"
