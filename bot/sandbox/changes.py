"""Calls of the app, kept for tests and the page; and changes in order, for the page's event stream and whoever waits."""

import asyncio
import json
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from aiohttp import web

from bot.sandbox.tickets import new_id
from bot.sandbox.workspace import Json, Refusal, SlackError

CHANGES_KEPT = 2_000


@dataclass(frozen=True)
class Change:
    """One change as the page gets it; `number` counts from 1."""

    number: int
    data: Json


@dataclass
class Changes:
    """A bounded log of changes; its ids name this run, so that a page of an earlier run starts afresh. `keep` hears each first."""

    keep: Callable[[Json], None] | None = None
    run: str = field(default_factory=lambda: new_id("", length=6).lower())
    _log: deque[Change] = field(default_factory=lambda: deque(maxlen=CHANGES_KEPT))
    _number: int = 0
    _next: asyncio.Event = field(default_factory=asyncio.Event)

    def publish(self, kind: str, **data: object) -> None:
        """Tell the page and everyone who waits."""
        if self.keep is not None:
            self.keep({"kind": kind, **data})
        self._number += 1
        self._log.append(Change(self._number, {"kind": kind, **data}))
        self.tick()

    def tick(self) -> None:
        """Wake those who wait, with nothing for the page."""
        waiting, self._next = self._next, asyncio.Event()
        waiting.set()

    def next(self) -> asyncio.Event:
        """Is set at the next change after this call."""
        return self._next

    @property
    def last(self) -> int:
        """The number of the newest change; 0 before the first."""
        return self._number

    def since(self, number: int) -> list[Change] | None:
        """Return the changes after `number`; None when some of them are forgotten, or it was never reached."""
        oldest = self._log[0].number if self._log else self._number + 1
        if number > self._number or number + 1 < oldest:
            return None
        return [change for change in self._log if change.number > number]


HEARTBEAT_SECONDS = 15
HEADERS = {"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no"}


async def serve(request: web.Request, changes: Changes, stopping: asyncio.Event) -> web.StreamResponse:
    """Send changes as they come until the page leaves; a lost place is answered with {"kind": "resync"}."""
    response = web.StreamResponse(headers=HEADERS)
    await response.prepare(request)
    place = _place(request.headers.get("Last-Event-ID", ""), changes)
    try:
        while not stopping.is_set():
            coming = changes.next()
            found = changes.since(place) if place is not None else None
            for change in [Change(changes.last, {"kind": "resync"})] if found is None else found:
                event = f"id: {changes.run}-{change.number}\nevent: change\ndata: {json.dumps(change.data)}\n\n"
                await response.write(event.encode())
            place = changes.last
            waits = [asyncio.ensure_future(event.wait()) for event in (coming, stopping)]
            try:
                done, _ = await asyncio.wait(waits, timeout=HEARTBEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for wait in waits:
                    wait.cancel()
            if not done:
                await response.write(b": still here\n\n")
    except ConnectionError:
        pass
    return response


def _place(last_id: str, changes: Changes) -> int | None:
    """Return the number after which to go on; None when the page's place belongs to an earlier run."""
    run, _, number = last_id.rpartition("-")
    if not last_id:
        return changes.last
    return int(number) if run == changes.run and number.isdigit() else None


SENT_KEPT = 5_000


@dataclass(frozen=True)
class Sent:
    """One call of the app (or payload of an ack) and what it was answered."""

    method: str
    args: Json
    answer: Json
    team: str = ""
    """The workspace whose token it was made with, where that was given by OAuth."""

    @property
    def ok(self) -> bool:
        """True when the call was granted."""
        return bool(self.answer.get("ok"))


@dataclass(frozen=True)
class Refused:
    """A payload that breaks Slack's limits, with the reasons in Slack's words."""

    method: str
    args: Json
    problems: tuple[str, ...]


@dataclass
class Records:
    """Both lists, oldest first and bounded; `counts` are all calls, by method and error (empty where it was granted)."""

    sent: list[Sent] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, method: str, args: Json, answer: Json, team: str = "") -> None:
        """Keep a call."""
        self.sent.append(Sent(method, args, answer, team))
        self.counts[method, str(answer.get("error") or "")] += 1
        del self.sent[:-SENT_KEPT]

    def add_error(self, method: str, args: Json, error: SlackError) -> None:
        """Keep a call that was answered with an error; one over the limits is kept among the refused too."""
        self.add(method, args, error.answer())
        if isinstance(error, Refusal):
            self.refused.append(Refused(method, args, error.problems))
            del self.refused[:-SENT_KEPT]
