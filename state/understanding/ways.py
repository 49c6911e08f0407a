"""Which way on a message names: its label or one of its words, with courtesies and a plain yes around it and nothing else."""

from collections.abc import Sequence

from state.form import Transition
from state.language import language_of
from state.language.table import Table, listed, listed_widely, meanings
from state.language.tokens import Token, asks, masked, tokens

COURTEOUS = (
    "polite", "yes", "offers.accepting", "offers.beside", "offers.wanting",
    "small_talk.greetings", "small_talk.thanks", "small_talk.approvals", "small_talk.small",
)  # fmt: skip


def named_way(text: str, ways: Sequence[Transition], locale: str) -> Transition | None:
    """The one way that every word of the message names or merely accompanies; a question and a "no" beside it name none."""
    language = language_of(locale)
    row = tuple(t for t in tokens(masked(text), language) if _is_word(t))
    names = {_plain(name): i for i, way in reversed(list(enumerate(ways))) for name in (way.label, *way.words)}
    called, small = meanings({n: i for n, i in names.items() if n}, language), listed_widely(language, *COURTEOUS)
    found = _covered(row, called, small, listed(language, "no", "negators", "rejected"))
    return ways[found] if found is not None and not asks(text) else None


def _covered(row: Sequence[Token], called: Table[int], small: Table[str], against: Table[str]) -> int | None:
    """What the names in the row stand for, where they all stand for one thing and only small words are beside them."""
    found, i = set[int](), 0
    while i < len(row):
        name = called.at(row, i)
        beside = small.at(row, i) if against.at(row, i) is None else None
        if name is None and beside is None:
            return None
        longer = name if name and not (beside and beside[0] > name[0]) else None
        found |= {longer[1]} if longer else set()
        i += (longer or beside or (1, ""))[0]
    return found.pop() if len(found) == 1 else None


def _plain(name: str) -> str:
    return "".join(c if c.isalnum() or c in " '’" else " " for c in name).strip()


def _is_word(token: Token) -> bool:
    return any(c.isalnum() for c in token.key)
