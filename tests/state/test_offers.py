"""Offers of the bot: made by a call, shown with a button, accepted by the person's next message or a click, and gone after it."""

from dataclasses import replace
from typing import Any

import pytest

from state.advance import advance, begin
from state.draft.changes import ValueSet
from state.draft.draft import Draft, Offer, Option, Status
from state.engine.context import TurnContext
from state.engine.effects import Post
from state.engine.events import Clicked, MessageReceived, ModelReplied
from state.engine.offers import ToolCalls
from state.engine.tools import handle
from state.fields.base import Context
from state.form import Field
from state.guards import GUARDS
from state.guards import writes as judging
from state.understanding.plain_answers import is_acceptance, is_refusal
from state.understanding.reader import read_open
from tests.state.forms import AT, FORM, OTHER, OWNER, RULES, asking, call, filled, new_draft, replied, reviewing

NOTE = Field(name="note", kind="text", label="Note", ask="Anything else?")
OFFERING = FORM.model_copy(update={"fields": {**FORM.fields, "note": NOTE}})


def step(draft: Draft, event: Any, **options: Any) -> Draft:
    """The draft after an event, with a form that has a plain text as well."""
    return advance(OFFERING, RULES, draft, event, **options).draft


def offering(draft: Draft | None = None, **values: Any) -> Draft:
    """A draft in which the bot has just offered these values."""
    draft = draft or asking(filled(new_draft(), thing="T1", side="buy"), "quantity")
    calls = tuple(replace(call("offer", field=n, value=v), id=n) for n, v in values.items())
    return step(draft, replied(draft, *calls, text="How about this."))


def says(text: str, n: int = 9) -> MessageReceived:
    """A message of the owner's."""
    return MessageReceived(f"s{n}", AT, OWNER, text, f"{n}.1")


def test_an_offer_is_stored_with_its_words_and_shown_on_the_open_card() -> None:
    """Field, value and the card that shows it are kept, and no word of the model's beside it; nothing is set."""
    draft = offering(quantity="200")
    (offer,) = draft.offers
    assert (offer.field, offer.data, offer.label, offer.words) == ("quantity", 200, "200 shares", "")
    assert draft.card is not None and offer.card == draft.card.id
    assert "quantity" not in draft.values


@pytest.mark.parametrize("text", ["OK, thank you", "Fine, thanks.", "perfetto, grazie", "vale, gracias"])
def test_a_word_of_approval_beside_thanks_takes_nothing_that_nobody_said(text: str) -> None:
    """It ends a talk as well as it agrees: what the bot thought of stands, for a click."""
    after = step(offering(quantity="200"), says(text))
    assert "quantity" not in after.values
    after = step(after, replied(after, call("set_trade", quantity=200, words=text)))
    assert "quantity" not in after.values


def test_a_plain_yes_accepts_what_was_offered() -> None:
    """The whole message takes it: the value is sure, came by acceptance, and names the offer's card and the words."""
    draft = offering(quantity="200")
    after = step(draft, says("sounds good, thanks"))
    value = after.values["quantity"]
    origin = value.provenance
    assert (value.data, value.sure, origin.how, origin.words) == (200, True, "accepted", "sounds good, thanks")
    assert origin.message == draft.offers[0].card and origin.who == OWNER
    assert after.offers == ()


def test_the_button_accepts_it() -> None:
    """A click on the card that shows the offer sets it; anybody else's click, another value or another card sets nothing."""
    draft = offering(quantity="200")
    assert draft.card is not None
    good = Clicked("k1", AT, OWNER, "accept", "quantity", 200, draft.card.id)
    assert step(draft, good).values["quantity"].provenance.how == "accepted"
    for bad in (
        replace(good, who=OTHER),
        replace(good, value=300),
        replace(good, card="old"),
        replace(good, field="side"),
    ):
        assert "quantity" not in step(draft, bad).values


def test_an_offer_lives_for_one_message() -> None:
    """Once another message is read it is gone, for a yes, for the button and for a model."""
    draft = step(offering(quantity="200"), says("what a day", 7))
    later = step(step(draft, replied(draft)), says("yes", 8))
    assert later.offers == () and "quantity" not in later.values
    late = replied(later, call("set_trade", quantity=200, words="yes"))
    assert "quantity" not in step(later, late).values


