"""What a model may ask where it asks: every rule of a persona, each with a question that only that rule refuses."""

from dataclasses import replace
from typing import Any

import pytest

from state.advance import advance, begin
from state.draft.draft import ChatLine, Draft, OpenCard, Provenance, Value
from state.draft.missing import missing
from state.draft.reply import Reply, ToolCall
from state.engine.context import TurnContext
from state.engine.effects import CallModel, Gather, Post
from state.engine.events import DraftEvent, MessageReceived, ModelReplied
from state.engine.on_message import consents
from state.fields.base import Context
from state.form import Field, Form
from state.form.schema import Persona, Stage
from state.guards.persona import flaw_of_asking, question_target
from state.rules import Grade, Rules

AT = "2026-11-20T12:00:00+00:00"
OWNER = "U0ALEX"
TEXTS = {
    "problem": ("Problem", "What is the problem?", "first", ("trouble",)),
    "cost": ("Cost", "What does it cost?", "first", ("price",)),
    "users": ("Users", "Who has it?", "second", ("people",)),
}
FORM = Form(
    name="asking", title="Asking", version="1", prefix="AS", asked_by="model", phases=True, consent=("yes", "I approve"),
    persona=Persona(
        shape=("✅ Clear:", "❓"), forbidden=("you should", "why don't you"), not_first=("tools",),
        examples=("example",), reminder="Ask only.", remind_every=5,
    ),
    stages={name: Stage(name=name, words=(f"go to {name}",)) for name in ("first", "second", "end")},
    fields={
        name: Field(name=name, kind="text", label=label, ask=ask, again="Could you give an example?", stage=stage, words=words, grade="length")
        for name, (label, ask, stage, words) in TEXTS.items()
    },
)  # fmt: skip
RULES = Rules(
    graders={"length": lambda text: Grade.GOOD if len(text.split()) > 2 else Grade.BRIEF},
    names={"tools": lambda text: frozenset(w for w in ("hammer", "saw") if w in text.casefold())},
)
FIT = "What is the trouble?"


def draft(said: str = "It is slow every single morning", **values: str) -> Draft:
    """A draft in which the person has said something and given some answers."""
    origin = Provenance(OWNER, AT, "read", "1.1", "w")
    given = {n: Value(v, origin, grade="good" if len(v.split()) > 2 else "brief") for n, v in values.items()}
    made = begin(FORM, "d1", "T1", OWNER, "T1:D1:", AT)
    return replace(made, values=given, window=(ChatLine("user", said, "2.1"),), turn=1)


def after(before: Draft, event: DraftEvent, form: Form = FORM) -> tuple[Draft, tuple[Any, ...]]:
    """Draft and effects."""
    outcome = advance(form, RULES, before, event)
    return outcome.draft, outcome.effects


def replied(before: Draft, text: str, *calls: ToolCall, **more: Any) -> ModelReplied:
    """A model's reply to the present turn."""
    return ModelReplied("r1", AT, "model", Reply(text, calls), before.turn, reader="model", **more)


def flaw(before: Draft, text: str) -> str:
    """What keeps a question of the model's from being shown."""
    return flaw_of_asking(FORM, RULES, before, text, Context("en-GB", AT[:10]))


