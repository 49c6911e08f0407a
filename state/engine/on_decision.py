"""An officer gave a verdict (DecisionMade) or judged a case (CaseJudged), or the owner withdraws: a table of guards, then what follows.

All come through the conversation of the request, one at a time: of two that come at the same moment the second finds another state.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from state.draft.changes import Proposed
from state.draft.draft import Draft, Proposal
from state.draft.record import ASK, ASKED, EXTEND, WITHDRAW, Breach, Decision, Note, PendingDecision
from state.draft.record_changes import BreachSet, Decided, DecisionsVoided, NoteSet, PendingDecisionSet, RecordMoved
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine.cards import CaseCard, Confirm, DecisionCard, Notice
from state.engine.context import Alone, Standing, TurnContext
from state.engine.effects import Repaint, Whisper
from state.engine.events import CaseJudged, Clicked, DecisionMade, too_soon
from state.engine.route import (
    acts_now,
    answerable,
    ask_for_more,
    ask_to_extend,
    call_off,
    case_hash,
    case_of,
    decide_extension,
    decision_hash,
    desk_of,
    how_it_stands,
    move_record,
    open_breach,
    paint_receipt,
    state_of,
    waits,
)

APPROVE = "approve"
"""The verdict that may want several people, and may be given under conditions."""
TOLD = ("approve", "decline", "refer")
"""Verdicts that have a sentence of their own for the person."""
AGREED, OTHER = "agreed", "other"


def on_decision(turn: TurnContext, event: DecisionMade) -> None:
    """Give a verdict that every guard lets through; refuse any other in private, and paint the card with the record's state."""
    why = next((said for guard in GUARDS if (said := guard(turn, event)) is not None), None)
    if why is None:
        _decide(turn, event)
        return
    turn.do(Whisper(event.who, why, event.where))
    if event.card == turn.draft.filed.pending.card:
        turn.do(Repaint(event.card, DecisionCard(turn.draft.filed.state)))


# The guards: each says why not, in a sentence to the officer


