"""`holdfast retry --sink NAME`: send a sink every step of every record since a day, again or for the first time, from the records' own events."""

import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import typer

from bot.commands.check import written_sinks
from bot.commands.trouble import Sentence
from bot.exports.sinks.file import Sink
from bot.exports.sinks.rows import Step, row_of, step_of
from bot.root.installation import load_workflows
from bot.root.storage import opened_store
from bot.settings import Settings
from state.draft.changes import fold
from state.draft.draft import Draft, with_record
from state.engine.codec import decode_change, decode_draft
from state.stores.rows import OutboxRow, Record, StoredEvent, TurnWrites
from state.stores.store import Store
from state.workflow.load import Workflow


async def replay(settings: Settings, name: str, since: datetime | None) -> int:
    """Put it out; a running bot finds it within seconds."""
    workflows = load_workflows(settings)
    sinks = written_sinks(settings, workflows)
    if name not in sinks:
        raise Sentence(f"sinks.toml has no sink {name!r}. It has: {', '.join(sinks) or 'none'}.")
    async with opened_store(settings) as store:
        day = since.date().isoformat() if since else ""
        came = await put_out_again(store, workflows, name, sinks[name], day, uuid.uuid4().hex[:8])
    left = f" {came.left_out} records were erased or emptied by now, and are left out." if came.left_out else ""
    typer.echo(f"{came.steps} steps of records are sent to {name}, as soon as the bot runs.{left}")
    return 0


PAGE, SECONDS = 200, 60.0


@dataclass(frozen=True)
class Replayed:
    """How many steps were put out again, and how many records nobody can read any more."""

    steps: int = 0
    left_out: int = 0


async def put_out_again(
    store: Store, workflows: Mapping[str, Workflow], name: str, sink: Sink, since: str, mark: str
) -> Replayed:
    """Put the steps since a day (ISO 8601, "" for all) out, each record's in order and in one transaction, under the keys that they always have.

    `mark` tells this repetition from others.
    """
    steps = left_out = 0
    async for record in _records(store, workflows, sink):
        events = await store.events(record.draft)
        if not events or any(event.erased for event in events):
            left_out += 1
            continue
        rows = list(_rows(workflows[record.form], record, events, name, sink, since, mark))
        await _put(store, rows)
        steps += len(rows)
    return Replayed(steps, left_out)


async def _records(store: Store, workflows: Mapping[str, Workflow], sink: Sink) -> AsyncIterator[Record]:
    for form in (one for one in sink.forms if one in workflows):
        after = ""
        while page := await store.records(form, after, PAGE):
            for record in page:
                yield record
            after = page[-1].number


def _rows(
    workflow: Workflow, record: Record, events: list[StoredEvent], name: str, sink: Sink, since: str, mark: str
) -> list[OutboxRow]:
    steps = (step for step in steps_of(workflow, record, events) if step.at >= since)
    return [row_of(name, sink, step, f"/{mark}") for step in steps if step.concerns(sink)]


def steps_of(workflow: Workflow, record: Record, events: list[StoredEvent]) -> list[Step]:
    """Return each of a record's steps, with the draft as it was when it was made."""
    draft, found = decode_draft(events[0].body), list[Step]()
    for event in events[1:]:
        changes = [decode_change(change) for change in event.changes]
        before, draft = draft, with_record(replace(fold(draft, changes), revision=event.revision), number=record.number)
        at, name = str(event.body.get("at") or ""), str(event.body.get("id") or "")
        step = step_of(workflow.form, before, draft, changes, (), at, name)
        found += [step] if step else []
    return found or [_as_it_stands(workflow, record, draft, events[-1])]


def _as_it_stands(workflow: Workflow, record: Record, draft: Draft, last: StoredEvent) -> Step:
    """Of a record from before its steps were kept: the state that it has."""
    at = record.filed_at.isoformat() if record.filed_at else ""
    return Step(workflow.form, draft, ("", record.state), at, f"{record.number}:{last.n}")


async def _put(store: Store, rows: list[OutboxRow]) -> None:
    if not rows:
        return
    lease = await store.take(f"replay:{rows[0].lane}", SECONDS)
    if lease is None:
        return
    await store.write(lease, TurnWrites(outgoing=rows))
    await store.release(lease)
