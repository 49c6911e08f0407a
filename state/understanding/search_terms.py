"""The name of a thing to look up, out of a sentence: what follows the verb or the number, or the one name in capitals."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from operator import attrgetter

from state.fields import kind_of
from state.fields.base import Context
from state.fields.values.calendar import month_names, weekday_names
from state.fields.values.reach import place
from state.fields.values.spans import Spans
from state.fields.words.naming import names
from state.form import Field, Form
from state.language import LANGUAGES, Language, understood
from state.language.table import Table, listed, listed_widely, phrases
from state.language.tokens import Token, keys_of, masked, tokens
from state.understanding.small_talk import NoAnswer, no_answer

MOST = 5
"""Words of the longest name."""
FEW = 4
"""Words of a message that is a name alone."""
LEGAL_FORMS = frozenset(form for language in LANGUAGES.values() for form in language.legal_forms)
JOINS = frozenset({" ", "-", "&", " & ", ". ", ".", "'", "’"})
COMMON = (
    "filler", "polite", "subjects", "have", "be", "negators", "yes", "no", "articles", "breaks", "units", "question_words",
    "question_verbs", "acknowledging", "conjunctions", "doubts", "hedges", "days",
)  # fmt: skip
"""Entries of the form's language whose words are no names, and those of every language that is understood in it."""
WIDELY_COMMON = ("commands.leads", "commands.tails", "corrections.cues", "asking_meaning")
Span = tuple[int, int]


def query(
    form: Form, field: Field, text: str, context: Context, *, asked: bool = False, alone: bool = False
) -> Span | None:
    """Where the one thing stands that the text names for this look-up; None where it names none, or several.

    `asked`: the field was asked, so that a few plain words may be its name. `alone`: a name in capitals will do without a verb.
    """
    clean = masked(text)
    row = tokens(clean, context.language)
    if _names_nothing(text, row, context, asked):
        return None
    if asked and _is_written_as_name(text, row) and not _begins_otherwise(form, row, text, context):
        return _whole_name(text, row, context)
    span = _query(form, field, text, context, asked, alone)
    return span if span and not _only_points(text, row, span, context) else None


def _query(form: Form, field: Field, text: str, context: Context, asked: bool, alone: bool) -> Span | None:
    """The stretch that could be a name by where it stands."""
    clean = masked(text)
    row = tokens(clean, context.language)
    anchors, taken = _surroundings(form, field, text, row, context)
    certain = [r for r in kind_of(field).find(field, text, context) if not taken.hits(r.start, r.end)]
    named = {r.data: (r.start, r.end) for r in certain if r.named} or {r.data: (r.start, r.end) for r in certain}
    if named:
        return next(iter(named.values())) if len(named) == 1 else None
    after = _one({_after(row, i, taken, clean, context) for i in anchors}, text, context)
    if after:
        return after
    capitals = _capitals(form, row, taken, text, context) if anchors or asked or alone else []
    if len(capitals) == 1:
        return capitals[0]
    return _short(row, taken, context) if asked and not anchors and not capitals else None


def _names_nothing(text: str, row: Sequence[Token], context: Context, asked: bool) -> bool:
    """Whether the message is small talk, an order, or a wish for another thing than one with a name ("vorrei un prestito").

    One word with a capital that only bids go on is a name where a name was asked ("Next").
    """
    reason = no_answer(text, context)
    if reason is not None:
        return not (asked and reason is NoAnswer.APPROVAL and _is_one_name(text, row, context))
    language = context.language
    wanting, article = listed_widely(language, "offers.wanting"), listed_widely(language, "one_article")
    for _, after, _ in wanting.spans(row):
        at = after + (1 if article.at(row, after) else 0)
        wished = row[at:] if at > after else ()
        if wished and not any(text[t.start].isupper() or t.key.isdigit() for t in wished):
            return all(t.key in _pointing(language) for t in wished)
    return False


def _is_one_name(text: str, row: Sequence[Token], context: Context) -> bool:
    """Whether the message is one word with a capital, which is no yes, no or "OK"."""
    small = listed(context.language, "polite", "yes", "no", "acknowledging").rows
    said = [t for t in row if t.key not in small]
    word = text[said[0].start : said[0].end] if len(said) == 1 else ""
    return len(word) > 2 and word[0].isupper() and not word.isupper()  # noqa: PLR2004 letters of an "OK"


