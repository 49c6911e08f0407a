"""Expenses in words: one line per row, sums per currency, and never one sum of two currencies."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from babel.dates import format_date, format_interval, format_skeleton

from state.draft.operations import Row
from state.draft.utterance import Verbatim
from state.fields.base import Context
from state.fields.money import show_money
from state.fields.values.days import day_of
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

    def when(self, period: object) -> str:
        """ "in 2026-11", "so far"."""
        return self.say("within", range=shown_period(str(period))) if period else self.say("ever")


def read_words(files: Files) -> Wording:
    """Return the sentences: a company's own where it has them. Raises FormError where the file is missing or broken."""
    shipped = read_toml(files.folders[-1] / FILE).data
    return Wording({**shipped, **files.toml(FILE).data})


def shown(words: Wording, body: Body, context: Context) -> str:
    """ "coffee · EUR 3.50 · 21 Nov 2026 · Food"."""
    day = format_date(_day(str(body["date"])), "d MMM y", locale=context.babel)
    money = show_money(str(body["amount"]), str(body["currency"]), context.locale)
    category = [words.category(body["category"])] if body.get("category") else []
    return " · ".join((str(body["item"]), money, day, *category))


def shown_sums(sums: Sums, context: Context) -> str:
    """ "EUR 12.50 + GBP 200.00": currencies stand beside each other."""
    return " + ".join(show_money(str(amount), code, context.locale) for code, amount in sorted(sums.items()))


def summed(rows: Iterable[Row]) -> Sums:
    """Return what rows come to, each currency by itself."""
    sums: Sums = {}
    for row in rows:
        code = str(row.body["currency"])
        sums[code] = sums.get(code, Decimal(0)) + Decimal(str(row.body["amount"]))
    return sums


def shown_period(data: str) -> str:
    """Return a month by its number, else both days."""
    first, _, last = data.partition("/")
    whole = (
        first[:7] == last[:7]
        and first.endswith("-01")
        and day_of(int(last[:4]), int(last[5:7]), int(last[8:]) + 1) is None
    )
    return first[:7] if whole else first if first == last else f"{first} – {last}"


def named_period(data: str, context: Context) -> str:
    """ "November 2026" in the form's language, else from which day to which."""
    first, _, last = data.partition("/")
    if len(shown_period(data)) == len("2026-11"):
        return str(format_skeleton("yMMMM", _day(first), locale=context.babel))
    return str(format_interval(_day(first), _day(last or first), "yMMMd", locale=context.babel))


def within(rows: Iterable[Row], period: object) -> list[Row]:
    """Return rows whose day lies in a period, both ends included; all rows where there is none."""
    first, _, last = str(period or "").partition("/")
    return [row for row in rows if not first or first <= str(row.body["date"]) <= last]


def plain(row: Row) -> dict[str, Any]:
    """Return a row as plain data, for callers over HTTP."""
    names = ("item", "amount", "currency", "date", "category")
    return {"id": row.number, **{name: row.body.get(name) for name in names}}


def _day(text: str) -> Any:
    return day_of(int(text[:4]), int(text[5:7]), int(text[8:10]))
