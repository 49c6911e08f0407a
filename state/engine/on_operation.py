"""A conversation that does things: what is called becomes an operation, only a click confirms one that waits, files go with rows.

An operation comes back as OperationCompleted: shown on the card that was clicked, or below.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from state.draft import changes
from state.draft.documents import UNREAD
from state.draft.draft import ChatLine, PendingOperation
from state.draft.operations import Wanted
from state.draft.reply import Reply, Round
from state.draft.scope import PERSON
from state.draft.topics import Act, Saying, utterance
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine import acts, cards
from state.engine.cards import Notice
from state.engine.context import Acts, Alone, Hold, Next, TurnContext
from state.engine.effects import Attach, CallModel, Discard, Ephemeral, Operate
from state.engine.events import Clicked, DocumentsReceived, MessageReceived, ModelReplied, OperationCompleted, is_quick
from state.engine.offers import RULES
from state.engine.speech import answer_small_talk, voiced
from state.engine.unread import read_fresh
from state.fields import file_field, kind_of
from state.form import Form
from state.form.field import Data
from state.form.schema import Operation
from state.guards.operations import judge_in_place, judge_reply, takes_nothing, tells_refund
from state.language import LANGUAGES, language_of
from state.language.tokens import asks, keys_of
from state.understanding.commands import SpokenCommand as Command
from state.understanding.corrections import dropped, is_announced, states
from state.understanding.evidence import fresh_lines, is_one_of, newest_line
from state.understanding.operations import told_of_it
from state.understanding.plain_answers import is_about_all, is_acceptance, is_refusal, says_enough
from state.understanding.rows import adds, change_of, just_touched, name_field, row_of

NOTHING_DONE = Phrase("op_nothing_done")
NOTHING_LEFT = Phrase("op_nothing_to_undo")
HEARD = 600
"""Characters of an outcome that stay in the conversation."""


# A model or the rules answered


def answer(turn: TurnContext, event: ModelReplied) -> None:
    """Run what a reply calls, show what it says, or ask once more, then say that nothing was done."""
    if event.reader == RULES and any(call.tool == PERSON for call in event.reply.calls):
        say(turn, (Phrase("person_offer"),), ("person",))
        return
    if (event.reader == RULES or not event.reply.calls) and _drops_one(turn):
        return
    verdict = judge_reply(turn.form, turn.draft, event.reply, turn.context)
    for call in event.reply.calls:
        turn.log(call, event.reader, verdict.results.get(call.id, {"status": "ok"}))
    if verdict.flaw and event.reader != RULES and not event.regenerated:
        rounds = (*event.exchange, Round(event.reply, verdict.results, verdict.flaw))
        turn.ask_model(CallModel(event.turn, event.step + 1, event.purpose, event.act, (), rounds, regenerated=True))
    elif verdict.flaw:
        _make_do(turn, event)
    elif verdict.wanted:
        _put_to_work(turn, verdict.wanted)
    elif event.reader != RULES and takes_nothing(turn.draft, verdict, turn.context):
        _make_do(turn, event, verdict.said)
    elif _put_right(turn, aside=event.reader == RULES):
        return
    elif verdict.said:
        _voice(turn, verdict.said)
    else:
        turn.hear_bot(verdict.text)
        say(turn, (Verbatim(verdict.text), NOTHING_DONE), ("feedback",))


def _voice(turn: TurnContext, said: tuple[Saying, ...], more: tuple[Utterance, ...] = (), acts: Acts = ()) -> None:
    """Say what was wanted said, as code words it. A text of the house's own is heard: it may be the question that comes next."""
    told = (*(utterance(turn.draft, one) for one in said if one.text), *voiced(turn, said), *more)
    for one in said:
        if one.text:
            turn.hear_bot(one.text)
    person = any(one.act is Act.OFFER_PERSON for one in said)
    say(turn, told, ("person",) if person else acts)


def _put_to_work(turn: TurnContext, wanted: tuple[Wanted, ...]) -> None:
    """Hand calls to the operations, unless they put right what several things that wait are called: then ask which."""
    waiting = [call for one in _open(turn) for call in one.calls]
    several = any(sum(_names_same(turn.form, new, old) for old in waiting) > 1 for new in wanted)
    if several and any(_may_correct(turn, line.text) for line in fresh_lines(turn.draft)):
        say(turn, (Phrase("op_say_which"), *_which_one(turn)))
        return
    operate(turn, wanted)
    turn.present(Hold())


