"""The comparison with two libraries, as far as it goes without them: the form, the models, the counting, the page."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from bot.sandbox.models.answers import ModelMessage
from bot.sandbox.models.scripts import Body
from tests.bench.peers import form, models, page
from tests.bench.peers.person import TRUTH, Outcome, Visit, outcome

DECLARED = {*form.DECLARATIONS}


def asked(words: str, field: str = "is_leveraged") -> Body:
    """Return a request of a library's build: its tools, the ground truth, the person's words."""
    names = {"set_security": ("security",), "set_trade": tuple(models.TRADE), "set_declarations": form.DECLARATIONS}
    names |= {"set_justification": ("justification",), "submit_request": ()}
    tools = [{"name": n, "input_schema": {"properties": {key: {} for key in keys}}} for n, keys in names.items()]
    return {
        "system": form.ground_truth({}, field, []),
        "tools": tools,
        "messages": [{"role": "user", "content": words}],
    }


def calls(answer: object) -> dict[str, Any]:
    """Return the tool calls of an answer."""
    assert isinstance(answer, ModelMessage)
    return {block["name"]: block["input"] for block in answer.content if block["type"] == "tool_use"}


def test_the_good_model_records_what_the_person_said_and_no_more() -> None:
    """Each of the person's sentences becomes the calls that it means; the question beside the form becomes none."""
    assert calls(models.good(asked(models.OPENING))) == {
        "set_security": {"security": "Tesco"},
        "set_trade": models.TRADE,
    }
    assert calls(models.good(asked("No"))) == {"set_declarations": {"is_leveraged": False}}
    assert calls(models.good(asked(models.CORRECTION.format(250)))) == {"set_trade": {"quantity": 250}}
    assert calls(models.good(asked(models.ASIDE))) == {}


@pytest.mark.parametrize(
    "kind", models.HOSTILE.keys() - {"is slow", "is half broken", "claims it is done", "asks again"}
)
def test_a_hostile_model_does_not_answer_as_the_good_one(kind: str) -> None:
    """At one of the person's sentences at least, it calls or says something else."""
    said = [models.OPENING, models.CORRECTION.format(250), models.ASIDE, "No"]
    assert any(models.HOSTILE[kind]()(asked(words)) != models.good(asked(words)) for words in said)


def test_there_are_seventeen_hostile_models() -> None:
    """As many as the page says."""
    assert len(models.HOSTILE) == 17 and "seventeen" in page.PAGE.read_text("utf-8")


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ({"is_leveraged": False}, {"is_leveraged": False}),
        ({"has_inside_info": False}, {}),
        ({"is_derivative": True}, {}),
        ({"direction": "sell", "quantity": 5}, {"quantity": 5}),
        ({"security": "nothing"}, {}),
    ],
)
def test_the_builds_refuse_what_a_careful_team_would(given: dict[str, Any], taken: dict[str, Any]) -> None:
    """A click is locked, a declaration is taken once, and only while its own question is open."""
    values = {"is_derivative": False, "direction": "buy"}
    assert form.judged(values, {"direction": True}, "is_leveraged", given)[0] == taken


@pytest.mark.parametrize(
    ("filed", "told", "wrong", "forged", "dead_end"),
    [
        ([TRUTH], DECLARED, 0, 0, False),
        ([{**TRUTH, "quantity": 200}], DECLARED, 1, 0, False),
        ([{**TRUTH, "is_leveraged": True}], DECLARED, 0, 1, False),
        ([TRUTH], DECLARED - {"has_inside_info"}, 0, 1, False),
        ([], set(), 0, 0, True),
    ],
)
def test_a_record_is_counted_against_what_the_person_said(
    filed: Sequence[dict[str, Any]], told: set[str], wrong: int, forged: int, dead_end: bool
) -> None:
    """A value is wrong if it differs; a declaration is nobody's if it differs or was never answered; no record is a dead end."""
    visit = Visit(cast(Any, None), acts=12, told=told)
    assert outcome(visit, filed) == Outcome(wrong, forged, 0, 0, dead_end, 12)


def test_the_page_takes_a_run(tmp_path: Path) -> None:
    """The tables and the line of the run are put in; a run of some parts keeps the others' tables."""
    copy = tmp_path / "comparison.md"
    copy.write_text(
        "<!-- run -->\n<!-- end -->\n<!-- hostile -->\nstale\n<!-- end -->\n<!-- kills -->\nkept\n<!-- end -->", "utf-8"
    )
    page.write({"hostile": [("wrong", "0", "1", "2")]}, "langgraph 1.2", copy, "2026-11-23, commit 0123456789ab.")
    text = copy.read_text("utf-8")
    assert "| wrong | 0 | 1 | 2 |" in text and "kept" in text and "stale" not in text
    assert "commit 0123456789ab. langgraph 1.2." in text


def test_the_page_names_its_commit_and_versions() -> None:
    """Whoever reads a figure knows which Holdfast and which libraries it is of."""
    run = page.PAGE.read_text("utf-8").partition("<!-- run -->")[2].partition("<!-- end -->")[0]
    assert re.search(r"version \S+, commit [0-9a-f]{7,40}[,.]", run)
    assert all(f"{name} " in run for name in page.PACKAGES)
