"""Plain lines that ask for an operation, read without any model: "coffee 3,50", "list this month", "delete 12".

Nothing is made up, and nothing is done: whatever would change something waits for a click, in the person's own words, and
what a required field still needs is asked for in the form's own words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import takewhile

from state.draft.draft import Draft
from state.draft.operations import Row, Wanted
from state.draft.reply import Reply, ToolCall
from state.draft.scope import SAY
from state.fields import kind_of
from state.fields.base import Candidate, Context
from state.fields.naming import is_of_each, names, place
from state.fields.values.numerals import in_its_language
from state.fields.values.periods import stretches
from state.form import Field, Form
from state.form.field import Data
from state.form.schema import Operation
from state.language import LANGUAGES, Language, language_of
from state.language.small_talk import idle
from state.language.table import all_of, clauses, joined, listed, listed_everywhere, phrases
from state.language.tokens import asks, keys_of, masked, tokens
from state.understanding.arguments import explained, field_told, figures, left_over, places, unfilled
from state.understanding.commands import COURTESIES, asks_leave, without_leads, without_tails
from state.understanding.corrections import put_right, states
from state.understanding.wishes import form_names

MOST_ITEMS = 10
EDGES = " \t\n,;:.!…–—-"
PICTURE = "[\u2600-\u27bf\U0001f000-\U0001faff]"
SPACED = re.compile(r" +(?=[,;.:])")
DOUBLED = re.compile(r"([,;:.])(?:\s*[,;:])+")
NUMBERED = re.compile(r"(?:#|\bn[º°.]|(?<=\w )no\.)\s?$", re.IGNORECASE)
"""A sign for the number behind it."""
SHORT_NUMBER = re.compile(r"^(\D*\b)no(?=\.? ?[0-9])", re.IGNORECASE)
"""A no right before the first figure of what is said of a row ("no 12 is food")."""
STATED = (
    "orders.stating", "orders.filing", "of_words", "leading", "orders.rows", "negators", "corrections.cues", "and_words", "review.wrong",
)  # fmt: skip
"""Entries of words between a row and what is so of it."""
Given = dict[str, Data | None]
"""The values that a line gives, by field; None for two of which it leaves open which one is meant ("last Wednesday or Thursday")."""
Found = list[tuple[Operation, Given]]


def read_operations(form: Form, draft: Draft, text: str, message: str, context: Context) -> Reply:
    """Return the calls that one message proposes; a question where a required field is not told; neither where nothing is understood."""
    context = in_its_language(text, context)
    text = _unsigned(text, context.language)
    named = named_operation(form, text, context)
    named = None if named and _only_begins_so(form, named, text, context) else named
    found = _below(form, named, text, context) if named else _change_of_a_row(form, draft, text, context)
    if named is not None and not adds(named):
        unwanted = row_of(named) is not None and _denies(
            text, [r.start for r in figures(named, text, context)], context
        )
        found = found or ([] if unwanted else [(named, _fields(form, draft, named, text, context))])
    elif not (found := found or _answering(form, draft, text, context)):
        leave = asks_leave(text, context) and any(
            adds(o) and _names(o, text, context) for o in form.operations.values()
        )
        told = text if leave else _unasked(text, context.language)
        found = _items(form, told, context, named=named is not None) if told else []
    needed = next(((o, f) for o, given in found for f in _needed(form, o, given, text, context)), None)
    if needed is not None:
        about = {"act": "explain", "about": f"{needed[0].name}.{needed[1].name}"}
        return Reply(needed[1].ask, (ToolCall(f"rules-{message}", SAY, about),), "calls", "rules")
    calls = tuple(ToolCall(f"rules-{message}-{i}", o.name, g) for i, (o, g) in enumerate(found[:MOST_ITEMS], 1))
    return Reply(calls=calls, stop="calls" if calls else "end", model="rules")


def _change_of_a_row(form: Form, draft: Draft, text: str, context: Context) -> Found:
    """Return the change of a row, for a line that says nothing but what is so of it ("the 12 was on Monday", "put 17 under food")."""
    change, language, text = change_of(form), context.language, SHORT_NUMBER.sub(r"\1nr", text)
    if change is None or not figures(change, text, context):
        return []
    details = [r for _, some in _detail_readings(change, text, context) for r in some]
    left = _undenied(text, [*figures(change, text, context)[1:], *details], language, plain=True)
    given = _fields(form, draft, change, left, context, numbered=True)
    if not (_pointed_row(change, text, context, stating=True) or _filed_row(change, given, text, context)):
        return []
    summed = any(kind_of(change.fields[name]).listing == "amount" for name in given)
    rest = left_over(form, change, given, left, context, *STATED, *(() if summed else ("breaks", "naming")))
    others = phrases((w for f in change.fields.values() for c in f.choices for w in (c.label, *c.words)), language)
    return [(change, given)] if len(given) > 1 and all_of(tokens(rest, language), others) else []


def _filed_row(operation: Operation, given: Given, text: str, context: Context) -> bool:
    """Return True if words of filing are around a row's number ("put 33 under travel"), or the line names what it states ("the date of 33 is …")."""
    first, row, language = (
        figures(operation, text, context)[0],
        tokens(masked(text), context.language),
        context.language,
    )
    at, filing = place(row, first.start), listed_everywhere(language, "orders.filing")
    told = [
        (f, given[f.name])
        for f in operation.fields.values()
        if f.name in given and kind_of(f).listing not in ("row", "name")
    ]
    if len(told) != 1 or len(given) > 2 or not text[first.start : first.end].isdigit():  # noqa: PLR2004 the row and one thing
        return False
    ((field, data),) = told
    at_once = listed(language, "small").ending(row, at) and any(  # "make 9 lodging": no thing is called "make"
        place(row, r.start) == at + 1 for r in places(operation, field, data or "", text, context)
    )
    filed = filing.ending(row, at) and (at_once or filing.at(row, at + 1))
    return bool(filed) or (
        listed_everywhere(language, "orders.stating").holds(row) and names(field, context).holds(row)
    )


