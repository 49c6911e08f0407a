"""Yes or no. Canonical: a bool. In open words it counts only for a field that they name, and only where nothing makes it uncertain."""

from collections.abc import Iterator
from typing import Any

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.words.answer import plain_answer
from state.fields.words.disclosing import disclosures
from state.fields.words.naming import names
from state.fields.words.plain import if_plain
from state.form import Field
from state.form.data import Data
from state.language.clauses import Clause, Sentence, sentences
from state.language.polarity import Grammar, grammar, is_question, said_of
from state.language.table import listed
from state.language.tokens import masked, trimmed

WANTED = "must be true or false, without quotes"
CODED = {"true": True, "false": False}


def whole(field: Field, text: str, context: Context) -> Data | None:
    """The answer of a message that says yes or no and nothing else but the field's own words."""
    return plain_answer(field, text, context)


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Answers to this field by name ("it's not leveraged"), and words that disclose its worse answer."""
    found = [r for s in sentences(masked(text), context.language) for r in _named(field, s, context)]
    if isinstance(field.worse, bool):
        found += [Candidate(field.worse, start, end, named=True) for start, end in disclosures(field, text, context)]
    return tuple(sorted(found, key=lambda r: r.start))


def parse(field: Field, given: object, context: Context) -> Data:
    """True or False. Raises Unreadable: not_yes_no."""
    if isinstance(given, bool):
        return given
    text = trimmed(given) if isinstance(given, str) else ""
    coded = CODED.get(text.casefold())
    answer = coded if coded is not None else if_plain(whole)(field, text, context)
    if answer is None:
        raise Unreadable("not_yes_no")
    return answer


def show(_field: Field, data: Data, context: Context) -> str:
    """In the form's language."""
    return context.language.yes_label if data else context.language.no_label


def schema(_field: Field) -> dict[str, Any]:
    """A boolean."""
    return {"type": "boolean"}


def _named(field: Field, sentence: Sentence, context: Context) -> Iterator[Candidate]:
    language = context.language
    row = [t for clause in sentence.clauses for t in clause]
    if sentence.asks or listed(language, "doubts").holds(row):
        return
    taken_back = max((row[i].start for i, _, _ in listed(language, "exceptions").spans(row)), default=-1)
    called, hedges, rules = names(field, context), listed(language, "hedges"), grammar(language)
    for clause in sentence.clauses:
        if hedges.holds(clause) or is_question(clause, language):
            continue
        for first, after, _ in called.spans(clause):
            reading = _reading(clause, first, after, rules) if clause[after - 1].end > taken_back else None
            if reading:
                yield reading


def _reading(clause: Clause, first: int, after: int, rules: Grammar) -> Candidate | None:
    said = said_of(clause, first, after, rules)
    return Candidate(said[0], clause[said[1]].start, clause[said[2] - 1].end, named=True) if said else None


def fits(_field: Field, value: object) -> bool:
    """Whether an author wrote a yes or a no."""
    return isinstance(value, bool)


KIND = Kind(
    name="yes_no", whole=if_plain(whole), find=find, parse=parse, show=show, schema=schema,
    fits=fits, wanted=WANTED, takes=frozenset({"suggest"}), element="yes_or_no",
    declaration=True, polar=True, on_paper=False, offered=False, grounding="answer",
)  # fmt: skip
