"""The form's state machine: every way leads to a stage, every stage can be reached, and none is a dead end."""

from collections import Counter
from collections.abc import Iterator

from state.form.locate import Path as Keys
from state.form.schema import Form, Stage
from state.workflow.form_case import Finding, FormCase, none_such

LONGEST = 48
WHY, EVERY_FORMS = "why_", {"asked", "stuck", "disclosed", "loop", "failures"}
"""Why a person is called in any form: a sentence of the catalogue each."""


def variants(form: Form) -> Iterator[Finding]:
    """Check that a stage's variants have names that nothing else has. Takes the form as it was written."""
    names = Counter(name for stage in form.stages.values() for name in _spread(stage))
    for stage in form.stages.values():
        for name in _spread(stage):
            if names[name] > 1 and stage.variants:
                yield (*_keys(stage), "variants"), f"`{name}` is a stage or a variant already. Rename one of them."
            if len(name) > LONGEST:
                told = f"`{name}` is too long. Keep stage and variant to {LONGEST} characters."
                yield (*_keys(stage), "variants"), told


def _spread(stage: Stage) -> list[str]:
    return [f"{stage.name}_{variant}" for variant in stage.variants] or [stage.name]


def targets(case: FormCase) -> Iterator[Finding]:
    """Check that transitions lead to stages that exist."""
    for keys, way in case.ways():
        if way.to not in case.form.stages and ("stages", way.to) not in case.broken:
            yield (*keys, "to"), none_such(way.to, "stage", case.form.stages)
    if case.form.anywhere and not case.form.stages and not case.unread("stages"):
        yield ("anywhere",), "`anywhere` needs stages to leave. Add some, or take it out."


def reached(case: FormCase) -> Iterator[Finding]:
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
            yield _keys(stage), f"Nothing leads to the stage `{stage.name}`. Add a transition to it, or take it out."


def ways_out(case: FormCase) -> Iterator[Finding]:
    """Check that every stage but a final one has a transition, and a final one none."""
    for stage in case.form.stages.values():
        if stage.final and stage.transitions:
            yield (*_keys(stage), "final"), f"`{stage.name}` is final and has transitions. Take out one or the other."
        dead = not stage.final and not stage.transitions and not stage.hands_over
        if dead and not case.form.phases:
            yield _keys(stage), f"`{stage.name}` is a dead end. Add a transition, or write `final = true`."


def endings(case: FormCase) -> Iterator[Finding]:
    """Check that a final stage can be reached from every stage that is left."""
    if case.unread("stages"):
        return
    stages, ending = case.form.stages.values(), set[str]()
    while (
        more := {s.name for s in stages if s.final or s.hands_over or any(w.to in ending for w in s.transitions)}
        - ending
    ):
        ending |= more
    for stage in stages:
        if stage.transitions and stage.name not in ending:
            yield (
                _keys(stage),
                f"From `{stage.name}` no final stage is reached. Add a way to one, or make the last one final.",
            )


def code_only(case: FormCase) -> Iterator[Finding]:
    """Check that a code-only stage asks nothing and is left at once, whatever the answers are."""
    asking = {name for field in case.form.fields.values() if field.required for name in field.stage}
    for stage in case.form.stages.values():
        sure = any(way.when is None and way.at_most is None for way in stage.transitions)
        if stage.decide and not stage.code_only:
            yield (*_keys(stage), "decide"), "Only a code-only stage is decided by rules.py. Write `code_only = true`."
        if stage.code_only and asking & {stage.name, stage.family}:
            yield (*_keys(stage), "code_only"), f"`{stage.name}` is code-only and has fields to ask. Move them."
        if stage.code_only and not stage.decide and not sure:
            yield _keys(stage), f"`{stage.name}` is code-only and may have no way out. Add a transition without `when`."


def operations(case: FormCase) -> Iterator[Finding]:
    """Check that a stage offers operations that exist."""
    for stage in case.form.stages.values():
        for name in stage.operations:
            if name not in case.form.operations and ("operations", name) not in case.broken:
                yield (*_keys(stage), "operations"), none_such(name, "operation of this form", case.form.operations)


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
            yield (*_keys(stage), "words"), "Only phases are gone to by words. Write `phases = true`."


def _keys(stage: Stage) -> Keys:
    return ("stages", stage.family or stage.name)


CHECKS = (targets, reached, ways_out, endings, code_only, operations, reasons, phases)
