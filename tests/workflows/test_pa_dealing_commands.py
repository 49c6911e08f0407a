"""What a person may ask about their requests and about securities, and how the form fits its policy."""

import re
import tomllib
from dataclasses import replace

import pytest

from state.fields import tools_of
from state.form import Form
from state.lists.versions import InForce
from tests.workflows.dealing_cases import DEALING, FOLDER, ISINS, draft_of, facts_for, record

RECORDS = (
    record(3, "2026-11-18", "auto_approved", "2026-11-20", quantity=250),
    record(2, "2026-11-02", "pending_manager", security=ISINS["shell"], direction="sell"),
    record(1, "2026-09-01", "declined", security="XS0000000009"),
)
TESCO_LINE = "PA-2026-000003: buy 250 Tesco PLC, filed 18 Nov 2026, approved automatically until 20 Nov 2026."
SHELL_LINE = "PA-2026-000002: sell 100 Shell plc, filed 2 Nov 2026, with your manager."
OTHER_LINE = "PA-2026-000001: buy 100 XS0000000009, filed 1 Sept 2026, declined."

ANSWERS: dict[tuple[str, str], str] = {
    ("my_requests", ""): f"{TESCO_LINE} {SHELL_LINE} {OTHER_LINE}",
    (
        "holding_period",
        "tesco",
    ): "You must hold Tesco PLC until 20 Dec 2026. Each further purchase restarts the 30 days.",
    (
        "holding_period",
        "Shell?",
    ): "There is no holding period for Shell plc: you have no purchase on record in the last 30 days.",
    (
        "holding_period",
        "te",
    ): "Which one do you mean? Tesco PLC (GB00BLGZ9862); Tesla, Inc. (US88160R1014). Ask again with its ISIN.",
    ("holding_period", "Rockets"): "I found no security for “Rockets”. Try its full name, ticker or ISIN.",
    (
        "can_i_trade",
        "Zorblax",
    ): "“Zorblax” isn't in our list of securities, so I can't check it. Its full name, ticker or ISIN may find it. "
    "If it isn't listed, you can still request it: start a request, type its name and press “It's not in the list”. Compliance then decides.",
    ("can_i_trade", "Barclays"): "I know of nothing that stops a request for Barclays PLC today.",
    ("can_i_trade", "Vodafone"): "Vodafone Group Plc can't be traded at the moment. Compliance can tell you more.",
    (
        "can_i_trade",
        "Tesco",
    ): "The holding period of Tesco PLC runs until 20 Dec 2026: a sale before then goes to compliance.",
}


@pytest.mark.parametrize(("command", "rest"), ANSWERS)
async def test_a_question_is_answered_from_the_persons_own_records(command: str, rest: str) -> None:
    """Each command answers in whole sentences, from the person's own records and the tables."""
    answer = DEALING.rules.commands[command](rest, await facts_for(draft_of(), *RECORDS, asked=(command, rest)))
    assert " ".join(answer).removesuffix(EXEMPT) == ANSWERS[command, rest]


@pytest.mark.parametrize(
    "rest",
    [
        "it",
        "this one today",
        "my shares",
        "some shares at the moment",
        "delle azioni",
        "unas acciones",
        "ein paar Aktien",
        "",
    ],
)
async def test_it_is_the_security_of_the_request_that_is_filled_in(rest: str) -> None:
    """Words that name nothing, in any language, are about what was picked; where nothing was, the answer is the rule, and asks which one is meant."""
    command = DEALING.rules.commands["can_i_trade"]
    there = await facts_for(draft_of(security=ISINS["shell"]), asked=("can_i_trade", rest))
    nowhere = await facts_for(replace(draft_of(), values={}), asked=("can_i_trade", rest))
    assert "stops a request for Shell plc" in command(rest, there)[0]
    rule, which = command(rest, nowhere)
    assert rule.startswith("Every trade needs approval first.")
    assert which == "Which security do you mean? Ask again with its name, ticker or ISIN."


async def test_a_request_is_named_by_its_essence() -> None:
    """Where the records come with their line, the list names them as the receipt and App Home do."""
    about = "Buy 250 Tesco PLC · GBP 720.00 · pension"
    facts = await facts_for(draft_of(), {**RECORDS[0], "essence": about})
    (line,) = DEALING.rules.commands["my_requests"]("", facts)
    assert line.startswith(f"PA-2026-000003: {about}, filed 18 Nov 2026")


EXEMPT = (
    " Every trade needs approval first. These are exempt: portfolios that somebody else manages for you at their discretion and "
    "UCITS and AIF funds that you do not help to manage."
)


