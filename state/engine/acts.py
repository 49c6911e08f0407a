"""Requests that a person may make at any time, by word or by button: cancel, start over, help, what is missing, a person, undo; and a worse answer.

A worse answer after a better one is never blocked: it is recorded beside the answer, and ends this request.
"""

from dataclasses import replace
from typing import Literal

from state.draft.changes import ChatLineAdded, Closed, Counted, Disclosed, Proposed, UndoKept, ValueSet
from state.draft.display import display_values
from state.draft.draft import ChatLine, Disclosure, Proposal, Provenance
from state.draft.missing import missing
from state.draft.record import PendingDecision
from state.draft.record_changes import DecisionsVoided, PendingDecisionSet, RecordMoved
from state.draft.scope import scope
from state.draft.utterance import Phrase, Utterance
from state.engine.cards import Change, Confirm, DecisionCard
from state.engine.context import Alone, Next, OutOfDate, Presentation, ShowClosed, TurnContext, message_of
from state.engine.effects import Amend, Announce, Begin, File, Gather, Repaint
from state.engine.events import Clicked, MessageReceived
from state.engine.settle import move, person_way
from state.engine.values import keep, reopen, too_few
from state.fields.disclosing import Admission
from state.form import Field
from state.understanding.corrections import worse_told
from state.understanding.evidence import unread_lines

NAMED = 200
"""Characters of a person's words that are repeated to them."""
FAILURES = 3
"""Look-ups, files and submissions in a row that failed."""


def ask_cancel(turn: TurnContext) -> None:
    """Ask for the click that cancels."""
    _ask(turn, "cancel")


def ask_restart(turn: TurnContext) -> None:
    """Ask for the click that starts over; the old draft stays until then."""
    _ask(turn, "restart")


def _ask(turn: TurnContext, act: Literal["cancel", "restart"]) -> None:
    """Ask for a click; what came back to be answered is cancelled either way, for it is filed already."""
    if turn.draft.open:
        act = "cancel" if turn.draft.asked_back else act
        ask_for(turn, act)
    else:
        turn.present(ShowClosed())


def ask_for(turn: TurnContext, act: Literal["cancel", "restart", "withdraw", "unused"]) -> None:
    """Show the card whose click does this."""
    turn.change(Proposed(Proposal(act, turn.show(Confirm(act)), turn=turn.draft.turn)))


def cancel(turn: TurnContext) -> None:
    """Cancel the draft: nothing is filed. What was filed before, and came back to be answered, is withdrawn."""
    move(turn, "cancel")
    turn.change(Counted("stood_turn", turn.draft.turn))
    turn.present(Alone(() if turn.filed.number else (Phrase("cancelled"),), ("begin",)))


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
    elif isinstance(turn.event, MessageReceived):
        turn.present(ShowClosed())


def ask_for_click(turn: TurnContext) -> None:
    """Show what waits for a click once more: a yes or a no in words may be meant for it, and for nothing else."""
    waiting = turn.draft.proposal
    if waiting is None:
        return
    told = (Phrase("press_it" if waiting.act in ("withdraw", "unused") else "press_one"),)
    if waiting.act == "change" and waiting.value is not None:
        card = turn.show(Change(waiting.field, waiting.value, told))
    elif waiting.act != "change":
        card = turn.show(Confirm(waiting.act, waiting.field, told))
    turn.change(Proposed(replace(waiting, card=card, turn=turn.draft.turn)))


def help_out(turn: TurnContext) -> None:
    """Say how this works, then show the open question again."""
    tell(turn, Phrase("help", {"form": turn.form.title}))


def list_missing(turn: TurnContext) -> None:
    """Name the open fields by their labels, then show the question again."""
    labels = [f.label for f in missing(turn.form, turn.draft)]
    tell(turn, Phrase("missing_list", {"fields": ", ".join(labels)}) if labels else Phrase("nothing_missing"))


def call_person(turn: TurnContext, message: str = "") -> None:
    """Notify the reviewers, with what is filled, what is missing, why, and the words of a message that nothing answered.

    The person goes on as they like, or the bot falls silent.
    """
    lines = (*turn.draft.opening, *turn.draft.window)
    words = next((line.text for line in lines if message and line.message == message and not line.clicked), "")
    turn.person_words = (f"“{words}”",) if words else ()
    if turn.form.hands_over or person_way(turn):
        turn.person = "asked"
        turn.present(Next())
    else:
        turn.do(Announce("person", reasons=("asked", *turn.person_words)))
        tell(turn, Phrase("person_asked"), *([Phrase("person_words", {"words": words[:NAMED]})] if words else []))


def show(turn: TurnContext) -> None:
    """Show the open question or the review again, at the end of the conversation."""
    tell(turn)


def finish(turn: TurnContext) -> None:
    """Take "that is all" of an answer that is there, and of enough files; show the open question or the review."""
    field = turn.form.fields.get(turn.draft.asked)
    value = turn.draft.values.get(turn.draft.asked)
    if field is not None and value is not None and not too_few(field, value.data):
        keep(turn, field)
    if only_review_waits(turn):
        point_to(turn, "press_submit")
    else:
        show(turn)


def only_review_waits(turn: TurnContext) -> bool:
    """Return True if the open review shows all that there is, and nothing but it waits for the person."""
    card, draft = turn.before.card, turn.draft
    others = draft.proposal or draft.disclosures or draft.offers or draft.readings or missing(turn.form, draft)
    open_one = card is not None and card.kind == "review" and card.hash == draft.hash and not card.hidden
    return open_one and not others and len(unread_lines(draft)) <= 1


