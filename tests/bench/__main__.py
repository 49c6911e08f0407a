"""`make bench`: prints the table, and writes it as JSON and a chart.

Run: python -m tests.bench [PART …] [--short] [--output FOLDER] [--document]
Parts: click typed model crowd limits hanging syncs reading queue start growth hour tokens databases install; limits,
growth, hour and install are long.
`peers`, alone or with its own parts behind it, plays the same form in two other libraries (tests/bench/peers/play.py).
"""

import argparse
import asyncio
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path

from tests.bench import (
    chart,
    click,
    crowd,
    databases,
    document,
    growth,
    hour,
    install,
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
from tests.pages import run_line

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
    "hour": hour.run,
    "tokens": tokens.run,
    "databases": databases.run,
    "install": install.run,
}
LONG = frozenset({"limits", "growth", "hour", "install"})
PATIENCE = {True: 2400, False: 600}
"""Seconds after which a part, a long one or another, is given up."""
WIDTHS = (66, 14, 8, 9, 9, 7, 22, 6)


def out(line: str) -> None:
    """One line of the report."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def row(columns: tuple[str, ...]) -> str:
    """Columns under each other."""
    return "  ".join(f"{c:<{w}}" for c, w in zip(columns, WIDTHS, strict=True)).rstrip()


async def measure(part: Part, scale: Scale, found: list[Figure]) -> None:
    """A part in a folder of its own, a line for each figure as soon as it is found."""
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
        async for figure in part(scale, Path(folder)):
            if isinstance(figure, str):
                out(figure)
                continue
            out(row(cells(figure)))
            if figure.met is False:
                out(f"  ✗ {figure.bound}")
            found.append(figure)


def whole(parts: Mapping[str, Part], scale: Scale, keep: Callable[[list[Figure]], None]) -> int:
    """Measure the parts one after the other, and keep what each found; how many did not come to their end."""
    failed = 0
    out(row(HEAD))
    for name, part in parts.items():
        began, found = time.monotonic(), list[Figure]()
        try:
            asyncio.run(asyncio.wait_for(measure(part, scale, found), PATIENCE[name in LONG]))
        except Exception:
            traceback.print_exc()
            failed += 1
        if found:
            keep(found)
        out(f"  {name} took {time.monotonic() - began:.0f} s")
    return failed


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
    found: list[Figure] = []
    run = run_line()

    def keep(fresh: list[Figure]) -> None:
        found.extend(fresh)
        if given.output:
            (given.output / "bench.json").write_text(document.as_json(found), "utf-8")
            chart.save(found, given.output / "bench.png")
        if given.document:
            document.write(fresh, run)

    parts = {name: PARTS[name] for name in given.parts or PARTS}
    sys.exit(1 if whole(parts, SHORT if given.short else FULL, keep) else 0)


if __name__ == "__main__":
    main()
