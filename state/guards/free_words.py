"""The two shapes in which a model's own words may reach a person: a question, and an answer where people talk with operations.

Shape is no proof. So a question stands where the form lets a model ask and is bound by the form's own rules as well (`persona`), and an
answer is followed by the code's own line of what was done.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import dropwhile

from state.draft.display import plainly
from state.draft.draft import Draft
from state.draft.reply import Reply
from state.fields.base import Context
from state.fields.money import CURRENCIES
from state.fields.values.numerals import numerals
from state.fields.values.periods import periods
from state.form import Form
from state.language import LANGUAGES
from state.language.language import Language
from state.understanding.evidence import holds_quote, normalized, said_by_person

LONGEST = 300
"""Characters of an answer."""
LONGEST_QUESTION = 160
SHORTEST = 4
"""Letters from which a word says something by itself."""
LEAST = 3
"""The same in the line that is answered."""
REACH = 2
"""Words at the beginning of a clause among which a question word makes a question of it ("in which …")."""
MARKED = re.compile(r"[<>@#|*_~`\[\]{}\\]|//|[^\W\d_][.。][^\W\d_]{2}")
"""A link, a mention, or what Slack or a page would set in another way."""
UNSEEN = ("Cc", "Cf", "Co", "Cs", "Cn")
FIGURE = re.compile(r"\d+(?:[.,:/'’-]\d+)*")
AMOUNT = re.compile(r"\d+(?:[.,]\d{1,2})?")
WORD = re.compile(r"[^\W\d_]+")
ENDED = re.compile(r"[.!?…。！？]+[\"”»’)]*\s")
STARTS = re.compile(r"(?<=\w{4}\.)\s+|(?<=[!?…])[\"”»’)]*\s+")
CLAUSES = re.compile(r"[,;:…]\s|\s[-–—]+\s|[–—()/]")
QUOTED = re.compile(r"[\"“”«»„‟]([^\"“”«»„‟]*)[\"“”«»„‟]?")


@dataclass(frozen=True)
class Known:
    """Everything that a model may name: the person's words and the form's."""

    form: Form
    draft: Draft
    context: Context

    @cached_property
    def values(self) -> tuple[str, ...]:
        """Return the draft's answers as people read them."""
        given = ((self.form.fields[n], v) for n, v in self.draft.values.items() if n in self.form.fields)
        return tuple(v.label or plainly(field, v.data, self.context) for field, v in given)

    @cached_property
    def told(self) -> tuple[str, ...]:
        """Return the person's lines, and the words behind their answers."""
        words = (v.provenance.words for v in self.draft.values.values())
        heard = (*(line.text for line in said_by_person(self.draft)), *words, *self.values)
        return tuple(unicodedata.normalize("NFKC", text) for text in heard)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Return those, and the form's names and questions."""
        form = self.form
        fields = (*form.fields.values(), *(f for o in form.operations.values() for f in o.fields.values()))
        own = ((f.label, f.ask, f.again, *f.words, *(choice.label for choice in f.choices)) for f in fields)
        return (*self.told, form.title, *form.words, *form.called, *(text for texts in own for text in texts))

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(word for text in self.texts for word in _words(text))

    @cached_property
    def contexts(self) -> tuple[Context, ...]:
        """Return the person's day in every language: a model may write in any."""
        return tuple(Context(language.example, self.context.today) for language in LANGUAGES.values())

    @cached_property
    def figures(self) -> frozenset[Decimal | str | None]:
        """Return all figures that were said, in digits or in words of any language."""
        spelled = (n.value for text in self.told for c in self.contexts for n in numerals(text, c))
        return frozenset((*spelled, *(figure for text in self.told for figure in _figures(text))))

    @cached_property
    def days(self) -> frozenset[str]:
        today = f"{self.context.today}/{self.context.today}"
        return frozenset((today, *(day for text in self.told for day in self.days_of(text))))

    def days_of(self, text: str) -> frozenset[str]:
        """Return the days and stretches of days that a text names, in whatever language."""
        return frozenset(period.data for context in self.contexts for period in periods(text, context))