def point_to(turn: TurnContext, phrase: str) -> None:
    """Name the review's button below it; the review comes again where it is not the newest message any more."""
    card = turn.before.card
    if card is not None and card.turn == turn.draft.turn - 1:
        turn.change(Counted("shown_turn", turn.draft.turn))
        turn.present(Alone((Phrase(phrase),)))
    else:
        tell(turn, Phrase(phrase))


def list_requests(turn: TurnContext) -> None:
    """List the person's own requests, from the records."""
    turn.do(Gather("command", name="my_requests"))


def undo(turn: TurnContext) -> None:
    """Take the last correction back, while nothing came after it; without one, go back."""
    if not turn.draft.undo:
        go_back(turn)
        return
    back = turn.draft.undo
    turn.change(*(ValueSet(name, value) for name, value in back.items()), UndoKept({}))
    turn.change(*(Closed(name) for name in back if name in turn.draft.reopened))
    turn.tell(taken_back(turn, tuple(back)))
    turn.present(Next())


def go_back(turn: TurnContext) -> None:
    """Ask anew for the person's last answer, and from there for the one before it."""
    answered = scope(turn.form, turn.draft).correctable
    own = [f for f in answered if turn.draft.values[f.name].provenance.who == turn.draft.owner]
    left = [f for f in reversed(own) if f.name not in turn.draft.reopened]
    if not left:
        tell(turn, Phrase("nothing_to_undo"))
        return
    reopen(turn, max(left, key=lambda f: turn.draft.values[f.name].provenance.at))
    turn.present(Next())


def taken_back(turn: TurnContext, names: tuple[str, ...]) -> Phrase:
    """Say that a correction was taken back, and what counts again."""
    held = tuple(name for name in names if name in turn.draft.values)
    what = display_values(turn.form, turn.draft, held, turn.context)
    return Phrase("taken_back_what", {"what": what}) if what else Phrase("taken_back")


def tell(turn: TurnContext, *told: Utterance) -> None:
    """Say sentences above the open question; to a closed draft, by themselves."""
    if turn.draft.open:
        turn.present(Next(told))
    else:
        turn.present(Alone(told, ("begin",)) if told else ShowClosed())


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
    """Show the present card after a click that comes too late; a second one with the same answer is no news."""
    card, proposal = turn.draft.card, turn.draft.proposal
    shown = event.card and card is not None and not card.hidden and message_of(event.card) == message_of(card.id)
    value = turn.draft.values.get(event.field)
    if shown and value is not None and value.data == event.value:
        return
    if proposal is not None and proposal.act != "disclose":
        turn.change(Proposed(None))
    turn.present(OutOfDate(event.card, event.field))


def told_worse(turn: TurnContext, field: Field, message: str) -> bool:
    """Return True if the worse answer is the answer, or is recorded beside it from this very message; further words count as well."""
    value = turn.draft.values.get(field.name)
    beside = ((d.field, d.provenance.message) for d in turn.draft.disclosures)
    return (value is not None and value.data == field.worse) or (field.name, message) in beside


def admission(turn: TurnContext, field: Field, words: str) -> Admission | None:
    """Return where the words tell the worse answer, by the form's own words or the field's name."""
    return next(worse_told(field, words, turn.context, turn.draft), None)


def disclose(turn: TurnContext, field: Field, words: str, message: str, reader: str = "") -> None:
    """Record a worse answer, stop the request and notify the reviewers; every card is void with that."""
    provenance = Provenance(turn.draft.owner, turn.event.at, "read" if reader else "clicked", message, words, reader)
    turn.change(Disclosed(Disclosure(field.name, provenance)))
    if turn.draft.proposal and turn.draft.proposal.act == "disclose":
        turn.change(Proposed(None))
    move(turn, "disclose")
    state, reason = "escalated", f"disclosed:{field.name}"
    if turn.filed.number:
        turn.do(Amend(turn.filed.number, state, reason))
        _void_decisions(turn, state, "disclosed")
    else:
        turn.do(File(state, (reason,), ""))
        turn.change(RecordMoved(state, "disclosed"))
    turn.do(Announce("disclosure", (reason,), turn.filed.number, state))
    turn.present(Alone((Phrase("disclosed"),)))


def _void_decisions(turn: TurnContext, state: str, why: str) -> None:
    """Void what was decided, and leave nothing to decide on."""
    before = turn.draft
    if not before.filed.state:
        return
    nothing = PendingDecision("", before.filed.pending.channel, kept=before.filed.pending.kept)
    turn.change(RecordMoved(state, why), DecisionsVoided(why), PendingDecisionSet(nothing))
    if before.filed.pending.card:
        turn.do(Repaint(before.filed.pending.card, DecisionCard(before.filed.state)))


def ask_to_disclose(turn: TurnContext, field: Field, words: str, message: str) -> None:
    """Ask if words are a disclosure that only a model took for one; until the click nothing is submitted."""
    card = turn.show(Confirm("disclose", field.name))
    turn.change(Proposed(Proposal("disclose", card, field.name, turn=turn.draft.turn, words=words, message=message)))


def hear_worse(turn: TurnContext, text: str, message: str) -> bool:
    """Record a worse answer that the words tell, or ask for a click where they may tell one. Return False where they tell none."""
    fields = [f for f in scope(turn.form, turn.draft).disclosable if not told_worse(turn, f, message)]
    told = [(f, found) for f in fields if (found := admission(turn, f, text))]
    for field, found in sorted(told, key=lambda pair: not pair[1].sure)[:1]:
        act = disclose if found.sure else ask_to_disclose
        act(turn, field, text, message)
    return bool(told)
