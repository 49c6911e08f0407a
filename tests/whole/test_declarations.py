"""Declarations in the whole bot: one by one and on one card, by words, by clicks, by a model that would declare for the person, and edited."""

from pathlib import Path
from typing import Any

import pytest

from blocks import ids
from bot.sandbox.models.answers import Answer, call, text, tools
from tests.whole.steps import DECLARATIONS, FILED, REASON, open_request, play, to_review
from tests.world import EDIT, World, shown, words_of, world

HELD = "No – I hold no inside information about Tesco PLC."


@pytest.fixture
def house(tmp_path: Path) -> str:
    """A folder of a company that puts PA dealing's declarations on one card, by one line."""
    (tmp_path / "house" / "pa_dealing").mkdir(parents=True)
    (tmp_path / "house" / "pa_dealing" / "questions.toml").write_text("together = true\n")
    return str(tmp_path / "house")


@pytest.mark.behind(walk=open_request)
async def test_what_was_declared_is_read_wherever_it_is_shown(w: World) -> None:
    """The question, the review, the receipt, the reviewers' card and the person's own view each hold the whole sentence."""
    await play(w, "[No]", "[No]")
    assert HELD in w.last() and "Yes – I hold inside information about Tesco PLC." in w.last()
    await play(w, "No", "[No]", "no", "[I understand]", REASON)
    assert (
        HELD in w.last()
        and "I understand that what I buy has to be held" in w.last()
        and "Holding period\nYes" not in w.last()
    )
    await w.click("Submit")
    assert HELD.removeprefix("No – ") in w.last()
    assert HELD in "".join(map(shown, w.alex.messages("C0COMPLIANCE")))
    (record,) = await w.records()
    assert record.body["values"]["has_inside_info"]["declared"] == HELD.removeprefix("No – ")
    assert (await w.values()) == FILED


async def test_all_on_one_card_are_answered_by_words_and_clicks(tmp_path: Path, house: str) -> None:
    """Of six on one card two are said in a sentence and taken by a click each, one is typed, the others are clicked; all keep their words."""
    async with world(tmp_path, holdfast_workflows=house) as firm:
        await open_request(firm)
        assert HELD in firm.last() and "I understand that what I buy has to be held" in firm.last()
        await firm.say("it's no derivative and I have no inside information")
        assert not set(DECLARATIONS) & set(await firm.values())
        for name in ("is_derivative", "has_inside_info"):
            await firm.click(f"hf.accept.{[o.field for o in (await firm.draft()).offers].index(name) + 1}")
        await firm.say("I understand")
        assert {"is_derivative", "has_inside_info", "holding_period_ack"} <= (await firm.draft()).locked_fields
        for name in ("has_client_conflict", "is_related_party"):
            await firm.choose(f"hf.together.{name}", "No")
        await play(firm, "no", REASON, "[Submit]")
        draft = await firm.draft()
        assert await firm.values() == FILED and all(
            draft.values[n].declared for n in (*DECLARATIONS, "holding_period_ack")
        )


@pytest.mark.parametrize("quote", ["no", "all fine, thanks", "no to everything here"])
async def test_a_model_declares_nothing_on_the_card_of_all(quote: str, tmp_path: Path, house: str) -> None:
    """A model that answers every declaration from words that plainly answer none sets nothing and proposes nothing."""

    def eager(request: dict[str, Any]) -> Answer:
        done = "REJECTED" in str(request["messages"]) or quote not in str(request["messages"])
        return (
            text("")
            if done
            else tools(
                call("set_declarations", **dict.fromkeys(DECLARATIONS, False), holding_period_ack=True, words=quote)
            )
        )

    async with world(tmp_path, eager, holdfast_workflows=house) as firm:
        await open_request(firm)
        await firm.say(quote)
        draft = await firm.draft()
        assert not {*DECLARATIONS, "holding_period_ack"} & {*draft.values, *(o.field for o in draft.offers)}
        assert HELD in firm.last()


async def test_one_of_several_is_edited_and_declares_the_other_sentence(tmp_path: Path, house: str) -> None:
    """While the others wait, the Edit menu opens the box with both sentences, and the card shows the one that holds from then on."""
    async with world(tmp_path, holdfast_workflows=house) as firm:
        await open_request(firm)
        await firm.choose("hf.together.is_leveraged", "No")
        assert "Leveraged product: No – Tesco PLC is not a leveraged product." in firm.last()
        await firm.choose(EDIT, "Leveraged product")
        assert "Yes – Tesco PLC is a leveraged product." in words_of(firm.alex.modal)
        await firm.alex.submit(values={ids.ENTRY_BLOCK: "y"})
        await firm.settled()
        assert "Leveraged product: Yes – Tesco PLC is a leveraged product." in firm.last()
        assert set(DECLARATIONS) & set(await firm.values()) == {"is_leveraged"}


@pytest.mark.behind(walk=to_review)
async def test_another_security_is_declared_anew(w: World) -> None:
    """What was declared about one security does not hold for another: it is asked again, and the sentence names the new one."""
    await play(w, "actually the security is Barclays", "[Change to Barclays]", "[Use this]")
    assert "No – Barclays PLC is not a derivative." in w.last() and "has_inside_info" not in await w.values()
