"""The next acts that a record allows: verdicts of reviewers, the owner's report, note or extension, cases that wait for somebody."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

from state.draft.display import currency_field, table_of
from state.draft.draft import Draft, Status
from state.draft.missing import reachable
from state.draft.record import ASK, EXTEND, KEEP, WITHDRAW, Breach, Decider, Deciders, Decision, Note
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.form import Field, Form
from state.form.filing import RecordState
from state.language import language_of

APPROVE = "approve"
"""The verdict that may want several people, and may be given under conditions."""
NOBODY = RecordState()
"""A state in which nobody decides."""


def decision_hash(draft: Draft) -> str:
    """Return the SHA-256 over what a decision card shows: the answers, the state, and what was decided so far."""
    said = f"{draft.hash}|{draft.filed.state}|{len(draft.filed.decisions)}|{draft.filed.pending.card}"
    return hashlib.sha256(said.encode()).hexdigest()


def decision_wanted(form: Form, draft: Draft) -> RecordState:
    """Return who may give which verdict now, and what that wants."""
    here = form.filing.states.get(draft.filed.state, NOBODY)
    if draft.filed.pending.about == EXTEND and here.extend:
        return RecordState(
            by=here.extend.by, decide={EXTEND: draft.filed.state, KEEP: draft.filed.state}, reason=(KEEP,)
        )
    return here


def staffing(
    form: Form, draft: Draft, state: str, found: Mapping[str, Deciders]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return who alone decides in this state, the one who gets the card first, and the states from it to an approval in which nobody can.

    Nobody takes two seats on the way: who decides one state, or has somebody decide in their place, decides no other.
    """
    seated, lacking = list[Sequence[Decider]](), list[str]()
    free = {name: _free(draft, name, who.who) for name, who in found.items()}
    extends = draft.filed.pending.about == EXTEND
    for name in (one for one in ((state,) if extends else _way(form, state)) if one in free):
        given = sum((d.state, d.verdict, d.void) == (name, APPROVE, False) for d in draft.filed.decisions)
        seats = [free[name]] * max(1, form.filing.states[name].needs - given)
        if _seated(sorted([*seated, *seats], key=len), frozenset()):
            seated += seats
        else:
            lacking.append(name)
    alone = found[state].named if state in found else False
    return tuple(d.who for d in free[state]) if alone else (), tuple(lacking)


def _free(draft: Draft, state: str, who: Sequence[Decider]) -> list[Decider]:
    barred = {draft.owner, *involved(draft, state)}
    return [one for one in who if not {one.who, one.deputy_of} & barred]


def staffing_changed(form: Form, draft: Draft, found: Mapping[str, Deciders]) -> bool:
    """Return True if others may decide than the record says, or somebody where nobody could, as far as that could be looked up."""
    pending = draft.filed.pending
    known = set(found) >= {draft.filed.state, *pending.lacking}
    return known and staffing(form, draft, draft.filed.state, found) != (pending.named, pending.lacking)


def _way(form: Form, state: str) -> Iterator[str]:
    """Yield the states that wait for somebody from this one on, if each is approved."""
    passed = set[str]()
    while form.filing.waits(state) and state not in passed:
        passed.add(state)
        yield state
        state = form.filing.states[state].decide.get(APPROVE, "")


def _seated(seats: Sequence[Sequence[Decider]], taken: AbstractSet[str]) -> bool:
    """Return True if every seat can be given to somebody else."""
    return not seats or any(
        _seated(seats[1:], {*taken, d.who, d.deputy_of} - {""}) for d in seats[0] if not {d.who, d.deputy_of} & taken
    )


def who_decides(form: Form, draft: Draft) -> Phrase | None:
    """Say that nobody can decide the record now, or who has it by name; None where its role says it all."""
    pending = draft.filed.pending
    if pending.lacking:
        return Phrase("nobody_decides", {"by_roles": roles_in(form, pending.lacking)})
    if pending.named:
        by = decision_wanted(form, draft).by
        return Phrase("with_person", {"person": pending.named[0], "by_role": by})
    return None


