"""The rows that a line changes or takes away, read without any model: "put 17 under food", "the 12 was on Monday", "delete the taxi"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from state.draft.draft import Draft
from state.draft.operations import Row, Wanted
from state.fields import kind_of
from state.fields.base import Candidate, Context
from state.fields.naming import names, place
from state.form import Field, Form
from state.form.field import Data
from state.form.schema import Operation
from state.language import Language, language_of
from state.language.table import Table, all_of, clauses, listed, listed_everywhere, phrases
from state.language.tokens import Token, keys_of, masked, tokens
from state.understanding.arguments import FIGURE, field_told, figures, left_over, places
from state.understanding.commands import without_leads, without_tails
from state.understanding.corrections import put_right

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


@dataclass(frozen=True)
class OrderLine:
    """A line held against an operation, whose fields it may tell."""

    form: Form
    operation: Operation
    text: str
    context: Context

    @cached_property
    def row(self) -> tuple[Token, ...]:
        """Return its words."""
        return tokens(masked(self.text), self.context.language)

    @cached_property
    def figures(self) -> Sequence[Candidate]:
        """Return what may be sums in it."""
        return figures(self.operation, self.text, self.context)

    @cached_property
    def at(self) -> int:
        """Return the place among its words of the first figure, where that is a whole number without any mark, and a word; -1 else ("taxi´20")."""
        starts = [token.start for token in self.row]
        first = next(iter(self.figures), None)
        whole = first is not None and self.text[first.start : first.end].isdigit() and first.start in starts
        return starts.index(first.start) if first is not None and whole else -1

    @cached_property
    def readings(self) -> list[tuple[Field, Sequence[Candidate]]]:
        """Return what each field finds that tells neither a name nor a sum nor a row."""
        told = (f for f in self.operation.fields.values() if kind_of(f).listing in ("detail", ""))
        return [(f, kind_of(f).find(f, self.text, self.context)) for f in told if not kind_of(f).by_file]

    @cached_property
    def details(self) -> Given:
        """Return the one value of each of these fields that is not denied."""
        found = {f.name: put_right(f, some, self.text, self.context) for f, some in self.readings}
        left = {
            n: undenied(self.text, some, self.context.language, plain=True) if len(some) > 1 else self.text
            for n, some in found.items()
        }
        said = {n: {r.data for r in some if left[n][r.start : r.end].strip()} for n, some in found.items()}
        return {name: next(iter(some)) for name, some in said.items() if len(some) == 1}

    def words(self, *entries: str) -> Table[str]:
        """Return entries of every language."""
        return listed_everywhere(self.context.language, *entries)

    def left(self, given: Given, *entries: str, end: int | None = None) -> str:
        """Return the words up to `end` that nothing explains."""
        return left_over(self.form, self.operation, given, self.text[:end], self.context, *entries)

    def points(self, *, stating: bool = False) -> bool:
        """Return True if the first figure is the number of a row, by the word before it ("entry 12", "la 12"). Where something is said of it
        (`stating`), it may begin the line ("12 was yesterday").
        """
        if self.at < 0:
            return False
        start, before = self.row[self.at].start, self.words("orders.rows").ending(self.row, self.at)
        beside = bool(before) and not self.text[self.row[self.at - 1].end : start].strip(" .")
        says = stating and self.at == 0 and self.words("orders.stating").at(self.row, 1) is not None
        return NUMBERED.search(self.text[:start]) is not None or beside or says

    def tells_one_figure(self) -> bool:
        """Return True if no figure is in it but the number of a row: beside it are words that point at it, or none that is not known."""
        spans = [(m.start(), m.end()) for m in FIGURE.finditer(self.text)]
        return (
            not spans
            or self.points()
            or not left_over(self.form, self.operation, {}, without(self.text, spans), self.context)
        )

    def files(self, given: Given) -> bool:
        """Return True if words of filing are around the number ("put 33 under travel"), or the line names what it states ("the date of 33 is …")."""
        fields, filing = [self.operation.fields[name] for name in given], self.words("orders.filing")
        told = [f for f in fields if kind_of(f).listing not in ("row", "name")]
        if self.at < 0 or len(told) != 1 or len(fields) > 2:  # noqa: PLR2004 the row and one thing
            return False
        small = listed(self.context.language, "small").ending(
            self.row, self.at
        )  # "make 9 lodging": no thing is called "make"
        found = places(self.operation, told[0], given[told[0].name] or "", self.text, self.context) if small else ()
        at_once = any(place(self.row, r.start) == self.at + 1 for r in found)
        if filing.ending(self.row, self.at) and (at_once or filing.at(self.row, self.at + 1)):
            return True
        return self.words("orders.stating").holds(self.row) and names(told[0], self.context).holds(self.row)

    @cached_property
    def renames(self) -> bool:
        """Return True if the words are those of giving a row another name, whatever that is ("rename 5 to food")."""
        name = field_told(self.operation, "name")
        return name is not None and phrases(name.words, self.context.language).holds(self.row)

    def begins_a_name(self) -> bool:
        """Return True if an order's word begins a name, with a sum behind it to which nothing leads: two words between them of which nothing is
        known and no article ("edit suite hire 200"), or one where the order's word is a field's own ("move van 40").
        """
        named, language = self.operation, self.context.language
        order = phrases(named.words, language).at(self.row, 0)
        if not (order and row_of(named) and field_told(named, "amount") and len(self.figures) == 1) or ":" in self.text:
            return False
        own = [f for f in named.fields.values() if phrases(f.words, language).at(self.row, 0)]
        told = any(some for f, some in self.readings if f in own)
        sum_, leads = self.figures[0], self.words("breaks", "naming", "orders.rows")
        led = leads.ending(self.row, place(self.row, sum_.start)) or leads.at(self.row, place(self.row, sum_.end))
        article = not own and self.words("small").at(self.row, order[0])
        unknown = tokens(self.left({}, end=sum_.start), language)
        return not (told or led or article) and len(unknown) > (0 if own else 1)

    def fields(self, draft: Draft, *, numbered: bool = False) -> Given:
        """Return each field's one value, the row by its number (for sure where it is `numbered`) or as the last one that was touched."""
        row, amount, language = row_of(self.operation), field_told(self.operation, "amount"), self.context.language
        given = {} if self.renames else {**self.details}
        if row is None:
            return given
        left, first = undenied(self.text, self.figures, language), int(numbered)  # "the sum of 11 is 6.50"
        sums, begins = [r for r in self.figures if left[r.start : r.end].strip()], self.words("begin_words")
        if len(sums) > first + 1:  # "from 12 to 14"
            sums = [r for i, r in enumerate(sums) if i < first or not begins.ending(self.row, place(self.row, r.start))]
        before = masked(self.text[: self.figures[0].start] if self.figures else self.text)
        pointed = self.words("offers.pointing").holds(tokens(before, language))  # not "edit no. 22 so it says Monday"
        that = just_touched(draft) if pointed else 0
        plain = bool(sums) and self.text[sums[0].start : sums[0].end].isdigit()
        if plain and (numbered or not (that and amount and len(sums) == 1)):
            alone = {**given, row.name: int(self.text[sums[0].start : sums[0].end])}
            # "drop cloth 9" names no row 9
            at_once = not self.left(given, "orders.rows", "option_words", end=sums[0].start)
            sure = numbered or len(sums) > 1 or (all if amount else any)((at_once, self.points()))
            if sure or self.new_name(alone) or not self.left(alone):
                given, sums = alone, sums[1:]
        given |= {amount.name: sums[0].data} if amount and len(sums) == 1 and not self.renames else {}
        stated = ("orders.stating", "hedges", "corrections.cues") if numbered else ()  # "the 9 is actually food"
        given |= self.new_name(given, *stated)
        words = tokens(self.left(given), language)
        newest = bool(words) and all(token.key in listed(language, "last").rows for token in words)
        meant = draft.last_entry if newest else 0 if words else that
        return {row.name: meant, **given} if meant else given

    def new_name(self, given: Given, *stated: str) -> Given:
        """Return what a row is called from now on, behind its number: all words of renaming it, else those of which nothing else is known, behind a
        colon or "to" ("change 5 to lunch").
        """
        name, row = field_told(self.operation, "name"), row_of(self.operation)
        if name is None or row is None or row.name not in given:
            return {}
        if self.renames:
            behind = self.row[place(self.row, self.figures[0].end) :]
            said = without_tails(without_leads(behind, self.words("naming", "orders.filing")), self.words("polite"))
            return {name.name: self.text[said[0].start : said[-1].end]} if said else {}
        rest = self.left(given, *stated)
        before = self.text[: self.text.find(rest)].rstrip() if rest else ""
        leads = self.words("naming").ending((said := tokens(before, self.context.language)), len(said))
        led = before.endswith(":") or (leads and said[: -leads[0]] and said[-leads[0] - 1].key.isdigit())
        first = next(iter(clauses(rest, self.context.language)), ())
        return {name.name: rest[: first[-1].end]} if led else {}


