"""Documents: files that a person sent, and what was found in them."""

from dataclasses import dataclass
from typing import Literal

Problem = Literal[
    "", "type", "large", "empty", "gone", "away", "external", "locked", "broken", "slow", "no_text", "no_reader"
]
"""Why a file could not be taken (up to `broken`), or why a file that was taken could not be read."""
UNREAD: frozenset[Problem] = frozenset({"", "slow", "no_text", "no_reader"})
"""A file with one of these is good as a document, whether or not its text is known."""

UNOPENED: frozenset[Problem] = frozenset({"locked", "broken"})
"""A file with one of these is kept where a person is to look at it."""
FAILED: frozenset[Problem] = frozenset({"away"})
"""Slack could not be reached for it: nothing that the person did."""


@dataclass(frozen=True)
class Sent:
    """A file as Slack announces it. `size` in bytes; `access` is Slack's `file_access`."""

    id: str
    name: str = ""
    mimetype: str = ""
    size: int = 0
    url: str = ""
    access: str = ""
    external: bool = False


@dataclass(frozen=True)
class Document:
    """A file that is stored, by its id. `type` is its media type by content; `text` what could be read of it, cut."""

    id: str
    name: str
    type: str = ""
    pages: int = 0
    text: str = ""
    problem: Problem = ""
    message: str = ""
    """Slack's timestamp of the message that it came with."""
    doubts: tuple[str, ...] = ()
    """Why its text may not be all that it shows: hidden, beside (remarks, pictures, other files), cut."""
    digest: str = ""
    """By which the same file is known again."""

    @property
    def family(self) -> Literal["pdf", "image", ""]:
        """The family that `accept` names."""
        if self.type == "application/pdf":
            return "pdf"
        return "image" if self.type.startswith("image/") else ""
