"""One event handled whole: load the draft, judge, and write everything that follows in one transaction."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import structlog

from bot.effects.performer import Perform
from bot.exports.rights import DataRequest, read_right
from bot.exports.sinks import Sink, sink_rows, step_of
from bot.officers.index import changed
from bot.officers.lists import Lists
from bot.officers.roles import Roles
from bot.operations.metrics import FEEDBACK, REJECTIONS, TURNS
from bot.slack.places import of_team, place
from bot.slack.posts import Poster
from bot.turns.facts import Known, TurnFacts
from bot.turns.pointers import Openings, Pointers, answer_row
from bot.turns.records import record_asked
from bot.turns.routing import (
    Route,
    approved_meant,
    aside,
    asked_for,
    asks_for_all,
    begun_in,
    first_words,
    greeting,
    route,
)
from bot.turns.writes import RenderContext, Turn, chips, happened_as, outbox_rows, record_of, stored_draft, tool_calls
from state.advance import Outcome, advance, begin, files, with_number
from state.draft.draft import Draft, OtherForm, Status
from state.draft.working_days import day_of
from state.engine.codec import decode_draft, decode_event, encode
from state.engine.context import Policy
from state.engine.effects import Amend, CallModel
from state.engine.events import Clicked, DraftEvent, MessageReceived, ModelReplied, ReportMade, could_be_read, is_final
from state.engine.offers import RULES
from state.engine.unread import read_fresh
from state.fields.base import Context
from state.form import Form
from state.stores.figures import REJECTED
from state.stores.rows import (
    Body,
    Current,
    Hold,
    InboxRow,
    Lease,
    Number,
    OutboxRow,
    Received,
    StoredDraft,
    TurnWrites,
    Written,
)
from state.stores.store import Store
from state.understanding.evidence import fresh_lines
from state.workflow.load import NotInstalled, Workflow

log = structlog.get_logger("holdfast.turn")

KEPT, AT_HAND = 5000, 200
"""Drafts whose last revision is remembered, and those that are themselves."""
SOON, LATER = 0.5, 60.0
"""Seconds that a turn waits for an answer that may come at once, and for which it does not try again where none came."""


@dataclass(frozen=True)
class TurnHandler:
    """Handles inbox rows. `new_id` makes a draft's name; `channels` says where each workflow's records are announced.

    `has_model`: there is a model that reads words and leads over to the next question; else rules read, and nobody leads over.
    `answers` are kinds of rows whose answer may come at once, and who gives it.
    """

    store: Store
    workflows: Mapping[str, Workflow]
    new_id: Callable[[], str]
    channels: Mapping[str, str]
    posts: Poster
    policy: Policy
    has_model: bool
    roles: Roles
    lists: Lists
    """What officers keep as lists, by which reports are judged."""
    sinks: Callable[[], Mapping[str, Sink]]
    answers: Mapping[str, Perform]
    slow: dict[tuple[str, str], float] = field(default_factory=dict)
    """Until when (the loop's time) what was asked of a form is left to the outbox."""
    seen: OrderedDict[str, int] = field(default_factory=OrderedDict)
    """The revision of each draft that this process wrote or read last."""
    recent: OrderedDict[str, Known] = field(default_factory=OrderedDict)
    """The last of them as they were then: while the database says the same revision, nothing is read, opened or parsed again."""

    @property
    def _openings(self) -> Openings:
        return Openings(self.store, self.workflows)

    async def handle(
        self,
        lease: Lease,
        incoming: InboxRow,
        received: Received | None = None,
        hold: Hold | None = None,
        alone: Callable[[], bool] = lambda: False,
    ) -> Written:
        """Handle one inbox row under the conversation's lease, in one commit. `received` where the row came just now, with its draft.

        While the row is `alone`, and no model is there to read its words, rules read them in the same commit.

        Raises LeaseLost when another has taken over (nothing is written), and whatever the judging raises.
        """
        self.posts.came(incoming)
        event = decode_event(incoming.body["event"])
        facts = TurnFacts(self.store, self.workflows, self.roles, self.posts, self.lists)
        asked = read_right(event, dict.fromkeys(w.form.language for w in self.workflows.values()))
        if asked is not None:
            event = await facts.complete(event, None)
            return await self.store.write(lease, self._rights(incoming, event, asked), hold)
        known = await self._known(incoming, received)
        known, event = await approved_meant(self.store, self.workflows, incoming, event, known)
        meant = await record_asked(self.store, self.workflows, incoming, event, known)
        event = await facts.complete(event, meant or known)
        turn = Turn(TurnWrites(done=incoming.id), alone=alone)
        if meant:
            self._tell(turn, incoming, event, meant, known)
        else:
            await self._judge(turn, incoming, event, known)
            await self._answer_at_once(turn, facts)
        written = await self.store.write(lease, turn.write, hold)
        for stored in written.drafts:
            self._note(stored, turn.after[stored.id])
        for call in turn.work.calls:
            if call.status == REJECTED:
                REJECTIONS.labels(call.form, call.reason).inc()
        return written

    async def _judge(self, turn: Turn, incoming: InboxRow, event: DraftEvent, known: Known | None) -> None:
        if known is not None and known.draft.form not in self.workflows:
            if not self._elsewhere(incoming, event):
                turn.work.outgoing.append(self._away(incoming, event, known))
                return
            known = None
        draft = known.draft if known else None
        forms = {name: w.form_of(draft) if draft else w.form for name, w in self.workflows.items()}
        direct = place(incoming.conversation).direct
        asked = None if incoming.body.get("form") else aside(self.workflows, draft, event, direct=direct)
        if asked is not None:
            turn.work.outgoing.append(answer_row(incoming, event, asked))
            self._show_again(turn, event, known)
            return
        way = await self._openings.agreed(incoming, event, draft)
        way = way or route(forms, draft, event, str(incoming.body.get("form", "")), direct=direct)
        if way.to == "choose":
            way = await self._choose(turn, incoming, event, draft, forms)
        if way.to == "hint":
            turn.work.outgoing.append(Pointers(self.workflows).to_form(incoming, event, way.form))
        if way.to == "begin":
            elsewhere = isinstance(event, MessageReceived) and draft is not None and draft.form != way.form
            if elsewhere and (there := await self._open_of(incoming, way.form)):  # go on with what was left open of it
                await self._use(turn, incoming, self._back(event, way.form), there, ())
                return
            lasts = self.workflows[way.form].form.conversational  # a conversation of operations has no end
            open_ = await self._open_of(incoming, way.form) if lasts else None
            event = await self._openings.with_words(incoming, event, way.form, bare=way.bare)
            new = open_.draft if open_ else await self._new(incoming, event, way.form)
            turn.work.current = new.id
            self._advance(turn, new, open_.stored if open_ else None, event)
        elif way.to == "use" and known is not None:
            await self._use(turn, incoming, event, known, way.wished)

    async def _choose(
        self, turn: Turn, incoming: InboxRow, event: DraftEvent, draft: Draft | None, forms: Mapping[str, Form]
    ) -> Route:
        """Begin the form that words choose, or that they are plainly for; else put the choice, with what is open."""
        used, direct = await self.store.forms_used(incoming.person), place(incoming.conversation).direct
        known = await self._open_known(incoming) if direct else []
        mine = [(f, k.draft) for k in known if (f := self.workflows[k.draft.form].form_of(k.draft)).fields]
        before = await self._openings.told_before(incoming, incoming.id, event)
        if direct and isinstance(event, MessageReceived) and not asks_for_all(forms, draft, event):
            way = self._openings.chosen(incoming, event, before, used, alone=not mine)
            if way is not None:
                return way
        hello = greeting(forms, draft, event, again=self._openings.offered(before))
        rows = [row for row, _ in before]
        pointer = Pointers(self.workflows).to_form(incoming, event, "", mine, used, hello=hello, before=rows)
        turn.work.outgoing.append(pointer)
        return Route("choose")

    def _tell(self, turn: Turn, incoming: InboxRow, event: DraftEvent, meant: Known, known: Known | None) -> None:
        """Have a filed request answer for itself where it was filed; anywhere else its state is told to whoever asks alone."""
        if meant.stored.conversation == incoming.conversation:
            self._advance(turn, meant.draft, meant.stored, event)
        else:
            form = self.workflows[meant.draft.form].form_of(meant.draft)
            turn.work.outgoing.append(Pointers(self.workflows).of_record(incoming, event, form, meant.draft))
        self._show_again(turn, event, known)

    def _show_again(self, turn: Turn, event: DraftEvent, known: Known | None) -> None:
        """Show the open question once more, below what was said of something else; a conversation of operations has none."""
        if known is None or not known.draft.open or self.workflows[known.draft.form].form.conversational:
            return
        if place(known.stored.conversation).direct:
            back = Clicked(f"{event.id}/back", event.at, event.who, "show", zone=event.zone)
            self._advance(turn, known.draft, known.stored, back)

    def _elsewhere(self, incoming: InboxRow, event: DraftEvent) -> bool:
        """Return True for what asks for a form that is installed, whichever the conversation was about."""
        if isinstance(event, Clicked):
            return event.act == "begin"
        forms = {name: workflow.form for name, workflow in self.workflows.items()}
        if not isinstance(event, MessageReceived):
            return False
        return bool(incoming.body.get("form") or asked_for(forms, event.text) or asks_for_all(forms, None, event))

    def _away(self, incoming: InboxRow, event: DraftEvent, known: Known) -> OutboxRow:
        """The draft's own person reads that its form is not installed; whatever else happens to it waits. Raises NotInstalled."""
        if not isinstance(event, MessageReceived | Clicked | ReportMade) or event.who != known.draft.owner:
            raise NotInstalled(known.draft.form)
        return Pointers(self.workflows).away(incoming)

    async def _use(
        self, turn: Turn, incoming: InboxRow, event: DraftEvent, known: Known, wished: tuple[str, ...]
    ) -> None:
        """Hand the event to a draft that is there, and have the conversation be about that one from here on."""
        event = await self._openings.with_words(incoming, event, known.draft.form, known.draft)
        if isinstance(event, MessageReceived) and wished:
            here = self.workflows[known.draft.form].form_of(known.draft).language
            others = (self.workflows[name].spoken_in(here) for name in wished)
            event = replace(event, wished=tuple(OtherForm(form.name, form.name_in(here).title) for form in others))
        turns = (event.who == known.draft.owner and isinstance(event, Clicked | MessageReceived)) and known.draft.open
        if turns and not known.here and (incoming.body.get("draft") or _wanted(incoming)):
            before = await self._current(incoming, but=known.draft.id)
            if before is not None and before.draft.open:  # the person reads which form they are in now
                event = replace(event, returns=True)
        self._advance(turn, known.draft, known.stored, event)
        if turns:
            turn.work.current = known.draft.id
        elif (after := turn.after.get(known.draft.id)) is not None and after.open and not known.draft.open:
            await self._turn_back(turn, incoming, event, after)

    async def _turn_back(self, turn: Turn, incoming: InboxRow, event: DraftEvent, draft: Draft) -> None:
        """A closed draft that is open again asks something: the conversation is about it, and what was open here stays within reach."""
        known = await self._current(incoming, but=draft.id)
        open_ = known is not None and known.draft.open and known.draft.form in self.workflows
        form = self.workflows[known.draft.form].form_of(known.draft) if known and open_ else None
        if known is not None and form is not None and form.fields:
            turn.work.outgoing.insert(0, Pointers(self.workflows).left(incoming, event, form, known.draft))
        turn.work.current = draft.id

    def _back(self, event: DraftEvent, form: str) -> DraftEvent:
        """A bare wish goes back to the form as its button would; with more in it, the message is read there."""
        today = day_of(event.at, event.zone)
        if isinstance(event, MessageReceived) and (
            event.files or first_words(self.workflows[form].form, event.text, today)
        ):
            return replace(event, returns=True)
        return Clicked(event.id, event.at, event.who, "begin", value=form, zone=event.zone, returns=True)

    def _rights(self, incoming: InboxRow, event: DraftEvent, asked: DataRequest) -> TurnWrites:
        """Return what a person asks of their data touches no draft; the lane's name says nothing, because it outlives an erasure."""
        there = place(incoming.conversation)
        if isinstance(event, Clicked) and is_final(asked.right) and not could_be_read(event.clicked_at, event.shown):
            return TurnWrites(
                done=incoming.id, outgoing=[Pointers(self.workflows).too_soon(incoming, event, asked.language)]
            )
        body: Body = {"right": asked.right, "language": asked.language, "card": asked.card, "channel": there.channel}
        body["message"] = getattr(event, "message", "")
        row = OutboxRow(f"{event.id}/right", f"rights:{self.new_id()}", "right", incoming.person, body)
        return TurnWrites(done=incoming.id, outgoing=[row])

    async def apologise(self, lease: Lease, incoming: InboxRow, hold: Hold | None = None) -> Written:
        """Tell the person that their act could not be handled; nothing they told us is lost."""
        sorry = Pointers(self.workflows).apology(incoming)
        return await self.store.write(lease, TurnWrites(outgoing=[sorry]), hold)

    async def _known(self, incoming: InboxRow, received: Received | None) -> Known | None:
        """Return the draft that the event names, if it is of the same tenant; of a form that it names, the open one; else the current one."""
        wanted = _wanted(incoming)
        if wanted and place(incoming.conversation).direct:
            return await self._open_of(incoming, wanted)
        if received is None or received.taken is None:
            current = await self.store.current(incoming.conversation, str(incoming.body.get("draft") or ""))
        else:
            current = received.current
        known = await self._read(current) if current else None
        return known if known and known.draft.tenant == place(incoming.conversation).team else None

    async def _current(self, incoming: InboxRow, but: str = "") -> Known | None:
        """Return the draft that the conversation is about, unless it is this one."""
        current = await self.store.current(incoming.conversation)
        return await self._read(current) if current and current.draft != but else None

    async def _read(self, current: Current) -> Known | None:
        """Return a draft as it is stored; None for one that was erased."""
        known = None if current.erased else self.recent.get(current.draft)
        if known is not None and known.stored.revision == current.revision:
            return replace(known, here=current.here)
        stored = await self.store.draft(current.draft, current)
        if stored is None or stored.erased:
            self.recent.pop(current.draft, None)
            return None
        read_back = self.seen.get(stored.id) != stored.revision
        draft = decode_draft(stored.body)
        self._note(stored, draft)
        return Known(stored, draft, current.here, read_back)

    def forget(self) -> None:
        """Remember no draft, and nothing of what was posted."""
        self.recent.clear()
        self.posts.forget()

    def _note(self, stored: StoredDraft, draft: Draft) -> None:
        _put(self.seen, stored.id, stored.revision, KEPT)
        _put(self.recent, stored.id, Known(stored, draft), AT_HAND)

    async def _open_known(self, incoming: InboxRow) -> list[Known]:
        """Return the person's open drafts of this conversation, the ones begun last first."""
        stored = await self.store.drafts_of(incoming.person, status=Status.OPEN)
        here = (s for s in stored if s.conversation == incoming.conversation and s.form in self.workflows)
        return [Known(s, decode_draft(s.body)) for s in here]

    async def _open_of(self, incoming: InboxRow, form: str) -> Known | None:
        """Return the person's open draft of a form in this conversation."""
        return next((k for k in await self._open_known(incoming) if k.draft.form == form), None)

    async def _new(self, incoming: InboxRow, event: DraftEvent, form: str) -> Draft:
        """Return an empty draft, with what the person said here while another form was filled in."""
        tenant, there = place(incoming.conversation).team, incoming.conversation
        before = await self._current(incoming)
        text = str(getattr(event, "text", incoming.body["event"].get("text", "")))
        spoken_in = begun_in(self.workflows[form], text, str(incoming.body.get("locale", "")))
        new = begin(spoken_in, self.new_id(), tenant, event.who, there, event.at, before.draft if before else None)
        handed = getattr(event, "message", "") if isinstance(event, MessageReceived) else ""
        return replace(new, earlier=tuple(line for line in new.earlier if not handed or line.message != handed))

    def _advance(self, turn: Turn, draft: Draft, stored: StoredDraft | None, event: DraftEvent) -> None:
        workflow = self.workflows[draft.form].of(draft)
        outcome = advance(workflow.form_of(draft), workflow.rules, draft, event, policy=self.policy)
        if outcome.fault is not None:
            log.error(
                "form_failed",
                form=draft.form,
                what=outcome.fault.what,
                record=outcome.draft.filed.number,
                exc_info=outcome.fault,
            )
        filing = files(outcome)
        if filing is None:
            reply = self._read_at_once(turn, workflow, outcome, event)
            self._write(turn, workflow, draft, stored, event, outcome, read=reply is not None)
            return self._advance(turn, outcome.draft, turn.work.draft, reply) if reply else None
        if filing.again:
            final = with_number(outcome, filing.again)
            turn.work.refiled.append(record_of(workflow, draft, final, filing))
            return self._write(turn, workflow, draft, stored, event, final)

        def numbered(number: Number) -> None:
            final = with_number(outcome, number(f"{workflow.form.prefix}-{event.at[:4]}"))
            turn.work.records.append(record_of(workflow, draft, final, filing))
            self._write(turn, workflow, draft, stored, event, final)

        turn.numbered = numbered
        return None

    def _read_at_once(self, turn: Turn, workflow: Workflow, outcome: Outcome, event: DraftEvent) -> ModelReplied | None:
        """Return what rules make of the words, where no model is there to read them; None where that is left to a turn of its own.

        Lines that came together may belong together: they are read together, once all of them are kept. What fails is tried again there.
        """
        call = next((e for e in outcome.effects if isinstance(e, CallModel) and e.purpose == "understand"), None)
        form = workflow.form_of(outcome.draft)
        if call is None or self.has_model or form.conversational or not (turn.alone() and fresh_lines(outcome.draft)):
            return None
        try:
            reply = read_fresh(form, outcome.draft, Context(form.language, day_of(event.at, outcome.draft.zone)))
        except Exception:
            log.exception("reading_failed", form=form.name)
            return None
        return ModelReplied(
            f"{event.id}/read", event.at, "model", reply, call.turn, call.step, reader=RULES, act=call.act
        )

    async def _answer_at_once(self, turn: Turn, facts: TurnFacts) -> None:
        """Judge by what the form's tables and the person's records hold in the same commit; what is slow comes in a turn of its own."""
        while not turn.numbered and (row := next(filter(self._quick, turn.work.outgoing), None)) is not None:
            if turn.work.draft is None or row.draft.id != turn.work.draft.id:
                return
            try:
                async with asyncio.timeout(SOON):
                    came = await self.answers[row.kind](row)
            except TimeoutError:
                self.slow[_question(row)] = asyncio.get_running_loop().time() + LATER
                return
            turn.work.outgoing.remove(row)
            if came is not None:
                draft, stored = turn.after[row.draft.id], turn.work.draft
                event = await facts.complete(decode_event(came.body["event"]), Known(stored, draft, here=True))
                self._advance(turn, draft, stored, event)

    def _quick(self, row: OutboxRow) -> bool:
        """Return True for what is asked of nobody outside; a profile is Slack's."""
        if row.kind not in self.answers or row.body["effect"].get("purpose") == "profile":
            return False
        return asyncio.get_running_loop().time() >= self.slow.get(_question(row), 0.0)

    def _write(
        self,
        turn: Turn,
        workflow: Workflow,
        before: Draft,
        stored: StoredDraft | None,
        event: DraftEvent,
        outcome: Outcome,
        *,
        read: bool = False,
    ) -> None:
        after, work = outcome.draft, turn.work
        turn.after[after.id] = after
        if stored is None:
            work.current = after.id
            work.events.append(happened_as(workflow, before, "Began", encode(before)))
        changes = tuple(encode(c) for c in outcome.changes)
        work.events.append(happened_as(workflow, after, type(event).__name__, encode(event), changes))
        work.also += [work.draft] if work.draft and work.draft.id != after.id else []
        work.draft = stored_draft(after, stored)
        work.amended.update({e.record: e.state for e in outcome.effects if isinstance(e, Amend)})
        work.indexed += changed(workflow.form, before, after)
        work.calls += tool_calls(outcome, event, sum(e.draft == after.id for e in work.events) - 1)
        channels = of_team(self.channels, after.tenant)
        work.outgoing += outbox_rows(
            tuple(
                e
                for e in outcome.effects
                if self.has_model or not isinstance(e, CallModel) or (e.purpose == "understand" and not read)
            ),
            RenderContext(
                workflow.form_of(after), after, event.id, day_of(event.at, after.zone), channels.get(after.form, ""),
                event.at, channels, getattr(event, "clicked_at", ""),
            ),
        )  # fmt: skip
        step = step_of(workflow.form, before, after, outcome.changes, outcome.effects, event.at, event.id)
        work.outgoing += sink_rows(self.sinks(), step) if step else ()
        forms = {name: w.form_of(after) for name, w in self.workflows.items()}
        work.outgoing += chips(forms, before if stored else None, after, event, outcome.effects)
        happened = type(event).__name__
        TURNS.labels(happened, after.form).inc()
        if isinstance(event, Clicked) and event.act == "feedback" and event.who == after.owner:
            FEEDBACK.labels(after.form, "good" if event.value == "good" else "bad").inc()
        log.info("turn", happened=happened, form=after.form, revision=after.revision, effects=len(outcome.effects))


def _wanted(incoming: InboxRow) -> str:
    """Return the form that the event asks for by name, in a command or on a button that begins it."""
    event = incoming.body["event"]
    begun = event.get("field") or event.get("value") if event.get("act") == "begin" else ""
    return str(incoming.body.get("form") or begun or "")


def _question(row: OutboxRow) -> tuple[str, str]:
    """Return what is asked, by its form and its field or purpose."""
    effect = row.body["effect"]
    return row.draft.form, str(effect.get("field") or effect.get("purpose"))


def _put(kept: OrderedDict[str, Any], name: str, what: Any, most: int) -> None:
    """Keep something as the newest of so many at most."""
    kept[name] = what
    kept.move_to_end(name)
    if len(kept) > most:
        kept.popitem(last=False)
