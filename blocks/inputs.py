"""The ways to answer a field, by the element that its kind names: buttons up to five choices, a menu above, a calendar, a box to write in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from blocks.elements import MOST_OPTIONS, PLACEHOLDER, Element, button, plain_text, select
from blocks.ids import OPEN_BOX, TICK, Press, action_id
from blocks.options import choice_options
from blocks.page import Page
from state.fields import element_of, kind_of
from state.fields.base import ElementName
from state.form import Choice, Field

MOST_BUTTONS, MOST_BOXES = 5, 10


@dataclass(frozen=True)
class Asking:
    """Elements of the row below a question. `press` is set where one of them is a select or a calendar. `hint` is a key."""

    elements: tuple[Element, ...]
    hint: str = ""
    args: Mapping[str, str] = field(default_factory=dict)
    press: Press | None = None


def asking(page: Page, field: Field) -> Asking:
    """How this field is answered by clicking."""
    return ASKING[element_of(field)](page, field)


def _yes_no(page: Page, field: Field) -> Asking:
    answers = ((True, "yes"), (False, "no"))
    return Asking(tuple(button(page.say(k), page.press("answer", field.name, data), k) for data, k in answers))


def _acknowledged(page: Page, field: Field) -> Asking:
    label = field.choices[0].label if field.choices else page.say("acknowledge")
    return Asking((button(label, page.press("answer", field.name, True)),))


def _chosen(page: Page, field: Field) -> Asking:
    if len(field.choices) <= MOST_BUTTONS:
        return Asking(tuple(_choice_button(page, field, c, n) for n, c in enumerate(field.choices, 1)))
    press = page.menu_press(field.name)
    menu = select(field.placeholder or page.say("pick"), press, choice_options(field))
    return Asking((menu,), "type_or_choose", press=press)


def _ticked(page: Page, field: Field) -> Asking:
    """Boxes to tick, above ten a menu of several; what is ticked counts once Done is pressed."""
    options = choice_options(field)
    boxes: Element = (
        {"type": "checkboxes", "action_id": TICK, "options": options}
        if len(options) <= MOST_BOXES
        else {"type": "multi_static_select", "action_id": TICK, "options": options[:MOST_OPTIONS]}
        | {"placeholder": plain_text(field.placeholder or page.say("pick"), PLACEHOLDER)}
    )
    return Asking((boxes, button(page.say("done"), page.press("answer", field.name), style="primary")), "tick")


def _choice_button(page: Page, field: Field, choice: Choice, n: int) -> Element:
    return button(choice.label, page.press("answer", field.name, choice.value), n)


def _dated(page: Page, field: Field) -> Asking:
    calendar = {
        "type": "datepicker",
        "action_id": action_id("answer", "date"),
        "placeholder": plain_text(page.say("pick_date"), PLACEHOLDER),
    }
    return Asking((calendar,), "type_or_choose", press=page.menu_press(field.name))


def _searched(_page: Page, _field: Field) -> Asking:
    """What is looked up is picked from results, never written."""
    return Asking((), "type_to_search")


def _written(page: Page, field: Field) -> Asking:
    box = button(page.say("box"), page.press("enter", field.name), opens=OPEN_BOX)
    return Asking((box,), "type_it")


def _sent(page: Page, wanted: Field) -> Asking:
    """One file."""
    return Asking(_without(page, wanted), _hint("send", wanted))


def _sent_several(page: Page, wanted: Field) -> Asking:
    """Several files: how many there are; once there are enough, the person says when that is all."""
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
    """What is optional may be declined."""
    press = page.press("answer", wanted.name, "")
    return () if wanted.required else (button(page.say("not_there"), press),)


ASKING: Mapping[ElementName, Callable[[Page, Field], Asking]] = {
    "input": _written,
    "yes_or_no": _yes_no,
    "acknowledge": _acknowledged,
    "date_picker": _dated,
    "buttons": _chosen,
    "tick": _ticked,
    "search": _searched,
    "file": _sent,
    "files": _sent_several,
}
