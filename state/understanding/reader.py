"""Open words read by rules: where there is no model, where it fails, and where it leaves a line untouched.

These are guesses. Each is verified like a model's proposal and shown to the person; only a plain answer to the asked question sets anything.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby, islice, pairwise, takewhile

from state.draft.draft import Draft
from state.draft.reply import Reply, ToolCall
from state.draft.scope import CORRECT, DISCLOSE, EXPLAIN, PERSON, scope
from state.fields import kind_of
from state.fields.base import Candidate, Context
from state.fields.choice import inflected, unlisted
from state.fields.disclosing import disclosures, named_person
from state.fields.naming import Spans, is_denied, names, place
from state.fields.naming import nouns as nouns_of
from state.fields.text import abbreviations, end_of_name, is_few_words, stripped, unframed
from state.fields.values.numerals import spoken_in
from state.form import Field, Form
from state.form.field import Data
from state.language import LANGUAGES, Language
from state.language.small_talk import NoAnswer, puzzled
from state.language.table import (
    Clause,
    Table,
    all_of,
    clauses,
    coded,
    joined,
    listed,
    listed_everywhere,
    listed_widely,
    meanings,
    phrases,
)
from state.language.tokens import Token, asks, masked, tokens
from state.understanding.commands import (
    asks_leave,
    is_asking,
    is_defined,
    no_answer,
    read_command,
    to_explain,
    without_leads,
    without_tails,
)
from state.understanding.corrections import Assignment, additions, disclosed, is_announced, names_of, put_right
from state.understanding.form_commands import read_form_command
from state.understanding.operations import read_operations
from state.understanding.plain_answers import opens_another, tells_others
from state.understanding.verification import first_word

NUMBERED = re.compile(r"[0-9]+(?:(?:\s*[;&+]\s*|,?\s+)[0-9]+)+")
"""Several numbers and nothing else, which a look-up may know ("12, 13")."""
PRICED = re.compile(r"\s(?:@|[x×]\s?(?=[0-9]))")
"""What a name ends before: a price, a number of pieces."""
LONGEST = 4000
"""Characters of a message that are read; no answer is longer, and what is stored for grounding is shorter."""
NEAR = 4
"""Words behind a figure among which the name of its field stands."""
FEW = 5
"""Words of the longest name of a thing that is looked up."""
LONG = 10
"""Words of the longest message that is proposed as a whole for a name."""
MOST = 4
"""Names of one message among which the person says which one is meant."""
PROPER = re.compile(r"[^\W\d_a-zß-öø-ÿ][\w'’&.-]*(?:(?<![^\W\d_]{4}\.)\s(?:&\s|[^\W\d_a-zß-öø-ÿ])[\w'’&.-]*)*")
SMALL = (
    "small", "leading", "polite", "hedges", "yes", "no", "small_talk.greetings", "commands.leads", "corrections.cues", "units", "breaks", "days",
)  # fmt: skip
Proposal = tuple[str, dict[str, Data]]


def read_open(form: Form, draft: Draft, text: str, message: str, context: Context) -> Reply:
    """Propose calls for the words of one message (its id: `message`); none where nothing is understood, never two values for a field."""
    if read_command(text, context.locale) or read_form_command(form, text):
        return Reply(model="rules")
    if form.conversational:
        return read_operations(form, draft, text[:LONGEST], message, context)
    found = list(_proposals(MessageInContext(form, draft, text[:LONGEST], context)))
    calls = tuple(ToolCall(f"rules-{message}-{i}", tool, arguments) for i, (tool, arguments) in enumerate(found, 1))
    return Reply(calls=calls, stop="calls" if calls else "end", model="rules")


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
        return _called(self.open_fields, self.context.language, self.form.title)

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
    def asks_leave(self) -> bool:
        """Return True if the message begins the form by asking leave for what it tells ("May I buy …?")."""
        return not self.draft.asked and asks_leave(self.text, self.context)

    @property
    def asking(self) -> bool:
        """Return True if the words ask something."""
        return not self.asks_leave and is_asking(self.text, self.context)

    @property
    def idle(self) -> NoAnswer | None:
        """Return why the words answer nothing."""
        return None if self.asks_leave else no_answer(self.text, self.context)

    @cached_property
    def waits(self) -> bool:
        """Return True if one clause of several asks for patience, or says that nothing is known or told; a doubt behind a name is about that."""
        cues = listed_everywhere(self.context.language, "corrections.cues")
        why = [no_answer(_said(self, c), self.context) for c in self.clauses if not cues.holds(c)]
        said = {*why[:-1], *({NoAnswer.HOLD} & {*why})} if len(self.clauses) > 1 else set()
        return not said.isdisjoint((NoAnswer.HOLD, NoAnswer.DOUBT, NoAnswer.REFUSAL))

    def calls_another(self, *some: Clause) -> bool:
        """Return True if a clause names an open field for a few words other than the asked one ("Tronador, modelo Furia 300")."""
        others = [names(f, self.context) for f in self.open_fields if f.short and f != self.asked]
        return bool(self.asked and self.asked.short) and any(own.holds(c) for own in others for c in some)

    def names(self, field: Field, start: int, *, nouns: bool = True) -> bool:
        """Return True if the field is called by its name, or a noun of it, before this place in its clause, or soon behind it."""
        own, single = names(field, self.context), nouns_of(field, self.context.language) if nouns else frozenset()
        here = next((c for c in self.clauses if c[0].start <= start < c[-1].end), ())
        at, breaks = place(here, start) + 1, listed(self.context.language, "breaks").rows
        near = (*here[:at], *_until(here[at : at + NEAR], breaks))
        return own.holds(near) or any(t.key in single for t in near)


def _proposals(heard: MessageInContext) -> Iterator[Proposal]:
    told = tuple(disclosed(heard.form, heard.draft, heard.text, heard.context))
    for take in told:
        yield DISCLOSE, {"field": take.field.name, "words": heard.text[take.start : take.end]}
    person = next(listed_widely(heard.context.language, "commands.person").spans(heard.row), None)
    if person:
        yield PERSON, {"reason": heard.text[heard.row[person[0]].start : heard.row[person[1] - 1].end]}
    if person or any(t.named for t in told):
        return
    changed = tuple(t for t in _changes(heard) if t.field not in [d.field for d in told])
    for take in changed:
        yield CORRECT, {"field": take.field.name, "value": take.data, "words": heard.text[take.start : take.end]}
    for take in _values(heard, Spans((t.start, t.end) for t in changed)):
        yield heard.tools[take.field.name], {take.field.name: take.data, "words": heard.text[take.start : take.end]}
    field = to_explain(heard.form, heard.draft, heard.text, heard.context)
    if field is not None and not changed:
        yield EXPLAIN, {"field": field.name}


def _values(heard: MessageInContext, spent: Spans) -> Iterator[Assignment]:
    """Yield a value for each open field: by its own parser first, then what is left of the words, for names and texts."""
    plain, corrects = _plain(heard), bool(spent.starts) and is_announced(heard.text, heard.context)
    if plain is not None and kind_of(plain.field).closed and not corrects:
        yield plain
        return
    other = opens_another(heard.form, heard.draft, heard.draft.asked, heard.text, heard.context)
    if other is not None and other.name in heard.tools:
        yield Assignment(other, heard.text.strip(), 0, len(heard.text))
        return
    cued = [*_cued(heard)]
    answers = (_named_answer(heard, f) for f in heard.open_fields if kind_of(f).polar)
    told = [*cued, *_read(heard, Spans([*spent, *((t.start, t.end) for t in cued)])), *filter(None, answers)]
    told += [] if heard.asked in [t.field for t in told] else _nearly(heard, told=bool(told))
    more = [*_unlisted(heard, told)]
    told = [*(t for t in told if t.field not in [m.field for m in more]), *more]
    if plain is not None and not corrects and all(t.field == plain.field for t in told):
        known = () if plain.field.short else kind_of(plain.field).find(plain.field, heard.text, heard.context)
        yield from (Assignment(plain.field, r.data, r.start, r.end) for r in known if r.data != plain.data)
        yield plain
        return
    yield from told
    if _may_tell(heard):
        yield from _texts(heard, told, spent)


def _nearly(heard: MessageInContext, *, told: bool) -> Iterator[Assignment]:
    """Yield what is nearly a plain answer to the asked question: an estimate, another ending, an hour ("3"); beside what was `told`, a yes or no."""
    field, text, small = heard.asked, heard.text, listed(heard.context.language, "small", "estimates")
    if field is not None and kind_of(field).grounding == "answer":
        answers = () if is_asking(text, heard.context) else tuple(_polar(heard, field, told=told))
        yield from answers or _leaning(heard, field)
        return
    if field is None or kind_of(field).grounding == "words" or is_asking(text, heard.context):
        return
    if field.choices:
        one = inflected(field, text, heard.context)
        if one is not None:
            yield Assignment(field, (str(one.data),) if kind_of(field).several else one.data, one.start, one.end)
        return
    start = next((t.start for t in without_leads(heard.row, small)), len(text))
    rest, roughly = stripped(text[start:], " .!"), listed(heard.context.language, "estimates").at(heard.row, 0)
    data = kind_of(field).whole(field, rest, heard.context) if roughly and rest else None
    near = (one.data for one in kind_of(field).near(field, rest, heard.context))
    yield from (Assignment(field, one, start, len(text)) for one in ((data,) if data is not None else near))


def _polar(heard: MessageInContext, field: Field, *, told: bool) -> Iterator[Assignment]:
    """Yield the yes or no, in any language, that the words are; or those before a pause, unless others put an answer right ("no, sell")."""
    language, first = heard.context.language, next(iter(heard.clauses), ())
    readings = (f for f in heard.form.fields.values() if kind_of(f).grounding == "reading")
    alone = not any(kind_of(f).find(f, heard.text, heard.context) for f in readings)
    alone = told or (alone and not is_announced(heard.text, heard.context, polar=True))
    leads = listed_everywhere(language, "small_talk.approvals", "polite", "hesitating")
    behind = tuple(without_leads(heard.row, leads))  # "ok no"
    begins = first_word(heard.text, heard.context)  # what puts an answer right begins with no yes
    for words in filter(None, (behind, first if alone or begins else ())):
        answer = kind_of(field).whole(field, _said(heard, words), heard.context)
        every = listed_everywhere(language, "yes", "no", "polite", "hesitating")
        both = all(listed_everywhere(language, answer).holds(words) for answer in ("yes", "no"))
        plain = answer is None and all_of(words, every) and not both
        answer = first_word(_said(heard, words), heard.context) if plain else answer
        if answer is not None:
            yield Assignment(field, answer, words[0].start, words[-1].end)
            return
    denying = listed_everywhere(language, "negators", "conditions").holds(heard.row[1:])
    both = listed_everywhere(language, "yes", "offers.all_of").holds(
        heard.row[1:]
    )  # "no to all of it" answers no one question
    plain = begins is False and alone and heard.idle is None
    if not denying and not both and (begins or plain):  # "yes my wife holds some too", "no that's just stock"
        yield Assignment(field, bool(begins), heard.row[0].start, heard.row[-1].end)


def _leaning(heard: MessageInContext, field: Field) -> Iterator[Assignment]:
    """Yield the answer to which the words lean, or a clause beside a question, in any language ("What counts? I have some")."""
    leads = listed_everywhere(
        heard.context.language, "polite", "hesitating", "conjunctions", "but_words", "small_talk.approvals"
    )
    told = tuple(c for c in heard.clauses if without_leads(c, leads))
    told = told if is_asking(heard.text, heard.context) else told[: len(told) == 1]
    rows = [without_leads(c, leads) for c in told if not asks(heard.text[c[-1].end : c[-1].end + 2])]
    said = [(hit[1], row) for row in rows if (hit := _leans(heard.context.language).at(row, 0)) and hit[0] == len(row)]
    said = said or [
        (False, row) for row in rows if row and heard.idle in (None, NoAnswer.QUESTION) and _denies(_said(heard, row))
    ]
    whom = named_person(field, _said(heard, rows[0])) if len(rows) == 1 and rows[0] and not said else None
    said = [(whom, rows[0])] if whom is not None else said
    if len({answer for answer, _ in said}) == 1:
        yield Assignment(field, said[0][0], said[0][1][0].start, said[0][1][-1].end)


def _denies(text: str) -> bool:
    """Return True if a few words say no in any language and nothing beside it ("I haven't got any")."""
    rows = [(one, tokens(text, one)) for one in LANGUAGES.values()]
    said = (one for one, row in rows if listed(one, "negators").holds(row) and all_of(row, _denying(one)))
    return next(said, None) is not None


@cache
def _denying(language: Language) -> Table[str]:
    return listed(language, "negators", "denying")


@cache
def _leans(language: Language) -> Table[bool]:
    return meanings({phrase: yes for one in LANGUAGES.values() for phrase, yes in one.leaning.items()}, language)


def _unlisted(heard: MessageInContext, told: list[Assignment]) -> Iterator[Assignment]:
    """Yield the choice that stands for what is not listed, beside those that were named, where the answer names something else."""
    field = heard.asked
    other = next((c.value for c in field.choices if c.told_in), None) if field else None
    if field is None or other is None or heard.asking or heard.idle:
        return
    idle = listed(heard.context.language, "negators", "no", "small_talk.thanks", "review.right", "review.wrong")
    if not idle.holds(heard.row) and unlisted(field, heard.text, heard.context):
        named = next((t.data for t in told if t.field == field), ())
        several = tuple(
            c.value for c in field.choices if c.value in {other, *(named if isinstance(named, tuple) else (named,))}
        )
        yield Assignment(field, several if kind_of(field).several else other, 0, len(heard.text))


def _whole_line(
    heard: MessageInContext, field: Field, span: tuple[int, int], told: list[Assignment]
) -> Iterator[Assignment]:
    """Yield a few words to their own question as they stand, beside what is left of them: the person says which."""
    unsure = listed(heard.context.language, "hedges").holds(heard.row)
    text = unframed(heard.text, heard.context) if unsure else stripped(heard.text, " .!")
    if field == heard.asked and field.short and not told and is_few_words(text) and heard.text[slice(*span)] != text:
        yield Assignment(field, text, 0, len(text))


def _may_tell(heard: MessageInContext) -> bool:
    """Return True if there may be a name or a text in the words; those to a question for a few words may hold it whatever they are."""
    if heard.asked is not None and heard.asked.short:
        return heard.idle in (None, NoAnswer.QUESTION)
    return _may_state(heard) or (not heard.asking and heard.idle is None)


def _may_state(heard: MessageInContext) -> bool:
    """Return True if many words to a question for a text may only begin like a question ("what we miss is …")."""
    wanted = heard.asked is not None and kind_of(heard.asked).verbatim and not heard.asked.short
    plain = not asks(heard.text) and not puzzled(heard.row, heard.context.language)
    return wanted and plain and len(heard.text.split()) > FEW


def _plain(heard: MessageInContext) -> Assignment | None:
    """Return the whole message as the answer to the asked question."""
    field = heard.asked
    apart = heard.elsewhere or heard.calls_another(*heard.clauses[1:])
    data = kind_of(field).whole(field, heard.text, heard.context) if field and not apart else None
    return None if field is None or data is None else Assignment(field, data, 0, len(heard.text), named=True)


def _read(heard: MessageInContext, spent: Spans) -> Iterator[Assignment]:
    """Yield one value a field, the best claim first, and no word for two of a sort, an amount and its currency apart.

    What puts a value right is of its sort ("for 2000 pounds, no make it 3000"), and nobody else's.
    """
    taken: dict[str, Spans] = {}
    right, done = Spans(()), set[str]()
    for _, field, reading in sorted(_claims(heard, spent), key=lambda claim: (claim[0], claim[2].start)):
        used = taken.setdefault(kind_of(field).family, Spans(()))
        if field.name not in done and not any(s.hits(reading.start, reading.end) for s in (used, right)):
            taken[kind_of(field).family] = Spans([*used, (reading.start, reading.end)])
            right = Spans([*right, *_put_right(heard, field, reading)])
            done.add(field.name)
            yield Assignment(field, reading.data, reading.start, reading.end)


def _put_right(heard: MessageInContext, field: Field, reading: Candidate) -> Iterator[tuple[int, int]]:
    """Yield where the words put a reading right."""
    if listed_everywhere(heard.context.language, "corrections.cues", "no").holds(heard.row):
        found = kind_of(field).find(field, heard.text, heard.context)
        every = sorted((r for r in found if r.start >= reading.start), key=lambda r: r.start)
        yield from (
            (r.start, r.end)
            for r in every[1:2]
            if reading not in put_right(field, every[:2], heard.text, heard.context)
        )


def _claims(heard: MessageInContext, spent: Spans) -> Iterator[tuple[int, Field, Candidate]]:
    """Yield every reading that a field may take, with the rank of its claim: named, asked, of a shape that no other takes, the first of its sort.

    A bare figure beside other words may belong to the first field of its sort only where no figure was asked for.
    """
    families = [kind_of(f).family for f in heard.form.fields.values()]
    bare = heard.asked is None or (kind_of(heard.asked).searchable and len(heard.row) > 1) or heard.elsewhere
    part = listed_everywhere(heard.context.language, "parts").holds(heard.row)  # "half of my 400" is not 400
    for field in (f for f in heard.open_fields if not kind_of(f).verbatim and not kind_of(f).searchable):
        if part and kind_of(field).listing == "row":
            continue
        alone = families.count(kind_of(field).family) == 1 and not kind_of(field).kin
        for reading in kind_of(field).find(field, heard.text, heard.context):
            ways = (
                reading.named or heard.names(field, reading.start, nouns=not field.choices),
                field == heard.asked,
                alone or (bool(field.choices) and not _twin(heard, field, reading)),
                bare and next(f for f in heard.open_fields if kind_of(f).family == kind_of(field).family) == field,
            )
            denied = is_denied(heard.row, reading.start, reading.end, heard.context.language)
            if (
                any(ways)
                and not spent.hits(reading.start, reading.end)
                and not (denied or heard.defines(reading.start))
            ):
                yield ways.index(True), field, reading


def _twin(heard: MessageInContext, field: Field, reading: Candidate) -> bool:
    """Return True if another field has a choice of the same words."""
    others = (f for f in heard.form.fields.values() if f != field and f.choices)
    return any(r.start == reading.start for f in others for r in kind_of(f).find(f, heard.text, heard.context))


def _cued(heard: MessageInContext) -> Iterator[Assignment]:
    """Yield a long text behind the words that lead to it: nothing in it answers another question. The asked one begins the message.

    Words before these that answer nothing are a part of it ("A long-term holding because …", to a yes or no).
    """
    long = heard.asked is not None and kind_of(heard.asked).verbatim and not heard.asked.short
    wanted = [f for f in heard.open_fields if f.before and not f.short and (f == heard.asked or not long)]
    for field in wanted:
        cue = next(phrases(field.before, heard.context.language).spans(heard.row), None)
        if cue and cue[1] < len(heard.row) and (field != heard.asked or cue[0] == 0):
            asked = asks(heard.text[heard.row[cue[0]].start :]) and len(heard.row) - cue[0] <= FEW
            if asked or puzzled(heard.row[cue[0] :], heard.context.language):
                continue
            cut = (tuple(t for t in c if t.start < heard.row[cue[0]].start) for c in heard.clauses)
            own = (words[0].start for words in cut if not _tells(heard, field, words))
            since = listed(heard.context.language, "since").at(
                heard.row, cue[0]
            )  # "since I need it": what follows is of the text
            start = next(own, heard.row[cue[0] + since[0] if since else cue[1]].start)
            end = _end_of_long(heard, field, start)
            yield Assignment(field, heard.text[start:end].rstrip(), start, end)
            return


def _end_of_long(heard: MessageInContext, field: Field, start: int) -> int:
    """Return where a long text ends: with the message, or before a line that holds by name what another field takes."""
    lines = [*(i for i, c in enumerate(heard.text) if c == "\n" and i > start), len(heard.text)]
    others = [f for f in heard.open_fields if f != field and lines[1:]]
    named = [r.start for f in others for r in kind_of(f).find(f, heard.text, heard.context) if r.named]
    return next((a for a, b in pairwise(lines) if any(a < at < b for at in named)), lines[-1])


def _tells(heard: MessageInContext, field: Field, words: Clause) -> bool:
    """Return True if words before a text for `field` may answer another question, or add nothing."""
    others = [heard.asked] if heard.asked else [f for f in heard.open_fields if f != field]
    article = listed(heard.context.language, "one_article").at(words, 0)  # no thing is called "a holding"
    if not words or any(kind_of(f).verbatim or (kind_of(f).searchable and not article) for f in others):
        return True
    said, kinds = _said(heard, words), [(f, kind_of(f)) for f in heard.open_fields if kind_of(f).grounding != "words"]
    if no_answer(said, heard.context) or any(kind.whole(f, said, heard.context) is not None for f, kind in kinds):
        return True
    found = (r for f, kind in kinds for r in kind.find(f, heard.text, heard.context))
    reads = any(words[0].start <= r.start < words[-1].end for r in found)
    return reads or _left(heard, words, Spans(())) is None


def _named_answer(heard: MessageInContext, field: Field) -> Assignment | None:
    """Return yes or no to a question that a clause names, or the worse answer that words disclose: a guess, shown with the words."""
    told = next(disclosures(field, heard.text, heard.context, names_of(heard.draft, heard.context)), None)
    if told is not None and field.worse is not None:
        return Assignment(field, field.worse, told.start, told.end)
    own, denying = names(field, heard.context), listed(heard.context.language, "negators", "no")
    clause = next((c for c in heard.clauses if own.holds(c)), None)
    if clause is None or heard.asking or heard.defines(clause[0].start):
        return None
    return Assignment(field, not denying.holds(clause), clause[0].start, clause[-1].end)


def _texts(heard: MessageInContext, told: list[Assignment], spent: Spans) -> Iterator[Assignment]:
    """Yield what is left of the words: behind a text's own name, for the text that was asked, or for the thing that is looked up."""
    used = Spans([*((t.start, t.end) for t in told), *_told_twice(heard, told), *spent])
    done = {t.field for t in told} | ({heard.asked} if heard.elsewhere else set())
    wanted = [f for f in heard.open_fields if (kind_of(f).verbatim or kind_of(f).searchable) and f not in done]
    wanted = [f for f in wanted if not spent.starts or _is_told(heard, f)]
    for field in sorted(wanted, key=lambda f: (not _is_told(heard, f), kind_of(f).searchable)):
        question = heard.idle is NoAnswer.QUESTION and not _may_state(heard)
        told_by_name = names(field, heard.context).holds(heard.row)
        if field == heard.asked and field.short and not told_by_name and (proper := _proper(heard, used)):
            yield from (Assignment(field, heard.text[a:b], a, b) for a, b in proper)
            continue
        known = next(
            (r for r in kind_of(field).find(field, heard.text, heard.context) if not used.hits(r.start, r.end)), None
        )
        if known and field == heard.asked:
            beside = Spans([*used, (known.start, known.end)])
            known = None if any(_left(heard, clause, beside) for clause in heard.clauses) else known
        span = (known.start, known.end) if known else None if question else _stretch(heard, field, used, bool(told))
        if kind_of(field).searchable and not known and not (span and _has_capital(heard, *span)):
            within = _stretch(heard, field, _but_admissions(used, told), bool(told))
            span = within if within and not heard.text.isupper() and _has_capital(heard, *within) else span
        if span is not None:
            if known is None and not any(_is_told(heard, f) for f in wanted if f != field):
                yield from _whole_line(heard, field, span, told)
            start = place(heard.row, span[0])  # "no lleva marca" does not say "lleva marca"
            free = kind_of(field).verbatim and not known and not heard.row[start].stop
            denial = listed(heard.context.language, "negators").ending(heard.row, start) if free else None
            span = (heard.row[start - denial[0]].start, span[1]) if denial else span
            yield Assignment(field, known.data if known else heard.text[slice(*span)], *span)
            used = Spans([*used, span])


