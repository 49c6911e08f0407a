"""Who may open what others filed: decided when it is opened and when it is submitted, by roles of that moment and that workspace, and noted first."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.operations.evidence import Reading, readings
from bot.sandbox.people import Person
from bot.sandbox.workspace import Team
from tests.chain import verify_all
from tests.whole.approved import Time, approve_small, passes
from tests.whole.officers import CHANNEL, NUMBER, desk, file_large, notes, officer, opened, press, pressed, state
from tests.world import World, words_of, world

NOT_THERE = "You can't see this request"
MANAGERS = '[roles.manager]\nusers = ["U0ROBIN", "U0SASHA"]\n[roles.compliance]\nusers = ["U0DANA"]\n'
pytestmark = pytest.mark.behind(walk=file_large)


async def reads(w: World) -> list[Reading]:
    """Every reading that is noted, oldest first."""
    return [one.reading for one in await readings(w.bot.store)]


async def shown(w: World, who: Person, button: str, channel: str = CHANNEL) -> str:
    """What a button of the decision card opens for somebody; the modal is closed again."""
    await who.click(button, channel=channel)
    await w.settled()
    told = words_of(who.modal["blocks"]) if who.modal else ""
    if who.modal:
        await who.close()
    return told


def changed(w: World, user: str, **more: Any) -> None:
    """Slack says something else of a person, whom the bot has not met yet: what it knows is a minute old at most."""
    people = w.sandbox.workspace.people
    people[user] = replace(people[user], **more)


@pytest.mark.parametrize("button", ["Sources", "Decline…", "Ask for more…"])
async def test_who_only_sees_the_card_opens_nothing_of_it(w: World, tmp_path: Path, button: str) -> None:
    """In the officers' channel a person without a role is told one private sentence, nothing changes, and that they tried is noted."""
    (tmp_path / "roles.toml").write_text('[roles.manager]\nusers = ["U0ROBIN"]\n')
    before = await w.draft()
    told = await shown(w, officer(w, "U0SASHA"), button)
    assert NOT_THERE in told and "Tesco" not in told and "pension" not in told
    assert await w.draft() == before and not notes(w, "U0SASHA")
    (tried,) = await reads(w)
    assert (tried.by, tried.what, tried.rows, tried.filters) == ("T0HOLDFAST:U0SASHA", "open", 0, {})


@pytest.mark.behind(walk=None)
async def test_who_filed_opens_none_of_it_as_an_officer(w: World) -> None:
    """Whoever filed a request opens neither its origins nor the box of a verdict on it, whatever role they hold."""
    await file_large(w, "U0ROBIN")
    for button in ("Sources", "Decline…"):
        assert NOT_THERE in await shown(w, officer(w, "U0ROBIN"), button)


@pytest.mark.parametrize(
    ("roles", "user", "says"),
    [
        (MANAGERS, "U0DANA", "Only this role can decide here: Manager"),
        (MANAGERS + '[roles.auditor]\nusers = ["U0SASHA"]\n', "U0SASHA", "not decide them"),
    ],
)
async def test_the_box_of_a_verdict_opens_for_whoever_may_give_it(
    w: World, tmp_path: Path, roles: str, user: str, says: str
) -> None:
    """Another role of the form and an auditor read where answers come from, and are told in private why they give no verdict here."""
    (tmp_path / "roles.toml").write_text(roles)
    assert "Tesco" in await shown(w, officer(w, user), "Sources")
    assert says in await shown(w, officer(w, user), "Decline…")
    assert [(one.rows, one.filters.get("part", "")) for one in await reads(w)] == [(1, "origins"), (0, "")]
    assert await state(w) == "pending_manager"


