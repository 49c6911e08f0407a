"""Requests that are approved, and a clock that tests set: what waits for a time comes when it is told to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import make_url

from bot.sandbox.scenarios.staging import pdf
from bot.sandbox.talk import Upload
from state.stores.sql.engine import Database
from state.stores.store import Store
from state.stores.vault import Vault
from tests.databases import put_tables
from tests.whole.steps import file_request
from tests.world import World, shown, world

FRIDAY = "2026-11-20T10:00:00+00:00"
"""When requests are filed: what is approved then counts until Tuesday, the 24th."""
NOTE = (
    "Contract note", "We have bought for you: TESCO PLC ORD", "ISIN: GB00BLGZ9862", "Trade date: {day}", "Quantity: {quantity}",
    "Consideration: GBP {value}",
)  # fmt: skip


class Time:
    """The store's clock."""

    def __init__(self, at: str = FRIDAY) -> None:
        self.now = datetime.fromisoformat(at)

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    def set(self, at: str) -> None:
        """It is that time from now on, be it later or earlier."""
        self.now = datetime.fromisoformat(at)


class Disk:
    """One database file under one key, opened as often as a bot is started."""

    def __init__(self, file: Path, clock: Time) -> None:
        put_tables(file)
        self._file, self._clock, self._vault = file, clock, Vault(Vault.make_key())

    def store(self) -> Store:
        """It, opened anew."""
        return Store(Database(make_url(f"sqlite:///{self._file}"), self._clock), self._vault)


@asynccontextmanager
async def timed(var: Path, clock: Time, store: Store) -> AsyncIterator[World]:
    """A world whose store has this clock."""
    async with world(var, options={"store": store}) as w:
        yield w


async def passes(w: World, clock: Time, at: str) -> None:
    """It is that time; whatever was due by then has come."""
    clock.set(at)
    await w.bot.engine.idle()
    await w.settled()


async def approve_small(w: World, person: str = "U0ALEX") -> None:
    """Somebody's request that is approved by rule: 200 Tesco for GBP 720."""
    w.alex = w.sandbox.person(person)
    await file_request(w)


async def report(w: World, person: str = "U0ALEX", **written: str) -> None:
    """The box of the report, by the newest button for it."""
    who = w.sandbox.person(person)
    await who.click("I've traded")
    await who.submit(values=written)
    await w.settled()


async def send_note(w: World, person: str = "U0ALEX", name: str = "note.pdf", words: str = "", **said: str) -> None:
    """A contract note as a PDF."""
    told = {"day": "23 Nov 2026", "quantity": "180", "value": "649.80", **said}
    lines = [line.format(**told) for line in NOTE]
    await w.sandbox.person(person).share([Upload(name, pdf(lines))], words)
    await w.settled()


def screen(w: World, person: str) -> str:
    """Everything that stands in somebody's direct message with the bot."""
    return "\n---\n".join(map(shown, w.screen(w.sandbox.person(person))))
