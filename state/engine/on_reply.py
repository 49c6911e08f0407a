"""A model or the rule-based reader answered (ModelReplied). Its calls are judged, its words are checked; code decides what the person sees."""

import json
from collections import Counter

from state.draft.changes import Counted
from state.draft.display import asked, display_values, shown
from state.draft.draft import ChatLine
from state.draft.reply import Round
from state.draft.route import acts_after, awaits_report
from state.draft.scope import READ, SAY
from state.draft.topics import SOCIAL, Act, Saying, Topic, before_filing
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine import on_operation, speech
from state.engine.acts import only_review_waits, point_to
from state.engine.context import Acts, Alone, Hold, LeadIn, Next, ShowClosed, TurnContext
from state.engine.effects import CallModel, LookUp
from state.engine.events import ModelReplied
from state.engine.offers import RULES, Results, ToolCalls, put_text_back
from state.engine.told_early import crosses, may_be_text, may_tell_later, tells_later
from state.engine.tools import drop_calls, judge_calls
from state.engine.unread import gone_well, help_answers, leaves_words, note_read, read_what_is_left
from state.engine.values import near_miss
from state.fields import kind_of
from state.fields.naming import names
from state.guards.persona import model_asks
from state.language.tokens import masked, tokens
from state.understanding.commands import asks_back, is_asking, no_answer, tries_to_answer
from state.understanding.evidence import fresh_lines, newest_line
from state.understanding.form_commands import topics_in
from state.understanding.plain_answers import finds_right

STEPS = 8
"""Model calls of one turn."""
SAME = 3
"""Times that one call may come before the loop ends."""


def on_reply(turn: TurnContext, event: ModelReplied) -> None:
    """Judge a reply. One to an earlier turn is late: the person's words stay in the conversation, the reply is dropped."""
    if event.turn != turn.draft.turn:
        drop_calls(turn, event.reader, event.reply)
        return
    if event.away and not turn.draft.model_away:  # said once; the count starts anew when it is back
        turn.change(Counted("model_away", 1))
        turn.tell(Phrase("away"))
    elif event.reader != RULES and turn.draft.model_away:
        turn.change(Counted("model_away", 0))
    done = ToolCalls(reader=event.reader)
    if turn.form.conversational:
        on_operation.answer(turn, event)
    else:
        _judge(turn, event, done)
    if event.purpose == "understand":
        note_read(turn, done)


def _judge(turn: TurnContext, event: ModelReplied, done: ToolCalls) -> None:
    made = 0 if event.reader == RULES else sum(len(r.reply.calls) for r in event.exchange)
    results = judge_calls(turn, done, event.reply, made)
    missed: tuple[ChatLine, ...] = ()
    if turn.handed:
        turn.present(Next())
    elif not turn.draft.open:
        _closed(turn, event, done, results)
    else:
        missed = _understood(turn, event, done, results)
    if done.wanted:
        on_operation.operate(turn, tuple(done.wanted))
    # Where the newest line is the matter of this turn, the sentence above its question names it.
    newest = newest_line(turn.draft) in missed and not (done.set or done.put_back)
    if missed and not newest and isinstance(turn.shows, LeadIn | Next):
        turn.tell(*(Phrase("line_not_understood", {"words": line.text[: speech.NAMED]}) for line in missed))
        if isinstance(turn.shows, LeadIn):
            turn.present(Next())


def _closed(turn: TurnContext, event: ModelReplied, done: ToolCalls, results: Results) -> None:
    """Show what was said of a closed draft: asked for again where the calls left it unsaid, and never acted on."""
    if done.posted:
        return
    problem = speech.words_flaw(turn, event.reply.text)
    rounds = (*event.exchange, Round(event.reply, results, problem))
    if looping(rounds) and turn.form.stuck == "hand_over":
        give_over(turn, "loop")
    elif not call_again(turn, event, rounds, problem):
        topics = tuple(Topic(saying.field) for saying in done.said if saying.act is Act.RECORD)
        missed = () if topics else speech.unheard(turn, done)
        press = (Phrase("report_by_press"),) if missed and awaits_report(turn.form, turn.draft) else ()
        told = (*missed, *press) or (() if topics else _spoken(turn, done))
        closing = () if told or done.explained else speech.after_the_end(turn)
        turn.tell(*closing)
        turn.hear_bot(f"({', '.join(saying.act for saying in done.said) or 'nothing'})")
        line = newest_line(turn.draft)
        cannot = any(saying.act is Act.CANNOT_ANSWER for saying in done.said)
        left = line.message if line and not (topics or closing or done.explained) else ""
        # Thanks for what was filed need no state of it.
        if turn.filed.number and Phrase("heard_thanks") in closing:
            turn.present(Alone())
        elif turn.filed.number and left and (cannot or not told):
            turn.present(ShowClosed((), left))
        elif told or done.explained:
            asks: Acts = ("person",) if done.offered_person or missed else ()
            turn.present(Alone(told, (*asks, *acts_after(turn.form, turn.draft), "begin"), left if asks else ""))
        else:
            turn.present(ShowClosed(topics or (Topic.STATE,), line.message if line else ""))


