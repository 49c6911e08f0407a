"""What tomllib says of a text that is no TOML, as sentences that say what to write instead."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from state.form.near import nearest

AT = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")
YES, NO, NOTHING = {"true", "yes", "on", "y"}, {"false", "no", "off", "n"}, {"none", "null", "nil", "undefined"}
QUOTES, MARKS = "“”„‘’«»`", "\"'"
PAIR = re.compile(r"\s*[\w.\"'-]+\s*=(?!=)")
TABLE = re.compile(r"[\w.-]+\.[\w.-]+\]")
DAY = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}")
MOST = 20
"""Slips that are told at once."""


@dataclass(frozen=True)
class Slip:
    """A place that is no TOML. `line` counts from 1; `before` and `after` are what stands around the place in its line."""

    line: int
    before: str
    after: str
    message: str

    @property
    def whole(self) -> str:
        """The line."""
        return self.before + self.after

    @property
    def inside(self) -> bool:
        """Whether the place is within brackets, where a comma ends a value."""
        return "=" not in self.before or bool(re.search(r"[\[{]", self.before.partition("=")[2]))

    @property
    def word(self) -> str:
        """What stands where a value should."""
        found = re.match(r"[^,\]}#]+" if self.inside else r"[^#]+", self.after)
        return found[0].strip() if found else ""


def slips(text: str, error: ValueError) -> Iterator[tuple[int, str]]:
    """Each slip's line and what to do about it. A word without its quotes is put right in thought, so that the next slip is found."""
    for _ in range(MOST):
        slip, at = _slip(text, str(error))
        yield slip.line, _sentence(slip)
        mended = _mended(slip)
        if not mended:
            return
        text = text[:at] + mended + text[at + len(slip.word) :]
        try:
            tomllib.loads(text)
        except ValueError as other:
            error = other
        else:
            return


def _slip(text: str, message: str) -> tuple[Slip, int]:
    """The slip that a message tells of, and its place in the text."""
    found = AT.search(message)
    lines = text.split("\n")
    ended = len(text.rstrip("\n").split("\n"))
    line, column = (int(found[1]), int(found[2])) if found and found[1] else (ended, len(lines[ended - 1]) + 1)
    here = lines[line - 1] if line <= len(lines) else ""
    at = sum(len(one) + 1 for one in lines[: line - 1]) + column - 1
    return Slip(line, here[: column - 1], here[column - 1 :].rstrip("\r"), AT.sub("", message)), at


def _mended(slip: Slip) -> str:
    """What a word should have been, where it is plain that a value was meant."""
    if slip.message != "Invalid value" or not slip.word or slip.word[0] in QUOTES + "=\"'" or _list_is_open(slip):
        return ""
    said = slip.word.casefold()
    return "true" if said in YES else "false" if said in NO else '""'


def _sentence(slip: Slip) -> str:
    told = next((say(slip) for start, say in SAYS.items() if slip.message.startswith(start)), "")
    return f"This is not TOML. {told or f'{slip.message}. Text stands in quotes, lists in [brackets].'}"


def _list_is_open(slip: Slip) -> bool:
    if slip.before.strip() in ("[", "[["):
        return bool(TABLE.match(slip.after))
    return not slip.before.strip() and bool(PAIR.match(slip.after))


def _value(slip: Slip) -> str:
    """Something that is no value stands where one should."""
    said = slip.word.casefold()
    if _list_is_open(slip):
        return "The list above is still open here. Write `]` at its end."
    if slip.after.startswith("="):
        return "Write one `=` between a key and its value."
    if not said:
        return "A value is missing here. Write one, or take the key out."
    if said[0] in QUOTES:
        return 'Write plain quotes: "…".'
    if said in YES | NO:
        word = "true" if said in YES else "false"
        return f"Write `{word}` for `{slip.word}`: in small letters, without quotes."
    if said in NOTHING:
        return "There is no empty value: take the key out."
    close = nearest(said, ("true", "false"))
    if close:
        return f'Did you mean `{close}`? Text stands in quotes: "{slip.word}".'
    number = " A number begins with a digit: 0.5." if re.match(r"[.+-]", said) else ""
    return f'Text stands in quotes: write "{slip.word.strip(MARKS)}".{number}'


