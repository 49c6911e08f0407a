"""Each language is whole, is found by its file, and none stands in for another."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import MISSING, fields, replace
from pathlib import Path

import pytest

from state.language import LANGUAGES, Language, UnknownLanguage, babel_locale, find_languages, language_of
from state.language.language import IncompleteLanguage
from state.language.tokens import tokens
from state.understanding.commands import SpokenCommand, read_command

ROOT = Path(__file__).parents[2]
EVERY = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
CHANGES = {
    'code = "en"': 'code = "eo"', 'example = "en-GB"': 'example = "eo"', 'yes_label = "Yes"': 'yes_label = "Jes"', '"yep"': '"jes"', '"nope"': '"ne"',
    "two = 2": "tri = 3", "tomorrow = 1": '"morgaŭ" = 1', '"cancel"': '"nuligu"',
}  # fmt: skip
FORM = """
name = "demando"
title = "Demando"
version = "1"
prefix = "DEM"
language = "eo"

[fields.own]
kind = "yes_no"
label = "Propra"
ask = "Ĉu propra?"

[fields.count]
kind = "integer"
label = "Nombro"
ask = "Kiom?"

[fields.day]
kind = "date"
label = "Tago"
ask = "Kiam?"
"""


def test_a_language_is_added_by_one_file_in_each_package(tmp_path: Path) -> None:
    """With a file of its words and a file of its sentences, a new language is read and shown; nothing else is edited."""
    for package in ("state", "blocks"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    made_up = (ROOT / "state/language/en.toml").read_text("utf-8")
    for said, other in CHANGES.items():
        assert said in made_up
        made_up = made_up.replace(said, other, 1)
    (tmp_path / "state/language/eo.toml").write_text(re.sub(r'(?m)^(my_data|erase) = "/.*\n', "", made_up), "utf-8")
    english = (ROOT / "blocks/phrases/en.toml").read_text("utf-8")
    (tmp_path / "blocks/phrases/eo.toml").write_text(english.replace('yes = "Yes"', 'yes = "Jes"'), "utf-8")
    (tmp_path / "demando").mkdir()
    (tmp_path / "demando/form.toml").write_text(FORM, "utf-8")
    script = str(Path(__file__).with_name("speaking.py"))
    ran = subprocess.run(  # noqa: S603  our own script
        [sys.executable, "-P", script, "eo", str(tmp_path / "demando")],
        env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr.decode()
    answers = {"own": True, "count": 3, "day": "2026-11-21"}
    assert json.loads(ran.stdout) == {"answers": answers, "order": "cancel", "said": "Jes"}


@pytest.mark.parametrize("locale", ["fr-FR", "eo", "", "english please", "??"])
def test_no_language_stands_in_for_another(locale: str) -> None:
    """A locale in a language that there is no file for is refused, words and formats alike."""
    with pytest.raises(UnknownLanguage, match="no known language"):
        language_of(locale)
    with pytest.raises(UnknownLanguage, match=r'Write one like ("..-..",? )+or "..-.."'):
        babel_locale(locale)


@EVERY
def test_a_language_that_leaves_something_out_does_not_load(language: Language) -> None:
    """Every entry that has no default must be filled in, and the refusal names the one that is not."""
    assert language_of(language.example) is language
    needed = [f.name for f in fields(language) if f.default is MISSING and f.default_factory is MISSING]
    words = [name for name in needed if isinstance(getattr(language, name), tuple)]
    assert len(words) > 30
    for name in words:
        with pytest.raises(IncompleteLanguage, match=rf"'{language.code}' leaves {name} empty"):
            replace(language, **{name: ()})
    with pytest.raises(IncompleteLanguage, match="Asking leaves words, verbs empty"):
        replace(language.asking, words=(), verbs=())


def test_a_point_after_an_ordinal_ends_no_sentence() -> None:
    """Where ordinals are written with a point, it parts nothing; behind a longer number, or elsewhere, it ends a sentence."""
    ordinals = replace(LANGUAGES["en"], ordinal_point=True)
    for language, stops in ((ordinals, [0, 0, 2]), (LANGUAGES["en"], [0, 2, 2])):
        assert [token.stop for token in tokens("3. May. Thanks", language)] == stops
    assert [token.stop for token in tokens("200. May", ordinals)] == [0, 2]


@EVERY
def test_every_order_can_be_given_in_every_language(language: Language) -> None:
    """Each language has words for every command, and they are read as it."""
    assert set(language.commands.orders) == set(SpokenCommand)
    for order, phrases in language.commands.orders.items():
        assert {read_command(phrase, language.example) for phrase in phrases} == {order}


def test_a_file_holds_the_language_that_its_name_says(tmp_path: Path) -> None:
    """A copied file whose code was not changed, or that holds an entry that means nothing, is found out when languages are listed."""
    italian = (ROOT / "state/language/it.toml").read_text("utf-8")
    (tmp_path / "xx.toml").write_text(italian, "utf-8")
    with pytest.raises(IncompleteLanguage, match=r"xx.toml holds the language 'it'"):
        find_languages(tmp_path)
    (tmp_path / "xx.toml").write_text(f"strange = 1\n{italian}", "utf-8")
    with pytest.raises(IncompleteLanguage, match=r"xx.toml: strange is no entry of Language"):
        find_languages(tmp_path)
