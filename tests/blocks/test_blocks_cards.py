"""The other cards: the review, the receipt, what is asked once, notices."""

from dataclasses import replace

import pytest
from blocks_cases import CARD, VALUES, a_draft, a_form, a_value, buttons, clickable, field_form, screen, shown, texts

from blocks.cards import GONE
from blocks.elements import Message, weight
from blocks.ids import Press, press_of
from state.draft.draft import Draft, Proposal, Status
from state.draft.utterance import Phrase
from state.engine.cards import Change, Confirm, Moved, Notice, Question, Receipt, Review
from state.form import Field, Form

LEVERAGED, INSIDE = "is_leveraged", "has_inside_info"
AT = "2026-11-20T14:32:00+00:00"
HEARD = "hm, I did hear something from their CFO"


@pytest.mark.parametrize(
    ("card", "text"),
    [
        (Moved("changed"), "This card is out of date."),
        (Moved("changed", "quantity"), "Quantity is now 250."),
        (Moved("changed", "value"), "Value needs a new answer."),
        (Moved("changed", "why_derivative"), "Reason for it is no longer needed."),
        (Moved("kept"), "Kept as it was."),
    ],
)
def test_a_card_that_no_longer_counts_is_one_small_line(card: Moved, text: str) -> None:
    """A card that was overtaken says why in a line, and has nothing to click."""
    built = shown(card, a_draft(*(set(VALUES) - {"value"})))
    assert (screen(built), [b["type"] for b in built.blocks]) == (text, ["context"])


def test_a_card_of_which_nothing_is_left_to_read_is_taken_away() -> None:
    """A notice that comes again below leaves nothing behind."""
    assert shown(Moved("below")) == GONE


ASKED = Question("quantity", (Phrase("taken_back"),))


@pytest.mark.parametrize(
    ("card", "text"),
    [
        (Moved("answered", "quantity", ASKED), "Undone. How many Tesco PLC? *250*"),
        (Moved("answered", "quantity", Question("quantity", words="How many then?")), "How many then? *250*"),
        (Moved("below", "quantity", ASKED), "Undone. How many Tesco PLC?"),
        (Moved("below", was=Review((Phrase("taken_back"),))), "Undone."),
        (Moved("below", was=Confirm("cancel")), "Cancel this request? Nothing will be submitted."),
        (Moved("closed", "quantity", ASKED), "Undone. How many Tesco PLC?"),
        (Moved("kept", "quantity"), "Quantity stays 250."),
    ],
)
def test_what_a_card_said_stays_to_be_read(card: Moved, text: str) -> None:
    """What stood on a card that moved stays in its place in small print, with the answer that was given, and with nothing to click."""
    built = shown(card)
    assert (screen(built), [b["type"] for b in built.blocks]) == (text, ["context"])
    assert list(clickable(built.blocks)) == []


def test_an_answer_that_was_typed_word_for_word_is_said_once() -> None:
    """The person's own message stands below the question; what was read differently from what they typed is said."""
    reason = a_value("To diversify my pension a little", "read", "To diversify my pension a little")
    typed = a_draft(values={**VALUES, "justification": reason})
    why = Moved("answered", "justification", Question("justification", words="Why?"))
    assert (screen(shown(why, typed)), screen(shown(why))[:8]) == ("Why?", "Why? *I ")


def test_a_change_that_was_clicked_says_what_was() -> None:
    """Its card becomes one line with the value before and the value now."""
    was = Moved("changed", "quantity", Change("quantity", a_value(200)))
    assert screen(shown(was)) == "Quantity was 200 → now 250."


def table_of(built: Message) -> list[list[str]]:
    """The texts of the one table on a card, row by row."""
    (found,) = (block for block in built.blocks if block["type"] == "table")
    return [[cell["text"] for cell in row] for row in found["rows"]]


