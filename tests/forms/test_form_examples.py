"""Each example in docs/explanation/forms*.md is part of a form that loads, and does what the page says of it."""

from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.scenarios.player import play
from state.draft.draft import Draft, Provenance, Value
from state.draft.missing import missing, reachable
from state.draft.stages import chosen_ways, way_key
from state.draft.working_days import calendar, due_after
from state.fields import kind_of
from state.fields.base import Context
from state.fields.lookup import parts_of
from state.form import Form
from state.form.field import Data
from state.guards.persona import flaw_of_asking
from state.rules import Filing
from state.understanding.form_commands import read_form_command
from state.workflow.load import Workflow, load_folder
from state.workflow.scenario import read_scenario
from tests.forms.filing_cases import filing_of, gifts
from tests.forms.form_cases import FIELD, HEAD, examples, follow, load, write
from tests.workflows.dealing_cases import DEALING
from tests.world import settings

SAID = Provenance("U0ALEX", "2026-11-20T12:00:00+00:00", "typed")


def example(mark: str) -> str:
    """The one example that holds these words."""
    (text,) = (text for text in examples("toml") if mark in text)
    return text


def draft(form: Form, stage: str = "", taken: dict[str, int] | None = None, **values: Data) -> Draft:
    """A draft of the form with these answers."""
    told = {name: Value(data, SAID) for name, data in values.items()}
    return Draft("d", form.name, "T1", "U1", "c", stage=stage or form.first_stage, values=told, ways_taken=taken or {})


def rules_py(**parts: str) -> str:
    """A rules.py with these parts of Rules."""
    given = ", ".join(f"{name}={text}" for name, text in parts.items())
    return f"from state.rules import Results, Rules\nrules = Rules({given})\n"


def test_the_field(tmp_path: Path) -> None:
    """A yes/no field is about the one above it, locks by any plain answer and is set by its tool."""
    form = load(tmp_path / "small", HEAD + FIELD.replace("note", "security") + example("[fields.is_derivative]")).form
    field = form.fields["is_derivative"]
    assert [f.name for f in form.dependents("security")] == ["is_derivative"]
    assert (field.lock, field.tool, kind_of(field).polar) == ("answered", "declarations", True)


def test_the_documents(tmp_path: Path) -> None:
    """One PDF, and two to four pictures, are asked for by sending them."""
    form = load(tmp_path / "small", HEAD + example("[fields.payslip]")).form
    payslip, photos = form.fields.values()
    assert [f.name for f in missing(form, draft(form))] == ["payslip", "photos"]
    assert (payslip.accept, kind_of(payslip).by_file, kind_of(payslip).several) == (("pdf",), True, False)
    assert (photos.accept, kind_of(photos).least(photos), kind_of(photos).most(photos)) == (("image",), 2, 4)


@pytest.fixture
def machine(tmp_path: Path) -> Workflow:
    """The stages of the page, with those around them that it leaves out."""
    around = """
[stages.needs]
transitions = [{ on = "emp", to = "documents_emp", label = "Employed" }, { on = "piv", to = "documents_piv", label = "VAT" }]
[stages.reading]
variants = ["emp", "piv"]
transitions = [{ to = "matching" }]
[stages.result]
final = true
[stages.with_person]
hands_over = true
"""
    field = '[fields.consent]\nkind = "yes_no"\nlabel = "Consent"\nask = "Do you agree?"\nstage = "consent"\n'
    rules = rules_py(decisions='{"match_products": lambda draft, facts: "fits"}')
    return load(tmp_path / "small", HEAD + field + example("[stages.consent]") + around, rules_py=rules)


def test_the_stages(machine: Workflow) -> None:
    """A yes leads on and a no ends it; variants keep to their own; a way with a limit closes; a person can be had from anywhere."""
    form = machine.form
    assert follow(form, draft(form, consent=True), "accepted") == "needs"
    assert follow(form, draft(form, consent=False), "declined") == "ended"
    assert follow(form, draft(form, "documents_piv"), "received") == "reading_piv"
    assert follow(form, draft(form, "documents_emp"), "retry") == "documents_emp"
    twice = {way_key("documents_emp", "retry"): 2}
    assert follow(form, draft(form, "documents_emp", twice), "retry") is None
    assert form.stages["matching"].code_only and follow(form, draft(form, "matching"), "fits_not") == "ended"
    assert [way.label for way in chosen_ways(form, draft(form, "needs"))][-1] == "Talk to a person"


