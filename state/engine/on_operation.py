"""Operations came to something (Operated): shown on the card that was clicked, or below; what waits for a click gets its card."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from state.draft.changes import (
    ChatLineAdded,
    Counted,
    DocumentKept,
    FileWaits,
    OperationEnded,
    OperationKept,
    TurnBegun,
)
from state.draft.documents import UNREAD
from state.draft.draft import ChatLine, PendingOperation, Subject
from state.draft.operations import Wanted
from state.draft.reply import Reply, Round
from state.draft.scope import PERSON
from state.draft.speech import Act, Saying
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine import acts, cards
from state.engine.cards import Notice
from state.engine.context import Acts, Alone, Hold, Next, TurnContext
from state.engine.effects import Attach, CallModel, Discard, Operate, Whisper
from state.engine.events import Clicked, DocumentsReceived, MessageReceived, ModelReplied, OperationCompleted, is_quick
from state.engine.offers import RULES
from state.engine.speech import heed_small_talk, told_by, voiced
from state.engine.unread import read_fresh
from state.fields import kind_of
from state.fields.tools import file_field
from state.form import Form
from state.form.schema import Operation
from state.guards.operations import Verdict, is_kind_word, judge_in_place, judge_reply
from state.language import LANGUAGES, language_of
from state.language.tokens import keys_of
from state.understanding.acceptance import is_about_all, is_acceptance, is_refusal
from state.understanding.commands import SpokenCommand as Command
from state.understanding.corrections import is_announced
from state.understanding.evidence import fresh_lines, is_one_of, newest_line


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
    card = turn.show(cards.Act(event.proposal, told, event.picks))
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


def takes_files(form: Form) -> Operation | None:
    """The operation that a file calls."""
    return next((o for o in form.operations.values() if file_field(o)), None)


def attach(turn: TurnContext, event: DocumentsReceived) -> None:
    """With words, the files wait for what these come to; alone, they go with the row that was touched last."""
    good = [d for d in event.documents if d.problem in UNREAD]
    for document in event.documents:
        if document.problem not in UNREAD:
            turn.tell(Phrase(f"file_{document.problem}", {"file": document.name}))
    last = turn.draft.last_entry
    for document in good:
        turn.change(DocumentKept(document))
        if last and not event.worded:
            _attach_to(turn, document.id, last)
        else:
            turn.change(FileWaits(document.id, True))
    if good and not last and not event.worded:
        turn.tell(Phrase("op_file_waits", {"file": ", ".join(d.name for d in good)}))
    if not event.worded:
        turn.present(Hold())


def attach_waiting(turn: TurnContext, event: OperationCompleted) -> None:
    """Files that waited go with the row that was just made: those of the proposal that was clicked, else those of the words."""
    one = next((o for o in turn.draft.pending_operations if o.proposal == event.proposal), None)
    for document in one.files if one else turn.draft.files_waiting:
        turn.change(FileWaits(document, False))
        _attach_to(turn, document, event.last)


def let_go(turn: TurnContext) -> None:
    """Nothing came of the words: files that waited for them are not kept."""
    waiting = turn.draft.files_waiting
    if waiting:
        turn.change(*(FileWaits(document, False) for document in waiting))
        turn.do(Discard(waiting))


def _attach_to(turn: TurnContext, document: str, number: int) -> None:
    operation = takes_files(turn.form)
    row = next((f.name for f in operation.fields.values() if kind_of(f).listing == "row"), "") if operation else ""
    if operation and row:
        wanted = Wanted(operation.name, {row: number, file_field(operation): document})
        turn.do(Operate("call", turn.draft.turn, (wanted,)))


NOTHING_DONE = Phrase("op_nothing_done")


def answer(turn: TurnContext, event: ModelReplied) -> None:
    """A reply in a conversation of operations alone: run what it calls, show what it says, or ask once more, then say so."""
    if any(call.tool == PERSON for call in event.reply.calls):
        say(turn, (Phrase("person_offer"),), ("person",))
        return
    verdict = judge_reply(turn.form, turn.draft, event.reply, turn.context)
    for call in event.reply.calls:
        turn.log(call, event.reader, verdict.results.get(call.id, {"status": "ok"}))
    if verdict.flaw:
        _once_more(turn, event, verdict)
    elif verdict.wanted:
        operate(turn, verdict.wanted)
        turn.present(Hold())
    elif is_kind_word(verdict):
        _make_do(turn, event, verdict.said)
    elif event.reader == RULES and _puts_right(turn):
        _set_aside(turn)
    elif verdict.said:
        _voice(turn, verdict.said)
    else:
        turn.hear_bot(verdict.text)
        say(turn, (Verbatim(verdict.text), NOTHING_DONE))


def _voice(turn: TurnContext, said: tuple[Saying, ...], more: tuple[Utterance, ...] = (), acts: Acts = ()) -> None:
    """What was wanted said, as code words it. A text of the house's own is heard: it may be the question that comes next."""
    told = (*told_by(turn.draft, said), *voiced(turn, said), *more)
    for saying in said:
        if saying.text:
            turn.hear_bot(saying.text)
    person = any(saying.act is Act.OFFER_PERSON for saying in said)
    say(turn, told, ("person",) if person else acts)