def flaw_of_words(form: Form, draft: Draft, reply: Reply, context: Context) -> str:
    """Return why a reply to somebody who talks with operations may not be shown, as a clause for the model; empty if it may."""
    text, known = unicodedata.normalize("NFKC", flattened(reply)), Known(form, draft, context)
    if reply.asks or is_question(text):
        return flaw_of_question(known, reply.text, LANGUAGES.values())
    if flaw := _flaw(known, reply.text, LONGEST):
        return flaw
    if text.rstrip("?").count("?") or text.endswith("??"):
        return "an answer asks no more than one thing, at its end"
    strange = known.days_of(text) - known.days or any(named(known, text))
    return "it names a day, somebody or something that the user did not name" if strange else ""


def flaw_of_question(known: Known, written: str, languages: Iterable[Language]) -> str:
    """Return why words may not be shown as a question in one of the languages; empty if they may."""
    text, languages = unicodedata.normalize("NFKC", " ".join(written.split())), tuple(languages)
    if flaw := _flaw(known, written, LONGEST_QUESTION):
        return flaw
    if not is_question(text):
        return "a question is one sentence, and ends in its only question mark"
    clauses = clauses_of(text, languages)
    beside = [clause for clause in clauses if not any(_asks(clause, language) for language in languages)]
    if len(clauses) - len(beside) != 1 or any(_asks_on(clause, spoken) for clause in clauses for spoken in languages):
        return "it is not one question that begins as a question does"
    if not all(_is_told(known, clause) for clause in beside):
        return "it states something beside its question"
    quotes = (quote for quote in QUOTED.findall(text) if not any(holds_quote(told, quote) for told in known.texts))
    return "it quotes what the user did not say" if any(quotes) else ""


def flattened(reply: Reply) -> str:
    """Return a reply's words in one line, so that none of them looks like a line of the code's own."""
    return " ".join(reply.text.split())


def is_question(text: str) -> bool:
    """Return True if it is one sentence that ends in its only question mark."""
    return text.endswith("?") and text.count("?") == 1 and not ENDED.search(text)


def clauses_of(text: str, languages: Iterable[Language]) -> list[str]:
    """Return its parts, at commas and other marks; where grammar alone wants the comma, it parts nothing."""
    linked = "|".join(word for language in languages for word in language.asking.clauses)
    whole = re.sub(rf",\s+(?=(?:{linked})\b)", " ", text, flags=re.IGNORECASE) if linked else text
    return [clause for clause in CLAUSES.split(whole) if WORD.search(clause)]


def sentences(text: str) -> list[str]:
    """Return its sentences; a full stop ends one behind a word of four letters or more: what follows "Dr." is a name."""
    return STARTS.split(text)


def repeats(text: str, lines: Iterable[str], least: int = SHORTEST, besides: str = "") -> bool:
    """Return True if it says a word of so many letters again that stands in the lines, and is no article."""
    small = {article for language in LANGUAGES.values() for article in language.small} | {*_words(besides)}
    said = {word for word in _words(text) if len(word) >= least} - small
    return any(said & {*_words(line)} for line in lines)


def begins(clause: str, entries: Iterable[str], reach: int = 1) -> bool:
    """Return True if one of the first words is listed; an entry that ends in "*" lists every word that begins so."""
    whole, open_ones = {e for e in entries if e[-1] != "*"}, tuple(e[:-1] for e in entries if e[-1] == "*")
    return any(word in whole or word.startswith(open_ones) for word in _words(clause)[:reach])


def named(known: Known, text: str) -> Iterator[str]:
    """Yield the words with a capital inside a sentence, and all in letters that know no capitals, that nobody has said before."""
    words = ((place, word) for sentence in sentences(text) for place, word in enumerate(WORD.findall(sentence)))
    for place, word in words:
        cased = word[0].lower() != word[0].upper()
        if not cased or (len(word) > 1 and place and not word[0].islower()):
            yield from () if word in CURRENCIES or normalized(word) in known.words else (word,)


def _words(text: str) -> list[str]:
    return WORD.findall(normalized(text))


def _is_told(known: Known, clause: str) -> bool:
    """Return True if the person said it, small words at its beginning apart ("for dinner, …")."""
    rest = " ".join(dropwhile(lambda word: len(word) < SHORTEST, clause.strip(" ¿¡?").split()))
    return bool(rest) and any(holds_quote(told, rest) for told in known.told)


