"""Where the one card of a draft stands, and how its menu, its box and its group of questions behave."""

from pathlib import Path
from typing import Any

import pytest

from tests.whole.steps import DECLARATIONS, open_request, to_review
from tests.world import World, world

MENU = "hf.edit.select"


def menu_of(message: dict[str, Any]) -> str:
    """The id of the block with the Edit menu."""
    rows = (b for b in message["blocks"] if any(e.get("action_id") == MENU for e in b.get("elements", ())))
    return str(next(rows)["block_id"])


async def test_results_stand_below_the_name_that_was_typed(plain: World) -> None:
    """What was found for a typed name comes below the words, never in the card above them."""
    await plain.say("I'd like to buy 200 Tesco for my pension, about £720")
    await plain.click("None of these")
    await plain.say("Apple")
    said = [m["text"] for m in plain.alex.messages() if not m.get("bot_id")]
    newest = plain.alex.messages()[-1]
    assert said[-1] == "Apple" and newest.get("bot_id") and "Apple Inc." in str(newest["blocks"])


async def test_clicks_need_no_further_message(plain: World) -> None:
    """From the pick to the last declaration the conversation holds one message of the bot's."""
    await open_request(plain)
    for _ in range(5):
        await plain.click("No")
    assert len(plain.screen()) == 1 and "held for the holding period" in plain.last()


async def test_the_review_shows_money_as_one_and_no_card_beside_it(plain: World) -> None:
    """The review stands alone, with the amount and its currency in one row."""
    await to_review(plain)
    await plain.say("A long-term holding because I expect steady dividends for my retirement")
    (card,) = plain.screen()
    rows = next(b["rows"] for b in card["blocks"] if b["type"] == "table")
    told = {row[0]["text"]: row[1]["text"] for row in rows}
    assert told["Value"].startswith("GBP 720.00") and "Currency" not in told


async def test_the_menu_serves_again_after_its_box_was_closed(plain: World) -> None:
    """Slack keeps a menu's choice: after a box was closed without an answer the menu has another id, and nothing else changes."""
    await open_request(plain)
    before, values = menu_of(plain.screen()[-1]), await plain.values()
    await plain.choose(MENU, "Quantity")
    await plain.alex.close()
    await plain.settled()
    assert menu_of(plain.screen()[-1]) != before and await plain.values() == values


@pytest.mark.parametrize(
    ("words", "form", "told"),
    [
        ("loan", "loan", {}),
        ("prestito", "loan", {}),
        ("pa", "pa_dealing", {}),
        ("PA dealing", "pa_dealing", {}),
        ("requirements document", "requirements", {}),
        ("pa buy 200 Tesco", "pa_dealing", {"quantity": 200}),
    ],
)
async def test_holdfast_begins_a_form_by_its_word(plain: World, words: str, form: str, told: dict[str, Any]) -> None:
    """`/holdfast` with a form's name, command or title begins it, and what follows is read as said."""
    await plain.alex.command("/holdfast", words)
    await plain.settled()
    assert (await plain.draft()).form == form
    draft = await plain.draft()
    assert told.items() <= {**{o.field: o.data for o in draft.offers}, **await plain.values()}.items()


def house_of(tmp_path: Path) -> str:
    """A folder of a company that puts PA dealing's declarations on one card, by one line."""
    house = tmp_path / "house" / "pa_dealing"
    house.mkdir(parents=True)
    (house / "questions.toml").write_text("together = true\n")
    return str(house.parent)


def radios(message: dict[str, Any]) -> list[str]:
    """The questions that can still be answered on a card."""
    beside = (b.get("accessory", {}) for b in message["blocks"])
    return [e["action_id"].removeprefix("hf.together.") for e in beside if e.get("type") == "radio_buttons"]


async def test_declarations_stand_together_where_a_company_says_so(tmp_path: Path) -> None:
    """One line puts them on one card: each is taken and locked as it is chosen, in any order, and the message stays one."""
    async with world(tmp_path, holdfast_workflows=house_of(tmp_path)) as firm:
        await open_request(firm)
        assert radios(firm.screen()[-1]) == list(DECLARATIONS)
        for name in reversed(DECLARATIONS):
            await firm.choose(f"hf.together.{name}", "No")
            assert name in (await firm.draft()).locked_fields and name not in radios(firm.screen()[-1])
        await firm.click("I understand")
        assert len(firm.screen()) == 1 and (await firm.draft()).asked == "justification"


async def test_a_mere_no_answers_none_of_several(tmp_path: Path) -> None:
    """A "no" that could be meant for five questions sets none of them; words that name one are put back to that one."""
    async with world(tmp_path, holdfast_workflows=house_of(tmp_path)) as firm:
        await open_request(firm)
        before = await firm.values()
        await firm.say("no")
        assert await firm.values() == before and "each of them" in firm.last()
        await firm.say("I have no inside information")
        assert await firm.values() == before and [o.field for o in (await firm.draft()).offers] == ["has_inside_info"]


async def test_two_quick_clicks_on_one_card_both_count(tmp_path: Path) -> None:
    """Of questions that stand together the second of two clicks counts as well, though the card has been replaced meanwhile."""
    async with world(tmp_path, holdfast_workflows=house_of(tmp_path)) as firm:
        await open_request(firm)
        seen = firm.screen()[-1]
        for name, answer in (("is_leveraged", "Yes"), ("has_client_conflict", "No")):
            await firm.alex.choose(f"hf.together.{name}", answer, message=seen, stale=True)
        await firm.settled()
        values = await firm.values()
        assert values["is_leveraged"] is True and values["has_client_conflict"] is False
