"""One answer to many questions is found wherever it stands, and nothing else is taken for one."""

import time
import tomllib

import pytest

from state.language.blanket import Blanket, blankets
from tests.corpus.reading import HERE, LOCALES

LEAST = 25
EVERY = pytest.mark.parametrize("code", LOCALES)


def texts(code: str, what: str) -> list[str]:
    """The sentences of a language."""
    found = tomllib.loads((HERE / code / "blanket.toml").read_text("utf-8"))[what]
    assert isinstance(found, list)
    return found


def heard(code: str, text: str) -> list[Blanket]:
    """The blanket answers of a sentence."""
    return list(blankets(text, LOCALES[code]))


@EVERY
def test_a_blanket_denial_is_found(code: str) -> None:
    """ "No to all" in any words, with slips, shouting, and at the start, in the middle or at the end of a message, is one denial of everything."""
    missed = [t for t in texts(code, "blanket") if [(b.yes, b.softly) for b in heard(code, t)] != [(False, False)]]
    assert not missed
    assert len(texts(code, "blanket")) >= LEAST


@EVERY
def test_a_blanket_yes_is_no_denial(code: str) -> None:
    """ "Yes to all" is found as what it is."""
    assert [t for t in texts(code, "yes") if [b.yes for b in heard(code, t)] != [True]] == []


@EVERY
def test_a_denial_that_may_be_of_one_thing_says_so(code: str) -> None:
    """ "None of that" may deny what was asked alone."""
    assert [t for t in texts(code, "softly") if [b.softly for b in heard(code, t)] != [True]] == []


@EVERY
def test_what_only_looks_like_one_is_none(code: str) -> None:
    """A no to one question, a question, a condition, somebody else's answer, a denied one and idioms are none."""
    assert [(t, heard(code, t)) for t in texts(code, "none") if heard(code, t)] == []
    assert len(texts(code, "none")) >= LEAST


@EVERY
def test_looking_for_one_is_quick(code: str) -> None:
    """A sentence is looked through within 0.3 ms of processor time, its words' tables being at hand."""
    sentences = [t for what in ("blanket", "yes", "softly", "none") for t in texts(code, what)]
    for text in sentences:
        blankets.__wrapped__(text, LOCALES[code])
    best = min(_spent(code, sentences) for _ in range(5))
    assert best / len(sentences) < 0.0003


def _spent(code: str, sentences: list[str]) -> float:
    begun = time.process_time()
    for text in sentences:
        blankets.__wrapped__(text, LOCALES[code])
    return time.process_time() - begun
