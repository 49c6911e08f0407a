"""A reply where the model asks: it is what the person reads, once code has found nothing wrong with it."""

from state.draft.changes import Counted
from state.draft.display import display_values
from state.draft.reply import Round
from state.engine.cards import Phrase
from state.engine.context import TurnContext
from state.engine.effects import LookUp
from state.engine.events import ModelReplied
from state.engine.presentation import Hold, LeadIn, Next
from state.engine.retry import call_again, give_over, looping, read_by_rules, speech_flaw
from state.engine.tool_calls import Results, ToolCalls
from state.understanding.evidence import newest_line


def ask(turn: TurnContext, event: ModelReplied, done: ToolCalls, results: Results) -> None:
    """The reply is the question if it keeps to the persona; else once more, then the prepared question.

    Nothing is shown before its words have been judged, so that every turn ends in one message.
    """
    if event.step == 1:
        read_by_rules(turn, event, done, texts=False)
    if not turn.draft.open:
        return
    problem = speech_flaw(turn, event.reply.text)
    rounds = (*event.exchange, Round(event.reply, results, problem))
    if looping(rounds) and turn.form.stuck == "hand_over":
        give_over(turn, "loop")
        return
    again = not done.explained and call_again(turn, event, rounds, problem)
    fit = not problem and not again and bool(event.reply.text.strip())
    if not again and not fit and not _gained(turn, done):
        read_by_rules(turn, event, done)
    if not turn.draft.open:
        return
    if again:
        _note_gain(turn, done)
    else:
        _show(turn, event, done, event.reply.text.strip() if fit else "")


def _show(turn: TurnContext, event: ModelReplied, done: ToolCalls, text: str) -> None:
    """`text` is the model's question where it is fit to be shown."""
    if done.posted:
        turn.present(Hold())
    elif (event.purpose == "lead_in" or turn.draft.shown_turn == turn.draft.turn) and not _gained(turn, done):
        turn.present(LeadIn(text))
    elif _count(turn, done) and turn.form.stuck == "hand_over":
        give_over(turn, "stuck")
    elif text:
        turn.hear_bot(text)
        turn.present(Next(words=text))
    else:
        _put_prepared(turn, done)


def _gained(turn: TurnContext, done: ToolCalls) -> bool:
    """Whether this turn set something, in this round or an earlier one."""
    searching = any(isinstance(e, LookUp) for e in turn.effects)
    read = turn.draft.readings != turn.before.readings
    return bool(done.set) or done.moved or searching or read or turn.draft.gained_turn == turn.draft.turn


def _note_gain(turn: TurnContext, done: ToolCalls) -> None:
    if done.set or done.moved:
        turn.change(Counted("gained_turn", turn.draft.turn))


def _put_prepared(turn: TurnContext, done: ToolCalls) -> None:
    """The form's own question, under what this turn gave."""
    line = newest_line(turn.draft)
    given = turn.draft.values.items()
    fresh = tuple(
        n for n, v in given if n in done.set or (line and line.message and v.provenance.message == line.message)
    )
    if fresh:
        turn.tell(Phrase("got_it", {"what": display_values(turn.form, turn.draft, fresh, turn.context)}))
        turn.present(Next(prepared=True))
    elif turn.draft.card is None:
        greeting = Phrase("greeting", {"form": turn.form.title, "introduction": turn.form.introduction})
        turn.present(Next((greeting,), prepared=True))
    else:
        turn.present(Next(() if done.explained else (Phrase("not_understood"),), prepared=True))


def _count(turn: TurnContext, done: ToolCalls) -> bool:
    """Count the turns without progress; whether it is time for a person."""
    before, patience = turn.draft.turns_in_vain, turn.form.patience
    in_vain = 0 if _gained(turn, done) else patience if done.offered_person else before + 1
    if in_vain != before:
        turn.change(Counted("turns_in_vain", in_vain))
    return in_vain >= patience
