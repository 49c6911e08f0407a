"""Offers that wait for the person's click, values that their words may mean, and the effects so far of one reply's calls.

What the words may mean and do not plainly say goes back to the person: the question comes with the answer filled in.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from state.draft import rejection as no
from state.draft.changes import OffersMade, UndoKept
from state.draft.display import display_value, usable
from state.draft.display import shown as shown_on
from state.draft.draft import ChatLine, Draft, How, Offer, Provenance, Value
from state.draft.missing import choosable_part, in_stage, not_choosable
from state.draft.operations import Wanted
from state.draft.rejection import Rejection
from state.draft.scope import scope
from state.draft.topics import Saying
from state.draft.utterance import Phrase
from state.engine.cards import Moved, Notice
from state.engine.context import TurnContext
from state.engine.effects import LookUp
from state.engine.events import Clicked, MessageReceived, is_quick
from state.engine.values import make_value, misfit, problem_with, put
from state.fields import kind_of
from state.fields.base import Unreadable
from state.fields.choice import as_list, unlisted
from state.form import Field, Transition
from state.form.field import Data
from state.guards import ProposedWrite, judge
from state.guards.writes import OFFER_GUARDS, grounded
from state.language.table import listed, listed_everywhere
from state.language.tokens import masked, tokens
from state.understanding.commands import is_asking, no_answer
from state.understanding.corrections import taken_off, takes_more, takes_off
from state.understanding.evidence import (
    as_written,
    asked_then,
    bursts,
    fresh_lines,
    holds_quote,
    newest_line,
    place_of,
    said_by_person,
    source_line,
    unread_lines,
)
from state.understanding.plain_answers import finds_right, is_courtesy, is_refusal, takes_all, turns_all_down
from state.understanding.verification import alternatives

Result = dict[str, Any]
Results = Mapping[str, Mapping[str, Any]]
RULES = "rules"
"""Name of the rule-based reader."""
MOST = 5
"""Offers that stand at a time."""
PUT_BACK = 12
"""Fields whose answers may wait to be confirmed at a time."""
CHOICES = 4
"""Values among which a person says which one is meant."""
WORDS = 300
"""Characters of a text that a button carries, and of the words that are shown beside it."""


# The calls of one reply


@dataclass
class ToolCalls:
    """The effects of one reply's calls, beside their results."""

    reader: str
    set: list[str] = field(default_factory=list)
    explained: bool = False
    said: list[Saying] = field(default_factory=list)
    """Acts that the catalogue has sentences for, in the order in which they were wanted."""
    offered_person: bool = False
    moved: bool = False
    """True if a way was taken."""
    wanted: list[Wanted] = field(default_factory=list)
    """Operations that may run."""
    posted: bool = False
    """True if a card that waits for a click was posted."""
    put_back: list[str] = field(default_factory=list)
    """Fields whose doubtful answers wait for the person's click."""
    beside: Mapping[str, Data] = field(default_factory=dict)
    """The values that all calls of the reply give, by field."""
    alone: bool = True
    """True if no model that understands anything has read the same words; what looks like a name, and such a one took for none, is put back."""


def read_value(turn: TurnContext, done: ToolCalls, case: ProposedWrite) -> Value:
    """Return a value as it was read from the person's words."""
    if case.by_offer and case.offer:
        return accepted_value(turn, case.offer, str(case.words), reader=done.reader)
    message = case.quotation.line.message if case.quotation else ""
    return make_value(
        turn, case.field, case.data, "read", str(case.words), message, reader=done.reader, who=turn.draft.owner
    )


def look_up(turn: TurnContext, target: Field, case: ProposedWrite) -> Result:
    """Have results searched for the person to pick from, once a turn."""
    if any(isinstance(e, LookUp) and e.field == target.name for e in turn.effects):
        return no.filled(target.name).result()
    query, message = str(case.data)[:200], case.quotation.line.message if case.quotation else ""
    turn.do(LookUp(target.name, query, turn.draft.turn, str(case.words), message))
    return {"status": "searching", "note": "the form shows the results; the user picks"}


# Offers: accepted by a button, a plain yes, or a reader's call


