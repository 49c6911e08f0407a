"""What the person sees of a settled draft: cards that wait, cards that are void, news that is never lost, deliveries that are late."""

from dataclasses import replace
from typing import Any

import pytest

from blocks.phrases import Phrasebook
from state.advance import Outcome, advance
from state.draft.draft import Draft
from state.draft.utterance import Phrase
from state.engine.cards import Change, Confirm, Moved, Notice, Question, Review
from state.engine.effects import Effect, Gather, Post, Repaint
from state.engine.events import DeliveryChanged, DraftEvent
from state.form import Field
from tests.state.forms import (
    AT,
    FORM,
    RULES,
    asking,
    by_rules,
    call,
    click,
    filled,
    found,
    new_draft,
    replied,
    reviewing,
    said,
    told,
)


def go(draft: Draft, event: DraftEvent) -> Outcome:
    """One event."""
    return advance(FORM, RULES, draft, event)


def posted(outcome: Outcome) -> list[Any]:
    """The cards that were posted."""
    return [e.card for e in outcome.effects if isinstance(e, Post)]


def painted(outcome: Outcome, card: str) -> list[Any]:
    """What an earlier card turned into."""
    return [e.card for e in outcome.effects if isinstance(e, Repaint) and e.id == card]


def of(outcome: Outcome, kind: type[Effect]) -> list[Any]:
    """Effects of a kind."""
    return [e for e in outcome.effects if isinstance(e, kind)]


def asked_to_cancel(draft: Draft) -> Draft:
    """The draft with the card that asks whether to cancel."""
    asked = go(draft, said("cancel")).draft
    assert asked.proposal is not None and asked.proposal.act == "cancel"
    return asked


def test_search_results_take_no_waiting_card_away() -> None:
    """The card that asks whether to cancel waits for the person, and for nothing that comes in between."""
    asked = asked_to_cancel(new_draft())
    after = go(asked, found(asked))
    assert after.draft.proposal == asked.proposal and asked.proposal is not None
    assert painted(after, asked.proposal.card) == []


@pytest.mark.parametrize(("words", "waits"), [("help", ""), ("start over", "restart")])
def test_the_persons_next_act_ends_what_waited(words: str, waits: str) -> None:
    """Whoever goes on instead of clicking sees the waiting card closed, and it can be clicked no more; at most one waits at a time."""
    asked = asked_to_cancel(new_draft())
    after = go(asked, replace(said(words), id="s2"))
    assert asked.proposal is not None and (after.draft.proposal.act if after.draft.proposal else "") == waits
    assert painted(after, asked.proposal.card) == [Moved("below", was=Confirm("cancel"))]


def test_submit_beside_a_waiting_card_needs_one_more_click() -> None:
    """Consent counts for nothing while another card waits; that one is void with the click, and the review comes again to be confirmed."""
    asked = asked_to_cancel(reviewing())
    first = go(asked, click("submit", card="card-review", hash=asked.hash))
    assert of(first, Gather) == [] and first.draft.proposal is None
    assert [type(card) for card in posted(first)] == [Review]
    card = first.draft.card
    assert card is not None
    second = go(first.draft, replace(click("submit", card=card.id, hash=first.draft.hash), id="k2"))
    assert [e.purpose for e in of(second, Gather)] == ["submit"]


def test_a_change_that_waits_is_no_disclosure() -> None:
    """With nothing missing, a locked answer's change gets its own card, which the review waits for, and never the card of a disclosure."""
    draft = told(reviewing(), "it is leveraged after all")
    correct = call("correct", field="leveraged", value=True, words="it is leveraged after all")
    outcome = go(draft, replied(draft, correct, replace(call("explain_form", field="leveraged"), id="c2")))
    assert [type(card) for card in posted(outcome)] == [Change]
    assert outcome.draft.card is not None and outcome.draft.card.kind == "review" and outcome.draft.card.hidden


def test_a_disclosure_that_the_model_left_out_is_told_all_the_same() -> None:
    """Where rules find the disclosure beside a model's unfit calls, it counts and the person reads so, in this turn."""
    draft = told(reviewing(), "I heard something")
    outcome = go(draft, replied(draft, call("set_reason", quantity=5), text="Fine."))
    assert outcome.draft.disclosures
    assert [card for card in posted(outcome) if isinstance(card, Notice)] == [Notice((Phrase("disclosed"),))]


def leads(outcome: Outcome) -> list[Any]:
    """What the cards that were posted say first."""
    return [t for card in posted(outcome) for t in card.lead_in]


def corrected(draft: Draft) -> Outcome:
    """The declaration of leverage taken back in words, read by a model, and changed by the click on its card."""
    heard = told(draft, "it is not leveraged")
    reply = replied(heard, call("correct", field="leveraged", value=False, words="it is not leveraged"))
    asked = go(heard, reply).draft
    assert asked.proposal is not None and asked.values["leveraged"].data is True
    return go(asked, click("change", card=asked.proposal.card))


