"""The drift check: whether a model's reply keeps to the form's persona. Code judges it before anything is sent."""

import re
from collections.abc import Sequence
from itertools import pairwise

from state.draft.draft import Draft
from state.draft.missing import missing
from state.form import Field, Form
from state.guards.sentences import sentences
from state.guards.speech import CODE_WORDS, asks_filled, is_question, names
from state.language import language_of
from state.language.claims import MACHINERY, STANDING
from state.language.table import listed, phrases
from state.language.tokens import tokens
from state.rules import Grade, Rules
from state.understanding.evidence import first_held, holds_quote, newest_line, normalized, said_by_person

CODE = re.compile(
    r"```|~~~|`[^`\n]*[(){};=<>][^`\n]*`"
    r"|^\s*(?:(?:def|class|function|import|from|const|let|var|public|private|return|#include)\s+[\w.{*<]+.*[(;:{=]|SELECT\s.+\sFROM\s)"
    r"|[\w)\]]\s*(?:=>|\(\);|:=)\s*",
    re.MULTILINE,
)
"""Fenced or not: what a developer would paste into a file."""
QUOTED = re.compile(r"[\"“«]([^\"”»\n]{1,400})[\"”»]")
_APOSTROPHES = str.maketrans("’ʼ", "''", "*_~")
"""Typographic apostrophes as plain ones; emphasis is no way around a phrase."""


def drift(form: Form, rules: Rules, draft: Draft, text: str) -> str:
    """What is wrong with a reply, in English for the model; empty where nothing is, or where the form sets no limits."""
    own = without_quotes(form, draft, text)
    return _manner(form, rules, draft, own) or (_asking(form, rules, draft, own) if model_asks(form, draft) else "")


def in_own_words(form: Form, draft: Draft, text: str) -> str:
    """What of a reply the rules for every model judge: where the model asks, what the person has told is what it speaks of.

    Their quotes are left out, and words that stand in an answer ("JSON", "saved") are no slip.
    """
    if not model_asks(form, draft):
        return text
    told = tuple(str(value.data) for value in draft.values.values())
    own = without_quotes(form, draft, text)
    for slip in (MACHINERY, CODE_WORDS, STANDING):
        own = slip.sub(lambda m: "…" if m[0][0].isalpha() and any(holds_quote(t, m[0]) for t in told) else m[0], own)
    return own


def model_asks(form: Form, draft: Draft) -> bool:
    """Whether the model's own question is what the person reads."""
    return form.asked_by == "model" and draft.open


def question_target(form: Form, rules: Rules, draft: Draft, text: str) -> Field | None:
    """The gap that the text's question is about: the first missing field that it names; after a thin answer that field."""
    gaps = missing(form, draft)
    if vague := thin_answer(form, rules, draft):
        return vague
    asked = " ".join(questions(form, without_quotes(form, draft, text)))
    return next((f for f in gaps if names(f, asked)), None)


def thin_answer(form: Form, rules: Rules, draft: Draft) -> Field | None:
    """The field whose newest answer was too thin, taken down or not: the next question asks for an example."""
    gaps, line = missing(form, draft), newest_line(draft)
    value = draft.values.get(gaps[0].name) if gaps else None
    if value is not None and value.grade == Grade.BRIEF:
        return gaps[0]
    asked = next((f for f in gaps if f.name == draft.asked), None)
    grader = rules.graders.get(asked.grade) if asked else None
    told = line is None or any(v.provenance.message == line.message for v in draft.values.values())
    return asked if grader and line and not told and grader(line.text) is Grade.BRIEF else None


def questions(form: Form, text: str) -> list[str]:
    """The reply's questions; in its last part a request to tell something asks as well."""
    head, mark, tail = _parts(form, text)
    telling = [s for s in sentences(tail) if is_question(s)] if mark else [s for s in sentences(head) if is_question(s)]
    return [*(s for s in sentences(head) if mark and "?" in s), *telling]


def without_quotes(form: Form, draft: Draft, text: str) -> str:
    """The reply without the person's own words that its first part quotes: those are no drift."""
    head, mark, tail = _parts(form, text)
    heard = _heard(draft)
    kept = QUOTED.sub(lambda m: "…" if any(holds_quote(line, m[1]) for line in heard) else m[0], head)
    return kept + mark + tail if form.persona.shape else text


