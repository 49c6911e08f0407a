"""Lines that nobody has read: they wait whole, are read with the question that stood then, and nothing is filed over them."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.advance import advance
from state.draft.changes import LinesRead
from state.draft.draft import ChatLine, Draft
from state.draft.reply import Reply
from state.draft.utterance import Phrase
from state.engine.effects import CallModel, Gather, LookUp, Post
from state.engine.events import Clicked, DraftEvent, MessageReceived, ModelReplied
from state.engine.offers import RULES as READER
from state.engine.unread import MOST
from state.understanding.evidence import bursts, fresh_lines, source_line, unread_lines
from tests.state.bursts import (
    DEALING,
    LOAN,
    SMALL,
    VEHICLE,
    VEHICLE_IDLE,
    Case,
    Conversation,
    Told,
    attentive,
    lost,
    nearsighted,
    talkative,
)
from tests.state.bursts import by_rules as without_a_model
from tests.state.forms import AT, FORM, OWNER, RULES, asking, by_rules, call, filled, new_draft, replied, reviewing
from tests.thoroughness import examples


def says(draft: Draft, text: str, n: int) -> Draft:
    """The draft after a message of the owner's, and before anybody read it."""
    return step(draft, MessageReceived(f"s{n}", AT, OWNER, text, f"{n}.1"))


def step(draft: Draft, event: DraftEvent) -> Draft:
    """The draft after an event."""
    return advance(FORM, RULES, draft, event).draft


def told(draft: Draft, event: DraftEvent) -> list[Any]:
    """What the cards that an event posts say first."""
    effects = advance(FORM, RULES, draft, event).effects
    posted = [e.card for e in effects if isinstance(e, Post)]
    return [t for card in posted for t in (*getattr(card, "lead_in", ()), *getattr(card, "lines", ()))]


def texts(lines: tuple[ChatLine, ...]) -> list[str]:
    """The lines' words."""
    return [line.text for line in lines]


def values(draft: Draft) -> dict[str, Any]:
    """Field to canonical value."""
    return {name: value.data for name, value in draft.values.items()}


def known(draft: Draft) -> dict[str, list[Any]]:
    """What lines came to: values, and what is put back, by field."""
    found = {name: [data] for name, data in values(draft).items()}
    for offer in draft.offers:
        found.setdefault(offer.field, []).append(offer.data)
    return found


def test_unread_lines_stay_whole_and_in_sight() -> None:
    """However much is typed and clicked meanwhile, an unread line is neither cut nor pushed out."""
    draft = says(new_draft(), "x" * 1500, 1)
    for n in range(2, 14):
        draft = says(draft, "what a day" + "!" * n, n)
        draft = step(draft, Clicked(f"c{n}", AT, OWNER, "show"))
    assert texts(unread_lines(draft)) == ["x" * 1500, *("what a day" + "!" * n for n in range(2, 14))]


def test_more_than_a_model_is_shown_at_once_is_read_by_rules() -> None:
    """From a bound on, rules read what waits; no draft grows without end, and no fact is lost."""
    draft = says(new_draft(), "200 shares", 1)
    for n in range(2, MOST + 2):
        draft = says(draft, "what a day" + "!" * n, n)
    assert len(unread_lines(draft)) == 1 and known(draft) == {"quantity": [200]}


def test_a_plain_answer_is_read_at_once_and_the_line_before_it_with_its_own_question() -> None:
    """The typed No is leverage's; the line before it is read for what it says, and its question is not the one that came up since."""
    draft = asking(filled(new_draft(), thing="T1", side="buy"), "quantity")
    draft = says(draft, "because I expect steady dividends for years", 1)
    outcome = advance(FORM, RULES, draft, MessageReceived("s2", AT, OWNER, "200", "2.1"))
    assert values(outcome.draft)["quantity"] == 200
    assert [e.purpose for e in outcome.effects if isinstance(e, CallModel)] == ["understand"]
    after = step(outcome.draft, by_rules(outcome.draft))
    assert known(after)["reason"] == ["I expect steady dividends for years"] and "leveraged" not in after.values


def test_a_no_counts_for_no_question_that_came_up_since() -> None:
    """A line typed while leverage was asked says nothing of inside information, once leverage was clicked."""
    draft = asking(filled(new_draft(), thing="T1", side="buy", quantity=200), "leveraged")
    draft = says(draft, "no I do not think so at all", 1)
    assert draft.card is not None
    draft = step(draft, Clicked("c1", AT, OWNER, "answer", "leveraged", False, draft.card.id))
    after = step(draft, by_rules(draft))
    assert "inside" not in after.values and not [o for o in after.offers if o.field == "inside"]


