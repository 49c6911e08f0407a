"""Words of a line that nothing explains: neither an operation that it asks for, nor its arguments, nor small words.

A range, a category or a row that was said and not read stops an operation; what is not said in so many words is never guessed away.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from operator import attrgetter

from state.draft.draft import Data
from state.fields import kind_of
from state.fields.base import Candidate, Context
from state.fields.values.spans import Spans
from state.form import Field, Form
from state.form.schema import Operation
from state.language import LANGUAGES, Language
from state.language.table import Table, listed, phrases
from state.language.tokens import Token, masked, tokens
from state.understanding.arguments import TIMES
from state.understanding.purchases import sums
from state.understanding.wishes import names_of

SMALL = (
    "filler", "polite", "articles", "subjects", "have", "be", "question_words", "question_verbs", "acknowledging", "stand_ins", "asides",
    "links", "softeners", "wants", "and_words", "but_words", "already", "commands.leads", "wishes.leads", "orders.telling",
    "small_talk.greetings", "small_talk.thanks", "small_talk.requesting", "small_talk.small", "purchases.edges",
)  # fmt: skip
NARROWING = ("since", "begin_words", "negators", "gone")
"""Words that narrow what is asked for: never small, unless they also lead to anything at all ("of", "the")."""
COURTEOUS = ("polite", "acknowledging", "small_talk.greetings", "small_talk.thanks", "and_words")


@dataclass(frozen=True)
class Leftover:
    """A stretch of a person's words. `narrows`: it holds a figure, or a word that narrows what is asked for."""

    words: str = ""
    narrows: bool = False


def said_ranges(operation: Operation, text: str, context: Context) -> Mapping[str, Data]:
    """The one range that a line says for each field whose days lie on one side of today, in whichever language."""
    found = {f.name: {r.data for r in _found(f, text, context)} for f in operation.fields.values() if f.lies}
    return {name: next(iter(some)) for name, some in found.items() if len(some) == 1}


def wrong_days(operation: Operation, text: str, context: Context) -> Iterator[tuple[Field, str]]:
    """Days that a line says for a field and that lie on the wrong side of today, with their words."""
    for field in (f for f in operation.fields.values() if f.lies and kind_of(f).on_day):
        anyhow = kind_of(field).find(field.model_copy(update={"lies": ""}), text, replace(context, lies=""))
        if not kind_of(field).find(field, text, context):
            yield from ((field, text[r.start : r.end]) for r in anyhow if context.facing(field).is_wrong(str(r.data)))


def left_over(form: Form, operation: Operation, arguments: Mapping[str, Data], text: str, context: Context) -> Leftover:
    """What a line says beside an operation's arguments, in the language in which that is least; nothing where one of them was guessed from it."""
    found = {f.name: _found(f, text, context) for f in operation.fields.values() if not kind_of(f).by_file}
    if any(name in found and not found[name] for name in arguments):
        return Leftover()
    taken = Spans((r.start, r.end) for name, some in found.items() for r in some if arguments.get(name) == r.data)
    rows = (
        _left(form, operation, text, taken, spoken) for spoken in dict.fromkeys((context.language, *LANGUAGES.values()))
    )
    row, spoken = min(rows, key=lambda pair: len(pair[0]))
    if not row:
        return Leftover()
    narrows = any(t.key.isdigit() for t in row) or listed(spoken, *NARROWING).holds(row)
    return Leftover(text[row[0].start : row[-1].end], narrows)


def beside(operation: Operation, text: str, context: Context, *, telling: bool = False) -> str:
    """The words of a line beside figures, days and other values, courtesies and the names of fields: they may name a row.

    `telling`: without small words.
    """
    clean = masked(text)
    plain = [(r.start, r.end) for f in operation.fields.values() for r in _values(f, clean, context)]
    taken = Spans(
        [*plain, *((a, b) for _, a, b, _ in sums(clean, context)), *(m.span() for m in TIMES.finditer(clean))]
    )
    row = tokens(clean, context.language)
    names = (w for f in operation.fields.values() for w in (f.label, *f.words))
    known = phrases((*operation.words, *names), context.language)
    hollow = listed(context.language, *COURTEOUS, *((*SMALL, "last") if telling else ()))
    gone = {i for table in (known, hollow) for a, b, _ in table.spans(row) for i in range(a, b)}
    return " ".join(
        text[t.start : t.end] for i, t in enumerate(row) if i not in gone and not taken.hits(t.start, t.end)
    )


def _values(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    kind = kind_of(field)
    return () if kind.listing in ("name", "row") or kind.common_words else kind.find(field, text, context)


def _found(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """What a field's parser finds in the form's language, else in another: people write in theirs."""
    own = kind_of(field).find(field, text, context)
    spoken = (replace(context, locale=language.example) for language in LANGUAGES.values())
    return own or next((some for other in spoken if (some := kind_of(field).find(field, text, other))), ())


def _left(
    form: Form, operation: Operation, text: str, taken: Spans, spoken: Language
) -> tuple[tuple[Token, ...], Language]:
    """The words that are left over if the line is written in this language."""
    row, known = tokens(masked(text), spoken), _known(_own_words(form, operation), spoken)
    covered = {i for first, after, _ in known.spans(row) for i in range(first, after)}
    left = (t for i, t in enumerate(row) if i not in covered and not taken.hits(t.start, t.end))
    return tuple(left), spoken


def _own_words(form: Form, operation: Operation) -> tuple[str, ...]:
    """The form's names, words for its operations, and the names of this one's fields."""
    fields = (w for f in operation.fields.values() for w in (f.label, *f.words))
    return (*names_of(form), *(w for o in form.operations.values() for w in o.words), *fields)


@cache
def _known(own: tuple[str, ...], spoken: Language) -> Table[str]:
    """Those, and the language's small words; none of them names a range or narrows one."""
    free = {*spoken.of_words, *spoken.articles, *spoken.filler}
    narrowing = {w for entry in NARROWING for w in attrgetter(entry)(spoken)} - free
    small = (w for entry in SMALL for w in attrgetter(entry)(spoken))
    plain = (w for w in small if w not in narrowing and not any(name in w for name in spoken.periods))
    return phrases((*own, *plain, *spoken.of_words), spoken)
