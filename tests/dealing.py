"""In what order tests are dealt out to processes: the longest files first, and a process stays with its file and its folder."""

from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path

LONGEST = (
    "test_replicas.py",
    "test_scenarios.py",
    "test_starting.py",
    "test_crash.py",
    "test_vehicle_processes.py",
    "test_false_statements.py",
    "test_dialects.py",
    "test_bench.py",
)
"""Whatever takes long begins first, so that no process of a run is left alone with it at the end."""


class Deck:
    """The tests of a run by their places, file by file; a file's and a folder's fixtures serve whoever has them for as long as there is more."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self._files: dict[Path, deque[int]] = {}
        for place in sorted(range(len(paths)), key=lambda n: _rank(paths[n])):
            self._files.setdefault(paths[place], deque()).append(place)
        self._at: dict[int, Path] = {}
        """Which file a process had its last test from."""

    @property
    def left(self) -> int:
        """How many there are still."""
        return sum(map(len, self._files.values()))

    def deal(self, process: int) -> int | None:
        """The next test for a process: of its own file, else of one that nobody has begun, else of the one with most left. None: no more."""
        mine = self._at.get(process)
        open_ones = [path for path, tests in self._files.items() if tests]
        if not open_ones:
            return None
        path = mine if mine in open_ones else self._fresh(mine, open_ones)
        self._at[process] = path
        return self._files[path].popleft()

    def put_back(self, tests: Iterable[int]) -> None:
        """Tests that were dealt and not run."""
        for test in tests:
            self._files[self._paths[test]].appendleft(test)

    def _fresh(self, mine: Path | None, open_ones: Sequence[Path]) -> Path:
        begun = set(self._at.values())
        fresh = [path for path in open_ones if path not in begun]
        near = (path for path in fresh if mine is not None and path.parent == mine.parent)
        longest = max(open_ones, key=lambda path: len(self._files[path]))
        first = fresh[0] if fresh and _rank(fresh[0]) < len(LONGEST) else None
        return first or next(near, fresh[0] if fresh else longest)


def _rank(path: Path) -> int:
    return LONGEST.index(path.name) if path.name in LONGEST else len(LONGEST)
