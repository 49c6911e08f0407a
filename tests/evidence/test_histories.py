"""Legitimate histories, which verify passes."""

from pathlib import Path

from tests.command import holdfast


async def test_what_nobody_changed_verifies(var: Path) -> None:
    """Filing, decisions, erasure, retention and documents leave nothing that verify complains of."""
    told = holdfast("verify", var=var)
    assert (told.stderr, told.returncode) == ("", 0)
