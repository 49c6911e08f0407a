"""What a line says was bought: its parts, what each thing is called, and what it cost ("bread x2 at 12, eggs 15")."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache

from state.draft.draft import Data
from state.fields import kind_of
from state.fields.base import Context
from state.fields.values.amounts import amounts
from state.fields.values.numerals import numerals, total
from state.fields.values.periods import stretches
from state.fields.values.spans import Spans
from state.form.schema import Operation
from state.language import LANGUAGES, Language
from state.language.table import Table, listed, phrases
from state.language.tokens import masked, tokens
from state.understanding.arguments import TIMES

PARTS = re.compile(r"[;\n]|,(?![0-9])|(?<![0-9]),")
EDGES = re.compile(r"^[\s:,.!?…–—-]+|[\s:,.!?…–—-]+$")
EDGES_OF_NAMES = frozenset(word for spoken in LANGUAGES.values() for word in spoken.purchases.edges)
"""Words at either end of what was bought that are no part of its name, in any language."""
LEADS = (
    "purchases.leads", "purchases.titles", "wishes.another", "wishes.further", "wishes.papers", "small_talk.greetings", "polite",
    "and_words",
)  # fmt: skip
"""What may stand before a line, set off by a mark ("hi, another one: 5 tea")."""
PAUSES = ":,–—-\n"
LABEL = 3
"""Words of the longest name that is taken without a click."""
Given = dict[str, Data]
Gaps = list[tuple[int, int]]


def without_lead(text: str, names: tuple[str, ...] = ()) -> str:
    """The line without words that only lead to it: that it is a further one, or comes next ("another one: 5 tea", "then tea 5").

    `names` are what the form goes by ("another expense: tea 5").
    """
    return min((text[_lead(text, names, spoken) :] for spoken in LANGUAGES.values()), key=len)


def _lead(text: str, names: tuple[str, ...], spoken: Language) -> int:
    """Where such words end: any of them at a mark, and those that do nothing but lead, without one as well."""
    row, begun = tokens(masked(text), spoken), 0
    strong, called = listed(spoken, "purchases.leads", "wishes.another"), phrases(names, spoken)
    i, only = 0, True
    while i < len(row) and (hit := listed(spoken, *LEADS).at(row, i) or called.at(row, i)):
        only = only and strong.at(row, i) is not None
        i += hit[0]
        gap = text[row[i - 1].end : row[i].start] if i < len(row) else ""
        if any(mark in PAUSES for mark in gap) or (only and i < len(row)):
            begun = row[i].start
    return begun


def leaves_open(text: str, context: Context) -> bool:
    """Whether two figures stand with an "or" between them ("60 or 70"): nobody knows which."""
    row = tokens(text, context.language)
    either = listed(context.language, "or_words")
    return any(
        row[i - 1].key.isdigit() and row[i + 1].key.isdigit() and either.at(row, i) for i in range(1, len(row) - 1)
    )


def parts(text: str, context: Context) -> list[str]:
    """Pieces that hold one figure each; a piece without one goes with the one after it, the last with the one before."""
    pieces: list[str] = []
    waiting = ""
    for piece in _pieces(text, context):
        whole = f"{waiting} {piece}".strip()
        waiting = "" if list(sums(whole, context)) else whole
        if not waiting:
            pieces.append(whole)
    if waiting and pieces:
        pieces[-1] = f"{pieces[-1]} {waiting}"
    return pieces


def _pieces(text: str, context: Context) -> Iterator[str]:
    """Split at commas that are no decimal marks, and at "and" between two figures."""
    language = context.language
    for piece in PARTS.split(text):
        row = tokens(piece, language)
        both = listed(language, "conjunctions")
        cuts = [
            row[i].start for i in range(len(row)) if both.at(row, i) and _figures_beside(piece, row[i].start, context)
        ]
        yield from (piece[a:b] for a, b in zip((0, *cuts), (*cuts, len(piece)), strict=True))


def _figures_beside(piece: str, at: int, context: Context) -> bool:
    return bool(list(sums(piece[:at], context))) and bool(list(sums(piece[at:], context)))


def item(operation: Operation, part: str, context: Context) -> Given:
    """One part's values; what is left of the words names the thing."""
    part = without_lead(part)
    given: Given = {}
    gaps: Gaps = []
    for field in operation.fields.values():
        kind = kind_of(field)
        if kind.listing == "amount" and (told := list(sums(part, context))):
            value, start, end = next((s for s in told if s[3]), told[-1])[:3]
            given[field.name] = str(value * _count(part, start, context.language))
            gaps.append((start, end))
        elif kind.listing in ("amount", "detail"):
            found = kind.find(field, part, context)
            if len({r.data for r in found}) == 1:
                given[field.name] = found[0].data
                gaps += [(r.start, r.end) for r in found if not kind.common_words]
    thing = thing_of(part, gaps)
    text = next((f for f in operation.fields.values() if kind_of(f).listing == "name" and f.required), None)
    return {text.name: thing, **given} if text and thing else given


def sums(part: str, context: Context) -> Iterator[tuple[Decimal, int, int, bool]]:
    """Figures with their places, and whether a mark of money stands beside them; days and counts are none."""
    clean = masked(part)
    marked = [a for a in amounts(clean, context) if a.value is not None]
    taken = Spans([*((p.start, p.end) for p in stretches(clean, context)), *(m.span() for m in TIMES.finditer(clean))])
    yield from (
        (a.value, a.start, a.end, True) for a in marked if a.value is not None and not taken.hits(a.start, a.end)
    )
    money = Spans((a.start, a.end) for a in marked)
    for n in numerals(clean, context):
        value = total(n, context)
        if value is not None and not taken.hits(n.start, n.end) and not money.hits(n.start, n.end):
            yield value, n.start, n.end, False


def _count(part: str, at: int, language: Language) -> int:
    """ "x2 at 12" is two of twelve; "x2 12" is twelve for both."""
    times, before = next(TIMES.finditer(part), None), part[:at].rstrip()
    row = tokens(before, language)
    own = before.endswith("@") or (before[-1:].isalnum() and _each(language).ending(row, len(row)))
    return int(times.group(1) or times.group(2)) if times and own else 1


def thing_of(part: str, gaps: Gaps) -> str:
    """The words outside the gaps, without small words at either end."""
    kept = "".join(" " if any(a <= i < b for a, b in gaps) else c for i, c in enumerate(part))
    words: Sequence[str] = EDGES.sub("", " ".join(kept.split())).split()
    while words and words[0].casefold() in EDGES_OF_NAMES:
        words = words[1:]
    while words and words[-1].casefold() in EDGES_OF_NAMES:
        words = words[:-1]
    return EDGES.sub("", " ".join(words))


def is_name(thing: str, context: Context) -> bool:
    """Return True if what was bought is told as a label ("bus ticket"), and not in a sentence."""
    row = tokens(masked(thing), context.language)
    sentence = listed(context.language, "articles", "subjects", "be", "was", "have", "question_verbs")
    return len(row) <= LABEL and not sentence.holds(row)


@cache
def _each(language: Language) -> Table[str]:
    """Lines are often written in another language than the form's: "pan x2 a 12"."""
    return phrases((word for spoken in LANGUAGES.values() for word in spoken.purchases.each), language)
