"""`holdfast status` and `retry`: what waits and what is stuck; try it again, or send a sink all steps again. Through the database alone."""

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import starmap

import typer

from bot.exports.export import Wanted, wanted_records
from bot.exports.sinks import Sink, Step, lane_place, row_of, step_of
from bot.operations.tasks import write_aside
from bot.root.installation import load_workflows, opened_store, written_sinks
from bot.settings import Settings, Wrong
from bot.turns.trouble import channel_of
from state.draft.draft import Draft, with_record
from state.engine.timeline import entries
from state.form.source import FormError
from state.stores.delivery import Depth, FormCounts, OpenDrafts, Reached, Stuck
from state.stores.errors import Unavailable
from state.stores.rows import Record, StoredEvent, TurnWrites
from state.stores.store import Store
from state.workflow.load import Workflow

MOST = 200
"""Stuck rows that are listed."""
EVERY = 100_000
UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


@dataclass(frozen=True)
class InstallationState:
    """An installation at a moment; `away` is what there is of forms that are not installed."""

    now: datetime
    refused: str
    reaches: list[Reached]
    depths: list[Depth]
    stuck: list[Stuck]
    all_stuck: int
    waiting: list[OpenDrafts]
    undecided: list[OpenDrafts]
    """Records that wait for reviewers, by form."""
    tokens: int
    most_tokens: int
    away: dict[str, FormCounts]


async def status(settings: Settings, *, as_json: bool = False) -> int:
    """Print what waits, what is stuck and why, and whether Slack is reached."""
    installed, refused = None, ""
    with suppress(FormError):  # which `holdfast check` tells
        installed = load_workflows(settings)
    async with opened_store(settings) as store:
        try:
            await store.prove_writable()
        except Unavailable as problem:
            refused = str(problem)
        now = await store.now()
        standing = InstallationState(
            now, refused, await store.reaches(), await store.depths(), await store.stuck(MOST),
            sum((await store.count_stuck()).values()), await store.drafts_waiting(),
            await store.undecided(),
            await store.spent(now.date().isoformat()), settings.holdfast_daily_tokens,
            {f: held for f, held in (await store.held()).items() if installed is not None and f not in installed},
        )  # fmt: skip
    typer.echo(_json(standing) if as_json else "\n".join(_lines(standing)))
    return 0


async def retry(settings: Settings, name: str, *, every: bool) -> int:
    """Have one row done after all, or every one that is stuck. A running bot finds it within seconds."""
    if bool(name) == every:
        raise Wrong(["Say which: `holdfast retry ID`, with an ID of `holdfast status`, or `holdfast retry --all`."])
    async with opened_store(settings) as store:
        stuck = [one for one in await store.stuck(EVERY) if every or one.name == name]
        revived = await store.revive(stuck, asked=True)
    if name and not revived:
        raise Wrong([f"Nothing that is stuck is called {name!r}. `holdfast status` lists what is."])
    typer.echo(
        f"{revived} of {len(stuck)} will be tried again, as soon as the bot runs." if stuck else "Nothing is stuck."
    )
    return 0


def _lines(standing: InstallationState) -> Iterator[str]:
    now = standing.now
    if standing.refused:
        yield f"Database: {standing.refused}"
    yield from _part("Slack", (_reach(one, now) for one in standing.reaches), "not heard of yet")
    depths = (
        f"{one.queue} {one.pool}: {one.count}"
        + (f", the oldest for {ago(one.oldest, now)}" if one.oldest else "")
        + (f", {one.held} of them behind what is blocked" if one.held else "")
        for one in standing.depths
    )
    yield from _part("In the queues", depths, "nothing")
    left = standing.all_stuck - len(standing.stuck)
    more = [f"and {left} more"] if left > 0 else []
    yield from _part("Stuck", [*(_stuck(one, now) for one in standing.stuck), *more], "nothing")
    drafts = (f"{d.form}: {d.count}, the oldest untouched for {ago(d.oldest, now)}" for d in standing.waiting)
    yield from _part("Open drafts", drafts, "none")
    undecided = (f"{d.form}: {d.count}, the oldest for {ago(d.oldest, now)}" for d in standing.undecided)
    yield from _part("Waiting for reviewers", undecided, "none")
    if standing.away:
        yield from _part("Not installed", starmap(away, standing.away.items()), "none")
    yield f"Model: {standing.tokens:,} of {standing.most_tokens:,} tokens today."


def _part(title: str, lines: Iterable[str], nothing: str) -> Iterator[str]:
    told = list(lines)
    yield f"{title}:" if told else f"{title}: {nothing}."
    yield from (f"  {line}" for line in told)


