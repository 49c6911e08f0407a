"""One sentence by itself: a private note to one person, or a word outside of any form."""

from collections.abc import Mapping, Sequence
from typing import Any

from blocks.elements import actions, section
from blocks.home import begin
from blocks.message import Message, message
from blocks.page import Page
from blocks.phrases import Phrasebook
from blocks.text import literal
from blocks.utterances import sentence, sentences
from state.draft.draft import Draft
from state.draft.utterance import Utterance
from state.form import Form


def build_note(form: Form, draft: Draft, told: Utterance, today: str) -> Message:
    """A private note about a draft: "Only @alex can answer this request."."""
    text = sentence(Page(form, draft, today), told)
    return message(text, [section(text)])


def build_comment(form: Form, draft: Draft, told: tuple[Utterance, ...], today: str) -> str:
    """What stands above a file, as escaped text."""
    return sentences(Page(form, draft, today), told)


def build_word(words: Phrasebook, key: str) -> Message:
    """A sentence of the catalogue that names nothing, like `error_sorry`."""
    text = literal(words.say(key))
    return message(text, [section(text)])


def build_answer(form: Form | None, told: Sequence[str]) -> Message:
    """What a question is answered with that begins no form, and the way to begin the one that it is about."""
    shown = "\n".join(map(literal, told))
    return message(shown, [section(shown), *([actions([begin(form)])] if form else [])])


def listed_lines(form: Form, requests: Sequence[Mapping[str, Any]]) -> list[str]:
    """The newest requests of a form that has no words of its own for them, a line each: number, essence, state, day."""
    page, lines = Page(form, Draft("", form.name, "", "", ""), ""), []
    for request in requests:
        told = {name: str(request.get(name) or "") for name in ("number", "essence")}
        told |= {"state": page.state(str(request["state_name"])), "day": page.day(str(request["filed_on"]))}
        key = "request_line" if told["essence"] else "request_line_bare"
        lines.append(page.words.fill(key, told, str))
    return lines


def build_plain(text: str) -> Message:
    """A workflow's own sentence outside of any draft."""
    shown = literal(text)
    return message(shown, [section(shown)])
