"""Stretches of a text that are taken, and whether something lies within reach of one."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator


class Spans:
    """A set of stretches; `hits` tells in logarithmic time whether a stretch overlaps any of them."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for start, end in sorted(spans):
            if self.ends and start <= self.ends[-1]:
                self.ends[-1] = max(end, self.ends[-1])
            else:
                self.starts.append(start)
                self.ends.append(end)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """The stretches, in order."""
        return zip(self.starts, self.ends, strict=True)

    def hits(self, start: int, end: int) -> bool:
        """Whether `start` up to `end` overlaps a taken stretch."""
        i = bisect_right(self.starts, end - 1) - 1
        return i >= 0 and self.ends[i] > start
