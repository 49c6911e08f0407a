"""The draft's life as one table. What is not listed cannot happen."""

from collections.abc import Mapping

from state.advance.work import Work
from state.draft.changes import StatusMoved
from state.draft.draft import Status

TRANSITIONS: Mapping[tuple[Status, str], Status] = {
    (Status.OPEN, "submit"): Status.SUBMITTED,
    (Status.OPEN, "cancel"): Status.CANCELLED,
    (Status.OPEN, "end"): Status.CANCELLED,
    (Status.OPEN, "restart"): Status.CANCELLED,
    (Status.OPEN, "disclose"): Status.ESCALATED,
    (Status.SUBMITTED, "disclose"): Status.ESCALATED,
    (Status.CANCELLED, "disclose"): Status.ESCALATED,
    (Status.ESCALATED, "disclose"): Status.ESCALATED,
}


class Unlisted(Exception):
    """A transition that the table does not have; nothing has changed."""


def move(work: Work, trigger: str) -> None:
    """Follow the table. Raises Unlisted."""
    to = TRANSITIONS.get((work.draft.status, trigger))
    if to is None:
        raise Unlisted(f"{work.draft.status} has no transition on {trigger}")
    work.change(StatusMoved(to, trigger))
