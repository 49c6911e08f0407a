"""Get events and interactions to the app: retries, waiting while nobody is connected, HTTP mode's signed requests."""

import asyncio
import contextlib
import hashlib
import hmac
import json
import time
from collections import deque
from collections.abc import Coroutine
from dataclasses import dataclass, field, replace
from typing import Protocol
from urllib.parse import urlencode

import aiohttp

from bot.sandbox.changes import Changes
from bot.sandbox.knobs import Knobs
from bot.sandbox.tickets import new_id
from bot.sandbox.workspace import ActError, Json, Undelivered

WAITING_KEPT = 1_000
FAILED_KEPT = 1_000
TIMEOUT = "timeout"
NOT_CONNECTED = "The app is not connected, so nothing happened."
NO_ANSWER = "The app did not answer in time."


@dataclass(frozen=True)
class Envelope:
    """What goes to the app; `type` is "events_api", "interactive" or "slash_commands".

    `attempt` counts from 0; `missed` says why the attempt before failed.
    """

    type: str
    payload: Json
    attempt: int = 0
    missed: str = ""
    accepts_response: bool = False


@dataclass(frozen=True)
class Ack:
    """The app took it, and may have answered something with it."""

    payload: Json | None = None


@dataclass(frozen=True)
class Missed:
    """No ack came, for a reason that retries name: "timeout" on sockets, "http_timeout", "http_error" …"""

    reason: str


class Target(Protocol):
    """A way to the app."""

    @property
    def ready(self) -> bool:
        """True when somebody is there to take a delivery."""

    async def send(self, envelope: Envelope) -> Ack | Missed:
        """Deliver once."""


