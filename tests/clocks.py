"""Moments at which tests are run: `TEST_CLOCK=leap_day make test TESTS=tests/state` has every process of the run believe that it is then.

Debian's libfaketime moves the clock of Python, SQLite and the embedded PostgreSQL alike, whatever they fork or start, which no package for Python
does; the monotonic clock stays. `python -m tests.clocks` runs what depends on time under each clock, or under those that are named; `make chaos`
does the first, and CI takes the one whose turn it is that day for what is pure, and the machine's own for the rest.
"""

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

CLOCKS: Final = {
    "after_midnight": ("2027-02-10T00:10", "UTC"),
    "morning": ("2026-06-17T06:00", "UTC"),
    "noon": ("2027-05-12T12:00", "UTC"),
    "before_midnight": ("2026-09-09T23:50", "UTC"),
    "sunday": ("2026-08-16T10:00", "Europe/Rome"),
    "new_years_eve": ("2026-12-31T23:30", "Europe/London"),
    "leap_day": ("2028-02-29T09:30", "UTC"),
    "london_forward": ("2027-03-28T00:58", "Europe/London"),
    "london_back": ("2027-10-31T00:58", "Europe/London"),
    "new_york_forward": ("2027-03-14T06:58", "America/New_York"),
    "new_york_back": ("2027-11-07T05:58", "America/New_York"),
    "auckland": ("2027-01-29T18:00", "Pacific/Auckland"),
    "honolulu": ("2027-04-01T04:00", "Pacific/Honolulu"),
}
"""A moment (UTC) at which the run begins, and the machine's zone; summer time changes two minutes after."""
TURN: Final = "turn"
"""The clock of the day, instead of a name."""
REST: Final = "rest"
"""Prints what the clock of the day leaves to the machine's own."""
DEPENDENT: Final = (
    "tests/workflows", "tests/state", "tests/kinds", "tests/reading", "tests/rights", "tests/lists", "tests/sinks", "tests/proof", "tests/stores",
)  # fmt: skip
BY_TURNS: Final = DEPENDENT[:4]
"""What CI runs under the clock of the day: scenarios, and what is pure."""
LIBRARIES: Final = "/usr/lib/*/faketime/libfaketime.so.1"
LEFT_OUT: Final = "CLOCKS ARE LEFT OUT: this machine has no libfaketime (apt-get install libfaketime)"
CHOICE: Final = "TEST_CLOCK"
FAKED: Final = {
    "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    "FAKETIME_FORCE_MONOTONIC_FIX": "0",  # or threads wait no time at all for each other
    "FAKETIME_CACHE_DURATION": "100000000",  # a process that empties its environment keeps its clock
    "FAKETIME_DISABLE_SHM": "1",
}
PASSED_ON: Final = ("LD_PRELOAD", "FAKETIME", "PYTHONPATH", "TZ", *FAKED)


def pytest_configure(config: pytest.Config) -> None:
    """Begin this run again under the clock that the environment names, unless it is under one."""
    name = os.environ.get(CHOICE)
    if not name or "FAKETIME" in os.environ or not library():
        return
    if capturing := config.pluginmanager.getplugin("capturemanager"):
        capturing.stop_global_capturing()
    os.execve(sys.executable, sys.orig_argv, surroundings(chosen(name)))  # noqa: S606  this command again


def pytest_report_header() -> str:
    """Say which clock this is and how to have it again, or that it was left out."""
    name = os.environ.get(CHOICE)
    if not name:
        return "clock: the machine's"
    if "FAKETIME" not in os.environ:
        return LEFT_OUT
    return f"clock: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, TZ={os.environ['TZ']}; again: {CHOICE}={name}"


def surroundings(name: str) -> dict[str, str]:
    """Return this process's environment with what puts a new process under the clock of this name."""
    moment, zone = CLOCKS[name]
    ahead = datetime.fromisoformat(moment).replace(tzinfo=UTC) - datetime.now(UTC)
    paths = (str(Path(__file__).parent / "faketime"), os.environ.get("PYTHONPATH"))
    return {
        **os.environ,
        **FAKED,
        CHOICE: name,
        "TZ": zone,
        "FAKETIME": f"{ahead.total_seconds():+.0f}",
        "LD_PRELOAD": library(),
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
    }


def passed_on() -> dict[str, str]:
    """Return what a process needs that is started with an environment of its own, so that its clock is this one's."""
    return {name: os.environ[name] for name in PASSED_ON if name in os.environ} if "FAKETIME" in os.environ else {}


def own_time() -> dict[str, str]:
    """Return this process's environment for one that has the machine's clock: a browser bears no other library in its sandbox."""
    return {name: value for name, value in os.environ.items() if name not in {"LD_PRELOAD", *FAKED}}


def library() -> str:
    """Return where libfaketime is; empty where it is not installed."""
    return next((str(file) for file in sorted(Path("/").glob(LIBRARIES[1:]))), "")


def chosen(name: str) -> str:
    """Return the clock of this name, or the one whose turn it is. Raises UsageError."""
    if name == TURN:
        return [*CLOCKS][datetime.now(UTC).toordinal() % len(CLOCKS)]
    if name not in CLOCKS:
        raise pytest.UsageError(f"{CHOICE}={name}: no such clock. Write one of {', '.join((*CLOCKS, TURN))}.")
    return name


def rest() -> str:
    """Return what of the tests the clock of the day does not run, as pytest is told: all, where no clock can be moved."""
    return " ".join(("tests", *(f"--ignore={folder}" for folder in BY_TURNS if library())))


def main(names: list[str]) -> int:
    """Run what depends on time under these clocks, or under each. Returns how many of them something fell under."""
    if names == [REST]:
        sys.stdout.write(f"{rest()}\n")
        return 0
    if not library():
        sys.stdout.write(f"{LEFT_OUT}\n")
        return 0
    fell = []
    for name in map(chosen, names or CLOCKS):
        sys.stdout.write(f"Clock {name}; again: .venv/bin/python -m tests.clocks {name}\n")
        sys.stdout.flush()
        folders = BY_TURNS if TURN in names else DEPENDENT
        command = [sys.executable, "-m", "pytest", "-q", "--forks", str(2 + (os.cpu_count() or 1)), *folders]
        if subprocess.run(command, env=surroundings(name), check=False).returncode:  # noqa: S603  our own
            fell.append(name)
    sys.stdout.write(f"Fell under {', '.join(fell)}.\n" if fell else "All passed.\n")
    return len(fell)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
