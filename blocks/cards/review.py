"""Reviews: every answer before it is submitted, and the values read from a document before they count."""

from dataclasses import replace

from blocks import elements
from blocks.cards.answers import acts, beside, build_sheet, edit_press, own_layouts
from blocks.cards.question import go_buttons, offers
from blocks.inputs import edit_options
from blocks.page import Page, fill, sentences
from blocks.text import cut, escape, line, lines, plain
from state.draft.draft import DocumentReading
from state.draft.route import REPLY
from state.draft.utterance import Phrase, Utterance
from state.engine.cards import Read, Review
from state.fields import kind_of
from state.form import Field

_LEAD, _LEAD_READ, _STATEMENT, _LABEL, _ANSWER, _FILE = 1000, 1500, 1000, 75, 100, 100
_WIDTHS = (300, 150, 80, 40, 20)
"""Characters of an answer that was read, and half as many of its quote: as many as the whole card has room for."""


def build_review(page: Page, card: Review) -> elements.Message:
    """Build the roomiest review that Slack takes."""
    lead, title = cut(sentences(page, above_review(card)), _LEAD), page.say("review_title")
    above = [elements.header(title), *([elements.section(lead, beside(page, card.lead_in))] if lead else [])]
    query = page.form.fields.get(REPLY)
    if query is not None and query not in page.answered:
        above.append(elements.context(fill(page, "reply_open", {"question": query.ask})))
    statement = elements.context(escape(page.form.statement, _STATEMENT) or fill(page, "statement"))
    below = [statement, _review_acts(page), *offers(page)]
    blocks = elements.first_that_fits([*above, *table, *below] for table in own_layouts(page))
    answers = (
        f"{escape(page.label(f), _LABEL)}: {escape(plain(page.whole_answer(f), _ANSWER))}" for f in page.answered
    )
    return elements.message(lines(lead, escape(title), *answers), blocks)


def above_review(card: Review) -> tuple[Utterance, ...]:
    """Return what a review says above its answers: what was just understood is among them."""
    return tuple(t for t in card.lead_in if not (isinstance(t, Phrase) and t.key == "got_it"))


def _review_acts(page: Page) -> elements.Block:
    press = edit_press(page)
    submit = elements.button(page.say("submit"), page.press("submit", hash=page.draft.hash), style="primary")
    edits = edit_options(page)
    edit = [elements.select(page.say("edit_one"), press, edits)] if edits else []
    back = [elements.button(page.say("go_on"), page.press("back"))] if page.draft.going else []
    cancel = elements.button(page.say("cancel"), page.press("cancel"))
    return elements.actions([submit, *edit, *back, *go_buttons(page, filing=False), cancel], elements.press_id(press))


def build_read(page: Page, card: Read) -> elements.Message:
    """Build a row a value: an open proposal has a button, a confirmed one a tick. A file that looks like another kind is asked about."""
    found = next((r for r in page.draft.readings if r.document == card.document), DocumentReading(card.document))
    reading = replace(found, values={n: v for n, v in found.values.items() if n in card.fields})
    file = line(page.draft.documents[card.document].name, _FILE)
    lead = cut(sentences(page, card.lead_in), _LEAD_READ)
    above = [*build_sheet(page, without=card.fields), *([elements.section(lead)] if lead else [])]
    if any(kind_of(page.form.fields[n]).by_file for n in reading.values):
        title, row = _about_file(page, reading, file)
        return elements.message(lines(lead, title), [*above, elements.section(title), *row])
    title = fill(page, "read_intro" if reading.values else "read_done", {"file": file})
    rows = ([_row(page, page.form.fields[name], card, reading, width) for name in card.fields] for width in _WIDTHS)
    blocks = elements.first_that_fits(
        [*above, elements.section(title), *some, *_read_acts(page, reading)] for some in rows
    )
    return elements.message(lines(lead, title), blocks)


USES = {"file_also": "file_both", "file_for_person": "file_keep"}
"""What the button says that takes a file, by why it is asked about."""


def _about_file(page: Page, reading: DocumentReading, file: str) -> tuple[str, list[elements.Block]]:
    """Return the question about a file, and a button for each field that it may be taken for."""
    doubted = min(reading.values, key=lambda name: reading.values[name].sure)
    facts = {"why": "file_unlike", "other": "", **reading.values[doubted].facts}
    label = page.label(page.form.fields[doubted])
    title = fill(page, facts["why"], {"file": file, "label": label, "other": facts["other"]})
    says = {name: page.say(USES.get(facts["why"], "file_use")) for name in reading.values}
    if len(says) > 1:
        says = {n: page.say("file_as", label=page.label(page.form.fields[n])) for n in says}
    uses = [elements.button(words, page.press("take", name), name) for name, words in says.items()]
    other = page.say("no" if facts["why"] == "file_also" else "file_another")
    return title, acts(page, [*uses, elements.button(other, page.press("leave"))])


def _row(page: Page, field: Field, card: Read, reading: DocumentReading, width: int) -> elements.Block:
    """Return a proposal with its quote and its button; of a decided one, the answer or that it was left out."""
    proposed, given = reading.values.get(field.name), page.draft.values.get(field.name)
    if proposed is None and (given is None or given.provenance.message != card.document):
        return elements.context(fill(page, "read_left", {"label": page.label(field)}))
    if proposed is None:
        return elements.context(f"✓ {escape(page.label(field), _LABEL)}: {escape(page.answer(field, given), width)}")
    answer = f"*{escape(page.label(field), _LABEL)}:* {escape(page.answer(field, proposed), width)}"
    quote = f"_{page.say('quoted', words=escape(line(proposed.provenance.words, width // 2)))}_"
    differs = fill(page, "read_differs", {"was": line(page.answer(field, given), width)}) if given else ""
    accept = elements.button(
        page.say("read_use" if given else "read_right"), page.press("take", field.name), field.name
    )
    return elements.section(lines(answer, quote, differs), accept)


def _read_acts(page: Page, reading: DocumentReading) -> list[elements.Block]:
    """Return one button for all of it where anything is new, and one that leaves it."""
    if not reading.values:
        return []
    new = [name for name in reading.values if name not in page.draft.values]
    every = [elements.button(page.say("read_all"), page.press("take_all"), style="primary")] if new else []
    return acts(page, [*every, elements.button(page.say("read_wrong" if new else "read_keep"), page.press("leave"))])