def operate(turn: TurnContext, wanted: tuple[Wanted, ...]) -> None:
    """Hand calls to the operations; what comes of them is shown once it is known."""
    corrects = any(is_announced(line.text, turn.context) for line in fresh_lines(turn.draft))
    turn.do(Operate("call", turn.draft.turn, wanted, corrects=corrects))


def _once_more(turn: TurnContext, event: ModelReplied, verdict: Verdict) -> None:
    """What was wrong is said to the model once; after that the person gets a clear sentence, and nothing has run."""
    if event.reader != RULES and not event.regenerated:
        rounds = (*event.exchange, Round(event.reply, verdict.results, verdict.flaw))
        turn.ask_model(CallModel(event.turn, event.step + 1, event.purpose, event.act, (), rounds, regenerated=True))
    else:
        _make_do(turn, event)


def _make_do(turn: TurnContext, event: ModelReplied, kind: tuple[Saying, ...] = ()) -> None:
    """Fall back on the rules where a reply is of no use: what they read waits for a click; else it is said that nothing was done.

    `kind`: what the reply says for its own sake.
    """
    read = read_fresh(turn.form, turn.draft, turn.context) if event.reader != RULES else Reply()
    verdict = judge_in_place(turn.form, turn.draft, read, turn.context)
    if _puts_right(turn):
        _set_aside(turn)
    elif verdict.wanted:
        operate(turn, verdict.wanted)
        turn.present(Hold())
    elif verdict.said:
        asks = any(saying.text for saying in verdict.said)
        _voice(turn, verdict.said, () if event.reader == RULES else (NOTHING_DONE,), () if asks else ("help",))
    elif kind:
        acknowledges = any(saying.act is Act.ACKNOWLEDGE for saying in kind)
        _voice(turn, kind, (NOTHING_DONE,) if acknowledges else ())
    elif event.reply.text and not event.reply.calls:
        say(turn, (*heed_small_talk(turn), NOTHING_DONE), ("help",))
    else:
        say(turn, heed_small_talk(turn) or (Phrase("op_invalid"),), ("help",))


def _puts_right(turn: TurnContext) -> bool:
    """Return True if something waits, and the newest words announce that something was wrong."""
    line = newest_line(turn.draft)
    return bool(turn.draft.waiting) and line is not None and is_announced(line.text, turn.context)


def _set_aside(turn: TurnContext) -> None:
    """Words put something right and do not say what: the one thing that waits is to be said anew; of several, nobody knows which."""
    found = standing(turn)
    if len(found) == 1:
        call_off(turn, found[0], "op_cancelled")
        say(turn, ending((Phrase("op_say_again"),), found[0]))
    else:
        say(turn, (Phrase("op_say_which"), *which_one(turn)))


