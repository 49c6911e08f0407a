"""What fields say of each other: templates, conditions, what a question is about, and what is asked before what."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from state.fields import kind_of
from state.fields.limits import misfit
from state.form.field import Condition, Field
from state.form.locate import Path as Keys
from state.form.near import meant
from state.form.repeats import slot_of
from state.form.schema import Form, Stage
from state.form.wording import WRITTEN
from state.workflow.form_case import Finding, FormCase, Group, none_such

TEMPLATES = ("ask", "label")
CONNECTING = ("all", "any", "none")
"""Keys of a condition that are no fields."""
NAME = re.compile(r"[a-z][a-z0-9_]*")
NAMED = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def templates(case: FormCase) -> Iterator[Finding]:
    """Check that questions and labels show only what was told before them; a help text is shown as it is written."""
    for group in case.groups:
        before: set[str] = set()
        for keys, field in group:
            for name in TEMPLATES:
                yield from _template(case, group, before, (*keys, name), getattr(field, name))
            if NAMED.search(field.help):
                yield (
                    (*keys, "help"),
                    "A help text is shown as it is written, so it cannot name a field. Say it in words.",
                )
            before.add(field.name)


def _template(case: FormCase, group: Group, before: set[str], keys: Keys, text: str) -> Iterator[Finding]:
    slotted = text.replace("{n}", "") if keys[1] in group.fields and group.fields[str(keys[1])].repeat else text
    names = frozenset(NAMED.findall(slotted))
    if {"{", "}"} & set(NAMED.sub("", text)):
        yield keys, "A brace must hold a field's name, like {security}. Correct it, or write brackets."
    for name in case.unknown(group, names):
        yield keys, f"{{{name}}} is no field of this form. Name one that is asked before this one.{meant(name, before)}"
    for name in sorted(names & set(group.fields) - before):
        yield keys, f"{{{name}}} is asked after this one. Name only fields that stand above it."


def conditions(case: FormCase) -> Iterator[Finding]:
    """Check that conditions look at fields that exist, for values that those can have."""
    for keys, group, condition in case.conditions():
        for name in case.unknown(group, condition.fields):
            yield keys, _no_field(name, group)
        yield from _compared(keys, group, condition)


def _no_field(name: str, group: Group) -> str:
    told = f'The condition names "{name}", which is no field of this form.'
    if not NAME.fullmatch(name):
        return f"{told} {WRITTEN['when']}"
    return f"{told} Correct the name.{meant(name, (*group.fields, *CONNECTING))}"


def _compared(keys: Keys, group: Group, condition: Condition) -> Iterator[Finding]:
    for name, value in ((name, value) for name, wanted in condition.all.items() for value in wanted):
        if name in group.fields and (wrong := misfit(group.fields[name], value)):
            yield keys, f"The condition compares `{name}` with {value!r}, which {wrong}"
    for nested in (*condition.any, *condition.none):
        yield from _compared(keys, group, nested)


def links(case: FormCase) -> Iterator[Finding]:
    """Check that fields name questions, documents and stages that exist."""
    stages = {*(n for s in case.form.stages.values() for n in (s.name, s.family))}
    for group in case.groups:
        for keys, field in group:
            for key, what in (
                ("about", "field that the question is about"),
                ("from_documents", "document that tells this"),
            ):
                for name in case.unknown(group, frozenset(getattr(field, key))):
                    told = f'"{name}" is no field of this form. Name the {what}.{meant(name, group.fields)}'
                    yield (*keys, key), told
            yield from ((((*keys, key)), wrong) for key, wrong in _papers(group, field))
            if group.keys != ("fields",) and field.stage:
                yield (*keys, "stage"), "An operation's field has no stage. List the operation in the stage instead."
            elif unknown := [n for n in field.stage if n not in stages and ("stages", n) not in case.broken]:
                yield (*keys, "stage"), none_such(unknown[0], "stage", stages)


def _papers(group: Group, field: Field) -> Iterator[tuple[str, str]]:
    """Check that a field is read from documents, and only one that a document can tell."""
    for name in field.from_documents:
        if name in group.fields and not kind_of(group.fields[name]).by_file:
            yield "from_documents", f'"{name}" is no document. Name a field of kind document or documents.'
    if field.known_by and not kind_of(field).by_file:
        yield "known_by", f"A field of kind {field.kind} takes no files. Take it out."
    if field.from_documents and not kind_of(field).on_paper:
        yield "from_documents", f"A field of kind {field.kind} is never read from a document. Take it out."


def circles(case: FormCase) -> Iterator[Finding]:
    """Name a field whose condition hangs on its own answer, so that it could never be asked, and one that is about itself."""
    for group in case.groups:
        when = {name: field.when.fields if field.when else frozenset() for name, field in group.fields.items()}
        about = {name: frozenset(field.about) for name, field in group.fields.items()}
        for key, what, ahead in (("when", "hangs on its own answer", when), ("about", "is about itself", about)):
            for name in (name for name in ahead if name in reached(name, ahead)):
                yield (*group.keys, name, key), f"`{name}` {what}, by way of `{key}`. Break the circle."


def reached(name: str, ahead: Mapping[str, Collection[str]]) -> frozenset[str]:
    """Return what one name leads to, by any number of steps."""
    seen: set[str] = set()
    left = set(ahead.get(name, ()))
    while left - seen:
        seen |= left
        left = {to for one in seen for to in ahead.get(one, ())}
    return frozenset(seen)


@dataclass(frozen=True)
class Asking:
    """The order in which a group's fields are asked: by their places in the file, and by the stages that they belong to."""

    form: Form
    group: Group

    def known(self, name: str) -> Field | None:
        """Return the field of a name, a repeated one's by any of its times."""
        return self.group.fields.get(name) or slot_of(self.form, name)

    @cached_property
    def places(self) -> Mapping[str, tuple[int, int]]:
        """Return the place of each field; a group that is asked several times is placed where its first field is."""
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
        return {name: reached(name, nexts) for name in stages}

    def stages_of(self, field: Field) -> frozenset[str]:
        """Return the stages in which a field is asked."""
        every = self.form.stages.values()
        return frozenset(s.name for s in every if not field.stage or {s.name, s.family} & set(field.stage))

    def may_follow(self, field: Field, other: Field) -> bool:
        """Return True if `field` may be asked once `other` is answered."""
        if self.places[other.name] < self.places[field.name]:
            return True
        return any(self.stages_of(field) & self.ahead[s] - {s} for s in self.stages_of(other))

    def may_leave(self, stage: Stage, other: Field) -> bool:
        """Return True if a stage may be left once `other` is answered."""
        asked = self.stages_of(other)
        return stage.name in asked or any(stage.name in self.ahead[s] for s in asked)


