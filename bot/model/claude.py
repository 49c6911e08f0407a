"""Adapt Anthropic's Messages API and whatever speaks it: a `Request` in, a `Reply` or a `ModelError` out, watched while it comes."""

import asyncio
import json
import re
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import asdict, replace
from typing import Any

import anthropic
import structlog
from anthropic import AsyncAnthropic

from bot.model.protocol import (
    DEADLINE,
    Away,
    BadModelRequest,
    Cause,
    ModelAway,
    ModelError,
    ModelOverflow,
    ModelRefused,
)
from bot.model.reading import Body, Broken, Event, StreamError, assembled, continued, is_usable, reply_of
from bot.model.sending import Manner, arguments, capabilities, extras_in
from prompts.request import Request
from state.draft.reply import Reply
from state.exact_json import Flawed, without_doubles

BAD_REQUEST = frozenset({400, 422})
_TOO_LARGE = 413
_LAST_STATUS_BELOW_OUTAGE = 499

_BY_STATUS = {
    401: Away.KEY, 402: Away.BUDGET, 403: Away.KEY, 404: Away.NO_SUCH_MODEL, 408: Away.TIMEOUT, 429: Away.RATE_LIMITED,
    504: Away.TIMEOUT, 529: Away.OVERLOADED,
}  # fmt: skip
_STATUS_OF_KIND = {
    "invalid_request_error": 400, "authentication_error": 401, "billing_error": 402, "permission_error": 403,
    "not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "timeout_error": 504,
    "overloaded_error": 529,
}  # fmt: skip
_OVERFLOW = re.compile(r"prompt is too long|context (window|length)|too many (input )?tokens", re.IGNORECASE)
_MONEY = re.compile(r"credit balance|spend(ing)?[ _]limit|usage limit|quota", re.IGNORECASE)


def fault_of(error: Exception, cause: Cause) -> ModelError:
    """Return the error that this exception of the SDK, of a stream or of the clock stands for."""
    if isinstance(error, anthropic.APITimeoutError | TimeoutError):
        return ModelAway(Away.TIMEOUT, cause)
    if isinstance(error, anthropic.APIConnectionError):
        return ModelAway(Away.UNREACHABLE, cause)
    if isinstance(error, anthropic.APIStatusError):
        return fault_of_status(error.status_code, complaint_of(error), cause)
    if isinstance(error, StreamError):
        return fault_of_status(_STATUS_OF_KIND.get(error.kind, 500), "", cause)
    return ModelAway(error.reason if isinstance(error, Broken) else Away.GARBLED, cause)


def fault_of_status(status: int, complaint: str, cause: Cause) -> ModelError:
    """Return the error for an HTTP status and the words that came with it."""
    if status == _TOO_LARGE or (status in BAD_REQUEST and _OVERFLOW.search(complaint)):
        return ModelOverflow(cause)
    if status <= _LAST_STATUS_BELOW_OUTAGE and _MONEY.search(complaint):
        return ModelAway(Away.BUDGET, cause)
    if status in BAD_REQUEST:
        return BadModelRequest(cause)
    return ModelAway(_BY_STATUS.get(status, Away.OUTAGE), cause)


def complaint_of(error: anthropic.APIStatusError) -> str:
    """Return the endpoint's own words and its error code, to be searched and forgotten."""
    return f"{error.api_message or error.message} {error.error_code or ''}"


def wait_asked(headers: Mapping[str, str]) -> float | None:
    """Return seconds that a 429 asks to wait (0 where it names a date, which the SDK reads), None where it names none."""
    if "retry-after" not in headers and "retry-after-ms" not in headers:
        return None
    try:
        return float(headers["retry-after-ms"]) / 1000 if "retry-after-ms" in headers else float(headers["retry-after"])
    except ValueError:
        return 0.0


log = structlog.get_logger()

Next = Callable[[anthropic.APIRequest], Awaitable[anthropic.AsyncAPIResponse[Any]]]

