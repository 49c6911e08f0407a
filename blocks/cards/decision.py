"""The decision card: who asks for what, what speaks for and against it, and the buttons; once decided, by whom and why."""

from collections.abc import Iterator
from dataclasses import replace

from blocks.cards.announcement import from_whom, reasons_of
from blocks.cards.rows import WIDTHS, layouts
from blocks.elements import (
    Block,
    Element,
    Message,
    Style,
    actions,
    button,
    decision_button,
    first_that_fits,
    header,
    message,
    section,
    table,
)
from blocks.ids import ORIGINS
from blocks.page import Page, moment, moment_of
from blocks.text import NOTHING, escape, line, literal
from blocks.utterances import fill, mention
from state.draft.record import ASK, EXTEND, KEEP, Decision
from state.draft.route import decision_hash, decision_wanted
from state.engine.cards import DecisionCard
from state.form import Field
from state.form.filing import RecordState
from state.record.on_decision import APPROVE

STYLES: dict[str, Style] = {APPROVE: "primary", EXTEND: "primary", "decline": "danger"}
KNOWN = ("approve", "decline", "refer", "withdraw", ASK, EXTEND, KEEP)
"""Verdicts that have a sentence of their own."""
CONDITIONS = "conditions"
"""The button that approves under conditions."""
_LINES, _TEXT, _LABEL, _WAS = 10, 400, 75, 80


def build_decision(page: Page, card: DecisionCard) -> Message:
    """While it waits for a verdict: everything, and the buttons. After that: what it was about, and what was decided."""
    title = page.say("announce_record", number=page.draft.filed.number, form=page.form.title)
    about, given = from_whom(page), list(given_lines(page, card.state))
    above = [header(title), section("\n".join(about))]
    if page.draft.filed.pending.card != page.card_id or page.draft.filed.state != card.state:
        said = given or [fill(page, "announce_state", {"state": page.state(page.draft.filed.state)})]
        return message(
            "\n".join((escape(title), *about, *said)), [*above, section("\n".join(said)), actions([_origins(page)])]
        )
    bears = [*bearing(page), *asked_before(page, card.state)]
    above += [section("\n".join(part)) for part in (bears, given) if part]
    below = [section(_waits_for(page, card.state)), _buttons(page)]
    layout = ([*above, *shown, *below] for shown in _answers(page))
    told = (escape(title), *about, *bears, *given, _waits_for(page, card.state))
    return message("\n".join(told), first_that_fits(layout))


def decision_parts(page: Page, state: str, *, verdicts: bool) -> list[Block]:
    """Return the same for a modal, where no table stands: with the buttons of the verdicts for whoever may give them."""
    title = page.say("announce_record", number=page.draft.filed.number, form=page.form.title)
    bears = [*bearing(page), *asked_before(page, state)]
    parts = ("\n".join(part) for part in (from_whom(page), bears, list(given_lines(page, state))))
    above = [header(title), *(section(part) for part in parts if part)]
    buttons = _buttons(page) if verdicts else actions([_origins(page)])
    below = [section(_waits_for(page, state)), buttons]
    return first_that_fits([*above, *shown, *below] for shown in layouts(page))


def given_by_all(page: Page) -> str:
    """Return every verdict in its order, those that count no more included."""
    return "\n".join(told for one in page.draft.filed.decisions for told in _given(page, one))


def _answers(page: Page) -> Iterator[list[Block]]:
    """Yield the answers alone: where each comes from is a click away. Of what is sensitive only that it is on record."""
    for width in WIDTHS[1:]:
        cells = [(line(page.label(f), _LABEL), _answer(page, f, width)) for f in page.answered]
        yield [table(cells, wrapped=1)] if cells else []
    yield from layouts(page)


def _answer(page: Page, field: Field, width: int) -> str:
    if field.sensitive:
        return f"{page.say('on_record')}{' ✎' if _before_asking(page, field) is not None else ''}"
    check = "" if page.draft.values[field.name].sure else f" ⚠ {page.say('please_check')}"
    return f"{line(page.whole_answer(field), width)}{check}{_since_asked(page, field)}"


def _since_asked(page: Page, field: Field) -> str:
    was = _before_asking(page, field)
    return "" if was is None else f" ✎ {page.say('changed_since', was=line(was, _WAS) or NOTHING)}"


