"""A client that knows the contract and nothing else, over real HTTP: a whole session, with a model that answers in the contract's own shapes."""

import json
from dataclasses import dataclass, field
from typing import Any, Literal

import aiohttp
import pytest

from bot.sandbox.models.answers import ModelMessage, call, text, tools
from bot.sandbox.models.scripts import by_newest_message
from tests.chat.conftest import Caller, Calling

Dialect = Literal["json", "tools"]
REPLIES: dict[str, dict[str, Any]] = {
    "^good morning": {"type": "answer", "content": "Good morning! What did you spend today?"},
    "^coffee$": {"type": "clarify", "question": "How much was the coffee?"},
    "^3.50$": {"type": "tool_call", "tool": "add_expense", "args": {"item": "coffee", "amount": 3.5}},
    "^tea": {
        "type": "tool_call", "tool": "add_expense", "args": {"item": "tea", "amount": 2.2, "category": "food"},
        "confirmationSuggested": True, "confirmationMessage": "Shall I add the tea?",
    },
    "^€1234567.89 car": {
        "type": "tool_call", "tool": "add_expense",
        "args": {"item": "car", "amount": 1234567.89, "currency": "EUR", "date": "2026-11-20"},
    },
    "^list": {"type": "tool_call", "tool": "list_expenses", "args": {"category": "food"}},
    "^balance": {"type": "tool_call", "tool": "get_balance", "args": {}},
    "^change 1": {"type": "tool_call", "tool": "update_expense", "args": {"id": 1, "amount": 4.75}},
    "^delete 2": {"type": "tool_call", "tool": "delete_expense", "args": {"id": 2}},
    "^delete 99": {"type": "tool_call", "tool": "delete_expense", "args": {"id": 99}},
    "^am I rich": {"type": "answer", "content": "You have 812 euros left, says Anna."},
    "^and the bun": {"type": "clarify", "question": "Was it 2 euros? Or 3?"},
    "^thanks": {"type": "answer", "content": "You're welcome!"},
}  # fmt: skip
NOTHING = "Nothing was recorded."


@dataclass
class Client:
    """Sends what was said so far with each message, and sends a proposal back as it came."""

    url: str
    session: aiohttp.ClientSession
    history: list[dict[str, str]] = field(default_factory=list)

    async def post(self, body: Any) -> tuple[int, Any]:
        """Status and body."""
        headers = {"Authorization": "Bearer hf_alex"}
        async with self.session.post(self.url, json=body, headers=headers) as response:
            return response.status, await response.json()

    async def say(self, message: str) -> Any:
        """The answer to a message."""
        self.history.append({"role": "user", "content": message})
        status, answer = await self.post({"history": self.history, "userContext": {"userId": "anybody"}})
        assert status == 200, answer
        self.history.append({"role": "assistant", "content": answer["answer"]})
        return answer

    async def confirm(self, proposal: Any) -> Any:
        """The answer to a click."""
        status, answer = await self.post({"history": self.history, "confirm": proposal})
        assert status == 200, answer
        self.history.append({"role": "assistant", "content": answer["answer"]})
        return answer


def spoken(reply: dict[str, Any], dialect: Dialect) -> ModelMessage:
    """One of the contract's replies, as a model writes it."""
    if dialect == "json":
        return text(json.dumps(reply))
    return (
        text(reply.get("question") or reply["content"])
        if "tool" not in reply
        else tools(call(reply["tool"], **reply["args"]))
    )


async def opened(c: Caller) -> Client:
    """A client of this bot."""
    return Client(c.url, c.session)


