"""The route of a record: verdicts, who gives them, where they lead, and what is reported after an approval."""

from collections.abc import Iterator
from zoneinfo import available_timezones

from state.draft.record import ASKED
from state.fields import element_of, kind_of
from state.form.filing import DECIDED, RecordState, ReportTable
from state.form.locate import Path as Keys
from state.form.order import contradiction, falls
from state.workflow.form_case import Finding, FormCase, none_such

OWN = ("conditions", "withdraw", "ask", "extend", "keep")
"""Names of acts on the decision card that are no verdict of a form's."""
OF_VERDICTS = ("needs", "reason", "conditions", "withdraw", "hours", "overdue", "ask")
"""Keys of a state that mean something only where somebody decides."""
REPORT, NOTE = ("filing", "report"), ("filing", "note")
IN_A_BOX = frozenset({"input", "yes_or_no", "buttons", "tick", "date_picker"})
"""How a field is answered that can be in the report's box."""


def states(case: FormCase) -> Iterator[Finding]:
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
        if verdict in OWN:
            yield ("decide", verdict), f'"{verdict}" cannot name a verdict. Take another word than {", ".join(OWN)}.'
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


CHECKS = (states, working_days, followed, note)
