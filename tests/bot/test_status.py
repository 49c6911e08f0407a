"""`holdfast status` and `holdfast retry`, as operators type them, beside a bot that runs."""

import json
from pathlib import Path

from structlog.testing import capture_logs

from bot.slack.places import Place, person_key
from state.stores.rows import InboxRow
from tests.command import holdfast
from tests.whole.officers import file_large
from tests.whole.test_delivery import put, row
from tests.world import TEAM, World, begun, world

POST, COMPLIANCE = "chat.postMessage", "C0COMPLIANCE"


async def test_an_operator_sees_what_is_stuck_and_has_it_sent(tmp_path: Path) -> None:
    """Blocked rows and a dead event are listed with their reasons; one is revived by its name, the rest at once, while the bot runs."""
    with capture_logs():  # a trace with all its locals takes longer to print than everything else here
        await _seen_and_sent(tmp_path)


async def _seen_and_sent(tmp_path: Path) -> None:
    async with world(tmp_path, kept=True) as w:
        w.bot.engine.attempts = 1
        w.sandbox.remove_bot(COMPLIANCE)
        await put(w, *(row(w, f"a{n}", channel=COMPLIANCE) for n in range(2)))
        w.sandbox.knobs.fail[POST] = ["msg_too_long"]
        await put(w, row(w, "q"))
        place = Place(TEAM, w.alex.dm)
        await w.bot.engine.receive(InboxRow("x", place.key, person_key(TEAM, "U0ALEX"), {"event": {"kind": "Nothing"}}))
        await w.sandbox.until(lambda: _blocked(w, 2))
        told = holdfast("status", var=tmp_path).stdout
        assert "blocked: not_in_channel (post in C0COMPLIANCE" in told and "blocked: msg_too_long" in told
        assert "dead: KeyError (event" in told and "outbox slack: 2" in told and "last success" in told
        assert w.alex.dm not in told and "U0ALEX" not in told
        stuck = json.loads(holdfast("status", "--json", var=tmp_path).stdout)["stuck"]
        names = {one["reason"]: one["id"] for one in stuck}
        assert "1 of 1 will be tried again" in holdfast("retry", names["msg_too_long"], var=tmp_path).stdout
        await w.sandbox.until(lambda: "q" in [m["text"] for m in w.screen()])
        w.sandbox.workspace.channels[COMPLIANCE].members.append(w.sandbox.workspace.bot.user_id)
        assert "2 of 2 will be tried again" in holdfast("retry", "--all", var=tmp_path).stdout
        await w.sandbox.until(lambda: len(w.sandbox.workspace.channels[COMPLIANCE].messages) == 2)
        await w.settled()
        assert [s.reason for s in await w.bot.store.stuck()] == ["KeyError"]


async def _blocked(w: World, most: int) -> bool:
    """Return True if so many rows are blocked by now."""
    return len([one for one in await w.bot.store.stuck() if one.status == "blocked"]) == most


async def test_retry_says_what_it_needs(tmp_path: Path) -> None:
    """Without a name, with a name and `--all`, or with one of nothing that is stuck, a sentence says what to do."""
    await begun(tmp_path)
    for words in (("retry",), ("retry", "o1", "--all"), ("retry", "o7")):
        told = holdfast(*words, var=tmp_path)
        assert told.returncode == 2 and "holdfast status" in told.stderr, told
    assert "Nothing is stuck." in holdfast("retry", "--all", var=tmp_path).stdout


async def test_an_empty_installation_has_nothing_to_tell(tmp_path: Path) -> None:
    """Where nothing waits and nothing is stuck, each part says so in a line."""
    await begun(tmp_path)
    told = holdfast("status", var=tmp_path).stdout.splitlines()
    queues = ["Slack: not heard of yet.", "In the queues: nothing.", "Stuck: nothing.", "Open drafts: none."]
    assert told[-6:-1] == [*queues, "Waiting for reviewers: none."]


async def test_a_request_that_waits_for_reviewers_is_told(tmp_path: Path) -> None:
    """A record that somebody has to decide on is counted by its form, with the time that the oldest has waited."""
    async with world(tmp_path, kept=True) as w:
        await file_large(w)
        told = holdfast("status", var=tmp_path).stdout
    assert "Waiting for reviewers:\n  pa_dealing: 1, the oldest for" in told
