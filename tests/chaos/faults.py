"""What happens to real processes and to what they stand on. Each comes once, wholly: what it broke is mended when it returns."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

import asyncpg
from redis.exceptions import RedisError

from bot.sandbox.models.answers import Answer, Dropped, overloaded, rate_limited, text
from tests.chaos.cluster import Cluster
from tests.clocks import library
from tests.command import holdfast
from tests.patience import PATIENCE

POST, UPDATE, METHODS = "chat.postMessage", "chat.update", ("chat.postMessage", "chat.update", "views.publish")
OFFSETS = (86_400, -3_600, 1_800, -86_400)
"""Seconds by which a replica's clock is off, in turn."""


@dataclass(frozen=True)
class Fault:
    """`come` returns what was wrong while it lasted, in a sentence, or nothing. `pause`: seconds between two, about; `most`: how often in all."""

    name: str
    come: Callable[[Cluster], Awaitable[str | None]]
    pause: float = 1.0
    most: int = 6
    sqlite: bool = False
    """It is tried on SQLite too, with one process."""


async def kill(c: Cluster) -> None:
    """Kill a replica, and have it started again; one is left, where there are several."""
    await c.sandbox.until(lambda: len(c.up) > 1 or (c.up and len(c.bots) == 1), timeout=PATIENCE)
    place = c.rng.choice(sorted(c.up))
    await c.kill(place)
    c.restart(place)


async def lose(c: Cluster) -> None:
    """Kill a replica for good, as long as two are left."""
    if len(c.up) > 1:
        await c.kill(c.rng.choice(sorted(c.up)))


async def renew_all(c: Cluster) -> str | None:
    """Start every replica anew, one after the other, as a new version is brought in: each is asked to end, and ends in order."""
    ended = [(await c.end(place), await c.start(place))[0] for place in range(len(c.bots))]
    return f"ended with {ended}" if any(ended) else None


async def restart_all(c: Cluster) -> None:
    """Kill all replicas at once, and start them again."""
    await asyncio.gather(*map(c.kill, range(len(c.bots))))
    for place in range(len(c.bots)):
        await c.start(place)


async def flush(c: Cluster) -> None:
    """Empty Valkey."""
    if c.redis:
        with suppress(RedisError, OSError):
            await c.redis.flushall()


async def end_valkey(c: Cluster) -> None:
    """End Valkey; its watch starts it again a second later, empty."""
    if c.redis:
        with suppress(RedisError, OSError):
            await c.redis.shutdown(nosave=True)
        await asyncio.sleep(2)


async def fill_valkey(c: Cluster) -> None:
    """Leave Valkey no room, and forbid it to make any."""
    if c.redis:
        await c.redis.config_set("maxmemory-policy", "noeviction")
        await c.redis.config_set("maxmemory", 1)
        await asyncio.sleep(3)
        await c.redis.config_set("maxmemory", 64_000_000)
        await c.redis.config_set("maxmemory-policy", "allkeys-lru")


async def cut_commits(c: Cluster) -> None:
    """Cut one COMMIT in ten, for three seconds."""
    if c.proxy:
        c.proxy.cut = 0.1
        await asyncio.sleep(3)
        c.proxy.cut = 0.0


async def cut_all(c: Cluster) -> None:
    """Cut every connection to the database."""
    if c.proxy:
        c.proxy.cut_all()
        await asyncio.sleep(0)


async def read_only(c: Cluster) -> str | None:
    """Make the database read-only for a while; `holdfast status` says so."""
    admin = await asyncpg.connect(c.database)
    name = await admin.fetchval("SELECT current_database()")
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()"
    await admin.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    await admin.execute(cut, name)
    wrong = await _status(c, "read-only")
    await admin.execute("SET default_transaction_read_only = off")
    await admin.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    await admin.execute(cut, name)
    await admin.close()
    return wrong


async def fill_disk(c: Cluster) -> str | None:
    """Leave the database's disk no room for a while; `holdfast status` says so, unless whoever says hello is answered.

    What SQLite wrote ahead has room of its own, which the next writes may fit in.
    """
    assert c.disk is not None
    ballast = c.disk / "ballast"
    for size in (65536, 1):
        with suppress(OSError), ballast.open("ab", buffering=0) as file:
            while file.write(bytes(size)):
                pass
    who = c.person()
    await who.say("hello")
    await asyncio.sleep(2)
    wrong = await _status(c, "the disk of the database is full") if c.database.startswith("sqlite") else None
    answered = any(m.get("bot_id") for m in who.messages())
    ballast.unlink()
    return None if answered else wrong


async def refuse(c: Cluster) -> None:
    """Let Slack ask for patience, then fail, in turn, in every method that shows something."""
    for method in METHODS:
        c.sandbox.knobs.rate_limit[method] = 3
        c.sandbox.knobs.fail[method] = [500, 503, "internal_error", 502]
    await asyncio.sleep(2)


