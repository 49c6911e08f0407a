"""The ways to answer a field, by the element that its kind names: buttons, a menu, a calendar, a box; and the options of menus."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from blocks.elements import MOST_OPTIONS, OPTION, PLACEHOLDER, Element, button, multi_select, option, plain_text, select
from blocks.ids import OPEN_BOX, TICK, Press, action_id, written_value
from blocks.page import Page
from blocks.text import one_line
from state.draft.draft import Draft
from state.draft.missing import choosable
from state.draft.stages import chosen_ways
from state.fields import element_of, kind_of
from state.fields.base import ElementName
from state.form import Field, Form
from state.form.field import Data

MOST_BUTTONS, MOST_BOXES = 5, 10


@dataclass(frozen=True)
class Asking:
    """Elements of the row below a question. `press` is set where one of them is a select or a calendar. `hint` is a key."""

    elements: tuple[Element, ...]
    hint: str = ""
    args: Mapping[str, str] = field(default_factory=dict)
    press: Press | None = None


def asking(page: Page, field: Field) -> Asking:
    """Return how this field is answered by clicking."""
    return ASKING[element_of(field)](page, field)


def _yes_no(page: Page, field: Field) -> Asking:
    answers = ((True, "yes"), (False, "no"))
    return Asking(tuple(button(page.say(k), page.press("answer", field.name, data), k) for data, k in answers))


def _acknowledged(page: Page, field: Field) -> Asking:
    label = field.choices[0].label if field.choices else page.say("acknowledge")
    return Asking((button(label, page.press("answer", field.name, True)),))


def _chosen(page: Page, field: Field) -> Asking:
    field = choosable(field, page.draft)
    if len(field.choices) <= MOST_BUTTONS:
        presses = ((c.label, page.press("answer", field.name, c.value)) for c in field.choices)
        return Asking(tuple(button(label, press, n) for n, (label, press) in enumerate(presses, 1)))
    press = page.menu_press(field.name)
    menu = select(field.placeholder or page.say("pick"), press, choice_options(field))
    return Asking((menu,), "type_or_choose", press=press)


def _ticked(page: Page, field: Field) -> Asking:
    """Return boxes to tick, and Done, by which they count."""
    done = button(page.say("done"), page.press("answer", field.name), style="primary")
    return Asking((tick_boxes(page, field) | {"action_id": TICK}, done), "tick")


def _dated(page: Page, field: Field) -> Asking:
    calendar = date_picker(page) | {"action_id": action_id("answer", "date")}
    return Asking((calendar,), "type_or_choose", press=page.menu_press(field.name))


def _written(page: Page, field: Field) -> Asking:
    box = button(page.say("box"), page.press("enter", field.name), opens=OPEN_BOX)
    return Asking((box,), "type_it")


def _sent_several(page: Page, wanted: Field) -> Asking:
    """Ask for several files: say how many there are, and once there are enough, offer to end it."""
    value = page.draft.values.get(wanted.name)
    held = len(value.data) if value is not None and isinstance(value.data, tuple) else 0
    least, most = kind_of(wanted).least(wanted), kind_of(wanted).most(wanted)
    counts = {"count": str(held), "least": str(least), "most": str(most)}
    if not held:
        return Asking(_without(page, wanted), _hint("send_several", wanted), counts)
    anew = button(page.say("send_anew"), page.press("clear", wanted.name))
    done = button(page.say("that_is_all"), page.press("keep", wanted.name), style="primary")
    return Asking((*((done,) if held >= least else ()), anew), "sent_so_far", counts)


def _hint(key: str, wanted: Field) -> str:
    return f"{key}_{wanted.accept[0]}" if len(wanted.accept) == 1 else key


def _without(page: Page, wanted: Field) -> tuple[Element, ...]:
    """Return the button by which an optional file is declined."""
    return () if wanted.required else (button(page.say("not_there"), page.press("answer", wanted.name, "")),)


ASKING: Mapping[ElementName, Callable[[Page, Field], Asking]] = {
    "input": _written,
    "yes_or_no": _yes_no,
    "acknowledge": _acknowledged,
    "date_picker": _dated,
    "buttons": _chosen,
    "tick": _ticked,
    "search": lambda *_: Asking((), "type_to_search"),  # picked from results
    "file": lambda page, wanted: Asking(_without(page, wanted), _hint("send", wanted)),
    "files": _sent_several,
}


def choice_options(field: Field) -> list[Element]:
    """Return a field's choices as options of a menu that carry the bare value."""
    return [option(choice.label, choice.value) for choice in field.choices]


def answer_options(page: Page, field: Field) -> list[Element]:
    """Return yes and no, or a field's choices, as options of radio buttons that carry the value with its type."""
    polar: list[tuple[str, Data]] = [(page.say("yes"), True), (page.say("no"), False)]
    possible = choosable(field, page.draft).choices
    choices = polar if element_of(field) == "yes_or_no" else [(c.label, c.value) for c in possible]
    return [{"text": plain_text(label, OPTION), "value": written_value(data)} for label, data in choices]


def tick_boxes(page: Page, field: Field) -> Element:
    """Return boxes to tick; above ten a menu of several."""
    options = choice_options(choosable(field, page.draft))[:MOST_OPTIONS]
    if len(options) <= MOST_BOXES:
        return {"type": "checkboxes", "options": options}
    return multi_select(field.placeholder or page.say("pick"), options)


def date_picker(page: Page) -> Element:
    return {"type": "datepicker", "placeholder": plain_text(page.say("pick_date"), PLACEHOLDER)}


def edit_options(page: Page) -> list[Element]:
    """Return the answers that may be edited."""
    return [option(page.label(field), field.name) for field in page.answered]


def ways(page: Page, *, filing: bool = True) -> list[tuple[str, str]]:
    """Return the stage's own ways on that have a button, as trigger and label; without those that file where the review is on screen."""
    stage = page.form.stages.get(page.draft.stage)
    found = chosen_ways(page.form, page.draft) if stage and page.draft.open else ()
    mine = (w for w in found if stage and w in stage.transitions and w.label and (filing or not w.submits))
    return list({w.on: w.label for w in mine}.items())


def build_options(form: Form, draft: Draft, press: Press, query: str, today: str) -> dict[str, Any]:
    """Answer a `block_suggestion` of the menu with this press: the options whose label holds the words, a hundred at most."""
    field = form.fields.get(press.field)
    listed = choice_options(choosable(field, draft)) if field else []
    options = edit_options(Page(form, draft, today)) if press.act == "edit" else listed
    sought = one_line(query).casefold()
    return {"options": [o for o in options if sought in o["text"]["text"].casefold()][:MOST_OPTIONS]}
