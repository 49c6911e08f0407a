"""Slack's limits: what a clicked message is replaced through, what waits for whom, and what a refusal costs nobody else."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.root.assembly import build
from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import Profile
from bot.slack.places import Place, person_key
from bot.slack.posts import RECONCILE
from state.stores.rows import OutboxRow, TurnWrites
from tests.patience import PACE
from tests.whole.steps import OPENING, open_request, to_review
from tests.world import TEAM, World, shown, world

POST, UPDATE, WAY = "chat.postMessage", "chat.update", "response_url"
CALLS = (POST, UPDATE, WAY, "chat.delete", "chat.postEphemeral")
"""What changes what people see."""
MANY = 10_000
ALEX = person_key(TEAM, "U0ALEX")


def calls(w: World, since: int = 0) -> list[str]:
    """The methods that changed the screen, in order, leaving out the first so many calls."""
    return [sent.method for sent in w.sandbox.sent[since:] if sent.method in CALLS]


def refused(w: World, method: str) -> int:
    """How many calls of this method Slack refused."""
    return len([sent for sent in w.sandbox.sent if sent.method == method and not sent.ok])


def somebody(sandbox: Sandbox, name: str) -> Person:
    """One more person, with a direct message of their own."""
    sandbox.workspace.add_person(Profile(f"U0{name}", name.lower(), name), f"D0{name}")
    return sandbox.person(f"U0{name}")


def row(w: World, key: str, kind: str, card: str, words: str, **more: Any) -> OutboxRow:
    """A row as a turn writes it: a post, or a paint of what was posted, which has a lane of its own."""
    there = Place(TEAM, w.alex.dm)
    slack = f"slack:{there.key}"
    body: dict[str, Any] = {"team": TEAM, "channel": there.channel, "thread": "", "card": card, "text": words}
    body |= {"blocks": [{"type": "section", "text": {"type": "plain_text", "text": words}}], **more}
    if kind == "post":
        over = f"cosmetic:{more['into']}" if "into" in more else ""
        return OutboxRow(key, slack, kind, ALEX, body, over=over)
    return OutboxRow(key, f"cosmetic:{card}", kind, ALEX, {**body, "behind": slack}, over=f"cosmetic:{card}")


async def put(w: World, *rows: OutboxRow) -> None:
    """Write the rows as one turn, and have them looked at."""
    lease = await w.bot.store.take(f"a turn {rows[0].key}", 5)
    assert lease is not None
    await w.bot.store.write(lease, TurnWrites(outgoing=list(rows)))
    for one in rows:
        await w.bot.engine.kick("lane", one.lane)


def hold(w: World, method: str, seconds: float, times: int = 1) -> None:
    """Slack refuses the next calls of a method, and wants none for so many seconds each time."""
    w.sandbox.knobs.rate_limit[method] = times
    w.sandbox.knobs.retry_after = int(seconds * PACE)


def granted(w: World, method: str, since: int) -> int:
    """How many calls of this method Slack took, leaving out the first so many calls."""
    return len([sent for sent in w.sandbox.sent[since:] if sent.method == method and sent.ok])


async def test_who_waits_for_slack_reads_how_long(w: World) -> None:
    """Whoever typed and waits for Slack's limits is told so once, and for how long; when the answer is there, no longer."""
    await open_request(w)
    since = len(w.sandbox.sent)
    hold(w, POST, 20 / PACE)
    await w.say("No")
    told = [sent.args for sent in w.sandbox.sent[since:] if sent.method == "assistant.threads.setStatus"]
    assert [one["status"] for one in told] == ["is waiting for Slack…", ""]
    assert "My answer comes in about 20 seconds." in told[0]["loading_messages"]
    assert w.sandbox.workspace.status == {}


async def test_words_cost_one_post_and_one_paint(w: World) -> None:
    """A typed answer is followed by the next question below it, and only then by one change of the message above it."""
    await open_request(w)
    since = len(w.sandbox.sent)
    await w.say("No")
    made = calls(w, since)
    assert made[0] == POST
    assert len(made) == 2


