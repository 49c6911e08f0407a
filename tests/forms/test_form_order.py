"""A condition looks only at answers that can be known when it counts."""

from pathlib import Path

import pytest

from tests.forms.form_cases import HEAD, MARK, problems, told_at

TOP = HEAD + '[fields.top]\nkind = "yes_no"\nlabel = "Top"\nask = "Top?"\n'


def field(name: str, *lines: str) -> str:
    """A yes/no field with some more lines."""
    more = "".join(f"{line}\n" for line in lines)
    return f'[fields.{name}]\nkind = "yes_no"\nlabel = "{name}"\nask = "{name}?"\n{more}'


MACHINE = (
    '[stages.one]\ntransitions = [{ to = "two" }]\n[stages.two]\ntransitions = [{ to = "three" }]\n'
    "[stages.three]\nfinal = true\n"
)
PHASES = "phases = true\n"
NONE = "from state.rules import Rules\nrules = Rules()\n"
RULES = NONE.replace("Rules()", 'Rules(operations={"add": None})')
REFUSED = {
    "the next field": field("a", 'when = "b" # <-') + field("b"),
    "one far below": field("a", 'when = { b = false } # <-') + field("c") + field("d") + field("b"),
    "inside any": field("a", 'when = { any = ["top", "b"] } # <-') + field("b"),
    "inside none": field("a", 'when = { none = ["b"] } # <-') + field("b"),
    "the same stage": field("a", 'stage = "one"', 'when = "b" # <-') + field("b", 'stage = "one"') + MACHINE,
    "a later stage": field("a", 'stage = "one"', 'when = "b" # <-') + field("b", 'stage = "two"') + MACHINE,
    "a later phase": field("a", 'stage = "one"', 'when = "b" # <-') + field("b", 'stage = "two"')
        + "[stages.one]\n[stages.two]\n",
    "one of its own group": '[repeats.trip]\nmost = 3\n' + field("a", 'repeat = "trip"', 'when = "b" # <-') + field("b", 'repeat = "trip"'),
    "a group below": '[repeats.trip]\nmost = 3\n' + field("a", 'when = "b_2" # <-') + field("b", 'repeat = "trip"'),
    "an operation's": '[operations.add]\ntitle = "Add"\n' + (field("a", 'when = "b" # <-') + field("b")).replace("[fields", "[operations.add.fields"),
}  # fmt: skip
FINE = {
    "one above": field("b") + field("a", 'when = "b"'),
    "an earlier stage, further down": field("a", 'stage = "two"', 'when = "b"') + field("b", 'stage = "one"') + MACHINE,
    "an earlier phase, further down": field("a", 'stage = "two"', 'when = "b"') + field("b", 'stage = "one"') + "[stages.one]\n[stages.two]\n",
    "asked in every stage": field("a", 'when = "b"') + field("b", 'stage = "one"') + field("c", 'stage = "two"') + MACHINE,
    "a stage that is come back to": field("a", 'stage = "one"', 'when = "b"') + field("b", 'stage = "two"')
        + MACHINE.replace('[{ to = "three" }]', '[{ to = "three" }, { on = "back", to = "one", label = "Back" }]'),
    "a group above": '[repeats.trip]\nmost = 3\n' + field("b", 'repeat = "trip"') + field("a", 'when = "b_2"'),
}  # fmt: skip


def form(case: str, text: str) -> str:
    """The whole form."""
    return (PHASES if "phase" in case else "") + TOP + text


@pytest.mark.parametrize("case", REFUSED)
def test_a_condition_on_what_is_asked_later_is_refused(tmp_path: Path, case: str) -> None:
    """A field that hangs on one that is asked after it is told to be moved, at the line of its condition."""
    text = form(case, REFUSED[case])
    told_at(tmp_path / "small", text, "cannot be known yet. Move [", rules_py=RULES if "operations" in text else NONE)


@pytest.mark.parametrize("case", FINE)
def test_a_condition_on_what_is_asked_before_is_fine(tmp_path: Path, case: str) -> None:
    """What counts is the order of asking: stages before places in the file."""
    assert problems(tmp_path / "small", form(case, FINE[case])) == ()


def test_the_sentence_says_what_to_move(tmp_path: Path) -> None:
    """Both fields are named as the author wrote them."""
    (told,) = problems(tmp_path / "small", TOP + field("a", 'when = "b"') + field("b"))
    assert (
        told.text
        == "`b` is asked after this field, so its answer cannot be known yet. Move [fields.a] below [fields.b]."
    )


def test_a_repeated_field_is_named_by_its_number_from_outside(tmp_path: Path) -> None:
    """Outside of its group a field that is asked several times has no one answer."""
    text = TOP + "[repeats.trip]\nmost = 3\n" + field("b", 'repeat = "trip"') + field("a", f'when = "b" {MARK}')
    told_at(tmp_path / "small", text, "Say which time: `b_1`.")


def test_a_way_looks_at_what_is_asked_before_it(tmp_path: Path) -> None:
    """A transition out of a stage cannot hang on a field of a stage that comes after."""
    ways = MACHINE.replace(
        '[{ to = "two" }]', '[{ to = "two", when = "b" }, { on = "x", to = "three", label = "X" }] # <-'
    )
    text = TOP + field("a", 'stage = "one"') + field("b", 'stage = "two"') + ways
    told_at(tmp_path / "small", text, "after `one` is left")
