"""A file counts as the document that was asked for where its own words say so; any other one only by a click."""

from pathlib import Path

import pytest

from tests.documents.conftest import write_form
from tests.documents.files import pdf
from tests.documents.test_document_answers import send
from tests.documents.test_document_readings import FORM, SLIP
from tests.world import world

KNOWN = FORM.replace(
    'ask = "Please send your last payslip."',
    'ask = "Please send your last payslip."\nknown_by = ["net salary", "payslip"]',
)
CARD = ("HEALTH CARD", "Hire date: 2019-03-04", "Number 123")


async def test_a_file_of_another_kind_is_put_back(tmp_path: Path) -> None:
    """Though something in it can be read: nothing is taken, and the person uses it all the same or sends another."""
    async with world(tmp_path, holdfast_workflows=str(write_form(tmp_path, KNOWN))) as w:
        await w.say("papers")
        await send(w, "card.pdf", pdf(*CARD))
        assert "“card.pdf” doesn't look like this: Payslip." in w.last() and await w.values() == {}
        await w.click("Use it anyway")
        assert set(await w.values()) == {"payslip"} and "I've saved “card.pdf” as payslip." in w.transcript()


@pytest.mark.parametrize("way", ["by its button", "by sending it"])
async def test_another_file_takes_its_place(way: str, tmp_path: Path) -> None:
    """The file that did not look right is not kept, and the right one is taken at once."""
    async with world(tmp_path, holdfast_workflows=str(write_form(tmp_path, KNOWN))) as w:
        await w.say("papers")
        await send(w, "card.pdf", pdf(*CARD))
        doubted = (await w.draft()).readings[0].document
        if way == "by its button":
            await w.click("Send another one")
            assert (await w.draft()).asked == "payslip" and await w.values() == {}
        await send(w, "march.pdf", pdf(*SLIP))
        draft = await w.draft()
        assert set(draft.values) == {"payslip"} and draft.values["payslip"].label == "march.pdf"
        assert await w.bot.store.document(doubted) is None


async def test_a_file_that_says_nothing_of_what_is_asked_is_told(tmp_path: Path) -> None:
    """Where a form names no words for it, it is taken, and the person reads that nothing could be read."""
    async with world(tmp_path, holdfast_workflows=str(write_form(tmp_path, FORM))) as w:
        await w.say("papers")
        await send(w, "card.pdf", pdf("HEALTH CARD", "Number 123"))
        assert "could not read what “card.pdf” says" in w.transcript()
