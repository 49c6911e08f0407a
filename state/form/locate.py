"""Where things stand in a TOML text: tomllib reads values without their lines, and an author wants the line to mend."""

import re
from collections.abc import Iterator
from itertools import count

Path = tuple[str | int, ...]
"""Keys and list positions that lead to a value: ("fields", "account", "choices", 0)."""

BLANK = re.compile(r"[ \t\r\n]+|#[^\n]*")
KEY = re.compile(r"[A-Za-z0-9_-]+|\"(?:\\.|[^\"\\])*\"|'[^']*'")
STRING = re.compile(
    r'"""(?:\\[\s\S]|(?!""")[^\\])*"{3,5}'
    r"|'''(?:(?!''')[\s\S])*'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'"
)
BARE = re.compile(r"[^,\]}\n#]+")


def locate(text: str) -> dict[Path, int]:
    """Return the line of every table, key and list entry of a valid TOML text, counted from 1. Takes what tomllib has read before."""
    scan = _Scan(text)
    scan.document()
    return scan.lines


def line_of(lines: dict[Path, int], path: Path) -> int:
    """Return the line of a path, or of the first thing in it, or of the nearest thing around it that stands in the file."""
    for size in range(len(path), 0, -1):
        within = (line for other, line in lines.items() if other[:size] == path[:size])
        if (first := lines.get(path[:size]) or min(within, default=0)) != 0:
            return first
    return 1


class _Scan:
    """One pass over the text, with the position in it."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.lines: dict[Path, int] = {}
        self.entries: dict[Path, Iterator[int]] = {}
        self.last: dict[Path, int] = {}

    def document(self) -> None:
        table: Path = ()
        while self.next_char():
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)

    def next_char(self) -> str:
        """Return the next character that is no blank and no comment; empty at the end."""
        while found := BLANK.match(self.text, self.at):
            self.at = found.end()
        return self.text[self.at : self.at + 1]

    def header(self) -> Path:
        """`[a.b]` or `[[a.b]]`."""
        repeated = self.text.startswith("[[", self.at)
        self.at += 2 if repeated else 1
        line, table = self.line(), self.resolved(self.keys())
        if repeated:
            position = next(self.entries.setdefault(table, count()))
            self.last[table] = position
            self.mark(table, line)
            table = (*table, position)
        self.mark(table, line)
        self.at = self.text.index("]", self.at) + (2 if repeated else 1)
        return table

    def resolved(self, keys: Path) -> Path:
        """Return the path of a header; below `[[a]]` it is in the newest entry of a."""
        path: Path = ()
        for key in keys[:-1]:
            path = (*path, key)
            path = (*path, self.last[path]) if path in self.last else path
        return (*path, keys[-1])

    def keys(self) -> Path:
        """Return a dotted key: `a . "b c"`."""
        found: Path = ()
        while True:
            self.next_char()
            key = KEY.match(self.text, self.at)
            if key is None:
                return found
            self.at = key.end()
            found = (*found, key[0].strip("\"'") if key[0][0] in "\"'" else key[0])
            if self.next_char() != ".":
                return found
            self.at += 1

    def pair(self, table: Path) -> None:
        """`key = value`."""
        self.next_char()
        line = self.line()
        path = (*table, *self.keys())
        for size in range(len(table) + 1, len(path) + 1):
            self.mark(path[:size], line)
        self.at = self.text.index("=", self.at) + 1
        self.value(path)

    def value(self, path: Path) -> None:
        start = self.next_char()
        if start == "[":
            self.listed(path)
        elif start == "{":
            self.inline(path)
        else:
            found = (STRING if start in ("'", '"') else BARE).match(self.text, self.at)
            self.at = found.end() if found else self.at + 1

    def listed(self, path: Path) -> None:
        """`[1, 2, 3]`, over any number of lines."""
        self.at += 1
        for position in count():
            while self.next_char() == ",":
                self.at += 1
            if self.next_char() in ("]", ""):
                break
            self.mark((*path, position), self.line())
            self.value((*path, position))
        self.at += 1

    def inline(self, path: Path) -> None:
        """`{ a = 1, b = 2 }`."""
        self.at += 1
        while self.next_char() not in ("}", ""):
            if self.text[self.at] == ",":
                self.at += 1
            else:
                self.pair(path)
        self.at += 1

    def line(self) -> int:
        return self.text.count("\n", 0, self.at) + 1

    def mark(self, path: Path, line: int) -> None:
        self.lines.setdefault(path, line)
