"""Questions about the form: which field a person wants explained."""

from state.draft.draft import Draft
from state.draft.missing import reachable
from state.fields.base import Context
from state.fields.words.naming import names
from state.form import Field, Form
from state.language.clauses import sentences
from state.language.polarity import is_question
from state.language.small_talk import NoAnswer, idle
from state.language.table import listed, listed_widely
from state.language.tokens import Token, asks, masked, tokens

SHORT = 4
"""Words of the longest line that asks by its beginning alone."""


def is_asking(text: str, context: Context) -> bool:
    """Whether the message asks something, with or without a question mark."""
    found = sentences(masked(text), context.language)
    return any(s.asks or (s.clauses and is_question(s.clauses[0], context.language)) for s in found) or _only_asks(text)


def asks_plainly(text: str, context: Context) -> bool:
    """Whether the message has the shape of a question: a question mark, a verb before its subject, or a few words that begin like one.

    A question word alone makes none: "When a nurse swaps, nobody is told", "not changing how shifts are planned".
    """
    if asks(text) or _inverted(text, context):
        return True
    return may_ask(text, context) and len(tokens(masked(text), context.language)) <= SHORT


def may_ask(text: str, context: Context) -> bool:
    """Whether the message asks, or at least begins as questions do: "what is missing is a list of open shifts"."""
    return idle(text, context.language) is NoAnswer.QUESTION or _inverted(text, context)


def _inverted(text: str, context: Context) -> bool:
    """A verb before its subject, at the beginning or right behind a question word ("is a list", "how do I")."""
    row, language = tokens(masked(text), context.language), context.language
    leads = listed(language, "conjunctions", "polite", "small_talk.greetings", "acknowledging")
    i = 0
    while hit := leads.at(row, i):
        i += hit[0]
    word = listed(language, "question_words").at(row, i)
    i += word[0] if word else 0
    verb = listed(language, "question_verbs").at(row, i)
    return (
        verb is not None and listed(language, "subjects", "articles", "other_subjects").at(row, i + verb[0]) is not None
    )


def to_explain(form: Form, draft: Draft, text: str, context: Context) -> Field | None:
    """The field whose meaning is asked for: one that the question names, else the one that was asked."""
    language = context.language
    row = tokens(masked(text), language)
    about_meaning = listed_widely(language, "asking_meaning").holds(row) or _only_asks(text)
    named = _named(form, draft, row, context)
    if about_meaning:
        return named or form.fields.get(draft.asked)
    return named if listed(language, "question_words").holds(row) and may_ask(text, context) else None


def _only_asks(text: str) -> bool:
    return asks(text) and not any(c.isalnum() for c in text)


def _named(form: Form, draft: Draft, row: tuple[Token, ...], context: Context) -> Field | None:
    """The field that the words name, the longest name first."""
    found = [(after - first, f) for f in reachable(form, draft) for first, after, _ in names(f, context).spans(row)]
    return max(found, key=lambda pair: pair[0])[1] if found else None
