"""`make bench`: prints the table, and writes it as JSON and a chart.

Run: python -m tests.bench [PART …] [--short] [--output FOLDER] [--document]
Parts: click typed model crowd limits hanging syncs reading queue start growth tokens databases
`peers`, alone or with its own parts behind it, plays the same form in two other libraries (tests/bench/peers/play.py).
"""

import argparse
import asyncio
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from tests.bench import (
    chart,
    click,
    crowd,
    document,
    growth,
    limits,
    model,
    queue,
    reading,
    start,
    syncs,
    tokens,
)
from tests.bench.figures import FULL, HEAD, SHORT, Figure, Scale, cells
from tests.bench.peers import play

Part = Callable[[Scale, Path], AsyncIterator[Figure | str]]
"""Gives figures as they come, and sentences on what is left out."""
PARTS: dict[str, Part] = {
    "click": click.run,
    "typed": click.run_typed,
    "model": model.run,
    "crowd": crowd.run,
    "limits": limits.run,
    "hanging": model.run_hanging,
    "syncs": syncs.run,
    "reading": reading.run,
    "queue": queue.run,
    "start": start.run,
    "growth": growth.run,
    "tokens": tokens.run,
    "databases": crowd.run_databases,
}
WIDTHS = (66, 14, 8, 9, 9, 7, 22, 6)


def out(line: str) -> None:
    """One line of the report."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def row(columns: tuple[str, ...]) -> str:
    """Columns under each other."""
    return "  ".join(f"{c:<{w}}" for c, w in zip(columns, WIDTHS, strict=True)).rstrip()


async def measure(parts: list[str], scale: Scale, output: Path | None) -> list[Figure]:
    """The parts one after the other, each in a folder of its own; a line, and the file, as soon as they are known."""
    found: list[Figure] = []
    out(row(HEAD))
    for part in parts:
        with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
            async for figure in PARTS[part](scale, Path(folder)):
                if isinstance(figure, str):
                    out(figure)
                    continue
                out(row(cells(figure)))
                if figure.met is False:
                    out(f"  ✗ {figure.bound}")
                found.append(figure)
        if output:
            (output / "bench.json").write_text(document.as_json(found), "utf-8")
            chart.save(found, output / "bench.png")
    return found


def main() -> None:
    """The command line."""
    if "peers" in sys.argv[1:]:
        sys.argv.remove("peers")
        play.main()
        return
    parser = argparse.ArgumentParser(description="Figures of speed and size, each beside its bare peer.")
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"of: {', '.join(PARTS)}; all of them where none is named"
    )
    parser.add_argument("--short", action="store_true", help="little of everything")
    parser.add_argument("--output", type=Path, help="a folder for bench.json and bench.png, written as they come")
    parser.add_argument("--document", action="store_true", help="put the figures into docs/performance.md")
    given = parser.parse_args()
    unknown = [p for p in given.parts if p not in PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(PARTS)}")
    if given.output:
        given.output.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that no bot outlives its measurement
    found = asyncio.run(measure(given.parts or list(PARTS), SHORT if given.short else FULL, given.output))
    if given.document:
        document.write(found)


if __name__ == "__main__":
    main()
