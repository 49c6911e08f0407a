"""What kinds of values have in common: a message that holds one value and nothing else, which numbers count, limits, and reading one number."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from babel.numbers import format_decimal

from state.fields.base import RECENT, STRAY, Candidate, Context, Find, Unreadable, Whole, is_short
from state.fields.naming import BRACES, FIELDS, YEAR, Spans, is_named, place
from state.fields.values.days import month_table
from state.fields.values.hours import hours
from state.fields.values.marks import Mark, marks, percents, touches_digit
from state.fields.values.measures import back_in, in_own_unit, is_measured, spaced
from state.fields.values.numerals import Numeral, counted, once_scaled
from state.fields.values.periods import periods
from state.fields.values.schemes import SCHEMES, identifiers
from state.form import Field
from state.form.field import Data
from state.language import Language
from state.language.table import clauses, listed, listed_everywhere, numbered
from state.language.tokens import Token, keys_of, masked, tokens, trimmed

SPACES = (" ", "\u00a0", "\u202f")


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum or share with its mark. `doubtful`: its decimals could as well be thousands ("£1.750"); `weak`: one word that may be a part of more."""

    value: Decimal
    mark: Mark
    start: int
    end: int
    doubtful: bool = False
    weak: bool = False
    foreign: bool = False


@lru_cache(maxsize=RECENT)
def amounts(text: str, context: Context) -> tuple[Amount, ...]:
    """Return every sum of money with its mark, in order."""
    return tuple(sorted(_beside(text, marks(text, context), context), key=lambda a: a.start))


@lru_cache(maxsize=RECENT)
def shares(text: str, context: Context) -> tuple[Amount, ...]:
    """Return every percentage with its mark, in order."""
    return tuple(sorted(_beside(text, percents(text, context), context), key=lambda a: a.start))


def _beside(text: str, found: Iterable[Mark], context: Context) -> Iterator[Amount]:
    """A mark between two numbers belongs to neither; one that touches a number marks no other."""
    numbers = (*counted(text, context), *once_scaled(text, context))
    starts = {n.start: n for n in numbers if not n.marked}
    ends = {n.end: n for n in numbers if not n.marked}
    row = tokens(masked(text), context.language)
    for mark in found:
        whole = (n for n in numbers if n.marked or not n.digits)  # "£12", "a tenner"
        glued = next((n for n in whole if n.start <= mark.start and mark.end <= n.end), None)
        before = ends.get(mark.start - 1) if text[mark.start - 1 : mark.start] in SPACES else None
        behind = starts.get(mark.end + 1) if text[mark.end : mark.end + 1] in SPACES else None
        note = mark.weak and mark.said  # "Mr Tenner 12"
        told = [glued] if glued else [n for n in (before, behind) if n is not None and not note]
        cents = behind is not None and CENTS.fullmatch(behind.digits) and not is_measured(text, row, behind.end)
        if before and behind and cents and before.digits.isdigit():  # "6 euro 40", not "200 euro 24 mesi"
            value = before.value + behind.value / 100
            yield Amount(value, mark, before.start, behind.end, foreign=True)
        if len(told) == 1 and (glued or not touches_digit(text, mark.start, mark.end)):
            start, end = min(mark.start, told[0].start), max(mark.end, told[0].end)
            yield Amount(told[0].value, mark, start, end, told[0].doubtful, told[0].weak, told[0].foreign)


CENTS = re.compile(r"[0-9]{2}")
FACTOR = 10
"""A first number that is smaller by more than that counts something else ("five to six hundred pounds")."""
BOUND = Decimal(10**15)
"""Numbers beyond it no form means, and not every reader of JSON keeps them exact."""
Number = Numeral | Amount
DataOf = Callable[[Field, Number, Context], Data | None]
Marked = Callable[[str, Context], tuple[Amount, ...]]
CANONICAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")


