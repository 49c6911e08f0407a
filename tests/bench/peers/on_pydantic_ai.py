"""The form in pydantic-ai: an agent with typed tools and dependencies, its conversation stored whole, approval deferred to a click.

Run: python -m tests.bench.peers.on_pydantic_ai
"""

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import aiosqlite
import uvloop
from pydantic_ai import Agent, ApprovalRequired, DeferredToolRequests, RunContext
from pydantic_ai.conversation import Conversation, ConversationTypeAdapter
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.tools import ToolDenied
from pydantic_ai.usage import UsageLimits

from tests.bench.peers import form
from tests.bench.peers.form import Amount, Currency, Direction, Quantity, Words
from tests.bench.peers.slack_app import Draft, File, serve

STEPS = 25
"""Requests to the model for one act. The library's own limit, 50, is the whole conversation's: a long one would end for good."""


@dataclass
class Deps:
    """What tools and instructions work on."""

    thread: str
    draft: Draft
    file: File


Context = RunContext[Deps]
agent = Agent(deps_type=Deps, output_type=[str, DeferredToolRequests], instructions=form.PROMPT)


@agent.instructions
def truth(ctx: Context) -> str:
    """Tell the model the draft as it is."""
    draft = ctx.deps.draft
    return form.ground_truth(draft.values, draft.asked, draft.found)


def limits(conversation: Conversation) -> UsageLimits:
    """Return what the next run may use: the conversation counts the requests of all that went before."""
    return UsageLimits(request_limit=conversation.usage.requests + STEPS)


def recorded(ctx: Context, **given: object) -> str:
    """Set what may be set of these values."""
    draft = ctx.deps.draft
    taken, said = form.judged(draft.values, draft.clicked, draft.asked, given)
    draft.values |= taken
    return said


@agent.tool
def set_security(ctx: Context, security: Words) -> str:
    """Look up the security that the person named, so that they can click the right one."""
    found = form.search(security)
    if "security" in ctx.deps.draft.clicked or not found:
        return "Refused: the person has chosen one." if found else "Found nothing by that name."
    ctx.deps.draft.found = found
    return f"Shown to the person: {', '.join(found)}."


@agent.tool
def set_trade(
    ctx: Context,
    direction: Direction | None = None,
    quantity: Quantity | None = None,
    value: Amount | None = None,
    currency: Currency | None = None,
    account: Words | None = None,
) -> str:
    """Record what the person said of the trade, or has corrected: the value is of the whole trade, the currency an ISO code."""
    return recorded(ctx, direction=direction, quantity=quantity, value=value, currency=currency, account=account)


@agent.tool
def set_declarations(
    ctx: Context,
    is_derivative: bool | None = None,
    is_leveraged: bool | None = None,
    has_inside_info: bool | None = None,
    is_related_party: bool | None = None,
    has_client_conflict: bool | None = None,
    holding_period_ack: bool | None = None,
) -> str:
    """Record the person's own answer to the declaration that is the open question."""
    return recorded(ctx, **{name: value for name, value in locals().items() if name in form.DECLARATIONS})


@agent.tool
def set_justification(
    ctx: Context,
    justification: Words | None = None,
    derivative_justification: Words | None = None,
    related_party_relation: Words | None = None,
) -> str:
    """Record the person's reason in their own words."""
    return recorded(
        ctx,
        justification=justification,
        derivative_justification=derivative_justification,
        related_party_relation=related_party_relation,
    )


@agent.tool
async def submit_request(ctx: Context) -> str:
    """Submit the request, once everything is recorded. The person is asked first."""
    if wanted := form.missing(ctx.deps.draft.values):
        return f"Refused: {', '.join(wanted)} still missing."
    if not ctx.tool_call_approved:
        raise ApprovalRequired
    return await ctx.deps.file(ctx.deps.thread, ctx.deps.draft.values)


class OnPydanticAI:
    """The agent with what it keeps of each thread."""

    def __init__(self, database: aiosqlite.Connection, file: File) -> None:
        self._model = AnthropicModel(os.environ.get("ANTHROPIC_MODEL", "claude-haiku-5-5"))
        self._database, self._file = database, file

    async def _load(self, thread: str) -> tuple[Draft, Conversation]:
        async with self._database.execute("SELECT draft, conversation FROM threads WHERE id = ?", (thread,)) as found:
            row = await found.fetchone()
        if row is None:
            return Draft(), Conversation()
        return Draft(**json.loads(row[0])), ConversationTypeAdapter.validate_json(row[1])

    async def _save(self, thread: str, draft: Draft, conversation: Conversation) -> None:
        kept = (thread, json.dumps(asdict(draft)), ConversationTypeAdapter.dump_json(conversation))
        await self._database.execute("REPLACE INTO threads VALUES (?, ?, ?)", kept)
        await self._database.commit()

    async def said(self, thread: str, words: str) -> str:
        """Run the agent on what a person typed; an approval that waits is denied by their going on."""
        draft, conversation = await self._load(thread)
        draft.asked = draft.open
        waiting = conversation.deferred_tool_requests
        denied = {call.tool_call_id: ToolDenied("The person went on.") for call in waiting.approvals} if waiting else {}
        result = await agent.run(
            words,
            model=self._model,
            deps=Deps(thread, draft, self._file),
            conversation=conversation,
            deferred_tool_results=waiting.build_results(approvals=denied) if waiting else None,
            usage_limits=limits(conversation),
        )
        await self._save(thread, draft, result.conversation)
        return result.output if isinstance(result.output, str) else ""

    async def clicked(self, thread: str, name: str, value: object) -> None:
        """Set a value by the person's own click, and tell the model with their next words."""
        draft, conversation = await self._load(thread)
        draft.values[name], draft.clicked[name], draft.found = value, True, []
        said = f"[clicked] {form.FIELDS[name]['label']}: {form.shown(name, value)}"
        conversation.messages.append(ModelRequest(parts=[UserPromptPart(said)]))
        await self._save(thread, draft, conversation)

    async def submitted(self, thread: str) -> str:
        """Approve the model's call; where it never made one, the click is enough."""
        draft, conversation = await self._load(thread)
        deps, waiting = Deps(thread, draft, self._file), conversation.deferred_tool_requests
        if waiting:
            approved = waiting.build_results(approve_all=True)
            result = await agent.run(
                model=self._model,
                deps=deps,
                conversation=conversation,
                deferred_tool_results=approved,
                usage_limits=limits(conversation),
            )
            await self._save(thread, draft, result.conversation)
        return f"Submitted · {await self._file(thread, draft.values)}"

    async def draft(self, thread: str) -> Draft:
        """Return the thread's draft."""
        return (await self._load(thread))[0]

    async def unfinished(self) -> dict[str, str]:
        """Return nothing: a run that was cut off leaves no trace without one of the engines for durable execution."""
        return {}


@asynccontextmanager
async def build(folder: Path, file: File) -> AsyncIterator[OnPydanticAI]:
    """Yield the agent on a database in this folder."""
    async with aiosqlite.connect(folder / "conversations.db") as database:
        for line in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL"):
            await database.execute(line)
        await database.execute("CREATE TABLE IF NOT EXISTS threads (id TEXT PRIMARY KEY, draft, conversation)")
        yield OnPydanticAI(database, file)


if __name__ == "__main__":
    uvloop.run(serve(build))
