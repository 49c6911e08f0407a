"""The bot as people start it: killed between the acknowledgement and the reply, and what its log holds."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.sandbox.models.answers import Answer, call, slow, text, tools
from bot.sandbox.models.playback import Script
from tests.chaos.cluster import cluster
from tests.chaos.faults import FAULTS
from tests.chaos.processes import under, without
from tests.patience import PATIENCE
from tests.process import outside, process
from tests.world import shown


def explaining(asked: asyncio.Event) -> Script:
    """A model that is at it for a minute the first time, which it tells, and explains at once from then on."""

    def model(_: dict[str, Any]) -> Answer:
        answer = tools(call("say", act="explain", about="security", readings=[]))
        return answer if asked.is_set() else (asked.set(), slow(60, answer))[1]

    return model


async def test_a_killed_process_loses_no_turn_and_repeats_no_post(tmp_path: Path) -> None:
    """Killed while the model was thinking, the bot answers after its restart, at once however long the dead one's leases run, and once."""
    asked = asyncio.Event()
    async with outside(explaining(asked)) as (sandbox, server):
        alex = sandbox.person("U0ALEX")
        async with process(sandbox, server, tmp_path) as first:
            await alex.say("I would like to trade a security")
            await asyncio.wait_for(asked.wait(), PATIENCE)
            first.kill()
            await first.wait()
        await sandbox.until(lambda: not sandbox.connected)
        assert not [m for m in alex.messages() if m.get("bot_id")]
        with closing(sqlite3.connect(tmp_path / "holdfast.db")) as database, database:
            held = database.execute("UPDATE leases SET until = '2099-01-01 00:00:00.000000' WHERE until IS NOT NULL")
            assert held.rowcount
        async with process(sandbox, server, tmp_path):
            await sandbox.until(lambda: [m for m in alex.messages() if m.get("bot_id")], timeout=PATIENCE)
            await asyncio.sleep(1)
            (post,) = [m for m in alex.messages() if m.get("bot_id")]
            assert "The share, fund or other instrument itself." in shown(post)


async def test_requests_filed_under_kills_end_as_without_them(postgres: str, tmp_path: Path) -> None:
    """The short form of `make chaos`: of two replicas one is killed, at any moment, twice; the request ends as without that, and once."""
    async with cluster(tmp_path, 2, seed=1, postgres=postgres) as c:
        tried, found = await under(c, FAULTS[0], people=1, times=2, wanted=await without(c))
    assert (tried.n, found) == (2, [])


CANARY = "canary-7f3a-heard-at-dinner"


async def test_no_log_holds_words_of_people_a_secret_or_a_way_back(tmp_path: Path) -> None:
    """What was said, names, tokens, keys and a response_url that Slack refuses stand in no line of the log, the last in no plain letters on disk."""
    log, var = tmp_path / "log", tmp_path / "var"
    async with (
        outside(lambda _: text("Thank you."), ack_timeout=PATIENCE) as (sandbox, model),
        process(sandbox, model, var, log, HOLDFAST_LOG="DEBUG"),
    ):
        alex, knobs = sandbox.person("U0ALEX"), sandbox.knobs
        knobs.fail["chat.postMessage"], knobs.fail["response_url"] = ["internal_error"], ["expired_url"]
        await alex.say(f"buy 200 Tesco because {CANARY} made me want to")
        await sandbox.until(lambda: "Use this" in str(alex.messages()), PATIENCE)
        await alex.click("Use this")
        await sandbox.until(lambda: any(sent.method == "chat.update" for sent in sandbox.sent), PATIENCE)
    written, key = log.read_text("utf-8"), (var / "holdfast.key").read_text("utf-8").strip()
    assert all(event in written for event in ('"turn"', "row_failed", "reply_refused"))
    for secret in (CANARY, "Tesco", "Alex Reed", sandbox.bot_token, sandbox.app_token, "sk-test", key, "/response/"):
        assert secret not in written, secret
    assert not [file for file in var.glob("holdfast.db*") if b"/response/" in file.read_bytes()]
