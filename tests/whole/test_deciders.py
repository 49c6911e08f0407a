"""Who decides, in Slack: a request that nobody can decide says so, and one whose requester has a manager by name goes to them alone."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.operations.files import taken_managers
from state.engine.timeline import timeline
from tests.whole.approved import Time, passes, screen
from tests.whole.officers import CHANNEL, NUMBER, cards, desk, file_large, home, notes, officer, press, pressed, state
from tests.world import World, words_of

ONE = '[roles.manager]\nusers = ["U0ROBIN"]\n[roles.compliance]\nusers = ["U0DANA"]\n'
TWO = ONE.replace('"U0ROBIN"', '"U0ROBIN", "U0SASHA"')
LATER = "2026-11-20T10:05:00+00:00"


def manages(var: Path, *rows: str) -> None:
    """A table of managers as it was taken."""
    kept = taken_managers(var)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text("\n".join(("person,manager,deputy", *rows, "")))


async def test_a_request_that_nobody_can_decide_says_so_and_goes_on(w: World, clock: Time, tmp_path: Path) -> None:
    """The only manager files: no day is promised, the operators read what to mend, and once somebody else holds the role everybody is told."""
    (tmp_path / "roles.toml").write_text(ONE)
    await file_large(w, "U0ROBIN")
    assert "Nobody else can act as Manager at the moment" in w.last() and "don't trade" in w.last()
    assert "Waiting for somebody who can decide" in w.last() and "With your manager" not in w.last()
    assert "decides first" not in w.transcript() and any(
        "Nobody can decide" in card and NUMBER in card for card in cards(w)
    )
    assert any("Nobody can act here yet as: Manager." in card for card in cards(w))
    before = len(cards(w))
    await passes(w, clock, LATER)
    assert len(cards(w)) == before
    (tmp_path / "roles.toml").write_text(TWO)
    await passes(w, clock, "2026-11-20T10:10:00+00:00")
    assert (
        f"{NUMBER} can be decided now." in w.last()
        and "decides first" in w.transcript()
        and len(cards(w)) == before + 1
    )
    assert "Nobody can act here" not in "".join(cards(w)) and "Nobody else can act" not in w.transcript()
    told = [one.what for one in timeline(await w.bot.store.events((await w.draft()).id))]
    assert told.count("nobody") == 1
    await press(w, "U0SASHA", "Approve")
    assert (await w.records())[0].state == "pending_compliance"


async def test_a_request_that_is_overdue_promises_nothing(w: World, clock: Time) -> None:
    """Weeks later the receipt and the answer say since when the decision is due and that it was asked for again, not by when it comes."""
    await file_large(w)
    assert "Decision: Manager · due by" in w.transcript()
    for at in ("2026-11-24T12:00:00+00:00", "2026-12-15T12:00:00+00:00"):
        await passes(w, clock, at)
    late = "The decision was due by"
    assert late in w.transcript() and "Decision: Manager · due by" not in w.transcript()
    await w.say("where is my request?")
    assert late in w.last() and "they have been reminded" in w.last() and "don't trade before then" in w.last()


async def test_an_account_that_was_closed_is_nobody_to_decide(w: World, tmp_path: Path) -> None:
    """A stage behind the first one counts as well: its role's only holder has left."""
    (tmp_path / "roles.toml").write_text(ONE)
    people = w.sandbox.workspace.people
    people["U0DANA"] = replace(people["U0DANA"], deleted=True)
    await file_large(w)
    assert "Nobody else can act as Compliance at the moment" in w.last()


async def test_the_manager_by_name_has_the_card_and_decides_alone(w: World, tmp_path: Path) -> None:
    """In their direct message and in their queue; another holder of the role is refused, and the requester reads who has it."""
    (tmp_path / "roles.toml").write_text(ONE)
    manages(tmp_path, "U0ALEX,U0SASHA,")
    await file_large(w)
    assert "Decision: <@U0SASHA> (Manager)" in w.last() and not cards(w)
    assert "Waiting for: <@U0SASHA> (Manager)." in screen(w, "U0SASHA")
    assert NUMBER in await desk(w, "U0SASHA") and NUMBER not in await desk(w, "U0ROBIN")
    sasha = officer(w, "U0SASHA")
    await sasha.click("Decline…")
    await sasha.submit(values={"reason": "Too large", "note": "Not this month."})
    await w.settled()
    assert await state(w) == "declined" and "Not this month." in w.last()


