"""Wishes for a form, and names of a stage's ways, said as whole utterances with plain words around them and nothing else.

Only the whole counts, up to its end or a pause. An answer that mentions a form, a denial, or a longer sentence is none."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from state.draft.draft import Option
from state.form import Form, Transition
from state.language import LANGUAGES, Language, language_of, understood
from state.language.table import Table, all_of, joined, listed, listed_widely, meanings, phrases, words_of
from state.language.tokens import Token, asks, keys_of, masked, tokens
from state.understanding.plain_answers import read_pick

LONGEST = 400
"""Characters of the longest message in which a wish is looked for."""
PAUSES = ":-–—,"
"""Marks behind a wish, before its matter."""
AROUND = ("small", "polite", "small_talk.greetings", "orders.fillers", "orders.wishing")
"""Words around a wish that add nothing to it."""
LEAVING = (*AROUND, "orders.leaving", "small_talk.holds", "corrections.cues")
"""The same where another form is open, which the words would leave."""


@dataclass(frozen=True)
class Wish:
    """The forms that the words name, and the words behind the wish, which are for the form itself."""

    forms: tuple[str, ...]
    rest: str = ""


def wish_for(
    forms: Mapping[str, Form], text: str, here: Form | None = None, *, whole: bool = True, bare: bool = False
) -> Wish | None:
    """Return the wish for forms other than the one that is open `here`: said whole, up to a pause; not `whole`: that begins the message.

    `bare`: a name that is all that is said wishes for its form.
    """
    others = {name: form for name, form in forms.items() if here is None or name != here.name}
    leaving = here is not None and whole
    found = (_wished(others, text, spoken, whole, leaving) for spoken in LANGUAGES.values() if len(text) <= LONGEST)
    return next(filter(None, (*([_called(others, text)] if bare else []), *found)), None)


def _called(forms: Mapping[str, Form], text: str) -> Wish | None:
    """Return the forms that the whole message names."""
    rows = [(tokens(masked(text), one), one) for one in LANGUAGES.values()]
    named = [n for n, f in forms.items() if any(row and all_of(row, _names(form_names(f), one)) for row, one in rows)]
    return Wish(tuple(named)) if named else None


def names_only(form: Form, text: str) -> bool:
    """Return True if the message names the form, with words around it that add nothing ("expenses please")."""
    named = (
        (tokens(masked(text), one), _names(form_names(form), one), listed(one, *LEAVING, "small_talk.approvals"))
        for one in LANGUAGES.values()
    )
    return any(names.holds(row) and all_of(row, joined(names, around)) for row, names, around in named)


def wants_another(form: Form, text: str) -> bool:
    """Return True if the message is a wish for one more of the same, whole or up to a pause ("another one: sell 50")."""
    return len(text) <= LONGEST and any(_another(form, text, spoken) for spoken in LANGUAGES.values())


def begins_with_wish(text: str, language: Language) -> bool:
    """Return True if the message begins with words of wishing ("I'd like to …") and speaks of nothing that is done ("… say that I bought")."""
    row = tokens(masked(text), language)
    first = _past("", row, 0, (listed(language, "small", "polite", "small_talk.greetings"),))
    wishes = listed(language, "orders.wishing")
    begun = any(wishes.at(row, i) for i in range(min(first, len(row) - 1) + 1)) if row else False
    return begun and not listed(language, "orders.done", "orders.undone").holds(row)


def _wished(forms: Mapping[str, Form], text: str, spoken: Language, whole: bool, leaving: bool) -> Wish | None:
    row, small = tokens(masked(text), spoken), (listed(spoken, *(LEAVING if leaving else AROUND)),)
    first = _past("", row, 0, small)
    sizes = {name: hit[0] for name, form in forms.items() if (hit := _names(form_names(form), spoken).at(row, first))}
    if not sizes and not whole and spoken.verb_last and listed(spoken, "orders.wishing").holds(row[:first]):
        end = next((i for i in range(first + 1, len(row)) if row[i].stop), len(row))
        last = [name for name, form in forms.items() if _names(form_names(form), spoken).ending(row, end)]
        return Wish(tuple(last), text[row[first].start :].strip()) if last else None
    behind = first + max(sizes.values(), default=0)
    after = _past(text, row, behind, small)
    words = listed(spoken, "orders.wishing", *(["orders.leaving"] if leaving else []))
    wishes = words.holds((*row[:first], *row[behind:after]))
    asked = {i for a, b, _ in words.spans(row[:first]) for i in range(a, b)}  # "apply for", not "I need it for my …"
    meant_for = any(a not in asked for a, *_ in listed(spoken, "ties.behalf").spans(row[:first]))
    if not sizes or not wishes or meant_for or (whole and not _ends(text, row, after)):
        return None
    longest = (name for name, size in sizes.items() if size == behind - first)
    return Wish(tuple(longest), text[row[after].start :].strip() if after < len(row) else "")


def _another(form: Form, text: str, spoken: Language) -> bool:
    row, small = tokens(masked(text), spoken), listed(spoken, *AROUND)
    more, i = listed(spoken, "orders.another"), 0
    while i < len(row):
        if hit := more.at(row, i):
            return _ends(text, row, _past(text, row, i + hit[0], (small, _names(form_names(form), spoken))))
        if not (filler := small.at(row, i)):
            return False
        i += filler[0]
    return False


def _past(text: str, row: Sequence[Token], i: int, tables: Iterable[Table[str]]) -> int:
    """Return the place behind all words of these tables from `i` on, up to a pause in the text."""
    while not (text and _ends(text, row, i)) and (hits := [hit[0] for t in tables if (hit := t.at(row, i))]):
        i += max(hits)
    return i


def _ends(text: str, row: Sequence[Token], i: int) -> bool:
    """Return True if the sentence, or a part of it, ends before this word."""
    return i >= len(row) or row[i].stop > 0 or any(mark in PAUSES for mark in text[row[i - 1].end : row[i].start])


@lru_cache(maxsize=256)
def _names(names: tuple[str, ...], spoken: Language) -> Table[str]:
    return phrases(names, spoken)


def form_names(form: Form) -> tuple[str, ...]:
    """Return all names of the form."""
    command = (form.command or "").strip("/")
    bare = (name.replace("_", " ").replace("-", " ") for name in (form.name, command) if name)
    return tuple(dict.fromkeys((*form.words, *form.called, *form.titles, *bare)))


def likeliest(
    forms: Iterable[Form], said: str, used: Sequence[str], language: str, read: Callable[[Form], int] = lambda _: 0
) -> list[Form]:
    """Return the forms in the order in which they are offered: by what was said, by use (names, the most used first), then those in the language.

    `read`: how many answers each form reads in it.
    """

    def place(form: Form) -> tuple[int, int, bool]:
        by_use = used.index(form.name) if form.name in used else len(used)
        return -_shared(form, said) - read(form), by_use, form.language[:2] != language[:2]

    return sorted(forms, key=place)


ENOUGH, SEVERAL, AHEAD = 6, 2, 3
"""What a form counts at least that is begun without being chosen, answers in it, and times the next form: no line of another's was so plain."""