def operate(turn: TurnContext, wanted: tuple[Wanted, ...]) -> None:
    """Hand calls to the operations; the result is shown once it is known."""
    corrects = any(_may_correct(turn, line.text) for line in fresh_lines(turn.draft))
    calls = _over(turn, wanted) if corrects else wanted
    if corrects and calls == wanted and not wanted[1:] and adds(turn.form.operations[wanted[0].operation]):
        calls = (replace(wanted[0], corrects=True),)
    turn.do(Operate("call", turn.draft.turn, calls, corrects=corrects))


def _may_correct(turn: TurnContext, text: str) -> bool:
    """Return True for words that announce a correction, or tell of a thing what it was, or nothing but its day, currency or kind: of one that
    waits, they put that right.
    """
    return is_announced(text, turn.context) or states(text, turn.context) or _tells_detail(turn, text)


def _tells_detail(turn: TurnContext, text: str) -> bool:
    told, change = told_of_it(turn.form, text, turn.context), change_of(turn.form)
    listings = {kind_of(f).listing for n, f in change.fields.items() if n in told} if change else set()
    return listings == {"detail"} and not asks(text)


def _over(turn: TurnContext, wanted: tuple[Wanted, ...]) -> tuple[Wanted, ...]:
    """Return the calls over those of a card that they put right: its other things stay, and what was said of the same thing before."""
    for one in reversed(_open(turn)):
        meant = [next((n for n in wanted if _names_same(turn.form, n, old)), None) for old in one.calls]
        if any(meant):
            put = (_put_over(turn, old, new) if new else old for old, new in zip(one.calls, meant, strict=True))
            return (*put, *(new for new in wanted if new not in meant))
    return wanted


def _put_over(turn: TurnContext, old: Wanted, new: Wanted) -> Wanted:
    """Return a call with what a newer one tells of the same thing: neither its name nor what is only usual."""
    kinds = {name: kind_of(turn.form.operations[old.operation].fields[name]) for name in new.arguments}
    guessed = {
        n
        for n in new.inferred
        if (usual := kinds[n].usual) and usual(turn.context, turn.form.currency_hint) == new.arguments[n]
    }
    told = {n: data for n, data in new.arguments.items() if kinds[n].listing != "name" and n not in guessed}
    left = tuple(n for n in old.inferred if n not in told) + tuple(n for n in new.inferred if n in told)
    return replace(new, arguments={**old.arguments, **told}, inferred=left)


def _drops_one(turn: TurnContext) -> bool:
    """Post the card that waits anew without the one of its things that the newest words take away, or end it; False where they take none."""
    line, waits = newest_line(turn.draft), turn.draft.waiting
    things = [(one, call) for one in _open(turn) for call in one.calls]
    newest = [(one, call) for one, call in things if one == waits and one.turn >= turn.draft.turn - 1 and one.calls[1:]]
    for some, placed in ((newest, True), (things, False)):
        names = [_told(turn.form, call, "name") for _, call in some]
        if line and (at := dropped(line.text, names, turn.context, placed=placed)) is not None:
            _drop(turn, *some[at])
            return True
    return False


def _drop(turn: TurnContext, one: PendingOperation, call: Wanted) -> None:
    """Take one thing off what waits."""
    if left := tuple(replace(c, words="") for c in one.calls if c is not call):
        _call_off(turn, one, "op_replaced")
        turn.do(Operate("call", turn.draft.turn, left))
        turn.present(Hold())
    else:
        _give_up(turn, one)


