"""The options of menus, and Slack's answer when a menu asks for them."""

from typing import Any

from blocks.elements import MOST_OPTIONS, Element, option
from blocks.ids import Press
from blocks.page import Page
from blocks.text import one_line
from state.draft.draft import Draft
from state.draft.stages import chosen_ways
from state.form import Field, Form


def choice_options(field: Field) -> list[Element]:
    """A field's choices."""
    return [option(choice.label, choice.value) for choice in field.choices]


def edit_options(page: Page) -> list[Element]:
    """The answers that may be edited."""
    return [option(page.label(field), field.name) for field in page.answered]


def ways(page: Page, *, filing: bool = True) -> list[tuple[str, str]]:
    """The stage's own ways on that have a button, as trigger and label; without those that file where the review is on screen."""
    stage = page.form.stages.get(page.draft.stage)
    found = chosen_ways(page.form, page.draft) if stage and page.draft.open else ()
    mine = (w for w in found if stage and w in stage.transitions and w.label and (filing or not w.submits))
    return list({w.on: w.label for w in mine}.items())


def build_options(form: Form, draft: Draft, press: Press, query: str, today: str) -> dict[str, Any]:
    """Slack's answer to a `block_suggestion` of the menu with this press: those whose label holds the words, a hundred at most."""
    field = form.fields.get(press.field)
    options = edit_options(Page(form, draft, today)) if press.act == "edit" else choice_options(field) if field else []
    sought = one_line(query).casefold()
    return {"options": [o for o in options if sought in o["text"]["text"].casefold()][:MOST_OPTIONS]}