def test_words_beside_a_yes_leave_an_offer_to_the_click() -> None:
    """A call that names the offered value takes it from a plain yes alone; with more beside it the value waits."""
    text = "yes, what is the total cost?"
    draft = step(offering(quantity="200"), says(text))
    after = step(draft, replied(draft, call("set_trade", quantity=200, words=text)))
    assert "quantity" not in after.values and [o.data for o in after.offers if o.said] == [200]


def test_a_yes_that_no_parser_hears_is_put_back() -> None:
    """Words that a reader takes for a yes set nothing: the offer stands again with them, and one click takes it."""
    text = "please reserve me this one then, mate"
    draft = step(offering(quantity="200"), says(text))
    after = step(draft, replied(draft, call("set_trade", quantity=200, words=text)))
    assert "quantity" not in after.values and [(o.data, o.said) for o in after.offers] == [(200, text)]
    assert after.card is not None and after.card.field == "quantity"
    done = step(after, Clicked("k1", AT, OWNER, "accept", "quantity", 200, card=after.card.id))
    assert done.values["quantity"].provenance.words == text and done.values["quantity"].provenance.how == "clicked"


@pytest.mark.parametrize(("said", "came", "taken"), [
    ("please reserve me this one then, mate", says("yes"), True),
    ("please reserve me this one then, mate", says("that's right, thanks"), True),
    ("please reserve me this one then, mate", says("yes, but what does it cost?"), False),
    ("please reserve me this one then, mate", replace(says("yes"), early=True), False),
    ("200 or 250 of them, I guess", says("yes"), False),
    ("please reserve me this one then, mate", replace(says("yes", 11), shown="11.0"), False),
])  # fmt: skip
def test_a_plain_yes_takes_what_was_read_and_stands_with_the_question(
    said: str, came: MessageReceived, taken: bool
) -> None:
    """Of a value, with the words it was read in; not beside other words, nor where the question could not yet be read."""
    draft = step(offering(quantity="200"), says(said, 8))
    after = step(step(draft, replied(draft, call("set_trade", quantity=200, words=said))), came)
    assert ("quantity" in after.values) is taken
    assert not taken or (after.values["quantity"].data, after.values["quantity"].provenance.words) == (200, said)


def test_a_yes_beside_what_may_be_meant_otherwise_takes_nothing() -> None:
    """Where two values for a field stand on the card, nobody knows what a yes is about, of the field beside them either."""
    draft = asking(filled(new_draft(), thing="T1"), "side")
    read = [("quantity", 200), ("quantity", 250), ("side", "buy")]
    offers = tuple(Offer(name, data, str(data), draft.turn, said="buy 200 or 250") for name, data in read)
    after = step(replace(draft, offers=offers), says("yes"))
    assert not {"quantity", "side"} & set(after.values)


@pytest.mark.parametrize(("heard", "taken"), [("", {"side", "quantity"}), ("7.0", set())])
def test_a_yes_takes_nothing_that_was_passed_over(heard: str, taken: set[str]) -> None:
    """What was read before other messages of the person's stands on the card, and wants its button; what was just read goes with the answer."""
    draft = asking(filled(new_draft(), thing="T1"), "side")
    offers = (
        Offer("side", "buy", "Buy", draft.turn, said="buy"),
        Offer("quantity", 200, "200", draft.turn, heard=heard, said="200"),
    )
    after = step(replace(draft, offers=offers), says("yes"))
    assert {"side", "quantity"} & set(after.values) == taken


def test_a_text_that_was_read_is_taken_by_its_button() -> None:
    """A yes says nothing of where the text ends: of what people told, one in twenty was taken wrongly by it."""
    draft = asking(filled(new_draft(), thing="T1", side="buy", quantity=1), "note")
    offer = Offer("note", "for Ann", "for Ann", draft.turn, said="it's for Ann")
    assert "note" not in step(replace(draft, offers=(offer,)), says("yes")).values


