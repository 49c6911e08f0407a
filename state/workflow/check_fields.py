"""Fields by themselves and in groups: what their kinds need, values that fit, what one card can show."""

from collections import Counter
from collections.abc import Iterator, Mapping

from state.fields import KINDS, element_of, kind_of
from state.fields.limits import misfit
from state.form.field import Field, Lock
from state.form.locate import Path as Keys
from state.form.near import meant
from state.form.schema import QuestionGroup
from state.workflow.form_case import Finding, FormCase, none_such

SUGGEST = "suggest"
PARTICULAR = sorted(frozenset().union(*(kind.takes for kind in KINDS.values())) - {SUGGEST})
"""Attributes that mean something for some kinds only; `suggest` has a sentence of its own."""
LOCK_NEEDS: Mapping[Lock, str] = {"good": "grade", "confirmed": "lookup"}
CLICKED = frozenset({"yes_or_no", "acknowledge", "buttons"})
QUESTIONS, ANSWERS = 10, 10
"""Questions on one card, and answers of one of them: Slack takes ten options in a row of radio buttons."""


def each_field(case: FormCase) -> Iterator[Finding]:
    """Check every field of the form, of its operations and of its report by itself."""
    for group in case.groups:
        beside = any(kind_of(field).money == "currency" for _, field in group) or case.unread(str(group.keys[0]))
        for keys, field in group:
            yield from _needs(keys, field)
            yield from _choices(keys, field)
            yield from _values(keys, field)
            if kind_of(field).money == "amount" and not field.currency and not beside:
                yield keys, 'A money field needs a currency: write `currency = "GBP"`, or add a field of kind currency.'


def _needs(keys: Keys, field: Field) -> Iterator[Finding]:
    """Name what a kind cannot do without, and attributes that it ignores."""
    kind = kind_of(field)
    if kind.needs and not getattr(field, kind.needs):
        yield keys, f"A field of kind {field.kind} needs `{kind.needs}`. Add it."
    for name in PARTICULAR:
        if getattr(field, name) not in ((), "", None, False) and name not in kind.takes:
            yield (*keys, name), f"`{name}` means nothing for the kind {field.kind}. Take it out, or change the kind."
    wanted = LOCK_NEEDS.get(field.lock)
    if wanted and not getattr(field, wanted):
        yield (*keys, "lock"), f'The lock "{field.lock}" needs `{wanted}`. Add it, or lock otherwise.'
    if field.suggest and (SUGGEST not in kind.takes or field.worse is not None):
        yield (*keys, SUGGEST), "`suggest` is for a yes/no question without `worse`: nobody suggests a declaration."
    if field.disclosure and field.worse is None:
        yield (*keys, "disclosure"), "`disclosure` needs `worse`: the answer that those words disclose. Add it."


def _choices(keys: Keys, field: Field) -> Iterator[Finding]:
    """Name choices that cannot be told apart."""
    values = Counter(choice.value for choice in field.choices)
    said = Counter(w for c in field.choices for w in {t.casefold().strip() for t in (c.label, *c.words)})
    for word, times in (*values.items(), *said.items()):
        if times > 1:
            yield (*keys, "choices"), f'Two choices answer to "{word}". Let each have words of its own.'


def _values(keys: Keys, field: Field) -> Iterator[Finding]:
    """Name values that the field could never have."""
    for name in ("worse", "default"):
        value = getattr(field, name)
        if value is not None and (wrong := misfit(field, value)):
            yield (*keys, name), f"`{name}` {wrong}"
    yield from (((*keys, name), flaw) for name, flaw in kind_of(field).flaws(field))


def grouped(case: FormCase) -> Iterator[Finding]:
    """Check that a group names fields of the form, each in one group, and that a card can hold them together."""
    counted = Counter(name for group in case.form.groups.values() for name in group.fields)
    for name, group in case.form.groups.items():
        keys = ("groups", name, "fields")
        for field in case.unknown(case.groups[0], frozenset(group.fields)):
            yield keys, none_such(field, "field of this form", case.form.fields)
        for field in (f for f in group.fields if counted[f] > 1):
            yield keys, f'"{field}" is named in more than one group, or twice. Leave it in one place.'
        if group.together:
            yield from (((*keys[:2], "together"), wrong) for wrong in _together(case, group))


def _together(case: FormCase, group: QuestionGroup) -> Iterator[str]:
    if len(group.fields) > QUESTIONS:
        yield f"{len(group.fields)} questions do not fit one card. Keep the group to {QUESTIONS}."
    if case.form.asked_by == "model":
        yield "Where the model asks, questions come one at a time. Take `together` out."
    for field in (case.form.fields[n] for n in group.fields if n in case.form.fields):
        if element_of(field) not in CLICKED or len(field.choices) > ANSWERS:
            yield f'"{field.name}" is not answered by one click on a few answers. Take it out of the group.'


def repeats(case: FormCase) -> Iterator[Finding]:
    """Check that a group that is asked several times has fields, and a yes/no of its own that opens the next time."""
    for name, repeat in case.form.repeats.items():
        fields = {f.name: f for f in case.form.fields.values() if f.repeat == name}
        if not fields:
            yield ("repeats", name), f'No field belongs to the group. Write `repeat = "{name}"` in those that do.'
        if repeat.needed > repeat.most:
            yield ("repeats", name, "needed"), "`needed` must be from 0 to `most`."
        if repeat.more and (repeat.more not in fields or not kind_of(fields[repeat.more]).polar):
            told = f'"{repeat.more}" is no yes/no field of the group. Name the one that asks for more.'
            yield ("repeats", name, "more"), told + meant(repeat.more, fields)
    for group in case.groups:
        for keys, field in group:
            known = field.repeat in case.form.repeats or ("repeats", field.repeat) in case.broken
            if field.repeat and group.keys != ("fields",):
                yield (*keys, "repeat"), "Only the form's own fields are repeated. Take `repeat` out."
            elif field.repeat and not known:
                told = f'"{field.repeat}" is no group. Correct the name, or add [repeats.{field.repeat}].'
                yield (*keys, "repeat"), told + meant(field.repeat, case.form.repeats)


def taken_again(case: FormCase) -> Iterator[Finding]:
    """Check that "same as last time" takes no declaration, amount, day or reason from an earlier record."""
    for name in case.form.again:
        field = case.form.fields.get(name)
        if field is None:
            yield ("again",), none_such(name, "field of this form", case.form.fields)
        elif why := _why_anew(field):
            yield ("again",), f"`{name}` {why}, so it has to be told anew each time. Leave it out."


def _why_anew(field: Field) -> str:
    kind = kind_of(field)
    if field.worse is not None or kind.declaration or kind.polar or field.disclosure:
        return "is a declaration"
    if field.grade:
        return "is a reason that is graded"
    if field.lock not in ("review", "confirmed"):
        return f'locks when it is {field.lock} (lock = "{field.lock}")'
    if field.repeat:
        return "is one of several that repeat"
    return "" if kind.lasting else f"is of the kind {field.kind}"


CHECKS = (each_field, grouped, repeats, taken_again)
