"""A draft's answers on a card: the sheet above a question with the menu that edits it, and tables for reviews."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from blocks.elements import Block, Element, actions, button, context, fields, press_id, section, select, table
from blocks.ids import Press
from blocks.inputs import edit_options
from blocks.page import Page, fill
from blocks.text import NOTHING, escape, line, lines, one_line, size, split
from state.draft.draft import Value
from state.draft.utterance import Phrase, Utterance
from state.form import Field

MOST, COLUMNS = 12, 10
"""Answers that the sheet shows, the last ones of the form, and texts that Slack takes in one section."""
_SHEET_LABEL, _SHEET_ANSWER = 40, 90


def build_sheet(page: Page, without: Collection[str] = ()) -> list[Block]:
    """Return the draft's progress and its answers, but for the fields in `without`, which the card shows elsewhere."""
    answers = [field for field in page.answered if field.name not in without]
    shown = [answer_line(page, field) for field in answers[-MOST:]]
    left = len(answers) - len(shown)
    more = [context(fill(page, "review_more", {"count": left}))] if left else []
    columns = (fields(shown[start : start + COLUMNS]) for start in range(0, len(shown), COLUMNS))
    return [context(escape(page.progress)), *columns, *more]


def acts(page: Page, elements: Sequence[Element], press: Press | None = None) -> list[Block]:
    """Return the elements with the Edit menu at their end; below them where a menu among them has its own `press`."""
    edits = edit_options(page) if page.draft.open else []
    edit = edit_press(page)
    menu = [select(page.say("edit_one"), edit, edits)] if edits else []
    if press is None:
        row = [*elements, *menu]
        return [actions(row, press_id(edit) if menu else "")] if row else []
    return [actions(elements, press_id(press)), *([actions(menu, press_id(edit))] if menu else [])]


def edit_press(page: Page) -> Press:
    """Return the Edit menu's press; its id is another one once a box that it opened was closed."""
    return page.press("edit", hash=str(page.draft.boxes_closed or ""))


def beside(page: Page, lead_in: tuple[Utterance, ...]) -> Element | None:
    """Return the button that reverts a change which the lead-in reports, or passes on the question that it leaves unanswered."""
    said = {t.key: t for t in lead_in if isinstance(t, Phrase)}
    if "was_now" in said and page.draft.undo:
        return button(page.say("undo"), page.press("undo"))
    question = said.get("pass_on")
    return button(page.say("person"), page.press("person", value=question.args.get("message"))) if question else None


def answer_line(page: Page, field: Field, *, whole: bool = False) -> str:
    """Return an answer as "✓ Quantity: 200 shares", `whole` with what it declares; one that no parser confirmed is marked to be checked."""
    mark = "✓" if page.draft.values[field.name].sure else ":warning:"
    short = page.answer(field) if page.draft.values[field.name].declared and not whole else page.whole_answer(field)
    label, answer = line(page.label(field), _SHEET_LABEL), short if whole else line(short, _SHEET_ANSWER)
    return f"{mark} {escape(label)}: {page.opened(field, escape(answer)) or NOTHING}"


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
"""How a value was given, and the ending of the keys that say so; any other value rests on words, which are quoted."""
READ, UNSAID = ("read", "typed"), ("document", "rule")
"""Ways in which an answer rests on words, and in which the person did not give it."""
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
    yield _lines(page, page.answered, width, to_others=to_others, whole=False)
    for count in (n for n in FIRST if n < len(page.answered)):
        left = {"count": len(page.answered) - count}
        more = context(fill(page, "and_more" if to_others else "review_more", left))
        yield [*_lines(page, page.answered[:count], width, to_others=to_others, whole=False), more]


def _cells(page: Page, field: Field, width: int) -> tuple[str, str]:
    value = page.draft.values[field.name]
    answer = page.cut_answer(field, width)
    check = "" if value.sure else f" ⚠ {page.say('please_check')}"
    return line(page.label(field), _LABEL), f"{answer}{_read(page, value, answer)}{check}"


def _read(page: Page, value: Value, answer: str) -> str:
    """Return the words that an answer was read from, where they say it otherwise; how it came where the person did not give it."""
    came = value.provenance
    if came.how in UNSAID:
        return f" · {page.say(f'how_{came.how}')}"
    words = line(came.words, _WORDS) if came.how in READ else ""
    said = one_line(came.words).casefold().rstrip(".…")
    return f" {page.say('quoted', words=words)}" if words and said not in answer.casefold() else ""


def _lines(
    page: Page, shown: Sequence[Field], width: int, *, to_others: bool = False, whole: bool = True
) -> list[Block]:
    """Return a line per answer, without where it came from; `whole` with all of each declared sentence."""
    return list(map(section, split(lines(*(_line(page, field, width, to_others, whole) for field in shown)))))


def _line(page: Page, field: Field, width: int, to_others: bool, whole: bool) -> str:
    value = page.draft.values[field.name]
    hidden = to_others and field.sensitive
    check = "" if value.sure else f" :warning: {escape(page.say('please_check'))}"
    answer = page.cut_answer(field, width) if whole else line(page.whole_answer(field), width)
    said = escape(page.say("on_record") if hidden else answer) or NOTHING
    return f"*{_label(page, field)}:* {page.opened(field, said)}{check}"


def _row(page: Page, field: Field, width: int) -> tuple[str, str]:
    if field.sensitive:
        return f"*{_label(page, field)}*", escape(page.say("on_record"))
    value = page.draft.values[field.name]
    came = escape(origin(page, field, value, "origin", min(width, _WORDS)))
    check = "" if value.sure else f"\n:warning: {escape(page.say('please_check'))}"
    said = page.opened(field, escape(page.whole_answer(field), width + size(escape(value.declared)))) or NOTHING
    return f"*{_label(page, field)}*\n_{came}_", said + check


def _label(page: Page, field: Field) -> str:
    return escape(line(page.label(field), _LABEL), _LABEL) or NOTHING


def origin(page: Page, field: Field, value: Value, tone: str = "how", width: int = _WORDS) -> str:
    """Return how an answer came, "you chose it" (`tone` "how") or "chosen" ("origin"), or the words that it rests on."""
    how = HOW.get(value.provenance.how, "")
    words = line(value.provenance.words, width)
    if how or not words or words == line(page.answer(field, value), width):
        return page.say(f"{tone}_{how or 'entered'}")
    return page.say("quoted", words=words)