ATTACKS = {
    "a value that was not offered": (says("yes, fine with me, you know"), 300, "yes"),
    "a refusal": (says("no, something else"), 200, "no, something else"),
    "a question": (says("is that a lot?"), 200, "is that a lot"),
    "words that nobody said": (says("please reserve me this one"), 200, "yes of course"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_else_accepts_an_offer(name: str) -> None:
    """With the check on offers nothing is set; with the grounding taken out it would be."""
    message, given, words = ATTACKS[name]
    draft = step(offering(quantity="200"), message)
    if "quantity" in draft.values:
        pytest.fail("the message alone set it")
    event = replied(draft, call("set_trade", quantity=given, words=words))
    without = tuple(g for g in GUARDS if g is not judging.grounded)
    assert not _sets(draft, event, given, GUARDS)
    assert _sets(draft, event, given, without)


def _sets(draft: Draft, event: ModelReplied, given: int, guards: Any) -> bool:
    changes = advance(OFFERING, RULES, draft, event, guards).changes
    return any(isinstance(c, ValueSet) and c.field == "quantity" and c.value.data == given for c in changes)


@pytest.mark.parametrize(
    ("field", "given"),
    [("leveraged", True), ("reason", "A reason of five good words"), ("thing", "T1"), ("quantity", "many"), ("quantity", 0),
     ("side", "hold"), ("nothing", "x"), ("why_leveraged", "x"), ("note", "x" * 400)],
)  # fmt: skip
def test_what_may_not_be_offered_is_refused(field: str, given: Any) -> None:
    """No declaration, no graded reason, no result that is not on screen, no value that the field cannot take, no closed field."""
    draft = new_draft()
    made = handle(
        TurnContext(OFFERING, RULES, draft, replied(draft)), ToolCalls("model"), call("offer", field=field, value=given)
    )
    assert made["status"] == "rejected"
    assert offering(**{field: given}).offers == ()


def test_an_answer_that_nothing_locks_is_replaced_by_taking_an_offer() -> None:
    """The offer alone changes nothing; a plain yes does, shown as was and now, and the next word can take it back."""
    offered = offering(reviewing(), quantity="300")
    assert [o.data for o in offered.offers] == [300] and offered.values["quantity"] == reviewing().values["quantity"]
    taken = advance(OFFERING, RULES, offered, says("that works for me"))
    (shown,) = [e for e in taken.effects if isinstance(e, Post)]
    assert "was_now" in str(shown.card.lead_in) and taken.draft.undo_card == shown.id
    assert taken.draft.values["quantity"].data == 300
    assert step(taken.draft, says("undo", 10)).values["quantity"] == reviewing().values["quantity"]
    closed = replace(taken.draft, status=Status.CANCELLED)
    assert step(closed, says("undo", 11)).values["quantity"].data == 300


def test_a_finished_answer_is_replaced_by_no_half_yes_and_never_where_it_is_locked() -> None:
    """Words that leave it open change nothing, though they could fill a gap; a locked answer is offered nothing."""
    text = "please reserve me this one then, mate"
    said = step(offering(reviewing(), quantity="300"), says(text))
    after = step(said, replied(said, call("correct", field="quantity", value="300", words=text)))
    assert after.values["quantity"] == reviewing().values["quantity"] and after.proposal is None
    assert offering(replace(reviewing(), locked_fields=frozenset({"quantity"})), quantity="300").offers == ()


def test_a_wish_may_be_suggested_and_a_declaration_never() -> None:
    """Of a yes/no question that says so the bot suggests a yes, while it is not what the form asks; a refusal sets nothing."""
    wish = Field(name="wish", kind="yes_no", label="Gift wrap", ask="As a gift?", suggest=True)
    form = OFFERING.model_copy(update={"fields": {**OFFERING.fields, "wish": wish}})

    def offered(draft: Draft, name: str, value: bool) -> Draft:
        return advance(form, RULES, draft, replied(draft, call("offer", field=name, value=value))).draft

    draft = offered(asking(new_draft(), "quantity"), "wish", True)
    assert [o.field for o in draft.offers] == ["wish"]
    assert advance(form, RULES, draft, says("That works for me")).draft.values["wish"].data is True
    assert "wish" not in advance(form, RULES, draft, says("no, thanks")).draft.values
    assert offered(asking(new_draft(), "quantity"), "wish", False).offers == ()
    assert offered(asking(new_draft(), "wish"), "wish", True).offers == ()
    assert offered(asking(new_draft(), "quantity"), "leveraged", True).offers == ()


@pytest.mark.parametrize(
    ("text", "wants"),
    [("I need a gift wrap for two", True), ("I don't mind gift wrap", True), ("no problem with gift wrap", True), ("I need it soon", False)],
)  # fmt: skip
def test_wanting_what_a_wish_is_called_is_a_yes_to_confirm(text: str, wants: bool) -> None:
    """Words that name it are put back; words about something else are not."""
    wish = Field(name="wish", kind="yes_no", label="Gift wrap", ask="As a gift?", suggest=True)
    form = OFFERING.model_copy(update={"fields": {**OFFERING.fields, "wish": wish}})
    draft = advance(form, RULES, asking(new_draft(), "quantity"), says(text)).draft
    after = advance(form, RULES, draft, replied(draft, call("set_wish", wish=True, words=text))).draft
    assert "wish" not in after.values
    assert ([o.said for o in after.offers if o.field == "wish" and o.data is True] == [text]) is wants


def test_thats_it_takes_what_was_offered() -> None:
    """With an offer before it, it is a yes; without one it asks to finish, as ever."""
    after = step(offering(quantity="200"), says("Yes, that's it."))
    assert after.values["quantity"].data == 200
    assert "quantity" not in step(asking(new_draft(), "quantity"), says("Yes, that's it.")).values


def test_a_no_that_nobody_asked_for_announces_a_correction() -> None:
    """ "No I only want …" without a comma is a card to click; where the open question takes a no, it is that question's answer."""
    words = "No I want only a couple"
    for draft, proposed in ((reviewing(), True), (asking(filled(new_draft(), quantity=3), "leveraged"), False)):
        said = step(draft, says(words))
        after = step(said, replied(said, call("correct", field="quantity", value="2", words=words)))
        assert after.values["quantity"].data == draft.values["quantity"].data
        assert (after.proposal is not None) is proposed


def test_a_search_result_on_screen_may_be_offered() -> None:
    """Accepting it picks it, label and facts included."""
    draft = replace(asking(new_draft(), "thing"), options={"thing": (Option("T1", "Thing one", facts={"kind": "x"}),)})
    after = step(offering(draft, thing="T1"), says("perfect"))
    assert (after.values["thing"].data, after.values["thing"].label) == ("T1", "Thing one")


def test_a_yes_to_two_values_for_one_field_is_no_answer() -> None:
    """Which of them is meant was not said."""
    draft = asking(new_draft(), "quantity")
    both = step(
        draft,
        replied(
            draft, call("offer", field="quantity", value=2), replace(call("offer", field="quantity", value=3), id="c2")
        ),
    )
    assert len(both.offers) == 2
    assert "quantity" not in step(both, says("sounds good")).values


def test_an_offer_is_withdrawn_when_its_field_is_set() -> None:
    """An answer of the person's own ends the offer."""
    after = step(offering(quantity="200"), says("300"))
    assert after.values["quantity"].data == 300 and after.offers == ()


def test_a_yes_to_an_asked_declaration_answers_that_alone() -> None:
    """Where the open question takes a yes, the yes is its answer and accepts nothing."""
    draft = offering(asking(filled(new_draft(), thing="T1", side="buy", quantity=2), "leveraged"), note="a gift")
    after = step(draft, says("yes"))
    assert after.values["leveraged"].data is True and "note" not in after.values


@pytest.mark.parametrize(("text", "language", "takes", "turns_down"), [
    ("yes please", "en-GB", True, False), ("that works for me", "en-GB", True, False),
    ("yes, but for three", "en-GB", False, False), ("no thanks", "en-GB", False, True),
    ("how many days?", "en-GB", False, False), ("Sì, va bene", "it-IT", True, False),
    ("Sí, de acuerdo, gracias", "es-ES", True, False), ("Nein, danke", "de-DE", False, True),
    ("sí, gracias", "en-GB", True, False), ("ja bitte", "it-IT", True, False), ("nein danke", "es-ES", False, True), ("sì?", "en-GB", False, False),
])  # fmt: skip
def test_only_a_whole_message_takes_an_offer_or_turns_it_down(
    text: str, language: str, takes: bool, turns_down: bool
) -> None:
    """A yes or a no to an offer says that and nothing else; anything more is for a click."""
    assert (is_acceptance(text, language), is_refusal(text, language)) == (takes, turns_down)


@pytest.mark.parametrize("text", ["no", "nope", "No, thanks.", "neither"])
def test_a_no_to_results_is_none_of_them(text: str) -> None:
    """Results that a plain no turns down go, nothing is searched, and another name is asked for."""
    draft = replace(asking(new_draft(), "thing"), options={"thing": (Option("T1", "Thing one"), Option("T2", "Two"))})
    after = advance(OFFERING, RULES, draft, says(text))
    assert not after.draft.options and "none_of_these_said" in str(after.effects)
    assert not any(type(e).__name__ in ("LookUp", "CallModel") for e in after.effects)
    assert not any(line.unread for line in after.draft.opening)


def test_words_said_for_another_form_are_put_back() -> None:
    """The same person's earlier words in the conversation are put back, never for a declaration; of the same form they count not at all."""
    other = replace(new_draft(), form="other", status=Status.SUBMITTED)
    said = step(other, says("It is for 200 people and it is leveraged"))
    fresh = begin(OFFERING, "d2", "T1", OWNER, "T1:D1:", AT, said)
    draft = step(fresh, says("as many as before", 11))
    after = step(
        draft,
        replied(
            draft,
            call("set_trade", quantity=200, words="200 people"),
            replace(call("set_leveraged", leveraged=True, words="it is leveraged"), id="c2"),
        ),
    )
    assert not after.values and [(o.field, o.data) for o in after.offers] == [("quantity", 200)]
    assert begin(OFFERING, "d2", "T1", OTHER, "T1:D1:", AT, said).earlier == ()
    assert begin(OFFERING, "d2", "T1", OWNER, "T1:D1:", AT, replace(said, form="small")).earlier == ()
    assert begin(OFFERING, "d2", "T1", OWNER, "T1:D1:", AT, replace(said, status=Status.CANCELLED)).earlier == ()


def test_a_correction_that_no_parser_reads_is_made_by_a_click() -> None:
    """Words that announce a correction put up a card; nothing changes before its click."""
    draft = filled(asking(new_draft(), "leveraged"), thing="T1", side="buy", quantity=3)
    for words in ("no, only a single one of them, sorry",):
        said = step(draft, says(words))
        asked = step(said, replied(said, call("correct", field="quantity", value="1", words=words), text="All right."))
        assert asked.values["quantity"].data == 3
        assert asked.proposal is not None and asked.proposal.act == "change"
        done = step(asked, Clicked("k9", AT, OWNER, "change", card=asked.proposal.card))
        assert done.values["quantity"].data == 1
    said = step(draft, says("what a day"))
    event = replied(said, call("correct", field="quantity", value="1", words="what a day"))
    assert step(said, event).proposal is None


def test_a_plain_yes_or_no_question_may_be_agreed_to_in_other_words() -> None:
    """An approving clause that names the field is put back, and sets nothing."""
    shared = Field(name="shared", kind="yes_no", label="Shared ride", ask="May it be shared?")
    declared = shared.model_copy(update={"name": "declared", "label": "Derivative ride", "worse": True})
    form = FORM.model_copy(update={"fields": {**FORM.fields, "shared": shared, "declared": declared}})
    text = "a shared ride is fine, and a derivative ride is fine too"
    draft = advance(form, RULES, new_draft(), says(text)).draft
    calls = (
        call("set_shared", shared=True, words=text),
        replace(call("set_declared", declared=True, words=text), id="c2"),
    )
    after = advance(form, RULES, draft, replied(draft, *calls)).draft
    assert not after.values and [(o.field, o.data) for o in after.offers] == [("shared", True), ("declared", True)]


def test_a_default_waits_for_an_answer() -> None:
    """What code filled in at the review is still taken from a person's plain words, without a correction."""
    size = Field(
        name="size", kind="integer", label="Size", ask="What size?", required=False, default=7, words=("size",)
    )
    form = FORM.model_copy(update={"fields": {"quantity": FORM.fields["quantity"], "size": size}})
    draft = advance(form, RULES, asking(new_draft(), "quantity"), says("5", 1)).draft
    assert (draft.values["size"].data, draft.values["size"].provenance.how) == (7, "rule")
    said = advance(form, RULES, draft, says("size 9 please", 2)).draft
    after = advance(form, RULES, said, replied(said, call("set_size", size=9, words="size 9"))).draft
    assert (after.values["size"].data, after.values["size"].provenance.how) == (9, "read")


def test_a_repeated_choice_fills_no_other_field() -> None:
    """ "My savings account" once more is no answer to which account the recipient has."""
    kinds = {"kind": "choice", "choices": ("checking", "savings"), "ask": "Which?"}
    mine = Field.model_validate({"name": "mine", "label": "Own account", **kinds})
    theirs = Field.model_validate({"name": "theirs", "label": "Recipient's account", "required": False, **kinds})
    form = FORM.model_copy(update={"fields": {"mine": mine, "theirs": theirs, "quantity": FORM.fields["quantity"]}})
    draft = replace(filled(new_draft(), mine="savings"), asked="quantity")
    calls = read_open(form, draft, "400 from my savings account", "9.1", Context("en-GB", "2026-11-20")).calls
    assert [set(c.arguments or ()) - {"words"} for c in calls] == [{"quantity"}]
