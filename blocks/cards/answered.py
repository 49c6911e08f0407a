"""A question's card after its answer."""

from blocks.cards.moved import build_moved
from blocks.elements import button, context, section
from blocks.message import Message, message
from blocks.page import Page
from blocks.text import escape
from blocks.utterances import fill
from state.draft.draft import Disclosure
from state.engine.cards import Answered, Moved
from state.form import Field

_ANSWER, _WORDS = 500, 300


def build_answered(page: Page, card: Answered) -> Message:
    """ "✓ Leveraged product: No" with Edit, while the draft is open; what was disclosed later stands below."""
    field = page.form.fields[card.field]
    if card.field not in page.draft.values:
        return build_moved(page, Moved("changed", card.field))
    text = f"✓ {escape(page.label(field), _WORDS)}: {escape(page.answer(field), _ANSWER)}"
    edit = button(page.say("edit"), page.press("edit", field.name)) if page.draft.open else None
    return message(text, [section(text, edit), *(context(_beside(page, field, d)) for d in _later(page, field))])


def _later(page: Page, field: Field) -> list[Disclosure]:
    return [d for d in page.draft.disclosures if d.field == field.name][-1:]


def _beside(page: Page, field: Field, disclosure: Disclosure) -> str:
    words = disclosure.provenance.words
    return fill(page, "disclosed_beside", {"words": words[:_WORDS]}) if words else fill(page, "disclosed_later")
