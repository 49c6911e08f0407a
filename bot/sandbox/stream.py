"""The page's event stream: server-sent events of every change, resumable by id."""

import asyncio
import json

from aiohttp import web

from bot.sandbox.changes import Change, Changes

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
                await response.write(_event(changes.run, change))
            place = changes.last
            await _wait(response, coming, stopping)
    except ConnectionError:
        pass
    return response


async def _wait(response: web.StreamResponse, coming: asyncio.Event, stopping: asyncio.Event) -> None:
    waits = [asyncio.ensure_future(event.wait()) for event in (coming, stopping)]
    try:
        done, _ = await asyncio.wait(waits, timeout=HEARTBEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
    if not done:
        await response.write(b": still here\n\n")


def _place(last_id: str, changes: Changes) -> int | None:
    """The number after which to go on; None when the page's place belongs to an earlier run."""
    run, _, number = last_id.rpartition("-")
    if not last_id:
        return changes.last
    return int(number) if run == changes.run and number.isdigit() else None


def _event(run: str, change: Change) -> bytes:
    return f"id: {run}-{change.number}\nevent: change\ndata: {json.dumps(change.data)}\n\n".encode()
