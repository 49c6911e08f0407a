"""Numbers as they stand in a text: in figures as the locale writes them (CLDR), or in words (text2num).

A figure is everything that digits, their separators and what is glued to them make up; it is one number or none, never a part
of one: "12-345", "B2B", "12:30" and "200+" give nothing. What is written with a doubt ("~200", "200ish") or as elsewhere ("1 000") is asked.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, lru_cache

from text_to_num import find_numbers

from state.fields.base import RECENT, Context, is_short
from state.fields.naming import place
from state.fields.values.marks import SIGN, is_mark
from state.language import LANGUAGES, Language
from state.language.table import listed, listed_everywhere, meanings, numbered, words_of
from state.language.tokens import Token, keys_of, masked, tokens

GAP = "[ \u00a0\u202f]"
CHUNK = re.compile(rf"\S+(?:(?<=[0-9]){GAP}(?=[0-9](?![^\W\d_]))\S+)*")
LONGEST = 80
"""Characters of the longest figure with all that is glued to it."""
EDGED = re.compile(
    r"""[(\[{“«‘¿¡*~≈]*(?P<quote>["']?)(?:[^\W\d_]+[:=])?(?P<core>.*?)(?P<tail>(?<=[0-9k])-?ish|/[^\W\d_]{2,})?"""
    r"""[.,;:!?…]*(?P=quote)[)\]}”»’.,;:!?…*]*""",
    re.DOTALL,
)
"""A figure with the punctuation around it, and what is glued to it: a label ("Quantity:200"), a doubt ("200ish"), a time ("1750/mese")."""
SPACED = re.compile(rf"[1-9][0-9]{{0,2}}(?:{GAP}[0-9]{{3}})+(?:[.,][0-9]{{1,2}})?")
"""Digits that spaces group."""
FULL = re.compile(r"[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+,|(?:,[0-9]{3})+\.)[0-9]{1,2}")
"""With both marks a number is plain in every locale ("1.249,00")."""
SHORT = re.compile(r"(?!0[0-9])[0-9]+[.,][0-9]{1,2}")
"""One or two digits behind a mark are decimals in every locale: none groups digits so."""
GLUED = re.compile(r"(?<=[0-9])[^\W\d_]+(?![^\W_])")
"""Letters right behind a figure, such as the k of "2k"."""
NO_PENCE = re.compile(r"(?<=[0-9])[.,][-–—]{1,2}(?![^\W_])")
"""A dash for no cents ("1.500,-")."""
ONE_GROUP = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")
SET_OFF = re.compile(r"[1-9][0-9]{0,2}(?:['’][0-9]{3})+(?:[.,][0-9]{1,2})?")
"""As the Swiss write them: beside an apostrophe either mark is a decimal one."""
FIGURE = re.compile(r"[0-9]")
MINUS = "-−–"
MOST_DIGITS = 18
"""Digits of the longest number; longer ones are not sums that a form could mean."""
WEAK = frozenset(map(Decimal, (1, 100, 1000, 10**6, 10**9)))
"""What a single word may come to that often counts nothing: "one", "un", "a few hundred", "half a million"."""
SHORT_WORD = 3
"""Letters of a word that another language has for something else."""
JOINED = (" ", "-", "\u00a0")
MARKED = re.compile(
    rf"(?P<minus>[{MINUS}])?(?P<before>{SIGN}|[a-z]{{3}})?(?P<number>[0-9](?:[0-9.,'’]|{GAP})*)(?P<after>{SIGN}|[a-z]{{3}}|%)?",
    re.IGNORECASE,
)
""" "£720", "720€", "GBP720", "5%"."""


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text. `digits`: as written in figures; `words`: it is written in words, `weak`: in one that often counts nothing.

    `doubtful`: three decimals that could as well be thousands ("1.750" in English). `marked`: a mark of money or "%" is glued to it.
    `foreign`: in another language than the form's, by its words or its mark for thousands, so that the person is asked.
    """

    value: Decimal
    start: int
    end: int
    digits: str = ""
    words: bool = False
    weak: bool = False
    doubtful: bool = False
    marked: bool = False
    foreign: bool = False


@lru_cache(maxsize=RECENT)
def numerals(text: str, context: Context) -> tuple[Numeral, ...]:
    """Return every number that stands by itself or with a mark, in order."""
    found = (*_in_figures(text, context), *(tuple(_in_words(text, context)) or _in_other_words(text, context)))
    return tuple(sorted(found, key=lambda n: n.start))


@lru_cache(maxsize=RECENT)
def counted(text: str, context: Context) -> tuple[Numeral, ...]:
    """Return the numbers with the half that is added to them ("three and a half"); none where that counts more ("three and a half thousand")."""
    row, scaled = tokens(masked(text), context.language), _scaled(text, context)
    halves = ((n, *half_behind(row, place(row, n.end), context.language)) for n in numerals(text, context))
    return tuple(
        _with_half(n, half, row, i) if half else n for n, half, i in halves if not half or row[i - 1].end not in scaled
    )


def _with_half(number: Numeral, half: Decimal, row: Sequence[Token], after: int) -> Numeral:
    """Return the number with a half of one; of a thousand or a million in words it is the half of that, to be asked ("mille e mezzo")."""
    sizes = (
        size
        for size in (10**6, 1000)
        if not row[place(row, number.end) - 1].key.isdecimal() and number.value % size == 0
    )
    size = next(sizes, 1)
    more = number.foreign or size > 1
    return replace(
        number, value=number.value + half * size, end=row[after - 1].end, weak=False, digits="", foreign=more
    )


def once_scaled(text: str, context: Context) -> Iterator[Numeral]:
    """Yield words that multiply behind nothing but an article or a half, to be asked ("a dozen", "media docena")."""
    row = tokens(masked(text), context.language)
    for one in LANGUAGES.values():
        parts = meanings({**dict.fromkeys(one.one_article, 1.0), **one.halves}, context.language)
        for i in (i for i, token in enumerate(row) if one.scales.get(token.key)):
            if part := parts.ending(row, i):
                value = Decimal(str(part[1])) * one.scales[row[i].key]
                yield Numeral(value, row[i - part[0]].start, row[i].end, words=True, foreign=True)


def half_behind(row: Sequence[Token], i: int, language: Language) -> tuple[Decimal, int]:
    """Return what "and a half" that begins at a token adds, and the token after it; 0 where none begins there."""
    told = numbered(language, "halves").at(row, i + 1) if listed(language, "and_words").at(row, i) else None
    return (Decimal(str(told[1])), i + 1 + told[0]) if told else (Decimal(0), i)


@lru_cache(maxsize=256)
def _number_in(digits: str, context: Context) -> Decimal | None:
    """Return what figures come to as the locale writes them, and nothing beside them; None where they are no number of its."""
    sign = -1 if digits[:1] in tuple(MINUS) else 1
    plain = digits[1:] if sign < 0 else digits
    own, group, mark = _pattern(context.locale)
    if len(plain) > 2 * MOST_DIGITS:
        return None
    if own.fullmatch(plain):
        value = Decimal(re.sub(group, "", plain).replace(mark, "."))
    elif SHORT.fullmatch(plain) or SET_OFF.fullmatch(plain):
        value = Decimal(re.sub("['’]", "", plain).replace(",", "."))
    elif SPACED.fullmatch(plain):
        value = Decimal(re.sub(GAP, "", plain).replace(",", "."))
    elif FULL.fullmatch(plain):
        whole, _, cents = re.sub("[.,]", " ", plain).rpartition(" ")
        value = Decimal(f"{whole.replace(' ', '')}.{cents}")
    else:
        return None
    return sign * value if len(value.as_tuple().digits) <= MOST_DIGITS else None


@cache
def _pattern(locale: str) -> tuple[re.Pattern[str], str, str]:
    """Return the pattern of a number, what groups its digits, and its decimal mark. Babel's own `parse_decimal` takes "1e5" and "1_0" too."""
    symbols = Context(locale, "").babel.number_symbols["latn"]
    mark, sign = str(symbols["decimal"]), str(symbols["group"])
    group = GAP if sign.isspace() else "['’]" if sign in "'’" else re.escape(sign)
    whole = rf"[0-9]{{1,3}}(?:{group}[0-9]{{3}})+|[0-9]+"
    return re.compile(rf"(?!0[0-9])(?:{whole})(?:{re.escape(mark)}[0-9]+)?"), group, mark


def _in_figures(text: str, context: Context) -> Iterator[Numeral]:
    scaled, scales = _scaled(text, context), _scales(context.locale)
    for chunk in CHUNK.finditer(text):
        edged = (
            EDGED.fullmatch(chunk.group()) if len(chunk.group()) <= LONGEST and FIGURE.search(chunk.group()) else None
        )
        core, start, end = (edged["core"], *edged.span("core")) if edged else ("", 0, 0)
        tail = edged["tail"] or "" if edged else ""
        per = tail[:1] == "/" and listed_everywhere(context.language, "units").holds(tokens(tail, context.language))
        glued = GLUED.search(core)
        scale = scales.get(keys_of(glued[0], context.language)[0], 0) if glued else 0
        core = NO_PENCE.sub("", core[: glued.start()] + core[glued.end() :] if glued and scale else core)
        marked = MARKED.fullmatch(core)
        marks = [marked[side] for side in ("before", "after") if marked[side]] if marked else []
        digits = marked["number"] if marked and len(marks) == 1 and is_mark(marks[0]) else core
        behind, last = scaled.get(chunk.start() + end, (1, chunk.start() + end))
        value = _number_in(digits, context) if behind and not (scale and behind > 1) else None
        abroad = value is not None and _is_written_abroad(digits, context)
        if value is not None and not (abroad and marks and " " in digits) and not per:  # no "3.60/share"
            signed = -value if marked and marks and marked["minus"] else value
            doubtful = ONE_GROUP.fullmatch(digits.lstrip(MINUS)) is not None and _pattern(context.locale)[2] in digits
            if (times := scale or behind) > 1:
                signed, digits, doubtful = signed * times, "", False
            there = _number_in(digits, replace(context, locale=spoken_in(text, context).example)) if doubtful else None
            if there is not None and abs(there) > abs(signed):  # "ungefähr 3.500 Euro", in an English form
                yield Numeral(there, chunk.start() + start, last, digits, marked=bool(marks), foreign=True)
                continue
            abroad |= last > chunk.end() and not scales.get(keys_of(text[chunk.end() : last], context.language)[0])
            last = max(last, chunk.start() + end + len(tail))
            yield Numeral(
                signed,
                chunk.start() + start,
                last,
                digits,
                doubtful=doubtful,
                marked=bool(marks),
                foreign=abroad or bool(tail),
            )


def _is_written_abroad(digits: str, context: Context) -> bool:
    """Return True for a number that is plain, and that the locale does not write so ("1 000", "1.249,00")."""
    bare = digits.lstrip(MINUS)
    return bool(SPACED.fullmatch(bare) or FULL.fullmatch(bare)) and not _pattern(context.locale)[0].fullmatch(bare)


@lru_cache(maxsize=RECENT)
def _scaled(text: str, context: Context) -> Mapping[int, tuple[int, int]]:
    """Return places behind which a number goes on in words ("2 million"): its factor, 0 where that is not clear, and where it ends."""
    row, scales, others = tokens(masked(text), context.language), _scales(context.locale), _other_scales(context.locale)
    heard = {s.first: s for s in spoken(text, context.language) if s.value > 1 and not s.ordinal}
    found: dict[int, tuple[int, int]] = {}
    for i in (i for i in range(1, len(row)) if text[row[i].start - 1] in JOINED):
        said, token = heard.get(i), row[i]
        known = token.key if len(token.key) > 1 or token.key == "k" else text[token.start : token.end]
        if said or known in scales:
            goes_on = i + 1 < len(row) and (i + 1 in heard or row[i + 1].key in scales or row[i + 1].key[0].isdigit())
            single = int(said.value) if said and said.value in WEAK and said.value > 1 else 0
            whole = not goes_on and (said is None or said.after == i + 1)
            factor = scales.get(known) or single or _spoken_scale(text, known, context)
            found[token.start - 1] = factor if whole else 0, token.end
        elif known in others and (factor := others[known] or _spoken_scale(text, known, context)):
            found[token.start - 1] = factor, token.end
    return found


def _spoken_scale(text: str, word: str, context: Context) -> int:
    """Return what a word comes to in the language that the text is in ("15 mil dólares", in an English form)."""
    return _scales(spoken_in(text, context).example).get(word, 0)


@cache
def _other_scales(locale: str) -> Mapping[str, int]:
    """Return words for thousands and more of the other languages; 0 for a short one ("mil", "bio"), which counts in a text of its language alone."""
    every = {word: size for one in LANGUAGES.values() for word, size in _scales(one.example).items() if len(word) > 1}
    return {word: size if len(word) > SHORT_WORD else 0 for word, size in every.items() if word not in _scales(locale)}


@cache
def _scales(locale: str) -> Mapping[str, int]:
    """Return CLDR's words for thousands and more ("thousand", "Mio.", "mil"), and the language's own; 0 for a letter that may be a unit."""
    context = Context(locale, "")
    formats = context.babel.compact_decimal_formats
    found: dict[str, int] = {}
    for width in formats.values():
        for size, pattern in (pair for some in width.values() for pair in some.items()):
            words, zeros = pattern.pattern.replace("'", "").replace("0", " ").split(), pattern.pattern.count("0")
            for word in words:
                key = keys_of(word, context.language)[0]
                known = len(key) > 1 or key == "k"
                exact = int(size) // 10 ** (zeros - 1) if known and zeros and len(words) == 1 else 0
                found.setdefault(key if known else word, exact)
    return {**found, **context.language.scales}


class _Word:
    """A word as text2num takes it. What stands apart from the word before it belongs to another number."""

    def __init__(self, said: str, *, apart: bool, polite: bool) -> None:
        self.said, self.apart, self.polite = said, apart, polite

    def text(self) -> str:
        return self.said

    def nt_separated(self, _previous: "_Word") -> bool:
        return self.apart

    def not_a_number_part(self) -> bool:
        return self.polite


@dataclass(frozen=True, slots=True)
class Spoken:
    """A number in words, in tokens `first` up to `after`."""

    value: Decimal
    first: int
    after: int
    ordinal: bool


@cache
def _hears(code: str) -> bool:
    """Return True if text2num knows the language; in another one numbers are read in figures only."""
    try:
        find_numbers([], code, 0.0)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=RECENT)
def spoken(text: str, language: Language) -> tuple[Spoken, ...]:
    """Return the numbers and ordinals in words that text2num hears, courtesies left out ("grazie mille")."""
    row = tokens(masked(text), language)
    polite = {i for a, b, _ in listed(language, "polite").spans(row) for i in range(a, b)}
    words = [
        _Word(text[t.start : t.end].casefold(), apart=i > 0 and not _joined(text, row, i - 1), polite=i in polite)
        for i, t in enumerate(row)
    ]
    if not words or not _hears(language.code):
        return ()
    heard = find_numbers(words, language.code, 0.0)
    return tuple(
        Spoken(Decimal(str(o.value)), o.start, o.end, o.is_ordinal)
        for o in heard
        if not any(c.isdigit() for t in row[o.start : o.end] for c in t.key)
    )


def _in_words(text: str, context: Context) -> Iterator[Numeral]:
    """Yield numbers in words that are one without doubt: not "twenty twenty-six", "trecento e un cane", "five k" or "mille e sette"."""
    language, scaled = context.language, _scaled(text, context)
    row, every = tokens(masked(text), language), spoken(text, language)
    vague = listed(language, "estimates")  # "unos treinta"
    inside = {i for s in every for i in range(s.first, s.after) if not vague.at(row[s.first : s.after], 0)}
    articles, joins = listed(language, "one_article").rows, listed(language, "and_words").rows
    for said in every:
        alone, last = said.after - said.first == 1, row[said.after - 1].key
        beside = [
            i for i in (said.first - 1, said.after) if 0 <= i < len(row) and _joined(text, row, min(i, said.after - 1))
        ]
        company = any(i in inside or row[i].key[0].isdigit() for i in beside) or row[said.after - 1].end in scaled
        tail = not alone and (last in articles or (row[said.after - 2].key in joins and _is_short(said.value)))
        value = said.value.normalize() + 0
        start, end = row[said.first].start, row[said.after - 1].end
        times, last_end = scaled.get(end, (1, end))
        many = alone and value in WEAK and last.endswith(language.plural_ending or "s")  # "hundreds", "miles"
        if alone and value > 1 and times > 1 and not (said.ordinal or inside.intersection(beside)):  # "two grand"
            yield Numeral(value * times, start, last_end, words=True, foreign=True)
        elif alone and language.short_thousands and _is_short(value) and value % 10:
            short = value + value % 10 * 99
            yield from (Numeral(n, start, end, words=True, foreign=True) for n in (short, value))
        elif not (said.ordinal or company or tail or many):
            yield Numeral(value, start, end, words=True, weak=alone and value in WEAK)


def _in_other_words(text: str, context: Context) -> Iterator[Numeral]:
    """Yield numbers in words of the language that the text is in, where that is another one; beside figures, two words of it tell."""
    one = spoken_in(text, context, 1 + (FIGURE.search(text) is not None))
    if one is not context.language:
        heard = _in_words(text, replace(context, locale=one.example))
        yield from (replace(n, foreign=True, weak=False) for n in heard if n.value > 1)  # one is mostly an article


def spoken_in(text: str, context: Context, more: int = 1) -> Language:
    """Return the language that so many more of the words are of than of the form's; else the form's."""
    known = _known_words(text)
    first = max(known, key=lambda one: known[one])
    return first if known[first] >= known[context.language] + more else context.language


def in_its_language(text: str, context: Context) -> Context:
    """Return the context of the language that a text is in, where two more of its words are of that than of the form's."""
    spoken = spoken_in(text, context, 2)
    return context if spoken is context.language else replace(context, locale=spoken.example)


@lru_cache(maxsize=RECENT)
def _known_words(text: str) -> Mapping[Language, int]:
    """Return how many words of a text each language knows, numbers among them."""
    found = {}
    for one in LANGUAGES.values():
        row = tokens(masked(text), one)
        numbers = {i for s in spoken(text, one) for i in range(s.first, s.after)}
        found[one] = sum(i in numbers or t.key in words_of(one) for i, t in enumerate(row))
    return found


def _is_short(value: Decimal) -> bool:
    """Return True for thousands and one digit: people mean 1,700 by "mille e sette" as well."""
    return value > 1000 and value % 1000 < 10  # noqa: PLR2004


def _joined(text: str, row: Sequence[Token], i: int) -> bool:
    """Return True if nothing but a space or a hyphen stands between a token and the next one."""
    return text[row[i].end : row[i + 1].start] in JOINED


DIGITS = re.compile(r"([1-9][0-9]?)(?:st|nd|rd|th)?")
LOOSE = re.compile(r"[+%£€$/@*=<>]|[0-9][.,:][0-9]|-\s?[0-9]")


def position(text: str, count: int, language: Language) -> int | None:
    """Return which of `count` things a message names by its place, counted from 1; None where it says anything else."""
    if not is_short(text) or LOOSE.search(text):
        return None
    row = tokens(masked(text), language)
    if listed(language, "within", "offers.all_of").holds(row):  # "siamo in tre", "los dos"
        return None
    named = {i: n[1] for i, t in enumerate(row) if (n := numbered(language, "numbers").at((t,), 0))}
    named |= {s.first: int(s.value) for s in spoken(text, language) if s.after - s.first == 1}
    for i, token in enumerate(row):
        digits = DIGITS.fullmatch(token.key)
        named |= {i: int(digits[1])} if digits else {i: count} if token.key in listed(language, "last").rows else {}
    small, lead = listed(language, "small", "polite", "yes").rows, listed(language, "option_words").rows
    said = [i for i, t in enumerate(row) if t.key not in small or i in named]
    core = [i for i in said if row[i].key not in lead] or [i for i in said if i in named]
    found = named.get(core[0]) if len(core) == 1 else None
    return found if found is not None and 1 <= found <= count else None