SLOW = draft("hello there", problem="it is far too slow")
QUOTED = draft("they tell me: you should restart it with a saw")
VAGUE = replace(draft("it's bad"), asked="problem")
TAKEN_VAGUE = replace(draft("it's bad", problem="it's bad"), reopened=("problem",))
ASKED = replace(draft(), window=(ChatLine("assistant", f"❓ {FIT}"), ChatLine("user", "hm, well, let me think", "2.1")))
HAMMER = "What is the trouble with the hammer?"
EXAMPLE = "Could you give me an example?"
QUESTIONS = {
    "advice": (draft(), "Why you should look at the trouble?", "you should"),
    "advice with a curly apostrophe": (draft(), "Why don’t you name the trouble?", "why don't you"),
    "fenced code": (draft(), "What is the trouble with ```x```?", "plain text"),
    "code": (draft(), "What is the trouble with repair(thing={})?", "plain text"),
    "a name that nobody used": (draft(), HAMMER, "hammer"),
    "a name that stands in a message": (draft("the hammer broke again"), HAMMER, ""),
    "a name behind an answer, however long ago": (draft("hello there", cost="the hammer costs a lot"), HAMMER, ""),
    "no question": (draft(), "Let us see the trouble.", "one sentence"),
    "two questions": (draft(), "What is the trouble? And the price?", "one sentence"),
    "a statement before it": (draft(), "It is slow. What is the trouble?", "one sentence"),
    "two gaps": (draft(), "What are the trouble and the price?", "several things"),
    "several questions with one mark": (draft(), "What is the trouble, and which people are there?", "not one question"),
    "two question words": (draft(), "What is the trouble and to whom does it happen?", "not one question"),
    "an answer behind it": (draft(), "What is the trouble, broken printers?", "beside its question"),
    "a tag": (draft(), "The trouble is known, right?", "not one question"),
    "a yes or no": (draft(), "Is that the trouble?", "yes or no"),
    "a proposal": (draft(), "Could a list be the trouble?", "yes or no"),
    "a quote of nobody's": (draft(), "What is the trouble with “the old saw mill”?", "quotes"),
    "a quote of the person's": (QUOTED, "What is the trouble with “restart it with a saw”?", ""),
    "advice, whoever said it first": (QUOTED, "What is the trouble with “you should restart it”?", "you should"),
    "nothing that is missing": (draft(), "How is the weather?", "not about what is missing"),
    "one question on a gap": (draft(), FIT, ""),
    "one with a clause before it": (draft(), "For every single morning, what is the price?", ""),
    "one below what stands in the form's shape": (draft(), f"✅ Clear: you should wait.\n❓ {FIT}", ""),
    "what is answered": (SLOW, FIT, "answered already"),
    "a gap that is named beside an answer": (SLOW, "What is the price of that trouble?", ""),
    "an answer that is put to the person again": (SLOW, "Could the price be an example as it is far too slow?", "yes to what is answered"),
    "the same question again": (ASKED, FIT, "word by word"),
    "the same gap in another way": (ASKED, "Which trouble is it?", ""),
    "no example after a vague answer": (VAGUE, FIT, "vague"),
    "an example after a vague answer": (VAGUE, EXAMPLE, ""),
    "no example after a vague answer that was taken down": (TAKEN_VAGUE, FIT, "vague"),
}  # fmt: skip


@pytest.mark.parametrize("name", QUESTIONS)
def test_each_rule_refuses_its_own_kind_of_question(name: str) -> None:
    """What leaves the persona is refused, and the model told what was wrong; what fits has nothing wrong with it."""
    before, text, reason = QUESTIONS[name]
    found = flaw(before, text)
    assert (reason in found) if reason else not found


@pytest.mark.parametrize(
    ("before", "text", "field"),
    [(SLOW, "What is the price of that trouble?", "cost"), (TAKEN_VAGUE, EXAMPLE, "problem")],
)
def test_a_question_is_about_the_gap(before: Draft, text: str, field: str) -> None:
    """One that names a gap beside an answer is about the gap, one for an example about the thin answer."""
    target = question_target(FORM, RULES, before, text)
    assert target is not None and target.name == field


def test_an_order_in_between_is_no_vague_answer() -> None:
    """Asking for help, or going to another phase, brings the question of its own and no request for an example."""
    asked = replace(draft("well"), asked="problem")
    there, effects = after(asked, MessageReceived("s1", AT, OWNER, "go to second", "3.1"))
    (post,) = [e for e in effects if isinstance(e, Post)]
    assert there.asked == "users" and not post.card.again  # type: ignore[union-attr]


def test_without_a_gap_there_is_no_question() -> None:
    """When nothing is missing the summary stands alone, whatever the model writes."""
    whole = draft("all told now", problem="it is far too slow", cost="one hour a day", users="all the four clerks")
    done, effects = after(whole, replied(whole, FIT, regenerated=True))
    (post,) = [e for e in effects if isinstance(e, Post)]
    assert done.card is not None and done.card.kind == "review" and FIT not in repr(post)


