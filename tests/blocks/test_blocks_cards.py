"""The other cards: answers, the review, the receipt, what is asked once, notices."""

from dataclasses import replace
from itertools import pairwise

import pytest
from blocks_cases import (
    CARD,
    VALUES,
    a_draft,
    a_form,
    a_value,
    accepted,
    buttons,
    clickable,
    field_form,
    screen,
    shown,
    texts,
)

from blocks.ids import Press, press_of
from blocks.message import weight
from state.draft.draft import Disclosure, Draft, Proposal, Status
from state.engine.cards import Answered, Change, Confirm, Moved, Notice, Phrase, Receipt, Review
from state.form import Field, Form

LEVERAGED, INSIDE = "is_leveraged", "has_inside_info"
AT = "2026-11-20T14:32:00+00:00"
HEARD = "hm, I did hear something from their CFO"


def test_an_answered_card_says_the_answer_and_can_be_edited() -> None:
    """After its answer a card is a tick, the label, the answer and Edit."""
    built = shown(Answered(LEVERAGED))
    assert screen(built).startswith("✓ Leveraged product: No")
    assert buttons(built) == {"Edit": Press("edit", "D1", LEVERAGED, None, CARD)}


@pytest.mark.parametrize("status", [Status.SUBMITTED, Status.CANCELLED, Status.ESCALATED])
def test_a_closed_draft_cannot_be_edited(status: Status) -> None:
    """Once the draft is closed its answers stand without a button."""
    assert list(clickable(shown(Answered(LEVERAGED), a_draft(status=status)).blocks)) == []


def test_a_later_disclosure_stands_beside_the_answer() -> None:
    """The answer stays as it was given, with the words that were told later below it."""
    later = Disclosure(INSIDE, a_value(True, "read", HEARD).provenance)
    built = shown(Answered(INSIDE), a_draft(disclosures=(later,), status=Status.ESCALATED))
    assert screen(built).splitlines() == ["✓ Inside information: No", f"Told later: “{HEARD}”"]


def test_a_card_whose_answer_is_gone_says_so() -> None:
    """An answer that was retired is not shown as one."""
    assert screen(shown(Answered("why_derivative"))) == "Reason for it is no longer needed."


@pytest.mark.parametrize(
    ("card", "status", "text"),
    [
        (Moved("below", "quantity"), Status.OPEN, "Asked again below."),
        (Moved("below"), Status.OPEN, "Shown again below."),
        (Moved("changed"), Status.OPEN, "This card is out of date."),
        (Moved("changed", "quantity"), Status.OPEN, "Quantity is now 250."),
        (Moved("changed", "value"), Status.OPEN, "Value needs a new answer."),
        (Moved("changed", "why_derivative"), Status.OPEN, "Reason for it is no longer needed."),
        (Moved("closed"), Status.CANCELLED, "Cancelled."),
        (Moved("closed"), Status.ESCALATED, "Closed."),
        (Moved("kept"), Status.OPEN, "Kept as it was."),
    ],
)
def test_a_card_that_no_longer_counts_is_one_small_line(card: Moved, status: Status, text: str) -> None:
    """A card that was overtaken says why in a line, and has nothing to click."""
    built = shown(card, a_draft(*(set(VALUES) - {"value"}), status=status))
    assert (screen(built), [b["type"] for b in built.blocks]) == (text, ["context"])


def test_the_review_shows_every_answer_and_where_it_came_from() -> None:
    """Each answer stands beside its label, with the words that it rests on or how it was given."""
    on_screen = list(texts(shown(Review()).blocks))
    rows = dict(pairwise(on_screen))
    assert on_screen[0] == "Review · everything you told me"
    assert rows["*Security*\n_you chose it_"] == "Tesco PLC (GB00BLGZ9862)"
    assert rows["*Quantity*\n_“actually make it 250”_"] == "250"
    assert rows["*Reason*\n_you wrote it_"] == "I save for my pension and expect food retail to do well"
    assert sum(text.startswith("*") for text in on_screen) == len(VALUES)


def test_the_review_marks_what_should_be_checked() -> None:
    """An answer that no parser confirmed asks to be checked; the others do not."""
    assert screen(shown(Review())).count("please check") == 1


def test_the_review_is_submitted_edited_or_cancelled() -> None:
    """Submit carries the hash of what the card shows; any answer can be edited; cancelling is asked for first."""
    draft = a_draft()
    built = shown(Review(), draft)
    (menu,) = (e for e in clickable(built.blocks) if e["type"] == "static_select")
    assert buttons(built) == {
        "Submit": Press("submit", "D1", "", None, CARD, draft.hash),
        "Cancel": Press("cancel", "D1", "", None, CARD),
    }
    assert [o["value"] for o in menu["options"]] == [n for n in a_form().fields if n in VALUES]
    assert press_of({**menu, "selected_option": {"value": "quantity"}}) == Press("edit", "D1", "quantity", None, CARD)


