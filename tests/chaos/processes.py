"""Real processes under real faults, while people file requests: each ends as the one right record, and nobody is left without an answer."""

import asyncio
import re
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from bot.sandbox.people import Person
from bot.sandbox.workspace import ActError
from state.stores.opener import open_store
from state.stores.store import Store
from state.stores.vault import installation_key
from tests.chaos.cluster import NO_BEFORE, Cluster, cluster, code_before
from tests.chaos.faults import FAULTS, FULL_DISK, HTTP_FAULTS, UPGRADE, Fault
from tests.chaos.haproxy import MISSING, program
from tests.chaos.invariants import broken
from tests.chaos.screen import FOUND
from tests.chaos.trials import Trials
from tests.databases import postgres_database, postgres_server, small_disk
from tests.stored.finishing import TAKES, clickable
from tests.whole.steps import FILED, OPENING, REASON
from tests.world import TEAM, shown

WAITS, AGAIN, FAILED, IN_SIGHT = 60.0, 12.0, 1.0, 360.0
"""Seconds that a step may take; until a person clicks once more, and after a click that failed; and until a sink that hung six times has all."""
SCRIPT = (
    (OPENING, "Use all of it"),
    ("[Use all of it]", "Account: pension"),
    ("[Use this]", "Is this a derivative?"),
    ("[No]", "Is this a leveraged product?"),
    ("[No]", "Do you hold any inside information"),
    ("[No]", "connected to you"),
    ("[No]", "conflict"),
    ("[No]", "I understand"),
    ("[I understand]", "do you want to make this trade"),
    (REASON, "Submit"),
    ("[Submit]", "Submitted · PA-"),
)
"""Each act, and what is on the screen once it was handled."""
MOVES = re.compile(r"PA-\d+-\d+|<!date[^>]*>|\d+ [A-Z][a-z]{2} \d{4}|\d+:\d+")
"""What differs between two receipts of the same request: numbers and hours, and days where midnight passes between them."""


ALONE = 2.0
"""Seconds between two faults of the only process, about: one that has just begun takes up to one for its first answer on a slow machine."""


