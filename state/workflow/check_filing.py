"""The states of a form's records, and its rules of filing: they name what exists, compare what can be compared, and can be reached."""

import re
from collections.abc import Iterator
from decimal import Decimal

from state.fields import kind_of
from state.fields.fitting import misfit
from state.fields.limits import Limit, limit_of
from state.form.filing import DECIDED, Bound, Criterion, FilingRule, Over
from state.form.locate import Path as Keys
from state.form.near import meant
from state.form.repeats import slot_of
from state.form.schema import Field
from state.workflow.form_case import Finding, FormCase

TABLE, BUTTON, SENTENCE = ("filing",), 75, 400
LISTS = ("any_of", "all_of", "none_of")
OWN = re.compile(r"(?:state|next)_(.+)")
TELL = re.compile(r"[a-z][a-z0-9_]*")
WHOLE = "This rule has no condition, so it always holds. Write `otherwise = true`, or say when it holds."


def states(case: FormCase) -> Iterator[Finding]:
    """A state has a name that fits the screen, and one place for its sentences."""
    for name, state in case.form.filing.states.items():
        keys = (*TABLE, "states", name)
        if not 0 < len(state.label.strip()) <= BUTTON and (state.label or name not in DECIDED):
            yield (*keys, "label"), f"A state's label must have 1 to {BUTTON} characters."
        for key, text in (("label", state.label), ("next", state.next)):
            if "{" in text or "}" in text:
                yield (*keys, key), "This is shown as it stands, so it cannot name a field. Say it in words."
            said = f"{'state' if key == 'label' else 'next'}_{name}"
            if text and said in case.form.says:
                yield (*keys, key), f"`{said}` stands in [says] too. Keep one of them."


def said_of_states(case: FormCase) -> Iterator[Finding]:
    """Where a form lists its states, [says] speaks of these."""
    listed = {**case.form.filing.states, **DECIDED}
    for key in case.form.says if case.form.filing.states else ():
        found = OWN.fullmatch(key)
        if found and found[1] not in listed:
            yield ("says", key), f"`{found[1]}` is no state of this form. Correct the name.{meant(found[1], listed)}"


def rules(case: FormCase) -> Iterator[Finding]:
    """Every rule leads to a state, by criteria that the form's fields can meet."""
    for n, rule in enumerate(case.form.filing.rules):
        keys = (*TABLE, "rules", n)
        yield from _leads(case, keys, rule)
        yield from _criterion(case, keys, rule)


def _leads(case: FormCase, keys: Keys, rule: FilingRule) -> Iterator[Finding]:
    said = {found[1] for key in case.form.says if (found := OWN.fullmatch(key))}
    known = {*case.form.filing.states, *DECIDED, *said}
    if rule.state not in known:
        told = f'"{rule.state}" is no state. Correct the name, or add [filing.states.{rule.state}].{meant(rule.state, known)}'
        yield (*keys, "state"), told
    for key in ("reason", "told"):
        text = getattr(rule, key) or ""
        if len(text) > SENTENCE:
            yield (*keys, key), f"`{key}` has {len(text)} characters. Keep it to {SENTENCE}."
        if "{" in text or "}" in text:
            yield (*keys, key), "This is shown as it stands, so it cannot name a field. Say it in words."
    if isinstance(rule.tell, str) and not TELL.fullmatch(rule.tell):
        yield (
            (*keys, "tell"),
            f'"{rule.tell}" must be small letters, digits and _: it ends the setting HOLDFAST_CHANNEL_….',
        )
    if rule.empty and not rule.otherwise and not rule.model_fields_set & {"equals", "above", "below", "over", *LISTS}:
        yield keys, WHOLE
    if rule.otherwise and not rule.empty:
        yield (*keys, "otherwise"), "`otherwise` holds for everything. Take it out, or the conditions beside it."


def _criterion(case: FormCase, keys: Keys, criterion: Criterion) -> Iterator[Finding]:
    yield from _names(case, keys, criterion)
    for name, wanted in criterion.equals.items():
        yield from (((*keys, "equals", name), told) for told in _values(_field(case, name), name, wanted))
    for key, bounds in (("above", criterion.above), ("below", criterion.below)):
        for name, bound in bounds.items():
            yield from (((*keys, key, name), told) for told in _bound(case, _field(case, name), key, bound))
    if criterion.over is not None:
        yield from _sum(case, (*keys, "over"), criterion.over)
    for key in LISTS:
        inner: tuple[Criterion, ...] = getattr(criterion, key)
        if key in criterion.model_fields_set and not inner:
            yield (*keys, key), f"`{key}` is an empty list. Write what it is about, or take it out."
        for n, one in enumerate(inner):
            if one.empty:
                yield (*keys, key, n), f"Entry {n + 1} of `{key}` has no condition. Write one, or take it out."
            yield from _criterion(case, (*keys, key, n), one)


def _names(case: FormCase, keys: Keys, criterion: Criterion) -> Iterator[Finding]:
    fields, own = case.groups[0], ("above", "below", "over", *LISTS)
    for key in ("equals", "above", "below"):
        for name in case.unknown(fields, frozenset(getattr(criterion, key))):
            near = meant(name, (*fields.fields, *own))
            yield (*keys, key, name), f'"{name}" is no field of this form. Correct the name.{near}'


