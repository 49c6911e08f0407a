"""Words that speak to whoever asks, and not of the matter: a wish about the form, a question that has no mark, asking somebody first."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from state.language import LANGUAGES
from state.language.language import Language
from state.language.table import Clause, Table, all_of, clauses, joined, listed, listed_everywhere
from state.language.tokens import RECENT, Token, masked

BEFORE = (
    "polite",
    "hesitating",
    "but_words",
    "conjunctions",
    "yes",
    "no",
    "small_talk.approvals",
    "corrections.cues",
    "small_talk.doubts",
)
STARTS = ("afterwards.starts", "small_talk.requests", "small_talk.question_starts")
LEADS = ("asides.leads", "afterwards.wants", "afterwards.may", "commands.leads")
DOING = ("asides.doing", "small_talk.holds", "afterwards.withdraw")
AROUND = ("asides.around", "small_talk.meanwhile", "small", "polite", "hesitating", "ties.kin", "ties.own")
ASKED = ("question_words", "asking.words")
SOON = 4
"""Words within which somebody is named who is to do something ("my manager needs to …"), and a question word is followed by what asks."""


@lru_cache(maxsize=RECENT)
def speaks_to_us(text: str, language: Language) -> bool:
    """Return True if a clause of the text, in any language, speaks to whoever asks; `language` is the form's."""
    return any(_speaks_to_us(clause, language) for clause in clauses(masked(text), language))


def _speaks_to_us(clause: Clause, language: Language) -> bool:
    row = _told(clause, language)
    if listed_everywhere(language, *STARTS).at(row, 0) or listed_everywhere(language, "asides.us").holds(clause):
        return True
    if _asks(row, language):
        return True
    rest = _led(row, language)
    return _is_about_form(row, language) or _is_about_form(rest, language) or _puts_off(rest, language)


def _led(row: Sequence[Token], language: Language) -> Sequence[Token]:
    """Return what stands behind the words that lead to what somebody wants, must or will ("I'll need to …"); () where none do soon."""
    leads = listed_everywhere(language, *LEADS)
    lead = next(leads.spans(row[:SOON]), None)
    rest = row[lead[1] :] if lead else ()
    while hit := leads.at(rest, 0):
        rest = rest[hit[0] :]
    return rest


def _told(clause: Clause, language: Language) -> Sequence[Token]:
    """Return a clause without the courtesies that it begins with."""
    row, before = clause, listed_everywhere(language, *BEFORE)
    while row and (hit := before.at(row, 0)):
        row = row[hit[0] :]
    return row


def _asks(row: Sequence[Token], language: Language) -> bool:
    """Return True if a verb stands before who it is of, first or behind a question word ("will my boss …", "what sort of thing do people …")."""
    asked = listed_everywhere(language, *ASKED).at(row, 0)
    if listed_everywhere(language, "conditions").at(row, 0):  # "if I say so will it be refused"
        return _inverts(row[SOON:], listed_everywhere, language)
    return _inverts(row[:2] if asked is None else row[1 : SOON + 3], listed_everywhere, language)


def asks_by_order(row: Sequence[Token], language: Language) -> bool:
    """Return True if words of a language that asks by their order alone are a question ("what did I say"; not "what I said")."""
    spoken = (one for one in LANGUAGES.values() if one.asks_by_order)
    return any(listed(one, *ASKED).at(row, 0) and _inverts(row[1 : SOON + 3], listed, one) for one in spoken)


def _inverts(row: Sequence[Token], tables: Callable[..., Table[str]], language: Language) -> bool:
    verbs, whom = tables(language, "asides.auxiliaries"), tables(language, "asides.subjects")
    return any((hit := verbs.at(row, i)) and whom.at(row, i + hit[0]) for i in range(len(row) - 1))


def _puts_off(row: Sequence[Token], language: Language) -> bool:
    """Return True if what somebody is about to do is to ask or think before they answer."""
    consulting = listed_everywhere(language, "asides.consulting")
    return any(consulting.at(row, i) for i in range(SOON // 2)) or consulting.ending(row, len(row)) is not None


def _is_about_form(row: Sequence[Token], language: Language) -> bool:
    """Return True if nothing but what is done to a form stands in the words ("leave it for today")."""
    doing, words = listed_everywhere(language, *DOING), [t for t in row if not t.key.isdigit()]  # "back in 10"
    return doing.holds(row) and all_of(words, joined(doing, listed_everywhere(language, *LEADS, *AROUND)))
