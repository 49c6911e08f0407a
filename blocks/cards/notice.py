"""Plain sentences, with the acts that make sense beside them."""

from collections.abc import Mapping

from blocks.elements import actions, button, section
from blocks.ids import Press
from blocks.message import Message, message
from blocks.page import Page
from blocks.text import NOTHING, cut, split
from blocks.utterances import sentences
from state.engine.cards import Notice
from state.engine.events import Act

LABELS: Mapping[Act, str] = {
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
}
_LENGTH = 6000


def build_notice(page: Page, card: Notice) -> Message:
    """The sentences in as many sections as they need, and a row of buttons."""
    text = cut(sentences(page, card.lines), _LENGTH) or NOTHING
    acts = [button(page.say(LABELS[act]), _press(page, act, card.about)) for act in dict.fromkeys(card.acts)]
    return message(text, [*(section(part) for part in split(text)), *([actions(acts)] if acts else [])])


def _press(page: Page, act: Act, about: str) -> Press:
    """A new draft is begun by the form's name, an operation taken back by its proposal; everything else is about this one."""
    values: Mapping[Act, str] = {"begin": page.form.name, "take_back": about}
    return page.press(act, value=values.get(act))
