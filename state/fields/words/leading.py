"""Names and places: which fields ask for one, and the small words that lead to it in a message ("from Leeds", "in Leeds")."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from state.fields.base import Context
from state.fields.values.calendar import month_names, weekday_names
from state.fields.words.naming import BRACES, FIELDS
from state.form import Field
from state.language import Language
from state.language.clauses import sentences
from state.language.table import listed, phrases
from state.language.tokens import Token, keys_of, masked, tokens

SMALL = (
    "filler", "polite", "subjects", "have", "be", "negators", "yes", "no", "articles", "breaks", "units", "question_words",
    "question_verbs", "acknowledging", "conjunctions", "doubts", "hedges", "days", "small_talk.no_names",
    "cues.people", "cues.seats", "cues.ratings", "numbers", "naming", "wants", "agreeing",
)  # fmt: skip
"""Entries whose words are no names where they are written small."""
OF = frozenset({"of", "di", "de", "del", "dei", "von", "der"})
"""Words within a name ("Museum of Art")."""
FEW = 3
"""Words of the longest name that is told though it is written small."""
Row = Sequence[Token]


@lru_cache(maxsize=FIELDS)
def asks_thing(field: Field, language: Language) -> bool:
    """Whether a text field asks for a name or a place, by its label, its own words or the first words of its question."""
    if field.grade:
        return False
    called = listed(language, "cues.things")
    said = (field.label, *field.words)
    return any(called.holds(tokens(BRACES.sub(" ", w), language)) for w in said)


def leads_to(field: Field, row: Row, first: int, context: Context) -> bool:
    """Whether words that lead to an answer of this field end just before a token of the row."""
    language = context.language
    if not 0 < first < len(row) or row[first].stop:
        return False
    at = first - 1 if first > 1 and listed(language, "articles").at(row[first - 1 : first], 0) else first
    return any(phrases(cues, language).ending(row, i) for cues in _cues(field, language) for i in {at, first})


@lru_cache(maxsize=FIELDS)
def _cues(field: Field, language: Language) -> tuple[tuple[str, ...], ...]:
    """What leads to the field's answers: by the nouns in its name and question, or because either begins or ends so ("From city")."""
    own = tokens(BRACES.sub(" ", " . ".join((field.label, *field.words, field.ask))), language)
    edges = {*keys_of(field.label, language)[:1], *keys_of(field.ask, language)[-1:]}
    one_way = [cues for _, cues in language.cues.leads if edges & {k for c in cues for k in keys_of(c, language)[:1]}]
    nouns = [cues for called, cues in language.cues.leads if phrases(called, language).holds(own)]
    return tuple(dict.fromkeys((*one_way, *nouns)))


def led_alone(field: Field, others: Iterable[Field], row: Row, first: int, context: Context) -> bool | None:
    """True where what begins at a token is led to as an answer of this field and of no other; False where of another alone."""
    mine = leads_to(field, row, first, context)
    theirs = any(leads_to(f, row, first, context) for f in others)
    return True if mine and not theirs else False if theirs and not mine else None


def led_names(field: Field, others: Sequence[Field], text: str, context: Context) -> Iterator[tuple[int, int]]:
    """Where names in capitals stand that are led to as this field's and no other's, in sentences that do not ask."""
    for sentence in sentences(masked(text), context.language):
        row = tuple(t for clause in sentence.clauses for t in clause)
        for first in range(1, len(row)) if not sentence.asks else ():
            after = _name_from(row, first, text, context)
            if after > first and led_alone(field, others, row, first, context):
                yield row[first].start, row[after - 1].end


def _name_from(row: Row, first: int, text: str, context: Context) -> int:
    """The token after a name in capitals that begins here, house numbers in front and small joins within."""
    joins = listed(context.language, "of_words", "conjunctions")
    i = first
    while i < len(row) and (i == first or not row[i].stop) and _may_be_named(row[i], text, context, opens=i == first):
        i += 1
        joined = joins.at(row[i : i + 1], 0) and i + 1 < len(row) and not row[i].stop and not row[i + 1].stop
        if joined and row[i].key in OF and _is_capital(text, row[i + 1]):
            i += 1
    told = any(_is_capital(text, t) for t in row[first:i])
    return i if told and _is_over(row, i, text, context) else first


def _is_over(row: Row, i: int, text: str, context: Context) -> bool:
    """Whether a name ends before a token: no further word could be a part of it."""
    if i < len(row):
        ends = listed(context.language, "breaks", "polite", "conjunctions", "days")
        return bool(row[i].stop or ends.at(row, i) or _is_day(row[i].key, context))
    return text[row[i - 1].end :].strip(" .!,") == ""


def _may_be_named(token: Token, text: str, context: Context, *, opens: bool) -> bool:
    written = text[token.start : token.end]
    told = _is_capital(text, token) or (opens and written.isdigit())
    return told and written not in context.language.no_tickers and not _is_day(token.key, context)


def is_name(text: str, start: int, end: int, context: Context) -> bool:
    """Whether the words from `start` to `end` of a text are a whole name: capitals tell it, or that none of them is a common word."""
    language = context.language
    row = tokens(masked(text), language)
    inside = [t for t in row if start <= t.start < end]
    behind = next((t for t in row if t.start >= end), None)
    if not inside or any(_is_day(t.key, context) for t in inside):
        return False
    if behind is not None and not behind.stop and _is_capital(text, behind) and _is_capital(text, inside[-1]):
        return False
    if any(_is_capital(text, t) for t in inside) and not text.isupper():
        return True
    small = listed(language, *SMALL)
    closed = behind is None or behind.stop or small.at((behind,), 0)
    return bool(closed) and not any(t.key.isdigit() or small.at((t,), 0) for t in inside)


def is_common(text: str, context: Context) -> bool:
    """Whether a text written small holds nothing but common words."""
    row = tokens(masked(text), context.language)
    small = listed(context.language, *SMALL, "small_talk.small")
    return text.islower() and all(small.at((t,), 0) for t in row)


def is_title(text: str, context: Context) -> bool:
    """Whether a whole text is a name: every word but small ones has a capital, or a few words are small and none is a common one."""
    language = context.language
    row = tokens(masked(text), language)
    if not row or any(_is_day(t.key, context) for t in row):
        return False
    small, joins = (
        listed(language, *SMALL),
        listed(language, "articles", "of_words", "conjunctions", "naming", "breaks"),
    )
    written = [t for t in row if not t.key.isdigit()]
    if written and any(_is_capital(text, t) for t in written) and not text.isupper():
        first = written[0]
        praise = listed(language, "praising", "small_talk.thanks", "small_talk.approvals", "small_talk.evaluations")
        common = len(written) == 1 and (small.at((first,), 0) or praise.at((first,), 0))
        few = len(written) <= FEW
        return not common and all(
            _is_capital(text, t) or joins.at((t,), 0) or t.key[0].isdigit() or (few and not small.at((t,), 0))
            for t in written
        )
    return 0 < len(written) <= FEW and not any(small.at((t,), 0) for t in written)


def _is_capital(text: str, token: Token) -> bool:
    return text[token.start].isupper()


def _is_day(key: str, context: Context) -> bool:
    return key in _days(context)


@lru_cache(maxsize=64)
def _days(context: Context) -> frozenset[str]:
    language = context.language
    return frozenset(keys_of(n, language)[0] for n in (*month_names(context), *weekday_names(context)) if n)
