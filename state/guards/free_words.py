"""The two shapes in which a model's own words may reach a person: a question and an answer, where people talk with operations.

Shape is no proof: what passes is followed by the code's own line of what was done, so no claim that slips through is the last word.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from state.draft.draft import Draft
from state.draft.reply import Reply
from state.fields.base import Context
from state.fields.currency import CURRENCIES
from state.fields.values.numerals import may_be_article, numerals, total
from state.fields.values.periods import periods
from state.form import Form
from state.guards.markup import reads_as_code
from state.guards.sentences import sentences
from state.guards.speech import speaks_of_machinery
from state.guards.statements import PARTS
from state.language import LANGUAGES
from state.language.claims import Claim, claims, level, says_done
from state.understanding.evidence import said_by_person

LONGEST = 300
"""Characters."""
MARKED = re.compile(r"[<>@#|*_~`\[\]{}\\]|//|[^\W\d_][.。][^\W\d_]{2}")
"""A link, a mention, or what Slack or a page would set in another way."""
UNSEEN = ("Cc", "Cf", "Co", "Cs", "Cn")
FIGURE = re.compile(r"\d+(?:[.,:/'’-]\d+)*")
AMOUNT = re.compile(r"(\d+)(?:[.,](\d{1,2}))?")
WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class _Known:
    """What a model may name: the person's own words, and those of the form."""

    form: Form
    draft: Draft
    context: Context

    @cached_property
    def lines(self) -> tuple[str, ...]:
        return tuple(unicodedata.normalize("NFKC", line.text) for line in said_by_person(self.draft))

    @cached_property
    def contexts(self) -> tuple[Context, ...]:
        """The person's day in every language: a model may write in any."""
        return tuple(Context(language.example, self.context.today) for language in LANGUAGES.values())

    @cached_property
    def figures(self) -> frozenset[str]:
        return frozenset(figure for line in self.lines for figure in _figures(line))

    @cached_property
    def values(self) -> frozenset[Decimal]:
        every = (total(n, c) for line in self.lines for c in self.contexts for n in numerals(line, c))
        return frozenset(value for value in every if value is not None)

    @cached_property
    def days(self) -> frozenset[str]:
        today = f"{self.context.today}/{self.context.today}"
        return frozenset((today, *(day for line in self.lines for day in self.days_of(line))))

    @cached_property
    def words(self) -> frozenset[str]:
        form = self.form
        fields = [field for operation in form.operations.values() for field in operation.fields.values()]
        named = (text for f in fields for text in (f.label, *f.words, *(c.label for c in f.choices)))
        texts = (*self.lines, form.title, *form.words, *form.called, *named)
        return frozenset(level(word) for text in texts for word in WORD.findall(text))

    def days_of(self, text: str) -> frozenset[str]:
        """The days and stretches of days that a text names, in whatever language."""
        return frozenset(period.data for context in self.contexts for period in periods(text, context))


def flaw_of_words(form: Form, draft: Draft, reply: Reply, context: Context) -> str:
    """Return what keeps a reply's words from being shown as a question or an answer, as a clause for the model; empty if nothing does."""
    text = unicodedata.normalize("NFKC", flattened(reply))
    known, parts = _Known(form, draft, context), [part.strip() for part in sentences(text)]
    asks = len(parts) == 1 and _is_question(text)
    stated = [clause for part in parts for clause in _stated(part)]
    if _is_marked(reply.text, text):
        return f"words are plain text, without markup, links, mentions or code, of at most {LONGEST} characters"
    if (reply.asks and not asks) or text.count("?") > (1 if text.endswith("?") else 0):
        return "a question is one sentence, and ends in its only question mark"
    if _has_strange_figure(known, text):
        return "it names a figure that the user did not say; call an operation for figures"
    if any(map(_claims, stated)):
        return "it says that something was done; only a call does it"
    named = any(_names(known, part) for part in (stated if asks else parts))
    return "it names a day, somebody or something that the user did not name" if named else ""


def flattened(reply: Reply) -> str:
    """Return a reply's words in one line, so that none of them looks like a line of the code's own."""
    return " ".join(reply.text.split())


def _is_question(text: str) -> bool:
    """Return True if it ends in its one question mark."""
    return text.endswith("?") and text.count("?") == 1


def _stated(sentence: str) -> list[str]:
    """Return what a sentence states: all of it, or of a question what stands before its last clause ("I added it, ok?")."""
    return PARTS.split(sentence)[:-1] if _is_question(sentence) else [sentence]


def _is_marked(written: str, text: str) -> bool:
    """Return True if it holds no word, is too long, set in markup, partly unseen, or written for code."""
    unseen = any(unicodedata.category(c) in UNSEEN and not c.isspace() for c in written)
    marked = unseen or MARKED.search(text) is not None
    return not WORD.search(text) or len(text) > LONGEST or marked or reads_as_code(text) or speaks_of_machinery(text)


def _has_strange_figure(known: _Known, text: str) -> bool:
    """Return True if it holds a number, in any digits or in words, that the person did not say."""
    signs = {c for c in text if unicodedata.numeric(c, None) is not None and not c.isdecimal()}
    spelled = {total(n, c) for c in known.contexts for n in numerals(text, c) if n.words and not may_be_article(n)}
    strange = (figure for figure in _figures(text) - known.figures if _value(figure) not in known.values)
    return bool(signs - set("".join(known.lines)) or spelled - known.values or any(strange))


def _figures(text: str) -> frozenset[str]:
    """Return its figures with plain digits and without closing zeros, so that "3,50" is "3.5"."""
    plain = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
    return frozenset(_shortened(match.group()) for match in FIGURE.finditer(plain))


def _shortened(figure: str) -> str:
    amount = AMOUNT.fullmatch(figure)
    return f"{amount[1]}.{amount[2] or ''}".rstrip("0").rstrip(".") if amount and amount[2] else figure


def _value(figure: str) -> Decimal | None:
    return Decimal(figure) if AMOUNT.fullmatch(figure) else None


def _claims(clause: str) -> bool:
    """Return True if it says that something was done, filed or cancelled."""
    return says_done(clause) or any(claims(clause, claim) for claim in (Claim.FILED, Claim.CANCELLED))


def _names(known: _Known, sentence: str) -> bool:
    """Return True if it names a day, or somebody or something, that the person did not name."""
    names = (name for name in _capitalised(sentence) if name not in CURRENCIES)
    return bool(known.days_of(sentence) - known.days) or any(level(name) not in known.words for name in names)


def _capitalised(sentence: str) -> Iterator[str]:
    """Yield the words with a capital inside the sentence, and all in letters that know no capitals."""
    for place, word in enumerate(WORD.findall(sentence)):
        cased = word[0].lower() != word[0].upper()
        if (len(word) > 1 and place and not word[0].islower()) or not cased:
            yield word