def test_the_repeats(tmp_path: Path) -> None:
    """Up to four loans, each asked for once the one before says that there are more."""
    form = load(tmp_path / "small", HEAD + example("[repeats.debt]")).form
    assert [n for n in form.fields if n.startswith("debt")] == [f"debt_lender_{n}" for n in range(1, 5)]
    assert form.fields["debt_lender_2"].ask == "Who is the lender of loan 2?"
    open_ones = [f.name for f in reachable(form, draft(form, another_debt_1=True))]
    assert "debt_lender_2" in open_ones and "debt_lender_3" not in open_ones


def test_the_persona(tmp_path: Path) -> None:
    """What is forbidden, or no question, is not shown; one question about what is missing is, without what stands above it."""
    rules = rules_py(names='{"technology": lambda text: frozenset()}')
    loaded = load(tmp_path / "small", HEAD + example("[persona]") + FIELD, rules_py=rules)
    good, context = "✅ Clear: nothing yet. ❓ What is the note about?", Context("en-GB", "2026-11-20")
    at = draft(loaded.form)
    assert not flaw_of_asking(loaded.form, loaded.rules, at, good, context)
    assert flaw_of_asking(loaded.form, loaded.rules, at, good.replace("about", "you should write"), context)
    assert flaw_of_asking(loaded.form, loaded.rules, at, "You have a note.", context)


def test_the_operation(tmp_path: Path) -> None:
    """An operation with a text of its own waits for a click where something was inferred."""
    loaded = load(
        tmp_path / "small",
        HEAD + example("[operations.add_expense]"),
        rules_py=rules_py(operations='{"add_expense": None}'),
    )
    operation = loaded.form.operations["add_expense"]
    assert loaded.form.conversational and (operation.confirm, list(operation.fields)) == ("inferred", ["item"])


def test_the_command(tmp_path: Path) -> None:
    """The words after a command's own are what it is about; an amount, or words of another sort, make it none."""
    either = '{"status": lambda rest, facts: (rest,), "can_i_trade": lambda rest, facts: (rest,)}'
    answers = rules_py(commands=either, lookups='{"securities": lambda query: Results(())}')
    form = load(tmp_path / "small", HEAD + FIELD + example("[commands.status]"), rules_py=answers).form
    assert read_form_command(form, "What is the status of the van?") == ("status", "the van")
    assert read_form_command(form, f"{form.prefix.lower()} 2026 3?") == ("status", f"{form.prefix}-2026-000003")
    assert read_form_command(form, "May I buy Shell, please?") == ("can_i_trade", "Shell")
    assert read_form_command(form, "can i sell 200 Shell") is None


def test_the_list(tmp_path: Path) -> None:
    """The list ships with its rows, which a file of the same shape replaces."""
    rules = rules_py(lookups='{"securities": lambda query: Results(())}')
    folder = write(tmp_path / "small", HEAD + FIELD + example("[lists.restricted]"), rules_py=rules)
    (folder / "data").mkdir()
    (folder / "data" / "restricted.csv").write_text("isin,since\nGB00BH4HKS39,2026-11-02\n")
    workflow = load_folder(folder)
    assert [dict(row) for row in workflow.lists["restricted"]] == [
        {"isin": "GB00BH4HKS39", "name": "", "from": "2026-11-02", "until": "", "note": ""}
    ]


async def test_the_scenario(tmp_path: Path) -> None:
    """The conversation goes as it is written, on PA dealing as it is shipped."""
    file = write(tmp_path, "", one_toml=example("[[steps]]")) / "one.toml"
    await play(settings(tmp_path / "var"), DEALING, read_scenario(file, DEALING.form))


STATES: list[tuple[dict[str, Any], str]] = [
    ({"value": "100.01"}, "with_compliance"),
    ({"value": "100.00"}, "noted"),
    ({"value": "20.00", "currency": "USD"}, "with_compliance"),
    ({"official": True}, "escalated"),
    ({"country": "KP"}, "escalated"),
    ({"guests": 11}, "escalated"),
    ({"guests": 10}, "noted"),
]


@pytest.mark.parametrize(("answers", "state"), STATES)
def test_the_filing(tmp_path: Path, answers: dict[str, Any], state: str) -> None:
    """Above £100 compliance looks first; officials, listed countries and large parties stop; the rest is noted and told to nobody."""
    form = gifts(tmp_path, example("[filing.states.with_compliance]"))
    found = filing_of(form, **answers)
    assert found.state == state
    assert found.tell == {"with_compliance": "compliance", "escalated": "", "noted": None}[state]
    assert form.says["state_noted"] == "Noted" and form.says["next_with_compliance"].startswith(
        "Compliance will review it"
    )


