"""The bot is killed at random while a person files requests; each must end as one right record."""

import asyncio
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from bot.sandbox.models.answers import text
from bot.sandbox.models.playback import MessagesServer
from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import ActError
from state.stores.opener import open_store
from state.stores.vault import installation_key
from tests.chain import verify
from tests.chaos.trials import Trials
from tests.process import process
from tests.warm import Warm
from tests.whole.steps import FILED, OPENING, REASON
from tests.world import shown

PATIENCE, AGAIN, FAILED = 60.0, 12.0, 1.0
"""Seconds that a step may take in all; after which a person clicks once more; and after a click that Slack said had failed."""
SCRIPT = (
    (OPENING, "Use all of it"),
    ("[Use all of it]", "Account: pension"),
    ("[Use this]", "Is this a derivative?"),
    ("[No]", "Is this a leveraged product?"),
    ("[No]", "Do you hold any inside information"),
    ("[No]", "connected to you"),
    ("[No]", "conflict"),
    ("[No]", "I understand"),
    ("[I understand]", "why do you want"),
    (REASON, "Submit"),
    ("[Submit]", "Submitted · PA-"),
)
"""Each act, and what is on the screen once it was handled."""


@dataclass
class Fire:
    """A bot that dies now and then: `chance` is the chance per act."""

    sandbox: Sandbox
    model: MessagesServer
    var: Path
    rng: random.Random
    chance: float
    kills: int = 0

    async def hold(self, who: Person) -> None:
        """One request from the first word to the receipt."""
        async with AsyncExitStack() as stack:
            bot = await stack.enter_async_context(process(self.sandbox, self.model, self.var))
            for act, wanted in SCRIPT:
                dying = asyncio.create_task(self._die(bot)) if self.rng.random() < self.chance else None
                taken = await self._act(who, act)
                if dying:
                    await dying
                    bot = await stack.enter_async_context(process(self.sandbox, self.model, self.var))
                await self._see(who, act, wanted, AGAIN if taken else FAILED)

    async def _die(self, bot: Warm) -> None:
        await asyncio.sleep(self.rng.random() * 0.3)
        bot.kill()
        await bot.wait()
        await self.sandbox.until(lambda: not self.sandbox.connected, timeout=PATIENCE)
        self.kills += 1

    async def _act(self, who: Person, act: str) -> bool:
        """Do it. False: nobody answered the click, and the person sees that."""
        if not act.startswith("["):
            await who.say(act)
            return True
        with suppress(ActError):
            await who.click(act.strip("[]"))
            return True
        return False

    async def _see(self, who: Person, act: str, wanted: str, again: float) -> None:
        """Wait for the answer; a click that nobody took is made again, as people do."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                await self.sandbox.until(lambda: said(who, wanted), timeout=again)
            except TimeoutError:
                again = AGAIN
                if act.startswith("[") and not said(who, wanted):
                    await self._act(who, act)
            else:
                return
        raise TimeoutError(f"{wanted!r} did not come")


def said(who: Person, wanted: str) -> bool:
    """Return True if one of the two newest messages of the bot says this."""
    posts = [m for m in who.messages() if m.get("bot_id")]
    return any(wanted in shown(m) for m in posts[-2:])


def trials(share: float) -> Iterator[Trials]:
    """File `share` of twenty requests with kills in between."""
    began = time.monotonic()
    kills = asyncio.run(under_fire(max(1, round(20 * share)), seed=1))
    yield Trials("kills", "kills of one process on SQLite", kills, 0, time.monotonic() - began)


async def under_fire(requests: int, seed: int, chance: float = 0.4) -> int:
    """File requests under fire and return how often the bot was killed. Raises AssertionError at the first wrong record."""
    sandbox, model = Sandbox(ack_timeout=1.0, retry_delays=(0, 8, 20)), MessagesServer(lambda _: text("Thank you."))
    await sandbox.start()
    await model.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            fire = Fire(sandbox, model, Path(folder), random.Random(seed), chance)
            for _ in range(requests):
                await fire.hold(sandbox.person("U0ALEX"))
            await check(Path(folder), requests)
            assert sandbox.refused == []
    finally:
        await model.stop()
        await sandbox.stop()
    return fire.kills


async def check(var: Path, requests: int) -> None:
    """One right record per request, and unbroken chains."""
    store = open_store(f"sqlite:///{var}/holdfast.db", installation_key(var / "holdfast.key"))
    await store.start()
    try:
        records = await store.records_of("T0HOLDFAST:U0ALEX")
        assert len(records) == requests, f"{len(records)} records of {requests} requests"
        for record in records:
            filed = {n: v["data"] for n, v in record.body["values"].items()}
            assert filed == FILED, (
                f"filed, and not told: {filed.items() - FILED.items()}; told: {FILED.items() - filed.items()}"
            )
        for draft in await store.drafts():
            assert not (await verify(store, draft)).broken
        assert await store.dead() == []
    finally:
        await store.stop()
