"""What the loader says of a form that breaks a rule: one sentence, with the line to mend and what was probably meant."""

from pathlib import Path

import pytest

from tests.forms.form_cases import BASIC, FIELD, FLAG, HEAD, STAGES, problems, told_at

MACHINE = HEAD + FIELD + 'stage = "first"\n' + STAGES
PHASES = (
    "phases = true\n" + HEAD + FIELD + 'stage = "first"\n[stages.first]\nwords = ["go to first"]\n[stages.second]\n'
)
PLAIN = HEAD + FIELD
WORSE = '[fields.held]\nkind = "yes_no"\nlabel = "Held"\nask = "Held?"\nworse = true\n'
RULES = "rules = __import__('state.rules').rules.Rules({})\n"
FIELDS = {
    "unknown kind": ('[fields.a]\nkind = "acknowledgment" # <-\n' + BASIC, "must be one of acknowledgement, choice"),
    "unknown key": (f'[fields.a]\nkind = "text"\n{BASIC}lable = "x" # <-\n', "Did you mean `label`?"),
    "missing ask": ('[fields.a] # <-\nkind = "text"\nlabel = "A"\n', "`ask` is missing"),
    "bad name": (f'[fields.A] # <-\nkind = "text"\n{BASIC}', "small letters"),
    "wrong type": (f'[fields.a]\nkind = "text"\n{BASIC}words = "x" # <-\n', "must be a list"),
    "text for a flag": (f'[fields.a]\nkind = "text"\n{BASIC}required = "perhaps" # <-\n', "true or false"),
    "choice without choices": (f'[fields.a] # <-\nkind = "choice"\n{BASIC}', "needs `choices`"),
    "lookup without name": (f'[fields.a] # <-\nkind = "lookup"\n{BASIC}', "needs `lookup`"),
    "unlisted without fields": (
        f'[fields.a]\nkind = "lookup"\nlookup = "x"\n{BASIC}unlisted = "A" # <-\n', "name them in braces"),
    "unlisted on text": (f'[fields.a]\nkind = "text"\n{BASIC}unlisted = "{{a}}" # <-\n', "means nothing for the kind text"),
    "unlisted by no field": (
        f'[fields.a]\nkind = "lookup"\nlookup = "x"\n{BASIC}unlisted = "{{b}}" # <-\n', '"b" is no field of this form'),
    "unlisted by what is always asked": (
        f'[fields.a]\nkind = "lookup"\nlookup = "x"\n{BASIC}unlisted = "{{note}}"\n{FIELD.replace("]", "] # <-", 1)}', 'when = { a = "unlisted" }'),
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
    "every choice with a condition": (
        f'[fields.f]\n{FLAG}[fields.a]\nkind = "choice"\n{BASIC}choices = [{{ value = "x", label = "X", when = "f" }}] # <-\n',
        "Leave one without"),
    "a choice that hangs on nothing": (
        f'[fields.a]\nkind = "choice"\n{BASIC}choices = ["y", {{ value = "x", label = "X", when = "f" }}] # <-\n',
        'The condition names "f"'),
    "a choice that hangs on what comes later": (
        f'[fields.a]\nkind = "choice"\n{BASIC}choices = ["y", {{ value = "x", label = "X", when = "f" }}]\n[fields.f]\n{FLAG}',
        "is asked after this field"),
    "too long a text": (f'[fields.a]\nkind = "text"\n{BASIC}max_length = 5000 # <-\n', "3000 or less"),
    "money without currency": (f'[fields.a] # <-\nkind = "money"\n{BASIC}', "needs a currency"),
    "unknown currency": (f'[fields.a]\nkind = "money"\n{BASIC}currency = "XQZ" # <-\n', "no ISO 4217 code"),
    "template of a later field": (
        f'[fields.a]\nkind = "text"\nlabel = "A"\nask = "About {{note}}?" # <-\n{FIELD}', "asked after this one"),
    "broken brace": ('[fields.a]\nkind = "text"\nlabel = "A"\nask = "Is it {?" # <-\n', "A brace must hold"),
    "template in help": (f'{FIELD}[fields.a]\nkind = "text"\n{BASIC}help = "About {{note}}." # <-\n', "shown as it is written"),
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
    "about itself": (f'[fields.a]\n{FLAG}about = ["a"] # <-\n', "is about itself"),
    "same label": (f'{FIELD}[fields.a]\nkind = "text"\nlabel = "note" # <-\nask = "A?"\n', "said of `note` already"),
    "same word of two flags": (
        f'[fields.a]\n{FLAG}words = ["so"]\n[fields.b]\nkind = "yes_no"\nlabel = "B"\nask = "B?"\nwords = ["So"] # <-\n',
        "Two yes/no questions"),
    "tool with a digit": (f'[fields.a1] # <-\nkind = "text"\n{BASIC}', "small letters and underscores"),
    "reserved tool": (f'[fields.a]\nkind = "text"\n{BASIC}tool = "correct" # <-\n', "every form has"),
    "tool named as a field": (f'{FIELD}[fields.a]\nkind = "text"\n{BASIC}tool = "note"\n', "also a field by itself"),
}  # fmt: skip
FORMS = {
    "missing title": (HEAD.replace('title = "Small"\n', "") + FIELD, "`title` is missing"),
    "bad prefix": (HEAD.replace('"SM"', '"small" # <-') + FIELD, "two to six capital letters"),
    "bad command": ('command = "pa dealing" # <-\n' + HEAD + FIELD, "must be a slash"),
    "our command": ('command = "/holdfast" # <-\n' + HEAD + FIELD, "serves every form"),
    "unknown key at the top": ('colour = "red" # <-\n' + HEAD + FIELD, "`colour` is not known here"),
    "unknown language": ('language = "xx-YY" # <-\n' + HEAD + FIELD, "no known language"),
    "broken language": ('language = "english please" # <-\n' + HEAD + FIELD, "no known language"),
    "unknown currency of the form": ('currency_hint = "QQQ" # <-\n' + HEAD + FIELD, "no ISO 4217 code"),
    "long title": (HEAD.replace("Small", "x" * 76).replace("\nversion", " # <-\nversion") + FIELD, "at most 75"),
    "another name": ('name = "other" # <-\n' + HEAD + FIELD, "The folder is called"),
    "a tool's own name twice": ('escalate = "a_person" # <-\ncancel = "a_person"\n' + HEAD + FIELD, "need names of their own"),
    "a tool's name taken": ('cancel = "correct" # <-\n' + HEAD + FIELD, "a tool that every form has"),
    "a tool's name unfit": ('finalize = "send it" # <-\n' + HEAD + FIELD, "Choose another name"),
    "nothing to ask": (HEAD, "needs a field or an operation"),
    "unreached stage": (MACHINE + "[stages.island] # <-\nfinal = true\n", "Nothing leads to the stage `island`"),
    "dead end": (MACHINE.replace("[stages.last]\nfinal = true", "[stages.last] # <-"), "dead end"),
    "final with ways": (MACHINE + 'transitions = [{ to = "first" }]\n', "is final and has transitions"),
    "no ending": (
        MACHINE.replace("[stages.last]\nfinal = true", '[stages.last] # <-\ntransitions = [{ to = "first" }]'),
        "From `last` no final stage"),
    "code-only without a sure way": (
        MACHINE.replace("final = true", 'final = true\n[stages.match] # <-\ncode_only = true\ntransitions = [{ to = "last", '
                       'when = { note = "x" } }]').replace('{ to = "last" }', '{ to = "match" }', 1), "may have no way out"),
    "code-only with fields": (
        MACHINE.replace("[stages.first]", "[stages.first]\ncode_only = true # <-"), "has fields to ask"),
    "decided but not code-only": (MACHINE.replace("[stages.first]", '[stages.first]\ndecide = "f" # <-'), "code-only stage"),
    "never open": (
        MACHINE.replace('[{ to = "last" }]', '[{ to = "last" }, { on = "x", to = "last", at_most = 0 }] # <-'), "more than 0"),
    "condition of a transition": (
        MACHINE.replace('{ to = "last" }', '{ to = "last" }, { on = "x", to = "last", when = "gone" }'), '"gone"'),
    "variant twice": (
        MACHINE.replace("[stages.last]", '[stages.first_a]\nfinal = true\n[stages.last]').replace(
            "[stages.first]", '[stages.first]\nvariants = ["a"] # <-'), "is a stage or a variant already"),
    "anywhere without stages": ('anywhere = [{ on = "x", to = "y" }] # <-\n' + HEAD + FIELD, "needs stages to leave"),
    "operation's field in a stage": (
        HEAD + '[operations.add]\ntitle = "Add"\n[operations.add.fields.item]\nkind = "text"\nlabel = "Item"\nask = "?"\n'
        'stage = "s" # <-\n', "has no stage"),
    "operation's condition": (
        HEAD + '[operations.add]\ntitle = "Add"\n[operations.add.fields.item]\nkind = "text"\nlabel = "Item"\nask = "?"\n'
        'when = "other" # <-\n', "no field of this form"),
    "operation without title": (HEAD + '[operations.add]\ntitle = "" # <-\n', "1 or more characters"),
    "reserved operation": (HEAD + '[operations.disclose] # <-\ntitle = "Disclose"\n', "every form has"),
    "operation named as a setter": (HEAD + FIELD + '[operations.set_note] # <-\ntitle = "Note"\n', "has already"),
    "command without words": (HEAD + FIELD + '[commands.c]\nlabel = "C"\nsays = [] # <-\n', "1 or more entries"),
    "command that takes everything": (HEAD + FIELD + '[commands.c]\nlabel = "C"\nsays = ["{rest}"] # <-\n', "words of its own"),
    "command with two rests": (HEAD + FIELD + '[commands.c]\nlabel = "C"\nsays = ["a {rest} {rest}"] # <-\n', "at most one"),
    "commands with the same words": (
        HEAD + FIELD + '[commands.c]\nlabel = "C"\nsays = ["go"]\n[commands.d]\nlabel = "D"\nsays = ["Go"] # <-\n',
        "Two commands cannot share"),
    "not TOML": (HEAD + "[fields.a\n", "This is not TOML"),
    "given twice": (HEAD + FIELD + FIELD.replace("[fields.note]", "[fields.note] # <-"), "This is not TOML"),
    "reminder without a rhythm": (PLAIN + '[persona]\nreminder = "Ask." # <-\n', "needs `reminder` and `remind_every`"),
    "rhythm without a reminder": (PLAIN + "[persona]\nremind_every = 5 # <-\n", "needs `reminder` and `remind_every`"),
    "long reminder": (PLAIN + f'[persona]\nreminder = "{"x" * 601}" # <-\nremind_every = 5\n', "at most 600"),
    "one opening twice": (PLAIN + '[persona]\nshape = ["a", "a"] # <-\n', "openings that differ"),
    "names that nobody finds": (PLAIN + '[persona]\nnot_first = ["tools"] # <-\n', 'no "tools" among its names'),
    "unknown key of a persona": (PLAIN + '[persona]\nforbiden = ["you should"] # <-\n', "Did you mean `forbidden`?"),
    "consent beside a worse answer": ('consent = ["yes"] # <-\n' + PLAIN + WORSE, "by a click alone"),
    "phases without stages": ("phases = true # <-\n" + PLAIN, "`phases` needs stages"),
    "phases with ways": (
        PHASES.replace("true", "true # <-") + 'transitions = [{ to = "first" }]\n', "Phases follow from what is told"),
    "words of a stage that is no phase": (
        PLAIN + '[stages.first]\nwords = ["go"] # <-\nfinal = true\n', "Only phases are gone to by words"),
}  # fmt: skip
MEANT = {
    "yesno": (f'[fields.a]\nkind = "yesno" # <-\n{BASIC}', "`yes_no`"),
    "Yes-No": (f'[fields.a]\nkind = "Yes-No" # <-\n{BASIC}', "`yes_no`"),
    "a lock": (f'[fields.a]\nkind = "text"\n{BASIC}lock = "answerd" # <-\n', "`answered`"),
    "a key of the top": ('titel = "x" # <-\n' + FIELD, "`title`"),
    "a table": ('[feilds.a] # <-\nkind = "text"\n' + BASIC, "`fields`"),
    "one field": ('[field.a] # <-\nkind = "text"\n' + BASIC, "`fields`"),
    "a key of the top below a table": (FIELD + 'statement = "x" # <-\n', "top of the file"),
    "a field's key at the top": ('ask = "x" # <-\n' + FIELD, "It belongs to `fields`"),
    "a key of a transition": (FIELD + STAGES.replace("to =", "too =").replace("}]", "}] # <-"), "`to`"),
    "a key of a choice": ('[fields.a]\nkind = "choice"\n' + BASIC + 'choices = [{ valeu = "x", label = "X" }] # <-\n', "`value`"),
    "a condition": (f'[fields.flag]\n{FLAG}[fields.a]\nkind = "text"\n{BASIC}when = "falg" # <-\n', "`flag`"),
    "a condition's key": (f'[fields.flag]\n{FLAG}[fields.a]\nkind = "text"\n{BASIC}when = {{ anny = ["flag"] }} # <-\n', "`any`"),
    "a nested condition": (f'[fields.flag]\n{FLAG}[fields.a]\nkind = "text"\n{BASIC}when = {{ none = ["flg"] }} # <-\n', "`flag`"),
    "about": (f'{FIELD}[fields.a]\n{FLAG}about = ["notes"] # <-\n', "`note`"),
    "a template": (f'{FIELD}[fields.a]\nkind = "text"\nlabel = "A"\nask = "Why {{noet}}?" # <-\n', "`note`"),
    "a document": (
        f'[fields.payslip]\nkind = "document"\nlabel = "P"\nask = "?"\n[fields.a]\nkind = "integer"\n{BASIC}from_documents = ["payslips"] # <-\n',
        "`payslip`"),
    "a field's stage": (FIELD + 'stage = "frist" # <-\n' + STAGES, "`first`"),
    "a target": (FIELD + STAGES.replace('"last" }]', '"lats" }] # <-'), "`last`"),
    "a stage's operation": (
        FIELD + STAGES.replace("[stages.first]", '[stages.first]\noperations = ["ad"] # <-') + '[operations.add]\ntitle = "Add"\n', "`add`"),
    "a group": (FIELD + 'repeat = "trips" # <-\n[repeats.trip]\nmost = 2\n', "`trip`"),
    "a group's gate": (FIELD + f'repeat = "trip"\n[fields.again]\n{FLAG}repeat = "trip"\n[repeats.trip]\nmost = 2\nmore = "agian" # <-\n', "`again`"),
    "why a person is called": (
        FIELD + '[says]\nwhy_unsuported = "x" # <-\n' + STAGES.replace('"last" }]', '"last" }, { on = "unsupported", to = "last", label = "X" }]'),
        "`unsupported`"),
    "a dialect": ('dialect = "tool" # <-\n' + FIELD, "`tools`"),
    "what a document is known by": (
        '[fields.net]\nkind = "integer"\nlabel = "N"\nask = "?"\nfrom_documents = ["a"]\n'
        f'[fields.a]\nkind = "document"\n{BASIC}known_by = {{ fields = ["nett"] }} # <-\n', "`net`"),
    "a key of a paper": (f'{FIELD}[papers.p]\nlabel = "P"\nknown_bi = ["x y"] # <-\n', "`known_by`"),
    "a file's kind": (f'[fields.a]\nkind = "document"\n{BASIC}accept = ["images"] # <-\n', "`image`"),
}  # fmt: skip
"""A wrong name, of whatever thing, comes with the one that was meant."""
SHAPES = {
    "an expression": (f'{FIELD}[fields.a]\nkind = "text"\n{BASIC}when = "note == \'x\'" # <-\n', "or its values: {"),
    "a list of conditions": (f'{FIELD}[fields.a]\nkind = "text"\n{BASIC}when = ["note"] # <-\n', "Write a field's name"),
    "any_of in a condition": (f'{FIELD}[fields.a]\nkind = "text"\n{BASIC}when = {{ any_of = ["note"] }} # <-\n', "`any`"),
    "fields in a list": ('fields = ["a"] # <-\n', "[fields.first_day]"),
    "rules at the top": (FIELD + '[[rules]] # <-\nstate = "received"\n', "It belongs to `filing`"),
    "filing as a list": (FIELD + '[[filing]] # <-\nstate = "received"\n', "[[filing.rules]]"),
    "a bound without its field": (FIELD + '[[filing.rules]]\nstate = "received"\nabove = 100 # <-\n', "with the field that is meant"),
}  # fmt: skip
"""A table or a list that is filled in otherwise comes with how it is written."""
CASES = FIELDS | FORMS | MEANT | SHAPES


