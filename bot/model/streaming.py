"""Put the events of a streamed answer together into the message that the API would have sent whole, and take it off the wire."""

import json
from collections.abc import AsyncIterator
from typing import Any

import anthropic

from bot.model.protocol import Away
from bot.model.reading import Body
from state.exact_json import Flawed, without_doubles

Event = dict[str, Any]
_GROWS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


class StreamError(Exception):
    """The answer itself says that it failed; `kind` is the API's error type."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Broken(Exception):
    """The answer broke off, or is nothing that can be read; `reason` says which."""

    def __init__(self, reason: Away) -> None:
        super().__init__(reason)
        self.reason = reason


class Assembly:
    """A message under construction. `add` each event in order; `message` is whole once `add` has seen a stop reason."""

    def __init__(self) -> None:
        self.message: Event = {}
        self._blocks: dict[int, Event] = {}
        self._inputs: dict[int, str] = {}

    def add(self, event: Event) -> None:
        """Take one event; kinds that it does not know (ping, and what comes later) change nothing."""
        handle = {
            "message_start": self._start,
            "content_block_start": self._open,
            "content_block_delta": self._grow,
            "message_delta": self._finish,
            "error": self._fail,
        }.get(str(event.get("type")))
        if handle:
            handle(event)

    def whole(self) -> Event:
        """Return the message; `Broken` when its end never came."""
        if not self.message.get("stop_reason"):
            raise Broken(Away.UNREACHABLE)
        for index, written in self._inputs.items():
            self._blocks[index]["input"] = _parsed(written)
        return {**self.message, "content": [self._blocks[index] for index in sorted(self._blocks)]}

    def _start(self, event: Event) -> None:
        self.message = dict(event["message"])

    def _open(self, event: Event) -> None:
        self._blocks[event["index"]] = dict(event["content_block"])

    def _grow(self, event: Event) -> None:
        index, delta = event["index"], event["delta"]
        if delta["type"] == "input_json_delta":
            self._inputs[index] = self._inputs.get(index, "") + delta["partial_json"]
        elif name := _GROWS.get(delta["type"]):
            block = self._blocks[index]
            block[name] = block.get(name, "") + delta[name]

    def _finish(self, event: Event) -> None:
        """Usage in this event is a running total: what it names replaces, what it leaves out stays."""
        usage = {name: count for name, count in (event.get("usage") or {}).items() if count is not None}
        self.message |= {**event["delta"], "usage": {**(self.message.get("usage") or {}), **usage}}

    def _fail(self, event: Event) -> None:
        raise StreamError(str(event["error"]["type"]))


async def assembled(events: AsyncIterator[Event]) -> Event:
    """Return the whole message of a stream of decoded events; raises `StreamError` or `Broken`."""
    assembly = Assembly()
    async for event in events:
        assembly.add(event)
    return assembly.whole()


def _parsed(written: str) -> Any:
    """Return the tool input; None, which is no object, where its JSON does not parse or gives a key twice."""
    try:
        return json.loads(written, object_pairs_hook=without_doubles) if written else {}
    except (ValueError, RecursionError):
        return None


_UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


async def body_of(response: anthropic.AsyncAPIResponse[Any]) -> Body:
    """Return the message in a successful response, by its content type rather than by what was asked for.

    Raises `StreamError` when the answer is the API's error object, `Broken` when it breaks off or is no message.
    """
    try:
        return await _read(response)
    except (StreamError, Broken):
        raise
    except Exception as error:  # the transport's errors are the SDK's own business, and have no common base here
        raise Broken(Away.GARBLED if isinstance(error, _UNREADABLE) else Away.UNREACHABLE) from None
    finally:
        await response.close()


async def _read(response: anthropic.AsyncAPIResponse[Any]) -> Body:
    if response.headers.get("content-type", "").lower().startswith("text/event-stream"):
        return await assembled(_events(response))
    return _message(json.loads(await response.text(), object_pairs_hook=_single))


async def _events(response: anthropic.AsyncAPIResponse[Any]) -> AsyncIterator[Event]:
    async for event in anthropic.AsyncStream.raw_events(response.http_response):
        if event.data and event.data != "[DONE]":
            yield json.loads(event.data)


def _single(pairs: list[tuple[str, Any]]) -> dict[str, Any] | None:
    """Return the object; None, which is no tool's input, where a key is given twice."""
    try:
        return without_doubles(pairs)
    except Flawed:
        return None


def _message(body: Any) -> Body:
    if body["type"] == "error":
        raise StreamError(str(body["error"]["type"]))
    if not isinstance(body["content"], list):
        raise TypeError
    message: Body = body
    return message