_TOO_MANY = 429
_FIRST_ERROR = 400


class Watch:
    """Middleware of one call; `until` is the deadline on the event loop's clock, in seconds."""

    def __init__(self, until: float) -> None:
        self.attempts = 0
        self._until = until
        self._status: int | None = None
        self._request_id: str | None = None

    async def __call__(self, request: anthropic.APIRequest, call_next: Next) -> anthropic.AsyncAPIResponse[Any]:
        """One attempt; raises a `ModelAway` of ours where the SDK would wait in vain."""
        self.attempts += 1
        self._status = self._request_id = None
        response = await call_next(request)
        self._status, self._request_id = response.status_code, response.request_id
        if self._status == _TOO_MANY and (fault := await self._hopeless(response)):
            await response.close()
            raise fault
        return response

    def cause(self, kind: str) -> Cause:
        """Return what the log may say of a failure of this kind."""
        return Cause(kind, self._status, self._request_id, self.attempts)

    def late(self) -> ModelError:
        """The deadline passed: the failure that was being waited out if there was one, else a timeout."""
        if self._status and self._status >= _FIRST_ERROR:
            return fault_of_status(self._status, "", self.cause("deadline"))
        return ModelAway(Away.TIMEOUT, self.cause("deadline"))

    async def _hopeless(self, response: anthropic.AsyncAPIResponse[Any]) -> ModelError | None:
        """Why a 429 is not worth a retry: a spend limit (it names no wait), or a wait beyond the deadline."""
        wait, cause = wait_asked(response.headers), self.cause("RateLimitError")
        if wait is None:
            return ModelAway(Away.BUDGET, cause)
        fault = fault_of_status(_TOO_MANY, await response.text(), cause)
        is_about_money = isinstance(fault, ModelAway) and fault.reason is Away.BUDGET
        return fault if is_about_money or asyncio.get_running_loop().time() + wait > self._until else None


API = "https://api.anthropic.com"

RESENDS = 1
"""Times that an answer which breaks off or cannot be read is asked for anew: the SDK retries only up to the headers."""

PAUSE = 0.5
"""Seconds before that, as the SDK waits before its first retry."""


def connect(
    api_key: str,
    base_url: str = API,
    *,
    timeout: float = DEADLINE / 2,
    max_retries: int = 2,
    http_client: anthropic.DefaultAioHttpClient | None = None,
) -> AsyncAnthropic:
    """Return the SDK's client; `timeout` is one attempt's, in seconds; an `http_client` of one's own brings proxies or authorities.

    Other vendors' endpoints often read `x-api-key` alone, which this SDK does not send by itself. Its tracing is off: an
    environment variable could put the conversation into spans. Its transport is aiohttp, which Slack's SDK has already loaded and
    which takes two thirds of the processor for a call. A plain http:// address needs no authorities, whose list takes longer to
    read than a turn.
    """
    if http_client is None:
        unread = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if base_url.startswith("http://") else True
        http_client = anthropic.DefaultAioHttpClient(verify=unread)
    return AsyncAnthropic(
        api_key=api_key,
        base_url=base_url,
        timeout=timeout,
        max_retries=max_retries,
        default_headers={} if base_url.rstrip("/") == API else {"x-api-key": api_key},
        http_client=http_client,
        open_telemetry=False,
    )


