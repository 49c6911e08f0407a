"""A whole message as an answer: a value of the asked field, a pick from results on screen, an offer accepted or refused."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter

from state.draft.draft import Draft, Option
from state.draft.missing import missing, reachable
from state.fields import kind_of
from state.fields.base import Candidate, Context, is_short
from state.fields.naming import Spans
from state.fields.text import is_few_words
from state.fields.values.numerals import position
from state.form import Field, Form
from state.form.field import Data
from state.language import LANGUAGES, Language, language_of, understood
from state.language.table import (
    Table,
    all_of,
    clauses,
    joined,
    listed,
    listed_everywhere,
    listed_widely,
    meanings,
    phrases,
)
from state.language.tokens import asks, masked, tokens
from state.understanding.evidence import normalized

NAMING_FACTS = ("name", "ticker", "symbol", "isin", "sedol", "cusip", "figi")
"""Facts of an option by which people name it exactly."""


def read_whole(field: Field, text: str, context: Context) -> Data | None:
    """Return the canonical value, when the whole message is a plain answer to this field; None when it says anything else."""
    return None if is_of_another_time(field, text, context) else kind_of(field).whole(field, text, context)


def is_of_another_time(field: Field, text: str, context: Context) -> bool:
    """Return True if what is so today was asked for, and the words speak of a wish or of another time."""
    return field.now and listed_everywhere(context.language, "other_times").holds(
        tokens(masked(text), context.language)
    )


def read_pick(options: Sequence[Option], text: str) -> Option | None:
    """Return the one option that the message names by its place, label or identifier; "yes" where there is only one. Never a guess."""
    if not options or not is_short(text):
        return None
    place = next((p for lang in LANGUAGES.values() if (p := position(text, len(options), lang))), None)
    if place is not None:
        return options[place - 1]
    picked = [o for o in options if any(_names(o, text, language) for language in LANGUAGES.values())]
    if len(picked) == 1:
        return picked[0]
    for language in LANGUAGES.values() if len(options) == 1 else ():
        picking, polite = listed(language, "yes", "offers.picking"), listed(language, "polite").rows
        said = tuple(t for t in tokens(masked(text), language) if t.key not in polite)
        if picking.at(said, 0) and all_of(said, joined(picking, listed(language, "offers.pointing"))):
            return options[0]
    return None


AGAINST = ("no", "negators", "rejected", "offers.refusing", "offers.keeping")
AMONG = ("polite", "small", "offers.picking", "offers.pointing", "offers.among")


def turns_all_down(text: str) -> bool:
    """Return True if the message says in any language of results on screen that it is none of them, and nothing else ("no, not that one")."""
    return any(_is_all(text, listed(one, *AGAINST), listed(one, *AMONG), one) for one in LANGUAGES.values())


def says_enough(text: str, language: Language) -> bool:
    """Return True if the message says that there is no more to tell, and nothing else ("no, that's everything")."""
    return _is_all(text, listed_widely(language, "enough"), listed_widely(language, "no", "polite", "small"), language)


def calls_unlisted(field: Field, sought: str, text: str, context: Context) -> bool:
    """Return True if the message says that a thing, or what was `sought`, is not in the list, and nothing else."""
    language = context.language
    beside = listed(language, "polite", "small", "no", "offers.pointing", "offers.picking")
    called = phrases((*sought.split(), field.label, *field.words), language)
    return _is_all(text, listed(language, "offers.unlisted"), joined(called, beside), language)


def _names(option: Option, text: str, language: Language) -> bool:
    said = _keys(text, language)
    facts = (str(option.facts[name]) for name in NAMING_FACTS if option.facts.get(name))
    names = (option.id, option.label, option.label.partition("(")[0], *option.detail.split("·"), *facts)
    return bool(said) and any(_keys(name, language) == said for name in names)


def _keys(text: str, language: Language) -> tuple[str, ...]:
    """Return the words that count, courtesies and articles left out."""
    small = listed(language, "polite", "small", "offers.pointing").rows
    return tuple(t.key for t in tokens(masked(text), language) if t.key not in small)


LONGEST = 300
"""Characters of the longest answer to an offer."""


def is_courtesy(text: str, locale: str) -> bool:
    """Return True if the message is a word of approval beside thanks ("OK, thank you"): it ends a talk, and takes nothing that nobody said."""
    row, language = tokens(masked(text), language_of(locale)), language_of(locale)
    thanks = listed_everywhere(language, "small_talk.thanks")
    return len(row) > 1 and thanks.holds(row) and all_of(row, joined(thanks, _approving(language)))


@cache
def _approving(language: Language) -> Table[str]:
    return phrases((p for one in LANGUAGES.values() for p in one.small_talk.approvals if " " not in p), language)


def is_acceptance(text: str, locale: str) -> bool:
    """Return True if the whole message takes the offer and says nothing else."""
    language = language_of(locale)
    return _is_all(text, _taking(language), _beside(language), language)


def is_refusal(text: str, locale: str) -> bool:
    """Return True if the whole message turns the offer down and says nothing else."""
    language = language_of(locale)
    return _is_all(text, _refusing(language), listed_everywhere(language, "polite"), language)


def keeps_what_stands(text: str, locale: str) -> bool:
    """Return True if the whole message leaves an answer that was asked for anew as it is."""
    language = language_of(locale)
    beside = listed_everywhere(language, "polite", "hesitating", "corrections.cues")
    return _is_all(text, listed_everywhere(language, "no", "offers.keeping"), beside, language)


def is_about_all(text: str, locale: str) -> bool:
    """Return True if the whole message takes or turns down several things at once ("yes to both", "alle bestätigen")."""
    language = language_of(locale)
    said = joined(joined(_taking(language), _refusing(language)), _beside(language))
    beside = joined(said, listed_widely(language, "offers.confirming", "small"))
    return _is_all(text, listed_widely(language, "offers.all_of"), beside, language)


def takes_all(text: str, locale: str) -> bool:
    """Return True if the whole message takes all that was offered ("use all of it", "yes to all of it")."""
    refuses = _refusing(language_of(locale)).holds(tokens(masked(text), language_of(locale)))
    every = listed_widely(language_of(locale), "offers.all_of").holds(tokens(masked(text), language_of(locale)))
    return every and not refuses and (is_about_all(text, locale) or is_acceptance(text, locale))


def finds_right(text: str, locale: str, *, whole: bool = True) -> bool | None:
    """Return True or False if the message finds a summary right or wrong, in any language, and names nothing in it; None for anything else.

    A no beside words that find it right ("No, all good") turns down nothing of it. `whole`: every word of it is known.
    """
    if len(text) > LONGEST or asks(text):
        return None
    own, said = language_of(locale), masked(text)
    known = ((one, _findings(one).covered(tokens(said, one)), tokens(said, one)) for one in (own, *LANGUAGES.values()))
    shares = {one: len(some) / (len(row) or 1) for one, some, row in known if len(some) == len(row) > 0 or not whole}
    likeliest = max(shares, key=shares.__getitem__, default=own)
    return _finds(said, likeliest) if shares and (likeliest is own or shares[likeliest] > MOSTLY) else None


MOSTLY = 0.5
"""Share of its words by which a message is taken for another language than the form's."""


