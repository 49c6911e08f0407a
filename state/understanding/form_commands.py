"""A form's own commands in words, whole utterances by its patterns; and questions about a filed request, clause by clause in any language."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from state.draft.draft import Draft
from state.draft.topics import Topic
from state.fields.base import Context
from state.fields.disclosing import disclosures
from state.fields.naming import names
from state.fields.values.marks import marks
from state.form import Form
from state.form.schema import CHOICE, SLOT
from state.language import LANGUAGES, Language, language_of
from state.language.table import Clause, Table, all_of, joined, listed, meanings, phrases, sentences
from state.language.tokens import RECENT, Token, asks, keys_of, masked, tokens, without_accents
from state.understanding.commands import without_leads, without_tails
from state.understanding.corrections import names_of

LONGEST = 120
"""Characters of the longest command."""
MOST_REST = 8
"""Words of the longest thing that a command may be about."""


@dataclass(frozen=True)
class Pattern:
    """A command, its words as a pattern over the keys of a message, each with a blank behind it, and the sort of the slot among them."""

    name: str
    words: re.Pattern[str]
    slot: str

    def at(self, keys: str) -> tuple[int, int] | None:
        """Return the words of the slot, from one up to another, if a message is just this: none without a slot."""
        found = self.words.fullmatch(keys)
        begin, end = found.span(found.lastindex) if found and found.lastindex else (0, 0)
        return (keys.count(" ", 0, begin), keys.count(" ", 0, end)) if found else None


@lru_cache(maxsize=RECENT)
def read_form_command(form: Form, text: str) -> tuple[str, str] | None:
    """Return the form's own command that the whole message gives, and what it is about: ("can_i_trade", "Tesco")."""
    if len(text) > LONGEST or not form.commands:
        return None
    language = language_of(form.language)
    polite = listed(language, "polite")
    row = without_tails(without_leads(tokens(masked(text), language), polite), polite)
    keys = "".join(f"{without_accents(token.key)} " for token in row)
    fitting = ((p, at) for p in patterns_of(form) if (at := p.at(keys)))
    closest = sorted(fitting, key=lambda one: (one[1][1] - one[1][0], one[0].slot == "rest"))
    said = (_said(form, pattern, row[slice(*at)], text) for pattern, at in closest)
    found = next((one for one in said if one is not None), None)
    return None if found is not None and _discloses(form, text) else found


@lru_cache(maxsize=32)
def patterns_of(form: Form) -> tuple[Pattern, ...]:
    """Return every pattern of a form's commands; of those that fit, the one with the fewest words in its slot is meant."""
    language = language_of(form.language)
    said = ((name, says) for name, command in form.commands.items() for says in command.says)
    return tuple(
        Pattern(name, re.compile(_pattern(says, language)), "".join(SLOT.findall(says)[:1])) for name, says in said
    )


def _pattern(says: str, language: Language) -> str:
    """Return the pattern of a command's words, with their choices, the longest first, and a slot."""
    parts = enumerate(CHOICE.split(says))
    choices = ([_keys(one, language) for one in (part.split("|") if n % 2 else [part])] for n, part in parts)
    return "".join(f"(?:{'|'.join(sorted(some, key=len, reverse=True))})" for some in choices)


def _keys(text: str, language: Language) -> str:
    """Return the keys of words as a pattern, a blank behind each; a slot takes as few as it can."""
    slot = rf"((?:\S+ ){{1,{MOST_REST}}}?)"
    words = (map(without_accents, keys_of(part.strip(), language)) for part in SLOT.split(text)[::2])
    return slot.join("".join(f"{re.escape(key)} " for key in some) for some in words)


def _said(form: Form, pattern: Pattern, about: Sequence[Token], text: str) -> tuple[str, str] | None:
    """Return the command with its subject; None where that is no record's number, or tells an amount to be filed."""
    rest = text[about[0].start : about[-1].end] if pattern.slot else ""
    if pattern.slot == "number":
        number = record_number(form, rest)
        return (pattern.name, number) if number else None
    amount = rest[:1].isdigit() or bool(marks(rest, Context(form.language, "")))
    if pattern.slot and form.commands[pattern.name].plain and amount:
        return None
    return pattern.name, record_number(form, rest) or rest


