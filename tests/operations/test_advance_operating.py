"""Clicks and outcomes in the pure core: only the owner's click on the card that waits runs anything, and every card says how it ended."""

from functools import cache
from typing import Any

from state.advance import Outcome, advance, begin
from state.draft.draft import Draft
from state.draft.reply import Reply, ToolCall
from state.draft.utterance import Phrase, Verbatim
from state.engine.cards import Act, Notice
from state.engine.effects import CallModel, Effect, Ephemeral, Operate, Post, Repaint
from state.engine.events import Clicked, DraftEvent, MessageReceived, ModelReplied, OperationCompleted
from state.workflow.load import Workflow
from tests.shipped import shipped

AT = "2026-11-20T09:00:00+00:00"
COFFEE = {"item": "coffee", "amount": "3.50"}


@cache
def workflow() -> Workflow:
    """The shipped expenses."""
    return shipped("expenses")


def go(draft: Draft, event: DraftEvent) -> Outcome:
    """One event."""
    return advance(workflow().form, workflow().rules, draft, event)


def of(outcome: Outcome, kind: type[Effect]) -> list[Any]:
    """Effects of a kind."""
    return [e for e in outcome.effects if isinstance(e, kind)]


def said(text: str = "coffee 3.50") -> Draft:
    """The person has said something."""
    draft = begin(workflow().form, "d1", "T1", "U1", "T1:D1:", AT)
    return go(draft, MessageReceived("m1", AT, "U1", text, "1.1")).draft


def replied(draft: Draft, reply: Reply, *, regenerated: bool = False) -> Outcome:
    """The model has answered."""
    return go(draft, ModelReplied("r1", AT, "model", reply, draft.turn, reader="m", regenerated=regenerated))


def called() -> Draft:
    """The person has said something, and the model has called for it."""
    return replied(said(), Reply(calls=(ToolCall("1", "add_expense", dict(COFFEE)),))).draft


def waiting() -> Draft:
    """A proposal waits."""
    draft = called()
    event = OperationCompleted("o1", AT, "operations", act="call", came="waits", turn=draft.turn, told=(Verbatim("Add: coffee"),),
                     proposal="p1", seconds=900)  # fmt: skip
    return go(draft, event).draft


def click(draft: Draft, act: Any, who: str = "U1", **more: str) -> Outcome:
    """A click on the card that waits, unless told otherwise."""
    given = {"card": draft.waiting.card if draft.waiting else "", "value": "p1", **more}
    return go(draft, Clicked("c1", AT, who, act, **given))  # type: ignore[arg-type]  # the test's own words


def test_a_call_becomes_an_effect_and_nothing_more() -> None:
    """A valid call is handed on with what was inferred; the draft itself writes nothing."""
    outcome = replied(said(), Reply(calls=(ToolCall("1", "add_expense", dict(COFFEE)),)))
    (effect,) = of(outcome, Operate)
    (wanted,) = effect.calls
    assert effect.act == "call" and wanted.inferred == ("currency", "date")


def test_a_card_carries_the_proposals_id_alone() -> None:
    """What waits is shown with its id, is the one thing that may be clicked, and is given an end."""
    draft = said()
    event = OperationCompleted("o1", AT, "operations", act="call", came="waits", turn=draft.turn, told=(Verbatim("Add: coffee"),),
                     proposal="p1", seconds=900)  # fmt: skip
    outcome = go(draft, event)
    (post,) = of(outcome, Post)
    assert isinstance(post.card, Act) and post.card.proposal == "p1"
    assert outcome.draft.waiting and outcome.draft.waiting.card == post.id
    assert [(e.act, e.after, e.proposal) for e in of(outcome, Operate)] == [("expire", 900, "p1")]


def test_only_the_owners_click_on_the_waiting_card_confirms() -> None:
    """Somebody else's click, another card's, another proposal's and a second one run nothing; the owner's does, once, with no model."""
    draft = waiting()
    for wrong in (
        click(draft, "confirm", "U2"),
        click(draft, "confirm", card="d1-x"),
        click(draft, "confirm", value="p2"),
    ):
        assert of(wrong, Operate) == [] and of(wrong, Ephemeral) and wrong.draft.waiting == draft.waiting
    right = click(draft, "confirm")
    assert [(e.act, e.proposal) for e in of(right, Operate)] == [("confirm", "p1")] and of(right, CallModel) == []
    assert draft.waiting is not None
    assert of(click(right.draft, "confirm", card=draft.waiting.card), Operate) == []


def test_a_newer_proposal_leaves_the_older_waiting() -> None:
    """Two things wait at a time, each on its own card; neither is cancelled, and each is confirmed by its own click."""
    draft = waiting()
    event = OperationCompleted(
        "o2", AT, "operations", act="call", came="waits", turn=draft.turn, told=(), proposal="p2", seconds=900
    )
    outcome = go(draft, event)
    assert [(e.act, e.proposal) for e in of(outcome, Operate)] == [("expire", "p2")] and of(outcome, Repaint) == []
    first, second = outcome.draft.pending_operations
    for one in (first, second):
        clicked = click(outcome.draft, "confirm", card=one.card, value=one.proposal)
        assert [(e.act, e.proposal) for e in of(clicked, Operate)] == [("confirm", one.proposal)]


def test_a_proposal_whose_time_is_over_is_painted_so() -> None:
    """The card of an expired proposal offers nothing any more; the draft forgets it."""
    draft = waiting()
    card = draft.waiting.card if draft.waiting else ""
    event = OperationCompleted("o2", AT, "operations", act="expire", came="expired", turn=0, proposal="p1", card=card)
    outcome = go(draft, event)
    (paint,) = of(outcome, Repaint)
    assert isinstance(paint.card, Notice) and paint.card.lines == (Phrase("op_expired"),) and paint.card.acts == ()
    assert outcome.draft.waiting is None