def confirm(turn: TurnContext, event: Clicked) -> None:
    """The click that runs it: only on the card that waits, only once, and with no word of a model's."""
    one, picked = _clicked(turn, event), str(event.value or "").partition("/")[2]
    if one is not None:
        turn.change(TurnBegun())
        _run(turn, one, int(picked or 0))


def decline(turn: TurnContext, event: Clicked) -> None:
    """The other click: nothing runs, now or later."""
    one = _clicked(turn, event)
    if one is not None:
        turn.change(TurnBegun())
        _give_up(turn, one)


def _clicked(turn: TurnContext, event: Clicked) -> PendingOperation | None:
    """The operation that the click is about; where it waits no more, the person is told so."""
    proposal, _, picked = str(event.value or "").partition("/")
    found = (o for o in standing(turn) if (o.card, o.proposal) == (event.card, proposal))
    one = next((o for o in found if picked in ("", *map(str, range(o.picks)))), None)
    if one is None:
        turn.do(Whisper(event.who, Phrase("op_used")))
    return one


def _run(turn: TurnContext, one: PendingOperation, pick: int = 0) -> None:
    turn.change(OperationKept(replace(one, clicked=True)))
    turn.do(Operate("confirm", turn.draft.turn, proposal=one.proposal, card=one.card, pick=pick))


def _give_up(turn: TurnContext, one: PendingOperation) -> None:
    """The person wants none of it: it ends, and files that came for it are not kept."""
    _call_off_aloud(turn, one)
    let_go(turn)


def _call_off_aloud(turn: TurnContext, one: PendingOperation) -> None:
    """Where the talk has gone on below its card, its end is told there as well."""
    here = isinstance(turn.event, Clicked) or one.turn in (turn.before.turn, -1)
    call_off(turn, one, "op_cancelled")
    if not here:
        say(turn, ending((Phrase("op_cancelled"),), one))


def _in_any(means: Callable[[str, str], bool], text: str) -> bool:
    """People say yes and no in another language than the form's as well."""
    return any(means(text, spoken.example) for spoken in LANGUAGES.values())


def answered(turn: TurnContext, text: str) -> bool:
    """A yes or a no in words, while something waits; False where the words are neither.

    A yes runs the one thing that waits, where the form lists these very words and its card is the last thing said and could be read; a no
    ends it.
    Of several, words choose none and never all: these are named, and a press decides.
    """
    found, last = standing(turn), last_said(turn)
    if not found or not (turn.form.conversational or last):
        return False
    consents, no = is_one_of(text, turn.form.consent), _in_any(is_refusal, text)
    alone = last is not None and found == (last,) and (no or last.picks == 1)
    quick = isinstance(turn.event, MessageReceived) and is_quick(turn.event)
    if alone and last and ((consents and not quick) or no):
        _run(turn, last) if consents else _give_up(turn, last)
    elif consents or no or _in_any(is_acceptance, text) or _in_any(is_about_all, text):
        say(turn, which_one(turn))
    else:
        return False
    return True


def take_back(turn: TurnContext, event: Clicked) -> None:
    """Undo what this card reports."""
    turn.change(TurnBegun())
    turn.do(Operate("undo", turn.draft.turn, proposal=str(event.value or ""), card=event.card))


def say(turn: TurnContext, told: tuple[Utterance, ...], acts: Acts = (), about: str = "") -> None:
    """Sentences; in a form with questions of its own, above the one that is open."""
    if turn.form.conversational or not turn.draft.open or acts:
        turn.present(Alone(told, acts, about))
    else:
        turn.present(Next(told))


def _undo(turn: TurnContext) -> None:
    """Take back what came last: the one proposal that was put up since, else the last deed; of several proposals, nobody knows which."""
    found = newer_than_deeds(turn)
    if len(found) == 1:
        _call_off_aloud(turn, found[0])
    elif found:
        say(turn, which_one(turn))
    else:
        turn.do(Operate("undo", turn.draft.turn))


def _cancel(turn: TurnContext) -> None:
    found = standing(turn)
    if len(found) == 1:
        _give_up(turn, found[0])
    else:
        say(turn, which_one(turn) if found else (Phrase("op_nothing_waits"),))