def _make_do(turn: TurnContext, event: ModelReplied, kind: tuple[Saying, ...] = ()) -> None:
    """Fall back on the rules where a reply is of no use: what they read waits for a click; else say that nothing was done.

    `kind`: what the reply says for its own sake.
    """
    read = read_fresh(turn.form, turn.draft, turn.context) if event.reader != RULES else Reply()
    verdict = judge_in_place(turn.form, turn.draft, read, turn.context)
    if _drops_one(turn):
        return
    if verdict.wanted:
        _put_to_work(turn, verdict.wanted)
    elif _put_right(turn):
        return
    elif verdict.said:
        asks = any(saying.text for saying in verdict.said)
        _voice(turn, verdict.said, () if event.reader == RULES else (NOTHING_DONE,), () if asks else ("help",))
    elif any(tells_refund(turn.form, line.text, turn.context) for line in fresh_lines(turn.draft)):
        say(turn, (Phrase("op_refund"),), ("help",))
    elif kind:
        acknowledges = any(saying.act is Act.ACKNOWLEDGE for saying in kind)
        _voice(turn, kind, (NOTHING_DONE,) if acknowledges else ())
    elif event.reply.text and not event.reply.calls:
        say(turn, (*answer_small_talk(turn), NOTHING_DONE), ("help",))
    else:
        say(turn, answer_small_talk(turn) or (Phrase("op_invalid"),), ("help",))


def _meant(turn: TurnContext) -> tuple[PendingOperation, Wanted, Wanted] | None:
    """Return the one thing that waits of which the newest words tell something more, by its name or as the only one, and what they tell."""
    told, name = _corrected(turn), name_field(turn.form)
    things = [
        (one, old, replace(old, arguments=told, inferred=(), words="")) for one in _open(turn) for old in one.calls
    ]
    found = [it for it in things if name not in told or _names_same(turn.form, it[2], it[1])]
    return found[0] if len(found) == 1 and set(told) - {name} else None


def _corrected(turn: TurnContext) -> dict[str, Data]:
    """Return what the newest words tell of one thing, where they may correct it."""
    line = newest_line(turn.draft)
    return told_of_it(turn.form, line.text, turn.context) if line and _may_correct(turn, line.text) else {}


def _last_told(turn: TurnContext) -> tuple[Wanted, ...]:
    """Return the change that the newest words make to a row that they name, else to what was added with the turn before ("sorry, 14")."""
    told, change = _corrected(turn), change_of(turn.form)
    named = str(told.pop(name_field(turn.form), ""))
    row = row_of(change) if change and told else None
    just = 0 if _open(turn) else just_touched(turn.draft)
    if change is None or row is None or not (named or just):
        return ()
    return (Wanted(change.name, told if named else {row.name: just, **told}, words=named),)


def _put_right(turn: TurnContext, *, aside: bool = True) -> bool:
    """Post anew what the newest words put right; where they do not say what is wrong (`aside`), have it said anew; of several, ask which.

    False where they put nothing right.
    """
    found, line, last = _open(turn), newest_line(turn.draft), _last_told(turn)
    announced = aside and found and line is not None and is_announced(line.text, turn.context)
    if meant := _meant(turn):
        one, old, new = meant
        _put_to_work(turn, tuple(_put_over(turn, old, new) if call is old else call for call in one.calls))
    elif last:
        _put_to_work(turn, last)
    elif announced and len(found) == 1:
        _call_off(turn, found[0], "op_cancelled")
        say(turn, _ending((Phrase("op_say_again"),), found[0]))
    elif announced:
        say(turn, (Phrase("op_say_which"), *_which_one(turn)))
    return bool(meant or last or announced)


# The person clicks, or says yes, no, undo …


def confirm(turn: TurnContext, event: Clicked) -> None:
    """Run an operation by a click: only on the card that waits, only once, and with no word of a model's."""
    one, picked = _clicked(turn, event), str(event.value or "").partition("/")[2]
    if one is not None:
        turn.change(changes.TurnBegun())
        _run(turn, one, int(picked or 0))


def decline(turn: TurnContext, event: Clicked) -> None:
    """End an operation by a click: nothing runs, now or later."""
    one = _clicked(turn, event)
    if one is not None:
        turn.change(changes.TurnBegun())
        _give_up(turn, one)


def take_back(turn: TurnContext, event: Clicked) -> None:
    """Undo what this card reports; one that still waits reports nothing and stays as it is."""
    if any(one.card == event.card for one in _open(turn)):
        turn.do(Ephemeral(event.who, Phrase("op_nothing_to_undo")))
        return
    turn.change(changes.TurnBegun())
    turn.do(Operate("undo", turn.draft.turn, proposal=str(event.value or ""), card=event.card))


