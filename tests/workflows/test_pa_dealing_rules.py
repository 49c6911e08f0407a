"""What a submission becomes: hard blocks, risk, the holding period, approval by rule."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from state.draft.draft import with_record
from state.draft.record import PendingDecision
from state.lists.versions import InForce
from state.rules import Filing
from tests.workflows.dealing_cases import DEALING, ISINS, TODAY, draft_of, facts_for, record


async def filed(*records: Any, today: str = TODAY, rate: str | None = "", **draft: Any) -> Filing:
    """The filing of a request; `rate` replaces the day of the exchange rate, None takes the rate away."""
    request = draft_of(**draft)
    facts = dict(await facts_for(request, *records, today=today))
    if rate is None:
        facts["rate"] = None
    elif rate:
        facts["rate"] = {**facts["rate"], "day": rate}
    return DEALING.rules.file(request, facts)


async def test_a_small_plain_request_is_approved_by_rule() -> None:
    """A low risk under GBP 10,000 is approved by rule, until the second business day of the exchange."""
    filing = await filed()
    assert filing.state == "auto_approved"
    assert filing.reasons == (
        "The risk is low and the value is under GBP 10,000.00. (thresholds, version 0)",
        "The approval is valid until 24 Nov 2026. (thresholds, version 0)",
    )
    assert filing.computed["risk"] == "LOW"
    assert filing.computed["approval_until"] == "2026-11-24"


RISKS: dict[str, tuple[dict[str, Any], str, str]] = {
    "10,000 is not under 10,000": ({"value": "10000.00"}, "LOW", "GBP 10,000.00 is not under GBP 10,000.00"),
    "a penny under 100,000": ({"value": "99999.99"}, "LOW", "GBP 99,999.99 is not under"),
    "100,000 alone": ({"value": "100000.00"}, "LOW", "worth GBP 100,000.00 or more"),
    "100,000 and an ETF": ({"value": "100000.00", "security": ISINS["world"]}, "MEDIUM", "is an ETF"),
    "1,000,000 and an ETF": ({"value": "1000000.00", "security": ISINS["world"]}, "MEDIUM", "GBP 100,000.00 or more"),
    "over 1,000,000": ({"value": "1000000.01"}, "HIGH", "worth over GBP 1,000,000.00"),
    "a bond and a derivative": ({"is_derivative": True, "facts": {"kind": "bond"}}, "MEDIUM", "declared as a derivative"),
    "a derivative alone": ({"is_derivative": True}, "LOW", "declared as a derivative"),
    "traded by the firm": ({"security": ISINS["shell"]}, "HIGH", "The firm itself traded Shell plc on 3 Nov 2026, within 90 days."),
    "a connected person": ({"is_related_party": True}, "HIGH", "for a connected person"),
    "connected, told later": ({"disclosed": ("is_related_party",)}, "HIGH", "for a connected person"),
    "no rate": ({"rate": None, "currency": "EUR"}, "HIGH", "There is no current exchange rate for EUR."),
    "no rate of this currency": ({"currency": "JPY"}, "HIGH", "no current exchange rate for JPY"),
    "an old rate": ({"rate": "2025-11-18", "currency": "EUR"}, "HIGH", "no current exchange rate for EUR"),
    "in dollars": ({"value": "140000", "currency": "USD", "security": ISINS["world"]}, "MEDIUM", "GBP 100,000.00 or more"),
    "a client conflict": ({"has_client_conflict": True}, "LOW", "conflict with a client"),
    "leveraged": ({"is_leveraged": True}, "LOW", "declared as leveraged"),
}  # fmt: skip


@pytest.mark.parametrize("case", RISKS)
async def test_what_is_not_approved_by_rule_goes_to_the_manager_with_its_reason(case: str) -> None:
    """Any HIGH is HIGH, two MEDIUM are MEDIUM, else LOW; what is over the limit or under an advisory is left to people."""
    changed, risk, reason = RISKS[case]
    filing = await filed(**changed)
    assert (filing.state, filing.computed["risk"]) == ("pending_manager", risk)
    assert any(reason in given for given in filing.reasons), filing.reasons
    assert filing.computed["approval_until"] is None


APPROVED: dict[str, dict[str, Any]] = {
    "an ETF alone is one MEDIUM": {"security": ISINS["world"]},
    "traded by the firm 90 days and more ago": {"security": ISINS["apple"], "currency": "USD"},
    "a penny under 10,000": {"value": "9999.99"},
    "euros under 10,000 pounds": {"value": "11000", "currency": "EUR"},
}


@pytest.mark.parametrize("case", APPROVED)
async def test_one_medium_concern_alone_is_a_low_risk(case: str) -> None:
    """What raises no HIGH and not two MEDIUM concerns stays low, and is approved by rule under the limit."""
    assert (await filed(**APPROVED[case])).state == "auto_approved"


NOT_NOW = "{name} can't be traded at the moment. Compliance can tell you more."
BLOCKS: dict[str, tuple[dict[str, Any], str]] = {
    "restricted list": ({"security": ISINS["vodafone"]}, "Vodafone Group Plc has been on the restricted list since 2 Nov 2026."),
    "inside information": ({"has_inside_info": True}, "Inside information about Tesco PLC was declared."),
    "inside information, told later": ({"disclosed": ("has_inside_info",)}, "Inside information about Tesco PLC was declared."),
    **{
        kind: ({"facts": {"kind": kind}}, f"Tesco PLC is {words}, which can't be traded.")
        for kind, words in {
            "cfd": "a CFD", "spread_bet": "a spread bet", "future": "a future", "option": "an option",
            "leveraged_etf": "a leveraged ETF",
        }.items()
    },
}  # fmt: skip


@pytest.mark.parametrize("case", BLOCKS)
async def test_a_hard_block_is_filed_as_blocked_with_its_reason(case: str) -> None:
    """The restricted list, inside information and prohibited kinds block a request, however low its risk; nothing approves it."""
    changed, reason = BLOCKS[case]
    filing = await filed(**changed)
    assert (filing.state, filing.computed["hard_blocks"]) == ("blocked", [reason])
    assert [given.partition(" (")[0] for given in filing.reasons] == [reason]
    assert filing.computed["approval_until"] is None


async def test_a_person_is_told_only_what_is_theirs_to_know() -> None:
    """How long it is good, when a holding period ends: not why it was blocked, what the firm traded, nor how risk is weighed."""
    assert (await filed(security=ISINS["shell"], is_related_party=True)).told == ()
    held = await filed(record(1, "2026-11-20"), direction="sell", is_related_party=True)
    assert held.told == ("This is a sale within the holding period, which ends on 20 Dec 2026.",)
    blocked, approved = await filed(has_inside_info=True), await filed()
    assert blocked.told == (NOT_NOW.format(name="Tesco PLC"),)
    assert approved.told[1] == "The approval is valid until 24 Nov 2026."


@pytest.mark.parametrize("case", BLOCKS)
async def test_what_is_told_of_a_block_is_the_same_for_each_cause(case: str) -> None:
    """The restricted list, a closed period, inside information, a kind: nobody can tell from the sentence which of them it is."""
    changed, _ = BLOCKS[case]
    name = "Vodafone Group Plc" if "security" in changed else "Tesco PLC"
    assert (await filed(**changed)).told == (NOT_NOW.format(name=name),)


def listed(name: str, *rows: Mapping[str, str]) -> Mapping[str, InForce]:
    """A list in its third version."""
    return {name: InForce(DEALING.form.lists[name].title, 3, "20 Nov 2026", rows, "f" * 64)}


def closed(
    isin: str = "", issuer: str = "", begins: str = "2026-11-01", ends: str = "2026-12-01"
) -> Mapping[str, InForce]:
    return listed("closed_periods", {"isin": isin, "issuer": issuer, "from": begins, "until": ends, "note": "Year end"})


CLOSED: dict[str, tuple[Mapping[str, InForce], bool]] = {
    "by its ISIN": (closed(ISINS["tesco"]), True),
    "by its issuer": (closed(issuer="Tesco"), True),
    "for all": (closed(issuer="all"), True),
    "on its first day": (closed(ISINS["tesco"], begins=TODAY), True),
    "on its last day": (closed(ISINS["tesco"], ends=TODAY), True),
    "before it": (closed(ISINS["tesco"], begins="2026-11-21"), False),
    "after it": (closed(ISINS["tesco"], ends="2026-11-19"), False),
    "of another security": (closed(ISINS["shell"]), False),
    "of another issuer": (closed(issuer="Shell"), False),
}


@pytest.mark.parametrize("case", CLOSED)
async def test_a_closed_period_blocks_while_it_lasts(case: str) -> None:
    """For a security, for what an issuer has issued, or for all; reviewers read which period, the person does not."""
    lists, blocked = CLOSED[case]
    request = draft_of()
    facts = await facts_for(request, lists=lists)
    filing = DEALING.rules.file(request, facts)
    assert (filing.state == "blocked") is blocked
    (answer, *_) = DEALING.rules.commands["can_i_trade"](
        "Tesco", await facts_for(request, asked=("can_i_trade", "Tesco"), lists=lists)
    )
    if blocked:
        assert filing.told == (NOT_NOW.format(name="Tesco PLC"),) and answer == NOT_NOW.format(name="Tesco PLC")
        assert filing.reasons[0].endswith("Note: Year end (closed periods, version 3 of 20 Nov 2026)")
    else:
        assert "nothing that stops" in answer


async def test_every_result_names_the_version_it_comes_from() -> None:
    """A block, a concern and what kept a request from being approved by rule say of which list, in which version, they are."""
    thresholds = tuple(
        dict(row) | ({"value": "500"} if row["name"] == "auto_approve_below" else {})
        for row in DEALING.lists["thresholds"]
    )
    lists = {
        **listed("thresholds", *thresholds),
        **listed("restricted"),
        **listed("prohibited_kinds", {"kind": "share"}),
    }
    request = draft_of(value="600.00", security=ISINS["vodafone"], is_related_party=True, has_client_conflict=True)
    facts = await facts_for(request, lists=lists)
    filing = DEALING.rules.file(request, facts)
    assert filing.state == "blocked" and facts["restricted"] is None
    origins = {one["result"]: one["of"] for one in filing.computed["origins"]}
    assert (
        origins["Vodafone Group Plc is of the kind “share”, which can't be traded."]
        == "prohibited kinds, version 3 of 20 Nov 2026"
    )
    assert origins["GBP 600.00 is not under GBP 500.00, so a person decides."] == "thresholds, version 3 of 20 Nov 2026"
    assert origins["The trade is for a connected person."] == "policy 2026-11"
    assert origins["A possible conflict with a client was declared."] == "policy 2026-11"
    assert filing.computed["lists"]["restricted"] == {
        "version": 3,
        "named": "restricted list, version 3 of 20 Nov 2026",
        "sha256": "f" * 64,
    }
    assert filing.computed["lists"]["closed_periods"]["version"] == 0


@pytest.mark.parametrize("name", [row["name"] for row in DEALING.lists["thresholds"]])
async def test_the_greatest_limit_that_can_be_uploaded_can_be_judged_by(name: str) -> None:
    """Whatever is let through comes to a date or a share; what does not is refused with the most that it can be."""
    vet = DEALING.rules.vets["thresholds"]
    most = next(n for n in (100, 366, 3660, 10**12) if vet({"name": name, "value": str(n + 1)}))
    assert not vet({"name": name, "value": str(most)})
    rows = tuple(
        dict(row) | ({"value": str(most)} if row["name"] == name else {}) for row in DEALING.lists["thresholds"]
    )
    request = draft_of()
    assert DEALING.rules.file(request, await facts_for(request, lists=listed("thresholds", *rows))).state


async def test_an_approval_counts_by_the_limit_of_its_filing() -> None:
    """How long it is good was settled when the request was filed, whatever is uploaded before somebody decides."""
    longer = tuple(
        dict(row) | ({"value": "5"} if row["name"] == "approval_validity" else {})
        for row in DEALING.lists["thresholds"]
    )
    request = draft_of()
    kept = DEALING.rules.file(request, await facts_for(request, lists=listed("thresholds", *longer))).kept
    filed_then = with_record(request, pending=PendingDecision(kept=kept))
    assert DEALING.rules.until(filed_then, "approved", TODAY) == "2026-11-27"
    assert DEALING.rules.until(request, "approved", TODAY) == "2026-11-24"


async def test_facts_from_before_there_were_versions_are_judged_as_then() -> None:
    """What was gathered by an earlier release is judged by what shipped with the form."""
    request = draft_of()
    facts = dict(await facts_for(request))
    for name in ("limits", "lists", "closed", "prohibited_kinds", "exempt", "restricted_note", "about"):
        del facts[name]
    assert DEALING.rules.file(request, facts).state == "auto_approved"
    assert DEALING.rules.file(request, {**facts, "restricted": "2026-11-02"}).state == "blocked"


async def test_every_block_is_named() -> None:
    """A request that is blocked for several causes names them all."""
    filing = await filed(security=ISINS["vodafone"], has_inside_info=True, facts={"kind": "cfd"})
    assert len(filing.reasons) == 3


async def test_another_derivative_is_no_block() -> None:
    """A derivative whose kind is not prohibited, such as a warrant, goes to people with its own justification."""
    assert (await filed(is_derivative=True, facts={"kind": "warrant"})).state == "pending_manager"


def executed(number: int, filed: str, traded: str, **values: Any) -> dict[str, Any]:
    """A request that was reported as executed on a day, in part."""
    return record(number, filed, "executed", filed, traded, **values)


HOLDING: dict[str, tuple[list[dict[str, Any]], str | None]] = {
    "approved today": ([record(1, "2026-11-20")], "20 Dec 2026"),
    "executed 29 days ago": ([executed(1, "2026-10-20", "2026-10-22")], "21 Nov 2026"),
    "executed 30 days ago": ([executed(1, "2026-10-20", "2026-10-21")], None),
    "restarted by a further buy": (
        [executed(2, "2026-11-09", "2026-11-10"), executed(1, "2026-11-01", "2026-11-02")],
        "10 Dec 2026",
    ),
    "an older buy executed later": (
        [executed(2, "2026-11-05", "2026-11-05"), executed(1, "2026-11-04", "2026-11-10")],
        "10 Dec 2026",
    ),
    "approved and not yet executed: from the last day on which it may be": (
        [record(1, "2026-11-19", "auto_approved", "2026-11-23")],
        "23 Dec 2026",
    ),
    "approved once, and never executed": ([record(1, "2026-10-20", "auto_approved", "2026-11-19")], None),
    "expired without a trade": ([record(1, "2026-11-16", "expired", "2026-11-18")], None),
    "given up": ([record(1, "2026-11-19", "unused", "2026-11-23")], None),
    "withdrawn": ([record(1, "2026-11-19", "withdrawn")], None),
    "another security": ([record(1, "2026-11-19", security=ISINS["shell"])], None),
    "a sale": ([executed(1, "2026-11-19", "2026-11-19", direction="sell")], None),
    "a declined buy": ([record(1, "2026-11-19", "declined")], None),
    "a buy still with the manager": ([record(1, "2026-11-19", "pending_manager")], None),
    "an executed buy without its report": ([record(1, "2026-11-19", "executed")], "19 Dec 2026"),
    "a stopped request without answers": (
        [{"number": "PA-2026-000001", "state": "escalated", "filed_at": "2026-11-19"}],
        None,
    ),
}


@pytest.mark.parametrize("case", HOLDING)
async def test_a_sale_inside_the_holding_period_is_high(case: str) -> None:
    """A sale within 30 days of the last purchase of the security is HIGH and says when the period ends; other sales are free."""
    records, until = HOLDING[case]
    filing = await filed(*records, direction="sell")
    said = [r for r in filing.computed["risk_reasons"] if "within the holding period" in r]
    assert said == ([f"This is a sale within the holding period, which ends on {until}."] if until else [])
    assert (filing.computed["risk"] == "HIGH") is (until is not None)


async def test_a_purchase_starts_the_holding_period_again() -> None:
    """A purchase is free inside a holding period, and the record says until when it has to be held."""
    filing = await filed(record(1, "2026-11-10"))
    assert (filing.state, filing.computed["holding_until"]) == ("auto_approved", "2026-12-20")


APPROVALS = {
    "over a weekend": ("2026-11-20", {}, "2026-11-24"),
    "from a Monday": ("2026-11-23", {}, "2026-11-25"),
    "over Christmas in London": ("2026-12-24", {}, "2026-12-30"),
    "over Thanksgiving in New York": ("2026-11-25", {"security": ISINS["apple"], "currency": "USD"}, "2026-11-30"),
    "an exchange without a known calendar": ("2026-12-24", {"facts": {"exchange": "XZZZ"}}, "2026-12-28"),
}


@pytest.mark.parametrize("case", APPROVALS)
async def test_an_approval_is_good_for_two_business_days_of_the_exchange(case: str) -> None:
    """Weekends and the exchange's own holidays do not count; without its calendar weekends alone are left out."""
    today, changed, until = APPROVALS[case]
    assert (await filed(today=today, **changed)).computed["approval_until"] == until


