"""What a person is told of deliveries: once that something is held up, in its place that it has come, and nothing else changes."""

from dataclasses import replace
from typing import Any

import pytest

from blocks.phrases import Phrasebook
from state.advance import Outcome, advance
from state.draft.changes import fold
from state.draft.draft import Draft
from state.draft.utterance import Phrase
from state.engine.cards import Notice
from state.engine.codec import decode_change, decode_draft, decode_event, encode
from state.engine.effects import Post, Repaint
from state.engine.events import DeliveryChanged
from tests.state.forms import AT, FORM, RULES, new_draft, reviewing, said

WHATS = ("record", "disclosure", "person", "message")


def came(what: Any, how: Any, name: str = "e1") -> DeliveryChanged:
    """Something is held up, or has been delivered."""
    return DeliveryChanged(name, AT, "delivery", what, how)


def go(draft: Draft, event: DeliveryChanged) -> Outcome:
    """One event."""
    return advance(FORM, RULES, draft, event)


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


def test_what_was_told_is_stored_and_read_back() -> None:
    """Event, change and draft come back from JSON as they were, and folding the changes rebuilds the draft."""
    event = came("record", "held")
    after = go(new_draft(), event)
    assert decode_event(encode(event)) == event
    assert decode_draft(encode(after.draft)) == after.draft
    folded = fold(new_draft(), [decode_change(encode(change)) for change in after.changes])
    assert folded.undelivered == after.draft.undelivered


@pytest.mark.parametrize("language", ["en", "it", "es", "de"])
def test_every_language_has_its_sentences(language: str) -> None:
    """Each of them says something else, and none names a channel or a code."""
    words = Phrasebook(language)
    told = [words.say(f"{how}_{what}") for what in WHATS for how in ("held", "delivered")]
    assert len(set(told)) == len(told) and not any("_" in sentence for sentence in told)
