"""A card that no longer counts: one small line, nothing to click."""

from blocks.elements import context, section
from blocks.message import Message, message
from blocks.page import Page
from blocks.text import cut
from blocks.utterances import fill, sentences
from state.draft.draft import Status
from state.draft.missing import reachable
from state.engine.cards import Moved

_ANSWER, _TOLD = 200, 2000


def build_moved(page: Page, card: Moved) -> Message:
    """What it told, why the card counts no more, and how its answer stands."""
    why = _changed(page, card.field) if card.why == "changed" else fill(page, _key(page, card))
    told = cut(sentences(page, card.lead_in), _TOLD)
    return message("\n".join(filter(None, (told, why))), [*([section(told)] if told else []), context(why)])


def _key(page: Page, card: Moved) -> str:
    if card.why == "below":
        return "moved_below" if card.field else "moved_below_card"
    cancelled = card.why == "closed" and page.draft.status is Status.CANCELLED
    return "moved_cancelled" if cancelled else f"moved_{card.why}"


def _changed(page: Page, name: str) -> str:
    field = page.form.fields.get(name)
    if field is None:
        return fill(page, "moved_changed")
    label = page.label(field)
    if name in page.draft.values:
        return fill(page, "moved_now", {"label": label, "now": page.answer(field)[:_ANSWER]})
    asked = field in reachable(page.form, page.draft)
    return fill(page, "moved_again" if asked else "moved_gone", {"label": label})
