"""Buttons, boxes and tabs that stood on screen before a rename, clicked after it: understood, or said to be out of date."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from blocks import ids
from bot.sandbox.workspace import Json
from tests.chain import verify
from tests.stored.finishing import DECIDERS, clickable, press, step
from tests.stored.restored import PEOPLE, SLACK, person_of, stored_world
from tests.whole.officers import desk, opened, pressed
from tests.world import TEAM, World, words_of

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group(__name__)]

STALE = ("out of date", "non è aggiornata", "ya no es la actual")


@pytest.mark.parametrize(
    ("situation", "act", "expected"),
    [
        ("pa_dealing/results_wait", "pick", {"security": "GB00BLGZ9862"}),
        ("pa_dealing/change_waits", "change", {"is_leveraged": True}),
        ("pa_dealing/undo_stands", "undo", {"quantity": 200}),
        ("pa_dealing/offer_stands", "accept", {"account": "pension"}),
        ("pa_dealing/reopened", "keep", {"is_leveraged": False}),
        ("pa_dealing/coached", "submit_anyway", {"justification": "good investment"}),
        ("loan/reading_waits", "take_all", {"codice_fiscale": "BNCLCU85T10A944Y"}),
        ("vehicle_case/cancel_waits", "stay", {"tipo_vehiculo": "motocicleta"}),
    ],
)
async def test_an_old_button_does_what_it_says(
    stored: World, situation: str, act: str, expected: dict[str, Any]
) -> None:
    """The click counts on the draft that it was made for."""
    me = person_of(stored, situation)
    await press(me, act, (await me.draft()).id)
    assert (await me.values()).items() >= expected.items() and (await me.draft()).proposal is None


@pytest.mark.parametrize(
    ("situation", "act", "status"),
    [
        ("pa_dealing/review_waits", "submit", "submitted"),
        ("loan/review_waits", "submit", "submitted"),
        ("vehicle_case/review_waits", "submit", "submitted"),
        ("requirements/review_waits", "submit", "submitted"),
        ("pa_dealing/disclosure_waits", "disclose_confirmed", "escalated"),
        ("pa_dealing/cancel_waits", "cancel_confirmed", "cancelled"),
    ],
)
async def test_an_old_button_ends_the_draft(stored: World, situation: str, act: str, status: str) -> None:
    """Submit, disclose and cancel on a card from before end the draft as they always did, with a record where there is one."""
    me = person_of(stored, situation)
    await press(me, act, (await me.draft()).id)
    assert (await me.draft()).status == status
    assert len(await me.records()) == (status != "cancelled")


async def test_an_old_button_starts_over(stored: World) -> None:
    """The confirmation of "start over" ends the old draft and begins an empty one."""
    me = person_of(stored, "pa_dealing/restart_waits")
    before = await me.draft()
    await press(me, "restart_confirmed", before.id)
    after = await me.draft()
    assert after.id != before.id and after.open and not after.values


async def test_old_buttons_of_operations_are_understood(stored: World) -> None:
    """An addition and a deletion that waited are carried out by their click, another one is declined, the last one taken back."""
    for situation, words, item in (
        ("addition_waits", "Confirm", "coffee"),
        ("change_waits", "Confirm", "tea"),
        ("several_wait", "Cancel", ""),
        ("deletion_waits", "Confirm", ""),
        ("undo_stands", "Undo", ""),
    ):
        me = person_of(stored, f"expenses/{situation}")
        await me.click(words)
        mine = await stored.bot.store.entries(TEAM, "expenses", f"{TEAM}:{me.alex.id}")
        assert [e.body["item"] for e in mine] == ([item] if item else []), situation


async def test_an_open_box_is_taken(stored: World) -> None:
    """What is written into a box that was open before is the answer."""
    me = person_of(stored, "pa_dealing/box_open")
    await me.alex.submit(values={ids.ENTRY_BLOCK: "2,000"})
    await me.settled()
    assert (await me.values())["quantity"] == 2000


async def test_the_old_home_tab_leads_on(stored: World) -> None:
    """Continue on a home view from before shows where the draft stands."""
    me = person_of(stored, "pa_dealing/home")
    await me.alex.click("Continue", me.alex.home)
    await me.settled()
    assert "Is this a derivative?" in me.last()


async def test_an_old_confirmation_erases(stored: World) -> None:
    """The card that asked whether to erase everything still does it, once."""
    me = person_of(stored, "pa_dealing/erase_waits")
    await me.click("Yes, erase everything")
    assert await stored.bot.store.drafts_of(f"{TEAM}:{me.alex.id}") == []
    assert "is erased" in me.transcript()


@pytest.mark.parametrize("situation", ["loan/handed_over", "vehicle_case/unsupported", "vehicle_case/escalated"])
async def test_a_conversation_is_handed_back_by_an_old_button(stored: World, situation: str) -> None:
    """Those who took over give the conversation back with the button that they had."""
    me = person_of(stored, situation)
    await press(me, "hand_back", (await me.draft()).id, DECIDERS)
    assert not (await me.draft()).handed


@pytest.mark.parametrize(
    "situation", ["pa_dealing/explained", "loan/consents", "vehicle_case/quote", "requirements/first_question"]
)
async def test_an_old_card_says_that_it_is_out_of_date(stored: World, situation: str) -> None:
    """Once the draft has gone on, what is left of the card changes nothing and says so."""
    me = person_of(stored, situation)
    before = await me.draft()
    assert before.card is not None
    old = card_of(me, before.card.id)
    await step(me, before)
    values, wanted = await me.values(), clickable(old)[0]["action_id"]
    await me.alex.click(wanted, old, stale=True)
    await me.settled()
    assert await me.values() == values
    assert any(words in me.transcript() for words in STALE), me.transcript()[-600:]


def card_of(world: World, card: str) -> Json:
    """The message of a card, by the name that its buttons carry."""
    messages: list[Json] = world.screen()
    for message in reversed(messages):
        if any((made := ids.press_of(e)) and made.card == card for e in clickable(message)):
            return message
    raise LookupError(f"no button carries the card {card}")


async def test_every_kind_of_old_button_is_answered(tmp_path: Path) -> None:
    """Of each form one button of every kind that stood on any screen: its click is handled, and the person sees something of it."""
    async with stored_world(tmp_path) as world:
        tried: set[tuple[str, str]] = set()
        for situation, message, element, made in old_buttons():
            kind, me = (situation.split("/")[0], made.act), person_of(world, situation)
            if kind in tried or not await world.bot.store.drafts_of(f"{TEAM}:{me.alex.id}"):
                continue  # of an erased person nothing is known any more
            tried.add(kind)
            before = seen(me)
            await me.alex.click(element["action_id"], message, stale=True)
            await me.settled()
            assert seen(me) != before, (situation, made)
        assert len(tried) > 50, sorted(tried)
        assert [queue for queue, _, _ in await world.bot.store.dead()] == ["inbox", "outbox"]


def old_buttons() -> Iterator[tuple[str, Json, Json, ids.Press]]:
    """Every button in a message of the bot to a person, as Slack held it: situation, message, element and what it carries."""
    for situation, person in PEOPLE.items():
        for message in (kept["body"] for kept in SLACK["channels"].get(person["dm"], ()) if kept["body"].get("bot_id")):
            for element in clickable(message):
                made = ids.press_of(element)
                if made is not None and element["type"] == "button":
                    yield situation, message, element, made


def seen(world: World) -> tuple[str, ...]:
    """All that a person sees of the bot, and when it came: messages, private notes, a modal."""
    whispers = [words_of(m.get("blocks") or m["text"]) for m in world.alex.ephemerals()]
    newest = max((m["ts"] for m in world.screen()), default="")
    return (newest, world.transcript(), *whispers, str(world.alex.modal))


ROLES = """
[roles]
manager = { users = ["U0ROBIN"] }
compliance = { users = ["U0DANA"] }
technician = { users = ["U0SASHA"] }
"""
PENDING = "PA-2026-000007"


async def test_a_record_from_before_there_were_routes_is_decided_from_the_queue(stored: World) -> None:
    """It is in the index, opening it puts it up for its role once, a verdict moves it on, and its chain holds."""
    roles, indexer = stored.bot.settings.holdfast_var / "roles.toml", stored.bot.indexer
    roles.write_text(ROLES)
    assert indexer is not None
    await indexer.fill()
    assert PENDING in await desk(stored, "U0ROBIN") and "EXPTE-2026-000001" in await desk(stored, "U0SASHA")
    robin = await opened(stored, "U0ROBIN", PENDING)
    await stored.settled()
    posted = [words_of(m.get("blocks") or []) for m in robin.messages("C0COMPLIANCE")]
    assert len([card for card in posted if PENDING in card and "Waiting for: Manager." in card]) == 1
    await pressed(stored, robin, "Approve")
    roles.unlink()
    record = await stored.bot.store.record(PENDING)
    assert record and record.state == "pending_compliance"
    draft = await stored.bot.store.draft(record.draft)
    filed = draft.body["filed"] if draft else {}
    assert filed["filed_at"] and [d["verdict"] for d in filed["decisions"]] == ["approve"]
    assert (await verify(stored.bot.store, record.draft)).broken == ""
