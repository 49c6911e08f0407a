"""Ask for more: the same record goes back to its owner with some of its fields open again, and comes back to its first stage.

While its owner has it, nobody decides; one that they give up is withdrawn, and never gone.
"""

from collections.abc import Iterable

from state.draft.changes import (
    Decided,
    DecisionsVoided,
    DocketSet,
    HandedBack,
    RecordMoved,
    Reopened,
    StageMoved,
    StatusMoved,
    SubmissionChosen,
    SubmissionKept,
    TurnBegun,
    Unlocked,
)
from state.draft.decisions import ASK, ASKED, WITHDRAW, Decision, Docket
from state.draft.display import currency_field
from state.draft.draft import Draft, Status
from state.draft.missing import reachable
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine.cards import DecisionCard
from state.engine.context import Next, TurnContext
from state.engine.effects import Amend, Repaint
from state.engine.route import paint_receipt
from state.form import Field, Form


def answerable(form: Form, draft: Draft) -> tuple[Field, ...]:
    """What may be asked for again, in the form's order: what has an answer, and what any stage may ask. A currency goes with its amount."""
    fields = [f for f in reachable(form, draft) if f.name in draft.values or form.phases or not f.stage]
    beside = {money.name for f in fields if (money := currency_field(form, f)) is not None}
    return tuple(f for f in fields if f.name not in beside)


def ask_for_more(turn: TurnContext, asked: Decision) -> None:
    """Give the record back to its owner: only the named fields are open, what was decided is history, and they are told at once."""
    before, card = turn.draft, turn.draft.docket.card
    turn.change(StatusMoved(Status.OPEN, ASK), TurnBegun(), SubmissionKept(), Decided(asked), DecisionsVoided(ASK))
    turn.change(RecordMoved(ASKED, ASK), DocketSet(Docket("", before.docket.channel)))
    turn.do(Amend(before.record, ASKED, ASK), Repaint(card, DecisionCard(before.state)))
    _back_to_review(turn)
    fields = [field for field in answerable(turn.form, turn.draft) if field.name in asked.fields]
    _reopen(turn, fields)
    turn.hear_bot(asked.note)
    turn.present(Next(_told(asked, fields)))
    paint_receipt(turn)


def _back_to_review(turn: TurnContext) -> None:
    """To the stage that was left by submitting, on the same way; whoever has the conversation gives it back."""
    draft, form = turn.draft, turn.form
    stages = [s for s in form.stages.values() if any(way.submits for way in s.transitions)]
    stage = next((s for s in stages if s.name == draft.came_from), next(iter(stages), None))
    if stage is not None and not form.phases:
        ways = [way for way in stage.transitions if way.submits]
        way = next((way for way in ways if way.to == draft.stage), ways[0])
        turn.change(StageMoved(stage.name, ASK), *([SubmissionChosen(way.on)] if way.chosen else []))
    if draft.handed:
        turn.change(HandedBack(turn.event.who))


def _reopen(turn: TurnContext, fields: Iterable[Field]) -> None:
    """The first one of the form first; an amount may come in another currency."""
    for field in reversed(list(fields)):
        money = currency_field(turn.form, field)
        turn.change(*([Unlocked(money.name)] if money else []), Unlocked(field.name), Reopened(field.name))


def _told(asked: Decision, fields: Iterable[Field]) -> tuple[Utterance, ...]:
    """By which role, in the officer's own words, and what is open again."""
    labels = ", ".join(field.label for field in fields)
    return (
        Phrase("told_ask", {"by_role": asked.role}),
        Verbatim(asked.note),
        Phrase("asked_again", {"fields": labels}),
    )


def last_asked(draft: Draft) -> Decision | None:
    """The verdict by which its owner has it again."""
    return next((d for d in reversed(draft.decisions) if d.verdict == ASK), None)


def call_off(turn: TurnContext) -> None:
    """Its owner gives up what they were asked for: the record is withdrawn, in place of being forgotten like an open draft."""
    before, asked = turn.draft, last_asked(turn.draft)
    state = asked.state if asked else before.state
    known = turn.form.filing.states.get(state)
    to = (known.withdraw if known else "") or "withdrawn"
    decision = Decision(before.owner, "", state, WITHDRAW, to, turn.event.at)
    turn.change(StatusMoved(Status.SUBMITTED, WITHDRAW), Decided(decision), RecordMoved(to, WITHDRAW))
    turn.do(Amend(before.record, to, WITHDRAW))
    if asked and asked.card:
        turn.do(Repaint(asked.card, DecisionCard(state)))
    turn.tell(Phrase("withdrawn", {"number": before.record}))
    paint_receipt(turn)
