"""The catalogue of sentences in three languages."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import blocks
import state
from blocks.page import BUTTONS, DAYS, TIMES
from blocks.phrases import LANGUAGES, Phrasebook, catalogue, names, problems
from blocks.text import literal
from state.language import LANGUAGES as READ
from state.understanding.commands import read_command

ROOMS = [Path(room.__path__[0]) for room in (blocks, state)]
SAYING = {"say", "fill", "Phrase", "Unreadable", "_part"}
QUOTED = re.compile(r"[“„«]([^”“»]+)[”“»]")
KEY = re.compile(r"[a-z]+(?:_[a-z]+)*")


def same(given: frozenset[str]) -> frozenset[str]:
    return frozenset("label" if name == "thing" else name for name in given)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_the_same_things(language: str) -> None:
    """Each language has the same keys, and each sentence names the same things."""
    ours, english = catalogue(language), catalogue("en")
    assert list(ours) == list(english)
    assert {key: same(names(ours[key])) for key in ours} == {key: same(names(english[key])) for key in english}


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_plain(language: str) -> None:
    """A sentence holds no markup, so that escaping changes nothing of it, and braces stand around plain names alone."""
    for key, sentence in catalogue(language).items():
        bare = re.sub(r"\{[a-z_]+\}", "", sentence)
        assert literal(bare) == bare, key
        assert not set("{}") & set(bare), key


def keys_in(path: Path) -> set[str]:
    """Keys that a module says: the strings, and either end of a choice of strings, among the arguments of calls that say."""
    calls = [n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Call)]
    said = {key for call in calls if _name(call.func) in SAYING for arg in call.args for key in strings(arg)}
    return {key for key in said if KEY.fullmatch(key)}


def strings(node: ast.expr) -> set[str]:
    if isinstance(node, ast.IfExp):
        return strings(node.body) | strings(node.orelse)
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def test_every_key_that_the_code_says_exists() -> None:
    """Whatever sentence the code names by its key is in the catalogue."""
    said = {key: path for room in ROOMS for path in room.rglob("*.py") for key in keys_in(path)}
    missing = {key: str(path) for key, path in said.items() if key not in catalogue("en")}
    assert not missing
    assert len(said) > 60


def test_every_sentence_gets_what_it_names() -> None:
    """Where the code gives a sentence its arguments on the spot, they are all that the sentence names."""
    always, makes = (
        {"form", "number", "introduction", "person_button", *BUTTONS},
        {"state_name": "state", "by_role": "role", "by_roles": "roles", "by_verdict": "verdict", **DAYS, **TIMES},
    )
    for key, given in (pair for path in Path(state.__path__[0]).rglob("*.py") for pair in told_in(path)):
        label = {"label", "thing"} if given & {"label", "field"} else set()
        name = {"name"} if key == "not_yours" else set()
        made = {makes[one] for one in given if one in makes}
        assert names(catalogue("en")[key]) <= given | always | label | name | made, key


def told_in(path: Path) -> Iterator[tuple[str, set[str]]]:
    """The lines and errors of a module whose arguments are written out: key and names."""
    for call in (n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Call)):
        if _name(call.func) in ("Phrase", "Unreadable") and all(isinstance(arg, ast.Dict) for arg in call.args[1:]):
            written = [
                k.value
                for arg in call.args[1:]
                if isinstance(arg, ast.Dict)
                for k in arg.keys
                if isinstance(k, ast.Constant)
            ]
            yield from ((key, set(written)) for arg in call.args[:1] for key in strings(arg))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_sentence_offers_to_say_is_understood(language: str) -> None:
    """Words that help quotes, and buttons and prompts that are sent as words, read as the command that they name."""
    said = catalogue(language)
    quoted = [phrase for key in ("help", "home_help") for phrase in QUOTED.findall(said[key])]
    offered = [said[key] for key in ("whats_missing", "person", "cancel", "restart", "undo", "help_me")]
    assert len(quoted) == 8
    assert all(read_command(phrase, language) for phrase in (*quoted, *offered))


def test_an_unknown_key_is_an_error_of_the_programmer() -> None:
    """A key that no language has raises KeyError, and so does a name that is not given."""
    with pytest.raises(KeyError):
        Phrasebook("en-GB").say("no_such_thing")
    with pytest.raises(KeyError):
        Phrasebook("en-GB").say("got_it")


def test_a_form_says_some_sentences_its_own_way() -> None:
    """A form's own sentence stands in place of the catalogue's."""
    words = Phrasebook("en-GB", {"next_received": "Compliance decides.", "state_odd": "Odd"})
    assert words.say("next_received") == "Compliance decides."
    assert words.say("state_odd") == "Odd"
    assert "state_even" not in words


@pytest.mark.parametrize(
    ("overrides", "problem"),
    [
        ({"gotit": "x"}, "says.gotit: there is no such sentence (did you mean `got_it`?)"),
        ({"zzqx": "x"}, "says.zzqx: there is no such sentence"),
        ({"got_it": "Got {this}"}, "says.got_it: cannot name {this}"),
    ],
)
def test_a_form_cannot_say_what_nobody_asks(overrides: dict[str, str], problem: str) -> None:
    """An own sentence under an unknown key, or with a name that is never filled in, is told and refused."""
    assert problems(overrides) == (problem,)
    with pytest.raises(ValueError, match=re.escape(problem)):
        Phrasebook("en-GB", overrides)


def test_a_form_may_say_a_label_in_either_case() -> None:
    """Where a sentence names a label, a form may use it as it stands or as it stands inside a sentence."""
    assert problems({"answered_locked": "{label}: {was} → {now}?"}) == ()


def test_arguments_are_filled_in_as_they_are() -> None:
    """Braces and attributes in an argument are words, not places to fill."""
    assert Phrasebook("en-GB").say("got_it", what="{done} {0.__class__}") == "Got it: {done} {0.__class__}."


@pytest.mark.parametrize(("language", "yes"), [("it-IT", "Sì"), ("es", "Sí"), ("en-GB", "Yes"), ("en_GB", "Yes")])
def test_the_form_s_language_chooses_the_words(language: str, yes: str) -> None:
    """A form's language names the catalogue."""
    assert Phrasebook(language).say("yes") == yes


@pytest.mark.parametrize("language", ["fr-FR", "", "english"])
def test_a_language_without_sentences_is_refused(language: str) -> None:
    """A language that there is no catalogue for is named when the words are asked for, and never answered in English."""
    with pytest.raises(ValueError, match=f'no sentences in "{language[:2] if "-" in language else language}"'):
        Phrasebook(language)
    assert problems({}, language)[0].startswith("language: there are no sentences")


def test_every_language_is_both_read_and_written() -> None:
    """Each language whose words are read has a catalogue of sentences, and the other way round."""
    assert set(LANGUAGES) == set(READ)
