"""Model calls: asked with no lease on the conversation held; the reply comes back as an event that names the turn it answers."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from bot.effects.documents import content_block
from bot.effects.performer import draft_of
from bot.model.protocol import Model, ModelAway, ModelError
from bot.model.sending import cost
from bot.operations.metrics import MODEL_CALLS, MODEL_COST, MODEL_TOKENS
from bot.slack.people import ThreadStatus
from prompts.build import build_request
from prompts.conversation import documents_read, with_documents
from prompts.dialects import dialect_of
from prompts.request import Dialect, Request, estimate
from state.draft.draft import Draft
from state.draft.reply import Reply, Usage
from state.draft.working_days import day_of
from state.engine.codec import decode_effect, encode
from state.engine.effects import CallModel
from state.engine.events import ModelReplied
from state.engine.offers import RULES
from state.engine.unread import read_fresh
from state.fields.base import Context
from state.guards.persona import model_asks
from state.stores.rows import InboxRow, OutboxRow
from state.stores.store import Store
from state.understanding.evidence import fresh_lines, newest_line
from state.workflow.load import Workflow


class Watcher(Protocol):
    """Told of each request and its reply, for the page that shows them."""

    def asked(self, draft: str, request: Request, reply: Reply | None) -> None: ...


@dataclass(frozen=True)
class Answer:
    """A reply, who read the words, and why it was not the model (if it was not)."""

    reply: Reply
    reader: str
    away: str = ""


AT_ONCE = 0.2
"""Seconds within which an answer needs no word that it is coming."""


class ModelCaller:
    """`model` is None where none is set up: the rule-based reader answers. `daily` is the day's budget in tokens.

    `dialect` is the installation's: anything but "tools" counts for every form.
    """

    def __init__(
        self,
        store: Store,
        workflows: Mapping[str, Workflow],
        model: Model | None,
        status: ThreadStatus,
        watcher: Watcher,
        daily: int,
        dialect: Dialect = "tools",
    ) -> None:
        self._store, self._workflows, self._model = store, workflows, model
        self._status, self._watcher, self._daily, self._dialect = status, watcher, daily, dialect
        self._unpaid = 0
        """Estimated tokens of calls that were given up: they count against the budget with the next one."""
        self._known = ("", 0)
        """The day of the newest count, and the tokens spent by then, all replicas together: each reply counts anew."""

    @property
    def has_model(self) -> bool:
        """True if there is anything to ask but the rule-based reader."""
        return self._model is not None

    async def think(self, row: OutboxRow) -> InboxRow | None:
        """Ask about the draft as it is now; None where the turn has moved on or there is nothing to say."""
        call, draft = decode_effect(row.body["effect"]), await draft_of(self._store, row)
        if not isinstance(call, CallModel) or draft is None or draft.turn != call.turn:
            return None
        answer = await self.ask(draft, call, str(row.body["conversation"]))
        if answer is None or self._adds_nothing(draft, call, answer.reply):
            return None
        event = ModelReplied(
            f"{row.key}/reply", (await self._store.now()).isoformat(), "model", answer.reply, call.turn, call.step,
            call.exchange, call.purpose, answer.reader, call.act, answer.away, call.regenerated or answer.reply.retried,
        )  # fmt: skip
        body = {"event": encode(event), "draft": draft.id}
        return InboxRow(event.id, str(row.body["conversation"]), row.person, body)

    async def ask(self, draft: Draft, call: CallModel, conversation: str = "") -> Answer | None:
        """Return the answer to a call and its reader; without a conversation, for a draft that is kept nowhere and that nobody watches."""
        away = "" if self._model else "none"
        if self._model:
            unpaid, self._unpaid = self._unpaid, 0
            away = "budget" if await self._spend(Usage(input=unpaid)) >= self._daily else ""
        if self._model and not away:
            try:
                async with self._thinking(draft, call, conversation):
                    return await self._ask(self._model, draft, call)
            except ModelError as problem:
                away = str(problem.reason) if isinstance(problem, ModelAway) else type(problem).__name__
                MODEL_CALLS.labels(away).inc()
                await self._spend(problem.usage)
        today = day_of((await self._store.now()).isoformat(), draft.zone)
        lines = fresh_lines(draft)
        if call.purpose == "lead_in" or not lines:  # rules have nothing to add to an act that code has shown already
            return None
        form = self._workflows[draft.form].form_of(draft)
        return Answer(read_fresh(form, draft, Context(form.language, today)), RULES, "" if away == "none" else away)

    async def _ask(self, model: Model, draft: Draft, call: CallModel) -> Answer:
        form = self._workflows[draft.form].form_of(draft)
        now = await self._store.now()
        request = build_request(form, draft, call, day_of(now.isoformat(), draft.zone), dialect_of(self._dialect, form))
        self._watcher.asked(draft.id, request, None)
        try:
            reply = await model.reply(await self._with_documents(request, draft, call))
        except asyncio.CancelledError:  # superseded: nobody will say what it cost
            MODEL_CALLS.labels("superseded").inc()
            self._unpaid += estimate(request)
            raise
        self._watcher.asked(draft.id, request, reply)
        MODEL_CALLS.labels(reply.stop).inc()
        await self._spend(reply.usage)
        return Answer(reply, reply.model or model.name)

    async def _with_documents(self, request: Request, draft: Draft, call: CallModel) -> Request:
        """The files that the model has just read beside their text; as text alone where the dialect knows no blocks."""
        if not request.tools:
            return request
        files: dict[str, Any] = {}
        for name in documents_read(call.exchange):
            kept = await self._store.document(name)
            block = content_block(kept, draft.documents[name].pages) if kept and name in draft.documents else None
            files |= {name: block} if block else {}
        return with_documents(request, files)

    def _adds_nothing(self, draft: Draft, call: CallModel, reply: Reply) -> bool:
        """Return True if a reply to an act that code has shown already says nothing that anybody would read."""
        form = self._workflows[draft.form].form_of(draft)
        read = bool(reply.calls) or form.conversational or model_asks(form, draft) or bool(draft.model_away)
        return call.purpose == "lead_in" and not read

    async def _spend(self, used: Usage) -> int:
        """Count tokens against the day's budget, also those of replies that came to nothing; gives what is spent by now."""
        MODEL_TOKENS.labels("input").inc(used.input)
        MODEL_TOKENS.labels("output").inc(used.output)
        MODEL_COST.inc(cost(self._model.name if self._model else "", used))
        day, tokens = (await self._store.now()).date().isoformat(), used.input + used.output
        if tokens or self._known[0] != day:
            self._known = day, await (self._store.spend(day, tokens) if tokens else self._store.spent(day))
        return self._known[1]

    @asynccontextmanager
    async def _thinking(self, draft: Draft, call: CallModel, conversation: str) -> AsyncIterator[None]:
        """Show that an answer is coming where it does not come at once; the model waits for nothing of that."""
        line, clock = newest_line(draft), asyncio.get_running_loop().time
        message, due = line.message if line and call.purpose == "understand" else "", clock() + AT_ONCE

        async def show() -> None:
            await asyncio.sleep(AT_ONCE)
            await self._status.show(conversation, message, draft)

        showing = asyncio.create_task(show()) if message else None
        try:
            yield
        finally:
            if showing and (clock() >= due or not showing.cancel()):
                await showing
                await self._status.show(conversation, message, None)
