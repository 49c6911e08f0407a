"""Plain lines that ask for an operation, read without any model: "coffee 3,50", "bread x2 at 12, eggs 15", "list this month", "delete 12".

Nothing is made up: a line without a figure adds nothing, a question or a denial does nothing, and what a required field
still needs is asked for in the form's own words.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from state.draft.draft import Data, Draft
from state.draft.reply import Reply, ToolCall
from state.draft.scope import SAY
from state.fields import kind_of
from state.fields.base import Context
from state.fields.values.numerals import may_be_article, numerals, total
from state.form import Field, Form
from state.form.schema import Operation
from state.language import LANGUAGES, Language, understood
from state.language.table import listed, phrases
from state.language.tokens import asks, keys_of, masked, tokens
from state.understanding.arguments import unfilled
from state.understanding.corrections import announcing, is_announced
from state.understanding.leftovers import beside, left_over
from state.understanding.purchases import item, leaves_open, parts, sums, thing_of, without_lead
from state.understanding.wishes import names_of

LEADING = 3
"""Words before the one that names the operation."""
MOST_ITEMS = 10
Given = dict[str, Data]
Gaps = list[tuple[int, int]]


@dataclass(frozen=True)
class OperationLine:
    """A message on its way to operations."""

    form: Form
    draft: Draft
    text: str
    context: Context


def read_operations(
    form: Form, draft: Draft, text: str, message: str, context: Context, *, named: bool = True
) -> Reply:
    """The calls that one message proposes; a question where a required field is not told; neither where nothing is understood.

    Unless `named`, words for operations are heard as names of things ("oil change 50").
    """
    line = OperationLine(form, draft, text, faced(form, context))
    return _read(line, _named(line) if named else None, message)


def faced(form: Form, context: Context) -> Context:
    """The context with the side of today on which the days of the form's operations lie, where all lie on one."""
    sides = {f.lies for o in form.operations.values() for f in o.fields.values() if f.lies}
    return replace(context, lies=next(iter(sides))) if len(sides) == 1 else context


def _read(line: OperationLine, named: tuple[Operation, int] | None, message: str) -> Reply:
    text, draft, context = line.text, line.draft, line.context
    righted = list(_put_right(line, named))
    reworded = list(_reworded(line)) if draft.waiting and named is None and is_announced(text, context) else None
    if reworded == [] or (_denied(line) and not righted and not reworded):
        return Reply(model="rules")
    found = reworded or ([(named[0], _fields(line, *named))] if named and not adds(named[0]) else righted)
    found = found or list(_answered(line, named)) or list(_items(line, named))
    needed = next(((o, f) for o, given in found for f in _needed(line, o, given)), None)
    if needed is not None:
        about = {"act": "explain", "about": f"{needed[0].name}.{needed[1].name}"}
        return Reply(needed[1].ask, (ToolCall(f"rules-{message}", SAY, about),), "calls", "rules")
    calls = tuple(
        ToolCall(f"rules-{message}-{i}", o.name, dict(given)) for i, (o, given) in enumerate(found[:MOST_ITEMS], 1)
    )
    return Reply(calls=calls, stop="calls" if calls else "end", model="rules")


def _answered(line: OperationLine, named: tuple[Operation, int] | None) -> Iterator[tuple[Operation, Given]]:
    """ "since 5 April", behind a question about what was to be told: the whole line is the answer, to what was asked for before it."""
    every = (*line.draft.opening, *line.draft.window)
    told = max((i for i, said in enumerate(every) if said.role == "assistant" and said.clicked), default=-1)
    before = [said for said in every[told + 1 : -1] if said.role == "user" and not said.clicked]
    earlier = replace(line, text=before[-1].text) if before and every[-2].role == "assistant" and not named else None
    wish = _named(earlier) if earlier else None
    if earlier is None or wish is None or wish[0].confirm != "never":
        return
    given = _fields(line, wish[0], 0)
    if given and not left_over(line.form, wish[0], given, line.text, line.context).words:
        yield wish[0], {**_fields(earlier, *wish), **given}


