"""Contract notes: what says the same as report and approval closes the file, what says something else is a breach, the rest a person reads."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from state.advance import advance
from state.draft.documents import Document
from state.draft.draft import Draft, Status, with_record
from state.draft.record import Decision
from state.engine.effects import Announce, Forward, Post
from state.engine.events import DocumentsReceived
from tests.workflows.dealing_cases import DEALING, ISINS, draft_of, facts_for
from tests.workflows.test_pa_dealing_trades import traded

HEAD = "Contract note\nWe have bought for you: TESCO PLC ORD\nISIN: GB00BLGZ9862\nTrade date: 23 Nov 2026\nSettlement date: 25 Nov 2026\n"
REST = "Quantity: 200\nConsideration: GBP 720.00"
TABLE = f"{HEAD}Currency: GBP\nFill\tQuantity\tPrice\tConsideration\n1\t120\t3.60\t432.00\n"
TWO_PAGES = "Quantity\tPrice\tConsideration\n120\t3.60\t432.00\nPage 1 of 2\nContract note\nQuantity\tPrice\tConsideration\n80\t3.60\t288.00\n"


def on(day: str) -> str:
    """The usual note with its day written in another way."""
    return HEAD.replace("23 Nov 2026", day) + REST


SAME: Mapping[str, str] = {
    "with costs beside": f"{HEAD}{REST}\nPrice: GBP 3.60\nCommission: GBP 12.00\nStamp duty: GBP 3.60\nNet amount: GBP 735.60",
    "amount within five percent": f"{HEAD}Quantity: 200\nConsideration: GBP 750.00",
    "two fills": f"{HEAD}Quantity: 120\nConsideration: GBP 432.00\nQuantity: 80\nConsideration: GBP 288.00",
    "two fills and their totals": (
        f"{HEAD}Quantity: 120\nConsideration: GBP 432.00\nQuantity: 80\nConsideration: GBP 288.00\nTotal quantity: 200\n"
        "Total consideration: GBP 720.00"
    ),
    "fills by their prices": f"{HEAD}Quantity: 120\nPrice: 3.50\nQuantity: 80\nPrice: 3.75\nConsideration: GBP 720.00",
    "a table": f"{TABLE}2\t80\t3.60\t288.00\nTotal\t200\t720.00",
    "a table over two pages": f"{HEAD}Currency: GBP\n{TWO_PAGES}",
    "a table that goes on without its head": f"{TABLE}Page 1 of 2\n2\t80\t3.60\t288.00",
    "price in pence": f"{HEAD}{REST}\nPrice: 360.00p",
    "a price alone": f"{HEAD}Quantity: 200 shares\nPrice: GBP 3.60",
    "labels above": "Trade date\n23 Nov 2026\nISIN\nGB00BLGZ9862\nSide\nBUY\nQuantity\n200\nConsideration\nGBP 720.00",
    "cells": "ISIN\tGB00BLGZ9862\nTrade date\t23 Nov 2026\tSettlement date\t25 Nov 2026\nSide\tBuy\nQuantity\t200\nConsideration\tGBP 720.00",
    "no colons": "Bought\nISIN GB00BLGZ9862\nTrade date 23 Nov 2026\nQuantity 200\nConsideration GBP 720.00\nStamp duty GBP 3.60",
    "day with its hour": on("23/11/2026 14:32:05"),
    "day the American way": on("Nov 23, 2026"),
    "day in figures": on("2026-11-23T14:32:05Z"),
    "a security by its name": HEAD.replace("ISIN: GB00BLGZ9862\n", "").replace("TESCO PLC ORD", "TESCO PLC") + REST,
}  # fmt: skip
OTHER: Mapping[str, tuple[str, str]] = {
    "a quantity within five percent": (f"{HEAD}Quantity: 210\nConsideration: GBP 720.00", "Quantity traded"),
    "an amount beyond five percent": (f"{HEAD}Quantity: 200\nConsideration: GBP 757.00", "Value of the trade"),
    "another day": (on("24 Nov 2026"), "Day of the trade"),
    "another security": (HEAD.replace("GB00BLGZ9862", ISINS["shell"]) + REST, "Security"),
    "a sale": (HEAD.replace("bought", "sold") + REST, "Direction"),
    "another currency": (f"{HEAD}Quantity: 200\nConsideration: USD 720.00", "Currency"),
}
NO_ONE_FIGURE: Mapping[str, str] = {
    "two amounts": f"{HEAD}{REST}\nConsideration: GBP 72,000.00",
    "an amount under an unknown name": f"{HEAD}{REST}\nTotal traded: GBP 72,000.00",
    "an amount in a sentence": f"{HEAD}{REST}\nThis replaces the earlier note over GBP 7,200.00.",
    "a total that is not the sum": f"{TABLE}2\t80\t3.60\t288.00\nTotal\t210\t720.00",
    "partial sums": f"{HEAD}Quantity\tConsideration\n120\tGBP 432.00\nSubtotal\tGBP 432.00\n80\tGBP 288.00\nTotal\tGBP 720.00",
    "a row with an empty cell": f"{TABLE}2\t80\t288.00",
    "a price that does not fit": f"{HEAD}{REST}\nPrice: GBP 9.99",
    "the same number twice": f"{HEAD}Quantity: 200\n{REST}",
    "only the settlement's day": HEAD.replace("Trade date: 23 Nov 2026\n", "") + REST,
    "a day that may be two": on("03/04/2026"),
    "two days": f"{HEAD}Trade date: 24 Nov 2026\n{REST}",
    "not a date": on("31 Feb 2026"),
    "two securities": f"{HEAD}ISIN: {ISINS['shell']}\n{REST}",
    "two currencies": f"{HEAD}{REST}\nPrice: EUR 3.60",
    "a dollar of no country": f"{HEAD}Quantity: 200\nConsideration: $720.00",
    "both sides": f"{HEAD}Side: SELL\n{REST}",
    "ninety digits": f"{HEAD}Quantity: 200\nConsideration: GBP {'9' * 90}.00",
    "less than nothing": f"{HEAD}Quantity: -200\nConsideration: GBP 720.00",
    "an amount in brackets": f"{HEAD}Quantity: 200\nConsideration: (GBP 720.00)",
    "no number": f"{HEAD}Quantity: NaN\nConsideration: GBP Infinity",
    "nothing traded": f"{HEAD}Quantity: 0\nConsideration: GBP 0.00",
    "a part of a share": f"{HEAD}Quantity: 200.5\nConsideration: GBP 720.00",
    "one or a thousand": f"{HEAD}Quantity: 1.000\nConsideration: GBP 720",
    "commas of both sorts": f"{HEAD}{REST}\nPrice: 3,60",
    "an i without its dot": f"{HEAD}Quantıty: 200\nConsıderation: GBP 720.00",
    "letters of another script": f"{HEAD}{REST}".replace("Qua", "Qu\u0430"),
    "digits of another script": f"{HEAD}Quantity: ٢٠٠\nConsideration: GBP 720.00",
    "text from right to left": f"{HEAD}Quantity: \u202e002\u202c\nConsideration: GBP 720.00",
    "a space that nobody sees": f"{HEAD}{REST}\nThank\u200byou",
    "a zero byte": f"{HEAD}{REST}\nThank\x00you",
    "nothing": "",
    "prose": "Dear customer, thank you for your custom.",
    "a very long line": f"{HEAD}{REST}\n{'GBP 1.00 ' * 800}",
}  # fmt: skip


def executed(**figures: Any) -> Draft:
    """A record of 200 Tesco for GBP 720 that was approved on 20 November, until the 24th, and reported as done on the 23rd."""
    verdict = Decision("U0COMP", "compliance", "pending_compliance", "approve", "approved", "2026-11-20T12:00:00+00:00")
    draft = traded(draft_of(), **figures)
    report = replace(draft.filed.reports[0], after="approved", until="2026-11-24", days=30)
    return with_record(
        replace(draft, status=Status.SUBMITTED),
        state="executed",
        reports=(report,),
        decisions=(verdict,),
        filed_at="2026-11-20T09:00:00+00:00",
    )


async def sent(text: str, draft: Draft | None = None, **about: Any) -> Any:
    """The outcome of a note with this text."""
    held = draft or executed()
    paper = Document("f-1", "note.pdf", "application/pdf", 1, text, **about)
    event = DocumentsReceived(
        "n-1", "2026-11-25T10:00:00+00:00", "documents", (paper,), held.turn, facts=await facts_for(held)
    )
    return advance(DEALING.form, DEALING.rules, held, event)


@pytest.mark.parametrize("case", SAME)
async def test_a_note_that_says_the_same_closes_the_file(case: str) -> None:
    """Fills are added up, costs are left aside, and only an amount of money may differ, by five percent."""
    after = (await sent(SAME[case])).draft
    assert (after.filed.notes[-1].came, after.filed.notes[-1].doubts, after.filed.breaches) == ("matched", (), ())


@pytest.mark.parametrize("case", OTHER)
async def test_a_note_that_says_something_else_is_a_breach(case: str) -> None:
    """What is told once and plainly, and is not what was reported or approved."""
    text, label = OTHER[case]
    after = (await sent(text)).draft
    assert [after.filed.notes[-1].came, *(b.said.get("label") for b in after.filed.breaches)] == ["differs", label]


@pytest.mark.parametrize("case", NO_ONE_FIGURE)
async def test_a_note_that_could_be_read_in_two_ways_goes_to_a_person(case: str) -> None:
    """With the file and what was read beside it: it closes nothing, breaches nothing, and its sender reads one sentence."""
    outcome = await sent(NO_ONE_FIGURE[case])
    note = outcome.draft.filed.notes[-1]
    assert (note.came, outcome.draft.filed.breaches, outcome.draft.filed.settled) == ("unread", (), False)
    assert [e.case for e in outcome.effects if isinstance(e, Announce)] == [note.id]
    assert [e.document for e in outcome.effects if isinstance(e, Forward)] == ["f-1"]
    (post,) = (e for e in outcome.effects if isinstance(e, Post))
    assert [line.key for line in post.card.lines] == ["note_unread"]


@pytest.mark.parametrize("doubt", ["hidden", "beside", "cut"])
async def test_a_file_that_shows_other_than_its_text_goes_to_a_person(doubt: str) -> None:
    """Whatever its text says."""
    note = (await sent(SAME["two fills"], doubts=(doubt,))).draft.filed.notes[-1]
    assert (note.came, note.doubts, {f.name for f in note.figures if f.same}) == (
        "unread", (doubt,), {"security", "direction", "traded_quantity", "traded_value", "traded_currency", "traded_on"},
    )  # fmt: skip


@pytest.mark.parametrize("problem", ["locked", "broken", "no_text", "slow"])
async def test_a_file_that_cannot_be_opened_goes_to_a_person(problem: str) -> None:
    """The person is told that a colleague looks at it."""
    assert (await sent("", problem=problem)).draft.filed.notes[-1].came == "unread"


async def test_a_note_is_held_against_the_approval_as_well() -> None:
    """Within five percent of the report, and beyond what was approved: a breach, though the report itself was none."""
    reported = executed(traded_value="750.00")
    assert (await sent(f"{HEAD}Quantity: 200\nConsideration: GBP 756.00", reported)).draft.filed.notes[
        -1
    ].came == "matched"
    over = (await sent(f"{HEAD}Quantity: 200\nConsideration: GBP 760.00", reported)).draft
    assert (
        over.filed.notes[-1].came == "differs"
        and "over 5% more than the approved GBP 720.00" in over.filed.breaches[0].words
    )


async def test_conditions_of_an_approval_are_for_a_person_to_check() -> None:
    """Code cannot tell what an officer's words ask for."""
    (verdict,) = (held := executed()).filed.decisions
    under = with_record(held, decisions=(replace(verdict, conditions="Not before noon"),))
    assert (await sent(SAME["two fills"], under)).draft.filed.notes[-1].doubts == ("conditions",)


