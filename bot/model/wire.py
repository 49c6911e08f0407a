"""The body of an answer, whichever way it was delivered: one JSON message, or a stream of events."""

import json
from collections.abc import AsyncIterator
from typing import Any

import anthropic

from bot.model.protocol import Away
from bot.model.reading import Body
from bot.model.streaming import Broken, Event, StreamError, assembled
from state.exact_json import Flawed, without_doubles

_UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


async def body_of(response: anthropic.AsyncAPIResponse[Any]) -> Body:
    """The message in a successful response, by its content type rather than by what was asked for.

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
    """The object; None, which is no tool's input, where a key is given twice."""
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