def make_offer(turn: TurnContext, arguments: Mapping[str, Any]) -> Result:
    """Offer a value to the person, if the field could take it."""
    name, given = str(arguments.get("field", "")), arguments.get("value")
    target = next((f for f in scope(turn.form, turn.draft).offerable if f.name == name), None)
    if target is None:
        return no.bad_arguments("`field` must name a field that may be offered now").result()
    option = next((o for o in turn.draft.options.get(name, ()) if given in (o.id, o.label)), None)
    if kind_of(target).searchable and option is None:
        return no.bad_arguments("only a result that is on screen may be offered").result()
    case = ProposedWrite(turn.form, turn.rules, turn.draft, turn.context, turn.draft.owner, target, given, "")
    try:
        data = option.id if option else case.data
    except Unreadable as problem:
        return no.bad_arguments(f"'{name}' cannot be read ({problem.key})").result()
    if target.suggest and (data is not True or name == turn.draft.asked):
        return no.bad_arguments(f"of '{name}' only a yes is offered, while it is not the question").result()
    if kind_of(target).verbatim:
        data = _as_somebody_wrote(turn, target, str(data))
    if not data:
        return no.bad_arguments("of a text only words of the user's or the form's are offered").result()
    refusal = judge(case, OFFER_GUARDS)
    if refusal or len(str(data)) > WORDS:
        return (refusal or no.bad_arguments("the value is too long to be offered")).result()
    made = tuple(o for o in turn.draft.offers if not o.heard)
    if any(o.field == target.name and o.data == data for o in made):
        return {"status": "ok", "note": "this offer stands already"}
    held = turn.draft.values.get(target.name)
    if len(made) >= MOST or (held is not None and held.data == data):
        return no.filled(target.name).result() if held else no.bad_arguments("too many offers stand").result()
    label = option.label if option else _label(turn, target, data)
    turn.change(OffersMade((*made, Offer(target.name, data, label, turn.draft.turn, option=option))))
    return {"status": "ok", "note": "the user now sees a button for this value, and may say yes to it"}


def _as_somebody_wrote(turn: TurnContext, field: Field, text: str) -> str:
    """Return a text as the person said it or the form knows it, "" where neither does: a button is read like any other sentence."""
    said = (line.text for line in said_by_person(turn.draft))
    heard = next((heard for heard in (*said, *field.known) if holds_quote(heard, text) and place_of(heard, text)), "")
    return as_written(heard, text)


def _label(turn: TurnContext, field: Field, data: Data) -> str:
    return f"{display_value(field, Value(data, Provenance('', '', 'rule')), turn.context)} {field.unit}".strip()


def hear(turn: TurnContext, message: str) -> None:
    """Note the person's next message: what was shown before may be accepted by it alone, and older offers are gone.

    One that an unread line heard waits until that is read; what was put back to them stays until its question is answered.
    """
    unread = {line.message for line in unread_lines(turn.draft)}
    kept = tuple(o for o in turn.draft.offers if o.heard and o.heard in unread)
    on_screen = (o for o in turn.draft.offers if o not in kept and (o.card if o.said else not o.heard))
    shown = tuple(replace(o, heard=message or "said") for o in on_screen)
    waiting = tuple(o for o in turn.draft.offers if o.said and not o.card and o not in kept)
    if turn.draft.offers:
        turn.change(OffersMade((*kept, *shown, *waiting)))


def acceptable(turn: TurnContext) -> tuple[Offer, ...]:
    """Return offers that a plain yes accepts: made just before it, one a field, still allowed; else what was read and stands with the question.

    Nothing is taken by an "ok, thanks".
    """
    said = newest_line(turn.draft)
    if said and is_courtesy(said.text, turn.form.language):
        return ()
    offers = tuple(o for o in turn.draft.offers if said and not o.said and o.heard == (said.message or "said"))
    if not offers:
        return _read_with_question(turn)
    open_names = {f.name for f in in_stage(turn.form, turn.draft)} - turn.draft.locked_fields
    fields = [o.field for o in offers]
    return tuple(o for o in offers if o.field in open_names and fields.count(o.field) == 1)


def _read_with_question(turn: TurnContext) -> tuple[Offer, ...]:
    """Return what was read, and stood with the question: all of it, where a yes could mean nothing else on that card, and it could be read.

    No text that the form does not know: it may be a part of what was said, and a yes says nothing of its ends. "Use all of it" is the button.
    """
    asked, event, fields = turn.draft.asked, turn.event, turn.form.fields
    read = read_on(turn, turn.before, {asked})
    quick = isinstance(event, MessageReceived) and (event.early or is_quick(event))
    beside = len(read) < len(shown_on(turn.form, turn.before, {asked})) or any(_may_be_a_part(turn, o) for o in read)
    beside |= any(o.heard and o.field != asked for o in read)  # read before, and passed over since
    answers = any(o.field == asked for o in read) or (asked and not kind_of(fields[asked]).polar)
    every = takes_all(newest_words(turn), turn.form.language)
    return read if not quick and (every or (answers and not beside)) else ()


