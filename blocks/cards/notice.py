"""Plain sentences, with the acts that make sense beside them; and a card that no longer counts."""

from collections.abc import Callable, Mapping
from typing import cast

from blocks.cards.offers import other_forms
from blocks.elements import Element, Message, actions, button, context, message, section
from blocks.ids import Press, id_of
from blocks.page import Page
from blocks.text import NOTHING, cut, split
from blocks.utterances import fill, sentences
from state.draft.missing import reachable
from state.draft.route import report_mark
from state.engine.cards import Moved, Notice
from state.engine.events import Act

LABELS: Mapping[str, str] = {
    "undo": "undo",
    "begin": "begin_new",
    "show": "show",
    "person": "person",
    "missing": "whats_missing",
    "help": "help_me",
    "cancel": "cancel",
    "restart": "restart",
    "hand_back": "hand_back",
    "take_back": "undo",
    "report": "report",
    "correct": "correct",
    "unused": "unused",
}
_LENGTH = 6000


def build_notice(page: Page, card: Notice) -> Message:
    """Build the sentences in as many sections as they need, and a row of buttons."""
    text = cut(sentences(page, card.lines), _LENGTH) or NOTHING
    acts = [_button(page, act, card.about) for act in dict.fromkeys(card.acts)]
    return message(
        text, [*(section(part) for part in split(text)), *([actions(acts)] if acts else []), *other_forms(page)]
    )


def _button(page: Page, act: str, about: str) -> Element:
    if act in ("report", "correct", "unused"):
        return done_button(page, act)
    return button(page.say(LABELS[act]), _press(page, cast(Act, act), about))


def done_button(page: Page, act: str) -> Element:
    """What the person says of a thing that was approved: a report opens a box, which knows what was reported so far."""
    if act == "unused":
        return button(page.say(act), page.press("unused"))
    return button(page.say(act), page.press("report", hash=report_mark(page.draft)), opens=id_of("hf-report", act))


def _press(page: Page, act: Act, about: str) -> Press:
    """A new draft is begun by the form's name, an operation taken back by its proposal; everything else is about this one."""
    values: Mapping[Act, str] = {"begin": page.form.name, "take_back": about}
    return page.press(act, value=values.get(act))


_ANSWER, _TOLD = 200, 2000
GONE = Message("", ())
"""A message without a word: it is taken away."""


def build_moved(page: Page, card: Moved) -> Message:
    """Return what it told, and why the card counts no more, where that is not to be seen below."""
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
