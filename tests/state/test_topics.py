"""What a filed request says of itself: its state, who has it, why, by when, and what its owner can do now."""

from dataclasses import replace

import pytest

from blocks.page import Page, sentences
from state.draft.draft import Draft
from state.draft.reply import ToolCall
from state.draft.topics import Topic, about_record
from state.engine.cards import Notice
from state.engine.effects import Announce, CallModel, Post
from state.engine.events import DraftEvent
from state.fields.base import Context
from tests.state.deciding import MANAGER, ROUTED, approved, asked, decided, filed, routed, wanted, withdrawn
from tests.state.forms import OTHER, click, replied, said

ZONED = "America/New_York"
SECRET = "The desk trades in it"


def notice(draft: Draft, event: DraftEvent) -> Notice:
    """The one message that answers."""
    (card,) = (e.card for e in routed(draft, event).effects if isinstance(e, Post) and isinstance(e.card, Notice))
    return card


def words(draft: Draft, text: str) -> str:
    """What the owner reads to these words."""
    return sentences(Page(ROUTED, draft, "2026-11-20"), notice(draft, said(text)).lines)


DECLINED = decided(filed(), MANAGER, "decline", note="It is above your limit.", reason=SECRET)
PENDING = replace(
    filed(), filed=replace(filed().filed, pending=replace(filed().filed.pending, due="2026-11-23T09:00:00+00:00"))
)
UNDER = decided(decided(filed(), MANAGER), "U0OFF2", conditions="Not before Monday")
CASES: dict[str, tuple[Draft, str, tuple[str, ...]]] = {
    "who has it": (filed(), "who has it?", ("With your manager, since 20 Nov 2026, 12:00 UTC", "Manager decides")),
    "who decided": (approved(), "who decided?", ("Approved", "Decided by: Compliance.")),
    "who took it back": (withdrawn(filed()), "who decided?", ("Withdrawn", "You withdrew it yourself.")),
    "by when": (PENDING, "how long does it take?", ("A decision is due by 23 Nov 2026, 09:00 UTC (Manager).",)),
    "in their zone": (replace(PENDING, zone=ZONED), "how long does it take?", ("due by 23 Nov 2026, 04:00 (Manager)",)),
    "why declined": (DECLINED, "why was it declined?", ("Decided by: Manager.", "They wrote: “It is above your limit.”")),
    "why, unsaid": (approved(), "why was it approved?", ("No reason is on record that I can share",)),
    "take back": (filed(), "can I still withdraw it?", ("Yes, you can still withdraw it",)),
    "too late": (approved(), "can I still withdraw it?", ("It can no longer be withdrawn.",)),
    "change": (approved(), "can I change the quantity?", ("To change one, file a new request.",)),
    "go ahead": (approved(), "when can I buy?", ("Valid until 24 Nov 2026.", "If you need longer, press “Extend”.")),
    "conditions": (UNDER, "what were the conditions?", ("Conditions: Not before Monday", "Valid until 24 Nov 2026.")),
    "go ahead, under conditions": (UNDER, "any news?", ("Approved", "Conditions: Not before Monday")),
    "stated, in doubt about it": (filed(), "I changed my mind", ("Yes, you can still withdraw it",)),
    "stated, a slip": (filed(), "ho sbagliato la quantità, erano 300", ("withdraw it and file a new request",)),
    "stated, in a hurry": (PENDING, "es ist dringend", ("A decision is due by 23 Nov 2026, 09:00 UTC (Manager).",)),
    "stated, unanswered": (PENDING, "nadie me ha contestado", ("A decision is due by 23 Nov 2026, 09:00 UTC (Manager).",)),
    "appeal": (DECLINED, "can I appeal", ("Decided by: Manager.", "They wrote: “It is above your limit.”")),
    "what is missing": (filed(), "what's missing?", ("With your manager",)),
    "taken back before": (withdrawn(filed()), "withdraw it", ("You withdrew it yourself.", "Withdrawn")),
    "extension, how it is": (wanted(UNDER), "any news?", ("I've asked to extend", "Conditions: Not before Monday")),
    "extension": (wanted(approved()), "who has it now?", ("Approved", "Decided by: Compliance.")),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_record_answers(case: str) -> None:
    """Every answer names the request and its state, and says what was asked by the owner's own clock."""
    draft, text, expected = CASES[case]
    told = words(draft, text)
    assert draft.filed.number in told and all(one in told for one in expected)


@pytest.mark.parametrize("topic", Topic)
def test_what_only_reviewers_may_read_is_never_told(topic: Topic) -> None:
    """A reviewer's private reason, and the reasons and background of the decision card, are in no answer."""
    for draft in (filed(), DECLINED, decided(filed(), MANAGER, reason=SECRET)):
        told = str(about_record(ROUTED, draft, (topic,), Context("en-GB", "2026-11-20")))
        assert SECRET not in told and "It is large." not in told and "Risk" not in told


def test_what_can_be_done_now_is_a_button() -> None:
    """Withdraw stands beside an answer only while it can be withdrawn, Extend only while it can be extended."""
    assert "withdraw" in notice(filed(), said("any news?")).acts
    assert not {"withdraw", "extend"} & {*notice(DECLINED, said("until when is it valid?")).acts}
    assert "extend" in notice(approved(), said("until when is it valid?")).acts


def test_a_model_picks_the_topic_and_the_record_says_the_words() -> None:
    """Where no rule reads the question, a model may say which topic is meant; nothing that it writes is shown."""
    turn = routed(approved(), said("My broker would like a green light, is there one?"))
    assert [e for e in turn.effects if isinstance(e, CallModel)]
    call = ToolCall("c1", "say", {"act": "record", "about": "valid"})
    card = notice(turn.draft, replied(turn.draft, call, text="Trade whatever you like!", regenerated=True))
    told = sentences(Page(ROUTED, turn.draft, "2026-11-20"), card.lines)
    assert "Valid until 24 Nov 2026." in told and "whatever" not in told
    assert not notice_of_topic(filed(), "salary")


def notice_of_topic(draft: Draft, about: str) -> bool:
    """True if a model's call for this topic was taken."""
    turn = routed(draft, said("Tell me about the pay."))
    outcome = routed(turn.draft, replied(turn.draft, ToolCall("c1", "say", {"act": "record", "about": about})))
    return outcome.calls[0].status == "ok"


def test_a_question_that_the_record_does_not_answer_goes_to_a_person_in_its_words() -> None:
    """The card says so and offers a person; the click passes on the words of that message, and repeats them to their owner."""
    turn = routed(filed(), said("Does the canteen open on Saturdays?"))
    card = notice(turn.draft, replied(turn.draft, ToolCall("c1", "say", {"act": "cannot_answer"})))
    assert card.lines[0].key == "after_unanswered" and "person" in card.acts  # type: ignore[union-attr]
    outcome = routed(turn.draft, click("person", value=card.about))
    (told,) = (e for e in outcome.effects if isinstance(e, Announce))
    assert told.reasons == ("asked", "“Does the canteen open on Saturdays?”")
    assert "person_words" in str([e for e in outcome.effects if isinstance(e, Post)])
    assert not [
        e for e in routed(turn.draft, click("person", who=OTHER, value=card.about)).effects if isinstance(e, Announce)
    ]


def test_an_order_that_comes_too_late_is_answered_with_the_state() -> None:
    """ "Cancel it" after the verdict says that it cannot be withdrawn, and not that it is filed."""
    assert "It can no longer be withdrawn." in words(approved(), "cancel it")


def test_while_more_is_asked_the_record_answers_above_its_question() -> None:
    """Who is asked for more may ask why: the reviewer's words come again, and the question stays open."""
    before = routed(filed(), asked(filed(), MANAGER, "quantity")).draft
    outcome = routed(before, said("why do I have to answer this again?"))
    assert "Please say more." in str(outcome.effects) and outcome.draft.asked == before.asked == "quantity"


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("how long does it take?", "before_roles"), ("who decides on it?", "before_roles"), ("what happens after I submit?", "before_roles"),
        ("chi decide?", "before_roles"), ("have you approved it?", "before_state"), ("did it go through?", "before_state"),
        ("ist es schon genehmigt?", "before_state"), ("¿ya está aprobada?", "before_state"), ("è già stata approvata?", "before_state"),
    ],
)  # fmt: skip
def test_the_process_is_told_before_it_is_filed(question: str, says: str) -> None:
    """What a model and the form leave unanswered names the roles that may have to decide, or what is left to do; the question sets nothing."""
    draft = routed(filed(), asked(filed(), MANAGER, "quantity")).draft
    fresh = replace(draft, filed=replace(draft.filed, number=""))
    turn = routed(fresh, said(question))
    outcome = routed(turn.draft, replied(turn.draft, ToolCall("c1", "say", {"act": "cannot_answer"})))
    assert says in str(outcome.effects) and outcome.draft.values == fresh.values
