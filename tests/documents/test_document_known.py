"""A file counts as the document that was asked for where its own words say so; any other one only by a click."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.models.answers import Answer, call, text, tools
from bot.sandbox.models.scripts import offered
from bot.sandbox.talk import Upload
from state.understanding.documents import words_told
from tests.documents.conftest import write_form
from tests.documents.files import locked_pdf, pdf, png
from tests.documents.test_document_answers import kept, send
from tests.documents.test_document_readings import FORM, SLIP
from tests.documents.test_document_talk import share
from tests.world import World, world

KNOWN = FORM.replace(
    'ask = "Please send your last payslip."',
    'ask = "Please send your last payslip."\nknown_by = ["net salary", "payslip"]',
)
TWO = """
name = "papers"
title = "Papers"
version = "1"
prefix = "PAP"
words = ["papers"]

[fields.identity]
kind = "document"
label = "Identity card"
ask = "Please send your identity card."
known_by = ["identity card", "passport", "carta d'identità"]

[fields.payslips]
kind = "documents"
label = "Payslips"
ask = "Please send your payslips."
known_by = { words = ["payslip", "deductions"], fields = ["net"] }
unread = "keep"
maximum = 2

[papers.disability]
label = "Certificate of disability"
known_by = ["degree of disability", "disability certificate"]

