"""What those who decide have before them, and what they decided: part of the draft, so that it changes as everything in it does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

WITHDRAW: Literal["withdraw"] = "withdraw"
"""The owner's own verdict: they take the record back."""
ASK: Literal["ask"] = "ask"
"""Some answers are wanted again before anybody decides."""
EXTEND: Literal["extend"] = "extend"
"""An approval counts longer; also what a decision card is about that asks whether it shall."""
KEEP: Literal["keep"] = "keep"
"""An approval ends as it would."""
ASKED = "asked"
"""The state of a record while its owner answers."""


@dataclass(frozen=True)
class Decision:
    """One verdict. `who` is a Slack user id, `at` ISO 8601 in UTC; `state` is the one it was given in, `to` the one that followed."""

    who: str
    role: str
    state: str
    verdict: str
    to: str
    at: str
    reason: str = ""
    """For those who decide; the person does not read it."""
    note: str = ""
    """To the person, in the officer's own words."""
    conditions: str = ""
    deputy_of: str = ""
    """The holder of the role in whose place it was given."""
    card: str = ""
    shown: str = ""
    """The hash of what the card showed."""
    void: bool = False
    """Whether the request was reopened since: it is history, and counts no more."""
    fields: tuple[str, ...] = ()
    """What is to be answered again, where that is the verdict."""


@dataclass(frozen=True)
class Docket:
    """The decision card of the present state, and what stands on it beside the answers."""

    card: str = ""
    channel: str = ""
    """The name of the channel, where it is not the form's own."""
    reasons: tuple[str, ...] = ()
    background: tuple[str, ...] = ()
    """What else bears on it: risk, earlier requests, holdings."""
    about: str = ""
    """What the card is about, where that is not the state's own verdict: `EXTEND`."""
    overdue: str = ""
    """Since when (ISO 8601, UTC) a verdict is late; empty while it is not."""
    kept: Mapping[str, Any] = field(default_factory=dict)
    """Figures of the filing by which the record is judged to its end."""
    due: str = ""
    """Until when (ISO 8601, UTC) there is to decide, where the form says so."""


NO_DOCKET = Docket()
"""Nobody has anything before them."""
