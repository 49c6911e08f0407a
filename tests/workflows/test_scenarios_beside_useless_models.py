"""Every shipped conversation that needs no model comes out the same beside one that is up and takes nothing, or fails."""

import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.model.scripted.useless import FAILING, USELESS, useless
from bot.scenarios.model import ScriptedModel
from bot.scenarios.player import play
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


EVERY = [
    Pair(w.form.name, file, model)
    for w, file in SHIPPED
    for model in MODELS
    if read_scenario(file, w.form).model == "absent" and w.form.stuck != "hand_over"
]
PAIRS = random.Random(20).sample(EVERY, min(examples(14), len(EVERY)))


def told_apart(scenario: Scenario) -> Scenario:
    """The scenario without what is said: small talk and questions may be answered by the model's own acts."""
    looked_at = (
        {n: getattr(s.expect, n) for n in s.expect.model_fields_set if not n.endswith(("says", "says_once"))}
        for s in scenario.steps
    )
    steps = (s.model_copy(update={"expect": Expect(**kept)}) for s, kept in zip(scenario.steps, looked_at, strict=True))
    return scenario.model_copy(update={"steps": tuple(steps), "walk": False})


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: f"{p.workflow}-{p.scenario.stem}-{p.model}")
async def test_a_scenario_comes_out_the_same_beside_a_useless_model(pair: Pair, tmp_path: Path) -> None:
    """Step for step the same values, put-backs, locks, questions and records as without a model."""
    workflow: Workflow = shipped(pair.workflow)
    read = told_apart(read_scenario(pair.scenario, workflow.form))
    await play(settings(tmp_path), workflow, read, ScriptedModel(useless(MODELS[pair.model])))