def undenied(text: str, sums: Sequence[Candidate], language: Language, *, plain: bool = False) -> str:
    """Return a text without the sums that it denies, and without the words that do ("32 not 23"); a `plain` no may be such a word ("32, no 23").

    Nor are parts of a sum in it, to the end of their clause ("90 of which 30 wine").
    """
    row, denials = tokens(masked(text), language), listed_everywhere(language, "negators", "excepting")
    gone, answers = list[tuple[int, int]](), listed_everywhere(language, "no")
    leads, parts = listed_everywhere(language, "of_words", "leading").rows, listed_everywhere(language, "containing")
    for at, end in ((place(row, r.start), r.end) for r in sums if place(row, r.start) < len(row)):  # a sign is no word
        first = at - 1 if at and not row[at].stop and row[at - 1].key in leads else at
        hit = denials.ending(row, first) if not row[first].stop else None
        gone += [(row[first - hit[0]].start, end)] if hit and (plain or not answers.at(row, first - hit[0])) else []
        part = parts.ending(row, at) if any(r.end < row[at].start for r in sums) else None
        rest = [t.end for t in takewhile(lambda t: not t.stop, row[at + 1 :])]
        gone += [(row[at - part[0]].start, max(rest, default=end))] if part else []
    return without(text, gone)


