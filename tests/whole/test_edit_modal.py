"""Editing an answer in its box: filled in with it, and nothing changes but what was meant."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from blocks import ids
from bot.sandbox.workspace import Json
from tests.whole.sheet import alive, faults
from tests.whole.steps import open_request, own_form, play, to_review
from tests.world import EDIT, TEAM, World, words_of, world

pytestmark = pytest.mark.behind(walk=to_review)


def box(w: World) -> Json:
    """The one input of the modal that is open."""
    modal = w.alex.modal
    assert modal is not None
    (element,) = (block["element"] for block in modal["blocks"] if block["type"] == "input")
    return element  # type: ignore[no-any-return]  # Slack's JSON


async def opened(w: World, label: str) -> Json:
    """The box of an answer, opened by the Edit menu."""
    await w.edit(label)
    return box(w)


async def filled_in(w: World, entry: Any) -> Json:
    """What Slack was answered when the box was submitted with this."""
    answer = await w.alex.submit(values={ids.ENTRY_BLOCK: entry})
    await w.settled()
    return answer


async def test_the_same_answer_again_changes_nothing(w: World) -> None:
    """Who submits the box as it stands changes no value, no revision of what is reviewed, and gets no message."""
    before, messages = await w.draft(), [m["ts"] for m in w.screen()]
    for label, entry in (
        ("Quantity", "200"),
        ("Value", "GBP 720.00"),
        ("Direction", "sbuy"),
        ("Leveraged product", "n"),
    ):
        await opened(w, label)
        assert await filled_in(w, entry) == {"ok": True}
    after = await w.draft()
    assert (after.values, after.locked_fields, after.hash) == (before.values, before.locked_fields, before.hash)
    assert after.card == before.card and [m["ts"] for m in w.screen()] == messages
    await w.click("Submit")
    assert len(await w.records()) == 1


async def test_an_answer_left_as_it_was_can_be_edited_after_all(w: World) -> None:
    """Slack tells of no second choice of the same option: after a box that changed nothing the menu is a fresh one."""
    menu = blocks_of_menu(w)
    await opened(w, "Quantity")
    await filled_in(w, "200")
    assert blocks_of_menu(w) != menu
    await w.edit("Quantity", "300")
    assert (await w.values())["quantity"] == 300


def blocks_of_menu(w: World) -> list[str]:
    """The block ids of the menus that edit."""
    return [b["block_id"] for m in w.screen() for b in m["blocks"] if EDIT in str(b)]


@pytest.mark.parametrize(("label", "entry"), [
    *(("Quantity", entry) for entry in ("many", "0", "-5", "", "2.5")),
    *(("Value", entry) for entry in ("$1,250.50", "1250 dollars", "kr 900", "¥900")),
])  # fmt: skip
async def test_what_cannot_count_is_told_in_the_box(w: World, label: str, entry: str) -> None:
    """An entry that the field cannot take, or that leaves open which dollars it means, is told beside it; the box stays, and nothing changes."""
    before = await w.draft()
    await opened(w, label)
    assert (await filled_in(w, entry))["errors"][ids.ENTRY_BLOCK] and w.alex.modal is not None
    assert await w.draft() == before


@pytest.mark.behind(walk=open_request)
async def test_what_would_be_asked_again_is_named_before(w: World) -> None:
    """The box of an answer that others hang on names them; one that nothing hangs on names nothing."""
    await play(w, "[Yes]", "This option protects a position that I already hold")
    await opened(w, "Derivative")
    assert "Reason for the derivative" in words_of(w.alex.modal) or "ask you again" in words_of(w.alex.modal)
    await filled_in(w, "n")
    assert "derivative_justification" not in await w.values()
    assert "is no longer needed" in w.last()
    await opened(w, "Quantity")
    assert "ask you again" not in words_of(w.alex.modal)


@pytest.mark.parametrize(("entry", "value", "currency"), [
    ("EUR 900", "900.00", "EUR"), ("900", "900.00", "GBP"), ("US$1,250.50", "1250.50", "USD"),
    ("EUR 720", "720.00", "EUR"),
])  # fmt: skip
async def test_a_currency_in_the_box_is_taken_along(w: World, entry: str, value: str, currency: str) -> None:
    """An amount is shown with its currency and may be given with another one; a bare amount leaves the currency."""
    assert (await opened(w, "Value"))["initial_value"] == "GBP 720.00"
    await filled_in(w, entry)
    values = await w.values()
    assert (values["value"], values["currency"]) == (value, currency)


async def test_a_locked_answer_changes_by_its_owners_edit(w: World) -> None:
    """What words cannot change its owner's own hand does, in the box; the answer stays locked."""
    await opened(w, "Leveraged product")
    await filled_in(w, "y")
    draft = await w.draft()
    value = draft.values["is_leveraged"]
    assert value.data is True and (value.provenance.how, value.provenance.who) == ("entered", "U0ALEX")
    assert "is_leveraged" in draft.locked_fields


@pytest.mark.behind(walk=open_request)
async def test_an_edit_while_something_waits_leaves_one_card(w: World) -> None:
    """A box that was opened before a card asked for a click, and submitted after it, leaves one card alive, and its change counts."""
    await opened(w, "Quantity")
    await w.say("cancel")
    await filled_in(w, "300")
    assert (await w.values())["quantity"] == 300
    assert await faults(w) == [] and (await w.draft()).open


