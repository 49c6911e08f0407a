"""A form in a further language: a file of texts over the same fields, rules and records."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from blocks.phrases import problems as sentences
from state.advance import begin
from state.draft.draft import Draft
from state.form.field import Choice, Field
from state.form.filing import FilingRule, RecordState
from state.form.schema import Command, Form, QuestionGroup, Retain, Stage, Transition
from state.form.source import FormError
from state.workflow.languages import FIELD, FILING, FORM, WAY
from state.workflow.load import Workflow, load_all, load_folder
from tests.forms.filing_cases import GIFTS
from tests.forms.form_cases import MARK, examples, load, marked, write
from tests.new import test_first_form as tutorial

BASE = """title = "Small"
version = "1"
prefix = "SM"
words = ["small form"]
[says]
next_seen = "Nothing more."
[fields.size]
kind = "choice"
label = "Size"
ask = "Which size?"
help = "Of the whole."
choices = ["s", { value = "l", label = "Large", words = ["big"] }]
words = ["size"]
[fields.risk]
kind = "yes_no"
label = "Risk"
ask = "Is there a risk for {size}?"
worse = true
disclosure = ["it is risky"]
[filing.states]
seen = "Seen"
[[filing.rules]]
id = "risky"
state = "seen"
risk = true
reason = "A risk."
[[filing.rules]]
state = "seen"
otherwise = true
"""
ITALIAN = """title = "Piccolo"
words = ["modulo piccolo"]
[says]
next_seen = "Nient'altro."
[fields.size]
label = "Taglia"
ask = "Che taglia?"
help = "Del tutto."
choices = [{ value = "s", label = "Piccola" }, { value = "l", label = "Grande", words = ["grossa"] }]
words = ["taglia"]
[fields.risk]
label = "Rischio"
ask = "C'è un rischio per {size}?"
disclosure = ["è rischioso"]
[filing.states.seen]
label = "Visto"
[[filing.rules]]
id = "risky"
told = "C'è un rischio."
"""
FILE = "form.it-IT.toml"


def small(tmp_path: Path, italian: str = ITALIAN, base: str = BASE, **files: str) -> Workflow:
    """The form in two languages."""
    return load(tmp_path / "small", base, **{"form.it-IT_toml": italian, **files})


def problems_of(tmp_path: Path, italian: str = ITALIAN, base: str = BASE, **files: str) -> list[tuple[str, int, str]]:
    """What is wrong: file, line and sentence of each."""
    try:
        small(tmp_path, italian, base, **files)
    except FormError as error:
        return [(p.file.name, p.line, p.text) for p in error.problems]
    return []


def test_a_language_says_the_texts_and_shares_the_rest(tmp_path: Path) -> None:
    """Labels, questions and words are the language's; fields, values, locks, conditions and states are the form's."""
    workflow = small(tmp_path)
    italian, form = workflow.languages["it-IT"], workflow.form
    assert (italian.title, italian.language, italian.fields["size"].ask) == ("Piccolo", "it-IT", "Che taglia?")
    assert [(c.value, c.label) for c in italian.fields["size"].choices] == [("s", "Piccola"), ("l", "Grande")]
    assert [f.model_dump(include={"name", "kind", "lock", "worse"}) for f in italian.fields.values()] == [
        f.model_dump(include={"name", "kind", "lock", "worse"}) for f in form.fields.values()
    ]
    assert italian.says == {"next_seen": "Nient'altro.", "state_seen": "Visto"}
    assert italian.prefix == form.prefix and italian.house is form


def test_a_disclosure_is_heard_in_both(tmp_path: Path) -> None:
    """What must never be missed is heard in the form's own language too."""
    assert small(tmp_path).languages["it-IT"].fields["risk"].disclosure == ("è rischioso", "it is risky")