@pytest.mark.parametrize("fault", ["used_url", "expired_url", "invalid_blocks", 404, 500])
async def test_where_slack_refuses_the_way_back_chat_update_does_it(w: World, fault: str | int) -> None:
    """Whatever Slack says to a response_url, the person sees the same: the message is changed in the ordinary way."""
    await open_request(w)
    card = w.screen()[-1]
    since = len(w.sandbox.sent)
    w.sandbox.knobs.fail[WAY] = [fault]
    await w.click("No", card)
    assert calls(w, since).count(UPDATE) == 1
    (now,) = [m for m in w.screen() if m["ts"] == card["ts"]]
    assert shown(now) != shown(card)
    assert (await w.values())["is_derivative"] is False


async def test_only_the_inbox_holds_the_way_back(w: World) -> None:
    """What is stored of a click names its response_url in the row that came in; neither events nor the outbox do."""
    await open_request(w)
    held = [(one.table, str(one.row)) async for one in w.bot.store.everything(ALEX)]
    assert {table for table, told in held if "/response/" in told} == {"inbox"}


async def test_a_refusal_holds_its_method_and_nobody_else(w: World) -> None:
    """What Slack refuses is tried again at the times that it names, and not counted as trouble; another person's click is answered meanwhile."""
    w.bot.engine.attempts = 1
    dana = somebody(w.sandbox, "CROWD")
    await w.say(OPENING)
    since, began = len(w.sandbox.sent), time.monotonic()
    hold(w, POST, 0.5, times=MANY)
    await dana.say("hello")
    await w.sandbox.until(lambda: refused(w, POST) > 1)
    await w.alex.click("Use this")
    await w.sandbox.until(lambda: granted(w, WAY, since))
    assert not granted(w, POST, since)
    assert refused(w, POST) <= 1 + (time.monotonic() - began) / 0.5
    w.sandbox.knobs.rate_limit.clear()
    await w.settled()
    assert len([m for m in dana.messages() if m.get("bot_id")]) == 1
    assert await w.bot.store.dead() == []


async def test_those_who_wait_for_slack_take_no_room(w: World) -> None:
    """Seventy conversations that wait for Slack's permission to post, more than are worked on at once, hold up nobody's click."""
    await w.say(OPENING)
    since = len(w.sandbox.sent)
    hold(w, POST, 0.5, times=MANY)
    for n in range(70):
        await somebody(w.sandbox, f"N{n}").say("hello")
    await w.sandbox.until(lambda: not w.sandbox.under_way and refused(w, POST))
    await w.alex.click("Use this")
    await w.sandbox.until(lambda: granted(w, WAY, since))
    assert not granted(w, POST, since)
    w.sandbox.knobs.rate_limit.clear()
    await w.settled()
    people = [w.sandbox.person(f"U0N{n}") for n in range(70)]
    assert all(len([m for m in one.messages() if m.get("bot_id")]) == 1 for one in people)


async def test_a_conversations_posts_stay_in_order(w: World) -> None:
    """A post that Slack refused for its rate comes before those that were written after it, and each comes once."""
    hold(w, POST, 0.5)
    await put(w, row(w, "a", "post", "", "one"), row(w, "b", "post", "", "two"))
    await put(w, row(w, "c", "post", "", "three"))
    await w.settled()
    assert [m["text"] for m in w.screen()] == ["one", "two", "three"]
    assert await w.bot.store.dead() == []


async def test_of_several_paints_of_a_card_the_last_is_painted(w: World) -> None:
    """Paints that still wait when a newer one of the same card comes are superseded by name, not sent."""
    await put(w, row(w, "a", "post", "card", "first"))
    await w.settled()
    hold(w, UPDATE, 1)
    await put(w, row(w, "p0", "repaint", "card", "paint 0"))
    await w.sandbox.until(lambda: refused(w, UPDATE))
    for n in range(1, 6):
        await put(w, row(w, f"p{n}", "repaint", "card", f"paint {n}"))
    await w.settled()
    assert [m["text"] for m in w.screen()] == ["paint 5"]
    assert calls(w).count(UPDATE) == 2
    ended = [one.row async for one in w.bot.store.everything(ALEX) if one.table == "outbox"]
    assert [o["status"] for o in ended if o["kind"] != RECONCILE] == ["done"] + ["superseded"] * 5 + ["done"]


async def test_a_question_does_not_wait_for_paint(w: World) -> None:
    """While paints wait for Slack, the next question is posted at once."""
    await put(w, row(w, "a", "post", "card", "first"))
    await w.settled()
    hold(w, UPDATE, 2)
    await put(w, row(w, "p", "repaint", "card", "painted"), row(w, "b", "post", "next", "the next question"))
    await w.sandbox.until(lambda: len(w.screen()) > 1)
    assert [m["text"] for m in w.screen()] == ["first", "the next question"]
    await w.settled()
    assert [m["text"] for m in w.screen()] == ["painted", "the next question"]


