"""An operation that waits for a click: what it would do, and its buttons, which carry the proposal's id and which one is picked."""

from blocks.elements import actions, button, section
from blocks.message import Message, message
from blocks.page import Page
from blocks.text import cut, split
from blocks.utterances import fill, sentences
from state.engine.cards import Act

_LENGTH = 6000


def build_act(page: Page, card: Act) -> Message:
    """What is to be confirmed, then Confirm and Cancel; of several things that may be meant, a button for each."""
    asked = () if card.picks else (fill(page, "op_please_confirm"),)
    text = cut("\n".join((*asked, sentences(page, card.lines))), _LENGTH)
    confirm = [
        button(sentences(page, (pick,)), page.press("confirm", value=f"{card.proposal}/{n}"), which=n)
        for n, pick in enumerate(card.picks)
    ] or [button(page.say("op_confirm"), page.press("confirm", value=card.proposal), style="primary")]
    decline = button(page.say("cancel"), page.press("decline", value=card.proposal))
    return message(text, [*(section(part) for part in split(text)), actions([*confirm, decline])])
