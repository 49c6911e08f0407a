"""A stage with nothing to ask: what it says, and the ways on."""

from blocks.cards.offers import other_forms
from blocks.cards.sheet import acts, build_sheet, undo
from blocks.elements import button, section
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
    told = [section(lead, undo(page, card.lead_in))] if lead else []
    said = [*told, *([section(ask)] if ask else [])] or [section(NOTHING)]
    blocks = [*build_sheet(page), *said, *other_forms(page), *acts(page, on)]
    return message("\n".join(filter(None, (lead, ask))), blocks)