def _clicked(turn: TurnContext, event: Clicked) -> PendingOperation | None:
    """Return the operation that the click is about; where it waits no more, say so to the person."""
    proposal, _, picked = str(event.value or "").partition("/")
    found = (o for o in _open(turn) if (o.card, o.proposal) == (event.card, proposal))
    one = next((o for o in found if picked in ("", *map(str, range(o.picks)))), None)
    if one is None:
        turn.do(Ephemeral(event.who, Phrase("op_used")))
    return one


def _run(turn: TurnContext, one: PendingOperation, pick: int = 0) -> None:
    turn.change(changes.OperationKept(replace(one, clicked=True)))
    turn.do(Operate("confirm", turn.draft.turn, proposal=one.proposal, card=one.card, pick=pick))


def _give_up(turn: TurnContext, one: PendingOperation) -> None:
    """End one that the person does not want; files that came for it are not kept."""
    _call_off_aloud(turn, one)
    if waiting := turn.draft.files_waiting:
        turn.change(*(changes.FileWaits(document, False) for document in waiting))
        turn.do(Discard(waiting))


def _call_off_aloud(turn: TurnContext, one: PendingOperation) -> None:
    """Call one off; where the conversation has gone on below its card, say so there as well."""
    _call_off(turn, one, "op_cancelled")
    if not isinstance(turn.event, Clicked) and one.turn not in (turn.before.turn, -1):
        say(turn, _ending((Phrase("op_cancelled"),), one))


def answered(turn: TurnContext, text: str) -> bool:
    """Handle a yes or a no in words, in any language, while something waits. Return False where the words are neither.

    A yes runs the one operation that waits, where the form lists these very words and its card is the last thing said and could be read;
    a no ends it. Of several, words choose none and never all: these are named, and a press decides.
    """
    found, last = _open(turn), turn.draft.waiting
    if last and (last.turn != turn.before.turn or last.turn <= turn.draft.deed_turn):
        last = None
    done = turn.form.conversational and any(says_enough(text, spoken) for spoken in LANGUAGES.values())
    if done and not found:
        say(turn, (Phrase("op_nothing_waits"),))
    if not found or not (turn.form.conversational or last):
        return done

    def means(read: Callable[[str, str], bool]) -> bool:
        return any(read(text, spoken.example) for spoken in LANGUAGES.values())

    consents, no = is_one_of(text, turn.form.consent), means(is_refusal)
    quick = isinstance(turn.event, MessageReceived) and is_quick(turn.event)
    if last and found == (last,) and (no or (consents and last.picks == 1 and not quick)):
        _run(turn, last) if consents else _give_up(turn, last)
    elif consents or no or done or means(is_acceptance) or means(is_about_all):
        say(turn, _which_one(turn))
    else:
        return False
    return True


def say(turn: TurnContext, told: tuple[Utterance, ...], acts: Acts = (), about: str = "") -> None:
    """Say sentences; in a form with questions of its own, above the one that is open."""
    if turn.form.conversational or not turn.draft.open or acts:
        turn.present(Alone(told, acts, about))
    else:
        turn.present(Next(told))


def _undo(turn: TurnContext) -> None:
    """Take back the one proposal since the last operation, else that operation; of several proposals, nobody knows which."""
    found = tuple(o for o in _open(turn) if o.turn > turn.draft.deed_turn or o.turn < 0)
    if len(found) == 1:
        _call_off_aloud(turn, found[0])
    elif found:
        say(turn, _which_one(turn))
    else:
        turn.do(Operate("undo", turn.draft.turn))


def _cancel(turn: TurnContext) -> None:
    found = _open(turn)
    if len(found) == 1:
        _give_up(turn, found[0])
    else:
        say(turn, _which_one(turn) if found else (Phrase("op_nothing_waits"),))


def _submit(turn: TurnContext) -> None:
    """Name what waits at a "confirm" in words: nothing but its press confirms it."""
    line = newest_line(turn.draft)
    if not _open(turn):
        _help(turn)
    elif line and not answered(turn, line.text):
        say(turn, _which_one(turn))


def _help(turn: TurnContext) -> None:
    say(turn, (Phrase("op_help", {"form": turn.form.title, "introduction": turn.form.introduction}),))


# It came back