async def test_nobody_else_decides_what_waits_for_somebody_by_name(w: World, tmp_path: Path) -> None:
    """A holder of the role who has the card's message before them reads whose request it is, and nothing changes."""
    (tmp_path / "roles.toml").write_text(ONE)
    await file_large(w)
    manages(tmp_path, "U0ALEX,U0SASHA,")
    await press(w, "U0ROBIN", "Approve")
    assert "Only this role" in notes(w, "U0ROBIN")[-1] and await state(w) == "pending_manager"
    await press(w, "U0SASHA", "Approve")
    assert await state(w) == "pending_compliance" and "Waiting for: Compliance." in cards(w)[-1]


async def test_a_manager_by_name_reads_nothing_else(w: World, tmp_path: Path) -> None:
    """Whoever is a manager by the table alone finds their own people's requests in their queue, and no other record anywhere."""
    (tmp_path / "roles.toml").write_text(ONE)
    manages(tmp_path, "U0DANA,U0SASHA,")
    await file_large(w)
    assert "Nothing is waiting" in await desk(w, "U0SASHA")
    sasha = officer(w, "U0SASHA")
    await sasha.click("Sources", channel=CHANNEL)
    await w.settled()
    assert sasha.modal is not None and "can't see this request" in words_of(sasha.modal["blocks"])


@pytest.mark.parametrize(
    ("row", "delegates", "away", "decides"),
    [
        ("U0ALEX,U0ROBIN,U0SASHA", "", True, "U0SASHA"),
        ("U0ALEX,U0ALEX,U0SASHA", "", False, "U0SASHA"),
        ("U0ALEX,U0ROBIN,", '[[delegates]]\nof = "U0ROBIN"\nto = "U0SASHA"\n', False, "U0SASHA"),
        ("U0ALEX,U0ROBIN,U0SASHA", "", False, "U0ROBIN"),
    ],
    ids=["on holiday", "their own manager", "a deputy is written down", "there"],
)
async def test_the_deputy_decides_while_the_manager_cannot(
    row: str, delegates: str, away: bool, decides: str, w: World, tmp_path: Path
) -> None:
    """By Slack's status, by roles.toml, or where the requester is the manager; a manager who is there decides alone."""
    (tmp_path / "roles.toml").write_text(ONE + delegates)
    manages(tmp_path, row)
    if away:
        people = w.sandbox.workspace.people
        people["U0ROBIN"] = replace(people["U0ROBIN"], status_emoji=":palm_tree:")
    await file_large(w)
    assert f"Decision: <@{decides}> (Manager)" in w.last()
    who = officer(w, decides)
    await who.click("Approve")
    await w.settled()
    assert await state(w) == "pending_compliance"
    assert (" for <@U0ROBIN>" in screen(w, decides)) == (decides == "U0SASHA" and "U0ROBIN" in row)


@pytest.mark.parametrize("roles", [ONE, TWO], ids=["by the table alone", "who holds the role as well"])
async def test_a_manager_acts_in_their_queue(roles: str, w: World, tmp_path: Path) -> None:
    """The request opens with its buttons, and its outcome stays to be read; the filter tells what is theirs by name from what any manager decides."""
    (tmp_path / "roles.toml").write_text(roles)
    manages(tmp_path, "U0ALEX,U0SASHA,")
    await file_large(w)
    sasha = officer(w, "U0SASHA")
    assert ("Only mine" in words_of((await home(w, sasha))["blocks"])) == (roles is TWO)
    await sasha.click(f"hf-listed.{NUMBER}", sasha.home)
    assert "State: With compliance" in await pressed(w, sasha, "Approve") and await state(w) == "pending_compliance"
