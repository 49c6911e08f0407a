"""What is wrong with a payload, and where, in the words that Slack uses."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """`pointer` is a JSON pointer into the payload, such as "/blocks/0/text"."""

    pointer: str
    message: str

    def __str__(self) -> str:
        return f"{self.message} [json-pointer:{self.pointer}]"


def too_long(pointer: str, most: int) -> Problem:
    """A text over its limit, in characters."""
    return Problem(pointer, f"must be less than {most + 1} characters")


def too_short(pointer: str, least: int) -> Problem:
    """A text under its least length, in characters."""
    return Problem(pointer, f"must be more than {least - 1} characters")


def too_many(pointer: str, most: int) -> Problem:
    """A list over its limit."""
    return Problem(pointer, f"no more than {most} items allowed")


def too_few(pointer: str, least: int) -> Problem:
    """A list under its least length."""
    return Problem(pointer, f"no fewer than {least} items allowed")


def missing(pointer: str, name: str) -> Problem:
    """A property that must be there."""
    return Problem(pointer, f"missing required field: {name}")


def unknown(pointer: str, name: str) -> Problem:
    """A property that Slack does not know."""
    return Problem(pointer, f"invalid additional property: {name}")


def not_a(pointer: str, kind: str) -> Problem:
    """A value of another JSON type."""
    return Problem(pointer, f"must provide {kind}")


def unsupported(pointer: str, kind: object) -> Problem:
    """A block or element whose type is unknown, or has no place there."""
    return Problem(pointer, f"unsupported type: {kind}")


def unmatched(pointer: str) -> Problem:
    """An object that fits none of the forms it may have."""
    return Problem(pointer, "failed to match all allowed schemas")