def test_the_review_shows_every_answer_and_what_it_was_read_from() -> None:
    """Each answer stands once beside its label, an amount with its currency; words that were read are quoted, and nothing else is."""
    built = shown(Review())
    rows = dict(table_of(built))
    assert next(texts(built.blocks)) == "Review · all your answers"
    assert rows["Security"] == "Tesco PLC (GB00BLGZ9862)"
    assert rows["Quantity"] == "250 “actually make it 250”"
    assert rows["Buy or sell"] == "Buy “I'd like to buy 200 Tesco”"
    assert rows["Value"] == "GBP 720.00 “about £720” ⚠ please check"
    assert rows["Reason"] == "I save for my pension and expect food retail to do well"
    assert list(rows) == [
        field.label for name, field in a_form().fields.items() if name in VALUES and name != "currency"
    ]


def test_the_review_names_what_nobody_told() -> None:
    """An answer from a document or worked out by code says so; what a person chose or wrote needs no such word."""
    hows = ("document", "rule", "clicked", "entered", "accepted", "chosen")
    form = a_form(fields={how: Field(name=how, kind="text", label=how, ask="What?") for how in hows})
    built = shown(Review(), a_draft(values={how: a_value("x", how) for how in hows}), form)
    assert dict(table_of(built)) == dict.fromkeys(hows, "x") | {
        "document": "x · from your document",
        "rule": "x · filled in for you",
    }


@pytest.mark.parametrize("words", ["Buy", "buy", " BUY "])
@pytest.mark.parametrize("how", ["read", "typed"])
def test_the_review_quotes_no_answer_as_its_own_origin(words: str, how: str) -> None:
    """Words that are the answer already are not said twice."""
    rows = table_of(shown(Review(), a_draft(values={"direction": a_value("buy", how, words)})))
    assert rows == [["Buy or sell", "Buy"]]


def test_a_notification_of_the_review_says_every_answer() -> None:
    """Who reads the text alone, or hears it, is told each answer beside its label."""
    told = shown(Review()).text.splitlines()
    assert "Value: GBP 720.00" in told and "Leveraged product: No" in told
    assert len(told) == len(VALUES) + 1 and told[-1] == "Submit / Cancel"


def test_the_review_is_submitted_edited_or_cancelled() -> None:
    """Submit carries the hash of what the card shows; any answer can be edited; cancelling is asked for first."""
    draft = a_draft()
    built = shown(Review(), draft)
    (menu,) = (e for e in clickable(built.blocks) if e["type"] == "static_select")
    assert buttons(built) == {
        "Submit": Press("submit", "D1", "", None, CARD, draft.hash),
        "Cancel": Press("cancel", "D1", "", None, CARD),
    }
    assert [o["value"] for o in menu["options"]] == [n for n in a_form().fields if n in VALUES and n != "currency"]
    assert press_of({**menu, "selected_option": {"value": "quantity"}}) == Press("edit", "D1", "quantity", None, CARD)


def test_the_review_says_what_submitting_confirms() -> None:
    """The form's own statement stands above the buttons, or the catalogue's where the form has none."""
    assert "these answers are true and complete" in screen(shown(Review()))
    assert "I swear." in screen(shown(Review(), form=a_form(statement="I swear.")))


def test_findings_stand_above_the_review() -> None:
    """What was found or said last stands above the answers."""
    on_screen = screen(shown(Review((Phrase("out_of_date"),))))
    assert on_screen.index("out of date") < on_screen.index("Tesco PLC")


@pytest.mark.parametrize("count", [1, 13, 40, 100])
@pytest.mark.parametrize("length", [5, 200, 40_000])
def test_a_review_of_any_size_fits(count: int, length: int) -> None:
    """However many fields a form has and however long the answers are, every one of them is on the card."""
    form, draft = many(count, length)
    built = shown(Review((Phrase("got_it", {"what": "y" * 5000}),)), draft, form)
    assert answers_on(built) == count
    assert weight(built.blocks) <= 12_000