def _sum(case: FormCase, keys: Keys, over: Over) -> Iterator[Finding]:
    """A limit on a sum adds up what can be added up, over one span, by a day."""
    fields = case.groups[0]
    for name in case.unknown(fields, frozenset(over.fields)):
        key = "sum" if name == over.sum else "by" if name == over.by else "same"
        yield (*keys, key), f'"{name}" is no field of this form. Correct the name.{meant(name, fields.fields)}'
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


def _values(field: Field | None, name: str, wanted: tuple[object, ...]) -> Iterator[str]:
    if field is not None and not wanted:
        yield f"No value is listed for `{name}`, so this never holds. Add one."
    for value in wanted if field is not None else ():
        if isinstance(value, str | bool | int) and field is not None and (wrong := misfit(field, value)):
            yield f"`{name}` is compared with {value!r}, which {wrong}"


def _bound(case: FormCase, field: Field | None, key: str, bound: Bound) -> Iterator[str]:
    if field is None:
        return
    try:
        limit = limit_of(field, bound, case.form.language)
    except ValueError as wrong:
        yield str(wrong)
        return
    most = field.maximum if key == "above" else field.minimum
    if (
        most is not None
        and isinstance(limit.value, Decimal)
        and (limit.value >= most if key == "above" else limit.value <= most)
    ):
        edge = "most" if key == "above" else "least"
        yield f"`{field.name}` is at {edge} {most}, so it is never {key} {limit.value}. Correct one of them."


def reached(case: FormCase) -> Iterator[Finding]:
    """No rule stands below one that holds wherever it does."""
    earlier: list[tuple[int, FilingRule]] = []
    for n, rule in enumerate(case.form.filing.rules):
        above = next((m for m, other in earlier if _holds_wherever(case, other, rule)), None)
        if above is not None:
            why = "holds for everything" if case.form.filing.rules[above].otherwise else "holds wherever this one does"
            yield (
                (*TABLE, "rules", n),
                f"This rule is never reached: rule {above + 1} above {why}. Move it up, or take it out.",
            )
        earlier.append((n, rule))


def _holds_wherever(case: FormCase, other: Criterion, rule: Criterion) -> bool:
    """Whether `other` is sure to hold where `rule` does; False where that cannot be told."""
    if isinstance(other, FilingRule) and other.otherwise:
        return True
    if other.empty:
        return False
    return (
        all(
            set(rule.equals.get(name, ())) and set(rule.equals[name]) <= set(some)
            for name, some in other.equals.items()
        )
        and all(_tighter(case, name, rule.above.get(name), bound, 1) for name, bound in other.above.items())
        and all(_tighter(case, name, rule.below.get(name), bound, -1) for name, bound in other.below.items())
        and (other.over is None or _tighter_sum(case, rule.over, other.over))
        and (
            not other.any_of
            or other.any_of == rule.any_of
            or any(_holds_wherever(case, one, rule) for one in other.any_of)
        )
        and all(_holds_wherever(case, one, rule) for one in other.all_of)
        and (not other.none_of or other.none_of == rule.none_of)
    )


def _tighter(case: FormCase, name: str, bound: Bound | None, other: Bound, sign: int) -> bool:
    """Whether what is past `bound` is past `other` too: above (1) or below (-1) it."""
    one, two = (_limit(case, name, b) for b in (bound, other))
    if one is None or two is None or one.currency != two.currency or type(one.value) is not type(two.value):
        return False
    return one.value == two.value or (one.value > two.value) is (sign > 0)  # type: ignore[operator]  # the same type, as of the line above


def _tighter_sum(case: FormCase, over: Over | None, other: Over) -> bool:
    """Whether whatever is past `over` is past `other` too: the same sum, with a limit that is no lower."""
    same = over is not None and over.model_copy(update={"limit": other.limit}) == other
    return over is not None and same and _tighter(case, over.sum, over.limit, other.limit, 1)


def _limit(case: FormCase, name: str, bound: Bound | None) -> Limit | None:
    field = _field(case, name)
    try:
        return limit_of(field, bound, case.form.language) if field is not None and bound is not None else None
    except ValueError:
        return None


def filed_at_all(case: FormCase) -> Iterator[Finding]:
    """Only what is filled in and submitted is filed."""
    if case.form.conversational and (case.form.filing.rules or case.form.filing.states):
        yield TABLE, "A form of operations alone files nothing. Take [filing] out, or add fields."


def subject(case: FormCase) -> Iterator[Finding]:
    """A request is found by words of fields that may be read in a list."""
    for named in case.form.filing.subject or ():
        name, _, fact = named.partition(".")
        field = _field(case, name)
        if field is None and case.unknown(case.groups[0], frozenset({name})):
            yield (
                (*TABLE, "subject"),
                f'"{name}" is no field of this form. Name one of its fields.{meant(name, case.form.fields)}',
            )
        elif field is not None and field.sensitive:
            yield (*TABLE, "subject"), f"`{name}` is sensitive, so nobody may search by it. Leave it out."
        elif field is not None and fact and not kind_of(field).searchable:
            yield (
                (*TABLE, "subject"),
                f"`{name}` is not looked up, so nothing is known of it but its answer. Name it without .{fact}.",
            )


CHECKS = (states, said_of_states, rules, reached, filed_at_all, subject)
