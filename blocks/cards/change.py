"""A locked answer that was contradicted: only this card's click changes it."""

from blocks.elements import actions, button, section
from blocks.message import Message, message
from blocks.page import Page
from blocks.text import line
from blocks.utterances import fill, sentences
from state.engine.cards import Change

_ANSWER, _BUTTON = 200, 40


def build_change(page: Page, card: Change) -> Message:
    """What was answered, what it would become, and the two buttons."""
    field = page.form.fields[card.field]
    was, now = page.answer(field), page.answer(field, card.value)
    args = {"was": line(was, _ANSWER), "now": line(now, _ANSWER), "label": page.label(field)}
    text = "\n".join(filter(None, (sentences(page, card.lead_in), fill(page, "answered_locked", args))))
    change = button(page.say("change_to", now=line(now, _BUTTON)), page.press("change", field.name))
    keep = button(page.say("keep_it", was=line(was, _BUTTON)), page.press("keep", field.name))
    return message(text, [section(text), actions([change, keep])])
