"""Which way on a message names: its label or its words, with fillers, courtesies and a plain yes around them and nothing else."""

from collections.abc import Sequence

from state.form import Transition
from state.language import language_of
from state.language.table import listed_widely, meanings
from state.language.tokens import asks, masked, tokens

BESIDE = ("orders.fillers", "small", "polite", "yes", "offers.accepting", "small_talk.thanks", "small_talk.approvals")


def named_way(text: str, ways: Sequence[Transition], locale: str) -> Transition | None:
    """Return the one way that the whole message names; a question, and any word beside, names none."""
    language = language_of(locale)
    row, beside = tokens(masked(text), language), listed_widely(language, *BESIDE)
    names = {_plain(name): i for i, way in reversed(list(enumerate(ways))) for name in (way.label, *way.words)}
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
