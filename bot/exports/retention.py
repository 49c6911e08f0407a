"""Say when a record goes and what keeps it until then; once a day, on whichever replica is first, destroy what may stay no longer."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog

from bot.operations.tasks import cancelled
from state.form import Form
from state.stores.proof import LegalHold
from state.stores.rights import Terms, months_before
from state.stores.rows import Record
from state.stores.store import Store
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.retention")

YEAR = 12


@dataclass(frozen=True)
class Due:
    """A record's class, how many months from filing it is kept, until when, why, and whether a hold stands on it."""

    number: str
    form: str
    state: str
    months: int
    at: datetime
    why: str
    held: bool


def due_of(form: Form, record: Record, holds: Sequence[LegalHold]) -> Due:
    """When a record that is there goes."""
    months = months_kept(form, record.state)
    filed = record.filed_at
    assert filed is not None  # noqa: S101  the store sets it
    why = form.why_kept(record.state) if YEAR * form.years_kept(record.state) >= form.retention_months else ""
    names = {("record", record.number), ("person", record.person)}
    held = any((one.scope, one.name) in names for one in holds)
    return Due(record.number, record.form, record.state, months, months_before(filed, -months), why, held)


def months_kept(form: Form, state: str) -> int:
    """Months from filing: what the law asks for, or the form's own where that is longer."""
    return max(form.retention_months, YEAR * form.years_kept(state))


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
    """Return what a form's retention means on a day. Records that the law wants kept stay for as long as it wants."""
    return Terms(
        form.name,
        data=months_before(now, form.retention_months),
        audit=months_before(now, form.audit_months),
        records=months_before(now, months_kept(form, "")),
        states={state: months_before(now, months_kept(form, state)) for state in form.kept_otherwise},
        whole=True,
    )
