"""A note's text as a table of fills, added up. Labels count as a whole; what could be read in two ways is a doubt, and no figure."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from state.draft.display import currency_field, report_form, table_of
from state.draft.draft import Draft
from state.fields import kind_of
from state.fields.base import Context, Unreadable
from state.form import Field, Form
from state.form.field import Data
from state.form.filing import NoteTable
from state.understanding.documents import UNCLEAR, Mark, as_day, as_number, as_sum, decimal_marks, has_money

LETTERS, SUMS, SEVERAL = "letters", "sums", "several"
"""Doubts: letters or digits that look like others; amounts that do not come to one; more than one day, side, currency or other answer."""
PRICE, TOTAL, ASIDE = "price", "total", "aside"
"""Labels that are no figure: the price of one, a row of sums, and everything beside the trade: costs, other days, numbers of accounts."""
QUOTED = 200
PENNY, HUNDRED = Decimal("0.01"), 100
ROUNDED = Decimal("0.005")
"""The part by which a number times its printed price may miss the printed amount."""
CELLS = re.compile(r"\t| {2,}")
PLAIN = frozenset("\n\r\t")
LATIN = frozenset("ªºµ")
Own = Mapping[str, tuple[Any, str]]
Item = tuple[str, str, str]
"""A label's name, what it says, and the line."""


@dataclass(frozen=True)
class NoteReading:
    """The figures by field, canonical, each with its line; and why they may not be what the file says."""

    figures: Mapping[str, tuple[Data, str]] = field(default_factory=dict)
    doubts: frozenset[str] = frozenset()


def read_note(form: Form, draft: Draft, text: str, own: Own, context: Context) -> NoteReading:
    """Read a note's figures. `own` are those that rules.py found: a figure that labels cannot tell."""
    return _Reader(form, draft, text, context).read(own) if form.filing.note else NoteReading()


@dataclass
class _Fills:
    """The values under one label: those of each fill, and what the file says they come to."""

    rows: list[Any] = field(default_factory=list)
    labelled: list[Any] = field(default_factory=list)
    line: str = ""

    @property
    def each(self) -> list[Any]:
        return self.rows or self.labelled