def _may_be_a_part(turn: TurnContext, offer: Offer) -> bool:
    """Return True for a text that the form does not know."""
    kind, field = kind_of(turn.form.fields[offer.field]), turn.form.fields[offer.field]
    return kind.verbatim and all(r.data != offer.data for r in kind.find(field, str(offer.data), turn.context))


def accept(turn: TurnContext, offer: Offer, words: str) -> None:
    """Set what the owner accepted by a click or a plain message. A replaced answer is shown beside the new one, with Undo."""
    field, was = turn.form.fields[offer.field], turn.draft.values.get(offer.field)
    put(turn, field, accepted_value(turn, offer, words))
    _say_what_is_not_listed(turn, field, offer)
    if was is not None:
        show_change(turn, field, was, {name: old for name, old in turn.draft.undo.items() if name in turn.changed})


def _say_what_is_not_listed(turn: TurnContext, field: Field, offer: Offer) -> None:
    """Take the words for what is not listed, where that was chosen by the click on them: they are not asked for again."""
    chosen = offer.data if isinstance(offer.data, tuple) else (offer.data,)
    name = next((c.told_in for c in field.choices if c.told_in and c.value in chosen), "")
    words = unlisted(field, offer.said, turn.context) if name and name not in turn.draft.values else ""
    if words and problem_with(turn, turn.form.fields[name], words) is None:
        where = offer.card or turn.event.id
        put(turn, turn.form.fields[name], make_value(turn, turn.form.fields[name], words, "clicked", offer.said, where))


def show_change(turn: TurnContext, field: Field, was: Value, together: Mapping[str, Value]) -> None:
    """Show "was → now" with Undo, which restores every answer that changed with it; in a message of its own where replies have a shape."""
    before, after = (display_value(field, one, turn.context) for one in (was, turn.draft.values[field.name]))
    told, card = Phrase("was_now", {"label": field.label, "was": before, "now": after}), ""
    if turn.form.persona.shape:
        if turn.draft.undo_card:
            turn.turn_into(turn.draft.undo_card, Moved("below"))
        card = turn.show(Notice((told,), ("undo",)), own=True)
    else:
        turn.tell(told)
    turn.change(UndoKept({**together, field.name: was}, card))


def accepted_value(turn: TurnContext, offer: Offer, words: str, *, reader: str = "") -> Value:
    """Return the value with the offer's card as its message, and the accepting words, or those of the person's that it was read from."""
    field = turn.form.fields[offer.field]
    where = offer.card or offer.heard or turn.event.id
    how: How = "clicked" if offer.said and isinstance(turn.event, Clicked) else "accepted"
    value = make_value(turn, field, offer.data, how, offer.said or words, where, reader=reader, who=turn.draft.owner)
    return replace(value, label=offer.option.label, facts={**offer.option.facts}) if offer.option else value


# What the words may mean: kept for the question, for one click


def put_back(turn: TurnContext, done: ToolCalls, case: ProposedWrite) -> Result:
    """Keep a doubtful value for its field's question; refuse it where no click could take it."""
    refusal = judge(case, tuple(g for g in turn.guards if g is not grounded))
    if refusal is not None:
        return refused(turn, done, case, refusal)
    return _kept(turn, done, case, _meant(case))


def _meant(case: ProposedWrite) -> Sequence[Data]:
    """Return those among which the words leave open which one is meant; the value itself where they hold none that is nobody else's."""
    same = [f for f in case.form.fields.values() if (f.kind == case.field.kind or f.unit) and not kind_of(f).money]
    several = (
        alternatives(case.quotation, same) if case.quotation and kind_of(case.field).grounding == "reading" else ()
    )
    return several or (case.data,)


def _kept(turn: TurnContext, done: ToolCalls, case: ProposedWrite, values: Iterable[Data]) -> Result:
    if keep_for_question(turn, case.field, values, str(case.words)):
        done.put_back.append(case.field.name)
    return {
        "status": "put_back",
        "note": f"the user's words do not plainly say this; the form shows it to them with the question for {case.field.name}",
    }


