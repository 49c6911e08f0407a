"""A form's own Python that raises: at once a matter for people, never a turn that is tried again."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from state.rules import GIVES, FormFault, Rules
from tests.documents.conftest import write_form
from tests.documents.files import pdf
from tests.documents.test_document_answers import send
from tests.whole.test_delivery import said_in
from tests.world import World, world

OPS = "C0OPS"
FORM = """\
name = "papers"
title = "Papers"
version = "1"
prefix = "PAP"
words = ["papers"]

[fields.slip]
kind = "document"
label = "Payslip"
ask = "Please send your last payslip."

[fields.thing]
kind = "lookup"
lookup = "things"
label = "Thing"
ask = "Which thing?"

[fields.days]
kind = "integer"
label = "Days"
ask = "How many days?"

[fields.reason]
kind = "text"
label = "Reason"
ask = "Why?"
grade = "reasons"

[fields.net]
kind = "money"
label = "Net salary"
ask = "What do you earn?"
currency = "EUR"
from_documents = ["slip"]

[commands.hours]
label = "Hours"
says = ["what are your hours"]
"""
RULES = """
from state.draft.draft import Option
from state.rules import Filing, Grade, Results, Rules

BROKEN = "%s"


def call(name, given):
    def one(*told):
        if name == BROKEN:
            raise ValueError(f"could not read {told!r}")
        return given
    return one


async def gather(draft, sources):
    if BROKEN == "gather":
        raise KeyError("secret words")
    if BROKEN == "sources":
        await sources.in_force("nothing")
    return {}


rules = Rules(
    lookups={"things": call("lookups", Results((Option("k1", "Kettle"),), exact=True))},
    graders={"reasons": call("graders", Grade.GOOD)},
    checks={"days": call("checks", "")},
    warnings={"days": call("warnings", "")},
    commands={"hours": call("commands", ("Nine to five.",))},
    readers={"slip": call("readers", {})},
    gather=gather,
    file=call("file", Filing("received")),
)
"""
STEPS: Mapping[str, str] = {
    "readers": "file", "lookups": "kettle", "checks": "5", "warnings": "5", "graders": "because it is due", "gather": "Submit",
    "file": "Submit", "commands": "what are your hours",
}  # fmt: skip
"""Each function, and the act that calls it."""
ACTS = ("papers", "file", "kettle", "pick", "5", "because it is due", "1750", "Submit")


async def act(w: World, what: str) -> None:
    """One act of the person: a file, a pick, a click, or words."""
    if what == "file":
        await send(w, "slip.pdf", pdf("Payslip"))
    elif what == "pick":
        await w.click("Use this")
    elif what == "Submit":
        await w.click("Submit")
    else:
        await w.say(what)


@pytest.mark.parametrize("function", STEPS)
async def test_a_function_that_raises_is_told_at_once(function: str, tmp_path: Path) -> None:
    """The person reads that a colleague looks at it, operators read which function failed, nothing is tried again, and answers are as they were."""
    folder = write_form(tmp_path, FORM, rules_py=RULES % function)
    async with world(tmp_path, holdfast_workflows=str(folder), channels={"operators": OPS}) as w:
        w.sandbox.workspace.add_channel(OPS, "operators", ["U0DANA", w.sandbox.workspace.bot.user_id])
        before = ("papers",) if function == "commands" else ACTS[: ACTS.index(STEPS[function])]
        for one in before:
            await act(w, one)
        held = await w.values()
        await act(w, STEPS[function])
        assert "has a fault at this point" in w.transcript() and "Please try again" not in w.transcript()
        assert await w.values() == held and await w.records() == []
        assert await w.bot.store.stuck() == []
        if function != "commands":
            told = str(await said_in(w, OPS))
            assert f"{function}." in told or f"{function}," in told
            assert "rules.py:" in told and "couldn't read" not in told and "secret" not in told


@pytest.mark.parametrize("name", GIVES)
def test_every_function_of_a_form_is_protected(name: str) -> None:
    """Whatever it raises is a fault of the form, told by its class and place and never by its text; what it gives has to be of its sort."""

    def one(*_given: object) -> object:
        raise RuntimeError("what somebody wrote")

    def other(*_given: object) -> object:
        return object()

    for call in (one, other):
        kept = getattr(Rules(), name)
        rules = Rules(**{name: {"x": call} if isinstance(kept, Mapping) else call})
        made = getattr(rules, name)
        with pytest.raises(FormFault, match=name) as caught:
            (made["x"] if isinstance(made, Mapping) else made)("a", "b")
        assert "what somebody wrote" not in str(caught.value)


async def test_trouble_of_the_store_is_no_fault_of_the_form(tmp_path: Path) -> None:
    """What a function asks of the shell may fail for a while: that is told and tried again as before."""
    folder = write_form(tmp_path, FORM, rules_py=RULES % "sources")
    async with world(tmp_path, holdfast_workflows=str(folder)) as w:
        for one in ACTS:
            await act(w, one)
        assert "has a fault at this point" not in w.transcript() and "Please try again" in w.transcript()