def test_a_review_that_cannot_hold_every_answer_says_so() -> None:
    """Where not even a line for each answer has room, the card says how many more there are."""
    form, draft = many(300, 500, label="Label " + "l" * 58)
    built = shown(Review(), draft, form)
    count = answers_on(built)
    assert f"… and {300 - count} more. Press Edit to see them all." in screen(built)
    assert weight(built.blocks) <= 12_000


def test_forty_answers_stay_readable() -> None:
    """With forty answers, ten of them long, each is beside its label with the words that were read, and the long ones can be read."""
    form, draft = many(40, 3)
    long = {f"field_{n}": a_value("x" * 150, "entered") for n in range(10)}
    rows = table_of(shown(Review(), replace(draft, values={**draft.values, **long}), form))
    assert sum("x" * 90 in answer for _label, answer in rows) == 10
    assert len(rows) == 40 and sum(answer == "xxx “www”" for _label, answer in rows) == 30


def answers_on(built: Message) -> int:
    """How many answers a review shows, as rows of a table or as lines."""
    tables = [block for block in built.blocks if block["type"] == "table"]
    return len(table_of(built)) if tables else screen(built).count("*Label ")


def many(count: int, length: int, label: str = "Label") -> tuple[Form, Draft]:
    names = [f"field_{n}" for n in range(count)]
    fields = {n: Field(name=n, kind="text", label=f"{label} {n}", ask="What?") for n in names}
    return a_form(fields=fields), a_draft(values={n: a_value("x" * length, "read", "w" * length) for n in names})


def test_the_receipt_cannot_be_clicked_again() -> None:
    """After submission the card is its number, its time in the reader's zone, and what happens now."""
    built = shown(Receipt("PA-2026-000123", AT, "pending_compliance"), a_draft(status=Status.SUBMITTED))
    assert list(clickable(built.blocks)) == []
    assert "PA-2026-000123 · <!date^1795185120^{date_short} {time}|20 Nov 2026 14:32 UTC>" in screen(built)
    assert built.text.startswith("Submitted · PA-2026-000123 · 20 Nov 2026 14:32 UTC\n")
    assert "I'll keep you posted here." in screen(built)
    assert "With compliance" in screen(built)


@pytest.mark.parametrize("state", ["blocked", "auto_approved"])
def test_the_receipt_gives_the_reasons_that_are_the_person_s(state: str) -> None:
    """Each reason that the card was given stands in a line of its own."""
    built = shown(Receipt("PA-1", AT, state, ("The security is on the *restricted* list.",)))
    assert "• The security is on the ∗restricted∗ list." in screen(built).splitlines()


def test_the_receipt_says_what_was_decided() -> None:
    """What was asked for comes first, then the state in words, until when it holds and what to do; a notification says the same."""
    form = a_form(
        essence="{direction} {quantity} {security} · {value} {currency}", says={"next_approved": "You can trade."}
    )
    built = shown(Receipt("PA-1", AT, "approved", until="2026-11-24"), a_draft(status=Status.SUBMITTED), form)
    told = ["Buy 250 Tesco PLC · GBP 720.00", "Approved", "Valid until 24 Nov 2026. You can trade."]
    assert screen(built).splitlines()[:3] == [f"*{told[0]}*", *told[1:]]
    assert [one for one in told if one not in built.text] == []


def test_the_receipt_says_once_until_when_it_holds() -> None:
    """Where the rules give the same sentence as a reason, it does not stand twice."""
    form = a_form(says={"valid_until": "The approval is valid until {day}."})
    reasons = ("The risk is low.", "The approval is valid until 24 Nov 2026.")
    built = shown(Receipt("PA-1", AT, "approved", reasons, "2026-11-24"), form=form)
    assert screen(built).count("valid until 24 Nov 2026.") == 1 and "• The risk is low." in screen(built)


