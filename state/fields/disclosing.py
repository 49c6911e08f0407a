"""A worse answer in a form's own words for it: "I heard something from their CFO", "my sister works at Tesco"."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from state.fields.base import Context
from state.form import Field
from state.language import LANGUAGES, Language
from state.language.table import Sentence, Table, all_of, joined, listed, listed_everywhere, phrases, sentences
from state.language.tokens import Token, masked, tokens

APART, MAYBE = "…", "?"
"""Between parts that stand anywhere in one sentence; behind words that only may disclose."""
BRACED = re.compile(r"\{(\w+)\}")
GROUPS = ("close", "working", "telling", "behalf", "mine", "along")
"""Words of the language that a form names in braces: people close to somebody, what ties one to a firm, passing something on, acting for one,
for oneself, and together with somebody."""
TIES = re.compile(rf"\{{({'|'.join(GROUPS)})\}}")
BESIDE_SOMEBODY = ("ties.mine", "ties.behalf", "ties.along", "corrections.restricting", "small", "vague", "polite")
BETWEEN = 2
"""Words between "my" and a relation ("my older sister")."""
GLUED = "'s"
"""An ending that English glues to a word ("my sister's a director")."""
Names = Mapping[str, tuple[str, ...]]
"""Names of fields' values, by field."""
NO_NAMES: Names = {}
Row = Sequence[Token]
Element = Callable[[Row, int], int]
"""How many tokens of a row it takes from a place; none where it does not stand there."""


@dataclass(frozen=True)
class Admission:
    """Where words disclose. Not `sure`: they may, and the person is asked."""

    start: int
    end: int
    sure: bool = True


@dataclass(frozen=True)
class Pattern:
    """An entry of a form's `disclosure`: its parts, and the fields whose values have to be named for it to be sure."""

    parts: tuple[tuple[Element, ...], ...]
    fields: tuple[str, ...]
    sure: bool
    begins: tuple[frozenset[str], ...]
    """What each of its elements may begin with."""
    behalf: bool = False


def disclosures(field: Field, text: str, context: Context, names: Names = NO_NAMES) -> Iterator[Admission]:
    """Where the text discloses, in any language for who is close and what ties them to a firm.

    Doubt does not make a disclosure less of one; a denial or a condition does, and a question makes it unsure.
    """
    for language in dict.fromkeys((context.language, *LANGUAGES.values())):
        patterns = _patterns(field.disclosure, language, own=language is context.language)
        for sentence in sentences(masked(text), language) if patterns else ():
            keys = {token.key for clause in sentence.clauses for token in clause}
            keys |= {key.removesuffix(GLUED) for key in keys}
            near = {place: pattern for key in keys for place, pattern in patterns.get(key, ())}
            for pattern in (near[place] for place in sorted(near)):
                if not any(map(keys.isdisjoint, pattern.begins)):
                    yield from _heard(pattern, sentence, language, names)


def named_person(field: Field, text: str) -> bool | None:
    """Return the answer of words that only name somebody, to a question of whom something is for: the worse one for somebody close ("my wife"),
    the other for the speaker ("just me"), in any language; None for any other words or question."""
    if field.worse is None or not any("{behalf} {close}" in entry for entry in field.disclosure):
        return None
    for language in LANGUAGES.values():
        row = tokens(text, language)
        close = [(i, n) for i in range(len(row)) if (n := _someone_close(row, i, language, ""))][:1]
        left = [t for i, t in enumerate(row) if not any(a <= i < a + n for a, n in close)]
        mine = listed(language, "ties.mine").holds(left)
        if (close or mine) and all_of(left, listed(language, *BESIDE_SOMEBODY)):
            return bool(field.worse) if close else not field.worse
    return None


def names_somebody(row: Row, language: Language) -> bool:
    """Return True if somebody close to the speaker is named, or whose something is ("my daughter's account")."""
    return any(_someone_close(row, i, language, GLUED, owner=True) for i in range(len(row)))


def tells(row: Row, field: Field, language: Language) -> tuple[bool, Token] | None:
    """Return the answer by whose things the words speak, where none of them is denied, and the first word of the first ("it's an option")."""
    if field.tells is None:
        return None
    said = {True: phrases(field.tells.yes, language), False: phrases(field.tells.no, language)}
    spans = ((yes, i) for yes, table in said.items() for i, _, _ in table.spans(row))
    listing = joined(phrases((*field.tells.yes, *field.tells.no), language), listed(language, "or_words"))
    found = [(yes, i) for yes, i in spans if not _is_denied_before(row, i, listing, language)]
    return (found[0][0], row[found[0][1]]) if len({yes for yes, _ in found}) == 1 else None


def _is_denied_before(row: Row, first: int, listing: Table[str], language: Language) -> bool:
    """Return True for "no options or futures" and "it isn't an option", not for "no, it's an option" or "no, just shares".

    `listing` holds what may stand between.
    """
    start = next((i for i in range(first, 0, -1) if row[i].stop), 0)
    begins = listed(language, "no").at(row, start)
    between = row[start + (begins[0] if begins else 0) : first]
    only = listed(language, "corrections.restricting").at(row, first)
    of_it = begins is not None and only is None and all_of(between, listing)
    return of_it or listed(language, "negators").holds(between)


