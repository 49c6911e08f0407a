"""Socket Mode's server side: tickets, hello, envelopes and acks, disconnects; any connection may get any payload."""

import asyncio
import json
import secrets
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from bot.sandbox.changes import Changes
from bot.sandbox.delivery import TIMEOUT, Ack, Envelope, Missed
from bot.sandbox.workspace import ActError, Json

MOST_CONNECTIONS = 10
DISCONNECT_REASONS = ("warning", "refresh_requested", "link_disabled", "too_many_websockets")
CONNECTION_SECONDS = 18_060
DEBUG = {"host": "applink-sandbox", "build_number": 1}
TICKETS_KEPT = 100
MOST_FRAME_BYTES = 4 * 1024 * 1024


@dataclass(eq=False)
class Connection:
    """One socket and the envelopes on it that are not acked yet."""

    socket: web.WebSocketResponse
    pending: dict[str, "asyncio.Future[Ack | Missed]"] = field(default_factory=dict)

    async def say(self, frame: Json) -> bool:
        """Send a frame; False when the socket is gone."""
        try:
            await self.socket.send_str(json.dumps(frame))
        except (ConnectionError, RuntimeError):
            return False
        return True

    def settle(self, envelope_id: str, ack: Ack | Missed) -> None:
        """Hand an ack (or the loss of one) to whoever waits for it."""
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

    @property
    def ready(self) -> bool:
        """True when an app is connected."""
        return bool(self.connections)

    def ticket(self) -> str:
        """Return what a connection's address must carry; good for one connection."""
        ticket = secrets.token_hex(8)
        self._tickets.append(ticket)
        return ticket

    async def send(self, envelope: Envelope) -> Ack | Missed:
        """Deliver through the connection whose turn it is, and wait for the ack."""
        self._turn += 1
        connection = self.connections[self._turn % len(self.connections)]
        envelope_id = str(uuid.uuid4())
        acked: asyncio.Future[Ack | Missed] = asyncio.get_running_loop().create_future()
        connection.pending[envelope_id] = acked
        try:
            if not await connection.say(_frame(envelope_id, envelope)):
                return Missed(TIMEOUT)
            return await asyncio.wait_for(acked, self.ack_timeout)
        except TimeoutError:
            return Missed(TIMEOUT)
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

    async def accept(self, request: web.Request, connected: Callable[[], None]) -> web.StreamResponse:
        """Serve one connection from hello to its end."""
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
        await self._serve(connection, connected)
        return socket

    async def _serve(self, connection: Connection, connected: Callable[[], None]) -> None:
        self.connections.append(connection)
        try:
            await connection.say(self._hello())
            self._tell()
            connected()
            async for frame in connection.socket:
                if frame.type is WSMsgType.TEXT:
                    self._take(connection, frame.data)
        finally:
            self.connections.remove(connection)
            for envelope_id in list(connection.pending):
                connection.settle(envelope_id, Missed(TIMEOUT))
            self._tell()

    def _take(self, connection: Connection, text: str) -> None:
        frame = _parsed(text)
        if frame is None:
            return
        payload = frame.get("payload")
        connection.settle(str(frame.get("envelope_id")), Ack(payload if isinstance(payload, dict) else None))

    def _hello(self) -> Json:
        return {
            "type": "hello",
            "num_connections": len(self.connections),
            "debug_info": {**DEBUG, "approximate_connection_time": CONNECTION_SECONDS},
            "connection_info": {"app_id": self.app_id},
        }

    def _tell(self) -> None:
        self.changes.publish("connection", connected=len(self.connections))


def _frame(envelope_id: str, envelope: Envelope) -> Json:
    frame: Json = {
        "envelope_id": envelope_id,
        "payload": envelope.payload,
        "type": envelope.type,
        "accepts_response_payload": envelope.accepts_response,
    }
    if envelope.type == "events_api":
        frame |= {"retry_attempt": envelope.attempt, "retry_reason": envelope.missed}
    return frame


def _goodbye(reason: str) -> Json:
    return {"type": "disconnect", "reason": reason, "debug_info": dict(DEBUG)}


def _parsed(text: str) -> Json | None:
    try:
        frame = json.loads(text)
    except ValueError:
        return None
    return frame if isinstance(frame, dict) and "envelope_id" in frame else None