def _pointed_row(operation: Operation, text: str, context: Context, *, stating: bool = False) -> bool:
    """Return True if the first figure of a text is the number of a row, by the word before it ("entry 12", "la 12"). Where something is said of
    it (`stating`), it may begin the line ("12 was yesterday").
    """
    first = next(iter(figures(operation, text, context)), None)
    if first is None or not text[first.start : first.end].isdigit():
        return False
    row, language = tokens(masked(text), context.language), context.language
    at = place(row, first.start)
    before = listed_everywhere(language, "orders.rows").ending(row, at)
    apart = at > 0 and text[row[at - 1].end : first.start].strip(" .") != ""
    says = stating and at == 0 and listed_everywhere(language, "orders.stating").at(row, 1) is not None
    return NUMBERED.search(text[: first.start]) is not None or (before is not None and not apart) or says


def _points_first(operation: Operation, text: str, context: Context) -> bool:
    """Return True if the first figure is the number of a row, by the word before it, and nothing but the order stands before ("change entry 12")."""
    if not _pointed_row(operation, text, context):
        return False
    led = NUMBERED.sub("", text[: figures(operation, text, context)[0].start])
    before = tokens(masked(led), context.language)
    told = listed_everywhere(context.language, "orders.rows", "orders.fillers", "small", "polite")
    return all_of(before, joined(phrases(operation.words, context.language), told))


def _unsigned(text: str, language: Language) -> str:
    """Return a mail without what stands below the line that ends it."""
    closings, lines = listed_everywhere(language, "closings"), text.splitlines()
    end = next((i for i, line in enumerate(lines) if i and closings.at(tokens(line, language), 0)), len(lines))
    return "\n".join(lines[:end])


def _unasked(text: str, language: Language) -> str:
    """Return a text without its questions ("taxi 18, is that ok?"); nothing where what is before them only begins to ask."""
    found = [*clauses(masked(text), language)]
    ends = [*(c[0].start for c in found[1:]), len(text)][: len(found)]  # no words, no clauses
    asked = [(c[0].start, end) for c, end in zip(found, ends, strict=True) if asks(text[c[-1].end : end])]
    told = next((c for c in found if c[0].start not in [start for start, _ in asked]), ())
    begins = listed_everywhere(language, "asking.verbs", "asking.words", "question_words", "small_talk.question_starts")
    return text if not asked else "" if not told or begins.at(told, 0) else _without(text, asked)


