"""Plain lines about money, read without any model: whatever would be written waits for a click, and nothing that was said is dropped."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from state.draft.draft import ChatLine
from state.draft.operations import Wanted
from state.fields.base import Context
from state.guards.operations import Verdict, judge_reply
from state.understanding.operations import read_operations
from tests.operations.test_advance_operating import said, workflow

LINES: dict[str, dict[str, Any]] = tomllib.loads((Path(__file__).parent / "lines.toml").read_text("utf-8"))
FRIDAY = Context("en-GB", "2026-11-20")


def read(line: str) -> Verdict:
    """What a line comes to."""
    draft = replace(said(line), last_entry=7)
    reply = read_operations(workflow().form, draft, line, "m1", FRIDAY)
    return judge_reply(workflow().form, draft, reply, FRIDAY)


def told(wanted: Wanted) -> dict[str, Any]:
    """What was said of a call, without what was worked out."""
    return {name: data for name, data in wanted.arguments.items() if name not in wanted.inferred}


@pytest.mark.parametrize("line", LINES["add"])
def test_an_addition_waits_in_the_persons_own_words(line: str) -> None:
    """Each thing is a line of one card, with its amount and whatever else was said of it."""
    verdict = read(line)
    assert [told(one) for one in verdict.wanted] == LINES["add"][line]
    assert all(one.suggested for one in verdict.wanted)


@pytest.mark.parametrize("line", LINES["abroad"])
def test_numbers_and_days_are_read_in_the_words_of_another_language(line: str) -> None:
    """They wait for a click, shown as filled in: words of another language are never taken."""
    wanted = LINES["abroad"][line]
    read_so = [{n: one.arguments[n] for n in row} for one, row in zip(read(line).wanted, wanted, strict=True)]
    assert read_so == wanted


@pytest.mark.parametrize("answer", ["Wednesday", "it was on Wednesday"])
def test_a_day_that_was_left_open_is_answered_beside_the_line_before(answer: str) -> None:
    """Of two days in a line none is guessed; the answer to the question completes what was said."""
    draft = said("hotel 120 last Tuesday or Wednesday")
    draft = replace(
        draft,
        window=(
            *draft.window,
            ChatLine("assistant", "What day was it?", "2.0"),
            ChatLine("user", answer, "3.0", unread=True),
        ),
    )
    (call,) = read_operations(workflow().form, draft, answer, "m1", FRIDAY).calls
    assert call.arguments == {"item": "hotel", "amount": "120.00", "date": "2026-11-18"}


@pytest.mark.parametrize("line", LINES["tell"])
def test_what_only_tells_runs_where_every_word_is_explained(line: str) -> None:
    """A range or a category in the words is the one that is told of."""
    (wanted,) = read(line).wanted
    assert {"operation": wanted.operation, **wanted.arguments} == LINES["tell"][line]


@pytest.mark.parametrize("line", LINES["change"])
def test_a_change_waits_and_names_its_row(line: str) -> None:
    """By its number, as the last one, or by words that stand in it."""
    (wanted,) = read(line).wanted
    words = {"words": wanted.words} if wanted.words else {}
    assert {"operation": wanted.operation, **wanted.arguments, **words} == LINES["change"][line]


@pytest.mark.parametrize("line", LINES["ask"])
def test_what_is_not_read_is_asked_about(line: str) -> None:
    """The very words that nothing explains are quoted with the question; nothing runs, and nothing waits."""
    verdict = read(line)
    assert verdict.wanted == () and [saying.words for saying in verdict.said] == [LINES["ask"][line]]


@pytest.mark.parametrize("line", LINES["nothing"])
def test_nothing_is_made_up(line: str) -> None:
    """A greeting, a word alone, a question and thanks add nothing."""
    assert read(line).wanted == read(line).said == ()
