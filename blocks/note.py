"""Sentences by themselves: a private note, a word outside of any form, what operators are told, and the question before an erasure."""

from collections.abc import Mapping, Sequence
from typing import Any

from blocks.aloud import aloud
from blocks.elements import Message, actions, button, message, section
from blocks.home import begin
from blocks.ids import Press
from blocks.page import Page
from blocks.phrases import Phrasebook
from blocks.text import escape, literal
from blocks.utterances import sentence, sentences
from state.draft.draft import Draft
from state.draft.utterance import Utterance
from state.form import Form


def build_note(form: Form, draft: Draft, told: Utterance, today: str) -> Message:
    """Build a private note about a draft: "Only @alex can answer this request."."""
    text = sentence(Page(form, draft, today), told)
    return message(text, [section(text)])


def build_comment(form: Form, draft: Draft, told: tuple[Utterance, ...], today: str) -> str:
    """Return what stands above a file, as escaped text."""
    return sentences(Page(form, draft, today), told)


def build_word(words: Phrasebook, key: str) -> Message:
    """Build a sentence of the catalogue that names nothing, like `error_sorry`."""
    text = literal(words.say(key))
    return message(text, [section(text)])


def build_answer(form: Form | None, told: Sequence[str]) -> Message:
    """What a question is answered with that begins no form, and the way to begin the one that it is about."""
    shown = "\n".join(map(literal, told))
    return message(shown, [section(shown), *([actions([begin(form)])] if form else [])])


def listed_lines(form: Form, requests: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the newest requests of a form that has no words of its own for them, a line each: number, essence, state, day."""
    page, lines = Page(form, Draft("", form.name, "", "", ""), ""), []
    for request in requests:
        told = {name: str(request.get(name) or "") for name in ("number", "essence")}
        told |= {"state": page.state(str(request["state_name"])), "day": page.day(str(request["filed_on"]))}
        key = "request_line" if told["essence"] else "request_line_bare"
        lines.append(page.words.fill(key, told, str))
    return lines


def build_plain(text: str) -> Message:
    """Build a workflow's own sentence outside of any draft."""
    shown = literal(text)
    return message(shown, [section(shown)])


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
    """Return a sink that does not take what is sent to it: why, and what to do."""
    return _of_sink(words, "ops_no_such_sink" if reason == "no_such_sink" else "ops_sink", sink, reason, row)


def build_held(words: Phrasebook, sink: str, reason: str) -> Message:
    """To those who decide: what they decided does not get where it should, and is kept."""
    return _of_sink(words, "sink_held", sink, reason)


def build_passed_on(words: Phrasebook, sink: str, numbers: Sequence[str]) -> Message:
    """After an erasure: which records a sink may have, so that whoever runs it is told."""
    more = f", … ({len(numbers)})" if len(numbers) > NAMED else ""
    return _of_sink(words, "ops_passed_on", sink, ", ".join(numbers[:NAMED]) + more)


def build_table_refused(words: Phrasebook, table: str, line: int, reason: str) -> Message:
    """Build the message about a table that an operator gave and that does not count: the line to mend."""
    return _of_sink(words, "ops_table", table, reason, str(line))


def build_sinks_wrong(words: Phrasebook, reason: str) -> Message:
    """sinks.toml does not count as it is now."""
    return _of_sink(words, "ops_sinks_wrong", "sinks.toml", reason)


def _of_sink(words: Phrasebook, key: str, sink: str, reason: str, row: str = "") -> Message:
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


def build_erase_ask(words: Phrasebook, language: str, proposal: str, kept: Sequence[str] = ()) -> Message:
    """Return what goes, what the law wants kept, the click that does it, and the way back. `proposal` binds both buttons."""
    text = _erasing(words, "erase_ask", kept)
    do = button(words.say("erase_yes"), Press("erase_confirmed", field=language, card=proposal), style="danger")
    stay = button(words.say("erase_no"), Press("erase_kept", field=language, card=proposal))
    return aloud(message(text, [section(text), actions([do, stay])]))


def build_erased(words: Phrasebook, key: str, kept: Sequence[str] = ()) -> Message:
    """How it ended, and what stays although it was asked to go."""
    text = _erasing(words, key, kept)
    return message(text, [section(text)])


def _erasing(words: Phrasebook, key: str, kept: Sequence[str]) -> str:
    return "\n".join(map(literal, (words.say(key), *kept)))
