"""Messages that are no answer: commands as whole utterances, small talk, questions about the form."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cache
from typing import Literal

from state.draft.draft import Draft
from state.draft.missing import reachable
from state.fields import kind_of
from state.fields.base import Context
from state.fields.naming import names
from state.form import Field, Form
from state.language import LANGUAGES, Language, language_of, understood
from state.language.small_talk import NoAnswer, idle, puzzled
from state.language.table import Table, all_of, calendar, joined, listed, listed_everywhere, meanings, phrases
from state.language.tokens import Token, asks, masked, tokens, trimmed


def without_leads(row: Sequence[Token], leads: Table[str]) -> Sequence[Token]:
    """Return the row without these words at its beginning."""
    while row and (lead := leads.at(row, 0)):
        row = row[lead[0] :]
    return row


def without_tails(row: Sequence[Token], tails: Table[str]) -> Sequence[Token]:
    """Return the row without these words at its end."""
    while row and (tail := tails.ending(row, len(row))):
        row = row[: len(row) - tail[0]]
    return row


LONGEST = 120
"""Characters of the longest command."""


class SpokenCommand(StrEnum):
    """A command that a person may give in words, whatever the form."""

    CANCEL = "cancel"
    START_OVER = "restart"
    HELP = "help"
    MISSING = "missing"
    PERSON = "person"
    UNDO = "undo"
    BACK = "back"
    SUBMIT = "submit"
    EXTEND = "extend"
    MY_REQUESTS = "my_requests"
    MY_DATA = "my_data"
    ERASE = "erase"


def read_command(text: str, locale: str, *, everywhere: bool = True) -> SpokenCommand | None:
    """Return the command that the whole message gives in any language, courtesies aside; None for anything else.

    Not `everywhere`: in the locale's own language or in English alone.
    """
    if len(text) > LONGEST:
        return None
    language = language_of(locale)
    row = tokens(masked(text), language)
    for spoken in dict.fromkeys((*understood(language), *(LANGUAGES.values() if everywhere else ()))):
        orders, leads, tails = _tables(spoken, language)
        led = without_leads(row, leads)
        for part in (row, led, without_tails(led, tails)):
            if (hit := orders.at(part, 0)) and hit[0] == len(part):
                return hit[1]
    return None


@cache
def _tables(spoken: Language, language: Language) -> tuple[Table[SpokenCommand], Table[str], Table[str]]:
    """Return the orders of one language, and the courtesies before and after them, split as in another."""
    words = spoken.commands
    orders = {phrase: SpokenCommand(name) for name, some in words.orders.items() for phrase in some}
    return meanings(orders, language), phrases(words.leads, language), phrases(spoken.polite, language)


Told = Literal["done", "unused"]
UTTERANCES: tuple[tuple[Told, str], ...] = (("unused", "orders.undone"), ("done", "orders.done"))


def told_of(text: str, language: Language) -> Told | None:
    """Return "done" or "unused" where the whole message says that of an approved request, in any language and fillers aside."""
    row, fillers = (
        tokens(masked(text), language),
        listed_everywhere(language, "orders.fillers", "small", "polite", "units"),
    )
    says = ((told, listed_everywhere(language, entry)) for told, entry in UTTERANCES)
    if asks(text):
        return None
    return next((told for told, hits in says if hits.holds(row) and all_of(row, joined(fillers, hits))), None)


COURTESIES = frozenset({NoAnswer.THANKS, NoAnswer.GREETING, NoAnswer.HOLD, NoAnswer.REMARK, NoAnswer.APPROVAL})
"""Small talk that neither asks nor tells anything."""


def no_answer(text: str, context: Context) -> NoAnswer | None:
    """Return why the whole text answers nothing; None where it may answer."""
    if not trimmed(text):
        return None
    if read_command(text, context.locale):
        return NoAnswer.COMMAND
    return idle(text, context.language)


def is_asking(text: str, context: Context) -> bool:
    """Return True if the message asks something, with or without a question mark."""
    why = idle(text, context.language)
    return why is NoAnswer.QUESTION or (asks(text) and why is not NoAnswer.GREETING)


def asks_back(part: str, context: Context) -> bool:
    """Return True if a sentence begins as questions to the reviewers do, question mark or none."""
    row, polite = (
        tokens(part, context.language),
        listed_everywhere(context.language, "polite", "hesitating", "but_words"),
    )
    return listed_everywhere(context.language, "afterwards.starts").at(without_leads(row, polite), 0) is not None


def asks_leave(text: str, context: Context) -> bool:
    """Return True if a question only asks politely for leave ("May I buy …?"): the words behind that tell what is wanted."""
    row, language = tokens(masked(text), context.language), context.language
    courtesies = listed_everywhere(language, "polite", "small_talk.greetings", "conjunctions")
    leave = listed_everywhere(language, "afterwards.may", "commands.leads").at(without_leads(row, courtesies), 0)
    return leave is not None and not listed_everywhere(language, "question_words").holds(row)


def asks_change(text: str, context: Context) -> bool:
    """Return True if a question begins by asking for a change ("could you make it 300?", "può cambiare …?")."""
    every, language = tokens(masked(text), context.language), context.language
    row = without_leads(every, listed_everywhere(language, "polite", "small_talk.greetings", "hesitating"))
    lead = listed_everywhere(language, "afterwards.may", "commands.leads").at(row, 0)
    rest = without_leads(row[lead[0] :], listed_everywhere(language, "polite")) if lead else ()
    return listed_everywhere(language, "corrections.changes", "corrections.cues").at(rest, 0) is not None


def asks_meaning(text: str, context: Context) -> bool:
    """Return True if the words ask what something means, is for, or is."""
    row = tokens(masked(text), context.language)
    return puzzled(row, context.language) or listed_everywhere(context.language, "asking_meaning", "defining").holds(
        row
    )


PASSING = (
    "small", "polite", "vague", "hesitating", "units", "weeks_away", "orders.fillers", "orders.wishing", "afterwards.valid",
)  # fmt: skip


def names_nothing(locale: str, rest: str, *also: str) -> bool:
    """Return True if what a command is about names nothing, or no more than `also` does: "it", "now", "more time", "the shares I have"."""
    language = language_of(locale)
    days = phrases((*calendar(language), *language.days, *also), language)
    return all_of(tokens(rest, language), joined(days, listed_everywhere(language, *PASSING)))


def leads_nowhere(locale: str, text: str) -> bool:
    """Return True if the message only says that something is wanted, and not what ("I have something to file")."""
    return all_of(tokens(masked(text), language_of(locale)), listed_everywhere(language_of(locale), *PASSING))


ASKING_BACK = ("polite", "hesitating", "question_words", "corrections.cues")
"""Words that alone, with a question mark, only ask what was meant ("sorry?", "¿cómo?")."""


def to_explain(form: Form, draft: Draft, text: str, context: Context) -> Field | None:
    """Return the field whose meaning is asked for: one that the question names, else the one that was asked, or that it names an answer to."""
    if not is_asking(text, context):
        return None
    row, asked = tokens(masked(text), context.language), form.fields.get(draft.asked)
    found = [(after - first, f) for f in reachable(form, draft) for first, after, _ in names(f, context).spans(row)]
    named = max(found, key=lambda pair: pair[0])[1] if found else None  # the longest name
    asks_back = puzzled(row, context.language) or listed_everywhere(context.language, "asking_meaning").holds(row)
    defines = asked is not None and bool(asked.choices) and listed_everywhere(context.language, "defining").holds(row)
    answer = defines and asked is not None and kind_of(asked).find(asked, text, context)  # "what is a spike?"
    alone = named is not None and all_of(
        row, joined(names(named, context), listed_everywhere(context.language, "small", "polite"))
    )
    if asks_back or answer or alone or all_of(row, listed_everywhere(context.language, *ASKING_BACK)):
        return named or asked
    return named if listed(context.language, "question_words").holds(row) else None


def is_defined(found: Iterable[Sequence[Token]], start: int, text: str, language: Language) -> bool:
    """Return True if the clause that holds this place of a text asks, in any language, what something is: what it names is no answer.

    Without a question mark only a question word asks ("es una moto" tells).
    """
    clause = next((c for c in found if c[0].start <= start < c[-1].end), ())
    leads = listed(language, "small", "leading", "polite", "commands.leads", "conjunctions")
    first = next(listed_everywhere(language, "defining").spans(clause), None)
    if first is None or not all_of(clause[: first[0]], leads):
        return False
    return asks(text) or listed_everywhere(language, "question_words", "asking.words").at(clause, first[0]) is not None


STUCK = frozenset({NoAnswer.REFUSAL, NoAnswer.DOUBT, NoAnswer.REFERENCE, NoAnswer.REMINDER})
"""Whoever does not know, would rather not say, or says that they said it, may need a person."""


def tries_to_answer(text: str, context: Context) -> bool:
    """Return True if the words may be meant as an answer: no question, no hold, no greeting or thanks, no command."""
    if not tokens(masked(text), context.language) or is_asking(text, context):
        return False
    idle = no_answer(text, context)
    return idle is None or idle in STUCK
