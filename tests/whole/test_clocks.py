"""Clocks that tests run under (tests/clocks.py): what runs under one believes it, and says how to have it again."""

import os
import subprocess
import sys
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tests import clocks

ASKED = """
import sqlite3, subprocess, sys, time, os
from datetime import UTC, datetime
began = time.monotonic()
time.sleep(0.05)
slept = time.monotonic() - began
print(datetime.now(UTC).isoformat(timespec="seconds"))
print(sqlite3.connect(":memory:").execute("SELECT strftime('%Y-%m-%dT%H:%M:%S+00:00')").fetchone()[0])
os.environ.clear()
if pid := os.fork():
    sys.exit(os.waitpid(pid, 0)[1] or not 0.04 < slept < 90)
print(datetime.now(UTC).isoformat(timespec="seconds"), flush=True)
"""


def test_the_table_has_what_breaks_clocks() -> None:
    """A Sunday, the last day of a year, the 29th of February, four changes of summer time, and zones on both sides of the date line."""
    at = {name: datetime.fromisoformat(f"{moment}+00:00") for name, (moment, _) in clocks.CLOCKS.items()}
    zones = {name: ZoneInfo(zone) for name, (_, zone) in clocks.CLOCKS.items()}
    assert at["sunday"].isoweekday() == 7
    assert (at["leap_day"].month, at["leap_day"].day) == (2, 29)
    assert (at["new_years_eve"].month, at["new_years_eve"].day) == (12, 31)
    soon = {name: when + timedelta(minutes=10) for name, when in at.items()}
    turned = {name for name in at if at[name].astimezone(zones[name]).dst() != soon[name].astimezone(zones[name]).dst()}
    assert turned == {"london_forward", "london_back", "new_york_forward", "new_york_back"}
    assert at["auckland"].astimezone(zones["auckland"]).date() > at["auckland"].date()
    assert at["honolulu"].astimezone(zones["honolulu"]).date() < at["honolulu"].date()


@pytest.mark.skipif("FAKETIME" in os.environ, reason="this run is under a clock")
@pytest.mark.parametrize("name", ["leap_day", "before_midnight"])
def test_every_process_of_a_run_has_its_clock(name: str) -> None:
    """Python, SQLite, and a fork that has emptied its environment read the same moment, ahead or behind; sleeping takes its time."""
    if not clocks.library():
        pytest.skip(clocks.LEFT_OUT)
    done = subprocess.run(  # noqa: S603  our own
        [sys.executable, "-c", ASKED], env=clocks.surroundings(name), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    began = datetime.fromisoformat(f"{clocks.CLOCKS[name][0]}+00:00")
    told = [datetime.fromisoformat(line) for line in done.stdout.splitlines()]
    assert len(told) == 3 and all(abs(one - began) < timedelta(minutes=2) for one in told)


def test_an_unknown_clock_is_told() -> None:
    """A name that the table has not ends the run with one sentence and the names that there are."""
    with pytest.raises(pytest.UsageError, match="no such clock"):
        clocks.chosen("yesterday")


def test_what_runs_under_the_clock_of_the_day_runs_once() -> None:
    """What is run under it is left out of the rest, and nothing else is; where no clock can be moved, the rest is all there is."""
    left_out = [f"--ignore={folder}" for folder in clocks.BY_TURNS] if clocks.library() else []
    assert clocks.rest().split() == ["tests", *left_out]
