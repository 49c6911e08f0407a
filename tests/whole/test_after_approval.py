"""After an approval, in Slack: what was traded is told, the contract note is read, breaches are closed, and nothing that waits for a time is lost."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.sandbox.scenarios.staging import pdf
from bot.sandbox.talk import Upload
from tests.chain import verify_all
from tests.whole.approved import Disk, Time, approve_small, passes, report, screen, send_note, timed
from tests.whole.officers import cards, notes, officer, state
from tests.whole.steps import play
from tests.world import TEAM, World, words_of


async def test_the_whole_story_in_slack(w: World, clock: Time) -> None:
    """By the receipt's button, filled in with what was approved; too much is a breach that compliance closes; the note closes the file."""
    await approve_small(w)
    await passes(w, clock, "2026-11-23T15:00:00+00:00")
    await w.alex.click("I've traded")
    modal = w.alex.modal
    assert modal is not None
    begins = {b["block_id"]: b["element"] for b in modal["blocks"] if b["type"] == "input"}
    assert begins["traded_on"]["initial_date"] == "2026-11-23"
    assert (begins["traded_quantity"]["initial_value"], begins["traded_value"]["initial_value"]) == (
        "200",
        "GBP 720.00",
    )
    wrong = await w.alex.submit(values={"traded_on": "2026-11-24", "traded_value": "720"})
    assert set(wrong["errors"]) == {"traded_on", "traded_value"}
    await w.alex.submit(values={"traded_on": "2026-11-23", "traded_quantity": "250", "traded_value": "GBP 740"})
    await w.settled()
    assert (
        await state(w) == "executed" and "only 200 was approved" in w.last() and "only 200 was approved" in cards(w)[-1]
    )
    await w.say("is that a problem?")
    assert "only 200 was approved" in w.last() and "Compliance has been told" in w.last()
    await officer(w, "U0ROBIN").click("Close…", channel="C0COMPLIANCE")
    assert "Only this role" in words_of((officer(w, "U0ROBIN").modal or {})["blocks"])
    await send_note(w, quantity="250", value="740.00")
    draft = await w.draft()
    assert draft.filed.settled and "All done for this trade" in w.last() and draft.filed.breaches[0].open
    await officer(w, "U0DANA").click("Close…", channel="C0COMPLIANCE")
    await officer(w, "U0DANA").submit(values={"reason": "Sold again", "note": "Please ask first."})
    await w.settled()
    assert "Please ask first." in w.last() and "Sold again" not in w.transcript() and "Sold again" in cards(w)[-1]
    checked, broken = await verify_all(w.bot.store)
    assert checked and broken == []


async def test_an_erasure_closes_a_breach(w: World, clock: Time) -> None:
    """The record stays, its breach waits for nobody any more, and whoever presses the card that is left is told why."""
    await approve_small(w)
    await passes(w, clock, "2026-11-23T15:00:00+00:00")
    await report(w, traded_on="2026-11-23", traded_quantity="250", traded_value="GBP 740")
    since, until = (datetime(2026, 11, day, tzinfo=UTC) for day in (16, 30))
    assert (await w.bot.store.week(TEAM, "pa_dealing", since, until)).open_breaches == 1
    await play(w, "erase my data", "[Yes, erase everything]")
    await w.sandbox.until(lambda: "is erased" in w.last())
    week = await w.bot.store.week(TEAM, "pa_dealing", since, until)
    assert (week.breached, week.open_breaches) == (1, 0) and await state(w) == "executed"
    await officer(w, "U0DANA").click("Close…", channel="C0COMPLIANCE")
    assert "has ended: its data was erased" in notes(w, "U0DANA")[-1]
    assert (await verify_all(w.bot.store))[1] == []


async def test_a_note_that_nobody_can_read_is_judged_by_a_person(w: World, clock: Time) -> None:
    """Compliance gets the file itself, and takes it with a reason."""
    await approve_small(w)
    w.sandbox.knobs.duplicate_clicks = 1
    await report(w, traded_on="2026-11-20")
    w.sandbox.knobs.duplicate_clicks = 0
    assert len((await w.draft()).filed.reports) == 1
    await w.sandbox.person("U0ALEX").share([Upload("note.pdf", pdf([]))])
    await w.settled()
    assert "To check" in cards(w)[-2] and "a colleague will check it" in w.last()
    await officer(w, "U0DANA").click("It matches…", channel="C0COMPLIANCE")
    await officer(w, "U0DANA").submit(values={"reason": "Seen on paper"})
    await w.settled()
    assert (await w.draft()).filed.settled and "Accepted by" in cards(w)[-2]
    files = [f for m in w.alex.messages("C0COMPLIANCE") for f in m.get("files") or ()]
    assert [f["name"] for f in files] == ["note.pdf"]


@pytest.mark.parametrize(("words", "anew"), [
    ("I'd like to buy 50 Barclays for my ISA, GBP 90", True), ("hi, I want to sell 20 Tesco, GBP 70", True),
    ("I'd like to say that I bought 200 Tesco for GBP 720", False), ("buy 50 Barclays for my ISA, GBP 90", False),
])  # fmt: skip
async def test_a_plain_wish_begins_a_request_beside_an_approved_one(
    words: str, anew: bool, w: World, clock: Time
) -> None:
    """While nobody knows what was done with what was approved, a wish opens the next request; words that may tell of either are for a button."""
    await approve_small(w)
    await w.say(words)
    assert (await w.draft()).open is anew


