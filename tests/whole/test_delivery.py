"""Nothing that is to be delivered is dropped quietly: it comes, once, or those whom it concerns are told why not."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox import messages
from bot.slack.places import Place, person_key
from bot.slack.posts import RECONCILE
from state.stores.opener import memory_store
from state.stores.rows import OutboxRow, TurnWrites
from tests.whole.steps import to_review
from tests.world import TEAM, World, world

POST, COMPLIANCE, OPS = "chat.postMessage", "C0COMPLIANCE", "C0OPS"
HELD = "couldn't tell the reviewers yet"


class Hand:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.now


def row(w: World, key: str, kind: str = "post", channel: str = "", **more: Any) -> OutboxRow:
    """A row as a turn writes it, for the person's direct message or for a channel."""
    lane = f"slack:{channel}" if channel else f"slack:{Place(TEAM, w.alex.dm).key}"
    body: dict[str, Any] = {"team": TEAM, "channel": channel or w.alex.dm, "thread": "", "card": "", "text": key}
    return OutboxRow(key, lane, kind, person_key(TEAM, "U0ALEX"), {**body, "blocks": [], "user": "U0ALEX", **more})


async def put(w: World, *rows: OutboxRow) -> None:
    """Write the rows as turns do, and have them looked at."""
    for one in rows:
        lease = await w.bot.store.take(f"a turn {one.key}", 5)
        assert lease is not None
        await w.bot.store.write(lease, TurnWrites(outgoing=[one]))
        await w.bot.engine.kick("lane", one.lane)


def texts(w: World) -> list[str]:
    """What the bot said in the direct message."""
    return [m["text"] for m in w.screen()]


def whispers(w: World) -> list[str]:
    """The private notes that the person sees."""
    return [m.body["text"] for m in w.sandbox.workspace.ephemerals.get("U0ALEX", [])]


async def reasons(w: World) -> list[tuple[str, str]]:
    """What is stuck, with its reason."""
    return [(one.status, one.reason) for one in await w.bot.store.stuck()]


async def said_in(w: World, channel: str) -> list[str]:
    """What the bot said in a channel."""
    return [
        m["text"] for m in w.sandbox.workspace.channels[channel].messages.values() for m in [m.body] if m.get("bot_id")
    ]


@pytest.fixture
async def run(tmp_path: Path) -> Any:
    """A bot whose operators have a channel."""
    async with world(tmp_path, channels={"operators": OPS}) as w:
        w.sandbox.workspace.add_channel(OPS, "operators", ["U0DANA", w.sandbox.workspace.bot.user_id])
        yield w


async def test_an_announcement_waits_until_the_bot_is_let_in(run: World) -> None:
    """Where the bot is not in the channel, the person and the operators are told so, once; and once it is let in, everything is delivered."""
    run.sandbox.remove_bot(COMPLIANCE)
    await to_review(run)
    await run.click("Submit")
    assert HELD in run.last()
    (told,) = await said_in(run, OPS)
    assert f"<#{COMPLIANCE}>" in told and "Invite me" in told
    (stuck,) = await run.bot.store.stuck()
    assert (stuck.status, stuck.reason, stuck.holds) == ("blocked", "not_in_channel", True)
    run.sandbox.invite_bot(COMPLIANCE)
    await run.sandbox.until(lambda: "now know" in run.last())
    await run.settled()
    assert len(await said_in(run, COMPLIANCE)) == 1
    assert HELD not in run.transcript() and await run.bot.store.stuck() == []
    assert len(await said_in(run, OPS)) == 1


async def test_a_channel_that_is_brought_back_gets_what_waited_in_order(run: World) -> None:
    """An archived channel holds back every announcement; brought back, it gets them in the order in which they were written."""
    run.sandbox.archive(COMPLIANCE)
    await put(run, *(row(run, f"a{n}", channel=COMPLIANCE) for n in range(3)))
    await run.settled()
    assert await reasons(run) == [("blocked", "is_archived")] and len(await said_in(run, OPS)) == 1
    run.sandbox.unarchive(COMPLIANCE)
    await run.sandbox.until(lambda: len(run.sandbox.workspace.channels[COMPLIANCE].messages) == 3)
    assert await said_in(run, COMPLIANCE) == ["a0", "a1", "a2"]


