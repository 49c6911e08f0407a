"""Reading files apart from the bot: what a hostile or broken file does, it does to a process of its own."""

import importlib.util
import zlib
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path

import pytest
from fpdf import FPDF

from bot.effects.documents import Extractor, kind_of_file
from tests.documents.conftest import write_form
from tests.documents.files import PAYSLIP, locked_pdf, pdf, png
from tests.documents.test_document_answers import send
from tests.documents.test_document_readings import FORM, waiting
from tests.world import world

PDF = "application/pdf"
PATIENT = 110
"""Seconds, for machines that do much else."""
OCR = importlib.util.find_spec("rapidocr") is not None
with_ocr = pytest.mark.skipif(not OCR, reason="PICTURES WERE NOT READ: the extra `ocr` is not installed")
without_ocr = pytest.mark.skipif(OCR, reason="LEFT OUT: the extra `ocr` is installed")


def bomb(megabytes: int) -> bytes:
    """A small PDF whose page unpacks to so many megabytes."""
    page = zlib.compress(b"BT /F 12 Tf (x) Tj ET " + b" " * (megabytes << 20), 9)
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(page), page),
    ]
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (n, part) for n, part in enumerate(parts, 1))
    return b"%PDF-1.4\n" + body + b"trailer\n<< /Root 1 0 R >>\n"


def drawn(*lines: str) -> bytes:
    """A picture of these lines."""
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415  there where the extra is

    picture, out = Image.new("RGB", (900, 80 + 70 * len(lines)), "white"), BytesIO()
    for n, line in enumerate(lines):
        ImageDraw.Draw(picture).text((40, 40 + 70 * n), line, fill="black", font=ImageFont.load_default(size=36))
    picture.save(out, "PNG")
    return out.getvalue()


async def test_the_text_of_a_pdf_is_read_line_by_line() -> None:
    """Pages are counted and their lines come in order."""
    found = await Extractor().extract(PDF, pdf())
    assert (found.pages, found.problem, tuple(found.text.splitlines())) == (1, "", PAYSLIP)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (locked_pdf("secret"), "locked"),
        (b"%PDF-1.7\nnothing of it is true", "broken"),
        (pdf()[:400], "broken"),
        (pdf(""), "no_text"),
    ],
    ids=["locked", "garbage", "half", "blank"],
)
async def test_what_cannot_be_read_is_told_by_its_reason(content: bytes, problem: str) -> None:
    """A locked, broken or blank PDF comes back with the reason and no text."""
    found = await Extractor().extract(PDF, content)
    assert (found.problem, found.text) == (problem, "")


def with_more(draw: Callable[[FPDF], object]) -> bytes:
    """A PDF that says how many, and something else that is put there in some way."""
    paper = FPDF()
    paper.add_page()
    paper.set_font("helvetica", size=12)
    paper.text(20, 20, "Quantity: 200")
    draw(paper)
    return bytes(paper.output())


def white(paper: FPDF) -> None:
    """White on white."""
    paper.set_text_color(255, 255, 255)
    paper.text(20, 40, "Quantity: 900")


def tiny(paper: FPDF) -> None:
    """In letters of one point."""
    paper.set_font("helvetica", size=1)
    paper.text(20, 40, "Quantity: 900")


def covered(paper: FPDF) -> None:
    """Below a white box."""
    paper.text(20, 40, "Quantity: 900")
    paper.set_fill_color(255, 255, 255)
    paper.rect(15, 30, 80, 20, style="F")


def turned(paper: FPDF) -> None:
    """Upwards along the edge."""
    with paper.rotation(90, 60, 60):
        paper.text(60, 60, "Quantity: 900")


def invisible(paper: FPDF) -> None:
    """In a mode that draws nothing."""
    paper.text_mode = 3
    paper.text(20, 40, "Quantity: 900")


HIDDEN: Mapping[str, Callable[[FPDF], object]] = {
    "white": white, "tiny": tiny, "covered": covered, "turned": turned, "invisible": invisible,
    "off the page": lambda paper: paper.text(900, 40, "Quantity: 900"),
}  # fmt: skip


@pytest.mark.parametrize("way", HIDDEN)
async def test_text_that_nobody_sees_is_not_read(way: str) -> None:
    """It is left out, and said to be there: by what the page shows, not by how it was hidden."""
    found = await Extractor().extract(PDF, with_more(HIDDEN[way]))
    assert (found.text, found.doubts) == ("Quantity: 200", ("hidden",))