def _reach(one: Reached, now: datetime) -> str:
    last = f"last success {ago(one.ok_at, now)} ago" if one.ok_at else "no success yet"
    if not one.since:
        return f"{one.team}: {last}"
    return f"{one.team}: nothing is taken since {ago(one.since, now)} ({one.reason}); {last}; all that waits is kept"


def _stuck(one: Stuck, now: datetime) -> str:
    sink, _, number = lane_place(one.lane)
    where = f" {sink}, {number}" if sink else f" in {channel_of(one.lane)}" if channel_of(one.lane) else ""
    holds = "; what is behind it waits" if one.holds else ""
    since = f", wanted {ago(one.since, now)} ago" if one.since else ""
    return f"{one.name}  {one.status}: {one.reason or 'no reason known'} ({one.kind}{where}{since}{holds})"


def away(form: str, held: FormCounts) -> str:
    """Return a form that is not installed, and how much waits for it."""
    return f"{form}: {held.drafts} open drafts and {held.records} records wait for it; put its folder back"


def ago(since: datetime | None, now: datetime) -> str:
    """How long ago, in its largest unit."""
    seconds = max(0.0, (now - since).total_seconds()) if since else 0.0
    size, unit = next(((size, unit) for size, unit in UNITS if seconds >= size), UNITS[-1])
    return f"{int(seconds // size)} {unit}"


def _json(standing: InstallationState) -> str:
    """Return the same for machines; a direct message is named by nothing that would name a person."""
    stuck = [
        {**asdict(one), "id": one.name, "lane": channel_of(one.lane), "sink": lane_place(one.lane)[0]}
        for one in standing.stuck
    ]
    told = {
        "refused": standing.refused, "now": standing.now, "slack": [asdict(one) for one in standing.reaches],
        "queues": [asdict(one) for one in standing.depths], "stuck": stuck, "stuck_count": standing.all_stuck,
        "drafts": [asdict(one) for one in standing.waiting],
        "not_installed": {form: asdict(held) for form, held in standing.away.items()},
        "model": {"tokens": standing.tokens, "most": standing.most_tokens},
    }  # fmt: skip
    return json.dumps(told, indent=2, default=datetime.isoformat)


async def replay(settings: Settings, name: str, since: datetime | None) -> int:
    """Put it out; a running bot finds it within seconds."""
    workflows = load_workflows(settings)
    sinks = written_sinks(settings, workflows)
    if name not in sinks:
        raise Wrong([f"sinks.toml has no sink {name!r}. It has: {', '.join(sinks) or 'none'}."])
    async with opened_store(settings) as store:
        day = since.date().isoformat() if since else ""
        came = await put_out_again(store, workflows, name, sinks[name], day, uuid.uuid4().hex[:8])
    left = f" {came.left_out} records were erased or emptied by now, and are left out." if came.left_out else ""
    typer.echo(f"{came.steps} steps of records are sent to {name}, as soon as the bot runs.{left}")
    return 0


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
    for form in (one for one in sink.forms if one in workflows):
        async for record in wanted_records(store, Wanted(form)):
            events = await store.events(record.draft)
            if not events or any(event.erased for event in events):
                left_out += 1
                continue
            of = [
                step for step in steps_of(workflows[form], record, events) if step.at >= since and step.concerns(sink)
            ]
            rows = [row_of(name, sink, step, f"/{mark}") for step in of]
            if rows:
                await write_aside(store, f"replay:{rows[0].lane}", TurnWrites(outgoing=rows))
            steps += len(rows)
    return Replayed(steps, left_out)


def steps_of(workflow: Workflow, record: Record, events: list[StoredEvent]) -> list[Step]:
    """Return each of a record's steps, with the draft as it was when it was made; of an old record without steps, the state that it has."""
    form, every = workflow.form, list(entries(events))
    drafts = [
        with_record(replace(e.draft, revision=e.event.revision), number=record.number)
        if e.draft
        else Draft("", form.name, "", "", "")
        for e in every
    ]
    found = (
        step_of(form, drafts[n - 1], drafts[n], e.changes, (), str(e.event.body.get("at") or ""), str(e.event.body.get("id") or ""))
        for n, e in enumerate(every) if n
    )  # fmt: skip
    steps = [step for step in found if step]
    at = record.filed_at.isoformat() if record.filed_at else ""
    return steps or [Step(form, drafts[-1], ("", record.state), at, f"{record.number}:{every[-1].event.n}")]
