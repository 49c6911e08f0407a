"""An officer closed a breach, or judged a note that code could not read (CaseJudged): a table of guards, then what follows."""

from collections.abc import Callable
from dataclasses import replace

from state.draft.record import Breach, Note
from state.draft.record_changes import BreachSet, NoteSet
from state.draft.route import breaches_open, case_hash, case_of, told_of, waits
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine.cards import CaseCard
from state.engine.context import Alone, TurnContext
from state.engine.effects import Ephemeral, Repaint
from state.engine.events import CaseJudged
from state.language.tokens import trimmed
from state.record.filing import paint_receipt
from state.record.on_note import open_breach

CLOSE, MATCH, REFUSE = "close", "match", "refuse"


def on_case(turn: TurnContext, event: CaseJudged) -> None:
    """Close a breach or judge a note where every guard lets the judgement through; refuse any other in private, and paint the card."""
    case = case_of(turn.draft, event.case)
    why = next((said for guard in CASE_GUARDS if (said := guard(turn, event, case)) is not None), None)
    if why is not None:
        turn.do(Ephemeral(event.who, why, event.where))
    elif isinstance(case, Breach):
        _close(turn, event, case)
    elif case is not None:
        _judge(turn, event, case)
    if case is not None and case.card:
        turn.do(Repaint(case.card, CaseCard(case.id)))


Case = Breach | Note | None


def case_waits(_turn: TurnContext, event: CaseJudged, case: Case) -> Phrase | None:
    """The case waits for this sort of judgement."""
    fits = waits(case) and (event.verdict == CLOSE) is isinstance(case, Breach)
    return None if fits else Phrase("case_over")


def case_as_shown(turn: TurnContext, event: CaseJudged, _case: Case) -> Phrase | None:
    """The card showed the case as it is now."""
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
    """A refused note has a message to its sender, every other judgement a reason for the record."""
    if event.verdict == REFUSE:
        return None if trimmed(event.note) else Phrase("decide_message")
    return None if trimmed(event.reason) else Phrase("decide_reason")


CASE_GUARDS: tuple[Callable[[TurnContext, CaseJudged, Case], Phrase | None], ...] = (
    case_waits, case_as_shown, case_roles_known, case_no_auditor, case_not_their_own, case_holds_role, case_reason_given,
)  # fmt: skip


def _deputy_of(turn: TurnContext, event: CaseJudged) -> str | None:
    """Return in whose place they judge: "" in their own, None where in nobody's."""
    return "" if event.own else next((one for one in event.deputy_of if one != turn.draft.owner), None)


def _close(turn: TurnContext, event: CaseJudged, breach: Breach) -> None:
    deputy, reason = _deputy_of(turn, event) or "", trimmed(event.reason)
    turn.change(BreachSet(replace(
        breach, closed_at=event.at, closed_by=event.who, role=event.role, deputy_of=deputy, reason=reason,
    )))  # fmt: skip
    closed = Phrase("breach_closed", {"number": turn.filed.number})
    _tell_case(turn, event, told_of(breach), closed, then=breaches_open(turn.draft))


def _judge(turn: TurnContext, event: CaseJudged, note: Note) -> None:
    """Accept the note as the report's, or not: that is a breach of the officer's opening."""
    deputy, reason = _deputy_of(turn, event) or "", trimmed(event.reason) or trimmed(event.note)
    matched = event.verdict == MATCH
    turn.change(NoteSet(replace(
        note, came="matched" if matched else "refused", by=event.who, role=event.role, deputy_of=deputy, judged_at=event.at, reason=reason,
    )))  # fmt: skip
    if not matched:
        open_breach(turn, "note_refused", {"file": note.name, "note": note.id}, reason, event.who)
    _tell_case(turn, event, Phrase("note_matched" if matched else "note_refused", {"file": note.name}))


def _tell_case(turn: TurnContext, event: CaseJudged, *lines: Utterance, then: tuple[Utterance, ...] = ()) -> None:
    """Tell the person the result and the officer's words to them, never the reason."""
    note = trimmed(event.note)
    turn.present(Alone((*lines, *((Verbatim(note),) if note else ()), *then)))
    paint_receipt(turn)