async def test_paint_waits_for_its_message(w: World) -> None:
    """A paint of a card whose post waits for Slack is not lost: it comes after the post."""
    hold(w, POST, 1)
    await put(w, row(w, "a", "post", "card", "first"))
    await put(w, row(w, "p", "repaint", "card", "painted"))
    await w.settled()
    assert [m["text"] for m in w.screen()] == ["painted"]


async def test_late_paint_never_covers_what_has_taken_the_message_over(w: World) -> None:
    """Where a card takes over an earlier one's message, a paint of the earlier one that still waits, or comes later, is not painted."""
    await put(w, row(w, "a", "post", "old", "first"))
    await w.settled()
    hold(w, UPDATE, 1)
    await put(w, row(w, "p", "repaint", "old", "old paint"))
    await w.sandbox.until(lambda: refused(w, UPDATE))
    await put(w, row(w, "b", "post", "new", "the next question", into="old"))
    await w.settled()
    await put(w, row(w, "q", "repaint", "old", "older paint"))
    await w.settled()
    assert [m["text"] for m in w.screen()] == ["the next question"]


async def test_a_paint_never_covers_what_another_replica_put_there(postgres: str, tmp_path: Path) -> None:
    """What a replica remembers of a card counts only until another one has its message."""
    async with world(tmp_path, database_url=postgres) as w:
        await put(w, row(w, "a", "post", "old", "first"))
        await w.settled()
        await w.bot.engine.stop()
        other = await build(w.bot.settings, store=w.bot.store)
        await put(w, row(w, "b", "post", "new", "the next question", into="old"))
        await other.engine.start()
        await other.engine.idle()
        await other.engine.stop()
        for close in other.closing:
            await close()
        await w.bot.engine.start()
        await put(w, row(w, "q", "repaint", "old", "older paint"))
        await w.settled()
        assert [m["text"] for m in w.screen()] == ["the next question"]


async def test_what_puts_a_late_paint_right_shows_nothing_of_a_card_that_was_taken_over(w: World) -> None:
    """The newest paint of the card that has the message is shown again, whatever was wanted of the one before it."""
    for one in (
        row(w, "a", "post", "old", "first"),
        row(w, "b", "post", "new", "the next question", into="old"),
        row(w, "q", "repaint", "old", "older paint"),
        replace(
            row(w, "l", "post", "old", ""),
            kind=RECONCILE,
            body={"team": TEAM, "card": "old", "draft": "d", "late": "q"},
        ),
    ):
        await put(w, replace(one, of="d"))
        await w.settled()
    assert [m["text"] for m in w.screen()] == ["the next question"]


async def test_what_slack_left_unanswered_is_painted_once_more(w: World) -> None:
    """What went through a response_url and had no answer may come yet, over newer paint: its message is painted anew after that."""
    await open_request(w)
    w.sandbox.knobs.disconnect_after_delivery[WAY] = 1
    since = len(w.sandbox.sent)
    await w.click("No")
    assert calls(w, since) == [WAY, UPDATE]
    rows = [one.row async for one in w.bot.store.everything(ALEX) if one.table == "outbox"]
    assert [o["status"] for o in rows if o["kind"] == RECONCILE] == ["new"]


async def test_a_submission_costs_few_calls(w: World) -> None:
    """Submit makes three calls at most, courtesies included: the receipt where the review was, and the announcement."""
    await to_review(w)
    since = len(w.sandbox.sent)
    await w.click("Submit")
    assert sorted(calls(w, since)) == [POST, WAY]
    assert len(w.sandbox.sent) - since <= 3


async def test_what_another_process_put_out_keeps_its_place(w: World) -> None:
    """Of what waits for Slack, a process holds in memory what it put out itself: a row of another's that came between them is not overtaken."""
    await open_request(w)
    hold(w, POST, 1)
    await w.alex.say("No")
    await w.sandbox.until(lambda: refused(w, POST))
    await put(w, row(w, "b", "post", "", "from elsewhere"))
    await w.alex.say("no, I have none")
    await w.settled()
    bots = [m["text"] for m in w.screen() if m.get("bot_id")]
    assert bots.index("from elsewhere") == len(bots) - 2
