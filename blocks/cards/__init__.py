"""Cards as Slack messages: one small file per card, one table."""

from collections.abc import Callable, Mapping
from typing import Any

from blocks.cards.decision import build_case, build_decision
from blocks.cards.moved import build_moved
from blocks.cards.question import build_crossroads, build_question
from blocks.cards.receipt import build_act, build_change, build_confirm, build_notice, build_receipt, build_report
from blocks.cards.review import build_read, build_review
from blocks.elements import Message
from blocks.messages import aloud
from blocks.page import Page
from state.draft.draft import Draft
from state.engine.cards import Card
from state.form import Form

__all__ = ["build_card"]


def build_card(form: Form, draft: Draft, card: Card, card_id: str, today: str) -> Message:
    """Return a card as the draft stands now. `card_id` goes into every button; `today` (ISO date) says how dates read."""
    return aloud(BUILDERS[card.kind](Page(form, draft, today, card_id), card))


BUILDERS: Mapping[str, Callable[[Page, Any], Message]] = {
    "question": build_question,
    "moved": build_moved,
    "review": build_review,
    "crossroads": build_crossroads,
    "receipt": build_receipt,
    "change": build_change,
    "confirm": build_confirm,
    "read": build_read,
    "notice": build_notice,
    "act": build_act,
    "decision": build_decision,
    "report": build_report,
    "case": build_case,
}