async def test_a_box_that_was_open_at_the_end_changes_nothing(w: World) -> None:
    """A box that is submitted after its request was filed changes neither the draft nor the record."""
    await opened(w, "Quantity")
    await w.click("Submit", w.screen()[-1])
    await filled_in(w, "300")
    (record,) = await w.records()
    assert record.body["values"]["quantity"]["data"] == 200 and (await w.values())["quantity"] == 200
    assert alive(w, await w.draft()) == []


SHARED = """
name = "desk"
title = "Desk booking"
version = "1"
prefix = "DSK"
channels = "thread"
words = ["desk"]

[fields.days]
kind = "integer"
label = "Days"
ask = "For how many days?"

[fields.window]
kind = "yes_no"
label = "Window"
ask = "Should it be by the window?"
words = ["window"]
lock = "answered"
"""


async def test_another_persons_hand_on_the_menu_opens_nothing(tmp_path: Path) -> None:
    """In a thread that others read, only the owner's choice opens the box; whoever else chooses is told so in private."""
    async with world(tmp_path / "var", holdfast_workflows=own_form(tmp_path, "desk", SHARED)) as w:
        await w.alex.say("<@U0HOLDFAST> I need a desk", "C0GENERAL")
        await w.settled()
        (card,) = [m for m in w.alex.messages("C0GENERAL") if m.get("bot_id")]
        await w.alex.say("3", "C0GENERAL", thread_ts=card["thread_ts"])
        await w.settled()
        card = [m for m in w.alex.messages("C0GENERAL") if EDIT in str(m)][-1]
        dana = w.sandbox.person("U0DANA")
        await dana.choose(EDIT, "Days", message=card, channel="C0GENERAL")
        await w.settled()
        assert dana.modal is None and "<@U0ALEX> can answer this request" in str(dana.ephemerals("C0GENERAL"))
        await w.alex.choose(EDIT, "Days", message=card, channel="C0GENERAL")
        await filled_in(w, "4")
        (stored,) = await w.bot.store.drafts_of(f"{TEAM}:U0ALEX")
        assert stored.body["values"]["days"]["data"] == 4


KINDS = """
name = "desk"
title = "Desk booking"
version = "1"
prefix = "DSK"
words = ["desk"]

[fields.days]
kind = "integer"
label = "Days"
ask = "For how many days?"

[fields.first]
kind = "date"
label = "First day"
ask = "From which day?"

[fields.window]
kind = "yes_no"
label = "Window"
ask = "Should it be by the window?"

[fields.floor]
kind = "choice"
label = "Floor"
ask = "On which floor?"
choices = ["Ground", "First"]

[fields.town]
kind = "choice"
label = "Town"
ask = "In which town?"
choices = [{towns}]

[fields.gear]
kind = "choices"
label = "Gear"
ask = "What do you need there?"
choices = ["Screen", "Dock", "Lamp"]

[fields.share]
kind = "percentage"
label = "Share"
ask = "What share of the week?"

[fields.why]
kind = "text"
label = "Reason"
ask = "Why?"

[fields.last]
kind = "yes_no"
label = "Agreed"
ask = "Is it agreed?"
"""
ANSWERS = ("3", "2026-12-01", "yes", "Ground", "Town 7", "Screen, Lamp", "40%", "A quiet place for long calls")
BOXES: Mapping[str, tuple[str, Any]] = {
    "Days": ("plain_text_input", "3"), "First day": ("datepicker", "2026-12-01"), "Window": ("radio_buttons", "Yes"),
    "Floor": ("radio_buttons", "Ground"), "Town": ("static_select", "Town 7"),
    "Gear": ("checkboxes", ["Screen", "Lamp"]), "Share": ("plain_text_input", "40%"),
    "Reason": ("plain_text_input", "A quiet place for long calls"),
}  # fmt: skip
"""By label: the element of its box, and what stands in it."""


def stands(element: Json) -> Any:
    """What an element is filled in with."""
    option = element.get("initial_option")
    many = [o["text"]["text"] for o in element.get("initial_options", ())]
    return option["text"]["text"] if option else many or element.get("initial_value") or element.get("initial_date")


async def test_every_kind_of_box_is_filled_in_with_its_answer(tmp_path: Path) -> None:
    """Whatever way a field is answered, its box holds the present answer, and submitted as it stands it changes nothing."""
    towns = ", ".join(f'"Town {n}"' for n in range(15))
    kinds = own_form(tmp_path, "desk", KINDS.replace("{towns}", towns))
    async with world(tmp_path / "var", holdfast_workflows=kinds) as w:
        await w.say("I need a desk")
        for words in ANSWERS:
            await w.say(words)
        await w.click("✓ A quiet place for long calls")
        before = await w.draft()
        assert before.asked == "last", before.asked
        for label, expected in BOXES.items():
            element = await opened(w, label)
            assert (element["type"], stands(element)) == expected, label
            assert await w.alex.submit() == {"ok": True}, label
            await w.settled()
        assert (await w.draft()).values == before.values and await faults(w) == []
