"""The dialogues on the core alone: `advance()`, the scripted model or the rule-based reader, no Slack. Every dialogue in minutes."""

from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.effects.model_calls import ModelCaller
from prompts.request import Request
from prompts.tools import tools
from prompts.view import View
from state.advance import advance, begin, files, with_number
from state.draft.draft import Draft, Offer
from state.draft.reply import Reply, ToolCall
from state.engine.effects import CallModel, Effect, Gather
from state.engine.events import Clicked, DraftEvent, FactsGathered, MessageReceived, ModelReplied
from state.form import Form
from state.stores.opener import memory_store
from state.workflow.load import Workflow, load_all
from tests.replay.actor import Actor
from tests.replay.data import folder
from tests.replay.faults import Proposed
from tests.replay.folders import Silence, gather, write_forms
from tests.replay.whole import DAY

AT = DAY.isoformat()
MODEL = "replayed"


class Nobody:
    """Nobody is shown that the bot thinks, or what it is asked."""

    async def show(self, conversation: str, message: str, text: str) -> None:
        """See `model_calls.Status`."""

    def asked(self, draft: str, request: Request, reply: Reply | None) -> None:
        """See `model_calls.Watcher`."""


class Core:
    """See `stages.Stage`. Without a model the shell's own way out is taken, which asks the rule-based reader."""

    def __init__(self, workflows: Mapping[str, Workflow], actor: Actor, *, model: bool = True) -> None:
        self.actor, self.person = actor, ""
        self._rules = None if model else ModelCaller(memory_store(lambda: DAY), workflows, None, Nobody(), Nobody(), 0)
        self._workflows, self._count, self._filed = workflows, 0, 0
        self._draft: Draft | None = None

    def join(self) -> None:
        self._count += 1
        self.person, self._draft, self._filed = f"U{self._count:06d}", None, 0

    def form(self, name: str) -> Form:
        return self._workflows[folder(name)].form

    async def begin(self, form: str) -> None:
        self._draft = begin(self.form(form), self._id(), "T", self.person, "T:D:", AT, self._draft)
        await self._happen(Clicked(self._id(), AT, self.person, "begin", field=folder(form)))

    async def say(self, words: str) -> None:
        await self._happen(MessageReceived(self._id(), AT, self.person, words, f"{self._count}.0"))

    async def accept(self, offer: Offer) -> None:
        await self._happen(self._click("accept", offer.field, offer.data))

    async def use_all(self) -> None:
        await self._happen(self._click("take_all", "", None))

    async def leave_out(self, offer: Offer) -> None:
        await self._happen(self._click("leave", offer.field, None))

    async def change(self) -> None:
        draft = await self.draft()
        card = draft.proposal.card if draft.proposal else ""
        await self._happen(Clicked(self._id(), AT, self.person, "change", card=card))

    async def keep(self) -> None:
        draft = await self.draft()
        card = draft.proposal.card if draft.proposal else ""
        await self._happen(Clicked(self._id(), AT, self.person, "keep", card=card))

    async def edit(self, field: str) -> None:
        await self._happen(self._click("edit", field, None))

    async def choose(self, label: str) -> None:
        draft = await self.draft()
        field = self._workflows[draft.form].form.fields[draft.asked]
        known = {c.label: c.value for c in field.choices} if field.choices else {"Yes": True, "No": False}
        await self._happen(self._click("answer", draft.asked, known[label]))

    async def submit(self, *, twice: bool = False) -> None:
        draft = await self.draft()
        if draft.card is None or draft.card.kind != "review":
            raise LookupError("there is no review")
        click = self._click("submit", "", None)
        await self._happen(click)
        if twice:
            await self._happen(click)

    async def draft(self) -> Draft:
        if self._draft is None:
            raise LookupError("nothing was begun")
        return self._draft

    async def filed(self) -> int:
        return self._filed

    def _id(self) -> str:
        self._count += 1
        return f"e{self._count}"

    def _click(self, act: Any, field: str, value: Any) -> Clicked:
        draft = self._draft
        card = draft.card if draft else None
        return Clicked(
            self._id(), AT, self.person, act, field, value, card.id if card else "", draft.hash if draft else ""
        )

    async def _happen(self, event: DraftEvent) -> None:
        """An event, and all that follows from it."""
        waiting: deque[DraftEvent] = deque((event,))
        while waiting:
            draft = await self.draft()
            workflow = self._workflows[draft.form]
            outcome = advance(workflow.form, workflow.rules, draft, waiting.popleft())
            if files(outcome):
                self._filed += 1
                outcome = with_number(outcome, f"R-{self._count}")
            self._draft = outcome.draft
            for effect in outcome.effects:
                waiting.extend([e for e in [await self._performed(effect)] if e])

    async def _performed(self, effect: Effect) -> DraftEvent | None:
        draft = await self.draft()
        if isinstance(effect, Gather):
            return await self._gathered(effect, draft)
        if not isinstance(effect, CallModel) or effect.turn != draft.turn:
            return None
        if self._rules is not None:
            read = await self._rules.ask(draft, effect)
            return None if read is None else self._replied(effect, read.reply, read.reader)
        calls, words = self._answer(effect, draft)
        made = tuple(ToolCall(f"{self._id()}-{i}", tool, arguments) for i, (tool, arguments) in enumerate(calls))
        return self._replied(effect, Reply(words, made), MODEL)

    def _answer(self, effect: CallModel, draft: Draft) -> tuple[list[Proposed], str]:
        form = self._workflows[draft.form].form
        names = {tool["name"] for tool in tools(View(form, draft, AT[:10]))}
        results = effect.exchange[-1].results.values() if effect.exchange else ()
        values = {name: value.data for name, value in draft.values.items()}
        refused = any(r.get("status") == "rejected" or "rejected" in r for r in results)
        return self.actor.answer(names.__contains__, values, refused=refused)

    def _replied(self, call: CallModel, reply: Reply, reader: str) -> ModelReplied:
        return ModelReplied(
            self._id(), AT, "model", reply, call.turn, call.step, call.exchange, call.purpose, reader, call.act, "",
            call.regenerated,
        )  # fmt: skip

    async def _gathered(self, effect: Gather, draft: Draft) -> FactsGathered:
        try:
            facts, failed = await gather(draft, None), False
        except Silence:
            facts, failed = {}, True
        return FactsGathered(
            self._id(), AT, "rules", effect.purpose, facts, effect.hash, effect.name, effect.rest, failed
        )


@asynccontextmanager
async def core(var: Path, actor: Actor, *, model: bool = True) -> AsyncIterator[Core]:
    """The thirteen forms, on the data set's day."""
    yield Core(load_all([write_forms(var / "forms")]), actor, model=model)
