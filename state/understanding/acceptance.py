"""What a whole message says to an offer of the bot: it takes it, or turns it down. Anything else is for a click."""

from functools import cache

from state.language import Language, language_of
from state.language.table import Table, all_of, joined, listed, listed_widely
from state.language.tokens import asks, masked, tokens

LONGEST = 300
"""Characters of the longest answer to an offer."""


def is_acceptance(text: str, locale: str) -> bool:
    """Return True if the whole message takes the offer and says nothing else."""
    language = language_of(locale)
    return _is_all(text, _taking(language), _beside(language), language)


def is_refusal(text: str, locale: str) -> bool:
    """Return True if the whole message turns the offer down and says nothing else."""
    language = language_of(locale)
    return _is_all(text, _refusing(language), listed(language, "polite"), language)


def is_about_all(text: str, locale: str) -> bool:
    """Return True if the whole message takes or turns down several things at once ("yes to both", "alle bestätigen")."""
    language = language_of(locale)
    said = joined(joined(_taking(language), _refusing(language)), _beside(language))
    beside = joined(said, listed_widely(language, "offers.confirming", "small"))
    return _is_all(text, listed_widely(language, "offers.all_of"), beside, language)


def _is_all(text: str, said: Table[str], beside: Table[str], language: Language) -> bool:
    """Return True if a phrase of one table stands in the message, and nothing but such phrases and those of the other."""
    row = tokens(masked(text), language)
    return len(text) <= LONGEST and not asks(text) and said.holds(row) and all_of(row, joined(said, beside))


@cache
def _taking(language: Language) -> Table[str]:
    return joined(listed(language, "yes", "acknowledging"), listed_widely(language, "offers.accepting"))


@cache
def _refusing(language: Language) -> Table[str]:
    return joined(listed(language, "no"), listed_widely(language, "offers.refusing"))


@cache
def _beside(language: Language) -> Table[str]:
    return joined(listed(language, "polite"), listed_widely(language, "offers.beside"))
