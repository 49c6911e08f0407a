"""What integers and decimals have in common: which numbers of a text count, limits, and reading one number."""

import math
from collections.abc import Iterable
from decimal import Decimal

from babel.numbers import format_decimal

from state.fields.base import Candidate, Context, Unreadable
from state.fields.values.amounts import amounts
from state.fields.values.approximation import is_rough
from state.fields.values.days import days
from state.fields.values.hours import hours
from state.fields.values.numerals import is_doubtful, numerals, total
from state.fields.values.reach import YEAR, is_denied, is_label, is_price, place, put_aside
from state.fields.values.schemes import SCHEMES, identifiers
from state.fields.values.spans import Spans
from state.fields.values.spoken import parts_of
from state.fields.words.counting import counts_else, is_counted
from state.fields.words.naming import is_named, own_words
from state.fields.words.plain import is_leaning, is_plain, is_short
from state.form import Field
from state.form.data import Data
from state.language.table import listed
from state.language.tokens import Token, masked, tokens, trimmed

BOUND = Decimal(10**15)
"""Numbers beyond it no form means, and not every reader of JSON keeps them exact."""
Row = tuple[Token, ...]


def counted(
    field: Field, text: str, readings: Iterable[Candidate], context: Context, *, loose: bool = False
) -> tuple[Candidate, ...]:
    """The readings that are plain numbers, each told whether the field's name or unit stands beside it; those first.

    `loose`: estimates and limits count as well.
    """
    clean = masked(text)
    row = tokens(clean, context.language)
    taken = _taken(clean, context)
    loose = loose or field.estimate
    free = [r for r in readings if _is_free(field, r, row, taken, context, loose)]
    told = [
        Candidate(r.data, r.start, r.end, _named(field, r, row, context)) for r in sorted(free, key=lambda r: r.start)
    ]
    lasting = listed(context.language, "durations")
    own = own_words(field, context)
    after = [(r, place(row, r.end)) for r in told]
    meant = (
        r
        for r, i in after
        if r.named
        or not (lasting.at(row, i) or counts_else(field, row, i, context.language))
        or (i < len(row) and row[i].key in own)
    )
    return tuple(sorted(meant, key=lambda r: not r.named))


def one_answer(field: Field, text: str, found: tuple[Candidate, ...], context: Context) -> Data | None:
    """The value of a message that holds one reading and nothing else."""
    if len(found) != 1:
        return None
    reading = found[0]
    return reading.data if is_plain(field, text, reading.start, reading.end, context) else None


def one_leaning(field: Field, text: str, found: Iterable[Candidate], context: Context) -> Data | None:
    """The one value that a message holds, where its other words only weaken it."""
    readings = tuple(found)
    if not is_short(text) or len({r.data for r in readings}) != 1:
        return None
    start, end = min(r.start for r in readings), max(r.end for r in readings)
    return readings[0].data if is_leaning(field, text, start, end, context) else None


def parse_number(given: object, context: Context, *, doubtful: bool = False) -> Decimal:
    """One number from a tool or a modal. Raises Unreadable: not_a_number, ambiguous_amount, too_large."""
    if isinstance(given, bool) or not isinstance(given, int | float | Decimal | str):
        raise Unreadable("not_a_number")
    if isinstance(given, str):
        return _from_text(given, context, doubtful)
    if isinstance(given, float) and not math.isfinite(given):
        raise Unreadable("not_a_number")
    value = Decimal(str(given))
    if abs(value) > BOUND:
        raise Unreadable("too_large", {"maximum": _shown(int(BOUND), context)})
    return value


def within(field: Field, value: Decimal, context: Context, least: int | None = None) -> Decimal:
    """The value, if the field's limits allow it. Raises Unreadable: too_small, too_large."""
    lowest = field.minimum if field.minimum is not None else least
    highest = int(BOUND) if field.maximum is None else field.maximum
    if lowest is not None and value < lowest:
        raise Unreadable("too_small", {"minimum": _shown(lowest, context)})
    if value > highest or abs(value) > BOUND:
        raise Unreadable("too_large", {"maximum": _shown(highest, context)})
    return value


