"""Files that scenarios send: a PDF of the given lines, its scan, a photo of it, made here so that no binary file lies beside a form."""

import struct
import zlib
from io import BytesIO

from state.workflow.scenario import Paper

LINE, TOP, LEFT = 16, 800, 56
"""Points between lines, from the foot of an A4 page to its first line, and from its left edge."""
WHITE = b"\xff\xff\xff"


A4 = (1240, 1754)
"""Pixels of a page at 150 to the inch."""
LETTERS = 26
"""Height of the letters on a scan."""


def paper(name: str, given: Paper | str) -> bytes:
    """Return the file of that name: a picture for a picture's ending, plain text for .txt, else a PDF with the text in lines or their scan."""
    made = Paper(text=given) if isinstance(given, str) else given
    ending = name.rpartition(".")[2].lower()
    if made.made_as == "photo" or ending in ("png", "jpg", "jpeg"):
        return drawn(made.text, "PNG") if made.text else picture()
    if made.made_as == "scan":
        return drawn(made.text, "PDF")
    return made.text.encode() if ending == "txt" else pdf(made.text.splitlines())


def drawn(text: str, kind: str) -> bytes:
    """Return a page with the lines drawn on it as pictures of letters: a PNG, or a PDF without any text."""
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415  comes with the charts' library, and few scenarios need it

    page = Image.new("L", A4, 255)
    ImageDraw.Draw(page).multiline_text((LEFT, LEFT), text, fill=0, font=ImageFont.load_default(LETTERS), spacing=LINE)
    out = BytesIO()
    page.save(out, kind)
    return out.getvalue()


def pdf(lines: list[str]) -> bytes:
    """One page of text in Helvetica (PDF 1.4, Windows' Latin letters)."""
    shown = "\n".join(f"({_escaped(line)}) Tj 0 -{LINE} Td" for line in lines)
    page = f"BT /F 12 Tf {LEFT} {TOP} Td\n{shown}\nET".encode("cp1252", "replace")
    return _document([
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(page), page),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ])  # fmt: skip


def picture(width: int = 8, height: int = 8) -> bytes:
    """Return a white PNG."""
    rows = (b"\x00" + WHITE * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _escaped(line: str) -> str:
    return line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _document(objects: list[bytes]) -> bytes:
    out, places = b"%PDF-1.4\n", []
    for n, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (n, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size, start = len(objects) + 1, len(out)
    head = b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    return out + head + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, start)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