async def test_a_role_that_is_lost_before_submitting_decides_nothing(w: World, tmp_path: Path) -> None:
    """The box was opened with the role and submitted without: the verdict is refused in private, and opens for them no more."""
    (tmp_path / "roles.toml").write_text(MANAGERS)
    sasha = officer(w, "U0SASHA")
    await sasha.click("Decline…", channel=CHANNEL)
    (tmp_path / "roles.toml").write_text('[roles.manager]\nusers = ["U0ROBIN"]\n')
    await sasha.submit(values={"note": "Not now.", "reason": "On the restricted list"})
    await w.settled()
    assert "Only this role can decide here" in notes(w, "U0SASHA")[-1] and await state(w) == "pending_manager"
    assert NOT_THERE in await shown(w, sasha, "Decline…")


@pytest.mark.parametrize(
    "other", [{"team": "T0ELSEWHERE"}, {"deleted": True}], ids=["of another workspace", "account closed"]
)
async def test_a_role_is_held_by_people_of_the_workspace(w: World, tmp_path: Path, other: dict[str, Any]) -> None:
    """A guest of a shared channel whose id stands in roles.toml, and whoever's account was closed, open nothing and decide nothing."""
    (tmp_path / "roles.toml").write_text(MANAGERS)
    changed(w, "U0SASHA", **other)
    w.bot.engine.forget("T0HOLDFAST:U0SASHA")  # a minute has passed
    sasha = officer(w, "U0SASHA")
    for button in ("Sources", "Decline…"):
        assert NOT_THERE in await shown(w, sasha, button)
    await press(w, "U0SASHA", "Approve")
    assert "Only this role can decide here" in notes(w, "U0SASHA")[-1] and await state(w) == "pending_manager"
    assert NUMBER not in await desk(w, "U0SASHA") and NUMBER in await desk(w, "U0ROBIN")


async def test_a_role_may_be_of_one_workspace(w: World, tmp_path: Path) -> None:
    """An id that is written with a workspace counts there alone; one in the organisation's workspaces belongs to each."""
    (tmp_path / "roles.toml").write_text(MANAGERS.replace('"U0SASHA"', '"T0ELSEWHERE:U0SASHA"'))
    assert NOT_THERE in await shown(w, officer(w, "U0SASHA"), "Decline…")
    (tmp_path / "roles.toml").write_text(MANAGERS.replace('"U0SASHA"', '"T0HOLDFAST:U0SASHA"'))
    await press(w, "U0SASHA", "Approve")
    assert await state(w) == "pending_compliance"


async def test_nobody_decides_while_slack_does_not_say_who_they_are(w: World) -> None:
    """Where Slack cannot be asked to which workspace somebody belongs, nothing opens and nothing is decided, and they are told so."""
    robin = officer(w, "U0ROBIN")
    w.sandbox.knobs.outage["users.info"] = "internal_error"
    w.bot.engine.forget("T0HOLDFAST:U0ROBIN")
    assert "couldn't check who may decide" in await shown(w, robin, "Decline…")
    await press(w, "U0ROBIN", "Approve")
    assert "couldn't check who may decide" in notes(w, "U0ROBIN")[-1] and await state(w) == "pending_manager"


async def test_a_record_of_another_workspace_is_not_there(w: World, tmp_path: Path) -> None:
    """Each button and each box that names another tenant's record is met with one private sentence, and its draft does not change."""
    (tmp_path / "roles.toml").write_text(MANAGERS)
    before, robin = await w.draft(), officer(w, "U0ROBIN")
    await robin.click("Decline…", channel=CHANNEL)
    w.sandbox.workspace.team = Team("T0ELSEWHERE")
    await robin.submit(values={"note": "Not now.", "reason": "On the restricted list"})
    for button in ("Approve", "Decline…", "Sources"):
        told = len(robin.ephemerals(CHANNEL))
        await robin.click(button, channel=CHANNEL)
        await w.settled()
        assert robin.modal is None and len(robin.ephemerals(CHANNEL)) == told + 1, button
        assert "its data was erased" in notes(w, "U0ROBIN")[-1]
    assert "its data was erased" in words_of(robin.ephemerals()[-1]["text"])
    w.sandbox.workspace.team = Team()
    assert await w.draft() == before


