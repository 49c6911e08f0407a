"""Open words read by rules: where there is no model, where it fails, and where it leaves a line untouched.

These are guesses. Each is verified like a model's proposal and shown to the person; only a plain answer to the asked question sets anything.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from state.draft.draft import Draft
from state.draft.reply import Reply, ToolCall
from state.draft.scope import CORRECT, DISCLOSE, EXPLAIN, PERSON
from state.fields import kind_of
from state.fields.base import Candidate, Context
from state.fields.choice import as_list, inflected, unlisted
from state.fields.disclosing import names_somebody
from state.fields.naming import Spans, denies, is_denied, names, place
from state.fields.text import stripped
from state.form import Field, Form
from state.form.field import Data
from state.language import LANGUAGES, Language
from state.language.asides import speaks_to_us
from state.language.small_talk import NoAnswer, puzzled
from state.language.table import Clause, all_of, listed, listed_everywhere, listed_widely, phrases
from state.language.tokens import Token, asks
from state.understanding.changes import changes, named_answer
from state.understanding.commands import is_asking, no_answer, read_command, to_explain, without_leads
from state.understanding.corrections import Assignment, disclosed, is_announced, put_right
from state.understanding.form_commands import read_form_command
from state.understanding.leanings import by_things, leaning, leans_to
from state.understanding.message import LEADS, MessageInContext, said_in
from state.understanding.operations import read_operations
from state.understanding.plain_answers import opens_another
from state.understanding.things import FEW, left_of, may_state, texts, told_beside, wants_many_words
from state.understanding.verification import first_word

LONGEST = 4000
"""Characters of a message that are read; no answer is longer, and what is stored for grounding is shorter."""
Proposal = tuple[str, dict[str, Data]]


def read_open(form: Form, draft: Draft, text: str, message: str, context: Context) -> Reply:
    """Propose calls for the words of one message (its id: `message`); none where nothing is understood, never two values for a field."""
    if read_command(text, context.locale) or read_form_command(form, text):
        return Reply(model="rules")
    if form.conversational:
        return read_operations(form, draft, text[:LONGEST], message, context)
    heard = MessageInContext(form, draft, text[:LONGEST], context)
    found = list(_proposals(replace(heard, text=heard.text.rstrip(" ?")) if _is_name_asked(heard) else heard))
    calls = tuple(ToolCall(f"rules-{message}-{i}", tool, arguments) for i, (tool, arguments) in enumerate(found, 1))
    return Reply(calls=calls, stop="calls" if calls else "end", model="rules")


def _is_name_asked(heard: MessageInContext) -> bool:
    """Return True if the words are no more than a name with a question mark, to the question for a thing ("Barclays?")."""
    name, wanted = heard.text.rstrip(" ?"), heard.asked is not None and kind_of(heard.asked).searchable
    few = wanted and len(heard.row) < FEW and name[:1].isupper() and name != heard.text
    plain = few and not listed_everywhere(heard.context.language, *LEADS, "small").at(heard.row, 0)
    return plain and not is_asking(name, heard.context)


def _proposals(heard: MessageInContext) -> Iterator[Proposal]:
    told = tuple(disclosed(heard.form, heard.draft, heard.text, heard.context))
    for take in told:
        yield DISCLOSE, {"field": take.field.name, "words": heard.text[take.start : take.end]}
    person = next(listed_widely(heard.context.language, "commands.person").spans(heard.row), None)
    if person and person[0] >= FEW - 1 and wants_many_words(heard):  # "customers who want to talk to a human"
        person = None
    if person:
        yield PERSON, {"reason": heard.text[heard.row[person[0]].start : heard.row[person[1] - 1].end]}
    if person or any(t.named for t in told):
        return
    changed = tuple(t for t in changes(heard) if t.field not in [d.field for d in told])
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
    beside = told_beside(heard)
    cued = [*_cued(heard)]
    answers = (named_answer(heard, f) for f in heard.open_fields if kind_of(f).polar)
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
    beside = beside or (None if told else _said_to_us(heard))
    if beside:
        yield beside
    elif _may_tell(heard):
        yield from texts(heard, told, spent)


def _nearly(heard: MessageInContext, *, told: bool) -> Iterator[Assignment]:
    """Yield what is nearly a plain answer to the asked question: an estimate, another ending, an hour ("3"); beside what was `told`, a yes or no."""
    field, text, small = heard.asked, heard.text, listed(heard.context.language, "small", "estimates")
    if field is not None and kind_of(field).polar and (things := by_things(heard, field)) is not None:
        yield from things
        return
    if field is not None and kind_of(field).grounding == "answer":
        others = (f for n, f in heard.form.fields.items() if n != field.name and kind_of(f).polar)
        if any(denies(f, text, heard.context) for f in others):  # "no loans" turns down no consent
            return
        answers = () if is_asking(text, heard.context) else tuple(_polar(heard, field, told=told))
        yield from answers or leaning(heard, field)
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
    but = listed_everywhere(language, "but_words", "excepting").holds(heard.row)  # "no, but his wife is one"
    but = but or (
        begins is False and _takes_back(without_leads(heard.row, listed_everywhere(language, "no")), language)
    )
    leant = {leans_to(clause, language) for clause in heard.clauses} - {None}
    for words in filter(None, (behind, first if (alone or begins) and not but else ())):
        answer = kind_of(field).whole(field, said_in(heard, words), heard.context)
        every = listed_everywhere(language, "yes", "no", "polite", "hesitating")
        both = all(listed_everywhere(language, answer).holds(words) for answer in ("yes", "no"))
        plain = answer is None and all_of(words, every) and not both
        answer = first_word(said_in(heard, words), heard.context) if plain else answer
        rest = heard.row[heard.row.index(words[-1]) + 1 :]
        agreed = all_of(rest, leads)  # "yes, no problem"
        denied = (
            answer is True and not agreed and listed_everywhere(language, "negators", "no").holds(rest)
        )  # "correct, none"
        if answer is not None and not denied and (not answer) not in leant:  # "no, no objection, I agree"
            yield Assignment(field, answer, words[0].start, words[-1].end)
            return
    denying = but or listed_everywhere(language, "negators", "conditions").holds(heard.row[1:])
    more = listed_everywhere(language, "yes", "offers.all_of").holds(heard.row[1:])  # "no to all of it" answers no one
    plain = begins is False and alone and heard.idle is None
    if not (denying or more or leant) and (begins or plain):  # "yes my wife holds some too", "no that's just stock"
        yield Assignment(field, bool(begins), heard.row[0].start, heard.row[-1].end)


def _takes_back(row: Sequence[Token], language: Language) -> bool:
    """Return True if the words behind a no except something from it, or somebody close ("no, only with one client", "no, it's my daughter's")."""
    excepts = listed_everywhere(language, "corrections.restricting").at(row, 0)
    return excepts is not None or any(names_somebody(row, one) for one in LANGUAGES.values())


def _said_to_us(heard: MessageInContext) -> Assignment | None:
    """Return many words for the text that was asked that may be said to whoever asks: the person says which ("I have to ask my broker")."""
    wanted = heard.asked if wants_many_words(heard) and (heard.idle is None or may_state(heard)) else None
    aside = wanted is not None and speaks_to_us(heard.text, heard.context.language)
    return Assignment(wanted, heard.text.strip(), 0, len(heard.text)) if wanted and aside else None


def _unlisted(heard: MessageInContext, told: list[Assignment]) -> Iterator[Assignment]:
    """Yield the choice that stands for what is not listed, beside those that were named, where the answer names something else."""
    field = heard.asked
    other = next((c.value for c in field.choices if c.told_in), None) if field else None
    if field is None or other is None or heard.asking or heard.idle or _tells_another(heard):
        return
    idle = listed(heard.context.language, "negators", "no", "small_talk.thanks", "review.right", "review.wrong")
    if not idle.holds(heard.row) and unlisted(field, heard.text, heard.context):
        named = next((t.data for t in told if t.field == field), ())
        several = as_list(field, other, named)
        yield Assignment(field, several if kind_of(field).several else other, 0, len(heard.text))


def _tells_another(heard: MessageInContext) -> bool:
    """Return True if the words name another field, or hold what is plainly of one ("mi DNI es …", an e-mail address)."""
    others = [f for f in heard.form.fields.values() if f != heard.asked]
    named = any(names(f, heard.context).holds(heard.row) for f in others)
    coded = (f for f in others if kind_of(f).slip_shows)
    return named or any(kind_of(f).find(f, heard.text, heard.context) for f in coded)


def _may_tell(heard: MessageInContext) -> bool:
    """Return True if there may be a name or a text in the words; those to a question for a few words may hold it whatever they are."""
    if heard.asked is not None and heard.asked.short:
        return heard.idle in (None, NoAnswer.QUESTION)
    if heard.asking:
        return may_state(heard) or (heard.asked is None and bool(heard.stated))
    return may_state(heard) or heard.idle is None


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

    A bare figure beside other words may belong to the first field of its sort only where no figure was asked for, or right behind the
    choice that was.
    """
    families = [kind_of(f).family for f in heard.form.fields.values()]
    found = heard.asked is not None and bool(
        heard.draft.options.get(heard.asked.name)
    )  # a code would have been given before
    sought = heard.asked is not None and kind_of(heard.asked).searchable and (len(heard.row) > 1 or found)
    bare = heard.asked is None or sought or heard.elsewhere
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
                (bare or _follows_choice(heard, reading))
                and next(f for f in heard.open_fields if kind_of(f).family == kind_of(field).family) == field,
            )
            denied = is_denied(heard.row, reading.start, reading.end, heard.context.language)
            if (
                any(ways)
                and not spent.hits(reading.start, reading.end)
                and not (denied or heard.defines(reading.start))
            ):
                yield ways.index(True), field, reading


