"""Get events and interactions to the app, by Socket Mode or signed requests: envelopes and acks, retries, and waiting for a connection."""

import asyncio
import contextlib
import hashlib
import hmac
import json
import secrets
import time
import uuid
from collections import deque
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

import aiohttp
from aiohttp import WSMsgType, web

from bot.sandbox.changes import Changes
from bot.sandbox.knobs import Knobs
from bot.sandbox.workspace import ActError, Json, Undelivered

WAITING_KEPT = 1_000
FAILED_KEPT = 1_000
TICKETS_KEPT = 100
MOST_CONNECTIONS = 10
MOST_FRAME_BYTES = 4 * 1024 * 1024
TIMEOUT = "timeout"
"""Why an event comes again, as retries on sockets name it."""
NO_ANSWER = "The app did not answer in time."
DISCONNECT_REASONS = ("warning", "refresh_requested", "link_disabled", "too_many_websockets")
CONNECTION_SECONDS = 18_060
DEBUG = {"host": "applink-sandbox", "build_number": 1}


@dataclass(frozen=True)
class Envelope:
    """An event or interaction on its way to the app; `type` is "events_api", "interactive" or "slash_commands". `attempt` counts from 0."""

    type: str
    payload: Json
    attempt: int = 0
    accepts_response: bool = False

    def frame(self, envelope_id: str) -> Json:
        """Return it as a socket carries it."""
        frame: Json = {
            "envelope_id": envelope_id,
            "payload": self.payload,
            "type": self.type,
            "accepts_response_payload": self.accepts_response,
        }
        if self.type == "events_api":
            frame |= {"retry_attempt": self.attempt, "retry_reason": TIMEOUT if self.attempt else ""}
        return frame


@dataclass(frozen=True)
class Ack:
    """The app took it, and may have answered something with it."""

    payload: Json | None = None


@dataclass(eq=False)
class Connection:
    """One socket and the envelopes on it that are not acked yet; None is the loss of an ack."""

    socket: web.WebSocketResponse
    pending: dict[str, "asyncio.Future[Ack | None]"] = field(default_factory=dict)

    async def say(self, frame: Json) -> bool:
        """Send a frame; False when the socket is gone."""
        try:
            await self.socket.send_str(json.dumps(frame))
        except (ConnectionError, RuntimeError):
            return False
        return True

    def settle(self, envelope_id: str, ack: Ack | None) -> None:
        """Hand an ack, or the loss of one, to whoever waits for it."""
        waiting = self.pending.pop(envelope_id, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(ack)


@dataclass
class Sockets:
    """All connections of the app; deliveries take turns among them."""

    app_id: str
    changes: Changes
    ack_timeout: float
    connections: list[Connection] = field(default_factory=list)
    _tickets: deque[str] = field(default_factory=lambda: deque(maxlen=TICKETS_KEPT))
    _turn: int = 0

    def ticket(self) -> str:
        """Return what a connection's address must carry; good for one connection."""
        ticket = secrets.token_hex(8)
        self._tickets.append(ticket)
        return ticket

    async def send(self, envelope: Envelope) -> Ack | None:
        """Deliver through the connection whose turn it is, and wait for the ack; None where none comes."""
        self._turn += 1
        connection = self.connections[self._turn % len(self.connections)]
        envelope_id = str(uuid.uuid4())
        acked: asyncio.Future[Ack | None] = asyncio.get_running_loop().create_future()
        connection.pending[envelope_id] = acked
        try:
            if not await connection.say(envelope.frame(envelope_id)):
                return None
            return await asyncio.wait_for(acked, self.ack_timeout)
        except TimeoutError:
            return None
        finally:
            connection.pending.pop(envelope_id, None)

    async def disconnect(self, reason: str) -> None:
        """Ask every connection to come back; all but a warning close the sockets too.

        Raises ActError for a reason that Slack does not know.
        """
        if reason not in DISCONNECT_REASONS:
            raise ActError(f"A disconnect's reason is one of: {', '.join(DISCONNECT_REASONS)}.")
        for connection in list(self.connections):
            await connection.say(_goodbye(reason))
            if reason != "warning":
                await connection.socket.close()

    async def close(self) -> None:
        """End every connection."""
        for connection in list(self.connections):
            await connection.socket.close()

    async def accept(self, request: web.Request, delivery: "Delivery") -> web.StreamResponse:
        """Serve one connection from hello to its end; what waited for one goes out."""
        ticket = request.query.get("ticket", "")
        if ticket not in self._tickets:
            return web.Response(status=401, text="This address is used up.")
        self._tickets.remove(ticket)
        socket = web.WebSocketResponse(max_msg_size=MOST_FRAME_BYTES)
        await socket.prepare(request)
        connection = Connection(socket)
        if len(self.connections) >= MOST_CONNECTIONS:
            await connection.say(_goodbye("too_many_websockets"))
            await socket.close()
            return socket
        self.connections.append(connection)
        try:
            await connection.say(self._hello())
            self.changes.publish("connection", connected=len(self.connections))
            delivery.resume()
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    _take(connection, frame.data)
        finally:
            self.connections.remove(connection)
            for envelope_id in list(connection.pending):
                connection.settle(envelope_id, None)
            self.changes.publish("connection", connected=len(self.connections))
        return socket

    def _hello(self) -> Json:
        return {
            "type": "hello",
            "num_connections": len(self.connections),
            "debug_info": {**DEBUG, "approximate_connection_time": CONNECTION_SECONDS},
            "connection_info": {"app_id": self.app_id},
        }


def _take(connection: Connection, text: str) -> None:
    try:
        frame = json.loads(text)
    except ValueError:
        return
    if isinstance(frame, dict) and "envelope_id" in frame:
        payload = frame.get("payload")
        connection.settle(str(frame["envelope_id"]), Ack(payload if isinstance(payload, dict) else None))


def _goodbye(reason: str) -> Json:
    return {"type": "disconnect", "reason": reason, "debug_info": dict(DEBUG)}


@dataclass(frozen=True)
class HttpTarget:
    """The app's own address, its Request URL; `timeout` is the seconds that it has to answer."""

    url: str
    signing_secret: str
    timeout: float

    async def send(self, envelope: Envelope) -> Ack | None:
        """Deliver once; an answer of 2xx is the ack, and its body the ack's payload."""
        written = json.dumps(envelope.payload)
        if envelope.type == "events_api":
            retried = {"X-Slack-Retry-Num": str(envelope.attempt), "X-Slack-Retry-Reason": "http_error"}
            text = await self.post(written, "application/json", retried if envelope.attempt else {})
        else:
            form = urlencode(envelope.payload if envelope.type == "slash_commands" else {"payload": written})
            text = await self.post(form, "application/x-www-form-urlencoded")
        if not text:
            return None if text is None else Ack()
        try:
            answer = json.loads(text)
        except ValueError:
            answer = None
        return Ack(answer if isinstance(answer, dict) else {"text": text})

    async def post(self, body: str, content_type: str, headers: Mapping[str, str] | None = None) -> str | None:
        """Post a signed body; gives the text of an answer of 2xx, None where there is no such answer."""
        given = {"Content-Type": content_type, **(headers or {}), **signature(self.signing_secret, body)}
        try:
            async with (
                aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=self.timeout)) as session,
                session.post(self.url, data=body.encode(), headers=given) as response,
            ):
                return await response.text() if response.ok else None
        except (TimeoutError, aiohttp.ClientError):
            return None