def _asks(clause: str, language: Language) -> bool:
    """Return True if it begins as a question does."""
    return begins(clause, language.asking.words, REACH) or begins(clause, language.asking.verbs)


def _asks_on(clause: str, language: Language) -> bool:
    """Return True if a question follows an "and" or an "or" in it."""
    words, joining = _words(clause), {*language.and_words, *language.or_words}
    return any(word in joining and _asks(" ".join(words[n:]), language) for n, word in enumerate(words, 1))


def _flaw(known: Known, written: str, longest: int) -> str:
    text = unicodedata.normalize("NFKC", " ".join(written.split()))
    if _is_marked(written, text) or len(text) > longest:
        return f"words are plain text, without markup, links, mentions or code, of at most {longest} characters"
    strange = _is_strange(known, text)
    return "it names a figure that the user did not say; call an operation for figures" if strange else ""


def _is_marked(written: str, text: str) -> bool:
    """Return True if it holds no word, is set in markup, partly unseen, or written for code."""
    unseen = any(unicodedata.category(c) in UNSEEN and not c.isspace() for c in written)
    return not WORD.search(text) or unseen or MARKED.search(text) is not None or reads_as_code(text)


def _is_strange(known: Known, text: str) -> bool:
    """Return True if it holds a number, in any digits or in words, that the person did not say."""
    signs = {c for c in text if unicodedata.numeric(c, None) is not None and not c.isdecimal()}
    spelled = {n.value for c in known.contexts for n in numerals(text, c) if n.words and not n.weak}
    found = {*spelled, *_figures(text)} - {None}
    return bool(signs - set("".join(known.told)) or (found and found - known.figures))


def _figures(text: str) -> Iterator[Decimal | str]:
    """Yield its figures: one with at most two decimals by its amount, any other as it is written."""
    yield from (Decimal(f.replace(",", ".")) if AMOUNT.fullmatch(f) else f for f in FIGURE.findall(text))


QUOTES = "\"'`“”„‟‘’‚‛«»‹›＂＇"
KEYS = "action|trigger|arguments?|args|tool|params|parameters"
OWN = r"tool_calls?|tool_use|next_state|confirmationSuggested|confirmationMessage"
MARKUP = re.compile(
    rf"""
      [{{}}❴❵⦃⦄`]                                       # braces, and code between ticks
    | ^\s*(?:[-–—―_=*~\#]\s*){{2,}}$                    # a line of nothing but strokes
    | (?:[-–—―=~]\s?){{2,}}\s*$ | [_*\#]{{3,}}\s*$      # or one that ends in them
    | "[a-z_][\w ]*"\s*:                               # a key
    | [{QUOTES}][A-Za-z_][\w ]*[{QUOTES}]\s*[:=]\s*[{QUOTES}\[\d]   # with its value, in other quotes
    | \[\s*[{QUOTES}\[]                                # a list
    | ^\s*\[+[a-z_.]+\]+\s*$                           # a table's head
    | </?[a-z!?]                                       # a tag
    | \\["'nrtux{{\[]                                   # an escape
    | &(?:quot|apos|lt|gt|amp|[lr]cub|\#\w+);          # an entity
    | \b[A-Za-z]\w*(?:=\S|\s*=\s*["'\d])              # a setting
    | \b[a-z]+(?:_[a-z0-9]+)+\s*[:=(]                  # a name that is given something
    | \b[a-z]+\([a-z_]+\s*[=:]                         # a call
    | \b(?i:{KEYS})\W{{0,3}}[:=]                       # a key without its quotes
    | \b(?:{OWN})\b
    """,
    re.VERBOSE | re.MULTILINE,
)
INVISIBLE = "Cf"


def reads_as_code(text: str, names: Iterable[str] = ()) -> bool:
    """Return True if a text holds, or is, JSON, a fence, a tag, a call or a key; `names` are those of tools and fields that it may not speak of."""
    plain = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != INVISIBLE)
    return bool(MARKUP.search(plain)) or _is_json(plain) or any("_" in name and name in plain for name in names)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
