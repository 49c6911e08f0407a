"""What a notification and a screen reader tell: the whole question and its answers, and every picture in words."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from blocks_cases import nodes

from blocks.cards import BUILDERS, build_card
from blocks.ids import press_of
from blocks.messages import ANSWERING, build_chooser, build_erase_ask
from blocks.phrases import Phrasebook
from state.draft.documents import Document
from state.draft.draft import DocumentReading, Draft, Option, Proposal, with_record
from state.draft.record import Breach, PendingDecision, Report
from state.draft.utterance import Verbatim
from state.engine.cards import (
    Act,
    Card,
    CaseCard,
    Change,
    Confirm,
    Crossroads,
    DecisionCard,
    Moved,
    Notice,
    Question,
    Read,
    Receipt,
    ReportCard,
    Review,
)
from state.form import Form
from state.form.schema import Stage
from tests.workflows.dealing_cases import DEALING, draft_of

FORM: Form = DEALING.form.model_copy(update={"stages": {"here": Stage(name="here", ask="Which way?")}})
DRAFT = draft_of()
TESCO = (Option("GB00BLGZ9862", "Tesco PLC", "Shares"), Option("US88160R1014", "Tesla, Inc.", "Shares"))
READING = (DocumentReading("f1", {"quantity": DRAFT.values["quantity"]}),)
READ = replace(DRAFT, documents={"f1": Document("f1", "note.pdf")}, readings=READING)
BUTTONS = "Approve / Approve with conditions… / Refer… / Decline…"
DECIDING = with_record(
    DRAFT, number="PA-1", state="pending_compliance", pending=PendingDecision("c1", reasons=("It is large.",))
)
FIGURES = {"traded_on": "2026-11-20", "traded_quantity": 250, "traded_value": "900.00", "traded_currency": "GBP"}
REPORT = Report("2026-11-20T14:00:00+00:00", "U0ALEX", FIGURES, card="c1")
TELLING = with_record(DRAFT, number="PA-1", state="approved", reporting=REPORT)
BREACH = Breach("breach-1", "day_after", REPORT.at, {"filed_on": "2026-11-25", "until_on": "2026-11-24"}, card="c1")
BREACHED = with_record(DRAFT, number="PA-1", state="executed", reports=(REPORT,), breaches=(BREACH,))
SAMPLES: Mapping[str, tuple[Card, Draft, tuple[str, ...]]] = {
    "question": (Question("is_derivative"), DRAFT, ("Is this a derivative?", "Yes / No")),
    "moved": (Moved("changed", "is_derivative"), DRAFT, ("Derivative is now No.",)),
    "review": (Review(), DRAFT, ("Quantity: ", "Submit / Cancel")),
    "crossroads": (Crossroads("here"), replace(DRAFT, stage="here"), ("Which way?",)),
    "receipt": (Receipt("PA-1", "2026-11-20T14:00:00+00:00", "auto_approved"), DRAFT, ("PA-1", "Approved automatically", "You can trade")),
    "change": (Change("is_derivative", replace(DRAFT.values["is_derivative"], data=True)), DRAFT, ("Change it to Yes?", "Change to Yes / Keep “No”")),
    "confirm": (Confirm("cancel"), DRAFT, ("Cancel this request?", "Yes, cancel it / No, continue")),
    "read": (Read("f1", ("quantity",)), READ, ("note.pdf", "Keep what I said")),
    "notice": (Notice((Verbatim("Nothing is missing."),), ("show",)), DRAFT, ("Nothing is missing.",)),
    "act": (Act("p1", (Verbatim("coffee · EUR 3.50"),)), DRAFT, ("coffee · EUR 3.50", "Confirm / Cancel")),
    "report": (ReportCard(), TELLING, ("Is this what you traded under PA-1?", "250 shares", "GBP 900.00", "Yes, record it / Change…")),
    "case": (CaseCard("breach-1"), BREACHED, ("Breach: PA-1", "it had ended on 24 Nov 2026", "Waiting for: Compliance.", "Close…")),
    "decision": (DecisionCard("pending_compliance"), DECIDING, ("PA-1", "It is large.", "Waiting for: Compliance.", BUTTONS)),
}  # fmt: skip
"""A card of each kind, the draft that it is about, and what has to be told of it."""


def told(card: Card, draft: Draft = DRAFT, form: Form = FORM) -> str:
    return build_card(form, draft, card, "c1", "2026-11-20").text


@pytest.mark.parametrize("kind", BUILDERS)
def test_every_card_tells_its_question_and_its_answers(kind: str) -> None:
    """Whoever reads a card's text alone knows what is asked and what may be answered."""
    card, draft, wanted = SAMPLES[kind]
    assert [one for one in wanted if one not in told(card, draft)] == []


@pytest.mark.parametrize("kind", BUILDERS)
def test_no_answer_on_a_card_is_left_untold(kind: str) -> None:
    """Each button that answers stands in the text with its own words."""
    card, draft, _ = SAMPLES[kind]
    built = build_card(FORM, draft, card, "c1", "2026-11-20")
    clicks = (e for e in nodes(built.blocks) if e.get("type") == "button")
    buttons = [e for e in clicks if (press := press_of(e)) and press.act in ANSWERING]
    assert [e["text"]["text"] for e in buttons if e["text"]["text"] not in built.text] == []


def test_choices_are_told_where_they_are_few() -> None:
    """Two choices stand below the question; what is picked in a menu, or written, has none to tell."""
    assert told(Question("direction")).endswith("?\nBuy / Sell")
    assert told(Question("quantity")) == "How many?"


def test_results_are_told_by_number_and_name() -> None:
    """What was found can be picked by whoever hears it: a number and a name each."""
    found = replace(DRAFT, options={"security": TESCO})
    assert told(Question("security"), found).endswith("?\n1. Tesco PLC / 2. Tesla, Inc.")


def test_a_long_question_keeps_its_answers() -> None:
    """However long a card's words are, its answers are told, and Slack takes the text."""
    long = told(Question("is_derivative", (Verbatim("word " * 3000),)))
    assert long.endswith("\nYes / No") and len(long) <= 3000


def test_what_people_wrote_stays_inert_when_it_is_told() -> None:
    """A proposal's words on a button reach the text as letters, never as a mention."""
    shouted = replace(DRAFT.values["account"], data="<!channel>")
    draft = replace(DRAFT, proposal=Proposal("change", "c1", "account", shouted))
    assert "<!channel>" not in told(Change("account", shouted), draft)


def test_what_belongs_to_no_draft_tells_its_answers_too() -> None:
    """An erasure's two buttons and the forms that may be begun stand in the text."""
    words = Phrasebook("en")
    assert build_erase_ask(words, "en", "p1").text.endswith("\nYes, erase everything / No, keep it")
    assert build_chooser(words, [FORM, FORM]).text.endswith("?\nPersonal account dealing / Personal account dealing")


def test_no_picture_is_without_words() -> None:
    """Every image block and element says what it shows."""
    for card, draft, _ in SAMPLES.values():
        built = build_card(FORM, draft, card, "c1", "2026-11-20")
        images = (e for e in nodes(built.blocks) if e.get("type") == "image")
        assert [e for e in images if not e.get("alt_text")] == []