@pytest.mark.parametrize("overtakes", [
    *(Clicked("c1", AT, OWNER, act) for act in ("show", "help", "missing")), MessageReceived("s2", AT, OWNER, "help", "2.1"),
])  # fmt: skip
def test_an_act_has_read_what_it_overtook(overtakes: DraftEvent) -> None:
    """A click and a typed command end the call that was under way, so they ask for the reading that this call owed; neither is a line itself."""
    outcome = advance(FORM, RULES, says(new_draft(), "200 shares", 1), overtakes)
    assert [e.purpose for e in outcome.effects if isinstance(e, CallModel)] == ["understand"]
    assert texts(unread_lines(outcome.draft)) == ["200 shares"]


def test_of_two_bare_values_the_person_says_which_one_counts() -> None:
    """Nothing was shown between them: which figure is meant is for a click."""
    both = says(says(new_draft(), "200 shares", 1), "300 shares", 2)
    assert known(step(both, by_rules(both)))["quantity"] == [200, 300]


def test_a_text_in_pieces_is_one_text() -> None:
    """Lines typed one after the other to an open question are its answer together."""
    draft = asking(filled(new_draft(), thing="T1", side="buy", quantity=2, leveraged=False, inside=False), "reason")
    both = says(says(draft, "I expect steady dividends for years", 1), "and my pension wants some of them", 2)
    after = step(both, by_rules(both))
    assert values(after)["reason"] == "I expect steady dividends for years\nand my pension wants some of them"


def test_a_quote_may_span_the_lines_of_a_burst_but_no_question() -> None:
    """Neighbouring lines under one question are one message to quote from; lines under two questions are not."""
    both = says(says(asking(new_draft(), "thing"), "I want to buy", 1), "200 shares", 2)
    assert source_line(both, "buy 200 shares", only_fresh=True) is not None
    parted = replace(both, opening=tuple(replace(s, asked=s.text) for s in both.opening))
    assert source_line(parted, "buy 200 shares", only_fresh=True) is None and bursts(parted) == ()


def test_words_of_every_unread_line_ground_a_declaration() -> None:
    """A yes or no counts from any line of this reading, not from the newest alone."""
    both = says(says(new_draft(), "it is leveraged", 1), "200 shares", 2)
    after = step(both, replied(both, call("set_leveraged", leveraged=True, words="it is leveraged")))
    assert known(after)["leveraged"] == [True]


def test_lines_stay_unread_while_the_model_is_asked_on() -> None:
    """A call that is superseded between two rounds of the tool loop loses no line either."""
    draft = says(new_draft(), "200 shares", 1)
    outcome = advance(FORM, RULES, draft, replied(draft, call("set_trade", quantity=900, words="900")))
    assert any(isinstance(e, CallModel) and e.step == 2 for e in outcome.effects)
    assert texts(unread_lines(outcome.draft)) == ["200 shares"]


def test_a_line_of_which_nothing_came_is_named() -> None:
    """Where others have moved on, the person is told which of their lines was not understood."""
    words = "the train was late again and it rained all the way here"
    both = says(says(new_draft(), words, 1), "200 shares", 2)
    assert Phrase("line_not_understood", {"words": words}) in told(both, by_rules(both))


def test_a_few_words_that_begin_a_form_are_looked_up() -> None:
    """Where the form's first question is for a thing, and nothing else is read in the words, they may name it ("/pa Tesco")."""
    draft = says(new_draft(), "qwertz uiop", 1)
    outcome = advance(FORM, RULES, draft, by_rules(draft))
    assert [e.words for e in outcome.effects if isinstance(e, LookUp)] == ["qwertz uiop"]
    draft = says(new_draft(), "it has grown too large a part of my savings", 1)
    assert not any(isinstance(e, LookUp) for e in advance(FORM, RULES, draft, by_rules(draft)).effects)


def test_nothing_is_filed_over_a_line_that_nobody_has_read() -> None:
    """A click on Submit waits until what was written before it is read, and ends no reading, however often it is made."""
    draft = reviewing()
    assert draft.card is not None
    submit = Clicked("c1", AT, OWNER, "submit", "", None, draft.card.id, draft.hash)
    assert any(isinstance(e, Gather) for e in advance(FORM, RULES, draft, submit).effects)
    asked = pressed = says(draft, "hmm let me think about the number", 1)
    for _ in range(3):
        assert pressed.card is not None
        outcome = advance(FORM, RULES, pressed, replace(submit, card=pressed.card.id))
        assert not any(isinstance(e, Gather | CallModel) for e in outcome.effects)
        pressed = outcome.draft
    read = step(pressed, replied(asked))
    assert not unread_lines(read) and read.card is not None
    assert any(isinstance(e, Gather) for e in advance(FORM, RULES, read, replace(submit, card=read.card.id)).effects)


