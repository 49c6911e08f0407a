"""A person wrote a message (MessageReceived): a command, a plain answer to what was asked, a pick, a way on, or open words for a reader."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal

from state.draft.changes import ChatLineAdded, FormsWished, LinesRead, Proposed, TurnBegun
from state.draft.display import display_values
from state.draft.draft import ChatLine, Draft, Proposal, WishedForms
from state.draft.missing import missing, reachable
from state.draft.reply import Reply, ToolCall
from state.draft.route import REPLY
from state.draft.scope import CORRECT
from state.draft.topics import about_record
from state.draft.utterance import Phrase, Utterance
from state.engine import acts, offers, on_operation
from state.engine.cards import Change
from state.engine.context import Next, TurnContext
from state.engine.effects import CallModel, Ephemeral, Fetch, Gather
from state.engine.events import MessageReceived, is_quick
from state.engine.on_facts import can_be_unlisted, take_unlisted
from state.engine.on_query import gives_reason, gives_up, on_reply_in_words
from state.engine.settle import phase_said, way_mentioned, way_said
from state.engine.tools import judge_calls
from state.engine.unread import relieve
from state.engine.values import (
    currency_told,
    keep,
    make_value,
    none_of_these,
    pick,
    problem_with,
    put,
    refuse,
    reopen,
    too_few,
)
from state.fields import is_closed, kind_of, tools_of
from state.fields.choice import as_list
from state.form import Field
from state.form.field import Data
from state.language.small_talk import NoAnswer
from state.language.tokens import asks
from state.understanding.commands import SpokenCommand as Command
from state.understanding.commands import is_asking, no_answer, read_command, tries_to_answer
from state.understanding.corrections import (
    added,
    additions,
    announcing,
    is_announced,
    takes_more,
    wanted_anew,
    wanted_longer,
)
from state.understanding.evidence import is_one_of, newest_line, said_by_person, unread_lines
from state.understanding.form_commands import read_form_command, topics_in
from state.understanding.plain_answers import (
    calls_unlisted,
    finds_right,
    is_acceptance,
    is_refusal,
    keeps_what_stands,
    read_pick,
    read_whole,
    says_enough,
    takes_all,
    turns_all_down,
)
from state.understanding.reader import read_open
from state.understanding.verification import first_word

SEEN = 2000
"""Characters of one message that a model sees; the whole of it stays in its event."""
FEW = 5
"""Words of the longest name of a thing that is looked up."""
SOCIAL = (NoAnswer.APPROVAL, NoAnswer.THANKS)
"""What is said out of courtesy, and may agree to nothing."""


def on_message(turn: TurnContext, event: MessageReceived) -> None:
    """Handle words for an open draft. Words beside files wait until these have their places."""
    if not taken_down(turn, event):
        return
    if event.files:
        days = turn.form.retention_days
        turn.do(Fetch(event.files, turn.draft.turn, days, turn.draft.asked, event.message, event.text))
    else:
        handle_words(turn, event)


def taken_down(turn: TurnContext, event: MessageReceived) -> bool:
    """Enter words in the conversation. Return False where nobody is to answer: another person's, which leave no trace, or a person reads them."""
    if event.who != turn.draft.owner:
        return False
    relieve(turn)
    turn.change(TurnBegun(), *_lines(event, turn.draft))
    offers.hear(turn, event.message)
    if turn.draft.handed and read_command(event.text, turn.form.language):
        turn.do(Ephemeral(event.who, Phrase("handed_over")))
    return not turn.draft.handed


def _lines(event: MessageReceived, draft: Draft) -> Iterator[ChatLineAdded]:
    """Yield the files, then the words that came with them: those are what is to be understood."""
    if event.files:
        sent = sent_act(tuple(f.name for f in event.files))[:SEEN]
        yield ChatLineAdded(ChatLine("user", sent, event.message, clicked=True))
    if event.text.strip() or not event.files:
        asked = _asked_before(draft) if event.early and not _opens(draft) else draft.asked
        line = ChatLine("user", event.text[: SEEN + 1], event.message, asked=asked, unread=not draft.handed)
        yield ChatLineAdded(line)