class Claude:
    """One model at one endpoint. What the endpoint does not take it leaves out from then on."""

    def __init__(
        self,
        client: AsyncAnthropic,
        name: str,
        *,
        deadline: float = DEADLINE,
        pause: float = PAUSE,
        stream: bool = False,
    ) -> None:
        self.name = name
        self._client = client
        self._takes = capabilities(name)
        self._manner = Manner(stream=stream)
        self._deadline = deadline
        self._pause = pause

    async def reply(self, request: Request) -> Reply:
        """One answer within the deadline; `protocol` draws what is raised instead."""
        watch = Watch(asyncio.get_running_loop().time() + self._deadline)
        outcome = await self._outcome(request, watch)
        if isinstance(outcome, ModelError):
            reason = outcome.reason if isinstance(outcome, ModelAway) else None
            log.warning("model_failed", error=type(outcome).__name__, reason=reason, **asdict(outcome.cause))
            raise outcome
        log.info(
            "model_replied",
            model=self.name,
            stop=outcome.stop,
            **asdict(outcome.usage),
            **asdict(watch.cause("answer")),
        )
        return outcome

    async def _outcome(self, request: Request, watch: Watch) -> Reply | ModelError:
        """Exceptions end here as values, so that no text of the SDK is chained to what `reply` raises."""
        try:
            async with asyncio.timeout(self._deadline):
                reply = await self._converse(request, watch)
                if reply.stop == "refusal":
                    raise ModelRefused(watch.cause("refusal"))
                if reply.stop == "overflow" or (reply.stop == "length" and not is_usable(reply)):
                    raise ModelOverflow(watch.cause(reply.stop))
                return reply
        except ModelError as fault:
            return fault
        except TimeoutError:
            return watch.late()
        except (anthropic.AnthropicError, StreamError, Broken) as error:
            return fault_of(error, watch.cause(type(error).__name__))

    async def _converse(self, request: Request, watch: Watch) -> Reply:
        """One answer, and what follows it where the model only paused (once: a second pause is kept)."""
        first = reply_of(await self._ask(request, watch), self.name)
        if first.stop != "pause":
            return first
        so_far = {"role": "assistant", "content": list(first.content)}
        then = await self._ask(replace(request, messages=(*request.messages, so_far)), watch)
        return continued(first, reply_of(then, self.name))

    async def _ask(self, request: Request, watch: Watch) -> Body:
        """Return the answer's body, asked for ever more plainly while the endpoint finds fault with what can be left out."""
        manner: Manner | None = self._manner
        while manner:
            args = arguments(request, self.name, self._takes, manner.without)
            try:
                body = await self._send(args | ({"stream": True} if manner.stream else {}), watch)
            except (anthropic.BadRequestError, anthropic.UnprocessableEntityError) as error:
                if not isinstance(fault_of(error, Cause()), BadModelRequest):
                    raise error
                manner = manner.after(complaint_of(error), extras_in(args))
            else:
                if manner.remembered() != self._manner:
                    self._manner = manner.remembered()
                    log.warning("model_endpoint_lacks", extras=sorted(self._manner.lacking), stream=self._manner.stream)
                return body
        raise BadModelRequest(watch.cause("BadRequestError"))

    async def _send(self, args: dict[str, Any], watch: Watch) -> Body:
        create = self._client.with_middleware(watch).messages.with_raw_response.create
        for _ in range(RESENDS):
            try:
                return await body_of(await create(**args))
            except (StreamError, Broken):
                log.warning("model_answer_broken", **asdict(watch.cause("answer")))
                await asyncio.sleep(self._pause)
        return await body_of(await create(**args))


_UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


async def body_of(response: anthropic.AsyncAPIResponse[Any]) -> Body:
    """Return the message in a successful response, by its content type rather than by what was asked for.

    Raises `StreamError` when the answer is the API's error object, `Broken` when it breaks off or is no message.
    """
    try:
        if response.headers.get("content-type", "").lower().startswith("text/event-stream"):
            return await assembled(_events(response))
        body = json.loads(await response.text(), object_pairs_hook=_single)
        if body["type"] == "error":
            raise StreamError(str(body["error"]["type"]))
        if not isinstance(body["content"], list):
            raise TypeError
        message: Body = body
        return message
    except (StreamError, Broken):
        raise
    except Exception as error:  # the transport's errors are the SDK's own business, and have no common base here
        raise Broken(Away.GARBLED if isinstance(error, _UNREADABLE) else Away.UNREACHABLE) from None
    finally:
        await response.close()


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
