"""Offers of the bot: values that it puts to the person, and their acceptance by a button, a plain yes, or a reader's call."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from state.draft import rejection as no
from state.draft.changes import OffersMade, UndoKept
from state.draft.display import display_value
from state.draft.draft import ChatLine, Data, How, Offer, Option, Provenance, Value
from state.draft.missing import in_stage
from state.draft.operations import Wanted
from state.draft.scope import scope
from state.draft.speech import Saying
from state.draft.utterance import Phrase
from state.engine.cards import Moved, Notice
from state.engine.context import TurnContext
from state.engine.effects import LookUp
from state.engine.events import Clicked
from state.engine.values import make_value, problem_with, put
from state.fields import kind_of
from state.fields.base import Unreadable
from state.form import Field, Transition
from state.guards import ProposedWrite, judge
from state.guards.writes import OFFER_GUARDS, grounded
from state.language.table import listed
from state.language.tokens import masked, tokens
from state.understanding.acceptance import is_refusal
from state.understanding.evidence import (
    as_written,
    asked_then,
    bursts,
    fresh_lines,
    holds_quote,
    newest_line,
    place_of,
    said_by_person,
    unread_lines,
)
from state.understanding.explanations import is_asking
from state.understanding.small_talk import no_answer
from state.understanding.verification import alternatives

Result = dict[str, Any]
Results = Mapping[str, Mapping[str, Any]]
RULES = "rules"
"""Name of the rule-based reader."""


@dataclass
class ToolCalls:
    """What the calls of one reply did, beside their results."""

    reader: str
    set: list[str] = field(default_factory=list)
    explained: bool = False
    said: list[Saying] = field(default_factory=list)
    """Acts that the catalogue has sentences for, in the order in which they were wanted."""
    offered_person: bool = False
    moved: bool = False
    """Whether a way was taken."""
    wanted: list[Wanted] = field(default_factory=list)
    """Operations that may run."""
    posted: bool = False
    """Whether a card that waits for a click was put up."""
    put_back: list[str] = field(default_factory=list)
    """Fields whose doubtful answers wait for the person's click."""
    beside: Mapping[str, Data] = field(default_factory=dict)
    """What all calls of the reply give to which fields."""
    alone: bool = True
    """Whether no model has read the same words; what looks like a name, and a model took for none, is put back."""


def read_value(turn: TurnContext, done: ToolCalls, case: ProposedWrite) -> Value:
    """A value as it was read from the person's words."""
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


MOST = 5
"""Offers that stand at a time."""
WORDS = 300
"""Characters of an offered text: a button has to carry it."""