def _asked_before(draft: Draft) -> str:
    """Return the question that was open when the person wrote the line before this one; after a click, none that is known."""
    said = [s for s in (*draft.opening, *draft.window) if s.role == "user"]
    return (said[-1].asked or "") if said and not said[-1].clicked else ""


def _opens(draft: Draft) -> bool:
    """Return True where no question was asked before the open one: words that crossed it open the form, and can be meant for no other."""
    said = (s for s in (*draft.opening, *draft.window) if s.role == "user")
    return not any(line.clicked or line.asked for line in said)


def sent_act(names: tuple[str, ...]) -> str:
    """Return the conversation's line for files that were sent."""
    return f"[clicked] Sent: {', '.join(names)}"


def handle_words(turn: TurnContext, event: MessageReceived) -> None:
    """Do what the words ask for, take what they plainly answer, or have them read."""
    _follow(turn, event)
    note_read(turn)


def note_read(turn: TurnContext) -> None:
    """Note that code took the words, unless a model is asked what they mean."""
    if turn.model is None or turn.model.purpose != "understand":
        turn.change(LinesRead("newest"))


def _follow(turn: TurnContext, event: MessageReceived) -> None:
    if event.wished:  # offered by a click; to a question for words the wish may be the answer after all
        field = turn.form.fields.get(turn.draft.asked)
        if field is not None and kind_of(field).verbatim and field.name not in turn.draft.locked_fields:
            offers.keep_for_question(turn, field, (event.text.strip(),), event.text)
        turn.change(FormsWished(WishedForms(event.wished, event.message)))
        turn.present(Next((Phrase("other_form", {"form": turn.form.title}),)))
        return
    if not followed(turn, event, _command(turn, event), COMMANDS) and not on_operation.answered(turn, event.text):
        _open_words(turn, event)


def followed(
    turn: TurnContext,
    event: MessageReceived,
    command: Command | None,
    commands: Mapping[Command, Callable[[TurnContext], None]],
) -> bool:
    """Do what a command asks, one of everybody's or of the form's own. Return False where the words are none."""
    commands, own = (
        on_operation.COMMANDS if turn.form.conversational else commands,
        read_form_command(turn.form, event.text),
    )
    if command is not None and command in commands:
        commands[command](turn)
    elif own is not None:
        turn.do(Gather("command", name=own[0], rest=own[1]))
    else:
        return False
    return True


def _command(turn: TurnContext, event: MessageReceived) -> Command | None:
    """Return the command that the words give; "yes, that's it" to an offer takes it, "that's all" to a question for more answers it."""
    command, field = read_command(event.text, turn.form.language), turn.form.fields.get(turn.draft.asked)
    if says_enough(event.text, turn.context.language) and field is not None:
        return None if _asks_for_more(turn, field) else Command.SUBMIT if field.name in turn.draft.values else command
    takes = offers.acceptable(turn) and is_acceptance(event.text, turn.form.language)
    return None if command is Command.SUBMIT and (takes or way_said(turn, event.text)) else command


def _asks_for_more(turn: TurnContext, field: Field) -> bool:
    """Return True if the field asks if there is one more of what is told several times."""
    repeat = turn.form.repeats.get(field.repeat)
    return repeat is not None and field.base == repeat.more


def _open_words(turn: TurnContext, event: MessageReceived) -> None:
    phase = phase_said(turn.form, event.text)
    if consents(turn, event.text) and not event.early and not is_quick(event):
        turn.do(Gather("submit", hash=turn.draft.hash))
    elif phase is not None:
        turn.phase = phase.name
        turn.present(Next())
    elif mentioned := way_mentioned(turn, event.text):
        turn.way = mentioned
        turn.present(Next())
    elif _reply_goes_on(turn, event) and on_reply_in_words(turn, event):
        return
    elif gives_up(turn, event.text):
        acts.ask_cancel(turn)
    elif said := _of_record(turn, event.text):
        turn.present(Next(said))
    elif event.early and not _opens(turn.before):
        turn.ask_model(CallModel(turn.draft.turn))
    elif answers_unread(turn, event):
        _put_back_whole(turn, event)
    elif not (
        _shrinks(turn, event.text)
        or reopen_list(turn, event.text)
        or _review_answered(turn, event.text)
        or answer_change(turn, event)
        or _called_unlisted(turn, event)
    ):
        _answer(turn, event)


