"""Run the parts of `make chaos`. `share` is how much of each: 1 is the whole.

Run: python -m tests.chaos [PART ...] [--share 1.0] [--document]
"""

import argparse
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from tests.chaos import document, machines, processes, simulation
from tests.chaos.hostile import play as hostile
from tests.chaos.trials import Trials
from tests.pages import run_line

PARTS: Mapping[str, Callable[[float], Iterable[Trials]]] = {
    "hostile": hostile.trials,
    "machines": machines.trials,
    "processes": processes.trials,
    "simulation": simulation.trials,
}


def about(part: str) -> str:
    """Return what a part does: the first paragraph of its module."""
    told = sys.modules[PARTS[part].__module__].__doc__ or ""
    return " ".join(told.partition("\n\n")[0].split())


def tried(part: str, share: float) -> Iterator[Trials]:
    """Run a part; where it does not come to its end that is a row too, beside those that it had given."""
    began = time.monotonic()
    try:
        yield from PARTS[part](share)
    except Exception:
        traceback.print_exc()
        yield Trials(part, "the part comes to its end", 1, 1, time.monotonic() - began)


def main() -> int:
    """Run the parts one after the other, and print a line for each thing that was tried; 1 if a promise broke."""
    parser = argparse.ArgumentParser(description="Try to break the promises of the design.")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="which parts; without any, all")
    parser.add_argument("--share", type=float, default=1.0, help="how much of each part")
    parser.add_argument("--document", action="store_true", help="put what was tried into docs/reliability.md")
    given = parser.parse_args()
    broken, run = 0, run_line()
    for part in given.parts or PARTS:
        found = []
        for one in tried(part, given.share):
            found.append(replace(one, part=part, run=run))
            sys.stdout.write(f"{part}: {' | '.join(one.cells())}\n")
            sys.stdout.flush()
        broken += sum(one.broken for one in found)
        if given.document:
            document.write(found, {name: about(name) for name in PARTS})
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