def test_reasons_stay_in_the_houses_language(tmp_path: Path) -> None:
    """Reviewers read the form's own sentence, the person the one of their language."""
    rule = small(tmp_path).languages["it-IT"].filing.rules[0]
    assert (rule.reason, rule.told) == ("A risk.", "C'è un rischio.")


@pytest.mark.parametrize(
    ("locale", "language"),
    [("it-IT", "it-IT"), ("it", "it-IT"), ("it_CH", "it-IT"), ("en-US", "en-GB"), ("fr-FR", "en-GB"), ("", "en-GB")],
)
def test_people_get_the_nearest_language(tmp_path: Path, locale: str, language: str) -> None:
    """The person's setting chooses by its language; where there is none of it, the form's own is spoken."""
    assert small(tmp_path).spoken_in(locale).language == language


def test_a_draft_keeps_its_language(tmp_path: Path) -> None:
    """A draft begun in Italian is in Italian, one begun in the form's own is so, and one whose language is gone falls back."""
    workflow = small(tmp_path)
    begun: list[Draft] = [
        begin(form, "d", "T1", "U1", "c", "2026-11-20T12:00:00+00:00")
        for form in (workflow.languages["it-IT"], workflow.form)
    ]
    assert [draft.language for draft in begun] == ["it-IT", ""]
    assert [workflow.form_of(draft).language for draft in begun] == ["it-IT", "en-GB"]
    assert load(tmp_path / "other" / "small", BASE).form_of(begun[0]).language == "en-GB"


def test_people_of_all_languages_find_the_form(tmp_path: Path) -> None:
    """The form answers to the words of every language, whichever it is shown in."""
    workflow = small(tmp_path)
    assert workflow.form.words == ("small form", "modulo piccolo")
    assert workflow.languages["it-IT"].words == ("modulo piccolo", "small form")


def test_a_company_adds_a_language_to_a_shipped_form(tmp_path: Path) -> None:
    """A file of texts in a company's own folder of the form's name is one more language of it."""
    write(tmp_path / "shipped" / "small", BASE)
    (tmp_path / "ours" / "small").mkdir(parents=True)
    (tmp_path / "ours" / "small" / FILE).write_text(ITALIAN, encoding="utf-8")
    assert list(load_all([tmp_path / "shipped", tmp_path / "ours"])["small"].languages) == ["it-IT"]


MISSING = {
    "a question": ('ask = "Che taglia?"\n', "`ask` of `fields.size`"),
    "a label": ('label = "Rischio"\n', "`label` of `fields.risk`"),
    "a help": ('help = "Del tutto."\n', "`help` of `fields.size`"),
    "the title": ('title = "Piccolo"\n', "`title` of the form"),
    "a choice": ('{ value = "s", label = "Piccola" }, ', "`label` of `fields.size.choices.s`"),
    "a state": ('[filing.states.seen]\nlabel = "Visto"\n', "`label` of `filing.states.seen`"),
    "a sentence": ('next_seen = "Nient\'altro."\n', "`next_seen` is said by form.toml"),
    "what a rule tells": ('told = "C\'è un rischio."\n', "`told` of `filing.rules"),
}


@pytest.mark.parametrize("case", MISSING)
def test_what_is_not_said_again_is_refused(tmp_path: Path, case: str) -> None:
    """Everything that people read is said in every language, or the form does not load."""
    text, says = MISSING[case]
    assert text in ITALIAN
    found = problems_of(tmp_path, ITALIAN.replace(text, ""))
    assert [file for file, _, told in found if says in told] == [FILE], found


