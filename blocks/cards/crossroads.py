"""A stage with nothing to ask: what it says, and the ways on."""

from blocks.cards.offers import other_forms
from blocks.cards.sheet import acts, build_sheet, undo
from blocks.elements import button, section
from blocks.message import Message, message
from blocks.options import ways
from blocks.page import Page
from blocks.text import NOTHING, cut, escape, question_of
from blocks.utterances import sentences
from state.draft.utterance import Phrase
from state.engine.cards import Crossroads

_LEAD, _ASK = 2500, 2500


def _said(page: Page, card: Crossroads) -> str:
    """The stage's words; where these stand above, the question that they close with."""
    whole = page.form.stages[card.stage].ask
    return whole if not card.brief else question_of(whole) or page.say("which_way")


def build_crossroads(page: Page, card: Crossroads) -> Message:
    """What was understood, the stage's words, and one button for each way."""
    offered = (Phrase("person_offer"),) if card.offer_person else ()
    lead, ask = cut(sentences(page, (*card.lead_in, *offered)), _LEAD), escape(_said(page, card), _ASK)
    on = [button(label, page.press("go", value=trigger), trigger) for trigger, label in ways(page)]
    on += [button(page.say("person"), page.press("person"))] if card.offer_person else []
    told = [section(lead, undo(page, card.lead_in))] if lead else []
    said = [*told, *([section(ask)] if ask else [])] or [section(NOTHING)]
    blocks = [*build_sheet(page), *said, *other_forms(page), *acts(page, on)]
    return message("\n".join(filter(None, (lead, ask))), blocks)
