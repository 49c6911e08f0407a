"""An act counts on what could be read: its card must have been on screen for a second, by Slack's own times."""

from decimal import Decimal

from state.draft.utterance import Phrase
from state.engine.context import TurnContext
from state.engine.events import Clicked, DecisionMade, MessageReceived, ReportMade
from state.fields import kind_of

TO_READ = 1
"""Seconds."""
ONCE_READ = frozenset({
    "submit", "submit_anyway", "change", "cancel_confirmed", "restart_confirmed", "go", "clear", "take", "take_all", "confirm", "take_back",
    "again", "erase_confirmed", "decide", "judge", "withdraw_confirmed", "extend", "unused_confirmed",
})  # fmt: skip
"""Acts that cannot be undone, or consent to what a card says."""
BY_FIELD = frozenset({"answer", "accept", "pick", "enter", "amend"})
"""Answers: one that declares something, or locks, is such an act; any other can be edited."""
AT_ONCE = frozenset({
    "none_of_these", "edit", "keep", "undo", "explain", "box_closed", "feedback", "cancel", "restart", "disclose_confirmed", "missing", "help",
    "person", "show", "begin", "command", "back", "hand_back", "leave", "decline", "my_data", "erase", "erase_kept", "dossier", "withdraw",
    "report", "unused",
})  # fmt: skip
"""Acts that ask, open or leave something; and a worse disclosure, which nothing ever blocks."""
UNLESS_DISCLOSING = frozenset({"stay"})
"""Leaves things as they are; where a disclosure waits, that would be lost."""


def could_be_read(at: str, shown: str) -> bool:
    """Return True if an act came a second after its card was surely shown. Without a time of Slack's (a modal, a call) nothing speaks against it."""
    return not at or (bool(shown) and Decimal(at) - Decimal(shown) >= TO_READ)


def hasty(turn: TurnContext, event: Clicked) -> bool:
    """Return True if the click is an act that wants reading, on a card that nobody can have read."""
    return _wants_reading(turn, event) and not could_be_read(event.clicked_at, event.shown)


def _wants_reading(turn: TurnContext, event: Clicked) -> bool:
    field, proposal = turn.form.fields.get(event.field), turn.draft.proposal
    if event.act in BY_FIELD:
        return field is not None and (kind_of(field).declaration or field.lock != "review")
    if event.act in UNLESS_DISCLOSING:
        return proposal is not None and proposal.act == "disclose"
    return is_final(event.act)


def is_final(act: str) -> bool:
    """Return True if an act cannot be undone, or consents to what its card says."""
    return act not in AT_ONCE | BY_FIELD | UNLESS_DISCLOSING


def too_soon(_turn: TurnContext, event: DecisionMade | ReportMade) -> Phrase | None:
    """The card could be read before it was acted on."""
    return None if could_be_read(event.clicked_at, event.shown) else Phrase("too_soon")


def answers_unread(turn: TurnContext, event: MessageReceived) -> bool:
    """Return True if words may be meant for the question before the open one, or declare something that could not yet be read."""
    if not event.shown:
        return False
    field = turn.form.fields.get(turn.draft.asked)
    declares = field is not None and kind_of(field).declaration
    return Decimal(event.message) < Decimal(event.shown) or (declares and is_quick(event))


def is_quick(event: MessageReceived) -> bool:
    """Return True if words came before the open card could be read."""
    return bool(event.shown) and not could_be_read(event.message, event.shown)
