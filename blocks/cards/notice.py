"""Plain sentences, with the acts that make sense beside them."""

from collections.abc import Mapping
from typing import cast

from blocks.cards.offers import other_forms
from blocks.elements import Element, actions, button, section
from blocks.ids import Press, report
from blocks.message import Message, message
from blocks.page import Page
from blocks.text import NOTHING, cut, split
from blocks.utterances import sentences
from state.engine.cards import Notice
from state.engine.events import Act
from state.engine.on_report import report_mark

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
    """The sentences in as many sections as they need, and a row of buttons."""
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
    return button(page.say(act), page.press("report", hash=report_mark(page.draft)), opens=report(act))


def _press(page: Page, act: Act, about: str) -> Press:
    """A new draft is begun by the form's name, an operation taken back by its proposal; everything else is about this one."""
    values: Mapping[Act, str] = {"begin": page.form.name, "take_back": about}
    return page.press(act, value=values.get(act))