async def outage(c: Cluster) -> str | None:
    """Let Slack take nothing for a few seconds; `holdfast status` says so, where anything was asked of it meanwhile."""
    before = len(c.sandbox.sent)
    c.sandbox.knobs.outage["*"] = 503
    await asyncio.sleep(2)
    wrong = await _status(c, "nothing is taken since")
    c.sandbox.knobs.outage.clear()
    return wrong if any(not sent.ok for sent in c.sandbox.sent[before:]) else None


async def lose_answers(c: Cluster) -> None:
    """Carry Slack's calls out, and lose the answers."""
    c.sandbox.knobs.disconnect_after_delivery = {POST: 3, UPDATE: 3}
    await asyncio.sleep(2)


async def hold_answers(c: Cluster) -> None:
    """Carry a post out, and never answer it."""
    c.sandbox.knobs.timeout_after_delivery = {POST: 1}
    await asyncio.sleep(2)


async def drop_sockets(c: Cluster) -> None:
    """Send every socket away, lose acks, and deliver events twice meanwhile."""
    c.sandbox.knobs.drop_acks, c.sandbox.knobs.redeliver = 3, 1
    await c.sandbox.disconnect()
    await asyncio.sleep(2)
    c.sandbox.knobs.redeliver = 0


def model(*answers: Answer) -> Callable[[Cluster], Awaitable[None]]:
    """Have the model answer nothing but this, for three seconds."""

    async def come(c: Cluster) -> None:
        well, c.says = c.says, lambda: c.rng.choice(answers)
        await asyncio.sleep(3)
        c.says = well

    return come


async def sink(c: Cluster) -> None:
    """Have the sink keep what it gets, and never say so; then refuse; then be cut off."""
    c.receiver.fates += ["cut_after", 503, "hang", "cut", 429]
    await asyncio.sleep(1)


async def move_clock(c: Cluster) -> None:
    """Start a replica again with another clock than the others have."""
    place = c.rng.randrange(len(c.bots))
    await c.kill(place)
    await c.start(place, OFFSETS[c.kills % len(OFFSETS)])


async def stop_and_go(c: Cluster) -> None:
    """Stop a replica for longer than its leases last, and let it go on."""
    await c.stopped(c.rng.randrange(len(c.bots)), 8.0)


async def _status(c: Cluster, wanted: str) -> str | None:
    """Return what is wrong with what `holdfast status` says of this, if it does not say so within a while."""
    said = ""
    for _ in range(5):
        said = (await asyncio.to_thread(holdfast, "status", var=c.var, DATABASE_URL=c.database)).stdout
        if wanted in said:
            return None
        await asyncio.sleep(1)
    return f"status does not say {wanted!r}: {said!r}"


HTTP_FAULTS = (
    Fault("kills of a replica, which comes back", kill, 0.7, 60),
    Fault("rolling starts of all replicas", renew_all, 1, 10),
)
UPGRADE = Fault("rolling starts from the version before to this one, on one database", renew_all, 2, 1)
FAULTS = (
    Fault("kills of a replica, which comes back", kill, 0.7, 200, sqlite=True),
    Fault("kills of a replica that never comes back", lose, 4, 2),
    Fault("kills of all replicas at once", restart_all, 4, 3),
    Fault("stops of a replica for longer than a lease, which goes on", stop_and_go, 2, 3),
    Fault("flushes of Valkey", flush, 0.5, 20),
    Fault("ends of Valkey, started again empty", end_valkey, 2, 4),
    Fault("times in which Valkey is full", fill_valkey, 2, 4),
    Fault("times in which a COMMIT in ten is cut off", cut_commits, 1, 8),
    Fault("cuts of all connections to PostgreSQL", cut_all, 1, 12),
    Fault("times in which PostgreSQL is read-only", read_only, 3, 4),
    Fault("times in which Slack answers 429 and 5xx", refuse, 1, 6, sqlite=True),
    Fault("outages of Slack", outage, 4, 3),
    Fault("times in which Slack carries out and does not answer", lose_answers, 1, 6, sqlite=True),
    Fault("posts that Slack never answers", hold_answers, 2, 3),
    Fault("drops of every websocket, with acks lost and events doubled", drop_sockets, 2, 5, sqlite=True),
    Fault("times in which the model answers 429 or 529", model(rate_limited(1), overloaded(), overloaded(in_stream=True)), 1, 4),
    Fault("times in which the model hangs or breaks off", model(Dropped(hangs=True), Dropped(text("Thank you.")), Dropped()), 1, 4),
    Fault("times in which a sink keeps what it gets and does not say so", sink, 1, 6, sqlite=True),
    *([Fault("replicas with a clock of their own", move_clock, 2, 4)] if library() else ()),
)  # fmt: skip
FULL_DISK = Fault("times in which the disk is full", fill_disk, 3, 4)
"""It wants a disk of its own."""
