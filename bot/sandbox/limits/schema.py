"""A small language for Slack's rules: each function makes a check that says what is wrong and where, in Slack's words."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """`pointer` is a JSON pointer into the payload, such as "/blocks/0/text"."""

    pointer: str
    message: str

    def __str__(self) -> str:
        return f"{self.message} [json-pointer:{self.pointer}]"


def unmatched(pointer: str) -> Problem:
    """Return an object that fits none of the forms it may have."""
    return Problem(pointer, "failed to match all allowed schemas")


Check = Callable[[object, str], Iterator[Problem]]


def string(most: int | None = None, least: int = 1, form: str | None = None) -> Check:
    """Return a string of `least` to `most` characters that matches `form`."""

    def check(value: object, pointer: str) -> Iterator[Problem]:
        if not isinstance(value, str):
            yield Problem(pointer, "must provide a string")
        elif len(value) < least:
            yield Problem(pointer, f"must be more than {least - 1} characters")
        elif most is not None and len(value) > most:
            yield Problem(pointer, f"must be less than {most + 1} characters")
        elif form is not None and not re.fullmatch(form, value):
            yield Problem(pointer, f"must match the pattern {form}")

    return check


def one_of(*choices: str) -> Check:
    """One of these strings."""

    def check(value: object, pointer: str) -> Iterator[Problem]:
        if value not in choices:
            yield Problem(pointer, f"must be one of: {', '.join(choices)}")

    return check


def flag(value: object, pointer: str) -> Iterator[Problem]:
    """Yield a boolean."""
    if not isinstance(value, bool):
        yield Problem(pointer, "must provide a boolean")


def anything(value: object, pointer: str) -> Iterator[Problem]:
    """Yield a value that the sandbox does not look into."""
    del value, pointer
    yield from ()


def number(least: int, most: int) -> Check:
    """Return a whole number in a range."""

    def check(value: object, pointer: str) -> Iterator[Problem]:
        if not isinstance(value, int) or isinstance(value, bool):
            yield Problem(pointer, "must provide an integer")
        elif value < least:
            yield Problem(pointer, f"must be greater than {least - 1}")
        elif value > most:
            yield Problem(pointer, f"must be less than {most + 1}")

    return check


def figure(value: object, pointer: str) -> Iterator[Problem]:
    """Yield any number."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        yield Problem(pointer, "must provide a number")


def items(each: Check, most: int, least: int = 1) -> Check:
    """Return a list of `least` to `most` things."""

    def check(value: object, pointer: str) -> Iterator[Problem]:
        if not isinstance(value, list):
            yield Problem(pointer, "must provide an array")
            return
        if len(value) < least:
            yield Problem(pointer, f"no fewer than {least} items allowed")
        if len(value) > most:
            yield Problem(pointer, f"no more than {most} items allowed")
        for index, one in enumerate(value):
            yield from each(one, f"{pointer}/{index}")

    return check


def shape(needed: str = "", either: str = "", /, **fields: Check) -> Check:
    """Return an object with these properties and no others; all of `needed`, and at least one of `either`, which are words."""

    def check(value: object, pointer: str) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield Problem(pointer, "must provide an object")
            return
        for name in needed.split():
            if value.get(name) is None:
                yield Problem(pointer, f"missing required field: {name}")
        choices = either.split()
        if choices and all(value.get(name) is None for name in choices):
            yield Problem(pointer, "must define either " + " or ".join(f"`{name}`" for name in choices))
        for name, given in value.items():
            if name not in fields:
                yield Problem(pointer, f"invalid additional property: {name}")
            elif given is not None:
                yield from fields[name](given, f"{pointer}/{name}")

    return check


def typed(table: Mapping[str, Check], allowed: tuple[str, ...]) -> Check:
    """Return an object whose `type` picks its rules from a table; only the allowed types have a place here."""

    def check(value: object, pointer: str) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield Problem(pointer, "must provide an object")
            return
        kind = value.get("type")
        if kind is None:
            yield Problem(pointer, "missing required field: type")
        elif kind not in allowed:
            yield Problem(f"{pointer}/type", f"unsupported type: {kind}")
        else:
            yield from table[str(kind)](value, pointer)

    return check


def text(most: int, *kinds: str) -> Check:
    """Return a text object: plain_text, mrkdwn, or either when both are named."""
    emphasised = {"plain_text": "emoji", "mrkdwn": "verbatim"}

    def check(value: object, pointer: str) -> Iterator[Problem]:
        kind = value.get("type") if isinstance(value, dict) else None
        if isinstance(value, dict) and kind not in kinds:
            found = [Problem(f"{pointer}/type", f"must be one of: {', '.join(kinds)}")]
        else:
            flags = {emphasised[str(kind)]: flag} if kind else {}
            found = list(shape("text", type=anything, text=string(most), **flags)(value, pointer))
        if found and len(kinds) > 1:
            yield unmatched(pointer)
        yield from found

    return check