def without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the text with these stretches blanked out."""
    return "".join(" " if any(a <= i < b for a, b in spans) else c for i, c in enumerate(text))


def change_of_a_row(form: Form, draft: Draft, text: str, context: Context) -> list[tuple[Operation, Given]]:
    """Return the change of a row, for a line that says nothing but what is so of it ("the 12 was on Monday", "put 17 under food")."""
    change, language, text = change_of(form), context.language, SHORT_NUMBER.sub(r"\1nr", text)
    line = OrderLine(form, change, text, context) if change else None
    if change is None or line is None or line.at < 0:
        return []
    filed = line.words("orders.filing").ending(line.row, line.at) or line.words("orders.stating").holds(line.row)
    if not ((pointed := line.points(stating=True)) or filed):
        return []
    told = [r for _, some in line.readings for r in some]
    left = undenied(text, [*line.figures[1:], *told], language, plain=True)
    given = replace(line, text=left).fields(draft, numbered=True)
    if len(given) < 2 or not (pointed or line.files(given)):  # noqa: PLR2004 the row and what is so of it
        return []
    summed = any(kind_of(change.fields[name]).listing == "amount" for name in given)
    rest = left_over(form, change, given, left, context, *STATED, *(() if summed else ("breaks", "naming")))
    others = phrases((w for f in change.fields.values() for c in f.choices for w in (c.label, *c.words)), language)
    return [(change, given)] if all_of(tokens(rest, language), others) else []


JUST = 3
"""Turns within which "it" is what was done last."""


def just_touched(draft: Draft) -> int:
    """Return the row that was added or changed a few turns ago at most; 0 where that were none, or several, of which none is the one."""
    told = next((one.text for one in reversed(draft.window) if one.role == "assistant" and one.clicked), "")
    return draft.last_entry if draft.deed_turn >= draft.turn - JUST and "\n" not in told else 0


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


def change_of(form: Form) -> Operation | None:
    """Return the operation that changes a row, by its number."""
    return next((o for o in form.operations.values() if row_of(o) and field_told(o, "amount")), None)


def adding(form: Form) -> Operation | None:
    """Return the operation that adds a row."""
    return next((o for o in form.operations.values() if adds(o)), None)


def name_field(form: Form) -> str:
    """Return the name of the field by which a row is called: what is told of what is added."""
    added = adding(form)
    field = field_told(added, "name") if added else None
    return field.name if field else ""


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
