"""Operations that change rows: add, update, delete. Each says beforehand what it would do."""

from collections.abc import Iterable
from decimal import Decimal

from babel.numbers import get_currency_precision
from rapidfuzz.fuzz import ratio

from state.draft.operations import Ask, Invalid, Result, Row, Rows, Write
from state.draft.utterance import Phrase, Utterance

from .showing import Body, Wording, plain, shown

FIELDS = ("item", "amount", "currency", "date", "category")
ALIKE = 85.0
"""Likeness, from 0 to 100, from which two items of one amount and day are taken for one."""


class Writing:
    """Runners over a person's rows."""

    def __init__(self, words: Wording) -> None:
        self._words = words

    async def add(self, ask: Ask, rows: Rows) -> Result:
        """One new row; what was worked out, and a likely duplicate, are named on the card."""
        body = {name: ask.arguments.get(name) for name in FIELDS}
        self._check(body)
        row = Row(await rows.number(), ask.identity.user, body)
        what = shown(self._words, body, ask.context)
        twin = _twin(body, await rows.all(), ask.identity.user)
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
    """Whose row it is, where it is not the asker's own."""
    return (Phrase("op_whose", {"person": row.owner}),) if row.owner != ask.identity.user else ()


def _twin(body: Body, rows: Iterable[Row], owner: str) -> Row | None:
    """Return a row of the same person, sum and day whose item reads alike."""
    same = ("currency", "date")
    return next(
        (
            row
            for row in rows
            if row.owner == owner
            and all(row.body[name] == body[name] for name in same)
            and Decimal(str(row.body["amount"])) == Decimal(str(body["amount"]))
            and ratio(str(row.body["item"]).casefold(), str(body["item"]).casefold()) >= ALIKE
        ),
        None,
    )