def _is_written_as_name(text: str, row: Sequence[Token]) -> bool:
    """Whether a short message is nothing but words with capitals ("Best Buy"), and not shouted."""
    words = [text[t.start : t.end] for t in row]
    proper = all(w[0].isupper() or w[0].isdigit() for w in words)
    proper = proper and not any(w.isdigit() for w in words)
    return 1 < len(words) <= FEW and proper and not text.isupper() and not any(t.stop > 0 for t in row)


def _begins_otherwise(form: Form, row: Sequence[Token], text: str, context: Context) -> bool:
    """Whether the first word is another field's ("Sell Visa")."""
    others = (f for f in form.fields.values() if kind_of(f).leads_to_name or kind_of(f).claims)
    return any(r.start == row[0].start for f in others for r in kind_of(f).find(f, text, context))


def _whole_name(text: str, row: Sequence[Token], context: Context) -> Span | None:
    common = listed(context.language, "polite", "subjects", "yes", "no", "negators", "acknowledging").rows
    said = [t for t in row if t.key not in common]
    return (said[0].start, said[-1].end) if said else None


def _only_points(text: str, row: Sequence[Token], span: Span, context: Context) -> bool:
    """Whether the words of a stretch point at something and name nothing; a capital within the message makes a name of any word."""
    inside = [t for t in row if span[0] <= t.start < span[1]]
    named = any(text[t.start].isupper() and (t is not row[0] or len(row) == 1) for t in inside)
    lone = len(inside) == len([t for t in row if t.key not in _courteous(context.language)]) == 1
    pointing = _pointing(context.language)
    return (
        not named
        and all(t.key in pointing for t in inside)
        and not (lone and inside[0].key in _single_words(context.locale))
    )


@cache
def _pointing(language: Language) -> frozenset[str]:
    """Words that name nothing, of every language."""
    entries = (
        "small_talk.no_names",
        "filler",
        "articles",
        "subjects",
        "have",
        "be",
        "negators",
        "yes",
        "no",
    )
    words = tuple(w for other in LANGUAGES.values() for e in entries for w in attrgetter(e)(other))
    return _keys(words, language)


@cache
def _courteous(language: Language) -> frozenset[str]:
    return frozenset(listed(language, "polite").rows)


def _surroundings(
    form: Form, field: Field, text: str, row: Sequence[Token], context: Context
) -> tuple[list[int], Spans]:
    """After which words a name may stand, and which stretches say something else."""
    others = [f for f in form.fields.values() if kind_of(f).claims]
    found = [(f, r) for f in others for r in kind_of(f).find(f, text, context)]
    language = context.language
    counted = _counted(field.unit, language)
    called = [after for table in (names(field, context), counted) for _, after, _ in table.spans(row)]
    known = [(r.start, r.end) for f in form.fields.values() if f.known for r in kind_of(f).find(f, text, context)]
    anchors = {place(row, r.end) for f, r in found if kind_of(f).leads_to_name} | set(called)
    return sorted(anchors), Spans([*((r.start, r.end) for _, r in found), *known])


@lru_cache(maxsize=64)
def _counted(unit: str, language: Language) -> Table[str]:
    return phrases((*language.units, unit), language)


def _after(row: Sequence[Token], first: int, taken: Spans, text: str, context: Context) -> Span | None:
    """The words from a place up to a stop, small words before them left out."""
    language = context.language
    small = listed(language, "articles", "units", "naming")
    ends = listed(language, "breaks", "units", "polite", "rejected")
    i = _past(row, first, small, text)
    if i and (phrase := listed(language, "breaks").at(row, i - 1)) and phrase[0] > 1:
        return None
    j = i
    while j < len(row) and j - i < MOST and not taken.hits(row[j].start, row[j].end):
        stopped = row[j].stop and not (j > i and text[row[j - 1].end : row[j].start] in JOINS)
        joined = _joins_names(row, j, i, text, context) or (j == i and _is_name_in_sentence(row, j, text))
        if stopped or (ends.at(row, j) and not joined):
            break
        j += 1
    return _span(row[i:j], context)


def _is_name_in_sentence(row: Sequence[Token], i: int, text: str) -> bool:
    """Whether a small word has a capital within a sentence that has small ones before it ("my Now shares")."""
    return i > 0 and text[row[i].start].isupper() and not row[i].stop and text[row[i - 1].start].islower()


