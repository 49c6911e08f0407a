"""What is counted over many dialogues, and the table that shows it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.replay.player import Seen


@dataclass(frozen=True)
class Sum:
    """One fault rate's figures."""

    rate: float
    seen: Sequence[Seen]
    injected: int
    seconds: float

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """Label and figure, in the order of the report."""
        forms, values = len(self.seen), sum(s.values for s in self.seen)
        equal = sum(s.equal for s in self.seen)
        return (
            ("forms filled in", str(forms)),
            ("faults injected", str(self.injected)),
            ("submitted payload equals gold", f"{equal} ({equal / forms:.2%})"),
            ("filled fields asked again", str(self._sum(len(s.asked_filled) for s in self.seen))),
            ("told but not taken, so asked", str(self._sum(len(s.asked_told) for s in self.seen))),
            ("double submissions", str(self._sum(s.twice for s in self.seen))),
            ("values not taken in their turn", str(self._sum(len(s.refused) for s in self.seen))),
            ("corrections not taken in their turn", str(self._sum(len(s.corrections_refused) for s in self.seen))),
            ("values confirmed by a button", str(self._sum(s.by_button for s in self.seen))),
            ("values marked to be checked", f"{self._sum(s.unsure for s in self.seen)} of {values}"),
            ("seconds", f"{self.seconds:.0f}"),
        )

    @staticmethod
    def _sum(figures: Iterable[int]) -> int:
        return sum(figures)


def table(sums: Sequence[Sum]) -> str:
    """The figures side by side, a column per fault rate."""
    heads = [f"{s.rate:.0%} faults" for s in sums]
    lines = [f"{'':<38}" + "".join(f"{head:>18}" for head in heads)]
    for row in zip(*(s.rows for s in sums), strict=True):
        lines.append(f"{row[0][0]:<38}" + "".join(f"{figure:>18}" for _, figure in row))
    return "\n".join(lines)


def reasons(sums: Sequence[Sum]) -> str:
    """By form, field and way of telling: what was not taken at once; and each form that did not end as it should."""
    missed: Counter[str] = Counter()
    for s in (one for every in sums for one in every.seen):
        missed.update(f"{s.form}.{w.field}, {w.how}" for w in (*s.refused, *s.corrections_refused))
    lines = [f"  {n:>5}  {what}" for what, n in missed.most_common()]
    wrong = [
        f"  {s.dialogue} {s.form}: {', '.join(s.differs) or s.stuck or 'filed' if s.filed else 'not filed: ' + s.stuck}"
        for every in sums
        for s in every.seen
        if not s.equal
    ]
    return "\n".join(("Not taken in their turn:", *lines, "Not equal to gold:", *wrong))
