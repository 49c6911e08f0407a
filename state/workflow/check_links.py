"""What the parts of a form say of each other: templates, conditions, what is asked before what, and the ways between its stages."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from state.fields import kind_of
from state.fields.limits import misfit
from state.fields.lookup import UNLISTED, parts_of
from state.form.field import Condition, Field
from state.form.repeats import slot_of
from state.form.schema import Form, Stage
from state.form.source import Keys, meant
from state.form.validation import WRITTEN
from state.workflow.form_case import Finding, FormCase, Group, none_such

CONNECTING = ("all", "any", "none")
"""Keys of a condition that are no fields."""
NAME = re.compile(r"[a-z][a-z0-9_]*")
NAMED = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def templates(case: FormCase) -> Iterator[Finding]:
    """Check that questions and labels show only what was told before them; a help text is shown as it is written."""
    for group in case.groups:
        before: set[str] = set()
        for keys, field in group:
            for name in ("ask", "label"):
                yield from _template(case, group, before, (*keys, name), getattr(field, name))
            for _, sentence in field.declares or ():
                yield from _template(case, group, before, (*keys, "declares"), sentence)
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
            known = f"Correct the name.{meant(name, (*group.fields, *CONNECTING))}"
            mend = known if NAME.fullmatch(name) else WRITTEN["when"]
            yield keys, f'The condition names "{name}", which is no field of this form. {mend}'
        yield from _compared(keys, group, condition)


def _compared(keys: Keys, group: Group, condition: Condition) -> Iterator[Finding]:
    for name, value in ((name, value) for name, wanted in condition.all.items() for value in wanted):
        if name in group.fields and (wrong := misfit(group.fields[name], value)):
            yield keys, f"The condition compares `{name}` with {value!r}, which {wrong}"
    for nested in (*condition.any, *condition.none):
        yield from _compared(keys, group, nested)


def links(case: FormCase) -> Iterator[Finding]:
    """Check that fields name questions, documents and stages that exist."""
    stages = {*(n for s in case.form.stages.values() for n in (s.name, s.family))}
    for keys, field, group in case.fields:
        for key, what in (
            ("about", "field that the question is about"),
            ("from_documents", "document that tells this"),
            ("unlisted", "field that tells what it is"),
        ):
            named = parts_of(field) if key == "unlisted" else getattr(field, key)
            for name in case.unknown(group, frozenset(named)):
                told = f'"{name}" is no field of this form. Name the {what}.{meant(name, group.fields)}'
                yield (*keys, key), told
        if group.keys != ("fields",) and field.stage:
            yield (*keys, "stage"), "An operation's field has no stage. List the operation in the stage instead."
        elif unknown := [n for n in field.stage if n not in stages and ("stages", n) not in case.broken]:
            yield (*keys, "stage"), none_such(unknown[0], "stage", stages)


def unlisted(case: FormCase) -> Iterator[Finding]:
    """Check that what a look-up does not find is told by fields that are asked for just then."""
    for keys, field, group in case.fields:
        for name in parts_of(field):
            if name in group.fields and group.fields[name].when != Condition(all={field.name: (UNLISTED,)}):
                told = f'`{name}` is asked only for what is not in the list. Write `when = {{ {field.name} = "{UNLISTED}" }}` there.'
                yield (*group.keys, name), told
        stray = {"{", "}"} & set(NAMED.sub("", field.unlisted))
        if field.unlisted and (stray or field.repeat or not parts_of(field)):
            how = 'once, by fields: name them in braces, like "{name} ({code}, not listed)".'
            yield (*keys, "unlisted"), f"What is not in the list is told {how}"


def documents(case: FormCase) -> Iterator[Finding]:
    """Check that a field is read from documents, and only one that a document can tell."""
    for keys, field, group in case.fields:
        for name in field.from_documents:
            if name in group.fields and not kind_of(group.fields[name]).by_file:
                told = f'"{name}" is no document. Name a field of kind document or documents.'
                yield (*keys, "from_documents"), told
        for key in ("known_by", "unread"):
            if getattr(field, key) and not kind_of(field).by_file:
                yield (*keys, key), f"A field of kind {field.kind} takes no files. Take it out."
        for name in field.known_by.fields if field.known_by else ():
            if name not in group.fields or field.name not in group.fields[name].from_documents:
                told = f'"{name}" is no field that is read from this document. Add `from_documents` to it.'
                yield (*keys, "known_by"), told + meant(name, group.fields)
        if field.from_documents and not kind_of(field).on_paper:
            told = f"A field of kind {field.kind} is never read from a document. Take it out."
            yield (*keys, "from_documents"), told


def told_elsewhere(case: FormCase) -> Iterator[Finding]:
    """Check that what is not listed is told in a text field."""
    for keys, field, group in case.fields:
        for n, name in ((n, c.told_in) for n, c in enumerate(field.choices) if c.told_in):
            if name not in group.fields or not kind_of(group.fields[name]).verbatim:
                told = (
                    f'"{name}" is no text field. Name the one that says what is not listed.{meant(name, group.fields)}'
                )
                yield (*keys, "choices", n, "told_in"), told


def circles(case: FormCase) -> Iterator[Finding]:
    """Name a field whose condition hangs on its own answer, so that it could never be asked, and one that is about itself."""
    for group in case.groups:
        when = {name: field.looks_at for name, field in group.fields.items()}
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
        table = ".".join(map(str, group.keys))
        for keys, field in group:
            for name in sorted(field.looks_at):
                other = asking.known(name)
                if other is not None and other is not field and not asking.may_follow(field, other):
                    told = f"`{name}` is asked after this field, so its answer cannot be known yet."
                    mend = f"Move [{table}.{field.name}] below [{table}.{other.name}]."
                    yield (*keys, "when"), f"{told} {mend}"


def known_when_left(case: FormCase) -> Iterator[Finding]:
    """Check that a transition looks at fields that are asked in it or before it."""
    asking = Asking(case.form, case.groups[0])
    for stage in case.form.stages.values() if not case.form.phases and not case.unread("stages") else ():
        for n, way in enumerate(stage.transitions):
            for name in sorted(way.when.fields if way.when else ()):
                other = asking.known(name)
                if other is not None and not asking.may_leave(stage, other):
                    where = f"`{other.stage[0]}`" if other.stage else "a stage"
                    told = f"`{name}` is asked in {where}, after `{stage.name}` is left, so its answer cannot be known yet."
                    mend = f"Move the field to `{stage.name}`, or the condition to a later stage."
                    yield (*_stage_keys(stage), "transitions", n, "when"), f"{told} {mend}"


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


LONGEST = 48
WHY, EVERY_FORMS = "why_", {"asked", "stuck", "disclosed", "loop", "failures"}
"""Why a person is called in any form: a sentence of the catalogue each."""


def variants(form: Form) -> Iterator[Finding]:
    """Check that a stage's variants have names that nothing else has. Takes the form as it was written."""
    names = Counter(name for stage in form.stages.values() for name in _variants(stage))
    for stage in form.stages.values():
        for name in _variants(stage):
            if names[name] > 1 and stage.variants:
                yield (
                    (*_stage_keys(stage), "variants"),
                    f"`{name}` is a stage or a variant already. Rename one of them.",
                )
            if len(name) > LONGEST:
                told = f"`{name}` is too long. Keep stage and variant to {LONGEST} characters."
                yield (*_stage_keys(stage), "variants"), told