def test_an_answer_that_makes_another_void_says_so() -> None:
    """A changed answer retires what hangs on it in the same turn, and who gave the retired answer is told."""
    outcome = corrected(filled(new_draft(), leveraged=True, why_leveraged="I like risk and reward a lot"))
    label = FORM.fields["why_leveraged"].label
    assert "why_leveraged" not in outcome.draft.values
    assert Phrase("moved_gone", {"label": label}) in leads(outcome)


def test_nothing_is_said_of_an_answer_that_was_never_given() -> None:
    """A condition that ceases to hold is no news to who had not answered yet."""
    outcome = corrected(filled(new_draft(), leveraged=True))
    assert not any(t.key == "moved_gone" for t in leads(outcome) if isinstance(t, Phrase))


WHATS = ("record", "disclosure", "person", "message")


def came(what: Any, how: Any, name: str = "e1") -> DeliveryChanged:
    """Something is held up, or has been delivered."""
    return DeliveryChanged(name, AT, "delivery", what, how)


@pytest.mark.parametrize("what", WHATS)
@pytest.mark.parametrize("draft", [new_draft(), reviewing()], ids=["begun", "in review"])
def test_what_is_held_up_is_told_once_and_what_comes_takes_its_place(what: str, draft: Draft) -> None:
    """A line of its own says it, a second time says nothing, and the same line turns when it has come; answers, card and consent stay."""
    held = go(draft, came(what, "held"))
    (post,) = held.effects
    assert isinstance(post, Post) and post.into == "" and post.card == Notice((Phrase(f"held_{what}"),))
    assert go(held.draft, came(what, "held", "e2")).effects == ()
    delivered = go(held.draft, came(what, "delivered", "e3"))
    assert delivered.effects == (Repaint(post.id, Notice((Phrase(f"delivered_{what}"),))),)
    for after in (held.draft, delivered.draft):
        assert (after.values, after.card, after.hash, after.turn) == (draft.values, draft.card, draft.hash, draft.turn)
    assert delivered.draft.undelivered == {}


@pytest.mark.parametrize("what", WHATS)
def test_what_was_never_told_is_not_taken_back(what: str) -> None:
    """Where nobody was told of a delay, its end is told to nobody and changes nothing."""
    after = go(new_draft(), came(what, "delivered"))
    assert (after.effects, after.changes) == ((), ())


def test_several_delays_are_told_apart() -> None:
    """An announcement and a call for a person may wait side by side, each with its line."""
    both = go(go(new_draft(), came("record", "held")).draft, came("person", "held", "e2"))
    assert set(both.draft.undelivered) == {"record", "person"}
    left = go(both.draft, came("record", "delivered", "e3")).draft
    assert set(left.undelivered) == {"person"}


def test_a_delay_in_the_middle_of_a_conversation_keeps_the_question() -> None:
    """The open question goes on being answered as if nothing had been said between."""
    draft = advance(FORM, RULES, new_draft(), replace(said("hello"), id="s1")).draft
    held = go(draft, came("message", "held"))
    assert held.draft.asked == draft.asked and held.draft.card == draft.card


@pytest.mark.parametrize("language", ["en", "it", "es", "de"])
def test_every_language_has_its_sentences(language: str) -> None:
    """Each of them says something else, and none names a channel or a code."""
    words = Phrasebook(language)
    told = [words.say(f"{how}_{what}") for what in WHATS for how in ("held", "delivered")]
    assert len(set(told)) == len(told) and not any("_" in sentence for sentence in told)


@pytest.mark.parametrize(("typed", "refused"), [("example.org/page", True), ("I will look for it", False)])
def test_half_an_address_is_told_so(typed: str, refused: bool) -> None:
    """What means to be a web page's address and is none is refused by a sentence; other words are not."""
    form = FORM.model_copy(
        update={"fields": {"page": Field(name="page", kind="link", label="Page", ask="Which page?")}}
    )
    heard = advance(form, RULES, asking(new_draft(), "page"), said(typed)).draft
    lead = [
        one for card in posted(advance(form, RULES, heard, by_rules(heard))) for one in getattr(card, "lead_in", ())
    ]
    assert (Phrase("not_a_link", {}) in lead) is refused


def test_what_was_said_stays_where_typed_words_go_on() -> None:
    """A question of the person's keeps its explanation, and the question that was answered its answer, by a click as in words."""
    draft = asking(filled(new_draft(), thing="T1", side="buy", quantity=200), "leveraged")
    explained = go(draft, said("what counts as leveraged?")).draft
    explained = go(explained, by_rules(explained)).draft if explained.card == draft.card else explained
    card = explained.card
    assert card is not None and card.id != "card-leveraged" and card.answers
    was = Question("leveraged", card.lead_in, words=card.words)
    for event in (click("answer", field="leveraged", value=False, card=card.id), replace(said("no"), id="s2")):
        after = go(explained, event)
        after = after if after.draft.values.get("leveraged") else go(after.draft, by_rules(after.draft))
        assert painted(after, card.id) == [Moved("answered", "leveraged", was)]
        assert [e.into for e in of(after, Post)] == [""]