def _finds(said: str, language: Language) -> bool | None:
    table, no, beside = _findings(language), listed_widely(language, "no"), listed_widely(language, *FINDINGS[""])
    found = {
        "no" if meaning == "wrong" and all_of(clause[:1], no) and all_of(clause[1:], beside) else meaning
        for clause in clauses(said, language)
        for _, _, meaning in table.spans(clause)
    }
    return False if "wrong" in found else True if "right" in found else False if "no" in found else None


FINDINGS: Mapping[str, tuple[str, ...]] = {
    "wrong": ("review.wrong", "negators"),
    "no": ("no",),
    "right": ("review.right", "enough", "yes", "acknowledging", "offers.accepting", "small_talk.approvals"),
    "": ("review.beside", "small", "polite", "offers.beside", "offers.pointing", "small_talk.thanks"),
}  # fmt: skip
"""Entries of a language by what they say of a summary; the first one that a phrase stands in counts."""


@cache
def _findings(language: Language) -> Table[str]:
    found: dict[str, str] = {}
    for meaning, entries in FINDINGS.items():
        for spoken in understood(language):
            said = [phrase for entry in entries for phrase in attrgetter(entry)(spoken)]
            orders = spoken.commands.orders["submit"] if meaning == "right" else ()
            found = {**dict.fromkeys((*said, *orders), meaning), **found}
    return meanings(found, language)


def _is_all(text: str, said: Table[str], beside: Table[str], language: Language) -> bool:
    """Return True if a phrase of one table stands in the message, and nothing but such phrases and those of the other."""
    row = tokens(masked(text), language)
    return len(text) <= LONGEST and not asks(text) and said.holds(row) and all_of(row, joined(said, beside))


