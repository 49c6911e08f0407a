"""Whether a clause says yes or no to a thing it names: negations, affirming verbs, and what makes either uncertain."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache

from state.language.language import Language
from state.language.table import Table, listed
from state.language.tokens import Token

Row = Sequence[Token]
FARTHEST = 20
"""Words from a negation to what it is about, at most."""


@dataclass(frozen=True)
class Grammar:
    """A language's tables that decide yes and no."""

    language: Language
    yes: Table[str]
    no: Table[str]
    negators: Table[str]
    be: Table[str]
    have: Table[str]
    subjects: Table[str]
    links: Table[str]
    either: Table[str]
    naming: Table[str]
    courtesy: Table[str]
    reasons: Table[str]
    idioms: Table[str]
    denials: Table[str]


@dataclass
class Heard:
    """What stands before the thing named: negations, an affirming verb, a "yes" (or only its stress: "of course not"), whether
    somebody else is the subject, and whether a negation farther off may reach over them (`open`),
    unless it begins a list ("neither … nor", `listed`)."""

    start: int
    negations: int = 0
    be: bool = False
    have: bool = False
    yes: bool = False
    other: bool = False
    alternative: bool = False
    subject: bool = False
    open: bool = False
    listed: bool = False
    stress: bool = False

    @property
    def is_label(self) -> bool:
        """Whether only a verb without a subject stands before it, as in the name of a field ("is leveraged")."""
        said = self.negations or self.yes or self.other or self.subject or self.alternative
        return bool(self.be or self.have) and not said


@cache
def grammar(language: Language) -> Grammar:
    """The tables of a language."""
    entries = ("yes", "no", "negators", "be", "have", "subjects", "links", "or_words")
    tables = (listed(language, entry) for entry in entries)
    beside = (("be", "naming"), ("polite", "asides"), ("reasons",), ("no_idioms",), ("no", "nothing_words"))
    return Grammar(language, *tables, *(listed(language, *several) for several in beside))


def said_of(
    row: Row, first: int, after: int, rules: Grammar, following: Row = (), *, marked: bool = False
) -> tuple[bool, int, int] | None:
    """Yes or no to the thing in tokens `first` up to `after` of a clause, with the tokens that say so; None where neither is said.

    `following`: the clause after it, which may hold the verdict alone ("leveraged - no"); `marked`: a colon or "=" stands after
    the thing. A verdict behind the thing and one before it must agree.
    """
    heard = _before(row, first, rules)
    before = _verdict(heard, rules)
    label = heard.is_label
    behind = verdict_after(row, after, following, rules, marked=marked)
    if behind is Behind.UNCLEAR or (marked and label and behind is Behind.NONE):
        return None
    if behind is Behind.NONE:
        return None if before is None else (before, _without_links(row, heard.start, first, rules), after)
    told = behind is Behind.YES
    open_before = label or (before is None and heard.start == first and not heard.alternative)
    if open_before:
        return told, first, len(row)
    return (told, _without_links(row, heard.start, first, rules), after) if before is told else None


class Behind(Enum):
    """What stands behind a thing named: a verdict on it, nothing of the kind, or one that cannot be told."""

    YES = "yes"
    NO = "no"
    NONE = "none"
    UNCLEAR = "unclear"


def verdict_after(row: Row, after: int, following: Row, rules: Grammar, *, marked: bool) -> Behind:
    """The verdict right behind a thing, in its clause ("leveraged: no thanks") or alone in the next one ("leveraged (no)")."""
    i = after
    while (hit := rules.naming.at(row, i)) and not (rules.yes.at(row, i) or rules.no.at(row, i)):
        i += hit[0]
    next_alone = _verdict_in(following, rules, alone=True, marked=marked)
    if i == len(row):
        return next_alone
    here = _verdict_in(row[i:], rules, alone=False, marked=marked or i > after)
    return Behind.UNCLEAR if {here, next_alone} == {Behind.YES, Behind.NO} else here


def _verdict_in(row: Row, rules: Grammar, *, alone: bool, marked: bool) -> Behind:
    said: set[bool] = set()
    i = 0
    while i < len(row):
        hit = _particle_at(row, i, rules)
        small = rules.courtesy.at(row, i)
        if hit and not rules.idioms.at(row, i):
            said.add(hit[1])
            i += hit[0]
        elif said and small:
            i += small[0]
        else:
            break
    if len(said) > 1 or (said and rules.either.at(row, i)):
        return Behind.UNCLEAR
    if rules.idioms.at(row, i):
        return Behind.NONE if alone else Behind.UNCLEAR
    whole = i == len(row) or (said and not alone and rules.reasons.at(row, i) is not None)
    if said and whole:
        return Behind.YES if said.pop() else Behind.NO
    return Behind.UNCLEAR if said and marked else Behind.NONE