def _spoken(turn: TurnContext, done: ToolCalls, *, progress: bool = False) -> tuple[Utterance, ...]:
    """Return what the reply says: its acts, as code words them.

    A kind word stands above progress, or answers small talk to which code has nothing of its own to say: above an answer that
    was not taken it would say that it was.
    """
    lines = fresh_lines(turn.draft)
    heard = _asks(turn) or (bool(lines) and all(no_answer(line.text, turn.context) for line in lines))
    kind = progress or speech.is_mere_remark(turn)
    said = [s for s in done.said if (kind or s.act not in SOCIAL) and (heard or s.act is not Act.CANNOT_ANSWER)]
    known = _of_process(turn) if turn.draft.open and any(s.act is Act.CANNOT_ANSWER for s in said) else ()
    return known or speech.voiced(turn, said)


def _asks(turn: TurnContext) -> bool:
    lines, back = [line.text for line in fresh_lines(turn.draft)], bool(turn.filed.number)
    return any(is_asking(text, turn.context) or (back and asks_back(text, turn.context)) for text in lines)


def _understood(turn: TurnContext, event: ModelReplied, done: ToolCalls, results: Results) -> tuple[ChatLine, ...]:
    """Ask the model on, or have rules read what it left, and show the result; return the lines of which nothing came.

    Where the model asks, what it puts is the question if it is fit; else once more, then the prepared question: every turn ends in one
    message. Where code asks, words that nobody reads are worth another call only where nothing else came of a message, nor will of the form's
    own help. Where the rules have found a disclosure, or calls that were taken hold all of the words, that is all there is to say.
    """
    asks, text = model_asks(turn.form, turn.draft), event.reply.text
    alone = event.purpose == "understand" and not (event.reply.calls or gone_well(event.exchange))
    problem = speech.words_flaw(turn, text) if asks or alone else ""
    rounds = (*event.exchange, Round(event.reply, results, problem))
    proposes = turn.draft.proposal is not None and turn.draft.proposal != turn.before.proposal
    needless = help_answers(turn) if alone else not leaves_words(turn, rounds)
    enough = done.explained or proposes or event.reader == RULES or (not asks and needless)
    again = not enough and call_again(turn, event, rounds, problem)
    missed = read_what_is_left(turn, event, done, results, again=again)
    if not turn.draft.open:
        turn.model = None
        return ()
    if turn.handed and not asks:
        turn.present(Next())
    elif event.purpose == "understand" and _is_stuck_in_loop(turn, done, rounds):
        give_over(turn, "loop")
    elif not asks:
        _show(turn, event, done, again)
    elif not again:
        _show_question(turn, event, done, speech.own_question(turn, text))
    elif done.set or done.moved:
        turn.change(Counted("gained_turn", turn.draft.turn))
    return missed


def _puts_back(turn: TurnContext) -> bool:
    """Return True if anything of this turn's words is put to the person, in this round or an earlier one."""
    return any(o.said and o.turn == turn.draft.turn for o in turn.draft.offers)


def _is_stuck_in_loop(turn: TurnContext, done: ToolCalls, rounds: tuple[Round, ...]) -> bool:
    """Return True where the form hands over at once: the model loops, and nothing came of the turn."""
    lines = {line.message for line in fresh_lines(turn.draft)}
    came = _gained(turn, done) or any(v.provenance.message in lines for v in turn.draft.values.values())
    return turn.form.stuck == "hand_over" and looping(rounds) and not (came or _puts_back(turn))


