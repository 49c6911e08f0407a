"""A stage with nothing to ask: what it says, and the ways on."""

from blocks.cards.offers import other_forms
from blocks.elements import actions, button, context, section
from blocks.message import Message, message
from blocks.options import ways
from blocks.page import Page
from blocks.text import NOTHING, cut, escape
from blocks.utterances import sentences
from state.engine.cards import Crossroads

_LEAD, _ASK = 2500, 2500


def build_crossroads(page: Page, card: Crossroads) -> Message:
    """What was understood, the stage's words, and one button for each way."""
    lead, ask = cut(sentences(page, card.lead_in), _LEAD), escape(page.form.stages[card.stage].ask, _ASK)
    on = [button(label, page.press("go", value=trigger), trigger) for trigger, label in ways(page)]
    said = [section(text) for text in (lead, ask) if text] or [section(NOTHING)]
    return message(
        "\n".join(filter(None, (lead, ask))),
        [context(escape(page.progress)), *said, *([actions(on)] if on else []), *other_forms(page)],
    )
