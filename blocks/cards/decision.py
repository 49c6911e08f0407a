"""Cards in the reviewers' channel: an announcement, a decision card, a breach or a note, each with its buttons."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from blocks.cards.answers import WIDTHS, layouts
from blocks.elements import (
    Block,
    Element,
    Message,
    Style,
    actions,
    button,
    context,
    first_that_fits,
    header,
    message,
    section,
    table,
)
from blocks.ids import ORIGINS, id_of
from blocks.page import Page, fill, mention, sentence
from blocks.text import NOTHING, escape, line, lines, literal
from state.draft.display import report_form, shown_figures
from state.draft.draft import Draft
from state.draft.missing import left_open
from state.draft.record import ASK, EXTEND, KEEP, Breach, Decision, Figure, Note
from state.draft.route import APPROVE, case_hash, case_of, decision_hash, decision_wanted, roles_in, sentence_of, waits
from state.engine.cards import CaseCard, DecisionCard
from state.form import Field, Form
from state.record.on_case import CLOSE, MATCH, REFUSE

What = Literal["record", "disclosure", "person", "fault", "nobody"]
STYLES: dict[str, Style] = {
    APPROVE: "primary",
    EXTEND: "primary",
    MATCH: "primary",
    "decline": "danger",
    REFUSE: "danger",
}
KNOWN = ("approve", "decline", "refer", "withdraw", ASK, EXTEND, KEEP)
"""Verdicts that have a sentence of their own."""
CONDITIONS = "conditions"
"""The button that approves under conditions."""
_REASON, _REASONS, _WORDS = 400, 10, 300
_LINES, _TEXT, _ANSWER, _LABEL, _WAS = 10, 400, 1200, 75, 80


def build_announcement(
    form: Form,
    draft: Draft,
    what: What,
    reasons: tuple[str, ...] = (),
    record: str = "",
    *,
    state: str = "",
    today: str = "",
) -> Message:
    """Build the message that says who, what and why; of sensitive answers only that they are on record.

    `reasons` are sentences of the rules, or "asked", "stuck", "disclosed:<field>". `state` is the record's.
    """
    page = Page(form, draft, today or draft.began[:10])
    title = page.say(f"announce_{what}", number=record or draft.filed.number, form=form.title)
    if what in ("fault", "nobody"):
        roles = {"by_roles": roles_in(form, reasons)}
        why = _reasons(page, reasons) if what == "fault" else [fill(page, "nobody_how", roles)]
        text = lines(*why, fill(page, "announce_where", {"what": record or draft.id}))
        return message(lines(escape(title), text), [header(title), section(text)])
    lacking = ", ".join(page.label(f) for f in left_open(form, draft)) if what == "person" else ""
    number = record or draft.filed.number if what == "person" else ""
    text = lines(
        *_from_whom(page),
        fill(page, "announce_request", {"number": number}) if number else "",
        fill(page, "announce_state", {"state": page.state(state)}) if state else "",
        *_reasons(page, reasons),
        fill(page, "announce_missing", {"fields": lacking}) if lacking else "",
    )
    above = [header(title), section(text)]
    if page.answered and left_open(form, draft):
        above.append(context(fill(page, "announce_filled")))
    hand_back = button(page.say("hand_back"), page.press("hand_back"))
    below = [actions([hand_back])] if draft.handed and what == "person" else []
    blocks = first_that_fits([*above, *answers, *below] for answers in layouts(page))
    return message(lines(escape(title), text), blocks)


def build_decision(page: Page, card: DecisionCard) -> Message:
    """Build everything and the buttons while it waits for a verdict; after that, what it was about and what was decided."""
    title = page.say("announce_record", number=page.draft.filed.number, form=page.form.title)
    about, given = (
        _from_whom(page),
        [text for one in page.draft.filed.decisions for text in _given(page, one, card.state)],
    )
    if page.draft.filed.pending.card != page.card_id or page.draft.filed.state != card.state:
        outcome = lines(*given) or fill(page, "announce_state", {"state": page.state(page.draft.filed.state)})
        blocks = [header(title), section("\n".join(about)), section(outcome), actions([_origins(page)])]
        return message(lines(escape(title), *about, outcome), blocks)
    reasons, waiting = _background(page, card.state), _waiting(page, card.state)
    above = [header(title), *(section(lines(*part)) for part in (about, reasons, given) if part)]
    below = [section(waiting), _buttons(page)]
    blocks = first_that_fits([*above, *answers, *below] for answers in _answers(page))
    return message(lines(escape(title), *about, *reasons, *given, waiting), blocks)


def decision_parts(page: Page, state: str, *, verdicts: bool) -> list[Block]:
    """Return the card's content for a modal, where Slack takes no table; `verdicts` adds the buttons."""
    given = [text for one in page.draft.filed.decisions for text in _given(page, one, state)]
    parts = (_from_whom(page), _background(page, state), given)
    title = page.say("announce_record", number=page.draft.filed.number, form=page.form.title)
    above = [header(title), *(section(lines(*part)) for part in parts if part)]
    below = [section(_waiting(page, state)), _buttons(page) if verdicts else actions([_origins(page)])]
    return first_that_fits([*above, *answers, *below] for answers in layouts(page))


