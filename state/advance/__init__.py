"""`advance()`: the only way in which a draft changes, and the only judge. Pure: form, draft and event in; changes and effects out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from state.advance.clicked import clicked
from state.advance.found import found
from state.advance.gathered import gathered
from state.advance.operating import operated
from state.advance.received import received
from state.advance.replied import replied
from state.advance.said import said
from state.advance.work import Work
from state.draft.changes import (
    Change,
    Counted,
    RecordGiven,
    ZoneKnown,
    apply,
    fold,
    kept_earlier,
)
from state.draft.draft import ChatLine, Draft, Status
from state.draft.missing import reachable
from state.engine.cards import Receipt
from state.engine.effects import (
    Announce,
    Attach,
    Effect,
    File,
    Gather,
    Repaint,
)
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
from state.engine.policy import AS_USUAL, Policy
from state.engine.tool_log import JudgedCall
from state.form import Form
from state.guards import GUARDS, Guard
from state.rules import Rules
from state.understanding.evidence import said_by_person

__all__ = ["Outcome", "advance", "begin", "with_number"]


@dataclass(frozen=True)
class Outcome:
    """The draft after the event, the changes that made it, and what is to be done."""

    draft: Draft
    changes: tuple[Change, ...] = ()
    effects: tuple[Effect, ...] = ()
    calls: tuple[JudgedCall, ...] = ()
    """Tool calls that were judged, for the log."""


def begin(
    form: Form, name: str, tenant: str, owner: str, conversation: str, at: str, before: Draft | None = None
) -> Draft:
    """A new, empty draft (revision 0). From the conversation's draft `before` it takes along what its owner said there."""
    fresh = Draft(name, form.name, tenant, owner, conversation, form.version, at, stage=form.first_stage)
    return replace(fresh, earlier=_said_before(fresh, before)) if before else fresh


def _said_before(fresh: Draft, before: Draft) -> tuple[ChatLine, ...]:
    """The same person's words for another form; of the same form, or of one that was given up, nothing counts again."""
    same = (before.tenant, before.owner, before.conversation) == (fresh.tenant, fresh.owner, fresh.conversation)
    if not same or before.form == fresh.form or before.status is Status.CANCELLED:
        return ()
    return tuple(replace(line, before=True) for line in kept_earlier((), said_by_person(before)))


def advance(
    form: Form,
    rules: Rules,
    draft: Draft,
    event: DraftEvent,
    guards: tuple[Guard, ...] = GUARDS,
    policy: Policy = AS_USUAL,
) -> Outcome:
    """Judge one event. The same form, policy, draft and event give the same outcome, always."""
    work = Work(form, rules, draft, event, guards, policy)
    if event.zone and event.zone != draft.zone and event.who == draft.owner:
        work.change(ZoneKnown(event.zone))
    HANDLERS[type(event)](work, event)
    if isinstance(event, MessageReceived | Clicked) and _got_on(draft, work.draft):
        work.change(Counted("turns_in_vain", 0))
    if _from_profile(form, work.draft) - (_from_profile(form, draft) if draft.revision else frozenset()):
        work.do(Gather("profile"))
    return Outcome(fold(draft, work.changes), tuple(work.changes), tuple(work.effects), tuple(work.calls))


def _got_on(before: Draft, now: Draft) -> bool:
    """Whether a plain answer or a click led on after turns in vain: those count no more."""
    return bool(now.turns_in_vain) and (now.values, now.stage) != (before.values, before.stage)


def _from_profile(form: Form, draft: Draft) -> frozenset[str]:
    """Fields that a person's profile may answer by now: nothing is taken from it before the form's condition for them holds."""
    return frozenset(f.name for f in reachable(form, draft) if f.profile) if draft.open else frozenset()


def with_number(outcome: Outcome, number: str) -> Outcome:
    """The outcome of a filing, once the store has given the record's number (inside the same transaction)."""
    given = RecordGiven(number)
    effects = tuple(_numbered(effect, number) for effect in outcome.effects)
    return Outcome(apply(outcome.draft, given), (*outcome.changes, given), effects, outcome.calls)


def files(outcome: Outcome) -> File | None:
    """The filing that the outcome asks for, if any."""
    return next((e for e in outcome.effects if isinstance(e, File)), None)


def _numbered(effect: Effect, number: str) -> Effect:
    if isinstance(effect, Repaint) and isinstance(effect.card, Receipt):
        return replace(effect, card=replace(effect.card, number=number))
    if isinstance(effect, Announce) and effect.what != "person":
        return replace(effect, record=number)
    if isinstance(effect, Attach):
        return replace(
            effect, name=effect.name.replace("{number}", number), title=effect.title.replace("{number}", number)
        )
    return effect


HANDLERS: Mapping[type, Callable[[Work, Any], None]] = {
    MessageReceived: said,
    Clicked: clicked,
    ModelReplied: replied,
    LookupCompleted: found,
    FactsGathered: gathered,
    DocumentsReceived: received,
    OperationCompleted: operated,
}
