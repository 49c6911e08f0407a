"""Reads a file apart from the bot: bytes on standard input, JSON on standard output, under limits of time and memory.

A program of its own, run by its path: what a hostile file breaks is this process, and it holds no secret. Pictures are read
where the extra `ocr` is installed.
"""

import ctypes
import io
import json
import logging
import math
import sys
import warnings
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

PAGES, SCANNED = 30, 4
"""Pages whose text is read, and scanned pages that are read as pictures."""
LONGEST = 40_000
"""Characters of a whole document."""
PIXELS = 40_000_000
"""Of one picture: what is larger is not unpacked."""
CPU, MEMORY, MEMORY_OCR = 40, 2 * 1024**3, 6 * 1024**3
"""Seconds of work, and bytes of address space (the recogniser's libraries reserve far more than they use)."""
ASIDE, GAP = 0.6, 1.2
"""Pieces of text that overlap by so much of their height are on one line; so many heights apart they are cells of a table."""
SCALE, LARGEST, CONTRAST, TINY, ASKEW = 2.0, 2_000.0, 48, 4.0, 0.05
"""Pixels to a point; points of a page's longer side; how much a letter differs from what is below it (of 255); points of its height; radians."""
COVERED = 0.4
"""The part of a page on which a picture is more than a logo."""
LINK, POPUP = 2, 16
"""Annotations that say nothing on the page (FPDF_ANNOT_LINK, FPDF_ANNOT_POPUP)."""
PASSWORD, PRECISE = 4, 100
"""FPDF_ERR_PASSWORD; and parts of a pixel to which a place is told."""
Found = dict[str, Any]
Piece = tuple[float, float, float, float, str]
"""Top and bottom (downwards), left and right, and the text."""


