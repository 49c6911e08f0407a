"""A webhook through the real worker: what each answer leads to, and that nothing is lost, doubled or told too early."""

import hashlib
import hmac
import json
import os
import re
from pathlib import Path
from typing import Any

from bot.exports.sink_delivery import TIMESTAMP
from bot.exports.sinks import lane_place
from bot.sandbox.receiver import Receiver
from state.stores.opener import open_store
from state.stores.vault import Vault
from tests.databases import put_tables
from tests.sinks.sinking import SECRET, sinking, step, webhook


async def test_what_is_sent_is_signed_and_says_no_more_than_it_may(tmp_path: Path) -> None:
    """A receiver checks HMAC-SHA-256 over version, time and body; the key names record and revision; nothing personal is in it."""
    async with sinking(tmp_path) as s:
        await s.until_idle(step())
        (call,) = s.receiver.calls
        expected = hmac.new(SECRET, f"v0:{call.timestamp}:".encode() + call.body, hashlib.sha256).hexdigest()
        assert hmac.compare_digest(call.signature, f"v0={expected}")
        documented: dict[str, Any] = {}
        exec(SAMPLE, documented)  # noqa: S102  what the documentation tells receivers to do
        genuine = documented["genuine"]
        assert genuine(SECRET, call.headers, call.body) and not genuine(SECRET, call.headers, call.body + b" ")
        assert not genuine(b"another secret of 16", call.headers, call.body)
        assert not genuine(SECRET, {**call.headers, TIMESTAMP: str(int(call.timestamp) + 1)}, call.body)
        assert call.key.startswith("PA-2026-000001/7/") and json.loads(call.body) == {
            "schema": "holdfast.record/1", "key": call.key, "number": "PA-2026-000001", "form": "pa_dealing", "what": "state", "state": "approved",
            "revision": 7, "changed_at": "2026-11-22T10:00:00+00:00", "filed_at": "2026-11-22T09:00:00+00:00",
            "valid_until": "", "decisions": [], "breaches": [],
        }  # fmt: skip
        assert "Cookie" not in call.headers and await s.stuck() == []


SAMPLE = re.findall(
    r"```python\n(.*?)```", (Path(__file__).parents[2] / "docs/operations/sinks.md").read_text("utf-8"), re.DOTALL
)[0]
PASSING = (408, 425, 429, 500, 502, 503, "cut", "cut_after")
REFUSALS = (301, 307, 401, 403, 404, 410, 400, 413, 422)


async def test_what_passes_is_waited_out_with_the_same_key(tmp_path: Path) -> None:
    """However it fails for now, it is asked again with the same key until it is taken, and a receiver that knows keys has it once."""
    async with sinking(tmp_path) as s:
        for number, status in enumerate(PASSING, 1):
            s.receiver.fates, s.receiver.calls[:] = [status], []
            await s.put(step(number=number))
            await s.receiver.until(2)
            await s.bot.engine.idle()
            assert len({call.key for call in s.receiver.calls}) == 1 and len(s.receiver.kept) == number, status
        assert await s.stuck() == []


async def test_what_does_not_pass_is_held_in_sight(tmp_path: Path) -> None:
    """A redirect is not followed; what is refused for good stays with its reason, at once, and no newer state of the record goes before it."""
    async with sinking(tmp_path) as s:
        for number, status in enumerate(REFUSALS, 1):
            s.receiver.fates = [status]
            await s.until_idle(step(number=number))
            await s.until_idle(step("executed", 8, number, "approved"))
        assert await s.stuck() == [("blocked", f"http_{status}") for status in REFUSALS]
        assert len(s.receiver.calls) == len(REFUSALS) and not s.states
        held = await s.store.stuck()
        assert await s.store.revive(held, asked=True) == len(REFUSALS)
        for one in held:
            await s.bot.engine.kick("lane", one.lane)
        await s.bot.engine.idle()
        told = [
            [state for number, state in s.states if number == f"PA-2026-{n:06d}"] for n in range(1, len(REFUSALS) + 1)
        ]
        assert told == [["approved", "executed"]] * len(REFUSALS) and await s.stuck() == []


async def test_one_record_that_is_refused_holds_back_no_other(tmp_path: Path) -> None:
    """What a sink does not take of one record, it is not asked of the next."""
    async with sinking(tmp_path) as s:
        s.receiver.fates = [422]
        await s.until_idle(step())
        await s.until_idle(*(step(number=n) for n in range(2, 5)))
        assert sorted(number for number, _ in s.states) == [f"PA-2026-00000{n}" for n in range(2, 5)]
        assert await s.stuck() == [("blocked", "http_422")]


