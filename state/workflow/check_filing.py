"""A form's records: their states, rules by which a submission begins in one, verdicts, and what is reported after an approval."""

import re
from collections.abc import Iterator
from decimal import Decimal
from zoneinfo import available_timezones

from state.draft.record import ASKED
from state.fields import element_of, kind_of
from state.fields.limits import Limit, limit_of, misfit
from state.form.field import Field
from state.form.files import contradiction, falls
from state.form.filing import DECIDED, Bound, Criterion, FilingRule, Over, RecordState, ReportTable
from state.form.repeats import slot_of
from state.form.source import Keys
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
    if most is not None and isinstance(limit.value, Decimal):
        passed = most > limit.value if key == "above" else most < limit.value
        if not passed:
            yield f"`{field.name}` is at {edge} {most}, so it is never {key} {limit.value}. Correct one of them."


def reached(case: FormCase) -> Iterator[Finding]:
    """Check that no rule is written below one that holds wherever it does."""
    above: list[FilingRule] = []
    for n, rule in enumerate(case.form.filing.rules):
        for m, other in enumerate(above, 1):
            if _holds_wherever(case, other, rule):
                why = "holds for everything" if other.otherwise else "holds wherever this one does"
                told = f"This rule is never reached: rule {m} above {why}. Move it up, or take it out."
                yield (*TABLE, "rules", n), told
                break
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
        and (other.over is None or (rule.over is not None and _tighter_sum(case, rule.over, other.over)))
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


def _tighter_sum(case: FormCase, over: Over, other: Over) -> bool:
    """Return True if whatever is past `over` is past `other` too: the same sum, with a limit that is no lower."""
    same = over.model_copy(update={"limit": other.limit}) == other
    return same and _tighter(case, over.sum, over.limit, other.limit, "above")


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


RESERVED = ("conditions", "withdraw", "ask", "extend", "keep")
"""Names of acts on the decision card that are no verdict of a form's."""
OF_VERDICTS = ("needs", "reason", "conditions", "withdraw", "hours", "overdue", "ask")
"""Keys of a state that mean something only where somebody decides."""
REPORT, NOTE = ("filing", "report"), ("filing", "note")
IN_A_BOX = frozenset({"input", "yes_or_no", "buttons", "tick", "date_picker"})
"""How a field is answered that can be in the report's box."""


def routes(case: FormCase) -> Iterator[Finding]:
    """Check each state of the form's records, and that something leads to those in which somebody decides."""
    table = case.form.filing
    led = {rule.state for rule in table.rules}
    led |= {to for state in table.states.values() for to in (*state.decide.values(), state.overdue)}
    for name, state in table.states.items():
        keys: Keys = ("filing", "states", name)
        for at, to in _targets(state):
            known = {*table.states, *DECIDED} - ({ASKED} if at[0] not in ("report", "unused") else set())
            if to not in known:
                yield (*keys, *at), none_such(to, "state", known)
        yield from (((*keys, *at), told) for at, told in (*_verdicts(state), *_missing(state)))
        if table.rules and state.waits and name not in led:
            yield keys, f"Nothing leads to the state {name}: no rule begins in it, and no verdict. Name it in one."
        if state.waits and not _ends(case, name):
            told = (
                f"From {name} every verdict leads back to another one, for ever. Let one lead to a state without `by`."
            )
            yield (*keys, "decide"), told
        if state.report and table.report is None:
            yield (*keys, "report"), "Nothing says what is to be reported. Add [filing.report], or take `report` out."


def _targets(state: RecordState) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield every state that follows this one, with the keys that name it."""
    yield from ((("decide", verdict), to) for verdict, to in state.decide.items())
    for key in ("withdraw", "overdue", "expires", "report", "unused"):
        if to := getattr(state, key):
            yield (key,), to


def _verdicts(state: RecordState) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what is wrong with a state's verdicts."""
    for verdict in state.decide:
        if verdict in RESERVED:
            yield (
                ("decide", verdict),
                f'"{verdict}" cannot name a verdict. Take another word than {", ".join(RESERVED)}.',
            )
    for verdict in state.reason if "reason" in state.model_fields_set else ():
        if verdict not in state.decide:
            yield ("reason",), none_such(verdict, "verdict of this state", state.decide)
    if (state.conditions or state.needs > 1) and state.decide and "approve" not in state.decide:
        yield (), "`conditions` and `needs` are about the verdict `approve`, which this state does not have. Add it."


