"""Files that answer document fields, through the door."""

from state.stores.rows import StoredDocument
from tests.documents.files import locked_pdf, pdf, png
from tests.world import TEAM, World


async def kept(world: World) -> list[StoredDocument]:
    """What is stored of Alex's files."""
    return await world.bot.store.documents_of(f"{TEAM}:{world.alex.id}")


async def send(world: World, name: str, content: bytes, mimetype: str = "application/octet-stream") -> None:
    """Send a file in the direct message, and wait."""
    await world.alex.upload(name, content, mimetype)
    await world.settled()


async def test_a_file_answers_the_document_question(papers: World) -> None:
    """A PDF that is sent while a document is asked for becomes the answer, with its name, and the next question follows."""
    await send(papers, "march.pdf", pdf())
    draft = await papers.draft()
    value = draft.values["payslip"]
    assert (value.label, value.provenance.how) == ("march.pdf", "document")
    assert draft.asked == "photos" and "I've saved “march.pdf” as payslip." in papers.last()
    assert "Net salary: 1,750.00" in draft.documents[str(value.data)].text


async def test_the_file_is_stored_whole_until_its_day(papers: World) -> None:
    """What was sent is stored byte for byte, with its type by content and the day after which it goes."""
    content = pdf()
    await send(papers, "march.pdf", content)
    (about,) = await kept(papers)
    stored = await papers.bot.store.document(about.id)
    assert stored is not None and stored.content == content and about.content == b""
    assert (about.name, about.type, about.size) == ("march.pdf", "application/pdf", len(content))
    assert about.received_at and (about.keep_until - about.received_at).days in (13, 14)


async def test_several_files_answer_once_there_are_enough(papers: World) -> None:
    """A field of several files stays open until as many as it takes are there, or the person says that it is all."""
    await send(papers, "march.pdf", pdf())
    await send(papers, "front.png", png(), "image/png")
    assert (await papers.draft()).asked == "photos" and "So far: 1." in papers.last()
    await send(papers, "back.png", png(), "image/png")
    assert (await papers.draft()).asked == "photos"
    await papers.click("That's all")
    draft = await papers.draft()
    assert len(draft.values["photos"].data) == 2 and draft.asked == "letter"  # type: ignore[arg-type]
    assert draft.values["photos"].label == "front.png, back.png"


async def test_an_optional_document_can_be_declined(papers: World) -> None:
    """An optional document is asked for, and a click says that there is none."""
    await send(papers, "march.pdf", pdf())
    for name in ("a.png", "b.png", "c.png"):
        await send(papers, name, png(), "image/png")
    assert (await papers.draft()).asked == "letter"
    await papers.click("I don't have it")
    assert (await papers.values())["letter"] == "" and (await papers.draft()).asked == "reason"


async def test_a_file_of_another_kind_goes_where_it_fits(papers: World) -> None:
    """A picture that is sent while a PDF is asked for goes to the field of pictures; the question stays."""
    await send(papers, "front.png", png(), "image/png")
    draft = await papers.draft()
    assert draft.values["photos"].label == "front.png" and "payslip" not in draft.values


async def test_what_a_file_is_shows_its_content_not_its_name(papers: World) -> None:
    """A program that is called a PDF is refused, and nothing of it is stored."""
    await send(papers, "march.pdf", b"MZ\x90\x00 this program cannot be run", "application/pdf")
    assert "is neither" in papers.last() and (await papers.draft()).asked == "payslip"
    assert await kept(papers) == []


async def test_a_locked_file_is_asked_for_without_its_password(papers: World) -> None:
    """A PDF behind a password is not taken; the person is told what to do."""
    await send(papers, "march.pdf", locked_pdf("secret"))
    assert "is password-protected" in papers.last()
    assert (await kept(papers), (await papers.draft()).documents) == ([], {})


async def test_words_never_answer_a_document_question(papers: World) -> None:
    """Neither words nor a model's call set a document: the question stays."""
    await papers.say("march.pdf")
    await papers.say("yes, I have it")
    assert (await papers.values()) == {} and (await papers.draft()).asked == "payslip"
