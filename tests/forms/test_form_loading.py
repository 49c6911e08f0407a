"""Workflow folders as a whole: their parts, their rules, several of them, and a company's own files."""

from pathlib import Path

import pytest

from state.form.source import FormError, Problem
from state.rules import Grade
from state.workflow.load import load_all, load_folder
from tests.forms.form_cases import FIELD, HEAD, load, problems, write

GRADED = HEAD + FIELD + 'grade = "fair" # the field\n'
RULES = "from state.rules import Grade, Rules\n\nrules = Rules(graders={%s: lambda text: Grade.GOOD})\n"


def all_problems(*folders: Path) -> tuple[Problem, ...]:
    """What is wrong with several folders together."""
    with pytest.raises(FormError) as error:
        load_all(folders)
    return error.value.problems


def test_a_folder_is_a_form_a_prompt_rules_and_scenarios(tmp_path: Path) -> None:
    """A workflow folder gives its form in the order of the file, its persona, its rules and the paths of its scenarios."""
    loaded = load(
        tmp_path / "small",
        GRADED + '[fields.also]\nkind = "text"\nlabel = "Also"\nask = "What else?"\n',
        prompt_md="Be kind.",
        rules_py=RULES % '"fair"',
        scenarios__one_toml='title = "It goes on"\n[[steps]]\nsay = "hello"\n',
    )
    assert list(loaded.form.fields) == ["note", "also"]
    assert (loaded.form.name, loaded.form.prompt) == ("small", "Be kind.")
    assert loaded.rules.graders["fair"]("x") is Grade.GOOD
    assert [file.name for file in loaded.scenarios] == ["one.toml"]


def test_a_form_needs_nothing_beside_it(tmp_path: Path) -> None:
    """A folder with form.toml alone is a workflow whose submissions are simply received."""
    loaded = load(tmp_path / "small", HEAD + FIELD)
    assert (loaded.form.prompt, loaded.scenarios, loaded.rules.lookups) == ("", (), {})


def test_rules_import_their_neighbours_from_anywhere(tmp_path: Path) -> None:
    """rules.py imports modules beside it, and two folders with modules of the same name do not mix them up."""
    for folder, grade in (("one", "GOOD"), ("two", "BRIEF")):
        write(
            tmp_path / folder,
            GRADED.replace("SM", folder.upper()),
            rules_py="from state.rules import Rules\nfrom .grades import fair\n\nrules = Rules(graders={'fair': fair})\n",
            grades_py=f"from state.rules import Grade\n\n\ndef fair(text):\n    return Grade.{grade}\n",
        )
    loaded = load_all([tmp_path])
    assert [loaded[name].rules.graders["fair"]("x") for name in ("one", "two")] == [Grade.GOOD, Grade.BRIEF]


def test_rules_are_read_anew(tmp_path: Path) -> None:
    """A folder that is loaded again after its modules were changed has the new ones."""
    rules = "from state.rules import Rules\nfrom .grades import fair\n\nrules = Rules(graders={'fair': fair})\n"
    for grade in ("GOOD", "BRIEF"):
        helper = f"from state.rules import Grade\n\n\ndef fair(text):\n    return Grade.{grade}  # {grade * 9}\n"
        loaded = load(tmp_path / "small", GRADED, rules_py=rules, grades_py=helper)
    assert loaded.rules.graders["fair"]("x") is Grade.BRIEF


def test_rules_may_be_made_from_the_files_beside_them(tmp_path: Path) -> None:
    """`rules` may be a function that is given the workflow's files and makes the rules from them."""
    loaded = load(
        tmp_path / "small",
        HEAD + FIELD,
        rules_py="from state.rules import Rules\n\n\ndef rules(files):\n"
        "    return Rules(version=files.table('data/v.csv', ('version',))[0]['version'])\n",
        data__v_csv="# a comment\nversion,since\n7,2026\n",
    )
    assert loaded.rules.version == "7"


RULE_CASES = {
    "unknown name": (GRADED, RULES % '"unfair"', [("form.toml", 8, 'no "fair" among its graders'), ("rules.py", 3, '"unfair"')]),
    "no rules": (GRADED, "x = 1\n", [("rules.py", 1, "must set `rules`")]),
    "not Python": (GRADED, "x = 1\nrules = (\n", [("rules.py", 2, "This is not Python")]),
    "fails": (GRADED, "x = 1\nrules = missing\n", [("rules.py", 2, "NameError")]),
    "fails on files": (GRADED, "def rules(files):\n    return files.toml('none.toml')\n", [("none.toml", 1, "cannot be read")]),
    "unknown check": (HEAD + FIELD, RULES.replace("graders", "checks") % '"noted"', [("rules.py", 3, '"noted"')]),
    "command without an answer": (HEAD + FIELD + '[commands.mine]\nlabel = "Mine"\nsays = ["mine"]\n', "", [
        ("form.toml", 8, 'no "mine" among its commands')]),
    "answer without a command": (HEAD + FIELD, RULES.replace("graders", "commands") % '"mine"', [("rules.py", 3, '"mine"')]),
    "lookup without a rule": (
        HEAD + '[fields.a]\nkind = "lookup"\nlabel = "A"\nask = "?"\nlookup = "things"\n', "", [
            ("form.toml", 8, 'no "things" among its lookups')]),
    "stage without a decision": (
        HEAD + FIELD + '[stages.a]\ncode_only = true\ndecide = "next"\ntransitions = [{ on = "x", to = "b" }]\n'
        "[stages.b]\nfinal = true\n", "", [("form.toml", 10, 'no "next" among its decisions')]),
}  # fmt: skip