def test_what_a_person_reads_is_not_read_by_the_bot() -> None:
    """While a person has the conversation, its lines wait for nobody."""
    handed = replace(new_draft(), handed="asked")
    assert unread_lines(says(handed, "200 shares", 1)) == ()


def test_lines_of_this_turn_stay_what_the_reading_is_about() -> None:
    """Once read, they are still the evidence of the same turn's later rounds, and of no later turn."""
    both = says(says(new_draft(), "it is leveraged", 1), "200 shares", 2)
    read = says(new_draft(), "x", 3)
    assert texts(fresh_lines(step(both, by_rules(both)))) == ["it is leveraged", "200 shares"]
    assert texts(fresh_lines(says(step(read, by_rules(read)), "y", 4))) == ["y"]
    assert LinesRead() in advance(FORM, RULES, both, by_rules(both)).changes


@pytest.mark.parametrize(("text", "tried"), [
    ("what does this cost?", False), ("thanks", False), ("help", False), ("hello", False), ("I have no idea", True),
    ("the blue one over there", True),
])  # fmt: skip
def test_a_turn_is_in_vain_where_somebody_tried_to_answer(text: str, tried: bool) -> None:
    """A question, a courtesy or a command is no attempt; words that were meant as an answer are."""
    draft = says(asking(filled(new_draft(), thing="T1"), "side"), text, 1)
    after = step(draft, ModelReplied("r", AT, "model", Reply(), draft.turn, reader=READER))
    assert after.turns_in_vain == int(tried)


def test_only_a_plain_answer_overrules_what_an_earlier_line_says() -> None:
    """A figure that merely stands in a later line does not take the place of one that was told."""
    both = says(says(new_draft(), "200 shares", 1), "they come in boxes of 12 I was told", 2)
    assert known(step(both, by_rules(both)))["quantity"][0] == 200


def test_a_line_written_before_the_question_stood_is_no_answer_to_it() -> None:
    """A No that was under way while the question came up sets nothing, by code or by rules, and keeps the question it was written to."""
    draft = says(asking(filled(new_draft(), thing="T1", side="buy"), "quantity"), "200", 1)
    assert draft.asked == "leveraged"
    late = step(draft, MessageReceived("s2", AT, OWNER, "no", "2.1", early=True))
    assert [line.asked for line in unread_lines(late)] == ["quantity"]
    after = step(late, by_rules(late))
    assert "leveraged" not in after.values and after.offers == () and after.asked == "leveraged"


def test_what_a_model_misreads_is_put_back_as_the_words_say_it() -> None:
    """Where a model's value for one field is refused and another of the line is not, what else the line says is not lost."""
    draft = says(asking(new_draft(), "thing"), "buy 2,000 shares of Barclays", 1)
    search = call("set_thing", thing="Barclays", words="Barclays")
    wrong = replace(call("set_trade", quantity=12000, words="2,000 shares"), id="c2")
    after = step(draft, replied(draft, search, wrong, step=8))
    assert sorted((o.field, o.data) for o in after.offers) == [("quantity", 2000), ("side", "buy")]
    assert after.values == {}


PLAYS = (without_a_model, attentive, nearsighted, talkative)
CASES = {"small": SMALL, "pa_dealing": DEALING, "loan": LOAN, "vehicle_case": VEHICLE, "vehicle_idle": VEHICLE_IDLE}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@settings(max_examples=examples(40))
@given(data=st.data())
def test_every_fact_is_taken_or_put_back_whatever_the_timing(case: Case, data: Any) -> None:
    """Lines, clicks and replies in any order, replies late or never: each fact ends up in the draft or before the person, once."""
    talk = Conversation(case)
    lines = data.draw(st.permutations(case.lines))[: data.draw(st.integers(2, len(case.lines)))]
    facts = {name for line in lines for name in line.facts}
    left: list[Told] = list(lines)
    while left:
        act = data.draw(st.sampled_from(["say", "say", "answer", "late", "click"]))
        if act == "say":
            talk.say(left.pop(0).text)
        elif act == "click":
            talk.click(facts)
        elif talk.calls:
            talk.answer(data.draw(st.sampled_from(PLAYS)), -1 if act == "answer" else 0)
    talk.finish()
    assert lost(talk.draft, lines) == {}
    assert len(talk.set) == len(set(talk.set))
