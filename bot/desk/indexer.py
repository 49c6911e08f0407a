"""Fills the index behind the bot: records from before there was one, and those of forms that are read otherwise by now."""

import asyncio
from collections.abc import Mapping

import structlog

from bot.desk.standing import indexed, shape_of
from bot.filed import draft_of_record
from bot.tasks import cancelled
from state.engine.codec import decode_draft
from state.stores.rows import Indexed
from state.stores.store import Store
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.index")

PAUSE = 3600.0
"""Seconds between two looks at whether anything is missing."""
AT_ONCE = 100


class Indexer:
    """Every step may be repeated and left off in the middle, by any number of replicas; what a turn entered meanwhile counts."""

    def __init__(self, store: Store, workflows: Mapping[str, Workflow]) -> None:
        self._store, self._workflows = store, workflows
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._watch(), name="index")

    async def stop(self) -> None:
        """Look no more."""
        if self._task:
            await cancelled(self._task)

    async def fill(self) -> int:
        """Enter what is missing; says how many records that were."""
        shapes = {name: shape_of(w.form) for name, w in self._workflows.items() if w.form.fields}
        done, before = 0, list[str]()
        while (missing := await self._store.unindexed(shapes, AT_ONCE)) and missing != before:
            await self._store.enter([one for number in missing if (one := await self._entry(number))])
            done, before = done + len(missing), missing
        return done

    async def _entry(self, number: str) -> Indexed | None:
        record = await self._store.record(number)
        if record is None or record.erased or record.form not in self._workflows:
            return None
        stored = await self._store.draft(record.draft)
        draft = decode_draft(stored.body) if stored and stored.body and not stored.erased else draft_of_record(record)
        return indexed(self._workflows[record.form].form, draft, record.filed_at, record.state)

    async def _watch(self) -> None:
        while True:
            try:
                if done := await self.fill():
                    log.info("indexed", records=done)
            except Exception:
                log.exception("index_failed")
            await asyncio.sleep(PAUSE)
