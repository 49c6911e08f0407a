"""A card that no longer counts: what it told, and nothing to click; one that told nothing is gone, since its answer stands on the sheet."""

from collections.abc import Callable, Mapping

from blocks.elements import context, section
from blocks.message import Message, message
from blocks.page import Page
from blocks.text import cut
from blocks.utterances import fill, sentences
from state.draft.missing import reachable
from state.engine.cards import Moved

_ANSWER, _TOLD = 200, 2000
GONE = Message("", ())
"""A message without a word: it is taken away."""


def build_moved(page: Page, card: Moved) -> Message:
    """What it told, and why the card counts no more, where that is not to be seen below."""
    why = WHY[card.why](page, card)
    told = cut(sentences(page, card.lead_in), _TOLD)
    if not told and not why:
        return GONE
    return message(
        "\n".join(filter(None, (told, why))), [*([section(told)] if told else []), *([context(why)] if why else [])]
    )


def _changed(page: Page, card: Moved) -> str:
    field = page.form.fields.get(card.field)
    if field is None:
        return fill(page, "moved_changed")
    label = page.label(field)
    if card.field in page.draft.values:
        return fill(page, "moved_now", {"label": label, "now": page.answer(field)[:_ANSWER]})
    asked = field in reachable(page.form, page.draft)
    return fill(page, "moved_again" if asked else "moved_gone", {"label": label})


WHY: Mapping[str, Callable[[Page, Moved], str]] = {
    "answered": lambda page, card: "",
    "below": lambda page, card: "",
    "changed": _changed,
    "closed": lambda page, card: "",
    "kept": lambda page, card: fill(page, "moved_kept"),
}
