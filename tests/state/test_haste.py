"""An act counts on what could be read: a second after its card was on screen, by Slack's times alone."""

from dataclasses import replace
from typing import Any, get_args

import pytest

from state.advance import Outcome, advance
from state.draft.draft import Draft, OpenCard, Proposal
from state.draft.utterance import Phrase
from state.engine.codec import decode_event, encode
from state.engine.effects import CallModel, Ephemeral, Gather, Repaint
from state.engine.events import AT_ONCE, BY_FIELD, UNLESS_DISCLOSING, Act, MessageReceived, is_final
from state.engine.on_click import HANDLERS
from state.form import Field
from tests.state.deciding import MANAGER, filed, routed, verdict
from tests.state.forms import AT, FORM, OWNER, RULES, asking, click, filled, new_draft, reviewing, told

SHOWN = "1700000000.000000"
TOO_SOON = Ephemeral(OWNER, Phrase("too_soon"))
FINAL = {
    "submit", "submit_anyway", "change", "cancel_confirmed", "restart_confirmed", "go", "clear", "take", "take_all", "confirm", "take_back",
    "again", "erase_confirmed", "decide", "judge", "withdraw_confirmed", "extend", "unused_confirmed",
}  # fmt: skip
"""Acts that cannot be undone, or consent to what a card says."""


def clicked(draft: Draft, after: str, act: Any, **more: Any) -> Outcome:
    """The outcome of a click so many seconds after its card was on screen."""
    return advance(FORM, RULES, draft, click(act, clicked_at=f"17000000{float(after):09.6f}", shown=SHOWN, **more))


def test_every_act_says_whether_its_card_must_have_been_read() -> None:
    """A new act stands in one of the lists, and those that cannot be undone are named here one by one."""
    acts = set(get_args(Act))
    lists = (AT_ONCE, BY_FIELD, UNLESS_DISCLOSING, frozenset(FINAL))
    assert set().union(*lists) == acts and sum(map(len, lists)) == len(acts)
    assert {act for act in acts if is_final(act)} == FINAL
    assert set(HANDLERS) <= acts


@pytest.mark.parametrize("after", ["0.05", "0.2", "0.45", "0.7", "0.95", "0.999999"])
def test_a_declaration_that_had_only_just_appeared_is_not_answered(after: str) -> None:
    """The click changes nothing, and the person alone reads why."""
    draft = asking(new_draft(), "leveraged")
    outcome = clicked(draft, after, "answer", field="leveraged", value=False, card="card-leveraged")
    assert outcome.draft == draft and outcome.changes == () and outcome.effects == (TOO_SOON,)


@pytest.mark.parametrize("after", ["1.0", "1.05", "3600"])
def test_a_declaration_that_stood_for_a_second_is_answered(after: str) -> None:
    """A second is enough, to the microsecond."""
    draft = asking(new_draft(), "leveraged")
    outcome = advance(
        FORM, RULES, draft,
        click("answer", field="leveraged", value=False, card="card-leveraged", shown=SHOWN, clicked_at=f"{1700000000 + float(after):.6f}"),
    )  # fmt: skip
    assert outcome.draft.values["leveraged"].data is False and "leveraged" in outcome.draft.locked_fields


def test_a_menu_that_was_too_quick_can_be_used_for_the_same_answer_again() -> None:
    """Slack keeps what was chosen in a menu or among radio buttons, and tells of no second choice of the same: its next id is another one."""
    draft = asking(new_draft(), "leveraged")
    chosen = {"field": "leveraged", "value": False, "card": "card-leveraged", "hash": "0"}
    outcome = clicked(draft, "0.2", "answer", **chosen)
    assert outcome.draft == replace(draft, boxes_closed=1, revision=1)
    assert outcome.effects[0] == TOO_SOON and isinstance(outcome.effects[1], Repaint)


def test_an_answer_that_can_be_edited_counts_at_once() -> None:
    """Undo and Edit put it right."""
    draft = asking(new_draft(), "quantity")
    outcome = clicked(draft, "0.1", "answer", field="quantity", value=200, card="card-quantity")
    assert outcome.draft.values["quantity"].data == 200


def test_a_review_that_had_only_just_appeared_is_not_submitted() -> None:
    """Submit right after the last answer files nothing; the review stays open."""
    draft = reviewing()
    early = clicked(draft, "0.3", "submit", card="card-review", hash=draft.hash)
    assert early.draft == draft and early.effects == (TOO_SOON,)
    read = clicked(draft, "1.2", "submit", card="card-review", hash=draft.hash)
    assert read.effects == (Gather("submit", hash=draft.hash),)


def test_where_a_card_came_to_be_shown_nobody_knows_when_it_counts_for_unread() -> None:
    """What Slack dates and nobody can hold against the card's time changes nothing."""
    draft = reviewing()
    outcome = advance(FORM, RULES, draft, click("submit", card="card-review", hash=draft.hash, clicked_at=SHOWN))
    assert outcome.effects == (TOO_SOON,)


def test_acts_without_a_time_of_slacks_are_judged_as_before() -> None:
    """A modal, a call over HTTP, and every event that an earlier version stored carry none."""
    draft, stored = reviewing(), encode(click("submit", card="card-review", hash=reviewing().hash))
    event = decode_event({name: value for name, value in stored.items() if name not in ("clicked_at", "shown")})
    assert advance(FORM, RULES, draft, event).effects == (Gather("submit", hash=draft.hash),)