def _parts(form: Form, text: str) -> tuple[str, str, str]:
    """What stands before the question's mark, the mark, and what follows it."""
    return text.partition(form.persona.shape[-1]) if form.persona.shape else (text, "", "")


def _heard(draft: Draft) -> tuple[str, ...]:
    """All that the person is known to have said: the conversation's lines, and the words behind every answer."""
    values = (text for v in draft.values.values() for text in (v.provenance.words, str(v.data)))
    return (*(line.text for line in said_by_person(draft)), *values)


def _manner(form: Form, rules: Rules, draft: Draft, text: str) -> str:
    """Forbidden phrases, code, and names that the person has not used."""
    persona, level = form.persona, text.translate(_APOSTROPHES)
    said = first_held(level, persona.forbidden)
    if said:
        return f'it says "{said}"; you ask and never advise'
    if persona.no_code and CODE.search(text):
        return "it holds code; you never write any"
    for kind in persona.not_first:
        find = rules.names[kind]
        if new := find(text) - frozenset().union(*(find(line) for line in _heard(draft))):
            return f"it names {min(new)}, which the user has not named"
    return ""


def _asking(form: Form, rules: Rules, draft: Draft, text: str) -> str:
    """Shape, number and aim of the question."""
    gaps = missing(form, draft)
    if problem := _shape(form, text, asking=bool(gaps)):
        return problem
    asked = questions(form, text)
    if len(asked) != bool(gaps):
        return f"it holds {len(asked)} questions; there must be {'exactly one' if gaps else 'none: nothing is missing'}"
    if not gaps:
        return ""
    if asks_several(form, gaps, asked[0]):
        return "it asks for several things at once; ask one"
    if vague := thin_answer(form, rules, draft):
        fits = _wants_example(form, " ".join(asked)) or not form.persona.examples
        return "" if fits else f"the answer on {vague.label!r} was vague; the question must ask for an example"
    filled = asks_filled(form, draft, text)
    if filled:
        return f"it asks about {filled.label!r}, which is answered already"
    if repeats(draft, text):
        return "it asks word by word what was asked before; ask it in another way"
    names_of = " or ".join(gaps[0].words[:3] or (gaps[0].label,))
    return (
        ""
        if question_target(form, rules, draft, text)
        else f"its question is not about what is missing; ask about {names_of}"
    )


def _shape(form: Form, text: str, *, asking: bool) -> str:
    """Whether the parts stand in order, each once, and the question in the last one alone."""
    marks = form.persona.shape
    if not marks:
        return ""
    level = text.replace("*", "").strip()
    wanted = marks if asking else marks[:-1]
    places = [level.find(mark) for mark in wanted]
    in_order = places == sorted(places) and (not places or places[0] == 0)
    once = all(level.count(mark) == (mark in wanted) for mark in marks)
    if not in_order or not once:
        return f"it must have these parts, each once and in this order: {' … '.join(wanted)}"
    return "its question stands in the wrong part" if asking and "?" in level[: places[-1]] else ""


def _wants_example(form: Form, text: str) -> bool:
    return any(holds_quote(text, word) for word in form.persona.examples)


def asks_several(form: Form, gaps: Sequence[Field], question: str) -> bool:
    """Whether one question names several of the gaps, joined by a comma or an "and" ("the problem, its cost and the users")."""
    language = language_of(form.language)
    row = tokens(question, language)
    called = {f.name: phrases((f.label, *f.words), language) for f in gaps}
    named = sorted((first, after, name) for name, table in called.items() for first, after, _ in table.spans(row))
    joins = listed(language, "and_words", "or_words")
    return any(
        one[2] != other[2]
        and not called[one[2]].holds(row[other[0] : other[1]])
        and not called[other[2]].holds(row[one[0] : one[1]])
        and any(row[i].stop or joins.at(row, i) for i in range(one[1], other[0] + 1))
        for one, other in pairwise(named)
    )


def repeats(draft: Draft, text: str) -> bool:
    """Whether its question was asked before, word by word."""
    asked = {normalized(s) for s in sentences(text) if "?" in s}
    before = {
        normalized(s)
        for line in (*draft.opening, *draft.window)
        if line.role == "assistant"
        for s in sentences(line.text)
    }
    return bool(asked & before)