def test_no_case_has_the_name_of_another() -> None:
    """Each of the cases is played."""
    assert len(CASES) == len(FIELDS) + len(FORMS) + len(MEANT) + len(SHAPES)


@pytest.mark.parametrize("case", CASES)
def test_a_broken_form_is_told_with_its_line(tmp_path: Path, case: str) -> None:
    """A form that breaks a rule is refused with one sentence, at the line to mend."""
    text, says = CASES[case]
    form = text if HEAD[14:] in text or "prefix" in text else HEAD + text
    named = 'commands={"c": lambda rest, facts: ()}' if "[commands.c]" in text else ""
    made = RULES.format('operations={"add": None}' if "[operations.add]" in text else named)
    told_at(tmp_path / "small", form, says, rules_py=made)


def test_a_whole_form_has_no_problems(tmp_path: Path) -> None:
    """The form that the cases above break in one place each is itself without fault."""
    assert problems(tmp_path / "small", MACHINE) == ()


def test_a_problem_is_written_as_compilers_write_it(tmp_path: Path) -> None:
    """A problem names folder and file, line and sentence."""
    (problem,) = problems(tmp_path / "small", HEAD)
    assert str(problem) == "small/form.toml:1: A form needs a field or an operation. Add a table like [fields.reason]."


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


def test_a_persona_of_more_than_two_hundred_lines_is_refused(tmp_path: Path) -> None:
    """A prompt that is too long is told with the first line too many."""
    found = problems(tmp_path / "small", PLAIN, prompt_md="Be kind.\n" * 201)
    assert [(p.file.name, p.line) for p in found] == [("prompt.md", 201)]
    assert problems(tmp_path / "small", PLAIN, prompt_md="Be kind.\n" * 200) == ()
