"""A local server that speaks Anthropic's Messages API and plays scripted models, as strict about requests as the real one."""

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from aiohttp import web

from bot.sandbox.models import answers
from bot.sandbox.models.rules import NAME, Invalid, check_request

Body = dict[str, Any]
Lack = Literal["system_messages", "strict", "thinking", "effort", "streaming", "whole"]
"""Things that an endpoint may not take; "whole" is an answer that is not streamed."""

_WORDS: dict[Lack, str] = {
    "system_messages": "messages[1].role: unknown variant `system`, expected `user` or `assistant`",
    "strict": "tools.0.custom.strict: Extra inputs are not permitted",
    "thinking": '"thinking.type.disabled" is not supported for this model. Use "output_config.effort" instead.',
    "effort": "output_config: Extra inputs are not permitted",
    "streaming": "Streaming is not supported by this deployment",
    "whole": "This model only supports streaming; set stream to true",
}


@dataclass(frozen=True)
class Quirks:
    """`terse` complaints name nothing; `delivery` overrides what the request asks for; a key may count in one header only."""

    lacks: frozenset[Lack] = frozenset()
    terse: bool = False
    delivery: Literal["as asked", "stream", "whole"] = "as asked"
    reads_bearer: bool = True

    def check(self, body: Body) -> None:
        """Raises `Invalid` for the first thing in the request that this endpoint does not take."""
        for lack, words in _WORDS.items():
            if lack in self.lacks and _holds(body, lack):
                raise Invalid("Invalid request" if self.terse else words)

    def streams(self, body: Body) -> bool:
        """Return True if the answer to this request is streamed."""
        return bool(body.get("stream")) if self.delivery == "as asked" else self.delivery == "stream"


def _holds(body: Body, lack: Lack) -> bool:
    held: dict[Lack, bool] = {
        "system_messages": any(message["role"] == "system" for message in body["messages"]),
        "strict": any("strict" in tool for tool in body.get("tools", ())),
        "thinking": "thinking" in body,
        "effort": "output_config" in body,
        "streaming": bool(body.get("stream")),
        "whole": not body.get("stream"),
    }
    return held[lack]


class Memory:
    """Every block that was issued, and for thinking the request it answered."""

    def __init__(self) -> None:
        self._calls: dict[str, Body] = {}
        self._thoughts: dict[str, tuple[Body, str]] = {}
        self._pauses: list[list[Body]] = []

    def note(self, request: Body, message: Body) -> None:
        """Remember a message that goes out in answer to this request."""
        messages = request["messages"]
        asked_after = messages[:-1] if messages[-1]["role"] == "assistant" else messages
        for block in message["content"]:
            if block["type"] == "tool_use":
                self._calls[block["id"]] = block
            elif block["type"] == "thinking":
                self._thoughts[block["signature"]] = block, _fingerprint(request, asked_after)
        if message["stop_reason"] == "pause_turn":
            self._pauses.append(message["content"])

    def continues_a_pause(self, request: Body) -> bool:
        """Return True if the request ends with the content of a paused turn, as it was sent."""
        messages = request.get("messages")
        last = messages[-1] if isinstance(messages, list) and messages else None
        return isinstance(last, dict) and last.get("role") == "assistant" and last.get("content") in self._pauses

    def check(self, request: Body) -> None:
        """Raises `Invalid` where a call or a thought comes back altered, or a thought behind an altered conversation."""
        for place, block in _blocks(request):
            if block["type"] == "tool_use":
                sent = self._calls.get(block["id"])
                could_come_back = sent and isinstance(sent["input"], dict) and NAME.fullmatch(sent["name"])
                if could_come_back and block != sent:
                    raise Invalid(f"messages.{place}: `tool_use` blocks must come back as they were sent")
            elif block["type"] == "thinking":
                thought, prefix = self._thoughts.get(block["signature"], ({}, ""))
                if block != thought:
                    raise Invalid(f"messages.{place}: `thinking` blocks cannot be modified")
                if prefix != _fingerprint(request, request["messages"][:place]):
                    raise Invalid(
                        f"messages.{place}: what stands before a `thinking` block has changed since it was sent"
                    )


def _blocks(request: Body) -> Iterator[tuple[int, Body]]:
    for place, message in enumerate(request["messages"]):
        if message["role"] == "assistant" and isinstance(message["content"], list):
            yield from ((place, block) for block in message["content"])


def _fingerprint(request: Body, before: list[Body]) -> str:
    return json.dumps([request.get("system"), request.get("tools"), before], sort_keys=True)


Script = Callable[[Body], answers.Answer | Awaitable[answers.Answer]]

_ID = web.RequestKey("id", str)

_SILENCE = 3600.0
"""Seconds that a stalled answer hangs: longer than any client waits; one that leaves ends it."""