def on_operation(turn: TurnContext, event: OperationCompleted) -> None:
    """Show how operations ended, by the table at the foot; put files that they made into the conversation."""
    OUTCOMES[event.came](turn, event)
    for sheet in event.files:
        turn.do(Attach(sheet.name, sheet.title, sheet.text, sheet.data, alt=sheet.alt))


def _done(turn: TurnContext, event: OperationCompleted) -> None:
    one = _by_proposal(turn, event.proposal)
    if event.last:
        turn.change(changes.Counted("last_entry", event.last))
        # Files that waited go with the row that was just made: those of the proposal that was clicked, else those of the words.
        for document in one.files if one else turn.draft.files_waiting:
            turn.change(changes.FileWaits(document, False))
            _attach_to(turn, document, event.last)
    if event.undoable or event.act == "undo":
        turn.change(changes.Counted("deed_turn", turn.draft.turn))
    _hear(turn, event.text)
    told = (*event.told, *_call_off_replaced(turn, event))
    acts: Acts = ("take_back",) if event.undoable else ()
    if _by_proposal(turn, event.proposal):
        turn.change(changes.OperationEnded(event.proposal))
    if event.card:
        turn.turn_into(event.card, Notice(told, acts, event.proposal))
    if not event.card:
        say(turn, told, acts, event.proposal)


def _waits(turn: TurnContext, event: OperationCompleted) -> None:
    """Post a card of its own beside those that are open. What it corrects is called off, and both cards say so."""
    _hear(turn, event.text)
    given_up = _call_off_replaced(turn, event)
    same = any(event.what and o.what == event.what for o in _open(turn))
    told = (*event.told, *given_up, *((Phrase("op_waits_too"),) if same else ()))
    card, files = turn.show(cards.Act(event.proposal, told, event.picks)), turn.draft.files_waiting
    one = PendingOperation(
        event.proposal, card, event.what, turn.draft.turn, event.calls, files, picks=max(len(event.picks), 1)
    )
    turn.change(*(changes.FileWaits(f, False) for f in files), changes.OperationKept(one))
    turn.do(Operate("expire", turn.draft.turn, proposal=event.proposal, card=card, after=event.seconds))


def _refused(turn: TurnContext, event: OperationCompleted) -> None:
    """Say what cannot be done; a card that was clicked in vain offers nothing any more, and says what it was.

    One on which nothing is left to take back goes on saying how it ended.
    """
    one = _by_proposal(turn, event.proposal) if event.proposal else None
    if one is not None:
        _end(turn, one, event.told)
    elif event.card and event.told == (NOTHING_LEFT,):
        turn.do(Ephemeral(turn.draft.owner, NOTHING_LEFT))
    elif event.card and event.act != "confirm":
        turn.turn_into(event.card, Notice(event.told))
    elif not event.card:
        say(turn, event.told)


def _ended(turn: TurnContext, event: OperationCompleted) -> None:
    """Say on its card that its time has passed, once, and what it was; below it too, where the conversation has gone on there."""
    one = _by_proposal(turn, event.proposal)
    if one is None:
        return
    why: tuple[Utterance, ...] = (Phrase(f"op_{event.came}"),)
    _end(turn, one, why)
    if one.what and 0 <= one.turn < turn.draft.turn and not one.clicked:
        say(turn, _ending(why, one))


def _hear(turn: TurnContext, text: str) -> None:
    """Enter the result in the conversation as code's own line: what the person said before it is used up."""
    if text:
        turn.change(changes.ChatLineAdded(ChatLine("assistant", text[:HEARD], clicked=True)))


# What waits for a click, several at a time: each has its own card and ends once


def _open(turn: TurnContext) -> tuple[PendingOperation, ...]:
    """Return those that may still be clicked, the oldest first."""
    return tuple(o for o in turn.draft.pending_operations if not o.clicked)


def _by_proposal(turn: TurnContext, proposal: str) -> PendingOperation | None:
    """Return the one that shows this proposal, clicked or not."""
    return next((o for o in turn.draft.pending_operations if o.proposal == proposal), None)


def _call_off(turn: TurnContext, one: PendingOperation, why: str) -> None:
    """End one, here and on the server; its files wait for other words again."""
    _end(turn, one, (Phrase(why),))
    turn.do(Operate("cancel", turn.draft.turn, proposal=one.proposal, card=one.card))