@dataclass
class Delivery:
    """The queue in front of one target. Delays are seconds before retries 1, 2 and 3; Slack's own are 0, 60 and 300."""

    target: Target
    knobs: Knobs
    changes: Changes
    retry_delays: tuple[float, ...]
    waiting: deque[Envelope] = field(default_factory=lambda: deque(maxlen=WAITING_KEPT))
    failed: deque[Envelope] = field(default_factory=lambda: deque(maxlen=FAILED_KEPT))
    _tasks: set[asyncio.Task[object]] = field(default_factory=set)

    def event(self, payload: Json) -> None:
        """Deliver an event in the background until it is acked or its retries are used up."""
        self._spawn(self._persist(Envelope("events_api", payload)))
        for extra in range(self.knobs.redeliver):
            if self.target.ready:
                self._spawn(self._send(Envelope("events_api", payload, extra + 1, TIMEOUT)))

    async def interact(self, kind: str, payload: Json, *, accepts_response: bool) -> Json | None:
        """Deliver an interaction once and give the payload of its ack.

        Raises Undelivered when nobody is connected or no ack came: interactions are never retried.
        """
        if not self.target.ready:
            raise Undelivered(NOT_CONNECTED)
        ack = await self._send(Envelope(kind, payload, accepts_response=accepts_response))
        if isinstance(ack, Missed):
            raise Undelivered(NO_ANSWER)
        return ack.payload

    def resume(self) -> None:
        """Somebody connected: what waited goes out."""
        while self.waiting:
            self._spawn(self._persist(self.waiting.popleft()))

    @property
    def under_way(self) -> int:
        """How many deliveries are neither acked nor given up."""
        return len(self._tasks)

    async def stop(self) -> None:
        """Break off whatever is under way; events go back to those that wait."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _persist(self, envelope: Envelope) -> None:
        try:
            await self._attempt(envelope)
        except asyncio.CancelledError:
            self._park(envelope)
            raise

    def _park(self, envelope: Envelope) -> None:
        """Keep an event for the next connection, where it comes as a retry."""
        later = replace(envelope, attempt=max(1, envelope.attempt), missed=envelope.missed or TIMEOUT)
        self.waiting.append(later)

    async def _attempt(self, envelope: Envelope) -> None:
        for attempt in range(envelope.attempt, len(self.retry_delays) + 1):
            if not self.target.ready:
                self._park(replace(envelope, attempt=attempt))
                return
            outcome = await self._send(replace(envelope, attempt=attempt))
            if isinstance(outcome, Ack):
                return
            envelope = replace(envelope, missed=outcome.reason)
            if attempt < len(self.retry_delays):
                await asyncio.sleep(self.retry_delays[attempt])
        self.failed.append(envelope)

    async def _send(self, envelope: Envelope) -> Ack | Missed:
        await asyncio.sleep(self.knobs.delay_events.get(envelope.type, 0))
        outcome = await self.target.send(envelope)
        return Missed(TIMEOUT) if isinstance(outcome, Ack) and self.knobs.ack_dropped() else outcome

    def _spawn(self, work: Coroutine[None, None, object]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)

        def done(task: asyncio.Task[object]) -> None:
            self._tasks.discard(task)
            self.changes.tick()

        task.add_done_callback(done)


@dataclass(frozen=True)
class Credentials:
    """What the app proves itself with, and what Slack signs with."""

    bot_token: str
    app_token: str
    signing_secret: str
    verification_token: str

    @classmethod
    def made_from(cls, suffix: str) -> "Credentials":
        """Return the same credentials for the same suffix, so that a bot finds a restarted sandbox."""
        return cls(
            bot_token=f"xoxb-sandbox-{suffix}",
            app_token=f"xapp-sandbox-{suffix}",
            signing_secret=f"signing-{suffix}",
            verification_token=f"verification-{suffix}",
        )


CHALLENGE_LENGTH = 40
OK = 200
MULTIPLE_CHOICES = 300


@dataclass(frozen=True)
class Answer:
    """What an app answered to a request."""

    status: int
    text: str


@dataclass
class HttpTarget:
    """One Request URL; `timeout` is the seconds that an app has to answer."""

    url: str
    credentials: Credentials
    timeout: float

    @property
    def ready(self) -> bool:
        """An address is always worth a try."""
        return True

    async def send(self, envelope: Envelope) -> Ack | Missed:
        """Deliver once; an answer of 2xx is the ack, and its body the ack's payload."""
        written = json.dumps(envelope.payload)
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if envelope.type == "events_api":
            body, headers = written, {"Content-Type": "application/json"}
            if envelope.attempt:
                headers |= {"X-Slack-Retry-Num": str(envelope.attempt), "X-Slack-Retry-Reason": envelope.missed}
        else:
            body = urlencode(envelope.payload if envelope.type == "slash_commands" else {"payload": written})
        answer = await self._post(body, headers)
        if isinstance(answer, Missed):
            return answer
        return Ack(_payload(answer.text)) if OK <= answer.status < MULTIPLE_CHOICES else Missed("http_error")

    async def verify(self) -> None:
        """Make the `url_verification` handshake.

        Raises ActError when the address does not give the challenge back.
        """
        challenge = new_id("", CHALLENGE_LENGTH)
        handshake = {"token": self.credentials.verification_token, "challenge": challenge, "type": "url_verification"}
        answer = await self._post(json.dumps(handshake), {"Content-Type": "application/json"})
        if isinstance(answer, Missed) or answer.status != OK or challenge not in answer.text:
            raise ActError("The address did not give the challenge back.")

    async def _post(self, body: str, headers: dict[str, str]) -> Answer | Missed:
        timeout = aiohttp.ClientTimeout(total=self.timeout)
        signed = {**headers, **signature(self.credentials.signing_secret, body)}
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.post(self.url, data=body.encode(), headers=signed) as response,
            ):
                return Answer(response.status, await response.text())
        except TimeoutError:
            return Missed("http_timeout")
        except aiohttp.ClientError:
            return Missed("connection_failed")


def signature(secret: str, body: str) -> dict[str, str]:
    """Slack's signature headers for a request body, version v0, on the machine's clock as verifiers read it."""
    timestamp = str(int(time.time()))
    digest = hmac.new(secret.encode(), f"v0:{timestamp}:{body}".encode(), hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": f"v0={digest}"}


def _payload(text: str) -> Json | None:
    if not text:
        return None
    try:
        parsed = json.loads(text)
    except ValueError:
        return {"text": text}
    return parsed if isinstance(parsed, dict) else {"text": text}