def asked_before(case: FormCase) -> Iterator[Finding]:
    """Check that a field's condition looks at fields that are asked before it."""
    for group in case.groups if not case.unread("stages") else ():
        asking = Asking(case.form, group)
        for keys, field in group:
            yield from (((*keys, "when"), told) for told in _early(asking, keys, field))


def _early(asking: Asking, keys: Keys, field: Field) -> Iterator[str]:
    for name in sorted(field.when.fields if field.when else ()):
        other = asking.known(name)
        if other is None or other is field:
            continue
        table = ".".join(map(str, keys[:-1]))
        if not asking.may_follow(field, other):
            yield (
                f"`{name}` is asked after this field, so its answer cannot be known yet. "
                f"Move [{table}.{field.name}] below [{table}.{other.name}]."
            )


def known_when_left(case: FormCase) -> Iterator[Finding]:
    """Check that a transition looks at fields that are asked in it or before it."""
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


def numbered(case: FormCase) -> Iterator[Finding]:
    """Check that what is asked several times is named by its number from outside of its group."""
    every = case.groups[0].fields
    outside: list[tuple[Keys, Condition]] = [
        (("fields", f.name, "when"), f.when) for f in every.values() if f.when and not f.repeat
    ]
    outside += [((*keys, "when"), way.when) for keys, way in case.ways() if way.when]
    for keys, when in outside:
        for name in sorted(when.fields):
            if name in every and every[name].repeat in case.form.repeats:
                yield keys, f"`{name}` is asked several times. Say which time: `{name}_1`."


CHECKS = (templates, conditions, links, circles, asked_before, known_when_left, numbered)
