"""Every shipped conversation that needs no model comes out the same beside one that is up and takes nothing, or fails."""

import random
import re
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import pytest

from bot.sandbox.models.scripts import FAILING, USELESS, useless
from bot.sandbox.scenarios.player import play
from bot.sandbox.scenarios.staging import ScriptedModel
from state.workflow.load import Workflow
from state.workflow.scenario import Expect, Scenario, Step, read_scenario
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


NAME = re.compile(r"[A-Z]\w+( \w+)* [A-Z]\w+")
"""A name of several words, said alone."""


def told_apart(scenario: Scenario, *, up: bool) -> Scenario:
    """The scenario without what is said, since a model's own acts may answer small talk; beside one that is `up` a name alone takes a click."""
    steps: list[Step] = []
    for step, after in zip_longest(scenario.steps, scenario.steps[1:]):
        looked_at = {
            n: getattr(step.expect, n) for n in step.expect.model_fields_set if not n.endswith(("says", "says_once"))
        }
        told = (step.lines or (step.say or "",))[-1]
        clicked = after is not None and (after.click or "").startswith("✓")
        if up and NAME.fullmatch(told) and not clicked:
            steps += [step.model_copy(update={"expect": Expect()}), Step(click=f"✓ {told}", expect=Expect(**looked_at))]
        else:
            steps.append(step.model_copy(update={"expect": Expect(**looked_at)}))
    return scenario.model_copy(update={"steps": tuple(steps), "walk": False})


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: f"{p.workflow}-{p.scenario.stem}-{p.model}")
async def test_a_scenario_comes_out_the_same_beside_a_useless_model(pair: Pair, tmp_path: Path) -> None:
    """Step for step the same values, put-backs, locks, questions and records as without a model, a name alone and its click apart."""
    workflow: Workflow = shipped(pair.workflow)
    read = told_apart(read_scenario(pair.scenario, workflow.form), up=pair.model in USELESS)
    await play(settings(tmp_path), workflow, read, ScriptedModel(useless(MODELS[pair.model])))
