"""An erasure from start to end: what was arranged is called off, then everything goes but what the law wants kept."""

import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

import structlog

from blocks.messages import build_plain
from bot.exports.sinks.rows import SinksToTell
from bot.slack.places import of_team
from state.rules import CalledOff, FormFault
from state.stores.errors import OnHold
from state.stores.rights import Erasure
from state.stores.rows import OutboxRow, Record, TurnWrites
from state.stores.store import Store
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.rights")

SECONDS = 60.0
KEPT_WHOLE = "A legal hold keeps everything of this person: nothing was erased. Ask again when it is lifted."
MOST = 100_000
"""Records of one person."""


@dataclass(frozen=True)
class Eraser:
    """`channels` says where each workflow's people read."""

    store: Store
    workflows: Mapping[str, Workflow]
    channels: Mapping[str, str]
    sinks: SinksToTell | None = None

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
        await self._call_off(person)
        left = await self.store.records_of(person, limit=MOST) if self.sinks else []
        erasure = await self.store.erase(person, self.keep)
        await self.store.checkpoint()
        if self.sinks and erasure:
            await self._write(TurnWrites(outgoing=self.sinks.notices(person.partition(":")[0], left)))
        return erasure

    async def _call_off(self, person: str) -> None:
        """In one transaction: records change their state, and those who wait for the person are told, without a name."""
        team = person.partition(":")[0]
        arranged = [(record, off) async for record, off in self._arranged(person)]
        amended = {record.number: off.state for record, off in arranged if off.state}
        notices = [self._notice(team, record, off) for record, off in arranged if self._told(record, off)]
        leaving = [row for record, off in arranged if off.state for row in await self._leaving(record, off.state)]
        await self._write(TurnWrites(amended=amended, outgoing=[*notices, *leaving]))

    async def _leaving(self, record: Record, state: str) -> list[OutboxRow]:
        """What sinks are told of a record that is called off."""
        stored = await self.store.draft(record.draft) if self.sinks else None
        if self.sinks is None or stored is None:
            return []
        return self.sinks.called_off(record, state, stored.revision + 1, (await self.store.now()).isoformat())

    async def _write(self, work: TurnWrites) -> None:
        lease = await self.store.take(f"erasure:{uuid.uuid4().hex}", SECONDS) if work.amended or work.outgoing else None
        if lease is not None:
            await self.store.write(lease, work)
            await self.store.release(lease)

    async def _arranged(self, person: str) -> AsyncIterator[tuple[Record, CalledOff]]:
        for record in await self.store.records_of(person, limit=MOST):
            workflow = self.workflows.get(record.form)
            off = self._called_off(workflow, record) if workflow and not record.erased else None
            if off is not None:
                yield record, off

    def _called_off(self, workflow: Workflow, record: Record) -> CalledOff | None:
        """Return what the form calls off. An erasure does not wait for a form that fails."""
        try:
            return workflow.rules.erased(_flat(record))
        except FormFault as fault:
            log.error("form_failed", form=record.form, what=fault.what, record=record.number, exc_info=fault)
            return None

    def _told(self, record: Record, off: CalledOff) -> bool:
        return bool(off.notice and of_team(self.channels, record.tenant).get(record.form))

    def _notice(self, team: str, record: Record, off: CalledOff) -> OutboxRow:
        """Return a row of nobody's: it must outlive the person's key, and says nothing of them."""
        channel, message = of_team(self.channels, team)[record.form], build_plain(off.notice)
        body = {"team": team, "channel": channel, "thread": "", "card": "", "text": message.text}
        blocks = list(message.blocks)
        return OutboxRow(f"erased:{record.number}", f"slack:{channel}", "post", f"{team}:", {**body, "blocks": blocks})


def _flat(record: Record) -> dict[str, object]:
    filed = record.filed_at.isoformat() if record.filed_at else ""
    return {"number": record.number, "state": record.state, "filed_at": filed, **record.body}
