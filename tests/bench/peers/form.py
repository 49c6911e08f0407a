"""The form that both builds fill in: Holdfast's own file, its questions word for word; how a value is set, and what a model is told."""

import csv
import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

FOLDER = Path(__file__).parents[3] / "bot" / "workflows" / "pa_dealing"
FORM = tomllib.loads((FOLDER / "form.toml").read_text("utf-8"))
UNLISTED = ("security_name", "security_isin")
FIELDS: dict[str, dict[str, Any]] = {name: told for name, told in FORM["fields"].items() if name not in UNLISTED}
DECLARATIONS: tuple[str, ...] = tuple(FORM["groups"]["declarations"]["fields"])
_LINES = [line for line in (FOLDER / "data" / "securities.csv").read_text("utf-8").splitlines() if line[:1] != "#"]
SECURITIES = {row["isin"]: row for row in csv.DictReader(_LINES)}

Direction = Literal["buy", "sell"]
Quantity = Annotated[int, Field(ge=1)]
Amount = Annotated[Decimal, Field(ge=1)]
Currency = Annotated[str, Field(pattern="^[A-Z]{3}$")]
Words = Annotated[str, Field(min_length=1, max_length=1000)]

Values = Mapping[str, Any]
PROMPT = """You help an employee of Northmoor to request clearance for a personal trade, in Slack.
The app asks the questions and shows the buttons; you understand what the person types. Record what they say with the tools, and
never record what they have not said. Then answer in one or two short sentences. Don't ask the next question: the app does."""


def missing(values: Values) -> list[str]:
    """Return the fields that still want a value, in the order of asking."""
    wanted = (name for name, told in FIELDS.items() if "when" not in told or values.get(told["when"]))
    return [name for name in wanted if name not in values]


def question(name: str, values: Values) -> str:
    """Return the form's question for a field."""
    return str(FIELDS[name]["ask"]).replace("{security}", shown("security", values.get("security")))


def shown(name: str, value: object) -> str:
    """Return a value as a person reads it."""
    if name == "security":
        return SECURITIES[str(value)]["name"] if value else "it"
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return str(value)


def ground_truth(values: Values, asked: str, found: list[str]) -> str:
    """Return what a model is told of the draft before each request."""
    known = [f"- {name}: {shown(name, value)}" for name, value in values.items()]
    offered = [f"Securities on the screen, one to be clicked: {', '.join(found)}"] if found else []
    lines = ["The draft, which is the truth:", *known, *offered, f"Missing: {', '.join(missing(values)) or 'nothing'}"]
    return "\n".join([*lines, f"Open question: {asked}"])


def search(query: str) -> list[str]:
    """Return the ISINs of the securities that a name, ticker or identifier may mean, five at most."""
    wanted = query.strip().lower()
    exact = [
        isin
        for isin, row in SECURITIES.items()
        if wanted in {str(row[k]).lower() for k in ("isin", "ticker", "sedol", "cusip") if row[k]}
    ]
    return (exact or [isin for isin, row in SECURITIES.items() if wanted and wanted in row["name"].lower()])[:5]


def judged(values: Values, clicked: Values, asked: str, given: Values) -> tuple[dict[str, Any], str]:
    """Return what a tool call may change, and a sentence for the model.

    A clicked value is locked, and so is a declaration once answered; a declaration is taken while its own question is open.
    """
    taken: dict[str, Any] = {}
    refused: list[str] = []
    for name, value in given.items():
        if value is None:
            continue
        if name in clicked or (name in DECLARATIONS and (name in values or name != asked)):
            refused.append(name)
        else:
            taken[name] = f"{value:.2f}" if isinstance(value, Decimal) else value
    if taken.get("security") not in (None, *SECURITIES):
        refused.append("security")
        del taken["security"]
    said = f"Recorded: {', '.join(taken) or 'nothing'}."
    return taken, said + (
        f" Refused, only the person may change or answer it: {', '.join(refused)}." if refused else ""
    )


def asks(text: str) -> list[str]:
    """Return the fields whose question is in a text."""
    return [name for name, pattern in _QUESTIONS.items() if pattern.search(text)]


_QUESTIONS = {
    name: re.compile(r".{1,60}".join(map(re.escape, re.split(r"\{\w+\}", told["ask"]))))
    for name, told in FIELDS.items()
}
