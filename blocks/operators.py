"""What those who run the bot are told in their channel: one message for each cause, which names no person."""

from collections.abc import Sequence

from blocks.elements import section
from blocks.message import Message, message
from blocks.phrases import Phrasebook
from blocks.text import escape, literal

_REASON = 1500
NAMED = 50
"""Records that a message names."""
OWN = ("not_in_channel", "is_archived", "missing_scope")
"""Reasons with a sentence of their own."""


def build_cause(words: Phrasebook, status: str, reason: str, channel: str, row: str, *, holds: bool) -> Message:
    """Why something cannot be delivered or handled, where, and what to do. `channel` is empty where it would name a person."""
    place = f"<#{channel}>" if channel else escape(words.say("ops_direct"))
    given = {"place": place, "reason": escape(reason), "row": escape(row)}
    text = words.fill(_key(status, reason, holds=holds), given, literal)
    return message(text, [section(text)])


def build_sink_cause(words: Phrasebook, sink: str, reason: str, row: str) -> Message:
    """A sink that does not take what is sent to it: why, and what to do."""
    return _plain(words, "ops_no_such_sink" if reason == "no_such_sink" else "ops_sink", sink, reason, row)


def build_held(words: Phrasebook, sink: str, reason: str) -> Message:
    """To those who decide: what they decided does not get where it should, and is kept."""
    return _plain(words, "sink_held", sink, reason)


def build_passed_on(words: Phrasebook, sink: str, numbers: Sequence[str]) -> Message:
    """After an erasure: which records a sink may have, so that whoever runs it is told."""
    more = f", … ({len(numbers)})" if len(numbers) > NAMED else ""
    return _plain(words, "ops_passed_on", sink, ", ".join(numbers[:NAMED]) + more)


def build_table_refused(words: Phrasebook, table: str, line: int, reason: str) -> Message:
    """A table that an operator gave and that does not count: the line to mend."""
    return _plain(words, "ops_table", table, reason, str(line))


def build_sinks_wrong(words: Phrasebook, reason: str) -> Message:
    """sinks.toml does not count as it is now."""
    return _plain(words, "ops_sinks_wrong", "sinks.toml", reason)


def _plain(words: Phrasebook, key: str, sink: str, reason: str, row: str = "") -> Message:
    given = {"place": f"*{escape(sink)}*", "reason": escape(reason, _REASON), "row": escape(row)}
    text = words.fill(key, given, literal)
    return message(text, [section(text)])


def _key(status: str, reason: str, *, holds: bool) -> str:
    if status == "dead":
        return "ops_dead"
    if reason == "unclear":
        return "ops_unclear"
    if reason in OWN:
        return f"ops_{reason}"
    return "ops_place" if holds else "ops_message"
