"""Connections that never say what they want are closed: nobody keeps the door busy by beginning requests and not ending them."""

import asyncio
import socket
from typing import Any
from weakref import WeakSet

from aiohttp import web
from aiohttp.typedefs import Handler

_begun: "WeakSet[asyncio.BaseTransport]" = WeakSet()


@web.middleware
async def begun(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Note that a connection has brought a whole head."""
    if request.transport is not None:
        _begun.add(request.transport)
    return await handler(request)


class PatientSite(web.BaseSite):
    """A TCP site whose connections have so many seconds for their first head."""

    def __init__(self, runner: web.AppRunner, bound: socket.socket, head: float) -> None:
        super().__init__(runner)
        self._bound, self._head = bound, head

    @property
    def name(self) -> str:
        """The address."""
        host, port = self._bound.getsockname()[:2]
        return f"http://{host}:{port}"

    async def start(self) -> None:
        """Listen."""
        await super().start()
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connection, sock=self._bound, backlog=128)

    def _connection(self) -> asyncio.BaseProtocol:
        server: Any = self._runner.server
        protocol: asyncio.BaseProtocol = server()
        asyncio.get_running_loop().call_later(self._head, _close, protocol)
        return protocol


def _close(protocol: Any) -> None:
    if protocol.transport is not None and protocol.transport not in _begun:
        protocol.transport.close()
