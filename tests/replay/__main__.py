"""`make replay`: real conversations, replayed beside a model that misbehaves and without one, and what came of them.

Run: python -m tests.replay [--rates 0,0.05,0.2] [--people careful,careless,alone] [--dialogues N] [--seed N] [--processes N] [--whole] [--reasons]
                                [--half developed|held]

Every dialogue goes through the core by itself; with --whole through a whole bot on the sandbox, which takes about a second each. "alone" is
the careless person and the rule-based reader, without a model. Without --dialogues all are played: some six minutes on two cores. Each figure
that has a target is printed beside it: 1 where one is missed.

Reading was developed on the dialogues of every other service alone (`--half developed`); those that hold any other (`--half held`) are
looked at once a change is done.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from typing import Any

from tests.replay.data import DIALOGUES, dialogues, is_developed
from tests.replay.lots import replay
from tests.replay.report import Setting, Sum, reasons, report


def main() -> int:
    """Print the tables; 1 where a target is missed."""
    given = _given()
    if not DIALOGUES.exists():
        sys.stdout.write(f"{DIALOGUES.name} is not on this machine: nothing was replayed.\n")
        return 0
    every = [d.id for d in dialogues() if not given.half or is_developed(d) is (given.half == "developed")]
    names = random.Random(given.seed).sample(every, min(given.dialogues or len(every), len(every)))
    sums = list(_played(given, names))
    sys.stdout.write(f"{len(names)} of {len(every)} dialogues, seed {given.seed}\n\n{report(sums)}\n")
    sys.stdout.write(f"{reasons(sums)}\n" if given.reasons else "")
    return int(not all(s.fit for s in sums))


def _played(given: Any, names: list[str]) -> Iterator[Sum]:
    """A line on standard error as each setting is done: all of them take minutes."""
    for done in replay(list(_settings(given)), names, given.seed, given.processes, through=given.whole):
        sys.stderr.write(f"{done.setting.name}: {len(done.seen)} forms, {done.seconds:.0f} s of work\n")
        yield done


def _given() -> Any:
    parser = argparse.ArgumentParser(prog="python -m tests.replay")
    parser.add_argument("--rates", default="0,0.05,0.2")
    parser.add_argument("--people", default="careful,careless,alone")
    parser.add_argument("--dialogues", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--half", choices=("", "developed", "held"), default="")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--reasons", action="store_true")
    return parser.parse_args()


def _settings(given: Any) -> Iterator[Setting]:
    rates = [float(rate) for rate in given.rates.split(",")]
    for who in given.people.split(","):
        if who == "alone":
            yield Setting("careless", None)
        else:
            yield from (Setting(who, rate) for rate in rates)


if __name__ == "__main__":
    raise SystemExit(main())