def _missing(state: RecordState) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what a state says that means nothing without something else."""
    if state.by and not state.decide:
        told = f'{state.by} can do nothing here. Write `decide = {{ approve = "…", decline = "…" }}`, or take `by` out.'
        yield ("by",), told
    if state.decide and not state.by:
        yield ("decide",), 'Nobody decides here. Write `by = "…"`, the role that does.'
    if state.extend and not state.expires:
        yield ("extend",), 'Nothing ends here, so nothing can be extended. Add `expires = "…"`, or take it out.'
    if state.overdue and state.hours is None:
        yield ("overdue",), "Nothing says when it is overdue. Add `hours = 24`."
    if not state.valid and not state.report:
        yield ("valid",), "`valid` is about a report from this state. Add `report`, or take it out."
    for key in OF_VERDICTS if not state.decide else ():
        if key in state.model_fields_set:
            yield (key,), f"`{key}` is about a state that waits for a verdict. Add `by` and `decide`."


def _ends(case: FormCase, first: str) -> bool:
    """Return True if verdicts may lead from a state to one in which nobody has to decide any more."""
    seen, left = {first}, [first]
    while left:
        state = case.form.filing.states.get(left.pop())
        if state is None or not state.waits:
            return True
        left += [to for to in state.decide.values() if to not in seen]
        seen.update(state.decide.values())
    return False


def working_days(case: FormCase) -> Iterator[Finding]:
    """Check that the time zone by which working days are counted is known."""
    zone = case.form.filing.zone
    if zone and zone not in available_timezones():
        yield ("filing", "zone"), f'"{zone}" is no time zone. Write one like "Europe/Rome".'


def followed(case: FormCase) -> Iterator[Finding]:
    """Check that a report, a note and breaches come together: somebody looks at what is wrong with what was reported."""
    table = case.form.filing
    if table.report and not any(state.report for state in table.states.values()):
        yield REPORT, "No state leads to a report. Write `report` into the one that somebody's approval leads to."
    if table.report and table.breaches is None:
        yield REPORT, 'Nobody looks at what is wrong with a report. Add [filing.breaches] with `by = "…"`, the role.'
    if table.report is None and (table.note or table.breaches):
        keys = NOTE if table.note else ("filing", "breaches")
        yield keys, "This is about what was reported. Add [filing.report], or take it out."
    if table.report is not None:
        yield from (((*REPORT, *at), told) for at, told in (*_report(case, table.report), *_held(table.report)))


def _report(case: FormCase, table: ReportTable) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what is wrong with the report's fields, which are answered in a box, and with the keys that name them."""
    for name, field in table.fields.items():
        if element_of(field) not in IN_A_BOX or kind_of(field).by_file:
            told = f"A field of kind {field.kind} is not answered in a box. Take another kind."
            yield ("fields", name, "kind"), told
    named = {"day": (table.day,), "approved": table.approved, "most": table.most, "same": table.same}
    named["count"] = (table.count,) if table.count else ()
    for key, name in ((key, name) for key, names in named.items() for name in names if name not in table.fields):
        yield (key,), none_such(name, "field of the report", table.fields)
    day = table.fields.get(table.day)
    if day is not None and not kind_of(day).on_day:
        yield ("day",), f"`{table.day}` is of kind {day.kind}. Name the day on which it was done."
    for name, answer in table.approved.items():
        mine, theirs = table.fields.get(name), case.form.fields.get(answer)
        if theirs is None:
            yield ("approved", name), none_such(answer, "field of this form", case.form.fields)
        elif mine is not None and mine.kind != theirs.kind:
            told = f"`{name}` is of kind {mine.kind}, and `{answer}` of kind {theirs.kind}. Let them be of one kind."
            yield ("approved", name), told


def _held(table: ReportTable) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what is wrong with the fields of a report that are held against what was approved."""
    for name in (*table.most, *table.same):
        key = "most" if name in table.most else "same"
        if name in table.fields and name not in table.approved:
            yield (key,), f"Nothing says what was approved of `{name}`. Name its answer in `approved`."
        elif key == "most" and name in table.fields and kind_of(table.fields[name]).measure is None:
            yield (key,), f"`{name}` is of kind {table.fields[name].kind}: none is above another."


def note(case: FormCase) -> Iterator[Finding]:
    """Check that a note's figures are fields of the report or of the form, and that it is not reminded of too early."""
    table, note = case.form.filing.report, case.form.filing.note
    known = (*(table.fields if table else ()), *case.form.fields)
    for name in note.figures if note else ():
        if name not in known:
            yield (*NOTE, "figures"), none_such(name, "field of the report or of the form", known)
    for low, high in falls(("remind", "days"), vars(note) if note else {}):
        yield (*NOTE, low), contradiction(low, high, 0)


CHECKS = (states, said_of_states, rules, reached, filed_at_all, subject, routes, working_days, followed, note)