def _of_record(turn: TurnContext, text: str) -> tuple[Utterance, ...]:
    """Return what the record says of a question, while its owner has it again."""
    told = asks(text) or not gives_reason(text, turn.context.language)
    topics = topics_in(turn.form, text, turn.context) if turn.filed.number and told else ()
    return about_record(turn.form, turn.draft, topics, turn.context) if topics else ()


def consents(turn: TurnContext, text: str) -> bool:
    """Return True if the message submits what the open review card shows: an utterance that the form lists, while that card is the last thing said.

    Never a part of it ("yesterday"), never beside a question that waits.
    """
    card = turn.before.card
    if card is None or card.kind != "review" or not is_one_of(text, turn.form.consent):
        return False
    last = turn.before.shown_turn == turn.before.turn
    waiting = turn.draft.proposal or turn.draft.disclosures or missing(turn.form, turn.draft)
    unread = len(unread_lines(turn.draft)) > 1
    return last and not waiting and not unread and card.hash == turn.draft.hash


def answers_unread(turn: TurnContext, event: MessageReceived) -> bool:
    """Return True if words may be meant for the question before the open one, or declare something that could not yet be read."""
    if not event.shown:
        return False
    field = turn.form.fields.get(turn.draft.asked)
    declares = field is not None and kind_of(field).declaration
    return Decimal(event.message) < Decimal(event.shown) or (declares and is_quick(event))


def _reply_goes_on(turn: TurnContext, event: MessageReceived) -> bool:
    """Return True if the words crossed the review that shows the answer to the reviewers: they go on with it."""
    line = newest_line(turn.draft)
    crossed = line is not None and line.asked == REPLY if event.early else answers_unread(turn, event)
    return crossed and not turn.draft.asked


def _put_back_whole(turn: TurnContext, event: MessageReceived) -> None:
    """Propose for the open question, as it was written, what may be meant for another one; what no button carries is to be checked."""
    field, text = turn.form.fields.get(turn.draft.asked), event.text.strip()
    answers = tries_to_answer(text, turn.context) and not _corrects(turn, event)
    words = field is not None and kind_of(field).verbatim and answers and not event.early
    data = text if words else _whole(turn, field, text)
    if field is None or data is None or kind_of(field).searchable or problem_with(turn, field, data) is not None:
        turn.ask_model(CallModel(turn.draft.turn))
        return
    if not offers.keep_for_question(turn, field, (data,), text):
        put(turn, field, make_value(turn, field, data, "typed", text, event.message, sure=False))
    elif (beside := _currency_beside(turn, field, text)) is not None:
        offers.keep_for_question(turn, beside[0], (beside[1],), text)
    turn.present(Next())


def _corrects(turn: TurnContext, event: MessageReceived) -> bool:
    """Return True if rules read in the words another value for what is answered: whichever question they crossed, they are not meant for it."""
    found = read_open(turn.form, turn.draft, event.text, event.message, turn.context)
    return any(call.tool == CORRECT for call in found.calls)


# A plain answer to what was asked, or to what was offered


def _answer(turn: TurnContext, event: MessageReceived) -> None:
    if heard_at_card(turn, event.text):
        return
    offered = offers.acceptable(turn) or offers.is_shown(turn, turn.draft.asked)
    accepts = offered and (is_acceptance(event.text, turn.form.language) or takes_all(event.text, turn.form.language))
    if not accepts and on_reply_in_words(turn, event):
        return
    meant = _meant(turn, event.text)
    if len(meant) > 1:
        turn.present(Next((Phrase("several_asked"),)))
        return
    field = meant[0] if meant else turn.form.fields.get(turn.draft.asked)
    options = turn.draft.options.get(turn.draft.asked, ())
    option, data = read_pick(options, event.text), _plain_answer(turn, field, event)
    if field is not None and option is not None:
        pick(turn, field, option, event.text, event.message)
        acts.lead_over(turn)
    elif field is not None and data is not None and not kind_of(field).searchable:
        _typed(turn, field, data, event)
    elif field is not None and _put_aside(turn, field, event.text):
        return
    elif accepts:
        _accepted(turn, event)
    elif way := way_said(turn, event.text):
        turn.way = way
        acts.lead_over(turn)
    else:
        turn.ask_model(CallModel(turn.draft.turn))


