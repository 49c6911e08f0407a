"""Blanket answers: one yes or no to all questions at once ("no to all declarations", "nothing to declare"), wherever in a message it stands."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any

from state.draft.draft import Draft
from state.draft.missing import missing
from state.fields import kind_of
from state.form import Field, Form
from state.language import Language, language_of, understood
from state.language.clauses import Sentence, sentences
from state.language.marks import has_marks, spelt
from state.language.polarity import is_question
from state.language.small_talk import DRAWN_OUT
from state.language.table import Table, listed, meanings
from state.language.tokens import RECENT, Token, keys_of, masked


@dataclass(frozen=True, slots=True)
class Blanket:
    """A yes or no to everything, from `start` up to `end` of a text."""

    start: int
    end: int
    yes: bool = False
    rest: bool = False
    """Whether it speaks of what is left, so that a yes or no before it is an answer of its own."""
    bare: bool = False
    """Whether it only points at things ("none of these"): beside a list of choices it speaks of that list."""
    softly: bool = False
    """Whether it may as well deny the one thing that was asked ("none of that")."""
    excepted: str = ""
    """What the sentence says behind a word such as "except"."""
    partly: bool = False
    """Whether that is left out, whatever it is."""


@lru_cache(maxsize=RECENT)
def blankets(text: str, locale: str) -> tuple[Blanket, ...]:
    """The blanket answers of a text in their order; in the locale's language, and in the one that is understood everywhere."""
    language = language_of(locale)
    if not has_marks(text):
        return _found(masked(text), language)
    written, places = spelt(text, language.yes_label, language.no_label)
    return tuple(replace(b, start=places[b.start], end=places[b.end]) for b in _found(masked(written), language))


def counting(form: Form, draft: Draft, asked: Field | None, text: str) -> tuple[Blanket, ...]:
    """Those that speak of the form's yes/no questions, in words said while `asked` was the question.

    What may be the answer to that question alone is none, nor are words within a text that was asked for, once all others are answered.
    """
    if not _is_denied(form):
        return ()
    found = blankets(text, form.language)
    if not found or asked is None:
        return found
    if kind_of(asked).verbatim and not deniable(form, draft):
        return ()
    one, several = kind_of(asked).polar, bool(asked.choices or draft.options.get(asked.name))
    return tuple(b for b in found if not (one and b.softly) and not (several and b.bare))


def deniable(form: Form, draft: Draft) -> tuple[Field, ...]:
    """Questions that are to be asked now and that a no answers."""
    return tuple(f for f in missing(form, draft) if kind_of(f).polar)


def _is_denied(form: Form) -> bool:
    """Whether the form has questions that a no answers."""
    return any(kind_of(f).polar for f in form.fields.values())


def without_blankets(text: str, found: Iterable[Blanket]) -> str:
    """The text with these blanked out; every other character keeps its place."""
    for one in found:
        text = f"{text[: one.start]}{' ' * (one.end - one.start)}{text[one.end :]}"
    return text


def beside_blankets(text: str, found: Sequence[Blanket]) -> str:
    """What a text says beside these."""
    return without_blankets(text, found).strip(" ,;:.–—-\n")


def says_more(text: str, found: Sequence[Blanket], locale: str) -> bool:
    """Whether the text says anything beside these; a courtesy is nothing, nor is the same answer said once more before them."""
    language = language_of(locale)
    beside = {"t", "l", "b", "p", *(("Y" if one.yes else "D") for one in found if not one.rest)}
    rest = sentences(masked(without_blankets(text, found)), language)
    rows = (_letters(_row(s), language, spoken) for spoken in understood(language) for s in rest)
    return not any(set(said.letters) <= {*beside, ","} for said in rows) if rest else False