@pytest.mark.parametrize("dialect", ["json", "tools"])
async def test_a_client_that_knows_the_contract_alone_plays_a_whole_session(calling: Calling, dialect: Dialect) -> None:
    """A greeting, a question back, proposals echoed as they came, two equal ones, a list, a balance, a change and a deletion."""
    model = by_newest_message({pattern: spoken(reply, dialect) for pattern, reply in REPLIES.items()})
    async with calling(model, anthropic_dialect=dialect) as c:
        client = await opened(c)
        hello = await client.say("good morning")
        assert hello == {"answer": f"Good morning! What did you spend today?\n{NOTHING}"}
        assert await client.say("coffee") == {"answer": f"How much was the coffee?\n{NOTHING}"}

        asked = await client.say("3.50")
        assert asked["confirmationRequired"] is True and asked["proposal"]["tool"] == "add_expense"
        assert (asked["proposal"]["args"]["item"], asked["proposal"]["args"]["amount"]) == ("coffee", 3.5)
        added = (await client.confirm(asked["proposal"]))["added"]
        assert [(row["id"], row["item"], row["amount"]) for row in added] == [(1, "coffee", 3.5)]

        first, second = await client.say("tea 2.20"), await client.say("tea 2.20")
        assert first["proposal"] == second["proposal"]
        for number, given in enumerate((first, second), 2):
            exactly = {"tool": given["proposal"]["tool"], "args": given["proposal"]["args"]}
            assert (await client.confirm(exactly))["added"][0]["id"] == number

        car = await client.say("€1234567.89 car 2026-11-20")
        assert car["added"][0]["amount"] == 1234567.89 and not car.get("confirmationRequired")
        assert [row["item"] for row in (await client.say("list food"))["listed"]] == ["tea", "tea"]
        assert (await client.say("balance"))["balance"] == {"EUR": 1234575.79}

        change = await client.say("change 1 to 4.75")
        assert change["proposal"] == {"tool": "update_expense", "args": {"id": 1, "amount": 4.75}}
        assert (await client.confirm(change["proposal"]))["updated"][0]["amount"] == 4.75
        deletion = await client.say("delete 2")
        assert (
            deletion["confirmationRequired"] and (await client.confirm(deletion["proposal"]))["deleted"][0]["id"] == 2
        )
        assert (await client.say("balance"))["balance"] == {"EUR": 1234574.84}

        strange = (await client.say("am I rich"))["answer"]
        assert "812" not in strange and "Anna" not in strange and strange.endswith(NOTHING)
        assert await client.say("and the bun") == {"answer": NOTHING}
        assert await client.say("thanks") == {"answer": f"You're welcome!\n{NOTHING}"}


@pytest.mark.parametrize("dialect", ["json", "tools"])
async def test_a_client_that_knows_the_contract_alone_meets_its_errors(calling: Calling, dialect: Dialect) -> None:
    """Only POST, well-formed bodies, operations and arguments that there are, own open proposals, rows that there are: else `{error, detail?}`."""
    model = by_newest_message({pattern: spoken(reply, dialect) for pattern, reply in REPLIES.items()})
    async with calling(model, anthropic_dialect=dialect) as c:
        client = await opened(c)
        async with c.session.get(c.url) as response:
            assert response.status == 405 and "error" in await response.json()
        coffee = {"item": "coffee", "amount": 3.5}
        bodies: tuple[tuple[int, Any], ...] = (
            (400, {"history": [{"role": "user", "content": "x" * 4001}]}),
            (400, []), (400, {"history": "good morning"}), (400, {"history": [{"role": "user"}]}), (400, {"confirm": "yes"}),
            (404, {"message": "delete 99"}), (404, {"confirm": {"tool": "add_expense", "args": coffee}}),
            (422, {"confirm": {"tool": "add_money", "args": coffee}}), (422, {"confirm": {"tool": "add_expense", "args": {"tip": 1}}}),
            (422, {"confirm": {"tool": "add_expense", "args": {**coffee, "amount": "plenty"}}}),
        )  # fmt: skip
        for status, body in bodies:
            got, answer = await client.post(body)
            assert got == status and set(answer) <= {"error", "detail"} and "error" in answer, body
        client.history.append({"role": "assistant", "content": "tea, " * 2000})
        proposal = (await client.say("tea 2.20"))["proposal"]
        await client.confirm(proposal)
        assert (await client.post({"confirm": proposal}))[0] == 404


async def test_what_is_none_of_the_three_replies_is_asked_for_once_more_and_no_oftener(calling: Calling) -> None:
    """Extra keys, unknown types, keys that are given twice, several replies and none at all: two calls of the model, then 502."""
    replies = (
        '{"type": "clarify", "question": "How much?", "confidence": 1}', '{"type": "answer", "content": "Fine.", "tool": "list_expenses"}',
        '{"type": "musing", "content": "Hm."}', '{"type": "answer", "content": "Fine.", "content": "Done."}',
        '{"type": "answer", "content": "Fine."} {"type": "answer", "content": "Fine."}', "Good morning!", '{"type": "answer"}', "{}",
        '{"type": "tool_call", "tool": "get_balance", "args": {}, "confirmationSuggested": "no"}', '{"type": "answer", "content": ""}',
        '{"type": "tool_call", "tool": "add_expense", "args": {"item": "bun", "amount": 1.5, "amount": 15}}',
    )  # fmt: skip
    for reply in replies:
        async with calling(by_newest_message({}, otherwise=text(reply)), anthropic_dialect="json") as c:
            assert (await (await opened(c)).post({"message": "good morning"}))[0] == 502, reply
            assert c.model is not None and len(c.model.requests) == 2, reply