def given_by_all(page: Page) -> str:
    """Return every verdict in order, void ones included."""
    return lines(*(text for one in page.draft.filed.decisions for text in _given(page, one)))


def build_case(page: Page, card: CaseCard) -> Message:
    """Build a breach or a note: from whom, what was reported, and its buttons; once closed, by whom and why."""
    case = case_of(page.draft, card.case)
    title = page.say("case_note" if isinstance(case, Note) else "case_breach", number=page.draft.filed.number)
    about = _from_whom(page)
    if page.draft.filed.report is not None:
        figures = shown_figures(page.form, page.draft.filed.report.figures, page.context)
        about.append(fill(page, "case_reported", {"what": " · ".join(f"{label}: {text}" for label, text in figures)}))
    text = lines(*(_breach(page, case) if isinstance(case, Breach) else _note(page, case) if case else ()))
    blocks = [header(title), section(lines(*about)), section(text or NOTHING)]
    if case and waits(case):
        verdicts = (CLOSE,) if isinstance(case, Breach) else (MATCH, REFUSE)
        blocks.append(actions([_judge(page, case.id, verdict) for verdict in verdicts]))
    return message(lines(escape(title), *about, text), blocks)


def _judge(page: Page, case: str, verdict: str) -> Element:
    press = page.press("judge", case, verdict, hash=case_hash(page.draft, case))
    return button(f"{page.verdict(verdict)}…", press, style=STYLES.get(verdict, ""), opens=id_of("hf-case", verdict))


def _from_whom(page: Page) -> list[str]:
    """Return what the request is about, and its requester."""
    about = [f"*{escape(page.essence)}*"] if page.essence else []
    return [*about, page.words.fill("announce_from", {"name": mention(page.draft.owner)}, str)]


def _reasons(page: Page, reasons: tuple[str, ...]) -> list[str]:
    return [f"• {_reason(page, reason)}" for reason in reasons[:_REASONS]]


def _reason(page: Page, reason: str) -> str:
    code, _, name = reason.partition(":")
    if code != "disclosed" or name not in page.form.fields:
        return fill(page, f"why_{code}") if f"why_{reason}" in page.words else escape(reason, _REASON)
    field = page.form.fields[name]
    if field.sensitive or field.worse is None:
        return f"{escape(page.label(field))}: {fill(page, 'disclosed_later')}"
    words = next((d.provenance.words for d in reversed(page.draft.disclosures) if d.field == name), "")
    was, now = page.answer(field) or NOTHING, page.data(field, field.worse)
    text = fill(page, "why_disclosed", {"field": name, "was": was[:_WORDS], "now": now})
    return f"{text} {fill(page, 'disclosed_beside', {'words': words[:_WORDS]})}" if words else text


def _background(page: Page, state: str) -> list[str]:
    """Return background lines, the rules' reasons, and what was asked for in another state, which this card answers."""
    pending = page.draft.filed.pending
    background = (f"• {escape(one, _TEXT)}" for one in pending.background[:_LINES])
    asked = (one for one in page.draft.filed.decisions if one.verdict == ASK and one.state != state)
    return [*background, *_reasons(page, pending.reasons), *(text for one in asked for text in _given(page, one))]


def _given(page: Page, one: Decision, state: str | None = None) -> Iterator[str]:
    """Yield a verdict's lines: by whom, when, why; none where `state` is another than the verdict's."""
    if state not in (None, one.state):
        return
    key = f"given_{one.verdict if one.verdict in KNOWN else 'other'}"
    role, verdict = escape(page.role(one.role)), escape(page.verdict(one.verdict))
    args = {"person": mention(one.who), "role": role, "verdict": verdict, "at": page.moment(one.at)}
    deputy = f" {fill(page, 'given_deputy', {'person': one.deputy_of})}" if one.deputy_of else ""
    text = f"{page.words.fill(key, args, literal)}{deputy}"
    yield f"~{text}~" if one.void and one.verdict != ASK else f"*{text}*"
    if one.fields:
        labels = ", ".join(page.label(page.form.fields[name]) for name in one.fields if name in page.form.fields)
        yield fill(page, "given_fields", {"fields": labels})
    for name, words in (("reason", one.reason), ("conditions", one.conditions), ("note", one.note)):
        if words:
            key = "given_asked" if name == "note" and one.verdict == ASK else f"given_{name}"
            yield fill(page, key, {name: words[:_TEXT]})
    if one.answer:
        yield fill(page, "given_answer", {"answer": one.answer[:_ANSWER]})


