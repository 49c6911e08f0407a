"""What the words may mean and do not plainly say goes back to the person: the question comes with the answer filled in, for one click."""

from collections.abc import Iterable

from state.draft.changes import OffersMade
from state.draft.display import display_value
from state.draft.draft import ChatLine, Offer, Provenance, Value
from state.engine.context import TurnContext
from state.engine.tool_calls import Result, ToolCalls
from state.engine.values import problem_with
from state.fields import kind_of
from state.form import Field
from state.form.field import Data
from state.guards import ProposedWrite, judge
from state.guards.writes import grounded
from state.understanding.acceptance import is_refusal
from state.understanding.evidence import asked_then
from state.understanding.verification import alternatives

MOST = 12
"""Fields whose answers may wait to be confirmed at a time."""
WORDS = 300
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


def keep_for_question(turn: TurnContext, field: Field, values: Iterable[Data], said: str, most: int = MOST) -> bool:
    """Whether any of the values could be the answer; they join what another reader made of the same
    words, and take the place of what was kept before.
    """
    kept = {o.data: o for o in turn.draft.offers if o.field == field.name and o.said and o.turn == turn.draft.turn}
    small = (data for data in dict.fromkeys((*kept, *values)) if len(str(data)) <= WORDS)
    fit = [data for data in small if problem_with(turn, field, data) is None][:CHOICES]
    others = tuple(o for o in turn.draft.offers if o.field != field.name)
    if not fit or len({o.field for o in others if o.said}) >= most:
        return False
    fresh = {d: Offer(field.name, d, _label(turn, field, d), turn.draft.turn, said=said.strip()[:WORDS]) for d in fit}
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
