"""A claim: rows of expenses that are open, listed by what was said, and held by the record that they are filed with."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from babel.dates import format_date, format_skeleton

from state.draft.criteria import ROWS
from state.draft.draft import Draft, Option
from state.fields.base import Context
from state.fields.money import added, show_money, show_sums
from state.fields.values.periods import periods
from state.rules import Filing, Results, Rules, Sources

Row = Mapping[str, Any]
"""An expense: `number`, `item`, `amount`, `currency`, `date` (ISO 8601)."""

FORM, LOCALE = "expenses", "en-GB"
"""Whose rows these are."""
NUMBER = re.compile(r"(?<![\d.,/-])\d{1,6}(?![\d/-])")
MOST, AT_ONCE = 8, 30
"""Options that are shown, and expenses that may be named by their numbers."""
LINE, LINES = 380, 8
"""Characters of a line that the reviewers read, and how many of them."""


async def open_expenses(query: str, _draft: Draft, sources: Sources) -> Results:
    """Return what may be claimed: first what the words name, a stretch of days or numbers, then each month, then everything."""
    rows = await sources.rows(FORM)
    named = [*_numbered(query, rows), *_within(query, rows, sources.today())]
    options = [*named, *(() if named else _months(rows)), *_everything(rows)]
    different: dict[tuple[int, ...], Option] = {}
    for option in options:
        different.setdefault(option.facts[ROWS]["numbers"], option)
    return Results(tuple(different.values())[:MOST])


def _numbered(query: str, rows: Sequence[Row]) -> Iterator[Option]:
    wanted = {int(n) for n in NUMBER.findall(query)}
    found = [row for row in rows if row["number"] in wanted][:AT_ONCE]
    if found:
        few = ", ".join(str(number) for number in sorted(row["number"] for row in found)[:5])
        title = f"Number{'' if len(found) == 1 else 's'} {few}{' …' if len(found) > 5 else ''}"  # noqa: PLR2004
        yield _option(",".join(str(row["number"]) for row in found), title, found)


def _within(query: str, rows: Sequence[Row], today: str) -> Iterator[Option]:
    for period in periods(query, Context(LOCALE, today, "behind")):
        found = [row for row in rows if period.first <= row["date"] <= period.last]
        if found:
            months = {row["date"][:7] for row in found}
            title = _month(found[0]["date"]) if len(months) == 1 else f"{_day(period.first)} to {_day(period.last)}"
            yield _option(period.data, title, found)


def _months(rows: Sequence[Row]) -> Iterator[Option]:
    for month in sorted({row["date"][:7] for row in rows}, reverse=True):
        yield _option(month, _month(f"{month}-01"), [row for row in rows if row["date"].startswith(month)])


def _everything(rows: Sequence[Row]) -> Iterator[Option]:
    if rows:
        yield _option("all", "All that is open", rows)


def _option(name: str, title: str, rows: Sequence[Row]) -> Option:
    numbers = tuple(row["number"] for row in rows)
    held = {ROWS: {"form": FORM, "numbers": numbers}}
    label = f"{title}: {_summed(rows)}"
    return Option(name, label, "; ".join(map(_told, rows))[:LINE], held)


def file(draft: Draft, facts: Mapping[str, Any]) -> Filing:
    """Return the filing of what is still open of a claim; where nothing is, it is blocked."""
    rows, picked = facts[ROWS], draft.values["claim"].facts[ROWS]["numbers"]
    if not rows:
        return Filing("blocked", ("None of these expenses is open any more.",))
    gone = len(picked) - len(rows)
    said = (f"{gone} of the {len(picked)} are no longer open and were left out.",) if gone else ()
    told = f"{_summed(rows)}."
    computed = {
        "holds": {"form": FORM, "numbers": [row["number"] for row in rows]},
        "expenses": [{k: row[k] for k in ("number", "item", "amount", "currency", "date")} for row in rows],
        "total": {code: str(amount) for code, amount in _sums(rows).items()},
    }
    return Filing("pending_manager", said, computed, (told, *said), background=(told, *_lines(rows)))


def _lines(rows: Iterable[Row]) -> Iterator[str]:
    """Yield every expense, several in a line; how many there is no room for."""
    lines, left = [""], list(rows)
    while left:
        told = _told(left[0])
        if len(lines[-1]) + len(told) > LINE:
            if len(lines) == LINES:
                break
            lines.append("")
        lines[-1] += f"{'; ' if lines[-1] else ''}{told}"
        left.pop(0)
    yield from lines
    if left:
        yield f"… and {len(left)} more."


def _told(row: Row) -> str:
    """ "12: coffee, EUR 3.50, 21 Nov"."""
    money = show_money(str(row["amount"]), str(row["currency"]), LOCALE)
    return f"{row['number']}: {str(row['item'])[:60]}, {money}, {_day(row['date'], 'd MMM')}"


def _summed(rows: Sequence[Row]) -> str:
    """ "1 expense, EUR 3.50", "3 expenses, EUR 12.50 + GBP 200.00"."""
    count = "1 expense" if len(rows) == 1 else f"{len(rows)} expenses"
    return f"{count}, {show_sums(_sums(rows), LOCALE)}"


def _sums(rows: Iterable[Row]) -> dict[str, Decimal]:
    return added((row["amount"], row["currency"]) for row in rows)


def _month(day: str) -> str:
    return str(format_skeleton("yMMMM", date.fromisoformat(day), locale="en_GB"))


def _day(day: str, pattern: str = "d MMM y") -> str:
    return format_date(date.fromisoformat(day), pattern, locale="en_GB")


rules = Rules(version="1", own_lookups={"open_expenses": open_expenses}, file=file)
