"""A contract note's figures, as brokers write them: the instrument by its ISIN or its name, the side, the number, the sum, the day."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from stdnum import isin as isin_numbers

from state.draft.draft import Draft

from .tables import Tables

Found = dict[str, tuple[Any, str]]
Read = Callable[[str, Draft], Mapping[str, tuple[Any, str]]]
ISIN = re.compile(r"\b[A-Z]{2}[A-Z0-9]{9}[0-9]\b")
ENGLISH, EUROPEAN = (
    r"[0-9]{1,3}(?:[,'][0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?",
    r"[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{1,4}|[0-9]+,[0-9]{1,2}",
)
NUMBER = rf"(?P<number>{EUROPEAN}|{ENGLISH})(?!\d|[.,/-]\d)"
BARE = re.compile(rf"(?<![\w.,/-]){NUMBER}")
MONEY = re.compile(
    rf"(?<![\w.,/-])(?:(?P<code>[A-Z]{{3}})\s?|(?P<sign>[£$€])\s?)?{NUMBER}(?:\s?(?P<behind>[A-Z]{{3}}|p|pence|€|£)(?!\w))?"
)
SHARES = re.compile(rf"(?<![\w.,/-]){NUMBER}\s+(?:ordinary |registered )?(?:shares|units|shs)\b", re.IGNORECASE)
SIGNS = {"£": "GBP", "€": "EUR"}
DAY = re.compile(r"\b([0-9]{1,2}[ /.-](?:[A-Za-z]{3,9}|[0-9]{1,2})[ /.-][0-9]{4}|[0-9]{4}-[0-9]{2}-[0-9]{2})\b")
BUY = re.compile(r"\b(bought|buy|purchase[d]?|we have bought)\b", re.IGNORECASE)
SELL = re.compile(r"\b(sold|sell|sale|disposal)\b", re.IGNORECASE)
LABELS: Mapping[str, tuple[str, ...]] = {
    "day": ("trade date", "transaction date", "date of trade", "deal date", "execution date", "date of transaction", "dealing date", "date"),
    "quantity": ("quantity", "number of shares", "no. of shares", "shares", "units", "nominal"),
    "price": ("price", "unit price", "execution price", "price per share"),
    "sum": ("consideration", "gross amount", "gross consideration", "principal amount", "trade value", "deal value"),
    "currency": ("currency",),
    "side": ("side", "direction", "transaction type", "transaction", "type", "buy/sell", "order"),
}  # fmt: skip
"""What the lines are called, the surest name first."""
CODE = re.compile(r"[A-Z]{3}\b")
PENNY, PENCE = Decimal("0.01"), Decimal(100)
QUOTED = 200


def reader_of_notes(tables: Tables) -> Read:
    """Reads a note's text. A figure that stands there in two ways, or in none, is left out: a person looks at it then."""

    def read(text: str, draft: Draft) -> Mapping[str, tuple[Any, str]]:
        lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
        found: Found = {}
        found |= _security(lines, draft, tables) | _side(lines) | _day(lines) | _quantity(lines)
        return found | _sum(lines, found)

    return read


def _security(lines: Sequence[str], draft: Draft, tables: Tables) -> Found:
    """The one ISIN with a right check digit; without any, the name of the security that was approved."""
    codes = {code: line for line in lines for code in ISIN.findall(line) if isin_numbers.is_valid(code)}
    if len(codes) == 1:
        code, line = next(iter(codes.items()))
        return {"security": (code, line[:QUOTED])}
    approved = tables.securities.get(str(draft.values["security"].data)) if "security" in draft.values else None
    named = next((line for line in lines if approved and approved.name.casefold() in line.casefold()), "")
    return {"security": (approved.isin, named[:QUOTED])} if approved and named and not codes else {}


