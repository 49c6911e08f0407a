"""An acknowledgement. Canonical: True; there is no other answer."""

from collections.abc import Iterator
from typing import Any

from state.fields import yes_no
from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.words.leaning import leaning
from state.fields.words.naming import names, own_words
from state.fields.words.plain import if_plain
from state.form import Field
from state.form.data import Data
from state.language.clauses import sentences
from state.language.marks import mark_alone
from state.language.polarity import is_question
from state.language.table import listed
from state.language.tokens import masked, tokens, trimmed


def whole(field: Field, text: str, context: Context) -> Data | None:
    """True where the message acknowledges and says nothing else."""
    language = context.language
    row = tokens(masked(text), language)
    if not row:
        return mark_alone(text) or None
    said = listed(language, "acknowledging", "yes", "agreeing")
    if not said.holds(row) or listed(language, "no_idioms").holds(row):
        return None
    small = listed(language, "polite", "links", "subjects", "have", "be", "asides")
    own = own_words(field, context) - listed(language, "negators", "no", "hedges", "doubts", "exceptions").rows.keys()
    i = 0
    while i < len(row):
        hit = said.at(row, i) or small.at(row, i)
        if not hit and row[i].key not in own:
            return None
        i += hit[0] if hit else 1
    return True


def leans(field: Field, text: str, context: Context) -> Data | None:
    """True where the message acknowledges softly ("I guess so")."""
    return True if leaning(field, text, context) else None


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Where the words acknowledge what this field names, without denial, doubt or question."""
    language = context.language
    said, called = listed(language, "acknowledging"), names(field, context)
    taken_back = listed(language, "negators", "doubts", "hedges", "exceptions")
    found = []
    for sentence in sentences(masked(text), language):
        row = tuple(t for clause in sentence.clauses for t in clause)
        clear = not sentence.asks and not taken_back.holds(row) and not is_question(row, language)
        if clear and said.holds(row) and called.holds(row):
            found.append(Candidate(True, row[0].start, row[-1].end, named=True))
    return tuple(found)


def parse(field: Field, given: object, context: Context) -> Data:
    """True. Raises Unreadable: must_acknowledge."""
    if given is True:
        return True
    text = trimmed(given) if isinstance(given, str) else ""
    if text.casefold() != "true" and if_plain(whole)(field, text, context) is None:
        raise Unreadable("must_acknowledge")
    return True


def schema(_field: Field) -> dict[str, Any]:
    """A boolean that can only be true."""
    return {"type": "boolean", "enum": [True]}


def flaws(field: Field) -> Iterator[tuple[str, str]]:
    """It has one button."""
    if len(field.choices) > 1:
        yield "choices", "An acknowledgement has one button. Keep one choice, or make it a choice field."


KIND = Kind(
    name="acknowledgement", whole=if_plain(whole), leans=leans, find=find, parse=parse, show=yes_no.show, schema=schema,
    fits=yes_no.fits, wanted=yes_no.WANTED, takes=frozenset({"choices"}), flaws=flaws,
    element="acknowledge", declaration=True, on_paper=False, offered=False, grounding="answer",
    called=frozenset({"ack", "acknowledge", "agree", "checkbox", "confirmation", "consent", "tick"}),
)  # fmt: skip
