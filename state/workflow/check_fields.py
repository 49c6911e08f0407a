"""Each field by itself: what its kind needs, what means nothing for it, lengths that Slack sets, values that fit."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from state.fields import KINDS, kind_of
from state.fields.fitting import misfit
from state.form.locate import Path as Keys
from state.form.schema import Field, Lock
from state.workflow.form_case import Finding, FormCase

SUGGEST = "suggest"
PARTICULAR = sorted(frozenset().union(*(kind.takes for kind in KINDS.values())) - {SUGGEST})
"""Attributes that mean something for some kinds only; `suggest` has a sentence of its own."""
LOCK_NEEDS: Mapping[Lock, str] = {"good": "grade", "confirmed": "lookup"}
LONGEST: Mapping[str, int] = {"label": 75, "ask": 600, "help": 2000, "placeholder": 150, "unit": 30}
"""Slack: 75 characters on a button and in an option, 150 in a placeholder, 3,000 in a text input and in a section with its lead-in."""
BUTTON, LONGEST_TEXT = 75, 3000


def needs(keys: Keys, field: Field) -> Iterator[Finding]:
    """A kind without what it lives on, an attribute that its kind ignores."""
    kind = kind_of(field)
    if kind.needs and not getattr(field, kind.needs):
        yield keys, f"A field of kind {field.kind} needs `{kind.needs}`. Add it."
    for name in PARTICULAR:
        if getattr(field, name) not in ((), "", None, False) and name not in kind.takes:
            yield (*keys, name), f"`{name}` means nothing for the kind {field.kind}. Take it out, or change the kind."
    wanted = LOCK_NEEDS.get(field.lock)
    if wanted and not getattr(field, wanted):
        yield (
            (*keys, "lock"),
            f'The lock "{field.lock}" needs `{wanted}`, and this field has none. Add it or lock otherwise.',
        )
    if field.suggest and (SUGGEST not in kind.takes or field.worse is not None):
        yield (
            (*keys, SUGGEST),
            "`suggest` is for a yes/no question without `worse`: a declaration is suggested to nobody.",
        )
    if field.disclosure and field.worse is None:
        yield (*keys, "disclosure"), "`disclosure` needs `worse`: the answer that those words disclose. Add it."


def lengths(keys: Keys, field: Field) -> Iterator[Finding]:
    """Texts that are empty or longer than the screen takes."""
    for name, most in LONGEST.items():
        if len(getattr(field, name)) > most:
            yield (*keys, name), f"`{name}` has {len(getattr(field, name))} characters. Keep it to {most}."
    for name in ("label", "ask"):
        if not getattr(field, name).strip():
            yield (*keys, name), f"`{name}` is empty. Write what the person is to read."
    if not 1 <= field.max_length <= LONGEST_TEXT:
        yield (*keys, "max_length"), f"`max_length` must be from 1 to {LONGEST_TEXT}."


def choices(keys: Keys, field: Field) -> Iterator[Finding]:
    """Choices that do not fit a button, or cannot be told apart."""
    for n, choice in enumerate(field.choices):
        if not 0 < len(choice.label) <= BUTTON or not 0 < len(choice.value) <= BUTTON:
            yield (*keys, "choices", n), f"A choice's value and label must have 1 to {BUTTON} characters."
    values = Counter(choice.value for choice in field.choices)
    said = Counter(w for c in field.choices for w in {t.casefold().strip() for t in (c.label, *c.words)})
    for word, times in (*values.items(), *said.items()):
        if times > 1:
            yield (*keys, "choices"), f'Two choices answer to "{word}". Let each have words of its own.'


def values(keys: Keys, field: Field) -> Iterator[Finding]:
    """Values that the field could never have."""
    for name in ("worse", "default"):
        value = getattr(field, name)
        if value is not None and (wrong := misfit(field, value)):
            yield (*keys, name), f"`{name}` {wrong}"
    yield from (((*keys, name), flaw) for name, flaw in kind_of(field).flaws(field))


def each_field(case: FormCase) -> Iterator[Finding]:
    """The rules above, for every field of the form and of its operations."""
    for group in case.groups:
        for keys, field in group:
            for rule in RULES:
                yield from rule(keys, field)


def money_has_currency(case: FormCase) -> Iterator[Finding]:
    """An amount without a currency is never stored."""
    for group in case.groups:
        beside = any(kind_of(field).money == "currency" for _, field in group) or case.unread(str(group.keys[0]))
        for keys, field in group:
            if kind_of(field).money == "amount" and not field.currency and not beside:
                yield keys, 'A money field needs a currency: write `currency = "GBP"`, or add a field of kind currency.'


RULES: tuple[Callable[[Keys, Field], Iterator[Finding]], ...] = (needs, lengths, choices, values)
CHECKS = (each_field, money_has_currency)
