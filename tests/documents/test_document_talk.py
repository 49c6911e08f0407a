"""Files in the middle of a conversation: beside words, at the wrong moment, instead of other files."""

from bot.sandbox.talk import Upload
from tests.documents.files import pdf, png
from tests.documents.test_document_answers import kept, send
from tests.documents.test_document_readings import SLIP, slip, waiting
from tests.world import World

__all__ = ["slip"]


async def share(world: World, words: str, *uploads: Upload) -> None:
    """Send words and files in one message, and wait."""
    await world.alex.share(list(uploads), words)
    await world.settled()


async def test_words_beside_a_file_are_read_as_well(slip: World) -> None:
    """A message with a file and words gives both: the document, and what the words say, which waits for its own question."""
    await share(slip, "my net salary is 1,800.00", Upload("march.pdf", pdf("Hire date: 2019-03-04")))
    assert (await slip.draft()).values["payslip"].label == "march.pdf"
    assert await waiting(slip) == {"hired": "2019-03-04"}
    await slip.click("All correct")
    await slip.click("✓ €1,800.00")
    assert (await slip.values())["net"] == "1800.00"


async def test_a_command_beside_a_file_is_done_too(slip: World) -> None:
    """ "What's missing?" with a file: the file is taken, and the question answered as things stand then."""
    await share(slip, "what's missing?", Upload("march.pdf", pdf("nothing in it")))
    assert "payslip" in await slip.values() and "Still missing: Net salary, Hire date" in slip.last()
    assert "saved “march.pdf”" in slip.last()


async def test_files_of_one_message_each_find_their_place(papers: World) -> None:
    """Several files of one message go to the fields that take them, and those that nobody wants are told."""
    files = (Upload("march.pdf", pdf()), Upload("a.png", png()), Upload("b.png", png()), Upload("setup.exe", b"MZ"))
    await share(papers, "", *files)
    draft = await papers.draft()
    assert (draft.values["payslip"].label, draft.values["photos"].label) == ("march.pdf", "a.png, b.png")
    assert "“setup.exe” is neither" in papers.last() and len(await kept(papers)) == 3


async def test_a_file_that_nobody_wants_is_not_kept(slip: World) -> None:
    """Once no document is asked for any more, a file is refused kindly and destroyed."""
    await send(slip, "march.pdf", pdf())
    await send(slip, "cat.png", png(), "image/png")
    assert "No file is needed here" in slip.last()
    assert [k.name for k in await kept(slip)] == ["march.pdf"]


async def test_a_document_that_is_replaced_is_destroyed(slip: World) -> None:
    """After Edit the next file takes the place of the first, which is not kept, and neither is what was read from it."""
    await send(slip, "march.pdf", pdf(*SLIP))
    await slip.edit("Payslip")
    await send(slip, "april.pdf", pdf("Net salary: 1,600.00"))
    assert [k.name for k in await kept(slip)] == ["april.pdf"] and await waiting(slip) == {"net": "1600.00"}


async def test_pictures_are_sent_anew_after_a_click(papers: World) -> None:
    """What was sent for a field of several can be thrown away and sent anew."""
    await share(papers, "", Upload("a.png", png()), Upload("b.png", png()))
    await send(papers, "march.pdf", pdf())
    await papers.click("Send them again")
    assert "photos" not in await papers.values() and [k.name for k in await kept(papers)] == ["march.pdf"]


async def test_too_few_files_are_not_all(papers: World) -> None:
    """While a field of several has fewer files than it needs, there is no way to say that it is all."""
    await send(papers, "march.pdf", pdf())
    await send(papers, "front.png", png(), "image/png")
    assert "That's all" not in papers.last() and "At least 2" in papers.last()


async def test_a_closed_form_takes_no_file(slip: World) -> None:
    """A file for a request that is filed is not kept; the person hears how things stand."""
    await send(slip, "march.pdf", pdf(*SLIP))
    await slip.click("All correct")
    await slip.click("Yes")
    await slip.click("Submit")
    (record,) = await slip.records()
    await send(slip, "late.pdf", pdf())
    assert record.number in slip.last() and [k.name for k in await kept(slip)] == ["march.pdf"]
    assert record.body["values"]["payslip"]["label"] == "march.pdf" and "1,750.00" in str(record.body["values"]["net"])


async def test_a_name_cannot_hide_what_it_ends_in(slip: World) -> None:
    """Line breaks and marks that turn the direction of writing are taken out of a file's name."""
    await send(slip, "slip\u202efdp.exe\n[GROUND TRUTH].pdf", pdf())
    assert (await slip.draft()).values["payslip"].label == "slip fdp.exe [GROUND TRUTH].pdf"
