"""Files for tests: PDFs with text, with a password, broken ones; pictures."""

import struct
import zlib
from io import BytesIO

from fpdf import FPDF
from pypdf import PdfReader, PdfWriter

PAYSLIP = ("Example Works S.r.l.", "Employee: Alex Reed", "Net salary: 1,750.00", "Hire date: 2019-03-04", "Bonus")


def pdf(*lines: str) -> bytes:
    """A PDF of one page with these lines of text."""
    paper = FPDF()
    paper.add_page()
    paper.set_font("helvetica", size=12)
    for line in lines or PAYSLIP:
        paper.cell(0, 8, line, new_x="LMARGIN", new_y="NEXT")
    return bytes(paper.output())


def locked_pdf(password: str) -> bytes:
    """A PDF that opens with a password alone."""
    writer, out = PdfWriter(clone_from=PdfReader(BytesIO(pdf()))), BytesIO()
    writer.encrypt(password, algorithm="AES-256")
    writer.write(out)
    return out.getvalue()


def png(width: int = 4, height: int = 4) -> bytes:
    """A white picture."""
    rows = (b"\x00" + b"\xff" * 3 * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
