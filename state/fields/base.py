"""What every kind of field can do, and its traits: nothing outside this package asks what a kind is called."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal, Protocol, TypeVar

from babel import Locale

from state.form import Field
from state.form.field import Data
from state.language import Language, babel_locale, language_of
from state.language.tokens import asks, trimmed

RECENT = 16
"""Texts whose figures, days and codes are kept at hand: every field of a form reads the same message."""


@dataclass(frozen=True)
class Context:
    """The form's locale ("en-GB", "it-IT", "es-ES"), the person's own date (ISO 8601), and the side of it on which days are to lie."""

    locale: str
    today: str
    lies: Literal["", "behind", "ahead", "either"] = ""

    def facing(self, field: Field) -> "Context":
        """Return the same with the side on which the field's days lie."""
        return replace(self, lies=field.lies) if field.lies != self.lies else self

    def is_wrong(self, day: str) -> bool:
        """Return True if a day (ISO 8601) lies on the other side of today than it should."""
        return (self.lies == "ahead" and day < self.today) or (self.lies == "behind" and day > self.today)

    @cached_property
    def language(self) -> Language:
        """Return the words of this locale's language. Raises UnknownLanguage."""
        return language_of(self.locale)

    @cached_property
    def babel(self) -> Locale:
        """Return the locale's formats. Raises UnknownLanguage."""
        return babel_locale(self.locale)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value found in a text, from `start` up to `end`. `named`: the field's own words or marks stand beside it. `rough`: others may be meant."""

    data: Data
    start: int
    end: int
    named: bool = False
    rough: bool = False


class Unreadable(ValueError):
    """A value that its field cannot take. `key` names a sentence of the catalogue, `args_` what that sentence speaks of."""

    def __init__(self, key: str, args: Mapping[str, str] | None = None) -> None:
        super().__init__(key)
        self.key = key
        self.args_: Mapping[str, str] = dict(args or {})


Whole = Callable[[Field, str, Context], Data | None]
Find = Callable[[Field, str, Context], tuple[Candidate, ...]]
Parse = Callable[[Field, object, Context], Data]
Show = Callable[[Field, Data, Context], str]
Schema = Callable[[Field], dict[str, Any]]
Fits = Callable[[Field, Any], bool]
Flaws = Callable[[Field], Iterable[tuple[str, str]]]
Count = Callable[[Field], int]
Measure = Callable[[Data], Decimal | str]
Usual = Callable[[Context, str], Data]
"""From the context and the form's usual currency."""
ElementName = Literal["input", "yes_or_no", "acknowledge", "buttons", "tick", "date_picker", "search", "file", "files"]
"""What a question is answered with on screen, besides plain words."""
Grounding = Literal["reading", "answer", "words"]
Listing = Literal["", "name", "amount", "row", "detail"]


