"""Reads a file apart from the bot: bytes on standard input, JSON on standard output, under limits of time and memory.

A program of its own, run by its path: what a hostile file breaks is this process, and it holds no secret.
"""

import io
import json
import sys
from typing import Any

PAGES = 30
"""Pages whose text is read."""
LONGEST = 40_000
"""Characters of a whole document."""
CPU, MEMORY = 20, 2 * 1024**3
"""Seconds of work and bytes of address space."""
Found = dict[str, Any]


def main() -> None:
    """`child.py TYPE`."""
    _limit()
    content = sys.stdin.buffer.read()
    sys.stdout.write(json.dumps(read(sys.argv[1], content)))


def read(kind: str, content: bytes) -> Found:
    """`pages`, `text` (at most LONGEST characters), `problem`: locked, broken, no_text or none."""
    return _pdf(content) if kind == "application/pdf" else {"pages": 1, "text": "", "problem": "no_text"}


def _pdf(content: bytes) -> Found:
    from pypdf import PdfReader  # noqa: PLC0415  under the limits, and only where it is needed

    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            return _problem("locked")
        pages = len(reader.pages)
        texts = [reader.pages[i].extract_text() for i in range(min(pages, PAGES))]
    except Exception:  # whatever a broken file makes the parser raise
        return _problem("broken")
    text = "\n".join(t.strip() for t in texts)[:LONGEST].strip()
    return {"pages": pages, "text": text, "problem": "" if text else "no_text"}


def _problem(problem: str) -> Found:
    return {"pages": 0, "text": "", "problem": problem}


def _limit() -> None:
    try:
        import resource  # noqa: PLC0415  not on every system
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    main()
