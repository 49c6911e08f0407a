"""Looks at the files that an operator writes under HOLDFAST_VAR while the bot runs, and tells the operators once what does not count."""

import asyncio
import hashlib

import structlog

from blocks.elements import Message
from blocks.messages import build_sinks_wrong, build_table_refused
from blocks.phrases import Phrasebook
from bot.exports.sinks.file import Sinks
from bot.operations.references import References, Refused
from bot.operations.tasks import cancelled
from bot.slack.places import place_of
from state.stores.rows import OutboxRow, TurnWrites
from state.stores.store import Store

log = structlog.get_logger("holdfast.overseer")

PAUSE, SECONDS = 2.0, 10.0


class Overseer:
    """`channel` is the operators'; without one, the log and `holdfast check` have to do. What was told once is known by its row's key."""

    def __init__(self, store: Store, references: References, sinks: Sinks, channel: str, words: Phrasebook) -> None:
        self._store, self._references, self._sinks = store, references, sinks
        self._channel, self._words = channel, words
        self._left: list[Refused] = []
        self._task: asyncio.Task[None] | None = None
        self._team = ""

    def prepare(self) -> None:
        """Have the tables that lie there count before anything is asked. Raises FormError."""
        self._left = self._references.start()

    async def start(self, team: str) -> None:
        """Begin to look."""
        self._team = team
        self._task = asyncio.create_task(self._watch(), name="overseer")

    async def stop(self) -> None:
        """Look no more."""
        if self._task:
            await cancelled(self._task)

    async def look(self) -> None:
        """Once."""
        refused, self._left = [*self._left, *await asyncio.to_thread(self._references.look)], []
        for one in refused:
            line = build_table_refused(self._words, f"{one.workflow}/{one.file.name}", one.line, one.text)
            await self._tell(f"reference:{one.workflow}:{one.file.name}:{one.digest}", line)
        self._sinks.current()
        if problem := self._sinks.problem:
            digest = hashlib.sha256(problem.encode()).hexdigest()
            await self._tell(f"sinks.toml:{digest}", build_sinks_wrong(self._words, problem))

    async def _watch(self) -> None:
        while True:
            try:
                await self.look()
            except Exception:
                log.exception("look_failed")
            await asyncio.sleep(PAUSE)

    async def _tell(self, key: str, said: Message) -> None:
        if not self._channel:
            return
        team, channel = place_of(self._channel, self._team)
        lease = await self._store.take(f"overseer:{key}", SECONDS)
        if lease is None:
            return
        body = {"team": team, "channel": channel, "thread": "", "card": "", "text": said.text}
        row = OutboxRow(key, f"slack:{channel}", "post", f"{team}:", {**body, "blocks": list(said.blocks)})
        await self._store.write(lease, TurnWrites(outgoing=[row]))
        await self._store.release(lease)