def described(as_written: str) -> Schema:
    """Return the schema of a string that a tool writes so ("HH:MM")."""
    return lambda _field: {"type": "string", "description": as_written}


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of field.

    `whole(field, text, context)`: the value, when the whole message is a plain answer; else None.
    `find(field, text, context)`: every reading in open words, the most specific first.
    `parse(field, given, context)`: a tool's argument or a modal's entry in canonical form; raises Unreadable, nothing else.
    `show(field, data, context)`: the canonical value as people read it, as it is stored by default; `parse` takes it back.
    `schema(field)`: the JSON schema of its property in a tool, fit for strict tools; a string by default.
    """

    name: str
    """What a form's author writes as `kind`."""
    about: str
    """What it asks for, in a sentence for the form's author."""
    parse: Parse
    whole: Whole = lambda _field, _text, _context: None
    find: Find = lambda _field, _text, _context: ()
    near: Find = lambda _field, _text, _context: ()
    """Readings of a whole message to the field's own question alone: an hour without its half of the day."""
    show: Show = lambda _field, data, _context: str(data)
    schema: Schema = lambda _field: {"type": "string"}
    display: Show | None = None
    """The value as it is told where nobody has to write it back; as `show` where it is not given."""

    fits: Fits = lambda _, value: isinstance(value, str)
    """True if a value that a form's author or a scenario wrote is in canonical form."""
    wanted: str = "must be text in quotes"
    """What the author is told where it does not fit."""
    takes: frozenset[str] = frozenset()
    """Attributes of a field that mean something for this kind, and not for every kind."""
    needs: str = ""
    """The attribute of a field that this kind cannot do without."""
    flaws: Flaws = lambda _: ()
    """What is wrong with a field of this kind beyond that: the attribute, and a sentence that says what to do."""

    element: ElementName = "input"
    closed: bool = True
    """A parser alone can tell whether a message answers it."""
    verbatim: bool = False
    """The value is the person's words as they stand."""
    declaration: bool = False
    """A yes or no that a person stands by: taken from a click or a plain answer, read only from words that weigh doubt themselves."""
    polar: bool = False
    """A no answers it as well as a yes."""
    searchable: bool = False
    """Words are a query; the value is picked from results."""
    by_file: bool = False
    """Answered by sending files, never by words; no tool sets it."""
    several: bool = False
    """The value is a tuple."""
    lasting: bool = False
    """What it says may hold another time as well: neither a declaration nor a figure."""
    collects: bool = False
    """Filled in several acts, until there are as many as it takes or the person says that it is all."""
    least: Count = lambda _: 1
    """Values that a field needs."""
    most: Count = lambda _: 1
    """Values that a field that collects takes."""
    on_paper: bool = True
    """A document may propose its value: not what a person declares or picks themselves."""
    offered: bool = True
    """The bot may put a value to the person."""

    grounding: Grounding = "reading"
    """How a quote must yield the value: its readings hold it; it answers the asked question or names the field; it holds the words."""
    kin: str = ""
    """Kinds of one name here would take the same words for themselves; a kind without one has no kin."""
    common_words: bool = False
    """Its words mean other things too: they stay in the name of what was bought, and may only repeat another field's answer."""
    beside: tuple[str, ...] = ()
    """A language's entries whose words may stand beside a value and say nothing more: "at" before an hour, "people" behind a number."""
    slip_shows: bool = False
    """A message with a slip in it can be told from another answer: half an address, a code whose check digit is wrong."""
    check_digit: bool = False
    """On paper it needs no name beside it."""

    opens: bool = False
    """Its value is the address of a web page: where all of it is shown, a click opens it."""

    measure: Measure | None = None
    """A canonical value as something that can be above or below another: a number, or a day or time in ISO 8601."""
    adds: bool = False
    """Its values may be added up."""
    on_day: bool = False
    """It is the day of something."""
    money: Literal["", "amount", "currency"] = ""
    """Which half of a sum of money it is."""
    listing: Listing = "detail"
    """What it tells of a thing in a list that an operation adds to: its name, what it cost, its row, a detail, or nothing."""
    usual: Usual | None = None
    """What an operation takes for a required field that was left unsaid."""

    @property
    def family(self) -> str:
        """What its readings compete with."""
        return self.kin or self.name

    def displayed(self, field: Field, data: Data, context: Context) -> str:
        """Return the value as it is told."""
        return (self.display or self.show)(field, data, context)


class Placed(Protocol):
    """A reading with its place in a text."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


Reading = TypeVar("Reading", bound=Placed)


def text_of(given: object) -> str:
    """Return a tool's argument or a modal's entry as text, without what stands around it; empty where it is none."""
    return trimmed(given) if isinstance(given, str) else ""


def the_whole(text: str, found: Iterable[Reading]) -> Reading | None:
    """Return the first reading that is all of a text."""
    return next((one for one in found if (one.start, one.end) == (0, len(text))), None)


STRAY = re.compile(r"[^\w\s.,;:!()\"'’“”«»¡*-]|(?<![^\W\d_])-|-(?![^\W\d_])")
"""Signs that no plain answer holds beside its value: "~", "+", "<", a dash."""
LONGEST = 300
"""Characters of the longest plain answer."""


def is_short(text: str) -> bool:
    """Return True if a message is short enough to be a plain answer, and asks nothing."""
    return len(text) <= LONGEST and not asks(text)


def if_plain(read: Whole) -> Whole:
    """Return a reader of whole messages that does not look at what is too long or asks."""
    return lambda field, text, context: read(field, text, context) if is_short(text) else None
