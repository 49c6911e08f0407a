"""Configuration in a form's texts: what a company sets once stands wherever the form names it."""

from pathlib import Path

from state.workflow.load import load_all
from tests.forms.form_cases import FIELD, HEAD, MARK, load, marked, problems, write

NAMED = HEAD + 'introduction = "You talk to {broker.name}, free of charge at {broker.phone}."\n' + FIELD
BROKER = 'name = "Bright Bridge"\nphone = "800 000 000"\nopens = 09:00:00\nrooms = ["one"]\n'


def test_texts_name_what_stands_beside_the_form(tmp_path: Path) -> None:
    """`{broker.name}` in any text of the form, the persona included, is the key `name` of broker.toml."""
    asked = NAMED.replace("What is it?", "From {broker.opens}, what is it?")
    form = load(tmp_path / "small", asked, prompt_md="You speak for {broker.name}.", broker_toml=BROKER).form
    assert form.introduction == "You talk to Bright Bridge, free of charge at 800 000 000."
    assert form.fields["note"].ask == "From 09:00, what is it?"
    assert form.prompt == "You speak for Bright Bridge."


def test_a_company_lays_its_own_identity_over_it(tmp_path: Path) -> None:
    """A folder of the workflow's name with another broker.toml changes every text, and nothing is copied."""
    write(tmp_path / "shipped" / "small", NAMED, broker_toml=BROKER)
    (tmp_path / "ours" / "small").mkdir(parents=True)
    (tmp_path / "ours" / "small" / "broker.toml").write_text('name = "Ours"\nphone = "800 111 111"\n', "utf-8")
    loaded = load_all([tmp_path / "shipped", tmp_path / "ours"])
    assert loaded["small"].form.introduction == "You talk to Ours, free of charge at 800 111 111."


def test_a_name_that_the_file_lacks_is_told_with_its_line(tmp_path: Path) -> None:
    """A key that is not there, and a key that is a list, are each told at the line of the text that names them."""
    for key in ("fax", "rooms"):
        text = HEAD + f'introduction = "{{broker.{key}}}" {MARK}\n' + FIELD
        (problem,) = problems(tmp_path / key, text, broker_toml=BROKER)
        assert problem.line == marked(text)
        assert problem.text == f"{{broker.{key}}} is no text in broker.toml. Add it there."


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    """A text that names a file which does not stand beside the form is refused, and the file is named."""
    found = problems(tmp_path / "small", NAMED)
    assert any(p.file.name == "broker.toml" for p in found)
