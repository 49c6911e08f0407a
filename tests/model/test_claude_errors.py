"""What the adapter makes of an API that does not answer."""

import asyncio
import json
import traceback
from time import monotonic

import pytest
from structlog.testing import capture_logs

from bot.model.claude import Claude, connect
from bot.model.protocol import Away, BadModelRequest, ModelAway, ModelError, ModelOverflow
from bot.sandbox.models.answers import (
    Failed,
    Raw,
    dropped,
    http_error,
    out_of_credit,
    overloaded,
    prompt_too_long,
    rate_limited,
    slow,
    stalled,
    text,
)
from bot.sandbox.models.scripts import in_order
from tests.model.asking import asked

HELLO = text("Hello.")


async def failure(model, kind=ModelAway):
    """What `reply` raises."""
    with pytest.raises(kind) as caught:
        await model.reply(asked())
    return caught.value


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (http_error(401), Away.KEY),
        (http_error(402), Away.BUDGET),
        (http_error(403), Away.KEY),
        (http_error(404), Away.NO_SUCH_MODEL),
        (http_error(500), Away.OUTAGE),
        (http_error(502), Away.OUTAGE),
        (http_error(504), Away.TIMEOUT),
        (overloaded(), Away.OVERLOADED),
        (rate_limited(), Away.BUDGET),
        (rate_limited(0.01), Away.RATE_LIMITED),
        (out_of_credit(), Away.BUDGET),
        (http_error(400, message="You have reached your specified API usage limits."), Away.BUDGET),
        (dropped(), Away.UNREACHABLE),
        (Raw("<html>Welcome</html>"), Away.GARBLED),
        (Raw("[]", "application/json"), Away.GARBLED),
        (Raw('{"type": "message", "content": "Hi"}', "application/json"), Away.GARBLED),
        (Raw('{"type": "error", "error": {"type": "overloaded_error"}}', "application/json"), Away.OVERLOADED),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_every_outage_has_a_reason(serve, claude, answer, reason):
    """Whatever keeps the API from answering becomes one error with one of a few reasons."""
    fault = await failure(await claude(await serve(answer)))
    assert fault.reason is reason


async def test_an_attempt_that_takes_too_long(serve, claude):
    """An attempt that outlasts its own time is a timeout, well before the deadline."""
    fault = await failure(await claude(await serve(slow(9, HELLO)), patience=0.2))
    assert (fault.reason, fault.cause.kind) == (Away.TIMEOUT, "APITimeoutError")


@pytest.mark.parametrize("answer", [prompt_too_long(), http_error(413)])
async def test_requests_that_are_too_large(serve, claude, answer):
    """A request over the context window or over the size limit is an overflow, and is not sent again."""
    server = await serve(answer)
    await failure(await claude(server), ModelOverflow)
    assert len(server.requests) == 1


async def test_nobody_listens():
    """An address where nothing listens is an unreachable model."""
    async with connect("key", "http://127.0.0.1:9", max_retries=0) as client:
        fault = await failure(Claude(client, "claude-haiku-5-5"))
    assert fault.reason is Away.UNREACHABLE


async def test_wrong_key(serve, claude):
    """A key that the API does not know is a matter of the key."""
    server = await serve(HELLO, key="another key")
    fault = await failure(await claude(server))
    assert fault.reason is Away.KEY


async def test_retries_are_counted(serve, claude):
    """The SDK's retries are the only ones after an error status, and the log's cause counts every attempt."""
    server = await serve(Failed(500, "api_error", "No.", {"retry-after": "0.01"}))
    fault = await failure(await claude(server, max_retries=2))
    assert (fault.cause.attempts, len(server.requests)) == (3, 3)
    assert (fault.cause.kind, fault.cause.status, fault.cause.request_id) == ("InternalServerError", 500, "req_000003")


@pytest.mark.parametrize(("answer", "seconds"), [(overloaded(), 0.3), (rate_limited(0.3), 0.28)])
async def test_an_overload_is_waited_out(serve, claude, answer, seconds):
    """After a 529, and after a 429 that names a wait, the request is sent again, later."""
    server = await serve(in_order(answer, HELLO))
    before = monotonic()
    assert (await (await claude(server, max_retries=1)).reply(asked())).text == "Hello."
    assert monotonic() - before > seconds


@pytest.mark.parametrize(
    "answer", [rate_limited(), Failed(429, "rate_limit_error", "Monthly spend limit reached.", {"retry-after": "0.01"})]
)
async def test_a_spend_limit_is_not_retried(serve, claude, answer):
    """A 429 that names no wait is a spend limit, and so is one that speaks of it: no second request."""
    server = await serve(answer)
    fault = await failure(await claude(server, max_retries=2))
    assert (fault.reason, len(server.requests)) == (Away.BUDGET, 1)


