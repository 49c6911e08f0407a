"""What a start makes ready, so that nobody's first words wait for it."""

import subprocess
import sys
from dataclasses import replace

import pytest

from bot.root.warming import warm
from tests.shipped import shipped

FIRST = """
import sys
from bot.root.warming import warm
from state.engine.codec import ADAPTERS, KINDS
from tests.shipped import shipped
warm({"pa_dealing": shipped("pa_dealing")})
assert set(ADAPTERS) == set(KINDS)
assert "holidays.financial" in sys.modules
"""


def test_a_start_makes_ready_what_the_first_person_would_wait_for() -> None:
    """After warming, every schema of what is stored is built and the calendars of exchanges are loaded."""
    subprocess.run([sys.executable, "-c", FIRST], check=True, timeout=120)  # noqa: S603  this file's own words


def test_a_form_that_fails_keeps_nobody_from_starting(capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be made ready is logged, and the bot serves."""
    broken = {"gifts": replace(shipped("gifts"), form=None)}  # type: ignore[arg-type]
    warm(broken)
    assert "warming_failed" in capsys.readouterr().out
