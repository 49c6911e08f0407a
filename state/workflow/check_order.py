"""What is asked before what: a condition looks only at answers that can be known by then."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from state.form.locate import Path as Keys
from state.form.repeats import slot_of
from state.form.schema import Condition, Field, Form, Stage
from state.workflow.form_case import Finding, FormCase, Group


@dataclass(frozen=True)
class Asking:
    """In which order a group's fields are asked: by their places in the file, and by the stages that they belong to."""

    form: Form
    group: Group

    def known(self, name: str) -> Field | None:
        """The field of a name, a repeated one's by any of its times."""
        return self.group.fields.get(name) or slot_of(self.form, name)

    @cached_property
    def places(self) -> Mapping[str, tuple[int, int]]:
        """Where a field stands; a group that is asked several times stands where the first of its fields does."""
        first: dict[str, int] = {}
        for n, field in enumerate(self.group.fields.values()):
            first.setdefault(field.repeat or field.name, n)
        return {f.name: (first[f.repeat or f.name], n) for n, f in enumerate(self.group.fields.values())}

    @cached_property
    def ahead(self) -> Mapping[str, frozenset[str]]:
        """The stages that may come after each stage."""
        stages = self.form.stages
        anywhere = {way.to for way in self.form.anywhere}
        nexts = {s.name: {way.to for way in s.transitions} | (set() if s.final else anywhere) for s in stages.values()}
        if self.form.phases:
            nexts = {one: {other} for one, other in pairwise(stages)}
        return {name: _reached(name, nexts) for name in stages}

    def stages_of(self, field: Field) -> frozenset[str]:
        """The stages in which a field is asked."""
        every = self.form.stages.values()
        return frozenset(s.name for s in every if not field.stage or {s.name, s.family} & set(field.stage))

    def may_follow(self, field: Field, other: Field) -> bool:
        """Whether `field` may be asked once `other` is answered."""
        if self.places[other.name] < self.places[field.name]:
            return True
        return any(self.stages_of(field) & self.ahead[s] - {s} for s in self.stages_of(other))

    def may_leave(self, stage: Stage, other: Field) -> bool:
        """Whether a stage may be left once `other` is answered."""
        asked = self.stages_of(other)
        return stage.name in asked or any(stage.name in self.ahead[s] for s in asked)


def _reached(name: str, nexts: Mapping[str, set[str]]) -> frozenset[str]:
    seen: set[str] = set()
    ahead = set(nexts.get(name, ()))
    while ahead - seen:
        seen |= ahead
        ahead = {to for one in seen for to in nexts.get(one, ())}
    return frozenset(seen)


def fields(case: FormCase) -> Iterator[Finding]:
    """A field's condition looks at fields that are asked before it."""
    for group in case.groups if not case.unread("stages") else ():
        asking = Asking(case.form, group)
        for keys, field in group:
            yield from (((*keys, "when"), told) for told in _early(asking, keys, field))


def _early(asking: Asking, keys: Keys, field: Field) -> Iterator[str]:
    for name in sorted(field.when.fields if field.when else ()):
        other = asking.known(name)
        if other is None or other is field or _hangs_on(asking, other, field):
            continue
        table = ".".join(map(str, keys[:-1]))
        if not asking.may_follow(field, other):
            yield (
                f"`{name}` is asked after this field, so its answer cannot be known yet. "
                f"Move [{table}.{field.name}] below [{table}.{other.name}]."
            )


def _hangs_on(asking: Asking, field: Field, other: Field) -> bool:
    """Whether a field's condition leads to the other one, by any number of steps: then no order helps."""
    seen: set[str] = set()
    ahead = {field.name}
    while ahead - seen:
        seen |= ahead
        known = (asking.known(name) for name in ahead)
        ahead = {name for one in known if one and one.when for name in one.when.fields}
    return other.name in seen


def ways(case: FormCase) -> Iterator[Finding]:
    """A way out of a stage looks at fields that are asked in it or before it."""
    asking = Asking(case.form, case.groups[0])
    for stage in case.form.stages.values() if not case.form.phases and not case.unread("stages") else ():
        for n, way in enumerate(stage.transitions):
            for name in sorted(way.when.fields if way.when else ()):
                other = asking.known(name)
                if other is not None and not asking.may_leave(stage, other):
                    keys = ("stages", stage.family or stage.name, "transitions", n, "when")
                    yield keys, _too_early(stage, other, name)


def _too_early(stage: Stage, other: Field, name: str) -> str:
    where = f"`{other.stage[0]}`" if other.stage else "a stage"
    return (
        f"`{name}` is asked in {where}, after `{stage.name}` is left, so its answer cannot be known yet. "
        f"Move the field to `{stage.name}`, or the condition to a later stage."
    )


def repeated(case: FormCase) -> Iterator[Finding]:
    """What is asked several times is named by its number from outside of its group."""
    every = case.groups[0].fields
    outside: list[tuple[Keys, Condition]] = [
        (("fields", f.name, "when"), f.when) for f in every.values() if f.when and not f.repeat
    ]
    outside += [((*keys, "when"), way.when) for keys, way in case.ways() if way.when]
    for keys, when in outside:
        for name in sorted(when.fields):
            if name in every and every[name].repeat in case.form.repeats:
                yield keys, f"`{name}` is asked several times. Say which time: `{name}_1`."


CHECKS = (fields, ways, repeated)
