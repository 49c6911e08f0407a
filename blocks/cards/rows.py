"""Answers as a table of two columns: on the left the label and where the answer came from, on the right the answer."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from blocks.elements import Block, context, fields, section, table
from blocks.page import Page
from blocks.text import NOTHING, escape, line, one_line, split
from blocks.utterances import fill
from state.draft.draft import Value
from state.form import Field

ROWS = 5
"""Two texts a row, ten texts a section."""
WIDTHS = (600, 400, 300, 200, 150, 100, 70, 45, 30)
"""Characters of one answer that are shown: as many as the whole card has room for. The draft keeps all of it."""
OWN_WIDTHS = (400, 200, 100, 60)
"""The same of a person's own review."""
FIRST = (120, 60, 30)
"""Answers that are shown where not all of them have room."""
HOW: Mapping[str, str] = {
    "clicked": "clicked",
    "chosen": "clicked",
    "entered": "entered",
    "accepted": "accepted",
    "document": "document",
    "rule": "rule",
}
"""How a value came, by the ending of its sentences; any other value rests on words, and they are quoted."""
READ, UNTOLD = ("read", "typed"), ("document", "rule")
"""How an answer came that rests on words, and one that the person did not tell."""
_LABEL, _WORDS = 75, 60
MOST_ROWS = 100
"""Rows that Slack takes in a table."""


def own_layouts(page: Page) -> Iterator[list[Block]]:
    """Yield a person's own answers, roomiest first: a table, a list, and a list of the first ones that says how many more there are."""
    shown = page.answered
    for width in OWN_WIDTHS if len(shown) <= MOST_ROWS else ():
        yield [table([_cells(page, field, width) for field in shown], wrapped=1)] if shown else []
    yield from (_lines(page, shown, width) for width in OWN_WIDTHS)
    yield from _first_ones(page, OWN_WIDTHS[-1] // 2)


def layouts(page: Page) -> Iterator[list[Block]]:
    """Yield the answers for reviewers in the same way, in two columns; of what is sensitive only that it is on record."""
    for width in WIDTHS:
        texts = [_row(page, field, width) for field in page.answered]
        yield [fields(chain.from_iterable(texts[i : i + ROWS])) for i in range(0, len(texts), ROWS)]
    yield from (_lines(page, page.answered, width, to_others=True) for width in WIDTHS[-3:])
    yield from _first_ones(page, WIDTHS[-1], to_others=True)


def _first_ones(page: Page, width: int, *, to_others: bool = False) -> Iterator[list[Block]]:
    for count in (n for n in FIRST if n < len(page.answered)):
        left = {"count": len(page.answered) - count}
        more = context(fill(page, "and_more" if to_others else "review_more", left))
        yield [*_lines(page, page.answered[:count], width, to_others=to_others), more]


def _cells(page: Page, field: Field, width: int) -> tuple[str, str]:
    value = page.draft.values[field.name]
    answer = line(page.whole_answer(field), width)
    check = "" if value.sure else f" ⚠ {page.say('please_check')}"
    return line(page.label(field), _LABEL), f"{answer}{_read(page, value, answer)}{check}"


def _read(page: Page, value: Value, answer: str) -> str:
    """Return the words that an answer was read from, where they say more or say it otherwise; how it came where the person did not tell it."""
    came = value.provenance
    if came.how in UNTOLD:
        return f" · {page.say(f'how_{came.how}')}"
    words = line(came.words, _WORDS) if came.how in READ else ""
    said = one_line(came.words).casefold().rstrip(".…")
    return f" “{words}”" if words and said not in answer.casefold() else ""


def _lines(page: Page, shown: Sequence[Field], width: int, *, to_others: bool = False) -> list[Block]:
    """Return a line per answer, without where it came from."""
    texts = [_line(page, field, width, to_others) for field in shown]
    return [section(part) for part in split("\n".join(texts))]


def _line(page: Page, field: Field, width: int, to_others: bool) -> str:
    value = page.draft.values[field.name]
    hidden = to_others and field.sensitive
    check = "" if value.sure else f" :warning: {escape(page.say('please_check'))}"
    said = escape(page.say("on_record") if hidden else line(page.whole_answer(field), width), width) or NOTHING
    return f"*{_label(page, field)}:* {said}{check}"


def _row(page: Page, field: Field, width: int) -> tuple[str, str]:
    if field.sensitive:
        return f"*{_label(page, field)}*", escape(page.say("on_record"))
    value = page.draft.values[field.name]
    came = escape(origin(page, field, value, "origin", min(width, _WORDS)))
    check = "" if value.sure else f"\n:warning: {escape(page.say('please_check'))}"
    return f"*{_label(page, field)}*\n_{came}_", (escape(page.whole_answer(field), width) or NOTHING) + check


def _label(page: Page, field: Field) -> str:
    return escape(line(page.label(field), _LABEL), _LABEL) or NOTHING


def origin(page: Page, field: Field, value: Value, tone: str = "how", width: int = _WORDS) -> str:
    """ "you chose it" ("how") or "chosen" ("origin"), or the words that the answer rests on."""
    how = HOW.get(value.provenance.how, "")
    words = line(value.provenance.words, width)
    if how or not words or words == line(page.answer(field, value), width):
        return page.say(f"{tone}_{how or 'entered'}")
    return f"“{words}”"
