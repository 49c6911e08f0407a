"""A form's own checks: what its fields need, and the names and words by which fields, tools and commands are told apart."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from state.draft.scope import CORRECT, DISCLOSE, EXPLAIN, GO, OFFER, PERSON, READ, SAY, SUBMIT, own_names
from state.draft.stages import with_variants
from state.fields import KINDS, element_of, kind_of, tools_of
from state.fields.limits import misfit
from state.fields.money import CURRENCIES
from state.form.field import Field, Lock
from state.form.files import falls
from state.form.repeats import slot_of
from state.form.schema import CHOICE, SLOT, Command, Form, QuestionGroup
from state.form.source import Keys, meant
from state.language import UnknownLanguage, babel_locale
from state.workflow import check_filing, check_links
from state.workflow.form_case import Finding, FormCase, none_such

SUGGEST = "suggest"
PARTICULAR = sorted(frozenset().union(*(kind.takes for kind in KINDS.values())) - {SUGGEST})
"""Attributes that mean something for some kinds only; `suggest` has a sentence of its own."""
LOCK_NEEDS: Mapping[Lock, str] = {"good": "grade", "confirmed": "lookup"}
CLICKED = frozenset({"yes_or_no", "acknowledge", "buttons"})
QUESTIONS, ANSWERS = 10, 10
"""Questions on one card, and answers of one of them: Slack takes ten options in a row of radio buttons."""
REVIEWED, ASKED = 6000, 4000
"""Characters of all sentences that a review shows whole, and of the questions and sentences on one card."""


def each_field(case: FormCase) -> Iterator[Finding]:
    """Check every field of the form, of its operations and of its report by itself."""
    for group in case.groups:
        beside = any(kind_of(field).money == "currency" for _, field in group) or case.unread(str(group.keys[0]))
        for keys, field in group:
            yield from _needs(keys, field)
            yield from _choices(keys, field)
            yield from _values(keys, field)
            if kind_of(field).money == "amount" and not field.currency and not beside:
                yield keys, 'A money field needs a currency: write `currency = "GBP"`, or add a field of kind currency.'


def _needs(keys: Keys, field: Field) -> Iterator[Finding]:
    """Name what a kind cannot do without, and attributes that it ignores."""
    kind = kind_of(field)
    if kind.needs and not getattr(field, kind.needs):
        yield keys, f"A field of kind {field.kind} needs `{kind.needs}`. Add it."
    for name in PARTICULAR:
        if getattr(field, name) not in ((), "", None, False) and name not in kind.takes:
            yield (*keys, name), f"`{name}` means nothing for the kind {field.kind}. Take it out, or change the kind."
    wanted = LOCK_NEEDS.get(field.lock)
    if wanted and not getattr(field, wanted):
        yield (*keys, "lock"), f'The lock "{field.lock}" needs `{wanted}`. Add it, or lock otherwise.'
    if field.suggest and (SUGGEST not in kind.takes or field.worse is not None or field.declares):
        told = "`suggest` is for a yes/no question without `worse` or `declares`: nobody suggests a declaration."
        yield (*keys, SUGGEST), told
    if field.disclosure and field.worse is None:
        yield (*keys, "disclosure"), "`disclosure` needs `worse`: the answer that those words disclose. Add it."


def _choices(keys: Keys, field: Field) -> Iterator[Finding]:
    """Name choices that cannot be told apart."""
    values = Counter(choice.value for choice in field.choices)
    said = Counter(w for c in field.choices for w in {t.casefold().strip() for t in (c.label, *c.words)})
    for word, times in (*values.items(), *said.items()):
        if times > 1:
            yield (*keys, "choices"), f'Two choices answer to "{word}". Let each have words of its own.'
    if field.choices and all(choice.when for choice in field.choices):
        yield (*keys, "choices"), "Every choice has a `when`, so there may be nothing to choose. Leave one without."


def _values(keys: Keys, field: Field) -> Iterator[Finding]:
    """Name values that the field could never have."""
    for name in ("worse", "default"):
        value = getattr(field, name)
        if value is not None and (wrong := misfit(field, value)):
            yield (*keys, name), f"`{name}` {wrong}"
    yield from (((*keys, name), flaw) for name, flaw in kind_of(field).flaws(field))


def declared(case: FormCase) -> Iterator[Finding]:
    """Check that people declare by themselves, and anew where a sentence changes; and that one review shows all sentences whole."""
    whole = 0
    for keys, field, group in case.fields:
        if field.declares is None:
            continue
        at = (*keys, "declares")
        if group.keys != ("fields",):
            yield at, "Only the form's own fields declare something. Take `declares` out."
        if field.default is not None:
            yield (*keys, "default"), "Nobody declares by default. Take `default` or `declares` out."
        named = dict.fromkeys(NAMED.findall(field.declares.yes + field.declares.no))
        for other in (group.fields[name] for name in named if name in group.fields):
            if other.sensitive and not field.sensitive:
                yield at, f"`{other.name}` is sensitive, and reviewers read this sentence. Leave it out."
            if other.name not in field.about:
                told = f"The sentence names `{other.name}`, so it has to be declared anew when that changes."
                yield at, f'{told} Write about = ["{other.name}"].'
        repeat = case.form.repeats.get(field.repeat)
        whole += max(len(field.declares.yes), len(field.declares.no)) * (repeat.most if repeat else 1)
        if whole > REVIEWED:
            yield (
                at,
                f"The form's sentences have {whole} characters up to here; a review shows {REVIEWED}. Shorten them.",
            )


def grouped(case: FormCase) -> Iterator[Finding]:
    """Check that a group names fields of the form, each in one group, and that a card can hold them together."""
    counted = Counter(name for group in case.form.groups.values() for name in group.fields)
    for name, group in case.form.groups.items():
        keys = ("groups", name, "fields")
        for field in case.unknown(case.groups[0], frozenset(group.fields)):
            yield keys, none_such(field, "field of this form", case.form.fields)
        for field in (f for f in group.fields if counted[f] > 1):
            yield keys, f'"{field}" is named in more than one group, or twice. Leave it in one place.'
        if group.together:
            yield from (((*keys[:2], "together"), wrong) for wrong in _together(case, group))


def _together(case: FormCase, group: QuestionGroup) -> Iterator[str]:
    if len(group.fields) > QUESTIONS:
        yield f"{len(group.fields)} questions do not fit one card. Keep the group to {QUESTIONS}."
    if case.form.asked_by == "model":
        yield "Where the model asks, questions come one at a time. Take `together` out."
    fields = [case.form.fields[n] for n in group.fields if n in case.form.fields]
    texts = sum(len(f.ask) + sum(len(sentence) for _, sentence in f.declares or ()) for f in fields)
    if texts > ASKED:
        yield f"Its questions and sentences have {texts} characters; one card shows {ASKED}. Shorten them, or ask one by one."
    for field in fields:
        if element_of(field) not in CLICKED or len(field.choices) > ANSWERS:
            yield f'"{field.name}" is not answered by one click on a few answers. Take it out of the group.'


def repeats(case: FormCase) -> Iterator[Finding]:
    """Check that a group that is asked several times has fields, and a yes/no of its own that opens the next time."""
    for name, repeat in case.form.repeats.items():
        fields = {f.name: f for f in case.form.fields.values() if f.repeat == name}
        if not fields:
            yield ("repeats", name), f'No field belongs to the group. Write `repeat = "{name}"` in those that do.'
        if repeat.needed > repeat.most:
            yield ("repeats", name, "needed"), "`needed` must be from 0 to `most`."
        if repeat.more and (repeat.more not in fields or not kind_of(fields[repeat.more]).polar):
            told = f'"{repeat.more}" is no yes/no field of the group. Name the one that asks for more.'
            yield ("repeats", name, "more"), told + meant(repeat.more, fields)
    for group in case.groups:
        for keys, field in group:
            known = field.repeat in case.form.repeats or ("repeats", field.repeat) in case.broken
            if field.repeat and group.keys != ("fields",):
                yield (*keys, "repeat"), "Only the form's own fields are repeated. Take `repeat` out."
            elif field.repeat and not known:
                told = f'"{field.repeat}" is no group. Correct the name, or add [repeats.{field.repeat}].'
                yield (*keys, "repeat"), told + meant(field.repeat, case.form.repeats)


def taken_again(case: FormCase) -> Iterator[Finding]:
    """Check that "same as last time" takes no declaration, amount, day or reason from an earlier record."""
    for name in case.form.again:
        field = case.form.fields.get(name)
        if field is None:
            yield ("again",), none_such(name, "field of this form", case.form.fields)
        elif why := _why_anew(field):
            yield ("again",), f"`{name}` {why}, so it has to be told anew each time. Leave it out."


def _why_anew(field: Field) -> str:
    kind = kind_of(field)
    if field.worse is not None or kind.declaration or kind.polar or field.disclosure:
        return "is a declaration"
    if field.grade:
        return "is a reason that is graded"
    if field.lock not in ("review", "confirmed"):
        return f'locks when it is {field.lock} (lock = "{field.lock}")'
    if field.repeat:
        return "is one of several that repeat"
    return "" if kind.lasting else f"is of the kind {field.kind}"


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


CHECKS: tuple[Callable[[FormCase], Iterator[Finding]], ...] = (
    each_field, declared, grouped, repeats, taken_again, texts, names, tools, commands, essence, speech,
    *check_links.CHECKS, *check_filing.CHECKS,
)  # fmt: skip


def check(form: Form, broken: frozenset[Keys] = frozenset()) -> tuple[Finding, ...]:
    """Return every finding about a form as it was written; `broken` are the keys of parts that could not be read."""
    case = FormCase(with_variants(form), broken)
    spread = check_links.variants(form)
    return tuple(dict.fromkeys((*spread, *(finding for run in CHECKS for finding in run(case)))))
