"""What PA dealing makes of a trade that was made: what it was worth and whether it could be sold."""

from typing import Any

import pytest

from state.draft.draft import Draft, with_record
from state.draft.record import Report
from state.rules import FormFault
from tests.workflows.dealing_cases import DEALING, ISINS, draft_of, facts_for, record

AT = "2026-11-23T15:00:00+00:00"


def traded(draft: Draft, **figures: Any) -> Draft:
    """The draft with a report: 200 on the 23rd for GBP 720, or what is given otherwise."""
    told = {"traded_on": "2026-11-23", "traded_quantity": 200, "traded_value": "720.00", "traded_currency": "GBP"}
    return with_record(
        draft, number="PA-2026-000009", reports=(Report(AT, "U0ALEX", {**told, **figures}, tolerance=5),)
    )


WORTH = {
    "as approved": ({}, None),
    "five percent more": ({"traded_value": "756.00"}, None),
    "over five percent more": ({"traded_value": "756.01"}, "over 5% more than the approved GBP 720.00"),
    "less": ({"traded_value": "100.00"}, None),
    "in euros, worth as much": ({"traded_value": "827.00", "traded_currency": "EUR"}, None),
    "in euros, worth more": ({"traded_value": "900.00", "traded_currency": "EUR"}, "The trade came to EUR 900.00"),
    "in what has no rate": ({"traded_value": "1.00", "traded_currency": "XOF"}, "no exchange rate"),
}


@pytest.mark.parametrize("case", WORTH)
async def test_a_trade_is_worth_what_was_approved(case: str) -> None:
    """Up to the tolerance of the policy, in pounds where the currency is another one; what cannot be compared is a breach."""
    figures, said = WORTH[case]
    draft = traded(draft_of(), **figures)
    told = DEALING.rules.breaches(draft, await facts_for(draft))
    assert (said is None and told == ()) or (said is not None and len(told) == 1 and said in told[0])


BOUGHT = record(1, "2026-11-01", "executed", "2026-11-03", "2026-11-03")
SOLD = {
    "within it": ([BOUGHT], "2026-12-02", "had to be held until 3 Dec 2026"),
    "on the day on which it ends": ([BOUGHT], "2026-12-03", None),
    "before it was bought again": ([record(2, "2026-12-05", "executed", "2026-12-07", "2026-12-07"), BOUGHT], "2026-12-04", None),
    "an approval that was not used": ([record(1, "2026-11-19", "approved", "2026-11-23")], "2026-11-23", None),
    "another security": ([{**BOUGHT, "values": {"security": {"data": ISINS["shell"]}, "direction": {"data": "buy"}}}], "2026-11-23", None),
}  # fmt: skip


@pytest.mark.parametrize("case", SOLD)
async def test_a_sale_within_the_holding_period_is_a_breach(case: str) -> None:
    """It counts from what was executed, by the day of the sale; a purchase never breaches it."""
    records, day, said = SOLD[case]
    for direction in ("sell", "buy"):
        draft = traded(draft_of(direction=direction), traded_on=day)
        told = DEALING.rules.breaches(draft, await facts_for(draft, *records))
        assert (len(told) == 1 and said in told[0]) if said and direction == "sell" else told == ()


def test_an_exchange_closes_by_its_own_clock() -> None:
    """London in winter at half past four, New York at nine in the evening of London; nothing is said of one whose hours are not known."""
    assert DEALING.rules.closes(draft_of(), "2026-11-24") == "2026-11-24T16:30:00+00:00"
    assert DEALING.rules.closes(draft_of(facts={"exchange": "XNAS"}), "2026-11-24") == "2026-11-24T21:00:00+00:00"
    assert DEALING.rules.closes(draft_of(facts={"exchange": "XXXX"}), "2026-11-24") == ""


async def test_a_notes_limits_are_the_policys() -> None:
    """Thirty days, as the lists of the moment have them, and five percent, as the form itself says."""
    facts = await facts_for(draft_of())
    assert DEALING.form.filing.note is not None
    assert (DEALING.rules.limits("contract_note", facts), DEALING.form.filing.note.tolerance) == (30, 5)
    facts["limits"]["contract_note"] = {**facts["limits"]["contract_note"], "value": 14}
    assert DEALING.rules.limits("contract_note", facts) == 14
    with pytest.raises(FormFault, match="limits"):
        DEALING.rules.limits("unheard_of", facts)
