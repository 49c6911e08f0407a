"""A form under examination, as its checks see it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from state.form.field import Condition, Field
from state.form.repeats import slot_of
from state.form.schema import Form, Transition
from state.form.source import Keys, meant

Finding = tuple[Keys, str]
"""Where something is wrong, and a sentence that says what to do."""


def none_such(name: str, what: str, known: Iterable[str]) -> str:
    """Return the sentence about a name of nothing: "field of this form"; a state or a stage may also be added."""
    add = {"state": f", or add [filing.states.{name}]", "stage": f", or add [stages.{name}]"}.get(what, "")
    return f'"{name}" is no {what}. Correct the name{add}.{meant(name, known)}'


@dataclass(frozen=True)
class Group:
    """Fields that may name each other: the form's own, an operation's, or its report's."""

    keys: Keys
    fields: Mapping[str, Field]

    def __iter__(self) -> Iterator[tuple[Keys, Field]]:
        return (((*self.keys, name), field) for name, field in self.fields.items())


@dataclass(frozen=True)
class FormCase:
    """A form, and the keys of what could not be read of it: nothing is said about those twice."""

    form: Form
    broken: frozenset[Keys] = frozenset()

    @property
    def groups(self) -> tuple[Group, ...]:
        """Return the form's fields, then those of every operation, and of its report."""
        operations, report = self.form.operations.values(), self.form.filing.report
        return (
            Group(("fields",), self.form.fields),
            *(Group(("operations", operation.name, "fields"), operation.fields) for operation in operations),
            *((Group(("filing", "report", "fields"), report.fields),) if report else ()),
        )

    @property
    def fields(self) -> Iterator[tuple[Keys, Field, Group]]:
        """Yield every field with its keys and the fields that it may name."""
        return ((keys, field, group) for group in self.groups for keys, field in group)

    def unknown(self, group: Group, names: frozenset[str]) -> list[str]:
        """Return those names that no field of the group has; one that could not be read, or a time of a repeated one, counts as there."""
        known = (n for n in names if n in group.fields or (*group.keys, n) in self.broken or slot_of(self.form, n))
        return sorted(names - set(known))

    def unread(self, part: str) -> bool:
        """Return True if something of this part of the form could not be read."""
        return any(keys[0] == part for keys in self.broken)

    def conditions(self) -> Iterator[tuple[Keys, Group, Condition]]:
        """Yield every condition of the form, with its keys and the fields that it may look at."""
        for keys, field, group in self.fields:
            if field.when is not None:
                yield (*keys, "when"), group, field.when
            for n, choice in enumerate(field.choices):
                if choice.when is not None:
                    yield (*keys, "choices", n, "when"), group, choice.when
        for keys, way in self.ways():
            if way.when is not None:
                yield (*keys, "when"), self.groups[0], way.when

    def ways(self) -> Iterator[tuple[Keys, Transition]]:
        """Yield every transition with the keys at which the author wrote it."""
        for stage in self.form.stages.values():
            for n, way in enumerate(stage.transitions):
                yield ("stages", stage.family or stage.name, "transitions", n), way
        for n, way in enumerate(self.form.anywhere):
            yield ("anywhere", n), way
