"""The table of guards: each is taken out of a copy of the tree, and the tests that fall are counted and named.

Run: python -m tests.mutants [--only WORDS] [--of FOLDER]
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.mutants.catalogue import MUTANTS, Mutant
from tests.mutants.taking_out import ROOT, Lost, copy_tree, fallen, without


def row(tree: Path, mutant: Mutant) -> tuple[str, bool]:
    """A line of the table, and whether it is as it should be."""
    try:
        with without(tree, mutant):
            names = fallen(tree, mutant.tests)
    except Lost:
        return f"| {mutant.guard} | {_keeps(mutant)} | NOT FOUND | |", False
    except RuntimeError as broken:
        return f"| {mutant.guard} | {_keeps(mutant)} | NOT RUN | {str(broken).splitlines()[-1]} |", False
    first = names[0].removeprefix("tests/") if names else "NO TEST FALLS"
    return f"| {mutant.guard} | {_keeps(mutant)} | {len(names)} | {first} |", bool(names)


def _keeps(mutant: Mutant) -> str:
    return ", ".join(map(str, mutant.keeps))


def main() -> int:
    """Print the table; 1 where a guard falls no test."""
    parser = argparse.ArgumentParser(description="Take each guard out, and tell which tests fall.")
    parser.add_argument("--only", default="", help="guards whose name holds these words")
    parser.add_argument("--of", type=Path, default=ROOT, help="another checkout than this one")
    given = parser.parse_args()
    sys.stdout.write("| guard | invariants | tests that fall | the first of them |\n|---|---|---|---|\n")
    well = True
    with tempfile.TemporaryDirectory() as folder:
        tree = copy_tree(given.of, Path(folder))
        for mutant in (m for m in MUTANTS if given.only in m.guard):
            line, good = row(tree, mutant)
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
            well = well and good
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
