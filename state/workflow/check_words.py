"""Names and words by which a form, its fields, tools and commands are told apart, and what a model may say."""

import re
from collections.abc import Iterable, Iterator

from state.draft.scope import CORRECT, DISCLOSE, EXPLAIN, GO, OFFER, PERSON, READ, SAY, SUBMIT, own_names
from state.fields import kind_of, tools_of
from state.fields.currency import CURRENCIES
from state.form.locate import Path as Keys
from state.form.order import falls
from state.form.repeats import slot_of
from state.form.schema import CHOICE, SLOT, Command
from state.language import UnknownLanguage, babel_locale
from state.workflow.form_case import Finding, FormCase

TOOL = re.compile(r"[a-z_]{1,60}")
RESERVED = (CORRECT, DISCLOSE, EXPLAIN, GO, OFFER, PERSON, READ, SAY, *SUBMIT)
OURS = "/holdfast"
"""The command that serves every form."""


def texts(case: FormCase) -> Iterator[Finding]:
    """Check the form's own words and times."""
    form = case.form
    if form.currency_hint and form.currency_hint not in CURRENCIES:
        yield ("currency_hint",), f'"{form.currency_hint}" is no ISO 4217 code. Write one like "GBP".'
    for low, high in falls(("retention_months", "audit_months"), vars(form)):
        yield (low,), f"`{low}` is above `{high}`: what is left of a record goes last. Turn them round."
    if form.command == OURS:
        yield ("command",), f"`{OURS}` serves every form already. Choose another command."
    if not form.fields and not form.operations and not case.unread("fields") and not case.unread("operations"):
        yield ("fields",), "A form needs a field or an operation. Add a table like [fields.reason]."
    try:
        babel_locale(form.language)
    except UnknownLanguage as unknown:
        yield ("language",), str(unknown)


def names(case: FormCase) -> Iterator[Finding]:
    """Check that no two fields have one label, and that no two yes/no questions answer to one word."""
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
    """Name words that an earlier entry has already."""
    taken: dict[str, str] = {}
    for keys, name, words in entries:
        for word in words:
            other = taken.setdefault(word.casefold().strip(), name)
            if other != name:
                yield keys, f'"{word}" is said of `{other}` already. {why}: give each its own.'


def tools(case: FormCase) -> Iterator[Finding]:
    """Check that every tool's name is one that a model may be offered, and means one thing."""
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


def commands(case: FormCase) -> Iterator[Finding]:
    """Check that a command has words, and that no two commands share them."""
    said = [(("commands", n, "says"), n, list(c.says)) for n, c in case.form.commands.items()]
    yield from _clashes(said, "Two commands cannot share their words")
    for name, command in case.form.commands.items():
        yield from ((("commands", name, "says"), wrong) for wrong in _flaws(command))


def _flaws(command: Command) -> Iterator[str]:
    """Yield what is wrong with a command's patterns."""
    for says in command.says:
        around = CHOICE.sub(lambda m: m[1].replace("|", " "), says)
        slots = SLOT.findall(around)
        own = SLOT.sub("", around)
        if "(" in own or ")" in own:
            yield f'"{says}": a choice stands in one pair of brackets, "(can|may)", and none inside another.'
        elif len(slots) > 1 or "{" in own or "}" in own or not (re.search(r"\w", own) or slots == ["number"]):
            yield f'"{says}" must have words of its own, and at most one {{rest}} for those that follow.'


NAMED = re.compile(r"\{([a-z][a-z0-9_]*)\}")
KEYS = ("essence",)


def essence(case: FormCase) -> Iterator[Finding]:
    """Check that every brace of the request's one line holds the name of a field that may be read in a list."""
    text, fields = case.form.essence, case.groups[0]
    names = NAMED.findall(text)
    if {"{", "}"} & set(NAMED.sub("", text)):
        yield KEYS, "A brace must hold a field's name, like {security}. Correct it, or write brackets."
    if text and not names and not {"{", "}"} & set(text):
        yield KEYS, "`essence` names no field, so every request would read alike. Name one in braces, like {security}."
    for name in case.unknown(fields, frozenset(names)):
        yield KEYS, f"{{{name}}} is no field of this form. Name one of its fields."
    for name in dict.fromkeys(names):
        field = case.form.fields.get(name) or slot_of(case.form, name)
        if field is not None and field.name == name and field.repeat:
            yield KEYS, f"`{name}` is asked several times. Name one of them, like {{{name}_1}}."
        elif field is not None and field.sensitive:
            yield KEYS, f"`{name}` is sensitive, and this line stands in lists and announcements. Leave it out."
        elif field is not None and kind_of(field).by_file:
            yield KEYS, f"`{name}` is answered by a file, which says nothing in a line. Name another field."


def speech(case: FormCase) -> Iterator[Finding]:
    """Check that a reminder says what and when, and that a form with a `worse` answer is submitted by a click."""
    form, given = case.form, case.form.persona
    if bool(given.reminder.strip()) != (given.remind_every > 0):
        key = "reminder" if given.reminder.strip() else "remind_every"
        yield ("persona", key), "A reminder needs `reminder` and `remind_every`, 1 or more. Write both, or none."
    if len(set(given.shape)) != len(given.shape):
        yield ("persona", "shape"), "Each part of the shape opens in its own way. Write openings that differ."
    if form.consent and any(field.worse is not None for field in form.fields.values()):
        yield ("consent",), "A form with a `worse` answer is submitted by a click alone. Take `consent` out."


CHECKS = (texts, names, tools, commands, essence, speech)
