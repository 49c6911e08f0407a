"""Extension: the owner asks that an approval counts longer, a role of the form's decides, and until then it stands as it was.

It is asked for as often as the form says, whatever came of it. The end of the approval and a verdict on it: the first one wins.
"""

from state.draft.changes import Decided, DocketSet, RecordMoved
from state.draft.decisions import EXTEND, Decision, Docket
from state.draft.utterance import Phrase, Verbatim
from state.engine.cards import DecisionCard
from state.engine.context import Alone, Standing, TurnContext
from state.engine.effects import Amend, Announce, Repaint
from state.engine.route import DESK, how_it_stands, may_extend, paint_receipt


def ask_to_extend(turn: TurnContext) -> None:
    """Put it before the role that decides; the approval counts on meanwhile."""
    draft = turn.draft
    if not may_extend(turn.form, draft):
        said = Phrase("extend_over", {"state_name": draft.state})
        turn.present(Alone((said,), ("begin",)) if draft.state else Standing())
        return
    card = turn.card_id(DESK)
    turn.change(DocketSet(Docket(card, draft.docket.channel, (), draft.docket.background, about=EXTEND)))
    turn.do(Announce("record", (), draft.record, draft.state, draft.docket.channel, id=card))
    state = turn.form.filing.states[draft.state]
    by = state.extend.by if state.extend else ""
    turn.present(Alone((Phrase("extend_asked", {"by_role": by, "filed_on": draft.valid_until}),)))
    paint_receipt(turn)


def decide_extension(turn: TurnContext, given: Decision) -> None:
    """Extended, it counts longer by the form's own rule, from its present end; else it stays as it was."""
    before = turn.draft
    turn.change(Decided(given), DocketSet(Docket("", before.docket.channel, (), before.docket.background)))
    if given.verdict == EXTEND:
        until = turn.rules.until(before, before.state, before.valid_until)
        turn.change(RecordMoved(before.state, EXTEND, max(until, before.valid_until)))
        turn.do(Amend(before.record, before.state, EXTEND))
    turn.do(Repaint(before.docket.card, DecisionCard(before.state)))
    said = Phrase(f"told_{given.verdict}", {"by_role": given.role})
    told = (Verbatim(given.note),) if given.note else ()
    turn.present(Alone((said, *told, *how_it_stands(turn))))
    paint_receipt(turn)
