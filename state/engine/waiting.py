"""Operations that wait for a click, several at a time: each has its own card, ends once, and its ending names it."""

from collections.abc import Iterable, Sequence

from state.draft.changes import FileWaits, OperationEnded, OperationKept
from state.draft.draft import PendingOperation, Subject
from state.draft.operations import Wanted
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine.cards import Act, Notice
from state.engine.context import TurnContext
from state.engine.effects import Operate
from state.engine.events import OperationCompleted
from state.fields import kind_of
from state.form import Form
from state.language import language_of
from state.language.tokens import keys_of


def standing(turn: TurnContext) -> tuple[PendingOperation, ...]:
    """Those that may still be clicked, the oldest first."""
    return tuple(o for o in turn.draft.pending_operations if not o.clicked)


def by_proposal(turn: TurnContext, proposal: str) -> PendingOperation | None:
    """The one that shows this proposal, clicked or not."""
    return next((o for o in turn.draft.pending_operations if o.proposal == proposal), None)


def last_said(turn: TurnContext) -> PendingOperation | None:
    """The one whose card is the last thing said: nothing was typed, clicked or done since it was put up."""
    one = turn.draft.waiting
    return one if one and one.turn == turn.before.turn and one.turn > turn.draft.deed_turn else None


def newer_than_deeds(turn: TurnContext) -> tuple[PendingOperation, ...]:
    """Those that were put up after the last deed."""
    return tuple(o for o in standing(turn) if o.turn > turn.draft.deed_turn or o.turn < 0)


def put_up(turn: TurnContext, event: OperationCompleted) -> None:
    """A card of its own beside those that stand. What it puts right gives way to it, and both cards say so."""
    about = subjects(turn.form, event.calls)
    given_up = give_way(turn, event)
    same = next((o for o in standing(turn) if event.what and o.what == event.what), None)
    told = (*event.told, *instead_of(given_up), *((Phrase("op_waits_too"),) if same else ()))
    card = turn.show(Act(event.proposal, told, event.picks))
    files = turn.draft.files_waiting
    one = PendingOperation(
        event.proposal, card, event.what, turn.draft.turn, about, files, picks=max(len(event.picks), 1)
    )
    turn.change(*(FileWaits(f, False) for f in files), OperationKept(one))
    turn.do(Operate("expire", turn.draft.turn, proposal=event.proposal, card=card, after=event.seconds))


def give_way(turn: TurnContext, event: OperationCompleted) -> tuple[PendingOperation, ...]:
    """End what the newer call takes the place of: the same change of the same row, or the same thing in words that put it right."""
    about = subjects(turn.form, event.calls)
    old = tuple(o for o in standing(turn) if replaces(turn.form, about, o.about, corrects=event.corrects))
    for one in old:
        call_off(turn, one, "op_replaced")
    return old


def instead_of(given_up: Iterable[PendingOperation]) -> tuple[Utterance, ...]:
    """What a newer proposal says of those whose place it takes."""
    return tuple(Phrase("op_instead", {"what": one.what}) for one in given_up if one.what)


def call_off(turn: TurnContext, one: PendingOperation, why: str) -> None:
    """End it, here and on the server; its files wait for other words again."""
    end(turn, one, (Phrase(why),))
    turn.do(Operate("cancel", turn.draft.turn, proposal=one.proposal, card=one.card))


def end(turn: TurnContext, one: PendingOperation, why: tuple[Utterance, ...]) -> None:
    """It waits no more: its card says why, and what it was."""
    turn.change(OperationEnded(one.proposal), *(FileWaits(f, True) for f in one.files))
    turn.turn_into(one.card, Notice(ending(why, one)))


def ending(why: tuple[Utterance, ...], one: PendingOperation | None) -> tuple[Utterance, ...]:
    """How it ended, then what it was."""
    return (*why, Verbatim(one.what)) if one and one.what else why


def which_one(turn: TurnContext) -> tuple[Utterance, ...]:
    """What waits, by name, and that a press decides: no word confirms one of several, or all at once."""
    found = standing(turn)
    names = tuple(Verbatim(f"• {one.what}") for one in found if one.what)
    return (Phrase("op_which" if len(found) > 1 else "op_press"), *names)


def subjects(form: Form, calls: Sequence[Wanted]) -> tuple[Subject, ...]:
    """What calls are about."""
    return tuple(_subject(form, call) for call in calls if call.operation in form.operations)


def _subject(form: Form, call: Wanted) -> Subject:
    fields = form.operations[call.operation].fields
    listing = {kind_of(fields[n]).listing: data for n, data in call.arguments.items() if n in fields}
    parts = tuple(sorted(n for n in call.arguments if n in fields and kind_of(fields[n]).listing != "row"))
    return Subject(call.operation, int(str(listing.get("row", 0))), str(listing.get("name", "")), parts)


def replaces(form: Form, new: Sequence[Subject], old: Sequence[Subject], *, corrects: bool) -> bool:
    """Whether the new calls take the place of all that the old ones would do."""
    return bool(old) and all(any(_replaces(form, n, o, corrects=corrects) for n in new) for o in old)


def _replaces(form: Form, new: Subject, old: Subject, *, corrects: bool) -> bool:
    if new.operation != old.operation:
        return False
    if old.row:
        return new.row == old.row and set(old.parts) <= set(new.parts)
    words = [set(keys_of(name, language_of(form.language))) for name in (new.name, old.name)]
    return corrects and all(words) and (words[0] <= words[1] or words[1] <= words[0])
