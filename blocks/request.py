"""One record opened in a modal: before its person, before an officer, and where its answers come from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from blocks.cards.answers import HOW, layouts, origin
from blocks.cards.decision import decision_parts, given_by_all
from blocks.cards.receipt import STOPPED, decided_by, essence_of, reasons_told, what_now
from blocks.elements import (
    Block,
    View,
    actions,
    alert,
    context,
    fields,
    first_that_fits,
    header,
    link,
    modal,
    plain_button,
    section,
)
from blocks.ids import DOSSIER, OPEN_DM, ORIGINS, id_of
from blocks.page import Page, day_text, fill, mention, moment_of
from blocks.phrases import Phrasebook
from blocks.text import NOTHING, SECTION, escape, line, lines, literal, size, split
from state.draft.draft import Value
from state.draft.record import Decision
from state.draft.route import decision_wanted
from state.form import Field
from state.record.on_decision import TOLD

MOST, CHARACTERS = 100, 120_000
"""Blocks that a modal takes, and characters of them that its 250,000 bytes hold in any script."""
CELL, CELLS = 300, 10
"""Characters of an answer that stands beside another, and answers a section; a longer one has a section to itself."""
WIDTHS = (SECTION, 1000, 300, 100, 20)
"""Characters of an answer in the person's own modal."""
ORIGIN_WIDTHS = ((400, 300), (200, 100), (80, 40), (30, 0))
"""Characters of an answer, and of the words it was read from, in the modal of origins."""
STEPS, FILES = 40, 40
"""Lines of what happened (the newest ones), and files that are named."""
_LABEL, _WORDS, _VALUE, _FILE = 75, 60, 80, 150

What = Literal[
    "begun", "told", "changed", "disclosed", "person", "back", "submitted", "cancelled", "asked", "withdrawn"
]


@dataclass(frozen=True)
class Step:
    """One thing that happened. `at` is ISO 8601; `fields` are those concerned; a change has its value `was` and `now`."""

    at: str
    what: What
    fields: tuple[str, ...] = ()
    was: Value | None = None
    now: Value | None = None


@dataclass(frozen=True)
class Filed:
    """A record as its person was told of it. `at` is ISO 8601; `told` are the reasons."""

    number: str
    state: str
    at: str
    told: tuple[str, ...] = ()
    until: str = ""
    files: tuple[str, ...] = ()
    ending: str = ""
    given: tuple[Decision, ...] = ()
    """Decisions, of which the person never reads the reasons."""
    as_filed: bool = False
    """True if nothing has happened since it was filed: then it says at least that an answer will come."""


def build_request(words: Phrasebook, page: Page, filed: Filed, history: Sequence[Step]) -> View:
    """Build the person's own modal. `words` are in their language, and head the parts; the parts use the form's."""
    shown = history[-STEPS:]
    left = len(history) - len(shown)
    more = [context(fill(page, "and_more", {"count": left}))] if left else []
    texts = lines(*(f"{page.moment(s.at)}  {_step(page, s)}" for s in shown))
    rest = [
        *_part(words, "request_timeline", [*more, *map(section, split(texts))]),
        *_part(words, "request_files", _files(page, filed)),
    ]
    columns = ([*map(section, split(lines(*(_answer(page, f, width) for f in page.answered))))] for width in WIDTHS)
    answers = (some for source in ([_answers(page)], columns) for some in source)  # none is made in vain
    layouts = ([*_head(page, filed), *_part(words, "request_answers", some), *rest] for some in answers)
    blocks = first_that_fits(layouts, MOST, CHARACTERS)[:MOST]
    return modal(filed.number, words.say("request_close"), blocks)


def _part(words: Phrasebook, title: str, blocks: Sequence[Block]) -> list[Block]:
    return [header(words.say(title)), *blocks] if blocks else []


def _head(page: Page, filed: Filed) -> list[Block]:
    """Return what it is about, its state, its decisions, and what happens now."""
    state, day = page.state(filed.state), day_text(moment_of(filed.at), page.form.language)
    why = reasons_told(page, filed.told, filed.until)
    given = [text for one in filed.given for text in _given(page, one)]
    now = what_now(page, filed.state, filed.until, filed.ending, "next_received" if filed.as_filed else "")
    now = lines(decided_by(page, filed.state), now)
    return [
        section(f"*{essence_of(page)}*"),
        context(escape(" · ".join((state, day, page.form.title)))),
        *(section(text) for text in (why, lines(*given)) if text),
        *([alert(now, "error") if filed.state in STOPPED else section(now)] if now else []),
    ]


def _given(page: Page, one: Decision) -> Iterator[str]:
    """Yield a verdict as its person was told of it: by which role, under which conditions, with which words to them."""
    key = f"told_{one.verdict}" if one.verdict in TOLD else "told_other"
    yield f"{page.moment(one.at)}  {fill(page, key, {'by_verdict': one.verdict, 'by_role': one.role})}"
    if one.conditions:
        yield fill(page, "told_conditions", {"conditions": one.conditions})
    if one.note:
        yield escape(one.note)
    if one.answer:
        yield fill(page, "given_answer", {"answer": one.answer})


def _answers(page: Page) -> list[Block]:
    """Return every answer below its label, and beside that where it came from; two in a row, long ones by themselves."""
    blocks: list[Block] = []
    cells: list[str] = []
    for field in page.answered:
        long = size(page.whole_answer(field)) > CELL
        if cells and (long or len(cells) == CELLS):
            blocks.append(fields(cells))
            cells = []
        if long:
            blocks.extend(map(section, split(_answer(page, field))))
        else:
            cells.append(_answer(page, field))
    return [*blocks, *([fields(cells)] if cells else [])]