[fields.net]
kind = "money"
label = "Net salary"
ask = "What do you earn a month, after tax?"
words = ["net pay"]
currency = "EUR"
from_documents = ["payslips"]
"""
PASSPORT = ("PASSPORT", "Reed, Alex")
MARCH = ("Example Works", "Deductions: 210.00", "Net pay: 1,750.00", "Identity card no. 0000")
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
        assert "couldn't read “card.pdf”" in w.transcript()


@pytest.mark.parametrize("paper", ["CARTA D\u2019IDENTITÀ", "carta d'identita", "Carta\nd'identità"])
def test_a_word_of_a_document_is_known_as_it_is_printed(paper: str) -> None:
    """In capitals, over two lines, with a curled mark, or without the accents that a recogniser loses; never within another word."""
    assert words_told(paper, ["carta d'identità"]) == 1
    assert words_told(f"s{paper}", ["carta d'identità"]) == 0


def begun(folder: Path, text_of_form: str = TWO) -> AbstractAsyncContextManager[World]:
    """The bot with a form that asks for two kinds of document, and knows a third."""
    return world(folder, holdfast_workflows=str(write_form(folder, text_of_form)))


async def files(w: World) -> dict[str, tuple[str, bool]]:
    """The files that fields hold, by name, and if they are sure to be what was asked for."""
    return {name: (value.label, value.sure) for name, value in (await w.draft()).values.items() if value.label}


@pytest.mark.parametrize(
    ("act", "held"),
    [
        ("Use as Payslips", {"payslips": ("card.pdf", True)}),
        ("Use as Identity card", {"identity": ("card.pdf", False)}),
        ("Send another one", {}),
    ],
)
async def test_a_file_that_fits_another_question_is_offered_there(
    act: str, held: dict[str, Any], tmp_path: Path
) -> None:
    """By what most of its text says, whatever it is called; only what was taken against its reading is marked to be checked."""
    async with begun(tmp_path) as w:
        await w.say("papers")
        await send(w, "card.pdf", pdf(*MARCH))
        assert "“card.pdf” reads like “Payslips”. Use it as “Identity card” anyway?" in w.last()
        await w.say("yes, use it")
        assert await files(w) == {}
        await w.click(act)
        assert await files(w) == held and len(await kept(w)) == len(held)
        assert ("Net pay: 1,750.00" in w.last()) is ("payslips" in held)
        assert ("I did not keep “card.pdf”." in w.last()) is (not held)


async def test_a_document_that_nobody_asks_for_is_known_as_such(tmp_path: Path) -> None:
    """A form names kinds that it does not want; such a file is not offered for anything else."""
    async with begun(tmp_path) as w:
        await w.say("papers")
        await send(w, "passport.pdf", pdf("DISABILITY CERTIFICATE", "Degree of disability: 50"))
        assert "reads like “Certificate of disability”" in w.last() and "Use as" not in w.last()
        await w.click("Use it anyway")
        assert await files(w) == {"identity": ("passport.pdf", False)}


async def test_files_of_one_message_go_where_they_fit(tmp_path: Path) -> None:
    """In whatever order; what fits nothing is asked about, beside those that were taken."""
    async with begun(tmp_path) as w:
        await w.say("papers")
        sent = (Upload("1.pdf", pdf(*MARCH)), Upload("2.pdf", pdf(*CARD)), Upload("3.pdf", pdf(*PASSPORT)))
        await share(w, "", *sent)
        draft = await w.draft()
        assert draft.values["payslips"].label == "1.pdf" and draft.values["identity"].label == "3.pdf"
        assert "I did not keep “2.pdf”." in w.transcript() and len(await kept(w)) == 2


async def test_a_file_of_two_kinds_is_offered_for_the_second(tmp_path: Path) -> None:
    """One scan may hold both: it is taken for what was asked, and a click takes it for the other as well."""
    async with begun(tmp_path) as w:
        await w.say("papers")
        await send(w, "both.pdf", pdf("CARTA D'IDENTITA", "Payslip of March"))
        assert "“both.pdf” also reads like “Payslips”." in w.last()
        assert await files(w) == {"identity": ("both.pdf", True)}
        await w.click("Use it for both")
        assert set(await files(w)) == {"identity", "payslips"} and len(await kept(w)) == 1


async def test_the_same_file_is_not_taken_twice(tmp_path: Path) -> None:
    """For the same question it is said, whatever its name is now; for another one a click decides."""
    passport, payslip = pdf(*PASSPORT), pdf("Payslip of March")
    async with begun(tmp_path) as w:
        await w.say("papers")
        await send(w, "p.pdf", passport)
        await send(w, "april.pdf", passport)
        assert "“april.pdf” is the file that I already have as “Identity card”." in w.last()
        await send(w, "may.pdf", passport)
        assert "I already have “may.pdf”" in w.last()
        await w.click("Send another one")
        await send(w, "march.pdf", payslip)
        await send(w, "again.pdf", payslip)
        assert "I already have “again.pdf”" in w.last()
        assert (await files(w))["payslips"] == ("march.pdf", True) and len(await kept(w)) == 2


async def test_what_cannot_be_read_says_so_and_is_kept_as_the_form_allows(tmp_path: Path) -> None:
    """A picture without text is kept and marked; a locked file is refused, or kept for a person by a click; a form may refuse both."""
    async with begun(tmp_path) as w:
        await w.say("papers")
        await send(w, "locked.pdf", locked_pdf("secret"))
        assert "password-protected" in w.last() and await kept(w) == []
        await send(w, "card.png", png())
        assert "I can't read “card.png”. I've kept it for a person to check." in w.last()
        await send(w, "locked.pdf", locked_pdf("secret"))
        assert "Keep it as “Payslips” for a person to look at" in w.last() and "payslips" not in await files(w)
        await w.click("Keep it for a person")
        assert await files(w) == {"identity": ("card.png", False), "payslips": ("locked.pdf", False)}
        assert len(await kept(w)) == 2


async def test_a_form_may_refuse_what_cannot_be_read(tmp_path: Path) -> None:
    """The person reads what to send in its place, and nothing is kept."""
    async with begun(tmp_path, TWO.replace('passport", ', 'passport"]\nunread = "refuse"\n#')) as w:
        await w.say("papers")
        await send(w, "card.png", png())
        assert "I can't read “card.png”. Please send a PDF" in w.last() and (await files(w), await kept(w)) == ({}, [])


async def test_no_model_takes_a_file_that_is_doubted(tmp_path: Path) -> None:
    """It is not given the file to read, and what it calls in its place sets nothing."""

    def overrules(body: dict[str, Any]) -> Answer:
        on_offer = offered(body)
        assert "read_document" not in on_offer
        return tools(call("set_identity", identity="card.pdf", words="yes")) if on_offer else text("Done.")

    forms = str(write_form(tmp_path, TWO))
    async with world(tmp_path, overrules, holdfast_workflows=forms) as w:
        await w.say("papers")
        await send(w, "card.pdf", pdf(*CARD))
        await w.say("yes, that is my identity card, please use it")
        assert await files(w) == {} and "Use it anyway" in w.last()