def _shrinks(turn: TurnContext, text: str) -> bool:
    shrunk = offers.shrinks(turn, text)
    if shrunk:
        turn.present(Next())
    return shrunk


def _review_answered(turn: TurnContext, text: str) -> bool:
    """Point to the button that a yes or a no to the open review is given by. Return False where the words may mean more, or anything else."""
    right = finds_right(text, turn.form.language) if acts.only_review_waits(turn) else None
    if right is None or way_said(turn, text):
        return False
    acts.point_to(turn, "press_submit" if right else "press_edit")
    return True


def _called_unlisted(turn: TurnContext, event: MessageReceived) -> bool:
    """Take the words that what was searched for is not in the list. Return False where they say anything else."""
    field = turn.form.fields.get(turn.draft.asked)
    if field is None or not can_be_unlisted(turn, field):
        return False
    if not calls_unlisted(field, turn.draft.sought[field.name], event.text, turn.context):
        return False
    take_unlisted(turn, field, event.text, event.message)
    acts.lead_over(turn)
    return True


def heard_at_card(turn: TurnContext, text: str) -> bool:
    """Take a yes or a no as said to the newest card, which waits for a click: nobody knows what it says of the question above it.

    A plain no leaves things as they are; anything else is for a click, and so is what a no to a disclosure would not plainly mean.
    """
    waiting = turn.draft.proposal
    last = waiting is not None and waiting.act != "change" and waiting.turn == turn.before.turn
    if waiting is None or not last or not is_yes_or_no(turn, text):
        return False
    leaves = waiting.act != "disclose" and _says_no(turn, text)
    (acts.stay if leaves else acts.ask_for_click)(turn)
    return True


def is_yes_or_no(turn: TurnContext, text: str) -> bool:
    """Return True if the whole message takes an offer or turns it down, or is a plain yes or no to the question."""
    return is_acceptance(text, turn.form.language) or _says_no(turn, text) or _plainly(turn, text) is not None


def _says_no(turn: TurnContext, text: str) -> bool:
    return is_refusal(text, turn.form.language) or _plainly(turn, text) is False


def _plainly(turn: TurnContext, text: str) -> Data | None:
    """Return the plain yes or no that the words would be to the question."""
    asked = turn.form.fields.get(turn.draft.asked)
    return read_whole(asked, text, turn.context) if asked is not None and kind_of(asked).polar else None


def _meant(turn: TurnContext, text: str) -> tuple[Field, ...]:
    """Return those of several questions on one card that the words plainly answer: a mere "no" answers none, since it could be any."""
    card = turn.draft.card
    several = () if card is None or card.kind != "question" or turn.draft.asked else card.fields
    open_ones = (f for f in missing(turn.form, turn.draft) if f.name in several)
    return tuple(f for f in open_ones if is_closed(f) and read_whole(f, text, turn.context) is not None)


def _whole(turn: TurnContext, field: Field | None, text: str) -> Data | None:
    """Return the answer that the whole message is to the question, where words alone can say it."""
    if field is not None and _asks_for_more(turn, field) and says_enough(text, turn.context.language):
        return False
    return None if field is None or not kind_of(field).closed else read_whole(field, text, turn.context)


def _plain_answer(turn: TurnContext, field: Field | None, event: MessageReceived) -> Data | None:
    """Return the answer that the whole message is to the question; none where it puts right the answer before ("make it 450")."""
    data = _whole(turn, field, event.text)
    rights = data is not None and is_announced(event.text, turn.context) and _corrects(turn, event)
    return None if rights else data


def _typed(turn: TurnContext, field: Field, data: Data, event: MessageReceived) -> None:
    if offers.asks_which(turn, field, data, event.text) or offers.grows(turn, field, data, event.text):
        turn.present(Next())
        return
    value = make_value(turn, field, with_held(turn, field, data, event.text), "typed", event.text, event.message)
    if refuse(turn, field, value.data):
        offers.keep_choosable(turn, field, value.data, event.text)
        return
    put(turn, field, value)
    beside = _currency_beside(turn, field, event.text)
    if beside is not None:
        put(turn, beside[0], make_value(turn, *beside, "typed", event.text, event.message))
    acts.lead_over(turn)


