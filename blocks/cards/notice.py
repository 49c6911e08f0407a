"""Sentences with the acts that go with them: notices, confirmations, changes of a locked answer."""

from collections.abc import Mapping
from typing import cast

from blocks.cards.answers import beside
from blocks.cards.question import feedback_on, other_forms
from blocks.elements import Element, Message, Style, actions, button, context, message, section
from blocks.ids import id_of
from blocks.page import Page, fill, sentences
from blocks.text import NOTHING, cut, escape, line, lines, split
from state.draft.route import report_mark
from state.engine.cards import Act as ActCard
from state.engine.cards import Change, Confirm, Notice
from state.engine.events import Act

LABELS: Mapping[str, str] = {"begin": "begin_new", "missing": "whats_missing", "help": "help_me", "take_back": "undo"}
"""Keys of buttons' labels where they are not the act's own name."""
CONFIRMED: Mapping[str, tuple[Act, Style]] = {
    "cancel": ("cancel_confirmed", "danger"),
    "restart": ("restart_confirmed", "danger"),
    "disclose": ("disclose_confirmed", ""),
    "withdraw": ("withdraw_confirmed", "danger"),
    "unused": ("unused_confirmed", ""),
}
"""The act that a confirmation carries out, and its button's colour: red where something is lost, never for a disclosure."""
_LENGTH, _ANSWER, _KEPT = 6000, 200, 40


def build_notice(page: Page, card: Notice) -> Message:
    """Build the sentences in as many sections as they need, and a row of buttons."""
    text = cut(sentences(page, card.lines), _LENGTH) or NOTHING
    buttons = [_button(page, act, card.about) for act in dict.fromkeys(card.acts) if act != "feedback"]
    asks = beside(page, card.lines)
    if asks and asks["action_id"] not in {one["action_id"] for one in buttons}:
        buttons.append(asks)
    row = [actions(buttons)] if buttons else []
    row += [feedback_on(page)] if "feedback" in card.acts else []
    return message(text, [*map(section, split(text)), *row, *other_forms(page)])


def _button(page: Page, act: str, about: str) -> Element:
    """Return an act's button: a draft is begun by the form's name, an operation taken back by its proposal, a person asked with a message."""
    if act in ("report", "correct", "unused"):
        return done_button(page, act)
    value = {"begin": page.form.name, "take_back": about, "person": about or None}.get(act)
    return button(page.say(LABELS.get(act, act)), page.press(cast(Act, act), value=value))


def done_button(page: Page, act: str) -> Element:
    """Return the button that reports an approved request as done or unused; a report opens a box that knows the earlier figures."""
    if act == "unused":
        return button(page.say(act), page.press("unused"))
    return button(page.say(act), page.press("report", hash=report_mark(page.draft)), opens=id_of("hf-report", act))


def build_confirm(page: Page, card: Confirm) -> Message:
    """Build the question, the click that confirms it, and the way back; no way back where doing nothing keeps all as it is."""
    what = "withdraw" if card.act == "cancel" and page.draft.asked_back else card.act
    asked = _disclosure(page, card) if card.act == "disclose" else fill(page, f"{what}_ask")
    text = lines(sentences(page, card.lead_in), asked)
    act, style = CONFIRMED[card.act]
    buttons = [button(page.say(f"{what}_yes"), page.press(act, card.field), style=style)]
    if card.act not in ("withdraw", "unused"):
        buttons.append(button(page.say("disclose_no" if card.act == "disclose" else "go_on"), page.press("stay")))
    return message(text, [section(text), actions([*buttons, *filter(None, (beside(page, card.lead_in),))])])


def _disclosure(page: Page, card: Confirm) -> str:
    field = page.form.fields[card.field]
    worse = "" if field.worse is None else page.data(field, field.worse)
    words = page.draft.proposal.words if page.draft.proposal else ""
    ask = fill(page, "disclose_ask", {"now": worse, "label": page.label(field)})
    return lines(fill(page, "disclose_heard", {"words": words[:300]}), ask) if words else ask


def build_change(page: Page, card: Change) -> Message:
    """Build the present answer, the one it would become, and the two buttons."""
    field = page.form.fields[card.field]
    was, now = page.answer(field), page.answer(field, card.value)
    args = {"was": line(was, _ANSWER), "now": line(now, _ANSWER), "label": page.label(field)}
    text = lines(sentences(page, card.lead_in), fill(page, "answered_locked", args))
    declared = context(escape(page.stated(field, card.value))) if card.value.declared else None
    change = button(page.say("change_to", now=line(now, _KEPT)), page.press("change", field.name))
    keep = button(page.say("keep_it", was=line(was, _KEPT)), page.press("keep", field.name))
    more = beside(page, card.lead_in)
    return message(text, [section(text), *filter(None, (declared,)), actions([change, keep, *filter(None, (more,))])])


def build_act(page: Page, card: ActCard) -> Message:
    """Build an operation to confirm, with Confirm and Cancel; where the words may mean several, with a button for each."""
    asked = "" if card.picks else fill(page, "op_please_confirm")
    text = cut(lines(asked, sentences(page, card.lines)), _LENGTH)
    confirm = [
        button(sentences(page, (pick,)), page.press("confirm", value=f"{card.proposal}/{n}"), which=n)
        for n, pick in enumerate(card.picks)
    ] or [button(page.say("op_confirm"), page.press("confirm", value=card.proposal), style="primary")]
    decline = button(page.say("cancel"), page.press("decline", value=card.proposal))
    return message(text, [*map(section, split(text)), actions([*confirm, decline])])
