"""What a person may ask for at any time, by word or by button: cancel, start over, help, what is missing, a person, undo."""

from state.advance.answering import keep, too_few
from state.advance.moving import hand_over, person_way
from state.advance.showing import freeze_cards, show_next
from state.advance.transitions import move
from state.advance.work import Work
from state.draft.changes import CardOpened, Proposed, UndoKept, ValueSet
from state.draft.draft import Proposal, Status
from state.draft.missing import missing
from state.draft.stages import last_word
from state.engine.cards import (
    Confirm,
    Moved,
    Notice,
    Phrase,
    Utterance,
    Verbatim,
)
from state.engine.effects import Announce, Begin, Gather, Repaint
from state.fields import kind_of


def ask_cancel(work: Work) -> None:
    """Ask once; the click does it."""
    _ask(work, "cancel")


def ask_restart(work: Work) -> None:
    """Ask once; the old draft stays until the click."""
    _ask(work, "restart")


def _ask(work: Work, act: str) -> None:
    if not work.draft.open:
        say_closed(work)
        return
    name = work.post(Confirm("restart" if act == "restart" else "cancel"))
    work.change(Proposed(Proposal("restart" if act == "restart" else "cancel", name)))


def cancel(work: Work) -> None:
    """Cancel the draft: nothing is filed, the open card is closed."""
    _close(work, "cancel")
    work.post(Notice((Phrase("cancelled"),), ("begin",)))


def restart(work: Work) -> None:
    """Give this draft up and begin the form anew in the same place."""
    _close(work, "restart")
    work.do(Begin(work.form.name))


def stay(work: Work) -> None:
    """Keep things as they are, after being asked."""
    if work.draft.proposal:
        work.do(Repaint(work.draft.proposal.card, Moved("kept")))
        work.change(Proposed(None))
    if work.draft.open:
        show_next(work)


def help_out(work: Work) -> None:
    """How this works, then the open question again."""
    tell(work, Phrase("help", {"form": work.form.title}))


def list_missing(work: Work) -> None:
    """The open fields by their labels, then the question again."""
    labels = [f.label for f in missing(work.form, work.draft)]
    tell(work, Phrase("missing_list", {"fields": ", ".join(labels)}) if labels else Phrase("nothing_missing"))


def call_person(work: Work) -> None:
    """Those who decide are told, with what is filled, what is missing and why; the person goes on as they like, or the bot falls silent."""
    if work.form.stuck == "hand_over" or person_way(work):
        hand_over(work, "asked")
        show_next(work)
    else:
        work.do(Announce("person", reasons=("asked",)))
        tell(work, Phrase("person_asked"))


def show(work: Work) -> None:
    """The open question or the review, again, at the end of the conversation."""
    tell(work)


def finish(work: Work) -> None:
    """That is all: of the files that were asked for, where there are enough; else the open question or the review again."""
    field = work.form.fields.get(work.draft.asked)
    value = work.draft.values.get(work.draft.asked)
    if field is not None and kind_of(field).collects and value is not None and not too_few(field, value.data):
        keep(work, field)
    show(work)


def list_requests(work: Work) -> None:
    """The person's own requests, from the records."""
    work.do(Gather("command", name="my_requests"))


def undo(work: Work) -> None:
    """Take the last correction back, while nothing came after it."""
    if not work.draft.undo or not work.draft.open:
        tell(work, Phrase("nothing_to_undo"))
        return
    work.change(*(ValueSet(name, value) for name, value in work.draft.undo.items()), UndoKept({}))
    work.tell(Phrase("taken_back"))
    show_next(work)


def say_closed(work: Work) -> None:
    """A closed draft says so, and offers a new one."""
    key = {"submitted": "already_filed", "escalated": "with_compliance", "cancelled": "cancelled"}[work.draft.status]
    said = last_word(work.form, work.draft)
    ending = (Verbatim(said),) if said and work.draft.status is Status.SUBMITTED else ()
    work.post(Notice((*work.news, Phrase(key, {"number": work.draft.record}), *ending), ("begin",)))


def tell(work: Work, *told: Utterance) -> None:
    """Sentences above the open question; to a closed draft, by themselves."""
    if work.draft.open:
        show_next(work, *told)
    elif told:
        work.post(Notice(told, ("begin",)))
    else:
        say_closed(work)


def _close(work: Work, trigger: str) -> None:
    move(work, trigger)
    open_cards = (work.draft.card and work.draft.card.id, work.draft.proposal and work.draft.proposal.card)
    work.do(*(Repaint(card, Moved("closed")) for card in open_cards if card))
    work.change(CardOpened(None), Proposed(None))
    freeze_cards(work)
