"""A person's own answer that a field cannot take: one sentence that says what to do, and the question again."""

from collections.abc import Mapping

from state.advance.showing import show_next
from state.advance.work import Work
from state.draft.draft import Data
from state.engine.cards import Phrase, Utterance, Verbatim
from state.fields import kind_of
from state.fields.base import Unreadable
from state.form import Field
from state.rules import Grade
from state.understanding.evidence import newest_line

FEW = 4
"""Words of a message that is a code and nothing else; some are written in pieces."""


def refuse(work: Work, field: Field, data: Data) -> bool:
    """Whether the field's own rules refuse this answer; if so, the person has been told."""
    problem = problem_with(work, field, data)
    if problem is not None:
        show_next(work, problem)
    return problem is not None


def read_entry(work: Work, field: Field, given: object) -> Data | None:
    """A modal's or a picker's entry in canonical form; None after the person was told why it cannot be read."""
    try:
        return kind_of(field).parse(field, given, work.context)
    except Unreadable as problem:
        show_next(work, Phrase(problem.key, _texts(problem.args_)))
        return None


def problem_with(work: Work, field: Field, data: Data) -> Utterance | None:
    """What the field's own rules have against an answer; None where they take it."""
    grader = work.rules.graders.get(field.grade)
    grade = grader(str(data)) if grader else None
    before = work.draft.values.get(field.name)
    if grade is Grade.OFF_TOPIC:
        return Phrase("off_topic", {"label": field.label})
    if grade is Grade.EMPTY:
        return Phrase("empty", {})
    if before and before.grade == Grade.GOOD and grade is Grade.BRIEF:
        return Phrase("too_brief_to_replace", {"label": field.label})
    check = work.rules.checks.get(field.base)
    sentence = check(work.draft, field.name, data) if check else ""
    return Verbatim(sentence) if sentence else None


def near_miss(work: Work) -> Utterance | None:
    """Why the newest message is no answer, where it plainly means to be one: a code with a slip in it, half an address."""
    field, line = work.form.fields.get(work.draft.asked), newest_line(work.draft)
    if field is None or line is None or not kind_of(field).slip_shows or len(line.text.split()) > FEW:
        return None
    try:
        kind_of(field).parse(field, line.text, work.context)
    except Unreadable as problem:
        coded = any(c.isdigit() or c == "@" for c in line.text)
        return Phrase(problem.key, _texts(problem.args_)) if coded else None
    return None


def _texts(given: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in given.items()}