def _put_right(line: OperationLine, named: tuple[Operation, int] | None) -> Iterator[tuple[Operation, Given]]:
    """ "no wait, 14.20": another figure for what was done last, where words announce it and name nothing else."""
    last, operation = line.draft.last_entry, next((o for o in line.form.operations.values() if changes_rows(o)), None)
    if named or not last or line.draft.waiting or operation is None or not is_announced(line.text, line.context):
        return
    found = list(sums(line.text, line.context))
    if len(found) != 1 or thing_of(announcing(line.text, line.context), []) != thing_of(line.text, [found[0][1:3]]):
        return
    names = {kind_of(f).listing: f.name for f in operation.fields.values()}
    yield operation, {names["row"]: last, names["amount"]: str(found[0][0])}


def _reworded(line: OperationLine) -> Iterator[tuple[Operation, Given]]:
    """ "no wait, tea 2.40": what waits for its click, said anew whole, in words that announce it; a figure alone, or another thing, is none."""
    rest = line.text[len(announcing(line.text, line.context)) :].lstrip(" ,:;.–—-")
    found = list(_items(replace(line, text=rest), None)) if rest else []
    named = [(o, given, _as_waiting(line, o, given)) for o, given in found]
    if all(name for _, _, name in named):
        yield from ((o, {**given, **name}) for o, given, name in named)


def _as_waiting(line: OperationLine, operation: Operation, given: Given) -> Given:
    """The name of the waiting thing that is meant: as it is said now, or as it waits, where only small words stand beside it ("the tea was")."""
    language = line.context.language
    small = listed(language, "articles", "be", "was", "naming", "polite", "filler", "subjects")
    field = next((n for n in given if kind_of(operation.fields[n]).listing == "name"), "")
    said = str(given.get(field, ""))
    about = (s for o in line.draft.pending_operations if not o.clicked for s in o.about)
    meant = next((s.name for s in about if s.operation == operation.name and alike(said, s.name, language)), "")
    extra = {token.key for token in tokens(said, language)} - set(keys_of(meant, language))
    return {field: meant if all(small.holds(tokens(word, language)) for word in extra) else said} if meant else {}


def alike(one: str, other: str, language: Language) -> bool:
    """Whether one name holds the other's words ("lunch", "the lunch with Kim")."""
    words = [set(keys_of(name, language)) for name in (one, other)]
    return all(words) and (words[0] <= words[1] or words[1] <= words[0])


def changes_rows(operation: Operation) -> bool:
    """Whether it changes a row that is there: the row must be named, the sum may be."""
    fields = {kind_of(f).listing: f.required for f in operation.fields.values()}
    return fields.get("row") is True and fields.get("amount") is False


def _denied(line: OperationLine) -> bool:
    """ "Don't add coffee 3.50"; a "no" that only announces something else denies nothing ("no wait, the train was 40")."""
    language = line.context.language
    rest = line.text[len(announcing(line.text, line.context)) :]
    return listed(language, "negators").holds(tokens(masked(rest), language))


def _named(line: OperationLine) -> tuple[Operation, int] | None:
    """The operation whose words stand near the beginning, the longest of them, and where they end."""
    language = line.context.language
    row = tokens(masked(line.text), language)
    leads = _leads(language)
    first = next((i for i, t in enumerate(row) if t.key not in leads), 0)
    hits = [
        (i, -hit[0], row[i + hit[0] - 1].end, operation)
        for operation in line.form.operations.values()
        for i in range(first, min(first + LEADING, len(row)))
        if (hit := phrases(operation.words, language).at(row, i))
    ]
    best = min(hits, key=lambda h: h[:2], default=None)
    return (best[3], best[2]) if best else None


@cache
def _leads(language: Language) -> frozenset[str]:
    """Every single word of what may stand before an order."""
    leads = (lead for spoken in understood(language) for lead in spoken.commands.leads)
    return frozenset(key for lead in leads for key in keys_of(lead, language))


def row_of(operation: Operation) -> Field | None:
    """The field that says which row is meant, where one must be."""
    return next((f for f in operation.fields.values() if f.required and kind_of(f).listing == "row"), None)


def without_row(operation: Operation) -> Operation:
    """The same, for a row that is named by words."""
    fields = {name: f for name, f in operation.fields.items() if f != row_of(operation)}
    return operation.model_copy(update={"fields": fields})


def is_changing(text: str) -> bool:
    """Return True if words of any language ask for something to be changed."""
    return any(
        listed(spoken, "orders.changing", "corrections.cues").holds(tokens(masked(text), spoken))
        for spoken in LANGUAGES.values()
    )


