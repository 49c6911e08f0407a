"""What a sum buys: "half a million pounds worth of Apple", "Apple im Wert von 5.000 Euro"."""

from collections.abc import Collection, Iterator, Sequence

from state.fields.base import Context
from state.fields.values.amounts import amounts
from state.fields.values.marks import marks
from state.fields.values.reach import place
from state.language.table import listed
from state.language.tokens import Token

Row = Sequence[Token]


def bought_after(text: str, row: Row, common: Collection[str], context: Context) -> Iterator[int]:
    """The tokens behind a sum and the words that lead from it to what it buys. `common`: words of which a capital makes no name."""
    of, into = listed(context.language, "worth_of"), listed(context.language, "worth_in")
    for i in sorted({place(row, end) for end in _ends(text, context)}):
        if i >= len(row) or row[i].stop:
            continue
        leads, may_lead = of.at(row, i), into.at(row, i)
        if leads:
            yield i + leads[0]
        elif may_lead and _is_name(text, row, i + may_lead[0], common):
            yield i + may_lead[0]
        elif _is_name(text, row, i, common):
            yield i


def names_worth(text: str, row: Row, context: Context) -> bool:
    """Whether the message says of a thing what it is worth: "Apple im Wert von 5.000 Euro", "Apple, about 10 grand"."""
    sums = [place(row, a.start) for a in amounts(text, context)]
    worth = listed(context.language, "worth_before").spans(row)
    before = any(after <= i <= after + 2 for _, after, _ in worth for i in sums)
    cut = next((i for i, t in enumerate(row) if i and t.stop), 0)
    return before or (bool(sums) and 0 < cut <= min(sums) and all(text[t.start].isupper() for t in row[:cut]))


def _ends(text: str, context: Context) -> Iterator[int]:
    yield from (a.end for a in amounts(text, context))
    yield from (max(m.end, m.told) for m in marks(text, context) if not m.weak)


def _is_name(text: str, row: Row, i: int, common: Collection[str]) -> bool:
    return i < len(row) and text[row[i].start].isupper() and row[i].key not in common
