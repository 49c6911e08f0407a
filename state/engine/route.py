"""A filed record: its state, the decision card that is posted for it, what its receipt says, and the cases that somebody has to judge.

Where more is asked for, the same record goes back to its owner with some of its fields open again, and comes back to its first stage; while
its owner has it, nobody decides, and one that they give up is withdrawn. An extension is asked for as often as the form says: until it is
decided the approval counts as before, and of its end and a verdict the first one wins.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from state.draft.changes import (
    HandedBack,
    Reopened,
    StageMoved,
    StatusMoved,
    SubmissionChosen,
    SubmissionKept,
    TurnBegun,
    Unlocked,
)
from state.draft.display import currency_field
from state.draft.draft import Draft, Status
from state.draft.missing import reachable
from state.draft.record import ASK, ASKED, EXTEND, KEEP, WITHDRAW, Breach, Decision, Note, PendingDecision
from state.draft.record_changes import BreachSet, Decided, DecisionsVoided, PendingDecisionSet, Receipted, RecordMoved
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine.cards import DecisionCard, Receipt
from state.engine.context import Alone, Next, Standing, TurnContext
from state.engine.effects import Amend, Announce, Repaint
from state.engine.events import TakenUp
from state.form import Field, Form
from state.form.filing import RecordState
from state.rules import Filing

NOBODY = RecordState()
"""A state in which nobody decides."""
DESK = 9
"""The number of the decision card among an event's cards: none of the conversation's gets so far."""
CASES = 20
"""The number of the first case among an event's cards: no other card gets so far."""


def decision_hash(draft: Draft) -> str:
    """Return the SHA-256 over what a decision card shows: the answers, the state, and what was decided so far."""
    said = f"{draft.hash}|{draft.filed.state}|{len(draft.filed.decisions)}|{draft.filed.pending.card}"
    return hashlib.sha256(said.encode()).hexdigest()


def before_them(form: Form, draft: Draft) -> RecordState:
    """Return what the reviewers have before them: who may give which verdict, and what that wants."""
    here = form.filing.states.get(draft.filed.state, NOBODY)
    if draft.filed.pending.about == EXTEND and here.extend:
        return RecordState(
            by=here.extend.by, decide={EXTEND: draft.filed.state, KEEP: draft.filed.state}, reason=(KEEP,)
        )
    return here


def desk_of(turn: TurnContext) -> RecordState:
    """Return the same for a filed record; nothing is up for a verdict while it is not."""
    return before_them(turn.form, turn.draft) if turn.draft.status is Status.SUBMITTED else NOBODY


def state_of(turn: TurnContext) -> RecordState:
    """Return what the form says of the state that the record is in."""
    return (
        turn.form.filing.states.get(turn.draft.filed.state, NOBODY) if turn.draft.status is Status.SUBMITTED else NOBODY
    )


def move_record(turn: TurnContext, to: str, on: str) -> None:
    """Move the record into another state; post the next decision card where that one waits for a verdict."""
    if turn.draft.filed.pending.about:
        turn.do(Repaint(turn.draft.filed.pending.card, DecisionCard(turn.draft.filed.state)))
    turn.change(RecordMoved(to, on, turn.rules.until(turn.draft, to, turn.context.today)))
    turn.do(Amend(turn.draft.filed.number, to, on))
    put_up(turn, replace(turn.draft.filed.pending, overdue=""))


def put_up(turn: TurnContext, docket: PendingDecision) -> None:
    """Post a decision card for the present state, if it waits for a verdict; the one before it counts no more."""
    waits = turn.form.filing.waits(turn.draft.filed.state)
    card = turn.card_id(DESK) if waits else ""
    turn.change(PendingDecisionSet(replace(docket, card=card, about="")))
    if card:
        turn.do(
            Announce("record", docket.reasons, turn.draft.filed.number, turn.draft.filed.state, docket.channel, id=card)
        )


def open_docket(turn: TurnContext, filing: Filing, receipt: str) -> bool:
    """Keep the state and the receipt of a record that is filed, and post it for decision. Return False where nobody is to decide."""
    turn.change(RecordMoved(filing.state, "submit", filing.until), Receipted(receipt, turn.event.at))
    if turn.form.filing.waits(filing.state):
        put_up(turn, PendingDecision("", filing.tell or "", filing.reasons, filing.background, kept=filing.kept))
    elif filing.kept:
        turn.change(PendingDecisionSet(PendingDecision(kept=filing.kept)))
    return bool(turn.draft.filed.pending.card)