def _answer(page: Page, field: Field, width: int = SECTION) -> str:
    """Return an answer with its label, where it came from, and what was disclosed beside it."""
    value = page.draft.values[field.name]
    label, came = escape(line(page.label(field), _LABEL)), escape(origin(page, field, value, "origin", _WORDS))
    texts = [
        f"*{label}*  _{came}_",
        page.opened(field, escape(page.whole_answer(field), width + size(escape(value.declared)))) or NOTHING,
    ]
    for disclosure in page.draft.disclosures:
        if disclosure.field == field.name:
            words = line(disclosure.provenance.words, _VALUE)
            beside = fill(page, "disclosed_beside", {"words": words}) if words else fill(page, "disclosed_later")
            texts.append(f"_{beside}_")
    return lines(*texts)


def _step(page: Page, step: Step) -> str:
    labels = ", ".join(line(page.label(page.form.fields[n]), _LABEL) for n in step.fields if n in page.form.fields)
    field = page.form.fields.get(step.fields[0]) if step.fields else None
    values = {
        name: line(page.answer(field, value), _VALUE) if field and value else NOTHING
        for name, value in (("was", step.was), ("now", step.now))
    }
    return fill(page, f"happened_{step.what}", {"fields": labels, "label": labels, **values})


def _files(page: Page, filed: Filed) -> list[Block]:
    """Return the files that were sent for it and made of it, by name."""
    sent = [d.name for d in page.draft.documents.values() if d.id in page.draft.held]
    names = list(dict.fromkeys((*sent, *filed.files)))[:FILES]
    return list(map(section, split(lines(*(f"• {escape(line(name, _FILE))}" for name in names)))))


def build_opened(words: Phrasebook, page: Page, *, decides: bool, card: str = "") -> dict[str, Any]:
    """Build an officer's modal: `card` is its card's address, `decides` adds the buttons of a reviewer."""
    state = page.draft.filed.state
    waits = bool(page.draft.filed.pending.card) and decision_wanted(page.form, page.draft).waits
    blocks = decision_parts(page, state, verdicts=decides) if waits else _decided(page)
    ways = [plain_button(words.say("desk_story"), id_of("hf-story", "open"), f"{page.draft.filed.number}|")]
    ways += [link(words.say("desk_card"), card, OPEN_DM)] if card else []
    return modal(
        page.draft.filed.number,
        words.say("request_close"),
        [*blocks, actions(ways)],
        data=page.draft.filed.number,
    )


def _decided(page: Page) -> list[Block]:
    """Return a record that waits for no decision: what it is about, its state, every verdict with its reason, all answers."""
    until, given = page.draft.filed.valid_until, given_by_all(page)
    state = fill(page, "announce_state", {"state": page.state(page.draft.filed.state)})
    holds = f" {fill(page, 'valid_until', {'day': page.day(until)})}" if until else ""
    top: list[Block] = [
        header(page.say("announce_record", number=page.draft.filed.number, form=page.form.title)),
        section(f"*{essence_of(page)}*\n{mention(page.draft.owner)}\n{state}{holds}"),
        *([section(given)] if given else []),
    ]
    return first_that_fits([*top, *answers] for answers in layouts(page))


def build_gone(words: Phrasebook, number: str, key: str = "desk_gone", **args: str) -> dict[str, Any]:
    """Build the modal for whoever may not read a record, or comes too late."""
    said = {name: mention(text) if name == "person" else escape(text) for name, text in args.items()}
    text = context(words.fill(key, said, literal))
    return modal(number or words.say("desk_title"), words.say("request_close"), [text])


def build_origins(page: Page, *, asked: bool = False) -> dict[str, Any]:
    """Build the modal of where each answer came from; `asked`: its dossier has been asked for."""
    layouts = ([section(text) for text in _origins(page, *widths)] for widths in ORIGIN_WIDTHS)
    dossier = (
        context(fill(page, "dossier_asked"))
        if asked
        else actions([plain_button(page.words.say("dossier_ask"), DOSSIER, page.draft.filed.number)])
    )
    blocks = [section(f"*{essence_of(page)}*"), *first_that_fits(layouts), dossier]
    return modal(page.draft.filed.number, page.say("request_close"), blocks, callback_id=ORIGINS)


def _origins(page: Page, answer: int, words: int) -> Iterator[str]:
    """Yield each answer with its origin; of a sensitive one only that it is on record."""
    for field in page.answered:
        value, label = page.draft.values[field.name], escape(line(page.label(field), _LABEL), _LABEL)
        if field.sensitive:
            yield f"*{label}*\n{escape(page.say('on_record'))}"
            continue
        shown = escape(page.cut_answer(field, answer)) or NOTHING
        yield f"*{label}*: {page.opened(field, shown)}\n_{_came(page, field, value, words)}_"


def _came(page: Page, field: Field, value: Value, width: int) -> str:
    """Return an answer's origin: "chosen · @Alex · 22 Nov 2026 14:02 · “buy” · read by rules"."""
    came = value.provenance
    how = page.say(f"origin_{HOW.get(came.how, 'read' if came.how == 'read' else 'entered')}")
    words = page.say("quoted", words=escape(line(came.words, width), width)) if came.words and width else ""
    reader = fill(page, "origin_reader", {"reader": came.reader}) if came.reader else ""
    later = fill(page, "disclosed_later") if any(d.field == field.name for d in page.draft.disclosures) else ""
    parts = (escape(how), mention(came.who), page.moment(came.at) if came.at else "", words, reader, later)
    return " · ".join(filter(None, parts))
