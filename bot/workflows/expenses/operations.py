"""What each operation does with a person's rows: those that tell, and those that change them."""

import asyncio
import base64
from decimal import Decimal

from babel.numbers import get_currency_precision
from rapidfuzz.fuzz import ratio

from state.draft.operations import Ask, Invalid, Produced, Result, Row, Rows, Write
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.extras import lacking
from state.fields.base import Context
from state.fields.money import show_sums
from state.fields.values.periods import month_before, month_of, whole_month
from state.stores.cells import csv_text

from .chart import Bar, Month, draw
from .showing import Body, Sums, Wording, named_period, plain, shown, shown_period, summed, within

FIELDS = ("item", "amount", "currency", "date", "category")
ALIKE = 85.0
"""Likeness, from 0 to 100, from which two items of one amount and day are taken for one."""


class Writing:
    """Runners over a person's rows."""

    def __init__(self, words: Wording) -> None:
        self._words = words

    async def add(self, ask: Ask, rows: Rows) -> Result:
        """Add one row; what was worked out, and a likely duplicate, are named on the card."""
        body = {name: ask.arguments.get(name) for name in FIELDS}
        self._check(body)
        row = Row(await rows.number(), ask.identity.user, body)
        what = shown(self._words, body, ask.context)
        twin = next(
            (
                one
                for one in await rows.all()
                if one.owner == ask.identity.user
                and all(one.body[name] == body[name] for name in ("currency", "date"))
                and Decimal(str(one.body["amount"])) == Decimal(str(body["amount"]))
                and ratio(str(one.body["item"]).casefold(), str(body["item"]).casefold()) >= ALIKE
            ),
            None,
        )
        warnings: tuple[Utterance, ...] = ()
        if twin is not None:
            there = shown(self._words, twin.body, ask.context)
            warnings = (self._words.line("duplicate", number=str(twin.number), what=there),)
        return Result(
            told=(self._words.line("added", number=str(row.number), what=what),),
            plan=(self._words.line("add", what=what), *self._inferred(ask)),
            writes=(Write(row, body),),
            facts={"added": [plain(row)]},
            warnings=warnings,
        )

    async def update(self, ask: Ask, rows: Rows) -> Result:
        """Return a row with some of its values replaced."""
        row = await rows.one(int(str(ask.arguments["id"])))
        given = {name: ask.arguments[name] for name in FIELDS if name in ask.arguments}
        body = {**row.body, **given}
        if body == dict(row.body):
            raise Invalid(self._words.line("nothing_to_change"))
        self._check(body)
        was, now = (shown(self._words, b, ask.context) for b in (row.body, body))
        args = {"number": str(row.number), "was": was, "now": now}
        return Result(
            told=(self._words.line("updated", **args), *_whose(row, ask)),
            plan=(self._words.line("update", **args), *_whose(row, ask), *self._inferred(ask)),
            writes=(Write(row, body),),
            facts={"updated": [plain(Row(row.number, row.owner, body))]},
        )

    async def delete(self, ask: Ask, rows: Rows) -> Result:
        """Return a row that is there no more."""
        row = await rows.one(int(str(ask.arguments["id"])))
        args = {"number": str(row.number), "what": shown(self._words, row.body, ask.context)}
        return Result(
            told=(self._words.line("deleted", **args), *_whose(row, ask)),
            plan=(self._words.line("delete", **args), *_whose(row, ask)),
            writes=(Write(row, row.body, deleted=True),),
            facts={"deleted": [plain(row)]},
        )

    async def attach(self, ask: Ask, rows: Rows) -> Result:
        """Return a row with the file that proves it, by the document's id; a newer file takes the place of the older."""
        row = await rows.one(int(str(ask.arguments["id"])))
        body = {**row.body, "receipt": str(ask.arguments["receipt"])}
        args = {"number": str(row.number), "what": shown(self._words, row.body, ask.context)}
        told = (self._words.line("attached", **args), *_whose(row, ask))
        return Result(told, plan=told, writes=(Write(row, body),), facts={"updated": [plain(row)]})

    def _inferred(self, ask: Ask) -> tuple[Utterance, ...]:
        names = [name for name in FIELDS if name in ask.inferred]
        return (self._words.line("inferred", fields=self._words.fields(names)),) if names else ()

    def _check(self, body: Body) -> None:
        amount, code = Decimal(str(body["amount"])), str(body["currency"])
        if amount <= 0:
            raise Invalid(self._words.line("not_positive"))
        if amount != round(amount, get_currency_precision(code)):
            raise Invalid(self._words.line("whole_units", currency=code))


def _whose(row: Row, ask: Ask) -> tuple[Utterance, ...]:
    """Return whose row it is, where it is not the requester's own."""
    return (Phrase("op_whose", {"person": row.owner}),) if row.owner != ask.identity.user else ()


SHOWN = 30
"""Rows of a list on screen."""