@dataclass
class Filing:
    """People who file a request each. `waits` are the seconds between each act and its answer, `left` who waited for ever.

    `failed` counts clicks of which Slack said that nobody had answered, `told` those of which the bot said that they did not count:
    both are answers, and the wait begins anew with the next click. `again` counts clicks that nothing came of for so long that they
    were made once more; that wait goes on.
    """

    cluster: Cluster
    people: list[Person] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    failed: int = 0
    told: int = 0
    again: int = 0

    async def file(self, count: int) -> None:
        """Have so many people file at once, from the first word to the receipt."""
        people = [self.cluster.person() for _ in range(count)]
        self.people += people
        await asyncio.gather(*map(self._file, people))

    async def _file(self, who: Person) -> None:
        for act, wanted in SCRIPT:
            try:
                await self._see(who, act, wanted)
            except TimeoutError:
                self.left.append(f"{who.id} waits for {wanted!r} after {act!r}: {shown(_posts(who)[-1])!r}")
                return

    async def _see(self, who: Person, act: str, wanted: str) -> None:
        """Act, and wait for the answer; a click that nobody took is made again, and words that are read back are confirmed, as people do.

        Words are read back where a kill leaves it unclear which question could be read when they were written.
        """
        end, clicks = time.monotonic() + WAITS, act.startswith("[")
        began, notes = self.cluster.clock(), len(who.ephemerals())
        heard = await self._act(who, act)
        while time.monotonic() < end:
            with suppress(TimeoutError):
                await self.cluster.sandbox.until(
                    partial(_answered, who, wanted, notes if clicks else None),
                    timeout=AGAIN if clicks and heard else FAILED,
                )
                self.waits.append(self.cluster.clock() - began)
                if _said(who, wanted):
                    return
                self.told += 1
                await asyncio.sleep(FAILED)  # they read it
                heard = False
            if clicks and not _said(who, wanted):
                self.cluster.again.add(who.id)
                self.again += heard
                began, notes = began if heard else self.cluster.clock(), len(who.ephemerals())
                heard = await self._act(who, act)
            elif taken := next(
                (e["action_id"] for e in clickable(_posts(who)[-1]) if e["action_id"].startswith(TAKES)), ""
            ):
                self.cluster.again.add(who.id)  # it may be stored though nobody answered, and come behind what follows
                await self._act(who, f"[{taken}]")
        raise TimeoutError(wanted)

    async def _act(self, who: Person, act: str) -> bool:
        """Do it. False: nobody answered the click, and the person sees that."""
        if not act.startswith("["):
            await who.say(act)
            return True
        with suppress(ActError):
            await who.click(act.strip("[]"))
            return True
        self.failed += 1
        return False

    async def outcomes(self, store: Store) -> list[Any]:
        """Return how it ended for each person: their records, and how much the screen says of them."""
        found = []
        for who in self.people:
            records = await store.records_of(f"{TEAM}:{who.id}")
            filed = [({n: v["data"] for n, v in r.body["values"].items()}, r.state) for r in records]
            keys = Counter(m["metadata"]["event_payload"]["key"] for m in _posts(who) if m.get("metadata"))
            receipts = sum("Submitted · PA-" in shown(m) for m in _posts(who))
            newest = MOVES.sub("…", shown(self._last(who)))
            found.append((filed, receipts, newest, [key for key, times in keys.items() if times > 1]))
        return found

    def _last(self, who: Person) -> dict[str, Any]:
        """Return what stands last; the receipt, where they clicked once more: a second Submit is answered by what became of the first."""
        receipts = [m for m in _posts(who) if "Submitted · PA-" in shown(m)] if who.id in self.cluster.again else []
        return (receipts or _posts(who))[-1]

    async def breaches(self, wanted: list[Any]) -> list[str]:
        """Return a sentence for each way in which the end is not what it would have been without faults, and for each invariant broken."""
        c = self.cluster
        async with open_store(c.database, installation_key(c.key)) as store:
            with suppress(TimeoutError):
                await c.sandbox.until(lambda: _rested(store), timeout=IN_SIGHT)
            stuck = [f"{one.kind} is {one.status}: {one.reason}" for one in await store.stuck(100)]
            lost = [f"{self.failed} clicks failed behind the proxy"] if c.ports and self.failed else []
            due = await store.now() - FOUND
            waits = (f"waits: {one}" for one in await store.depths() if one.oldest and one.oldest < due)
            found = [*self.left, *lost, *stuck, *waits]
            for who, outcome in zip(self.people, await self.outcomes(store), strict=True):
                if [outcome] != wanted:
                    found.append(f"{who.id} ended with {outcome}, not {wanted}")
            numbers = {r.number for who in self.people for r in await store.records_of(f"{TEAM}:{who.id}")}
            twice = [
                f"invariant 17: draft {r.draft}, " for who in c.again for r in await store.records_of(f"{TEAM}:{who}")
            ]
        sent = Counter(key.split("/")[0] for key in c.receiver.kept)
        found += [f"the sink has {sent[number]} steps of {number}" for number in numbers if sent[number] != 1]
        found += [one for one in await broken(c.database, c.key, c.sandbox) if not one.startswith(tuple(twice))]
        return found + [str(refused) for refused in c.sandbox.refused]


def _posts(who: Person) -> list[dict[str, Any]]:
    return [m for m in who.messages() if m.get("bot_id")] or [{"text": "nothing"}]


def _said(who: Person, wanted: str) -> bool:
    """Return True if one of the two newest messages of the bot says this."""
    return any(wanted in shown(m) for m in _posts(who)[-2:])


def _answered(who: Person, wanted: str, notes: int | None) -> bool:
    """Return True if this is said, or the person alone was told something beside so many `notes`."""
    return _said(who, wanted) or (notes is not None and len(who.ephemerals()) > notes)


async def _rested(store: Store) -> bool:
    left = (await store.sweep()).lanes or await store.stuck(1)
    return not left and not [one for one in await store.depths() if one.oldest]


