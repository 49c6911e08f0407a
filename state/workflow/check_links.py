"""What fields say of each other: templates, conditions, what a question is about."""

import re
from collections.abc import Iterator, Mapping

from state.fields import kind_of
from state.fields.fitting import misfit
from state.form.elsewhere import WRITTEN, called
from state.form.locate import Path as Keys
from state.form.near import meant
from state.form.schema import Condition
from state.workflow.form_case import Finding, FormCase, Group

TEMPLATES = ("ask", "label")
CONNECTING = ("all", "any", "none")
"""Keys of a condition that are no fields."""
NAME = re.compile(r"[a-z][a-z0-9_]*")
NAMED = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def templates(case: FormCase) -> Iterator[Finding]:
    """Questions and labels show only what was told before them; a help text is shown as it stands."""
    for group in case.groups:
        before: set[str] = set()
        for keys, field in group:
            for name in TEMPLATES:
                yield from _template(case, group, before, (*keys, name), getattr(field, name))
            if NAMED.search(field.help):
                yield (*keys, "help"), "A help text is shown as it stands, so it cannot name a field. Say it in words."
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
    """Conditions look at fields that exist, for values that those can have."""
    for keys, group, condition in case.conditions():
        for name in case.unknown(group, condition.fields):
            yield keys, _no_field(name, group)
        yield from _compared(keys, group, condition)


def _no_field(name: str, group: Group) -> str:
    told = f'The condition names "{name}", which is no field of this form.'
    if not NAME.fullmatch(name):
        return f"{told} {WRITTEN['when']}"
    return f"{told} Correct the name.{meant(name, (*group.fields, *CONNECTING), called(CONNECTING))}"


def _compared(keys: Keys, group: Group, condition: Condition) -> Iterator[Finding]:
    for name, wanted in condition.all.items():
        for value in wanted:
            if name in group.fields and (wrong := misfit(group.fields[name], value)):
                yield keys, f"The condition compares `{name}` with {value!r}, which {wrong}"
        if not wanted:
            yield keys, f"The condition lists no value for `{name}`, so it never holds. Add one."
    for nested in (*condition.any, *condition.none):
        yield from _compared(keys, group, nested)


def circles(case: FormCase) -> Iterator[Finding]:
    """A field whose condition hangs on itself could never be asked; nor may two questions be about each other."""
    for group in case.groups:
        when = {name: field.when.fields if field.when else frozenset() for name, field in group.fields.items()}
        about = {name: frozenset(field.about) for name, field in group.fields.items()}
        yield from _circular(group, when, "when", "hangs on its own answer")
        yield from _circular(group, about, "about", "is about itself")


def _circular(group: Group, links: Mapping[str, frozenset[str]], key: str, what: str) -> Iterator[Finding]:
    for name in links:
        reached, edge = frozenset[str](), links[name]
        while edge - reached:
            reached |= edge
            edge = frozenset().union(*(links.get(n, frozenset()) for n in edge))
        if name in reached:
            yield (*group.keys, name, key), f"`{name}` {what}, by way of `{key}`. Break the circle."


def abouts(case: FormCase) -> Iterator[Finding]:
    """A question is about fields that exist."""
    for group in case.groups:
        for keys, field in group:
            for name in case.unknown(group, frozenset(field.about)):
                yield (
                    (*keys, "about"),
                    f'"{name}" is no field of this form. Name the field that the question is about.{meant(name, group.fields)}',
                )


def papers(case: FormCase) -> Iterator[Finding]:
    """A field is read from documents that the form asks for, and only one that a document can tell."""
    for group in case.groups:
        for keys, field in group:
            for name in case.unknown(group, frozenset(field.from_documents)):
                told = (
                    f'"{name}" is no field of this form. Name the document that tells this.{meant(name, group.fields)}'
                )
                yield (*keys, "from_documents"), told
            for name in field.from_documents:
                if name in group.fields and not kind_of(group.fields[name]).by_file:
                    yield (
                        (*keys, "from_documents"),
                        f'"{name}" is no document. Name a field of kind document or documents.',
                    )
            if field.known_by and not kind_of(field).by_file:
                yield (*keys, "known_by"), f"A field of kind {field.kind} takes no files. Take it out."
            if field.from_documents and not kind_of(field).on_paper:
                yield (
                    (*keys, "from_documents"),
                    f"A field of kind {field.kind} is never read from a document. Take it out.",
                )


def stages(case: FormCase) -> Iterator[Finding]:
    """A field belongs to a stage that exists; an operation's field to none."""
    names = {*(n for s in case.form.stages.values() for n in (s.name, s.family))}
    for group in case.groups:
        for keys, field in group:
            if group.keys != ("fields",) and field.stage:
                yield (*keys, "stage"), "An operation's field has no stage. List the operation in the stage instead."
                continue
            for name in field.stage:
                if name not in names and ("stages", name) not in case.broken:
                    told = f'"{name}" is no stage. Correct the name, or add [stages.{name}].{meant(name, names)}'
                    yield (*keys, "stage"), told


CHECKS = (templates, conditions, circles, abouts, papers, stages)