async def test_whoever_filed_nothing_is_told_so() -> None:
    """Without any record the list says that there is none."""
    assert DEALING.rules.commands["my_requests"]("", await facts_for(draft_of())) == (
        "You haven't submitted a request yet.",
    )


async def test_leave_to_trade_is_never_promised() -> None:
    """However free a security is, the answer says that a trade needs an approval first."""
    answer = DEALING.rules.commands["can_i_trade"]("Barclays", await facts_for(draft_of()))
    assert " ".join(answer).endswith(EXEMPT)


def test_the_form_asks_thirteen_things_in_order() -> None:
    """Thirteen fields are always asked, four more by condition, and they lock as the policy says."""
    form: Form = DEALING.form
    assert {f.name: (f.lock, f.kind) for f in form.fields.values()} == {
        "security": ("confirmed", "lookup"),
        "security_name": ("review", "text"),
        "security_isin": ("review", "identifier"),
        "direction": ("clicked", "choice"),
        "quantity": ("review", "integer"),
        "value": ("review", "money"),
        "currency": ("review", "currency"),
        "account": ("review", "text"),
        "is_derivative": ("answered", "yes_no"),
        "derivative_justification": ("good", "text"),
        "is_leveraged": ("answered", "yes_no"),
        "has_inside_info": ("answered", "yes_no"),
        "is_related_party": ("answered", "yes_no"),
        "related_party_relation": ("answered", "text"),
        "has_client_conflict": ("answered", "yes_no"),
        "holding_period_ack": ("answered", "acknowledgement"),
        "justification": ("good", "text"),
    }
    assert [f.name for f in form.fields.values() if f.when] == [
        "security_name", "security_isin", "derivative_justification", "related_party_relation",
    ]  # fmt: skip
    assert {f.name for f in form.fields.values() if f.worse} == {
        "has_inside_info",
        "is_related_party",
        "has_client_conflict",
    }
    assert form.channels == "never"


def test_a_reason_is_set_by_a_tool_of_its_own() -> None:
    """Trade and declarations are set together; a security and every open text have a tool of their own."""
    assert {name: [f.name for f in fields] for name, fields in tools_of(DEALING.form).items()} == {
        "set_security": ["security"],
        "set_security_name": ["security_name"],
        "set_security_isin": ["security_isin"],
        "set_trade": ["direction", "quantity", "value", "currency", "account"],
        "set_declarations": [
            "is_derivative", "is_leveraged", "has_inside_info", "is_related_party", "has_client_conflict", "holding_period_ack",
        ],
        "set_derivative_justification": ["derivative_justification"],
        "set_related_party_relation": ["related_party_relation"],
        "set_justification": ["justification"],
    }  # fmt: skip


def test_no_text_names_a_figure_that_officers_change() -> None:
    """What the form and its passages say stays true whatever is uploaded: the figure in force is told by whoever looks it up."""
    limits = {row["value"] for row in DEALING.lists["thresholds"]}
    texts = [f"{one.ask} {one.help}" for one in DEALING.form.fields.values()]
    passages = [*DEALING.form.passages.values(), *DEALING.form.says.values()]
    assert not {word for text in (*texts, *passages) for word in re.findall(r"\d+", text.replace(",", ""))} & limits


async def test_the_holding_period_is_told_as_it_is_now() -> None:
    """Asked in general, the answer is the figure in force."""
    longer = tuple(
        dict(row) | ({"value": "60"} if row["name"] == "holding_period" else {}) for row in DEALING.lists["thresholds"]
    )
    lists = {"thresholds": InForce("Thresholds", 2, "20 Nov 2026", longer)}
    facts = await facts_for(draft_of(), asked=("holding_period", ""), lists=lists)
    (told,) = DEALING.rules.commands["holding_period"]("", facts)
    assert "for 60 days" in told


def test_every_rule_has_a_source_and_its_dates() -> None:
    """No limit stands without where it comes from, from when it holds and when it must be looked at again."""
    policy = tomllib.loads((FOLDER / "policy.toml").read_text())
    entries = [*policy["rules"].values(), *policy["advisories"]]
    assert all(entry["source"] and entry["effective"] < entry["stale_after"] for entry in entries)


def test_records_have_a_way_on() -> None:
    """Every state in which a request waits has somebody who decides, a way to yes and to no, and a way for the person to take it back."""
    waiting = {name: state for name, state in DEALING.form.filing.states.items() if state.waits}
    assert set(waiting) == {"pending_manager", "pending_compliance", "pending_senior"}
    for state in waiting.values():
        assert {"approve", "decline"} <= set(state.decide) and "decline" in state.reason
        assert state.withdraw == "withdrawn"
    assert len({state.by for state in waiting.values()}) == len(waiting)