@cache
def _taking(language: Language) -> Table[str]:
    return joined(
        listed(language, "acknowledging"), listed_everywhere(language, "yes", "offers.accepting", "offers.picking")
    )


@cache
def _refusing(language: Language) -> Table[str]:
    return listed_everywhere(language, "no", "offers.refusing", "offers.keeping")


@cache
def _beside(language: Language) -> Table[str]:
    return listed_everywhere(language, "polite", "offers.beside")


FEW_CHOICES = 6
"""Choices of the longest list whose words are no name: of a longer one, such as provinces, a town may be called the same."""
BESIDE_VALUES = ("small", "polite", "leading", "breaks", "units", "no", "corrections.cues", "offers.among")
"""Words beside values that say nothing more."""


def tells_others(form: Form, draft: Draft, asked: Field | None, text: str, context: Context) -> bool:
    """Return True if words to a question for a text are values of other fields and nothing else: a choice, a sum with its currency ("sell 30").

    Where many words were asked for they hold two values or more.
    """
    if asked is None or not kind_of(asked).verbatim or kind_of(asked).find(asked, text, context):
        return False
    found = [*_values_in(form, draft, text, context)]
    several = len({*Spans((one.start, one.end) for _, one, _ in found)}) > 1
    sure = several or (asked.short and any(plain for *_, plain in found))
    telling = any(f.choices or plain for f, _, plain in found)
    return telling and sure and _holds_only([(f, one) for f, one, _ in found], text, context)


def tells_another(form: Form, draft: Draft, asked: str, text: str, context: Context) -> bool:
    """Return True if a few words say what another field lacks and nothing else ("in my ISA", "about 800 pounds"): they may be no reason."""
    if not is_few_words(text):
        return False
    lacking = [
        f for f in missing(form, draft) if f.name != asked and not kind_of(f).polar and not kind_of(f).declaration
    ]
    found = [(f, r) for f in lacking for r in kind_of(f).find(f, text, context)]
    return bool(found) and _holds_only(found, text, context, "estimates")


def _holds_only(found: Sequence[tuple[Field, Candidate]], text: str, context: Context, *more: str) -> bool:
    """Return True if nothing but these values is in a text, with the names of their fields and words that say nothing more."""
    row, places = tokens(masked(text), context.language), Spans((r.start, r.end) for _, r in found)
    called = phrases((w for f, _ in found for w in (f.label, *f.words)), context.language)
    known = joined(called, listed_widely(context.language, *BESIDE_VALUES, *more)).covered(row)
    return all(i in known or places.hits(t.start, t.end) for i, t in enumerate(row))


def _values_in(form: Form, draft: Draft, text: str, context: Context) -> Iterator[tuple[Field, Candidate, bool]]:
    """Yield what other fields read in the words, and if that is plain: a sum, a choice by its name.

    Another word for a choice that stands already is a word like any other ("a hamper" of a gift).
    """
    for field in reachable(form, draft):
        kind, held = kind_of(field), draft.values.get(field.name)
        if kind.verbatim or kind.searchable or kind.declaration or len(field.choices) > FEW_CHOICES:
            continue
        for one in kind.find(field, text, context):
            choice = field.choice(one.data) if field.choices else None
            said = normalized(text[one.start : one.end])
            plain = (
                said in (normalized(choice.label), normalized(choice.value))
                if choice
                else bool(kind.money) and any(c.isalpha() or unicodedata.category(c) == "Sc" for c in said)
            )
            if plain or choice is None or held is None or held.data != one.data:
                yield field, one, plain


def opens_another(form: Form, draft: Draft, asked: str, text: str, context: Context) -> Field | None:
    """Return the missing text that alone is answered by words that begin so ("it must …"); None where it is the asked one, or the person insists.

    Who types again what was shown to them as the answer to that one means the question that is asked.
    """
    row = tokens(masked(text), context.language)
    open_ones = (f for f in missing(form, draft) if f.opens)
    field = next((f for f in open_ones if phrases(f.opens, context.language).at(row, 0)), None)
    said = normalized(text)
    shown = field is not None and any(o.field == field.name and normalized(o.said) == said for o in draft.offers)
    other = form.fields.get(asked)
    own = field is not None and other is not None and field.base == other.base
    return None if field is None or shown or own else field
