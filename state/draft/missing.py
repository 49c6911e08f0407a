"""Which fields count for a draft, which of them are still to be told, and in what order."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from state.draft.draft import DERIVED, Draft
from state.fields import kind_of
from state.form import Choice, Condition, Field, Form
from state.form.field import Data, Plain

AHEAD = 2
"""Free slots of a repeated field that may be filled at a time."""


Result = TypeVar("Result")


def once_a_draft(derive: Callable[[Form, Draft], Result]) -> Callable[[Form, Draft], Result]:
    """Keep what a function derives from a draft with that draft: it never changes, and one event asks for the same many times."""
    name = f"_{derive.__module__}.{derive.__qualname__}"

    @wraps(derive)
    def derived(form: Form, draft: Draft) -> Result:
        kept: dict[str, tuple[Form, Result]] = draft.__dict__.setdefault(DERIVED, {})
        known = kept.get(name)
        if known is None or known[0] is not form:
            known = kept[name] = (form, derive(form, draft))
        return known[1]

    return derived


def holds(condition: Condition, draft: Draft) -> bool:
    """Return True if a condition is true of the draft's values; a field without a value matches nothing."""
    for name, wanted in condition.all.items():
        if name not in draft.values or not matches(draft.values[name].data, wanted):
            return False
    if condition.any and not any(holds(c, draft) for c in condition.any):
        return False
    return not condition.none or not any(holds(c, draft) for c in condition.none)


def matches(data: Data, wanted: tuple[Plain, ...]) -> bool:
    """Return several chosen values match where one of them does."""
    return any(part in wanted for part in data) if isinstance(data, tuple) else data in wanted


def choosable(field: Field, draft: Draft) -> Field:
    """Return the field with those of its choices that can be chosen now; while what one hangs on is not told, it can."""
    possible = tuple(c for c in field.choices if c.when is None or not _fails(c.when, draft))
    return field if len(possible) == len(field.choices) else field.model_copy(update={"choices": possible})


def not_choosable(field: Field, data: Data, draft: Draft) -> tuple[Choice, ...]:
    """Return those of an answer's choices that cannot be chosen now."""
    chosen = (field.choice(part) for part in (data if isinstance(data, tuple) else (data,)))
    return tuple(c for c in chosen if c and c.when and _fails(c.when, draft))


def choosable_part(field: Field, data: Data, draft: Draft) -> tuple[str, ...]:
    """Return what is left of several choices without those that cannot be chosen now."""
    wrong = {choice.value for choice in not_choosable(field, data, draft)}
    return tuple(part for part in data if part not in wrong) if isinstance(data, tuple) else ()


def _fails(condition: Condition, draft: Draft) -> bool:
    return condition.fields <= draft.values.keys() and not holds(condition, draft)


@once_a_draft
def reachable(form: Form, draft: Draft) -> tuple[Field, ...]:
    """Return fields whose condition holds, in the form's order."""
    return tuple(f for f in form.fields.values() if f.when is None or holds(f.when, draft))


@once_a_draft
def in_stage(form: Form, draft: Draft) -> tuple[Field, ...]:
    """Reachable fields of the draft's stage; a field without a stage belongs to every one, and in a form of phases all do."""
    if form.phases:
        return reachable(form, draft)
    names = form.stage_names(draft.stage)
    return tuple(f for f in reachable(form, draft) if not f.stage or not draft.stage or names.intersection(f.stage))


@once_a_draft
def missing(form: Form, draft: Draft) -> tuple[Field, ...]:
    """Return fields to ask for, the first one next: what the person reopened, then fields of this stage without a value: the required ones, and
    optional documents, which nobody can tell by the way and which may be declined.

    Where the person has chosen a way that files, the stage's own fields are asked no more.
    """
    fields = {f.name: f for f in reachable(form, draft)}
    again = tuple(fields[name] for name in draft.reopened if name in fields)
    if draft.going:
        return again
    wanted = (f for f in in_stage(form, draft) if f.required or kind_of(f).by_file)
    open_ones = tuple(f for f in wanted if f.name not in draft.values and f not in again)
    if form.phases:  # the present phase's fields come before those of the others
        open_ones = tuple(sorted(open_ones, key=lambda f: bool(f.stage) and draft.stage not in f.stage))
    return again + open_ones


def would_ask_again(form: Form, draft: Draft, name: str) -> tuple[Field, ...]:
    """Answered fields whose answer may be void once the answer of `name` is another one, in the form's order."""
    about = {f.name for f in form.dependents(name)}
    answered = (f for f in reachable(form, draft) if f.name in draft.values)
    return tuple(f for f in answered if f.name in about or name in f.looks_at)


def left_open(form: Form, draft: Draft) -> tuple[Field, ...]:
    """Return what was missing where a person took over; elsewhere, what is missing."""
    stage = form.stages.get(draft.stage)
    before = draft.came_from if stage is not None and stage.hands_over else draft.stage
    return missing(form, draft.changed(stage=before))


@once_a_draft
def unfilled(form: Form, draft: Draft) -> tuple[Field, ...]:
    """Return fields that an answer may still fill: the missing ones, then the optional ones that nobody has answered."""
    asked = missing(form, draft)
    optional = (f for f in in_stage(form, draft) if not is_answered(f, draft) and f not in asked)
    later = (f for f in optional if not f.required)  # of the free slots of a repeated field the next two
    return asked + tuple(f for f in later if f.slot <= AHEAD or f.in_slot(f.slot - AHEAD) in draft.values)


def is_answered(field: Field, draft: Draft) -> bool:
    """Return True if the field has an answer that somebody gave; the form's own default waits for one."""
    value = draft.values.get(field.name)
    return value is not None and (field.default is None or value.provenance.how != "rule")


def progress(form: Form, draft: Draft) -> tuple[int, int]:
    """Return how many of the required reachable fields are told, and how many there are."""
    required = [f for f in reachable(form, draft) if f.required]
    done = sum(f.name in draft.values and f.name not in draft.reopened for f in required)
    return done, len(required)


def takeable(form: Form, draft: Draft) -> tuple[str, ...]:
    """Return fields that the last record may answer now: open to an answer, and without one."""
    last = draft.last_time
    if last is None or not draft.open:
        return ()
    open_ones = {f.name for f in in_stage(form, draft)} - draft.locked_fields - set(draft.values)
    return tuple(name for name in form.again if name in last.values and name in open_ones)