def roles_in(form: Form, states: Iterable[str]) -> str:
    """Return the roles that decide in these states, or extend what is in them, as a sentence takes them."""
    known = (form.filing.states.get(name, NOBODY) for name in states)
    return ",".join(dict.fromkeys(one.by or (one.extend.by if one.extend else "") for one in known))


def message_wanted(form: Form, draft: Draft, verdict: str) -> bool:
    """Return True if a verdict that wants words wants them for the person: it ends the request, and does not approve it."""
    here = decision_wanted(form, draft)
    return verdict in here.reason and verdict != APPROVE and not form.filing.waits(here.decide.get(verdict, ""))


def answerable(form: Form, draft: Draft) -> tuple[Field, ...]:
    """Return what may be asked for again, in the form's order: what has an answer, and what any stage may ask. A currency goes with its amount."""
    fields = [f for f in reachable(form, draft) if f.name in draft.values or form.phases or not f.stage]
    beside = {money.name for f in fields if (money := currency_field(form, f)) is not None}
    return tuple(f for f in fields if f.name not in beside)


def last_asked(draft: Draft) -> Decision | None:
    """Return the verdict by which its owner has the record again."""
    return next((d for d in reversed(draft.filed.decisions) if d.verdict == ASK), None)


def last_verdict(draft: Draft) -> Decision | None:
    """Return the last verdict that counts, of a reviewer or the owner's own; one on an extension changes no state."""
    counted = (d for d in reversed(draft.filed.decisions) if not d.void)
    return next((d for d in counted if d.verdict not in (EXTEND, KEEP)), None)


def conditions_of(draft: Draft) -> str:
    """Return the conditions under which the record came into its state; empty without any."""
    last = last_verdict(draft)
    return last.conditions if last and last.to == draft.filed.state else ""


def may_extend(form: Form, draft: Draft) -> bool:
    """Return True if the owner may ask for an extension: the state allows one, it ends some day, and nothing is up for a verdict."""
    state = form.filing.states.get(draft.filed.state)
    if draft.status is not Status.SUBMITTED or state is None or state.extend is None or not draft.filed.valid_until:
        return False
    asked = sum(d.state == draft.filed.state and not d.void for d in draft.filed.decisions)
    return not draft.filed.pending.card and asked < state.extend.most


def may_ask_person(form: Form, state: str) -> bool:
    """Return True if the receipt offers a person: the request waits for a decision, or is approved."""
    agreed = {one.decide.get("approve") for one in form.filing.states.values()}
    return form.filing.waits(state) or state in {"approved", "auto_approved", *agreed}


def acts_now(form: Form, draft: Draft) -> tuple[Literal["report", "unused", "correct"], ...]:
    """Return what the owner may say of the record now: that it was done, that it was not, that their report was wrong."""
    if draft.filed.reports:
        return () if draft.filed.settled else ("correct",)
    return acts_at(form, draft.filed.state)


def acts_after(form: Form, draft: Draft) -> tuple[Literal["report", "unused", "correct"], ...]:
    """Return the buttons beside an answer to words about a filed record."""
    late: tuple[Literal["report"], ...] = ("report",) if may_report(form, draft) else ()
    return acts_now(form, draft) or (() if draft.filed.reports else late)


def acts_at(form: Form, state: str) -> tuple[Literal["report", "unused"], ...]:
    """Return the same of a record of which nothing was reported yet."""
    here = form.filing.states.get(state, NOBODY)
    done: tuple[Literal["report"], ...] = ("report",) if form.filing.report and here.report and here.valid else ()
    return (*done, "unused") if here.unused else done


def report_mark(draft: Draft) -> str:
    """Return a mark of what was reported so far: a box that was opened before another report counts no more."""
    return str(len(draft.filed.reports))


def may_report(form: Form, draft: Draft) -> bool:
    """Return True if the owner may report now, or correct what they reported."""
    filed = draft.filed.number and draft.status in (Status.SUBMITTED, Status.ESCALATED)
    if form.filing.report is None or not filed:
        return False
    return (
        not draft.filed.settled
        if draft.filed.reports
        else bool(form.filing.states.get(draft.filed.state, NOBODY).report)
    )