def _heard(pattern: Pattern, sentence: Sentence, language: Language, names: Names) -> Iterator[Admission]:
    if len(pattern.parts) > 1 or pattern.fields:
        yield from _apart(pattern, sentence, language, names)
        return
    for clause in sentence.clauses[:-1] if sentence.asks else sentence.clauses:
        paid = pattern.behalf and listed(language, "ties.saving").holds(clause)
        for first, after in _spans(pattern.parts[0], clause):
            beside = (*clause[:first], *([] if pattern.sure else clause[after:]))
            if not (paid or _is_denied(beside, language)):
                yield Admission(clause[first].start, clause[after - 1].end, pattern.sure)


def _apart(pattern: Pattern, sentence: Sentence, language: Language, names: Names) -> Iterator[Admission]:
    """Parts that stand anywhere in the sentence, in clauses none of which denies."""
    row = [t for clause in sentence.clauses for t in clause]
    spans = [next(_spans(part, row), None) for part in pattern.parts]
    found = [s for s in spans if s is not None]
    if not found or len(found) < len(spans):
        return
    touched = [c for c in sentence.clauses if any(c[0].start <= row[a].start <= c[-1].start for a, _ in found)]
    if any(_is_denied(clause, language) for clause in touched):
        return
    first, after = min(a for a, _ in found), max(b for _, b in found)
    there = listed(language, "ties.there").holds(row)  # "she works there" points at it
    named = all(n in names and (there or phrases(names[n], language).holds(row)) for n in pattern.fields)
    asks = sentence.asks and sentence.clauses[-1] in touched
    yield Admission(row[first].start, row[after - 1].end, pattern.sure and named and not asks)


def _spans(part: tuple[Element, ...], row: Row) -> Iterator[tuple[int, int]]:
    for first in range(len(row)):
        after = first
        for element in part:
            length = element(row, after)
            if not length:
                break
            after += length
        else:
            yield first, after


def _is_denied(row: Row, language: Language) -> bool:
    """A form may name its own words in any language, each of which has its own denials."""
    return listed_everywhere(language, "negators").holds(row) or listed(language, "conditions").holds(row)


@lru_cache(maxsize=256)
def _patterns(entries: tuple[str, ...], language: Language, *, own: bool) -> Mapping[str, list[tuple[int, Pattern]]]:
    """Return patterns, with their places, by each of the words that their rarest element may begin with."""
    found: dict[str, list[tuple[int, Pattern]]] = {}
    for place, entry in enumerate(entries):
        if own or TIES.search(entry):
            pattern = _pattern(entry, language)
            for word in min(pattern.begins, key=len):
                found.setdefault(word, []).append((place, pattern))
    return found


def _pattern(entry: str, language: Language) -> Pattern:
    said = entry.removesuffix(MAYBE).strip()
    written = [part.strip() for part in said.split(APART)]
    fields = tuple(m[1] for part in written if (m := BRACED.fullmatch(part)) and m[1] not in GROUPS)
    kept = [part for part in written if part not in {f"{{{name}}}" for name in fields}]
    pieces = [[one.strip() for one in re.split(r"(\{\w+\})", part) if one.strip()] for part in kept]
    sure = said == entry.strip()
    elements = [[_element(piece, language, apart=len(part) == 1, sure=sure) for piece in part] for part in pieces]
    parts = tuple(tuple(element for element, _ in part) for part in elements)
    begins = tuple(first for part in elements for _, first in part)
    return Pattern(parts, fields, sure, begins, behalf=said.startswith("{behalf}"))


def _element(piece: str, language: Language, *, apart: bool, sure: bool) -> tuple[Element, frozenset[str]]:
    """Return what finds the piece, and the words that it may begin with; `apart` where no other piece stands right beside it.

    What is not `sure` may be a genitive ("my son's account").
    """
    if piece == "{close}":
        someone = listed(language, "ties.kin", "ties.acquainted", "ties.own")
        glued = GLUED if apart or not sure else ""
        return partial(_someone_close, language=language, glued=glued, owner=not sure), frozenset(someone.rows)
    group = BRACED.fullmatch(piece)
    table = listed(language, f"ties.{group[1]}") if group else phrases((piece,), language)
    return lambda row, i: (table.at(row, i) or (0,))[0], frozenset(table.rows)


def _someone_close(row: Row, i: int, language: Language, glued: str, *, owner: bool = False) -> int:
    """ "my sister", "my older sister", "a friend"; a relation alone where the message begins with it. `glued` may end the word: as a genitive if it
    may be an `owner`."""
    kin, known = listed(language, "ties.kin"), listed(language, "ties.acquainted").at(row, i)
    if known:
        return known[0]
    own = listed(language, "ties.own")
    mine = own.at(row, i)
    first = i + mine[0] if mine else i
    last = min(first + BETWEEN, len(row) - 1) if mine else first - (i > 0)
    for at in range(first, last + 1):
        hit = kin.at(row, at)
        ends = glued and (owner or listed(language, "small").at(row, at + 1))  # no genitive: "my father's manager"
        if hit is None and ends:
            hit = kin.at((replace(row[at], key=row[at].key.removesuffix(glued)),), 0)
        if hit or row[at].stop or own.at(row, at):
            return at + hit[0] - i if hit else 0
    return 0
