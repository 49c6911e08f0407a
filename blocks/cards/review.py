"""The review: every answer with where it came from, what is confirmed by submitting, and the three things to do."""

from blocks.cards.offers import offers
from blocks.cards.rows import layouts
from blocks.elements import actions, button, header, press_id, section, select
from blocks.message import Block, Message, first_that_fits, message
from blocks.options import answered, edit_options, ways
from blocks.page import Page
from blocks.text import cut, escape, plain
from blocks.utterances import fill, sentences
from state.engine.cards import Review
from state.form import Field

_LEAD, _STATEMENT, _LABEL, _ANSWER = 1000, 1000, 75, 100


def build_review(page: Page, card: Review) -> Message:
    """The roomiest of the cards that Slack takes."""
    lead = cut(sentences(page, card.lead_in), _LEAD)
    above = [header(page.say("review_title")), *([section(lead)] if lead else [])]
    below = [section(escape(page.form.statement, _STATEMENT) or fill(page, "statement")), _acts(page), *offers(page)]
    blocks = first_that_fits([*above, *table, *below] for table in layouts(page, answered(page)))
    answers = "\n".join(_told(page, field) for field in answered(page))
    return message("\n".join(filter(None, (lead, escape(page.say("review_title")), answers))), blocks)


def _acts(page: Page) -> Block:
    press = page.press("edit")
    submit = button(page.say("submit"), page.press("submit", hash=page.draft.hash), style="primary")
    edits = edit_options(page)
    edit = [select(page.say("edit_one"), press, edits)] if edits else []
    back = [button(page.say("go_on"), page.press("back"))] if page.draft.going else []
    on = [button(label, page.press("go", value=trigger), trigger) for trigger, label in ways(page, filing=False)]
    cancel = button(page.say("cancel"), page.press("cancel"))
    return actions([submit, *edit, *back, *on, cancel], press_id(press))


def _told(page: Page, field: Field) -> str:
    return f"{escape(page.label(field), _LABEL)}: {escape(plain(page.answer(field), _ANSWER))}"
