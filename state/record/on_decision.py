"""An officer gave a verdict (DecisionMade): a table of guards, then what follows, which may be to ask the owner for more.

Verdicts come through the conversation of the request, one at a time: of two that come at the same moment the second finds another state.
"""

from collections.abc import Callable

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
from state.draft.draft import Status
from state.draft.record import ASK, ASKED, EXTEND, Decision, PendingDecision
from state.draft.record_changes import Decided, DecisionsVoided, PendingDecisionSet, Receipted, RecordMoved
from state.draft.route import APPROVE, REPLY, acts_now, answerable, decision_hash, involved, message_wanted, with_query
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine.cards import DecisionCard
from state.engine.context import Alone, Next, TurnContext
from state.engine.effects import Amend, Ephemeral, Repaint
from state.engine.events import DecisionMade, TakenUp, too_soon
from state.language.tokens import trimmed
from state.record.filing import decision_of, move_record, paint_receipt, post_for_decision, state_of, state_told

TOLD = ("approve", "decline", "refer")
"""Verdicts that have a sentence of their own for the person."""

AGREED, OTHER = "agreed", "other"


def on_decision(turn: TurnContext, event: DecisionMade) -> None:
    """Give a verdict that every guard lets through; refuse any other in private, and paint the card with the record's state."""
    why = next((said for guard in GUARDS if (said := guard(turn, event)) is not None), None)
    if why is None:
        _decide(turn, event)
        return
    turn.do(Ephemeral(event.who, why, event.where))
    if event.card == turn.filed.pending.card:
        turn.do(Repaint(event.card, DecisionCard(turn.filed.state)))


def still_open(turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """The record waits for a verdict, and this card is the one that asks for it."""
    if decision_of(turn).waits and event.card == turn.filed.pending.card:
        return None
    return Phrase("decide_over", {"state_name": turn.filed.state or "received"})


def as_shown(turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """The card showed the request as it is now."""
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
    by = decision_of(turn).by
    if event.role == by and _capacity(turn, event) is not None:
        return None
    other = next((who for who in turn.filed.pending.named if who != event.who), "")
    return Phrase("decide_named", {"person": other}) if other else Phrase("decide_role", {"by_role": by})


def of_this_state(turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """The verdict is one of this state's."""
    here = decision_of(turn)
    listed = event.verdict in here.decide or (event.verdict == ASK and here.ask)
    return None if listed else Phrase("decide_changed")


def reason_given(turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """A verdict that wants words has them: for the person where it ends the request, else for the record."""
    told = message_wanted(turn.form, turn.draft, event.verdict)
    lacks = event.verdict in decision_of(turn).reason and not trimmed(event.note if told else event.reason)
    return Phrase("decide_message" if told else "decide_reason") if lacks else None


def conditions_allowed(turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """Conditions go with an approval, where the state allows them; white space is no conditions, and no approval without any."""
    if event.conditions and not trimmed(event.conditions):
        return Phrase("decide_unwritten")
    allowed = decision_of(turn).conditions and event.verdict == APPROVE
    return None if allowed or not event.conditions else Phrase("decide_conditions")


def fields_named(turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """Only asking for more names fields, and of those that can be answered again."""
    known = {field.name for field in answerable(turn.form, turn.draft)} if event.verdict == ASK else set()
    return None if set(event.fields) <= known else Phrase("decide_fields")


def words_given(_turn: TurnContext, event: DecisionMade) -> Phrase | None:
    """Asking for more names fields, or puts a question, or both."""
    return Phrase("decide_words") if event.verdict == ASK and not (event.fields or trimmed(event.note)) else None


GUARDS: tuple[Callable[[TurnContext, DecisionMade], Phrase | None], ...] = (
    still_open, as_shown, roles_known, no_auditor, not_their_own, once_only, holds_role, of_this_state, reason_given, conditions_allowed,
    fields_named, words_given, too_soon,
)  # fmt: skip


def _capacity(turn: TurnContext, event: DecisionMade) -> str | None:
    """Return in whose place they decide: "" in their own, None where in nobody's. A deputy has no more say than the one they stand in for."""
    if event.own:
        return ""
    barred = {turn.draft.owner, *involved(turn.draft)}
    return next((one for one in event.deputy_of if one not in barred), None)


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
        event.who, event.role, turn.filed.state, event.verdict, to, event.at, trimmed(event.reason), trimmed(event.note),
        trimmed(event.conditions), _capacity(turn, event) or "", event.card, event.hash, fields=event.fields,
    )  # fmt: skip


def _tell(turn: TurnContext, event: DecisionMade) -> None:
    """Tell the person at once what was decided by which role, under which conditions, and what happens now; never the reason."""
    conditions, note = trimmed(event.conditions), trimmed(event.note)
    # Who reads of an approval trades, so one that others still decide on is none.
    agreed = event.verdict == APPROVE and state_of(turn).waits
    key = AGREED if agreed else event.verdict if event.verdict in TOLD else OTHER
    told: tuple[Utterance, ...] = (
        Phrase(f"told_{key}", {"by_verdict": event.verdict, "by_role": event.role}),
        *((Phrase("told_conditions", {"conditions": conditions}),) if conditions else ()),
        *((Verbatim(note),) if note else ()),
    )
    turn.present(Alone((*told, *state_told(turn)), acts_now(turn.form, turn.draft)))
    paint_receipt(turn)


def ask_for_more(turn: TurnContext, asked: Decision) -> None:
    """Give the record back to its owner and notify them: the named fields are open, what was decided is history.

    A question alone is asked like a field. Beside fields it stands above them: what is written there answers it as well.
    """
    before = turn.draft
    turn.change(StatusMoved(Status.OPEN, ASK), TurnBegun(), SubmissionKept(), Decided(asked), DecisionsVoided(ASK))
    turn.change(RecordMoved(ASKED, ASK), PendingDecisionSet(PendingDecision("", before.filed.pending.channel)))
    turn.do(
        Amend(before.filed.number, ASKED, ASK), Repaint(before.filed.pending.card, DecisionCard(before.filed.state))
    )
    _back_to_review(turn)
    fields = [field for field in answerable(turn.form, turn.draft) if field.name in asked.fields]
    for field in reversed(fields):  # the first one of the form is asked first; an amount may come in another currency
        money = currency_field(turn.form, field)
        turn.change(*([Unlocked(money.name)] if money else []), Unlocked(field.name), Reopened(field.name))
    turn.form = with_query(turn.form, turn.draft)
    if not fields:
        turn.change(Reopened(REPLY))
    if asked.note:
        turn.hear_bot(asked.note)
    by_role, labels = {"by_role": asked.role}, ", ".join(field.label for field in fields)
    question = (Verbatim(asked.note),) if asked.note else ()
    again = (Phrase("told_ask", by_role), *question, Phrase("asked_again", {"fields": labels}))
    turn.present(Next(again if fields else (Phrase("asked_words", by_role),)))
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
    turn.present(Alone((said, *told, *state_told(turn))))
    paint_receipt(turn)


def on_taken_up(turn: TurnContext, event: TakenUp) -> None:
    """Post a record from before records had routes for decision on its state, once: one with a state has a card already, or needs none."""
    draft = turn.draft
    if draft.status is not Status.SUBMITTED or draft.filed.state or not turn.form.filing.waits(event.state):
        return
    turn.change(RecordMoved(event.state, "taken_up", event.until))
    if not draft.filed.filed_at:
        turn.change(Receipted("", event.filed_at))
    post_for_decision(turn, PendingDecision("", "", event.reasons))
