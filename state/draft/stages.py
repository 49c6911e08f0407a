"""The form's state machine at work: which transitions are open to a draft, where a trigger leads, and how it looks."""

from collections.abc import Iterator
from itertools import pairwise

from state.draft.draft import Draft
from state.draft.missing import holds, missing, once_a_draft
from state.form.schema import Form, Stage, Transition

COMPLETE = "complete"


@once_a_draft
def open_transitions(form: Form, draft: Draft) -> tuple[Transition, ...]:
    """Return the ways out of the draft's stage that may be taken now: the stage's own first, then those from anywhere."""
    stage = form.stages.get(draft.stage)
    if stage is None or stage.final:
        return ()
    elsewhere = tuple(way for way in form.anywhere if way.to != stage.name)
    return tuple(way for way in (*stage.transitions, *elsewhere) if _is_open(form, draft, way))


def chosen_ways(form: Form, draft: Draft) -> tuple[Transition, ...]:
    """Return the open ways that people choose."""
    return tuple(w for w in open_transitions(form, draft) if w.chosen)


def automatic(form: Form, draft: Draft) -> Transition | None:
    """Return the transition that code follows now, without anybody's act. A stage that rules.py decides waits for its trigger."""
    stage = form.stages.get(draft.stage)
    if stage is None or stage.decide:
        return None
    forced = stage.transitions if stage.code_only else ()
    ways = open_transitions(form, draft)
    return next(
        (way for way in ways if not way.submits and (way.automatic or way.on == COMPLETE or way in forced)), None
    )


def at_review(form: Form, draft: Draft) -> bool:
    """Return True if the review comes next, nothing being missing: where a way that files is open and is not one of several to choose.

    In a form whose table names no such way, at its end.
    """
    stage = form.stages.get(draft.stage)
    if stage is None or draft.going:
        return True
    if form.submitting:
        return any(way.submits and not way.chosen for way in open_transitions(form, draft))
    return not any(way.chosen for way in stage.transitions)


def last_word(form: Form, draft: Draft) -> str:
    """Return what the person read when a draft came to its end; empty where the form's table says nothing."""
    stage = form.stages.get(draft.stage)
    return stage.ask if stage is not None and stage.final else ""


def way_key(stage: str, trigger: str) -> str:
    """Return the name of a stage's way in `Draft.ways_taken`."""
    return f"{stage}:{trigger}"


def _is_open(form: Form, draft: Draft, way: Transition) -> bool:
    spent = way.at_most is not None and draft.ways_taken.get(way_key(draft.stage, way.on), 0) >= way.at_most
    finishing = way.on == COMPLETE or (way.automatic and way.when is None)
    unfinished = finishing and bool(missing(form, draft))
    pending = way.when is not None and bool(way.when.fields & set(draft.reopened))
    return not spent and not unfinished and not pending and (way.when is None or holds(way.when, draft))


def with_variants(form: Form) -> Form:
    """Return the form with one stage for each variant: `manual` with variants emp and piv becomes `manual_emp` and `manual_piv`."""
    stages = {s.name: s for stage in form.stages.values() for s in _variants(stage)}
    return form.model_copy(update={"stages": stages})


def _variants(stage: Stage) -> Iterator[Stage]:
    if not stage.variants:
        yield stage
    for variant in stage.variants:
        ways = tuple(_towards(way, variant) for way in stage.transitions)
        name = f"{stage.name}_{variant}"
        yield stage.model_copy(update={"name": name, "family": stage.name, "variants": (), "transitions": ways})


def _towards(way: Transition, variant: str) -> Transition:
    """`doc_processing_*` is the same variant of another stage."""
    to = way.to.removesuffix("*") + variant if way.to.endswith("*") else way.to
    return way.model_copy(update={"to": to})


def mermaid(form: Form) -> str:
    """Return the machine as a Mermaid state diagram (https://mermaid.js.org/syntax/stateDiagram.html)."""
    if not form.stages:
        return ""
    lines = [f"[*] --> {form.first_stage}", *(line for stage in form.stages.values() for line in _drawn(stage))]
    lines += [f"{one} --> {other}" for one, other in pairwise(form.stages) if form.phases]
    lines += [f"anywhere --> {way.to}: {_trigger(way)}" for way in form.anywhere]
    return "\n".join(["stateDiagram-v2", *(f"    {line}" for line in lines), ""])


def _drawn(stage: Stage) -> Iterator[str]:
    if stage.code_only:
        yield f"state {stage.name} <<choice>>"
    yield from (f"{stage.name} --> {way.to}: {_trigger(way)}" for way in stage.transitions)
    if stage.final:
        yield f"{stage.name} --> [*]"


def _trigger(way: Transition) -> str:
    """Return the trigger, and what it hangs on: "retry (at most 2)", "complete [consent]"."""
    on = f" [{', '.join(sorted(way.when.fields))}]" if way.when else ""
    most = f" (at most {way.at_most})" if way.at_most is not None else ""
    return f"{way.on}{on}{most}"