def record_number(form: Form, text: str) -> str:
    """Return the record's number that a text is, as records are numbered; empty where it is none."""
    return number_in(form, text) if re.fullmatch(numbered(form), text.strip(), re.IGNORECASE) else ""


def number_in(form: Form, text: str) -> str:
    """Return the first record's number in a text, as records are numbered; empty where there is none."""
    found = re.search(rf"\b{numbered(form)}\b", text, re.IGNORECASE)
    return f"{form.prefix}-{found[1]}-{int(found[2]):06}" if found else ""


def numbered(form: Form) -> str:
    """Return the pattern of a record's number: its year and its count."""
    return rf"{form.prefix}[-\s]?(\d{{4}})[-\s]?(\d{{1,6}})"


def _discloses(form: Form, text: str) -> bool:
    """Return True if a worse answer is told beside it ("can I buy Tesco, my sister works there"): that is heard first, and never a question alone."""
    context, nobody = Context(form.language, ""), Draft("", form.name, "", "", "")
    called = names_of(nobody, context)
    return any(
        True for field in form.fields.values() if field.disclosure for _ in disclosures(field, text, context, called)
    )


FIGURES = re.compile(r"[0-9]{4}")
LONGEST_QUESTION = 240
"""Characters of the longest question."""
AROUND = ("polite", "small_talk.greetings", "small_talk.thanks", "small_talk.approvals", "conjunctions", "but_words")
"""Words before a question."""
ASKING = ("afterwards.asks", "afterwards.may", "question_words", "asking.words", "asking.verbs")
FIRM = frozenset({Topic.WITHDRAW, Topic.CHANGE, Topic.WHY, Topic.WHO, Topic.STATE})
"""Topics that count where the words name a field as well; any other may be a question about that field."""
WANTED = FIRM - {Topic.STATE}
"""Topics of a wish: what came or went may be what somebody wants to file."""


def topics_in(form: Form, text: str, context: Context, *, told: bool = False) -> tuple[Topic, ...]:
    """Return what the message asks of a filed request, in the order of its clauses; nothing where it asks none of that.

    `told`: a statement counts as well that begins with its topic ("I put the wrong quantity").
    """
    if len(text) > LONGEST_QUESTION or not _may_ask(text):
        return ()
    spoken = (context.language, *(one for one in LANGUAGES.values() if one is not context.language))
    likeliest = sorted(spoken, key=lambda one: -_words_of_questions(text, one))
    asked = (tuple(dict.fromkeys(_asked(form, masked(text), one, context, told=told))) for one in likeliest)
    found = next(filter(None, asked), ())
    return found or ((Topic.STATE,) if _asks_of_number(form, text, spoken) else ())


@lru_cache(maxsize=RECENT)
def _may_ask(text: str) -> bool:
    """Return True if a word of any topic stands in the text, in any language, or four figures, which may be a record's."""
    words = ("afterwards.may", *(f"afterwards.{topic}" for topic in Topic))
    said = any(listed(one, *words).holds(tokens(masked(text), one)) for one in LANGUAGES.values())
    return said or FIGURES.search(text) is not None


def _asked(form: Form, text: str, language: Language, context: Context, *, told: bool) -> Iterator[Topic]:
    cues, lead = _cues(language), listed(language, *AROUND)
    before = joined(listed(language, "small"), lead)
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
            begins = {topic for first, _, topic in cues.spans(clause) if all_of(clause[:first], before)}
            stated = said & begins & {Topic.WITHDRAW, Topic.CHANGE, Topic.TIME} if told and not asking else set()
            said = stated or said
            if said and (asking or stated or all_of(clause, joined(_plain(language), lead))):
                yield min(said, key=list(Topic).index)


def _words_of_questions(text: str, language: Language) -> int:
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
