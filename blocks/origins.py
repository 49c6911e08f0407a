"""Where each answer of a filed request comes from: who gave it, when, how, and from which words. A modal for those who decide."""

from collections.abc import Iterator
from typing import Any

from blocks.cards.rows import HOW
from blocks.elements import Element, actions, context, plain_text, section
from blocks.ids import DOSSIER, ORIGINS
from blocks.message import Block, first_that_fits
from blocks.page import Page
from blocks.phrases import Phrasebook
from blocks.text import NOTHING, escape, line
from blocks.times import moment, moment_of
from blocks.utterances import fill, mention
from state.draft.draft import Value
from state.form import Field

TITLE = 24
WIDTHS = ((400, 300), (200, 100), (80, 40), (30, 0))
"""Characters of an answer and of the words that it rests on."""
LABEL = 75


def build_origins(page: Page, *, asked: bool = False) -> dict[str, Any]:
    """The modal for `views.open`; of what is sensitive only that it is on record. `asked`: its dossier has been asked for."""
    layouts = ([section(text) for text in _answers(page, *widths)] for widths in WIDTHS)
    return {
        "type": "modal",
        "callback_id": ORIGINS,
        "title": plain_text(page.draft.record, TITLE),
        "close": plain_text(page.say("request_close"), TITLE),
        "blocks": [
            section(f"*{escape(page.essence or page.form.title)}*"),
            *first_that_fits(layouts),
            _dossier(page, asked),
        ],
    }


def dossier_button(words: Phrasebook, number: str) -> Element:
    """Asks for the dossier of a record; who may have it is looked up when it is made."""
    return {
        "type": "button",
        "action_id": DOSSIER,
        "value": number,
        "text": plain_text(words.say("dossier_ask"), LABEL),
    }


def _dossier(page: Page, asked: bool) -> Block:
    if asked:
        return context(fill(page, "dossier_asked"))
    return actions([dossier_button(page.words, page.draft.record)])


def _answers(page: Page, answer: int, words: int) -> Iterator[str]:
    for field in page.answered:
        value, label = page.draft.values[field.name], escape(line(page.label(field), LABEL), LABEL)
        if field.sensitive:
            yield f"*{label}*\n{escape(page.say('on_record'))}"
            continue
        shown = escape(line(page.whole_answer(field), answer), answer) or NOTHING
        yield f"*{label}*: {shown}\n_{_came(page, field, value, words)}_"


def _came(page: Page, field: Field, value: Value, width: int) -> str:
    """ "chosen · @Alex · 22 Nov 2026 14:02 · “buy” · read by rules"."""
    came = value.provenance
    how = page.say(f"origin_{HOW.get(came.how, 'read' if came.how == 'read' else 'entered')}")
    at = moment(moment_of(came.at), page.form.language) if came.at else ""
    words = f"“{escape(line(came.words, width), width)}”" if came.words and width else ""
    reader = fill(page, "origin_reader", {"reader": came.reader}) if came.reader else ""
    later = [d for d in page.draft.disclosures if d.field == field.name]
    told = fill(page, "disclosed_later") if later else ""
    return " · ".join(filter(None, (escape(how), mention(came.who), at, words, reader, told)))