def _waiting(page: Page, state: str) -> str:
    """Return the record's state, whom it waits for, how many more verdicts it needs, and whether it is late."""
    draft, here = page.draft, decision_wanted(page.form, page.draft)
    done = sum((d.state, d.verdict, d.void) == (state, APPROVE, False) for d in draft.filed.decisions)
    needs = f" {fill(page, 'decide_needs', {'done': done, 'needs': here.needs})}" if here.needs > 1 else ""
    late = ""
    if draft.filed.pending.overdue:
        since = page.words.fill("decide_overdue", {"at": page.moment(draft.filed.pending.overdue)}, literal)
        late = f":warning: {since} "
    pending = draft.filed.pending
    nobody = fill(page, "decide_nobody", {"by_roles": roles_in(page.form, pending.lacking)}) if pending.lacking else ""
    role = escape(page.role(here.by))
    who = f"{mention(pending.named[0])} ({role})" if pending.named else role
    return lines(
        fill(page, "extend_wanted", {"filed_on": draft.filed.valid_until})
        if draft.filed.pending.about == EXTEND
        else "",
        fill(page, "announce_state", {"state": page.state(state)}),
        f"{late}{page.words.fill('decide_waits', {'role': who}, literal)}{needs}",
        f":warning: {nobody}" if nobody else "",
    )


def _buttons(page: Page) -> Block:
    """Return the verdicts in the route's order, approval under conditions behind approval, and where the answers come from."""
    here = decision_wanted(page.form, page.draft)
    verdicts = [v for one in here.decide for v in ((one, CONDITIONS) if one == APPROVE and here.conditions else (one,))]
    elements = []
    for verdict in (*verdicts, *((ASK,) if here.ask else ())):
        opens = verdict in (CONDITIONS, ASK) or verdict in here.reason
        label = page.verdict(verdict) + ("…" if opens else "")
        press = page.press("decide", value=verdict, hash=decision_hash(page.draft))
        action = id_of("hf-words" if opens else "hf-decide", verdict)
        elements.append(button(label, press, style=STYLES.get(verdict, ""), opens=action))
    return actions([*elements, _origins(page)])


def _origins(page: Page) -> Element:
    return button(page.say("origins"), page.press("show"), opens=ORIGINS)


def _answers(page: Page) -> Iterator[list[Block]]:
    """Yield the answers alone, roomiest first: where each comes from is a click away."""
    for width in WIDTHS[1:]:
        cells = [(line(page.label(f), _LABEL), _answer(page, f, width)) for f in page.answered]
        yield [table(cells, wrapped=1)] if cells else []
    yield from layouts(page)


def _answer(page: Page, field: Field, width: int) -> str:
    """Return an answer with a mark where it is uncertain or was changed after a question back; of a sensitive one only that it is on record."""
    asked_about = replace(page, draft=replace(page.draft, values=page.draft.submitted)).whole_answer(field)
    changed = bool(page.draft.submitted) and asked_about != page.whole_answer(field)
    if field.sensitive:
        return f"{page.say('on_record')}{' ✎' if changed else ''}"
    check = "" if page.draft.values[field.name].sure else f" ⚠ {page.say('please_check')}"
    since = f" ✎ {page.say('changed_since', was=line(asked_about, _WAS) or NOTHING)}" if changed else ""
    return f"{page.cut_answer(field, width)}{check}{since}"


def _breach(page: Page, breach: Breach) -> Iterator[str]:
    yield f"*{sentence(page, sentence_of(breach))}*"
    yield _at(page, "case_opened" if breach.by else "case_opened_rule", breach.by, "", breach.at)
    if breach.open:
        yield _waits_for_role(page)
    else:
        yield f"*{_at(page, 'case_closed', breach.closed_by, breach.role, breach.closed_at)}*"
        yield from _why(page, breach.reason, breach.deputy_of)


def _note(page: Page, note: Note) -> Iterator[str]:
    yield fill(page, "case_file", {"file": note.name})
    yield from (_figure(page, figure) for figure in note.figures)
    if note.came == "unread":
        yield from (f"⚠ {fill(page, f'doubt_{doubt}')}" for doubt in note.doubts)
        yield fill(page, "case_unread")
        yield _waits_for_role(page)
    elif note.by:
        key = "case_taken" if note.came == "matched" else "case_refused"
        yield f"*{_at(page, key, note.by, note.role, note.judged_at)}*"
        yield from _why(page, note.reason, note.deputy_of)
    else:
        yield fill(page, "case_read")


def _figure(page: Page, figure: Figure) -> str:
    field = report_form(page.form).fields.get(figure.name) or page.form.fields[figure.name]
    args = {"label": field.label, "now": figure.noted, "was": figure.reported}
    return f"{'•' if figure.same else '⚠'} {fill(page, 'case_figure', args)}"


def _at(page: Page, key: str, who: str, role: str, at: str) -> str:
    args = {"person": mention(who), "role": escape(page.role(role)) if role else "", "at": page.moment(at)}
    return page.words.fill(key, args, literal)


def _why(page: Page, reason: str, deputy_of: str) -> Iterator[str]:
    yield fill(page, "given_reason", {"reason": reason[:_TEXT]})
    if deputy_of:
        yield fill(page, "given_deputy", {"person": deputy_of})


def _waits_for_role(page: Page) -> str:
    breaches = page.form.filing.breaches
    return fill(page, "decide_waits", {"role": page.role(breaches.by) if breaches else NOTHING})
