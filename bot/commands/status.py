"""`holdfast status` and `holdfast retry`: what waits, what is stuck and why, and having it done after all. Through the database alone."""

import json
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import starmap
from typing import Any

import typer

from bot.commands.trouble import Sentence
from bot.exports.sinks.rows import lane_place
from bot.root.installation import load_workflows
from bot.root.storage import opened_store
from bot.settings import Settings
from bot.turns.trouble import channel_of
from state.form.source import FormError
from state.stores.delivery import Depth, FormCounts, OpenDrafts, Reached, Stuck
from state.stores.errors import Unavailable
from state.stores.store import Store

MOST = 200
"""Stuck rows that are listed."""
EVERY = 100_000
UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


@dataclass(frozen=True)
class Standing:
    """How an installation stands at a moment."""

    now: datetime
    reaches: list[Reached]
    depths: list[Depth]
    stuck: list[Stuck]
    all_stuck: int
    waiting: list[OpenDrafts]
    tokens: int
    most_tokens: int
    away: dict[str, FormCounts]
    """What there is of forms that are not installed."""


async def status(settings: Settings, *, as_json: bool = False) -> int:
    """Print how things stand."""
    async with opened_store(settings) as store:
        refused = await _refused(store)
        standing = await _standing(store, settings.holdfast_daily_tokens, _installed(settings))
    if as_json:
        typer.echo(json.dumps({"refused": refused, **_plain(standing)}, indent=2))
    else:
        typer.echo("\n".join([*([f"Database: {refused}"] if refused else []), *_lines(standing)]))
    return 0


async def _refused(store: Store) -> str:
    """Why the database cannot be written; empty where it can."""
    try:
        await store.prove_writable()
    except Unavailable as problem:
        return str(problem)
    return ""


async def retry(settings: Settings, name: str, *, every: bool) -> int:
    """Have one row done after all, or every one that is stuck. A running bot finds it within seconds."""
    if bool(name) == every:
        raise Sentence("Say which: `holdfast retry ID`, with an ID of `holdfast status`, or `holdfast retry --all`.")
    async with opened_store(settings) as store:
        stuck = [one for one in await store.stuck(EVERY) if every or one.name == name]
        revived = await store.revive(stuck, asked=True)
    if name and not revived:
        raise Sentence(f"Nothing that is stuck is called {name!r}. `holdfast status` lists what is.")
    typer.echo(
        f"{revived} of {len(stuck)} will be tried again, as soon as the bot runs." if stuck else "Nothing is stuck."
    )
    return 0


def _installed(settings: Settings) -> Container[str] | None:
    """Return the forms that are there; None where one of them cannot be read, which `holdfast check` tells."""
    with suppress(FormError):
        return load_workflows(settings)
    return None


async def _standing(store: Store, most_tokens: int, installed: Container[str] | None) -> Standing:
    now = await store.now()
    every = sum((await store.count_stuck()).values())
    return Standing(
        now, await store.reaches(), await store.depths(), await store.stuck(MOST), every, await store.drafts_waiting(),
        await store.spent(now.date().isoformat()), most_tokens,
        {form: held for form, held in (await store.held()).items() if installed is not None and form not in installed},
    )  # fmt: skip


def _lines(standing: Standing) -> Iterator[str]:
    yield from _part("Slack", (_reach(one, standing.now) for one in standing.reaches), "not heard of yet")
    yield from _part("Waiting", (_depth(one, standing.now) for one in standing.depths), "nothing")
    left = standing.all_stuck - len(standing.stuck)
    more = [f"and {left} more"] if left > 0 else []
    yield from _part("Stuck", [*(_stuck(one, standing.now) for one in standing.stuck), *more], "nothing")
    yield from _part("Open drafts", (_draft(one, standing.now) for one in standing.waiting), "none")
    if standing.away:
        yield from _part("Not installed", starmap(away, standing.away.items()), "none")
    yield f"Model: {standing.tokens:,} of {standing.most_tokens:,} tokens today."


def _part(title: str, lines: Iterable[str], nothing: str) -> Iterator[str]:
    told = list(lines)
    yield f"{title}:" if told else f"{title}: {nothing}."
    yield from (f"  {line}" for line in told)


def _reach(one: Reached, now: datetime) -> str:
    last = f"last success {ago(one.ok_at, now)} ago" if one.ok_at else "no success yet"
    if one.since:
        return (
            f"{one.team}: nothing is taken since {ago(one.since, now)} ({one.reason}); {last}; all that waits is kept"
        )
    return f"{one.team}: {last}"


def _depth(one: Depth, now: datetime) -> str:
    held = f", {one.held} of them behind what is blocked" if one.held else ""
    oldest = f", the oldest for {ago(one.oldest, now)}" if one.oldest else ""
    return f"{one.queue} {one.pool}: {one.count}{oldest}{held}"


def _stuck(one: Stuck, now: datetime) -> str:
    sink, _, number = lane_place(one.lane)
    where = f" {sink}, {number}" if sink else f" in {channel_of(one.lane)}" if channel_of(one.lane) else ""
    holds = "; what is behind it waits" if one.holds else ""
    since = f", wanted {ago(one.since, now)} ago" if one.since else ""
    return f"{one.name}  {one.status}: {one.reason or 'no reason known'} ({one.kind}{where}{since}{holds})"


def _draft(one: OpenDrafts, now: datetime) -> str:
    return f"{one.form}: {one.count}, the oldest untouched for {ago(one.oldest, now)}"


def away(form: str, held: FormCounts) -> str:
    """Return a form that is not installed, and how much waits for it."""
    return f"{form}: {held.drafts} open drafts and {held.records} records wait for it; put its folder back"


def ago(since: datetime | None, now: datetime) -> str:
    """How long ago, in its largest unit."""
    seconds = max(0.0, (now - since).total_seconds()) if since else 0.0
    size, unit = next(((size, unit) for size, unit in UNITS if seconds >= size), UNITS[-1])
    return f"{int(seconds // size)} {unit}"


def _plain(standing: Standing) -> dict[str, Any]:
    """Return the same for machines; a direct message is named by nothing that would name a person."""
    stuck = [
        {**asdict(one), "id": one.name, "lane": channel_of(one.lane), "sink": lane_place(one.lane)[0]}
        for one in standing.stuck
    ]
    told = {
        "now": standing.now, "slack": [asdict(one) for one in standing.reaches],
        "queues": [asdict(one) for one in standing.depths], "stuck": stuck, "stuck_count": standing.all_stuck,
        "drafts": [asdict(one) for one in standing.waiting],
        "not_installed": {form: asdict(held) for form, held in standing.away.items()},
        "model": {"tokens": standing.tokens, "most": standing.most_tokens},
    }  # fmt: skip
    return {name: _dated(value) for name, value in told.items()}


def _dated(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: _dated(one) for name, one in value.items()}
    return [_dated(one) for one in value] if isinstance(value, list) else value
