"""What the loader says of fields: each rule has a form that breaks it, with the line to mend marked."""

from pathlib import Path

import pytest

from tests.forms.form_cases import FIELD, HEAD, MARK, marked, problems

FLAG = 'kind = "yes_no"\nlabel = "Flag"\nask = "Is it so?"\n'
BASIC = 'label = "A"\nask = "A?"\n'

CASES = {
    "unknown kind": ('[fields.a]\nkind = "acknowledgment" # <-\n' + BASIC, "must be one of acknowledgement, choice"),
    "slip in a kind": ('[fields.a]\nkind = "texty" # <-\n' + BASIC, "Did you mean `text`?"),
    "unknown key": (f'[fields.a]\nkind = "text"\n{BASIC}lable = "x" # <-\n', "Did you mean `label`?"),
    "missing ask": ('[fields.a] # <-\nkind = "text"\nlabel = "A"\n', "`ask` is missing"),
    "bad name": (f'[fields.A] # <-\nkind = "text"\n{BASIC}', "small letters"),
    "wrong type": (f'[fields.a]\nkind = "text"\n{BASIC}words = "x" # <-\n', "must be a list"),
    "text for a flag": (f'[fields.a]\nkind = "text"\n{BASIC}required = "perhaps" # <-\n', "true or false"),
    "choice without choices": (f'[fields.a] # <-\nkind = "choice"\n{BASIC}', "needs `choices`"),
    "lookup without name": (f'[fields.a] # <-\nkind = "lookup"\n{BASIC}', "needs `lookup`"),
    "identifier without scheme": (f'[fields.a] # <-\nkind = "identifier"\n{BASIC}', "needs `scheme`"),
    "unknown scheme": (f'[fields.a]\nkind = "identifier"\n{BASIC}scheme = ["isbn"] # <-\n', "no known scheme"),
    "choices on text": (f'[fields.a]\nkind = "text"\n{BASIC}choices = ["x"] # <-\n', "means nothing for the kind text"),
    "two acknowledgements": (
        f'[fields.a]\nkind = "acknowledgement"\n{BASIC}choices = ["x", "y"] # <-\n', "one button"),
    "lock good without grade": (f'[fields.a]\nkind = "text"\n{BASIC}lock = "good" # <-\n', "needs `grade`"),
    "lock confirmed without lookup": (f'[fields.a]\nkind = "text"\n{BASIC}lock = "confirmed" # <-\n', "needs `lookup`"),
    "disclosure without worse": (f'[fields.a]\n{FLAG}disclosure = ["tip"] # <-\n', "needs `worse`"),
    "worse of another kind": (f'[fields.a]\n{FLAG}worse = "yes" # <-\n', "must be true or false"),
    "worse is no choice": (
        f'[fields.a]\nkind = "choice"\n{BASIC}choices = ["x"]\nworse = "y" # <-\n', "one of its choices: x"),
    "default of another kind": (f'[fields.a]\nkind = "integer"\n{BASIC}default = "1" # <-\n', "whole number"),
    "default date": (f'[fields.a]\nkind = "date"\n{BASIC}default = "1.3.2026" # <-\n', "2026-11-20"),
    "default amount": (f'[fields.a]\nkind = "money"\n{BASIC}currency = "GBP"\ndefault = "1,5" # <-\n', "12.50"),
    "default time": (f'[fields.a]\nkind = "time"\n{BASIC}default = "9h" # <-\n', "14:30"),
    "turned limits": (f'[fields.a]\nkind = "integer"\n{BASIC}minimum = 5 # <-\nmaximum = 4\n', "above `maximum`"),
    "limits on text": (f'[fields.a]\nkind = "text"\n{BASIC}minimum = 5 # <-\n', "means nothing"),
    "long label": (f'[fields.a]\nkind = "text"\nlabel = "{"x" * 76}" # <-\nask = "A?"\n', "at most 75"),
    "empty question": ('[fields.a]\nkind = "text"\nlabel = "A"\nask = "" # <-\n', "1 or more characters"),
    "long choice": (
        f'[fields.a]\nkind = "choice"\n{BASIC}choices = [\n  "x",\n  "{"y" * 76}", # <-\n]\n', "at most 75"),
    "same choice twice": (f'[fields.a]\nkind = "choice"\n{BASIC}choices = ["x", "X"] # <-\n', "Two choices answer"),
    "too long a text": (f'[fields.a]\nkind = "text"\n{BASIC}max_length = 5000 # <-\n', "3000 or less"),
    "money without currency": (f'[fields.a] # <-\nkind = "money"\n{BASIC}', "needs a currency"),
    "unknown currency": (f'[fields.a]\nkind = "money"\n{BASIC}currency = "XQZ" # <-\n', "no ISO 4217 code"),
    "template of no field": ('[fields.a]\nkind = "text"\nlabel = "A"\nask = "About {b}?" # <-\n', "{b} is no field"),
    "template of a later field": (
        f'[fields.a]\nkind = "text"\nlabel = "A"\nask = "About {{note}}?" # <-\n{FIELD}', "asked after this one"),
    "broken brace": ('[fields.a]\nkind = "text"\nlabel = "A"\nask = "Is it {?" # <-\n', "A brace must hold"),
    "template in help": (f'{FIELD}[fields.a]\nkind = "text"\n{BASIC}help = "About {{note}}." # <-\n', "shown as it is written"),
    "condition on no field": (f'[fields.a]\nkind = "text"\n{BASIC}when = "b" # <-\n', "no field of this form"),
    "condition on no value": (
        f'[fields.b]\n{FLAG}[fields.a]\nkind = "text"\n{BASIC}when = {{ b = "yes" }} # <-\n', "compares `b` with 'yes'"),
    "condition on nothing": (
        f'[fields.b]\n{FLAG}[fields.a]\nkind = "text"\n{BASIC}when = {{ b = [] }} # <-\n', "1 or more entries"),
    "nested condition": (
        f'[fields.b]\n{FLAG}[fields.a]\nkind = "text"\n{BASIC}when = {{ any = [{{ b = true }}, {{ c = true }}] }} # <-\n', '"c"'),
    "circle of one": (f'[fields.a]\n{FLAG}when = "a" # <-\n', "hangs on its own answer"),
    "circle of two": (
        f'[fields.a]\n{FLAG}when = "b" # <-\n[fields.b]\nkind = "yes_no"\nlabel = "B"\nask = "B?"\nwhen = "a"\n',
        "`a` hangs on its own answer"),
    "about no field": (f'[fields.a]\n{FLAG}about = ["b"] # <-\n', "no field of this form"),
    "about itself": (f'[fields.a]\n{FLAG}about = ["a"] # <-\n', "is about itself"),
    "stage of none": (f'[fields.a]\n{FLAG}stage = "s" # <-\n', "no stage"),
    "same label": (f'{FIELD}[fields.a]\nkind = "text"\nlabel = "note" # <-\nask = "A?"\n', "said of `note` already"),
    "same word of two flags": (
        f'[fields.a]\n{FLAG}words = ["so"]\n[fields.b]\nkind = "yes_no"\nlabel = "B"\nask = "B?"\nwords = ["So"] # <-\n',
        "Two yes/no questions"),
    "tool with a digit": (f'[fields.a1] # <-\nkind = "text"\n{BASIC}', "small letters and underscores"),
    "reserved tool": (f'[fields.a]\nkind = "text"\n{BASIC}tool = "correct" # <-\n', "every form has"),
    "tool named as a field": (f'{FIELD}[fields.a]\nkind = "text"\n{BASIC}tool = "note"\n', "also a field by itself"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_broken_field_is_told_with_its_line(tmp_path: Path, case: str) -> None:
    """A field that breaks a rule is refused with one sentence, at the line to mend."""
    text, says = CASES[case]
    form = HEAD + text
    found = problems(tmp_path / "small", form)
    told = [p for p in found if says in p.text]
    assert told, [str(p) for p in found]
    assert MARK not in form or told[0].line == marked(form), str(told[0])


def test_a_word_may_name_fields_of_other_kinds(tmp_path: Path) -> None:
    """Words are told apart between yes/no questions only, where a bare word could answer either."""
    text = f'{FIELD}words = ["so"]\n[fields.a]\n{FLAG}words = ["so"]\n'
    assert problems(tmp_path / "small", HEAD + text) == ()


def test_everything_wrong_is_told_at_once(tmp_path: Path) -> None:
    """Problems of shape and of sense, in the form and in its scenarios, come in one list in the order of their lines."""
    form = (
        HEAD + '[fields.a]\nkind = "text"\nlabel = "A"\n[fields.b]\nkind = "choice"\nlabel = "B"\nask = "About {c}?"\n'
    )
    found = problems(tmp_path / "small", form, scenarios__one_toml='title = "x"\nsteps = [{ }]\n')
    assert [(p.file.name, p.line) for p in found] == [
        ("form.toml", 4),
        ("form.toml", 7),
        ("form.toml", 10),
        ("one.toml", 2),
    ]
