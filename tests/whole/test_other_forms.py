"""Several forms in one conversation: a wish offers to switch, what was left open is kept, and words said before a form was chosen are its first."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.slack.places import person_key
from state.draft.draft import Draft
from tests.forms.form_cases import write
from tests.whole.steps import answer, play, tell
from tests.world import TEAM, World, world

LOAN = ("voglio un prestito", "Iniziamo")


async def in_a_loan(w: World) -> Draft:
    """A loan is open, at its first question."""
    await play(w, LOAN[0], f"[{LOAN[1]}]")
    return await w.draft()


@pytest.mark.parametrize("words", [
    "I want to file an expense: taxi 18", "vorrei registrare una spesa: taxi 18", "quiero registrar un gasto, taxi 18",
    "ich möchte eine Ausgabe erfassen: taxi 18",
])  # fmt: skip
async def test_a_wish_for_another_form_is_offered_and_answers_nothing(w: World, words: str) -> None:
    """In any language: the open card, in its form's language, offers the other form; one click begins it with the words, and the
    draft that was open is kept as it was and gone back to by its own card, which says where one is.
    """
    loan = await in_a_loan(w)
    await w.say(words)
    still = await w.draft()
    assert (still.id, still.values, still.asked) == (loan.id, loan.values, loan.asked)
    assert "voglia un altro modulo" in w.last() and "Inizia: Spese" in w.last()
    await w.click("Inizia: Spese")
    assert (await w.draft()).form == "expenses" and "Add: taxi · EUR 18.00" in w.last()
    await w.click("Sì")
    back = await w.draft()
    assert back.id == loan.id and len(back.values) == 1 and "Torniamo a «Prestiti»" in w.transcript()


async def test_a_wish_that_nobody_clicks_changes_nothing(w: World) -> None:
    """The next plain answer is taken as if the wish had not been said, and the offer is gone."""
    loan = await in_a_loan(w)
    await play(w, "I want to file an expense", "sì")
    after = await w.draft()
    assert after.id == loan.id and after.values[loan.asked].data is True and after.wished is None


async def test_a_wish_in_answer_to_a_question_for_words_may_be_the_answer(w: World) -> None:
    """Where words are asked for, the same words stand beside the offer for one click, and are not taken unasked."""
    await w.say("/pa")
    await tell(w, "buy 100 Tesco for GBP 360")
    await w.click("Use this")
    assert (await w.draft()).asked == "account"
    await w.say("I want to file an expense")
    draft = await w.draft()
    assert "account" not in draft.values and [o.data for o in draft.offers if o.said] == ["I want to file an expense"]
    assert "Start: Expenses" in w.last()


async def test_words_that_bring_the_choice_of_forms_are_the_chosen_ones_first(tmp_path: Path) -> None:
    """An ambiguous first message is not to be said again: whichever form is clicked reads it; a greeting begins it bare."""
    async with world(tmp_path) as w:
        await play(w, "nothing about a loan this time, buy 200 Tesco", "[Personal account dealing]", "[Use all of it]")
        values = await w.values()
        assert values["quantity"] == 200 and values["direction"] == "buy"
        said = len((await w.draft()).opening)
        await w.click("Personal account dealing")
        again = await w.draft()
        assert len(again.opening) == said and "Here is where we left off." in w.last()
    async with world(tmp_path / "two") as w:
        await play(w, "hello", "[Personal account dealing]")
        assert "one at a time" in w.last() and (await w.draft()).values == {}


async def test_going_back_in_words_goes_on_with_what_was_left_open(w: World) -> None:
    """Beside expenses, asking for the loan again finds the one that was begun, not a second."""
    loan = await in_a_loan(w)
    await play(w, "I want to file an expense", "[Inizia: Spese]", "loan repayment 300")
    assert (await w.draft()).form == "expenses" and "Add: loan repayment" in w.last()
    await w.say("voglio un prestito")
    assert (await w.draft()).id == loan.id and "Torniamo a «Prestiti»" in w.transcript()


FILED = (
    "buy 100 Tesco in my ISA, GBP 360 because I am spreading my savings over more sectors", "yes", *["no"] * 5,
    "I understand",
)  # fmt: skip


async def test_after_filing_the_next_request_is_begun_in_words(w: World) -> None:
    """ "Another one: sell 50 Apple" begins a request and is its first message; what was filed stands, and what it held of security and
    account is offered to its owner alone, and after an erasure to nobody.
    """
    await tell(w, FILED[0])
    for line in FILED[1:]:
        await answer(w, line)
    await w.click("Submit")
    filed = await w.draft()
    await play(w, "another one: sell 50 Apple", "[Use all of it]")
    draft = await w.draft()
    assert draft.id != filed.id and draft.values["quantity"].data == 50 and draft.values["direction"].data == "sell"
    assert draft.last_time is not None and draft.last_time.record == filed.filed.number
    dana = w.sandbox.person("U0DANA")
    await w.say("/pa", dana)
    assert (await w.draft(dana)).last_time is None
    await w.bot.store.erase(person_key(TEAM, w.alex.id))
    await w.say("/pa")
    assert (await w.draft()).last_time is None


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