BESIDE: Mapping[str, Callable[[FPDF], object]] = {
    "a remark": lambda paper: paper.text_annotation(20, 40, "Quantity: 900"),
    "another file": lambda paper: paper.embed_file(bytes=b"900", basename="other.txt"),
    "a box of words": lambda paper: paper.free_text_annotation("900", x=20, y=40, w=50, h=9),
}


@pytest.mark.parametrize("way", BESIDE)
async def test_what_is_beside_the_text_is_told(way: str) -> None:
    """Remarks and other files are not read, and may say something else."""
    found = await Extractor().extract(PDF, with_more(BESIDE[way]))
    assert (found.text, found.doubts) == ("Quantity: 200", ("beside",))


async def test_cells_of_a_line_are_told_apart() -> None:
    """A table's columns come with a tab between them, words of one cell with a space."""
    paper = FPDF()
    paper.add_page()
    paper.set_font("helvetica", size=12)
    for row in (("Quantity", "Price of one"), ("120", "3.60"), ("80", "3.75")):
        for cell in row:
            paper.cell(60, 8, cell)
        paper.ln()
    found = await Extractor().extract(PDF, bytes(paper.output()))
    assert (found.text.splitlines(), found.doubts) == (["Quantity\tPrice of one", "120\t3.60", "80\t3.75"], ())


async def test_a_file_of_many_pages_is_read_in_part() -> None:
    """What is beyond the pages that are read is said to be there."""
    paper = FPDF()
    paper.set_font("helvetica", size=12)
    for n in range(200):
        paper.add_page()
        paper.text(20, 20, f"Page {n}")
    found = await Extractor(PATIENT).extract(PDF, bytes(paper.output()))
    assert (found.pages, found.doubts, found.text.splitlines()[-1]) == (200, ("cut",), "Page 29")


async def test_a_file_that_takes_too_long_is_ended() -> None:
    """Whatever a file makes its reader do ends with the time that one file has."""
    assert (await Extractor(limit=0.01).extract(PDF, pdf())).problem == "slow"


async def test_a_file_that_unpacks_without_end_harms_its_reader_alone() -> None:
    """A few hundred kilobytes that unpack to gigabytes come back as a problem, or with the little that they say; the next file is read as ever."""
    extractor, content = Extractor(), bomb(400)
    assert len(content) < 1 << 20
    found = await extractor.extract(PDF, content)
    assert found.problem in ("broken", "slow", "no_text") or found.text == "x"
    assert (await extractor.extract(PDF, pdf())).problem == ""


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (pdf(), PDF),
        (b"\n\n%PDF-1.4", PDF),
        (png(), "image/png"),
        (b"\xff\xd8\xff\xe0..", "image/jpeg"),
        (b"GIF89a..", "image/gif"),
        (b"RIFF....WEBPVP8 ", "image/webp"),
        (b"\x00\x00\x00\x18ftypheic", "image/heic"),
        (b"<html>%PNG", ""),
        (b"PK\x03\x04", ""),
        (b"", ""),
    ],
)
def test_a_files_kind_is_told_by_its_first_bytes(content: bytes, kind: str) -> None:
    """PDFs and pictures are known by their marks; anything else is neither."""
    assert kind_of_file(content) == kind


@with_ocr
async def test_a_picture_is_read_where_the_extra_is_installed() -> None:
    """The words of a picture come line by line, those beside each other in one line."""
    found = await Extractor(PATIENT).extract("image/png", drawn("Net salary: 1,750.00", "Hire date: 2019-03-04"))
    assert found.text.splitlines() == ["Net salary: 1,750.00", "Hire date: 2019-03-04"]


@with_ocr
async def test_a_scanned_page_is_read_as_a_picture() -> None:
    """A PDF without text whose page is a picture is read like one."""
    from PIL import Image  # noqa: PLC0415

    out = BytesIO()
    Image.open(BytesIO(drawn("Net salary: 1,750.00"))).save(out, "PDF")
    assert (await Extractor(PATIENT).extract(PDF, out.getvalue())).text == "Net salary: 1,750.00"


@without_ocr
async def test_without_the_extra_a_picture_is_taken_and_the_person_asked(tmp_path: Path) -> None:
    """A picture answers the document question; what it says is asked for in words."""
    async with world(tmp_path, holdfast_workflows=str(write_form(tmp_path, FORM))) as w:
        await w.say("papers")
        await send(w, "slip.png", png(), "image/png")
        assert "couldn't read “slip.png”" in w.last() and await waiting(w) == {}
        assert (await w.draft()).asked == "net"
