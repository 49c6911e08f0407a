"""What was read from a document: a row a value, with the words it rests on and the button that confirms it."""

from blocks.elements import Element, actions, button, context, section
from blocks.message import Block, Message, message
from blocks.page import Page
from blocks.text import cut, escape, line
from blocks.told import fill, sentences
from state.cards import Read
from state.draft import Reading, Value
from state.form import Field

_LEAD, _ANSWER, _QUOTE, _FILE = 1500, 300, 150, 100
ROWS = 20
"""Values that one card shows."""


def build_read(page: Page, card: Read) -> Message:
    """The proposals that are left have buttons, those that were confirmed a tick."""
    reading = next((r for r in page.draft.readings if r.document == card.document), Reading(card.document))
    file = line(page.draft.documents[card.document].name, _FILE)
    lead = cut(sentences(page, card.lead_in), _LEAD)
    title = fill(page, "read_intro" if reading.values else "read_done", {"file": file})
    rows = [_row(page, page.form.fields[name], card, reading) for name in card.fields[:ROWS]]
    above = [section(lead)] if lead else []
    text = "\n".join(filter(None, (lead, title)))
    return message(text, [*above, section(title), *rows, *_acts(page, reading)])


def _row(page: Page, field: Field, card: Read, reading: Reading) -> Block:
    value = reading.values.get(field.name)
    if value is None:
        return context(_settled(page, field, card))
    answer = f"*{escape(page.label(field))}:* {escape(page.answer(field, value), _ANSWER)}"
    quote = f"_“{escape(line(value.provenance.words, _QUOTE))}”_"
    given = page.draft.values.get(field.name)
    return section("\n".join((answer, quote, *_difference(page, field, given))), _take(page, field, given))


def _difference(page: Page, field: Field, given: Value | None) -> tuple[str, ...]:
    return (fill(page, "read_differs", {"was": line(page.answer(field, given), _ANSWER)}),) if given else ()


def _take(page: Page, field: Field, given: Value | None) -> Element:
    return button(page.say("read_use" if given else "read_right"), page.press("take", field.name), field.name)


def _settled(page: Page, field: Field, card: Read) -> str:
    value = page.draft.values.get(field.name)
    if value is None or value.provenance.message != card.document:
        return fill(page, "read_left", {"label": page.label(field)})
    return f"✓ {escape(page.label(field))}: {escape(page.answer(field, value), _ANSWER)}"


def _acts(page: Page, reading: Reading) -> list[Block]:
    """All at once where anything is new; a way to leave it."""
    if not reading.values:
        return []
    new = [name for name in reading.values if name not in page.draft.values]
    every = [button(page.say("read_all"), page.press("take_all"), style="primary")] if new else []
    return [actions([*every, button(page.say("read_wrong" if new else "read_keep"), page.press("leave"))])]
