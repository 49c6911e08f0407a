"""A security that is not in the list: what cannot be checked goes to people, and what is known of it by ISIN and name counts."""

from dataclasses import replace
from typing import Any

import pytest

from state.draft.draft import Draft
from state.fields.base import Context
from state.fields.lookup import UNLISTED
from state.lists.versions import InForce
from state.understanding.plain_answers import tells_others
from state.understanding.reader import read_open
from tests.shipped import shipped
from tests.workflows.dealing_cases import DEALING, ISINS, TODAY, draft_of, facts_for, record

HARROWGATE = {"security": UNLISTED, "security_name": "Harrowgate Mills plc", "security_isin": "GB00B10RZP78"}
CLOSED = {"isin": "", "issuer": "Harrowgate Mills", "from": "2026-11-01", "until": "2026-11-30", "note": ""}


async def test_what_is_not_listed_is_never_approved_by_rule() -> None:
    """The smallest request for it is of high risk and goes to people, who read why; so does the person."""
    request = draft_of(**HARROWGATE)
    filing = DEALING.rules.file(request, await facts_for(request))
    told = "Harrowgate Mills plc (GB00B10RZP78) is not in the list of securities: compliance checks its kind and its exchange."
    assert (filing.state, filing.computed["risk"]) == ("pending_manager", "HIGH")
    assert filing.told == (told,) and any(told in reason for reason in filing.reasons)


async def test_what_the_list_holds_is_no_small_request_where_it_was_told_by_hand() -> None:
    """Told as not listed when the list could not be asked, it goes to people all the same, and they read that the list holds it."""
    request = draft_of(**{**HARROWGATE, "security_isin": ISINS["tesco"]})
    filing = DEALING.rules.file(request, await facts_for(request))
    assert filing.state == "pending_manager" and "though it is in the list of securities" in filing.told[0]


BLOCKED: dict[str, tuple[dict[str, str], dict[str, Any], str]] = {
    "restricted by its ISIN": ({"security_isin": ISINS["vodafone"]}, {}, "has been on the restricted list since 2 Nov 2026."),
    "restricted by its name": ({"security_name": "Vodafone 5% 2031"}, {}, "Note: by its name, as Vodafone Group Plc"),
    "its issuer is in a closed period": (
        {}, {"closed_periods": InForce("Closed periods", rows=(CLOSED,))}, "is in a closed period from 1 Nov 2026"),
}  # fmt: skip


@pytest.mark.parametrize("case", BLOCKED)
async def test_lists_that_block_hold_it_by_isin_and_by_name(case: str) -> None:
    """No list of securities tells its issuer, so the name that was told counts beside the ISIN; the person reads one sentence for each cause."""
    changed, lists, reason = BLOCKED[case]
    request = draft_of(**{**HARROWGATE, **changed})
    filing = DEALING.rules.file(request, await facts_for(request, lists=lists))
    assert filing.state == "blocked" and any(reason in given for given in filing.reasons), filing.reasons
    assert filing.told == (
        f"{request.values['security_name'].data} can't be traded at the moment. Compliance can tell you more.",
    )


@pytest.mark.parametrize("name", ["Harrowgate Mills plc", "Group Holdings plc", "Voda Rail"])
async def test_another_name_is_not_taken_for_a_restricted_one(name: str) -> None:
    """Words that every second name has, and the beginning of a word, make no two names the same."""
    request = draft_of(**{**HARROWGATE, "security_name": name})
    assert DEALING.rules.file(request, await facts_for(request)).state == "pending_manager"


async def test_the_holding_period_runs_for_it_by_its_isin() -> None:
    """What was bought of it before holds a sale back, and earlier requests for it are told to reviewers."""
    request = draft_of(**HARROWGATE, direction="sell")
    bought = record(1, "2026-11-16", "executed", traded="2026-11-17", **HARROWGATE)
    other = record(2, "2026-11-16", "executed", traded="2026-11-19", **{**HARROWGATE, "security_isin": ISINS["shell"]})
    filing = DEALING.rules.file(request, await facts_for(request, bought, other, today=TODAY))
    assert any("which ends on 17 Dec 2026" in reason for reason in filing.reasons)
    assert (
        [line for line in filing.background if "PA-2026" in line]
        == [line for line in filing.background if "000001" in line]
        != []
    )


