"""What is asked once before it is done: cancel, start over, record a disclosure."""

from collections.abc import Mapping

from blocks.elements import Style, actions, button, section
from blocks.message import Message, message
from blocks.page import Page
from blocks.utterances import fill, sentences
from state.engine.cards import Confirm
from state.engine.events import Act

CONFIRMED: Mapping[str, Act] = {
    "cancel": "cancel_confirmed",
    "restart": "restart_confirmed",
    "disclose": "disclose_confirmed",
    "withdraw": "withdraw_confirmed",
    "unused": "unused_confirmed",
}


STYLES: Mapping[str, Style] = {
    "cancel": "danger",
    "restart": "danger",
    "disclose": "",
    "withdraw": "danger",
    "unused": "",
}
"""What is lost is red; nobody is warned off telling the worse."""


def build_confirm(page: Page, card: Confirm) -> Message:
    """The question, the click that does it, and the way back."""
    what = "withdraw" if card.act == "cancel" and page.draft.asked_back else card.act
    asked = _disclosure(page, card) if card.act == "disclose" else fill(page, f"{what}_ask")
    text = "\n".join(filter(None, (sentences(page, card.lead_in), asked)))
    do = button(page.say(f"{what}_yes"), page.press(CONFIRMED[card.act], card.field), style=STYLES[card.act])
    if card.act in ("withdraw", "unused"):  # whoever does nothing leaves it as it is
        return message(text, [section(text), actions([do])])
    stay = button(page.say("disclose_no" if card.act == "disclose" else "go_on"), page.press("stay"))
    return message(text, [section(text), actions([do, stay])])


def _disclosure(page: Page, card: Confirm) -> str:
    field = page.form.fields[card.field]
    worse = "" if field.worse is None else page.data(field, field.worse)
    heard = page.draft.proposal.words if page.draft.proposal else ""
    ask = fill(page, "disclose_ask", {"now": worse, "label": page.label(field)})
    return "\n".join((fill(page, "disclose_heard", {"words": heard[:300]}), ask)) if heard else ask
