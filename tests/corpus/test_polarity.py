"""Words around a field's name, and answers with a twist: no reading has the wrong polarity."""

import tomllib

import pytest

from state.fields import kind_of
from tests.corpus.reading import HERE, LOCALES, Entry, context, questions, read

SAID = {True: "yes", False: "no", None: "nothing"}


def tables(file: str, name: str) -> list[tuple[str, dict[str, object]]]:
    """The tables of a file of each language."""
    return [(c, t) for c in LOCALES for t in tomllib.loads((HERE / c / file).read_text("utf-8"))[name]]


@pytest.mark.parametrize(("code", "case"), tables("named.toml", "named"))
def test_a_verdict_beside_the_name_decides(code: str, case: dict[str, object]) -> None:
    """A verdict before or behind a field's name is its answer; a contradiction, a doubt, a question or an empty form is none."""
    field = questions(code)["leverage"].model_copy(update={"name": "is_leveraged"})
    found = {r.data for r in kind_of(field).find(field, str(case["text"]), context(code))}
    assert found == ({case["says"]} if "says" in case else set())


@pytest.mark.parametrize(("code", "case"), tables("tricky.toml", "tricky"))
def test_an_answer_with_a_twist_is_not_misread(code: str, case: dict[str, object]) -> None:
    """A denied denial, a condition, a change of mind, an understatement or a possible disclosure is never read as what it is not."""
    _, value = read(Entry(code, str(case["question"]), str(case["text"]), ""))
    may = case["may"]
    assert isinstance(may, list)
    assert isinstance(value, bool | None)
    assert SAID[value] in may


@pytest.mark.parametrize("code", LOCALES)
def test_small_talk_answers_no_question_about_what_is_so(code: str) -> None:
    """A greeting, a hold, thanks, a remark, a command, a refusal to say or another topic is neither a yes nor a no nor a choice."""
    texts = tomllib.loads((HERE / code / "nothing.toml").read_text("utf-8"))["texts"]
    asked = ("leverage", "inside", "side", "account", "meal")
    heard = {(q, t): read(Entry(code, q, t, "")) for t in texts for q in asked}
    assert {k: v for k, v in heard.items() if v[0] != "nothing"} == {}