def _but_admissions(used: Spans, told: list[Assignment]) -> Spans:
    """Return what is used without words that answer a yes or no: the thing may stand among them ("my brother at Tesco says …")."""
    polar = {(t.start, t.end) for t in told if kind_of(t.field).polar}
    return Spans(span for span in used if span not in polar)


def _told_twice(heard: MessageInContext, told: list[Assignment]) -> Iterator[tuple[int, int]]:
    """Yield where the words say once more what was read from them already, or name another choice."""
    for one in (t for t in told if not kind_of(t.field).verbatim and not kind_of(t.field).searchable):
        readings = kind_of(one.field).find(one.field, heard.text, heard.context)
        yield from ((r.start, r.end) for r in readings if r.data == one.data or one.field.choices)


def _is_told(heard: MessageInContext, field: Field) -> bool:
    """Return True if the words hold a value that the form knows for a text, or the text's own name."""
    known = kind_of(field).find(field, heard.text, heard.context)
    return bool(known) or names(field, heard.context).holds(heard.row)


def _stretch(heard: MessageInContext, field: Field, used: Spans, others: bool) -> tuple[int, int] | None:
    """Return the words for a text, without small ones before it: behind its name, or, where it was asked, what is left of the message."""
    kind, text = kind_of(field), heard.text
    own = phrases((field.label, *field.words, *field.before), heard.context.language)
    telling = [c for c in heard.clauses if len(heard.clauses) == 1 or not no_answer(_said(heard, c), heard.context)]
    if heard.waits and (field.short or kind.searchable):  # "one sec, phone's ringing" names nothing
        telling = [c for c in telling if any(heard.text[t.start].isupper() for t in c)]
    parts = (p for c in telling for p in (_by_names(heard, c, used) if field.short else (c,)))
    parts = (p for p in parts if own.holds(p) or not (field == heard.asked and heard.calls_another(p)))
    parts = (q for p in parts for q in (_between(p, used) if kind.searchable else (p,)))
    stretches = [(s, own.holds(p)) for p in parts if (s := _left(heard, p, used, widely=kind.searchable))]
    named = next((s for s, is_named in stretches if is_named), None)
    if kind.searchable and field == heard.asked and (row := NUMBERED.fullmatch(text.strip())):
        at = text.index(row[0])
        return at, at + len(row[0])
    if kind.searchable:
        beside = [piece for c in heard.clauses for piece in _behind_told(heard, c, used)] if others else []
        short = ((s, text[slice(*s)]) for s, _ in stretches)
        few = [s for s, words in short if len(words.split()) <= FEW and not is_asking(words, heard.context)]
        few = few if few and (field == heard.asked or others or named) else _proper(heard, used)
        things = [s for s in (*beside, *few) if not _is_vague(heard, text[slice(*s)])]
        things = _put_last(heard, things)
        return next(iter(sorted(things, key=lambda s: not _has_capital(heard, *s))), None)
    if named and field == heard.asked:
        named = _with_kind(heard, own, *named)
    if named or field != heard.asked or not stretches:
        return named
    if not field.short:
        free = [c for c in telling if not used.hits(c[0].start, c[-1].end) and _left(heard, c, used)] if others else []
        span = (free[0][0].start, free[-1][-1].end) if free else (stretches[0][0][0], stretches[-1][0][1])
        return None if used.hits(*span) else span
    bare = stripped(text.lstrip(" .!"), " .!") if _is_title(text) else unframed(text, heard.context)
    at = text.find(bare) if not (others or heard.calls_another(*heard.clauses[1:])) and bare else -1
    span = (at, at + len(bare)) if at >= 0 else stretches[0][0]
    return span if len(text[slice(*span)].split()) <= LONG else None