@pytest.mark.parametrize("stream", [False, True])
async def test_a_wait_beyond_the_deadline_is_not_begun(serve, claude, stream):
    """A rate limit that would outlast the deadline fails at once."""
    server = await serve(rate_limited(6_000))
    fault = await failure(
        await claude(server, max_retries=2, deadline=3_000.0, stream=stream)
    )  # longer than a test may take
    assert (fault.reason, len(server.requests)) == (Away.RATE_LIMITED, 1)


async def test_the_deadline_covers_everything(serve, claude):
    """However often the SDK would retry, nothing more is sent after the deadline."""
    server = await serve(slow(0.2, http_error(500)))
    await failure(await claude(server, max_retries=9, deadline=0.5))
    assert len(server.requests) <= 3


async def test_the_deadline_names_what_was_waited_out(serve, claude):
    """A deadline that passes while an overload is waited out is an overload; one that passes in silence, a timeout."""
    overloaded_for_long = Failed(529, "overloaded_error", "Overloaded", {"retry-after": "60"})
    overload = await failure(await claude(await serve(overloaded_for_long), max_retries=9, deadline=0.5))
    silence = await failure(await claude(await serve(slow(9, HELLO)), deadline=0.2))
    assert (overload.reason, silence.reason) == (Away.OVERLOADED, Away.TIMEOUT)


@pytest.mark.parametrize("stream", [False, True])
async def test_an_answer_that_stalls(serve, claude, stream):
    """An answer that begins well and then falls silent is a timeout at the deadline."""
    fault = await failure(await claude(await serve(stalled(HELLO)), deadline=0.3, stream=stream))
    assert fault.reason is Away.TIMEOUT


async def test_a_connection_that_dies_is_tried_again(serve, claude):
    """A connection that closes before or in the middle of an answer costs one retry."""
    for script in (in_order(dropped(), HELLO), in_order(dropped(halfway=HELLO), HELLO)):
        server = await serve(script)
        assert (await (await claude(server, max_retries=1)).reply(asked())).text == "Hello."
        assert len(server.requests) == 2


async def test_a_stream_that_breaks_off_is_tried_again(serve, claude):
    """A stream that ends early, or reports an overload in the middle, is asked for once more, and then given up."""
    for broken, reason in ((dropped(halfway=HELLO), Away.UNREACHABLE), (overloaded(in_stream=True), Away.OVERLOADED)):
        server = await serve(in_order(broken, HELLO))
        assert (await (await claude(server, stream=True)).reply(asked())).text == "Hello."
        server = await serve(broken)
        fault = await failure(await claude(server, stream=True))
        assert (fault.reason, len(server.requests)) == (reason, 2)


async def test_a_request_that_is_wrong_stays_wrong(serve, claude):
    """A 400 that leaving things out does not cure is a bad request."""
    server = await serve(http_error(400, message="messages.0: no."))
    await failure(await claude(server, max_retries=2), BadModelRequest)
    assert len(server.requests) == 2


async def test_no_word_of_the_endpoint_gets_out(serve, claude):
    """Neither the error, what it chains, nor the log holds the endpoint's text, the request's or the key."""
    secret = "Alex Reed wants 200 shares"
    for status in (400, 401, 429, 500):
        model = await claude(await serve(Failed(status, "api_error", secret)), key="sk-secret")
        with capture_logs() as logs:
            fault = await failure(model, ModelError)
        seen = "".join(traceback.format_exception(fault)) + repr(vars(fault)) + json.dumps(logs)
        assert fault.__context__ is None
        assert not [word for word in (secret, "Buy 200 shares", "sk-secret") if word in seen]
        assert logs[-1]["event"] == "model_failed"


async def test_replies_are_logged_with_their_tokens(serve, claude):
    """The log of a reply has its tokens, its request id and its attempts, and none of its words."""
    with capture_logs() as logs:
        await (await claude(await serve(text("Robin Vale", input_tokens=12)))).reply(asked())
    assert (logs[0]["input"], logs[0]["request_id"], logs[0]["attempts"]) == (12, "req_000001", 1)
    assert "Robin" not in json.dumps(logs)


async def test_a_superseded_call_can_be_cancelled(serve, claude):
    """Cancelling a call ends it at once and is no model error."""
    model = await claude(await serve(slow(9, HELLO)))
    call = asyncio.create_task(model.reply(asked()))
    await asyncio.sleep(0.1)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
