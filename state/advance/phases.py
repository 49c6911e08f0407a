"""Phases of one conversation, computed from what is told; a person may choose one by hand until it lacks nothing."""

from state.advance.work import Work
from state.draft.changes import Counted, StageMoved
from state.draft.missing import missing
from state.form import Form
from state.form.schema import Stage
from state.understanding.evidence import WORD, normalized


def to_phase(work: Work) -> None:
    """The draft is in the first phase that lacks something, in the chosen one while that does, and in the last when nothing does."""
    lacking = {name for f in missing(work.form, work.draft) for name in f.stage}
    chosen = work.draft.phase_chosen and work.draft.stage in lacking
    stages = tuple(work.form.stages)
    target = work.draft.stage if chosen else next((name for name in stages if name in lacking), stages[-1])
    if work.draft.phase_chosen and not chosen:
        work.change(Counted("phase_chosen", 0))
    if target != work.draft.stage:
        work.change(StageMoved(target, "computed"))


def phase_said(form: Form, text: str) -> Stage | None:
    """The phase that the whole message names."""
    said = WORD.findall(normalized(text))
    phases = form.stages.values() if form.phases else ()
    return next((s for s in phases if any(WORD.findall(normalized(w)) == said for w in s.words)), None)


def choose_phase(work: Work, phase: Stage) -> None:
    """Go there; where it lacks nothing, the computed one stays."""
    work.change(Counted("phase_chosen", 1), StageMoved(phase.name, "chosen"))
