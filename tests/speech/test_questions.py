"""Questions of a model's where a form lets it ask: which of them may be shown, in four languages."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from state.advance import begin
from state.draft.draft import ChatLine, Provenance, Value
from state.fields.base import Context
from state.form import Field, Form
from state.form.schema import Persona
from state.guards.persona import flaw_of_asking
from state.language import LANGUAGES
from state.rules import Rules

AT = "2026-11-20T12:00:00+00:00"
CORPUS = tomllib.loads((Path(__file__).parent / "questions.toml").read_text("utf-8"))
OPEN = ("problem", "cost", "users")
UNFIT = ("two", "answer", "claim", "leak", "filled")


def flaw(language: str, question: str) -> str:
    """What keeps the question from being shown to somebody who has said the corpus's line and given a title."""
    given = CORPUS[language]
    label, data, *words = given["title"]
    asked = {"title": (label, words), **{name: (given[name][0], given[name][1:]) for name in OPEN}}
    form = Form(
        name="asking", title=label, version="1", prefix="AS", asked_by="model", language=LANGUAGES[language].example,
        persona=Persona(examples=tuple(given["examples"])),
        fields={n: Field(name=n, kind="text", label=one, ask=f"{one}?", words=tuple(some)) for n, (one, some) in asked.items()},
    )  # fmt: skip
    value = Value(data, Provenance("U0ALEX", AT, "read", "1.1", data))
    draft = replace(begin(form, "d1", "T1", "U0ALEX", "T1:D1:", AT), values={"title": value})
    draft = replace(draft, window=(ChatLine("user", given["said"], "2.1"),), asked="problem", turn=1)
    return flaw_of_asking(form, Rules(), draft, question, Context(form.language, AT[:10]))


def test_the_corpus_is_as_large_as_it_should_be() -> None:
    """Forty fit questions and sixty unfit ones, of every kind in each of four languages."""
    assert set(CORPUS) == {"en", "it", "es", "de"}
    assert all(len(given["fit"]) == 10 and all(len(given[kind]) == 3 for kind in UNFIT) for given in CORPUS.values())


def test_a_fit_question_is_shown() -> None:
    """One open question about a gap has nothing wrong with it: of forty at most one gives way to the form's own."""
    refused = {q: why for language, given in CORPUS.items() for q in given["fit"] if (why := flaw(language, q))}
    assert len(refused) <= 1, refused


@pytest.mark.parametrize("kind", UNFIT)
@pytest.mark.parametrize("language", CORPUS)
def test_an_unfit_question_is_not(language: str, kind: str) -> None:
    """Two questions, a question that holds its answer, a claim, what nobody has named, and what is answered are not shown."""
    assert [q for q in CORPUS[language][kind] if not flaw(language, q)] == []


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_the_list_of_beginnings_is_short(language: object) -> None:
    """A language has at most fifteen words by which a question is known: shape, and no list of meanings."""
    asking = language.asking  # type: ignore[attr-defined]
    assert len((*asking.words, *asking.verbs, *asking.clauses)) <= 15
