"""The table of guards: each is taken out of a copy of the tree, and the tests that fall are counted and named.

Run: python -m tests.mutants [--only WORDS] [--of FOLDER] [--document]
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.chaos import document
from tests.chaos.trials import Guard
from tests.mutants.catalogue import MUTANTS, Mutant
from tests.mutants.taking_out import ROOT, Lost, copy_tree, fallen, without
from tests.pages import run_line


def row(tree: Path, mutant: Mutant, run: str) -> Guard:
    """Take it out, and count the tests that fall."""
    try:
        with without(tree, mutant):
            names = fallen(tree, mutant.tests)
    except Lost:
        names, first = [], "NOT FOUND"
    except RuntimeError as broken:
        names, first = [], f"NOT RUN: {str(broken).splitlines()[-1]}"
    else:
        first = names[0].removeprefix("tests/") if names else "NO TEST FALLS"
    return Guard(mutant.guard, mutant.keeps, len(names), first, run=run)


def main() -> int:
    """Print the table; 1 where a guard falls no test."""
    parser = argparse.ArgumentParser(description="Take each guard out, and tell which tests fall.")
    parser.add_argument("--only", default="", help="guards whose name holds these words")
    parser.add_argument("--of", type=Path, default=ROOT, help="another checkout than this one")
    parser.add_argument("--document", action="store_true", help="put the table into docs/reliability.md as it comes")
    given = parser.parse_args()
    sys.stdout.write(document.HEADS[Guard] + "\n")
    well, run = True, run_line()
    with tempfile.TemporaryDirectory() as folder:
        tree = copy_tree(given.of, Path(folder))
        for mutant in (m for m in MUTANTS if given.only in m.guard):
            found = row(tree, mutant, run)
            sys.stdout.write(f"| {' | '.join(found.cells())} |\n")
            sys.stdout.flush()
            well = well and found.falls > 0
            if given.document:
                document.write([found])
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