def names_adding(form: Form, draft: Draft, text: str, context: Context) -> bool:
    """Return True if a line says in so many words that something is to be added, or is a further one."""
    line = OperationLine(form, draft, text, context)
    named = _named(line)
    return (named is not None and adds(named[0])) or without_lead(text, names_of(form)) != text


def adds(operation: Operation) -> bool:
    """Whether it adds a row: its fields are told by a plain line: something, and what it cost."""
    told = {kind_of(f).listing for f in operation.fields.values() if f.required}
    return {"name", "amount"} <= told


def _needed(line: OperationLine, operation: Operation, given: Given) -> Iterator[Field]:
    """Fields that a call cannot do without; the row may be named by the other words of the line."""
    named = _named(line)
    row = row_of(operation) if _names_row(line, operation, line.text[named[1] :] if named else line.text) else None
    return (f for f in operation.fields.values() if f.name not in given and f != row and not unfilled(operation, f))


def _names_row(line: OperationLine, operation: Operation, rest: str) -> bool:
    """Return True if words that are no value of a field are left: they may name the row."""
    told = any(_told_text(line, f, rest) for f in operation.fields.values() if kind_of(f).listing == "name")
    return not told and bool(beside(operation, rest, line.context, telling=True))


def _fields(line: OperationLine, operation: Operation, end: int) -> Given:
    """Each field's one value in the rest of the line: first which row is meant, then what is left of the words.

    Where words name the row, a figure alone is what it is changed to ("change the taxi to 12").
    """
    rest, given = line.text[end:], Given()
    named = changes_rows(operation) and len(list(sums(rest, line.context))) == 1 and _names_row(line, operation, rest)
    for field in sorted(operation.fields.values(), key=lambda f: kind_of(f).listing != "row"):
        value, rest = (None, rest) if named and field == row_of(operation) else _one(line, field, rest)
        if value is not None:
            given[field.name] = value
    return given


def _one(line: OperationLine, field: Field, rest: str) -> tuple[Data | None, str]:
    kind = kind_of(field)
    if kind.listing == "row":
        return _row(line, rest)
    if kind.listing == "amount":
        told = list(sums(rest, line.context))
        return (str(told[-1][0]) if told else None), rest
    if kind.listing == "name":
        return _told_text(line, field, rest), rest
    found = kind.find(field, rest, line.context)
    return (found[0].data if len({r.data for r in found}) == 1 else None), rest


def _row(line: OperationLine, rest: str) -> tuple[int | None, str]:
    """A row by its number, or the last one that was touched; the words for it are taken out."""
    language, last = line.context.language, line.draft.last_entry
    row = tokens(rest, language)
    named = next(listed(language, "last").spans(row), None)
    if named and last:
        return last, rest[: row[named[0]].start] + rest[row[named[1] - 1].end :]
    for n in (n for n in numerals(masked(rest), line.context) if not may_be_article(n)):
        value = total(n, line.context)
        if value is not None and value == value.to_integral_value() and n.digits.isdigit():
            return int(value), f"{rest[: n.start]} {rest[n.end :]}"
    return None, rest


def _told_text(line: OperationLine, field: Field, rest: str) -> str | None:
    """A text only behind the field's own name ("item: tea")."""
    language = line.context.language
    row = tokens(rest, language)
    hit = next(phrases((field.label, *field.words), language).spans(row), None)
    if hit is None or hit[1] >= len(row):
        return None
    naming = listed(language, "naming", "purchases.naming")
    first = hit[1]
    while first < len(row) - 1 and naming.at(row, first):
        first += 1
    return rest[row[first].start :].strip(" .:\"'") or None


def _items(line: OperationLine, named: tuple[Operation, int] | None) -> Iterator[tuple[Operation, Given]]:
    """What was bought, part by part. One date, and one currency, that is told for any part holds for all of them."""
    operation = named[0] if named else next((o for o in line.form.operations.values() if adds(o)), None)
    if operation is None or asks(line.text):
        return
    text = without_lead(line.text[named[1] :] if named else line.text, names_of(line.form))
    if leaves_open(text, line.context):
        return
    found = [item(operation, part, line.context) for part in parts(text, line.context)]
    for name, field in operation.fields.items():
        said = {given[name] for given in found if name in given}
        if kind_of(field).usual is not None and len(said) == 1:
            found = [{name: next(iter(said)), **given} for given in found]
    yield from ((operation, given) for given in found)