def _only_begins_so(form: Form, named: Operation, text: str, context: Context) -> bool:
    """Return True if an order's word begins a name, with a sum behind it to which nothing leads: two words between them of which nothing is known
    and no article ("edit suite hire 200"), or one where the order's word is a field's own ("move van 40").
    """
    row, sums = tokens(masked(text), context.language), figures(named, text, context)
    hit = phrases(named.words, context.language).at(row, 0)
    if not (hit and row_of(named) and field_told(named, "amount") and len(sums) == 1) or ":" in text:
        return False
    own = phrases((w for f in named.fields.values() for w in f.words if w in named.words), context.language).at(row, 0)
    told = own and any(
        some for f, some in _detail_readings(named, text, context) if phrases(f.words, context.language).at(row, 0)
    )
    leads = listed_everywhere(context.language, "breaks", "naming", "orders.rows")
    led = leads.ending(row, place(row, sums[0].start)) or leads.at(row, place(row, sums[0].end))
    meant = listed_everywhere(context.language, "small").at(row, hit[0])
    left = left_over(form, named, {}, text[: sums[0].start], context)
    return not (told or led or (meant and not own)) and len(tokens(left, context.language)) > (0 if own else 1)


def _below(form: Form, named: Operation | None, text: str, context: Context) -> Found:
    """Return what stands below a heading that names no row ("expenses of yesterday: taxi 12, lunch 8"); what the heading tells holds for all."""
    head, colon, rest = text.partition(":")
    if not colon or named is None or row_of(named):
        return []
    ranges = [(p.start, p.end) for p in stretches(head, replace(context, lies="behind"))]
    if adds(named) and left_over(form, named, {}, _without(head, ranges), context):
        return []
    items = _items(form, rest, context, named=False)
    return [(operation, {**_details(operation, head, context), **given}) for operation, given in items]


def told_of_it(form: Form, text: str, context: Context) -> dict[str, Data]:
    """Return what a line tells of one thing ("no, 25", "the taxi was yesterday"), with the name by which it calls it, if any."""
    context, change = in_its_language(text, context), change_of(form)
    if change is not None and (_pointed_row(change, text, context) or _of_a_thing(form, change, text, context)):
        return {}  # "la 1 …" tells of that row, and no sum
    found = _items(form, text, context, named=True)
    return {n: data for n, data in found[0][1].items() if data is not None} if len(found) == 1 else {}


def named_operation(form: Form, text: str, context: Context) -> Operation | None:
    """Return the operation with whose own words the line begins, fillers aside; of several, the one with the longest.

    Where verbs come last, one that changes rows may end the first clause; a question may name what it wants to see anywhere.
    """
    language, i, shown, called = context.language, 0, asks(text), None
    row, fillers = tokens(masked(text), language), listed(language, "orders.fillers", "small", "polite")
    names = phrases(form_names(form), language)
    while i < len(row):
        hits = {o.name: hit[0] for o in form.operations.values() if (hit := phrases(o.words, language).at(row, i))}
        first, name = form.operations[max(hits, key=lambda name: hits[name])] if hits else None, names.at(row, i)
        if first and not name:
            return first
        if not (filler := name or fillers.at(row, i)):
            break
        called = called or first  # "expenses" may be more than the form's name
        i, shown = i + filler[0], shown or name is not None
    return _named_later(form, text, context, shown=shown) or called


def _named_later(form: Form, text: str, context: Context, *, shown: bool) -> Operation | None:
    """Return an operation that changes rows and ends a clause, where verbs come last, or one that takes away what alone is told; or what is to be
    `shown`, where the words name no sum.
    """
    language, tails = context.language, listed_everywhere(context.language, "polite", "small_talk.thanks")
    told = (c for c in clauses(masked(text), language) if not listed(language, "negators").holds(c))
    ends, sums = [without_tails(c, tails) for c in told], _sums(form, text, context)
    for operation in form.operations.values():
        words = phrases(operation.words, language)
        if row_of(operation) and any(words.ending(c, len(c)) for c in ends):
            alone = (
                not sums
                or _pointed_row(operation, text, context)
                or not left_over(form, operation, {}, _without(text, [(r.start, r.end) for r in sums]), context)
            )
            if language.verb_last or (alone and not field_told(operation, "amount")):
                return operation
        if shown and not sums and operation.confirm == "never" and _names(operation, text, context):
            return operation
    return None


def _sums(form: Form, text: str, context: Context) -> Sequence[Candidate]:
    """Return the figures of a text that may be what something cost."""
    return next((figures(o, text, context) for o in form.operations.values() if adds(o)), ())


def _names(operation: Operation, text: str, context: Context) -> bool:
    return phrases(operation.words, context.language).holds(tokens(masked(text), context.language))