def signature(secret: str, body: str) -> dict[str, str]:
    """Return Slack's signature headers for a request body, version v0, on the machine's clock as verifiers read it."""
    timestamp = str(int(time.time()))
    digest = hmac.new(secret.encode(), f"v0:{timestamp}:{body}".encode(), hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": f"v0={digest}"}


@dataclass
class Delivery:
    """The queue in front of the app: its sockets, or its address where it has one.

    Delays are seconds before retries 1, 2 and 3; Slack's own are 0, 60 and 300.
    """

    sockets: Sockets
    knobs: Knobs
    retry_delays: tuple[float, ...]
    address: HttpTarget | None = None
    waiting: deque[Envelope] = field(default_factory=lambda: deque(maxlen=WAITING_KEPT))
    failed: deque[Envelope] = field(default_factory=lambda: deque(maxlen=FAILED_KEPT))
    _tasks: set[asyncio.Task[object]] = field(default_factory=set)

    def event(self, payload: Json) -> None:
        """Deliver an event in the background until it is acked or its retries are used up."""
        self._spawn(self._persist(Envelope("events_api", payload)))
        for extra in range(self.knobs.redeliver):
            self._spawn(self._send(Envelope("events_api", payload, extra + 1)))

    async def interact(self, kind: str, payload: Json, *, accepts_response: bool) -> Json | None:
        """Deliver an interaction once and give the payload of its ack.

        Raises Undelivered when nobody is connected or no ack came: interactions are never retried.
        """
        if not self._ready:
            raise Undelivered("The app is not connected, so nothing happened.")
        ack = await self._send(Envelope(kind, payload, accepts_response=accepts_response))
        if ack is None:
            raise Undelivered(NO_ANSWER)
        return ack.payload

    @property
    def _ready(self) -> bool:
        return self.address is not None or bool(self.sockets.connections)

    def resume(self) -> None:
        """Send out what waited for a connection."""
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
        """Deliver an event; where nobody is connected it waits for the next connection, to which it comes as a retry."""
        try:
            for attempt in range(envelope.attempt, len(self.retry_delays) + 1):
                envelope = replace(envelope, attempt=attempt)
                if not self._ready:
                    self.waiting.append(replace(envelope, attempt=max(1, attempt)))
                    return
                if await self._send(envelope) is not None:
                    return
                if attempt < len(self.retry_delays):
                    await asyncio.sleep(self.retry_delays[attempt])
            self.failed.append(envelope)
        except asyncio.CancelledError:
            self.waiting.append(replace(envelope, attempt=max(1, envelope.attempt)))
            raise

    async def _send(self, envelope: Envelope) -> Ack | None:
        await asyncio.sleep(self.knobs.delay_events.get(envelope.type, 0))
        ack = await (self.address or self.sockets).send(envelope) if self._ready else None
        return None if ack is not None and self.knobs.ack_dropped() else ack

    def _spawn(self, work: Coroutine[None, None, object]) -> None:
        def done(task: asyncio.Task[object]) -> None:
            self._tasks.discard(task)
            self.sockets.changes.tick()

        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(done)
