"""One answer to many questions is found wherever it stands, and nothing else is taken for one."""

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
