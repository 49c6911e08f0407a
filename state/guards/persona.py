"""The model's own question, where a form lets it ask: the part of a reply that is the question, the gap it is about, and its faults."""

import re
from collections.abc import Sequence
from itertools import combinations, pairwise

from state.draft.draft import Draft
from state.draft.missing import missing
from state.fields.base import Context
from state.form import Field, Form
from state.guards.free_words import REACH, Known, begins, clauses_of, flaw_of_question, named
from state.language import Language
from state.rules import Grade, Rules
from state.understanding.evidence import first_held, holds_quote, newest_line, normalized

WORD = re.compile(r"[\w-]+")
_APOSTROPHES = str.maketrans("’ʼ", "''")


def model_asks(form: Form, draft: Draft) -> bool:
    """Return True if the model's own question is what the person reads."""
    return form.asked_by == "model" and draft.open and bool(missing(form, draft))


def question_in(form: Form, text: str) -> str:
    """Return the question of a reply: the text behind the opening of the form's last part, else all of it."""
    _, mark, asked = text.partition(form.persona.shape[-1]) if form.persona.shape else ("", "", "")
    return " ".join((asked if mark else text).split())


def flaw_of_asking(form: Form, rules: Rules, draft: Draft, text: str, context: Context) -> str:
    """Return the fault of a reply's question, in English for the model; empty if it may be shown."""
    question, known = question_in(form, text), Known(form, draft, context)
    return (
        flaw_of_question(known, question, [context.language])
        or _manner(form, rules, known, question)
        or _aim(form, rules, draft, question, context.language)
    )


def _manner(form: Form, rules: Rules, known: Known, question: str) -> str:
    """Judge how it is put: open, in the form's manner, and with names that the person has used."""
    persona, language = form.persona, known.context.language
    is_open = any(begins(clause, language.asking.words, REACH) for clause in clauses_of(question, [language]))
    if not is_open and not first_held(question, persona.examples):
        return "it can be answered by a yes or no: begin with a question word"
    if not is_open and any(holds_quote(question, value) for value in known.values):
        return "it asks for a yes to what is answered"
    if said := first_held(question.translate(_APOSTROPHES), persona.forbidden):
        return f'it says "{said}"; you ask and never advise'
    finders = [rules.names[kind] for kind in persona.not_first]
    new = {name for find in finders for name in find(question).difference(*map(find, known.told))}
    strange = [*named(known, question)]
    pairs = {f"{one} {other}" for one, other in pairwise(strange) if f"{one} {other}" in question}
    new |= pairs if language.asking.capital_nouns else {*strange}
    return f"it names {min(new)}, which the user has not named" if new else ""


def _aim(form: Form, rules: Rules, draft: Draft, question: str, language: Language) -> str:
    """Judge what it is about: one gap, in words that were not used before; after a thin answer an example."""
    gaps = missing(form, draft)
    if _asks_several(gaps, question, language):
        return "it asks for several things at once; ask one"
    if vague := thin_answer(form, rules, draft):
        fits = first_held(question, form.persona.examples) or not form.persona.examples
        return "" if fits else f"the answer on {vague.label!r} was vague; the question must ask for an example"
    asked = (line.text for line in (*draft.opening, *draft.window) if line.role == "assistant")
    if normalized(question) in (normalized(question_in(form, text)) for text in asked):
        return "it asks word by word what was asked before; ask it in another way"
    if question_target(form, rules, draft, question):
        return ""
    filled = next((f for f in form.fields.values() if f.name in draft.values and names(f, question)), None)
    if filled:
        return f"it asks about {filled.label!r}, which is answered already"
    return f"its question is not about what is missing; ask about {' or '.join(gaps[0].words[:3] or (gaps[0].label,))}"


def question_target(form: Form, rules: Rules, draft: Draft, question: str) -> Field | None:
    """Return the gap that a question is about: the first missing field that it names; after a thin answer that field."""
    return thin_answer(form, rules, draft) or next((f for f in missing(form, draft) if names(f, question)), None)


def thin_answer(form: Form, rules: Rules, draft: Draft) -> Field | None:
    """Return the field whose newest answer was too thin, kept or not: the next question asks for an example."""
    gaps, line = missing(form, draft), newest_line(draft)
    value = draft.values.get(gaps[0].name) if gaps else None
    if value is not None and value.grade == Grade.BRIEF:
        return gaps[0]
    asked = next((f for f in gaps if f.name == draft.asked), None)
    grader = rules.graders.get(asked.grade) if asked else None
    told = line is None or any(v.provenance.message == line.message for v in draft.values.values())
    return asked if grader and line and not told and grader(line.text) is Grade.BRIEF else None


def names(field: Field, text: str) -> bool:
    """Return True if the text names a field by its label or its words."""
    heard = _level(text)
    return any(_level(word) in heard for word in (field.label, *field.words))


def _level(text: str) -> str:
    return f" {' '.join(WORD.findall(normalized(text)))} "


def _asks_several(gaps: Sequence[Field], question: str, language: Language) -> bool:
    """Return True if what an "and" or an "or" joins names different gaps ("the problem and its cost")."""
    joins = "|".join((*language.and_words, *language.or_words))
    parts = re.split(rf"\b(?:{joins})\b", question)
    about = [found for part in parts if (found := {f.name for f in gaps if names(f, part)})]
    return any(one.isdisjoint(other) for one, other in combinations(about, 2))