def adds(operation: Operation) -> bool:
    """Return True if it adds a row: a plain line tells its fields, something and what it cost."""
    return {"name", "amount"} <= {kind_of(f).listing for f in operation.fields.values() if f.required}


def row_of(operation: Operation) -> Field | None:
    """Return the field that says which row is meant, where one must be."""
    field = field_told(operation, "row")
    return field if field is not None and field.required else None


def without_row(operation: Operation) -> Operation:
    """Return the same operation for a row that is named by words."""
    fields = {name: f for name, f in operation.fields.items() if f != row_of(operation)}
    return operation.model_copy(update={"fields": fields})


def _needed(form: Form, operation: Operation, given: Given, text: str, context: Context) -> Iterator[Field]:
    """Yield the fields that a call cannot do without; the other words of the line may name the row."""
    row = row_of(operation)
    row = row if row and row.name not in given and left_over(form, operation, given, text, context) else None
    return (f for f in _lacking(operation, given) if f != row)


def _fields(
    form: Form, draft: Draft, operation: Operation, text: str, context: Context, *, numbered: bool = False
) -> Given:
    """Return each field's one value in the line, the row by its number (for sure where it is `numbered`) or as the last one that was touched."""
    renames = _renames(operation, text, context)
    given = {} if renames else _details(operation, text, context)
    row, amount = row_of(operation), field_told(operation, "amount")
    every = figures(operation, text, context)
    left = _undenied(text, every, context.language)
    sums, first = [r for r in every if left[r.start : r.end].strip()], int(numbered)  # "the sum of 11 is 6.50"
    sums = [*sums[:first], *_without_old(sums[first:], text, context.language)]
    if row is None:
        return given
    before = masked(text[: every[0].start] if every else text)  # "edit no. 22 so it says Monday" points at nothing
    pointed = listed_everywhere(context.language, "offers.pointing").holds(tokens(before, context.language))
    that = just_touched(draft) if pointed else 0
    plain = bool(sums) and text[sums[0].start : sums[0].end].isdigit()
    if plain and (numbered or not (that and amount and len(sums) == 1)):
        alone = {**given, row.name: int(text[sums[0].start : sums[0].end])}
        names_it = not left_over(
            form, operation, given, text[: sums[0].start], context
        )  # "drop cloth 9" names no row 9
        sure = numbered or (amount is None and names_it) or len(sums) > 1 or _points_first(operation, text, context)
        named = sure or _new_name(form, operation, alone, text, context)
        if named or not left_over(form, operation, alone, text, context):
            given, sums = alone, sums[1:]
    given |= {amount.name: sums[0].data} if amount and len(sums) == 1 and not renames else {}
    stated = ("orders.stating", "hedges", "corrections.cues") if numbered else ()  # "the 9 is actually food"
    given |= _new_name(form, operation, given, text, context, *stated)
    words = tokens(left_over(form, operation, given, text, context), context.language)
    newest = bool(words) and all(token.key in listed(context.language, "last").rows for token in words)
    meant = draft.last_entry if newest else 0 if words else that
    return {row.name: meant, **given} if meant else given


def _new_name(form: Form, operation: Operation, given: Given, text: str, context: Context, *stated: str) -> Given:
    """Return what a row is called from now on: words of which nothing else is known, behind its number and a colon or "to" ("rename 5 to lunch")."""
    name, row = field_told(operation, "name"), row_of(operation)
    if name and row and row.name in given and _renames(operation, text, context):
        behind = tokens(text, context.language)[
            place(tokens(text, context.language), figures(operation, text, context)[0].end) :
        ]
        behind = without_leads(behind, listed_everywhere(context.language, "naming", "orders.filing"))
        behind = without_tails(behind, listed_everywhere(context.language, "polite"))
        return {name.name: text[behind[0].start : behind[-1].end]} if behind else {}
    rest = left_over(form, operation, given, text, context, *stated) if name and row and row.name in given else ""
    before = text[: text.find(rest)].rstrip() if rest else ""
    leads = listed_everywhere(context.language, "naming").ending((said := tokens(before, context.language)), len(said))
    led = before.endswith(":") or (leads is not None and bool(said[: -leads[0]]) and said[-leads[0] - 1].key.isdigit())
    first = next(iter(clauses(rest, context.language)), ())
    return {name.name: rest[: first[-1].end]} if name and led else {}


def _renames(operation: Operation, text: str, context: Context) -> bool:
    """Return True if the words are those of giving a row another name, whatever that is ("rename 5 to food")."""
    name = field_told(operation, "name")
    return name is not None and phrases(name.words, context.language).holds(tokens(masked(text), context.language))


