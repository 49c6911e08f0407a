"""What is read from a document is a proposal: the person's click sets it, and nothing else does."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.documents.conftest import write_form
from tests.documents.files import pdf
from tests.documents.test_document_answers import send
from tests.world import World, world

FORM = """\
name = "papers"
title = "Papers"
version = "1"
prefix = "PAP"
words = ["papers"]

[fields.payslip]
kind = "document"
label = "Payslip"
ask = "Please send your last payslip."

[fields.net]
kind = "money"
label = "Net salary"
ask = "What do you earn a month, after tax?"
words = ["net salary", "earn"]
currency = "EUR"
maximum = 20000
from_documents = ["payslip"]

[fields.hired]
kind = "date"
label = "Hire date"
ask = "Since when have you worked there?"
from_documents = ["payslip"]

[fields.employer]
kind = "text"
label = "Employer"
ask = "Who is your employer?"
from_documents = ["payslip"]

[fields.truthful]
kind = "yes_no"
label = "Truthful"
ask = "Is all of it true?"
"""
SLIP = ("Employer: Example Works S.r.l.", "Net salary: 1,750.00", "Hire date: 2019-03-04", "Truthful: yes")
READER = """
from state.rules import Rules


def payslip(text):
    return {"net": ("1,750.00", "NETTO 1,750.00"), "hired": ("2019-03-04", "nowhere in it"), "employer": (7, "NETTO")}


rules = Rules(readers={"payslip": payslip})
"""


@pytest.fixture
async def slip(tmp_path: Path) -> AsyncIterator[World]:
    """The bot with a form that a payslip can answer in part, begun."""
    async with world(tmp_path, holdfast_workflows=str(write_form(tmp_path, FORM))) as made:
        await made.say("papers")
        yield made


async def waiting(w: World) -> dict[str, object]:
    """What waits for a click, by field."""
    return {name: value.data for reading in (await w.draft()).readings for name, value in reading.values.items()}


async def test_what_a_document_says_waits_for_a_click(slip: World) -> None:
    """The values that labelled lines give are shown with the words they rest on; none of them is in the draft."""
    await send(slip, "march.pdf", pdf(*SLIP))
    assert set(await slip.values()) == {"payslip"}
    assert await waiting(slip) == {"net": "1750.00", "hired": "2019-03-04", "employer": "Example Works S.r.l."}
    assert "Net salary: 1,750.00" in slip.last() and "Truthful" not in slip.last()


async def test_one_click_confirms_all_that_was_read(slip: World) -> None:
    """The click sets the values with the document as their origin and the quoted words, and the form goes on."""
    await send(slip, "march.pdf", pdf(*SLIP))
    await slip.click("All correct")
    draft = await slip.draft()
    net = draft.values["net"]
    assert (net.data, net.provenance.how, net.provenance.who) == ("1750.00", "document", slip.alex.id)
    assert net.provenance.message == draft.values["payslip"].data and net.provenance.words == "Net salary: 1,750.00"
    assert draft.asked == "truthful" and await waiting(slip) == {}
    await slip.click("Yes")
    assert "from your document" in slip.last()


async def test_each_value_can_be_confirmed_by_itself(slip: World) -> None:
    """A value that is right is taken alone; what is not right is left, and the form asks for it."""
    await send(slip, "march.pdf", pdf(*SLIP))
    await slip.click("hf.take.net")
    assert (await slip.values())["net"] == "1750.00" and set(await waiting(slip)) == {"hired", "employer"}
    await slip.click("Not right")
    draft = await slip.draft()
    assert set(draft.values) == {"payslip", "net"} and draft.asked == "hired"
    assert all(f"{label}: not used from the document." in slip.last() for label in ("Hire date", "Employer"))


async def test_no_word_confirms_what_was_read(slip: World) -> None:
    """A "yes" that is typed takes nothing over; the card is shown again."""
    await send(slip, "march.pdf", pdf(*SLIP))
    await slip.say("yes, all of it is right")
    assert set(await slip.values()) == {"payslip"} and len(await waiting(slip)) == 3
    await slip.click("All correct")
    assert (await slip.values())["net"] == "1750.00"


async def test_what_the_person_said_is_never_overwritten(slip: World) -> None:
    """An answer that was given stands against the document, unless its owner clicks on the difference."""
    await slip.say("I earn 1,800.00")
    await slip.click("✓ €1,800.00")
    assert (await slip.values())["net"] == "1800.00"
    await send(slip, "march.pdf", pdf(*SLIP))
    assert "You said: 1,800.00" in slip.last() or "You said: €1,800.00" in slip.last()
    await slip.click("All correct")
    assert (await slip.values())["net"] == "1800.00" and await waiting(slip) == {"net": "1750.00"}
    await slip.click("Keep what I said")
    assert (await slip.values())["net"] == "1800.00" and (await slip.draft()).asked == "truthful"


async def test_a_difference_is_settled_by_its_own_click(slip: World) -> None:
    """The document's value takes the place of the person's when they click on just that."""
    await slip.say("I earn 1,800.00")
    await slip.click("✓ €1,800.00")
    await send(slip, "march.pdf", pdf("Net salary: 1,750.00"))
    await slip.click("Use this instead")
    net = (await slip.draft()).values["net"]
    assert (net.data, net.provenance.how) == ("1750.00", "document")


async def test_a_value_that_can_be_read_in_two_ways_is_not_proposed(slip: World) -> None:
    """Two lines that say different things of one field propose nothing; nor does a value that the field refuses."""
    await send(slip, "march.pdf", pdf("Net salary: 1,750.00", "Net salary: 1,900.00", "Hire date: soon"))
    assert await waiting(slip) == {} and (await slip.draft()).asked == "net"


async def test_a_click_on_an_old_card_confirms_nothing(slip: World) -> None:
    """A card of a document that was replaced is out of date."""
    await send(slip, "march.pdf", pdf(*SLIP))
    old = slip.screen()[-1]
    await slip.edit("Payslip")
    assert (await slip.draft()).asked == "payslip" and "Net salary: 1,750.00" not in slip.last()
    await send(slip, "april.pdf", pdf("Net salary: 1,600.00"))
    await slip.alex.click("All correct", old, stale=True)
    await slip.settled()
    assert "net" not in await slip.values() and await waiting(slip) == {"net": "1600.00"}


async def test_a_forms_own_reader_cannot_invent(tmp_path: Path) -> None:
    """What the form's reader gives counts only as far as its words stand in the document and its value can be read."""
    forms = write_form(tmp_path, FORM, rules_py=READER)
    async with world(tmp_path, holdfast_workflows=str(forms)) as w:
        await w.say("papers")
        await send(w, "march.pdf", pdf("CEDOLINO", "NETTO 1,750.00"))
        assert await waiting(w) == {"net": "1750.00"}