def still_open(turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """The record waits for a verdict, and this card is the one that asks for it."""
    if desk_of(turn).waits and event.card == turn.draft.filed.pending.card:
        return None
    return Phrase("decide_over", {"state_name": turn.draft.filed.state or "received"})


def as_shown(turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """What the card showed is what there is."""
    return None if event.hash == decision_hash(turn.draft) else Phrase("decide_changed")


def roles_known(_turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """Nobody decides while it is not known who may."""
    return None if event.known else Phrase("decide_unknown")


def no_auditor(_turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """Who audits decides nothing, whatever other role they hold."""
    return Phrase("decide_auditor") if event.audits else None


def not_their_own(turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """Nobody decides on their own request."""
    return Phrase("decide_own") if event.who == turn.draft.owner else None


def once_only(turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """Nobody decides two stages of one request, or twice in one; who decided in another's place has decided."""
    return Phrase("decide_twice") if event.who in involved(turn.draft) else None


def holds_role(turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """They hold the role of this state now, or stand in for somebody who does and may decide here."""
    by = desk_of(turn).by
    return None if event.role == by and _capacity(turn, event) is not None else Phrase("decide_role", {"by_role": by})


def of_this_state(turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """The verdict is one of this state's."""
    here = desk_of(turn)
    listed = event.verdict in here.decide or (event.verdict == ASK and here.ask)
    return None if listed else Phrase("decide_changed")


def reason_given(turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """A verdict that wants a reason has one."""
    lacks = event.verdict in desk_of(turn).reason and not event.reason.strip()
    return Phrase("decide_reason") if lacks else None


def conditions_allowed(turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """Conditions go with an approval, where the state allows them."""
    allowed = desk_of(turn).conditions and event.verdict == APPROVE
    return None if allowed or not event.conditions.strip() else Phrase("decide_conditions")


def fields_named(turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """Asking for more names fields that can be answered again, and no other verdict names any."""
    known = {field.name for field in answerable(turn.form, turn.draft)}
    named = bool(event.fields) and set(event.fields) <= known
    return None if named == (event.verdict == ASK) and (named or not event.fields) else Phrase("decide_fields")


def words_given(_turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """Asking for more says what is wanted."""
    return Phrase("decide_words") if event.verdict == ASK and not event.note.strip() else None


GUARDS: tuple[Callable[[TurnContext, DecisionMade], Phrase | None], ...] = (
    still_open, as_shown, roles_known, no_auditor, not_their_own, once_only, holds_role, of_this_state, reason_given, conditions_allowed,
    fields_named, words_given, too_soon,
)  # fmt: skip


def involved(draft: Draft) -> frozenset[str]:
    """Return who decided in another state, also before the request was reopened, or in this one since."""
    counted = (
        d for d in draft.filed.decisions if d.verdict != WITHDRAW and (d.state != draft.filed.state or not d.void)
    )
    return frozenset(who for d in counted for who in (d.who, d.deputy_of) if who)


def _capacity(turn: TurnContext, event: DecisionMade) -> str | None:
    """Return in whose place they decide: "" in their own, None where in nobody's. A deputy has no more say than the one they stand in for."""
    if event.own:
        return ""
    barred = {turn.draft.owner, *involved(turn.draft)}
    return next((one for one in event.deputy_of if one not in barred), None)


# What follows


def _decide(turn: TurnContext, event: DecisionMade) -> None:
    here, before = state_of(turn), turn.draft
    if event.verdict == ASK:
        ask_for_more(turn, _decision(turn, event, ASKED))
        return
    if before.filed.pending.about == EXTEND:
        decide_extension(turn, _decision(turn, event, before.filed.state))
        return
    same = [d for d in before.filed.decisions if (d.state, d.verdict, d.void) == (before.filed.state, APPROVE, False)]
    enough = event.verdict != APPROVE or len(same) + 1 >= here.needs
    to = here.decide[event.verdict] if enough else before.filed.state
    turn.change(Decided(_decision(turn, event, to)))
    if to != before.filed.state:
        move_record(turn, to, event.verdict)
    turn.do(Repaint(event.card, DecisionCard(before.filed.state)))
    if to != before.filed.state:
        _tell(turn, event)


def _decision(turn: TurnContext, event: DecisionMade, to: str) -> Decision:
    return Decision(
        event.who, event.role, turn.draft.filed.state, event.verdict, to, event.at, event.reason.strip(), event.note.strip(),
        event.conditions.strip(), _capacity(turn, event) or "", event.card, event.hash, fields=event.fields,
    )  # fmt: skip


def _tell(turn: TurnContext, event: DecisionMade) -> None:
    """Tell the person at once what was decided by which role, under which conditions, and what happens now; never the reason."""
    conditions, note = event.conditions.strip(), event.note.strip()
    # Who reads of an approval trades, so one that others still decide on is none.
    agreed = event.verdict == APPROVE and state_of(turn).waits
    key = AGREED if agreed else event.verdict if event.verdict in TOLD else OTHER
    told: tuple[Utterance, ...] = (
        Phrase(f"told_{key}", {"by_verdict": event.verdict, "by_role": event.role}),
        *((Phrase("told_conditions", {"conditions": conditions}),) if conditions else ()),
        *((Verbatim(note),) if note else ()),
    )
    turn.present(Alone((*told, *how_it_stands(turn)), acts_now(turn)))
    paint_receipt(turn)


# The owner takes it back


def ask_withdraw(turn: TurnContext) -> bool:
    """Ask for a click. Return False where the record cannot be taken back."""
    if turn.draft.asked_back:
        card = turn.show(Confirm("cancel"))
        turn.change(Proposed(Proposal("cancel", card, turn=turn.draft.turn)))
        return True
    if not state_of(turn).withdraw:
        return False
    turn.show(Confirm(WITHDRAW))
    return True


def on_withdraw(turn: TurnContext, _event: Clicked) -> None:
    """Ask for the click that withdraws the record."""
    if not ask_withdraw(turn):
        _over(turn)


def on_withdrawn(turn: TurnContext, event: Clicked) -> None:
    """Withdraw the record, where no verdict came before the click."""
    here, before = state_of(turn), turn.draft
    if before.asked_back:
        call_off(turn)
        turn.present(Alone((), ("begin",)))
        return
    if not here.withdraw:
        _over(turn)
        return
    turn.change(
        Decided(Decision(event.who, "", before.filed.state, WITHDRAW, here.withdraw, event.at, card=event.card))
    )
    move_record(turn, here.withdraw, WITHDRAW)
    turn.turn_into(event.card, Notice((Phrase("withdrawn", {"number": before.filed.number}),), ("begin",)))
    if before.filed.pending.card:
        turn.do(Repaint(before.filed.pending.card, DecisionCard(before.filed.state)))
    paint_receipt(turn)


def _over(turn: TurnContext) -> None:
    """Say that it was decided first, and how."""
    state = turn.draft.filed.state
    turn.present(Alone((Phrase("withdraw_over", {"state_name": state}),), ("begin",)) if state else Standing())


def void_decisions(turn: TurnContext, state: str, why: str) -> None:
    """Void what was decided, and leave nothing to decide on."""
    before = turn.draft
    if not before.filed.state:
        return
    docket = PendingDecision("", before.filed.pending.channel, kept=before.filed.pending.kept)
    turn.change(RecordMoved(state, why), DecisionsVoided(why), PendingDecisionSet(docket))
    if before.filed.pending.card:
        turn.do(Repaint(before.filed.pending.card, DecisionCard(before.filed.state)))


OWNERS_ACTS: Mapping[str, Callable[[TurnContext, Clicked], None]] = {
    "withdraw": on_withdraw,
    "withdraw_confirmed": on_withdrawn,
    "extend": lambda turn, _event: ask_to_extend(turn),
}
"""What the owner may click of a filed record."""


CLOSE, MATCH, REFUSE = "close", "match", "refuse"


def on_case(turn: TurnContext, event: CaseJudged) -> None:
    """Close a breach or judge a note where every guard lets the judgement through; refuse any other in private, and paint the card."""
    case = case_of(turn.draft, event.case)
    why = next((said for guard in CASE_GUARDS if (said := guard(turn, event, case)) is not None), None)
    if why is not None:
        turn.do(Whisper(event.who, why, event.where))
    elif isinstance(case, Breach):
        _close(turn, event, case)
    elif case is not None:
        _judge(turn, event, case)
    if case is not None and case.card:
        turn.do(Repaint(case.card, CaseCard(case.id)))


# The guards: each says why not, in a sentence to the officer

Case = Breach | Note | None


def case_waits(_turn: TurnContext, event: CaseJudged, case: Case) -> Phrase | None:
    """The case waits for this sort of judgement."""
    fits = waits(case) and (event.verdict == CLOSE) is isinstance(case, Breach)
    return None if fits else Phrase("case_over")


def case_as_shown(turn: TurnContext, event: CaseJudged, _case: Case) -> Phrase | None:
    """What the card showed is what there is."""
    return None if event.hash == case_hash(turn.draft, event.case) else Phrase("decide_changed")


def case_roles_known(_turn: TurnContext, event: CaseJudged, _case: Case) -> Phrase | None:
    """Nobody judges while it is not known who may."""
    return None if event.known else Phrase("decide_unknown")


def case_no_auditor(_turn: TurnContext, event: CaseJudged, _case: Case) -> Phrase | None:
    """Who audits judges nothing, whatever other role they hold."""
    return Phrase("decide_auditor") if event.audits else None


def case_not_their_own(turn: TurnContext, event: CaseJudged, _case: Case) -> Phrase | None:
    """Nobody judges what is held against themselves."""
    return Phrase("case_own") if event.who == turn.draft.owner else None


def case_holds_role(turn: TurnContext, event: CaseJudged, _case: Case) -> Phrase | None:
    """They hold the form's role for it now, or stand in for somebody else than the person concerned who does."""
    by = turn.form.filing.breaches.by if turn.form.filing.breaches else ""
    holds = bool(by) and event.role == by and _deputy_of(turn, event) is not None
    return None if holds else Phrase("decide_role", {"by_role": by})


def case_reason_given(_turn: TurnContext, event: CaseJudged, _case: Case) -> Phrase | None:
    """Every judgement has a reason in words."""
    return None if event.reason.strip() else Phrase("decide_reason")


CASE_GUARDS: tuple[Callable[[TurnContext, CaseJudged, Case], Phrase | None], ...] = (
    case_waits, case_as_shown, case_roles_known, case_no_auditor, case_not_their_own, case_holds_role, case_reason_given,
)  # fmt: skip


def _deputy_of(turn: TurnContext, event: CaseJudged) -> str | None:
    """Return in whose place they judge: "" in their own, None where in nobody's."""
    return "" if event.own else next((one for one in event.deputy_of if one != turn.draft.owner), None)


# What follows


def _close(turn: TurnContext, event: CaseJudged, breach: Breach) -> None:
    deputy, reason = _deputy_of(turn, event) or "", event.reason.strip()
    turn.change(BreachSet(replace(
        breach, closed_at=event.at, closed_by=event.who, role=event.role, deputy_of=deputy, reason=reason,
    )))  # fmt: skip
    _tell_case(turn, event, Phrase("breach_closed", {"number": turn.draft.filed.number}))


def _judge(turn: TurnContext, event: CaseJudged, note: Note) -> None:
    """Accept the note as the report's, or not: that is a breach of the officer's opening."""
    deputy, reason = _deputy_of(turn, event) or "", event.reason.strip()
    matched = event.verdict == MATCH
    turn.change(NoteSet(replace(
        note, came="matched" if matched else "refused", by=event.who, role=event.role, deputy_of=deputy, judged_at=event.at, reason=reason,
    )))  # fmt: skip
    if not matched:
        open_breach(turn, "note_refused", {"file": note.name, "note": note.id}, reason, event.who)
    _tell_case(turn, event, Phrase("note_matched" if matched else "note_refused", {"file": note.name}))


def _tell_case(turn: TurnContext, event: CaseJudged, line: Phrase) -> None:
    """Tell the person the result and the officer's words to them, never the reason."""
    note = event.note.strip()
    turn.present(Alone((line, *((Verbatim(note),) if note else ()))))
    paint_receipt(turn)
