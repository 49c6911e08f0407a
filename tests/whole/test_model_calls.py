"""What the model is asked, and what its replies leave behind: no more of either than somebody reads."""

from pathlib import Path
from typing import Any

import pytest

from bot.operations.logs import CHATTY
from bot.sandbox.models.answers import Answer, call, text, tools
from bot.sandbox.models.scripts import newest_words
from tests.bot.written import as_the_bot_logs, lines
from tests.whole.steps import OPENING, open_request, play
from tests.world import World, world

TRADE = {"direction": "buy", "quantity": 200, "value": "720", "currency": "GBP", "account": "pension"}


def chatty(body: dict[str, Any]) -> Answer:
    """A model that calls once for all that was said, and otherwise writes what nobody reads."""
    if newest_words(body) != OPENING:
        return text("All right.")
    return tools(call("set_security", security="Tesco", words=OPENING), call("set_trade", **TRADE, words=OPENING))


async def happened(w: World) -> list[str]:
    """The kinds of the draft's events, oldest first."""
    return [event.kind for event in await w.bot.store.events((await w.draft()).id)]


async def test_a_sentence_costs_one_call_and_a_click_one_that_leaves_no_trace(tmp_path: Path) -> None:
    """Calls that take all of a sentence are the turn's only ones; after a click idle words are no event of the draft."""
    async with world(tmp_path, chatty) as w:
        assert w.model is not None
        await play(w, OPENING)
        assert (len(w.model.requests), (await happened(w)).count("ModelReplied")) == (1, 1)
        await play(w, "[Use all of it]", "[Use this]", "[No]")
        assert (len(w.model.requests), (await happened(w)).count("ModelReplied")) == (4, 1)


@pytest.mark.parametrize(("tokens", "asked"), [(1, 1), (10**9, 3)])
async def test_the_days_budget_ends_the_calls(tmp_path: Path, tokens: int, asked: int) -> None:
    """Once the day's tokens are spent no further act asks the model, and the form goes on without it."""
    async with world(tmp_path, chatty, holdfast_daily_tokens=tokens) as w:
        await play(w, OPENING, "[Use all of it]", "[Use this]")
        assert w.model is not None and len(w.model.requests) == asked
        assert (await w.draft()).asked == "is_derivative"


async def test_a_call_writes_the_bots_own_lines_alone(tmp_path: Path) -> None:
    """No library that carries a call adds a line of its own to the log."""
    with as_the_bot_logs() as written:
        async with world(tmp_path, chatty) as w:
            await open_request(w)
            assert w.model is not None and w.model.requests
    assert {line["library"].partition(".")[0] for line in lines(written) if "library" in line} <= set(CHATTY)