def _put_last(heard: MessageInContext, things: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return those behind words of correction, or that nothing puts aside, if any is ("Tesco, no wait, Vodafone", "not Tesco, Vodafone")."""
    row, language = heard.row, heard.context.language
    kept = [s for s in things if not is_denied(row, *s, language)] or things
    ends = [row[b - 1].end for _, b, _ in listed_everywhere(language, "corrections.cues").spans(row)]
    ends += [c[-1].end for c in heard.clauses if all_of(c, listed_everywhere(language, "no"))]
    after = next((t.start for t in row if ends and t.start >= max(ends)), len(heard.text))
    return [(max(a, after), b) for a, b in kept if b > after] or kept


def _with_kind(heard: MessageInContext, own: Table[str], start: int, end: int) -> tuple[int, int]:
    """Return where a name stands, the field's own word beside it being a part of it: before it with a capital ("con la Banca del Corso"), or
    right behind it ("joint account")."""
    small, row = listed(heard.context.language, "small", "of_words", "leading").rows, heard.row
    at, after = place(row, start), place(row, end)
    before = [t for t in row[:at] if t.key not in small][-1:]
    part = bool(before) and joined(own, heard.called).at(before, 0) is not None
    part = part and not row[at].stop and ":" not in heard.text[before[0].end : start]
    start = before[0].start if part and heard.text[before[0].start].isupper() else start
    behind = own.at(row, after) if after < len(row) and heard.text[end : row[after].start] == " " else None
    return start, row[after + behind[0] - 1].end if behind else end


def _has_capital(heard: MessageInContext, start: int, end: int) -> bool:
    """Return True if a word of the stretch has a capital."""
    return any(word[0].isupper() for word in heard.text[start:end].split())


def _is_vague(heard: MessageInContext, words: str) -> bool:
    """Return True if the words deny something, or mean no one thing in any language ("some shares", "qualche azione", "a trade").

    Of a word that is all that is said, and of "all of them", the look-up may know what it means.
    """
    own = heard.context.language
    polite = listed(own, "polite")
    said, every = without_tails(without_leads(heard.row, polite), polite), listed_everywhere(own, "offers.all_of")
    if len(said) == 1 or all_of(said, every):
        return False
    row, money = tokens(words, own), coded(own, "currencies").rows
    sums = all(t.key.isdigit() or t.key in money for t in row) and (len(row) == 1 or any(t.key in money for t in row))
    if listed(own, "negators").holds(row) or sums:
        return True
    return any(all_of(tokens(words, one), _nothing(one, tuple(heard.form.words))) for one in LANGUAGES.values())


@cache
def _nothing(language: Language, words: tuple[str, ...]) -> Table[str]:
    return joined(
        phrases(words, language), listed(language, *SMALL, "vague", "estimates", "small_talk.references", "but_words")
    )


def _said(heard: MessageInContext, clause: Sequence[Token]) -> str:
    return heard.text[clause[0].start : clause[-1].end]


def _behind_told(heard: MessageInContext, clause: Clause, used: Spans) -> Iterator[tuple[int, int]]:
    """Yield what is left of a clause right behind a value: a thing is there ("sell my 80 lloyds"), and it ends before "to buy a house"."""
    ends = [t.end for t in clause if used.hits(t.start, t.end)]
    breaks = listed(heard.spoken, "breaks").rows.keys() - listed(heard.spoken, "and_words").rows.keys()
    for at, after in pairwise((*ends, len(heard.text))):
        row = tuple(t for t in clause if at <= t.start and t.end <= after)
        how = listed_everywhere(heard.context.language, "keepers").at(row, 0)  # "with immediate effect" is no thing
        parts = (_until(row, breaks), row) if not how else ()
        pieces = (_left(heard, words, used, widely=True) for words in parts)
        yield from islice((p for p in pieces if p and len(heard.text[slice(*p)].split()) <= FEW), 1)


def _between(clause: Clause, used: Spans) -> Iterator[Clause]:
    """Yield what stands before, between and behind the values of a clause."""
    return (tuple(run) for told, run in groupby(clause, key=lambda t: used.hits(t.start, t.end)) if not told)


def _until(row: Clause, breaks: Container[str]) -> Clause:
    return tuple(takewhile(lambda token: token.key not in breaks, row))


def _by_names(heard: MessageInContext, clause: Clause, used: Spans) -> Iterator[Clause]:
    """Yield a clause cut before each name of a short text that comes behind words for another one."""
    short = (f for f in heard.open_fields if f.short)
    called = phrases((w for f in short for w in (f.label, *f.words)), heard.context.language)
    start = 0
    for first, _, _ in called.spans(clause):
        if _left(heard, clause[start:first], used):
            yield clause[start:first]
            start = first
    yield clause[start:]


def _is_title(text: str) -> bool:
    """Return True if a few words are written as a name is ("Be My Baby")."""
    words = text.split()
    return (
        is_few_words(text) and len(words) > 1 and all(w[0].isupper() or w[0].isdigit() for w in (words[0], words[-1]))
    )


def _proper(heard: MessageInContext, used: Spans) -> list[tuple[int, int]]:
    """Return names in a longer message: words with capitals that stand side by side, one word at the beginning of a sentence aside."""
    if is_few_words(unframed(heard.text, heard.context)):
        return []
    runs = [
        (m.start(), end_of_name(heard.text, m.start() + len(m[0].rstrip(".")))) for m in PROPER.finditer(heard.text)
    ]
    begins = {c[0].start for c in heard.clauses}
    fit = [(a, b) for a, b in runs if not (a in begins and " " not in heard.text[a:b]) and not used.hits(a, b)]
    return fit[:MOST]


def _called(fields: Iterable[Field], language: Language, *more: str) -> Table[str]:
    """Return the words of fields, and more, that say nothing by themselves."""
    return phrases((*(w for f in fields for w in (f.label, f.unit, *f.words, *f.before)), *more), language)


def _left(
    heard: MessageInContext, clause: Clause, used: Spans, *filled: Field, widely: bool = False
) -> tuple[int, int] | None:
    """Return the words of a clause from the first to the last that nothing explains."""
    known = joined(heard.called, _called(filled, heard.context.language)) if filled else heard.called
    small = heard.small if widely else listed(heard.context.language, *SMALL)
    spans = [(a, b) for table in (known, small) for a, b, _ in table.spans(clause)]
    hollow = {
        i
        for a, b in spans
        for i in range(a, b)
        if b - a > 1 or not heard.abbreviations.hits(clause[a].start, clause[a].end)
    }
    left = [t for i, t in enumerate(clause) if i not in hollow and not used.hits(t.start, t.end)]
    left = _named_thing(heard, clause, left) if widely else left
    return (left[0].start, end_of_name(heard.text, left[-1].end)) if left else None


def _named_thing(heard: MessageInContext, clause: Clause, left: list[Token]) -> list[Token]:
    """Return what is looked up without words at either end that mean no one thing ("un paio di …", "… ones"); all where nothing else is."""
    spans = [
        *listed_everywhere(
            heard.context.language, "vague", "parts", "units", "small_talk.references", "but_words"
        ).spans(clause),
        *heard.small.spans(clause),
    ]
    within = {t for first, after, _ in spans for t in clause[first:after] if not t.stop or t is clause[0]}
    part = listed_everywhere(heard.context.language, "parts").holds(heard.row)  # "a third of my 300 Tesco"
    within |= {t for t in left if part and t.key.isdigit()}
    cues = listed_everywhere(heard.context.language, "corrections.cues", "no")  # "100 no sorry 150 Tesco"
    within |= {t for t in left[:1] if t.key.isdigit() and cues.ending(heard.row, place(heard.row, t.start))}
    title = len(left) > 2 and all(heard.text[t.start].isupper() for t in left)  # noqa: PLR2004 ("More Than Gold")
    core = [] if title else [i for i, t in enumerate(left) if t not in within]
    left = left[core[0] : core[-1] + 1] if core else left
    left = _first_of(heard, _from_capital(heard.text, left))
    priced = PRICED.search(heard.text, left[0].start) if left else None
    left = [t for t in left if not priced or t.start < priced.start()]
    breaks = listed_everywhere(
        heard.context.language, "breaks"
    ).rows  # "10 Eni per …", of a message too short to be of a language
    return left[:-1] if len(left) > 1 and len(left[-1].key) > 1 and left[-1].key in breaks else left


def _first_of(heard: MessageInContext, left: list[Token]) -> list[Token]:
    """Return the first of several things ("Tesco or Vodafone", "Tesco and 100 Vodafone"); none where small letters say more than a name."""
    either, both = (listed_everywhere(heard.context.language, name).rows.keys() for name in ("or_words", "and_words"))

    def within(one: Token, other: Token) -> set[str]:
        return {t.key for t in heard.row if one.start < t.start <= other.start}

    gaps = [within(*pair) for pair in pairwise(left)]
    cuts = (i for i, keys in enumerate(gaps, 1) if keys & either or (keys & both and any(map(str.isdigit, keys))))
    left = left[: next(cuts, len(left))]
    names = listed(heard.spoken, "of_words", "and_words", "breaks", "leading").rows.keys()
    said = within(left[0], left[-1]) & (listed(heard.spoken, "small").rows.keys() - names) if left else set()
    plain = bool(said) and not any(map(str.isupper, heard.text[left[0].start : left[-1].end]))
    return [] if plain else left


def _from_capital(text: str, left: list[Token]) -> list[Token]:
    """Return words from the first one with a capital on, where there is one ("gonna bin my Tesco")."""
    return next((left[i:] for i, t in enumerate(left) if any(map(str.isupper, text[t.start : t.end]))), left)


def _changes(heard: MessageInContext) -> Iterator[Assignment]:
    """Yield answers that the words may change: a further choice of a list, or another value behind the field's name or words that announce it."""
    more = tuple(additions(heard.form, heard.draft, heard.text, heard.context))
    yield from more
    if is_asking(heard.text, heard.context):
        return
    announced = is_announced(heard.text, heard.context) or heard.elsewhere
    filled = [f for f in scope(heard.form, heard.draft).correctable if f.name not in heard.tools]
    fit = [f for f in filled if kind_of(f).find(f, heard.text, heard.context)]
    for field in (f for f in filled if f not in [t.field for t in more]):
        first = next((f for f in fit if kind_of(f).family == kind_of(field).family), None) == field
        yield from _change(heard, field, announced=announced, first=first)


def _behind_name(heard: MessageInContext, field: Field) -> Iterator[tuple[int, int]]:
    """Yield the words behind those that lead to a text, or behind its own name."""
    leading, own = phrases(field.before, heard.context.language), names(field, heard.context)
    for clause in heard.clauses:
        lead = next(leading.spans(clause), None) or next(own.spans(clause), None)
        span = _left(heard, clause[lead[1] :], Spans(())) if lead else None
        if span is not None:
            yield span


def _change(heard: MessageInContext, field: Field, *, announced: bool, first: bool) -> Iterator[Assignment]:
    standing, kind = heard.draft.values[field.name].data, kind_of(field)
    if kind.polar:
        told = _named_answer(heard, field)
        yield from [told] if told and told.data != standing else ()
        return
    if kind.verbatim or kind.searchable:
        polar = heard.asked is not None and kind_of(heard.asked).polar
        announced = announced and (heard.elsewhere or is_announced(heard.text, heard.context, polar=polar))
        named = announced and names(field, heard.context).holds(heard.row)
        known = [(r.start, r.end) for r in kind.find(field, heard.text, heard.context) if r.named] if announced else []
        spans = known or ([*_behind_name(heard, field)] if announced else [])
        spans = spans or [s for c in heard.clauses if named and (s := _left(heard, c, Spans(()), field))]
        if len(spans) == 1:
            yield Assignment(field, heard.text[slice(*spans[0])], *spans[0])
        return
    other = [r for r in kind.find(field, heard.text, heard.context) if r.data != standing]
    asked = heard.asked if heard.asked and kind_of(heard.asked).family == kind.family else None
    answers = kind_of(asked).find(asked, heard.text, heard.context) if asked else ()
    fit = (r for r in other if not (r.named and r.start in [a.start for a in answers]))
    sums = [f for f in heard.form.fields.values() if kind_of(f).money == kind.money]
    marked = not kind.money or len(sums) == 1  # of several sums, a currency beside one does not say which
    meant = [r for r in other if heard.names(field, r.start)]
    meant = meant or [r for r in fit if (r.named and marked) or (announced and first)]
    if meant and len({r.data for r in other}) == 1:
        yield Assignment(field, meant[0].data, meant[0].start, meant[0].end)
