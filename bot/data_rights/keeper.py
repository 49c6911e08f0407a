"""Retention: once a day, whichever replica comes first destroys what may not stay any longer."""

import asyncio
from collections.abc import Mapping
from datetime import datetime

import structlog

from bot.data_rights.due import months_kept
from bot.tasks import cancelled
from state.form import Form
from state.stores.protocol import Store
from state.stores.rights import Terms, months_before
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.retention")

PAUSE = 3600.0
"""Seconds between two looks at whether the day's work is done."""


class Keeper:
    """A day that is left off in the middle is finished by the next: every step may be repeated."""

    def __init__(self, store: Store, workflows: Mapping[str, Workflow]) -> None:
        self._store, self._forms = store, [w.form for w in workflows.values()]
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._watch(), name="retention")

    async def stop(self) -> None:
        """Look no more; what is under way in the database comes to its end."""
        if self._task:
            await cancelled(self._task)

    async def tidy(self, now: datetime) -> bool:
        """Do the day's work, unless some replica has begun it; says whether this one did."""
        if not self._forms or not await self._store.claim_day("retention", now.toordinal()):
            return False
        terms = [terms_of(form, now) for form in self._forms]
        touched = {one.form: await self._store.expire(one) for one in terms}
        data, audit = max(one.data for one in terms), min(one.audit for one in terms)
        keys = await self._store.expire_rest(now, data, audit)
        log.info("retention", touched=sum(touched.values()), keys=keys)
        return True

    async def _watch(self) -> None:
        while True:
            try:
                await self.tidy(await self._store.now())
            except Exception:
                log.exception("retention_failed")
            await asyncio.sleep(PAUSE)


def terms_of(form: Form, now: datetime) -> Terms:
    """What a form's retention means on a day. Records that the law wants kept stay for as long as it wants."""
    return Terms(
        form.name,
        data=months_before(now, form.retention_months),
        audit=months_before(now, form.audit_months),
        records=months_before(now, months_kept(form, "")),
        states={state: months_before(now, months_kept(form, state)) for state in form.kept_otherwise},
        whole=True,
    )