def on_taken_up(turn: TurnContext, event: TakenUp) -> None:
    """Post a record from before records had routes for decision on its state, once: one with a state has a card already, or needs none."""
    draft = turn.draft
    if draft.status is not Status.SUBMITTED or draft.filed.state or not turn.form.filing.waits(event.state):
        return
    turn.change(RecordMoved(event.state, "taken_up", event.until))
    if not draft.filed.filed_at:
        turn.change(Receipted("", event.filed_at))
    put_up(turn, PendingDecision("", "", event.reasons))


def how_it_stands(turn: TurnContext) -> tuple[Utterance, ...]:
    """Return the record's state, until when it counts, and what the form says happens now."""
    state, until = turn.draft.filed.state, turn.draft.filed.valid_until
    return (
        Phrase("told_now", {"state_name": state}),
        *((Phrase("valid_until", {"filed_on": until}),) if until else ()),
        *((Phrase(f"next_{state}"),) if f"next_{state}" in turn.form.says else ()),
    )


def acts_now(turn: TurnContext) -> tuple[Literal["report", "unused", "correct"], ...]:
    """Return what the person may say of the record now: that it was done, that it was not, that their report was wrong."""
    if turn.draft.filed.reports:
        return () if turn.draft.filed.settled else ("correct",)
    return acts_at(turn.form, turn.draft.filed.state)


def acts_at(form: Form, state: str) -> tuple[Literal["report", "unused"], ...]:
    """Return the same of a record of which nothing was reported yet."""
    here = form.filing.states.get(state, NOBODY)
    done: tuple[Literal["report"], ...] = ("report",) if form.filing.report and here.report and here.valid else ()
    return (*done, "unused") if here.unused else done


def paint_receipt(turn: TurnContext) -> None:
    """Paint the receipt with the record's state."""
    draft = turn.draft
    if draft.filed.receipt:
        turn.turn_into(draft.filed.receipt, Receipt(
            draft.filed.number, draft.filed.filed_at, draft.filed.state, until=draft.filed.valid_until, acts=acts_now(turn),
            waits=draft.asked_back or bool(state_of(turn).withdraw), extends=may_extend(turn.form, draft),
        ))  # fmt: skip


# More is asked for


def answerable(form: Form, draft: Draft) -> tuple[Field, ...]:
    """Return what may be asked for again, in the form's order: what has an answer, and what any stage may ask. A currency goes with its amount."""
    fields = [f for f in reachable(form, draft) if f.name in draft.values or form.phases or not f.stage]
    beside = {money.name for f in fields if (money := currency_field(form, f)) is not None}
    return tuple(f for f in fields if f.name not in beside)


def ask_for_more(turn: TurnContext, asked: Decision) -> None:
    """Give the record back to its owner and notify them: only the named fields are open, what was decided is history."""
    before = turn.draft
    turn.change(StatusMoved(Status.OPEN, ASK), TurnBegun(), SubmissionKept(), Decided(asked), DecisionsVoided(ASK))
    turn.change(RecordMoved(ASKED, ASK), PendingDecisionSet(PendingDecision("", before.filed.pending.channel)))
    turn.do(
        Amend(before.filed.number, ASKED, ASK),
        Repaint(before.filed.pending.card, DecisionCard(before.filed.state)),
    )
    _back_to_review(turn)
    fields = [field for field in answerable(turn.form, turn.draft) if field.name in asked.fields]
    for field in reversed(fields):  # the first one of the form is asked first; an amount may come in another currency
        money = currency_field(turn.form, field)
        turn.change(*([Unlocked(money.name)] if money else []), Unlocked(field.name), Reopened(field.name))
    turn.hear_bot(asked.note)
    labels = ", ".join(field.label for field in fields)
    by_role, again = Phrase("told_ask", {"by_role": asked.role}), Phrase("asked_again", {"fields": labels})
    turn.present(Next((by_role, Verbatim(asked.note), again)))
    paint_receipt(turn)


def _back_to_review(turn: TurnContext) -> None:
    """Go back to the stage that was left by submitting, on the same way; whoever has the conversation gives it back."""
    draft, form = turn.draft, turn.form
    stages = [s for s in form.stages.values() if any(way.submits for way in s.transitions)]
    stage = next((s for s in stages if s.name == draft.came_from), next(iter(stages), None))
    if stage is not None and not form.phases:
        ways = [way for way in stage.transitions if way.submits]
        way = next((way for way in ways if way.to == draft.stage), ways[0])
        turn.change(StageMoved(stage.name, ASK), *([SubmissionChosen(way.on)] if way.chosen else []))
    if draft.handed:
        turn.change(HandedBack(turn.event.who))


def last_asked(draft: Draft) -> Decision | None:
    """Return the verdict by which its owner has the record again."""
    return next((d for d in reversed(draft.filed.decisions) if d.verdict == ASK), None)


