"""The month as a chart: a bar per category with its sum behind it, the month before beneath, a panel per currency."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from babel.numbers import format_compact_currency, format_currency, format_decimal, format_percent, get_currency_name

from bot.operations.charts import LIGHT, Look, Panel, Row, draw_card
from state.fields.base import Context

MOST, LEAST = 12, 3
"""Categories of a picture, and of a panel however many there are; the rest is one bar."""
HUGE = Decimal(10) ** 12
"""From here on a sum is told in short."""
TENFOLD = 10
"""From here on a share is told as a factor."""

Pair = tuple[Decimal, Decimal]
"""A sum of the month, and of the one before."""


@dataclass(frozen=True)
class Bar:
    """A category, and what was spent by currency."""

    label: str
    sums: Mapping[str, Pair]


@dataclass(frozen=True)
class Month:
    """What is drawn. `then` names the month before, and is empty where that is left out; `rest` names so many further categories."""

    title: str
    now: str
    then: str
    bars: Sequence[Bar]
    rest: Callable[[int], str]
    new: str
    """The word where nothing was spent the month before."""
    whole: Callable[[str], str]
    """Says of a sum that it is that of all categories."""


def draw(month: Month, context: Context, look: Look = LIGHT) -> bytes:
    """Return a PNG, 800 pixels wide at twice their density."""
    legend = (month.now, month.then) if month.then else (month.now,)
    return draw_card(month.title, legend, panels(month, context), look).png()


def panels(month: Month, context: Context) -> list[Panel]:
    """Return a panel per currency: nothing is ever added up across them."""
    codes = sorted({code for bar in month.bars for code in bar.sums})
    most = MOST if len(codes) == 1 else max(LEAST, MOST // max(len(codes), 1) - 1)
    return [_panel(month, code, most, context) for code in codes]


def _panel(month: Month, code: str, most: int, context: Context) -> Panel:
    """Return the largest sums first, what is left in one bar at the end, and the sum of all beside the heading."""
    spent = [(bar.label, bar.sums[code]) for bar in month.bars if code in bar.sums]
    ranked = sorted(spent, key=lambda one: (-one[1][0], -one[1][1], one[0]))
    shown, others = (ranked, []) if len(ranked) <= most + 1 else (ranked[:most], ranked[most:])
    rows = [_row(month, label, pair, code, context) for label, pair in shown]
    if others:
        rows.append(_row(month, month.rest(len(others)), _added(pair for _, pair in others), code, context))
    whole = _row(month, "", _added(pair for _, pair in spent), code, context)
    return Panel(f"{code} · {_name(code, context)}", rows, month.whole(f"{whole.shown} {whole.note}".rstrip()))


def _row(month: Month, label: str, pair: Pair, code: str, context: Context) -> Row:
    now, then = pair
    if not month.then:
        return Row(label, float(now), _money(now, code, context))
    return Row(label, float(now), _money(now, code, context), _change(month, pair, context), float(then))


def _change(month: Month, pair: Pair, context: Context) -> str:
    """ "+25 %" on the month before; nothing where neither has anything, or where a share would mean nothing."""
    now, then = pair
    if now < 0 or then <= 0:
        return month.new if now > 0 and not then else ""
    share = (now - then) / then
    if share >= TENFOLD:
        return f"× {format_decimal(now / then, format='#,##0', locale=context.babel)}"
    sign = "+" if share > 0 else "−" if share < 0 else "±"
    return sign + str(format_percent(abs(share), locale=context.babel))


def _added(pairs: Iterable[Pair]) -> Pair:
    every = list(pairs)
    return sum((now for now, _ in every), Decimal(0)), sum((then for _, then in every), Decimal(0))


def _money(amount: Decimal, code: str, context: Context) -> str:
    """Return a sum as the form's language writes it."""
    short = abs(amount) >= HUGE
    shown = (
        format_compact_currency(amount, code, locale=context.babel, fraction_digits=1)
        if short
        else format_currency(amount, code, locale=context.babel)
    )
    return str(shown).replace("-", "−")


def _name(code: str, context: Context) -> str:
    name = str(get_currency_name(code, locale=context.babel))
    return name[:1].upper() + name[1:]