def is_within(field: Field, value: Decimal, least: int | None = None) -> bool:
    """Whether the field's limits allow the value."""
    lowest = field.minimum if field.minimum is not None else least
    highest = int(BOUND) if field.maximum is None else field.maximum
    return (lowest is None or value >= lowest) and value <= highest and abs(value) <= BOUND


def _shown(limit: int, context: Context) -> str:
    return str(format_decimal(limit, locale=context.babel))


def _from_text(given: str, context: Context, doubtful: bool) -> Decimal:
    text = trimmed(given)
    found = next((n for n in numerals(text, context) if n.start == 0 and n.end == len(text)), None)
    value = total(found, context) if found else None
    if found is None or value is None:
        raise Unreadable("not_a_number")
    if not doubtful and found.times == 1 and is_doubtful(found.digits, context):
        raise Unreadable("ambiguous_amount")
    return value


def _taken(clean: str, context: Context) -> Spans:
    """Where sums of money, days, hours and identifiers stand: their digits are no plain numbers."""
    spans = [(a.start, a.end) for a in amounts(clean, context)]
    spans += [(d.start, d.end) for d in days(clean, context)]
    spans += [(h.start, h.end) for h in hours(clean, context)]
    lettered = (i for i in identifiers(clean, tuple(SCHEMES)) if not clean[i.start : i.end].isdigit())
    return Spans([*spans, *((i.start, i.end) for i in lettered)])


def _is_free(field: Field, r: Candidate, row: Row, taken: Spans, context: Context, loose: bool) -> bool:
    if taken.hits(r.start, r.end):
        return False
    asks_year = YEAR.fullmatch(str(field.minimum)) is not None
    labelled = is_label(row, r.start, context, dated=not asks_year)
    if labelled or is_no_answer(row, r, context, loose):
        return False
    first, after = place(row, r.start), place(row, r.end)
    return is_counted(field, row, first, after, context.language) or not is_price(row, r.start, r.end, context)


def is_no_answer(row: Row, r: Candidate, context: Context, loose: bool) -> bool:
    """Whether a value is put aside, or, unless `loose`, a limit or an estimate."""
    if loose:
        return is_denied(row, r.start, context)
    return put_aside(row, r.start, context) or is_rough(row, r.start, r.end, context)


def _named(field: Field, r: Candidate, row: Row, context: Context) -> bool:
    first, after = place(row, r.start), place(row, r.end)
    if _in_range(row, first, after, context):
        return False
    own = after < len(row) and not row[after].stop and _own_duration(field, row[after], context)
    counted_ = own or is_counted(field, row, first, after, context.language)
    return counted_ or is_named(field, row, first, after, context)


def _own_duration(field: Field, token: Token, context: Context) -> bool:
    """Whether the word is a length of time, and the one that the field counts ("9 days" to "length of stay in days")."""
    lasting = listed(context.language, "durations").at((token,), 0) is not None
    return lasting and not field.unit and token.key in own_words(field, context)


def _in_range(row: Row, first: int, after: int, context: Context) -> bool:
    """Whether it is one of two numbers with one small word between them ("200 or 300", "from 200 to 300")."""
    language = context.language
    small = listed(language, "or_words", "conjunctions", "naming")
    left = first > 1 and row[first - 2].key.isdigit() and small.at(row, first - 1) is not None
    right = after + 1 < len(row) and row[after + 1].key.isdigit() and small.at(row, after) is not None
    return left or right


def ends_range(row: Row, start: int, context: Context, sums: Spans) -> bool:
    """Whether the sum that begins here is the far end of a range whose near end is no sum itself ("between 500 and £600")."""
    language, first = context.language, place(row, start)
    joins = listed(language, "and_words", "or_words", "range_words")
    if first < 2 or joins.at(row[first - 1 : first], 0) is None:  # noqa: PLR2004 a number and a join
        return False
    near = row[first - 2]
    number = near.key.isdigit() or parts_of(near.key, language)
    return bool(number) and not sums.hits(near.start, near.end)