def _without_old(sums: Sequence[Candidate], text: str, language: Language) -> Sequence[Candidate]:
    """Return the figures but for those from which something is changed ("from 12 to 14")."""
    row, begins = tokens(masked(text), language), listed_everywhere(language, "begin_words")
    return [s for s in sums if not begins.ending(row, place(row, s.start))] if len(sums) > 1 else sums


JUST = 3
"""Turns within which "it" is what was done last."""


def just_touched(draft: Draft) -> int:
    """Return the row that was added or changed a few turns ago at most; 0 where that were none, or several, of which none is the one."""
    told = next((one.text for one in reversed(draft.window) if one.role == "assistant" and one.clicked), "")
    return draft.last_entry if draft.deed_turn >= draft.turn - JUST and "\n" not in told else 0


def _details(operation: Operation, text: str, context: Context) -> Given:
    """Return the one value that each field finds and that is not denied, of those that tell neither a name nor a sum nor a row."""
    found = {f.name: put_right(f, some, text, context) for f, some in _detail_readings(operation, text, context)}
    left = {name: _undenied(text, some, context.language, plain=True) for name, some in found.items() if len(some) > 1}
    said = {
        name: {r.data for r in some if left.get(name, text)[r.start : r.end].strip()} for name, some in found.items()
    }
    return {name: next(iter(some)) for name, some in said.items() if len(some) == 1}


def _detail_readings(operation: Operation, text: str, context: Context) -> list[tuple[Field, Sequence[Candidate]]]:
    told = (f for f in operation.fields.values() if kind_of(f).listing in ("detail", "") and not kind_of(f).by_file)
    return [(f, kind_of(f).find(f, text, context)) for f in told]


def _answering(form: Form, draft: Draft, text: str, context: Context) -> Found:
    """Return what a line comes to as the answer to the question that the bot put last, together with the words before that."""
    every = (*draft.opening, *draft.window)
    asked = len(every) > 2 and every[-2].role == "assistant" and not every[-2].clicked  # noqa: PLR2004 words, question, words
    before = every[-3].text if asked and every[-3].role == "user" and not every[-3].clicked else ""
    if not before or {idle(words, context.language) for words in (before, text)} & COURTESIES:
        return []
    wish = named_operation(form, before, context)
    if wish is not None and not adds(wish):
        given = _fields(form, draft, wish, text, context)
        rest = left_over(form, wish, given, text, context)
        row = row_of(wish) is not None and not given and not figures(wish, text, context)
        whole = row if rest else bool(given)
        return [(wish, {**_fields(form, draft, wish, before, context), **given})] if whole else []
    first, now = (_items(form, words, context, named=True) for words in (before, text))
    if len(first) != 1 or len(now) != 1 or not list(_lacking(*first[0])) or not list(_lacking(*now[0])):
        return []
    before_it = {name: data for name, data in first[0][1].items() if data is not None}
    whole_line = (first[0][0], {**now[0][1], **before_it})
    return [] if list(_lacking(*whole_line)) else [whole_line]


def _lacking(operation: Operation, given: Given) -> Iterator[Field]:
    fields = (f for f in operation.fields.values() if given.get(f.name) is None)
    return (f for f in fields if f.name in given or not unfilled(operation, f))


def _items(form: Form, text: str, context: Context, *, named: bool) -> Found:
    """Return what a line adds, part by part. One date, and one currency, that is told for any part holds for all of them.

    A line that begins with a condition or a denial, a plain no apart, adds nothing ("don't add the taxi 12", "if I'd bought it, 900").
    """
    operation = next((o for o in form.operations.values() if adds(o)), None)
    text = _undenied(text, figures(operation, text, context), context.language) if operation else text
    starts = [r.start for r in figures(operation, text, context)] if operation else []
    if operation is None or not (named or starts) or _denies(text, starts, context):
        return []
    pointed = len(starts) == 1 and _pointed_row(operation, text, context)
    if not named and (pointed or _of_a_thing(form, operation, text, context)):
        return []
    found = list[Given]()
    for part in _parts(text, starts):
        _enter(operation, found, part, _item(form, operation, part, context), context)
    for name, field in operation.fields.items():
        said = {given[name] for given in found if name in given}
        if kind_of(field).usual is not None and len(said) == 1:
            found = [{name: next(iter(said)), **given} for given in found]
    return [(operation, given) for given in found]


