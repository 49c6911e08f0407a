"""Keeps turns and posts going: from memory right after each commit; what is found in the database alone is picked up by the sweep.

A lane is a conversation, or a queue of what is to be done for one. Whoever has its lease works it off, row by row, and each
commit says which row follows. Between two commits nothing is read back.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from contextvars import Context
from dataclasses import replace
from functools import partial
from itertools import groupby

import structlog

from blocks.text import escape, line
from bot.effects.performer import COSMETIC, TURNS, Performer, kind_of
from bot.operations import logs
from bot.operations.metrics import ACTS
from bot.operations.tasks import cancelled
from bot.slack.errors import Later
from bot.slack.places import origin
from bot.slack.posts import SELDOM
from bot.turns.leases import LEASE, LIMITS, SHARED, Leases, Line, Pools, Sweep
from bot.turns.trouble import ATTEMPTS, MOST, DeliveryFailures, touches
from bot.turns.turn import TurnHandler
from state.stores.cache import Kind, NoSignal, Signal
from state.stores.errors import LeaseLost, Unavailable
from state.stores.rows import Done, Hold, InboxRow, Lease, OutboxRow, Received, Taken, Written
from state.stores.store import Store
from state.understanding.evidence import normalized
from state.workflow.load import NotInstalled

log = structlog.get_logger("holdfast.worker")
AGAIN, ONCE_MORE = 1.0, 0.3
"""Seconds until a database that is away is asked again for what nobody else knows; until an event that it did not take is stored."""

SOON = 0.02
"""Seconds in which other replicas are told once that conversations wait."""

GRACE = 5.0
"""Seconds for what is under way when the bot stops. A model or a sink that takes longer is asked anew by the next process."""


class Worker:
    """Works off the inbox, a conversation at a time, and the outbox, a lane at a time."""

    def __init__(
        self,
        store: Store,
        turns: TurnHandler,
        performer: Performer,
        forget: Callable[[str], None],
        trouble: DeliveryFailures,
    ) -> None:
        self._store, self._turns, self._performer, self._forget = store, turns, performer, forget
        self._trouble, self._sweep = trouble, Sweep(store, self._start)
        self.signal: Signal | NoSignal = NoSignal()
        self.attempts = ATTEMPTS
        self._pools, self._leases = Pools(SHARED if store.shared else LIMITS), Leases(store)
        self._line = Line(store, self._pools, self._took)
        self._hold, self._hold_new = Hold(LEASE, self._here), Hold(LEASE, self._next)
        self._running: dict[str, asyncio.Task[None]] = {}
        self._again: dict[str, Taken | None] = {}
        self._came: dict[str, dict[int, Received]] = {}
        self._wanted: dict[str, dict[int, OutboxRow]] = {}
        self._calls: dict[str, asyncio.Task[Done]] = {}
        self._given_up: set[asyncio.Task[Done]] = set()
        self._stopping = False
        self._told: dict[str, asyncio.Task[None]] = {}

    async def start(self) -> None:
        """Begin sweeping and listening."""
        self._stopping = False
        await self.signal.start()
        self._leases.start()
        self._line.open()
        self._sweep.start()

    async def stop(self) -> None:
        """Take nothing more up, finish what is under way, and leave what takes longer stored: it goes on at the next start."""
        await self.signal.stop()
        await self._sweep.stop()
        await self._line.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                while self._running:
                    await asyncio.wait(list(self._running.values()))
        self._stopping = True
        await cancelled(*self._running.values(), *self._told.values())
        await self._leases.stop()

    @property
    def working(self) -> bool:
        """True if the queues are worked off."""
        return not self._stopping and self._sweep.running and self._leases.running

    async def idle(self) -> None:
        """Wait until nothing runs here and nothing is due: for scenarios and tests, which look at the screen then."""
        while True:
            while self._running:
                await asyncio.wait(list(self._running.values()))
                await asyncio.sleep(0)  # what has ended may begin again
            left = (await self._store.sweep()).lanes
            if not left and not self._running:
                return
            for lane in left:
                self._start(lane)

    async def receive(self, incoming: InboxRow) -> None:
        """Store an event, and begin its turn at once where nobody else has the conversation. It is stored when this returns."""
        asked = time.monotonic()
        logs.remember(self._trace(incoming))
        received = await self._stored(incoming)
        log.info("received", kind=incoming.key.partition(":")[0], again=received is None)
        if received is not None:
            self._took(received, asked)

    async def _stored(self, incoming: InboxRow) -> Received | None:
        """Store an event, at the second try where the first one fails: Slack waits that long, and brings no click again."""
        try:
            return await self._store.receive(incoming, self._hold_new)
        except Unavailable:
            await asyncio.sleep(ONCE_MORE)
            received = await self._store.receive(incoming, self._hold_new)
            self._sweep.soon()  # the first one may have been stored, and nobody heard of it
            return received

    async def opened(self, channel: str) -> None:
        """Try again what could not be posted in a channel: something has changed there."""
        await self._store.revive([one for one in await self._store.stuck(MOST) if touches(one, channel)])
        self._sweep.soon()

    async def kick(self, _kind: Kind, name: str) -> None:
        """Work on a lane at once, here; where all hands are full, other replicas are told."""
        self._start(name)

    def heard(self, kind: Kind, name: str) -> None:
        """Another replica has its hands full, or has erased a person."""
        if kind == "person":
            self.forget(name)
        elif self._any(name):
            self._line.grows()
        elif self._pools.room(name):
            self._start(name)

    def forget(self, person: str) -> None:
        """Remember nothing more of a person."""
        self._forget(person)
        self._turns.forget()
        for texts in (escape, line, normalized):
            texts.cache_clear()

    def _here(self, lane: str) -> bool:
        return lane not in self._running

    def _next(self, lane: str) -> bool:
        return self._here(lane) and not (self._any(lane) and self._line.long)

    def _any(self, lane: str) -> bool:
        """Return True where other replicas may begin the lane as well, in the order of all of them."""
        return self._store.shared and kind_of(lane) == TURNS and lane not in self._again

    # Lanes: what runs, what waits for room, and what begins again when it ends

    def _start(self, lane: str, taken: Taken | None = None, since: float = 0.0, *, first: bool = False) -> None:
        """Work on a lane, with its lease where it is `taken` already; `since`: when that was asked for, 0 where it is held here.

        Where all hands are full it queues up, `first` for the next step of an act that has had its turn.
        """
        if taken and since:
            self._leases.add(taken.lease, since)
        if self._stopping:
            return
        if lane in self._running:
            self._again[lane] = taken or self._again.get(lane)
        elif not taken and self._any(lane):
            self._line.grows()
            if not self._pools.room(lane):
                self._tell("conversation", lane)
        elif self._pools.room(lane):
            taken = taken or self._again.pop(lane, None)
            self._pools.enter(lane)
            task = asyncio.create_task(self._work(lane, taken), context=Context())  # its lines are about its own rows
            self._running[lane] = task
            task.add_done_callback(lambda _: self._ended(lane))
        else:
            self._pools.wait(lane, first=first)
            if taken or lane in self._again:  # it is held, and has its place in the queue
                self._again[lane] = taken or self._again[lane]
            else:
                self._tell("lane", lane)

    def _tell(self, kind: Kind, lane: str) -> None:
        """Tell other replicas: one may have a hand free. Of a conversation it counts that some wait, not which."""
        about = kind if kind == "conversation" else lane
        if about not in self._told:
            self._told[about] = task = asyncio.create_task(self._wake(kind, lane))
            task.add_done_callback(lambda _: self._told.pop(about))

    async def _wake(self, kind: Kind, lane: str) -> None:
        await asyncio.sleep(SOON)
        await self.signal.wake(kind, lane)

    def _ended(self, lane: str) -> None:
        self._running.pop(lane, None)
        following = self._pools.leave(lane)
        left = self._came.pop(lane, None) or self._wanted.pop(lane, None)
        if lane in self._again or left:
            self._start(lane, self._again.pop(lane, None))
        if following:
            self._start(following)
        else:
            self._line.go_on()

    async def _work(self, lane: str, taken: Taken | None) -> None:
        lease = taken.lease if taken else None
        try:
            if lease is None:
                asked = time.monotonic()
                lease = await self._store.take(lane, LEASE)
                if lease is None:
                    return
                self._leases.add(lease, asked)
            work = self._converse if kind_of(lane) == TURNS else self._perform_all
            await work(lease, taken.head if taken else None)
        except Exception as problem:
            if isinstance(problem, LeaseLost):
                log.info("lease_lost", kind=kind_of(lane))
            else:
                log.exception("line_failed", kind=kind_of(lane))
            if lease is not None:
                with suppress(Exception):
                    await self._store.release(lease)
        if lease is not None:
            self._leases.drop(lease)

    # Turns

    def _took(self, received: Received, asked: float, *, first: bool = False) -> None:
        row, taken = received.row, received.taken
        at_once = taken is not None and taken.head == row.id
        if taken or row.conversation in self._running or not self._any(row.conversation):
            self._came.setdefault(row.conversation, {})[row.id] = received if at_once else Received(row)
        if taken:
            self._start(row.conversation, taken, asked, first=first)
        elif row.conversation not in self._running:
            self._start(row.conversation, first=first)

    async def _converse(self, lease: Lease, head: int | None) -> None:
        """Handle a conversation's events until none is due, and leave it."""
        while True:
            received = self._came.get(lease.lane, {}).pop(head or 0, None)
            row = received.row if received else await self._store.next_incoming(lease.lane)
            with logs.about(self._trace(row)) if row else nullcontext():
                head = await self._turn(lease, row, received) if row else await self._store.leave(lease)
            if head is None:
                return

    async def _turn(self, lease: Lease, row: InboxRow, received: Received | None) -> int | None:
        """Handle one event. Gives what follows; None: the conversation is left; 0: it failed, look again."""
        asked = time.monotonic()
        try:
            written = await self._turns.handle(lease, row, received, self._hold, lambda: not self._came.get(lease.lane))
        except LeaseLost:
            raise
        except Exception as problem:
            self._came.pop(lease.lane, None)
            last = await self._trouble.of_inbox(
                lease, row, problem, last=row.attempts + 1 >= self.attempts or isinstance(problem, NotInstalled)
            )
            self._sweep.soon()
            if not last:
                return 0
            if isinstance(problem, NotInstalled):
                return await self._store.leave(lease)
            written = await self._turns.apologise(lease, row, self._hold)
        if row.received_at is not None:
            ACTS.labels("handled").observe(max(0.0, (await self._store.now() - row.received_at).total_seconds()))
        self._hand_over(written, asked)
        return written.following

    def _hand_over(self, written: Written, asked: float) -> None:
        """Give what was written to those who do it, from memory.

        A model call of an earlier turn is waited for no longer: its words would be dropped, and others need the room.
        """
        for draft in written.drafts:
            mine, now = f"model:{draft.id}:", f"model:{draft.id}:{draft.body.get('turn')}"
            for lane in [one for one in self._running if one.startswith(mine) and one != now]:
                self._wanted.pop(lane, None)
                if call := self._calls.get(lane):
                    self._given_up.add(call)
                    call.cancel()
        for row in written.outgoing:
            if row.due_at is None:
                self._wanted.setdefault(row.lane, {})[row.id] = row
            else:
                self._sweep.soon()
        for lane in dict.fromkeys(row.lane for row in written.outgoing if row.due_at is None):
            taken = written.lanes.get(lane)
            if taken or lane not in self._running:
                self._start(lane, taken, asked)

    # What a turn wants done

    async def _perform_all(self, lease: Lease, head: int | None) -> None:
        """Perform a lane's rows until none is due, and leave it: those of one event at once, where they are in memory and the lane's oldest.

        Between those of two events others may have been put out that this process has not in memory.
        """
        while True:
            rows = sorted(self._wanted.pop(lease.lane, {}).values(), key=lambda row: row.id)
            if not rows or rows[0].id != head:
                row = await self._store.next_outgoing(lease.lane)
                rows = [row] if row else []
            together = next((list(some) for _, some in groupby(rows, _event_of)), [])
            self._keep(lease.lane, rows[len(together) :])
            behind = str(together[0].body.get("behind") or "") if together else ""
            if behind in self._running:  # no need to ask the database: it is being posted here
                head = await self._wait(lease.lane, together, Later(SELDOM, behind))
                continue
            head = await self._perform(lease, together) if together else await self._store.leave(lease)
            if head is None:
                return

    async def _perform(self, lease: Lease, rows: list[OutboxRow]) -> int | None:
        """Perform rows in order and mark them done in one commit. Gives what follows; None: the lane is left."""
        tried: list[OutboxRow] = []
        try:
            return await self._perform_held(lease, rows, tried)
        except LeaseLost:
            await self._reconcile(lease, tried)
            raise

    async def _reconcile(self, lease: Lease, rows: list[OutboxRow]) -> None:
        """Write down what was sent, or may have been, though another has the lane by now and sends it too."""
        late = [one for row in rows if (one := self._turns.posts.late(row, f"late/{lease.token}"))]
        while late:
            try:
                await self._store.reconcile(*late)
                return
            except Unavailable:
                await asyncio.sleep(AGAIN)

    async def _perform_held(self, lease: Lease, rows: list[OutboxRow], tried: list[OutboxRow]) -> int | None:
        done: list[Done] = []
        problem: Exception | None = None
        for row in rows:
            tried.append(row)  # also of one whose lease is found lost on the way, a part may have been sent
            try:
                with logs.about(self._trace(row)):
                    done.append(await self._once(lease, row))
            except LeaseLost:
                raise
            except Exception as found:
                problem = found
            if problem:
                break
        following: int | None = 0
        if done:
            asked = time.monotonic()
            finished = await self._store.finish(lease, *done, hold=self._hold)
            following = finished.following
            for received in finished.received:
                self._took(received, asked, first=True)
        left = rows[len(done) :]
        if isinstance(problem, Later) and following is not None:
            return await self._wait(lease.lane, left, problem)
        if problem is not None and not isinstance(problem, Later):
            with logs.about(self._trace(left[0])):
                return await self._set_back(lease, left[0], problem)
        return following

    async def _set_back(self, lease: Lease, row: OutboxRow, problem: Exception) -> int:
        """Gives the row where it is to be sent once more, else 0: the lane is looked at again."""
        asked = time.monotonic()
        again, received = await self._trouble.of(lease, row, problem, self.attempts)
        self._sweep.soon()
        if received is not None:
            self._took(received, asked)
        if again is None:
            return 0
        self._wanted.setdefault(lease.lane, {})[again.id] = again
        return again.id

    def _keep(self, lane: str, rows: list[OutboxRow]) -> None:
        if rows:
            self._wanted.setdefault(lane, {}).update({row.id: row for row in rows})

    async def _wait(self, lane: str, rows: list[OutboxRow], later: Later) -> int:
        """Wait for Slack, and take no room from others meanwhile. Gives the row to go on with; 0 where it may be superseded by then."""
        if kind_of(lane) != COSMETIC:
            self._keep(lane, rows)
        following = self._pools.leave(lane)
        if following:
            self._start(following)
        ahead = self._running.get(later.behind)
        try:
            await (asyncio.wait([ahead], timeout=later.seconds) if ahead else asyncio.sleep(later.seconds))
        finally:
            self._pools.enter(lane)
        return 0 if kind_of(lane) == COSMETIC else rows[0].id

    async def _once(self, lease: Lease, row: OutboxRow) -> Done:
        """Perform one row; of one that Slack refused each time, it is first written down that it may be sent from here on.

        A model call may be given up meanwhile: it is done, and nothing came of it.
        """
        self._leases.sure(lease)
        if not (row.fresh or row.sent):
            await self._store.begin_sending(lease, row.id, 1)
            row = replace(row, fresh=True, sent=1)
        row = replace(row, still=partial(self._leases.sure, lease))
        call = asyncio.create_task(self._performer.perform(row))
        self._calls[lease.lane] = call
        try:
            done = await call
            return replace(done, later=await self._turns.posts.later(row))
        except asyncio.CancelledError:
            mine = asyncio.current_task()
            if call not in self._given_up or (mine and mine.cancelling()):
                raise
            return Done(row.id)
        finally:
            self._given_up.discard(self._calls.pop(lease.lane))

    def _trace(self, row: InboxRow | OutboxRow) -> str:
        """Return the id under which everything is logged that came of one event of Slack's."""
        return self._store.trace(origin(row.key))


def _event_of(row: OutboxRow) -> str:
    """Return the key of the event whose turn, and transaction, put the row out."""
    return row.key.rpartition("/")[0]