WRONG = {
    "a key that is no text": ('label = "Taglia"', 'kind = "text" # <-\nlabel = "Taglia"', "no text that a language says"),
    "a slip in a key": ('help = "Del tutto."', 'hlep = "x" # <-\nhelp = "Del tutto."', "Did you mean `help`?"),
    "a field that is none": ("[fields.risk]", '[fields.rsk] # <-\nlabel = "R"\n[fields.risk]', "Did you mean `risk`?"),
    "a choice that is none": ('choices = [{ value = "s"', 'choices = [{ value = "xl", label = "X" }, # <-\n{ value = "s"', "Correct it."),
    "a rule that is none": ('[[filing.rules]]\n', '[[filing.rules]] # <-\nid = "rsky"\ntold = "x"\n[[filing.rules]]\n', "Did you mean `risky`?"),
    "a name in a question": ("per {size}?", "per {siez}?", "{siez} is no field"),
    "a sentence that is none": ("[says]", '[says]\nnext_sen = "x" # <-', "Did you mean `seen`?"),
    "another type": ('words = ["taglia"]', 'words = "taglia" # <-', "must be a list"),
    "no table": ('choices = [{ value = "s", label = "Piccola" }', 'choices = ["s"', "Write { value"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_broken_language_is_told_with_its_line(tmp_path: Path, case: str) -> None:
    """What a language says of what there is not is refused at the line of its own file, with what was meant."""
    old, new, says = WRONG[case]
    italian = ITALIAN.replace(old, new, 1)
    assert italian != ITALIAN
    found = problems_of(tmp_path, italian)
    told = [(file, line) for file, line, text in found if says in text]
    assert told and told[0][0] == FILE, found
    assert MARK not in italian or told[0][1] == marked(italian), found


def test_a_rule_that_speaks_needs_an_id(tmp_path: Path) -> None:
    """A rule whose sentence cannot be named in another language is told at its own line of form.toml."""
    found = problems_of(tmp_path, base=BASE.replace('id = "risky"\n', ""))
    assert ("form.toml", BASE.split("[[filing.rules]]", maxsplit=1)[0].count("\n") + 1) in [
        (f, n) for f, n, _ in found
    ], found


def test_a_language_that_is_none_is_refused(tmp_path: Path) -> None:
    """A file whose name is no locale that can be read and shown does not load."""
    write(tmp_path / "small", BASE, **{"form.xx-XX_toml": ITALIAN})
    with pytest.raises(FormError) as error:
        load_all([tmp_path])
    assert "no known language" in str(error.value.problems[0])


RUNNER = "from state.rules import Rules\nasync def run(ask, rows):\n    return None\nrules = Rules(operations={'add': run})\n"


def test_forms_in_which_a_model_or_a_runner_speaks_have_one_language(tmp_path: Path) -> None:
    """What a persona or an operation says is not in the file of texts, so such a form is refused in a second language."""
    by_model = problems_of(tmp_path / "a", base='asked_by = "model"\n' + BASE)
    by_runner = problems_of(tmp_path / "b", base=BASE + '[operations.add]\ntitle = "Add"\n', rules_py=RUNNER)
    assert all(any("speaks one language" in text for _, _, text in found) for found in (by_model, by_runner))


def test_passages_are_said_again(tmp_path: Path) -> None:
    """context.md has a twin with the same passages; one that is missing or unknown is told."""
    house = {"context_md": "To the model.\n\n## limit\nUp to 5.\n"}
    fine = small(tmp_path / "a", **house, **{"context.it-IT_md": "## limit\nFino a 5.\n"})
    assert (
        fine.languages["it-IT"].passages == {"limit": "Fino a 5."} and fine.languages["it-IT"].prompt == "To the model."
    )
    found = problems_of(tmp_path / "b", **house, **{"context.it-IT_md": "## limt\nFino a 5.\n"})
    assert any("is not said here" in text for _, _, text in found) and any(
        "Did you mean `limit`?" in t for _, _, t in found
    )
    assert any("is not said here" in text for _, _, text in problems_of(tmp_path / "c", **house))


def test_the_example_of_the_documentation_loads(tmp_path: Path) -> None:
    """The Italian texts of the page on languages are those of the first step of *Your first form*, whole."""
    form = next(text for _, name, text in tutorial.FILE.findall(tutorial.PAGE) if name.endswith("/equipment/form.toml"))
    text = next(text for text in examples("toml") if "Dotazione per casa" in text)
    loaded = load(tmp_path / "equipment", form, **{"form.it-IT_toml": text})
    assert loaded.languages["it-IT"].fields["item"].choices[2].label == "Sedia"


def test_the_examples_of_limits_load(tmp_path: Path) -> None:
    """The limits on sums of the page on filing fit a register of gifts."""
    text = next(text for text in examples("toml") if "over = {" in text)
    assert len(load(tmp_path / "gifts", GIFTS + text).form.filing.sums) == 2


SHARED = {
    Form: {
        "name", "version", "language", "currency_hint", "prefix", "command", "usage", "channels", "asked_by",
        "dialect", "stuck", "finalize", "escalate", "cancel", "prompt", "again", "called",
    },
    Field: {
        "name", "kind", "about", "lock", "tool", "stage", "scheme", "lookup", "grade", "currency", "profile", "accept", "from_documents", "known_by",
        "repeat", "worse", "default",
    },
    Choice: {"value", "told_in"},
    Transition: {"on", "to"},
    Stage: {"name", "goal", "decide", "operations", "variants", "family"},
    Command: {"name", "about"},
    QuestionGroup: {"name", "fields"},
    RecordState: {"by", "reason", "withdraw", "overdue", "expires", "basis", "report", "unused"},
    FilingRule: {"state", "id", "reason", "tell"},
    Retain: set(),
}  # fmt: skip
"""What is no text for people, or stays in the language of the reviewers."""
SPOKEN = {
    Form: FORM, Field: FIELD, Choice: FIELD.parts["choices"][1], Transition: WAY[1], RecordState: FILING["states"][1],
    FilingRule: FILING["rules"][1], Stage: FORM.parts["stages"][1], Command: FORM.parts["commands"][1],
    QuestionGroup: FORM.parts["groups"][1], Retain: FORM.parts["retain"][1],
}  # fmt: skip


@pytest.mark.parametrize("part", SHARED, ids=lambda part: part.__name__)
def test_every_text_of_the_format_is_said_again_or_shared(part: type[BaseModel]) -> None:
    """No key of the format that holds words is forgotten by the further languages."""
    words = {
        name
        for name, field in part.model_fields.items()
        if "str" in str(field.annotation) and "Mapping" not in str(field.annotation)
    }
    texts = {*SPOKEN[part].said, *SPOKEN[part].heard}
    assert (
        words - SHARED[part] - {name for name in words if "Literal" in str(part.model_fields[name].annotation)} <= texts
    )
    assert texts <= set(part.model_fields) and not texts & SHARED[part]


@pytest.mark.parametrize(("name", "says"), [
    ('xx = { title = "X" }', 'no sentences in "xx"'), ('en = { title = "X" }', 'in "en" already'), ('it = { titel = "X" }', "`title`"),
])  # fmt: skip
def test_a_name_in_another_language_is_checked(tmp_path: Path, name: str, says: str) -> None:
    """A language without sentences, the form's own and a misspelt key are each told with their line."""
    form = BASE.replace("[says]", f"[names]\n{name} {MARK}\n[says]")
    with pytest.raises(FormError) as refused:
        load_folder(write(tmp_path / "small", form), (), sentences)
    assert any(says in p.text and p.line == marked(form) for p in refused.value.problems), refused.value.problems


def test_a_name_stands_where_the_form_has_no_texts(tmp_path: Path) -> None:
    """A further language's own title counts in it; of any other language the name that form.toml gives, else its title."""
    base = BASE.replace("[says]", '[names]\nde = { title = "Kleines", purpose = "Probieren" }\n[says]')
    workflow = small(tmp_path, base=base)
    named = {code: workflow.spoken_in(code).name_in(code).title for code in ("it-IT", "de-AT", "en-GB", "fr")}
    assert named == {"it-IT": "Piccolo", "de-AT": "Kleines", "en-GB": "Small", "fr": "Small"}