def keep_for_question(turn: TurnContext, field: Field, values: Iterable[Data], said: str) -> bool:
    """Keep values that could be the answer. They join what another reader made of the same words, and replace what was kept before; a list grows.

    Return False where none could be, or answers to too many fields wait already.
    """
    stood = _list_that_stands(turn, field, said)
    if stood is not None:
        off = takes_off(field, newest_words(turn), turn.context)
        values, said = _with(field, stood, values, off=off), f"{stood.said}, {newest_words(turn) if off else said}"
    kept = {o.data: o for o in turn.draft.offers if o.field == field.name and o.said and o.turn == turn.draft.turn}
    kept = {} if stood is not None else kept
    small = (data for data in dict.fromkeys((*kept, *values)) if len(str(data)) <= WORDS)
    fit = [data for data in small if problem_with(turn, field, data) is None][:CHOICES]
    others = tuple(o for o in turn.draft.offers if o.field != field.name)
    if not fit or len({o.field for o in others if o.said}) >= PUT_BACK:
        return False
    words, now = said.strip()[:WORDS], turn.draft.turn
    fresh = {d: Offer(field.name, d, _label(turn, field, d), now, said=words) for d in fit}
    turn.change(OffersMade((*others, *({**fresh, **kept}[d] for d in fit))))
    return True


def _with(field: Field, stood: Offer, values: Iterable[Data], *, off: bool) -> list[Data]:
    """Return the list that stands with the choices of each value, or without them where they are taken off."""
    every, told = as_list(field, stood.data), [as_list(field, data) for data in values]
    return [tuple(c for c in every if c not in one) if off else as_list(field, every, one) for one in told]


def grows(turn: TurnContext, field: Field, data: Data, said: str) -> bool:
    """Keep a plain answer with the list that was read before and waits for a click: it says one more, or the whole. Return False where none waits."""
    stood = _list_that_stands(turn, field, said)
    if stood is not None and as_list(field, stood.data, data) != as_list(field, data):
        return keep_for_question(turn, field, (data,), said)
    now = (
        o
        for o in turn.draft.offers
        if o.field == field.name and o.turn == turn.draft.turn and holds_quote(o.said, said)
    )
    return takes_more(field) and any(as_list(field, o.data, data) == o.data != data for o in now)  # by another reader


def shrinks(turn: TurnContext, text: str) -> bool:
    """Take off the list that waits for a click what the whole message takes off ("no bed"). Return False where it does nothing of the kind."""
    for one in (turn.form.fields[offer.field] for offer in turn.draft.offers if offer.said):
        off = taken_off(one, text, turn.context)
        stood = _list_that_stands(turn, one, text) if off is not None else None
        if off is None or stood is None:
            continue
        if not any(_with(one, stood, (off,), off=True)):
            turn.change(OffersMade(tuple(o for o in turn.draft.offers if o != stood)))
            return True
        return keep_for_question(turn, one, (off,), text)
    return False


def _list_that_stands(turn: TurnContext, field: Field, said: str) -> Offer | None:
    """Return the list that was read from other words and waits with the question, unless these put it right."""
    line, off = source_line(turn.draft, said, only_fresh=True), takes_off(field, newest_words(turn), turn.context)
    stood = [
        o for o in turn.draft.offers if o.field == field.name and o.said and (off or not holds_quote(o.said, said))
    ]
    row, language = tokens(masked(line.text if line else said), turn.context.language), turn.context.language
    right = listed_everywhere(language, "negators", "no", "corrections.cues", "corrections.restricting").holds(row)
    return stood[0] if len(stood) == 1 and takes_more(field) and (off or not right) else None


def keep_choosable(turn: TurnContext, field: Field, data: Data, said: str) -> bool:
    """Keep what is left of several choices without those that do not fit the other answers. Return False where nothing new is."""
    left, held = choosable_part(field, data, turn.draft), turn.draft.values.get(field.name)
    new = bool(left) and (held is None or held.data != left)
    return new and keep_for_question(turn, field, (left,), said)


def refused(turn: TurnContext, done: ToolCalls, case: ProposedWrite, refusal: Rejection) -> Result:
    """Return a refusal; where the rules take another of the values that the words may mean ("at three"), keep that one.

    Where the person named choices that do not fit their other answers, tell them, and keep the rest. Where the rules refuse what they said,
    tell them why.
    """
    others = _meant(case) if refusal.code == "rules" and not case.correcting else ()
    if any(problem_with(turn, case.field, data) is None for data in others):
        return _kept(turn, done, case, others)
    wrong = misfit(turn, case.field, case.data) if refusal.code == "rules" else None
    if wrong is None or case.quotation is None:
        return _refused_by_rules(turn, done, case, refusal) if refusal.code == "rules" else refusal.result()
    line = case.quotation.line.text
    named = {
        part
        for r in kind_of(case.field).find(case.field, line, turn.context)
        for part in (r.data if isinstance(r.data, tuple) else (r.data,))
    }
    if not named & {choice.value for choice in not_choosable(case.field, case.data, turn.draft)}:
        return refusal.result()
    if wrong not in turn.news:
        turn.tell(wrong)
    keep_choosable(turn, case.field, case.data, line)
    done.put_back.append(case.field.name)
    return {"status": "put_back", "note": "the form tells the user that this does not fit their other answers"}