def _of_a_thing(form: Form, operation: Operation, text: str, context: Context) -> bool:
    """Return True if a bare whole figure is a part of a name, about which something else is said right behind it ("bus 42 was late again")."""
    some, row = figures(operation, text, context), tokens(masked(text), context.language)
    if len(some) != 1:
        return False
    figure, at, behind = some[0], place(row, some[0].start), text[some[0].end :]
    said = without_leads(row[at + 1 :], listed_everywhere(context.language, "negators")) if at else ()
    hit = listed_everywhere(context.language, "orders.stating", "orders.doing").at(said, 0)
    tells = hit and not listed_everywhere(context.language, "orders.doing").at(
        said, 0
    )  # "was for work", "was with Anna"
    led = tells and hit and listed_everywhere(context.language, "ties.behalf", "keepers").at(said, hit[0])
    if hit is None or led or figure.named or not text[figure.start : figure.end].isdigit():
        return False
    known = (*STATED, "hedges", "review.wrong", "orders.priced")
    return bool(left_over(form, operation, _details(operation, behind, context), behind, context, *known))


def _enter(operation: Operation, found: list[Given], part: str, given: Given, context: Context) -> None:
    """Enter what a part gives: over what it puts right or sums up ("no, the bus was 4", "50 in total"), else as one thing more."""
    language, name = context.language, field_told(operation, "name")
    said = given.get(name.name) if name else None
    row = tokens(part, language)
    anew = listed_everywhere(language, "corrections.cues", "no").at(row, 0)
    if name is None or not found or not (anew or listed_everywhere(language, "totals").holds(row)):
        found.append(given)
    elif not said:
        found[-1] |= given
    elif at := [
        o for o in found if anew and {*keys_of(str(said), language)} <= {*keys_of(str(o.get(name.name)), language)}
    ]:
        at[-1] |= {**given, name.name: at[-1][name.name]}
    else:
        found.append(given)


def _denies(text: str, starts: Sequence[int], of: Context) -> bool:
    """Return True if a line says that something is not, was not or must not be, in any language ("no borres el 12", "I almost spent 40")."""
    language = of.language
    whole, figure = tokens(masked(text), language), min(starts, default=len(text))
    row = without_leads(whole, listed_everywhere(language, "orders.fillers", "small", "polite"))
    denials, plain = listed_everywhere(language, "conditions", "negators"), listed_everywhere(language, "yes", "no")
    behind = row[hit[0] :] if (hit := plain.at(row, 0)) else ()  # "no, 14" and "no 14" put right, "no lunch 14" denies
    cued = listed_everywhere(language, "corrections.cues", "small_talk.holds").at(behind, 0)  # "no wait, tea 2.40"
    apart = not behind or cued or behind[0].stop or not text[behind[0].start - 1].isspace()
    stated = states(text, of) and not listed_everywhere(language, "orders.stating").at(behind, 0)
    goes_on = not apart and behind[0].start < figure and not stated
    undone = listed_everywhere(language, "orders.undone").holds([t for t in whole if t.start < figure])
    last = not hit and starts and denials.ending(row, len(row)) and row[-1].start > starts[-1]
    return bool(undone or last or (denials.at(row, 0) and (goes_on or not hit)))


def _parts(text: str, starts: Sequence[int]) -> Sequence[str]:
    """Return the pieces that hold a figure each (`starts`), cut at commas and at "and"; a piece without one goes with the next one."""
    pieces, start = list[str](), 0
    text = _announced().sub(lambda m: f"{m[0][:-1]} ", text)
    for cut in (*_cuts().finditer(text), None) if len(starts) > 1 else ():
        end = cut.start() if cut else len(text)
        if any(start <= at < end for at in starts):
            pieces.append(text[start:end])
            start = cut.end() if cut else end
    if len(pieces) > 1 and not any(map(str.isalpha, pieces[-1])):  # "3 coffees for all of us, 9.60"
        pieces[-2:] = [" ".join(pieces[-2:])]
    if not pieces or text[start:].strip(EDGES):
        pieces[-1:] = [f"{pieces[-1]} {text[start:]}" if pieces else text]
    return pieces


@cache
def _announced() -> re.Pattern[str]:
    """Return the pattern of words that put right what is before, with a comma behind them ("wait, it was 9")."""
    right = "|".join(re.escape(w) for one in LANGUAGES.values() for w in one.corrections.cues)
    return re.compile(rf"(?<!\w)(?:{right}),", re.IGNORECASE)