async def test_words_and_files_find_the_request_that_is_meant(w: World, clock: Time) -> None:
    """The newest request is not always the one: what names another is about that; where several could be meant, nothing is guessed."""
    await approve_small(w)
    first = (await w.draft()).filed.number
    await w.say("buy 50 Barclays for my ISA, GBP 90, because I want more banks in my long-term savings")
    assert "or is this a new request" in w.last() and "I've traded" in w.last()
    await play(w, "[Start: Personal account dealing]", "[Use all of it]", "[Use this]", *["[No]"] * 5, "[I understand]")
    if (await w.draft()).open and (await w.draft()).asked:
        await w.say("I want more banks in my long-term savings plan")
    await w.click("Submit")
    second = (await w.draft()).filed.number
    assert second and second != first
    await w.say(f"done for {first}")
    assert "I've traded" in w.last()
    await report(w, traded_on="2026-11-20", traded_quantity="180", traded_value="GBP 649.80")
    await w.say("done")
    assert f"under {second}" in w.last() or f"under {second}" in w.last(2)
    await w.click("Yes, record it")
    assert [r.state for r in await w.records()] == ["executed", "executed"]
    await send_note(w, name="confirmation.pdf", day="20 Nov 2026")
    assert "More than one of your trades is waiting" in w.last()
    await send_note(w, words=f"for {first}", day="20 Nov 2026")
    assert "All done for this trade" in w.last()
    await w.say("status of Tesco")
    assert "Done, since" in w.last() and "Reported: " in w.last()
    await w.click("Start a new one")
    await send_note(w, name="barclays.pdf")
    draft = await w.bot.store.draft((await w.records())[0].draft)
    assert draft is not None and [note["name"] for note in draft.body["filed"]["notes"]] == ["barclays.pdf"]
    assert (await w.draft()).open


async def test_timers_survive_a_restart_and_fire_once(tmp_path: Path) -> None:
    """What was set by a bot that is gone comes from the next one, at its time and not again."""
    clock = Time()
    disk = Disk(tmp_path / "kept.db", clock)
    async with timed(tmp_path, clock, disk.store()) as w:
        await approve_small(w)
    clock.set("2026-11-24T08:30:00+00:00")
    async with timed(tmp_path, clock, disk.store()) as w:
        await w.sandbox.until(lambda: ": 24 Nov 2026" in w.transcript())
        await passes(w, clock, "2026-11-25T00:30:00+00:00")
        await passes(w, clock, "2026-11-24T08:00:00+00:00")
        await passes(w, clock, "2026-11-25T06:00:00+00:00")
        assert w.transcript().count(": 24 Nov 2026") == w.transcript().count("has ended") == 1
        assert await state(w) == "expired"


EXPECTED = {
    "U0ALEX": ["last_day"], "U0ROBIN": ["last_day", "expired"], "U0DANA": [],
    "U0SASHA": ["last_day", "note_due", "note_late"],
}  # fmt: skip
"""What a month brings to whom: a trade with its note; nothing done; given up at once; a trade without a note."""


async def test_a_month_brings_what_it_should_and_each_once(w: World, clock: Time) -> None:
    """Four requests in four states, hour marks of a month, and a clock that jumps back now and then."""
    for person in EXPECTED:
        await approve_small(w, person)
    for press in ("I didn't trade", "Yes, give it up"):
        await officer(w, "U0DANA").click(press)
        await w.settled()
    await passes(w, clock, "2026-11-24T09:00:00+00:00")
    await passes(w, clock, "2026-11-23T15:00:00+00:00")
    for person in ("U0ALEX", "U0SASHA"):
        await report(w, person, traded_on="2026-11-23", traded_quantity="180", traded_value="GBP 649.80")
    await passes(w, clock, "2026-11-24T09:30:00+00:00")
    await send_note(w, "U0ALEX")
    for at in (
        "2026-11-25T01:00",
        "2026-11-24T20:00",
        "2026-12-18T09:00",
        "2026-12-18T07:00",
        "2026-12-24T01:00",
        "2027-01-05T00:00",
    ):
        await passes(w, clock, f"{at}:00+00:00")
    for person, expected in EXPECTED.items():
        assert await told_by_time(w, person) == expected, person
    states = [(await w.records(officer(w, person)))[0].state for person in EXPECTED]
    assert states == ["executed", "expired", "unused", "executed"]
    assert [b.kind for b in (await w.draft(officer(w, "U0SASHA"))).filed.breaches] == ["note_late"]
    assert "No contract note arrived by 23 Dec 2026" in cards(w)[-1]
    assert screen(w, "U0ROBIN").count("has ended") == 1


TOLD = {
    "last_day": "Today is the last day", "note_due": "is due by", "note_late": "No contract note arrived",
    "expired": "has ended",
}  # fmt: skip
"""What the person reads of each timer."""


async def told_by_time(w: World, person: str) -> list[str]:
    """The timers of somebody's request of which they were told, in their order; of each once."""
    draft = await w.draft(officer(w, person))
    fired = [e.body["what"] for e in await w.bot.store.events(draft.id) if e.kind == "TimerFired"]
    counts = {what: screen(w, person).count(words) for what, words in TOLD.items()}
    assert max(counts.values()) <= 1
    return [what for what in fired if counts[what]]
