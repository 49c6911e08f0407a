"""`make replay`: real conversations, replayed at several fault rates, and what came of them.

Run: python -m tests.replay [--rates 0,0.05,0.2] [--dialogues N] [--seed N] [--processes N] [--whole] [--reasons]

Every dialogue goes through the core by itself; with --whole through a whole bot on the sandbox, which takes about a second each.
"""

import argparse
import random
import sys

from bot import logs
from tests.replay.data import DIALOGUES, dialogues
from tests.replay.lots import replay
from tests.replay.measures import reasons, table


def main() -> int:
    """Print the table; 1 where a filled field was asked, a form was filed twice, or a payload is not gold's."""
    parser = argparse.ArgumentParser(prog="python -m tests.replay")
    parser.add_argument("--rates", default="0,0.05,0.2")
    parser.add_argument("--dialogues", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--reasons", action="store_true")
    given = parser.parse_args()
    if not DIALOGUES.exists():
        sys.stdout.write(f"{DIALOGUES.name} is not on this machine: nothing was replayed.\n")
        return 0
    names = [d.id for d in dialogues()]
    if given.dialogues:
        names = random.Random(given.seed).sample(names, given.dialogues)
    rates = [float(rate) for rate in given.rates.split(",")]
    logs.configure("CRITICAL")
    sums = [replay(rate, names, given.seed, given.processes, through=given.whole) for rate in rates]
    sys.stdout.write(f"{len(names)} dialogues, seed {given.seed}\n{table(sums)}\n")
    sys.stdout.write(f"{reasons(sums)}\n" if given.reasons else "")
    return int(any(not s.equal or s.twice or s.asked_filled for every in sums for s in every.seen))


if __name__ == "__main__":
    raise SystemExit(main())
