"""The card after submission: the request, its decision, how long it is valid, the next step; the report; and short notices."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from blocks.cards.answers import beside
from blocks.cards.question import feedback_on, other_forms
from blocks.elements import (
    CARD,
    CARD_BODY,
    Block,
    Element,
    Message,
    Style,
    actions,
    alert,
    button,
    card,
    context,
    message,
    section,
    small,
)
from blocks.ids import REPORTED, id_of
from blocks.page import Page, fill, mention, moment, moment_of, moment_text, sentence, sentences
from blocks.text import NOTHING, cut, escape, line, lines, literal, size, split
from state.draft.display import report_form, shown_figures
from state.draft.route import conditions_of, report_mark, wanted_by, who_decides
from state.engine.cards import Act as ActCard
from state.engine.cards import Change, Confirm, Notice, Receipt, ReportCard
from state.engine.events import Act

BLOCKED = "blocked"
STOPPED = (BLOCKED, "escalated")
"""States in which the person must not go ahead."""
_REASON, _REASONS = 400, 5
CONDITIONS = 1000
"""Characters of conditions beside the figures of a report."""


def build_receipt(page: Page, shown: Receipt) -> Message:
    """Build the receipt: no answer can be clicked again; beside the state stand its owner's own acts."""
    at = moment_of(shown.at)
    about, state = essence_of(page), escape(page.state(shown.state))
    reasons, now = (
        reasons_told(page, shown.reasons, shown.until),
        what_now(page, shown.state, shown.until, shown.ending),
    )
    now, why = lines(decided_by(page, shown.state), now), lines(under(page), reasons, *_reported(page))
    own: tuple[tuple[Act, bool], ...] = (("withdraw", shown.waits), ("extend", shown.extends))
    buttons = [done_button(page, act) for act in shown.acts]
    buttons += [button(page.say(act), page.press(act)) for act, shows in own if shows]
    buttons += [button(page.say("ask_person"), page.press("person"))] if shown.calls else []
    declared = [f"• {escape(text)}" for field in page.answered if (text := page.draft.values[field.name].declared)]
    origin = f"{_title(page, shown, moment(at, page.form.language))} · {escape(page.form.title)}"
    blocks = [
        *_decided(f"*{cut(about, CARD - 2)}*", state, shown, now, [*map(section, split(why))]),
        *([actions(buttons)] if buttons else []),
        *small(lines(fill(page, "declared_here") if declared else "", *declared)),
        context(origin),
    ]
    title = _title(page, shown, moment_text(at, page.form.language))
    return message(lines(title, about, state, why, now), blocks)


def decided_by(page: Page, state: str) -> str:
    """Return who decides on the record in this state, by name where one does, and by when, as escaped text; nothing where nobody is waited for."""
    here, pending = page.form.filing.states.get(state), page.draft.filed.pending
    if here is None or not here.waits or pending.lacking:
        return ""
    role = escape(page.role(here.by))
    who = {"role": f"{mention(pending.named[0])} ({role})" if pending.named else role}
    if pending.overdue:
        return page.words.fill("after_late", {**who, "due": page.moment(pending.overdue)}, literal)
    if not pending.due:
        return page.words.fill("decided_by", who, literal)
    return page.words.fill("decided_by_due", {**who, "at": page.moment(pending.due)}, literal)


def under(page: Page) -> str:
    """Return the conditions of the approval, as escaped text; nothing without any."""
    given = conditions_of(page.draft)
    return fill(page, "told_conditions", {"conditions": given}) if given else ""


def _reported(page: Page) -> Iterator[str]:
    """Yield the reported figures, and until when the contract note is wanted, or which one matches."""
    draft = page.draft
    if draft.filed.report is None:
        return
    figures = " · ".join(text for _, text in shown_figures(page.form, draft.filed.report.figures, page.context))
    yield f"• {fill(page, 'case_reported', {'what': figures})}"
    matched = next((note.name for note in draft.filed.notes if note.came == "matched"), "")
    if matched:
        yield f"• {fill(page, 'note_matched', {'file': matched})}"
    elif by := wanted_by(page.form, draft):
        yield f"• {fill(page, 'note_wanted', {'filed_on': by})}"


def _decided(about: str, state: str, shown: Receipt, now: str, reasons: list[Block]) -> list[Block]:
    """Return the card; what to do now is in it where it fits, and apart where nobody should miss it."""
    if shown.state in STOPPED:
        return [card(about, state), *reasons, alert(now, "error")]
    if size(now) > CARD_BODY:
        return [card(about, state), section(now), *reasons]
    return [card(about, state, now), *reasons]


def essence_of(page: Page) -> str:
    """Return what the request is about, as escaped text; the form's title where nothing tells requests apart."""
    return escape(page.essence or page.form.title)


def what_now(page: Page, state: str, until: str = "", ending: str = "", otherwise: str = "next_received") -> str:
    """Return how long it holds, where it went, and what happens now, as escaped text.

    `ending` is the form's own last word, `otherwise` the key of what is said where nothing else is.
    """
    key, filed = f"next_{state}", page.draft.filed
    nobody = who_decides(page.form, page.draft) if filed.pending.lacking and state == filed.state else None
    own = sentence(page, nobody) if nobody else fill(page, key) if key in page.words else ""
    told = (own, escape(ending))
    following = " ".join(filter(None, told)) or (fill(page, otherwise) if otherwise else "")
    return " ".join(filter(None, (_holds(page, until), following)))


def _holds(page: Page, until: str) -> str:
    return fill(page, "valid_until", {"day": page.day(until)}) if until else ""


def _title(page: Page, shown: Receipt, at: str) -> str:
    key = "blocked_receipt" if shown.state == BLOCKED else "receipt"
    return page.words.fill(key, {"number": escape(shown.number), "at": at}, literal)


def reasons_told(page: Page, reasons: Sequence[str], until: str = "") -> str:
    """Return what the person is told of the reasons, as escaped text; not a second time until when it holds."""
    shown = (reason for reason in reasons[:_REASONS] if escape(reason) != _holds(page, until))
    return lines(*(f"• {escape(reason, _REASON)}" for reason in shown))


def build_report(page: Page, card: ReportCard) -> Message:
    """Build the figures, a click that records them, and the box to change them; where some are missing, the box alone."""
    draft = page.draft
    report = draft.filed.report if card.recorded or draft.filed.reporting is None else draft.filed.reporting
    figures = report.figures if report else {}
    text = lines(
        sentences(page, card.lead_in),
        fill(page, "report_recorded" if card.recorded else "report_read"),
        f"*{escape(page.essence)}*" if page.essence else "",
        "" if card.recorded else cut(under(page), CONDITIONS),
        *(f"• {escape(label)}: *{escape(text)}*" for label, text in shown_figures(page.form, figures, page.context)),
    )
    if card.recorded:
        return message(text, [section(text)])
    lacks = [f for f in report_form(page.form).fields.values() if f.name not in figures and f.required]
    press = page.press("report", hash=report_mark(draft))
    change = button(page.say("report_fill" if lacks else "report_change"), press, opens=id_of("hf-report", "change"))
    if lacks:
        text = lines(text, fill(page, "report_rest"))
        return message(text, [section(text), actions([change])])
    yes = button(page.say("report_record"), press, style="primary", opens=REPORTED)
    return message(text, [section(text), actions([yes, change])])


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
