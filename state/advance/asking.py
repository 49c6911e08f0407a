"""Forms whose questions the model asks: its reply is what the person reads, once code has found nothing wrong with it."""

from state.advance.again import call_again, give_over, looping, read_by_rules, speaks_ill
from state.advance.calls import Calls, Results
from state.advance.showing import decorate, hear_bot, hold, show_next
from state.advance.work import Work
from state.draft.changes import Counted
from state.draft.display import asked, display_values
from state.draft.reply import Round
from state.engine.cards import Phrase
from state.engine.effects import LookUp
from state.engine.events import ModelReplied
from state.understanding.evidence import newest_line


def ask(work: Work, event: ModelReplied, done: Calls, results: Results) -> None:
    """Where the model asks: its reply is the question if it keeps to the persona; else once more, then the prepared question.

    Nothing is shown before its words have been judged, so that every turn ends in one message.
    """
    if event.step == 1:
        read_by_rules(work, event, done, texts=False)
    problem = speaks_ill(work, event.reply.text)
    rounds = (*event.exchange, Round(event.reply, results, problem))
    if looping(rounds) and work.form.stuck == "hand_over":
        give_over(work, "loop")
        return
    again = not done.explained and call_again(work, event, rounds, problem)
    fit = not problem and not again and bool(event.reply.text.strip())
    if not again and not fit and not _gained(work, done):
        read_by_rules(work, event, done)
    if again:
        _note_gain(work, done)
    elif done.posted:
        hold(work)
    elif (event.purpose == "lead_in" or _shown(work)) and not _gained(work, done):
        decorate(work, event.reply.text.strip() if fit else "")
    elif _count(work, done) and work.form.stuck == "hand_over":
        give_over(work, "stuck")
    elif fit:
        hear_bot(work, event.reply.text.strip())
        show_next(work, words=event.reply.text.strip())
    else:
        _put_prepared(work, done)


def _gained(work: Work, done: Calls) -> bool:
    """Whether this turn set something, in this round or an earlier one."""
    searching = any(isinstance(e, LookUp) for e in work.effects)
    read = work.draft.readings != work.before.readings
    return bool(done.set) or done.moved or searching or read or work.draft.gained_turn == work.draft.turn


def _note_gain(work: Work, done: Calls) -> None:
    if done.set or done.moved:
        work.change(Counted("gained_turn", work.draft.turn))


def _shown(work: Work) -> bool:
    return work.draft.shown_turn == work.draft.turn


def _put_prepared(work: Work, done: Calls) -> None:
    """The form's own question, under what this turn gave."""
    line = newest_line(work.draft)
    given = work.draft.values.items()
    fresh = tuple(
        n for n, v in given if n in done.set or (line and line.message and v.provenance.message == line.message)
    )
    if fresh:
        work.tell(Phrase("got_it", {"what": display_values(work.form, work.draft, fresh, work.context)}))
        show_next(work)
    elif work.draft.card is None:
        show_next(work, Phrase("greeting", {"form": work.form.title, "introduction": work.form.introduction}))
    else:
        show_next(work, *(() if done.explained else (Phrase("not_understood"),)))
    _hear_prepared(work)


def _hear_prepared(work: Work) -> None:
    """The prepared question is part of the conversation too: the model sees what the person answers."""
    field = work.form.fields.get(work.draft.asked)
    if field is not None:
        hear_bot(work, asked(work.form, work.draft, field, work.context))


def _count(work: Work, done: Calls) -> bool:
    """Count the turns without progress; whether it is time for a person."""
    before, patience = work.draft.turns_in_vain, work.form.patience
    stuck = 0 if _gained(work, done) else patience if done.offered_person else before + 1
    if stuck != before:
        work.change(Counted("turns_in_vain", stuck))
    return stuck >= patience
