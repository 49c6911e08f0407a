"""What a model wants done is held against what people ask for: a courtesy or a purchase asks for no deletion and no balance."""

import tomllib
from pathlib import Path

import pytest

from state.draft.draft import Draft
from state.draft.reply import Reply, ToolCall
from state.engine.effects import Operate
from state.engine.events import MessageReceived
from tests.operations.test_advance_operating import AT, go, of, replied, said

LINES: dict[str, list[str]] = tomllib.loads((Path(__file__).parent / "asked.toml").read_text("utf-8"))
DELETE = ToolCall("1", "delete_expense", {"id": 1})
CHANGE = ToolCall("1", "update_expense", {"id": 1, "category": "food"})
EXPORT = ToolCall("1", "export_expenses", {})
BALANCE = ToolCall("1", "get_balance", {})
ADD = {"item": "tea", "amount": "2", "currency": "EUR", "date": "2026-11-20"}


def runs(draft: Draft, call: ToolCall) -> bool:
    """Return True if the call is handed to the operations."""
    return bool(of(replied(draft, Reply(calls=(call,))), Operate))


def then(draft: Draft, text: str) -> Draft:
    """A further line of the person's."""
    return go(draft, MessageReceived(f"m{len(draft.window) + 2}", AT, "U1", text, f"1.{len(draft.window) + 2}")).draft


@pytest.mark.parametrize("line", LINES["not_asked"])
def test_what_nobody_asked_for_is_not_put_up(line: str) -> None:
    """A purchase or a courtesy asks for no deletion, no change, no balance and no file."""
    assert not any(runs(said(line), call) for call in (DELETE, CHANGE, EXPORT, BALANCE))


@pytest.mark.parametrize("line", LINES["asked"])
def test_whoever_asks_for_a_deletion_gets_its_card(line: str) -> None:
    """However plainly, vaguely or politely it is said, in whatever language: the model reads it, and a click decides."""
    assert runs(said(line), DELETE)


@pytest.mark.parametrize("line", LINES["told"])
def test_whoever_asks_to_be_told_is_told(line: str) -> None:
    """The same of balances and files, at once."""
    assert runs(said(line), EXPORT) and runs(said(line), BALANCE)


def test_an_answer_to_the_bots_question_goes_on_with_what_was_asked_for() -> None:
    """Behind "Which one?" a number deletes; a purchase typed instead does not."""
    which = ToolCall("q", "say", {"act": "explain", "about": "delete_expense.id"})
    asked = replied(said("delete the coffee"), Reply(calls=(which,))).draft
    assert runs(then(asked, "1"), DELETE) and runs(then(asked, "the first one"), DELETE)
    assert not runs(then(asked, "tea 2 EUR today"), DELETE)


def test_a_change_that_its_words_tell_is_put_up() -> None:
    """ "The cab was 20" reads like a purchase, and tells what the cab is changed to."""
    to_20 = ToolCall("1", "update_expense", {"id": 2, "amount": "20"})
    assert runs(said("sorry the cab was 20"), to_20) and not runs(said("sorry the cab was 20"), CHANGE)


@pytest.mark.parametrize(("line", "waits"), [
    ("tea 2 EUR 2026-11-20", False), ("I paid 2 EUR for tea 2026-11-20", False), ("tea was 2 EUR 2026-11-20", False),
    ("don't add tea 2 EUR 2026-11-20", True), ("delete tea 2 EUR 2026-11-20", True), ("change the tea to 2 EUR 2026-11-20", True),
    ("tea about 2 EUR 2026-11-20", True), ("tea 2 EUR each 2026-11-20", True), ("tea 2 EUR 2026-11-20 for my boss", True),
])  # fmt: skip
def test_adding_waits_where_a_word_is_left_unexplained(line: str, *, waits: bool) -> None:
    """What a model adds runs at once only where everything that was said is in it; no list says what denies, hedges or narrows."""
    (effect,) = of(replied(said(line), Reply(calls=(ToolCall("1", "add_expense", dict(ADD)),))), Operate)
    assert effect.calls[0].suggested is waits