def _variants(stage: Stage) -> list[str]:
    return [f"{stage.name}_{variant}" for variant in stage.variants] or [stage.name]


def targets(case: FormCase) -> Iterator[Finding]:
    """Check that transitions lead to stages that exist."""
    for keys, way in case.ways():
        if way.to not in case.form.stages and ("stages", way.to) not in case.broken:
            yield (*keys, "to"), none_such(way.to, "stage", case.form.stages)
    if case.form.anywhere and not case.form.stages and not case.unread("stages"):
        yield ("anywhere",), "`anywhere` needs stages to leave. Add some, or take it out."


def stages_reached(case: FormCase) -> Iterator[Finding]:
    """Check that every stage is reached from the first one."""
    if case.form.phases or not case.form.stages or case.unread("stages") or case.unread("anywhere"):
        return
    ahead = {case.form.first_stage, *(way.to for way in case.form.anywhere)}
    seen: set[str] = set()
    while ahead - seen:
        seen |= ahead
        ahead = {way.to for name in seen & set(case.form.stages) for way in case.form.stages[name].transitions}
    for stage in case.form.stages.values():
        if stage.name not in seen:
            yield (
                _stage_keys(stage),
                f"Nothing leads to the stage `{stage.name}`. Add a transition to it, or take it out.",
            )