def _refused_by_rules(turn: TurnContext, done: ToolCalls, case: ProposedWrite, refusal: Rejection) -> Result:
    """Tell the person what the form's rules have against an answer that their words hold."""
    doubt = judge(case, (grounded,))
    said = case.quotation is not None and (doubt is None or doubt.code == "doubt")
    why = (
        problem_with(turn, case.field, case.data)
        if said and (case.correcting or not kind_of(case.field).verbatim)
        else None
    )
    if why is None or done.reader != RULES:
        return refusal.result()
    if why not in turn.news:
        turn.tell(why)
    done.put_back.append(case.field.name)
    return {"status": "put_back", "note": "the form tells the user why this cannot be"}


def put_text_back(turn: TurnContext, line: ChatLine) -> bool:
    """Keep a line as the text that was asked for, since only the person can say so. Return False where it is for no question."""
    field = turn.form.fields.get(asked_then(line, turn.draft))
    fit = field is not None and field.name not in turn.draft.values and kind_of(field).verbatim
    return field is not None and fit and keep_for_question(turn, field, (line.text.strip(),), line.text)


def declines(turn: TurnContext, field: str, text: str) -> bool:
    """Drop what was put back with the question where a message turns it down. Return False where it does not."""
    locale = turn.form.language
    wrong = is_refusal(text, locale) or turns_all_down(text) or finds_right(text, locale) is False
    if not is_shown(turn, field) or not wrong:
        return False
    turn.change(OffersMade(tuple(o for o in turn.draft.offers if o.field != field)))
    return True


def is_shown(turn: TurnContext, field: str) -> bool:
    """Return True if something that was read stands with the field's question."""
    return any(o.said and o.heard and o.field == field for o in turn.draft.offers)


def read_on(turn: TurnContext, draft: Draft, fields: Collection[str]) -> tuple[Offer, ...]:
    """Return what one act takes of what a card for these fields shows, where it may still be set."""
    settable = {f.name for f in in_stage(turn.form, turn.draft)} - turn.draft.locked_fields
    return tuple(o for o in usable(turn.form, draft, fields) if o.field in settable)


def asks_which(turn: TurnContext, field: Field, data: Data, text: str) -> bool:
    """Offer both answers where a plain yes came to "You wrote …: *No*?": nobody knows what it affirms. Return False for anything else."""
    shown = {o.data for o in turn.draft.offers if o.said and o.heard and o.field == field.name}
    named = any(r.data == data for r in kind_of(field).find(field, text, turn.context))
    return data is True and shown == {False} and not named and keep_for_question(turn, field, (False, True), text)


# A call that quotes nothing rests on the newest message, which has to say it by itself


def evidence(turn: TurnContext) -> tuple[str, ...]:
    """Return the newest message that this reading is about, and the burst that it ends; none where nothing was typed."""
    fresh = fresh_lines(turn.draft)
    broken = [line for line in bursts(turn.draft) if fresh and line.text.endswith(fresh[-1].text)]
    return tuple(line.text for line in (*fresh[-1:], *broken))


def newest_words(turn: TurnContext) -> str:
    """Return the newest message that this reading is about; empty where nothing was typed."""
    return "".join(evidence(turn)[:1])


def bearing(turn: TurnContext, field: Field, given: Any, beside: Mapping[str, Data]) -> str:
    """Return the words that bear a value of the field, the newest message where none do; empty where nothing was typed."""
    draft, found = turn.draft, evidence(turn)
    for text in found:
        case = ProposedWrite(turn.form, turn.rules, draft, turn.context, draft.owner, field, given, text, beside=beside)
        if judge(case, turn.guards) is None:
            return text
    return "".join(found[:1])


def speaks_against(turn: TurnContext, way: Transition, ways: tuple[Transition, ...]) -> bool:
    """Return True if the newest message asks, refuses, is about nothing, or names another of the open ways."""
    text = newest_words(turn)
    if not text or is_asking(text, turn.context) or no_answer(text, turn.context):
        return True
    named = {name: w for w in ways for name in (w.label, *w.words, *w.mentions) if name and holds_quote(text, name)}
    rejects = listed(turn.context.language, "no", "negators", "rejected")
    others = bool(named) and way not in named.values()
    return others or rejects.holds(tokens(masked(text), turn.context.language))
