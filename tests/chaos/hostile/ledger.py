"""People who write down expenses beside models that get them wrong: what stands in the end is what they said, and every row had their click.

They say one thing a line, confirm a card that says just that, and cancel any other. Whoever cancels twice says it in the plainest way.
"""

import random
import re
import tempfile
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from time import monotonic
from typing import Any

from bot.sandbox.models.answers import Answer, Slow, call, text, tools
from bot.sandbox.models.scripts import Body, newest_words, offered
from state.stores.ledger import Entry
from state.stores.opener import memory_store
from tests.chaos.hostile.desk import AT, Late
from tests.chaos.hostile.judging import untrue
from tests.chaos.hostile.models import LIES, Model
from tests.chaos.invariants import broken_in
from tests.world import TEAM, World, shown, world

DAY = AT[:10]
"""The day of all that names none."""
MOST = 4
"""Times that somebody says one thing before they give up."""
ACTS, MORE = 2, 1.5
"""Acts that one expense takes: a line and a click; and how many times as many are too many."""


@dataclass(frozen=True)
class Expense:
    """An expense: how somebody says it, and in the plainest way, and the row that is to stand for it."""

    said: str
    plain: str
    item: str
    amount: str
    currency: str = "EUR"
    date: str = DAY

    def is_in(self, row: dict[str, Any]) -> bool:
        """Return True if a row says this."""
        same = row["currency"] == self.currency and row["date"] == self.date and self.item in row["item"].casefold()
        return same and Decimal(row["amount"]) == Decimal(self.amount)

    def is_on(self, line: str) -> bool:
        """Return True if a line of a card says this: "Add: coffee · EUR 3.50 · 20 Nov 2026"."""
        day = datetime.fromisoformat(self.date).strftime("%-d %b %Y")
        same = self.item in line.casefold() and day in line
        return same and re.search(rf"{self.currency} {re.escape(self.amount)}(?!\d)", line) is not None


EXPENSES = (
    Expense("coffee 3,50", "coffee 3.50", "coffee", "3.50"),
    Expense("I paid 18.40 for a taxi", "taxi 18.40", "taxi", "18.40"),
    Expense("£200 mechanic yesterday", "mechanic £200 yesterday", "mechanic", "200.00", "GBP", "2026-11-19"),
    Expense("Parkhaus 12,80 €", "Parkhaus 12,80 EUR", "parkhaus", "12.80"),
    Expense("pranzo 24 euro", "pranzo 24,00 EUR", "pranzo", "24.00"),
    Expense("peaje 7,35", "peaje 7,35 EUR", "peaje", "7.35"),
)


def wrong_row(model: Model, body: Body) -> Answer:
    """It adds what nobody said, twice or under another day, and quotes the words that were said."""
    words, rng = newest_words(body), model.rng
    row = {"item": rng.choice(("lunch", words)), "amount": rng.choice(("35.00", "350", "0.01")), "currency": rng.choice(("USD", "EUR")),
           "date": rng.choice((DAY, "2026-11-01", "2027-01-01")), "category": "other", "words": words}  # fmt: skip
    return tools(*[call("add_expense", **row)] * rng.choice((1, 2)), text=rng.choice(LIES))


def other_rows(model: Model, body: Body) -> Answer:
    """It changes, deletes or takes back rows that nobody spoke of."""
    words, rng = newest_words(body), model.rng
    calls = (
        call("delete_expense", id=1, words=words), call("undo", words=words),
        call("update_expense", id=rng.randint(1, 3), amount="9999", words=words), call("export_expenses", words=words),
    )  # fmt: skip
    return tools(rng.choice(calls), text=rng.choice(("", *LIES)))


def half_a_row(model: Model, body: Body) -> Answer:
    """It fills in a part of what its tools take, from the words."""
    name = model.rng.choice([*offered(body)])
    return tools(call(name, item=newest_words(body), words=newest_words(body)))


@dataclass
class Book:
    """One person's expenses in one conversation."""

    here: World
    rng: random.Random
    acts: int = 0
    problems: list[str] = field(default_factory=list)
    done: list[Expense] = field(default_factory=list)

    async def keep(self, expenses: list[Expense]) -> None:
        """Write all of it down, one after the other."""
        await self.here.alex.command("/expenses")
        await self.here.settled()
        for expense in expenses:
            for n in range(MOST):
                self.acts += 1
                await self.here.say(expense.plain if n > 1 else expense.said)
                if await self._confirmed(expense):
                    self.done.append(expense)
                    break
            else:
                self.problems.append(f"progress: gave up at “{expense.said}”")

    async def _confirmed(self, expense: Expense) -> bool:
        """Answer every card that waits, the newest first: return True once a row stands for what was said."""
        while card := next((m for m in reversed(self.here.screen()) if "hf.confirm" in str(m["blocks"])), None):
            lines = [line for line in shown(card).splitlines() if " · " in line or re.match(r"\w+ \d+:|Undo", line)]
            right = (
                len(lines) == 1
                and lines[0].startswith("Add:")
                and expense.is_on(lines[0])
                and not await self._stands(expense)
            )
            self.acts += 1
            await self.here.read()
            await self.here.click("Confirm" if right else "Cancel", card)
            if right and not await self._stands(expense):
                self.problems.append(f"invariant 12: “{lines[0]}” was confirmed, and does not stand")
        return await self._stands(expense)

    async def _stands(self, expense: Expense) -> bool:
        return any(expense.is_in(dict(entry.body)) for entry in await self.rows())

    async def rows(self) -> list[Entry]:
        """Return what stands, newest first."""
        return await self.here.bot.store.entries(TEAM, "expenses")

    async def judged(self) -> list[str]:
        """Return what is wrong with what stands, and with what was shown."""
        rows = [dict(entry.body) for entry in await self.rows()]
        nobodys = [row for row in rows if not any(expense.is_in(row) for expense in self.done)]
        twice = len(rows) - len(nobodys) - len(self.done)
        found = [f"invariant 2: nobody said {row}" for row in nobodys]
        found += [f"invariant 5: {twice} rows more than were said"] if twice > 0 else []
        found += [f"invariant 6: {-twice} confirmed rows are gone"] if twice < 0 else []
        return [*self.problems, *found, *untrue(self.here.transcript())]


async def write_down(kind: str, seed: int) -> tuple[int, list[str]]:
    """Play one conversation beside one model, or none ("absent"); return the model's turns, and what was wrong."""
    rng = random.Random(f"{kind} {seed}")
    model, own = Model("any 1" if kind == "any" else kind, rng), (wrong_row, other_rows, half_a_row)

    def script(body: Body) -> Answer:
        try:
            return rng.choice(own)(model, body) if kind == "any" and rng.random() < 0.5 else model(body)
        except Late:
            return Slow(0.1, text("All right."))

    began = monotonic()
    store = memory_store(lambda: datetime.fromisoformat(AT) + timedelta(seconds=monotonic() - began))
    with tempfile.TemporaryDirectory() as var:
        play = script if kind != "absent" else None
        async with world(Path(var), play, {"only": "expenses", "store": store}) as here:
            book = Book(here, rng)
            await book.keep(rng.sample(EXPENSES, len(EXPENSES)))
            wrong = [*await book.judged(), *await broken_in(store, here.sandbox)]
            slow = [f"progress: {book.acts} acts"] if book.acts > MORE * ACTS * len(EXPENSES) else []
            return len(here.model.requests) if here.model else 0, [*wrong, *slow]