def _end(turn: TurnContext, one: PendingOperation, why: tuple[Utterance, ...]) -> None:
    """Have one wait no more: its card says why, and what it was."""
    turn.change(changes.OperationEnded(one.proposal), *(changes.FileWaits(f, True) for f in one.files))
    turn.turn_into(one.card, Notice(_ending(why, one)))


def _ending(why: tuple[Utterance, ...], one: PendingOperation) -> tuple[Utterance, ...]:
    """Say how it ended, then what it was."""
    return (*why, Verbatim(one.what)) if one.what else why


def _which_one(turn: TurnContext) -> tuple[Utterance, ...]:
    """Name what waits: a press decides, since no word confirms one of several, or all at once."""
    found = _open(turn)
    names = tuple(Verbatim(f"• {one.what}") for one in found if one.what)
    return (Phrase("op_which" if len(found) > 1 else "op_press"), *names)


def _call_off_replaced(turn: TurnContext, event: OperationCompleted) -> tuple[Utterance, ...]:
    """Call off each of which every call is replaced by a newer call; return what the newer one says of them."""

    def gives_way(old: Sequence[Wanted]) -> bool:
        return bool(old) and all(
            any(_replaces(turn.form, n, o, corrects=event.corrects) for n in event.calls) for o in old
        )

    replaced = tuple(one for one in _open(turn) if gives_way(one.calls))
    for one in replaced:
        _call_off(turn, one, "op_replaced")
    return tuple(Phrase("op_instead", {"what": one.what}) for one in replaced if one.what)


def _told(form: Form, call: Wanted, listing: str) -> str:
    """Return the name or the row number that a call gives, "" for none."""
    fields = form.operations[call.operation].fields if call.operation in form.operations else {}
    return next(
        (str(d) for n, d in call.arguments.items() if n in fields and kind_of(fields[n]).listing == listing), ""
    )


def _replaces(form: Form, new: Wanted, old: Wanted, *, corrects: bool) -> bool:
    """Return True if a call is the same change of the same row, or the same thing in words that correct it."""
    if row := _told(form, old, "row"):
        same = new.operation == old.operation and _told(form, new, "row") == row
        return same and set(old.arguments) <= set(new.arguments)
    return corrects and _names_same(form, new, old)


def _names_same(form: Form, new: Wanted, old: Wanted) -> bool:
    """Return True if two additions name one thing, one of them in more words."""
    first, other = (set(keys_of(_told(form, call, "name"), language_of(form.language))) for call in (new, old))
    named = new.operation == old.operation and not _told(form, old, "row") and first and other
    return bool(named) and (first <= other or other <= first)


# Files go with the row that was just changed, or wait for the one that their words make


def takes_files(form: Form) -> Operation | None:
    """Return the operation that a file calls."""
    return next((o for o in form.operations.values() if file_field(o)), None)


def attach(turn: TurnContext, event: DocumentsReceived) -> None:
    """Have files wait for what their words come to; without words, attach them to the row that was changed last."""
    good = [d for d in event.documents if d.problem in UNREAD]
    for document in event.documents:
        if document.problem not in UNREAD:
            turn.tell(Phrase(f"file_{document.problem}", {"file": document.name}))
            turn.do(*([Discard((document.id,))] if document.id else []))
    last = turn.draft.last_entry
    for document in good:
        turn.change(changes.DocumentKept(document))
        if last and not event.worded:
            _attach_to(turn, document.id, last)
        else:
            turn.change(changes.FileWaits(document.id, True))
    if event.worded:
        return
    if good and not last:
        turn.tell(Phrase("op_file_waits", {"file": ", ".join(d.name for d in good)}))
    turn.present(Hold())


def _attach_to(turn: TurnContext, document: str, number: int) -> None:
    operation = takes_files(turn.form)
    row = next((f.name for f in operation.fields.values() if kind_of(f).listing == "row"), "") if operation else ""
    if operation and row:
        wanted = Wanted(operation.name, {row: number, file_field(operation): document})
        turn.do(Operate("call", turn.draft.turn, (wanted,)))


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


OUTCOMES: Mapping[str, Callable[[TurnContext, OperationCompleted], None]] = {
    "done": _done, "waits": _waits, "asks": _waits, "refused": _refused, "cancelled": _ended, "expired": _ended, "nothing": lambda *_: None,
}  # fmt: skip
