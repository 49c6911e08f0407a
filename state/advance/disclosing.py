"""A worse answer, told after a better one: never blocked, recorded beside the answer, and the end of this request's way."""

from state.advance.showing import freeze_cards
from state.advance.transitions import move
from state.advance.work import Work
from state.draft.changes import CardOpened, Disclosed, Proposed
from state.draft.draft import Disclosure, Proposal, Provenance
from state.engine.cards import Confirm, Moved, Notice, Phrase
from state.engine.effects import Amend, Announce, File, Repaint
from state.fields import kind_of
from state.fields.base import Context
from state.form import Field
from state.understanding.evidence import holds_quote

STATE = "escalated"


def told_worse(work: Work, field: Field) -> bool:
    """Whether the worse answer stands already, as the answer or beside it."""
    value = work.draft.values.get(field.name)
    return (value is not None and value.data == field.worse) or any(
        d.field == field.name for d in work.draft.disclosures
    )


def recognised(field: Field, words: str, context: Context) -> bool:
    """Whether the words disclose by the form's own list, or name the field with its worse answer."""
    if any(holds_quote(words, told) for told in field.disclosure):
        return True
    return any(r.data == field.worse for r in kind_of(field).find(field, words, context))


def disclose(work: Work, field: Field, words: str, message: str, reader: str = "") -> None:
    """Record it, void every card, stop the request and tell those who decide."""
    provenance = Provenance(work.draft.owner, work.event.at, "read" if reader else "clicked", message, words, reader)
    work.change(Disclosed(Disclosure(field.name, provenance)))
    move(work, "disclose")
    open_cards = (work.draft.card and work.draft.card.id, work.draft.proposal and work.draft.proposal.card)
    work.do(*(Repaint(card, Moved("closed")) for card in open_cards if card))
    work.change(CardOpened(None), Proposed(None))
    reasons = (f"disclosed:{field.name}",)
    if work.draft.record:
        work.do(Amend(work.draft.record, STATE, reasons[0]))
    else:
        work.do(File(STATE, reasons, ""))
    work.post(Notice((Phrase("disclosed"),)))
    freeze_cards(work)
    work.do(Announce("disclosure", reasons, work.draft.record, STATE))


def ask_to_disclose(work: Work, field: Field, words: str, message: str) -> None:
    """Words that only a model took for a disclosure: the person says by a click whether they are one; until then nothing is submitted."""
    name = work.post(Confirm("disclose", field.name))
    work.change(Proposed(Proposal("disclose", name, field.name, words=words, message=message)))