def _side(lines: Sequence[str]) -> Found:
    """By the line that is called so, else by the words of the whole note, where they speak of one side alone."""
    for rows in ([line for _, line in _labelled(lines, "side")], lines):
        told = {"buy": [r for r in rows if BUY.search(r)], "sell": [r for r in rows if SELL.search(r)]}
        sides = [side for side, some in told.items() if some]
        if len(sides) == 1:
            return {"direction": (sides[0], told[sides[0]][0][:QUOTED])}
    return {}


def _day(lines: Sequence[str]) -> Found:
    days = [(found[1], line) for rest, line in _labelled(lines, "day") if (found := DAY.search(rest))]
    return {"traded_on": (days[0][0], days[0][1][:QUOTED])} if len({day for day, _ in days}) == 1 else {}


def _quantity(lines: Sequence[str]) -> Found:
    told = [(n, line) for rest, line in _labelled(lines, "quantity") if (n := _number(BARE.match(rest))) is not None]
    told = told or [(n, line) for line in lines if (n := _number(SHARES.search(line))) is not None]
    whole = [(n, line) for n, line in told if n == n.to_integral_value()]
    if len({n for n, _ in whole}) != 1:
        return {}
    return {"traded_quantity": (str(int(whole[0][0])), whole[0][1][:QUOTED])}


def _sum(lines: Sequence[str], found: Found) -> Found:
    """What the whole came to, before costs; where only a price stands there, that many times it."""
    sums = [(m, line) for rest, line in _labelled(lines, "sum") if (m := _money(rest)) is not None]
    if sums:
        (value, currency), line = sums[0]
        return _as_sum(value, currency, line, lines)
    prices = [(m, line) for rest, line in _labelled(lines, "price") if (m := _money(rest)) is not None]
    if not prices or "traded_quantity" not in found:
        return {}
    (price, currency), line = prices[0]
    whole = (price * Decimal(str(found["traded_quantity"][0]))).quantize(PENNY, ROUND_HALF_UP)
    return _as_sum(whole, currency, line, lines)


def _as_sum(value: Decimal, currency: str, line: str, lines: Sequence[str]) -> Found:
    told: Found = {"traded_value": (format(value.quantize(PENNY, ROUND_HALF_UP), "f"), line[:QUOTED])}
    named = [(found[0], row) for rest, row in _labelled(lines, "currency") if (found := CODE.match(rest))]
    code, where = (currency, line) if currency else named[0] if named else ("", "")
    return told | ({"traded_currency": (code, where[:QUOTED])} if code else {})


def _labelled(lines: Sequence[str], what: str) -> Iterator[tuple[str, str]]:
    """What stands behind a name, or alone on the next line, with the line; the surest name that is there counts alone."""
    for label in LABELS[what]:
        rows = [(n, line) for n, line in enumerate(lines) if re.search(rf"(?<![\w]){re.escape(label)}\b", line, re.I)]
        for n, line in rows:
            at = line.casefold().index(label) + len(label)
            rest = line[at:].strip(" :.-|")
            behind = lines[n + 1] if not rest and n + 1 < len(lines) else ""
            if rest or behind:
                yield rest or behind, f"{line} {behind}".strip()
        if rows:
            return


def _number(found: re.Match[str] | None) -> Decimal | None:
    """A number that can be read in one way: "1.000" may be one or a thousand."""
    return _decimal(found["number"]) if found and not re.fullmatch(r"[0-9]{1,3}\.[0-9]{3}", found["number"]) else None


def _money(text: str) -> tuple[Decimal, str] | None:
    """An amount and its currency, "" where none stands beside it; pence are pounds."""
    found = MONEY.search(text)
    if found is None:
        return None
    value, behind = _decimal(found["number"]), found["behind"] or ""
    if behind in ("p", "pence", "GBX") or found["code"] == "GBX":
        return value / PENCE, "GBP"
    return value, found["code"] or SIGNS.get(found["sign"] or behind, "") or (behind if behind.isalpha() else "")


def _decimal(written: str) -> Decimal:
    if re.fullmatch(EUROPEAN, written):
        return Decimal(written.replace(".", "").replace(",", "."))
    return Decimal(re.sub("[,']", "", written))
