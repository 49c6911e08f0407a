"""Reads a file apart from the bot: bytes on standard input, JSON on standard output, under limits of time and memory.

A program of its own, run by its path: what a hostile file breaks is this process, and it holds no secret. Pictures are read
where the extra `ocr` is installed.
"""

import io
import json
import logging
import sys
import warnings
from typing import Any

PAGES, SCANNED = 30, 4
"""Pages whose text is read, and scanned pages that are read as pictures."""
LONGEST = 40_000
"""Characters of a whole document."""
PIXELS = 40_000_000
"""Of one picture: what is larger is not unpacked."""
CPU, MEMORY, MEMORY_OCR = 40, 2 * 1024**3, 6 * 1024**3
"""Seconds of work, and bytes of address space (the recogniser's libraries reserve far more than they use)."""
ASIDE = 0.6
"""Pieces of text that overlap by so much of their height stand on one line."""
Found = dict[str, Any]


def main() -> None:
    """`child.py TYPE`."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    content, out = sys.stdin.buffer.read(), sys.stdout
    sys.stdout = sys.stderr  # libraries may print
    found = read(sys.argv[1], content)
    out.write(json.dumps(found))


def read(kind: str, content: bytes) -> Found:
    """`pages`, `text` (at most LONGEST characters), `problem`: locked, broken, no_text or none."""
    if kind != "application/pdf":
        _limit(MEMORY_OCR)
        text = _recognised([content])
        return {"pages": 1, "text": text, "problem": "" if text else "no_text"}
    _limit(MEMORY)
    return _pdf(content)


def _pdf(content: bytes) -> Found:
    from pypdf import PdfReader  # noqa: PLC0415  under the limits, and only where it is needed

    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            return {"pages": 0, "text": "", "problem": "locked"}
        pages = [reader.pages[i] for i in range(min(len(reader.pages), PAGES))]
        text = "\n".join(page.extract_text().strip() for page in pages)[:LONGEST].strip()
        text = text or _recognised(_scans(pages[:SCANNED]))
        return {"pages": len(reader.pages), "text": text, "problem": "" if text else "no_text"}
    except Exception:  # whatever a broken file makes the parser raise
        return {"pages": 0, "text": "", "problem": "broken"}


def _scans(pages: list[Any]) -> list[bytes]:
    """The largest picture of each page; none where the recogniser is not there anyway."""
    if not _recogniser():
        return []
    _limit(MEMORY_OCR)
    pictures = [max((image.data for image in page.images), key=len, default=b"") for page in pages]
    return [picture for picture in pictures if picture]


def _recogniser() -> Any:
    try:
        from rapidocr import RapidOCR  # noqa: PLC0415  an extra
    except ImportError:
        return None
    return RapidOCR


def _recognised(pictures: list[bytes]) -> str:
    """The text of pictures, line by line; empty without the extra."""
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
    """Pieces from top to bottom, those beside each other in one line from left to right."""
    if result.txts is None:
        return ""
    pieces = [
        (min(y for _, y in box), max(y for _, y in box), min(x for x, _ in box), text)
        for box, text in zip(result.boxes.tolist(), result.txts, strict=True)
    ]
    lines: list[list[tuple[float, float, float, str]]] = []
    for piece in sorted(pieces):
        top, bottom = lines[-1][0][:2] if lines else (0.0, 0.0)
        shared = min(bottom, piece[1]) - max(top, piece[0])
        if lines and shared >= ASIDE * (piece[1] - piece[0]):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return "\n".join(" ".join(text for *_, text in sorted(line, key=lambda p: p[2])) for line in lines)


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
