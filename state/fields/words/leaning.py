"""The answer that a message leans to: what it says once the words that soften it are taken out ("as far as I know, no")."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from state.fields.base import Context
from state.fields.words.answer import Beside, Said, is_guarded, said_by, verdict, weighed
from state.fields.words.answer_parts import Lists, Row, lists_of
from state.fields.words.plain import is_short
from state.fields.words.slips import is_slip
from state.form import Field
from state.language import LANGUAGES
from state.language.clauses import clauses, sentences
from state.language.language import Language
from state.language.small_talk import NoAnswer, idle
from state.language.table import Table, listed, phrases
from state.language.tokens import Token, asks, key_of, keys_of, masked, tokens

LONG = 4
"""Letters from which a lone particle is recognised with a slip in it."""


@dataclass(frozen=True)
class Softened:
    """A row without its softeners; what a softener that stood alone leans to; and whether what follows is softly denied."""

    row: tuple[Token, ...]
    leans: bool | None = None
    denied: bool = False


def leaning(field: Field, text: str, context: Context) -> bool | None:
    """True or False where the message leans to it, else None."""
    answered = _statements(field, text, context)
    if _denies_yes(answered, context):
        return None
    if not is_short(answered):
        return None
    found = verdict(field, answered, context)
    if found:
        return found.answer
    soft = _softly(field, answered, context) if tokens(masked(answered), context.language) else None
    if soft is not None:
        return soft
    return _begun(text, context) if is_guarded(field) else _foreign(text, context)


def _denies_yes(text: str, context: Context) -> bool:
    """Whether it begins by denying a word that affirms ("I don't confirm that …"): that is no yes, and no plain no."""
    language = context.language
    row = tokens(masked(text), language)
    hit = listed(language, "subjects").at(row, 0)
    first = hit[0] if hit else 0
    denial = listed(language, "negators", "no").at(row, first)
    after = first + denial[0] if denial else len(row)
    return after < len(row) - 1 and not row[after].stop and listed(language, "yes").at(row, after) is not None


def _begun(text: str, context: Context) -> bool | None:
    """A no that goes on about itself and tells of nobody else ("no it's just for me"); a lone word in any language."""
    language = context.language
    row = tokens(masked(text), language)
    hit = listed(language, "no").at(row, 0)
    if idle(text, language) not in (None, NoAnswer.APPROVAL) or (hit and len(row[0].key) == 1):
        return None
    if not hit or hit[0] == len(row):
        return None if hit else _foreign(text, context)
    rest = row[hit[0] :]
    turns = listed(language, "exceptions", "conditions", "small_talk.doubts", "yes").holds(rest)
    small = listed(language, "subjects", "be", "links", "filler", "polite").rows
    denies = rest[0].stop > 0 and listed(language, "negators").at(rest, 0) is not None
    alone = denies and not any(t.stop for t in rest[1:])
    return False if not turns and (alone or all(t.key in small for t in rest)) else None


def _foreign(text: str, context: Context) -> bool | None:
    """A yes or a no in another language, and nothing else but courtesy; what is small talk in some language is neither."""
    if idle(text, context.language) not in (None, NoAnswer.APPROVAL):
        return None
    row = tokens(masked(text), context.language)
    said = {a: _covered(row, name, context.language) for name, a in (("yes", True), ("no", False))}
    told = [answer for answer, places in said.items() if places]
    alone = len(told) == 1 and not asks(text)
    whole = alone and len(said[told[0]] | _covered(row, "polite", context.language)) == len(row)
    return told[0] if whole else None


def _covered(row: Row, entry: str, language: Language) -> set[int]:
    return {i for first, after, _ in _anywhere(entry, language).spans(row) for i in range(first, after)}


@cache
def _anywhere(entry: str, language: Language) -> Table[str]:
    return phrases((phrase for other in LANGUAGES.values() for phrase in getattr(other, entry)), language)


def _statements(field: Field, text: str, context: Context) -> str:
    """The text without questions behind its first sentence: who answers may ask something too. Not beside what could disclose."""
    language = context.language
    heard = sentences(text, language)
    if not asks(text) or is_guarded(field) or not heard or heard[0].asks:
        return text
    first = next((s for s in heard if s.asks), None)
    return text[: first.clauses[0][0].start] if first else text


def _softly(field: Field, text: str, context: Context) -> bool | None:
    lists = lists_of(field, context)
    rows = list(clauses(masked(text), context.language))
    open_to = not is_guarded(field)
    softened = [
        _softened(row, context.language, _declining(lists) if open_to and not lists.idioms.holds(row) else None)
        for row in rows
    ]
    said = [_said(one, field, lists) for one in softened if one.row or one.denied]
    found = weighed(field, said, lists) if said else None
    if found:
        return found.answer
    alone = {one.leans for one in softened if one.leans is not None}
    silent = all(one is not None and not (one.answers or one.agrees or one.beside) for one in said)
    if len(alone) == 1 and silent:
        return alone.pop()
    return _with_slip(rows, context.language) if len(rows) == 1 else None


def _said(soft: Softened, field: Field, lists: Lists) -> Said | None:
    """What a row says without its softeners; a soft denial turns it round, and a denial of a denial says nothing."""
    said = said_by(soft.row, field, lists) if soft.row else Said(frozenset())
    if said is None or not soft.denied:
        return said
    if False in said.answers:
        return None
    named = Beside.NOTHING if lists.called.holds(soft.row) and not said.answers else said.beside
    return replace(said, answers=frozenset({False}), agrees=False, beside=named)


def _softened(row: Row, language: Language, declining: Table[str] | None) -> Softened:
    kept: list[Token] = []
    leans: bool | None = None
    denied = False
    i = 0
    while i < len(row):
        entry, length = _at(row, i, language, declining)
        if entry in ("leaning_yes", "leaning_no") and _ends(row, i + length, language):
            leans, kept = _noted(entry, row, i, kept, leans, language)
        elif entry == "soft_denials":
            denied = True
        elif entry == "" and _is_maybe(row, i, language, declining):
            length = _maybe(row, i, language)
        elif entry == "":
            kept.append(row[i])
        i += length
    return Softened(tuple(kept), leans, denied)


def _maybe(row: Row, i: int, language: Language) -> int:
    hit = listed(language, "maybes").at(row, i)
    return hit[0] if hit else 0


def _is_maybe(row: Row, i: int, language: Language, declining: Table[str] | None) -> bool:
    """Whether a "maybe" begins here with nothing but a yes or no behind it ("maybe not")."""
    after = i + _maybe(row, i, language)
    entry, length = _at(row, after, language, declining) if after > i and after < len(row) else ("", 0)
    if entry.startswith("leaning"):
        return _ends(row, after + length, language)
    hit = listed(language, "yes", "no").at(row, after) if after > i else None
    return hit is not None and _ends(row, after + hit[0], language)


def _declining(lists: Lists) -> Table[str]:
    """What turns a proposal down; where the question asks what is so, only what says no as well ("preferirei di no")."""
    language = lists.rules.language
    said = language.declining
    bare = tuple(p for p in said if keys_of(p, language)[-1] == language.bare_no)
    return phrases(bare if lists.factual else said, language)


def _noted(
    entry: str, row: Row, i: int, kept: list[Token], leans: bool | None, language: Language
) -> tuple[bool | None, list[Token]]:
    """A soft no stands for a no. A soft yes counts only where nothing else answers: it may as well soften a no before it."""
    if entry == "leaning_yes":
        return (True if leans is None else leans), kept
    key = key_of(language.no_label, language)
    return leans, [*kept, replace(row[i], key=key)]


def _at(row: Row, i: int, language: Language, declining: Table[str] | None) -> tuple[str, int]:
    """Which soft phrase begins here, the longest first, and how long it is; an empty name where none does."""
    entries = ("leaning_no", "leaning_yes", "soft_denials", "softeners")
    found = [(hit[0], -n, entry) for n, entry in enumerate(entries) if (hit := listed(language, entry).at(row, i))]
    declined = declining.at(row, i) if declining else None
    if declined:
        found.append((declined[0], 1, "leaning_no"))
    fitting = [f for f in found if not f[2].startswith("leaning") or _ends(row, i + f[0], language)]
    length, _, entry = max(fitting, default=(1, 0, ""))
    return entry, length


def _ends(row: Row, i: int, language: Language) -> bool:
    """Whether only courtesy follows."""
    small = listed(language, "polite", "asides", "yes", "no")
    while i < len(row):
        hit = small.at(row, i)
        if not hit:
            return False
        i += hit[0]
    return True


def _with_slip(rows: list[tuple[Token, ...]], language: Language) -> bool | None:
    """What a lone word means that is a yes or no but for one letter."""
    if len(rows[0]) != 1 or len(rows[0][0].key) < LONG:
        return None
    near = {answer for word, answer in _particles(language) if is_slip(rows[0][0].key, word)}
    return near.pop() if len(near) == 1 else None


def _particles(language: Language) -> Iterator[tuple[str, bool]]:
    for entry, answer in (("yes", True), ("no", False)):
        for key in listed(language, entry).rows:
            if len(key) >= LONG and listed(language, entry).rows[key][-1][0] == (key,):
                yield key, answer
