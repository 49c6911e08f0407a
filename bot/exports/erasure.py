"""Destroy what may stay no longer: a person's data when they ask, and once a day what retention lets go."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog

from blocks.messages import build_plain
from bot.exports.sinks import SinksToTell
from bot.operations.tasks import Periodic, notice, write_aside
from bot.slack.places import of_team
from state.draft.record import ASKED
from state.draft.route import NOBODY
from state.form import Form
from state.rules import CalledOff, FormFault
from state.stores.errors import OnHold
from state.stores.proof import LegalHold
from state.stores.rights import Erasure, Terms, months_before
from state.stores.rows import OutboxRow, Record, TurnWrites
from state.stores.store import Store
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.rights")

KEPT_WHOLE = "A legal hold keeps everything of this person: nothing was erased. Ask again when it is lifted."
MOST = 100_000
"""Records of one person."""


@dataclass(frozen=True)
class Eraser:
    """`channels` says where each workflow's people read."""

    store: Store
    workflows: Mapping[str, Workflow]
    channels: Mapping[str, str]
    sinks: SinksToTell

    @property
    def keep(self) -> Mapping[str, int]:
        """The years for which the law wants records kept, by their class."""
        return {name: years for w in self.workflows.values() for name, years in w.form.keeps.items()}

    async def erase(self, person: str) -> Erasure | None:
        """Call off what was arranged, erase, and sign that it was so. None where nothing was there. A repetition does nothing twice.

        Raises OnHold where a legal hold keeps everything of the person.
        """
        if await self.store.on_hold(person):
            raise OnHold(KEPT_WHOLE)
        team = person.partition(":")[0]
        amended, outgoing = dict[str, str](), list[OutboxRow]()
        for record in await self.store.records_of(person, limit=MOST):
            workflow = None if record.erased else self.workflows.get(record.form)
            off = self._called_off(workflow, record) if workflow else None
            channel = of_team(self.channels, team).get(record.form)
            if off and off.notice and channel:
                outgoing.append(notice(f"erased:{record.number}", team, channel, build_plain(off.notice)))
            here = workflow.form.filing.states.get(record.state, NOBODY) if workflow else NOBODY
            ended = "withdrawn" if workflow and record.state == ASKED else here.withdraw
            state = off.state if off and off.state else ended
            if state:
                amended[record.number] = state
                if stored := await self.store.draft(record.draft):
                    at = (await self.store.now()).isoformat()
                    outgoing += self.sinks.called_off(record, state, stored.revision + 1, at)
        await self._write(TurnWrites(amended=amended, outgoing=outgoing))
        left = await self.store.records_of(person, limit=MOST)
        erasure = await self.store.erase(person, self.keep)
        await self.store.checkpoint()
        if erasure:
            await self._write(TurnWrites(outgoing=self.sinks.notices(team, left)))
        return erasure

    async def _write(self, work: TurnWrites) -> None:
        if work.amended or work.outgoing:
            await write_aside(self.store, f"erasure:{uuid.uuid4().hex}", work)

    def _called_off(self, workflow: Workflow, record: Record) -> CalledOff | None:
        """Return what the form calls off. An erasure does not wait for a form that fails."""
        filed = record.filed_at.isoformat() if record.filed_at else ""
        try:
            return workflow.rules.erased(
                {"number": record.number, "state": record.state, "filed_at": filed, **record.body}
            )
        except FormFault as fault:
            log.error("form_failed", form=record.form, what=fault.what, record=record.number, exc_info=fault)
            return None


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


class Keeper(Periodic):
    """A day that is left off in the middle is finished by the next: every step may be repeated."""

    name = "retention"

    def __init__(self, store: Store, workflows: Mapping[str, Workflow]) -> None:
        self._store, self._workflows = store, workflows

    async def look(self) -> None:
        """Do the day's work, if nobody has."""
        await self.tidy(await self._store.now())

    async def tidy(self, now: datetime) -> bool:
        """Do the day's work, unless some replica has begun it; return True if this one did."""
        if not self._workflows or not await self._store.claim_day("retention", now.toordinal()):
            return False
        terms = [terms_of(one.form, now) for one in self._workflows.values()]
        touched = {one.form: await self._store.expire(one) for one in terms}
        data, audit = max(one.data for one in terms), min(one.audit for one in terms)
        keys = await self._store.expire_rest(now, data, audit)
        log.info("retention", touched=sum(touched.values()), keys=keys)
        return True


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
