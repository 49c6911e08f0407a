"""Print how big the house is beside what it may be: `make house`."""

import asyncio
import sys
from contextlib import redirect_stdout
from io import StringIO

from tests.house.limits import LIMITS
from tests.house.paths import paths
from tests.house.source import counts


def main() -> None:
    """Print each count with its limit and the goal, then the two traced acts."""
    found = counts()
    with redirect_stdout(StringIO()):
        traced = asyncio.run(paths())
    for act, path in traced.items():
        found = {**found, f"{act}_files": path.files, f"{act}_functions": path.functions}
    sys.stdout.write(f"{'':20}{'now':>10}{'limit':>10}{'goal':>10}\n")
    for name, n in found.items():
        limit = LIMITS.get(name)
        sys.stdout.write(f"{name:20}{n:>10g}{limit.now if limit else '':>10}{limit.goal if limit else '':>10}\n")


if __name__ == "__main__":
    main()
