"""The stage machine under every event that may come: the table is never left."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.root.installation import load_workflows
from bot.settings import load as load_settings
from state.advance import advance, begin, files, with_number
from state.draft.changes import StageMoved, fold
from state.draft.draft import Draft, OpenCard, Status
from state.draft.reply import Reply, ToolCall
from state.draft.stages import open_transitions
from state.engine.context import TurnContext
from state.engine.events import Clicked, DraftEvent, FactsGathered, MessageReceived, ModelReplied
from state.engine.settle import settle
from state.form import Form
from state.workflow.load import Workflow
from tests.forms.form_cases import load
from tests.state.forms import AT, OTHER, OWNER
from tests.thoroughness import examples
from tests.whole.holiday import FORM, RULES

SAYINGS = (
    "holiday", "Let us begin", "go ahead", "desk", "Field", "both of them", "Ms Rowan", "12", "40", "yes", "no", "boat", "tent and skis",
    "I am burnt out", "operator please", "let us arrange a visit", "without a visit", "2026-12-01", "cancel", "1", "undo", "nonsense",
)  # fmt: skip


@cache
def holiday() -> Workflow:
    """The form of the stage scenarios."""
    with TemporaryDirectory() as folder:
        return load(Path(folder) / "holiday", FORM, rules_py=RULES)


@st.composite
def happenings(draw: Any, draft: Draft, n: int) -> DraftEvent:
    """A word, a click or a model's step, fit or unfit."""
    form, who = holiday().form, draw(st.sampled_from([OWNER, OWNER, OWNER, OTHER]))
    triggers = sorted({w.on for s in form.stages.values() for w in s.transitions} | {"person", "burnout", "x"})
    kind = draw(st.sampled_from(["said", "said", "clicked", "clicked", "replied", "gathered"]))
    card = draft.card.id if draft.card else "none"
    if kind == "said":
        return MessageReceived(f"e{n}", AT, who, draw(st.sampled_from(SAYINGS)), f"{n}.0")
    if kind == "clicked":
        act = draw(st.sampled_from(["go", "go", "back", "hand_back", "submit", "answer", "edit", "cancel"]))
        field = draw(st.sampled_from([draft.asked, *form.fields]))
        value = draw(st.sampled_from([*triggers, "desk", "field", True, False]))
        return Clicked(f"e{n}", AT, who, act, field, value, card, draft.hash)
    if kind == "gathered":
        return FactsGathered(f"e{n}", AT, "rules", "submit", {}, draft.hash)
    step = {"to": draw(st.sampled_from(triggers)), "words": draw(st.sampled_from(SAYINGS))}
    return ModelReplied(f"e{n}", AT, "model", Reply("", (ToolCall("c", "go", step),)), draft.turn, reader="model")


@settings(max_examples=examples(40))
@given(st.data())
def test_no_event_leaves_the_table(data: st.DataObject) -> None:
    """Whoever says, clicks or proposes what: every step follows an open transition of the table, or leads back for a reason it names."""
    form, rules = holiday().form, holiday().rules
    draft = begin(form, "d1", "T1", OWNER, "T1:D1:", AT)
    for n in range(data.draw(st.integers(1, 25))):
        outcome = advance(form, rules, draft, data.draw(happenings(draft, n)))
        outcome = with_number(outcome, "HO-2026-000001") if files(outcome) else outcome
        _steps_are_listed(form, draft, outcome.changes)
        settled = TurnContext(form, rules, outcome.draft, MessageReceived("quiet", AT, OTHER, ""))
        settle(settled)
        assert settled.changes == []
        draft = fold(draft, outcome.changes)
        assert draft == outcome.draft
        assert draft.stage in form.stages
        if draft.status is Status.SUBMITTED:
            assert form.stages[draft.stage].final


def _steps_are_listed(form: Form, draft: Draft, changes: tuple[Any, ...]) -> None:
    for i, change in enumerate(changes):
        if not isinstance(change, StageMoved):
            continue
        before = fold(draft, changes[:i])
        listed = {(w.on, w.to) for w in (*form.stages[before.stage].transitions, *form.anywhere)}
        assert (change.on, change.to) in listed or change.on in ("changed", "handed_back")


def test_every_stage_and_trigger_of_every_shipped_form_goes_where_its_table_says() -> None:
    """For each stage and each trigger of the form: a click on it moves the draft to a target that the table names there, or nowhere."""
    for workflow in load_workflows(load_settings(_env_file=None, holdfast_workflows="")).values():
        form = workflow.form
        triggers = {w.on for s in form.stages.values() for w in s.transitions} | {w.on for w in form.anywhere}
        for stage in form.stages.values():
            for trigger in sorted(triggers):
                _clicked_there(workflow, stage.name, trigger)


def _clicked_there(workflow: Workflow, stage: str, trigger: str) -> None:
    form = workflow.form
    empty = begin(form, "d1", "T1", OWNER, "T1:D1:", AT)
    draft = replace(empty, stage=stage, revision=1, card=OpenCard("card", "crossroads"))
    outcome = advance(form, workflow.rules, draft, Clicked("e", AT, OWNER, "go", value=trigger, card="card"))
    first = next((c for c in outcome.changes if isinstance(c, StageMoved)), None)
    ways = [w for w in open_transitions(form, draft) if w.on == trigger and w.chosen]
    taken = ways[0] if ways and not ways[0].submits else None
    if taken is not None:
        assert first == StageMoved(taken.to, trigger)
    elif not ways:
        assert first is None or first.on != trigger or not any(w.on == trigger and w.chosen for w in form.anywhere)
    else:
        assert outcome.draft.going == trigger or outcome.draft.stage != stage