def _found(text: str, language: Language) -> tuple[Blanket, ...]:
    every = [b for spoken in understood(language) for b in _in_words_of(spoken, text, language)]
    kept: list[Blanket] = []
    for one in sorted(every, key=lambda b: (b.start, -b.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return tuple(kept)


def _in_words_of(spoken: Language, text: str, language: Language) -> Iterator[Blanket]:
    before: bool | None = None
    for sentence in sentences(text, language):
        row = _row(sentence)
        if any(t.key in _signals(spoken, language) or DRAWN_OUT.search(t.key) for t in row) or _slips(
            row, spoken, language
        ):
            said = _letters(row, language, spoken)
            yield from _of_sentence(said, sentence, text, language, spoken, before)
            verdicts = [c for c in said.letters if c in "DY"]
            before = verdicts[-1] == "Y" if verdicts else before


def _row(sentence: Sentence) -> tuple[Token, ...]:
    return tuple(t for clause in sentence.clauses for t in clause)


@dataclass(frozen=True)
class Said:
    """A sentence as one letter a phrase; `first` and `last` are the tokens of each."""

    letters: str
    first: tuple[int, ...]
    last: tuple[int, ...]
    row: tuple[Token, ...]


def _letters(row: Sequence[Token], language: Language, spoken: Language) -> Said:
    table = _words(spoken, language)
    level = tuple(_meant(t, spoken, language) for t in row)
    letters, i = "", 0
    first: list[int] = []
    last: list[int] = []
    while i < len(level):
        if i and level[i].stop:
            letters, first, last = f"{letters},", [*first, i], [*last, i - 1]
        length, letter = table.at(level, i) or (1, "o")
        letters, first, last = letters + letter, [*first, i], [*last, i + length - 1]
        i += length
    return Said(letters, tuple(first), tuple(last), level)


def _of_sentence(
    said: Said, sentence: Sentence, text: str, language: Language, spoken: Language, before: bool | None
) -> Iterator[Blanket]:
    for hit in BLANKET.finditer(said.letters):
        start, end = hit.span()
        kind = hit.lastgroup or ""
        if _is_vetoed(said, start, end, kind, sentence, language, spoken):
            continue
        yes = _answer(hit.group(), said.letters[:start], before)
        if yes is not None:
            yield _made(said, start, end, kind, yes, text, language)


def _answer(letters: str, left: str, before: bool | None) -> bool | None:
    """The yes or no of a blanket; of "the same for the rest" the one that stands before it."""
    if "s" not in letters or set(letters) & set("DYZKzWX"):
        return "Y" in letters
    verdicts = [c for c in left if c in "DY"]
    return verdicts[-1] == "Y" if verdicts else before


def _made(said: Said, start: int, end: int, kind: str, yes: bool, text: str, language: Language) -> Blanket:
    letters = said.letters[start:end]
    rest = "R" in letters or "s" in letters
    again = AGAIN["Y" if yes else "D"].search(said.letters[:start])
    first = again.start() if again and not rest else start
    named = bool(set(letters) & set("Mn"))
    return Blanket(
        said.row[said.first[first]].start,
        said.row[said.last[end - 1]].end,
        yes,
        rest,
        bare=kind in ("none", "softly") and not named and (kind == "softly" or "P" not in letters),
        softly=kind == "softly" and not named,
        **_exception(said, start, end, text, language),
    )


def _exception(said: Said, start: int, end: int, text: str, language: Language) -> dict[str, Any]:
    """What stands in the sentence behind "except", after the blanket or before it, and whether it is plainly left out."""
    row, after = said.row, said.last[end - 1] + 1
    for i, _, _ in listed(language, "exceptions").spans(row):
        if i >= after:
            turns = row[i].stop and listed(language, "but_words").at(row, i)
            return {"excepted": text[row[i].start : row[-1].end], "partly": i <= after + 1 and not turns}
        if i < said.first[start]:
            return {"excepted": text[row[i].start : row[said.first[start]].start], "partly": True}
    return {}


def _is_vetoed(
    said: Said, start: int, end: int, kind: str, sentence: Sentence, language: Language, spoken: Language
) -> bool:
    """Whether the words only look like one: a question, a condition, somebody else's answer, a denied one, or one about other things."""
    clause_start = said.letters.rfind(",", 0, start) + 1
    clause_end = said.letters.find(",", end)
    left, right = said.letters[clause_start:start], said.letters[end:]
    denied = DENIED_BY_NO if language.no_negates else DENIED
    wanted = _asked_for(said, clause_start, language, spoken)
    if ("v" in left and not wanted) or denied.search(left) or "v" in right[:3]:
        return True
    if sentence.asks and not wanted and (clause_end < 0 or not set(said.letters[clause_end:]) <= set(",tlbcp")):
        return clause_end < 0 or _asks_itself(said, clause_start, start, language)
    if not wanted and _asks_itself(said, clause_start, start, language):
        return True
    strict = ("," in said.letters[start:end] and kind == "led") or kind in {"none", "named"}
    open_end = said.letters[end - 1] in "MnPWE" and kind != "named"
    return not open_end and not (STRICT if strict else LOOSE).match(right)


def _asks_itself(said: Said, clause_start: int, start: int, language: Language) -> bool:
    """Whether the clause up to the blanket asks without a question mark."""
    row = said.row[said.first[clause_start] : said.first[start]]
    return bool(row) and is_question(row, language)


def _asked_for(said: Said, clause_start: int, language: Language, spoken: Language) -> bool:
    """Whether a question only wants it written down ("can you put no for all")."""
    first = said.first[clause_start]
    return _requests(spoken, language).at(said.row, first) is not None


M = "[lpbtys]*"
THINGS = rf"(?:{M}(?:o{M})?[Mn])"
EVERY = rf"(?:[AR]{THINGS}?)"
LED = rf"[DYs][,lpbty]*p[lpb]*(?:{EVERY}|M)"
BEHIND = rf"(?:{EVERY}{M}|[AR]{THINGS}[,lpbty]*|R,{M}|M[,lpbty]*)[DY]"
BESIDE = r"[DY][,lpb]*E|E[,lpb]*[DY]"
SEVERAL = rf"Z{THINGS}?(?:{M}P)?"
NAMED = rf"K{M}(?:o{M})?(?:n{M}P|M(?:{M}P)?)"
SOFTLY = rf"z{THINGS}?(?:{M}P)?"
APPLYING = rf"{EVERY}{M}(?:[XD]{M}P|P{M}[XD])|P{M}{EVERY}{M}[XD]"
BLANKET = re.compile(
    rf"(?P<led>{LED})|(?P<applying>{APPLYING})|(?P<behind>{BEHIND})|(?P<beside>{BESIDE})|(?P<none>{SEVERAL})"
    rf"|(?P<named>{NAMED})|(?P<softly>{SOFTLY})|(?P<whole>W)"
)
"""A blanket answer as letters: D a denial, Y a yes, s the same, A all, R the rest, E everywhere, M declarations, n questions, Z and z
"none of these" and "of that", K "none of the", P applying, X a negation, W a whole one; l, p, b, t and y small words, o any other."""
STRICT, LOOSE = re.compile(r"$|,|t"), re.compile(r"[lp]*(?:$|[,tcb])")
"""What may follow: an end; or words with which something else begins."""
DENIED, DENIED_BY_NO = re.compile(r"X[lpbty]*$"), re.compile(r"(?:X[lpbty]*|D[lpbt]*y[lpbty]*|D)$")
AGAIN = {said: re.compile(rf"{said},?[ltb]*$") for said in "DY"}
LETTERS: Mapping[str, str] = {
    "no_idioms": "o", "negators": "X", "blankets.joining": "c", "polite": "t", "blankets.after": "t", "blankets.saying": "y", "blankets.small": "l",
    "blankets.leading": "p", "blankets.questions": "n", "blankets.declarations": "M", "blankets.same": "s", "blankets.applying": "P",
    "blankets.everywhere": "E", "blankets.every": "A", "blankets.rest": "R", "blankets.yes": "Y", "blankets.no": "D",
    "blankets.none_of": "K", "blankets.none_softly": "z", "blankets.none": "Z", "blankets.others": "v", "blankets.whole": "W",
    "blankets.no_blankets": "o",
}  # fmt: skip
"""The letter of each entry; of a phrase that stands in several the last one counts."""
SIGNALS = ("no", "yes", "same", "none", "none_of", "none_softly", "whole", "applying")
SLIP, LIKE, STRAY = 6, 0.84, 2
"""Letters of the shortest word in which a slip is looked for, how alike it is to the word that is meant, and how many letters only one has."""
SPELT = ("declarations", "questions", "every", "rest", "everywhere", "none", "whole", "applying")


@cache
def _words(spoken: Language, language: Language) -> Table[str]:
    found: dict[tuple[str, ...], tuple[str, str]] = {}
    for entry, letter in LETTERS.items():
        for phrase in attrgetter(entry)(spoken):
            keys = keys_of(phrase, language)
            joins = letter == "l" and found.get(keys, ("", ""))[1] == "c"
            found[keys] = (phrase, "b" if joins else letter)
    return meanings(dict(found.values()), language)


@cache
def _requests(spoken: Language, language: Language) -> Table[str]:
    return meanings({phrase: phrase for phrase in spoken.blankets.asking_for}, language)


@cache
def _signals(spoken: Language, language: Language) -> frozenset[str]:
    """First words of what no blanket is without."""
    phrases = (p for entry in SIGNALS for p in getattr(spoken.blankets, entry))
    return frozenset(keys[0] for p in phrases if (keys := keys_of(p, language)))


@cache
def _vocabulary(spoken: Language, language: Language) -> tuple[frozenset[str], Mapping[str, tuple[str, ...]]]:
    """Every word of the tables; and the long ones that may be misspelt, by their first letter."""
    known = frozenset(k for entry in LETTERS for p in attrgetter(entry)(spoken) for k in keys_of(p, language))
    long = {k for e in SPELT for p in getattr(spoken.blankets, e) for k in keys_of(p, language) if len(k) >= SLIP}
    return known, {first: tuple(sorted(k for k in long if k[0] == first)) for first in {k[0] for k in long}}


def _slips(row: Sequence[Token], spoken: Language, language: Language) -> bool:
    """Whether a slip hides one of the words that no blanket is without ("nothign to declare")."""
    signals = _signals(spoken, language)
    return any(len(t.key) >= SLIP and _corrected(t.key, spoken, language) in signals for t in row)


def _meant(token: Token, spoken: Language, language: Language) -> Token:
    key = _corrected(token.key, spoken, language)
    return token if key == token.key else replace(token, key=key)


@lru_cache(maxsize=8192)
def _corrected(key: str, spoken: Language, language: Language) -> str:
    """The word that is meant: letters that are drawn out and slips in long words are levelled."""
    known, spelt_by = _vocabulary(spoken, language)
    if key in known:
        return key
    level = DRAWN_OUT.sub(r"\1", key)
    if level in known or len(level) < SLIP or not level.isalpha():
        return level if level in known else key
    near = (k for k in spelt_by.get(level[0], ()) if abs(len(k) - len(level)) <= 1 and len({*k} ^ {*level}) <= STRAY)
    return next((k for k in near if SequenceMatcher(None, level, k).ratio() >= LIKE), key)


__all__ = ["Blanket", "beside_blankets", "blankets", "counting", "deniable", "says_more", "without_blankets"]