def make_offer(turn: TurnContext, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Put a value to the person, if the field could take it; gives the tool's result."""
    name = str(arguments.get("field", ""))
    target = next((f for f in scope(turn.form, turn.draft).offerable if f.name == name), None)
    if target is None:
        return no.bad_arguments("`field` must name a field that may be offered now").result()
    option = _option(turn, target, arguments.get("value"))
    if kind_of(target).searchable and option is None:
        return no.bad_arguments("only a result that is on screen may be offered").result()
    case = ProposedWrite(
        turn.form, turn.rules, turn.draft, turn.context, turn.draft.owner, target, arguments.get("value"), ""
    )
    try:
        data = option.id if option else case.data
    except Unreadable as problem:
        return no.bad_arguments(f"'{name}' cannot be read ({problem.key})").result()
    if target.suggest and (data is not True or target.name == turn.draft.asked):
        return no.bad_arguments(f"of '{name}' only a yes is offered, while it is not the question").result()
    if kind_of(target).verbatim:
        data = _as_somebody_wrote(turn, target, str(data))
    if not data:
        return no.bad_arguments("of a text only words of the user's or the form's are offered").result()
    refusal = judge(case, OFFER_GUARDS)
    if refusal or len(str(data)) > WORDS:
        return (refusal or no.bad_arguments("the value is too long to be offered")).result()
    return _made(turn, target, data, option)


def _made(turn: TurnContext, field: Field, data: Data, option: Option | None) -> dict[str, Any]:
    standing = tuple(o for o in turn.draft.offers if not o.heard)
    if any(o.field == field.name and o.data == data for o in standing):
        return {"status": "ok", "note": "this offer stands already"}
    held = turn.draft.values.get(field.name)
    if len(standing) >= MOST or (held is not None and held.data == data):
        return no.filled(field.name).result() if held else no.bad_arguments("too many offers stand").result()
    label = option.label if option else display_value(field, _bare(data), turn.context)
    offer = Offer(field.name, data, label, turn.draft.turn, option=option)
    turn.change(OffersMade((*standing, offer)))
    return {"status": "ok", "note": "the user now sees a button for this value, and may say yes to it"}


def _as_somebody_wrote(turn: TurnContext, field: Field, text: str) -> str:
    """A text as the person said it or the form knows it, "" where neither does: a button is read like any other sentence."""
    said = (line.text for line in said_by_person(turn.draft))
    heard = next((heard for heard in (*said, *field.known) if holds_quote(heard, text) and place_of(heard, text)), "")
    return as_written(heard, text)


def _bare(data: Data) -> Value:
    return Value(data, Provenance("", "", "rule"))


def _option(turn: TurnContext, field: Field, given: object) -> Option | None:
    return next((o for o in turn.draft.options.get(field.name, ()) if given in (o.id, o.label)), None)


def hear(turn: TurnContext, message: str) -> None:
    """The person's next message: what was shown before may be accepted by it alone, and older offers are gone.

    One that an unread line heard waits until that is read; what was put back to them stands until its question is answered.
    """
    unread = {line.message for line in unread_lines(turn.draft)}
    kept = tuple(o for o in turn.draft.offers if o.heard and o.heard in unread)
    on_screen = (o for o in turn.draft.offers if o not in kept and (o.card if o.said else not o.heard))
    shown = tuple(replace(o, heard=message or "said") for o in on_screen)
    waiting = tuple(o for o in turn.draft.offers if o.said and not o.card and o not in kept)
    if turn.draft.offers:
        turn.change(OffersMade((*kept, *shown, *waiting)))


def acceptable(turn: TurnContext) -> tuple[Offer, ...]:
    """Offers that a plain yes takes now: put just before the newest message, one for a field, for fields that may still be set.

    What was read in the person's words waits for the click.
    """
    said = newest_line(turn.draft)
    offers = tuple(o for o in turn.draft.offers if said and not o.said and o.heard == (said.message or "said"))
    if not offers:
        return ()
    open_names = {f.name for f in in_stage(turn.form, turn.draft)} - turn.draft.locked_fields
    fields = [o.field for o in offers]
    return tuple(o for o in offers if o.field in open_names and fields.count(o.field) == 1)


def accept(turn: TurnContext, offer: Offer, words: str) -> None:
    """The owner took the offer by an act of their own, a click, or a message that says just that.

    Where it replaces an answer, the person is shown both and may take it back.
    """
    field, was, value = (
        turn.form.fields[offer.field],
        turn.draft.values.get(offer.field),
        accepted_value(turn, offer, words),
    )
    put(turn, field, value)
    if was is not None:
        together = {name: old for name, old in turn.draft.undo.items() if name in turn.changed}
        show_change(turn, field, was, together)


def show_change(turn: TurnContext, field: Field, was: Value, together: Mapping[str, Value]) -> None:
    """Tell "was → now" above what comes next, with Undo, which takes back this answer and those that changed together with it.

    Where every reply has its shape, it is told in a message of its own.
    """
    now = turn.draft.values[field.name]
    texts = {
        "label": field.label,
        "was": display_value(field, was, turn.context),
        "now": display_value(field, now, turn.context),
    }
    told, card = Phrase("was_now", texts), ""
    if turn.form.persona.shape:
        if turn.draft.undo_card:
            turn.turn_into(turn.draft.undo_card, Moved("below"))
        card = turn.show(Notice((told,), ("undo",)), own=True)
    else:
        turn.tell(told)
    turn.change(UndoKept({**together, field.name: was}, card))


def accepted_value(turn: TurnContext, offer: Offer, words: str, *, reader: str = "") -> Value:
    """The value with the offer's card as its message, and the accepting words, or those of the person's that it was read from."""
    field = turn.form.fields[offer.field]
    where = offer.card or offer.heard or turn.event.id
    how: How = "clicked" if offer.said and isinstance(turn.event, Clicked) else "accepted"
    value = make_value(turn, field, offer.data, how, offer.said or words, where, reader=reader, who=turn.draft.owner)
    return replace(value, label=offer.option.label, facts={**offer.option.facts}) if offer.option else value


PUT_BACK = 12
"""Fields whose answers may wait to be confirmed at a time."""
SAID = 300
"""Characters of a text that a button carries, and of the words that are shown beside it."""
CHOICES = 4
"""Values among which a person says which one is meant."""


def put_back(turn: TurnContext, done: ToolCalls, case: ProposedWrite) -> Result:
    """Keep a doubtful value for its field's question; gives the tool's result, a refusal where no click could take it."""
    refusal = judge(case, tuple(g for g in turn.guards if g is not grounded))
    if refusal is not None:
        return refusal.result()
    if keep_for_question(turn, case.field, _values(case), str(case.words)):
        done.put_back.append(case.field.name)
    return {
        "status": "put_back",
        "note": f"the user's words do not plainly say this; the form shows it to them with the question for {case.field.name}",
    }


def keep_for_question(turn: TurnContext, field: Field, values: Iterable[Data], said: str, most: int = PUT_BACK) -> bool:
    """Whether any of the values could be the answer; they join what another reader made of the same
    words, and take the place of what was kept before.
    """
    kept = {o.data: o for o in turn.draft.offers if o.field == field.name and o.said and o.turn == turn.draft.turn}
    small = (data for data in dict.fromkeys((*kept, *values)) if len(str(data)) <= SAID)
    fit = [data for data in small if problem_with(turn, field, data) is None][:CHOICES]
    others = tuple(o for o in turn.draft.offers if o.field != field.name)
    if not fit or len({o.field for o in others if o.said}) >= most:
        return False
    fresh = {d: Offer(field.name, d, _label(turn, field, d), turn.draft.turn, said=said.strip()[:SAID]) for d in fit}
    turn.change(OffersMade((*others, *({**fresh, **kept}[d] for d in fit))))
    return True


def put_text_back(turn: TurnContext, line: ChatLine) -> str:
    """Keep a line as the text that was asked for, since only the person can say so; gives its field, empty where it is for none."""
    field = turn.form.fields.get(asked_then(line, turn.draft))
    fit = field is not None and field.name not in turn.draft.values and kind_of(field).verbatim
    kept = field is not None and fit and keep_for_question(turn, field, (line.text.strip(),), line.text)
    return field.name if field is not None and kept else ""


def declines(turn: TurnContext, field: str, text: str) -> bool:
    """Whether a message turns down what was put back with the question; then it is gone."""
    shown = any(o.said and o.heard and o.field == field for o in turn.draft.offers)
    if not shown or not is_refusal(text, turn.form.language):
        return False
    turn.change(OffersMade(tuple(o for o in turn.draft.offers if o.field != field)))
    return True


def asks_which(turn: TurnContext, field: Field, data: Data, text: str) -> bool:
    """Whether a plain yes came to "You wrote …: *No*?", so that nobody knows what it affirms: then both stand for a click."""
    shown = {o.data for o in turn.draft.offers if o.said and o.heard and o.field == field.name}
    named = any(r.data == data for r in kind_of(field).find(field, text, turn.context))
    return data is True and shown == {False} and not named and keep_for_question(turn, field, (False, True), text)


def _values(case: ProposedWrite) -> tuple[Data, ...]:
    """The value, or those among which the words leave open which one is meant."""
    several = alternatives(case.quotation) if case.quotation and kind_of(case.field).grounding == "reading" else ()
    return several if case.data in several else (case.data,)


def _label(turn: TurnContext, field: Field, data: Data) -> str:
    return display_value(field, Value(data, Provenance("", "", "rule")), turn.context)


def evidence(turn: TurnContext) -> tuple[str, ...]:
    """The newest message that this reading is about, and the burst that it ends; none where nothing was typed."""
    fresh = fresh_lines(turn.draft)
    broken = [line for line in bursts(turn.draft) if fresh and line.text.endswith(fresh[-1].text)]
    return tuple(line.text for line in (*fresh[-1:], *broken))


def bearing(turn: TurnContext, field: Field, given: Any, beside: Mapping[str, Data]) -> str:
    """The words that bear a value of the field, the newest message where none do; empty where nothing was typed."""
    found = evidence(turn)
    cases = {text: _case(turn, field, given, text, beside) for text in found}
    return next((text for text, case in cases.items() if judge(case, turn.guards) is None), "".join(found[:1]))


def newest_words(turn: TurnContext) -> str:
    """Return the newest message that this reading is about; empty where nothing was typed."""
    return "".join(evidence(turn)[:1])


def speaks_against(turn: TurnContext, way: Transition, ways: tuple[Transition, ...]) -> bool:
    """Whether the newest message asks, refuses, is about nothing, or names another of the open ways."""
    text = "".join(evidence(turn)[:1])
    if not text or is_asking(text, turn.context) or no_answer(text, turn.context):
        return True
    names = {name: w for w in ways for name in (w.label, *w.words, *w.mentions) if name and holds_quote(text, name)}
    others = bool(names) and way not in names.values()
    return others or listed(turn.context.language, "no", "negators", "rejected").holds(
        tokens(masked(text), turn.context.language)
    )


def _case(turn: TurnContext, field: Field, given: Any, words: str, beside: Mapping[str, Data]) -> ProposedWrite:
    draft = turn.draft
    return ProposedWrite(turn.form, turn.rules, draft, turn.context, draft.owner, field, given, words, beside=beside)