def readers(data: DataOf, marked: Marked = lambda _text, _context: ()) -> tuple[Whole, Find]:
    """Return `whole` and `find` of a kind of number. Where the text holds numbers with a mark of the kind, only these count.

    `data`: the canonical value of a number in a field, None where the field cannot have it.
    """

    money = marked is amounts

    def told(field: Field, found: Iterable[Number], context: Context, named: bool = False) -> tuple[Candidate, ...]:
        values = ((data(field, n, context), n) for n in found)
        return tuple(Candidate(value, n.start, n.end, named, n.foreign) for value, n in values if value is not None)

    def whole(field: Field, text: str, context: Context) -> Data | None:
        text = spaced(field, text, context.language)
        bare = (n for n in bare_numbers(text, context) if not _may_count_nothing(field, n, text, context, money))
        found: tuple[Number, ...] = marked(masked(text), context) or (*bare, *_company(field, text, context))
        return one_answer(field, text, told(field, found, context), context)

    def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
        found = marked(masked(text), context)
        if found:
            row = tokens(masked(text), context.language)
            sums = (a for a in found if not a.weak or _is_counted(a, row, context.language))
            cues = listed_everywhere(context.language, "corrections.cues", "asking_meaning", "no")  # "£720, no, 750"
            plain = plain_numbers(field, text, context, money)
            said = (n for n in plain if cues.ending(row, place(row, n.start)))
            meant = [n for n in said if (after := place(row, n.end)) == len(row) or row[after].stop]
            meant += _beginning(plain, found, row, context.language)
            return (*told(field, sums, context, named=True), *told(field, meant, context))
        apart = spaced(field, text, context.language)
        numbers = in_own_unit(field, plain_numbers(field, apart, context, money), apart, context.language)
        some = (n for n in numbers if not _is_some_of(field, n, text, context))
        named = named_first(field, apart, told(field, some, context), context)
        return back_in(field, text, named, context.language)

    return whole, find


def _beginning(
    plain: Iterable[Numeral], found: Iterable[Amount], row: Sequence[Token], language: Language
) -> Iterator[Numeral]:
    """Yield the numbers from which a word leads on to a sum ("40 or 50 euros", "between 40 and 50 euros")."""
    starts, joins = {place(row, a.start): a.value for a in found}, listed_everywhere(language, "between", "or_words")
    ranging, both = listed_everywhere(language, "ranging"), listed_everywhere(language, "and_words")
    for number in plain:
        at, ranges = place(row, number.end), ranging.ending(row, place(row, number.start))
        hit = joins.at(row, at) or (both.at(row, at) if ranges else None)
        if hit and at + hit[0] in starts and number.value * FACTOR > starts[at + hit[0]]:
            yield number


def _counts_people(field: Field, language: Language) -> bool:
    called = {keys_of(name, language) for name in (field.unit, field.label, *field.words)}
    return bool(called & {keys_of(word, language) for word in language.people})


def _is_some_of(field: Field, number: Numeral, text: str, context: Context) -> bool:
    """Return True if a number counts some of the people that its clause names ("my wife and two children"), and not all of them."""
    language = context.language
    if not _counts_people(field, language):
        return False
    clause = next((c for c in clauses(masked(text), language) if c[0].start <= number.start < c[-1].end), ())
    others = listed(language, "ties.kin", "people", "one_article")
    return listed(language, "and_words").holds(clause) and others.holds(tokens(masked(text), language))


def _company(field: Field, text: str, context: Context) -> Iterator[Numeral]:
    """Yield how many people there are with the speaker, for a field that counts people ("just me", "zu viert")."""
    language, row = context.language, tokens(masked(text), context.language)
    if _counts_people(field, language) and not listed(language, "and_words").holds(row):
        spans = numbered(language, "company").spans(row)
        yield from (Numeral(Decimal(n), row[a].start, row[b - 1].end, words=True) for a, b, n in spans)