def _behind(slip: Slip) -> str:
    """Something stands behind a whole value."""
    value = slip.whole.partition("=")[2].partition("#")[0].strip()
    if slip.whole.lstrip().startswith("["):
        return "Nothing may stand behind a table's name. Write one `[` and one `]` around it, or two of each."
    if DAY.match(value):
        return 'A day stands in quotes, year first: "2026-03-31".'
    if re.match(r"[+-]?\d+,\d", value):
        return 'Write a number without separators: 1000. Where it has decimals, as text with a point: "0.5".'
    if re.match(r"[+-]?0\d", value):
        return "A number begins with no 0. Take it out, or write text in quotes."
    if slip.after.strip() in (",", ";"):
        return f"Take the `{slip.after.strip()}` out: a line ends with its value."
    if re.match(r"\d", value):
        return f'Write the number alone, or text in quotes: "{value}".'
    return 'One key has one value. Write several as a list, with commas between: ["one", "two"].'


def _key(slip: Slip) -> str:
    """A key without its `=`."""
    if slip.after.lstrip().startswith(":"):
        return "Write `=`, not `:`, between a key and its value."
    if "=" not in slip.whole:
        return "This line has no `=`. Write `key = value`, or `#` before a remark."
    key = slip.whole.partition("=")[0].strip()
    return f"A key has no spaces: write `{re.sub(r'[^A-Za-z0-9_.-]+', '_', key)}`."


def _again(slip: Slip) -> str:
    if slip.whole.lstrip().startswith("["):
        return f"{slip.whole.strip()} was written in another way above. Keep one of them."
    key = slip.whole.partition("=")[0].strip()
    return f"`{key}` stands here a second time. Keep one." if key else "A key stands here a second time. Keep one."


def _table_again(slip: Slip) -> str:
    name = slip.whole.strip().partition("#")[0].strip()
    return f"{name} stands here a second time. Put its keys below the first one, or rename it."


def _statement(slip: Slip) -> str:
    if slip.after.startswith("//"):
        return "A remark begins with `#`."
    return "A line is `key = value`, or the name of a table in [brackets]. Keys have plain letters, digits, - and _."


INLINE = "What stands in { } is one line, with commas between and none at its end. A longer one is a table of its own."
LISTED = "Write a comma between two entries of a list, and `]` at its end."
NO_END = "The text has no closing quote. Add it at its end."
HEADER = "A table's name stands in [brackets], without spaces: [fields.first_day]."
SAYS: Mapping[str, Callable[[Slip], str]] = {
    "Invalid value": _value,
    "Expected newline or end of document": _behind,
    "Expected '=' after a key": _key,
    "Cannot overwrite a value": _again,
    "Cannot mutate": _again,
    "Duplicate inline table key": _again,
    "Cannot declare": _table_again,
    "Invalid statement": _statement,
    "Invalid initial character for a key part": lambda slip: INLINE if _in_braces(slip) else _statement(slip),
    "Unclosed inline table": lambda _: INLINE,
    "Unclosed array": lambda _: LISTED,
    "Unterminated string": lambda _: NO_END,
    "Illegal character '\\n'": lambda _: NO_END,
    "Expected \"'\"": lambda _: NO_END,
    "Expected ']": lambda _: HEADER,
    "Unescaped '\\'": lambda _: "A backslash is written twice: \\\\. Or write the text in single quotes.",
}  # fmt: skip


def _in_braces(slip: Slip) -> bool:
    return slip.before.count("{") > slip.before.count("}") or not slip.whole.lstrip().startswith("[")
