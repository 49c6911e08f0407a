"""What is asked once before it is done: cancel, start over, record a disclosure, change a locked answer, carry out an operation."""

from collections.abc import Mapping

from blocks.elements import Message, Style, actions, button, message, section
from blocks.page import Page
from blocks.text import cut, line, split
from blocks.utterances import fill, sentences
from state.engine.cards import Act as ActCard
from state.engine.cards import Change, Confirm
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
    """Build the question, the click that does it, and the way back."""
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


_ANSWER, _KEPT = 200, 40


def build_change(page: Page, card: Change) -> Message:
    """Return what was answered, what it would become, and the two buttons."""
    field = page.form.fields[card.field]
    was, now = page.answer(field), page.answer(field, card.value)
    args = {"was": line(was, _ANSWER), "now": line(now, _ANSWER), "label": page.label(field)}
    text = "\n".join(filter(None, (sentences(page, card.lead_in), fill(page, "answered_locked", args))))
    change = button(page.say("change_to", now=line(now, _KEPT)), page.press("change", field.name))
    keep = button(page.say("keep_it", was=line(was, _KEPT)), page.press("keep", field.name))
    return message(text, [section(text), actions([change, keep])])


_LENGTH = 6000


def build_act(page: Page, card: ActCard) -> Message:
    """Return what is to be confirmed, then Confirm and Cancel; of several things that may be meant, a button for each."""
    asked = () if card.picks else (fill(page, "op_please_confirm"),)
    text = cut("\n".join((*asked, sentences(page, card.lines))), _LENGTH)
    confirm = [
        button(sentences(page, (pick,)), page.press("confirm", value=f"{card.proposal}/{n}"), which=n)
        for n, pick in enumerate(card.picks)
    ] or [button(page.say("op_confirm"), page.press("confirm", value=card.proposal), style="primary")]
    decline = button(page.say("cancel"), page.press("decline", value=card.proposal))
    return message(text, [*(section(part) for part in split(text)), actions([*confirm, decline])])
