"""Nothing that is to be delivered is dropped quietly: it comes, once, or those whom it concerns are told why not."""

from pathlib import Path
from typing import Any

import pytest

from tests.whole.steps import to_review
from tests.world import World, world

POST, COMPLIANCE, OPS = "chat.postMessage", "C0COMPLIANCE", "C0OPS"
HELD = "could not tell those who decide"


def operators(w: World) -> dict[str, Any]:
    """Options of a bot whose operators have a channel."""
    return {}


async def said_in(w: World, channel: str) -> list[str]:
    """What the bot said in a channel."""
    return [
        m["text"] for m in w.sandbox.workspace.channels[channel].messages.values() for m in [m.body] if m.get("bot_id")
    ]


@pytest.fixture
async def run(tmp_path: Path) -> Any:
    """A bot whose operators have a channel."""
    async with world(tmp_path, channels={"operators": OPS}) as w:
        w.sandbox.workspace.add_channel(OPS, "operators", ["U0DANA", w.sandbox.workspace.bot.user_id])
        yield w


async def test_an_announcement_waits_until_the_bot_is_let_in(run: World) -> None:
    """Where the bot is not in the channel, the person and the operators are told so, once; and once it is let in, everything is delivered."""
    run.sandbox.remove_bot(COMPLIANCE)
    await to_review(run)
    await run.click("Submit")
    assert HELD in run.last()
    (told,) = await said_in(run, OPS)
    assert f"<#{COMPLIANCE}>" in told and "Invite me" in told
    (stuck,) = await run.bot.store.stuck()
    assert (stuck.status, stuck.reason, stuck.holds) == ("blocked", "not_in_channel", True)
    run.sandbox.invite_bot(COMPLIANCE)
    await run.sandbox.until(lambda: "have been told" in run.last())
    await run.settled()
    assert len(await said_in(run, COMPLIANCE)) == 1
    assert HELD not in run.transcript() and await run.bot.store.stuck() == []
    assert len(await said_in(run, OPS)) == 1