class _Reader:
    def __init__(self, form: Form, draft: Draft, text: str, context: Context) -> None:
        self._form, self._draft, self._mini, self._context = form, draft, report_form(form), context
        self._note = form.filing.note or NoteTable()
        self._labels = dict(_labels(form, self._note))
        self._doubts = {LETTERS} if any(map(_is_odd, text)) else set[str]()
        spaced = "".join(" " if unicodedata.category(c) == "Zs" else c for c in text)
        self._lines = [
            [cell for c in CELLS.split(line) if (cell := " ".join(c.split()))] for line in spaced.splitlines()
        ]
        self._items: list[Item] = []
        self._totals: list[str] = []
        self._rows: list[dict[str, str]] = []
        self._collect([cells for cells in self._lines if cells])
        cells = (cell for row in self._rows for name, cell in row.items() if name)
        said = [*(said for _, said, _ in self._items), *self._totals, *cells]
        marks = decimal_marks(one for one in said if not as_day(one))
        self._mark: Mark | None = next(iter(marks)) if len(marks) == 1 else None
        if len(marks) > 1:
            self._doubts.add(SUMS)

    def read(self, own: Own) -> NoteReading:
        """Return every figure that is told once, or adds up."""
        found = dict(self._given(own))
        table = table_of(self._form)
        for name in self._note.figures:
            one = self._mini.fields.get(name) or self._form.fields[name]
            if name in found or name in own or kind_of(one).searchable:
                continue
            if name in self._note.words:
                found |= self._side(name)
            elif not (name == table.count or kind_of(one).money):
                found |= self._only(one)
        return NoteReading(found | self._amounts(), frozenset(self._doubts))

    # Lines, cells and tables

    def _collect(self, lines: Sequence[Sequence[str]]) -> None:
        """Sort every line: a table's head or row, labels with what they say, or words; money among those is a doubt."""
        head: list[str] = []
        skip = False
        for n, cells in enumerate(lines):
            if skip:
                skip = False
            elif items := list(self._pairs(cells)):
                self._items += items
                if any(has_money(cell) and not any(said in cell for _, said, _ in items) for cell in cells):
                    self._doubts.add(SUMS)
            elif self._is_head(cells):
                head = [self._labels.get(_plain(cell), "") for cell in cells]
            elif len(cells) == 1 and _plain(cells[0]) in self._labels:
                following = lines[n + 1] if n + 1 < len(lines) else [""]
                alone = len(following) == 1 and _plain(following[0]) not in self._labels
                skip = alone and not list(self._pairs(following))
                said = following[0] if skip else ""
                self._items.append((self._labels[_plain(cells[0])], said, f"{cells[0]} {said}".strip()))
            elif head and len(cells) > 1 and self._labels.get(_plain(cells[0])) == TOTAL:
                self._totals += cells[1:]
            elif head and len(cells) == len(head) and any(map(_has_digit, cells)):
                self._rows.append(
                    {name: cell for name, cell in zip(head, cells, strict=True) if name} | {"": " ".join(cells)}
                )
            elif any(has_money(cell) for cell in cells) or (head and len(cells) > 1 and any(map(_has_digit, cells))):
                self._doubts.add(SUMS)

    def _pairs(self, cells: Sequence[str]) -> Iterator[Item]:
        """Yield labels with their values: behind a colon, in the next cell, or behind the label where that is a value as a whole."""
        line, at = " ".join(cells)[:QUOTED], 0
        while at < len(cells):
            cell, behind = cells[at], cells[at + 1] if at + 1 < len(cells) else ""
            label, colon, said = cell.partition(":")
            name = self._labels.get(_plain(label), "")
            if colon and name and said.strip():
                yield name, said.strip(), line
            elif (
                name
                and not said.strip()
                and behind
                and _plain(behind.partition(":")[0]) not in self._labels
                and name != TOTAL
            ):
                yield name, behind, line
                at += 1
            elif found := self._run_on(cell):
                yield *found, line
            at += 1

    def _run_on(self, cell: str) -> tuple[str, str] | None:
        """Return a label and its value ("Quantity 180"): the longest label, and behind it nothing but a number, a sum, a day or a code."""
        words = cell.split() if len(cell) <= QUOTED else []
        for n in range(len(words) - 1, 0, -1):
            name, said = self._labels.get(_plain(" ".join(words[:n]))), " ".join(words[n:])
            if name and (
                as_sum(self._bare(said), ".") or as_sum(self._bare(said), ",") or as_day(said) or said.isupper()
            ):
                return name, said
        return None

    def _is_head(self, cells: Sequence[str]) -> bool:
        known = sum(_plain(cell) in self._labels for cell in cells)
        return known > 1 and not any(map(_has_digit, cells))

    def _told(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield everything that is said under a label, with its line."""
        yield from ((said, line) for label, said, line in self._items if label == name)
        yield from ((row[name], row[""]) for row in self._rows if name in row)

    # Figures that are told once

    def _given(self, own: Own) -> Iterator[tuple[str, tuple[Data, str]]]:
        for name, (given, line) in own.items():
            if name in self._note.figures:
                yield name, (str(given), line[:QUOTED])

    def _only(self, one: Field) -> dict[str, tuple[Data, str]]:
        """Return the one value under its labels; several, or one that cannot be read, are a doubt."""
        told = list(self._told(one.name))
        found = {self._value(one, said) for said, _ in told}
        if len(found) == 1 and None not in found:
            return {one.name: (found.pop(), told[0][1][:QUOTED])}
        if told:
            self._doubts.add(SEVERAL)
        return {}

    def _value(self, one: Field, said: str) -> Any:
        kind = kind_of(one)
        try:
            return as_day(said) if kind.on_day else kind.parse(one, said, self._context)
        except Unreadable:
            return None

    def _side(self, name: str) -> dict[str, tuple[Data, str]]:
        """Return the one answer whose words are in the note: under its label, or anywhere. Words of two answers are a doubt."""
        under = [(said, line) for said, line in self._told(name)]
        lines = under + [(line, line) for line in (" ".join(c) for c in self._lines) if not self._is_named(line, name)]
        said = {
            choice: line
            for choice, words in self._note.words[name].items()
            for text, line in lines
            if _holds(text, words)
        }
        if len(said) == 1:
            ((choice, line),) = said.items()
            return {name: (choice, line[:QUOTED])}
        if said:
            self._doubts.add(SEVERAL)
        return {}

    def _is_named(self, line: str, name: str) -> bool:
        """Return True if a line only names the figure ("Buy/Sell"), or says it under its label."""
        return (
            any(item[0] == name and item[2] == line[:QUOTED] for item in self._items)
            or self._labels.get(_plain(line)) == name
        )

    # Numbers and sums: the fills

    def _amounts(self) -> dict[str, tuple[Data, str]]:
        table = table_of(self._form)
        amount = next((f for f in self._mini.fields.values() if kind_of(f).money == "amount"), None)
        counts = self._fills(table.count, lambda said: as_number(self._bare(said), self._mark))
        prices = self._fills(PRICE, lambda said: as_sum(self._bare(said), self._mark))
        sums = self._fills(amount.name if amount else "", lambda said: as_sum(said, self._mark))
        found: dict[str, tuple[Data, str]] = {}
        number = self._added(counts, sums)
        if number is not None and number == number.to_integral_value() and number > 0:
            found[table.count] = (int(number), counts.line)
        elif number is not None:
            self._doubts.add(SUMS)
        if amount is not None:
            found |= self._sum(amount, counts, prices, sums, number)
        return {name: told for name, told in found.items() if name in self._note.figures}

    def _bare(self, said: str) -> str:
        """Return a number without its unit: "180 shares"."""
        head, _, unit = said.partition(" ")
        return head if unit and _plain(unit) in self._note.units else said

    def _fills(self, name: str, read: Any) -> _Fills:
        """Return what is told under a label, fill by fill; what cannot be read is a doubt."""
        fills = _Fills()
        for rows, told in (
            (False, ((s, line) for n, s, line in self._items if n == name)),
            (True, ((r[name], r[""]) for r in self._rows if name in r)),
        ):
            for said, line in told:
                value = read(said)
                if value is None and name != PRICE:
                    self._doubts.add(SUMS)
                elif value is not None:
                    (fills.rows if rows else fills.labelled).append(value)
                    fills.line = fills.line or line[:QUOTED]
        return fills

    def _added(self, counts: _Fills, sums: _Fills) -> Decimal | None:
        """Return the number of all fills. A number under its label beside a table is what its rows have to come to."""
        whole = _whole(counts.rows, counts.labelled)
        if whole is None and counts.each:
            self._doubts.add(SUMS)
        lone = len(counts.labelled) > 1 and not counts.rows
        same = lone and len(set(counts.labelled)) == 1 and len(set(sums.each)) < len(counts.labelled)
        if same or (len(sums.each) > len(counts.each) > 0 and len(set(sums.each)) > 1):
            self._doubts.add(SUMS)  # the same number again may be said twice, or traded twice
        return whole

    def _sum(
        self, amount: Field, counts: _Fills, prices: _Fills, sums: _Fills, number: Decimal | None
    ) -> dict[str, tuple[Data, str]]:
        """Return what the whole came to: the amounts of the fills, else their numbers times their prices. Where both are told, they agree."""
        code = self._currency(amount, prices, sums)
        labelled = [s.amount for s in sums.labelled]
        same = len(set(labelled)) == 1 and len(counts.each) < len(labelled)  # one amount is repeated beside one number
        value = _whole([s.amount for s in sums.rows], labelled[:1] if same else labelled)
        product = _product(counts, prices, number)
        line = sums.line or prices.line
        if value is None and sums.each:
            self._doubts.add(SUMS)
        if (
            value is not None
            and product is not None
            and all(abs(value - p) > max(PENNY, abs(value) * ROUNDED) for p in (product, product / HUNDRED))
        ):
            self._doubts.add(SUMS)
        self._check_totals(counts, sums)
        told = value if sums.each else product
        if told is None or told <= 0:
            return {}
        found: dict[str, tuple[Data, str]] = {amount.name: (format(told.quantize(PENNY, ROUND_HALF_UP), "f"), line)}
        beside = currency_field(self._mini, amount)
        return found | ({beside.name: (code, line)} if beside and code else {})

    def _currency(self, amount: Field, prices: _Fills, sums: _Fills) -> str:
        """Return the one currency of the note; two are a doubt, and so is a sign of several where nothing names one."""
        beside = currency_field(self._mini, amount)
        named = {said.upper() for said, _ in self._told(beside.name)} if beside else set[str]()
        codes = {s.currency for s in (*prices.each, *sums.each)} - {""}
        clear = (codes | named) - {UNCLEAR}
        if len(clear) > 1 or any(len(code) != len("GBP") for code in clear):
            self._doubts.add(SEVERAL)
        return clear.pop() if len(clear) == 1 else ""

    def _check_totals(self, counts: _Fills, sums: _Fills) -> None:
        """Doubt a row of sums in which a number is not the sum of a column."""
        columns = {
            name: [v for row in self._rows if (v := self._amount(row.get(name, "")))]
            for name in {name for row in self._rows for name in row if name}
        }
        added = {sum(values, Decimal(0)) for values in columns.values()}
        wrong = [t for t in self._totals if _has_digit(t) and self._amount(t) not in added]
        if wrong:
            self._doubts.add(SUMS)

    def _amount(self, said: str) -> Decimal | None:
        found = as_sum(self._bare(said), self._mark)
        return found.amount if found else None


def _labels(form: Form, note: NoteTable) -> Iterator[tuple[str, str]]:
    """Yield each figure's labels in a note, as the form declares them; else its names on screen."""
    mini = report_form(form)
    for name in {*mini.fields, *note.figures}:
        one = mini.fields.get(name) or form.fields[name]
        yield from ((_plain(word), name) for word in note.labels.get(name) or (one.label, *one.words))
    for name in (PRICE, TOTAL, ASIDE):
        yield from ((_plain(word), name) for word in note.labels.get(name, ()))


def _whole(rows: Sequence[Decimal], labelled: Sequence[Decimal]) -> Decimal | None:
    """Return the sum of rows, which a labelled total has to say too; of labelled values, their sum, or the one that is the others' sum."""
    added = sum(rows, Decimal(0))
    if rows:
        return added if set(labelled) <= {added} else None
    if len(labelled) > len(("one", "other")):
        for total, others in ((labelled[-1], labelled[:-1]), (labelled[0], labelled[1:])):
            if total == sum(others):
                return total
    return sum(labelled, Decimal(0)) if labelled else None


def _product(counts: _Fills, prices: _Fills, number: Decimal | None) -> Decimal | None:
    each = [p.amount for p in prices.each]
    if len(each) == len(counts.each):
        return sum((n * p for n, p in zip(counts.each, each, strict=True)), Decimal(0)) if each else None
    return number * each[0] if number is not None and len(set(each)) == 1 else None


def _plain(text: str) -> str:
    return " ".join(text.casefold().strip(" :.-|*").split())


def _holds(text: str, words: Iterable[str]) -> bool:
    """Return True if whole words are in a text."""
    said = " ".join(re.findall(r"\w+", text.casefold()))
    return any(f" {word.casefold()} " in f" {said} " for word in words)


def _has_digit(text: str) -> bool:
    return any(c.isdigit() for c in text)


def _is_odd(letter: str) -> bool:
    """Return True if a sign is none that a note in Latin letters needs: a mark that nobody sees, or a letter or digit of another script."""
    if letter in PLAIN or (letter.isascii() and letter.isprintable()) or letter in LATIN:
        return False
    category = unicodedata.category(letter)
    return category[0] in "CN" or (category[0] == "L" and not unicodedata.name(letter, "").startswith("LATIN"))