async def test_a_policy_past_its_review_is_not_used_silently() -> None:
    """Once a rule's review date has passed, nothing is approved by rule and the reason says so."""
    filing = await filed(today="2028-01-03", rate="2028-01-03")
    assert filing.state == "pending_manager"
    assert any("due for review" in reason and "auto approve below" in reason for reason in filing.reasons)


async def test_the_record_says_what_it_rests_on() -> None:
    """Facts and figures of a filing are plain data: value in pounds, rate with day and source, limits and policy version."""
    request = draft_of(value="1234.56", currency="EUR")
    facts = await facts_for(request, record(1, "2026-11-10"))
    computed = DEALING.rules.file(request, facts).computed
    assert json.loads(json.dumps({"facts": facts, "computed": computed})) == {"facts": facts, "computed": computed}
    assert computed["value_gbp"] == "1074.07"
    assert computed["rate"] == {"gbp": "0.87", "day": "2026-11-02", "source": "fictitious, for demonstration"}
    assert computed["limits"] == {"approval_validity": 2, "contract_note": 30}
    assert computed["policy_version"] == "2026-11"


async def test_the_same_facts_give_the_same_filing() -> None:
    """A filing follows from draft and facts alone: gathered once, it can be judged again."""
    request = draft_of(security=ISINS["shell"])
    facts = await facts_for(request)
    assert DEALING.rules.file(request, facts) == DEALING.rules.file(replace(request, revision=9), dict(facts))


async def test_a_draft_without_answers_can_be_asked_about() -> None:
    """Facts for a command are gathered whatever the draft holds."""
    facts = await facts_for(replace(draft_of(), values={}), record(1, "2026-11-10"))
    assert (facts["restricted"], facts["firm_trades"], facts["rate"]) == (None, [], None)
    assert [r["number"] for r in facts["requests"]] == ["PA-2026-000001"]