def one_answer(field: Field, text: str, found: Iterable[Candidate], context: Context) -> Data | None:
    """Return the value of a message that holds one reading, and around it only the field's own name and words that say nothing.

    An article says nothing before a value, and behind it something of each ("3.60 a share", "3,60 l'una").
    """
    readings = tuple(found)
    if len(readings) != 1 or readings[0].rough or not is_short(text):
        return None
    start, end = readings[0].start, readings[0].end
    if STRAY.search(text[:start] + text[end:]):
        return None
    row, agreed = tokens(masked(text), context.language), listed(context.language, "yes")
    small = {i for a, b, _ in listed(context.language, "small", "polite").spans(row) for i in range(a, b)}
    small |= {i for a, b, _ in agreed.spans(row) for i in range(a, b) if row[i].start < start}
    each, own = listed(context.language, "one_article").rows, own_names(field, context.language)
    left = (t for i, t in enumerate(row) if (t.key in each and t.start >= end) or (i not in small and t.key not in own))
    return readings[0].data if all(start <= t.start and t.end <= end for t in left) else None


def answering(find: Find) -> Whole:
    """Return the reader of a message that holds one of the values that `find` finds, and says nothing else."""
    return lambda field, text, context: one_answer(field, text, find(field, text, context), context)


@lru_cache(maxsize=FIELDS)
def own_names(field: Field, language: Language) -> frozenset[str]:
    """Return the single words of a field's label, words and unit; those of usual units where it counts in one."""
    own = frozenset(keys_of(BRACES.sub(" ", " ".join((field.label, *field.words, field.unit))), language))
    units = listed(language, "units").rows.keys()
    return own | units if own & units else own


def bare_numbers(text: str, context: Context) -> tuple[Numeral, ...]:
    """Return the numbers of a text that no mark is glued to."""
    return tuple(n for n in counted(masked(text), context) if not n.marked)


def plain_numbers(field: Field, text: str, context: Context, money: bool) -> tuple[Numeral, ...]:
    """Return the numbers of a text that are no part of a sum, a day, an hour or an identifier, and count something; `money`: for a sum."""
    taken = _taken(masked(text), context)
    row = tokens(masked(text), context.language)
    bare = (*bare_numbers(text, context), *(() if money else once_scaled(text, context)))
    counts = (n for n in bare if not n.weak or _is_counted(n, row, context.language))
    minor = listed_everywhere(context.language, "minor")  # "fifty pence" is not fifty of the currency
    free = (n for n in counts if not (taken.hits(n.start, n.end) or minor.at(row, place(row, n.end))))
    return tuple(n for n in free if not _may_count_nothing(field, n, text, context, money))


def _is_counted(number: Number, row: Sequence[Token], language: Language) -> bool:
    """Return True for "a hundred" and for "mille" that begins a clause: not "a few hundred", "half a million"."""
    first = place(row, number.start)
    article = listed(language, "one_article").ending(row, first)
    half = article is not None and numbered(language, "halves").ending(row, first)
    return number.value > 1 and not half and bool(article or first == 0 or row[first].stop)


def _may_count_nothing(field: Field, number: Numeral, text: str, context: Context, money: bool) -> bool:
    """Return True for a year ("in 2026") and a one in words ("the one") that neither stand alone nor beside the field's name.

    For `money` only what is told as a year is one.
    """
    year = YEAR.fullmatch(number.digits) and not YEAR.fullmatch(str(field.minimum))
    if money and DAY.fullmatch(number.digits) and _is_led_as_day(number, text, context):
        return True
    if not year and not (number.weak and number.value == 1):
        return False
    row = tokens(masked(text), context.language)
    if year and listed_everywhere(context.language, "units").at(row, place(row, number.end)):  # "2000 Aktien"
        return False
    if year and money:  # "prendo 1950 al mese", and not "nel 2015", "March 2015"
        first = place(row, number.start)
        dated = listed_everywhere(context.language, "breaks", "leading", "begin_words", "since", "of_words").ending(
            row, first
        )
        return bool(dated or month_table(context.locale).ending(row, first))
    polite = {i for a, b, _ in listed(context.language, "polite").spans(row) for i in range(a, b)}
    alone = all(i in polite or number.start <= t.start < number.end for i, t in enumerate(row))
    return not alone and not is_named(field, row, place(row, number.start), place(row, number.end), context)


DAY = re.compile(r"[12]?[1-9]|[123]0|31")


