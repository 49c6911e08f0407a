"""The one line that a form's requests are known by: it names fields of the form, and nothing that is kept out of lists."""

import re
from collections.abc import Iterator

from state.fields import kind_of
from state.form.repeats import slot_of
from state.workflow.form_case import Finding, FormCase

NAMED = re.compile(r"\{([a-z][a-z0-9_]*)\}")
LONGEST = 150
KEYS = ("essence",)


def essence(case: FormCase) -> Iterator[Finding]:
    """Every brace holds the name of a field that may be read in a list."""
    text, fields = case.form.essence, case.groups[0]
    names = NAMED.findall(text)
    if len(text) > LONGEST:
        yield KEYS, f"`essence` has {len(text)} characters. Keep it to {LONGEST}: it is one line."
    if {"{", "}"} & set(NAMED.sub("", text)):
        yield KEYS, "A brace must hold a field's name, like {security}. Correct it, or write brackets."
    if text and not names and not {"{", "}"} & set(text):
        yield KEYS, "`essence` names no field, so every request would read alike. Name one in braces, like {security}."
    for name in case.unknown(fields, frozenset(names)):
        yield KEYS, f"{{{name}}} is no field of this form. Name one of its fields."
    for name in dict.fromkeys(names):
        field = case.form.fields.get(name) or slot_of(case.form, name)
        if field is not None and field.name == name and field.repeat:
            yield KEYS, f"`{name}` is asked several times. Name one of them, like {{{name}_1}}."
        elif field is not None and field.sensitive:
            yield KEYS, f"`{name}` is sensitive, and this line stands in lists and announcements. Leave it out."
        elif field is not None and kind_of(field).by_file:
            yield KEYS, f"`{name}` is answered by a file, which says nothing in a line. Name another field."


CHECKS = (essence,)