def awaits_report(form: Form, draft: Draft) -> bool:
    """Return True while something was approved, and nobody has said what was done with it."""
    return may_report(form, draft) and not draft.filed.reports and bool(draft.filed.held_until)


def takes_note(form: Form, draft: Draft) -> bool:
    """Return True if a file that is sent now is the note of what was reported."""
    filed = draft.status in (Status.SUBMITTED, Status.ESCALATED)
    return form.filing.note is not None and filed and bool(draft.filed.reports) and not draft.filed.settled


def last_day_of_note(form: Form, draft: Draft) -> date | None:
    """Return the last day on which the note is in time; None where none is wanted, or one came that no person refused."""
    if (
        form.filing.note is None
        or draft.filed.report is None
        or any(note.came != "refused" for note in draft.filed.notes)
    ):
        return None
    return date.fromisoformat(str(draft.filed.report.figures[table_of(form).day])) + timedelta(
        days=draft.filed.report.days
    )


def wanted_by(form: Form, draft: Draft) -> str:
    """Return the last day (ISO 8601) on which the note is in time; empty where none is wanted, or one is there."""
    last = last_day_of_note(form, draft)
    return last.isoformat() if last else ""


def involved(draft: Draft, state: str = "") -> frozenset[str]:
    """Return who decided in another state than the present one, or `state`; also before the request was reopened, or in this one since."""
    here = state or draft.filed.state
    counted = (d for d in draft.filed.decisions if d.verdict != WITHDRAW and (d.state != here or not d.void))
    return frozenset(who for d in counted for who in (d.who, d.deputy_of) if who)


def case_of(draft: Draft, name: str) -> Breach | Note | None:
    """Return the breach or the note of this id."""
    cases: tuple[Breach | Note, ...] = (*draft.filed.breaches, *draft.filed.notes)
    return next((one for one in cases if one.id == name), None)


def waits(case: Breach | Note | None) -> bool:
    """Return True if a case waits for a person."""
    return case.open if isinstance(case, Breach) else case is not None and case.came == "unread"


def case_hash(draft: Draft, name: str) -> str:
    """Return the SHA-256 over what a case's card shows: the case, what was reported, and the answers."""
    said = f"{draft.hash}|{case_of(draft, name)!r}|{len(draft.filed.reports)}"
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def sentence_of(breach: Breach) -> Utterance:
    """Say what is wrong, in a sentence."""
    return Verbatim(breach.words) if breach.words else Phrase(f"breach_{breach.kind}", breach.said)


def told_of(breach: Breach) -> Utterance:
    """Say the same to the person concerned: never in an officer's words."""
    return Phrase(f"breach_{breach.kind}", breach.said) if breach.by else sentence_of(breach)


def breaches_open(draft: Draft) -> tuple[Utterance, ...]:
    """Tell the person concerned which breaches are not closed yet; nothing without any."""
    found = tuple(told_of(breach) for breach in draft.filed.breaches if breach.open)
    return (*found, Phrase("breach_told")) if found else ()


def asked_mark(draft: Draft) -> str:
    """Return which question it is that the owner has not answered; empty where none is."""
    return str(len(draft.filed.decisions)) if draft.asked_back else ""


REPLY = "reply_to_reviewers"
"""The field of the answer. No tool sets it: the words are the person's own, as they wrote them."""
KEPT = 64
"""Forms with a question that are kept at hand."""


def with_query(form: Form, draft: Draft) -> Form:
    """Return the form with the field that answers the reviewers' question; the form itself where none is open."""
    asked = last_asked(draft) if draft.asked_back else None
    return _with_reply(form, asked.note) if asked and asked.note and REPLY not in form.fields else form


@lru_cache(maxsize=KEPT)
def _with_reply(form: Form, question: str) -> Form:
    label = language_of(form.language).reply
    field = Field(name=REPLY, kind="text", label=label, ask=label, required=False).model_copy(update={"ask": question})
    return form.model_copy(update={"fields": {**form.fields, REPLY: field}}).said_for(form.house)