def _show(turn: TurnContext, event: ModelReplied, done: ToolCalls, again: bool) -> None:
    """Show what changed, what was said, or, when neither, the written question."""
    fresh = [n for n in done.set if n in turn.draft.values and n not in turn.draft.undo]
    if fresh:
        turn.tell(Phrase("got_it", {"what": display_values(turn.form, turn.draft, tuple(fresh), turn.context)}))
    lead_in = event.purpose == "lead_in" or turn.draft.shown_turn == turn.draft.turn
    moved = bool(done.set) or done.moved or any(isinstance(e, LookUp) for e in turn.effects)
    moved = moved or turn.draft.readings != turn.before.readings
    answered = done.explained and not _tries(turn)
    told = () if again else _spoken(turn, done, progress=moved or answered or lead_in)
    if moved or answered or done.put_back:
        shows = any(o.field in done.put_back for o in shown(turn.form, turn.draft, {turn.draft.asked}))
        later = bool(done.put_back) and not (moved or answered or shows or turn.news)
        _say(turn, told or (Phrase("told_early"),) * later)
    elif done.posted or again:
        turn.present(Hold())
    elif lead_in:
        # the question on screen enters the conversation: a model reads it between the person's lines
        card = turn.draft.card
        field = turn.form.fields.get(card.field) if card else None
        if field is not None:
            turn.hear_bot(asked(turn.form, turn.draft, field, turn.context))
        turn.present(LeadIn(told))
    elif turn.draft.offers != turn.before.offers:
        # The open question comes with offers now; that alone is no progress.
        turn.change(Counted("turns_in_vain", in_vain(turn, done)))
        _say(turn, told)
    else:
        _nothing_changed(turn, done, told)


def _nothing_changed(turn: TurnContext, done: ToolCalls, told: tuple[Utterance, ...]) -> None:
    """Show the written question, under what was said or a sentence that nothing was understood; the next time offer a person."""
    if not told and _judges_review(turn):
        return
    count = in_vain(turn, done)
    turn.change(Counted("turns_in_vain", count))
    if needs_person(turn, count):
        give_over(turn, "stuck")
    elif _is_first(turn) and not told:
        turn.present(Next((Phrase("greeting", {"form": turn.form.title, "introduction": turn.form.introduction}),)))
    else:
        _say(turn, told if told and not _tries(turn) else (*_not_understood(turn, done), *told))


def _judges_review(turn: TurnContext) -> bool:
    """Point to the review's button where words of which nothing came find it right or wrong, and name no field. Return False for any others."""
    text = "\n".join(line.text for line in fresh_lines(turn.draft))
    row = tokens(masked(text), turn.context.language)
    named = any(names(f, turn.context).holds(row) for f in turn.form.fields.values())
    right = None if named or not only_review_waits(turn) else finds_right(text, turn.form.language, whole=False)
    if right is not None:
        point_to(turn, "press_submit" if right else "press_edit")
    return right is not None


def _tries(turn: TurnContext) -> bool:
    return any(tries_to_answer(line.text, turn.context) for line in fresh_lines(turn.draft))


def _not_understood(turn: TurnContext, done: ToolCalls) -> tuple[Utterance, ...]:
    """Say why an answer was none, that nobody can answer a question, or a word to small talk."""
    lines = fresh_lines(turn.draft)
    if _asks(turn) and not done.explained:
        return _of_process(turn) or speech.voiced(turn, (Saying(Act.CANNOT_ANSWER),))
    if [line for line in lines if is_asking(line.text, turn.context) and put_text_back(turn, line)]:
        return ()
    told = speech.answer_small_talk(turn) or tuple(filter(None, (near_miss(turn),)))
    told = told or ((Phrase("told_early"),) if tells_later(turn) else ())
    field, text = turn.form.fields.get(turn.draft.asked), may_be_text(turn)
    says_more = text or any(speech.leans(turn, line.text) for line in lines)
    if not told and field is not None and crosses(turn, field):
        return ()
    if not told and says_more and field is not None and kind_of(field).polar:
        return (Phrase("press_one"),)
    if told or not (turn.form.persona.shape and lines):
        return told or (Phrase("told_early" if text else "not_understood"),)
    return speech.gathered(turn), Phrase("line_not_understood", {"words": lines[-1].text[: speech.NAMED]})


def _of_process(turn: TurnContext) -> tuple[Utterance, ...]:
    """Return who may decide and how long they have, or that all can be given up, where the lines ask that before anything is filed."""
    topics = [topic for line in fresh_lines(turn.draft) for topic in topics_in(turn.form, line.text, turn.context)]
    known = before_filing(turn.form, topics[0]) if len(topics) == 1 else ()
    return (*known, speech.pass_on(turn)) if known and topics[0] is Topic.WHO else known


def _say(turn: TurnContext, told: tuple[Utterance, ...]) -> None:
    """Show what was said, if anything, above what comes next; a text of the house's own enters the conversation."""
    for one in told:
        if isinstance(one, Verbatim):
            turn.hear_bot(one.text)
    turn.present(Next(told, prepared=True))