@pytest.mark.parametrize("error", ["token_revoked", "account_inactive"])
async def test_a_token_that_is_refused_for_a_while_loses_nothing(run: World, error: str) -> None:
    """While Slack refuses the token everything waits, in sight and in order; it comes by itself once the token works again."""
    run.sandbox.knobs.outage = {"*": error}
    await put(run, *(row(run, f"q{n}") for n in range(3)), row(run, "a", channel=COMPLIANCE))
    await run.sandbox.until(lambda: len([s for s in run.sandbox.sent if s.method == "auth.test" and not s.ok]) > 2)
    assert ("blocked", error) in await reasons(run)
    run.sandbox.knobs.outage = {}
    await run.sandbox.until(lambda: len(texts(run)) == 3 and run.sandbox.workspace.channels[COMPLIANCE].messages)
    await run.settled()
    assert texts(run) == ["q0", "q1", "q2"] and await reasons(run) == [] and await said_in(run, OPS) == []


@pytest.mark.parametrize("outage", [500, 503, "page", "plain", "cut", "internal_error"])
async def test_an_outage_is_waited_out_by_all_as_one(run: World, outage: int | str) -> None:
    """However Slack fails, and however often, no row is given up, few calls are made, and afterwards each message is there once."""
    run.bot.engine.attempts = 1
    run.sandbox.knobs.outage = {"*": outage}
    await put(run, *(row(run, f"q{n}") for n in range(3)), *(row(run, f"a{n}", channel=COMPLIANCE) for n in range(9)))
    await run.sandbox.until(lambda: len([s for s in run.sandbox.sent if s.method == "auth.test" and not s.ok]) > 3)
    assert len([s for s in run.sandbox.sent if s.method == POST]) <= 3
    run.sandbox.knobs.outage = {}
    await run.sandbox.until(
        lambda: len(texts(run)) == 3 and len(run.sandbox.workspace.channels[COMPLIANCE].messages) == 9
    )
    await run.settled()
    assert texts(run) == ["q0", "q1", "q2"] and await said_in(run, COMPLIANCE) == [f"a{n}" for n in range(9)]
    assert await reasons(run) == [] and await said_in(run, OPS) == []


async def test_a_method_that_fails_by_itself_is_waited_out_too(run: World) -> None:
    """Where only posting fails, more often than a row has tries, the posts come all the same, once each."""
    run.bot.engine.attempts = 2
    run.sandbox.knobs.fail[POST] = [500] * 5
    await put(run, row(run, "q"), row(run, "a", channel=COMPLIANCE))
    await run.sandbox.until(lambda: texts(run) and run.sandbox.workspace.channels[COMPLIANCE].messages)
    await run.settled()
    assert (texts(run), await said_in(run, COMPLIANCE), await reasons(run)) == (["q"], ["a"], [])


PERMANENT = (
    "not_in_channel", "channel_not_found", "is_archived", "restricted_action", "msg_too_long", "invalid_blocks", "no_text",
    "missing_scope", "user_not_found", "restricted_action_thread_locked",
)  # fmt: skip


async def test_every_refusal_stays_in_sight_and_can_be_sent_again(run: World) -> None:
    """What Slack refuses for good is blocked under its reason, the operators have one message for it, and it is sent when it is asked for."""
    for n, error in enumerate(PERMANENT, 1):
        run.sandbox.knobs.fail[POST] = [error]
        await put(run, row(run, error))
        await run.settled()
        assert await reasons(run) == [("blocked", error)] and len(await said_in(run, OPS)) == n
        assert await run.bot.store.revive(await run.bot.store.stuck(), asked=True) == 1
        await run.settled()
        assert texts(run) == [*PERMANENT[:n]] and await reasons(run) == []


async def test_a_message_that_slack_never_takes_holds_up_nobody(run: World) -> None:
    """A message that is refused as it is is set aside: those behind it come, and the operators are told."""
    run.sandbox.knobs.fail[POST] = ["msg_blocks_too_long"]
    await put(run, row(run, "q0"))
    await run.settled()
    await put(run, row(run, "q1"))
    await run.settled()
    assert texts(run) == ["q1"] and await reasons(run) == [("blocked", "msg_blocks_too_long")]
    (told,) = await said_in(run, OPS)
    assert "msg" in told and "U0ALEX" not in told and run.alex.dm not in told


