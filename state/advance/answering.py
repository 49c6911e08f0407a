"""How a value enters the draft, locks, and what follows from it: retired answers, a later stage."""

from collections.abc import Mapping
from typing import Any

from state.advance.moving import rewind, travel
from state.advance.phases import to_phase
from state.advance.work import Work
from state.draft.changes import (
    Closed,
    Counted,
    Locked,
    OffersMade,
    OptionsFound,
    Reopened,
    UndoKept,
    Unlocked,
    ValueRetired,
    ValueSet,
)
from state.draft.draft import (
    Data,
    How,
    Option,
    Provenance,
    Value,
)
from state.draft.missing import missing, reachable
from state.draft.stages import at_review
from state.engine.cards import Verbatim
from state.fields import kind_of
from state.form import Field
from state.rules import Grade


def make_value(
    work: Work,
    field: Field,
    data: Data,
    how: How,
    words: str,
    message: str = "",
    *,
    sure: bool = True,
    reader: str = "",
    who: str = "",
    label: str = "",
) -> Value:
    """A value with its provenance, graded where the form grades the field."""
    grader = work.rules.graders.get(field.grade)
    provenance = Provenance(who or work.event.who, work.event.at, how, message, words, reader)
    return Value(data, provenance, sure, label, grade=grader(str(data)) if grader else "")


def put(work: Work, field: Field, value: Value) -> None:
    """Set a value; a brief text stays open to be bettered, anything else is settled and locks by the field's rule."""
    work.change(ValueSet(field.name, value), *_settled(work, field, value))
    if field.name in work.draft.undo:
        work.change(UndoKept({}))
    if work.draft.counts.get("stuck"):
        work.change(Counted("stuck", 0))
    if field.name in work.draft.options:
        work.change(OptionsFound(field.name, ()))
    if any(o.field == field.name for o in work.draft.offers):
        work.change(OffersMade(tuple(o for o in work.draft.offers if o.field != field.name)))
    if locks(field, value):
        work.change(Locked(field.name))


def pick(work: Work, field: Field, option: Option, words: str, message: str = "") -> None:
    """Set a look-up field to one of its results."""
    facts: Mapping[str, Any] = {**option.facts}
    provenance = Provenance(work.event.who, work.event.at, "chosen", message, words)
    put(work, field, Value(option.id, provenance, label=option.label, facts=facts))


def locks(field: Field, value: Value) -> bool:
    """Whether this value locks as soon as it is set; "review" locks at submission."""
    how = value.provenance.how
    by_rule = {
        "answered": value.sure,
        "clicked": how in ("clicked", "chosen", "document"),
        "confirmed": how == "chosen",
        "good": value.grade == Grade.GOOD,
        "review": False,
    }
    return by_rule[field.lock]


def reopen(work: Work, field: Field) -> None:
    """The person wants to answer anew: the value stands until then, unlocked."""
    work.change(Unlocked(field.name), Reopened(field.name))


def keep(work: Work, field: Field) -> None:
    """The person keeps the present answer."""
    work.change(Closed(field.name))
    if locks(field, work.draft.values[field.name]):
        work.change(Locked(field.name))


def too_few(field: Field, data: Data) -> bool:
    """Whether a field of several files has not got as many as it needs."""
    return isinstance(data, tuple) and 0 < len(data) < kind_of(field).least(field)


def settle(work: Work) -> None:
    """What follows from the values: answers that no longer count are retired, a finished stage is left."""
    for name in work.changed:
        _retire_dependents(work, name)
    _retire_unreachable(work)
    _warn(work)
    if work.draft.open and not work.draft.handed:
        if work.form.phases:
            to_phase(work)
        else:
            rewind(work)
            travel(work)
        _put_defaults(work)


def _warn(work: Work) -> None:
    """What the rules have to remark on an answer that they take is told once, above what comes next."""
    for name in work.changed:
        check = work.rules.warnings.get(work.form.fields[name].base)
        sentence = check(work.draft, name, work.draft.values[name].data) if check and name in work.draft.values else ""
        if sentence and Verbatim(sentence) not in work.news:
            work.tell(Verbatim(sentence))


def _put_defaults(work: Work) -> None:
    """What nobody answered takes the form's own answer before the review shows it."""
    if missing(work.form, work.draft) or not at_review(work.form, work.draft):
        return
    for field in reachable(work.form, work.draft):
        if field.default is not None and field.name not in work.draft.values:
            work.change(ValueSet(field.name, make_value(work, field, field.default, "rule", "", who="rules")))


def _settled(work: Work, field: Field, value: Value) -> list[Reopened | Closed]:
    if value.grade in (Grade.BRIEF, Grade.EMPTY):
        return [Reopened(field.name)]
    return [Closed(field.name)] if field.name in work.draft.reopened else []


def _retire_dependents(work: Work, name: str) -> None:
    """A question about something that became something else is a new question."""
    if name not in work.before.values or name not in work.draft.values:
        return
    if work.before.values[name].data == work.draft.values[name].data:
        return
    for field in work.form.dependents(name):
        if work.draft.values.get(field.name) == work.before.values.get(field.name) and field.name in work.draft.values:
            work.change(ValueRetired(field.name, f"about {name}"))


def _retire_unreachable(work: Work) -> None:
    while gone := set(work.draft.values) - {f.name for f in reachable(work.form, work.draft)}:
        work.change(*(ValueRetired(name, "condition") for name in sorted(gone)))
