"""A whole Holdfast for a test: sandbox, bot, and a local Messages API where a model plays a part."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from blocks import ids
from bot.root.installation import make_store
from bot.root.lifecycle import Bot
from bot.sandbox.local import sandboxed
from bot.sandbox.models.playback import MessagesServer, Script
from bot.sandbox.people import TO_READ, Person
from bot.sandbox.server import Sandbox
from bot.settings import Settings, load
from bot.slack.places import Place, person_key
from state.draft.draft import Draft
from state.engine.codec import decode_draft
from state.stores.opener import memory_store
from state.stores.rows import Record
from state.stores.store import Store
from tests.databases import put_tables
from tests.patience import PACE, PATIENCE

TEAM = "T0HOLDFAST"
EDIT = "hf.edit.select"
"""The menu that edits an answer."""


@dataclass(repr=False)  # asyncio tells a fixture's task with its result, which would be every form, each time
class World:
    """What a test sees: the screen through people, the truth through the store."""

    sandbox: Sandbox
    bot: Bot
    model: MessagesServer | None
    alex: Person
    others: tuple[Bot, ...] = ()
    """Further replicas."""

    async def settled(self) -> None:
        """Wait until every event is handled and every post is out, whichever replica does it."""
        await self.sandbox.until(lambda: not self.sandbox.under_way)
        for _ in range(1 + len(self.others)):
            for bot in (self.bot, *self.others):
                await bot.engine.idle()

    async def read(self) -> None:
        """Wait for the bot, and let whoever looks at the page read it: their next act comes a while later."""
        await self.settled()
        self.sandbox.slack.clock.advance(TO_READ)

    async def say(self, text: str, person: Person | None = None) -> None:
        """Say something in the direct message, and wait."""
        await (person or self.alex).say(text)
        await self.settled()

    async def click(self, wanted: str, message: Any = None, **extra: Any) -> None:
        """Click what reads like this on the newest card that has it, and wait."""
        await self.alex.click(wanted, message, **extra)
        await self.settled()

    async def choose(self, wanted: str, *choices: str) -> None:
        """Choose in a menu, and wait."""
        await self.alex.choose(wanted, *choices)
        await self.settled()

    async def edit(self, label: str, entry: str | None = None) -> None:
        """Choose an answer in the living card's Edit menu; where it is edited in a box, write or choose there what it shall be. And wait."""
        await self.choose(EDIT, label)
        if entry is not None:
            await self.alex.submit(values={ids.ENTRY_BLOCK: entry})
            await self.settled()

    async def draft(self, person: Person | None = None) -> Draft:
        """The draft that the person's direct message is about."""
        who = person or self.alex
        current = await self.bot.store.current(Place(TEAM, who.dm).key)
        assert current is not None
        stored = await self.bot.store.draft(current.draft)
        assert stored is not None
        return decode_draft(stored.body)

    async def values(self) -> dict[str, Any]:
        """Field to canonical value."""
        return {name: value.data for name, value in (await self.draft()).values.items()}

    async def records(self, person: Person | None = None) -> list[Record]:
        """The person's records, newest first."""
        return await self.bot.store.records_of(person_key(TEAM, (person or self.alex).id))

    def screen(self, person: Person | None = None) -> list[dict[str, Any]]:
        """The bot's messages in the direct message, oldest first."""
        return [m for m in (person or self.alex).messages() if m.get("bot_id")]

    def last(self, n: int = 1) -> str:
        """Everything that the n-th newest message of the bot says."""
        return shown(self.screen()[-n])

    def transcript(self) -> str:
        """All that the bot says on screen now."""
        return "\n---\n".join(map(shown, self.screen()))


def shown(message: dict[str, Any]) -> str:
    """What a message shows: its blocks; its text where it has none."""
    return words_of(message.get("blocks") or message["text"])


def words_of(thing: Any) -> str:
    """Every text in a block, in order."""
    if isinstance(thing, dict):
        parts = (
            words_of(v)
            for k, v in thing.items()
            if k
            in ("title", "subtitle", "body", "text", "blocks", "elements", "accessory", "fields", "options", "rows")
        )
        return "\n".join(p for p in parts if p)
    if isinstance(thing, list):
        return "\n".join(p for p in map(words_of, thing) if p)
    return thing if isinstance(thing, str) else ""


def settings(var: Path, channels: Mapping[str, str] = MappingProxyType({}), **given: Any) -> Settings:
    """Settings that take nothing from this machine; the same ones are read once for all folders."""
    return _read(tuple(given.items())).model_copy(update={"holdfast_var": var, "channels": dict(channels)})


async def begun(var: Path) -> None:
    """An installation that has a key and a database, and nothing in it."""
    async with make_store(settings(var)):
        pass


@lru_cache(maxsize=64)
def _read(given: tuple[tuple[str, Any], ...]) -> Settings:
    plain: dict[str, Any] = {
        "anthropic_api_key": None, "anthropic_base_url": None, "slack_bot_token": None, "slack_app_token": None,
        "slack_signing_secret": None, "database_url": "", "redis_url": "", "holdfast_workflows": "", "holdfast_key": None,
        "holdfast_pace": PACE,
    }  # fmt: skip
    return load(_env_file=None, **{**plain, **dict(given)})


def in_memory() -> Store:
    """A store that keeps nothing beyond its test: the tests of stores show that it answers as those on disk do."""
    return memory_store()


@asynccontextmanager
async def world(
    var: Path, script: Script | None = None, options: dict[str, Any] | None = None, *, kept: bool = False, **given: Any
) -> AsyncIterator[World]:
    """A world under `var`; with a script, the model plays it.

    What is said and shown needs no disk. `kept`: with a database file and a Redis under `var`, as the bot is run.
    """
    model = MessagesServer(script) if script else None
    if model:
        await model.start()
        given = {"anthropic_api_key": "sk-test", "anthropic_base_url": model.url, **given}
    made = settings(var, **given)
    if kept and not made.database_url:
        put_tables(var / "holdfast.db")
    forgetful = {} if kept or made.database_url else {"store": in_memory()}
    try:
        async with sandboxed(made, **{**forgetful, "ack_timeout": PATIENCE, **(options or {})}) as (sandbox, bot):
            await sandbox.until(lambda: sandbox.connected)
            made = World(sandbox, bot, model, sandbox.person("U0ALEX"))
            yield made
            assert sandbox.refused == []
    finally:
        if model:
            await model.stop()