def test_the_route(tmp_path: Path) -> None:
    """The manager's yes leads to compliance, where two must agree and a refusal wants a reason; both may be taken back."""
    form = gifts(tmp_path, example("[filing.states.pending_manager]"))
    manager, compliance = form.filing.states["pending_manager"], form.filing.states["pending_compliance"]
    assert (manager.by, manager.decide["approve"], compliance.by) == ("manager", "pending_compliance", "compliance")
    assert compliance.needs == 2 and compliance.conditions and set(compliance.reason) == {"refer", "decline"}
    assert manager.withdraw == compliance.withdraw == "withdrawn"


OTHERS: list[tuple[dict[str, Any], str]] = [
    ({}, "auto_approved"),
    ({"value": "25.00"}, "received"),
    ({"day": "2027-01-01"}, "received"),
    ({"currency": "EUR"}, "received"),
    ({"country": "IR", "guests": 3}, "pending_manager"),
    ({"country": "IR", "guests": 2}, "received"),
    ({"official": True, "guests": 3}, "pending_manager"),
]


@pytest.mark.parametrize(("answers", "state"), OTHERS)
def test_the_further_rules(tmp_path: Path, answers: dict[str, Any], state: str) -> None:
    """Several keys of a rule mean all of them; nothing in doubt is approved; what no rule holds for is received."""
    found = filing_of(gifts(tmp_path, example('state = "auto_approved"')), **answers)
    assert found.state == state
    if state == "auto_approved":
        assert found == Filing(state, (), {}, ("Small gifts need no approval this year.",))


def test_what_is_not_in_the_list(tmp_path: Path) -> None:
    """What the look-up does not find is told by its name and its ISIN, which are asked for in that case alone."""
    rules = rules_py(lookups='{"securities": lambda query: Results(())}')
    form = load(tmp_path / "small", HEAD + example("unlisted = "), rules_py=rules).form
    assert parts_of(form.fields["security"]) == ("security_name", "security_isin")
    asked = [[f.name for f in missing(form, draft(form, security=given))] for given in ("unlisted", "GB00BLGZ9862")]
    assert asked == [["security_name", "security_isin"], []]


def test_every_example_has_its_test() -> None:
    """No example of a form stands on the page without a test of what it does."""
    marks = (
        "[fields.is_derivative]", "[fields.payslip]", "[stages.consent]", "[repeats.debt]", "[persona]", "[operations.add_expense]",
        "[commands.status]", "[[steps]]", "[filing.states.with_compliance]", 'state = "auto_approved"', "over = {", "Dotazione per casa",
        "[groups.declarations]", "[filing.states.pending_manager]", "[lists.restricted]", "[filing.report.fields.done_on]", "subject = [",
        "holidays = ", "I have read the policy", "unlisted = ",
    )  # fmt: skip
    assert [sum(mark in text for text in examples("toml")) for mark in marks] == [1] * len(marks)
    assert all(any(mark in text for mark in marks) for text in examples("toml"))


def test_the_working_days(tmp_path: Path) -> None:
    """The form's own place says which days count; where nobody knows it, weekends alone do not."""
    form = load(tmp_path / "small", HEAD + FIELD + example("holidays = ")).form
    due = due_after("2026-12-24T12:00:00+00:00", 24, form.filing.zone, form.filing.holidays)
    assert due == "2026-12-29T12:00:00+00:00"
    assert due_after("2026-12-24T12:00:00+00:00", 24, form.filing.zone, "GB-XX") == "2026-12-25T12:00:00+00:00"
    assert calendar("GB-ENG") is not None and calendar("GB-XX") is None


def test_the_declarations(tmp_path: Path) -> None:
    """Each answer to the question declares its sentence, and so does the acknowledgement."""
    fields = load(tmp_path / "small", HEAD + example("I have read the policy")).form.fields
    assert fields["official"].declares is not None and fields["official"].declares.no.startswith("No public official")
    assert fields["read_policy"].declares is not None and fields["read_policy"].declares.yes.startswith("I have read")


def test_the_group(tmp_path: Path) -> None:
    """The fields of the group stand on one card, in the order in which it names them."""
    fields = "".join(
        f'[fields.{name}]\nkind = "yes_no"\nlabel = "{name}"\nask = "{name}?"\n'
        for name in ("official", "cash", "read_policy")
    )
    form = load(tmp_path / "small", HEAD + fields + example("[groups.declarations]")).form
    assert form.together("cash") == ("official", "cash", "read_policy") and form.together("note") == ()


def test_the_rules(tmp_path: Path) -> None:
    """A rules.py makes rules from the table beside it."""
    (text,) = examples("python")
    form = HEAD + FIELD + 'grade = "reason"\n'
    loaded = load(tmp_path / "small", form, rules_py=text, data__boilerplate_csv="word\nwhatever\n")
    assert [str(loaded.rules.graders["reason"](said)) for said in ("Whatever", "for the house")] == ["brief", "good"]