def test_the_review_says_what_submitting_confirms() -> None:
    """The form's own statement stands above the buttons, or the catalogue's where the form has none."""
    assert "these answers are true and complete" in screen(shown(Review()))
    assert "I swear." in screen(shown(Review(), form=a_form(statement="I swear.")))


def test_findings_stand_above_the_review() -> None:
    """What was found or said last stands above the answers."""
    on_screen = screen(shown(Review((Phrase("out_of_date"),))))
    assert on_screen.index("out of date") < on_screen.index("*Security*")


@pytest.mark.parametrize("count", [1, 13, 40, 100])
@pytest.mark.parametrize("length", [5, 200, 40_000])
def test_a_review_of_any_size_fits(count: int, length: int) -> None:
    """However many fields a form has and however long the answers are, every one of them is on the card."""
    form, draft = many(count, length)
    built = shown(Review((Phrase("got_it", {"what": "y" * 5000}),)), draft, form)
    assert screen(built).count("*Label ") == count
    assert weight(built.blocks) <= 12_000


def test_a_review_that_cannot_hold_every_answer_says_so() -> None:
    """Where not even a line for each answer has room, the card says how many more there are."""
    form, draft = many(300, 500, label="Label " + "l" * 60)
    built = shown(Review(), draft, form)
    count = screen(built).count("*Label ")
    assert f"… and {300 - count} more. Edit shows them all." in screen(built)
    assert weight(built.blocks) <= 12_000


def test_forty_answers_stay_readable() -> None:
    """With forty answers, ten of them long, each is beside its label with where it came from, and the long ones can be read."""
    form, draft = many(40, 3)
    long = {f"field_{n}": a_value("x" * 150, "entered") for n in range(10)}
    built = shown(Review(), replace(draft, values={**draft.values, **long}), form)
    assert sum("x" * 90 in text for text in texts(built.blocks)) == 10
    assert screen(built).count("*Label ") == 40
    assert screen(built).count("you wrote it") == 10


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
    assert "You will hear from me here." in screen(built)
    assert "With compliance" in screen(built)


def test_a_form_says_what_happens_next_in_its_own_way() -> None:
    """The sentence below the receipt is the form's, for the record's state."""
    form = a_form(says={"next_pending_compliance": "Please do not trade before that."})
    assert "Please do not trade before that." in screen(shown(Receipt("PA-1", AT, "pending_compliance"), form=form))


@pytest.mark.parametrize("state", ["blocked", "auto_approved"])
def test_the_receipt_gives_the_reasons_that_are_the_person_s(state: str) -> None:
    """Each reason that the card was given stands in a line of its own."""
    built = shown(Receipt("PA-1", AT, state, ("The security is on the *restricted* list.",)))
    assert "• The security is on the ∗restricted∗ list." in screen(built).splitlines()


def test_the_receipt_says_what_was_decided() -> None:
    """What was asked for comes first, then the state in words, until when it holds and what to do; a notification says the same."""
    form = a_form(
        essence="{direction} {quantity} {security} · {value} {currency}", says={"next_approved": "You may trade."}
    )
    built = shown(Receipt("PA-1", AT, "approved", until="2026-11-24"), a_draft(status=Status.SUBMITTED), form)
    told = ["Buy 250 Tesco PLC · GBP 720.00", "Approved", "Valid until 24 Nov 2026. You may trade."]
    assert screen(built).splitlines()[:3] == [f"*{told[0]}*", *told[1:]]
    assert [one for one in told if one not in built.text] == []


def test_the_receipt_says_once_until_when_it_holds() -> None:
    """Where the rules give the same sentence as a reason, it does not stand twice."""
    form = a_form(says={"valid_until": "The approval is good until {day}."})
    reasons = ("The risk is low.", "The approval is good until 24 Nov 2026.")
    built = shown(Receipt("PA-1", AT, "approved", reasons, "2026-11-24"), form=form)
    assert screen(built).count("good until 24 Nov 2026.") == 1 and "• The risk is low." in screen(built)


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
        ("disclose", "disclose_confirmed", f"You wrote: “{HEARD}”\nShall I record “Yes” for inside information"),
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
    assert screen(built).startswith("Cancelled. Nothing was filed.\nStill to tell: Security, Value.")
    assert buttons(built)["Begin a new one"] == Press("begin", "D1", "", "pa_dealing", CARD)
    assert buttons(built)["Undo"] == Press("undo", "D1", "", None, CARD)


def test_a_long_notice_is_parted_at_words() -> None:
    """An answer longer than a section goes on in the next one."""
    built = shown(
        Notice(
            (
                Phrase("got_it", {"what": "word " * 300}),
                *(Phrase("nothing_found", {"query": f"{n} " * 300}) for n in range(9)),
            )
        )
    )
    assert len(built.blocks) > 1
    accepted(built)