def main() -> None:
    """`child.py TYPE`."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    content, out = sys.stdin.buffer.read(), sys.stdout
    sys.stdout = sys.stderr  # libraries may print
    found = read(sys.argv[1], content)
    out.write(json.dumps(found))


def read(kind: str, content: bytes) -> Found:
    """`pages`, `text` (at most LONGEST characters, cells of a line apart by a tab), `problem` (locked, broken, no_text or none), `doubts`.

    Doubts: hidden (text that nobody sees, or that is turned; it is left out), beside (remarks, pictures, files, programs), cut.
    """
    if kind != "application/pdf":
        _limit(MEMORY_OCR)
        text = _recognised([content])
        return _found(1, text, set())
    _limit(MEMORY)
    return _pdf(content)


def _found(pages: int, text: str, doubts: set[str]) -> Found:
    cut = {"cut"} if len(text) > LONGEST or pages > PAGES else set[str]()
    shown = text[:LONGEST].strip()
    return {"pages": pages, "text": shown, "problem": "" if shown else "no_text", "doubts": sorted(doubts | cut)}


def _pdf(content: bytes) -> Found:
    import pypdfium2 as pdfium  # noqa: PLC0415  under the limits, and only where it is needed

    try:
        paper = pdfium.PdfDocument(content)
        pages = [paper[i] for i in range(min(len(paper), PAGES))]
        doubts = {"beside"} if _holds_more(paper) else set[str]()
        scans = [page for page in pages[:SCANNED] if not page.get_textpage().count_chars()]
        pictures = [_drawn(page) for page in scans] if _recogniser() else []
        text = "\n".join(_text(page, doubts) for page in pages).strip()
        return _found(len(paper), text or _recognised(pictures), doubts)
    except Exception as problem:  # whatever a broken file makes the parser raise
        locked = getattr(problem, "err_code", 0) == PASSWORD
        return {"pages": 0, "text": "", "problem": "locked" if locked else "broken", "doubts": []}


def _holds_more(paper: Any) -> bool:
    """Return True if there is more in the file than its pages: other files, or programs."""
    import pypdfium2.raw as c  # noqa: PLC0415

    return bool(paper.count_attachments() or c.FPDFDoc_GetJavaScriptActionCount(paper) > 0)


def _text(page: Any, doubts: set[str]) -> str:
    """Return the text that can be seen, line by line. A letter is seen where the page without its letters looks otherwise."""
    import pypdfium2.raw as c  # noqa: PLC0415
    from PIL import ImageChops  # noqa: PLC0415  under the limits as well

    pieces, texts = page.get_textpage(), [one for one in page.get_objects() if one.type == c.FPDF_PAGEOBJ_TEXT]
    doubts |= _beside(page, c)
    if not pieces.count_chars():
        return ""
    scale = SCALE * min(1.0, LARGEST / max(*page.get_size(), 1.0))
    whole = page.render(scale=scale).to_pil().convert("RGB")
    for one in texts:
        c.FPDFTextObj_SetTextRenderMode(one, c.FPDF_TEXTRENDERMODE_INVISIBLE)
    ink = ImageChops.difference(whole, page.render(scale=scale).to_pil().convert("RGB")).convert("L")
    return _in_lines(list(_words(page, pieces, ink, scale, doubts, c)))


def _drawn(page: Any) -> bytes:
    out = io.BytesIO()
    page.render(scale=SCALE).to_pil().save(out, "PNG")
    return out.getvalue()


def _beside(page: Any, c: Any) -> set[str]:
    """Find what a page shows that is no text of its own."""
    width, height = page.get_size()
    marks = (c.FPDFAnnot_GetSubtype(c.FPDFPage_GetAnnot(page, n)) for n in range(c.FPDFPage_GetAnnotCount(page)))
    found = {"beside"} if any(mark not in (LINK, POPUP) for mark in marks) else set[str]()
    for one in page.get_objects(filter=[c.FPDF_PAGEOBJ_IMAGE]):
        left, low, right, high = one.get_bounds()
        if (right - left) * (high - low) > COVERED * width * height:
            found.add("beside")
    return found


def _words(page: Any, pieces: Any, ink: Any, scale: float, doubts: set[str], c: Any) -> Iterator[Piece]:
    """Letters that belong together, with their place; those that cannot be seen are left out."""
    word: list[Piece] = []
    for n in range(pieces.count_chars()):
        letter = chr(c.FPDFText_GetUnicode(pieces, n))
        place = None if letter.isspace() else _place(page, pieces, n, scale, c)
        seen = place is None or _is_seen(pieces, n, place, ink, scale, c)
        if not seen:
            doubts.add("hidden")
        if word and (place is None or not seen or not _follows(word[-1], place)):
            yield _joined(word)
            word = []
        if place and seen:
            word.append((*place, letter))
    if word:
        yield _joined(word)


Place = tuple[float, float, float, float]


def _place(page: Any, pieces: Any, n: int, scale: float, c: Any) -> Place:
    """Top, bottom, left and right of a letter, in pixels of the drawn page."""
    left, low, right, high = pieces.get_charbox(n, loose=True)
    width, height = (round(side * scale) for side in page.get_size())
    corners = []
    for x, y in ((left, high), (right, low)):
        across, down = ctypes.c_int(), ctypes.c_int()
        c.FPDF_PageToDevice(page, 0, 0, width * PRECISE, height * PRECISE, 0, x, y, across, down)
        corners.append((across.value / PRECISE, down.value / PRECISE))
    (x0, y0), (x1, y1) = corners
    return min(y0, y1), max(y0, y1), min(x0, x1), max(x0, x1)


def _is_seen(pieces: Any, n: int, place: Place, ink: Any, scale: float, c: Any) -> bool:
    """Return True if a letter can be read on the page: it has ink, is large enough, and upright."""
    top, bottom, left, right = place
    box = (max(0, int(left)), max(0, int(top)), min(ink.width, int(right) + 1), min(ink.height, int(bottom) + 1))
    inked = box[0] < box[2] and box[1] < box[3] and ink.crop(box).getextrema()[1] >= CONTRAST
    turn = math.remainder(c.FPDFText_GetCharAngle(pieces, n), math.tau)
    return bool(inked and bottom - top >= TINY * scale and abs(turn) < ASKEW)


def _follows(before: Piece, place: Place) -> bool:
    height = before[1] - before[0]
    return abs(place[0] - before[0]) < height * ASIDE and -height < place[2] - before[3] < height * GAP / 4


def _joined(word: list[Piece]) -> Piece:
    text = "".join(letter for *_, letter in word)
    return (
        min(p[0] for p in word), max(p[1] for p in word), min(p[2] for p in word), max(p[3] for p in word), text,
    )  # fmt: skip


def _recogniser() -> Any:
    try:
        from rapidocr import RapidOCR  # noqa: PLC0415  an extra
    except ImportError:
        return None
    return RapidOCR


def _recognised(pictures: list[bytes]) -> str:
    """Return the text of pictures, line by line; empty without the extra."""
    recogniser = _recogniser() if pictures else None
    if recogniser is None:
        return ""
    try:
        engine = recogniser()
        texts = [_lines(engine(picture)) for picture in pictures if _is_moderate(picture)]
    except Exception:  # a picture that cannot be read has no text
        return ""
    return "\n".join(texts)[:LONGEST].strip()


def _is_moderate(picture: bytes) -> bool:
    from PIL import Image  # noqa: PLC0415  comes with the extra

    with Image.open(io.BytesIO(picture)) as opened:
        return bool(opened.width * opened.height <= PIXELS)


def _lines(result: Any) -> str:
    if result.txts is None:
        return ""
    pieces = [
        (min(y for _, y in box), max(y for _, y in box), min(x for x, _ in box), max(x for x, _ in box), text)
        for box, text in zip(result.boxes.tolist(), result.txts, strict=True)
    ]
    return _in_lines(pieces)


def _in_lines(pieces: list[Piece]) -> str:
    """Pieces from top to bottom, those beside each other in one line from left to right, with a tab between cells."""
    lines: list[list[Piece]] = []
    for piece in sorted(pieces):
        top, bottom = lines[-1][0][:2] if lines else (0.0, 0.0)
        shared = min(bottom, piece[1]) - max(top, piece[0])
        if lines and shared >= ASIDE * (piece[1] - piece[0]):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return "\n".join(_line(sorted(line, key=lambda piece: piece[2])) for line in lines)


def _line(pieces: list[Piece]) -> str:
    text = pieces[0][4]
    for before, piece in pairwise(pieces):
        apart = piece[2] - before[3] > GAP * (piece[1] - piece[0])
        text += ("\t" if apart else " ") + piece[4]
    return text


def _limit(memory: int) -> None:
    try:
        import resource  # noqa: PLC0415  not on every system
    except ImportError:
        return
    for which, most in ((resource.RLIMIT_CPU, CPU), (resource.RLIMIT_AS, memory)):
        hard = resource.getrlimit(which)[1]
        resource.setrlimit(which, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


if __name__ == "__main__":
    main()
