"""The states of a form's records, and its rules of filing: they name what exists, compare what can be compared, and can be reached."""

import re
from collections.abc import Iterator
from decimal import Decimal

from state.fields import kind_of
from state.fields.limits import Limit, limit_of, misfit
from state.form.field import Field
from state.form.filing import DECIDED, Bound, Criterion, FilingRule, Over
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
    """Check that every rule leads to a state, by criteria that the form's fields can meet."""
    said = {found[1] for key in case.form.says if (found := OWN.fullmatch(key))}
    known = {*case.form.filing.states, *DECIDED, *said}
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
            yield from (((*keys, key, name), told) for told in _bound(case, _field(case, name), key, bound))
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
    for told in _bound(case, amounts, "above", over.limit):
        yield (*keys, "limit"), told
    if amounts is not None and not kind_of(amounts).adds:
        yield (*keys, "sum"), f"A field of kind {amounts.kind} cannot be added up. Name one of sums or numbers."
    if day is not None and not kind_of(day).on_day:
        yield (*keys, "by"), f"`{day.name}` is of kind {day.kind}. Name the date on which a record counts."


def _field(case: FormCase, name: str) -> Field | None:
    return case.form.fields.get(name) or slot_of(case.form, name)


def _bound(case: FormCase, field: Field | None, key: str, bound: Bound) -> Iterator[str]:
    if field is None:
        return
    try:
        limit = limit_of(field, bound, case.form.language)
    except ValueError as wrong:
        yield str(wrong)
        return
    edge, most = ("most", field.maximum) if key == "above" else ("least", field.minimum)
    if most is not None and isinstance(limit.value, Decimal) and not _is_past(most, limit.value, key):
        yield f"`{field.name}` is at {edge} {most}, so it is never {key} {limit.value}. Correct one of them."


def _is_past(value: Decimal | int, limit: Decimal, key: str) -> bool:
    return value > limit if key == "above" else value < limit


def reached(case: FormCase) -> Iterator[Finding]:
    """Check that no rule is written below one that holds wherever it does."""
    above: list[FilingRule] = []
    for n, rule in enumerate(case.form.filing.rules):
        first = next((m for m, other in enumerate(above, 1) if _holds_wherever(case, other, rule)), None)
        if first is not None:
            why = "holds for everything" if above[first - 1].otherwise else "holds wherever this one does"
            yield (
                (*TABLE, "rules", n),
                f"This rule is never reached: rule {first} above {why}. Move it up, or take it out.",
            )
        above.append(rule)


def _holds_wherever(case: FormCase, other: Criterion, rule: Criterion) -> bool:
    """Return True if `other` is sure to hold where `rule` does; False where that cannot be told."""
    if isinstance(other, FilingRule) and other.otherwise:
        return True
    if other.empty:
        return False
    return (
        all(set(rule.equals.get(n, ())) and set(rule.equals[n]) <= set(some) for n, some in other.equals.items())
        and all(_tighter(case, n, rule.above.get(n), bound, "above") for n, bound in other.above.items())
        and all(_tighter(case, n, rule.below.get(n), bound, "below") for n, bound in other.below.items())
        and (other.over is None or _tighter_sum(case, rule.over, other.over))
        and (
            not other.any_of
            or other.any_of == rule.any_of
            or any(_holds_wherever(case, one, rule) for one in other.any_of)
        )
        and all(_holds_wherever(case, one, rule) for one in other.all_of)
        and (not other.none_of or other.none_of == rule.none_of)
    )


def _tighter(case: FormCase, name: str, bound: Bound | None, other: Bound, key: str) -> bool:
    """Return True if what is above (or below) `bound` is above (or below) `other` too."""
    one, two = (_limit(case, name, b) for b in (bound, other))
    if one is None or two is None or one.currency != two.currency or type(one.value) is not type(two.value):
        return False
    return one.value == two.value or (one.value > two.value) is (key == "above")  # type: ignore[operator]  # the same type, as of the line above


def _tighter_sum(case: FormCase, over: Over | None, other: Over) -> bool:
    """Return True if whatever is past `over` is past `other` too: the same sum, with a limit that is no lower."""
    same = over is not None and over.model_copy(update={"limit": other.limit}) == other
    return over is not None and same and _tighter(case, over.sum, over.limit, other.limit, "above")


def _limit(case: FormCase, name: str, bound: Bound | None) -> Limit | None:
    field = _field(case, name)
    try:
        return limit_of(field, bound, case.form.language) if field is not None and bound is not None else None
    except ValueError:
        return None


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


CHECKS = (states, said_of_states, rules, reached, filed_at_all, subject)