@pytest.mark.behind(walk=None)
async def test_the_box_of_a_case_opens_for_whoever_judges_it(w: World, clock: Time, tmp_path: Path) -> None:
    """A breach's card is seen by many; the box in which it is closed opens for its role alone, and that is a reading."""
    (tmp_path / "roles.toml").write_text(MANAGERS.replace(', "U0SASHA"', ""))
    await approve_small(w)
    await passes(w, clock, "2026-11-23T15:00:00+00:00")
    await w.alex.click("I've traded")
    await w.alex.submit(values={"traded_on": "2026-11-23", "traded_quantity": "250", "traded_value": "GBP 740"})
    await w.settled()
    assert "Only this role can decide here: Compliance" in await shown(w, officer(w, "U0ROBIN"), "Close…")
    assert NOT_THERE in await shown(w, officer(w, "U0SASHA"), "Close…")
    assert "only 200 was approved" in await shown(w, officer(w, "U0DANA"), "Close…")
    assert [(one.by[-4:], one.rows) for one in await reads(w)] == [("OBIN", 0), ("ASHA", 0), ("DANA", 1)]


async def queue(w: World, who: Person) -> None:
    """Their Home, in which a request waits."""
    await desk(w, who.id)


async def found(w: World, who: Person) -> None:
    """A search with a hit."""
    await who.command("/holdfast", "find Tesco")
    await who.submit()


OPENED: dict[str, tuple[Callable[[World, Person], Any], tuple[Any, ...]]] = {
    "their queue": (queue, ("queue", 1, {"from": "0"})),
    "what was found": (found, ("search", 1, {"from": "0"})),
    "a request": (lambda w, who: opened(w, who.id), ("open", 1, {"number": NUMBER})),
    "where it comes from": (
        lambda w, who: who.click("Sources", channel=CHANNEL),
        ("open", 1, {"number": NUMBER, "part": "origins"}),
    ),
    "the box of a verdict": (
        lambda w, who: who.click("Decline…", channel=CHANNEL),
        ("open", 1, {"number": NUMBER, "part": "verdict"}),
    ),
}


@pytest.mark.parametrize("what", OPENED)
async def test_what_officers_open_is_a_link(w: World, what: str) -> None:
    """Who opened what, how many records and with which filters is noted; no word that was looked for, and nobody's name."""
    opens, noted = OPENED[what]
    await opens(w, officer(w, "U0ROBIN"))
    await w.settled()
    last = (await reads(w))[-1]
    assert (last.by, last.what, last.rows, last.filters) == ("T0HOLDFAST:U0ROBIN", *noted)
    assert "esco" not in str(last) and "ALEX" not in str(last) and (await verify_all(w.bot.store))[1] == []


async def test_what_cannot_be_noted_is_not_shown(tmp_path: Path) -> None:
    """Where the link cannot be written, the click fails and the officer is shown nothing."""

    async def fails(*_given: object, **_named: object) -> None:
        raise OSError("disk full")

    async with world(tmp_path, options={"ack_timeout": 3.0}) as w:
        await file_large(w)
        robin = officer(w, "U0ROBIN")
        w.bot.store.attest = fails  # type: ignore[method-assign,assignment]
        with suppress(Exception):  # Slack hears nothing in time
            await robin.click("Sources", channel=CHANNEL)
        assert robin.modal is None


async def test_what_is_only_repainted_is_no_reading(w: World) -> None:
    """After a verdict the modal and the Homes that are open show how things stand now, and nobody has read anything more."""
    robin = await opened(w, "U0ROBIN")
    before = await reads(w)
    assert "Waiting for: Compliance." in await pressed(w, robin, "Approve")
    assert await reads(w) == before and [one.what for one in before] == ["queue", "open"]
