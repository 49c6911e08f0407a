"""A message that is being read: its words, its clauses, the fields that it may set, and whether it asks or waits."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from state.draft.draft import Draft
from state.draft.scope import scope
from state.fields import kind_of
from state.fields.base import Context
from state.fields.naming import Spans, names, place
from state.fields.naming import nouns as nouns_of
from state.fields.text import abbreviations
from state.fields.values.numerals import spoken_in
from state.form import Field, Form
from state.language import Language
from state.language.small_talk import NoAnswer
from state.language.table import Clause, Table, all_of, clauses, joined, listed, listed_everywhere, phrases, sentences
from state.language.tokens import Token, asks, masked, tokens
from state.understanding.commands import asks_change, asks_leave, is_asking, is_defined, no_answer
from state.understanding.plain_answers import tells_others, turns_all_down

NEAR = 4
"""Words behind a figure among which the name of its field stands."""
SMALL = (
    "small", "leading", "polite", "hedges", "yes", "no", "small_talk.greetings", "commands.leads", "corrections.cues", "units", "breaks", "days",
)  # fmt: skip
TAGS = ("polite", "small", "yes", "offers.accepting", "small_talk.approvals")
"""Words of a clause that only asks if what is before it is right ("…, ok?")."""
LEADS = ("asking.verbs", "asking.words", "question_words", "afterwards.asks", "afterwards.may")
"""What a clause begins with that asks something."""


@dataclass(frozen=True)
class MessageInContext:
    """A message that is being read, with its form and draft."""

    form: Form
    draft: Draft
    text: str
    context: Context

    @cached_property
    def row(self) -> tuple[Token, ...]:
        """Return its words."""
        return tokens(masked(self.text), self.context.language)

    @cached_property
    def spoken(self) -> Language:
        """Return the language that the message was written in, where that is plain, else the form's."""
        return spoken_in(self.text, self.context, 2)

    @cached_property
    def small(self) -> Table[str]:
        """Return the words beside a thing that is looked up, in the form's language and in the one that it was written in."""
        return joined(listed(self.context.language, *SMALL), listed(self.spoken, *SMALL))

    @cached_property
    def called(self) -> Table[str]:
        """Return the words of the open fields and the form's title."""
        return names_of_fields(self.open_fields, self.context.language, self.form.title)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """Return its words cut at punctuation."""
        return tuple(clauses(masked(self.text), self.context.language))

    @cached_property
    def abbreviations(self) -> Spans:
        """Return the places of abbreviations: no letter of one is a small word."""
        return Spans(abbreviations(self.text))

    @cached_property
    def tools(self) -> Mapping[str, str]:
        """Return the tool that sets each field now."""
        return {f.name: tool for tool, fields in scope(self.form, self.draft).setters.items() for f in fields}

    @cached_property
    def open_fields(self) -> tuple[Field, ...]:
        """Return the fields that may be set now, the asked one first."""
        fields = (f for name, f in self.form.fields.items() if name in self.tools)
        return tuple(sorted(fields, key=lambda f: f.name != self.draft.asked))

    @property
    def asked(self) -> Field | None:
        """Return the field that was asked, if it may be set."""
        return self.form.fields.get(self.draft.asked) if self.draft.asked in self.tools else None

    def defines(self, start: int) -> bool:
        """Return True if the clause that holds this place asks what something is."""
        return is_defined(self.clauses, start, self.text, self.context.language)

    @cached_property
    def elsewhere(self) -> bool:
        """Return True if the words are values of other fields than the text that was asked for, and nothing else."""
        return tells_others(self.form, self.draft, self.asked, self.text, self.context)

    @cached_property
    def turns_down(self) -> bool:
        """Return True if the words only turn down what a search found."""
        return turns_all_down(self.text)

    @cached_property
    def asks_leave(self) -> bool:
        """Return True if the message asks leave for what it tells ("May I buy …?"), or for the change of an answer."""
        return (not self.draft.asked and asks_leave(self.text, self.context)) or asks_change(self.text, self.context)

    @cached_property
    def tag(self) -> Clause:
        """Return the clause that only asks what comes of what is stated before it ("…, is that allowed?"); () where there is none."""
        wanted = self.asked is None or kind_of(self.asked).searchable
        told = wanted and asks(self.text) and len(self.clauses) > 1 and self._is_tag(self.clauses[-1])
        return self.clauses[-1] if told else ()

    @property
    def asking(self) -> bool:
        """Return True if the words ask something."""
        return not self.asks_leave and not self.tag and is_asking(self.text, self.context)

    @property
    def idle(self) -> NoAnswer | None:
        """Return why the words answer nothing."""
        return None if self.asks_leave or self.tag else no_answer(self.text, self.context)

    @cached_property
    def waits(self) -> bool:
        """Return True if one clause of several asks for patience, or says that nothing is known or told; a doubt behind a name is about that."""
        cues = listed_everywhere(self.context.language, "corrections.cues")
        why = [no_answer(said_in(self, c), self.context) for c in self.clauses if not cues.holds(c)]
        said = {*why[:-1], *({NoAnswer.HOLD} & {*why})} if len(self.clauses) > 1 else set()
        return not said.isdisjoint((NoAnswer.HOLD, NoAnswer.DOUBT, NoAnswer.REFUSAL))

    @cached_property
    def stated(self) -> tuple[Clause, ...]:
        """Return its clauses; where it asks something instead of answering, those of sentences that do not."""
        if self.tag:
            return self.clauses[:-1]
        if not self.asking or self.asked is not None:
            return self.clauses
        asked = (s.clauses for s in sentences(masked(self.text), self.context.language) if s.asks)
        parts = (some[-1:] if len(some) > 1 and self._is_tag(some[-1]) else some for some in asked)
        asking = Spans((some[0][0].start, some[-1][-1].end) for some in parts)
        return tuple(c for c in self.clauses if not asking.hits(c[0].start, c[-1].end))

    def _is_tag(self, clause: Clause) -> bool:
        language = self.context.language
        names_one = any(t.key.isdigit() or (t.key[1:] and self.text[t.start].isupper()) for t in clause)
        begins = not names_one and listed_everywhere(language, *LEADS).at(clause, 0) is not None
        return begins or all_of(clause, listed_everywhere(language, *TAGS))

    def calls_another(self, *some: Clause) -> bool:
        """Return True if a clause names an open field for a few words other than the asked one ("Tronador, modelo Furia 300")."""
        others = [names(f, self.context) for f in self.open_fields if f.short and f != self.asked]
        return bool(self.asked and self.asked.short) and any(own.holds(c) for own in others for c in some)

    def names(self, field: Field, start: int, *, nouns: bool = True) -> bool:
        """Return True if the field is called by its name, or a noun of it, before this place in its clause, or soon behind it."""
        own, single = names(field, self.context), nouns_of(field, self.context.language) if nouns else frozenset()
        here = next((c for c in self.clauses if c[0].start <= start < c[-1].end), ())
        at, breaks = place(here, start) + 1, listed(self.context.language, "breaks").rows
        near = (*here[:at], *until(here[at : at + NEAR], breaks))
        return own.holds(near) or any(t.key in single for t in near)


def said_in(heard: MessageInContext, clause: Sequence[Token]) -> str:
    return heard.text[clause[0].start : clause[-1].end]


def names_of_fields(fields: Iterable[Field], language: Language, *more: str) -> Table[str]:
    """Return the words of fields, and more, that say nothing by themselves."""
    return phrases((*(w for f in fields for w in (f.label, f.unit, *f.words, *f.before)), *more), language)


def until(row: Clause, breaks: Container[str]) -> Clause:
    return tuple(takewhile(lambda token: token.key not in breaks, row))
