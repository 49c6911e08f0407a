"""What is wrong with a workflow folder, as sentences that say what to do, each with the line to mend."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, order=True)
class Problem:
    """`line` counts from 1; `text` is one or two sentences for whoever writes the form."""

    file: Path
    line: int
    text: str


class FormError(Exception):
    """A workflow that cannot be used. `problems` holds all that is wrong with it, in the order of its files and lines."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(map(render_problem, self.problems)))


def render_problem(problem: Problem) -> str:
    """As compilers write it: `pa_dealing/form.toml:41: The field …`."""
    return f"{problem.file.parent.name}/{problem.file.name}:{problem.line}: {problem.text}"