@pytest.mark.parametrize("refusal", ["missing_scope", "not_in_channel"])
async def test_what_nobody_can_look_for_is_repeated_once_at_most(run: World, refusal: str) -> None:
    """Where every post breaks off after it was delivered, and nobody may look, it is there twice at most, and an operator is told."""
    run.sandbox.knobs.disconnect_after_delivery = {POST: 2}
    run.sandbox.knobs.outage = {"conversations.history": refusal}
    await run.alex.say("hello")
    await run.sandbox.until(lambda: run.sandbox.workspace.channels[OPS].messages)
    await run.settled()
    assert len(texts(run)) == 2 and len(set(texts(run))) == 1
    assert await reasons(run) == [("blocked", "unclear")]


async def statuses(run: World) -> list[str]:
    """What has become of the person's rows."""
    return [
        one.row["status"] async for one in run.bot.store.everything(f"{TEAM}:{run.alex.id}") if one.table == "outbox"
    ]


async def test_what_a_dead_process_may_have_sent_is_sent_once_more_at_most(run: World) -> None:
    """A private note that was read back, and breaks off each time, is sent once from this process, and is at its end: nobody can look for it."""
    run.sandbox.knobs.disconnect_after_delivery = {"chat.postEphemeral": 9}
    await put(run, row(run, "once", "whisper"))
    while "expired" not in await statuses(run):  # noqa: ASYNC110  a row of the database
        await asyncio.sleep(0.05)
    assert whispers(run) == ["once"] and await reasons(run) == [] and await said_in(run, OPS) == []


async def test_what_can_be_looked_for_is_never_there_twice(run: World) -> None:
    """While the history does not answer an unclear post waits; when it does, the post is found there, among many, and not repeated."""
    run.sandbox.knobs.disconnect_after_delivery = {POST: 1}
    run.sandbox.knobs.outage = {"conversations.history": 500}
    await put(run, row(run, "once", channel=COMPLIANCE))
    channel = run.sandbox.workspace.channels[COMPLIANCE]
    run.sandbox.knobs.outage = {}
    await run.sandbox.until(lambda: channel.messages)
    run.sandbox.knobs.outage = {"conversations.history": 500}
    await run.sandbox.until(lambda: len([s for s in run.sandbox.sent if s.method == "conversations.history"]) > 3)
    for _ in range(60):
        messages.post(run.sandbox.slack, channel, {"user": "U0DANA", "text": "meanwhile"})
    since = len(run.sandbox.sent)
    run.sandbox.knobs.outage = {}
    await run.sandbox.until(lambda: any(s.method == "conversations.history" and s.ok for s in run.sandbox.sent[since:]))
    await run.settled()
    assert await said_in(run, COMPLIANCE) == ["once"] and await reasons(run) == []


async def test_a_courtesy_expires_and_a_question_does_not(tmp_path: Path) -> None:
    """After hours in which Slack did not answer, the question comes; the paint and the prompts of that time do not."""
    clock = Hand()
    async with world(tmp_path, options={"store": memory_store(clock)}) as w:
        await put(w, row(w, "shown", card="c1"))
        await w.settled()
        w.sandbox.knobs.outage = {"*": 503}
        paint = row(w, "painted", "repaint", card="c1", behind=f"slack:{Place(TEAM, w.alex.dm).key}")
        prompts = {"form": "", "conversation": Place(TEAM, w.alex.dm).key}
        await put(w, replace(paint, lane="cosmetic:c1"), row(w, "question"))
        await put(w, replace(row(w, "prompts", "prompts", **prompts), lane="prompts:1"))
        await w.sandbox.until(lambda: any(s.method == "auth.test" and not s.ok for s in w.sandbox.sent))
        clock.now += timedelta(hours=3)
        w.sandbox.knobs.outage = {}
        await w.sandbox.until(lambda: "question" in texts(w))
        await w.settled()
        assert texts(w) == ["shown", "question"] and await reasons(w) == []
        ended = [
            one.row["status"]
            async for one in w.bot.store.everything(person_key(TEAM, "U0ALEX"))
            if one.table == "outbox" and one.row["kind"] != RECONCILE
        ]
        assert sorted(ended) == ["done", "done", "expired", "expired"]
