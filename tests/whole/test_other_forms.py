"""Several forms in one conversation: a wish offers to switch, what was left open is kept, and words said before a form was chosen are its first."""

from pathlib import Path

import pytest

from bot.slack.places import person_key
from state.draft.draft import Draft
from tests.whole.steps import answer, tell
from tests.world import TEAM, World, world

LOAN = ("voglio un prestito", "Iniziamo")


async def in_a_loan(w: World) -> Draft:
    """A loan is open, at its first question."""
    await w.say(LOAN[0])
    await w.click(LOAN[1])
    return await w.draft()


@pytest.mark.parametrize("words", [
    "I want to file an expense: taxi 18", "vorrei registrare una spesa: taxi 18", "quiero registrar un gasto, taxi 18",
    "ich möchte eine Ausgabe erfassen: taxi 18",
])  # fmt: skip
async def test_a_wish_for_another_form_is_offered_and_answers_nothing(tmp_path: Path, words: str) -> None:
    """In any language: the open card, in its form's language, offers the other form; one click begins it with the words, and the
    draft that was open is kept as it was and gone back to by its own card, which says where one is.
    """
    async with world(tmp_path) as w:
        loan = await in_a_loan(w)
        await w.say(words)
        still = await w.draft()
        assert (still.id, still.values, still.asked) == (loan.id, loan.values, loan.asked)
        assert "voglia un altro modulo" in w.last() and "Iniziare: Expenses" in w.last()
        await w.click("Iniziare: Expenses")
        assert (await w.draft()).form == "expenses" and "Add: taxi · EUR 18.00" in w.last()
        await w.click("Sì")
        back = await w.draft()
        assert back.id == loan.id and len(back.values) == 1 and "Torniamo a «Prestiti»" in w.transcript()


async def test_a_wish_that_nobody_clicks_changes_nothing(tmp_path: Path) -> None:
    """The next plain answer is taken as if the wish had not been said, and the offer is gone."""
    async with world(tmp_path) as w:
        loan = await in_a_loan(w)
        await w.say("I want to file an expense")
        await w.say("sì")
        after = await w.draft()
        assert after.id == loan.id and after.values[loan.asked].data is True and after.wished is None


async def test_a_wish_in_answer_to_a_question_for_words_may_be_the_answer(tmp_path: Path) -> None:
    """Where words are asked for, the same words stand beside the offer for one click, and are not taken unasked."""
    async with world(tmp_path) as w:
        await w.say("/pa")
        await tell(w, "buy 100 Tesco for GBP 360")
        await w.click("Use this")
        assert (await w.draft()).asked == "account"
        await w.say("I want to file an expense")
        draft = await w.draft()
        assert "account" not in draft.values and [o.data for o in draft.offers if o.said] == [
            "I want to file an expense"
        ]
        assert "Begin: Expenses" in w.last()


async def test_words_that_bring_the_choice_of_forms_are_the_chosen_ones_first(tmp_path: Path) -> None:
    """An ambiguous first message is not to be said again: whichever form is clicked reads it; a greeting begins it bare."""
    async with world(tmp_path) as w:
        await w.say("nothing about a loan this time, buy 200 Tesco")
        await w.click("Personal account dealing")
        await w.click("Use all of it")
        values = await w.values()
        assert values["quantity"] == 200 and values["direction"] == "buy"
        said = len((await w.draft()).opening)
        await w.click("Personal account dealing")
        again = await w.draft()
        assert len(again.opening) == said and "Here is where we were." in w.last()
    async with world(tmp_path / "two") as w:
        await w.say("hello")
        await w.click("Personal account dealing")
        assert "one at a time" in w.last() and (await w.draft()).values == {}


async def test_going_back_in_words_goes_on_with_what_was_left_open(tmp_path: Path) -> None:
    """Beside expenses, asking for the loan again finds the one that was begun, not a second."""
    async with world(tmp_path) as w:
        loan = await in_a_loan(w)
        await w.say("I want to file an expense")
        await w.click("Iniziare: Expenses")
        await w.say("loan repayment 300")
        assert (await w.draft()).form == "expenses" and "Add: loan repayment" in w.last()
        await w.say("voglio un prestito")
        assert (await w.draft()).id == loan.id and "Torniamo a «Prestiti»" in w.transcript()


FILED = (
    "buy 100 Tesco in my ISA, GBP 360 because I am spreading my savings over more sectors",
    "yes",
    *["no"] * 5,
    "I understand",
)


async def test_after_filing_the_next_request_is_begun_in_words(tmp_path: Path) -> None:
    """ "Another one: sell 50 Apple" begins a request and is its first message; what was filed stands, and what it held of security and
    account is offered to its owner alone, and after an erasure to nobody.
    """
    async with world(tmp_path) as w:
        await tell(w, FILED[0])
        for line in FILED[1:]:
            await answer(w, line)
        await w.click("Submit")
        filed = await w.draft()
        await w.say("another one: sell 50 Apple")
        await w.click("Use all of it")
        draft = await w.draft()
        assert draft.id != filed.id and draft.values["quantity"].data == 50 and draft.values["direction"].data == "sell"
        assert draft.last_time is not None and draft.last_time.record == filed.filed.number
        dana = w.sandbox.person("U0DANA")
        await w.say("/pa", dana)
        assert (await w.draft(dana)).last_time is None
        await w.bot.store.erase(person_key(TEAM, w.alex.id))
        await w.say("/pa")
        assert (await w.draft()).last_time is None
