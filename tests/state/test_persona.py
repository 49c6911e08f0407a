"""What a model may say where it asks: every rule of a persona, each with a reply that only that rule refuses."""

from dataclasses import replace
from typing import Any

import pytest

from state.draft.draft import ChatLine, Draft, OpenCard, Provenance, Value
from state.draft.missing import missing
from state.draft.reply import Reply, ToolCall
from state.engine import advance, begin
from state.engine.context import TurnContext
from state.engine.effects import CallModel, Gather, Post
from state.engine.events import DraftEvent, MessageReceived, ModelReplied
from state.engine.on_message import consents
from state.fields.base import Context
from state.form import Field, Form
from state.form.schema import Persona, Stage
from state.guards.persona import drift, question_target
from state.guards.statements import Speaker, unfit
from state.rules import Grade, Rules

AT = "2026-11-20T12:00:00+00:00"
OWNER = "U0ALEX"
TEXTS = {
    "problem": ("Problem", "What is the problem?", "first", ("trouble",)),
    "cost": ("Cost", "What does it cost?", "first", ("price",)),
    "users": ("Users", "Who has it?", "second", ("people",)),
}
FORM = Form(
    name="asking", title="Asking", version="1", prefix="AS", asked_by="model", speech="model", phases=True, consent=("yes", "I approve"),
    persona=Persona(
        shape=("✅ Clear:", "❓"), forbidden=("you should", "why don't you"), no_code=True, not_first=("tools",),
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
FIT = "✅ Clear: noted.\n❓ What is the trouble?"


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


REFUSED = {
    "advice": ("✅ Clear: noted.\n❓ You should look at the trouble, right?", "you should"),
    "advice with a curly apostrophe": ("✅ Clear: noted.\n❓ Why don’t you name the trouble?", "why don't you"),
    "advice in emphasis": ("✅ Clear: *you* **should** wait.\n❓ What is the trouble?", "you should"),
    "fenced code": ("✅ Clear: ~~~x~~~.\n❓ What is the trouble?", "code"),
    "bare code": ("✅ Clear: noted.\ndef repair(thing):\n❓ What is the trouble?", "code"),
    "a name that nobody used": ("✅ Clear: noted.\n❓ Is a hammer the trouble?", "hammer"),
    "no shape": ("What is the trouble?", "parts"),
    "parts in the wrong order": ("❓ What is the trouble?\n✅ Clear: noted.", "parts"),
    "a part twice": ("✅ Clear: a.\n✅ Clear: b.\n❓ What is the trouble?", "parts"),
    "words before the first part": ("Well.\n✅ Clear: noted.\n❓ What is the trouble?", "parts"),
    "no question": ("✅ Clear: noted.\n❓ Let us see.", "0 questions"),
    "two questions": ("✅ Clear: noted.\n❓ What is the trouble? And the price?", "2 questions"),
    "one question on several gaps": ("✅ Clear: noted.\n❓ Could you tell me the trouble, its price and the people?", "several things"),
    "several questions with one mark": ("✅ Clear: noted.\n❓ What is the trouble, and which people are there?", "several things"),
    "a question in the wrong part": ("✅ Clear: noted, right?\n❓ The trouble.", "wrong part"),
    "a question on nothing that is missing": ("✅ Clear: noted.\n❓ How is the weather?", "not about what is missing"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_reply_that_leaves_the_persona_is_refused_for_the_right_reason(name: str) -> None:
    """Each rule refuses its own kind of reply, and says to the model what was wrong."""
    text, reason = REFUSED[name]
    assert reason in drift(FORM, RULES, draft(), text)


def test_a_fit_reply_passes() -> None:
    """A reply of the right shape with one question on a gap has nothing wrong with it."""
    assert drift(FORM, RULES, draft(), FIT) == ""
    assert drift(FORM, RULES, draft(), "✅ **Clear:** noted.\n❓ What is the price?") == ""


SEVERAL_OR_LEADING = {
    "en-GB": (
        "What is the trouble and to whom does it happen?", "When is it slow, in which rooms?", "Do you think a list would help?",
        "Would you prefer a button for it?", "Should it be done by post?", "Are you looking for a shorter list?", "Would that be a good answer?",
        "Isn't a list enough?", "Who has it, what do they do, and why?",
    ),
    "it-IT": (
        "Qual è il problema e per chi è grave?", "Quando succede, in quale ufficio?", "Pensa che una lista possa aiutare?",
        "Sarebbe una buona soluzione una lista?", "È un problema di carta?", "Chi lo ha e come lavora?",
    ),
    "es-ES": (
        "¿Cuál es el problema y para quién es grave?", "¿Cuándo pasa, en qué oficina?", "¿Cree que una lista ayudaría?",
        "¿Sería una buena idea una lista?", "¿Es un problema de papel?", "¿Quién lo tiene y cómo trabaja?",
    ),
    "de-DE": (
        "Was ist das Problem und für wen ist es schlimm?", "Wann passiert es, in welchen Räumen?", "Denken Sie, dass eine Liste hilft?",
        "Wäre eine Liste eine gute Lösung?", "Ist es ein Problem mit dem Papier?", "Wer hat es und wie arbeiten sie?",
    ),
}  # fmt: skip


@pytest.mark.parametrize("locale", SEVERAL_OR_LEADING)
def test_a_question_that_is_several_or_holds_its_answer_is_refused(locale: str) -> None:
    """Question words joined by a comma or an "and", and questions that put an answer into the mouth, are refused in every language."""
    speaker = Speaker(FORM.model_copy(update={"language": locale}), draft(), Context(locale, AT[:10]))
    for question in SEVERAL_OR_LEADING[locale]:
        assert "leads" in unfit(speaker, question, asks=True), question


@pytest.mark.parametrize(
    ("locale", "question"),
    [
        ("en-GB", "Could you give me an example of the trouble?"), ("en-GB", "What is the trouble?"), ("en-GB", "Could you tell me more?"),
        ("it-IT", "Mi può fare un esempio?"), ("es-ES", "¿Me puede dar un ejemplo?"), ("de-DE", "Können Sie mir ein Beispiel geben?"),
    ],
)  # fmt: skip
def test_one_open_question_is_neither(locale: str, question: str) -> None:
    """A single question, and a request for an example, lead nobody."""
    speaker = Speaker(FORM.model_copy(update={"language": locale}), draft(), Context(locale, AT[:10]))
    assert "leads" not in unfit(speaker, question, asks=True)


def test_the_persons_own_quoted_words_are_no_drift() -> None:
    """What the person said may be quoted in the first part, whatever it is; in the question, or made up, it may not."""
    said = draft("they tell me: you should restart it with a saw")
    quoted = '✅ Clear: "you should restart it with a saw".\n❓ What is the trouble?'
    assert drift(FORM, RULES, said, quoted) == ""
    assert "you should" in drift(FORM, RULES, draft(), quoted)
    assert "you should" in drift(FORM, RULES, said, '✅ Clear: noted.\n❓ "you should restart it" is the trouble?')


def test_what_the_person_told_is_what_it_may_speak_of() -> None:
    """Words of an answer are no slip of the model's, though they are the machinery's or a claim's words elsewhere."""
    reply = "✅ Clear: the JSON is saved twice.\n❓ What is the price?"
    told = draft("hello there", problem="the JSON gets saved twice")
    done, _ = after(told, replied(told, reply))
    assert done.card is not None and done.card.words == reply
    other = draft("hello there", problem="it is far too slow")
    refused, effects = after(other, replied(other, reply))
    assert refused.card is None and any(isinstance(e, CallModel) for e in effects)


def test_an_order_in_between_is_no_vague_answer() -> None:
    """Asking for help, or going to another phase, brings the question of its own and no request for an example."""
    asked = replace(draft("well"), asked="problem")
    there, effects = after(asked, MessageReceived("s1", AT, OWNER, "go to second", "3.1"))
    (post,) = [e for e in effects if isinstance(e, Post)]
    assert there.asked == "users" and not post.card.again  # type: ignore[union-attr]


def test_a_name_that_the_person_used_may_be_used() -> None:
    """A name is no news once it stands in a message or behind an answer, however long ago."""
    reply = "✅ Clear: noted.\n❓ Is the hammer the trouble?"
    assert drift(FORM, RULES, draft("the hammer broke again"), reply) == ""
    told = draft("hello there", cost="the hammer costs a lot")
    assert drift(FORM, RULES, told, reply) == ""


def test_no_question_is_asked_about_what_is_answered() -> None:
    """A question that names an answered field and no gap is refused; one that names both is about the gap."""
    told = draft("hello there", problem="it is far too slow")
    assert "answered already" in drift(FORM, RULES, told, FIT)
    both = "✅ Clear: noted.\n❓ What is the price of that trouble?"
    assert drift(FORM, RULES, told, both) == ""
    field = question_target(FORM, RULES, told, both)
    assert field is not None and field.name == "cost"


def test_the_same_question_is_not_asked_word_by_word_again() -> None:
    """A question that stands in the conversation already must be put in another way."""
    before = replace(draft(), window=(ChatLine("assistant", FIT), ChatLine("user", "hm, well, let me think", "2.1")))
    assert "word by word" in drift(FORM, RULES, before, FIT)
    assert drift(FORM, RULES, before, "✅ Clear: noted.\n❓ Which trouble is it?") == ""


def test_after_a_vague_answer_the_question_asks_for_an_example() -> None:
    """A thin answer, taken down or not, is followed by a question for an example and by nothing else."""
    vague = replace(draft("it's bad"), asked="problem")
    assert "vague" in drift(FORM, RULES, vague, FIT)
    example = "✅ Clear: noted.\n❓ Could you give me an example?"
    assert drift(FORM, RULES, vague, example) == ""
    taken = replace(draft("it's bad", problem="it's bad"), reopened=("problem",))
    assert "vague" in drift(FORM, RULES, taken, FIT)
    field = question_target(FORM, RULES, taken, example)
    assert field is not None and field.name == "problem"


def test_without_a_gap_there_is_no_question() -> None:
    """When nothing is missing the reply is its first part alone."""
    whole = draft("all told now", problem="it is far too slow", cost="one hour a day", users="all the four clerks")
    assert drift(FORM, RULES, whole, "✅ Clear: all of it.") == ""
    assert "parts" in drift(FORM, RULES, whole, FIT)


def test_a_fit_reply_is_the_question_and_the_only_message() -> None:
    """The card of the gap that the reply names carries the reply; no question of the form's stands beside it."""
    text = "✅ Clear: noted.\n❓ Which people have it?"
    done, effects = after(draft(), replied(draft(), text))
    (post,) = [e for e in effects if isinstance(e, Post)]
    assert (post.card.field, post.card.words) == ("users", text)  # type: ignore[union-attr]
    assert done.asked == "users" and done.card is not None and done.card.words == text


def test_a_bad_reply_is_asked_for_once_more_and_then_the_prepared_question_stands() -> None:
    """On a hit nothing is shown and the model is told why; after a second one the form's own question comes."""
    bad = "You should buy a saw."
    once, effects = after(draft(), replied(draft(), bad))
    (again,) = [e for e in effects if isinstance(e, CallModel)]
    assert again.regenerated and "you should" in again.exchange[-1].flaw
    assert not any(isinstance(e, Post) for e in effects)
    twice, effects = after(once, replied(once, bad, step=2, exchange=again.exchange, regenerated=True))
    assert not any(isinstance(e, CallModel) for e in effects)
    (post,) = [e for e in effects if isinstance(e, Post)]
    assert post.card.words == "" and twice.asked == "problem"  # type: ignore[union-attr]


def test_any_form_may_set_limits_to_its_lead_ins() -> None:
    """A form that asks by itself has its model's words judged by the same list, without a word on questions."""
    form = FORM.model_copy(update={"asked_by": "code", "persona": Persona(forbidden=("you should",))})
    assert "you should" in drift(form, RULES, draft(), "You should hurry.")
    assert drift(form, RULES, draft(), "Thanks, noted.") == ""


def test_an_answer_counts_whichever_phase_it_belongs_to() -> None:
    """What is told early is kept; the phase is the first one that lacks something."""
    before = replace(draft("the four clerks upstairs"), asked="users")
    early = ToolCall("c1", "set_users", {"users": "the four clerks upstairs", "words": "the four clerks upstairs"})
    done, _ = after(before, replied(before, FIT, early))
    assert done.values["users"].data == "the four clerks upstairs" and done.stage == "first"
    rest = replace(draft("one hour a day", problem="it is far too slow", users="all the four clerks"), asked="cost")
    last = ToolCall("c1", "set_cost", {"cost": "one hour a day", "words": "one hour a day"})
    done, _ = after(rest, replied(rest, "✅ Clear: all of it.", last))
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
