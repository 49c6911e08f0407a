"""The stage machine of every shipped form: a click goes where the table says, or nowhere."""

from dataclasses import replace

from bot.root.installation import load_workflows
from bot.settings import load as load_settings
from state.advance import advance, begin
from state.draft.changes import StageMoved
from state.draft.draft import OpenCard
from state.draft.stages import open_transitions
from state.engine.events import Clicked
from state.workflow.load import Workflow
from tests.state.forms import AT, OWNER


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
