"""Groups of questions: their fields exist, stand in one group each, and can be answered by a click where they stand together."""

from collections import Counter
from collections.abc import Iterator

from state.fields import element_of
from state.form.schema import QuestionGroup
from state.workflow.form_case import Finding, FormCase

CLICKED = frozenset({"yes_or_no", "acknowledge", "buttons"})
MOST, CHOICES = 10, 10
"""Questions on one card, and answers of one of them: Slack takes ten options in a row of radio buttons."""


def members(case: FormCase) -> Iterator[Finding]:
    """Every name is a field of the form, and of one group."""
    counted = Counter(name for group in case.form.groups.values() for name in group.fields)
    for name, group in case.form.groups.items():
        keys = ("groups", name, "fields")
        if not group.fields:
            yield keys, "A group needs fields. Name them, or take it out."
        for field in case.unknown(case.groups[0], frozenset(group.fields)):
            yield keys, f'"{field}" is no field of this form. Correct the name.'
        for field in (f for f in group.fields if counted[f] > 1):
            yield keys, f'"{field}" is named in more than one group, or twice. Leave it in one place.'
        if group.together:
            yield from _together(case, name, group)


def _together(case: FormCase, name: str, group: QuestionGroup) -> Iterator[Finding]:
    keys = ("groups", name, "together")
    if len(group.fields) > MOST:
        yield keys, f"{len(group.fields)} questions do not fit one card. Keep the group to {MOST}."
    if case.form.asked_by == "model":
        yield keys, "Where the model asks, questions come one at a time. Take `together` out."
    for field in (case.form.fields[n] for n in group.fields if n in case.form.fields):
        if element_of(field) not in CLICKED or len(field.choices) > CHOICES:
            yield keys, f'"{field.name}" is not answered by one click on a few answers. Take it out of the group.'


CHECKS = (members,)
