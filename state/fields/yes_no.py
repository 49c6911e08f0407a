"""Yes or no. Canonical: a bool. In open words it counts only for a field that they name, and only where nothing makes it uncertain."""

import re
from collections.abc import Iterator
from typing import Any

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.words.answer import plain_answer
from state.fields.words.disclosing import disclosures
from state.fields.words.leaning import leaning
from state.fields.words.naming import names
from state.fields.words.plain import if_plain
from state.form import Field
from state.form.data import Data
from state.language.clauses import Clause, Sentence, sentences
from state.language.marks import has_marks, spelt
from state.language.polarity import Behind, grammar, is_question, said_of, unfolded, verdict_after
from state.language.table import listed
from state.language.tokens import masked, trimmed

WANTED = "must be true or false, without quotes"
CODED = {"true": True, "false": False}
KEYED = r"\b{}\b[\"'`]?\s*(?::|=|->|is\b)\s*[\"'`]?(\w+)"
MARKED = re.compile(r"[\"'`*_)]*\s*(?::|=|->|→|\|)")


def whole(field: Field, text: str, context: Context) -> Data | None:
    """The answer of a message that says yes or no and nothing else but the field's own words."""
    return _unopposed(field, text, context, plain_answer(field, text, context))


def leans(field: Field, text: str, context: Context) -> Data | None:
    """The answer of a message that says yes or no softly, or with more beside it than a plain answer has."""
    return _unopposed(field, text, context, leaning(field, text, context))


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Answers to this field by name ("it's not leveraged"), and words that disclose its worse answer."""
    clean = masked(text)
    if not has_marks(text):
        return _found(field, clean, context)
    language = context.language
    written, places = spelt(text, language.yes_label, language.no_label)
    return tuple(
        Candidate(r.data, places[r.start], places[r.end], named=True) for r in _found(field, masked(written), context)
    )


def _found(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    found = [*_keyed(field, text, context), *_by_name(field, text, context)]
    if isinstance(field.worse, bool):
        told = (t for t in disclosures(field, text, context) if t.sure)
        found += [Candidate(field.worse, t.start, t.end, named=True) for t in told]
    return tuple(sorted(found, key=lambda r: r.start))


def _unopposed(field: Field, text: str, context: Context, answer: bool | None) -> bool | None:
    """The answer, unless the message says otherwise of the field by name, or may disclose the worse one."""
    opposed = answer is not None and any(r.data != answer for r in find(field, text, context))
    opposed = opposed or (answer is (not field.worse) and any(disclosures(field, text, context)))
    return None if opposed else answer


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


def _keyed(field: Field, text: str, context: Context) -> Iterator[Candidate]:
    """Values behind the field's own key, as a program writes them ("is_leveraged=false")."""
    if "_" not in field.name or field.name not in text:
        return
    particles = {**dict.fromkeys(context.language.yes, True), **dict.fromkeys(context.language.no, False), **CODED}
    for match in re.finditer(KEYED.format(re.escape(field.name)), text):
        answer = particles.get(match[1].casefold())
        if answer is not None:
            yield Candidate(answer, match.start(), match.end(), named=True)


def _by_name(field: Field, text: str, context: Context) -> Iterator[Candidate]:
    language = context.language
    heard = sentences(text, language)
    for i, sentence in enumerate(heard):
        nearby = heard[i + 1].clauses[0] if i + 1 < len(heard) and len(heard[i + 1].clauses) == 1 else ()
        if sentence.asks or nearby:
            asked = _asked_and_answered(field, sentence, nearby, context)
            if asked:
                yield asked
        yield from _named(field, sentence, text, context)


def _asked_and_answered(field: Field, sentence: Sentence, nearby: Clause, context: Context) -> Candidate | None:
    """A sentence that only names the field, and a verdict alone after it ("Leveraged? No.")."""
    rules = grammar(context.language)
    row = sentence.clauses[0]
    spans = list(names(field, context).spans(row))
    if len(sentence.clauses) != 1 or len(spans) != 1 or not nearby:
        return None
    first, after, _ = spans[0]
    small = listed(context.language, "links", "subjects", "be", "have", "articles")
    around = (*row[:first], *row[after:])
    if not all(small.at((t,), 0) for t in around) or listed(context.language, "no", "negators").holds(around):
        return None
    verdict = verdict_after(row, len(row), nearby, rules, marked=False)
    told = verdict in (Behind.YES, Behind.NO)
    return Candidate(verdict is Behind.YES, row[first].start, nearby[-1].end, named=True) if told else None


def _named(field: Field, sentence: Sentence, text: str, context: Context) -> Iterator[Candidate]:
    language = context.language
    row = [t for clause in sentence.clauses for t in clause]
    if sentence.asks or listed(language, "doubts").holds(row):
        return
    taken_back = max((row[i].start for i, _, _ in listed(language, "exceptions").spans(row)), default=-1)
    called = names(field, context)
    hedges = listed(language, "hedges", "softeners", "soft_denials", "maybes")
    for i, said in enumerate(sentence.clauses):
        clause = unfolded(said, called, language)
        if hedges.holds(clause) or is_question(clause, language):
            continue
        following = sentence.clauses[i + 1] if i + 1 < len(sentence.clauses) else ()
        for first, after, _ in called.spans(clause):
            reading = _reading(clause, first, after, following, text, context)
            if reading and clause[after - 1].end > taken_back:
                yield reading


def _reading(
    clause: Clause, first: int, after: int, following: Clause, text: str, context: Context
) -> Candidate | None:
    marked = MARKED.match(text, clause[after - 1].end) is not None
    said = said_of(clause, first, after, grammar(context.language), following, marked=marked)
    return Candidate(said[0], clause[said[1]].start, clause[said[2] - 1].end, named=True) if said else None


def fits(_field: Field, value: object) -> bool:
    """Whether an author wrote a yes or a no."""
    return isinstance(value, bool)


KIND = Kind(
    name="yes_no", whole=if_plain(whole), leans=leans, find=find, parse=parse, show=show, schema=schema,
    fits=fits, wanted=WANTED, takes=frozenset({"suggest"}), element="yes_or_no",
    declaration=True, polar=True, on_paper=False, offered=False, grounding="answer",
    called=frozenset({"bool", "boolean", "flag", "no", "polar", "switch", "toggle", "truefalse", "yes"}),
)  # fmt: skip
