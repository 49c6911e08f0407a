"""A model or the rule-based reader answered. Its calls are judged, its words are checked; code decides what the person sees."""

from state.advance import operating
from state.advance.again import call_again, give_over, looping, read_by_rules, speaks_ill
from state.advance.asking import ask
from state.advance.calls import RULES, Calls, Results, drop_calls, judge_calls
from state.advance.closed import answer_when_closed
from state.advance.refusing import near_miss
from state.advance.showing import decorate, hear_bot, hold, show_next
from state.advance.work import Work
from state.draft.changes import Counted
from state.draft.display import display_values
from state.draft.reply import Round
from state.engine.cards import Phrase, Utterance, Verbatim
from state.engine.effects import LookUp
from state.engine.events import ModelReplied
from state.guards.persona import model_asks
from state.guards.speech import without_questions


def replied(work: Work, event: ModelReplied) -> None:
    """A reply to an earlier turn is late: the person's words stay in the conversation, the reply is dropped."""
    if event.turn != work.draft.turn:
        drop_calls(work, event.reader, event.reply)
        return
    _note_away(work, event)
    if work.form.conversational:
        operating.answered(work, event)
        return
    done = Calls(reader=event.reader, words=event.reply.text)
    results = judge_calls(work, done, event.reply, sum(len(r.reply.calls) for r in event.exchange))
    if work.draft.handed:
        show_next(work)
        return
    if not work.draft.open:
        _closed(work, event, done, results)
        return
    if done.wanted:
        operating.operate(work, tuple(done.wanted))
    if model_asks(work.form, work.draft):
        ask(work, event, done, results)
        return
    problem = speaks_ill(work, event.reply.text)
    if event.step == 1:
        read_by_rules(work, event, done)
    if work.draft.handed:
        show_next(work)
        return
    rounds = (*event.exchange, Round(event.reply, results, problem))
    if looping(rounds) and work.form.stuck == "hand_over":
        give_over(work, "loop")
        return
    asked = work.draft.proposal is not None and work.draft.proposal != work.before.proposal
    again = not (done.explained or asked) and call_again(work, event, rounds, problem)
    _present(work, event, done, "" if problem or again else without_questions(event.reply.text), again)


def _note_away(work: Work, event: ModelReplied) -> None:
    """The person hears once that the model is away, and the count starts anew when it is back."""
    told_before = work.draft.model_away
    if event.away and not told_before:
        work.change(Counted("model_away", 1))
        work.tell(Phrase("away"))
    elif event.reader != RULES and told_before:
        work.change(Counted("model_away", 0))


def _closed(work: Work, event: ModelReplied, done: Calls, results: Results) -> None:
    """What was said of a closed draft: asked for again where the calls left it unsaid, and never acted on."""
    if done.posted:
        return
    problem = speaks_ill(work, event.reply.text)
    rounds = (*event.exchange, Round(event.reply, results, problem))
    if looping(rounds) and work.form.stuck == "hand_over":
        give_over(work, "loop")
    elif not call_again(work, event, rounds, problem):
        answer_when_closed(work, "" if problem else without_questions(event.reply.text))


def _present(work: Work, event: ModelReplied, done: Calls, text: str, again: bool) -> None:
    """Put on screen what changed, what was said, or, when neither, the written question."""
    fresh = [n for n in done.set if n in work.draft.values and n not in work.draft.undo]
    if fresh:
        work.tell(Phrase("got_it", {"what": display_values(work.form, work.draft, tuple(fresh), work.context)}))
    moved = bool(done.set) or done.moved or any(isinstance(e, LookUp) for e in work.effects)
    moved = moved or work.draft.readings != work.before.readings
    if moved or done.explained:
        _progress(work, text)
    elif done.posted or again:
        hold(work)
    elif event.purpose == "lead_in" or work.draft.shown_turn == work.draft.turn:
        decorate(work, text)
    elif work.draft.offers != work.before.offers:
        _offered(work, text)
    else:
        _nothing_changed(work, done, text)


def _progress(work: Work, text: str) -> None:
    """Something was understood: counts start anew, the next question follows."""
    if work.draft.turns_in_vain:
        work.change(Counted("turns_in_vain", 0))
    if text:
        hear_bot(work, text)
    show_next(work, *_words(text))


def _offered(work: Work, text: str) -> None:
    """Nothing was understood, but the open question comes with offers now; that alone is no progress."""
    work.change(Counted("turns_in_vain", work.draft.turns_in_vain + 1))
    if text:
        hear_bot(work, text)
    show_next(work, *_words(text))


def _nothing_changed(work: Work, done: Calls, text: str) -> None:
    """The written question, under fit words or a sentence that nothing was understood; the next time with the offer of a person."""
    patience = work.form.patience
    stuck = patience if done.offered_person else work.draft.turns_in_vain + 1
    work.change(Counted("turns_in_vain", stuck))
    if stuck >= patience and work.form.stuck == "hand_over":
        give_over(work, "stuck")
        return
    if text:
        hear_bot(work, text)
        show_next(work, *_words(text))
    elif work.draft.card is None:
        show_next(work, Phrase("greeting", {"form": work.form.title, "introduction": work.form.introduction}))
    else:
        show_next(work, near_miss(work) or Phrase("not_understood"))


def _words(text: str) -> tuple[Utterance, ...]:
    return (Verbatim(text),) if text else ()
