"""What was read from a document: a row a value, with the words it rests on and the button that confirms it."""

from dataclasses import replace

from blocks.cards.sheet import acts, build_sheet
from blocks.elements import Block, Element, Message, button, context, first_that_fits, message, section
from blocks.page import Page
from blocks.text import cut, escape, line
from blocks.utterances import fill, sentences
from state.draft.draft import DocumentReading, Value
from state.engine.cards import Read
from state.fields import kind_of
from state.form import Field

_LEAD, _LABEL, _FILE = 1500, 75, 100
_WIDTHS = (300, 150, 80, 40, 20)
"""Characters of an answer that are shown, and half as many of its quote: as many as the whole card has room for."""


def build_read(page: Page, card: Read) -> Message:
    """The proposals that are left have buttons, those that were confirmed a tick."""
    reading = _waiting(page, card)
    file = line(page.draft.documents[card.document].name, _FILE)
    lead = cut(sentences(page, card.lead_in), _LEAD)
    doubted = next((page.form.fields[n] for n in reading.values if kind_of(page.form.fields[n]).by_file), None)
    title = fill(page, "read_intro" if reading.values else "read_done", {"file": file})
    if doubted is not None:
        title = fill(page, "file_unlike", {"file": file, "label": page.label(doubted)})
        lines = [*build_sheet(page, without=card.fields), *([section(lead)] if lead else []), section(title)]
        return message("\n".join(filter(None, (lead, title))), [*lines, *_acts(page, reading, doubted=True)])
    above = [*build_sheet(page, without=card.fields), *([section(lead)] if lead else []), section(title)]
    tables = ([_row(page, page.form.fields[name], card, reading, width) for name in card.fields] for width in _WIDTHS)
    blocks = first_that_fits([*above, *rows, *_acts(page, reading)] for rows in tables)
    return message("\n".join(filter(None, (lead, title))), blocks)


def _waiting(page: Page, card: Read) -> DocumentReading:
    """What the card shows and nobody has decided."""
    found = next((r for r in page.draft.readings if r.document == card.document), DocumentReading(card.document))
    return replace(found, values={n: v for n, v in found.values.items() if n in card.fields})


def _row(page: Page, field: Field, card: Read, reading: DocumentReading, width: int) -> Block:
    value = reading.values.get(field.name)
    if value is None:
        return context(_settled(page, field, card, width))
    answer = f"*{escape(page.label(field), _LABEL)}:* {escape(page.answer(field, value), width)}"
    quote = f"_“{escape(line(value.provenance.words, width // 2))}”_"
    given = page.draft.values.get(field.name)
    return section("\n".join((answer, quote, *_difference(page, field, given, width))), _take(page, field, given))


def _difference(page: Page, field: Field, given: Value | None, width: int) -> tuple[str, ...]:
    return (fill(page, "read_differs", {"was": line(page.answer(field, given), width)}),) if given else ()


def _take(page: Page, field: Field, given: Value | None) -> Element:
    return button(page.say("read_use" if given else "read_right"), page.press("take", field.name), field.name)


def _settled(page: Page, field: Field, card: Read, width: int) -> str:
    value = page.draft.values.get(field.name)
    if value is None or value.provenance.message != card.document:
        return fill(page, "read_left", {"label": page.label(field)})
    return f"✓ {escape(page.label(field), _LABEL)}: {escape(page.answer(field, value), width)}"


def _acts(page: Page, reading: DocumentReading, *, doubted: bool = False) -> list[Block]:
    """All at once where anything is new; a way to leave it."""
    if not reading.values:
        return []
    if doubted:
        use, other = (
            page.press(act, *reading.values) if act == "take" else page.press(act) for act in ("take", "leave")
        )
        return acts(page, [button(page.say("file_use"), use), button(page.say("file_another"), other)])
    new = [name for name in reading.values if name not in page.draft.values]
    every = [button(page.say("read_all"), page.press("take_all"), style="primary")] if new else []
    return acts(page, [*every, button(page.say("read_wrong" if new else "read_keep"), page.press("leave"))])
