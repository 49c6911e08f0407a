"""What a person may ask for at any time, by word or by button: cancel, start over, help, what is missing, a person, undo; and a worse answer.

A worse answer after a better one is never blocked: it is recorded beside the answer, and ends this request.
"""

from dataclasses import replace
from typing import Literal

from state.draft.changes import ChatLineAdded, Counted, Disclosed, Proposed, RecordMoved, UndoKept, ValueSet
from state.draft.display import display_values
from state.draft.draft import ChatLine, Disclosure, Proposal, Provenance
from state.draft.missing import missing
from state.draft.scope import scope
from state.draft.utterance import Phrase, Utterance
from state.engine.cards import Change, Confirm
from state.engine.context import Alone, Next, OutOfDate, Presentation, Standing, TurnContext, message_of
from state.engine.effects import Amend, Announce, Begin, File, Gather
from state.engine.events import Clicked
from state.engine.on_decision import ask_withdraw, void_decisions
from state.engine.settle import move, person_way
from state.engine.values import keep, too_few
from state.fields import kind_of
from state.fields.words.disclosing import Told
from state.form import Field
from state.understanding.admissions import worse_told

FAILURES = 3
"""Look-ups, files and submissions in a row that failed."""


def ask_cancel(turn: TurnContext) -> None:
    """Ask once; the click does it."""
    _ask(turn, "cancel")


def ask_restart(turn: TurnContext) -> None:
    """Ask once; the old draft stays until the click."""
    _ask(turn, "restart")


def _ask(turn: TurnContext, act: Literal["cancel", "restart"]) -> None:
    if not turn.draft.open:
        if act != "cancel" or not ask_withdraw(turn):
            turn.present(Standing())
        return
    if turn.draft.asked_back:
        ask_withdraw(turn)
        return
    card = turn.show(Confirm(act))
    turn.change(Proposed(Proposal(act, card, turn=turn.draft.turn)))


def cancel(turn: TurnContext) -> None:
    """Cancel the draft: nothing is filed. What was filed before, and came back to be answered, is withdrawn."""
    move(turn, "cancel")
    turn.change(Counted("stood_turn", turn.draft.turn))
    turn.present(Alone(() if turn.draft.record else (Phrase("cancelled"),), ("begin",)))


def restart(turn: TurnContext) -> None:
    """Give this draft up and begin the form anew in the same place."""
    move(turn, "restart")
    turn.do(Begin(turn.form.name))


def stay(turn: TurnContext) -> None:
    """Keep things as they are, after being asked."""
    if turn.draft.proposal:
        turn.change(Proposed(None))
    if turn.draft.open:
        turn.present(Next())


def ask_for_click(turn: TurnContext) -> None:
    """Put what waits for a click before the person once more: a yes or a no in words may be meant for it, and for nothing else."""
    waiting = turn.draft.proposal
    if waiting is None:
        return
    told = (Phrase("press_one"),)
    if waiting.act == "change" and waiting.value is not None:
        card = turn.show(Change(waiting.field, waiting.value, told))
    elif waiting.act != "change":
        card = turn.show(Confirm(waiting.act, waiting.field, told))
    turn.change(Proposed(replace(waiting, card=card, turn=turn.draft.turn)))


def help_out(turn: TurnContext) -> None:
    """How this works, then the open question again."""
    tell(turn, Phrase("help", {"form": turn.form.title}))


def list_missing(turn: TurnContext) -> None:
    """The open fields by their labels, then the question again."""
    labels = [f.label for f in missing(turn.form, turn.draft)]
    tell(turn, Phrase("missing_list", {"fields": ", ".join(labels)}) if labels else Phrase("nothing_missing"))


def call_person(turn: TurnContext) -> None:
    """Those who decide are told, with what is filled, what is missing and why; the person goes on as they like, or the bot falls silent."""
    if turn.form.hands_over or person_way(turn):
        turn.person = "asked"
        turn.present(Next())
    else:
        turn.do(Announce("person", reasons=("asked",)))
        tell(turn, Phrase("person_asked"))


def show(turn: TurnContext) -> None:
    """The open question or the review, again, at the end of the conversation."""
    tell(turn)


def finish(turn: TurnContext) -> None:
    """That is all: of the files that were asked for, where there are enough; else the open question or the review again."""
    field = turn.form.fields.get(turn.draft.asked)
    value = turn.draft.values.get(turn.draft.asked)
    if field is not None and kind_of(field).collects and value is not None and not too_few(field, value.data):
        keep(turn, field)
    show(turn)


def list_requests(turn: TurnContext) -> None:
    """The person's own requests, from the records."""
    turn.do(Gather("command", name="my_requests"))


def undo(turn: TurnContext) -> None:
    """Take the last correction back, while nothing came after it."""
    if not turn.draft.undo or not turn.draft.open:
        tell(turn, Phrase("nothing_to_undo"))
        return
    back = turn.draft.undo
    turn.change(*(ValueSet(name, value) for name, value in back.items()), UndoKept({}))
    turn.tell(taken_back(turn, tuple(back)))
    turn.present(Next())


def taken_back(turn: TurnContext, names: tuple[str, ...]) -> Phrase:
    """That a correction was taken back, and what holds again."""
    held = tuple(name for name in names if name in turn.draft.values)
    what = display_values(turn.form, turn.draft, held, turn.context)
    return Phrase("taken_back_what", {"what": what}) if what else Phrase("taken_back")


def tell(turn: TurnContext, *told: Utterance) -> None:
    """Sentences above the open question; to a closed draft, by themselves."""
    if turn.draft.open:
        turn.present(Next(told))
    else:
        turn.present(Alone(told, ("begin",)) if told else Standing())


def count_failure(turn: TurnContext, failed: bool) -> None:
    """Count technical failures in a row. At the third a form that hands over calls a person."""
    before = turn.draft.failures
    failures = before + 1 if failed else 0
    if failures >= FAILURES and turn.form.hands_over:
        turn.change(Counted("failures", 0))
        turn.person = "failures"
    elif failures != before:
        turn.change(Counted("failures", failures))


def lead_over(turn: TurnContext, act: str = "", card: str = "", shows: Presentation | None = None) -> None:
    """Show what comes next, and have the model lead over to it; a click on a card is noted in the conversation."""
    if act:
        turn.change(ChatLineAdded(ChatLine("user", act, card, clicked=True)))
    turn.present(shows or Next())
    turn.ask_model(act=act)


def out_of_date(turn: TurnContext, event: Clicked) -> None:
    """A click that comes too late changes no answer, and gets the present card; a second one with the same answer is no news."""
    card, proposal = turn.draft.card, turn.draft.proposal
    shown = event.card and card is not None and not card.hidden and message_of(event.card) == message_of(card.id)
    value = turn.draft.values.get(event.field)
    if shown and value is not None and value.data == event.value:
        return
    if proposal is not None and proposal.act != "disclose":
        turn.change(Proposed(None))
    turn.present(OutOfDate(event.card, event.field))


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
