"""Blanket answers: one yes or no to all questions at once ("no to all declarations", "nothing to declare"), wherever in a message it stands."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from state.language import Language, language_of, understood
from state.language.blanket_letters import Said, asks_for_it, in_letters, may_hold_one
from state.language.clauses import Sentence, sentences
from state.language.marks import has_marks, spelt
from state.language.polarity import is_question
from state.language.table import listed
from state.language.tokens import RECENT, masked

LONGEST = 4000
"""Characters of a message in which one is looked for."""
FARTHEST = 12
"""Phrases between a "can't" and the answer that it denies."""
M = "[lpbtys]{0,9}"
THINGS = rf"(?:{M}(?:o{M})?[Mn])"
EVERY = rf"(?:[AR](?:[lpb]?[AR])?{THINGS}?)"
LED = rf"[DYs][,lpbty]{{0,9}}p[lpb]{{0,9}}(?:{EVERY}|M)"
BEHIND = rf"(?:{EVERY}{M}|[AR]{THINGS}[,lpbty]{{0,9}}|R,{M}|M[,lpbty]{{0,9}})[DY]"
BESIDE = r"[DY][,lpb]{0,9}E|E[,lpb]{0,9}[DY]"
SEVERAL = rf"Z{THINGS}?(?:{M}P)?"
NAMED = rf"K{M}(?:o{M})?(?:n{M}P|M(?:{M}P)?)|[DY][,lb]{{0,9}}A[lpb]{{0,9}}M"
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
    language, text = language_of(locale), text[:LONGEST]
    if not has_marks(text):
        return _found(masked(text), language)
    written, places = spelt(text, language.yes_label, language.no_label)
    return tuple(replace(b, start=places[b.start], end=places[b.end]) for b in _found(masked(written), language))


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
    beside = {*",tlbp", *("Y" if one.yes else "D" for one in found if not one.rest)}
    left = sentences(masked(without_blankets(text, found)), language)
    return not any(
        all(set(in_letters(s, language, spoken).letters) <= beside for s in left) for spoken in understood(language)
    )


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
        if may_hold_one(sentence, language, spoken):
            said = in_letters(sentence, language, spoken)
            yield from _of_sentence(said, sentence, text, language, spoken, before)
            verdicts = [c for c in said.letters if c in "DY"]
            before = verdicts[-1] == "Y" if verdicts else before


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
        if i < said.first[start] and not listed(language, "but_words").at(row, i):
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
    wanted = asks_for_it(said, said.first[clause_start], language, spoken)
    if ("v" in left and not wanted) or denied.search(left[-FARTHEST:]) or "v" in right[:3]:
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
