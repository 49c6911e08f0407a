"""Lanes: what hangs holds up nothing else, what is in memory is done at once, and what another process left is looked up first."""

import asyncio
import json
from pathlib import Path
from typing import Any

from bot.sandbox.models.answers import Answer, text
from bot.sandbox.workspace import Profile
from bot.slack.places import Place, person_key
from bot.slack.posts import MARK
from state.stores.rows import OutboxRow, TurnWrites
from tests.world import TEAM, World, world

MANY = 40
FORM = """
name = "desk"
title = "Desk booking"
version = "1"
prefix = "DSK"
words = ["desk"]

[fields.window]
kind = "yes_no"
label = "Window"
ask = "Should it be by the window?"
words = ["window"]
lock = "answered"

[fields.lamp]
kind = "yes_no"
label = "Lamp"
ask = "Should it have a lamp?"
words = ["lamp"]
lock = "answered"
"""


class Hanging:
    """A model that answers whoever talks small only when it is released."""

    def __init__(self) -> None:
        self.released, self.waiting, self.given_up = asyncio.Event(), 0, 0

    async def __call__(self, body: dict[str, Any]) -> Answer:
        if "small talk" in json.dumps(body["messages"]) and not self.released.is_set():
            self.waiting += 1
            try:
                await self.released.wait()
            except asyncio.CancelledError:
                self.given_up += 1
                raise
        return text("Noted.")


def folder(tmp_path: Path) -> str:
    """A folder with one small form."""
    made = tmp_path / "forms" / "desk"
    made.mkdir(parents=True)
    (made / "form.toml").write_text(FORM)
    return str(made.parent)


async def test_a_click_is_answered_while_many_model_calls_hang(tmp_path: Path) -> None:
    """Forty calls to the model that do not return take no room from a click: its next question comes while all of them hang."""
    model = Hanging()
    async with world(tmp_path / "var", model, holdfast_workflows=folder(tmp_path)) as w:
        await w.say("I need a desk")
        assert "window" in w.last()
        for n in range(MANY):
            w.sandbox.workspace.add_person(Profile(f"U{n}", f"p{n}", f"Person {n}", "Tester"), f"D{n}")
            await w.sandbox.person(f"U{n}").say("desk, small talk")
        await w.sandbox.until(lambda: model.waiting == MANY, timeout=100)
        await w.alex.click("Yes")
        await w.sandbox.until(lambda: "lamp" in w.last(), timeout=60)
        assert model.waiting == MANY
        model.released.set()
        await w.settled()


async def test_a_superseded_call_gives_its_room_back(tmp_path: Path) -> None:
    """A person's newer words end the call about the older ones; they are still answered, once."""
    model = Hanging()
    async with world(tmp_path / "var", model, holdfast_workflows=folder(tmp_path)) as w:
        await w.say("I need a desk")
        await w.alex.say("some small talk")
        await w.sandbox.until(lambda: model.waiting == 1, timeout=60)
        await w.alex.click("Yes")
        await w.sandbox.until(lambda: model.given_up == 1, timeout=60)
        model.released.set()
        await w.settled()
        assert (await w.values())["window"] is True
        assert await w.bot.store.dead() == []


async def test_a_post_that_another_process_left_is_looked_up_first(plain: World) -> None:
    """A row read back from the database may stand in Slack already: then it is taken as it stands, and not posted again."""
    there = Place(TEAM, plain.alex.dm)
    mark = {"event_type": MARK, "event_payload": {"key": "left/0"}}
    await plain.bot.app.client.chat_postMessage(channel=there.channel, text="Only once", metadata=mark)
    body = {"team": TEAM, "channel": there.channel, "thread": "", "card": "c1", "text": "Only once", "blocks": []}
    lease = await plain.bot.store.take("a process that died", 5)
    assert lease is not None
    left = OutboxRow("left/0", f"slack:{there.key}", "post", person_key(TEAM, "U0ALEX"), body)
    await plain.bot.store.write(lease, TurnWrites(outgoing=[left]))
    await plain.bot.engine.idle()
    (shown,) = plain.screen()
    posted = await plain.bot.store.posted("c1")
    assert posted is not None and posted.ts == shown["ts"]


async def test_what_comes_from_memory_is_posted_at_once(plain: World) -> None:
    """Right after its commit a post goes out without a look at the conversation: nobody else can have sent it."""
    await plain.say("I'd like to buy 200 Tesco")
    assert plain.screen()
    assert [sent for sent in plain.sandbox.sent if sent.method.startswith("conversations.")] == []
