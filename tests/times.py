"""What each folder of tests takes: `pytest --folders` prints the table that CONTRIBUTING.md holds."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from pytest import TestReport


def table(reports: Iterable[TestReport]) -> Iterator[str]:
    """One line a folder, the longest first: its tests, and their seconds with setup and teardown, summed over all processes."""
    seconds, tests = defaultdict[str, float](float), Counter[str]()
    for report in reports:
        folder = "/".join(report.nodeid.split("/")[:2])
        seconds[folder] += report.duration
        tests[folder] += report.when == "call"
    for folder in sorted(seconds, key=seconds.__getitem__, reverse=True):
        yield f"| `{folder}` | {tests[folder]} | {seconds[folder]:.0f} |"
    yield f"| all | {tests.total()} | {sum(seconds.values()):.0f} |"
