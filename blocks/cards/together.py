"""Questions that stand together: each with its explanation and its own answers beside it, applied one by one."""

from blocks.cards.offers import offers
from blocks.cards.sheet import acts, answer_line, build_sheet, undo
from blocks.elements import OPTION, Element, button, context, plain_text, press_id, section
from blocks.ids import TOGETHER, written_value
from blocks.message import Block, Message, message
from blocks.page import Page
from blocks.text import cut, escape, line
from blocks.utterances import sentences
from state.engine.cards import Question
from state.fields import element_of
from state.form import Field
from state.form.field import Data

_LEAD, _QUESTION, _HELP = 1500, 600, 400


def build_together(page: Page, card: Question) -> Message:
    """What is answered says so in its place; what is missing is answered where it stands."""
    fields = [page.form.fields[name] for name in card.fields]
    lead = cut(sentences(page, card.lead_in), _LEAD)
    title = next((g.title for g in page.form.groups.values() if card.field in g.fields), "")
    missing = [f for f in fields if f.name not in page.draft.values or f.name in page.draft.reopened]
    blocks = [
        *build_sheet(page, without=card.fields),
        *([section(lead, undo(page, card.lead_in))] if lead else []),
        *([section(f"*{escape(title)}*")] if title else []),
        *(block for field in fields for block in _one(page, field, asked=field in missing)),
        *offers(page),
        *acts(page, [button(page.say("person"), page.press("person"))] if card.offer_person else []),
    ]
    asked = "\n".join(escape(page.question(f), _QUESTION) for f in missing)
    return message("\n".join(filter(None, (lead, escape(title), asked))), blocks)


def _one(page: Page, field: Field, *, asked: bool) -> list[Block]:
    if not asked:
        return [section(answer_line(page, field))]
    beside, press = _answers(page, field)
    question = section(escape(page.question(field), _QUESTION), beside) | ({"block_id": press} if press else {})
    helped = [context(escape(line(field.help, _HELP)))] if field.help else []
    return [question, *helped]


def _answers(page: Page, field: Field) -> tuple[Element, str]:
    """What it is answered with, and the press that its block carries where the element has none of its own."""
    if element_of(field) == "acknowledge":
        label = field.choices[0].label if field.choices else page.say("acknowledge")
        return button(label, page.press("answer", field.name, True), field.name), ""
    options = [
        {"text": plain_text(label, OPTION), "value": written_value(data)} for label, data in _choices(page, field)
    ]
    radio = {"type": "radio_buttons", "action_id": f"{TOGETHER}.{field.name}", "options": options}
    return radio, press_id(page.menu_press(field.name))


def _choices(page: Page, field: Field) -> list[tuple[str, Data]]:
    if element_of(field) == "yes_or_no":
        return [(page.say("yes"), True), (page.say("no"), False)]
    return [(choice.label, choice.value) for choice in field.choices]
