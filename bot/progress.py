"""How a start tells what it is doing: one line before each step that may take a while."""

from collections.abc import Callable

Say = Callable[[str], object]
"""Is given a line for the person at the terminal."""


def silent(_line: str) -> None:
    """Nobody is at the terminal."""
