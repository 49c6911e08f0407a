"""Open words. Canonical: as written, without what cannot be seen. Where few words are asked for, a message may be the answer by itself."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.values.numerals import spoken, spoken_in
from state.form import Field
from state.form.field import Data
from state.language import LANGUAGES
from state.language.asides import speaks_to_us
from state.language.small_talk import idle, only_agrees
from state.language.table import Clause, Table, all_of, joined, listed, listed_everywhere, phrases
from state.language.tokens import asks, masked, tokens, trimmed

TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that turn the direction of what follows: they could show a reader something else than what is stored."""
KEPT = frozenset("\n\t")
FEW = 6
"""Words of the longest name, place or code that a message is by itself."""
CODE = 5
"""Digits from which figures alone are a code ("28 12345")."""
CLAUSE = re.compile(r",\s")
MORE = re.compile(r",\s+[a-zß-öø-ÿ]")  # something else behind a name: "Tronador, model Furia 300"
ENDS = re.compile(r"[!:;\n]|[^\W\d_]{4,}\.\s")
"""Where a sentence ends, the point of an abbreviation apart."""
SHORTENED = "|".join(re.escape(word) for language in LANGUAGES.values() for word in language.shortened)
ABBREVIATION = re.compile(
    r"(?<!\w)[^\W\d_](?:\.[^\W\d_])+(?!\w)\.?"  # "S.p.A.", and "S.p.A"
    r"|(?<!\w)[^\W\d_]\.(?: [^\W\d_]\.)+"  # "e. V."
    r"|[^\W\d_]\.(?=[,;])"  # no sentence ends before a comma
    rf"|\b(?:{SHORTENED})\.",
    re.IGNORECASE,
)
"""Words that points shorten: by their shape, else as the languages list them. A full stop after any other word ends its sentence."""


LEGAL_FORMS = frozenset(form for language in LANGUAGES.values() for form in language.legal_forms)


def whole(field: Field, text: str, context: Context) -> Data | None:
    """Return the message where the form knows it or it looks like the answer: few words, none small, capitals at both ends, else long.

    A legal form is no end: "Harrowgate Mills plc".
    """
    if not 0 < len(text.strip()) <= field.max_length or asks(text) or idle(text, context.language) is not None:
        return None
    row = tokens(masked(text), context.language)
    if (known := known_alone(field, text, context)) is not None:
        return known
    if not field.short:
        if speaks_to_us(text, context.language):
            return None
        given = listed(context.language, "conjunctions").at(row, 0) is None and is_few_words(text)
        cue = phrases(field.before, context.language).at(row, 0) if given else None
        behind = text[row[cue[0]].start :] if cue and cue[0] < len(row) else text  # "call it Bulk invite pls"
        return _clean((cue and behind.startswith(told := unframed(behind, context)) and told) or behind)
    name = [t for t in row if t.key not in LEGAL_FORMS]
    said = [t for t in row if not t.key.isdigit()] or row  # "solo 2", and not "28/12345"
    vague = only_agrees(row, context.language) or all_of(said, listed_everywhere(context.language, "small", "vague"))
    figures = sum(n.after - n.first for n in spoken(text, context.language))  # "Two." may be meant for any question
    vague |= figures == len(row)
    proper = name and not vague and all(text[t.start].isupper() or text[t.start].isdigit() for t in (name[0], name[-1]))
    return _clean(stripped(text, " .")) if proper and is_worded(text) and not small(context).holds(row) else None


def known_alone(field: Field, text: str, context: Context) -> str | None:
    """Return the one value that the form knows in a text, if the other words are small ones or the field's own name ("my ISA with …")."""
    found, row = find(field, text, context), tokens(masked(text), context.language)
    if len(found) != 1:
        return None
    named = phrases((field.label, *field.words), context.language)
    beside = joined(listed(context.language, "small", "leading", "polite"), named)
    (one,) = found
    rest = [tuple(t for t in row if t.end <= one.start), tuple(t for t in row if t.start >= one.end)]
    return str(one.data) if all(all_of(words, beside) for words in rest) else None


def is_few_words(text: str) -> bool:
    """Return True if the words are no more than a name has, in one sentence."""
    return 0 < len(text.split()) <= FEW and not ENDS.search(text.strip(" .!"))


def is_worded(text: str) -> bool:
    """Return True if the words are few, and more than a short figure, which may be meant for any question; a code is long."""
    return (
        is_few_words(text)
        and not MORE.search(text)
        and (any(map(str.isalpha, text)) or sum(map(str.isdigit, text)) >= CODE)
    )


