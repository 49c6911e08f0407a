"""What was filed, opened in a modal: what it is about and how it stands, all answers, what happened when, its files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from blocks.cards.receipt import STOPPED, essence_of, reasons_told, what_now
from blocks.cards.rows import origin
from blocks.elements import Block, View, alert, context, fields, first_that_fits, header, modal, section
from blocks.page import Page, day_text, moment, moment_of
from blocks.phrases import Phrasebook
from blocks.text import NOTHING, SECTION, escape, line, size, split
from blocks.utterances import fill
from state.draft.draft import Value
from state.draft.record import Decision
from state.form import Field
from state.record.on_decision import TOLD

MOST, CHARACTERS = 100, 120_000
"""Blocks that a modal takes, and characters of them that its 250,000 bytes hold in any script."""
CELL, CELLS = 300, 10
"""Characters of an answer that stands beside another, and answers a section; a longer one has a section to itself."""
WIDTHS = (SECTION, 1000, 300, 100, 20)
STEPS, FILES = 40, 40
"""Lines of what happened (the newest ones), and files that are named."""
_LABEL, _WORDS, _VALUE, _FILE = 75, 60, 80, 150

What = Literal[
    "begun", "told", "changed", "disclosed", "person", "back", "submitted", "cancelled", "asked", "withdrawn"
]


@dataclass(frozen=True)
class Step:
    """One thing that happened. `at` is ISO 8601; `fields` are the ones that were told; a change has its value `was` and `now`."""

    at: str
    what: What
    fields: tuple[str, ...] = ()
    was: Value | None = None
    now: Value | None = None


@dataclass(frozen=True)
class Filed:
    """How a record stands: `at` is ISO 8601; `told`, `until`, `ending` and `files` are what the person was told of it."""

    number: str
    state: str
    at: str
    told: tuple[str, ...] = ()
    until: str = ""
    files: tuple[str, ...] = ()
    ending: str = ""
    given: tuple[Decision, ...] = ()
    """What was decided on it, for the person: never why."""
    as_filed: bool = False
    """True if it stands as it did when it was filed: then it says at least that the person will hear."""


def build_request(words: Phrasebook, page: Page, filed: Filed, history: Sequence[Step]) -> View:
    """Build the modal for `views.open`. `words` are in the person's language, and head the parts; the parts speak the form's."""
    rest = [
        *_part(words, "request_timeline", _history(page, history)),
        *_part(words, "request_files", _files(page, filed)),
    ]
    whole = ([*_head(page, filed), *_part(words, "request_answers", told), *rest] for told in _layouts(page))
    blocks = first_that_fits(whole, MOST, CHARACTERS)[:MOST]
    return modal(filed.number, words.say("request_close"), blocks)


def _layouts(page: Page) -> Iterator[list[Block]]:
    """Yield the answers, roomiest first: two in a row, then one below the other, then cut."""
    yield _answers(page)
    yield from (_column(page, width) for width in WIDTHS)


def _part(words: Phrasebook, title: str, blocks: Sequence[Block]) -> list[Block]:
    return [header(words.say(title)), *blocks] if blocks else []


def _head(page: Page, filed: Filed) -> list[Block]:
    """Return what it is about, how it stands, and what happens now."""
    state, day = page.state(filed.state), day_text(moment_of(filed.at), page.form.language)
    why = reasons_told(page, filed.told, filed.until)
    now = what_now(page, filed.state, filed.until, filed.ending, "next_received" if filed.as_filed else "")
    return [
        section(f"*{essence_of(page)}*"),
        context(escape(" · ".join((state, day, page.form.title)))),
        *([section(why)] if why else []),
        *(
            [section("\n".join(given))]
            if (given := [text for one in filed.given for text in _given(page, one)])
            else []
        ),
        *([alert(now, "error") if filed.state in STOPPED else section(now)] if now else []),
    ]


def _given(page: Page, one: Decision) -> Iterator[str]:
    """Yield a verdict as its person was told of it: by which role, under which conditions, with which words to them."""
    key = f"told_{one.verdict}" if one.verdict in TOLD else "told_other"
    said = fill(page, key, {"by_verdict": one.verdict, "by_role": one.role})
    yield f"{moment(moment_of(one.at), page.form.language)}  {said}"
    if one.conditions:
        yield fill(page, "told_conditions", {"conditions": one.conditions})
    if one.note:
        yield escape(one.note)


def _answers(page: Page) -> list[Block]:
    """Return every answer below its label, and beside that where it came from; two in a row, long ones by themselves."""
    blocks: list[Block] = []
    cells: list[str] = []
    for field in page.answered:
        long = size(page.answer(field)) > CELL
        if cells and (long or len(cells) == CELLS):
            blocks.append(fields(cells))
            cells = []
        if long:
            blocks.extend(section(part) for part in split(_answer(page, field), SECTION))
        else:
            cells.append(_answer(page, field))
    return [*blocks, *([fields(cells)] if cells else [])]


def _column(page: Page, width: int) -> list[Block]:
    texts = (_answer(page, field, width) for field in page.answered)
    return [section(part) for part in split("\n".join(texts))]


def _answer(page: Page, field: Field, width: int = SECTION) -> str:
    value = page.draft.values[field.name]
    label, came = escape(line(page.label(field), _LABEL)), escape(origin(page, field, value, "origin", _WORDS))
    later = (f"_{told}_" for told in _later(page, field))
    return "\n".join((f"*{label}*  _{came}_", escape(page.whole_answer(field), width) or NOTHING, *later))


def _later(page: Page, field: Field) -> Iterator[str]:
    """Return what was disclosed beside the answer."""
    for disclosure in page.draft.disclosures:
        if disclosure.field == field.name:
            words = line(disclosure.provenance.words, _VALUE)
            yield fill(page, "disclosed_beside", {"words": words}) if words else fill(page, "disclosed_later")


def _history(page: Page, history: Sequence[Step]) -> list[Block]:
    shown = history[-STEPS:]
    left = len(history) - len(shown)
    more = [context(fill(page, "and_more", {"count": left}))] if left else []
    lines = "\n".join(f"{moment(moment_of(s.at), page.form.language)}  {_step(page, s)}" for s in shown)
    return [*more, *(section(part) for part in split(lines))]


def _step(page: Page, step: Step) -> str:
    labels = [line(page.label(page.form.fields[n]), _LABEL) for n in step.fields if n in page.form.fields]
    field = page.form.fields.get(step.fields[0]) if step.fields else None
    values = {"was": _value(page, field, step.was), "now": _value(page, field, step.now)}
    return fill(page, f"happened_{step.what}", {"fields": ", ".join(labels), "label": ", ".join(labels), **values})


def _value(page: Page, field: Field | None, value: Value | None) -> str:
    return line(page.answer(field, value), _VALUE) if field and value else NOTHING


def _files(page: Page, filed: Filed) -> list[Block]:
    """Return the files that were sent for it and made of it, by name."""
    sent = [d.name for d in page.draft.documents.values() if d.id in page.draft.held]
    names = list(dict.fromkeys((*sent, *filed.files)))[:FILES]
    return [section(part) for part in split("\n".join(f"• {escape(line(name, _FILE))}" for name in names))]
