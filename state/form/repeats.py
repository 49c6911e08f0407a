"""Fields that are asked several times: `debt_lender` of a group that repeats becomes `debt_lender_1`, `debt_lender_2`, …"""

import re
from collections.abc import Iterator, Mapping

from state.form.field import Condition, Declares, Field
from state.form.schema import Form, Repeat

SLOTTED = re.compile(r"(?P<base>.+)_(?P<slot>[1-9][0-9]?)")


def with_repeats(form: Form) -> Form:
    """Return the form with each time of a repeated group spelt out, in the place where the group's first field stands."""
    return form.model_copy(update={"fields": {f.name: f for f in _spread(form)}}) if form.repeats else form


def slot_of(form: Form, name: str) -> Field | None:
    """Return the repeated field of which `name` is one time; None where it is none."""
    found = SLOTTED.fullmatch(name)
    field = form.fields.get(found["base"]) if found else None
    repeat = form.repeats.get(field.repeat) if field else None
    return field if found and repeat and int(found["slot"]) <= repeat.most else None


def _spread(form: Form) -> Iterator[Field]:
    done: set[str] = set()
    for field in form.fields.values():
        repeat = form.repeats.get(field.repeat)
        if repeat is None:
            yield field
        elif field.repeat not in done:
            done.add(field.repeat)
            group = [f for f in form.fields.values() if f.repeat == repeat.name]
            for slot in range(1, repeat.most + 1):
                names = {f.name: f"{f.name}_{slot}" for f in group}
                yield from (_in_slot(f, repeat, slot, names) for f in group)


def _in_slot(field: Field, repeat: Repeat, slot: int, names: Mapping[str, str]) -> Field:
    asked = slot <= repeat.needed or bool(repeat.more)
    return field.model_copy(update={
        "name": names[field.name],
        "label": _named(field.label, slot, names),
        "ask": _named(field.ask, slot, names),
        "help": field.help.replace("{n}", str(slot)),
        "when": _opened(_renamed(field.when, names), repeat, slot),
        "choices": tuple(
            c.model_copy(update={"when": _renamed(c.when, names), "told_in": names.get(c.told_in, c.told_in)})
            for c in field.choices
        ),
        "about": tuple(names.get(n, n) for n in field.about),
        "declares": field.declares and Declares(**{k: _named(s, slot, names) for k, s in field.declares}),
        "tool": field.tool or repeat.name,
        "required": field.required and asked,
        "slot": slot,
    })  # fmt: skip


def _named(text: str, slot: int, names: Mapping[str, str]) -> str:
    for name, full in names.items():
        text = text.replace(f"{{{name}}}", f"{{{full}}}")
    return text.replace("{n}", str(slot))


def _renamed(when: Condition | None, names: Mapping[str, str]) -> Condition | None:
    if when is None:
        return None
    every = {names.get(name, name): values for name, values in when.all.items()}
    some, none = (tuple(r for c in part if (r := _renamed(c, names))) for part in (when.any, when.none))
    return Condition(all=every, any=some, none=none)


def _opened(when: Condition | None, repeat: Repeat, slot: int) -> Condition | None:
    """Return the condition of a time: from the second on, the time before has to say that there is more."""
    if slot == 1 or not repeat.more:
        return when
    gate = {f"{repeat.more}_{slot - 1}": (True,)}
    return when.model_copy(update={"all": {**when.all, **gate}}) if when else Condition(all=gate)
