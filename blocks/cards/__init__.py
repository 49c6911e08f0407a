"""Cards as Slack messages: one small file per card, one table; and cards that no longer count, in small print without buttons."""

from collections.abc import Callable, Mapping
from typing import Any

from blocks.cards.decision import build_case, build_decision
from blocks.cards.question import build_crossroads, build_question
from blocks.cards.receipt import build_act, build_change, build_confirm, build_notice, build_receipt, build_report
from blocks.cards.review import above_review, build_read, build_review
from blocks.elements import Message, context, message
from blocks.messages import aloud
from blocks.page import Page, fill, sentences
from blocks.text import cut, escape, line, lines
from state.draft.draft import Draft
from state.draft.missing import reachable
from state.engine.cards import Card, Change, Confirm, Crossroads, Moved, Question, Read, Review
from state.form import Form


def build_card(form: Form, draft: Draft, card: Card, card_id: str, today: str) -> Message:
    """Return a card as the draft stands now. `card_id` goes into every button; `today` (ISO date) says how dates read."""
    return aloud(BUILDERS[card.kind](Page(form, draft, today, card_id), card))


GONE = Message("", ())
"""A message without text: it is deleted."""
_SAID, _ANSWER = 700, 200


def build_moved(page: Page, card: Moved) -> Message:
    """Build what the card said, as one muted paragraph, and what has become of its answer where the cards below do not show it."""
    said = cut(" ".join(_said(page, card).split()), _SAID)
    if card.why == "answered" and (answer := _answer(page, card.field)):
        said = f"{said} *{escape(line(answer, _ANSWER))}*"
    text = lines(said, _outcome(page, card))
    return message(text, [context(text)]) if text else GONE


def _answer(page: Page, name: str) -> str:
    """Return a question's answer; nothing where the person's own message, which stands below, is that answer word for word."""
    answer, value = page.whole_answer(page.form.fields[name]), page.draft.values.get(name)
    typed = value is not None and value.provenance.how in ("typed", "read") and value.provenance.words.strip() == answer
    return "" if typed else answer


def _said(page: Page, card: Moved) -> str:
    match card.was:
        case Question():
            return build_question(page, card.was).text
        case Crossroads():
            return build_crossroads(page, card.was).text
        case Review():
            return sentences(page, above_review(card.was))
        case Read():
            return build_read(page, card.was).text
        case Change():
            return "" if card.why == "changed" else build_change(page, card.was).text
        case Confirm():
            return build_confirm(page, card.was).text
        case None:
            return ""


def _outcome(page: Page, card: Moved) -> str:
    """Return how a field stands now whose card was given up."""
    if card.why not in ("changed", "kept"):
        return ""
    field = page.form.fields.get(card.field)
    if field is None:
        return fill(page, f"moved_{card.why}")
    label = page.label(field)
    if card.field in page.draft.values and isinstance(card.was, Change):
        was = page.answer(field, card.was.value)[:_ANSWER]
        return fill(page, "was_now", {"label": label, "was": was, "now": page.answer(field)[:_ANSWER]})
    if card.field in page.draft.values:
        key = "moved_now" if card.why == "changed" else "moved_stays"
        return fill(page, key, {"label": label, "now": page.answer(field)[:_ANSWER]})
    asked = field in reachable(page.form, page.draft)
    return fill(page, "moved_again" if asked else "moved_gone", {"label": label})


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