async def test_a_sink_that_is_away_is_asked_by_one_for_all_and_holds_back_itself_alone(tmp_path: Path) -> None:
    """While one takes nothing another gets everything; afterwards all comes, each record's states in their order."""
    receiver = Receiver()
    await receiver.start()
    async with sinking(tmp_path) as s:
        lines = webhook(receiver.url).replace("archive]", "other]")
        (tmp_path / "sinks.toml").write_text(webhook(s.receiver.url) + lines)
        os.utime(tmp_path / "sinks.toml", (1, 1))
        s.receiver.outage = 503
        steps = [step(number=n) for n in range(12)] + [step("executed", 8, n, "approved") for n in range(12)]
        await s.put(*steps)
        await receiver.until(kept=24)
        await s.receiver.until(3)
        assert len(s.receiver.calls) < 12 and not s.receiver.kept
        s.receiver.outage = None
        await s.receiver.until(kept=24)
        await s.bot.engine.idle()
        for number in {number for number, _ in s.states}:
            assert [state for n, state in s.states if n == number] == ["approved", "executed"]
        assert len(s.receiver.kept) == len(receiver.kept) == 24 and await s.stuck() == []
    await receiver.stop()


async def test_what_is_not_taken_for_long_is_in_sight_and_comes_all_the_same(tmp_path: Path) -> None:
    """After as many tries as a row has an operator sees it; it is tried on, and nobody has to send it."""
    async with sinking(tmp_path) as s:
        s.bot.engine.attempts = 2
        s.receiver.fates = [503, 503, "cut"]
        await s.put(step())
        await s.receiver.until(2)
        await s.bot.engine.idle()
        assert await s.stuck() == [("blocked", "http_503")]
        while len(s.receiver.calls) < 4:
            await s.again()
        assert len(s.receiver.kept) == 1 and await s.stuck() == []


async def test_retry_after_is_kept_to(tmp_path: Path) -> None:
    """Whoever asks for a minute is left alone for a minute, by everything that waits for it."""
    async with sinking(tmp_path) as s:
        for wanted in (3600, "Sat, 01 Jan 2050 00:00:00 GMT"):
            s.receiver.calls[:] = []
            s.receiver.retry_after, s.receiver.fates = wanted, [429]
            (tmp_path / "sinks.toml").write_text(webhook(s.receiver.url).replace("archive]", f"a{len(str(wanted))}]"))
            os.utime(tmp_path / "sinks.toml", (len(str(wanted)), 1))
            await s.until_idle(step(revision=len(str(wanted))))
            await s.until_idle(*(step(number=n, revision=len(str(wanted))) for n in range(2, 5)))
            assert len(s.receiver.calls) == 1
            assert ((await s.store.sweep()).wait or 0) > 60


async def test_a_kill_between_sending_and_noting_it_doubles_nothing(tmp_path: Path) -> None:
    """The next process asks again with the same key; the receiver says that it has that one, and it is done."""
    url, kept = f"sqlite:///{tmp_path / 'holdfast.db'}", Receiver()
    put_tables(tmp_path / "holdfast.db")
    key = Vault.make_key()
    await kept.start()
    for life in range(2):
        async with sinking(tmp_path, webhook(kept.url), open_store(url, key)) as s:
            kept.fates = ["hang"] if life == 0 else []
            if life == 0:
                await s.put(step())
            await kept.until(life + 1)
            if life:
                await s.bot.engine.idle()
                assert await s.stuck() == [] and await s.store.depths() == []
    assert [call.key for call in kept.calls] == [step().key] * 2 and len(kept.kept) == 1
    await kept.stop()


async def test_a_sink_that_is_taken_out_of_the_file_is_named(tmp_path: Path) -> None:
    """What waits for it is blocked under its name; put back, it gets what waited."""
    async with sinking(tmp_path) as s:
        s.receiver.outage = 404
        await s.until_idle(step())
        written = (tmp_path / "sinks.toml").read_text()
        (tmp_path / "sinks.toml").write_text("")
        os.utime(tmp_path / "sinks.toml", (1, 1))
        await s.again()
        (stuck,) = await s.store.stuck()
        assert (stuck.reason, lane_place(stuck.lane)[0]) == ("no_such_sink", "archive")
        (tmp_path / "sinks.toml").write_text(written)
        os.utime(tmp_path / "sinks.toml", (2, 2))
        s.receiver.outage = None
        await s.again()
        assert len(s.receiver.kept) == 1 and await s.stuck() == []


async def test_nothing_is_sent_unsigned(tmp_path: Path) -> None:
    """Without its secret, or with one that is too short, nothing goes out, and the reason stands there."""
    async with sinking(tmp_path) as s:
        (tmp_path / "archive.secret").unlink()
        await s.until_idle(step())
        (tmp_path / "archive.secret").write_bytes(b"short")
        await s.until_idle(step(number=2))
        assert await s.stuck() == [("blocked", "no_secret"), ("blocked", "short_secret")] and not s.receiver.calls
