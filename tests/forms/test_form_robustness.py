"""Whatever an author writes, the loader answers with a form or with problems."""

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from state.draft.draft import Draft, Provenance, Value
from state.draft.missing import holds
from state.form import Condition
from state.form.source import FormError
from state.workflow.load import load_all
from tests.forms.form_cases import FIELD, HEAD
from tests.forms.test_form_locate import written
from tests.thoroughness import ANY, examples

KEYS = st.sampled_from([
    "name", "title", "version", "prefix", "language", "fields", "stages", "operations", "commands", "anywhere", "says", "kind",
    "label", "ask", "when", "all", "any", "none", "choices", "about", "transitions", "to", "on", "variants", "worse", "x", "note",
])  # fmt: skip
SCALARS = st.one_of(
    st.sampled_from(["yes_no", "text", "choice", "note", "x", "", "{", "{note}", "x_*", "SM"]),
    st.booleans(),
    st.integers(-2, 2),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
DEEP = HEAD + FIELD + "when = " + "{any = [" * 150 + '"note"' + "]}" * 150 + "\n"


def outcome(text: str) -> str:
    """ "loaded", or the sentences of what is wrong; anything else that is raised is a fault of the loader."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "small"
        folder.mkdir()
        (folder / "form.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            load_all([folder])
        except FormError as error:
            assert error.problems
            lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
            assert all(1 <= p.line <= lines and p.text.strip().endswith((".", "?")) for p in error.problems), (
                error.problems
            )
            return str(error)
        return "loaded"


@given(st.dictionaries(KEYS, VALUES, max_size=8))
@settings(max_examples=examples(80))
def test_any_table_is_a_form_or_has_problems(table: dict[str, Any]) -> None:
    """Any TOML table gives a form or problems with lines of its file, never another error."""
    outcome("".join(f"{key} = {written(value)}\n" for key, value in table.items()))


@given(st.text(ANY, max_size=200))
@settings(max_examples=examples(80))
@example(DEEP)
@example("x = " + "[" * 3000 + "]" * 3000)
@example("x = " + "9" * 5000)
@example("\ud800")
@example('fields = 3\nstages = "x"\nanywhere = 1979-05-27')
@example("[fields]\nx = 1\n[fields.y]\n[stages.z]\nto = 1")
def test_any_text_is_a_form_or_has_problems(text: str) -> None:
    """Any text at all gives a form or problems, never another error."""
    assert outcome(text) != "loaded" or text == DEEP


@given(st.dictionaries(KEYS, VALUES, max_size=4))
@settings(max_examples=examples(80))
def test_a_field_may_hold_anything(table: dict[str, Any]) -> None:
    """Any table as a field of a sound form gives a form or problems, never another error."""
    text = HEAD + FIELD + "[fields.other]\n" + "".join(f"{key} = {written(value)}\n" for key, value in table.items())
    outcome(text)


NAMES = st.sampled_from("abc")
CONDITIONS = st.recursive(
    st.builds(
        lambda every: Condition(all=every),
        st.dictionaries(NAMES, st.sets(st.integers(0, 2), min_size=1).map(tuple), max_size=2),
    ),
    lambda inner: st.builds(
        lambda every, some, none: Condition(all=every, any=tuple(some), none=tuple(none)),
        st.dictionaries(NAMES, st.sets(st.integers(0, 2), min_size=1).map(tuple), max_size=2),
        st.lists(inner, max_size=2),
        st.lists(inner, max_size=2),
    ),
    max_leaves=6,
)
ANSWERS = st.dictionaries(NAMES, st.integers(0, 2))
SAID = Provenance("U0ALEX", "2026-11-20T12:00:00+00:00", "typed")


def draft_of(answers: dict[str, int]) -> Draft:
    """A draft with these answers."""
    return Draft("d", "small", "t", "U0ALEX", "c", values={name: Value(data, SAID) for name, data in answers.items()})


@given(CONDITIONS, ANSWERS)
def test_a_condition_looks_at_its_own_fields_only(condition: Condition, answers: dict[str, int]) -> None:
    """What a condition does not name never changes whether it holds."""
    named = {name: data for name, data in answers.items() if name in condition.fields}
    assert holds(condition, draft_of(answers)) == holds(condition, draft_of(named))


@given(CONDITIONS, ANSWERS)
def test_a_condition_and_its_contrary_never_agree(condition: Condition, answers: dict[str, int]) -> None:
    """`none` of a condition holds exactly where the condition does not."""
    assert holds(Condition(none=(condition,)), draft_of(answers)) != holds(condition, draft_of(answers))


@given(st.dictionaries(NAMES, st.integers(0, 2), min_size=1))
def test_the_short_form_means_every_field(answers: dict[str, int]) -> None:
    """`{ a = 1, b = 2 }` holds where every one of them is so, and nowhere else."""
    condition = Condition.model_validate(answers)
    assert holds(condition, draft_of(answers))
    for name, data in answers.items():
        other = {**answers, name: data + 1}
        assert not holds(condition, draft_of(other))