@cache
def _cuts() -> re.Pattern[str]:
    """Return the pattern of commas that are no decimal marks, other stops, and "and" in any language, none of them before words that put right what
    is before. Each piece has a figure of its own, so a word of another language cuts no name.
    """
    both = "|".join(re.escape(word) for one in LANGUAGES.values() for word in one.and_words)
    right = "|".join(re.escape(w) for one in LANGUAGES.values() for w in (*one.corrections.cues, *one.no))
    cut = rf"[;\n]|,(?![0-9])|(?<![0-9]),|(?<!\w)(?:{both})(?!\w)|{PICTURE}"
    return re.compile(rf"[;\n](?=[^;\n]*[0-9])|(?:{cut})(?!\s*(?:{right})(?!\w))", re.IGNORECASE)


def _item(form: Form, operation: Operation, part: str, context: Context) -> Given:
    """Return one part's values. The rest of its words names the thing; where a second figure is among them, nobody knows the sum."""
    name, amount = field_told(operation, "name"), field_told(operation, "amount")
    given, every = _details(operation, part, context), figures(operation, part, context)
    sums, gone = put_right(amount, every, part, context) if amount else [], list[tuple[int, int]]()
    for field in operation.fields.values():
        found, kind = kind_of(field).find(field, part, context), kind_of(field)
        given |= {field.name: None} if kind.on_day and found and field.name not in given else {}
        spans = [(r.start, r.end) for r in found] if field.name in given and not kind.common_words else []
        gone += [(min(spans)[0], max(spans)[1])] if kind.on_day and spans else spans
    counts = bool(amount) and len(sums) > 1 and _only_count(part, sums, context.language)
    through = [(every[0].start, sums[0].end)] if len(sums) == 1 else [(r.start, r.end) for r in sums]
    sums, through = (sums[-1:], through[-1:]) if counts else (sums, through)
    told = _without(part, [*gone, *through])
    named = _without(told, [*_asides(form, operation, told, context)])
    rest = next(filter(None, (_described(form, operation, words, context.language) for words in (named, told))), "")
    whole = amount and len(sums) == 1 and not is_of_each(amount, part, sums[0].start, sums[0].end, context)
    if amount and whole and (counts or not any(c.isdigit() for c in rest)):
        given[amount.name] = sums[0].data
    elif sums:
        rest = _described(form, operation, part, context.language)
    return {name.name: rest, **given} if name and rest else given


def _asides(form: Form, operation: Operation, part: str, context: Context) -> Iterator[tuple[int, int]]:
    """Yield the clauses that name no thing: they say how sure one is, or which of the choices it is ("leisure, not food", "I think")."""
    choices = (w for f in operation.fields.values() for c in f.choices for w in (c.label, *c.words))
    small = (
        "hedges", "estimates", "polite", "negators", "leading", "offers.all_of",
        "small_talk.greetings", "small_talk.doubts", "small_talk.thanks",
    )  # fmt: skip
    known = joined(explained(form, operation, context.language, *small), phrases(choices, context.language))
    yield from ((c[0].start, c[-1].end) for c in clauses(masked(part), context.language) if all_of(c, known))


def _only_count(part: str, sums: Sequence[Candidate], language: Language) -> bool:
    """Return True if all figures but one at the end count what stands behind them ("2 nights in Leeds 180"), and that one is of all of it."""
    row = tokens(masked(part), language)
    small = listed_everywhere(language, "leading", "breaks", "or_words", "and_words", "each")
    behind = [row[at] if (at := place(row, s.end)) < len(row) else None for s in sums]
    things = all(
        t and part[s.end : t.start].isspace() and t.key.isalpha() and not (s.named or small.at((t,), 0))
        for s, t in zip(sums[:-1], behind, strict=False)
    )
    totals = listed_everywhere(language, "totals")
    ends = behind[-1] is None or all_of(row[place(row, sums[-1].end) :], totals)
    return things and ends and not small.ending(row, place(row, sums[-1].start))


