"""Run the parts of `make chaos`. `share` is how much of each: 1 is the whole.

Run: python -m tests.chaos [PART ...] [--share 1.0]
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping

from tests.chaos import kills, machines
from tests.chaos.trials import Trials

PARTS: Mapping[str, Callable[[float], Iterable[Trials]]] = {"kills": kills.trials, "machines": machines.trials}


def main() -> int:
    """Print a line for each thing that was tried; 1 if a promise broke."""
    parser = argparse.ArgumentParser(description="Try to break the promises of the design.")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="which parts; without any, all")
    parser.add_argument("--share", type=float, default=1.0, help="how much of each part")
    given = parser.parse_args()
    broken = 0
    for part in given.parts or PARTS:
        for tried in PARTS[part](given.share):
            broken += tried.broken
            sys.stdout.write(
                f"{tried.part}: {tried.n} {tried.what}, {tried.broken} broken, {tried.seconds:.0f} s {tried.note}\n"
            )
            sys.stdout.flush()
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
