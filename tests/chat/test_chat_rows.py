"""`/chat` where words name a range that is not read, or a row that is recorded: asked and proposed as in Slack."""

from decimal import Decimal

from tests.chat.conftest import Calling


async def test_over_http_it_is_asked_and_proposed_in_the_same_way(calling: Calling) -> None:
    """`/chat` answers with the question, proposes the one row that is named, and asks which of several."""
    async with calling() as c:
        body = await c.say("how much since easter?")
        assert set(body) == {"answer"} and "since easter" in body["answer"]
        await c.add("train 38 EUR today")
        change = await c.say("change the train to 40")
        assert change["confirmationRequired"] and "Change 1" in change["answer"]
        status, done = await c.post({"confirm": {"tool": "update_expense", "args": {"id": 1, "amount": 40}}})
        assert status == 200 and Decimal(done["updated"][0]["amount"]) == 40
        await c.add("train 12 EUR yesterday")
        several = await c.say("change the train to 41")
        assert set(several) == {"answer"} and "Change 1" in several["answer"] and "Change 2" in several["answer"]
