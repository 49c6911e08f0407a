"""Questions about a filed request, in words: what they ask of its record, read clause by clause in any language from its lists."""

import re
from collections.abc import Iterator
from functools import cache

from state.draft.topics import Topic
from state.fields.base import Context
from state.fields.naming import names
from state.form import Form
from state.language import LANGUAGES, Language
from state.language.table import Clause, Table, all_of, joined, listed, meanings, phrases, sentences
from state.language.tokens import asks, masked, tokens
from state.understanding.form_commands import numbered

LONGEST = 240
"""Characters of the longest question."""
AROUND = ("polite", "small_talk.greetings", "small_talk.thanks", "small_talk.approvals", "conjunctions", "but_words")
"""Words before a question."""
ASKING = ("afterwards.asks", "afterwards.may", "question_words", "asking.words", "asking.verbs")
FIRM = frozenset({Topic.WITHDRAW, Topic.CHANGE, Topic.WHY, Topic.WHO, Topic.STATE})
"""Topics that count where the words name a field as well; any other may be a question about that field."""
WANTED = FIRM - {Topic.STATE}
"""Topics of a wish: what came or went may be what somebody wants to file."""


def topics_in(form: Form, text: str, context: Context) -> tuple[Topic, ...]:
    """Return what the message asks of a filed request, in the order of its clauses; nothing where it asks none of that."""
    if len(text) > LONGEST:
        return ()
    spoken = (context.language, *(one for one in LANGUAGES.values() if one is not context.language))
    likeliest = sorted(spoken, key=lambda one: -_known_words(text, one))
    asked = (tuple(dict.fromkeys(_asked(form, masked(text), one, context))) for one in likeliest)
    found = next(filter(None, asked), ())
    return found or ((Topic.STATE,) if _asks_of_number(form, text, spoken) else ())


def _asked(form: Form, text: str, language: Language, context: Context) -> Iterator[Topic]:
    cues, lead = _cues(language), listed(language, *AROUND)
    for sentence in sentences(text, language):
        asking = sentence.asks
        for clause in sentence.clauses:
            wants = not asking and _begins(clause, lead, listed(language, "afterwards.wants"))
            asking = asking or wants or _begins(clause, lead, listed(language, *ASKING))
            cued = {topic for _, _, topic in cues.spans(clause)}
            said = cued or _leave(form, clause, language)
            if said and any(names(field, context).holds(clause) for field in form.fields.values()):
                said = cued & FIRM
            said = said & WANTED if wants else said
            if said and (asking or all_of(clause, joined(_plain(language), lead))):
                yield min(said, key=list(Topic).index)


def _known_words(text: str, language: Language) -> int:
    """Return how many words of the text are words of this language's questions."""
    table = listed(language, *ASKING, *(f"afterwards.{topic}" for topic in Topic), "small", "polite")
    return sum(after - first for first, after, _ in table.spans(tokens(masked(text), language)))


def _asks_of_number(form: Form, text: str, spoken: tuple[Language, ...]) -> bool:
    """Return True if the message asks about a record's number, or is no more than one ("and PA-2026-000003?")."""
    rest = re.sub(rf"\b{numbered(form)}\b", " ", text, flags=re.IGNORECASE)
    return rest != text and (asks(rest) or any(_bare(tokens(rest, one), one) for one in spoken))


def _bare(row: Clause, language: Language) -> bool:
    return _begins(row, listed(language, *AROUND), listed(language, *ASKING)) or all_of(row, _plain(language))


def _begins(clause: Clause, lead: Table[str], wanted: Table[str]) -> bool:
    """Return True if one of the wanted phrases begins the clause, courtesies aside."""
    i = 0
    while i < len(clause) and not wanted.at(clause, i):
        if not (hit := lead.at(clause, i)):
            return False
        i += hit[0]
    return i < len(clause)


def _leave(form: Form, clause: Clause, language: Language) -> set[Topic]:
    """Return what is asked by whoever wants to go ahead, by the form's own words for that ("can I trade now?")."""
    may = listed(language, "afterwards.may").holds(clause)
    return {Topic.VALID} if may and phrases(form.words, language).holds(clause) else set()


@cache
def _cues(language: Language) -> Table[Topic]:
    """Return every phrase that asks for a topic; one of several topics is the first's."""
    words = language.afterwards
    return meanings({phrase: topic for topic in reversed(Topic) for phrase in getattr(words, topic)}, language)


@cache
def _plain(language: Language) -> Table[str]:
    """Return what makes a whole question without a verb: "any news", "status please"."""
    return listed(language, "afterwards.state", "afterwards.asks", "small", "polite")
