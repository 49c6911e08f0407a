"""A plain wish for a form ("I want to file an expense: taxi 18"), in any language: whole, or whole up to where its matter begins.

Only a clear wish counts: words that ask, a name of the form, and nothing else that is not small. An answer that mentions
a form, a denial, or a longer sentence is none.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from state.form import Form
from state.language import LANGUAGES, Language
from state.language.table import Table, listed, phrases
from state.language.tokens import Token, masked, tokens

LONGEST = 400
"""Characters of the longest message in which a wish is looked for."""
PAUSES = ":-–—,"
"""Marks behind a wish, before its matter."""


@dataclass(frozen=True)
class Wish:
    """The forms that the words name, and what stands behind the wish: words for the form itself."""

    forms: tuple[str, ...]
    rest: str = ""


@dataclass
class _Heard:
    """What a wish is made of, as far as it is read."""

    forms: list[str] = field(default_factory=list)
    leads: bool = False
    verbs: bool = False
    shared: bool = False
    """Whether the name is a word of the open form as well."""


def wish_for(forms: Mapping[str, Form], text: str, here: Form | None = None) -> Wish | None:
    """The wish that the message opens with, for forms other than the one that is open `here`; None where it is no clear one."""
    others = {name: form for name, form in forms.items() if here is None or name != here.name}
    if not others or len(text) > LONGEST:
        return None
    found = (_wish(others, text, here, spoken) for spoken in LANGUAGES.values())
    return next((wish for wish in found if wish), None)


def wants_another(form: Form, text: str) -> bool:
    """Whether the message opens with a wish for one more of the same ("another one: sell 50", "noch ein Antrag")."""
    return len(text) <= LONGEST and any(_another(form, text, spoken) for spoken in LANGUAGES.values())


def wishes_first(form: Form, text: str) -> bool:
    """Whether the message begins with a wish whose very next words are the form's ("I'd like to buy 200 …")."""
    return len(text) <= LONGEST and any(_first(form, text, spoken) for spoken in LANGUAGES.values())


def _first(form: Form, text: str, spoken: Language) -> bool:
    row, names = tokens(masked(text), spoken), phrases(names_of(form), spoken)
    small = listed(spoken, "wishes.beside", "articles", "polite", "small_talk.greetings")
    i, led = 0, False
    while i < len(row):
        lead = _size(listed(spoken, "wishes.leads"), row, i)
        if led and _size(names, row, i):
            return True
        size = lead or _size(small, row, i)
        if not size:
            return False
        led, i = led or lead > 0, i + size
    return False


def _wish(forms: Mapping[str, Form], text: str, here: Form | None, spoken: Language) -> Wish | None:
    row, heard = tokens(masked(text), spoken), _Heard()
    names = [(name, phrases(names_of(form), spoken)) for name, form in forms.items()]
    own = phrases(_own_words(here), spoken) if here else None
    small = listed(spoken, "wishes.beside", "articles", "polite", "small_talk.greetings")
    i = 0
    while i < len(row):
        if heard.forms and _pauses(text, row, i):
            return _clear(heard, text[row[i].start :])
        size = _named(names, own, heard, row, i) or _asked(spoken, heard, row, i) or _size(small, row, i)
        if not size:
            leads_on = heard.leads and heard.verbs and heard.forms and listed(spoken, "wishes.on").at(row, i)
            return _clear(heard, text[row[i].start :]) if leads_on else None
        i += size
    return _clear(heard, "")


def _clear(heard: _Heard, rest: str) -> Wish | None:
    """A name that the open form has too asks for another form only in a whole wish, with its verb, and nothing behind it."""
    asks = (heard.leads and heard.verbs and not rest) if heard.shared else (heard.leads or heard.verbs)
    return Wish(tuple(dict.fromkeys(heard.forms)), rest.strip()) if asks and heard.forms else None


def _pauses(text: str, row: Sequence[Token], i: int) -> bool:
    """Whether the sentence, or a part of it, ends before this word."""
    return i > 0 and (row[i].stop > 0 or any(mark in PAUSES for mark in text[row[i - 1].end : row[i].start]))


def _named(
    names: Iterable[tuple[str, Table[str]]], own: Table[str] | None, heard: _Heard, row: Sequence[Token], i: int
) -> int:
    """Words of the longest name of a form here."""
    hits = [(_size(table, row, i), name) for name, table in names]
    size = max((n for n, _ in hits), default=0)
    if size:
        heard.forms += [name for n, name in hits if n == size]
        heard.shared = heard.shared or bool(own and _size(own, row, i))
    return size


def _asked(spoken: Language, heard: _Heard, row: Sequence[Token], i: int) -> int:
    """Words here that ask, that say what is done with a form, or that call it a form."""
    lead, verb = _size(listed(spoken, "wishes.leads"), row, i), _size(listed(spoken, "wishes.verbs"), row, i)
    if lead or verb:
        heard.leads, heard.verbs = heard.leads or lead > 0, heard.verbs or verb > lead
        return max(lead, verb)
    return _size(listed(spoken, "wishes.papers"), row, i)


def _another(form: Form, text: str, spoken: Language) -> bool:
    row, wished = tokens(masked(text), spoken), False
    names = phrases(names_of(form), spoken)
    small = listed(spoken, "polite", "articles", "small_talk.greetings", "small_talk.thanks", "wishes.verbs")
    i = 0
    while i < len(row):
        if (n := _size(listed(spoken, "wishes.another"), row, i)) and _ends(text, row, i + n, spoken):
            return True
        if wished and _size(listed(spoken, "wishes.more"), row, i):
            return True
        if (n := _size(listed(spoken, "wishes.further"), row, i)) and names.at(row, i + n):
            return True
        lead = _size(listed(spoken, "wishes.leads"), row, i)
        size = lead or _size(small, row, i) or (_size(names, row, i) if wished else 0)
        wished = wished or lead > 0
        if not size:
            return False
        i += size
    return False


def _ends(text: str, row: Sequence[Token], i: int, spoken: Language) -> bool:
    """Whether nothing, a pause or a small word follows: "another one" is no "another one of my sisters"."""
    after = listed(spoken, "wishes.beside", "wishes.on", "polite", "and_words", "wishes.verbs")
    return i >= len(row) or _pauses(text, row, i) or _size(after, row, i) > 0


def _size(table: Table[str], row: Sequence[Token], i: int) -> int:
    hit = table.at(row, i)
    return hit[0] if hit else 0


def names_of(form: Form) -> tuple[str, ...]:
    """All that the form goes by."""
    command = (form.command or "").strip("/")
    bare = (name.replace("_", " ").replace("-", " ") for name in (form.name, command) if name)
    return tuple(dict.fromkeys((*form.words, *form.called, form.title, *bare)))


def _own_words(form: Form) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_spoken(form)))


def _spoken(form: Form) -> Iterator[str]:
    """Words of the open form: its own names, and those of its fields and their choices."""
    yield from names_of(form)
    for one in form.fields.values():
        yield from (one.label, *one.words, *one.known)
        yield from (word for choice in one.choices for word in (choice.label, *choice.words))
