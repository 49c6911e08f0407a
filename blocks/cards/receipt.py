"""The review card after submission: the number, the time, and what happens now."""

from blocks.elements import context, section
from blocks.message import Message, message
from blocks.page import Page
from blocks.text import escape, literal
from blocks.times import moment, moment_of, moment_text
from blocks.utterances import fill
from state.engine.cards import Receipt

BLOCKED = "blocked"
_REASON, _REASONS = 400, 5


def build_receipt(page: Page, card: Receipt) -> Message:
    """Nothing here can be clicked again."""
    at = moment_of(card.at)
    below = _below(page, card)
    text = _title(page, card, moment_text(at, page.form.language))
    title = _title(page, card, moment(at, page.form.language))
    small = escape(f"{page.form.title} · {page.state(card.state)}")
    return message(f"{text}\n{below}", [section(f"*{title}*"), section(below), context(small)])


def _title(page: Page, card: Receipt, at: str) -> str:
    key = "blocked_receipt" if card.state == BLOCKED else "receipt"
    return page.words.fill(key, {"number": escape(card.number), "at": at}, literal)


def _below(page: Page, card: Receipt) -> str:
    """What the person is told of the reasons; what happens now."""
    shown = card.reasons[:_REASONS]
    key = f"next_{card.state}"
    said = fill(page, key) if key in page.words else escape(card.ending) or fill(page, "next_received")
    ending = escape(card.ending) if escape(card.ending) != said else ""
    return "\n".join(filter(None, (*(f"• {escape(reason, _REASON)}" for reason in shown), said, ending)))
