"""Files that the person of a scenario sends: small and whole, told apart by their content alone."""

import struct
import zlib
from io import BytesIO

from pypdf import PdfWriter

A5 = (420, 595)
"""Points."""


def file_named(name: str) -> bytes:
    """An empty page where the name ends in .pdf, else a white dot as PNG."""
    return _pdf() if name.endswith(".pdf") else _png()


def _pdf() -> bytes:
    writer, out = PdfWriter(), BytesIO()
    writer.add_blank_page(*A5)
    writer.write(out)
    return out.getvalue()


def _png() -> bytes:
    """A picture of one dot (https://www.w3.org/TR/png-3/)."""
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(b"\x00\xff\xff\xff")),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
