"""A wish to add to what was chosen ("quiero añadir también el manillar"): the choices that stand stay, and those that the words name come to them."""

from collections.abc import Iterator, Sequence

from state.draft.draft import Data, Draft
from state.draft.scope import scope
from state.fields import kind_of
from state.fields.base import Context
from state.fields.words.naming import names
from state.form import Field, Form
from state.language import Language
from state.language.clauses import clauses
from state.language.table import listed_widely
from state.language.tokens import Token, asks, masked
from state.understanding.assignment import Assignment, asks_about, takes

SMALL = (
    "articles",
    "filler",
    "polite",
    "small_talk.small",
    "asides",
    "small_talk.holds",
    "have",
    "subjects",
    "corrections.cues",
)


def additions(form: Form, draft: Draft, text: str, context: Context) -> Iterator[Assignment]:
    """Answered fields of several choices, with what stands and what the text adds to it."""
    for field in scope(form, draft).correctable:
        found = added(field, draft.values[field.name].data, text, context)
        if found is not None:
            yield found


def added(field: Field, standing: Data, text: str, context: Context) -> Assignment | None:
    """The choices that stand together with those that the text adds; None where it names no further one, or does not add it."""
    if not takes_more(field) or not isinstance(standing, tuple):
        return None
    named = next((t for t in takes([field], text, "", context)), None)
    if named is None or not isinstance(named.data, tuple) or set(named.data) <= set(standing):
        return None
    if not any(_adds(clause, named, field, context) for clause in clauses(masked(text), context.language)):
        return None
    together = tuple(c.value for c in field.choices if c.value in {*standing, *named.data})
    return Assignment(field, together, named.start, named.end, named=True)


def wanted_longer(form: Form, draft: Draft, text: str, context: Context) -> Field | None:
    """The answered field of several choices to which something is to be added that is not named yet ("quiero añadir otro elemento")."""
    for field in (f for f in scope(form, draft).correctable if takes_more(f)):
        for clause in clauses(masked(text), context.language):
            if _names_more(clause, field, context) and not (asks(text) and asks_about(list(clause), context)):
                return field
    return None


def _names_more(clause: Sequence[Token], field: Field, context: Context) -> bool:
    """Words of adding, and behind them what the field is called, with nothing but small words between."""
    cues, called = listed_widely(context.language, "adding"), names(field, context)
    small = listed_widely(context.language, *SMALL, "adding", "also")
    for first, after, _ in cues.spans(clause):
        i = after
        while i < len(clause) and not called.at(clause, i) and small.at(clause, i):
            i += 1
        if i < len(clause) and called.at(clause, i) and not _denied(clause, first, context.language):
            return True
    return False


def takes_more(field: Field) -> bool:
    """Whether several of its choices may be chosen."""
    return kind_of(field).several and not kind_of(field).by_file


def _adds(clause: Sequence[Token], named: Assignment, field: Field, context: Context) -> bool:
    """Words of adding beside a choice; or nothing but an "and" before it ("ah, y el faro")."""
    within = [t for t in clause if named.start <= t.start < named.end]
    if not within and not names(field, context).holds(clause):
        return False
    return _has_cue(clause, context.language) or _goes_on(clause, named, context.language)


def _has_cue(clause: Sequence[Token], language: Language) -> bool:
    cues = listed_widely(language, "adding", "also")
    return any(not _denied(clause, first, language) for first, _, _ in cues.spans(clause))


def _denied(clause: Sequence[Token], first: int, language: Language) -> bool:
    """Whether a negation stands shortly before it, in the same clause."""
    return listed_widely(language, "negators").holds(clause[max(0, first - 3) : first])


def _goes_on(clause: Sequence[Token], named: Assignment, language: Language) -> bool:
    """Whether the clause is an "and" and choices, small words aside."""
    joins, small = listed_widely(language, "and_words"), listed_widely(language, *SMALL)
    rest = [t for t in clause if not named.start <= t.start < named.end]
    return (
        bool(clause) and joins.at(clause, 0) is not None and all(joins.at((t,), 0) or small.at((t,), 0) for t in rest)
    )


__all__ = ["added", "additions", "takes_more", "wanted_longer"]
