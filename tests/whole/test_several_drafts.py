"""Several forms at once: a person begins one, turns to another, and comes back."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.forms.form_cases import write
from tests.world import World, world

PARCEL = """
title = "Parcel"
version = "1"
prefix = "PCL"
command = "/parcel"
words = ["parcel"]

[fields.weight]
kind = "integer"
label = "Weight"
ask = "How heavy is it?"

[fields.fragile]
kind = "yes_no"
label = "Fragile"
ask = "Is it fragile?"
"""
ROOM = """
title = "Meeting room"
version = "1"
prefix = "ROOM"
command = "/room"
words = ["meeting room"]

[fields.seats]
kind = "integer"
label = "Seats"
ask = "How many seats?"
"""


@pytest.fixture
async def two(tmp_path: Path) -> AsyncIterator[World]:
    """A bot that has a form for parcels and one for rooms beside its own."""
    write(tmp_path / "forms" / "parcel", PARCEL)
    write(tmp_path / "forms" / "room", ROOM)
    async with world(tmp_path / "var", holdfast_workflows=str(tmp_path / "forms")) as w:
        yield w


async def test_a_command_turns_to_its_form_and_back(two: World) -> None:
    """The slash command of another form begins that one; the first one's command goes on where it was, nothing lost."""
    await two.alex.command("/parcel")
    await two.settled()
    await two.say("7")
    await two.alex.command("/room", "12 seats")
    await two.settled()
    assert (await two.draft()).form == "room" and (await two.draft()).asked == "seats"
    await two.alex.command("/parcel")
    await two.settled()
    assert (await two.draft()).form == "parcel" and (await two.draft()).asked == "fragile"
    await two.say("yes")
    assert await two.values() == {"weight": 7, "fragile": True}


async def test_the_general_command_offers_what_is_open_and_what_may_begin(two: World) -> None:
    """/holdfast alone lists open drafts with Continue and every form; Continue turns to that draft."""
    await two.alex.command("/parcel")
    await two.alex.command("/room")
    await two.settled()
    await two.alex.command("/holdfast")
    await two.settled()
    offered = two.last()
    assert "Parcel · 0 of 2" in offered and "Meeting room · 0 of 1" in offered and "Personal account dealing" in offered
    chooser = two.screen()[-1]
    parcel = next(d for d in await two.bot.store.drafts_of("T0HOLDFAST:U0ALEX") if d.form == "parcel")
    await two.click(f"hf.show.{parcel.id}", chooser)
    assert (await two.draft()).id == parcel.id


async def test_beginning_an_open_form_goes_on_with_it(two: World) -> None:
    """A person has one open draft of a form in a conversation: beginning it again shows where it was."""
    await two.alex.command("/parcel")
    await two.settled()
    first = (await two.draft()).id
    await two.alex.command("/room")
    await two.alex.command("/parcel")
    await two.settled()
    assert (await two.draft()).id == first
    assert len(await two.bot.store.drafts_of("T0HOLDFAST:U0ALEX")) == 2
