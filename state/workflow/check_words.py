"""Names and words by which a form, its fields, tools and commands are told apart."""

import re
from collections.abc import Iterable, Iterator

from babel import Locale

from state.draft.scope import CORRECT, DISCLOSE, EXPLAIN, GO, OFFER, PERSON, READ, SAY, SUBMIT, own_names
from state.fields import kind_of
from state.fields.currency import CURRENCIES, as_code
from state.fields.tools import tools_of
from state.form.locate import Path as Keys
from state.form.near import meant
from state.form.order import falls
from state.form.patterns import flaws
from state.language import LANGUAGES, UnknownLanguage, babel_locale
from state.workflow.form_case import Finding, FormCase

TOOL = re.compile(r"[a-z_]{1,60}")
RESERVED = (CORRECT, DISCLOSE, EXPLAIN, GO, OFFER, PERSON, READ, SAY, *SUBMIT)
LONGEST = {"title": 75, "introduction": 1500, "statement": 300}
"""Slack: 75 characters in an option, 300 in a confirmation, 3,000 in a section."""
LISTED = re.compile(r"^\s*\d+[.)] ", re.MULTILINE)
BUTTON = 75
REST = "{rest}"
OURS = "/holdfast"
"""The command that serves every form."""


def texts(case: FormCase) -> Iterator[Finding]:
    """The form's own words."""
    form = case.form
    for name, most in LONGEST.items():
        if len(getattr(form, name)) > most:
            yield (name,), f"`{name}` has {len(getattr(form, name))} characters. Keep it to {most}."
    for name in ("title", "version"):
        if not getattr(form, name).strip():
            yield (name,), f"`{name}` is empty. Write one."
    if form.currency_hint and form.currency_hint not in CURRENCIES:
        yield (
            ("currency_hint",),
            f'"{form.currency_hint}" is no ISO 4217 code. Write one like "GBP".{as_code(form.currency_hint)}',
        )
    if form.retention_days < 1:
        yield ("retention_days",), "`retention_days` must be 1 or more: files are kept for at least a day."
    for low, high in falls(("retention_months", "audit_months"), vars(form)):
        yield (low,), f"`{low}` is above `{high}`: what is left of a record goes last. Turn them round."
    if form.command == OURS:
        yield ("command",), f"`{OURS}` serves every form already. Choose another command."
    if not form.fields and not form.operations and not case.unread("fields") and not case.unread("operations"):
        yield ("fields",), "A form needs a field or an operation. Add a table like [fields.reason]."


def said_twice(case: FormCase) -> Iterator[Finding]:
    """What a card shows anyway stands in no text beside it: choices as buttons or a menu, the introduction in the greeting."""
    form = case.form
    for field in form.fields.values():
        if field.choices and len(LISTED.findall(field.ask)) > 1:
            yield (
                ("fields", field.name, "ask"),
                "`ask` lists the choices, which its buttons or its menu show as well. Ask without the list.",
            )
    stage = form.stages.get(form.first_stage)
    greets = "{introduction}" in form.says.get("greeting", "{introduction}")
    if stage is not None and greets and (twice := set(_sentences(form.introduction)) & set(_sentences(stage.ask))):
        yield (
            ("stages", stage.name, "ask"),
            f"The greeting above says “{twice.pop()}” already, from `introduction`. Say it in one of the two.",
        )


def _sentences(text: str) -> list[str]:
    return [s.strip() for s in re.split(r"(?<=[.!?])\s+", text) if s.strip()]


def language(case: FormCase) -> Iterator[Finding]:
    """The form's words are read in a language that there is, and its numbers and dates are written in it."""
    try:
        babel_locale(case.form.language)
    except UnknownLanguage as unknown:
        locales = names_of_locales()
        yield ("language",), f"{unknown}{meant(case.form.language, tuple(locales.values()), locales)}"


def names_of_locales() -> dict[str, str]:
    """Locales by what their language is called, in English and in itself: "italian" and "italiano" are "it-IT"."""
    locales = {language.example: Locale.parse(code) for code, language in LANGUAGES.items()}
    return {
        str(name).casefold(): at
        for at, locale in locales.items()
        for name in (locale.english_name, locale.display_name)
    }


def names(case: FormCase) -> Iterator[Finding]:
    """No two fields are called the same; no two yes/no questions answer to the same word."""
    for group in case.groups:
        labels = [((*keys, "label"), field.name, [field.label]) for keys, field in group]
        flags = [
            ((*keys, "words"), field.name, [field.label, *field.words])
            for keys, field in group
            if kind_of(field).declaration
        ]
        yield from _clashes(labels, "Two fields cannot be told apart by one label")
        yield from _clashes(flags, "Two yes/no questions cannot be told apart by one word")


def _clashes(entries: Iterable[tuple[Keys, str, list[str]]], why: str) -> Iterator[Finding]:
    """Words that an earlier entry has already."""
    taken: dict[str, str] = {}
    for keys, name, words in entries:
        for word in words:
            other = taken.setdefault(word.casefold().strip(), name)
            if other != name:
                yield keys, f'"{word}" is said of `{other}` already. {why}: give each its own.'


def tools(case: FormCase) -> Iterator[Finding]:
    """Every tool's name is one that a model may be offered, and means one thing."""
    for name, fields in tools_of(case.form).items():
        keys = ("fields", fields[0].name, "tool") if fields[0].tool else ("fields", fields[0].name)
        if not TOOL.fullmatch(name):
            yield keys, f"The tool `{name}` needs a name of small letters and underscores. Write one as `tool`."
        if len({field.tool for field in fields}) > 1:
            yield keys, f'The tool "{fields[0].tool or fields[-1].tool}" is also a field by itself. Rename the tool.'
        yield from ((keys, _reserved(f.tool)) for f in fields if f.tool in RESERVED)
    for key in ("finalize", "escalate", "cancel"):
        name, clash = getattr(case.form, key), (*RESERVED, *tools_of(case.form))
        if name and (not TOOL.fullmatch(name) or (name in clash and name not in SUBMIT)):
            yield (key,), _reserved(name)
    if len(set(own_names(case.form))) < len(own_names(case.form)):
        yield ("escalate",), "`finalize`, `escalate` and `cancel` need names of their own."
    for name in case.form.operations:
        if name in RESERVED or name in tools_of(case.form):
            yield ("operations", name), _reserved(name)
        elif not TOOL.fullmatch(name):
            yield ("operations", name), "An operation is a tool: name it with small letters and underscores only."


def _reserved(name: str) -> str:
    return f'"{name}" is a tool that every form has, or has already. Choose another name.'


def operations(case: FormCase) -> Iterator[Finding]:
    """An operation's title stands on its confirmation."""
    for name, operation in case.form.operations.items():
        if not 0 < len(operation.title.strip()) <= BUTTON:
            yield ("operations", name, "title"), f"An operation's title must have 1 to {BUTTON} characters."


def commands(case: FormCase) -> Iterator[Finding]:
    """A command has words, and no two commands share them."""
    said = [(("commands", n, "says"), n, list(c.says)) for n, c in case.form.commands.items()]
    yield from _clashes(said, "Two commands cannot share their words")
    for name, command in case.form.commands.items():
        keys = ("commands", name)
        if not 0 < len(command.label.strip()) <= BUTTON:
            yield (*keys, "label"), f"A command's label must have 1 to {BUTTON} characters."
        yield from (((*keys, "says"), wrong) for wrong in flaws(command))


CHECKS = (texts, said_twice, language, names, tools, operations, commands)