def _put_aside(turn: TurnContext, field: Field, text: str) -> bool:
    """Drop what was found or offered, or keep the answer that was asked for anew. Return False where the words say neither."""
    held = turn.draft.values.get(field.name) if field.name in turn.draft.reopened else None
    if turn.draft.options.get(field.name) and turns_all_down(text):
        none_of_these(turn, field)
    elif offers.declines(turn, field.name, text):
        turn.present(Next())
    elif held and not too_few(field, held.data) and _keeps(turn, field, held.data, text):
        keep(turn, field)
        acts.lead_over(turn)
    else:
        return False
    return True


def _keeps(turn: TurnContext, field: Field, held: Data, text: str) -> bool:
    """Return True if the words leave an answer that was asked for anew as it is, or name no other one ("keep buy", "it should be 200")."""
    found = () if is_asking(text, turn.context) else kind_of(field).find(field, text, turn.context)
    return keeps_what_stands(text, turn.form.language) or {one.data for one in found} == {held}


def _currency_beside(turn: TurnContext, field: Field, text: str) -> tuple[Field, Data] | None:
    """Return the currency that an amount says as well ("GBP 720"), with its field, where that is still open."""
    beside = None if kind_of(field).verbatim else currency_told(turn, field, text)
    return None if beside is None or beside[0].name in turn.draft.values else beside


def _accepted(turn: TurnContext, event: MessageReceived) -> None:
    """Take by a plain yes all that was offered just before; of a text it does not say where it ends, so that takes a click."""
    if not offers.acceptable(turn):
        turn.present(Next((Phrase("press_one"),)))
        return
    for offer in offers.acceptable(turn):
        offers.accept(turn, offer, event.text)
    fresh = [o.field for o in turn.before.offers if o.field in turn.changed and o.field not in turn.before.values]
    if fresh:
        turn.tell(Phrase("got_it", {"what": display_values(turn.form, turn.draft, tuple(fresh), turn.context)}))
    acts.lead_over(turn)


# Words typed at a card that asks "was → now?": the value that it shows, the one that was, a third one, a yes or a no


def answer_change(turn: TurnContext, event: MessageReceived) -> bool:
    """Do what typed words say of a waiting change; False leaves the card. No model is called: it could read the words twice."""
    waiting = turn.draft.proposal
    if waiting is None or waiting.value is None or waiting.turn != turn.before.turn:
        return False
    field, held = turn.form.fields[waiting.field], turn.draft.values[waiting.field]
    agreed = _agreed(turn, event.text)
    data = _value(turn, field, event.text) if agreed is None else waiting.value.data if agreed else held.data
    if data is None or (data not in (waiting.value.data, held.data) and _is_for_question(turn, field, event)):
        return False
    courtesy = no_answer(event.text, turn.context) in SOCIAL and first_word(event.text, turn.context) is not True
    polite = kind_of(field).verbatim and courtesy  # "Ok." says nothing of a text's ends
    if agreed is not None and (kind_of(field).polar or (agreed and polite)):
        _ask(turn, field, waiting, waiting.value.data, event)
    elif data == held.data:
        acts.stay(turn)
    elif _by_click(turn, field):
        _ask(turn, field, waiting, data, event)
    elif not refuse(turn, field, data):
        turn.change(Proposed(None))
        put(turn, field, make_value(turn, field, data, "typed", event.text, event.message))
        offers.show_change(turn, field, held, {})
        turn.present(Next())
    return True


def _agreed(turn: TurnContext, text: str) -> bool | None:
    """Return a plain yes or no; also one that the question above would take, if it does not name what that asks."""
    if is_acceptance(text, turn.form.language) or is_refusal(text, turn.form.language):
        return is_acceptance(text, turn.form.language)
    asked = turn.form.fields.get(turn.draft.asked)
    if asked is None or not kind_of(asked).polar or kind_of(asked).find(asked, text, turn.context):
        return None
    plain = kind_of(asked).whole(asked, text, turn.context)
    return plain if isinstance(plain, bool) else None


