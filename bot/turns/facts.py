"""Complete an event with what only the shell knows, as it is in this turn: places of posts, sums of records, roles."""

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

import structlog

from bot.effects.sources import OwnRecords
from bot.officers.lists import Lists
from bot.officers.roles import AUDITOR, Roles, RolesUnknown, deciders_of
from bot.slack.places import person_key
from bot.slack.posts import NEVER, Poster
from state.draft.criteria import EARLIER, ROWS
from state.draft.draft import Draft
from state.draft.route import decision_wanted
from state.draft.working_days import day_of
from state.engine import events
from state.engine.context import message_of
from state.record.filing import filed
from state.rules import FormFault
from state.stores.rows import Posted, StoredDraft
from state.stores.store import Store
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.turn")

LOOKS, WAIT = 75, 0.2
"""How often, and with what pause in seconds, a card on its way to Slack is looked for: longer than a dead process keeps its lane."""
Act = events.Clicked | events.DecisionMade | events.ReportMade
TS = re.compile(r"\d{10}\.\d{6}")
"""A message's place in Slack's time."""


@dataclass(frozen=True)
class Known:
    """A draft and its row."""

    stored: StoredDraft
    draft: Draft
    here: bool = False
    """True if its conversation is about it."""
    read_back: bool = False
    """True if another process wrote it: where its posts are is known to the database alone."""


def may_wait(workflow: Workflow, draft: Draft, event: events.RoutingEvent) -> bool:
    """Return True if the record waits for reviewers after this event: nobody is looked up for what is approved by rule, or declined."""
    form = workflow.form
    if isinstance(event, events.TimerFired):
        return event.what in ("overdue", "deciders")
    if isinstance(event, events.DecisionMade):
        return form.filing.waits(decision_wanted(form, draft).decide.get(event.verdict, ""))
    if (
        isinstance(event, events.FactsGathered)
        and event.purpose == "submit"
        and event.hash == draft.hash
        and draft.open
    ):
        with suppress(FormFault):  # the turn itself comes upon it
            return not event.failed and form.filing.waits(filed(form, workflow.rules, draft, event.facts).state)
    return False


