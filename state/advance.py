"""`advance()`: the only way in which a draft and its record change, and the only judge. Pure: form, draft and event in; changes and effects out.

An event is handled, what follows is settled, and what the person sees is presented: each exactly once, in this order.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from state.draft.changes import Change, FormsWished, StatusMoved, ZoneKnown, apply, kept_earlier
from state.draft.draft import ChatLine, Draft, Status
from state.draft.record import WITHDRAW
from state.draft.record_changes import RecordGiven
from state.draft.route import takes_note
from state.draft.utterance import Phrase
from state.engine import events
from state.engine.cards import Notice, Receipt
from state.engine.context import AS_USUAL, Alone, JudgedCall, Policy, TurnContext
from state.engine.effects import Announce, Attach, Effect, Ephemeral, File, Repaint
from state.engine.on_click import hasty, on_click
from state.engine.on_documents import on_documents
from state.engine.on_facts import on_facts, on_lookup
from state.engine.on_message import on_message
from state.engine.on_operation import on_operation
from state.engine.on_reply import on_reply
from state.engine.present import present
from state.engine.settle import settle
from state.engine.told_early import look_back, offer_text
from state.engine.unread import see_to_reading
from state.form import Form
from state.guards import GUARDS, Guard
from state.record import by_owner
from state.record.filing import on_submit
from state.record.on_case import on_case
from state.record.on_decision import on_decision, on_taken_up
from state.record.on_note import on_note, on_report
from state.record.on_timer import on_delivery, on_timer, set_timers
from state.rules import FormFault, Rules
from state.understanding.evidence import said_by_person

Handler = Callable[[TurnContext, Any], None]


@dataclass(frozen=True)
class Outcome:
    """The draft after the event, the changes that made it, and what is to be done."""

    draft: Draft
    changes: tuple[Change, ...] = ()
    effects: tuple[Effect, ...] = ()
    calls: tuple[JudgedCall, ...] = ()
    """Tool calls that were judged, for the log."""
    fault: FormFault | None = None
    """The failure of the form's own Python."""


def advance(
    form: Form,
    rules: Rules,
    draft: Draft,
    event: events.DraftEvent,
    guards: tuple[Guard, ...] = GUARDS,
    policy: Policy = AS_USUAL,
) -> Outcome:
    """Judge one event. The same form, policy, draft and event give the same outcome, always."""
    turn = TurnContext(form, rules, draft, event, guards, policy)
    try:
        handle(turn)
        settle(turn)
        look_back(turn)
        offer_text(turn)
        if any(isinstance(change, StatusMoved) and change.on == WITHDRAW for change in turn.changes):
            by_owner.withdraw_asked_back(turn)  # its owner gave up what they were asked for, in whichever way
    except FormFault as fault:
        turn = TurnContext(form, rules, draft, event, guards, policy)
        turn.note_fault(fault)  # whoever acted is told: to try again would fail again
        if isinstance(turn.event, events.DecisionMade | events.CaseJudged):
            turn.do(Ephemeral(turn.event.who, Phrase("form_fault"), turn.event.where))
        elif not isinstance(turn.event, events.TimerFired | events.TakenUp | events.DeliveryChanged):
            turn.present(Alone((Phrase("form_fault"),)))
    screen = present(turn)
    turn.change(*screen.changes)
    after = turn.draft.changed(revision=draft.revision + 1) if turn.changes else draft
    return Outcome(after, tuple(turn.changes), tuple(screen.effects), tuple(turn.calls), turn.fault)


def handle(turn: TurnContext) -> None:
    """Change values and proposals as the event asks, and say what to show the person and to ask the model."""
    event = turn.event
    if fault := getattr(event, "fault", ()):
        raise FormFault(*fault)
    if event.zone and event.zone != turn.draft.zone and event.who == turn.draft.owner:
        turn.change(ZoneKnown(event.zone))
    acts = isinstance(event, events.MessageReceived) or (isinstance(event, events.Clicked) and not hasty(turn, event))
    if turn.draft.wished and acts and event.who == turn.draft.owner:
        turn.change(FormsWished(None))
    if event.returns and event.who == turn.draft.owner:
        # a click's card says so above what it asks; words are read later
        where = Phrase("back_at", {"form": turn.form.title})
        if isinstance(event, events.Clicked):
            turn.tell(where)
        else:
            turn.show(Notice((where,)))
    handler_of(turn)(turn, event)
    set_timers(turn)
    see_to_reading(turn)


def handler_of(turn: TurnContext) -> Handler:
    """Return what handles the event: the record's part where it is about what was filed."""
    event = turn.event
    match event:
        case events.Clicked() if event.act in by_owner.CLICKS:
            return by_owner.on_click
        case events.MessageReceived() if not turn.draft.open:
            return by_owner.on_message
        case events.DocumentsReceived() if takes_note(turn.form, turn.draft):
            return on_note
        case events.FactsGathered() if event.purpose == "submit":
            return on_submit
    return HANDLERS[type(event)]


def begin(
    form: Form, name: str, tenant: str, owner: str, conversation: str, at: str, before: Draft | None = None
) -> Draft:
    """Return a new, empty draft (revision 0). From the conversation's draft `before` it takes along what its owner said there."""
    language = "" if form is form.house else form.language
    fresh = Draft(
        name, form.name, tenant, owner, conversation, form.version, at, stage=form.first_stage, language=language
    )
    return fresh.changed(earlier=_said_before(fresh, before), spoken=before.spoken) if before else fresh


def _said_before(fresh: Draft, before: Draft) -> tuple[ChatLine, ...]:
    """Return the same person's words for another form; of the same form, or of one that was given up, nothing counts again."""
    same = (before.tenant, before.owner, before.conversation) == (fresh.tenant, fresh.owner, fresh.conversation)
    if not same or before.form == fresh.form or before.status is Status.CANCELLED:
        return ()
    return tuple(replace(line, before=True) for line in kept_earlier((), said_by_person(before)))


def files(outcome: Outcome) -> File | None:
    """Return the filing that the outcome asks for, if any."""
    return next((e for e in outcome.effects if isinstance(e, File)), None)


def with_number(outcome: Outcome, number: str) -> Outcome:
    """Return the outcome of a filing, once the store has given the record's number."""
    effects = tuple(_numbered(effect, number) for effect in outcome.effects)
    if outcome.draft.filed.number == number:
        return replace(outcome, effects=effects)
    given = RecordGiven(number)
    return replace(outcome, draft=apply(outcome.draft, given), changes=(*outcome.changes, given), effects=effects)


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


HANDLERS: Mapping[type, Handler] = {
    events.MessageReceived: on_message,
    events.Clicked: on_click,
    events.ModelReplied: on_reply,
    events.LookupCompleted: on_lookup,
    events.FactsGathered: on_facts,
    events.DocumentsReceived: on_documents,
    events.OperationCompleted: on_operation,
    events.DecisionMade: on_decision,
    events.CaseJudged: on_case,
    events.ReportMade: on_report,
    events.TimerFired: on_timer,
    events.DeliveryChanged: on_delivery,
    events.TakenUp: on_taken_up,
}