def ways_out(case: FormCase) -> Iterator[Finding]:
    """Check that every stage but a final one has a transition, and a final one none."""
    for stage in case.form.stages.values():
        if stage.final and stage.transitions:
            yield (
                (*_stage_keys(stage), "final"),
                f"`{stage.name}` is final and has transitions. Take out one or the other.",
            )
        dead = not stage.final and not stage.transitions and not stage.hands_over
        if dead and not case.form.phases:
            yield _stage_keys(stage), f"`{stage.name}` is a dead end. Add a transition, or write `final = true`."


def endings(case: FormCase) -> Iterator[Finding]:
    """Check that a final stage can be reached from every stage that is left."""
    if case.unread("stages"):
        return
    stages, ending = case.form.stages.values(), set[str]()
    found = {stage.name for stage in stages if stage.final or stage.hands_over}
    while found - ending:
        ending |= found
        found = {stage.name for stage in stages if any(way.to in ending for way in stage.transitions)}
    for stage in stages:
        if stage.transitions and stage.name not in ending:
            told = f"From `{stage.name}` no final stage is reached. Add a way to one, or make the last one final."
            yield _stage_keys(stage), told


def code_only(case: FormCase) -> Iterator[Finding]:
    """Check that a code-only stage asks nothing and is left at once, whatever the answers are."""
    asking = {name for field in case.form.fields.values() if field.required for name in field.stage}
    for stage in case.form.stages.values():
        sure = any(way.when is None and way.at_most is None for way in stage.transitions)
        if stage.decide and not stage.code_only:
            yield (
                (*_stage_keys(stage), "decide"),
                "Only a code-only stage is decided by rules.py. Write `code_only = true`.",
            )
        if stage.code_only and asking & {stage.name, stage.family}:
            yield (*_stage_keys(stage), "code_only"), f"`{stage.name}` is code-only and has fields to ask. Move them."
        if stage.code_only and not stage.decide and not sure:
            yield (
                _stage_keys(stage),
                f"`{stage.name}` is code-only and may have no way out. Add a transition without `when`.",
            )


def operations(case: FormCase) -> Iterator[Finding]:
    """Check that a stage offers operations that exist."""
    for stage in case.form.stages.values():
        for name in stage.operations:
            if name not in case.form.operations and ("operations", name) not in case.broken:
                yield (
                    (*_stage_keys(stage), "operations"),
                    none_such(name, "operation of this form", case.form.operations),
                )


def reasons(case: FormCase) -> Iterator[Finding]:
    """Check that a sentence about why a person was called names a trigger of the form, or one of every form."""
    triggers = {way.on for _, way in case.ways()} | EVERY_FORMS
    for key in case.form.says if not case.unread("stages") else ():
        name = key.removeprefix(WHY)
        if key.startswith(WHY) and name not in triggers:
            yield ("says", key), none_such(name, "trigger of this form", triggers)


def phases(case: FormCase) -> Iterator[Finding]:
    """Check that a form of phases has stages without transitions, and that only phases have words."""
    form = case.form
    if form.phases and not form.stages and not case.unread("stages"):
        yield ("phases",), "`phases` needs stages, one for each phase. Add some, or take it out."
    if form.phases and (form.anywhere or any(s.transitions or s.code_only for s in form.stages.values())):
        told = "Phases follow from what is told. Take out transitions, `anywhere` and `code_only`, or `phases`."
        yield ("phases",), told
    for stage in form.stages.values() if not form.phases else ():
        if stage.words:
            yield (*_stage_keys(stage), "words"), "Only phases are gone to by words. Write `phases = true`."


def _stage_keys(stage: Stage) -> Keys:
    return ("stages", stage.family or stage.name)


CHECKS = (
    templates, conditions, links, unlisted, documents, told_elsewhere, circles, asked_before, known_when_left, numbered,
    targets, stages_reached, ways_out, endings, code_only, operations, reasons, phases,
)  # fmt: skip
