"""What an author gets wrong is told with its line and with what was meant, wherever a name or a value is written."""

from pathlib import Path

import pytest

from state.form.source import FormError
from state.workflow.load import load_all
from tests.forms.form_cases import BASIC, FIELD, HEAD, MARK, problems, write

SYNTAX = {
    "a word of Python": ("required = True", "plain quotes"),
    "no quotes": ("unit = days", "plain quotes"),
    "curly quotes": ("unit = „days“", "plain quotes"),
    "no end": ('help = "It may be late', "three quotes"),
    "quotes within": ('help = "It is "late" then"', r"\""),
    "a colon": ('unit: "days"', ""),
    "a separator": ("maximum = 1,000", "one key on a line"),
    "a day of no calendar": ("from = 2026-02-30", "2026-11-20"),
    "a day in another order": ("from = 20.11.2026", "2026-11-20"),
    "an unseen sign": ('help = "late\x07"', "cannot be seen"),
    "twice": ('label = "B"', ""),
    "a backslash": ('help = "a \\d"', "for a backslash"),
}


@pytest.mark.parametrize("case", SYNTAX)
def test_what_is_no_toml_has_its_line(tmp_path: Path, case: str) -> None:
    """A line that is no TOML is named, with what is wrong there and what to do."""
    slip, told_to = SYNTAX[case]
    form = HEAD + f'{FIELD}{slip}\n[fields.b]\nkind = "text"\nlabel = "B"\nask = "B?"\n'
    (told,) = problems(tmp_path / "small", form)
    assert told.text.startswith("This is not TOML: ") and told.line == form.splitlines().index(slip) + 1
    assert told_to in told.text


def test_names_of_rules_are_held_against_the_form(tmp_path: Path) -> None:
    """A name that form.toml and rules.py write in two ways is told on both sides, each with the other's."""
    form = HEAD + f'[fields.a]\nkind = "text"\n{BASIC}grade = "reason"\n'
    made = 'from state.rules import Rules\nrules = Rules(graders={"reasons": None})\n'
    in_form, in_rules = problems(tmp_path / "small", form, rules_py=made)
    assert "Did you mean `reasons`?" in in_form.text and in_form.line == 8
    assert "Did you mean `reason`?" in in_rules.text and in_rules.line == 2


def test_a_role_that_rules_do_not_know_is_told(tmp_path: Path) -> None:
    """An operation is for roles that there are."""
    form = HEAD + '[operations.add]\ntitle = "Add"\nroles = ["finance_admn"]\n'
    made = (
        "from state.draft.operations import Roles\nfrom state.rules import Rules\n"
        'rules = Rules(operations={"add": None}, roles=Roles(above=("member", "finance_admin")))\n'
    )
    (told,) = problems(tmp_path / "small", form, rules_py=made)
    assert told.line == 6 and "Did you mean `finance_admin`?" in told.text


def test_names_of_files_beside_the_form_are_told(tmp_path: Path) -> None:
    """A key of a file that a text names, and a column of a table, come with the one that is there."""
    (key,) = problems(
        tmp_path / "small", HEAD + 'introduction = "{broker.phon}"\n' + FIELD, broker_toml='phone = "1"\n'
    )
    assert "Did you mean `phone`?" in key.text
    table = "def rules(files):\n    return files.table('v.csv', ('version',))\n"
    (column,) = problems(tmp_path / "other", HEAD + FIELD, rules_py=table, v_csv="verison\n1\n")
    assert "Did you mean `verison`?" in column.text


def test_a_folder_that_lies_over_none_is_told_with_its_neighbour(tmp_path: Path) -> None:
    """A company's folder with a slip in its name says which workflow it was for."""
    write(tmp_path / "shipped" / "small", HEAD + FIELD)
    (tmp_path / "ours" / "smal").mkdir(parents=True)
    with pytest.raises(FormError, match="Did you mean `small`"):
        load_all([tmp_path / "shipped", tmp_path / "ours"])


def test_nothing_is_guessed_where_nothing_is_near(tmp_path: Path) -> None:
    """A word that is like no known one is told without a guess."""
    (told,) = problems(tmp_path / "small", HEAD + FIELD + "zzqx = 1\n")
    assert told.text == "`zzqx` is not known here. Take it out."
    assert MARK not in told.text


def test_names_in_the_texts_beside_a_form_have_their_own_lines(tmp_path: Path) -> None:
    """What context.md and prompt.md name wrongly is told at their line and a heading that is no id."""
    files = {
        "context_md": "Told.\n\n## Our Rules\nCall {broker.phon}.\n",
        "prompt_md": "You speak\nfor {broker.nam}.\n",
    }
    found = problems(tmp_path / "small", HEAD + FIELD, broker_toml='phone = "1"\nname = "B"\n', **files)
    told = {(p.file.name, p.line): p.text for p in found}
    assert "is its id" in told["context.md", 3] and "Did you mean `phone`?" in told["context.md", 4]
    assert "Did you mean `name`?" in told["prompt.md", 2] and len(told) == 3


def test_numbers_out_of_their_range_say_which(tmp_path: Path) -> None:
    """A limit of the format is told with its figure."""
    text = 'retention_months = 0\nrequest_tokens = 100\npurpose = "' + "x" * 101 + '"\n'
    found = problems(tmp_path / "small", HEAD + text + FIELD)
    assert [p.text for p in found] == [
        "`retention_months` must be more than 0.",
        "`request_tokens` must be 1000 or more.",
        "`purpose` must have at most 100 characters.",
    ]
