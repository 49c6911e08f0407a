"""The form in LangGraph: a graph with a checkpointer, tools that update its state, an interrupt before filing.

Run: python -m tests.bench.peers.on_langgraph
"""

import operator
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import uvloop
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import tool
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, ToolRuntime
from langgraph.types import Command, interrupt

from tests.bench.peers import form
from tests.bench.peers.form import Amount, Currency, Direction, Quantity, Words
from tests.bench.peers.slack_app import Draft, File, serve

STEPS = 25
"""Steps of the graph for one act; the library's own limit lets a model that repeats a call go on for minutes."""


def newest(_: Any, given: Any) -> Any:
    """Return the newer of two values of a channel."""
    return given


class State(MessagesState):
    """The state of the graph; parallel tool calls are merged by its reducers."""

    values: Annotated[dict[str, Any], operator.or_]
    clicked: Annotated[dict[str, bool], operator.or_]
    found: Annotated[list[str], newest]
    asked: Annotated[str, newest]


def draft_of(state: Any) -> Draft:
    """Return the draft in a state."""
    return Draft(state.get("values", {}), state.get("clicked", {}), state.get("found", []), state.get("asked", ""))


def told(runtime: ToolRuntime, said: str, **update: Any) -> Command[Any]:
    """Return an update of the state with the tool's own message."""
    return Command(update={**update, "messages": [ToolMessage(said, tool_call_id=runtime.tool_call_id)]})


def recorded(runtime: ToolRuntime, **given: Any) -> Command[Any]:
    """Set what may be set of these values."""
    draft = draft_of(runtime.state)
    taken, said = form.judged(draft.values, draft.clicked, draft.asked, given)
    return told(runtime, said, values=taken)


@tool
def set_security(security: Words, runtime: ToolRuntime) -> Command[Any]:
    """Look up the security that the person named, so that they can click the right one."""
    found = form.search(security)
    if "security" in runtime.state.get("clicked", {}) or not found:
        return told(runtime, "Refused: the person has chosen one." if not found else "Found nothing by that name.")
    return told(runtime, f"Shown to the person: {', '.join(found)}.", found=found)


@tool
def set_trade(
    runtime: ToolRuntime,
    direction: Direction | None = None,
    quantity: Quantity | None = None,
    value: Amount | None = None,
    currency: Currency | None = None,
    account: Words | None = None,
) -> Command[Any]:
    """Record what the person said of the trade, or has corrected: the value is of the whole trade, the currency an ISO code."""
    given = {"direction": direction, "quantity": quantity, "value": value, "currency": currency, "account": account}
    return recorded(runtime, **given)


@tool
def set_declarations(
    runtime: ToolRuntime,
    is_derivative: bool | None = None,
    is_leveraged: bool | None = None,
    has_inside_info: bool | None = None,
    is_related_party: bool | None = None,
    has_client_conflict: bool | None = None,
    holding_period_ack: bool | None = None,
) -> Command[Any]:
    """Record the person's own answer to the declaration that is the open question."""
    given = {name: value for name, value in locals().items() if name in form.DECLARATIONS}
    return recorded(runtime, **given)


@tool
def set_justification(
    runtime: ToolRuntime,
    justification: Words | None = None,
    derivative_justification: Words | None = None,
    related_party_relation: Words | None = None,
) -> Command[Any]:
    """Record the person's reason in their own words."""
    given = {
        "justification": justification,
        "derivative_justification": derivative_justification,
        "related_party_relation": related_party_relation,
    }
    return recorded(runtime, **given)


TOOLS = [set_security, set_trade, set_declarations, set_justification]


class OnLangGraph:
    """The agent: one thread of the graph is one draft."""

    def __init__(self, saver: AsyncSqliteSaver, file: File) -> None:
        name = os.environ.get("ANTHROPIC_MODEL", "claude-haiku-5-5")
        self._model = ChatAnthropic(model=name, max_tokens=1024, timeout=30).bind_tools(TOOLS)
        self._saver, self._file = saver, file
        graph = StateGraph(State)
        graph.add_node("assistant", self._assistant)
        graph.add_node("tools", ToolNode(TOOLS))
        graph.add_node("review", self._review)
        graph.add_edge(START, "assistant")
        graph.add_conditional_edges("assistant", self._after, ["tools", "review", END])
        graph.add_edge("tools", "assistant")
        graph.add_edge("review", END)
        self._graph = graph.compile(checkpointer=saver)

    async def _assistant(self, state: State) -> dict[str, Any]:
        draft = draft_of(state)
        truth = form.ground_truth(draft.values, draft.asked, draft.found)
        system = SystemMessage(f"{form.PROMPT}\n\n{truth}")
        return {"messages": [await self._model.ainvoke([system, *state["messages"]])]}

    def _after(self, state: State) -> str:
        last = state["messages"][-1]
        if isinstance(last, AIMessage) and last.tool_calls:
            return "tools"
        return END if draft_of(state).open else "review"

    async def _review(self, state: State, config: RunnableConfig) -> dict[str, Any]:
        """Wait for the person's click; nothing is filed without it."""
        interrupt({"review": state["values"]})
        number = await self._file(config["configurable"]["thread_id"], state["values"])
        return {"messages": [AIMessage(f"Submitted · {number}")]}

    async def said(self, thread: str, words: str) -> str:
        """Run the graph on what a person typed."""
        asked = (await self.draft(thread)).open
        given = {"messages": [HumanMessage(words)], "asked": asked}
        return reply(await self._graph.ainvoke(given, at(thread)))

    async def clicked(self, thread: str, name: str, value: object) -> None:
        """Set a value by the person's own click, and tell the model with their next words."""
        said = f"[clicked] {form.FIELDS[name]['label']}: {form.shown(name, value)}"
        update = {"values": {name: value}, "clicked": {name: True}, "found": [], "messages": [HumanMessage(said)]}
        await self._graph.aupdate_state(at(thread), update, as_node="assistant")
        if not (await self.draft(thread)).open:
            await self._graph.ainvoke(None, at(thread))

    async def submitted(self, thread: str) -> str:
        """Resume the interrupt."""
        return reply(await self._graph.ainvoke(Command(resume="submit"), at(thread)))

    async def draft(self, thread: str) -> Draft:
        """Return the thread's state."""
        return draft_of((await self._graph.aget_state(at(thread))).values)

    async def unfinished(self) -> dict[str, str]:
        """Resume each thread that stopped in the middle, from its last checkpoint."""
        threads = {found.config["configurable"]["thread_id"] async for found in self._saver.alist(None)}
        found = {thread: await self._graph.aget_state(at(thread)) for thread in threads}
        cut = [thread for thread, state in found.items() if state.next and not state.interrupts]
        return {thread: reply(await self._graph.ainvoke(None, at(thread))) for thread in cut}


def at(thread: str) -> RunnableConfig:
    """Return the configuration that names a thread and ends a model's loop."""
    return {"configurable": {"thread_id": thread}, "recursion_limit": STEPS}


def reply(state: dict[str, Any]) -> str:
    """Return the newest words of the model, none where a person spoke last."""
    last = state["messages"][-1]
    return str(last.text) if isinstance(last, AIMessage) else ""


@asynccontextmanager
async def build(folder: Path, file: File) -> AsyncIterator[OnLangGraph]:
    """Yield the agent on a checkpointer in this folder."""
    async with AsyncSqliteSaver.from_conn_string(str(folder / "checkpoints.db")) as saver:
        await saver.setup()
        yield OnLangGraph(saver, file)


if __name__ == "__main__":
    uvloop.run(serve(build))