def test_a_worse_disclosure_is_never_too_soon_and_never_lost_to_haste() -> None:
    """To disclose counts at once; to leave it counts once its question could be read."""
    draft = filled(told(new_draft(), "I heard something"), ("inside",), inside=False)
    asked = replace(draft, proposal=Proposal("disclose", "c9", "inside", words="I heard something", message="1.0"))
    assert clicked(asked, "0.1", "disclose_confirmed", card="c9").draft.disclosures
    assert clicked(asked, "0.1", "stay", card="c9").draft == asked
    assert clicked(asked, "1.5", "stay", card="c9").draft.proposal is None
    cancelling = replace(draft, proposal=Proposal("cancel", "c9", turn=0))
    assert clicked(cancelling, "0.1", "stay", card="c9").draft.proposal is None
    assert clicked(cancelling, "0.1", "cancel_confirmed", card="c9").draft == cancelling


@pytest.mark.parametrize(("after", "decisions"), [("0.2", 0), ("0.95", 0), ("1.1", 1)])
def test_a_verdict_counts_on_a_card_that_could_be_read(after: str, decisions: int) -> None:
    """An officer's click on a card that had only just come changes nothing, and is answered in private."""
    draft = filed()
    event = verdict(draft, MANAGER, clicked_at=f"{1700000000 + float(after):.6f}", shown=SHOWN)
    outcome = routed(draft, event)
    assert len(outcome.draft.filed.decisions) == decisions
    assert (Ephemeral(MANAGER, Phrase("too_soon"), "C1") in outcome.effects) is not bool(decisions)


def written(draft: Draft, text: str, after: float, **more: Any) -> Outcome:
    """The outcome of words so many seconds after the open question was surely on screen."""
    at = f"{1700000000 + after:.6f}"
    return advance(FORM, RULES, draft, MessageReceived("s1", AT, OWNER, text, at, shown=SHOWN, **more))


REASON = "I sell because I need the money for my flat"


def test_words_that_may_be_meant_for_either_question_are_put_back_whole() -> None:
    """While the next question was coming up: the words wait for one click, and nothing is cut out of them."""
    draft = asking(new_draft(), "reason")
    crossing, below = written(draft, REASON, -0.2), written(draft, REASON, 0.1)
    assert "reason" not in crossing.draft.values
    assert [(o.field, o.data) for o in crossing.draft.offers] == [("reason", REASON)]
    assert below.draft.offers == () and CallModel(1) in below.effects


@pytest.mark.parametrize("text", ["thanks a lot", "hello", "one moment please", "what does that mean?"])
def test_small_talk_that_crosses_a_question_is_offered_as_no_answer(text: str) -> None:
    """Thanks, a greeting, a wait and a question are read as what they are, whichever question they crossed."""
    crossing = written(asking(new_draft(), "reason"), text, -0.2)
    assert crossing.draft.offers == () and CallModel(1) in crossing.effects


@pytest.mark.parametrize(
    "text", ["wait, the quantity should be 300", "oh no, quantity: 300", "Please change the quantity to 300"]
)
def test_a_correction_that_crosses_a_question_is_offered_as_no_answer(text: str) -> None:
    """Words that change what was answered are read as a correction, whichever question they crossed."""
    crossing = written(filled(asking(new_draft(), "reason"), ("quantity",), quantity=200), text, -0.2)
    assert crossing.draft.offers == () and CallModel(1) in crossing.effects


def test_an_amount_that_crosses_its_question_is_put_back_with_its_currency() -> None:
    """Words that say both have both wait for the click."""
    money = {
        "value": Field(name="value", kind="money", label="Value", ask="How much?"),
        "currency": Field(name="currency", kind="currency", label="Currency", ask="Which currency?"),
    }
    form = FORM.model_copy(update={"fields": {**FORM.fields, **money}})
    event = MessageReceived("s1", AT, OWNER, "USD 3,600", "1699999999.800000", shown=SHOWN)
    crossing = advance(form, RULES, asking(new_draft(), "value"), event)
    assert [(o.field, o.data) for o in crossing.draft.offers] == [("value", "3600.00"), ("currency", "USD")]


@pytest.mark.parametrize("after", [-0.3, 0.4, 0.95])
def test_a_typed_answer_to_a_declaration_that_nobody_can_have_read_is_put_back(after: float) -> None:
    """A "no" within the first second is shown with the question, for one click."""
    draft = asking(new_draft(), "leveraged")
    early, read = written(draft, "no", after).draft, written(draft, "no", 1.0).draft
    assert "leveraged" not in early.values and [(o.field, o.data) for o in early.offers] == [("leveraged", False)]
    assert read.values["leveraged"].data is False


def test_a_typed_consent_counts_once_the_review_could_be_read() -> None:
    """Words that the form takes for consent file nothing in the first second."""
    consenting = FORM.model_copy(update={"consent": ("that is right",)})
    draft = replace(reviewing(), turn=3, shown_turn=3, card=OpenCard("c", "review", hash=reviewing().hash))
    for after, files in ((0.5, False), (1.5, True)):
        event = MessageReceived("s1", AT, OWNER, "that is right", f"{1700000000 + after:.6f}", shown=SHOWN)
        effects = advance(consenting, RULES, draft, event).effects
        assert any(isinstance(e, Gather) and e.purpose == "submit" for e in effects) is files


def test_a_person_who_is_always_one_click_behind_gets_through() -> None:
    """Each click is on what stood there before the last one was handled: the card that calls itself the current one stays, and the next counts."""
    draft, screen = asking(filled(new_draft(), thing="T1"), "side"), ["card-side", "card-side"]
    draft = replace(draft, card=OpenCard("card-side~results", "question", "side"))
    for n in range(3):
        behind = replace(click("answer", field="side", value="buy", card=screen[-2]), id=f"k{n}")
        draft = advance(FORM, RULES, draft, behind).draft
        screen.append(draft.card.id if draft.card else "")
    assert draft.values["side"].data == "buy"