def _particle_at(row: Row, i: int, rules: Grammar) -> tuple[int, bool] | None:
    verdicts = ((rules.yes, True), (rules.denials, False))
    hits = [(hit[0], answer) for table, answer in verdicts if (hit := table.at(row, i))]
    return max(hits, default=None)


def _without_links(row: Row, start: int, first: int, rules: Grammar) -> int:
    while start < first and rules.links.at(row, start) and not rules.subjects.at(row, start):
        start += 1
    return start


def unfolded(row: Row, called: Table[str], language: Language) -> tuple[Token, ...]:
    """The row with the contrary of a thing named as its negation ("unleveraged" as "not leveraged")."""
    return tuple(t for token in row for t in _contrary(token, called, language))


def _contrary(token: Token, called: Table[str], language: Language) -> tuple[Token, ...]:
    for prefix in language.negating_prefixes:
        rest = replace(token, key=token.key.removeprefix(prefix), stop=0)
        if token.key.startswith(prefix) and token.key not in called.rows and called.at((rest,), 0):
            return replace(token, key=language.negators[0]), rest
    return (token,)


def is_question(row: Row, language: Language) -> bool:
    """Whether a clause asks without a question mark: a question word in it, or a verb before its subject."""
    if listed(language, "question_words").holds(row):
        return True
    start = 1 if listed(language, "conjunctions").at(row, 0) else 0
    verb = listed(language, "question_verbs").at(row, start)
    subject = listed(language, "subjects", "articles", "other_subjects")
    return verb is not None and subject.at(row, start + verb[0]) is not None


def _before(row: Row, first: int, rules: Grammar) -> Heard:
    """Walk back from the thing over the small words that may stand before it."""
    heard = Heard(first)
    i = first
    while i > max(first - FARTHEST, 0):
        step = _step(row, i, heard, rules)
        if not step:
            heard.other = True
            heard.open = rules.negators.holds(row[:i])
            break
        i -= step
        heard.start = i if _weighs(heard) else heard.start
    return heard


def _step(row: Row, i: int, heard: Heard, rules: Grammar) -> int:
    """How many words the walk takes in one step, having noted what they say; 0 at a word that says something else."""
    hit = rules.negators.ending(row, i)
    if hit and not _is_interjection(row, i, hit[0], rules):
        heard.negations += 1
        heard.listed = heard.listed or rules.either.ending(row, i) is not None
        return hit[0]
    for table, name in ((rules.have, "have"), (rules.be, "be"), (rules.yes, "yes"), (rules.either, "alternative")):
        hit = table.ending(row, i)
        if hit:
            setattr(heard, name, True)
            _note_kind(row, i, hit[0], heard, rules)
            return hit[0]
    hit = rules.links.ending(row, i) or rules.subjects.ending(row, i)
    if hit:
        heard.subject = heard.subject or rules.subjects.ending(row, i) is not None
        return hit[0]
    return 1 if heard.alternative and not rules.no.ending(row, i) else 0


def _note_kind(row: Row, i: int, length: int, heard: Heard, rules: Grammar) -> None:
    """A contracted verb holds its subject ("it's"), and some words that say yes may only stress a no."""
    heard.subject = heard.subject or (length == 1 and row[i - 1].key in rules.language.weak_verbs)
    small = rules.courtesy.ending(row, i)
    heard.stress = heard.stress or (small is not None and small[0] == length)


def _weighs(heard: Heard) -> bool:
    return bool(heard.negations or heard.be or heard.have or heard.yes)


def _is_interjection(row: Row, end: int, length: int, rules: Grammar) -> bool:
    """Whether a bare "no" answers something before it and negates nothing ("no it is")."""
    if length > 1 or row[end - 1].key != rules.language.bare_no or rules.language.no_negates:
        return False
    return any(table.at(row, end) for table in (rules.subjects, rules.be, rules.have))


def _verdict(heard: Heard, rules: Grammar) -> bool | None:
    mine = not (heard.have and heard.other)
    if heard.negations:
        clear = heard.negations == 1 or rules.language.concord
        opposed = heard.yes and not heard.stress
        return False if clear and mine and not opposed and (heard.listed or not heard.open) else None
    affirmed = heard.yes or heard.be or heard.have
    return True if affirmed and mine and not heard.alternative and not heard.open else None
