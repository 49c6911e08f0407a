"""A record's whole story in a modal: who did what when, a line each, the newest page first or from the beginning, paged."""

import re
from collections.abc import Sequence
from html import unescape
from typing import Any

from blocks.cards.answers import HOW
from blocks.elements import actions, context, modal, section
from blocks.page import Page, fill, mention, moment, moment_of, sentence
from blocks.phrases import Phrasebook
from blocks.queue import turning
from blocks.text import NOTHING, escape, line, literal, size
from state.draft.display import shown_figures
from state.draft.draft import Value
from state.draft.record import ASK
from state.draft.record_changes import BreachSet, Decided, NoteSet, QueryAnswered, Reported
from state.draft.route import roles_in, sentence_of
from state.engine.timeline import Happening

LINES = 30
"""Happenings of a page."""
_LABEL, _WORDS, _VALUE, _REASON, _LONGEST, _ANSWER = 75, 300, 150, 600, 1400, 2400


def build_story(words: Phrasebook, page: Page, told: Sequence[Happening], skip: int = 0) -> dict[str, Any]:
    """Build the modal: a page of `told`, which is in order, behind the first `skip`. Of what is sensitive only that it is on record."""
    skip = skip if 0 <= skip < len(told) else 0
    shown = told[skip : skip + LINES]
    hidden = _hidden(page, told)
    lines = [story_line(page, one, hidden) for one in shown]
    blocks = [section(text) for text in lines] or [context(literal(words.say("story_nothing")))]
    about = f"*{escape(page.essence or page.form.title)}*\n{mention(page.draft.owner)}"
    where = words.say("story_page", first=str(skip + 1), last=str(skip + len(shown)), count=str(len(told)))
    buttons = turning(
        words, "hf-story", skip, LINES, more=skip + LINES < len(told), about=f"{page.draft.filed.number}|"
    )
    pages = [context(literal(where)), *([actions(buttons)] if buttons else [])] if told else []
    return modal(
        page.draft.filed.number,
        words.say("request_close"),
        [section(about), *blocks, *pages],
        data=page.draft.filed.number,
    )


def story_line(page: Page, one: Happening, hidden: Sequence[str] = ()) -> str:
    """Return one happening as escaped text, its time in the reader's own zone. `hidden` are words that stand in no line."""
    return f"{moment(moment_of(one.at), page.form.language)}  {_told(page, one, hidden)}"


def _hidden(page: Page, told: Sequence[Happening]) -> list[str]:
    """Return the words by which anything sensitive was told, longest first: a message that holds more is shown without them."""
    values = [one.now for one in told if one.now and (f := page.form.fields.get(one.field)) and f.sensitive]
    words = {
        text
        for v in values
        for text in (v.provenance.words, v.label, v.data)
        if isinstance(text, str) and len(text) > SHORT
    }
    return sorted(words, key=len, reverse=True)


def _told(page: Page, one: Happening, hidden: Sequence[str]) -> str:
    field, text = page.form.fields.get(one.field), _text(page, one)
    for words in hidden:
        text = re.sub(re.escape(words), MASK, text, flags=re.IGNORECASE)
    args = {
        "label": line(page.label(field), _LABEL) if field else one.field.replace("_", " "),
        "text": text,
        "was": _value(page, one, one.was),
        "now": _value(page, one, one.now),
        "state": page.state(one.state) if one.state else "",
        "verdict": page.verdict(one.state) if one.what == "refused" else "",
    }
    filled = {name: escape(value, _LONGEST) for name, value in args.items()}
    filled |= {"who": mention(one.who), "label": f"*{filled['label']}*"}
    plain = PLAIN.get(one.what)
    said = plain.format(**filled) if plain else page.words.fill(f"story_{one.what}", filled, literal)
    return "\n".join((said, *_came(page, one), *_verdict(page, one)))


PLAIN = {"told": "{label}: {now}", "changed": "{label}: {was} → {now}"}
"""Happenings that are told in names alone, and so in every language."""


MASK, SHORT = "▪▪▪", 2
"""The text in their place; words so short say nothing by themselves."""


def _text(page: Page, one: Happening) -> str:
    """Return the words; of a report its figures, of a breach its sentence; of a question, a timer and a move what the form or the catalogue says."""
    if isinstance(one.change, Reported):
        return " · ".join(text for _, text in shown_figures(page.form, one.change.report.figures, page.context))
    if isinstance(one.change, BreachSet):
        return unescape(sentence(page, sentence_of(one.change.breach)))
    if one.what == "nobody":
        return ", ".join(map(page.role, roles_in(page.form, one.text.split(",")).split(",")))
    field = page.form.fields.get(one.field)
    if field is not None and field.sensitive and one.what not in ("asked",):
        return page.say("on_record")
    if one.what == "asked" and field is not None and not one.text:
        return line(page.question(field), _WORDS)
    named = f"story_{one.what}_{one.text}"
    return page.say(named) if named in page.words else line(one.text, _WORDS)


def _value(page: Page, one: Happening, value: Value | None) -> str:
    field = page.form.fields.get(one.field)
    if value is None or field is None:
        return NOTHING
    return page.say("on_record") if field.sensitive else line(page.stated(field, value), _VALUE + size(value.declared))


def _came(page: Page, one: Happening) -> list[str]:
    """How an answer came: by a person's own act, or read from which words by which model or by rules."""
    field = page.form.fields.get(one.field)
    if one.now is None or one.what not in ("told", "changed") or (field is not None and field.sensitive):
        return []
    came = one.now.provenance
    if came.how in HOW:
        return [f"_{fill(page, f'story_how_{came.how}')}_"]
    reader = page.say("story_reader_rules") if came.reader == "rules" else came.reader or page.say("story_reader_typed")
    return [f"_{fill(page, 'story_read', {'reader': reader, 'words': line(came.words, _WORDS)})}_"]


def _verdict(page: Page, one: Happening) -> list[str]:
    """Return a verdict's words, all of them: who reads this may."""
    if isinstance(one.change, NoteSet | BreachSet):
        case = one.change.note if isinstance(one.change, NoteSet) else one.change.breach
        return [fill(page, "given_reason", {"reason": case.reason[:_REASON]})] if case.reason else []
    if isinstance(one.change, QueryAnswered):
        return [escape(one.change.words, _ANSWER)]
    if not isinstance(one.change, Decided):
        return []
    decision = one.change.decision
    note = "asked" if decision.verdict == ASK else "note"
    given = (("reason", decision.reason), ("conditions", decision.conditions), (note, decision.note))
    deputy = [fill(page, "given_deputy", {"person": decision.deputy_of})] if decision.deputy_of else []
    return [
        *deputy,
        *(fill(page, f"given_{name}", {name: text[:_REASON], "note": text[:_REASON]}) for name, text in given if text),
    ]
