"""`/chat` at the door: how often it answers whom, and how long it waits for what was begun."""

import asyncio
import math

import aiohttp
import pytest

from bot.http.chat import ADDRESS, KEPT, TOKEN, WRONG, Limits
from tests.chat.conftest import Calling
from tests.patience import PATIENCE


class Hand:
    """A clock that moves only when told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def test_wrong_tokens_are_turned_away_and_right_ones_are_not(calling: Calling) -> None:
    """After so many wrong tokens from an address the next ones get 429 with Retry-After, while whoever has a token is answered."""
    async with calling() as caller:
        answers = [await caller.post({"message": "help"}, f"hf_wrong{n}") for n in range(WRONG.burst + 10)]
        assert [status for status, _ in answers] == [401] * WRONG.burst + [429] * 10
        headers = {"Authorization": "Bearer hf_wrong"}
        async with caller.session.post(caller.url, json={}, headers=headers) as response:
            assert 1 <= int(response.headers["Retry-After"]) <= math.ceil(60 / WRONG.a_minute)
        assert (await caller.post({"message": "help"}))[0] == 200


async def test_a_token_has_a_rate(calling: Calling) -> None:
    """A caller who asks without end is told to wait; another caller at the same address is not."""
    async with calling() as caller:
        statuses = [(await caller.post({"wrong": 1}))[0] for _ in range(TOKEN.burst + 5)]
        assert statuses[: TOKEN.burst] == [400] * TOKEN.burst and statuses[-1] == 429
        assert (await caller.post({"message": "help"}, "hf_dana"))[0] == 200


def test_a_bucket_fills_up_again() -> None:
    """Whoever waits as long as they were told is answered; what was refused costs nothing."""
    clock = Hand()
    limits = Limits(clock)
    for _ in range(WRONG.burst):
        assert limits.wrong("10.0.0.1") == 0
    wait = limits.wrong("10.0.0.1")
    assert wait == pytest.approx(limits.wrong("10.0.0.1")) and wait > 0
    clock.now += wait + 0.001
    assert limits.wrong("10.0.0.1") == 0


def test_what_is_remembered_is_bounded() -> None:
    """Twenty thousand addresses take no more room than a few thousand; those of one network of the newer kind count as one."""
    limits = Limits(Hand())
    for n in range(20_000):
        limits.wrong(f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}")
    assert len(limits._full_at) <= KEPT
    waits = [limits.address(f"2001:db8::{n:x}") for n in range(ADDRESS.burst + 1)]
    assert waits[-1] > 0 and not any(waits[:-1])


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"POST /chat HTTP/1.1\r\nHost: x\r\n",
        b"POST /chat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer hf_alex\r\nContent-Length: 100\r\n\r\n{",
        b"POST /chat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer hf_wrong\r\nContent-Length: 100\r\n\r\n{",
        b"POST /chat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer hf_alex\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
    ],
)
async def test_what_is_begun_and_not_ended_is_closed(calling: Calling, begun: bytes) -> None:
    """Sixty connections that send half a head, or half a body, are all closed, and others are answered meanwhile."""
    async with calling(patience=0.3) as caller:
        host, port = "127.0.0.1", caller.bot.web.port
        opened = [await asyncio.open_connection(host, port) for _ in range(60)]
        for _, writer in opened:
            writer.write(begun)
        async with aiohttp.ClientSession() as other, other.get(f"http://{host}:{port}/healthz") as well:
            assert well.status == 200
        async with asyncio.timeout(PATIENCE):
            for reader, writer in opened:
                await reader.read()
                assert reader.at_eof()
                writer.close()
