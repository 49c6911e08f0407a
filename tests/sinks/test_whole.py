"""From the officer's click to the sink and back to the operator: through the sandbox, with what people read."""

from datetime import UTC, datetime
from pathlib import Path

from bot.commands.status import put_out_again
from bot.exports.sinks import read_sinks
from bot.sandbox.receiver import Receiver
from state.stores.opener import memory_store
from tests.command import holdfast
from tests.sinks.sinking import SECRET, webhook
from tests.whole.approved import Time, approve_small, passes, report, timed
from tests.whole.officers import cards, file_large, officer, press
from tests.whole.steps import file_request
from tests.whole.test_delivery import said_in
from tests.world import TEAM, world


async def test_a_decided_request_leaves_and_a_sink_that_takes_nothing_is_told(tmp_path: Path) -> None:
    """What waits for a verdict does not leave; approved it does. Refused, operators and officers hear of it once, and `retry` sends it."""
    receiver = Receiver()
    await receiver.start()
    (tmp_path / "archive.secret").write_bytes(SECRET)
    (tmp_path / "sinks.toml").write_text(webhook(receiver.url, fields=["decisions", "answers.quantity"]))
    receiver.outage = 404
    async with world(tmp_path, kept=True, channels={"operators": "C0OPS"}) as w:
        w.sandbox.workspace.add_channel("C0OPS", "operators", ["U0DANA", w.sandbox.workspace.bot.user_id])
        await file_large(w)
        await press(w, "U0ROBIN", "Approve")
        assert not receiver.calls
        await press(w, "U0DANA", "Approve")
        await w.click("Withdraw") if "Withdraw" in w.transcript() else None
        (told,) = await said_in(w, "C0OPS")
        assert "*archive*" in told and "http_404" in told
        assert "aren't reaching *archive*" in cards(w)[-1] and "U0ALEX" not in told
        status = holdfast("status", var=tmp_path).stdout
        assert "blocked: http_404 (sink archive, PA-" in status and receiver.url not in status
        receiver.outage = None
        assert "1 of 1 will be tried again" in holdfast("retry", "--all", var=tmp_path).stdout
        await receiver.until(2)
        await w.settled()
        (sent,) = receiver.kept.values()
        assert sent["state"] == "approved" and sent["answers"] == {"quantity": 200}
        assert [one["role"] for one in sent["decisions"]] == ["manager", "compliance"] and "U0" not in str(sent)
        again = holdfast("retry", "--sink", "archive", "--since", f"{datetime.now(UTC):%Y-%m-%d}", var=tmp_path).stdout
        assert again.startswith("1 steps of records are sent to archive")
        await receiver.until(3)
        await w.settled()
        assert receiver.calls[2].key == receiver.calls[0].key and len(receiver.kept) == 1
        assert (receiver.calls[2].body, await w.bot.store.stuck()) == (receiver.calls[1].body, [])
        assert "Nothing" not in holdfast("retry", "--sink", "nowhere", var=tmp_path).stdout
    await receiver.stop()


async def test_an_erasure_says_what_has_left(tmp_path: Path) -> None:
    """Whoever runs the bot reads which records a sink may have, and no person's name; what waits there and is personal ends."""
    (tmp_path / "archive.secret").write_bytes(SECRET)
    (tmp_path / "sinks.toml").write_text(webhook("https://archive.invalid/", fields=["owner"]))
    async with world(tmp_path, kept=True, channels={"operators": "C0OPS"}) as w:
        w.sandbox.workspace.add_channel("C0OPS", "operators", ["U0DANA", w.sandbox.workspace.bot.user_id])
        await file_request(w)
        number = (await w.records())[0].number
        told = holdfast(
            "erase", "--team", TEAM, "--user", "U0ALEX", "--yes", var=tmp_path, HOLDFAST_CHANNEL_OPERATORS="C0OPS"
        )
        assert f"sink archive, to be erased there: {number}" in told.stdout
        await w.sandbox.until(lambda: w.sandbox.workspace.channels["C0OPS"].messages)
        await w.settled()
        (told_there,) = await said_in(w, "C0OPS")
        assert number in told_there and "U0ALEX" not in told_there
        assert not [one for one in await w.bot.store.depths() if one.pool == "sink"]


async def test_a_trades_whole_story_reaches_a_sink_in_order_and_again(tmp_path: Path) -> None:
    """Approved, executed with a breach, the breach closed: each as it was then; sent again from the events, each has its key and its words."""
    receiver, clock = Receiver(), Time()
    await receiver.start()
    (tmp_path / "archive.secret").write_bytes(SECRET)
    (tmp_path / "sinks.toml").write_text(webhook(receiver.url, fields=["breaches", "reports"]))
    async with timed(tmp_path, clock, memory_store(clock)) as w:
        await approve_small(w)
        await passes(w, clock, "2026-11-23T15:00:00+00:00")
        await report(w, traded_on="2026-11-23", traded_quantity="250", traded_value="GBP 740")
        await officer(w, "U0DANA").click("Close…", channel="C0COMPLIANCE")
        await officer(w, "U0DANA").submit(values={"reason": "Sold again"})
        await w.settled()
        told = [
            (one["what"], one["state"], [b["closed_at"] != "" for b in one["breaches"]])
            for one in receiver.kept.values()
        ]
        assert told == [("state", "auto_approved", []), ("state", "executed", [False]), ("breach", "executed", [True])]
        assert "Sold again" not in str(receiver.kept)
        first, workflows = list(receiver.calls), w.bot.workflows
        sinks = read_sinks(tmp_path / "sinks.toml", {name: one.form for name, one in workflows.items()})
        came = await put_out_again(w.bot.store, workflows, "archive", sinks["archive"], "", "again")
        assert (came.steps, came.left_out) == (3, 0)
        await w.settled()
        again = receiver.calls[len(first) :]
        assert [(one.key, one.body) for one in again] == [(one.key, one.body) for one in first] and len(
            receiver.kept
        ) == 3
    await receiver.stop()
