"""The stage machine: what is open to a draft, what code follows, variants, and the drawing."""

from dataclasses import replace
from pathlib import Path

import pytest

from state.draft.draft import Draft, Provenance, Value
from state.draft.missing import in_stage, missing
from state.draft.stages import automatic, mermaid, open_transitions, way_key
from state.form import Form
from state.form.field import Data
from tests.forms.form_cases import FIELD, HEAD, follow, form_of, load

FORM = (
    HEAD
    + """
[fields.consent]
kind = "yes_no"
label = "Consent"
ask = "Do you agree?"
stage = "asking"

[fields.work]
kind = "choice"
label = "Work"
ask = "What do you do?"
choices = ["employee", "freelance"]
stage = "working"

[fields.photo]
kind = "text"
label = "Photo"
ask = "Which photo?"
required = false
stage = "documents"

[stages.asking]
goal = "Learn whether the person agrees."
transitions = [
  { on = "accepted", to = "working", when = "consent", automatic = true },
  { on = "declined", to = "ended", when = { consent = false }, automatic = true },
]

[stages.working]
transitions = [
  { to = "documents_emp", when = { work = "employee" } },
  { to = "documents_piv", when = { work = "freelance" } },
  { on = "back", to = "asking", label = "Back" },
]

[stages.documents]
variants = ["emp", "piv"]
transitions = [
  { on = "received", to = "reading_*" },
]

[stages.reading]
variants = ["emp", "piv"]
transitions = [
  { on = "retry", to = "documents_*", at_most = 2 },
  { on = "confirmed", to = "matching" },
]

[stages.matching]
code_only = true
transitions = [
  { on = "fits", to = "result", when = { work = "employee" } },
  { on = "fits_not", to = "ended" },
]

[stages.result]
transitions = [{ on = "done", to = "ended" }]

[stages.ended]
final = true

[[anywhere]]
on = "person"
to = "with_person"

[stages.with_person]
final = true
"""
)


@pytest.fixture
def form(tmp_path: Path) -> Form:
    """The form above, loaded."""
    return form_of(tmp_path / "small", FORM)


def at(stage: str, **values: Data) -> Draft:
    """A draft in a stage with some answers."""
    said = Provenance("U0ALEX", "2026-11-20T12:00:00+00:00", "typed")
    return Draft("d", "small", "t", "U0ALEX", "c", stage=stage, values={n: Value(v, said) for n, v in values.items()})


def triggers(form: Form, draft: Draft) -> list[str]:
    """The triggers that are open."""
    return [way.on for way in open_transitions(form, draft)]


def test_a_condition_opens_a_transition(form: Form) -> None:
    """A transition is open only while its condition holds; what may be taken from anywhere is open beside it."""
    assert triggers(form, at("asking")) == ["person"]
    assert triggers(form, at("asking", consent=False)) == ["declined", "person"]


def test_a_trigger_leads_where_the_table_says(form: Form) -> None:
    """A trigger leads to its stage where it is open, and nowhere otherwise."""
    assert follow(form, at("asking", consent=True), "accepted") == "working"
    assert follow(form, at("asking", consent=True), "declined") is None
    assert follow(form, at("asking", consent=True), "confirmed") is None
    assert follow(form, at("no such stage"), "person") is None


def test_a_stage_is_complete_when_nothing_required_is_missing(form: Form) -> None:
    """The trigger "complete" waits for the stage's required fields, and leads by their answers."""
    assert follow(form, at("working"), "complete") is None
    assert follow(form, at("working", work="freelance"), "complete") == "documents_piv"


def test_code_follows_what_is_automatic(form: Form) -> None:
    """Code follows automatic transitions, completed stages and every code-only stage; it never pulls a person's trigger."""
    followed = [
        automatic(form, draft)
        for draft in (
            at("asking", consent=True),
            at("working", work="employee"),
            at("matching", work="freelance"),
            at("documents_emp"),
            at("working"),
            at("result"),
        )
    ]
    assert [way and way.to for way in followed] == ["working", "documents_emp", "ended", None, None, None]


def test_a_stage_that_rules_decide_waits_for_their_trigger(tmp_path: Path) -> None:
    """A code-only stage with `decide` is left by the trigger that rules.py names, not by the first open one."""
    rules = "from state.rules import Rules\n\nrules = Rules(decisions={'match': lambda draft, facts: 'fits_not'})\n"
    text = FORM.replace("code_only = true\n", 'code_only = true\ndecide = "match"\n')
    loaded = load(tmp_path / "small", text, rules_py=rules)
    draft = at("matching", work="employee")
    trigger = loaded.rules.decisions[loaded.form.stages["matching"].decide](draft, {})
    assert automatic(loaded.form, draft) is None
    assert follow(loaded.form, draft, trigger) == "ended"


def test_a_variant_leads_to_its_own_kind(form: Form) -> None:
    """A stage with variants becomes one stage each, and a starred target is the same variant of another."""
    assert [name for name in form.stages if name.startswith(("documents", "reading"))] == [
        "documents_emp", "documents_piv", "reading_emp", "reading_piv",
    ]  # fmt: skip
    assert follow(form, at("documents_piv"), "received") == "reading_piv"


def test_a_field_of_a_family_belongs_to_every_variant(form: Form) -> None:
    """A field that names a stage with variants may be told in each of them and in no other stage."""
    assert [[f.name for f in in_stage(form, at(stage))] for stage in ("documents_emp", "documents_piv", "result")] == [
        ["photo"], ["photo"], [],
    ]  # fmt: skip
    assert missing(form, at("documents_emp")) == ()


def test_a_limited_transition_closes(form: Form) -> None:
    """A transition with `at_most` is closed once its counter has reached it, in that stage only."""
    spent = replace(at("reading_emp"), ways_taken={way_key("reading_emp", "retry"): 2})
    assert triggers(form, replace(spent, ways_taken={way_key("reading_emp", "retry"): 1})) == [
        "retry",
        "confirmed",
        "person",
    ]
    assert triggers(form, spent) == ["confirmed", "person"]
    assert triggers(form, replace(spent, stage="reading_piv")) == ["retry", "confirmed", "person"]


def test_nothing_leads_out_of_a_final_stage(form: Form) -> None:
    """A final stage has no open transition, not even one from anywhere."""
    assert open_transitions(form, at("ended")) == ()
    assert automatic(form, at("ended")) is None


def test_a_form_without_stages_has_no_transitions(tmp_path: Path) -> None:
    """A form of one stage is left by submission alone."""
    plain = form_of(tmp_path / "small", HEAD + FORM[FORM.index("[fields.work]") : FORM.index('stage = "working"')])
    assert (open_transitions(plain, at("")), automatic(plain, at("")), mermaid(plain)) == ((), None, "")


def test_the_machine_can_be_drawn(form: Form) -> None:
    """The drawing names every transition with its trigger, its condition and its limit."""
    lines = [line.strip() for line in mermaid(form).splitlines()]
    assert lines[0] == "stateDiagram-v2"
    assert {
        "[*] --> asking",
        "asking --> working: accepted [consent]",
        "reading_emp --> documents_emp: retry (at most 2)",
        "state matching <<choice>>",
        "anywhere --> with_person: person",
        "ended --> [*]",
    } <= set(lines)
    assert len(lines) == 20


def test_phases_are_drawn_in_their_order(tmp_path: Path) -> None:
    """Stages without ways of their own are drawn one after the other."""
    text = "phases = true\n" + HEAD + FIELD + "[stages.first]\n[stages.second]\n"
    assert "first --> second" in mermaid(form_of(tmp_path / "small", text))