def _past(row: Sequence[Token], first: int, small: Table[str], text: str) -> int:
    i = first
    while i < len(row) and not row[i].stop and not _is_name_in_sentence(row, i, text) and (hit := small.at(row, i)):
        i += hit[0]
    return i


def _joins_names(row: Sequence[Token], i: int, first: int, text: str, context: Context) -> bool:
    """Whether an "and" stands between two capitals ("Marks and Spencer")."""
    joined = row[i].key in context.language.and_words and first < i < len(row) - 1 and not row[i + 1].stop
    return joined and text[row[i - 1].start].isupper() and text[row[i + 1].start].isupper()


def _span(row: Sequence[Token], context: Context) -> Span | None:
    """The stretch of a name; None where its words are no name."""
    no_names = listed(context.language, "filler", "subjects", "have", "negators", "question_words", "days").rows
    counting = listed(context.language, "numbers").rows
    words = [t for t in row if not t.key.isdigit() and (t.key not in counting or len(row) == 1)]
    if not words or any(t.key in no_names for t in (words[0], words[-1])):
        return None
    return row[0].start, row[-1].end


def _one(spans: Iterable[Span | None], text: str, context: Context) -> Span | None:
    """The one name; where there are several, the one that is written with a capital."""
    found = [s for s in spans if s is not None]
    proper = [s for s in found if text[s[0]].isupper() or text[s[0]].isdigit()]
    best = proper or found
    return best[0] if len({text[a:b].casefold() for a, b in best}) == 1 else None


def _capitals(form: Form, row: Sequence[Token], taken: Spans, text: str, context: Context) -> list[Span]:
    """Runs of words with a capital, common words aside; the same name twice is one."""
    common = _common(form, context)
    proper = [bool(re.match(r"[^\W\d_]", text[t.start])) and text[t.start].isupper() for t in row]
    runs: dict[str, Span] = {}
    i = 0
    while i < len(row):
        j = i
        while j < len(row) and proper[j] and row[j].key not in common and not taken.hits(row[j].start, row[j].end):
            if j > i and text[row[j - 1].end : row[j].start] not in JOINS:
                break
            j += 1
        if j > i:
            end = _with_form(row, j, text)
            runs.setdefault(text[row[i].start : end].casefold(), (row[i].start, end))
        i = max(j, i + 1)
    return list(runs.values())


def _with_form(row: Sequence[Token], after: int, text: str) -> int:
    """The end of a name with the firm's legal form ("Shell plc"), if that follows."""
    legal = after < len(row) and row[after].key in LEGAL_FORMS and text[row[after - 1].end : row[after].start] in JOINS
    return row[after].end if legal else row[after - 1].end


def _common(form: Form, context: Context) -> frozenset[str]:
    """Words that a capital makes no name of: small words, days and months, the form's own words."""
    own = tuple(w for f in form.fields.values() for w in (f.label, *f.words))
    return _single_words(context.locale) | _keys(own, context.language)


@cache
def _single_words(locale: str) -> frozenset[str]:
    """Every single word of a language's lists, of its days and of its months."""
    context = Context(locale, "")
    language, wide = context.language, [attrgetter(entry) for entry in WIDELY_COMMON]
    lists = (
        *(attrgetter(entry)(language) for entry in COMMON), *(get(other) for other in understood(language) for get in wide),
        month_names(context), weekday_names(context),
    )  # fmt: skip
    return _keys(tuple(word for words in lists for word in words), language)


@lru_cache(maxsize=64)
def _keys(words: tuple[str, ...], language: Language) -> frozenset[str]:
    return frozenset(key for word in words for key in keys_of(word, language))


def _short(row: Sequence[Token], taken: Spans, context: Context) -> Span | None:
    """A message of a few words that says nothing else, when it was this that was asked."""
    language = context.language
    small = listed(language, "filler", "articles", "polite", "stand_ins").rows
    said = [t for t in row if t.key not in small]
    turned = listed(language, "negators", "yes", "doubts", "question_words")
    if not said or len(row) > MOST + 1 or turned.holds(row) or all(t.key.isdigit() for t in said):
        return None
    start, end = said[0].start, said[-1].end
    return None if taken.hits(start, end) else (start, end)