def _follows_choice(heard: MessageInContext, reading: Candidate) -> bool:
    """Return True if a value stands right behind the choice that was asked for, with at most one word between ("buy about 200")."""
    field, at = heard.asked, place(heard.row, reading.start)
    if field is None or not field.choices:
        return False
    ends = [place(heard.row, r.end) for r in kind_of(field).find(field, heard.text, heard.context)]
    return any(0 <= at - end <= 1 and not any(t.stop for t in heard.row[end : at + 1]) for end in ends)


def _twin(heard: MessageInContext, field: Field, reading: Candidate) -> bool:
    """Return True if another field has a choice of the same words."""
    others = (f for f in heard.form.fields.values() if f != field and f.choices)
    return any(r.start == reading.start for f in others for r in kind_of(f).find(f, heard.text, heard.context))


def _cued(heard: MessageInContext) -> Iterator[Assignment]:
    """Yield a long text behind the words that lead to it: nothing in it answers another question. The asked one begins the message.

    Words before these that answer nothing are a part of it ("A long-term holding because …", to a yes or no). It ends with the message, or
    before a line that holds by name what another field takes.
    """
    long = heard.asked is not None and kind_of(heard.asked).verbatim and not heard.asked.short
    wanted = [f for f in heard.open_fields if f.before and not f.short and (f == heard.asked or not long)]
    for field in wanted:
        cue = next(phrases(field.before, heard.context.language).spans(heard.row), None)
        titled = cue and cue[0] and heard.text[heard.row[cue[0]].start].isupper()  # "Just Because Events"
        if cue and not titled and cue[1] < len(heard.row) and (field != heard.asked or cue[0] == 0):
            asked = asks(heard.text[heard.row[cue[0]].start :]) and len(heard.row) - cue[0] <= FEW
            if asked or puzzled(heard.row[cue[0] :], heard.context.language):
                continue
            cut = (tuple(t for t in c if t.start < heard.row[cue[0]].start) for c in heard.clauses)
            own = (words[0].start for words in cut if not _tells(heard, field, words))
            since = listed(heard.context.language, "since").at(
                heard.row, cue[0]
            )  # "since I need it": what follows is of the text
            start = next(own, heard.row[cue[0] + since[0] if since else cue[1]].start)
            lines = [*(i for i, c in enumerate(heard.text) if c == "\n" and i > start), len(heard.text)]
            others = [f for f in heard.open_fields if f != field and lines[1:]]
            named = [r.start for f in others for r in kind_of(f).find(f, heard.text, heard.context) if r.named]
            end = next((a for a, b in pairwise(lines) if any(a < at < b for at in named)), lines[-1])
            yield Assignment(field, heard.text[start:end].rstrip(), start, end)
            return


def _tells(heard: MessageInContext, field: Field, words: Clause) -> bool:
    """Return True if words before a text for `field` may answer another question, or add nothing."""
    others = [heard.asked] if heard.asked else [f for f in heard.open_fields if f != field]
    article = listed(heard.context.language, "one_article").at(words, 0)  # no thing is called "a holding"
    if not words or any(kind_of(f).verbatim or (kind_of(f).searchable and not article) for f in others):
        return True
    said, kinds = said_in(heard, words), [(f, kind_of(f)) for f in heard.open_fields if kind_of(f).grounding != "words"]
    if no_answer(said, heard.context) or any(kind.whole(f, said, heard.context) is not None for f, kind in kinds):
        return True
    found = (r for f, kind in kinds for r in kind.find(f, heard.text, heard.context))
    reads = any(words[0].start <= r.start < words[-1].end for r in found)
    return reads or left_of(heard, words, Spans(())) is None