def _is_for_question(turn: TurnContext, field: Field, event: MessageReceived) -> bool:
    """Return True if words could be any text, and say what something else lacks: then they are no other text for this."""
    if not kind_of(field).verbatim:
        return False
    calls = read_open(turn.form, turn.draft, event.text, event.message, turn.context).calls
    return any(f != field for call in calls for f in tools_of(turn.form).get(call.tool, ()))


def _value(turn: TurnContext, field: Field, text: str) -> Data | None:
    """Return the value that the message is, with or without words before it that announce a correction."""
    rest = text[len(announcing(text, turn.context)) :].lstrip(" ,:;.–—-")
    if kind_of(field).searchable:
        name = rest.rstrip(" ,:;.–—-")
        return name if 0 < len(name.split()) <= FEW else None
    found = (kind_of(field).whole(field, words, turn.context) for words in (text, rest) if words)
    return next((data for data in found if data is not None), None)


def _by_click(turn: TurnContext, field: Field) -> bool:
    """Return True if only a click changes the answer: it is locked, declared, picked from results, or another locked one hangs on it."""
    names = {field.name, *(f.name for f in turn.form.dependents(field.name))}
    return bool(names & turn.draft.locked_fields) or kind_of(field).declaration or kind_of(field).searchable


def _ask(turn: TurnContext, field: Field, waiting: Proposal, data: Data, event: MessageReceived) -> None:
    """Point to the button, with the value on it that was said last."""
    value = waiting.value
    if value is None or value.data != data:
        if refuse(turn, field, data):
            return
        value = make_value(turn, field, data, "typed", event.text, event.message)
    card = turn.show(Change(field.name, value, (Phrase("press_one"),)))
    turn.change(Proposed(replace(waiting, card=card, value=value, turn=turn.draft.turn)))


# A list that is to be longer


def reopen_list(turn: TurnContext, text: str) -> bool:
    """Ask anew for an answer that is to be changed, or a list that is to be longer, where it is not said to what. Return False else."""
    longer = wanted_longer(turn.form, turn.draft, text, turn.context)
    fields = (longer,) if longer else wanted_anew(turn.form, turn.draft, text, turn.context)
    if not fields or any(additions(turn.form, turn.draft, text, turn.context)):
        return False
    for field in fields:
        reopen(turn, field)
    turn.present(Next())
    return True


def with_held(turn: TurnContext, field: Field, data: Data, text: str) -> Data:
    """Return an answer to a list that was opened again, with its present values where it adds to them, or was asked for to be added."""
    held = turn.draft.values.get(field.name)
    if held is None or not takes_more(field) or not isinstance(held.data, tuple) or not isinstance(data, tuple):
        return data
    before = [line.text for line in said_by_person(turn.draft)][-2:-1]
    asked_for = any(wanted_longer(turn.form, turn.draft, said, turn.context) == field for said in before)
    adds = asked_for or added(field, held.data, text, turn.context) is not None
    return as_list(field, held.data, data) if adds else data


def add_beside_files(turn: TurnContext, words: str, message: str) -> tuple[Field, ...]:
    """Take what words beside files add to a list, before the files have their places; return the files' fields that come with it."""
    known = {f.name for f in reachable(turn.form, turn.draft)}
    for i, take in enumerate(tuple(additions(turn.form, turn.draft, words, turn.context))):
        arguments = {"field": take.field.name, "value": take.data, "words": words[take.start : take.end]}
        judge_calls(
            turn, offers.ToolCalls(offers.RULES), Reply(calls=(ToolCall(f"rules-{message}-a{i}", CORRECT, arguments),))
        )
    return tuple(f for f in reachable(turn.form, turn.draft) if f.name not in known and kind_of(f).by_file)


COMMANDS: Mapping[Command, Callable[[TurnContext], None]] = {
    Command.CANCEL: acts.ask_cancel,
    Command.START_OVER: acts.ask_restart,
    Command.HELP: acts.help_out,
    Command.MISSING: acts.list_missing,
    Command.PERSON: acts.call_person,
    Command.UNDO: acts.undo,
    Command.BACK: acts.go_back,
    Command.SUBMIT: acts.finish,
    Command.MY_REQUESTS: acts.list_requests,
}