@pytest.mark.parametrize("state", ["blocked", "escalated"])
def test_a_stopped_request_warns_apart_from_its_card(state: str) -> None:
    """That a request must not go ahead stands in an alert of its own, below what it is about."""
    built = shown(
        Receipt("PA-1", AT, state, ("It is on the list.",)), form=a_form(says={f"next_{state}": "Do not trade."})
    )
    assert [b["type"] for b in built.blocks] == ["card", "section", "alert", "context"]
    assert built.blocks[2]["text"]["text"] == "Do not trade."


def test_a_long_way_on_stands_below_the_card() -> None:
    """What a card has no room for is told whole below it."""
    long = "Your manager decides. " * 20
    built = shown(Receipt("PA-1", AT, "received"), form=a_form(says={"next_received": long.strip()}))
    assert long.strip() in screen(built)


def test_a_state_without_a_name_is_shown_in_plain_letters() -> None:
    """A form's own state that nobody named is no code on screen."""
    assert "Needs inspection" in screen(shown(Receipt("PA-1", AT, "needs_inspection")))


def test_a_time_without_an_offset_is_utc() -> None:
    """A stored time that names no zone is read as UTC."""
    assert "14:32 UTC" in shown(Receipt("PA-1", "2026-11-20T14:32:00", "received")).text


def test_a_locked_answer_changes_by_one_of_two_buttons() -> None:
    """The card says what was answered and what it would become, and offers both."""
    built = shown(Change(LEVERAGED, a_value(True)))
    assert screen(built).startswith("You answered “No” to leveraged product. Change it to Yes?")
    assert buttons(built) == {
        "Change to Yes": Press("change", "D1", LEVERAGED, None, CARD),
        "Keep “No”": Press("keep", "D1", LEVERAGED, None, CARD),
    }


@pytest.mark.parametrize(("label", "inside"), [("Leveraged product", "leveraged product"), ("ISIN", "ISIN")])
def test_a_label_inside_a_sentence_is_lower_case_but_for_abbreviations(label: str, inside: str) -> None:
    """ "You answered No to leveraged product", but "to ISIN"."""
    form = field_form(kind="yes_no", label=label)
    built = shown(Change("thing", a_value(True)), a_draft(values={"thing": a_value(False)}), form)
    assert f"You answered “No” to {inside}." in built.text


@pytest.mark.parametrize(
    ("act", "does", "text"),
    [
        ("cancel", "cancel_confirmed", "Cancel this request?"),
        ("restart", "restart_confirmed", "Start over?"),
        ("disclose", "disclose_confirmed", f"You wrote: “{HEARD}”\nRecord “Yes” for inside information"),
    ],
)
def test_what_cannot_be_undone_is_asked_once(act: str, does: str, text: str) -> None:
    """A question, the click that does it, and the way back."""
    draft = a_draft(proposal=Proposal("disclose", CARD, INSIDE, words=HEARD))
    built = shown(Confirm(act, INSIDE), draft)
    do, stay = buttons(built).values()
    assert built.text.startswith(text)
    assert (do, stay) == (Press(does, "D1", INSIDE, None, CARD), Press("stay", "D1", "", None, CARD))


def test_a_notice_has_the_acts_that_make_sense_beside_it() -> None:
    """Sentences, and a button for each act; beginning anew names the form."""
    built = shown(
        Notice((Phrase("cancelled"), Phrase("missing_list", {"fields": "Security, Value"})), ("begin", "undo"))
    )
    assert screen(built).startswith("Cancelled. Nothing was submitted.\nStill missing: Security, Value.")
    assert buttons(built)["Start a new one"] == Press("begin", "D1", "", "pa_dealing", CARD)
    assert buttons(built)["Undo"] == Press("undo", "D1", "", None, CARD)


def test_a_form_says_what_happens_next_in_its_own_way() -> None:
    """The sentence below the receipt is the form's, for the record's state."""
    form = a_form(says={"next_pending_compliance": "Please don't trade before then."})
    assert "Please don't trade before then." in screen(shown(Receipt("PA-1", AT, "pending_compliance"), form=form))