def test_nothing_runs_on_a_question() -> None:
    """What is not said is asked for in the form's words, or in the model's where they are a question: above the line that nothing was recorded."""
    amount = ToolCall("1", "say", {"act": "explain", "about": "add_expense.amount"})
    asked = replied(said("coffee"), Reply("How much was the coffee?", (amount,)))
    assert of(asked, Operate) == [] and [e.card.lines for e in of(asked, Post)] == [(Verbatim("How much was it?"),)]
    words = replied(said("coffee"), Reply("How much was the coffee?"))
    (post,) = of(words, Post)
    assert of(words, Operate) == of(words, CallModel) == []
    assert post.card.lines == (Verbatim("How much was the coffee?"), Phrase("op_nothing_done"))


def test_words_that_may_not_be_shown_leave_it_to_the_rules() -> None:
    """After one more chance a claim of a model's is read by nobody: an order that rules can read waits for its click; else nothing is done."""
    (again,) = of(replied(said(), Reply("Was it 99?", asks=True)), CallModel)
    assert "a figure that the user did not say" in again.exchange[-1].flaw
    for reply in (Reply("I have added it for 99 euros."), Reply("Was it 99?", asks=True)):
        (effect,) = of(replied(said("€3.50 coffee today"), reply, regenerated=True), Operate)
        assert [(w.arguments["amount"], w.suggested) for w in effect.calls] == [("3.50", True)]
    (post,) = of(replied(said("blue skies"), Reply("I have added it for 99 euros."), regenerated=True), Post)
    assert post.card.lines == (Phrase("op_nothing_done"),)


def test_a_kind_word_alone_takes_nothing() -> None:
    """A model that only acknowledges is no use: an order that rules can read waits for its click; else nothing was recorded, and that is said."""
    kind = Reply(calls=(ToolCall("1", "say", {"act": "acknowledge", "about": "", "readings": []}),))
    (effect,) = of(replied(said("€3.50 coffee today"), kind), Operate)
    assert [(w.arguments["amount"], w.suggested) for w in effect.calls] == [("3.50", True)]
    (post,) = of(replied(said("blue skies"), kind), Post)
    assert len(post.card.lines) == 2 and post.card.lines[-1] == Phrase("op_nothing_done")


def test_an_invalid_reply_has_one_more_chance() -> None:
    """The model hears once what was wrong; after that rules read the words, and what they read waits; else the person reads a sentence."""
    bad = Reply(calls=(ToolCall("1", "add_expense", {**COFFEE, "amount": "99"}),))
    first = replied(said(), bad)
    (again,) = of(first, CallModel)
    assert again.regenerated and "amount" in again.exchange[-1].flaw and of(first, Operate) == []
    second = replied(said(), bad, regenerated=True)
    (effect,) = of(second, Operate)
    assert of(second, CallModel) == [] and [w.suggested for w in effect.calls] == [True]
    third = replied(said("blue skies"), bad, regenerated=True)
    assert of(third, CallModel) == of(third, Operate) == []
    (post,) = of(third, Post)
    assert Phrase("op_invalid") in post.card.lines


def test_what_a_model_leaves_out_is_named_on_the_card() -> None:
    """Of "bread 12, eggs 15" one call leaves one thing out: it waits, and the words that nobody read stand on its card."""
    one = Reply(
        calls=(
            ToolCall("1", "add_expense", {"item": "bread", "amount": "12", "currency": "EUR", "date": "2026-11-20"}),
        )
    )
    (effect,) = of(replied(said("bread 12 EUR 2026-11-20, eggs 15"), one), Operate)
    assert [(w.arguments["item"], w.suggested, w.words) for w in effect.calls] == [("bread", True, "eggs 15")]
    (alone,) = of(replied(said("coffee 3.50"), Reply(calls=(ToolCall("1", "add_expense", dict(COFFEE)),))), Operate)
    assert [w.words for w in alone.calls] == [""]


def test_words_are_used_up_by_an_outcome() -> None:
    """What was added once cannot be added again from the same words."""
    draft = called()
    done = OperationCompleted(
        "o1", AT, "operations", act="call", came="done", turn=draft.turn, told=(Verbatim("Added 1"),), text="Added 1"
    )
    later = go(go(draft, done).draft, MessageReceived("m2", AT, "U1", "thanks", "1.2")).draft
    assert of(replied(later, Reply(calls=(ToolCall("1", "add_expense", dict(COFFEE)),))), Operate) == []


def test_a_late_reply_is_dropped() -> None:
    """A reply to words that newer ones have overtaken runs nothing."""
    draft = said()
    newer = go(draft, MessageReceived("m2", AT, "U1", "no, tea", "1.2")).draft
    reply = ModelReplied(
        "r1", AT, "model", Reply(calls=(ToolCall("1", "add_expense", dict(COFFEE)),)), draft.turn, reader="m"
    )
    assert of(go(newer, reply), Operate) == []


def test_undo_on_a_card_is_told_there_alone() -> None:
    """The card says what was taken back, and nothing below it says so again."""
    told = (Phrase("op_undone"),)
    event = OperationCompleted("o1", AT, "operations", act="undo", came="done", turn=1, card="c9", told=told)
    outcome = go(said(), event)
    assert len(of(outcome, Repaint)) == 1 and of(outcome, Post) == []