def _undenied(text: str, sums: Sequence[Candidate], language: Language, *, plain: bool = False) -> str:
    """Return a text without the sums that it denies, and without the words that do ("32 not 23"); a `plain` no may be such a word ("32, no 23").

    Nor are parts of a sum in it, to the end of their clause ("90 of which 30 wine").
    """
    row, denials = tokens(masked(text), language), listed_everywhere(language, "negators", "excepting")
    gone, answers = list[tuple[int, int]](), listed_everywhere(language, "no")
    leads, parts = listed_everywhere(language, "of_words", "leading").rows, listed_everywhere(language, "containing")
    for at, end in ((place(row, r.start), r.end) for r in sums):
        first = at - 1 if at and not row[at].stop and row[at - 1].key in leads else at
        hit = denials.ending(row, first) if not row[first].stop else None
        gone += [(row[first - hit[0]].start, end)] if hit and (plain or not answers.at(row, first - hit[0])) else []
        part = parts.ending(row, at) if any(r.end < row[at].start for r in sums) else None
        rest = [t.end for t in takewhile(lambda t: not t.stop, row[at + 1 :])]
        gone += [(row[at - part[0]].start, max(rest, default=end))] if part else []
    return _without(text, gone)


def _described(form: Form, operation: Operation, words: str, language: Language) -> str:
    """Return words without fillers, words of correction and the operation's own words at either end."""
    kept, small = " ".join(words.split()), explained(form, operation, language)
    right = listed_everywhere(
        language, "corrections.cues", "estimates", "no", "polite", "totals", "hedges", "small_talk.holds", "small_talk.approvals",
        "hesitating", "orders.another", "also", "but_words", "and_words", "one_article",
    )  # fmt: skip
    leads = joined(small, right)
    tails = listed_everywhere(
        language, "totals", "review.wrong", "but_words", "orders.stating", "hedges", "estimates", "polite", "small_talk.thanks",
        "orders.priced", "mornings", "afternoons", "nights",
    )  # fmt: skip
    row = without_leads(tokens(kept, language), leads)
    each = listed(language, "each").ending(row, len(row))
    row = row if each else without_tails(row, joined(small, tails))
    if not row:
        return ""
    ends = row[-1].end + (kept[row[0].start : row[-1].end].count("(") > 0 and kept.startswith(")", row[-1].end))
    return DOUBLED.sub(r"\1", SPACED.sub("", kept[row[0].start : ends]))


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the text with these stretches blanked out."""
    return "".join(" " if any(a <= i < b for a, b in spans) else c for i, c in enumerate(text))


NEWEST, LIKELY, LONG = 60, 4, 3
"""Rows that are looked through, those that are shown, and letters from which a word of a name alone may name it."""


def meant_by(form: Form, call: Wanted, rows: Sequence[Row]) -> tuple[Wanted, ...]:
    """Return the call with each row that its words name: those all of whose name is said, else those of which a word is."""
    field = row_of(form.operations[call.operation])
    if not call.words or field is None:
        return (call,)
    language, name = language_of(form.language), name_field(form)
    said = set(keys_of(call.words, language))
    named = [(row, set(keys_of(str(row.body.get(name, "")), language))) for row in rows[:NEWEST]]
    whole = [row for row, words in named if words and words <= said]
    part = [row for row, words in named if any(len(w) >= LONG and not w.isdigit() for w in words & said)]
    found = (whole or part)[:LIKELY]
    return tuple(replace(call, arguments={field.name: row.number, **call.arguments}, words="") for row in found)


def change_of(form: Form) -> Operation | None:
    """Return the operation that changes a row, by its number."""
    return next((o for o in form.operations.values() if row_of(o) and field_told(o, "amount")), None)


def put_right_of(form: Form, call: Wanted, rows: Sequence[Row], today: str) -> Wanted:
    """Return the change of the one row of today that a call puts right, being called so, or by a part of it; else the call as it is."""
    change, name, language = change_of(form), name_field(form), language_of(form.language)
    said = {*keys_of(str(call.arguments.get(name, "")), language)}
    named = [(row, {*keys_of(str(row.body.get(name, "")), language)}) for row in rows if row.at.startswith(today)]
    same = [row for row, there in named if said and there and (said <= there or there <= said)]
    if change is None or (number := row_of(change)) is None or len(same) != 1:
        return call
    told = {n: d for n, d in call.arguments.items() if n in change.fields and n not in (name, *call.inferred)}
    news = any(same[0].body.get(n) != data for n, data in told.items())  # the same once more is another one
    return Wanted(change.name, {number.name: same[0].number, **told}) if news else call


def name_field(form: Form) -> str:
    """Return the name of the field by which a row is called: what is told of what is added."""
    added = next((o for o in form.operations.values() if adds(o)), None)
    field = field_told(added, "name") if added else None
    return field.name if field else ""
