"""What the loader says of a form's own words, its stages, operations and commands."""

from pathlib import Path

import pytest

from tests.forms.form_cases import FIELD, HEAD, MARK, marked, problems

STAGES = (
    HEAD + FIELD + 'stage = "first"\n[stages.first]\ntransitions = [{ to = "last" }]\n[stages.last]\nfinal = true\n'
)
COMMAND = 'rules = __import__("state.rules").rules.Rules(commands={"c": lambda rest, facts: ()})\n'

CASES = {
    "missing title": (HEAD.replace('title = "Small"\n', "") + FIELD, "`title` is missing"),
    "bad prefix": (HEAD.replace('"SM"', '"small" # <-') + FIELD, "two to six capital letters"),
    "bad command": ('command = "pa dealing" # <-\n' + HEAD + FIELD, "must be a slash"),
    "our command": ('command = "/holdfast" # <-\n' + HEAD + FIELD, "serves every form"),
    "unknown key": ('colour = "red" # <-\n' + HEAD + FIELD, "`colour` is not known here"),
    "unknown language": ('language = "xx-YY" # <-\n' + HEAD + FIELD, "no known language"),
    "broken language": ('language = "english please" # <-\n' + HEAD + FIELD, "no known language"),
    "unknown currency": ('currency_hint = "QQQ" # <-\n' + HEAD + FIELD, "no ISO 4217 code"),
    "long title": (HEAD.replace("Small", "x" * 76).replace("\nversion", " # <-\nversion") + FIELD, "at most 75"),
    "another name": ('name = "other" # <-\n' + HEAD + FIELD, "The folder is called"),
    "a tool's own name twice": ('escalate = "a_person" # <-\ncancel = "a_person"\n' + HEAD + FIELD, "need names of their own"),
    "a tool's name taken": ('cancel = "correct" # <-\n' + HEAD + FIELD, "a tool that every form has"),
    "a tool's name unfit": ('finalize = "send it" # <-\n' + HEAD + FIELD, "Choose another name"),
    "nothing to ask": (HEAD, "needs a field or an operation"),
    "unknown target": (STAGES.replace('"last" }]', '"lost" }] # <-', 1), '"lost" is no stage'),
    "unreached stage": (STAGES + "[stages.island] # <-\nfinal = true\n", "Nothing leads to the stage `island`"),
    "dead end": (STAGES.replace("[stages.last]\nfinal = true", "[stages.last] # <-"), "dead end"),
    "final with ways": (STAGES + 'transitions = [{ to = "first" }]\n', "is final and has transitions"),
    "no ending": (
        STAGES.replace("[stages.last]\nfinal = true", '[stages.last] # <-\ntransitions = [{ to = "first" }]'),
        "From `last` no final stage"),
    "code-only without a sure way": (
        STAGES.replace("final = true", 'final = true\n[stages.match] # <-\ncode_only = true\ntransitions = [{ to = "last", '
                       'when = { note = "x" } }]').replace('{ to = "last" }', '{ to = "match" }', 1), "may have no way out"),
    "code-only with fields": (
        STAGES.replace("[stages.first]", "[stages.first]\ncode_only = true # <-"), "has fields to ask"),
    "decided but not code-only": (STAGES.replace("[stages.first]", '[stages.first]\ndecide = "f" # <-'), "code-only stage"),
    "never open": (
        STAGES.replace('[{ to = "last" }]', '[{ to = "last" }, { on = "x", to = "last", at_most = 0 }] # <-'), "more than 0"),
    "condition of a transition": (
        STAGES.replace('{ to = "last" }', '{ to = "last" }, { on = "x", to = "last", when = "gone" }'), '"gone"'),
    "variant twice": (
        STAGES.replace("[stages.last]", '[stages.first_a]\nfinal = true\n[stages.last]').replace(
            "[stages.first]", '[stages.first]\nvariants = ["a"] # <-'), "is a stage or a variant already"),
    "anywhere without stages": ('anywhere = [{ on = "x", to = "y" }] # <-\n' + HEAD + FIELD, "needs stages to leave"),
    "unknown operation of a stage": (
        STAGES.replace("[stages.first]", '[stages.first]\noperations = ["add"] # <-'), '"add" is no operation'),
    "operation's field in a stage": (
        HEAD + '[operations.add]\ntitle = "Add"\n[operations.add.fields.item]\nkind = "text"\nlabel = "Item"\nask = "?"\n'
        'stage = "s" # <-\n', "has no stage"),
    "operation's condition": (
        HEAD + '[operations.add]\ntitle = "Add"\n[operations.add.fields.item]\nkind = "text"\nlabel = "Item"\nask = "?"\n'
        'when = "other" # <-\n', "no field of this form"),
    "operation without title": (HEAD + '[operations.add]\ntitle = "" # <-\n', "1 or more characters"),
    "reserved operation": (HEAD + '[operations.disclose] # <-\ntitle = "Disclose"\n', "every form has"),
    "operation named as a setter": (HEAD + FIELD + '[operations.set_note] # <-\ntitle = "Note"\n', "has already"),
    "command without words": (HEAD + FIELD + '[commands.c]\nlabel = "C"\nsays = [] # <-\n', "1 or more entries"),
    "command that takes everything": (HEAD + FIELD + '[commands.c]\nlabel = "C"\nsays = ["{rest}"] # <-\n', "words of its own"),
    "command with two rests": (HEAD + FIELD + '[commands.c]\nlabel = "C"\nsays = ["a {rest} {rest}"] # <-\n', "at most one"),
    "commands with the same words": (
        HEAD + FIELD + '[commands.c]\nlabel = "C"\nsays = ["go"]\n[commands.d]\nlabel = "D"\nsays = ["Go"] # <-\n',
        "Two commands cannot share"),
    "not TOML": (HEAD + "[fields.a\n", "This is not TOML"),
    "given twice": (HEAD + FIELD + FIELD.replace("[fields.note]", "[fields.note] # <-"), "This is not TOML"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_broken_form_is_told_with_its_line(tmp_path: Path, case: str) -> None:
    """A form that breaks a rule is refused with one sentence, at the line to mend."""
    form, says = CASES[case]
    found = problems(
        tmp_path / "small",
        form,
        rules_py=COMMAND if "[commands.c]" in form else "from state.rules import Rules\nrules = Rules()\n",
    )
    told = [p for p in found if says in p.text]
    assert told, [str(p) for p in found]
    assert MARK not in form or told[0].line == marked(form), str(told[0])


def test_a_whole_form_has_no_problems(tmp_path: Path) -> None:
    """The form that the cases above break in one place each is itself without fault."""
    assert problems(tmp_path / "small", STAGES) == ()


def test_a_problem_is_written_as_compilers_write_it(tmp_path: Path) -> None:
    """A problem names folder and file, line and sentence."""
    (problem,) = problems(tmp_path / "small", HEAD)
    assert str(problem) == "small/form.toml:1: A form needs a field or an operation. Add a table like [fields.reason]."
