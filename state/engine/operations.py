"""A conversation that does things: what a reply calls becomes operations, only a click confirms what waits, files go with rows."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from state.draft.changes import OperationKept, TurnBegun
from state.draft.draft import PendingOperation
from state.draft.operations import Wanted
from state.draft.reply import Reply, Round
from state.draft.scope import PERSON
from state.draft.speech import Act, Saying
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine import acts
from state.engine.attachments import let_go
from state.engine.context import Acts, Alone, Hold, Next, TurnContext
from state.engine.effects import CallModel, Operate, Whisper
from state.engine.events import Clicked, MessageReceived, ModelReplied
from state.engine.haste import is_quick
from state.engine.speech import heed_small_talk, told_by, voiced
from state.engine.tool_calls import RULES
from state.engine.unread import read_fresh
from state.engine.waiting import call_off, ending, last_said, newer_than_deeds, standing, which_one
from state.guards.operations import Verdict, is_kind_word, judge_in_place, judge_reply
from state.language import LANGUAGES
from state.understanding.acceptance import is_about_all, is_acceptance, is_refusal
from state.understanding.commands import SpokenCommand as Command
from state.understanding.corrections import is_announced
from state.understanding.evidence import fresh_lines, is_one_of, newest_line

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
