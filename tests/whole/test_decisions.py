"""Requester, manager and compliance in Slack: a request is decided where those who decide read, and the requester hears of it at once."""

import asyncio
from pathlib import Path

import pytest

from bot.sandbox.people import Person
from tests.chain import verify_all
from tests.whole.steps import file_request, to_review
from tests.world import World, shown, world

CHANNEL = "C0COMPLIANCE"
LARGE = "GBP 50,000"
"""Worth more than what is approved by rule."""


async def file_large(w: World, person: str = "U0ALEX") -> None:
    """A request that people have to decide on."""
    w.alex = w.sandbox.person(person)
    await to_review(w)
    await w.edit("value", LARGE)
    await w.click("Submit")


def officer(w: World, person: str) -> Person:
    return w.sandbox.person(person)


async def press(w: World, person: str, verdict: str, **written: str) -> None:
    """A verdict's button on the newest decision card, with its words where it asks for some."""
    who = officer(w, person)
    await who.click(verdict, channel=CHANNEL)
    if written:
        await who.submit(values=written)
    await w.settled()


def cards(w: World) -> list[str]:
    """What stands in the officers' channel, oldest first."""
    return [shown(m) for m in officer(w, "U0ROBIN").messages(CHANNEL)]


def notes(w: World, person: str) -> list[str]:
    """What only this officer reads there."""
    return [shown(m) for m in officer(w, person).ephemerals(CHANNEL)]


async def state(w: World) -> str:
    """The newest record's."""
    return (await w.records())[0].state


async def test_a_request_goes_through_manager_and_compliance(tmp_path: Path) -> None:
    """Each card turns into its verdict, the next one comes, the requester is told by role, and the chain holds."""
    async with world(tmp_path) as w:
        await file_large(w)
        (card,) = cards(w)
        assert "Waits for: Manager." in card and "Risk: LOW." in card and "GBP 50,000.00" in card
        await press(w, "U0ROBIN", "Approve")
        first, second = cards(w)
        assert "Approved by <@U0ROBIN> (Manager)" in first and "Waits for" not in first
        assert "Waits for: Compliance." in second
        assert (
            "approved (Manager)" in w.last()
            and "not approved as a whole yet" in w.last()
            and "Robin" not in w.transcript()
            and "U0ROBIN" not in w.transcript()
        )
        await press(
            w, "U0DANA", "Approve with conditions…", conditions="Not before Monday", reason="A client trades on Friday"
        )
        assert "Not before Monday" in w.last() and "good until" in w.last() and "Friday" not in w.transcript()
        last = cards(w)[-1]
        assert "A client trades on Friday" in last and "Not before Monday" in last and await state(w) == "approved"
        assert "Withdraw" not in w.transcript()
        checked, broken = await verify_all(w.bot.store)
        assert checked and broken == []


async def test_a_decline_has_a_reason_that_the_requester_does_not_read(tmp_path: Path) -> None:
    """They read what happens now, and the officer's words to them; who decided a stage before is refused in private."""
    async with world(tmp_path) as w:
        await file_large(w)
        await press(w, "U0DANA", "Approve")
        assert "Only this role decides here: Manager" in notes(w, "U0DANA")[-1]
        await press(w, "U0ROBIN", "Approve")
        await press(w, "U0ROBIN", "Approve")
        assert "before" in notes(w, "U0ROBIN")[-1] and await state(w) == "pending_compliance"
        await press(w, "U0DANA", "Decline…", reason="On the restricted list", note="Not this quarter.")
        assert "Not this quarter." in w.last() and "restricted" not in w.transcript()
        assert "On the restricted list" in cards(w)[-1] and await state(w) == "declined"


async def test_nobody_decides_their_own_in_slack(tmp_path: Path) -> None:
    """A manager's own request waits for another manager; whoever holds the role by then decides, whoever lost it does not."""
    async with world(tmp_path) as w:
        await file_large(w, "U0ROBIN")
        await press(w, "U0ROBIN", "Approve")
        assert "their own request" in notes(w, "U0ROBIN")[-1]
        (tmp_path / "roles.toml").write_text(
            '[roles.manager]\nusers = ["U0ROBIN"]\n[[delegates]]\nof = "U0ROBIN"\nto = "U0SASHA"\n'
        )
        await press(w, "U0SASHA", "Approve")
        assert "Only this role" in notes(w, "U0SASHA")[-1]
        (tmp_path / "roles.toml").write_text('[roles.manager]\nusers = ["U0SASHA"]\n')
        await press(w, "U0SASHA", "Approve")
        record = (await w.records(officer(w, "U0ROBIN")))[0]
        assert record.state == "pending_compliance"
        (tmp_path / "roles.toml").write_text("[roles\n")
        await press(w, "U0DANA", "Approve")
        assert "could not look up" in notes(w, "U0DANA")[-1]


async def test_of_approval_and_withdrawal_at_the_same_moment_one_wins(tmp_path: Path) -> None:
    """The other one is told so, the record has one end, and both screens show it."""
    async with world(tmp_path) as w:
        await file_large(w)
        await w.click("Withdraw")
        await asyncio.gather(officer(w, "U0ROBIN").click("Approve", channel=CHANNEL), w.alex.click("Yes, withdraw it"))
        await w.settled()
        draft = await w.draft()
        if draft.filed.decisions[0].verdict == "approve":  # the withdrawal came to the state after it
            assert [d.verdict for d in draft.filed.decisions] == ["approve", "withdraw"]
        else:
            assert "came too late" in notes(w, "U0ROBIN")[-1] and len(draft.filed.decisions) == 1
        assert await state(w) == draft.filed.state == "withdrawn"
        assert "Withdrawn by <@U0ALEX>" in cards(w)[-1] and "is withdrawn" in w.transcript()


async def test_a_press_twice_is_one_verdict(tmp_path: Path) -> None:
    """Slack may deliver a click twice; two presses in a row find the card decided."""
    async with world(tmp_path) as w:
        await file_large(w)
        w.sandbox.knobs.duplicate_clicks = 1
        await press(w, "U0ROBIN", "Approve")
        w.sandbox.knobs.duplicate_clicks = 0
        assert [d.verdict for d in (await w.draft()).filed.decisions] == ["approve"]


async def test_what_was_erased_is_decided_by_nobody(tmp_path: Path) -> None:
    """Whoever clicks on the card that is left is told that the request is gone."""
    async with world(tmp_path) as w:
        await file_large(w)
        await w.say("erase my data")
        await w.click("Yes, erase everything")
        await w.sandbox.until(lambda: "is erased" in w.last())
        await press(w, "U0ROBIN", "Approve")
        assert "no longer there" in notes(w, "U0ROBIN")[-1]


@pytest.mark.parametrize("filed", ["auto_approved"])
async def test_what_nobody_decides_on_is_announced_as_before(tmp_path: Path, filed: str) -> None:
    """A record that waits for nobody has no buttons and no way back."""
    async with world(tmp_path) as w:
        await file_request(w)
        assert await state(w) == filed and "Withdraw" not in w.transcript()
        assert all("Waits for" not in card for card in cards(w))