FOREIGN: Mapping[str, tuple[str, dict[str, Any]]] = {
    "German": (
        "Wertpapierabrechnung Kauf\nISIN: GB00BLGZ9862\nHandelstag: 23. November 2026\nStück: 1.200\nKurs: 3,60 EUR\nKurswert: 4.320,00 EUR\n"
        "Provision: 9,90 EUR\nAusmachender Betrag: 4.329,90 EUR", {"traded_quantity": 1200, "traded_value": "4320.00"},
    ),
    "Italian": (
        "Nota informativa: acquisto\nISIN GB00BLGZ9862\nData operazione: 23 novembre 2026\nQuantità: 200\nPrezzo: € 3,60\nControvalore: € 720,00\n"
        "Commissioni: € 5,00", {"traded_quantity": 200, "traded_value": "720.00"},
    ),
    "Spanish": (
        "Nota de operación: compra\nISIN: GB00BLGZ9862\nFecha de operación: 23 de noviembre de 2026\nTítulos: 200\nPrecio: 3,60 EUR\n"
        "Efectivo: 720,00 EUR\nComisión: 5,00 EUR", {"traded_quantity": 200, "traded_value": "720.00"},
    ),
    "Swiss": (
        "Kauf\nISIN: GB00BLGZ9862\nHandelstag: 23.11.2026\nAnzahl: 1'200\nKurswert: EUR 4'320.00",
        {"traded_quantity": 1200, "traded_value": "4320.00"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", FOREIGN)
async def test_notes_of_other_countries_are_read(case: str) -> None:
    """With their labels, months, and signs in numbers."""
    text, figures = FOREIGN[case]
    draft = executed(**figures, traded_currency="EUR")
    values = {
        n: replace(v, data={"quantity": 1200, "value": "4320.00", "currency": "EUR"}.get(n, v.data))
        for n, v in draft.values.items()
    }
    after = (await sent(text, replace(draft, values=values))).draft
    assert (after.filed.notes[-1].came, after.filed.notes[-1].doubts) == ("matched", ())