def _before_asking(page: Page, field: Field) -> str | None:
    """What was answered before more was asked for; None where that is the same answer."""
    was = replace(page, draft=replace(page.draft, values=page.draft.submitted)).whole_answer(field)
    return None if not page.draft.submitted or was == page.whole_answer(field) else was


def asked_before(page: Page, state: str) -> Iterator[str]:
    """Return what was asked for in another state: the answers on this card are the ones that came back."""
    for one in page.draft.filed.decisions:
        if one.verdict == ASK and one.state != state:
            yield from _given(page, one)


def bearing(page: Page) -> list[str]:
    """Return what else bears on it, and the rules' reasons."""
    docket = page.draft.filed.pending
    return [*(f"• {escape(one, _TEXT)}" for one in docket.background[:_LINES]), *reasons_of(page, docket.reasons)]


def given_lines(page: Page, state: str) -> Iterator[str]:
    """Yield each verdict that was given in a state: by whom, when, why."""
    for one in page.draft.filed.decisions:
        if one.state == state:
            yield from _given(page, one)


def _given(page: Page, one: Decision) -> Iterator[str]:
    key = f"given_{one.verdict if one.verdict in KNOWN else 'other'}"
    at = moment(moment_of(one.at), page.form.language)
    role, verdict = escape(page.role(one.role)), escape(page.verdict(one.verdict))
    said = page.words.fill(key, {"person": mention(one.who), "role": role, "verdict": verdict, "at": at}, literal)
    deputy = f" {fill(page, 'given_deputy', {'person': one.deputy_of})}" if one.deputy_of else ""
    yield f"~{said}{deputy}~" if one.void and one.verdict != ASK else f"*{said}{deputy}*"
    if one.fields:
        labels = ", ".join(page.label(page.form.fields[name]) for name in one.fields if name in page.form.fields)
        yield fill(page, "given_fields", {"fields": labels})
    for name, text in (("reason", one.reason), ("conditions", one.conditions), ("note", one.note)):
        if text:
            key = "given_asked" if name == "note" and one.verdict == ASK else f"given_{name}"
            yield fill(page, key, {name: text[:_TEXT]})


def _waits_for(page: Page, state: str) -> str:
    here = decision_wanted(page.form, page.draft)
    done = sum((d.state, d.verdict, d.void) == (state, APPROVE, False) for d in page.draft.filed.decisions)
    needs = f" {fill(page, 'decide_needs', {'done': done, 'needs': here.needs})}" if here.needs > 1 else ""
    late = f":warning: {_since(page)} " if page.draft.filed.pending.overdue else ""
    longer = page.draft.filed.pending.about == EXTEND
    about = f"{fill(page, 'extend_wanted', {'filed_on': page.draft.filed.valid_until})}\n" if longer else ""
    stands = fill(page, "announce_state", {"state": page.state(state)})
    return f"{about}{stands}\n{late}{fill(page, 'decide_waits', {'role': page.role(here.by)})}{needs}"


def _since(page: Page) -> str:
    at = moment(moment_of(page.draft.filed.pending.overdue), page.form.language)
    return page.words.fill("decide_overdue", {"at": at}, literal)


def _buttons(page: Page) -> Block:
    here = decision_wanted(page.form, page.draft)
    return actions([*(_button(page, verdict, here) for verdict in _verdicts(here)), _origins(page)])


def _origins(page: Page) -> Element:
    return button(page.say("origins"), page.press("show"), opens=ORIGINS)


def _verdicts(here: RecordState) -> Iterator[str]:
    """Yield the buttons in the route's order, approval under conditions behind approval."""
    for verdict in here.decide:
        yield verdict
        if verdict == APPROVE and here.conditions:
            yield CONDITIONS
    if here.ask:
        yield ASK


def _button(page: Page, verdict: str, here: RecordState) -> Element:
    opens = verdict in (CONDITIONS, ASK) or verdict in here.reason
    label = page.verdict(verdict) + ("…" if opens else "")
    press = page.press("decide", value=verdict, hash=decision_hash(page.draft))
    return decision_button(label, press, verdict, opens=opens, style=STYLES.get(verdict, ""))