@pytest.mark.parametrize(("command", "rest", "told"), [
    ("holding_period", "Harrowgate Mills?", "You must hold Harrowgate Mills plc until 17 Dec 2026."),
    ("holding_period", "Rockets", "I found no security for “Rockets”."),
])  # fmt: skip
async def test_a_person_asks_about_it_by_name_and_isin(command: str, rest: str, told: str) -> None:
    """The status and the holding period of what was told as not listed are answered from the person's own requests."""
    bought = record(1, "2026-11-16", "executed", traded="2026-11-17", **HARROWGATE)
    facts = await facts_for(draft_of(), bought, asked=(command, rest))
    assert told in " ".join(DEALING.rules.commands[command](rest, facts))


@pytest.mark.parametrize(("note", "found"), [
    ("ISIN GB00B10RZP78\nBought 50", UNLISTED), ("Harrowgate Mills plc ORD", UNLISTED), ("ISIN GB00BLGZ9862", ISINS["tesco"]),
])  # fmt: skip
def test_a_contract_note_is_held_against_the_isin_that_was_told(note: str, found: str) -> None:
    """A note of the same ISIN, or without one of the same name, is of the approved security; one of another ISIN is of another."""
    read = DEALING.rules.note
    assert read is not None and read(note, draft_of(**HARROWGATE))["security"][0] == found


def test_a_code_is_no_name() -> None:
    """An ISIN at the question for the name is refused, and the person is told where it belongs; a name with a figure is one."""
    check = DEALING.rules.checks["security_name"]
    names = ("GB00B10RZP79", "30", "Treasury 4% 2031", "3i")
    told = [check(draft_of(**HARROWGATE), "security_name", name) for name in names]
    assert "reads like a code" in told[0] and "only a figure" in told[1] and told[2:] == ["", ""]


NAME = ("sell 30", "no, selling 40 of them", "Sell", "£5000", "EUR 5000", "5000 euros for 30 shares")
SAID = [("security_name", said, {"security_name", "name"}) for said in NAME] + [
    ("justification", "sell 30", {"justification"})
]


@pytest.mark.parametrize(("asked", "said", "never"), SAID)
def test_values_of_other_fields_are_no_name(asked: str, said: str, never: set[str]) -> None:
    """What tells a side, a number or a sum and nothing else is read as that, open or answered, and never as the text that was asked for."""
    draft = replace(draft_of(security=UNLISTED, direction="buy", quantity=200), asked=asked)
    context = Context(DEALING.form.language, TODAY)
    calls = read_open(DEALING.form, draft, said, "9.9", context).calls
    assert calls and not any(never & {*call.arguments, str(call.arguments.get("field"))} for call in calls)


@pytest.mark.parametrize("said", ["Madrid", "28001 Madrid"])
def test_a_town_may_be_called_as_its_province(said: str) -> None:
    """A name on a long list of another field is for the question that was asked."""
    form = shipped("vehicle_case").form
    draft = Draft(
        "d1", form.name, "T1", "U0ALEX", "T1:D1:", form.version, "2026-11-20T12:00:00+00:00", asked="localidad"
    )
    assert not tells_others(form, draft, form.fields["localidad"], said, Context(form.language, TODAY))


@pytest.mark.parametrize("said", ["Harrowgate Mills plc", "3i Group", "Buywell Sellers", "30 St Mary Axe Trust", "30"])
def test_a_name_with_a_figure_in_it_is_a_name(said: str) -> None:
    """What holds anything beside values is for the question that was asked."""
    draft = replace(draft_of(security=UNLISTED), asked="security_name")
    form = DEALING.form
    assert not tells_others(form, draft, form.fields["security_name"], said, Context(form.language, TODAY))
