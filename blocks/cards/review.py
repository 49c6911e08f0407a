"""The review: every answer in one table, what is confirmed by submitting, and the three things to do."""

from blocks.cards.offers import offers
from blocks.cards.rows import own_layouts
from blocks.cards.sheet import edit_press, undo
from blocks.elements import (
    Block,
    Message,
    actions,
    button,
    context,
    first_that_fits,
    header,
    message,
    press_id,
    section,
    select,
)
from blocks.inputs import edit_options, ways
from blocks.page import Page
from blocks.text import cut, escape, plain
from blocks.utterances import fill, sentences
from state.draft.utterance import Phrase
from state.engine.cards import Review
from state.form import Field

_LEAD, _STATEMENT, _LABEL, _ANSWER = 1000, 1000, 75, 100


def build_review(page: Page, card: Review) -> Message:
    """Build the roomiest of the cards that Slack takes; what was just understood stands among the answers."""
    told = (t for t in card.lead_in if not (isinstance(t, Phrase) and t.key == "got_it"))
    lead = cut(sentences(page, told), _LEAD)
    above = [header(page.say("review_title")), *([section(lead, undo(page, card.lead_in))] if lead else [])]
    below = [context(escape(page.form.statement, _STATEMENT) or fill(page, "statement")), _acts(page), *offers(page)]
    blocks = first_that_fits([*above, *table, *below] for table in own_layouts(page))
    answers = "\n".join(_told(page, field) for field in page.answered)
    return message("\n".join(filter(None, (lead, escape(page.say("review_title")), answers))), blocks)


def _acts(page: Page) -> Block:
    press = edit_press(page)
    submit = button(page.say("submit"), page.press("submit", hash=page.draft.hash), style="primary")
    edits = edit_options(page)
    edit = [select(page.say("edit_one"), press, edits)] if edits else []
    back = [button(page.say("go_on"), page.press("back"))] if page.draft.going else []
    on = [button(label, page.press("go", value=trigger), trigger) for trigger, label in ways(page, filing=False)]
    cancel = button(page.say("cancel"), page.press("cancel"))
    return actions([submit, *edit, *back, *on, cancel], press_id(press))


def _told(page: Page, field: Field) -> str:
    return f"{escape(page.label(field), _LABEL)}: {escape(plain(page.whole_answer(field), _ANSWER))}"
