"""The states of a form's records, and its rules of filing: they name what exists, compare what can be compared, and can be reached."""

import re
from collections.abc import Iterator

from state.fields import kind_of
from state.fields.limits import limit_of, misfit
from state.form.field import Field
from state.form.filing import DECIDED, Bound, Criterion, Over
from state.form.locate import Path as Keys
from state.form.repeats import slot_of
from state.workflow.form_case import Finding, FormCase, none_such

TABLE = ("filing",)
LISTS = ("any_of", "all_of", "none_of")
FIELD = "field of this form"
OWN = re.compile(r"(?:state|next)_(.+)")
BRACE = "This is shown as it is written, so it cannot name a field. Say it in words."


def states(case: FormCase) -> Iterator[Finding]:
    """Check that a state has a name, and one place for its sentences."""
    for name, state in case.form.filing.states.items():
        keys = (*TABLE, "states", name)
        if not state.label and name not in DECIDED:
            yield (*keys, "label"), "A state of the form's own needs a `label`: its name on screen. Add it."
        for key, said, text in (("label", f"state_{name}", state.label), ("next", f"next_{name}", state.next)):
            if "{" in text or "}" in text:
                yield (*keys, key), BRACE
            if text and said in case.form.says:
                yield (*keys, key), f"`{said}` is written in [says] too. Keep one of them."


def said_of_states(case: FormCase) -> Iterator[Finding]:
    """Check that where a form lists its states, [says] speaks of these."""
    listed = {**case.form.filing.states, **DECIDED}
    for key in case.form.says if case.form.filing.states else ():
        found = OWN.fullmatch(key)
        if found and found[1] not in listed:
            yield ("says", key), none_such(found[1], "state of this form", listed)


def rules(case: FormCase) -> Iterator[Finding]:
    """Check that every rule leads to a state, by criteria that the form's fields can meet, and that each can be reached."""
    said = {found[1] for key in case.form.says if (found := OWN.fullmatch(key))}
    known = {*case.form.filing.states, *DECIDED, *said}
    whole: int | None = None
    for n, rule in enumerate(case.form.filing.rules):
        keys = (*TABLE, "rules", n)
        if rule.state not in known:
            yield (*keys, "state"), none_such(rule.state, "state", known)
        for key in ("reason", "told"):
            if set("{}") & set(getattr(rule, key) or ""):
                yield (*keys, key), BRACE
        if rule.empty and not rule.otherwise:
            yield keys, "This rule has no condition. Write `otherwise = true`, or say when it holds."
        if rule.otherwise and not rule.empty:
            yield (*keys, "otherwise"), "`otherwise` holds for everything. Take it out, or the conditions beside it."
        if whole is not None:
            yield keys, f"This rule is never reached: rule {whole} above holds for everything. Move it up."
        whole = n + 1 if rule.otherwise and whole is None else whole
        yield from _criteria(case, keys, rule)


def _criteria(case: FormCase, keys: Keys, criterion: Criterion) -> Iterator[Finding]:
    yield from _criterion(case, keys, criterion)
    for key in LISTS:
        for n, one in enumerate(getattr(criterion, key)):
            if one.empty:
                yield (*keys, key, n), f"Entry {n + 1} of `{key}` has no condition. Write one, or take it out."
            yield from _criteria(case, (*keys, key, n), one)


def _criterion(case: FormCase, keys: Keys, criterion: Criterion) -> Iterator[Finding]:
    fields, own = case.groups[0], ("above", "below", "over", *LISTS)
    for key in ("equals", "above", "below"):
        for name in case.unknown(fields, frozenset(getattr(criterion, key))):
            yield (*keys, key, name), none_such(name, FIELD, (*fields.fields, *own))
    for name, wanted in criterion.equals.items():
        field = _field(case, name)
        for value in wanted if field is not None else ():
            if field is not None and (wrong := misfit(field, value)):
                yield (*keys, "equals", name), f"`{name}` is compared with {value!r}, which {wrong}"
    for key, bounds in (("above", criterion.above), ("below", criterion.below)):
        for name, bound in bounds.items():
            yield from (((*keys, key, name), told) for told in _bound(case, _field(case, name), bound))
    if criterion.over is not None:
        yield from _sum(case, (*keys, "over"), criterion.over)


def _sum(case: FormCase, keys: Keys, over: Over) -> Iterator[Finding]:
    """Check that a limit on a sum adds up what can be added up, over one span, by a day."""
    fields = case.groups[0]
    for name in case.unknown(fields, frozenset(over.fields)):
        key = "sum" if name == over.sum else "by" if name == over.by else "same"
        yield (*keys, key), none_such(name, FIELD, fields.fields)
    if (over.days is None) is (over.per is None):
        yield keys, '`over` counts a calendar year or so many days. Write `per = "year"`, or `days = 365`.'
    amounts, day = _field(case, over.sum), _field(case, over.by)
    for told in _bound(case, amounts, over.limit):
        yield (*keys, "limit"), told
    if amounts is not None and not kind_of(amounts).adds:
        yield (*keys, "sum"), f"A field of kind {amounts.kind} cannot be added up. Name one of sums or numbers."
    if day is not None and not kind_of(day).on_day:
        yield (*keys, "by"), f"`{day.name}` is of kind {day.kind}. Name the date on which a record counts."


def _field(case: FormCase, name: str) -> Field | None:
    return case.form.fields.get(name) or slot_of(case.form, name)


def _bound(case: FormCase, field: Field | None, bound: Bound) -> Iterator[str]:
    try:
        if field is not None:
            limit_of(field, bound, case.form.language)
    except ValueError as wrong:
        yield str(wrong)


def filed_at_all(case: FormCase) -> Iterator[Finding]:
    """Check that only a form that is filled in and submitted has [filing]."""
    if case.form.conversational and (case.form.filing.rules or case.form.filing.states):
        yield TABLE, "A form of operations alone files nothing. Take [filing] out, or add fields."


def subject(case: FormCase) -> Iterator[Finding]:
    """Check that a request is found by words of fields that may be read in a list."""
    for named in case.form.filing.subject or ():
        name, _, fact = named.partition(".")
        field = _field(case, name)
        if field is None and case.unknown(case.groups[0], frozenset({name})):
            yield (*TABLE, "subject"), none_such(name, FIELD, case.form.fields)
        elif field is not None and field.sensitive:
            yield (*TABLE, "subject"), f"`{name}` is sensitive, so nobody may search by it. Leave it out."
        elif field is not None and fact and not kind_of(field).searchable:
            yield (*TABLE, "subject"), f"`{name}` is not looked up, so it has no facts. Name it without .{fact}."


CHECKS = (states, said_of_states, rules, filed_at_all, subject)
