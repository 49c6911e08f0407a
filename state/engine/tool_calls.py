"""The tool calls of one reply: what they did so far, and how a value or a search follows from one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from state.draft import rejection as no
from state.draft.draft import Value
from state.draft.operations import Wanted
from state.draft.speech import Saying
from state.engine.context import TurnContext
from state.engine.effects import LookUp
from state.engine.offers import accepted_value
from state.engine.values import make_value
from state.form import Field
from state.form.field import Data
from state.guards import ProposedWrite

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