@dataclass(frozen=True)
class TurnFacts:
    """Completes events before they are judged."""

    store: Store
    workflows: Mapping[str, Workflow]
    roles: Roles
    posts: Poster
    lists: Lists

    async def complete(self, event: events.DraftEvent, known: Known | None) -> events.DraftEvent:
        """Return the event with what is true now."""
        if isinstance(event, events.TakenUp):  # its draft may be from before it said itself what the record says
            record = await self.store.record(known.draft.filed.number) if known and known.draft.filed.number else None
            if record is None or record.erased or record.filed_at is None:
                return event
            told, reasons = record.body.get("filed") or {}, record.body.get("reasons") or ()
            until = str(told.get("until") or "") if told.get("state") == record.state else ""
            return replace(
                event, state=record.state, until=until, reasons=tuple(reasons), filed_at=record.filed_at.isoformat()
            )
        if isinstance(event, events.Clicked | events.DecisionMade | events.ReportMade):
            event = await self._clicked(event, known)
        if known is None or known.draft.form not in self.workflows:
            return event
        if isinstance(event, events.MessageReceived):
            return await self._written(event, known)
        if isinstance(event, events.FactsGathered):
            event = await self._counted(event, known.draft)
        workflow = self.workflows[known.draft.form].of(known.draft)
        if isinstance(event, events.RoutingEvent) and not event.deciders and may_wait(workflow, known.draft, event):
            event = replace(event, deciders=await deciders_of(self.roles, workflow.form, known.draft, event.at))
        if isinstance(event, events.DecisionMade | events.CaseJudged):
            return await self._authorised(event, known.draft)
        if isinstance(event, events.ReportMade) or (
            isinstance(event, events.DocumentsReceived) and known.draft.filed.reports
        ):
            return await self._reported(event, known.draft)
        return event

    async def _written(self, event: events.MessageReceived, known: Known) -> events.MessageReceived:
        """Say when that which the person had before them as they wrote was on screen: by Slack's times alone."""
        draft, card = known.draft, known.draft.card
        if not TS.fullmatch(event.message):
            return event
        waits = draft.proposal or draft.waiting
        names = [card.since or card.id, card.id] if card else []  # the open one, and the first that put its question
        if card is None or (card.hidden and waits is not None):
            names = [waits.card] if waits else []  # the one that waits for a click
        if not names:
            return event
        found = [await self._posted(name, known) for name in dict.fromkeys(names)]
        stood = any(p is not None and float(p.not_before) <= float(event.message) for p in found)
        shown = min((p.surely for p in found if p is not None), default=NEVER)
        return replace(event, early=not stood and card is not None, shown=shown)

    async def _clicked(self, event: Act, known: Known | None) -> Act:
        """Say when the card of a click was shown. One that nobody knows of, and that took over no message, is as old as its message."""
        if not event.clicked_at or event.shown or (isinstance(event, events.Clicked) and event.act in events.AT_ONCE):
            return event
        posted = await self._posted(event.card, known) if event.card else None
        own = event.message if isinstance(event, events.Clicked) and message_of(event.card) == event.card else ""
        return replace(event, shown=posted.surely if posted is not None and posted.ts else own)

    async def _counted(self, event: events.FactsGathered, draft: Draft) -> events.FactsGathered:
        """Return what a limit counts, and rows that are picked, as they are now: another submission may have been filed meanwhile."""
        if not {EARLIER, ROWS} & set(event.facts):
            return event
        form = self.workflows[draft.form].of(draft).form
        person = person_key(draft.tenant, draft.owner)
        records = OwnRecords(self.store, person, form, event.at, draft.zone, but=draft.filed.number)
        facts = dict(event.facts)
        if EARLIER in facts:
            facts[EARLIER] = await records.earlier()
        if ROWS in facts:
            facts[ROWS] = await records.picked(draft)
        return replace(event, facts=facts)

    async def _authorised(self, event: events.DecisionMade | events.CaseJudged, draft: Draft) -> events.DraftEvent:
        """Look up who holds the role that an act wants as the act is judged, and never before."""
        form = self.workflows[draft.form].of(draft).form
        asked = decision_wanted(form, draft) if isinstance(event, events.DecisionMade) else form.filing.breaches
        role = asked.by if asked else ""
        try:
            day = day_of(event.at, event.zone)
            found = await self.roles.authority(draft.tenant, event.who, role, day, draft.owner)
            audits = await self.roles.authority(draft.tenant, event.who, AUDITOR, day)
        except RolesUnknown:
            return replace(event, role=role, known=False)
        return replace(
            event, role=role, own=found.own, deputy_of=found.deputy_of, audits=bool(audits.own or audits.deputy_of)
        )

    async def _reported(self, event: events.ReportMade | events.DocumentsReceived, draft: Draft) -> events.DraftEvent:
        """Return what a report and its note are judged by: the person's other records, as they are now. Without them it is kept all the same."""
        workflow, person = self.workflows[draft.form].of(draft), person_key(draft.tenant, draft.owner)
        records = OwnRecords(self.store, person, workflow.form, event.at, draft.zone, lists=self.lists)
        try:
            return replace(event, facts=await workflow.rules.gather(draft, records))
        except Exception:
            log.exception("facts_failed", kind="report")
            return event

    async def _posted(self, card: str, known: Known | None) -> Posted | None:
        """Return when the card came to be shown. Wait for one of another process, which may have died between posting it and saying so."""
        for pause in (*(WAIT for _ in range(LOOKS)), 0.0):
            here, stored = await self.posts.placed(card), await self.store.posted(card)
            if here is not None and stored is not None and here.ts not in ("", stored.ts):
                return stored  # another process has posted it: what was sent here as well, and late, is taken away
            posted = max((p for p in (here, stored) if p is not None), key=lambda p: p.surely, default=None)
            if posted is not None or known is None or not known.read_back:
                return posted
            await asyncio.sleep(pause)
        return None