async def under(
    c: Cluster, fault: Fault, people: int, times: int, wanted: list[Any], known: Collection[str] = ()
) -> tuple[Trials, list[str]]:
    """Have people file, so many at once, until the fault has come so often; and hold the end against what it is without faults.

    Return the trials with a sentence for each breach that was not `known` before.
    """
    began, filing, done = time.monotonic(), Filing(c), 0
    told: list[str] = []
    while done < times:
        at_it = asyncio.create_task(filing.file(people))
        while not at_it.done():
            if done < times:
                told += [wrong] if (wrong := await fault.come(c)) else []
                done += 1
            pause = max(fault.pause, ALONE if len(c.bots) == 1 else 0.0)
            await asyncio.wait({at_it}, timeout=pause * (0.5 + c.rng.random()))
        await at_it
    await c.whole()
    found = told + [breach for breach in await filing.breaches(wanted) if breach not in known]
    waits = sorted(filing.waits)
    p50, p99 = waits[len(waits) // 2], waits[int(len(waits) * 0.99)]
    acts = f"{len(filing.people)} requests, {len(waits)} acts, {filing.failed} failed clicks, {filing.told} told not to count"
    acts += f", {filing.again} made again after {AGAIN:g} s" if filing.again else ""
    note = f"{acts}, p50 {p50:.2f} s, p99 {p99:.2f} s, most {waits[-1]:.2f} s"
    tried = Trials("processes", fault.name, done, len(found), time.monotonic() - began, "; ".join([note, *found]))
    return tried, found


async def without(c: Cluster) -> list[Any]:
    """Return how a request ends without any fault."""
    filing = Filing(c)
    await filing.file(1)
    async with open_store(c.database, installation_key(c.key)) as store:
        (outcome,) = await filing.outcomes(store)
    assert [values for values, _ in outcome[0]] == [FILED] and outcome[1] == 1, outcome
    breaches = await filing.breaches([outcome])
    assert not breaches, breaches
    return [outcome]


PEOPLE = 6
POSTGRES, SQLITE = "three replicas on PostgreSQL", "one process on SQLite"
HTTP = "three replicas behind HAProxy, where no click may fail"
NO_DISK = "times in which the disk is full: LEFT OUT, no file system can be mounted here"


def trials(share: float) -> Iterator[Trials]:
    """Let `share` of every fault come: to three replicas on PostgreSQL with a Valkey, the same behind HAProxy, then to one process on SQLite."""
    with postgres_server("chaos") as server, tempfile.TemporaryDirectory() as folder:
        for where in (server, ""):
            faults = [fault for fault in FAULTS if server == where or fault.sqlite]
            yield from _all(faults, share, where)
            with small_disk(where) as disk:
                yield from _all([FULL_DISK], share, where, disk) if disk else [Trials("processes", NO_DISK, 0, 0, 0.0)]
        old = code_before(Path(folder))
        yield from (
            _all(HTTP_FAULTS, share, server, http=True) if program() else [Trials("processes", MISSING, 0, 0, 0.0)]
        )
        if program():
            yield from (
                _all([UPGRADE], 1, server, old=old, http=True) if old else [Trials("processes", NO_BEFORE, 0, 0, 0.0)]
            )


def _all(
    faults: Sequence[Fault],
    share: float,
    server: str,
    disk: Path | None = None,
    *,
    old: Path | None = None,
    http: bool = False,
) -> Iterator[Trials]:
    """Let these faults come to one cluster, one after the other."""
    with ExitStack() as stack:
        var = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database = stack.enter_context(postgres_database(server, tables=not old, disk=disk)) if server else ""
        runner = stack.enter_context(asyncio.Runner())
        made = AsyncExitStack()
        stack.callback(lambda: runner.run(made.aclose()))
        here = cluster(
            disk if disk and not server else var,
            3 if server else 1,
            1,
            database,
            old=(old, 3) if old else None,
            http=http,
        )
        c: Cluster = runner.run(made.enter_async_context(here))
        c.disk = disk
        wanted, known = runner.run(without(c)), set[str]()
        for fault in faults:
            tried, found = runner.run(under(c, fault, PEOPLE, max(1, round(fault.most * share)), wanted, known))
            known |= set(found)
            yield replace(tried, what=f"{fault.name} ({HTTP if http else POSTGRES if server else SQLITE})")
