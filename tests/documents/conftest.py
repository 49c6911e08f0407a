"""A form that asks for files, and a world that knows no other."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.world import World, world

FORM = """\
name = "papers"
title = "Papers"
version = "1"
prefix = "PAP"
words = ["papers", "loan"]
retention_days = 14

[fields.payslip]
kind = "document"
label = "Payslip"
ask = "Please send your last payslip."
help = "The one of last month, with the net amount on it."
accept = ["pdf"]

[fields.photos]
kind = "documents"
label = "Photos"
ask = "Please send photos of the front and the back."
accept = ["image"]
minimum = 2
maximum = 3

[fields.letter]
kind = "document"
label = "Letter"
ask = "Is there a letter of your employer?"
required = false

[fields.reason]
kind = "text"
label = "Reason"
ask = "What is it for?"
"""


def write_form(folder: Path, text: str = FORM, **files: str) -> Path:
    """Write a workflow into a folder of workflows; gives that folder."""
    there = folder / "forms" / "papers"
    there.mkdir(parents=True)
    (there / "form.toml").write_text(text)
    for name, content in files.items():
        (there / name.replace("_py", ".py")).write_text(content)
    return folder / "forms"


@pytest.fixture
async def papers(tmp_path: Path) -> AsyncIterator[World]:
    """The bot with that form and no key, the form begun."""
    async with world(tmp_path, holdfast_workflows=str(write_form(tmp_path))) as made:
        await made.say("I need to send papers")
        yield made