def _submit(turn: TurnContext) -> None:
    """ "Confirm" in words: what waits is named, and confirmed by nothing but its press."""
    line = newest_line(turn.draft)
    if standing(turn) and line and not answered(turn, line.text):
        say(turn, which_one(turn))
    elif not standing(turn):
        _help(turn)


def _help(turn: TurnContext) -> None:
    say(turn, (Phrase("op_help", {"form": turn.form.title, "introduction": turn.form.introduction}),))


COMMANDS: Mapping[Command, Callable[[TurnContext], None]] = {
    Command.CANCEL: _cancel,
    Command.START_OVER: _cancel,
    Command.HELP: _help,
    Command.MISSING: _help,
    Command.PERSON: acts.call_person,
    Command.UNDO: _undo,
    Command.SUBMIT: _submit,
    Command.MY_REQUESTS: _help,
}


HEARD = 600
"""Characters of an outcome that stay in the conversation."""
NOTHING_LEFT = Phrase("op_nothing_to_undo")


def on_operation(turn: TurnContext, event: OperationCompleted) -> None:
    """One small handler for each way in which operations end; files that they made are put into the conversation."""
    OUTCOMES[event.came](turn, event)
    for sheet in event.files:
        turn.do(Attach(sheet.name, sheet.title, sheet.text, sheet.data, alt=sheet.alt))


def _done(turn: TurnContext, event: OperationCompleted) -> None:
    if event.last:
        turn.change(Counted("last_entry", event.last))
        attach_waiting(turn, event)
    if event.undoable or event.act == "undo":
        turn.change(Counted("deed_turn", turn.draft.turn))
    _hear(turn, event.text)
    told = (*event.told, *instead_of(give_way(turn, event)))
    acts: Acts = ("take_back",) if event.undoable else ()
    if by_proposal(turn, event.proposal):
        turn.change(OperationEnded(event.proposal))
    if event.card:
        turn.turn_into(event.card, Notice(told, acts, event.proposal))
    if event.act == "undo" or not event.card:
        say(turn, told, acts, event.proposal)


def _waits(turn: TurnContext, event: OperationCompleted) -> None:
    """It gets a card of its own; what waits already goes on waiting."""
    _hear(turn, event.text)
    put_up(turn, event)


def _refused(turn: TurnContext, event: OperationCompleted) -> None:
    """What cannot be done is said; a card that was clicked in vain offers nothing any more, and says what it was.

    One on which nothing is left to take back goes on saying how it ended.
    """
    one = by_proposal(turn, event.proposal) if event.proposal else None
    if one is not None:
        end(turn, one, event.told)
    elif event.card and event.told == (NOTHING_LEFT,):
        turn.do(Whisper(turn.draft.owner, NOTHING_LEFT))
    elif event.card and event.act != "confirm":
        turn.turn_into(event.card, Notice(event.told))
    elif not event.card:
        say(turn, event.told)


def _ended(turn: TurnContext, event: OperationCompleted) -> None:
    """Its time has passed: its card says so, once, and what it was; where the talk has gone on below that card, so does a line there."""
    one = by_proposal(turn, event.proposal)
    if one is None:
        return
    why: tuple[Utterance, ...] = (Phrase(f"op_{event.came}"),)
    gone_on = one.what and 0 <= one.turn < turn.draft.turn and not one.clicked
    end(turn, one, why)
    if gone_on:
        say(turn, ending(why, one))


def _nothing(_turn: TurnContext, _event: OperationCompleted) -> None:
    """The proposal had come to its end before: its card says how."""


def _hear(turn: TurnContext, text: str) -> None:
    """What was done enters the conversation as code's own line: what the person said before it is used up."""
    if text:
        turn.change(ChatLineAdded(ChatLine("assistant", text[:HEARD], clicked=True)))


OUTCOMES: Mapping[str, Callable[[TurnContext, OperationCompleted], None]] = {
    "done": _done, "waits": _waits, "asks": _waits, "refused": _refused, "cancelled": _ended, "expired": _ended, "nothing": _nothing,
}  # fmt: skip