def _show_question(turn: TurnContext, event: ModelReplied, done: ToolCalls, words: str) -> None:
    """`words` are the model's question where it is fit to be shown."""
    if done.posted:
        turn.present(Hold())
    elif (event.purpose == "lead_in" or turn.draft.shown_turn == turn.draft.turn) and not _gained(turn, done):
        turn.present(LeadIn((), words))
    elif needs_person(turn, _count(turn, done)):
        give_over(turn, "stuck")
    else:
        turn.present(Next(_above_question(turn, done), words, prepared=not words))
        if words:
            turn.hear_bot(words)


def _gained(turn: TurnContext, done: ToolCalls) -> bool:
    """Return True if this turn set something, in this round or an earlier one."""
    searching = any(isinstance(e, LookUp) for e in turn.effects)
    read = turn.draft.readings != turn.before.readings
    return bool(done.set) or done.moved or searching or read or turn.draft.gained_turn == turn.draft.turn


def _above_question(turn: TurnContext, done: ToolCalls) -> tuple[Utterance, ...]:
    """Return what goes above a question: what this turn gave, what the model wants said, or that nothing was understood."""
    heard = {line.message for line in fresh_lines(turn.draft) if line.message}
    fresh = tuple(n for n, v in turn.draft.values.items() if n in done.set or v.provenance.message in heard)
    if fresh:
        return (Phrase("got_it", {"what": display_values(turn.form, turn.draft, fresh, turn.context)}),)
    if _is_first(turn):
        return (Phrase("greeting", {"form": turn.form.title, "introduction": turn.form.introduction}),)
    if told := _spoken(turn, done):
        return told
    return () if done.explained else (speech.gathered(turn),) if _puts_back(turn) else _not_understood(turn, done)


def _is_first(turn: TurnContext) -> bool:
    """Return True if nothing has been asked yet: no card is open, and none of its own waits for a click."""
    return turn.draft.card is None and turn.draft.proposal is None


def _count(turn: TurnContext, done: ToolCalls) -> int:
    """Count the turns without progress in a row, with this one."""
    searching = any(isinstance(e, LookUp) for e in turn.effects)  # it may find nothing, and then counts itself
    count = turn.draft.turns_in_vain if searching else 0 if _gained(turn, done) else in_vain(turn, done)
    if count != turn.draft.turns_in_vain:
        turn.change(Counted("turns_in_vain", count))
    return count


def give_over(turn: TurnContext, why: str) -> None:
    """Have a person take over at once; the count starts anew for when they hand back."""
    turn.change(Counted("turns_in_vain", 0))
    turn.person = why
    turn.present(Next())


def in_vain(turn: TurnContext, done: ToolCalls) -> int:
    """Return how many turns in a row somebody tried to answer in vain, with this one; a person who was offered ends the patience.

    An answer with a slip was understood, and told what is off, and what may be meant for later is no failure to answer: these get as far as
    the offer of a person, and no further.
    """
    before, patience = turn.draft.turns_in_vain, turn.form.patience
    tried = any(tries_to_answer(line.text, turn.context) for line in fresh_lines(turn.draft))
    led_on = done.put_back or speech.points_at_last_time(turn) or tells_later(turn)
    count = before + (tried and not led_on)
    if near_miss(turn) or may_tell_later(turn):
        count = min(count, max(before, patience))
    return max(count, patience) if done.offered_person else count


def needs_person(turn: TurnContext, count: int) -> bool:
    """Return True if so many turns in vain are a person's matter now: nobody is handed over for a slip, or for telling too much."""
    many = turn.form.hands_over and count >= turn.form.turns_until_a_person
    return many and near_miss(turn) is None and not may_tell_later(turn)


def looping(rounds: tuple[Round, ...]) -> bool:
    """Return True if the same call came `SAME` times in one turn."""
    calls = [(c.tool, json.dumps(c.arguments, sort_keys=True)) for r in rounds for c in r.reply.calls]
    return any(n >= SAME for n in Counter(calls).values())


def call_again(turn: TurnContext, event: ModelReplied, rounds: tuple[Round, ...], problem: str) -> bool:
    """Ask the model on: to read its refusals, to find its words, or once to say it better. Return False where it is not asked."""
    reply, results = rounds[-1].reply, rounds[-1].results.values()
    refused = any(r.get("status") == "rejected" or "rejected" in r for r in results)
    wordless = bool(reply.calls) and not reply.text.strip() and all(c.tool != SAY for c in reply.calls)
    better = bool(problem) and not event.regenerated
    curious = any(c.tool == READ for c in reply.calls)
    wanted = refused or wordless or better or curious
    if event.reader == RULES or event.step >= STEPS or looping(rounds) or not wanted:
        return False
    turn.ask_model(CallModel(
        event.turn, event.step + 1, event.purpose, event.act, exchange=rounds, regenerated=event.regenerated or better,
    ))  # fmt: skip
    return True
