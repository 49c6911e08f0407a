"""Expenses in words: one line per row, sums per currency, and never one sum of two currencies."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from babel.dates import format_date, format_interval, format_skeleton

from state.draft.operations import Row
from state.draft.utterance import Verbatim
from state.fields.base import Context
from state.fields.money import added, show_money
from state.fields.values.periods import whole_month
from state.form.files import Files
from state.form.source import read_toml

FILE = "words.toml"
Body = Mapping[str, Any]
Sums = dict[str, Decimal]


@dataclass(frozen=True)
class Wording:
    """The sentences of words.toml."""

    table: Mapping[str, Any]

    def say(self, key: str, **args: str) -> str:
        """Return a sentence, filled in."""
        return str(self.table[key]).format(**args)

    def line(self, key: str, **args: str) -> Verbatim:
        """Return the same as something that is told."""
        return Verbatim(self.say(key, **args))

    def category(self, name: str | None) -> str:
        """Return a category as people read it."""
        return str(self.table["categories"].get(name, name)) if name else self.say("uncategorised")

    def fields(self, names: Iterable[str]) -> str:
        """Return names of fields in a row."""
        return ", ".join(str(self.table["fields"].get(name, name)) for name in names)

    def count(self, n: int) -> str:
        """ "1 expense", "12 expenses"."""
        return self.say("one") if n == 1 else self.say("many", count=str(n))

    def when(self, period: object, context: Context) -> str:
        """ "for November 2026", "so far"."""
        return self.say("within", range=named_period(str(period), context)) if period else self.say("ever")


def read_words(files: Files) -> Wording:
    """Return the sentences: a company's own where it has them. Raises FormError where the file is missing or broken."""
    shipped = read_toml(files.folders[-1] / FILE).data
    return Wording({**shipped, **files.toml(FILE).data})


def shown(words: Wording, body: Body, context: Context) -> str:
    """ "coffee · EUR 3.50 · 21 Nov 2026 · Food"."""
    day = format_date(date.fromisoformat(str(body["date"])), "d MMM y", locale=context.babel)
    money = show_money(str(body["amount"]), str(body["currency"]), context.locale)
    category = [words.category(body["category"])] if body.get("category") else []
    return " · ".join((str(body["item"]), money, day, *category))


def summed(rows: Iterable[Row]) -> Sums:
    """Return what rows come to, each currency by itself."""
    return added((row.body["amount"], row.body["currency"]) for row in rows)


def shown_period(data: str) -> str:
    """Return a month by its number, else both days, for a file's name."""
    first, _, last = data.partition("/")
    return first[:7] if whole_month(data) else first if first == last else f"{first} – {last}"


def named_period(data: str, context: Context) -> str:
    """ "November 2026" in the form's language, else from which day to which."""
    first, _, last = data.partition("/")
    begins, ends = date.fromisoformat(first), date.fromisoformat(last)
    if whole_month(data):
        return str(format_skeleton("yMMMM", begins, locale=context.babel))
    return str(format_interval(begins, ends, "yMMMd", locale=context.babel))


def within(rows: Iterable[Row], period: object) -> list[Row]:
    """Return rows whose day lies in a period, both ends included; all rows where there is none."""
    first, _, last = str(period or "").partition("/")
    return [row for row in rows if not first or first <= str(row.body["date"]) <= last]


def plain(row: Row) -> dict[str, Any]:
    """Return a row as plain data, for callers over HTTP."""
    names = ("item", "amount", "currency", "date", "category")
    return {"id": row.number, **{name: row.body.get(name) for name in names}}
