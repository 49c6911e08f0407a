"""Plain lines about money, read without any model: what they say and nothing else."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from state.draft.draft import Draft
from state.engine import begin
from state.fields.base import Context
from state.understanding.operations import read_operations
from state.workflow.load import Workflow
from tests.shipped import shipped

FOLDER = Path(__file__).parents[2] / "bot" / "workflows" / "expenses"
TODAY = Context("en-GB", "2026-11-20")


@cache
def workflow() -> Workflow:
    """The shipped workflow."""
    return shipped("expenses")


def draft(last_entry: int = 0) -> Draft:
    """A conversation that has just begun."""
    made = begin(workflow().form, "d1", "T1", "U1", "T1:D1:", "2026-11-20T09:00:00+00:00")
    return replace(made, last_entry=last_entry)


def read(text: str, context: Context = TODAY, last_entry: int = 0) -> list[tuple[str, dict[str, Any]]]:
    """The calls that a line proposes."""
    reply = read_operations(workflow().form, draft(last_entry), text, "m1", context)
    return [(call.tool, call.arguments or {}) for call in reply.calls]


def add(item: str, amount: str, **more: str) -> tuple[str, dict[str, Any]]:
    """An addition."""
    return "add_expense", {"item": item, "amount": amount, **more}


FURTHER = (
    "another one: 5 tea", "another one, tea 5", "one more - tea 5", "hi, the next one: tea 5", "I have another one: 5 tea", "then tea 5",
    "and also tea 5", "add another one: 5 tea", "another expense: tea 5", "un altro: tea 5", "otra más: tea 5", "noch eins: tea 5",
    "e poi tea 5", "además tea 5", "dann noch tea 5", "un'altra spesa: tea 5", "otro gasto: tea 5", "noch eine Ausgabe: tea 5",
)  # fmt: skip
"""One and the same thing, behind words that only lead to it."""


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("coffee 3,50", [add("coffee", "3.50")]),
        ("£200 mechanic yesterday", [add("mechanic", "200", currency="GBP", date="2026-11-19")]),
        ("bread x2 at 12, eggs 15", [add("bread x2", "24"), add("eggs", "15")]),
        ("bread x2 12", [add("bread x2", "12")]),
        ("I spent 12 euros on lunch today", [add("lunch", "12", currency="EUR", date="2026-11-20")]),
        (
            "coffee 3 and tea 2.50 yesterday",
            [add("coffee", "3", date="2026-11-19"), add("tea", "2.50", date="2026-11-19")],
        ),
        ("taxi 1,250.00 USD", [add("taxi", "1250.00", currency="USD")]),
        ("add dinner with Anna, Bob and Carla 45", [add("dinner with Anna Bob and Carla", "45")]),
        ("paid 30 for parking on 12 November", [add("parking", "30", date="2026-11-12")]),
        *((line, [add("tea", "5")]) for line in FURTHER),
        ("first aid kit 20, next: plus size shirt 30", [add("first aid kit", "20"), add("plus size shirt", "30")]),
        ("lunch with another one 5", [add("lunch with another one", "5")]),
        ("food: sandwich 4.20", [add("food: sandwich", "4.20", category="food")]),
        ("list this month", [("list_expenses", {"range": "2026-11-01/2026-11-30"})]),
        ("show my food expenses", [("list_expenses", {"category": "food"})]),
        ("balance", [("get_balance", {})]),
        ("how much did I spend last month", [("get_balance", {"range": "2026-10-01/2026-10-31"})]),
        ("summary 2026-10", [("summarise_expenses", {"range": "2026-10-01/2026-10-31"})]),
        ("export", [("export_expenses", {})]),
        ("delete 12", [("delete_expense", {"id": 12})]),
        ("please delete number 12", [("delete_expense", {"id": 12})]),
        ("change 12 to 4.50", [("update_expense", {"id": 12, "amount": "4.50"})]),
        ("change 12 item to tea", [("update_expense", {"id": 12, "item": "tea"})]),
        (
            "update 12 yesterday, 5 GBP",
            [("update_expense", {"id": 12, "amount": "5", "currency": "GBP", "date": "2026-11-19"})],
        ),
    ],
)
def test_a_plain_line_is_read(text: str, calls: list[Any]) -> None:
    """Items, sums, currencies, days, counts, and the words that name an operation."""
    assert read(text) == calls


@pytest.mark.parametrize(
    "text", ["hello", "coffee", "don't add coffee 3.50", "did I pay 3.50 for coffee?", "thanks a lot"]
)
def test_nothing_is_made_up(text: str) -> None:
    """A greeting, a word alone, a denial and a question add nothing."""
    assert read(text) == []


def test_the_last_one_is_the_one_that_was_touched_last() -> None:
    """ "The last one" means a number only where there is one; else the number is asked for."""
    assert read("change the last one to 4.50", last_entry=7) == [("update_expense", {"id": 7, "amount": "4.50"})]
    reply = read_operations(workflow().form, draft(), "delete the last one", "m1", TODAY)
    assert [c.arguments for c in reply.calls] == [{"act": "explain", "about": "delete_expense.id"}]
    assert reply.text == "Which one? Please give its number."


def test_what_a_line_lacks_is_asked_for() -> None:
    """A sum without a thing asks for the thing, in the form's own words."""
    reply = read_operations(workflow().form, draft(), "3.50", "m1", TODAY)
    assert [c.arguments for c in reply.calls] == [{"act": "explain", "about": "add_expense.item"}]
    assert reply.text == "What was it for?"