class MessagesServer:
    """`start`, point a client at `url`, look at `requests` (every body received, oldest first), `stop`.

    With a `key`, only that key is let in; else any. `stop` raises what a script raised, which a client sees as a 500.
    """

    def __init__(self, script: Script, *, key: str | None = None, quirks: Quirks | None = None) -> None:
        self.script = script
        self.requests: list[Body] = []
        self.url = ""
        self._key = key
        self._quirks = quirks or Quirks()
        self._memory = Memory()
        self._count = 0
        self._script_errors: list[Exception] = []
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        """Listen on a free port of the loopback."""
        app = web.Application(client_max_size=2**25, middlewares=[self._with_request_id])
        app.router.add_post("/v1/messages", self._messages)
        app.router.add_post("/v1/messages/count_tokens", self._count_tokens)
        self._runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"

    async def stop(self) -> None:
        """Close every connection."""
        if self._runner:
            await self._runner.cleanup()
        if self._script_errors:
            raise self._script_errors[0]

    @web.middleware
    async def _with_request_id(self, request: web.Request, handler: Any) -> web.StreamResponse:
        self._count += 1
        request[_ID] = f"req_{self._count:06d}"
        try:
            bearer = request.headers.get("authorization", "") if self._quirks.reads_bearer else ""
            key = request.headers.get("x-api-key") or bearer.removeprefix("Bearer ")
            if not key or (self._key and key != self._key):
                raise _Refused(answers.Failed(401, "authentication_error", "invalid x-api-key"))
            if "anthropic-version" not in request.headers:
                raise Invalid("anthropic-version: header is required")
            response: web.StreamResponse = await handler(request)
        except _Refused as refused:
            return _failure(request, refused.failed)
        except Invalid as invalid:
            return _failure(request, answers.Failed(400, "invalid_request_error", str(invalid)))
        except web.HTTPException as error:
            return _failure(request, answers.Failed(error.status, "not_found_error", error.reason))
        return response

    async def _messages(self, request: web.Request) -> web.StreamResponse:
        body = await _body(request)
        self.requests.append(body)
        self._check(body)
        answer = await self._answer(body)
        if isinstance(answer, answers.ModelMessage):
            message = answers.message_of(answer, body, self._count)
            self._memory.note(body, message)
            if self._quirks.streams(body):
                return await _streamed(request, list(answers.events_of(message)))
            return web.json_response(message, headers={"request-id": request[_ID]})
        if isinstance(answer, answers.Failed):
            if not (answer.in_stream and self._quirks.streams(body)):
                return _failure(request, answer)
            begun = next(answers.events_of(answers.message_of(answers.ModelMessage(), body, self._count)))
            return await _streamed(request, [begun, {"type": "error", "error": _error(answer)}])
        if isinstance(answer, answers.Raw):
            return web.Response(text=answer.body, content_type=answer.content_type)
        return await self._drop(request, body, answer)

    async def _count_tokens(self, request: web.Request) -> web.StreamResponse:
        body = await _body(request)
        self._check(body, counts_only=True)
        return web.json_response({"input_tokens": answers.tokens_of(body)}, headers={"request-id": request[_ID]})

    def _check(self, body: Body, *, counts_only: bool = False) -> None:
        try:
            self._quirks.check(body)
            check_request(body, continues_a_pause=self._memory.continues_a_pause(body), counts_only=counts_only)
            self._memory.check(body)
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise Invalid(f"Malformed request ({type(error).__name__}: {error})") from None

    async def _answer(self, body: Body) -> answers.ModelMessage | answers.Failed | answers.Dropped | answers.Raw:
        try:
            answer = self.script(body)
            played = await answer if inspect.isawaitable(answer) else answer
        except Exception as error:
            self._script_errors.append(error)
            return answers.Failed(500, "api_error", "The script failed.")
        while isinstance(played, answers.Slow):
            await asyncio.sleep(played.seconds)
            played = played.answer
        return played

    async def _drop(self, request: web.Request, body: Body, dropped: answers.Dropped) -> web.StreamResponse:
        """Half of the answer, if any of it, and then nothing more."""
        if dropped.halfway is None:
            response: web.StreamResponse = web.Response()
        else:
            message = answers.message_of(dropped.halfway, body, self._count)
            response = await self._half(request, body, message)
        if dropped.hangs:
            await asyncio.sleep(_SILENCE)
        if request.transport:
            request.transport.abort()
        return response

    async def _half(self, request: web.Request, body: Body, message: Body) -> web.StreamResponse:
        if self._quirks.streams(body):
            events = list(answers.events_of(message))
            return await _streamed(request, events[: len(events) // 2])
        whole = json.dumps(message).encode()
        response = web.StreamResponse(headers={"content-type": "application/json", "content-length": str(len(whole))})
        await response.prepare(request)
        await response.write(whole[: len(whole) // 2])
        return response


class _Refused(Exception):
    def __init__(self, failed: answers.Failed) -> None:
        super().__init__(failed.kind)
        self.failed = failed


async def _body(request: web.Request) -> Body:
    try:
        body = await request.json()
    except ValueError:
        raise Invalid("The request body is not valid JSON") from None
    if not isinstance(body, dict):
        raise Invalid("The request body is not an object")
    return body


async def _streamed(request: web.Request, events: list[Body]) -> web.StreamResponse:
    response = web.StreamResponse(headers={"content-type": "text/event-stream", "request-id": request[_ID]})
    await response.prepare(request)
    for event in events:
        await response.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
    return response


def _failure(request: web.Request, failed: answers.Failed) -> web.Response:
    body = {"type": "error", "error": _error(failed), "request_id": request[_ID]}
    return web.json_response(body, status=failed.status, headers={"request-id": request[_ID], **failed.headers})


def _error(failed: answers.Failed) -> Body:
    return {"type": failed.kind, "message": failed.message}