def _is_led_as_day(number: Numeral, text: str, context: Context) -> bool:
    """Return True if the article of days leads to a figure: no sum has one ("il 27")."""
    row = tokens(masked(text), context.language)
    return listed(context.language, "day_leads").ending(row, place(row, number.start)) is not None


def named_first(field: Field, text: str, readings: Iterable[Candidate], context: Context) -> tuple[Candidate, ...]:
    """Return the readings, each told whether the field's name or unit stands beside it, those first."""
    row = tokens(masked(text), context.language)
    told = (replace(r, named=is_named(field, row, place(row, r.start), place(row, r.end), context)) for r in readings)
    return tuple(sorted(told, key=lambda r: (not r.named, r.start)))


def parse_number(given: object, context: Context, *, doubtful: bool = False, field: Field | None = None) -> Decimal:
    """Return one number from a tool or a modal, in the unit of its field. Raises Unreadable: not_a_number, ambiguous_amount, too_large."""
    if isinstance(given, bool) or not isinstance(given, int | float | Decimal | str):
        raise Unreadable("not_a_number")
    if isinstance(given, str):
        text = trimmed(given)
        return _from_text(spaced(field, text, context.language) if field else text, context, doubtful, field)
    if isinstance(given, float) and not math.isfinite(given):
        raise Unreadable("not_a_number")
    value = Decimal(str(given))
    if abs(value) > BOUND:
        raise Unreadable("too_large", {"maximum": _shown(int(BOUND), context)})
    return value


def within(field: Field, value: Decimal, context: Context, least: int | None = None) -> Decimal:
    """Return the value, if the field's limits allow it. Raises Unreadable: too_small, too_large."""
    lowest = field.minimum if field.minimum is not None else least
    highest = int(BOUND) if field.maximum is None else field.maximum
    if lowest is not None and value < lowest:
        raise Unreadable("too_small", {"minimum": _shown(lowest, context)})
    if value > highest or abs(value) > BOUND:
        raise Unreadable("too_large", {"maximum": _shown(highest, context)})
    return value


def is_within(field: Field, value: Decimal, least: int | None = None) -> bool:
    """Return True if the field's limits allow the value."""
    lowest = field.minimum if field.minimum is not None else least
    highest = int(BOUND) if field.maximum is None else field.maximum
    return (lowest is None or value >= lowest) and value <= highest and abs(value) <= BOUND


def _shown(limit: int, context: Context) -> str:
    return str(format_decimal(limit, locale=context.babel))


def _from_text(text: str, context: Context, doubtful: bool, field: Field | None) -> Decimal:
    """As the locale writes it, else as values are stored."""
    numbers: Iterable[Numeral] = (n for n in (*counted(text, context), *once_scaled(text, context)) if not n.marked)
    numbers = in_own_unit(field, numbers, text, context.language) if field else numbers
    own = own_names(field, context.language) if field and field.unit else frozenset[str]()
    rest = ((n, tokens(text[n.end :], context.language)) for n in numbers if n.start == 0)
    found = next((n for n, unit in rest if n.end == len(text) or (unit and all(t.key in own for t in unit))), None)
    if found is None and CANONICAL.fullmatch(text):
        return Decimal(text)
    if found is None:
        raise Unreadable("not_a_number")
    if found.doubtful and not doubtful:
        raise Unreadable("ambiguous_amount")
    return found.value


@lru_cache(maxsize=RECENT)
def _taken(clean: str, context: Context) -> Spans:
    """Where sums of money, days, hours and identifiers stand: their digits are no plain numbers."""
    spans = [(a.start, a.end) for a in (*amounts(clean, context), *shares(clean, context))]
    spans += [(p.start, p.end) for p in periods(clean, context)]
    spans += [(h.start, h.end) for h in hours(clean, context)]
    lettered = [i for i in identifiers(clean, tuple(SCHEMES)) if not clean[i.start : i.end].isdigit()]
    said = listed_everywhere(context.language, "leading", "begin_words", "between")  # "da 1.600 a …" is no number plate
    lettered = [i for i in lettered if not said.at(tokens(clean[i.start : i.end], context.language), 0)]
    return Spans([*spans, *((i.start, i.end) for i in lettered)])
