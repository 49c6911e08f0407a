"""A worse answer, told after a better one: never blocked, recorded beside the answer, and the end of this request's way."""

from state.draft.changes import Disclosed, Proposed, RecordMoved
from state.draft.draft import Disclosure, Proposal, Provenance
from state.draft.scope import scope
from state.engine.cards import Confirm, Phrase
from state.engine.context import TurnContext
from state.engine.effects import Amend, Announce, File
from state.engine.on_decision import void_decisions
from state.engine.presentation import Alone
from state.engine.transitions import move
from state.fields.disclosing import Told
from state.form import Field
from state.understanding.admissions import worse_told

STATE = "escalated"


def told_worse(turn: TurnContext, field: Field, message: str) -> bool:
    """Whether the worse answer is the answer, or stands beside it from this very message; further words are heard as well."""
    value = turn.draft.values.get(field.name)
    beside = ((d.field, d.provenance.message) for d in turn.draft.disclosures)
    return (value is not None and value.data == field.worse) or (field.name, message) in beside


def admission(turn: TurnContext, field: Field, words: str) -> Told | None:
    """Where the words tell the worse answer, by the form's own words or the field's name."""
    return next(worse_told(field, words, turn.context, turn.draft), None)


def disclose(turn: TurnContext, field: Field, words: str, message: str, reader: str = "") -> None:
    """Record it, stop the request and tell those who decide; every card is void with that."""
    provenance = Provenance(turn.draft.owner, turn.event.at, "read" if reader else "clicked", message, words, reader)
    turn.change(Disclosed(Disclosure(field.name, provenance)))
    if turn.draft.proposal and turn.draft.proposal.act == "disclose":
        turn.change(Proposed(None))
    move(turn, "disclose")
    reasons = (f"disclosed:{field.name}",)
    if turn.draft.record:
        turn.do(Amend(turn.draft.record, STATE, reasons[0]))
        void_decisions(turn, STATE, "disclosed")
    else:
        turn.do(File(STATE, reasons, ""))
        turn.change(RecordMoved(STATE, "disclosed"))
    turn.do(Announce("disclosure", reasons, turn.draft.record, STATE))
    turn.present(Alone((Phrase("disclosed"),)))


def ask_to_disclose(turn: TurnContext, field: Field, words: str, message: str) -> None:
    """Words that only a model took for a disclosure: the person says by a click whether they are one; until then nothing is submitted."""
    card = turn.show(Confirm("disclose", field.name))
    turn.change(Proposed(Proposal("disclose", card, field.name, turn=turn.draft.turn, words=words, message=message)))


def hear_worse(turn: TurnContext, text: str, message: str) -> bool:
    """Whether the words tell a worse answer: for sure, so that it is recorded, or perhaps, so that a click decides."""
    fields = [f for f in scope(turn.form, turn.draft).disclosable if not told_worse(turn, f, message)]
    told = [(f, found) for f in fields if (found := admission(turn, f, text))]
    for field, found in sorted(told, key=lambda pair: not pair[1].sure)[:1]:
        act = disclose if found.sure else ask_to_disclose
        act(turn, field, text, message)
    return bool(told)