def meant(forms: Iterable[Form], said: str, read: Callable[[Form], int]) -> Form | None:
    """Return the form that words are plainly for, though they do not name it: it reads several answers in them, and no other knows much of them."""
    counted = [(_shared(form, said) + (answers := read(form)), answers, form) for form in forms]
    first, *others = sorted(counted, key=lambda one: -one[0])
    plain = first[0] >= ENOUGH and first[1] >= SEVERAL and all(first[0] >= AHEAD * count for count, *_ in others)
    return first[2] if plain else None


def picked(forms: Sequence[Form], text: str) -> Form | None:
    """Return the one of the forms, in the order in which they were offered, that the whole message picks: by its place, or by words of its title."""
    option = read_pick([Option(form.name, form.title) for form in forms], text)
    if option is not None:
        return next(form for form in forms if form.name == option.id)
    for spoken in LANGUAGES.values():
        small = listed(spoken, *AROUND, "option_words", "offers.pointing").rows
        said = {t.key for t in tokens(masked(text), spoken)} - small.keys()
        fitting = [f for f in forms if said and any(said <= {*keys_of(title, spoken)} for title in f.titles)]
        if len(fitting) == 1:
            return fitting[0]
    return None


BY_NAME, BY_WORD = 3, 2
"""What a name of the form, and a word of its fields, count among what was said, beside an answer that is read in it."""


def _shared(form: Form, said: str) -> int:
    """Return how much of what was said the form has words for."""
    row = tokens(masked(said), language_of(form.language))
    called, listed_words = _names(form_names(form), language_of(form.language)), _vocabulary(form)
    words = {t.key for t in row if not t.key.isdigit()} & listed_words
    return BY_NAME * len({name for *_, name in called.spans(row)}) + BY_WORD * len(words)


@lru_cache(maxsize=64)
def _vocabulary(form: Form) -> frozenset[str]:
    """Return the words of the form's fields, without those that any sentence may hold."""
    language = language_of(form.language)
    fields = (*form.fields.values(), *(f for o in form.operations.values() for f in o.fields.values()))
    own = [t for f in fields for t in (f.label, f.help, *f.words, *(w for c in f.choices for w in (c.label, *c.words)))]
    own += [word for operation in form.operations.values() for word in operation.words]
    common = frozenset[str]().union(*(words_of(one) for one in LANGUAGES.values()))
    return frozenset(key for text in own for key in keys_of(text, language)) - common


BESIDE = ("orders.fillers", "small", "polite", "yes", "offers.accepting", "small_talk.thanks", "small_talk.approvals")


def named_way(text: str, ways: Sequence[Transition], locale: str) -> Transition | None:
    """Return the one way that the whole message names; a question, and any word beside, names none.

    That there is no more to tell names the way that a plain no does.
    """
    language = language_of(locale)
    row, beside = tokens(masked(text), language), listed_widely(language, *BESIDE)
    enough = [phrase for one in understood(language) for phrase in one.enough]
    names = {
        _plain(name): i
        for i, way in reversed(list(enumerate(ways)))
        for name in (*(enough if set(way.words) & set(language.no) else ()), way.label, *way.words)
    }
    called, found, i = meanings({n: way for n, way in names.items() if n}, language), set[int](), 0
    while i < len(row):
        name, small = called.at(row, i), beside.at(row, i)
        if name is None and small is None:
            return None
        if name and (small is None or name[0] >= small[0]):
            found.add(name[1])
        i += max(hit[0] for hit in (name, small) if hit)
    return ways[found.pop()] if len(found) == 1 and not asks(text) else None


def _plain(name: str) -> str:
    return "".join(c if c.isalnum() or c in " '’" else " " for c in name).strip()