class Reports:
    """Runners that write nothing."""

    def __init__(self, words: Wording) -> None:
        self._words = words

    async def balance(self, ask: Ask, rows: Rows) -> Result:
        """Return what was spent in a range, in one category or all, each currency by itself."""
        found, when = await self._wanted(ask, rows)
        sums = summed(found)
        facts = {"balance": {code: str(amount) for code, amount in sums.items()}}
        if not found:
            return Result((self._words.line("nothing", when=when),), facts=facts)
        args = {"when": when, "sums": show_sums(sums, ask.context.locale)}
        return Result((self._words.line("balance", count=self._words.count(len(found)), **args),), facts=facts)

    async def _wanted(self, ask: Ask, rows: Rows) -> tuple[list[Row], str]:
        """Return the rows of the range and the category that were named, newest day first, and how these are called."""
        period, category = ask.arguments.get("range"), ask.arguments.get("category")
        found = [r for r in _by_day(within(await rows.all(), period)) if category in (None, r.body.get("category"))]
        when = self._words.when(period, ask.context)
        named = self._words.category(str(category)) if category else ""
        return found, self._words.say("of_category", category=named, when=when) if named else when

    async def listing(self, ask: Ask, rows: Rows) -> Result:
        """Return rows, newest day first."""
        found, when = await self._wanted(ask, rows)
        facts = {"listed": [plain(row) for row in found]}
        if not found:
            return Result((self._words.line("nothing", when=when),), facts=facts)
        head = self._words.line("listed", when=when, count=self._words.count(len(found)))
        lines: list[Utterance] = [head, *(self._row(row, ask) for row in found[:SHOWN])]
        if len(found) > SHOWN:
            lines.append(self._words.line("more", count=str(len(found) - SHOWN)))
        return Result(tuple(lines), facts=facts)

    async def summary(self, ask: Ask, rows: Rows) -> Result:
        """Return a month by category, with the change on the month before, and a chart of it."""
        period = str(ask.arguments.get("range") or month_of(ask.context.today))
        every = await rows.all()
        now = within(every, period)
        then = within(every, month_before(period)) if whole_month(period) else []
        if not now and not then:
            return Result((self._words.line("nothing", when=self._words.when(period, ask.context)),))
        names = sorted({str(r.body.get("category") or "") for r in (*now, *then)})
        lines: list[Verbatim] = [self._words.line("summary", range=named_period(period, ask.context))]
        for name in names:
            sums = self._compared(_of(now, name), _of(then, name), period, ask.context)
            lines.append(self._words.line("summary_row", category=self._words.category(name), sums=sums))
        lines.append(self._words.line("total", sums=self._compared(now, then, period, ask.context)))
        facts = {"balance": {code: str(amount) for code, amount in summed(now).items()}}
        if lacking("charts", ""):
            return Result((*lines, self._words.line("no_chart")), facts=facts)
        month = self._month(period, names, now, then, ask.context)
        image = await asyncio.to_thread(draw, month, ask.context)
        told = ". ".join(line.text for line in (Verbatim(month.title), *lines[1:]))
        picture = Produced(
            f"expenses-{shown_period(period)}.png", month.title, data=base64.b64encode(image).decode(), alt=told
        )
        return Result(tuple(lines), facts=facts, files=(picture,))

    async def export(self, ask: Ask, rows: Rows) -> Result:
        """Return a CSV file of rows, oldest day first."""
        period = ask.arguments.get("range")
        found = _by_day(within(await rows.all(), period))[::-1]
        when = self._words.when(period, ask.context)
        if not found:
            return Result((self._words.line("nothing", when=when),), facts={"listed": []})
        columns = self._words.table["columns"]
        table = [[_cell(row, name) for name in columns] for row in found]
        name = f"expenses-{str(period or ask.context.today).replace('/', '-')}.csv"
        table_file = Produced(name, self._words.say("file", when=when), text=csv_text(list(columns.values()), table))
        told = self._words.line("exported", count=self._words.count(len(found)), when=when)
        return Result((told,), facts={"listed": [plain(row) for row in found]}, files=(table_file,))

    def _month(self, period: str, names: list[str], now: list[Row], then: list[Row], context: Context) -> Month:
        """Return what the chart shows; without anything in the month before, that is left out."""
        say, here = self._words.say, named_period(period, context)
        return Month(
            say("chart", range=here),
            here,
            named_period(month_before(period), context) if then else "",
            [_bar(self._words.category(name), _of(now, name), _of(then, name)) for name in names],
            rest=lambda count: say("rest", count=str(count)),
            new=say("new"),
            whole=lambda sums: say("total", sums=sums),
        )

    def _row(self, row: Row, ask: Ask) -> Utterance:
        receipt = self._words.say("receipt") if row.body.get("receipt") else ""
        owner = self._words.say("of_owner", owner=row.owner) if row.owner != ask.identity.user else ""
        return self._words.line(
            "row", number=str(row.number), what=shown(self._words, row.body, ask.context) + receipt + owner
        )

    def _compared(self, now: list[Row], then: list[Row], period: str, context: Context) -> str:
        """Sums now, each with its change on the month before."""
        here, before = summed(now), summed(then)
        parts = [self._change(code, here, before, period, context) for code in sorted({*here, *before})]
        return "; ".join(parts)

    def _change(self, code: str, here: Sums, before: Sums, period: str, context: Context) -> str:
        amount, was = here.get(code, Decimal(0)), before.get(code)
        sums = show_sums({code: amount}, context.locale)
        if was is None:
            return sums
        share = f"{(amount - was) / was * 100:+.0f} %" if was else self._words.say("new")
        return self._words.say("change", sums=sums, change=share, before=named_period(month_before(period), context))


def _by_day(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (str(row.body["date"]), row.number), reverse=True)


def _of(rows: list[Row], category: str) -> list[Row]:
    return [row for row in rows if str(row.body.get("category") or "") == category]


def _bar(label: str, now: list[Row], then: list[Row]) -> Bar:
    here, before = summed(now), summed(then)
    return Bar(label, {code: (here.get(code, Decimal(0)), before.get(code, Decimal(0))) for code in {*here, *before}})


def _cell(row: Row, name: str) -> str:
    own = {"number": str(row.number), "owner": row.owner, "receipt": "yes" if row.body.get("receipt") else ""}
    return own.get(name, str(row.body.get(name) or ""))