def test_a_fit_question_is_the_only_message() -> None:
    """The card of the gap that it names carries it, below what became clear; no question of the form's stands beside it."""
    done, effects = after(draft(), replied(draft(), "✅ Clear: whatever.\n❓ Which people have it?"))
    (post,) = [e for e in effects if isinstance(e, Post)]
    assert (post.card.field, post.card.words) == ("users", "❓ Which people have it?")  # type: ignore[union-attr]
    assert done.asked == "users" and "whatever" not in repr(post)


def test_a_bad_question_is_asked_for_once_more_and_then_the_prepared_one_stands() -> None:
    """On a hit nothing is shown and the model is told why; after a second one the form's own question comes."""
    bad = "Why you should buy a saw for the trouble?"
    once, effects = after(draft(), replied(draft(), bad))
    (again,) = [e for e in effects if isinstance(e, CallModel)]
    assert again.regenerated and "you should" in again.exchange[-1].flaw
    assert not any(isinstance(e, Post) for e in effects)
    twice, effects = after(once, replied(once, bad, step=2, exchange=again.exchange, regenerated=True))
    assert not any(isinstance(e, CallModel) for e in effects)
    (post,) = [e for e in effects if isinstance(e, Post)]
    assert post.card.words == "" and twice.asked == "problem"  # type: ignore[union-attr]


def test_an_answer_counts_whichever_phase_it_belongs_to() -> None:
    """What is told early is kept; the phase is the first one that lacks something."""
    before = replace(draft("the four clerks upstairs"), asked="users")
    early = ToolCall("c1", "set_users", {"users": "the four clerks upstairs", "words": "the four clerks upstairs"})
    done, _ = after(before, replied(before, FIT, early))
    assert done.values["users"].data == "the four clerks upstairs" and done.stage == "first"
    rest = replace(draft("one hour a day", problem="it is far too slow", users="all the four clerks"), asked="cost")
    last = ToolCall("c1", "set_cost", {"cost": "one hour a day", "words": "one hour a day"})
    done, _ = after(rest, replied(rest, "", last))
    assert done.stage == "end" and done.card is not None and done.card.kind == "review"


def test_a_person_sets_the_phase_by_hand_until_it_lacks_nothing() -> None:
    """A whole utterance leads to a phase, whose gaps come first; afterwards the phase is computed again."""
    there, _ = after(draft(), MessageReceived("s1", AT, OWNER, "Go to second!", "3.1"))
    assert there.stage == "second" and missing(FORM, there)[0].name == "users"
    told = replace(there, window=(ChatLine("user", "all the four clerks", "4.1"),))
    call = ToolCall("c1", "set_users", {"users": "all the four clerks", "words": "all the four clerks"})
    back, _ = after(told, replied(told, FIT, call))
    assert back.stage == "first"


def reviewing() -> Draft:
    """The review card stands, and is the last thing said."""
    whole = draft("all told", problem="it is far too slow", cost="one hour a day", users="all the four clerks")
    return replace(whole, card=OpenCard("card", "review", hash=whole.hash), shown_turn=whole.turn)


@pytest.mark.parametrize(("text", "submits"), [
    ("yes", True), ("Yes!", True), ("i approve", True), ("yesterday", False), ("yes, but change the cost", False), ("no", False), ("y", False),
])  # fmt: skip
def test_consent_in_words_is_a_whole_listed_utterance(text: str, submits: bool) -> None:
    """Nothing but a listed utterance submits what the review card shows."""
    _, effects = after(reviewing(), MessageReceived("s1", AT, OWNER, text, "9.1"))
    assert any(isinstance(e, Gather) and e.purpose == "submit" for e in effects) is submits


def test_consent_in_words_counts_only_for_what_was_said_last() -> None:
    """Not on a question, not with another summary than the one shown, not after other words, and not where the form lists none."""
    event = MessageReceived("s1", AT, OWNER, "yes", "9.1")
    shown = reviewing()
    assert consents(TurnContext(FORM, RULES, shown, event), "yes")
    others = (
        replace(shown, card=OpenCard("card", "question", "problem")),
        replace(shown, card=OpenCard("card", "review", hash="another")),
        replace(shown, shown_turn=shown.turn - 1),
        replace(shown, card=None),
    )
    assert not any(consents(TurnContext(FORM, RULES, other, event), "yes") for other in others)
    silent = FORM.model_copy(update={"consent": ()})
    assert not consents(TurnContext(silent, RULES, shown, event), "yes")