@pytest.mark.parametrize("case", RULE_CASES)
def test_form_and_rules_use_the_same_names(tmp_path: Path, case: str) -> None:
    """A name that only the form or only rules.py has, and rules.py that cannot be imported, are told with their lines."""
    form, rules, wanted = RULE_CASES[case]
    files = {"rules_py": rules} if rules else {}
    found = problems(tmp_path / "small", form, **files)
    assert [(p.file.name, p.line) for p in found] == [(file, line) for file, line, _ in wanted], found
    assert all(says in p.text for p, (_, _, says) in zip(found, wanted, strict=True)), found


def test_a_broken_neighbour_is_named_itself(tmp_path: Path) -> None:
    """An error in a module beside rules.py is told with that module's line."""
    found = problems(
        tmp_path / "small", HEAD + FIELD, rules_py="from .helper import x\n", helper_py="\n\nx = missing\n"
    )
    assert [(p.file.name, p.line) for p in found] == [("helper.py", 3)]


def test_a_sentence_that_the_catalogue_refuses_has_its_line(tmp_path: Path) -> None:
    """What the catalogue says of a form's own sentences is told at the line of each."""
    write(tmp_path / "small", HEAD + '[says]\nhello = "Hello"\nthere = "{x}"\n' + FIELD)
    with pytest.raises(FormError) as error:
        load_folder(
            tmp_path / "small", sentences=lambda says, _: [f"says.{key}: there is no such sentence" for key in says]
        )
    assert [(p.line, p.text) for p in error.value.problems] == [
        (5, "`hello`: there is no such sentence."),
        (6, "`there`: there is no such sentence."),
    ]


def test_workflows_do_not_share_prefix_or_command(tmp_path: Path) -> None:
    """Two workflows with one prefix or one command are refused, at the lines of the second one."""
    for name in ("one", "two"):
        write(tmp_path / name, 'command = "/one"\n' + HEAD + FIELD)
    found = all_problems(tmp_path)
    assert [(p.file.parent.name, p.line) for p in found] == [("two", 1), ("two", 4)]


def test_workflows_do_not_share_a_name(tmp_path: Path) -> None:
    """A second workflow of the same name is refused and the first one is named."""
    for place in ("a", "b"):
        write(tmp_path / place / "small", HEAD.replace("SM", f"S{place.upper()}") + FIELD)
    (found,) = all_problems(tmp_path / "a", tmp_path / "b")
    assert '`name` "small" belongs to the workflow' in found.text


def test_problems_of_several_workflows_come_together(tmp_path: Path) -> None:
    """A broken workflow does not hide what is wrong with the next one."""
    for name in ("one", "two"):
        write(tmp_path / name, HEAD.replace("SM", name.upper()))
    assert [p.file.parent.name for p in all_problems(tmp_path)] == ["one", "two"]


def test_a_folder_may_be_a_workflow_itself(tmp_path: Path) -> None:
    """A path to a workflow is as good as a path to a folder of workflows; what is hidden or begins with _ is none."""
    write(tmp_path / "all" / "one", HEAD + FIELD)
    (tmp_path / "all" / "__pycache__").mkdir()
    (tmp_path / "all" / ".git").mkdir()
    assert list(load_all([tmp_path / "all" / "one"])) == list(load_all([tmp_path / "all"])) == ["one"]


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    """A path to nothing, and a folder with neither a form nor a namesake, are problems."""
    (tmp_path / "all" / "stray").mkdir(parents=True)
    assert [p.file.parent.name for p in all_problems(tmp_path / "gone", tmp_path / "all")] == ["stray", "gone"]


def test_a_companys_files_lie_over_a_workflow(tmp_path: Path) -> None:
    """A folder without form.toml gives its files to the workflow of its name; the last one named comes first."""
    rules = "from state.rules import Rules\n\n\ndef rules(files):\n    return Rules(version=files.toml('v.toml').data['v'])\n"
    write(tmp_path / "ours" / "small", HEAD + FIELD, rules_py=rules, v_toml='v = "1"\n', prompt_md="Ours.")
    for place, text in (("theirs", "2"), ("newest", "3")):
        (tmp_path / place / "small").mkdir(parents=True)
        (tmp_path / place / "small" / "v.toml").write_text(f'v = "{text}"\n')
    folders = [tmp_path / name for name in ("ours", "theirs", "newest")]
    assert [load_all(folders[:n])["small"].rules.version for n in (1, 2, 3)] == ["1", "2", "3"]
    assert load_all(folders)["small"].form.prompt == "Ours."


TABLES = {
    "lacking column": ("a\n1\n", 1, "lacks the column b"),
    "short row": ("a,b\n\n1,2\n# note\n1\n", 5, "has 1 cells"),
    "no table": ("", 1, "lacks the column"),
}


@pytest.mark.parametrize("case", TABLES)
def test_a_broken_table_is_told_with_its_line(tmp_path: Path, case: str) -> None:
    """A table without its columns or with a short line is a problem of the form, at the line of the table."""
    text, line, says = TABLES[case]
    rules = "def rules(files):\n    files.table('data/t.csv', ('a', 'b'))\n"
    (found,) = problems(tmp_path / "small", HEAD + FIELD, rules_py=rules, data__t_csv=text)
    assert (found.file.name, found.line) == ("t.csv", line)
    assert says in found.text


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    """A form that is not UTF-8 is refused at the line of the first wrong byte."""
    write(tmp_path / "small", HEAD)
    (tmp_path / "small" / "form.toml").write_bytes(HEAD.encode() + b'words = ["caf\xe9"]\n')
    with pytest.raises(FormError) as error:
        load_folder(tmp_path / "small")
    assert [(p.line, p.text) for p in error.value.problems] == [(4, "This is not UTF-8 text. Save the file as UTF-8.")]
