"""`advance()`: the only way in which a draft changes, and the only judge. Pure: form, draft and event in; changes and effects out.

An event is handled, what follows is settled, and what the person sees is presented: each exactly once, in this order.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from state.draft.changes import Change, ZoneKnown
from state.draft.draft import Draft
from state.engine.context import TurnContext
from state.engine.effects import Effect
from state.engine.events import (
    Clicked,
    DocumentsReceived,
    DraftEvent,
    FactsGathered,
    LookupCompleted,
    MessageReceived,
    ModelReplied,
    OperationCompleted,
)
from state.engine.on_click import on_click
from state.engine.on_documents import on_documents
from state.engine.on_facts import on_facts
from state.engine.on_lookup import on_lookup
from state.engine.on_message import on_message
from state.engine.on_operation import on_operation
from state.engine.on_reply import on_reply
from state.engine.policy import AS_USUAL, Policy
from state.engine.present import present
from state.engine.settle import settle
from state.engine.tool_log import JudgedCall
from state.form import Form
from state.guards import GUARDS, Guard
from state.rules import Rules


@dataclass(frozen=True)
class Outcome:
    """The draft after the event, the changes that made it, and what is to be done."""

    draft: Draft
    changes: tuple[Change, ...] = ()
    effects: tuple[Effect, ...] = ()
    calls: tuple[JudgedCall, ...] = ()
    """Tool calls that were judged, for the log."""


def advance(
    form: Form,
    rules: Rules,
    draft: Draft,
    event: DraftEvent,
    guards: tuple[Guard, ...] = GUARDS,
    policy: Policy = AS_USUAL,
) -> Outcome:
    """Judge one event. The same form, policy, draft and event give the same outcome, always."""
    turn = TurnContext(form, rules, draft, event, guards, policy)
    handle(turn)
    settle(turn)
    screen = present(turn)
    turn.change(*screen.changes)
    after = replace(turn.draft, revision=draft.revision + 1) if turn.changes else draft
    return Outcome(after, tuple(turn.changes), tuple(screen.effects), tuple(turn.calls))


def handle(turn: TurnContext) -> None:
    """Change values and proposals as the event asks, and say what the person is to be told, shown, and the model asked."""
    event = turn.event
    if event.zone and event.zone != turn.draft.zone and event.who == turn.draft.owner:
        turn.change(ZoneKnown(event.zone))
    HANDLERS[type(event)](turn, event)


HANDLERS: Mapping[type, Callable[[TurnContext, Any], None]] = {
    MessageReceived: on_message,
    Clicked: on_click,
    ModelReplied: on_reply,
    LookupCompleted: on_lookup,
    FactsGathered: on_facts,
    DocumentsReceived: on_documents,
    OperationCompleted: on_operation,
}