def looks_like_name(text: str) -> bool:
    """Return True if so few words could be a name or a thing: three at most, or more of which one behind the first has a capital or a figure."""
    words = text.split()
    proper = any((w[0].isupper() or w[0].isdigit()) and len(w) > 1 for w in words[1:])
    return is_worded(text) and (len(words) <= FEW // 2 or proper) and not (CLAUSE.search(text) and not proper)


def stripped(text: str, marks: str = " .!,;:") -> str:
    """Return the text without marks behind it, the point of an abbreviation apart."""
    return text[: end_of_name(text, len(text.rstrip(marks)))]


def end_of_name(text: str, end: int) -> int:
    """Return where words up to a place end, with all of an abbreviation that they end in."""
    found = abbreviations(text) if text.startswith(".", end) else ()
    return next((after for start, after in found if start < end < after), end)


def abbreviations(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of words that are shortened by points."""
    return (match.span() for match in ABBREVIATION.finditer(text))


UNSURE = ("hedges", "small_talk.doubts")


def unframed(text: str, context: Context) -> str:
    """Return the text without small words before it and courtesies behind it, and without words on either side that say how sure one is."""
    row = tokens(masked(text), context.language)
    unsure = joined(listed(context.language, *UNSURE), listed(spoken_in(text, context, 2), *UNSURE))
    told = joined(small(context), listed(context.language, "orders.stating"))
    leads, polite = joined(told, unsure), joined(listed(context.language, "polite"), unsure)
    first, end = 0, len(row)
    if listed(context.language, "one_article").at(row, 0):
        return stripped(text)
    while first < end and (hit := leads.at(row, first)):
        first += hit[0]
    while end > first and (hit := polite.ending(row, end)):
        end -= hit[0]
    whole_end = stripped(text) if end == len(row) else text[: end_of_name(text, row[end - 1].end)]
    return whole_end[row[first].start :] if first < end and first else whole_end if first < end else ""


def small(context: Context) -> Table[str]:
    """Return the words that are no part of a name by themselves."""
    return listed(context.language, "small", "leading", "polite", "yes", "no", "negators")


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Return the values that the form knows, each with who keeps it ("ISA with …"); one beside which others are denied stands for all those words."""
    row = tokens(masked(text), context.language)
    known = [*phrases(field.known, context.language).spans(row)]
    denied = [span for span in known if _is_put_aside(row, span[0], context)]
    found = tuple(_with_keeper(text, row, a, b, v, context) for a, b, v in known if (a, b, v) not in denied)
    if not denied or len(found) != 1:
        return found
    first, last = (_lead(row, denied[0][0], context) - 1, denied[-1][1] - 1)
    return (replace(found[0], start=min(found[0].start, row[first].start), end=max(found[0].end, row[last].end)),)


def _is_put_aside(row: Clause, at: int, context: Context) -> bool:
    """Return True if a word that denies stands before a value, small ones aside ("not my pension")."""
    first = _lead(row, at, context)
    denials = listed(context.language, "negators", "excepting")
    return first > 0 and not row[first].stop and denials.ending(row, first) is not None


def _lead(row: Clause, at: int, context: Context) -> int:
    """Return the first of the small words before a token, in its clause."""
    while at > 0 and not row[at].stop and row[at - 1].key in listed(context.language, "small", "leading").rows:
        at -= 1
    return at


def _with_keeper(text: str, row: Clause, first: int, after: int, value: str, context: Context) -> Candidate:
    start, end, keeps = (
        row[first].start,
        row[after - 1].end,
        listed_everywhere(context.language, "keepers").at(row, after),
    )
    behind = range(after + keeps[0], len(row)) if keeps else ()
    name = list(takewhile(lambda i: text[row[i].start].isupper() and _may_be_name(row, i, context), behind))
    placed = listed(context.language, "leading").at(row, after)  # "at market" says how, not with whom
    if behind and not name and not placed and _may_be_name(row, behind[0], context):
        alone = behind[0] + 1 == len(row) or not _may_be_name(row, behind[0] + 1, context)  # no "with immediate effect"
        name = [behind[0]] if alone else []
    end = row[name[-1]].end if name else end
    before = next(_kept_in(row, first, context), first)  # "in my Northfield ISA"
    kept = bool(name) or before < first
    start = row[before].start
    return Candidate(text[start:end] if kept else value, start, end, named=True)


def _kept_in(row: Clause, first: int, context: Context) -> Iterator[int]:
    """Yield where the name of who keeps a value begins before it: behind a word of being in it and a small one."""
    within = listed_everywhere(context.language, "within")
    for start in range(first - 1, max(first - 4, 1), -1):
        if not _may_be_name(row, start, context) or row[start + 1].stop:
            return
        if within.ending(row, start - 1) and small(context).at(row, start - 1):
            yield start


def _may_be_name(row: Clause, i: int, context: Context) -> bool:
    return not row[i].stop and not row[i].key[0].isdigit() and small(context).at(row, i) is None


def parse(field: Field, given: object, _context: Context) -> Data:
    """Return the text. Raises Unreadable: not_text, empty, too_long."""
    if not isinstance(given, str):
        raise Unreadable("not_text")
    text = _clean(given)
    if not text:
        raise Unreadable("empty")
    if len(text) > field.max_length:
        raise Unreadable("too_long", {"maximum": str(field.max_length)})
    return text


def _clean(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    hidden = {c for c in set(lines) - KEPT if c in TURNING or unicodedata.category(c) in ("Cc", "Cs")}
    return trimmed("".join(c for c in lines if c not in hidden))


KIND = Kind(
    name="text",
    about="Open words, kept as they are written.",
    whole=whole, find=find, parse=parse,
    takes=frozenset({"grade", "before", "known", "opens", "short"}), closed=False, verbatim=True, grounding="words", listing="name",
    lasting=True,
)  # fmt: skip
