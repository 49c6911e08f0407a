"""Arguments against the fields, and against the person's words: what is said, what may be guessed, what is refused."""

from functools import cache
from typing import Any

import pytest

from state.draft.operations import Identity, may_call, may_touch, needs_confirmation
from state.draft.rejection import Rejection
from state.fields.base import Context
from state.form.schema import Form, Operation
from state.understanding.arguments import Checked, against_words, check
from tests.shipped import shipped

TODAY = Context("en-GB", "2026-11-20")
COFFEE = {"item": "coffee", "amount": "3.50"}


@cache
def form() -> Form:
    """The shipped expenses."""
    return shipped("expenses").form


def operation(name: str = "add_expense", **changed: Any) -> Operation:
    """One of its operations."""
    return form().operations[name].model_copy(update=changed)


def judged(given: dict[str, Any], *lines: str, name: str = "add_expense") -> Checked | Rejection:
    """The arguments, held against what the person said, newest line first."""
    checked = check(operation(name), given, TODAY, "EUR")
    return against_words(operation(name), checked, lines, TODAY) if isinstance(checked, Checked) else checked


def test_what_is_not_said_is_guessed_and_marked() -> None:
    """The day is the person's own today, the currency the form's usual one; both count as inferred."""
    assert judged(COFFEE, "coffee 3,50") == Checked(
        {**COFFEE, "date": "2026-11-20", "currency": "EUR"}, frozenset({"date", "currency"})
    )


@pytest.mark.parametrize(
    ("locale", "line", "currency"),
    [
        ("en-GB", "$3.50 coffee", "USD"),
        ("en-GB", "coffee 3.50 dollars", "USD"),
        ("en-GB", "coffee 3,50 kr", "SEK"),
        ("en-GB", "¥3.50 coffee", "JPY"),
        ("it-IT", "coffee 3,50 dollari", "USD"),
        ("es-ES", "coffee 3,50 dólares", "USD"),
        ("de-DE", "coffee 3,50 Dollar", "USD"),
        ("en-GB", "coffee 3.50", "EUR"),
    ],
)
def test_money_that_is_named_is_never_taken_for_the_usual_one(locale: str, line: str, currency: str) -> None:
    """Words that leave open whose dollars they mean are no euros: the likeliest is proposed, and counts as inferred."""
    context = Context(locale, "2026-11-20")
    checked = check(operation(), COFFEE, context, "EUR")
    assert isinstance(checked, Checked)
    found = against_words(operation(), checked, ("tea 2", line)[::-1], context)
    assert isinstance(found, Checked) and found.arguments["currency"] == currency and "currency" in found.inferred


def test_the_usual_dollar_stays_the_usual_one() -> None:
    """Where the form's usual currency may be meant, it is."""
    checked = check(operation(), COFFEE, TODAY, "CAD")
    assert isinstance(checked, Checked)
    found = against_words(operation(), checked, ("coffee 3.50 dollars",), TODAY)
    assert isinstance(found, Checked) and found.arguments["currency"] == "CAD"


def test_what_is_said_is_not_inferred() -> None:
    """A day, a currency and a category in the person's words are theirs."""
    given = {**COFFEE, "currency": "GBP", "date": "2026-11-19", "category": "food"}
    assert judged(given, "£3.50 coffee yesterday, food") == Checked(given)


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({**COFFEE, "amount": "35"}, "coffee 3.50"),
        ({**COFFEE, "amount": "3.50"}, "a coffee this morning"),
        ({**COFFEE, "amount": "20"}, "coffee on the 20th of November, 3.50"),
        ({**COFFEE, "item": "limousine"}, "coffee 3.50"),
        ({**COFFEE, "currency": "USD"}, "coffee €3.50"),
        ({**COFFEE, "date": "2026-11-01"}, "coffee 3.50 yesterday"),
        ({**COFFEE, "tip": "1"}, "coffee 3.50"),
        ({**COFFEE, "amount": "much"}, "coffee, much"),
        ({"amount": "3.50"}, "3.50"),
    ],
)
def test_what_the_words_do_not_bear_is_refused(given: dict[str, Any], line: str) -> None:
    """Another sum, a sum that nobody said, a day's number as a sum, another thing, currency or day, a stray or missing argument."""
    assert isinstance(judged(given, line), Rejection)


def test_a_newer_figure_puts_an_older_one_right() -> None:
    """After "no, 4" the older sum is nobody's any more."""
    assert isinstance(judged({**COFFEE, "amount": "3.50"}, "no, 4", "coffee 3.50"), Rejection)
    assert isinstance(judged({**COFFEE, "amount": "4"}, "no, 4", "coffee 3.50"), Checked)


def test_a_product_of_what_was_said_is_refused() -> None:
    """Nobody said 24 in "x2 at 12": no figure is worked out."""
    assert isinstance(judged({"item": "bread", "amount": "24"}, "bread x2 at 12"), Rejection)


def test_a_category_that_nobody_named_is_inferred() -> None:
    """A model may read "coffee" as food; that waits for a click."""
    checked = judged({**COFFEE, "category": "food"}, "coffee 3.50")
    assert isinstance(checked, Checked) and "category" in checked.inferred


def test_a_change_guesses_nothing() -> None:
    """What a change leaves out stays as it is: no day, no currency is filled in."""
    checked = judged({"id": 12, "amount": "4"}, "change 12 to 4", name="update_expense")
    assert checked == Checked({"id": 12, "amount": "4.00"})


@pytest.mark.parametrize(
    ("confirm", "inferred", "several", "warned", "waits"),
    [
        ("always", False, False, False, True),
        ("never", True, True, True, False),
        ("inferred", False, False, False, False),
        ("inferred", True, False, False, True),
        ("inferred", False, True, False, True),
        ("inferred", False, False, True, True),
    ],
)
def test_the_gate(confirm: str, *, inferred: bool, several: bool, warned: bool, waits: bool) -> None:
    """Always, never, or when something was inferred, told together with others, or warned about."""
    given = operation(confirm=confirm)
    assert needs_confirmation(given, inferred=inferred, several=several, warned=warned) is waits


def test_reach_and_roles() -> None:
    """Own rows for everybody, the tenant's for those who see it whole, another tenant's for nobody; roles open operations."""
    alex, wide = Identity("T1", "U1"), Identity("T1", "U2", frozenset({"member", "finance_admin"}), wide=True)
    assert may_touch(alex, "T1", "U1") and not may_touch(alex, "T1", "U2") and not may_touch(alex, "T2", "U1")
    assert may_touch(wide, "T1", "U1") and not may_touch(wide, "T2", "U2")
    closed = operation(roles=("finance_admin",))
    assert may_call(wide, closed) and not may_call(alex, closed) and may_call(alex, operation())
