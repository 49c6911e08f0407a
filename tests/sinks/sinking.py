"""A bot that delivers to sinks, on a store in memory and without any Slack: what is asked of its outbox alone needs no more."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bot.exports.sinks import Step, read_sinks, sink_rows
from bot.root.assembly import build
from bot.root.lifecycle import Bot
from bot.sandbox.local import pointed_at
from bot.sandbox.receiver import Receiver
from bot.sandbox.server import Sandbox
from state.draft.draft import Draft, Status, with_record
from state.draft.record import Record
from state.stores.rows import OutboxRow, TurnWrites
from state.stores.store import Store
from tests.shipped import shipped
from tests.world import TEAM, in_memory, settings

SECRET = b"a secret of the archive's own"
FORM = "pa_dealing"
DRAFT = Draft(
    "d1",
    FORM,
    TEAM,
    "U0ALEX",
    f"{TEAM}:D0ALEX:",
    revision=7,
    status=Status.SUBMITTED,
    filed=Record(number="PA-2026-000001", state="pending_compliance", filed_at="2026-11-22T09:00:00+00:00"),
)


def webhook(url: str, **more: Any) -> str:
    """The lines of sinks.toml for one webhook that takes PA dealing."""
    return (
        f'[sinks.archive]\nkind = "webhook"\nforms = ["{FORM}"]\nurl = "{url}"\nsecret_file = "archive.secret"\n'
        + "".join(f"{name} = {value!r}\n" for name, value in more.items())
    )


def step(state: str = "approved", revision: int = 7, number: int = 1, before: str = "pending_compliance") -> Step:
    """A record's step into a state."""
    draft = with_record(replace(DRAFT, revision=revision), number=f"PA-2026-{number:06d}", state=state)
    event = f"e{number}-{revision}"
    return Step(shipped(FORM).form, draft, (before, state), "2026-11-22T10:00:00+00:00", event)


@dataclass
class Sinking:
    """A bot of which only the outbox is at work, its receiver, and the folder that it reads its files in."""

    bot: Bot
    receiver: Receiver
    var: Path

    @property
    def store(self) -> Store:
        return self.bot.store

    async def put(self, *steps: Step) -> list[OutboxRow]:
        """What a turn writes of these steps, by sinks.toml as it is now."""
        sinks = read_sinks(self.var / "sinks.toml", {FORM: shipped(FORM).form})
        rows = [row for one in steps for row in sink_rows(sinks, one)]
        lease = await self.store.take(f"turn {steps[0].event}", 5)
        assert lease is not None
        await self.store.write(lease, TurnWrites(outgoing=rows))
        for row in rows:
            await self.bot.engine.kick("lane", row.lane)
        return rows

    async def until_idle(self, *steps: Step) -> None:
        """Write them, and wait until nothing is due."""
        await self.put(*steps)
        await self.bot.engine.idle()

    async def again(self) -> None:
        """Have everything that is held tried once more, as a start does, and wait."""
        held = await self.store.stuck()
        await self.store.try_blocked()
        for one in held:
            await self.bot.engine.kick("lane", one.lane)
        await self.bot.engine.idle()

    async def stuck(self) -> list[tuple[str, str]]:
        """What is stuck, and why."""
        return [(one.status, one.reason) for one in await self.store.stuck()]

    @property
    def states(self) -> list[tuple[str, str]]:
        """What the receiver kept, in order."""
        return [(one["number"], one["state"]) for one in self.receiver.kept.values()]


@asynccontextmanager
async def sinking(var: Path, toml: str = "", store: Store | None = None, **more: Any) -> AsyncIterator[Sinking]:
    """`toml` in the place of one webhook, which `more` adds lines to."""
    receiver = Receiver()
    await receiver.start()
    (var / "archive.secret").write_bytes(SECRET + b"\n")
    (var / "sinks.toml").write_text(toml or webhook(receiver.url, **more))
    made = pointed_at(settings(var), Sandbox()).model_copy(
        update={"channels": {}}
    )  # nobody hears of anything: no Slack runs
    bot = await build(made, store=store or in_memory())
    await bot.store.start()
    await bot.engine.start()
    try:
        yield Sinking(bot, receiver, var)
    finally:
        await bot.engine.stop()
        await bot.store.stop()
        for close in bot.closing:
            await close()
        await receiver.stop()