def call_off(turn: TurnContext) -> None:
    """Withdraw a record whose owner gives up what they were asked for: it is not forgotten like an open draft."""
    before, asked = turn.draft, last_asked(turn.draft)
    state = asked.state if asked else before.filed.state
    known = turn.form.filing.states.get(state)
    to = (known.withdraw if known else "") or "withdrawn"
    decision = Decision(before.owner, "", state, WITHDRAW, to, turn.event.at)
    turn.change(StatusMoved(Status.SUBMITTED, WITHDRAW), Decided(decision), RecordMoved(to, WITHDRAW))
    turn.do(Amend(before.filed.number, to, WITHDRAW))
    if asked and asked.card:
        turn.do(Repaint(asked.card, DecisionCard(state)))
    turn.tell(Phrase("withdrawn", {"number": before.filed.number}))
    paint_receipt(turn)


# Extension


def may_extend(form: Form, draft: Draft) -> bool:
    """Return True if the owner may ask for an extension: the state allows one, it ends some day, and nothing is up for a verdict."""
    state = form.filing.states.get(draft.filed.state)
    if draft.status is not Status.SUBMITTED or state is None or state.extend is None or not draft.filed.valid_until:
        return False
    asked = sum(d.state == draft.filed.state and not d.void for d in draft.filed.decisions)
    return not draft.filed.pending.card and asked < state.extend.most


def ask_to_extend(turn: TurnContext) -> None:
    """Post an extension for the role that decides; the approval counts on meanwhile."""
    draft = turn.draft
    if not may_extend(turn.form, draft):
        said = Phrase("extend_over", {"state_name": draft.filed.state})
        turn.present(Alone((said,), ("begin",)) if draft.filed.state else Standing())
        return
    card = turn.card_id(DESK)
    turn.change(
        PendingDecisionSet(
            PendingDecision(card, draft.filed.pending.channel, (), draft.filed.pending.background, about=EXTEND)
        )
    )
    turn.do(Announce("record", (), draft.filed.number, draft.filed.state, draft.filed.pending.channel, id=card))
    state = turn.form.filing.states[draft.filed.state]
    by = state.extend.by if state.extend else ""
    turn.present(Alone((Phrase("extend_asked", {"by_role": by, "filed_on": draft.filed.valid_until}),)))
    paint_receipt(turn)


def decide_extension(turn: TurnContext, given: Decision) -> None:
    """Extend an approval by the form's own rule, from its present end, or leave it as it was."""
    before = turn.draft
    turn.change(
        Decided(given),
        PendingDecisionSet(PendingDecision("", before.filed.pending.channel, (), before.filed.pending.background)),
    )
    if given.verdict == EXTEND:
        until = turn.rules.until(before, before.filed.state, before.filed.valid_until)
        turn.change(RecordMoved(before.filed.state, EXTEND, max(until, before.filed.valid_until)))
        turn.do(Amend(before.filed.number, before.filed.state, EXTEND))
    turn.do(Repaint(before.filed.pending.card, DecisionCard(before.filed.state)))
    said = Phrase(f"told_{given.verdict}", {"by_role": given.role})
    told = (Verbatim(given.note),) if given.note else ()
    turn.present(Alone((said, *told, *how_it_stands(turn))))
    paint_receipt(turn)


# Cases: a breach that somebody has to close, a note that somebody has to judge, each on a card of its own


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


def open_breach(turn: TurnContext, kind: str, said: Mapping[str, str], words: str = "", by: str = "") -> Breach | None:
    """Open a breach and post it for those who close it. Return None where the very same was opened before."""
    known = turn.draft.filed.breaches
    if any((one.kind, one.said, one.words) == (kind, said, words) for one in known):
        return None
    breach = Breach(f"breach-{len(known) + 1}", kind, turn.event.at, said, words, by, case_card(turn))
    turn.change(BreachSet(breach))
    announce(turn, breach)
    return breach


def case_card(turn: TurnContext) -> str:
    """Return the id of the event's next case card."""
    return turn.card_id(CASES + len(turn.draft.filed.breaches) + len(turn.draft.filed.notes))


def announce(turn: TurnContext, case: Breach | Note) -> None:
    """Post a case for the reviewers, in the channel of the record."""
    to = turn.draft.filed.pending.channel
    turn.do(
        Announce(
            "record",
            record=turn.draft.filed.number,
            state=turn.draft.filed.state,
            to=to,
            id=case.card,
            case=case.id,
        )
    )


def sentence_of(breach: Breach) -> Utterance:
    """Say what is wrong, in a sentence."""
    return Verbatim(breach.words) if breach.words else Phrase(f"breach_{breach.kind}", breach.said)
