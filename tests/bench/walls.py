"""Where the next wall stands, on paper: what 10,000 workspaces would need, reckoned from what was measured."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.bench.figures import Figure, number

NEEDS = "databases"
"""The part whose figures are reckoned with."""
WORKSPACES = 10_000
FILED, ACTS, BUSIEST, DAYS = 20, 15, 0.2, 250
"""Requests that a workspace files on a working day, acts of a request, the busiest hour's part of a day, and working days of a year."""
PEAK = FILED * ACTS * BUSIEST / 3600
"""Acts a second of one workspace in that hour."""
BUSY = 0.6
"""How busy a core may be before people wait for each other."""
POOL, CONNECTIONS = 20, 100
"""Connections that a replica opens at most, and that PostgreSQL takes unless it is told otherwise."""
SOCKETS = 10
"""WebSocket connections that Slack gives an app."""
CORES, DISK, KEPT = 8, 100_000, 1_000_000_000
"""A server of eight cores, which writes 100 MB of log a second and keeps a terabyte (kB)."""
UPDATES, EVENTS = 50, 30_000
"""Slack's tier of `chat.update` a minute, and events that it delivers an hour, each for one workspace."""
HEAD = "| wall | measured | stands at | for 10,000 workspaces | what moves it |\n|---|---|---|---|---|"


@dataclass(frozen=True)
class Wall:
    """What is used up first: how many workspaces fit, and what they would need."""

    name: str
    measured: str
    workspaces: float
    needed: str
    moved: str


def walls(figures: Sequence[Figure]) -> list[Wall]:
    """Reckon each wall, the nearest first; none where PostgreSQL was not measured."""
    found = measured(figures)
    if not found:
        return []
    bot, server = (1000 * BUSY / found[f"CPU of {whose} an act"] for whose in ("the bot", "the database's server"))
    log, kept = found["log of PostgreSQL an act"], ACTS * found["PostgreSQL grown by an act"]
    replica = bot / PEAK
    replicas = math.ceil(WORKSPACES / replica)
    acts, year = WORKSPACES * PEAK, WORKSPACES * FILED * DAYS * kept
    used = f"{number(found['connections of a replica to PostgreSQL'])} connections open, {POOL} at most"
    every = (
        Wall("a replica's core", f"{number(1000 * BUSY / bot)} ms of CPU an act", replica, f"{replicas} replicas",
             "Another replica: nothing else changes."),
        Wall("PostgreSQL's connections as it is installed", used, CONNECTIONS // POOL * replica, f"{replicas * POOL:,} connections",
             "`max_connections`; beyond some five hundred a smaller pool for each replica."),
        Wall("Socket Mode", f"{SOCKETS} connections an app, one a replica", SOCKETS * replica, f"{replicas} replicas: HTTP",
             "HTTP mode, where Slack knows one address and a proxy behind it spreads the events."),
        Wall(f"a PostgreSQL of {CORES} cores", f"{number(1000 * BUSY / server)} ms of CPU an act", CORES * server / PEAK,
             f"{math.ceil(acts / server)} cores", "More cores; then workspaces spread over several installations, since no row belongs to two."),
        Wall("its log, at 100 MB/s", f"{number(log)} kB an act", DISK / log / PEAK, f"{number(acts * log / 1000)} MB/s", "A faster disk."),
        Wall("a terabyte for a year's requests", f"{number(kept)} kB a request", KEPT / (FILED * DAYS * kept), f"{number(year / 1e9)} TB a year",
             "`retention_months` in each form, which empties what is over; a larger disk."),
    )  # fmt: skip
    return sorted(every, key=lambda wall: wall.workspaces)


def measured(figures: Sequence[Figure]) -> Mapping[str, float]:
    """What one replica on PostgreSQL measured, by its name; empty where it did not run."""
    ours = (f for f in figures if f.part == NEEDS and ("PostgreSQL" in f.what) and not f.what.endswith("replicas"))
    return {f.what.partition(" at once: ")[2].partition(":")[0] or f.what: f.ours.p50 for f in ours}


def lines(figures: Sequence[Figure]) -> Iterator[str]:
    """The section of the page."""
    every = walls(figures)
    if not every:
        return
    yield (
        f"Reckoned for {WORKSPACES:,} workspaces, each of which files {FILED} requests of {ACTS} acts on a working day, {BUSIEST:.0%} of them in the "
        f"busiest hour: {WORKSPACES * PEAK:.0f} acts a second. Cores are {BUSY:.0%} busy at most. The nearest wall first.\n"
    )
    yield HEAD
    for wall in every:
        place = f"{float(f'{wall.workspaces:.2g}'):,.0f} workspaces"
        yield f"| {wall.name} | {wall.measured} | {place} | {wall.needed} | {wall.moved} |"
    told = f"\nA single workspace has walls that no machine moves: Slack delivers {EVENTS:,} events an hour, {EVENTS / 3600:.1f} acts a second"
    updates = next((f.ours.p50 for f in figures if f.part == "limits" and "chat.update, calls an act" in f.what), 0.0)
    tier = (
        f", and grants {UPDATES} calls of `chat.update` a minute, which are {UPDATES / updates:.0f} acts"
        if updates
        else ""
    )
    yield f"{told}{tier}. What waits for that is cosmetic; posts have a tier in each conversation ([delivery](operations/delivery.md))."
