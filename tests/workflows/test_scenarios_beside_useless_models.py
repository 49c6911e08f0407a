"""Every shipped conversation that needs no model comes out the same beside one that is up and takes nothing, or fails."""

import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.sandbox.models.scripts import FAILING, USELESS, useless
from bot.sandbox.scenarios.player import play
from bot.sandbox.scenarios.staging import ScriptedModel
from state.workflow.load import Workflow
from state.workflow.scenario import Expect, Scenario, read_scenario
from tests.shipped import shipped
from tests.thoroughness import examples
from tests.workflows.test_scenarios import SHIPPED
from tests.world import settings

MODELS = {**USELESS, **FAILING}


@dataclass(frozen=True)
class Pair:
    """A conversation, and the model beside it."""

    workflow: str
    scenario: Path
    model: str


def needs_none(scenario: Scenario) -> bool:
    """Return True if no step depends on what a model says: `POST /chat` answers with it, and what it answers is not passed on to a person."""
    told = any(step.chat or step.expect.officers_read for step in scenario.steps)
    return scenario.model == "absent" and not told


EVERY = [
    Pair(w.form.name, file, model)
    for w, file in SHIPPED
    if w.form.stuck != "hand_over" and needs_none(read_scenario(file, w.form))
    for model in MODELS
]
PAIRS = random.Random(20).sample(EVERY, min(examples(14), len(EVERY)))


def unsaid(scenario: Scenario) -> Scenario:
    """The scenario without what is said, since a model's own acts may answer small talk."""
    steps = []
    for step in scenario.steps:
        seen = [n for n in step.expect.model_fields_set if not n.endswith(("says", "says_once"))]
        steps.append(step.model_copy(update={"expect": Expect(**{n: getattr(step.expect, n) for n in seen})}))
    return scenario.model_copy(update={"steps": tuple(steps), "walk": False})


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: f"{p.workflow}-{p.scenario.stem}-{p.model}")
async def test_a_scenario_comes_out_the_same_beside_a_useless_model(pair: Pair, tmp_path: Path) -> None:
    """Step for step the same values, put-backs, locks, questions and records as without a model."""
    workflow: Workflow = shipped(pair.workflow)
    read = unsaid(read_scenario(pair.scenario, workflow.form))
    await play(settings(tmp_path), workflow, read, ScriptedModel(useless(MODELS[pair.model])))


@pytest.mark.parametrize("model", ["acknowledges", "cannot answer", "offers a person", "writes"])
async def test_expenses_are_put_right_beside_a_useless_model(model: str, tmp_path: Path) -> None:
    """What was said is read, shown and put right in the same words, whatever the model says instead."""
    (file,) = (file for w, file in SHIPPED if (w.form.name, file.stem) == ("expenses", "put_right_in_words"))
    workflow: Workflow = shipped("expenses")
    await play(settings(tmp_path), workflow, read_scenario(file, workflow.form), ScriptedModel(useless(MODELS[model])))
