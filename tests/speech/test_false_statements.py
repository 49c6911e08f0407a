"""The corpus of what no model may get before a person, said at every place where a model may speak."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from bot.model.dialects import read
from prompts.request import Dialect
from state.draft.reply import Reply
from state.exact_json import Flawed
from state.understanding.evidence import normalized
from tests.speech.places import FORMS, PLACES, WORKFLOWS, Place, answered, shown

STATEMENTS: list[tuple[str, str, str]] = [
    (kind, language, statement)
    for kind, said in tomllib.loads((Path(__file__).parent / "statements.toml").read_text("utf-8")).items()
    for language, every in said.items()
    for statement in every
]
FORMS_TO_FILL = tuple(name for name in FORMS if name != "expenses")
DIALECTS: tuple[Dialect, ...] = ("block", "json")
SENTENCE = re.compile(r"(?<=[.!?…])\s+")
AS_QUESTIONS = (
    "✅ Clear: {}\n❓ Could you give me an example?",
    "{} What is the problem?",
    "{}, what is the problem?",
    "What is the problem, {}?",
)
"""How a model would have a statement read where it may ask."""


def told_after(form: str, place: Place, statement: str) -> str:
    """Return what is on the cards after the model said it, and said it again when asked for better."""
    reply = Reply(statement, model="claude-test")
    return normalized(shown(form, *answered(form, place, reply, reply)))


def leaked(form: str, place: Place, statement: str) -> bool:
    """Return True if the statement, or a sentence of it, is on a card after the model said it, and said it again when asked for better."""
    told = told_after(form, place, statement)
    parts = (normalized(s) for s in (statement, *SENTENCE.split(statement)))
    return any(len(part) > 3 and part in told for part in parts)


def share(at: int, of: int) -> list[tuple[str, str, str]]:
    """Return one of so many equal shares of the statements, which together hold each once; every kind and language is in each."""
    return STATEMENTS[at % of :: of]


def said_in(form: str, place: Place) -> list[tuple[str, str, str]]:
    """Return every statement after words where a model may ask or answer, a third of them at its other places; else a share by form and place."""
    if form not in FORMS_TO_FILL or WORKFLOWS[form].form.persona.shape:
        return STATEMENTS if place == "words" else share(PLACES.index(place), 3)
    others = [name for name in FORMS_TO_FILL if not WORKFLOWS[name].form.persona.shape]
    return share(others.index(form) + PLACES.index(place), len(others))


def test_the_corpus_is_as_large_as_it_should_be() -> None:
    """At least 300 statements, at least 60 in each of four languages, of every kind in every one."""
    languages = {language: [s for _, other, s in STATEMENTS if other == language] for _, language, _ in STATEMENTS}
    assert len(STATEMENTS) >= 300 and set(languages) == {"en", "it", "es", "de"}
    assert min(map(len, languages.values())) >= 60
    assert len({(kind, language) for kind, language, _ in STATEMENTS}) == 4 * len({kind for kind, _, _ in STATEMENTS})


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("form", FORMS_TO_FILL)
def test_nothing_of_it_is_shown(form: str, place: Place) -> None:
    """After words and after a click, with the last text open, at the review, after filing, cancelling and escalation: 0 shown."""
    assert [s for s in said_in(form, place) if leaked(form, place, s[2])] == []


@pytest.mark.parametrize("place", PLACES)
def test_above_operations_the_true_line_has_the_last_word(place: Place) -> None:
    """Where a model's answer is shown by its shape alone, what code did stands below it, and no figure or deed of the model's above."""
    told = {s: told_after("expenses", place, s) for *_, s in said_in("expenses", place)}
    passed = [s for s in told if normalized(s) in told[s]]
    assert [s for s in passed if normalized("Nothing was recorded.") not in told[s].partition(normalized(s))[2]] == []
    assert [s for s in passed if any(c.isdigit() for c in s)] == []


@pytest.mark.parametrize("shape", AS_QUESTIONS)
def test_nothing_of_it_is_shown_beside_a_question(shape: str) -> None:
    """Above a question where the form lets a model ask, before it or behind it, a false statement is as false."""
    wrong = []
    for kind, language, statement in share(AS_QUESTIONS.index(shape), len(AS_QUESTIONS)):
        said = statement if shape[:3] == "{} " else statement.rstrip(".!")
        reply = Reply(shape.format(said), model="claude-test")
        told = normalized(shown("requirements", *answered("requirements", "words", reply, reply)))
        if len(statement) > 3 and normalized(statement.rstrip(".!")) in told:
            wrong.append((kind, language, statement))
    assert wrong == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_nothing_of_it_is_shown_in_a_dialect(dialect: Dialect) -> None:
    """Words of a dialect's reply are read into the very reply that is judged above, or are no reply at all; what is left of them is judged."""
    wrong = []
    for kind, language, statement in STATEMENTS:
        for written in spoken(dialect, statement):
            try:
                text = read(dialect, written, ()).text
            except Flawed:
                continue
            form = FORMS_TO_FILL[len(statement) % len(FORMS_TO_FILL)]
            wrong += [(kind, language, statement)] if text and text != statement and leaked(form, "words", text) else []
    assert wrong == []


def spoken(dialect: Dialect, statement: str) -> list[str]:
    """The statement by every way in which a dialect has words."""
    if dialect == "json":
        return [json.dumps({"answer": {"text": statement}}), json.dumps({"clarify": {"question": statement}})]
    act = json.dumps({"action": "clarify", "question": statement})
    return [statement, f"{statement}\n---\n" + json.dumps({"action": "silent"}), f"---\n{act}"]
