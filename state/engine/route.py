"""The way of a filed record: the state that it is in, the decision card that is up for it, and what its receipt says."""

import hashlib
from dataclasses import replace
from typing import Literal

from state.draft.changes import DocketSet, Receipted, RecordMoved
from state.draft.decisions import EXTEND, KEEP, Docket
from state.draft.draft import Draft, Status
from state.draft.utterance import Phrase, Utterance
from state.engine.cards import DecisionCard, Receipt
from state.engine.context import TurnContext
from state.engine.effects import Amend, Announce, Repaint
from state.form import Form
from state.form.filing import RecordState
from state.rules import Filing

NOBODY = RecordState()
"""A state in which nobody decides."""
DESK = 9
"""The number of the decision card among an event's cards: none of the conversation's gets so far."""


def decision_hash(draft: Draft) -> str:
    """SHA-256 over what a decision card shows: the answers, the state, and what was decided so far."""
    said = f"{draft.hash}|{draft.state}|{len(draft.decisions)}|{draft.docket.card}"
    return hashlib.sha256(said.encode()).hexdigest()


def before_them(form: Form, draft: Draft) -> RecordState:
    """What those who decide have before them: who may give which verdict, and what that wants."""
    here = form.filing.states.get(draft.state, NOBODY)
    if draft.docket.about == EXTEND and here.extend:
        return RecordState(by=here.extend.by, decide={EXTEND: draft.state, KEEP: draft.state}, reason=(KEEP,))
    return here


def desk_of(turn: TurnContext) -> RecordState:
    """The same for a filed record; nothing is up for a verdict while it is not."""
    return before_them(turn.form, turn.draft) if turn.draft.status is Status.SUBMITTED else NOBODY


def state_of(turn: TurnContext) -> RecordState:
    """What the form says of the state that the record is in."""
    return turn.form.filing.states.get(turn.draft.state, NOBODY) if turn.draft.status is Status.SUBMITTED else NOBODY


def move_record(turn: TurnContext, to: str, on: str) -> None:
    """The record goes into another state; the next decision card is put up where that one waits for a verdict."""
    if turn.draft.docket.about:
        turn.do(Repaint(turn.draft.docket.card, DecisionCard(turn.draft.state)))
    turn.change(RecordMoved(to, on, turn.rules.until(turn.draft, to, turn.context.today)))
    turn.do(Amend(turn.draft.record, to, on))
    put_up(turn, replace(turn.draft.docket, overdue=""))


def put_up(turn: TurnContext, docket: Docket) -> None:
    """A decision card for the present state, if it waits for a verdict; the one before it counts no more."""
    waits = turn.form.filing.waits(turn.draft.state)
    card = turn.card_id(DESK) if waits else ""
    turn.change(DocketSet(replace(docket, card=card, about="")))
    if card:
        turn.do(Announce("record", docket.reasons, turn.draft.record, turn.draft.state, docket.channel, id=card))


def open_docket(turn: TurnContext, filing: Filing, receipt: str) -> bool:
    """The record is filed: keep its state and its receipt, and put it before those who decide. False where nobody is to."""
    turn.change(RecordMoved(filing.state, "submit", filing.until), Receipted(receipt, turn.event.at))
    if turn.form.filing.waits(filing.state):
        put_up(turn, Docket("", filing.tell or "", filing.reasons, filing.background, kept=filing.kept))
    elif filing.kept:
        turn.change(DocketSet(Docket(kept=filing.kept)))
    return bool(turn.draft.docket.card)


def how_it_stands(turn: TurnContext) -> tuple[Utterance, ...]:
    """The record's state, until when it counts, and what the form says happens now."""
    state, until = turn.draft.state, turn.draft.valid_until
    return (
        Phrase("told_now", {"state_name": state}),
        *((Phrase("valid_until", {"filed_on": until}),) if until else ()),
        *((Phrase(f"next_{state}"),) if f"next_{state}" in turn.form.says else ()),
    )


def may_extend(form: Form, draft: Draft) -> bool:
    """Whether the owner may ask for it now: the state allows it, it ends some day, nothing is up for a verdict, and it was not asked before."""
    state = form.filing.states.get(draft.state)
    if draft.status is not Status.SUBMITTED or state is None or state.extend is None or not draft.valid_until:
        return False
    asked = sum(d.state == draft.state and not d.void for d in draft.decisions)
    return not draft.docket.card and asked < state.extend.most


def acts_now(turn: TurnContext) -> tuple[Literal["report", "unused", "correct"], ...]:
    """What the person may say of the record now: that it was done, that it was not, that their report was wrong."""
    if turn.draft.reports:
        return () if turn.draft.settled else ("correct",)
    return acts_at(turn.form, turn.draft.state)


def acts_at(form: Form, state: str) -> tuple[Literal["report", "unused"], ...]:
    """The same of a record of which nothing was reported yet."""
    here = form.filing.states.get(state, NOBODY)
    done: tuple[Literal["report"], ...] = ("report",) if form.filing.report and here.report and here.valid else ()
    return (*done, "unused") if here.unused else done


def paint_receipt(turn: TurnContext) -> None:
    """The receipt says how the record stands now."""
    if turn.draft.receipt:
        draft, waits = turn.draft, turn.draft.asked_back or bool(state_of(turn).withdraw)
        longer, acts = may_extend(turn.form, draft), acts_now(turn)
        card = Receipt(
            draft.record, draft.filed_at, draft.state, until=draft.valid_until, waits=waits, extends=longer, acts=acts
        )
        turn.turn_into(draft.receipt, card)
