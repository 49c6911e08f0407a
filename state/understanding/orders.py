"""Whether a person's words ask for an operation: what a model wants done beside them is nobody's wish.

An operation is asked for by its own words, and by those of its family (deleting, changing, telling) in any language: people
write in theirs, whatever the form's is. Words count where they stand in the newest lines; behind a question of the bot's, also
where they stand in the lines that led to it.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from state.draft.draft import Draft
from state.draft.scope import SAY
from state.fields import kind_of
from state.fields.base import Context
from state.fields.values.amounts import amounts
from state.form import Form
from state.form.schema import Operation
from state.language import LANGUAGES, Language
from state.language.table import Table, listed, phrases
from state.language.tokens import Token, asks, keys_of, masked, tokens
from state.understanding.corrections import says_no_first
from state.understanding.evidence import bursts, fresh_lines
from state.understanding.explanations import is_asking
from state.understanding.operations import adds, read_operations

DELETING, CHANGING, TELLING = "orders.deleting", "orders.changing", "orders.telling"
FAMILIES = {DELETING: (DELETING,), CHANGING: (CHANGING, "corrections.cues"), TELLING: (TELLING,)}
"""What asks for the operations of a family; the first entry is the one that holds their own words."""
SMALL = (
    "commands.leads", "polite", "subjects", "wishes.leads", "and_words", "but_words",
    "conjunctions", "last", "option_words", "stand_ins", "links", "softeners", "small_talk.holds", "small_talk.greetings",
)  # fmt: skip


def is_ordered(form: Form, draft: Draft, operation: Operation, said: Sequence[str], context: Context) -> bool:
    """Whether the newest words ask for it, or an answer to a question that words for it had led to.

    `said` are the person's lines since the last deed, newest first. An operation that a line tells by its figures alone, and
    one that no words ask for in its form, is not held against words here.
    """
    if operation.confirm == "inferred" or not operation.words:
        return True
    newest = [line.text for line in (*fresh_lines(draft), *bursts(draft))]
    plain = any(_is_plain_line(form, draft, text, context) for text in newest)
    if any(_asks_for(operation, text, context, plain=plain) for text in newest):
        return True
    before = [text for text in said if text not in newest]
    return not plain and _was_asked(draft) and any(_asks_for(operation, t, context, plain=plain) for t in before)


def is_doubted(form: Form, draft: Draft, operation: Operation, context: Context) -> bool:
    """Whether the newest words deny what they tell, or ask for something to be changed or deleted instead: a click decides."""
    if operation.confirm != "inferred":
        return False
    newest = [line.text for line in fresh_lines(draft)]
    others = [o for o in form.operations.values() if o.confirm == "always" and o.words]
    return any(
        _is_denied(operation, text, context) or any(_orders(other, text, context) for other in others)
        for text in newest
    )


def _asks_for(operation: Operation, text: str, context: Context, *, plain: bool) -> bool:
    families = _families(operation.words)
    if _holds(text, operation.words, tuple(entry for family in families for entry in FAMILIES[family]), context):
        return True
    if CHANGING in families and says_no_first(tokens(masked(text), context.language), context):
        return True
    return operation.confirm == "never" and not plain and _asks_to_know(operation, text, context)


def _asks_to_know(operation: Operation, text: str, context: Context) -> bool:
    """A question, or the range or the category that something is to be told of ("and October?", "food")."""
    told = (kind_of(f).find(f, text, context) for f in operation.fields.values() if not kind_of(f).by_file)
    return asks(text) or is_asking(text, context) or any(told)


def _is_plain_line(form: Form, draft: Draft, text: str, context: Context) -> bool:
    """Whether the rules read it as a line that tells what is to be added, all of it, in figures ("tea 2 EUR today")."""
    if not any(c.isdigit() for c in text) and not amounts(masked(text), context):
        return False
    calls = read_operations(form, draft, text, "", context, named=False).calls
    return bool(calls) and all(c.tool != SAY and adds(form.operations[c.tool]) for c in calls)


def _was_asked(draft: Draft) -> bool:
    """Whether the bot said something that was no outcome just before the newest lines."""
    every, newest = (*draft.opening, *draft.window), fresh_lines(draft)
    before = next((line for line in reversed(every) if line not in newest), None)
    return before is not None and before.role == "assistant" and not before.clicked


def _orders(operation: Operation, text: str, context: Context) -> bool:
    """Whether words order it that do nothing else: its own, and those of its family that no mere remark holds ("it was")."""
    entries = ("corrections.changes" if family == CHANGING else family for family in _families(operation.words))
    return _holds(text, operation.words, tuple(entries), context)


def _holds(text: str, own: tuple[str, ...], entries: tuple[str, ...], context: Context) -> bool:
    """Whether any of the words asks for it: an operation's own in the form's language, and entries of every language."""
    return any(
        _heard(text, own if spoken is context.language else (), entries, spoken) for spoken in LANGUAGES.values()
    )


def _heard(text: str, own: tuple[str, ...], entries: tuple[str, ...], spoken: Language) -> bool:
    row = tokens(masked(text), spoken)
    return any(
        not (
            _is_thing(row, first, after, spoken) or _negated(row, first, after, spoken) or _asks_how(row, first, spoken)
        )
        for first, after, _ in _table(own, entries, spoken).spans(row)
    )


def _is_denied(operation: Operation, text: str, context: Context) -> bool:
    """ "Don't add coffee 3.50", "I did not pay 3.50 for coffee"."""
    row = tokens(masked(text), context.language)
    found = _table(operation.words, (), context.language).spans(row)
    return any(_negated(row, first, after, context.language) for first, after, _ in found)


def _is_thing(row: Sequence[Token], first: int, after: int, spoken: Language) -> bool:
    """A word that names things as well asks where its clause begins with it, small words and numbers aside."""
    if after - first > 1 or not listed(spoken, "orders.things").at(row, first):
        return False
    small, i = listed(spoken, *SMALL), _clause(row, first)
    while i < first:
        hit = small.at(row, i)
        if not hit and not row[i].key.isdigit():
            return True
        i += hit[0] if hit else 1
    return False


def _negated(row: Sequence[Token], first: int, after: int, spoken: Language) -> bool:
    """Whether a negation stands before it, small words between aside; where the verb leads, also behind it in its clause."""
    negators, small, begin = listed(spoken, "negators"), listed(spoken, *SMALL), _clause(row, first)
    i = first
    while i > begin:
        if hit := negators.ending(row, i):
            bare = row[i - 1].key == spoken.bare_no and hit[0] == 1
            return not bare or spoken.no_negates
        if not small.ending(row, i):
            break
        i -= 1
    end = next((n for n in range(after, len(row)) if row[n].stop), len(row))
    return spoken.inverts and negators.holds(row[after:end])


def _asks_how(row: Sequence[Token], first: int, spoken: Language) -> bool:
    """ "How do I delete something?" asks how it is done, where no row is named."""
    begin = _clause(row, first)
    asked = listed(spoken, "question_words").at(row, begin) and not listed(spoken, "commands.leads").at(row, begin)
    return bool(asked) and begin < first and not any(token.key.isdigit() for token in row)


def _clause(row: Sequence[Token], i: int) -> int:
    return next((n for n in range(i, -1, -1) if row[n].stop), 0)


@cache
def _table(own: tuple[str, ...], entries: tuple[str, ...], spoken: Language) -> Table[str]:
    return phrases((*own, *_entries(entries, spoken)), spoken)


def _entries(entries: Iterable[str], spoken: Language) -> Iterator[str]:
    for group, _, name in (entry.partition(".") for entry in entries):
        yield from getattr(getattr(spoken, group), name)


@cache
def _families(words: tuple[str, ...]) -> tuple[str, ...]:
    """The families that an operation belongs to: those that know one of its own words, in any language."""
    return tuple(family for family in FAMILIES if any(_knows(family, words, spoken) for spoken in LANGUAGES.values()))


def _knows(family: str, words: Iterable[str], spoken: Language) -> bool:
    known = {keys_of(word, spoken) for word in _entries((family,), spoken)}
    return any(keys_of(word, spoken) in known for word in words)
