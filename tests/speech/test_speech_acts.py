"""What a model wants said is said by code, or refused with what there is to say."""

import itertools
import re
from dataclasses import replace
from typing import Any

import pytest

from blocks.phrases import LANGUAGES, catalogue
from state.advance import advance
from state.draft.draft import ChatLine, Draft, with_record
from state.draft.reply import Reply, ToolCall
from state.draft.topics import WORDINGS, Act, acts, passages, wording
from state.draft.utterance import Verbatim
from state.engine.effects import CallModel, Effect, Post
from state.engine.events import ModelReplied
from tests.speech.places import AT, FORMS, PLACES, WORKFLOWS, Place, answered, draft_at, shown

CANARY = "Zyxwvu canary seven"


def plain(text: str) -> str:
    """A text without what a card escapes or sets in another way."""
    return re.sub(r"\W+", " ", text)


def saying(act: str, about: str = "", readings: tuple[str, ...] = (), text: str = "") -> Reply:
    """A reply that calls `say`."""
    call = ToolCall("c1", "say", {"act": act, "about": about, "readings": list(readings)})
    return Reply(text, (call,), "calls", "claude-test")


def result_of(form: str, place: Place, reply: Reply) -> Any:
    """What the call came to, as the log has it."""
    draft = draft_at(form, place)
    event = ModelReplied("e1", AT, "model", reply, draft.turn, 1, (), "understand", "claude-test")
    return advance(WORKFLOWS[form].form, WORKFLOWS[form].rules, draft, event).calls[0].result


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_has_every_wording(language: str) -> None:
    """Each act that has a sentence has three or four wordings, no two alike, in every language."""
    assert set(WORDINGS.values()) == {3, 4}
    for act, most in WORDINGS.items():
        keys = [f"say_{act}_{chr(97 + n)}" for n in range(most)]
        assert len({catalogue(language)[key] for key in keys}) == most
        assert f"say_{act}_{chr(97 + most)}" not in catalogue(language)


def test_nobody_reads_the_same_thanks_twice_in_a_row() -> None:
    """Over thirty turns no wording follows itself, and every wording has its turn."""
    draft, seen = draft_at("pa_dealing", "words"), []
    for turn in range(30):
        number = wording(replace(draft, turn=turn // 2), Act.THANK)
        draft = replace(draft, spoken={Act.THANK: number})
        seen.append(number)
    assert all(one != other for one, other in itertools.pairwise(seen))
    assert set(seen) == set(range(1, WORDINGS[Act.THANK] + 1))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("form", FORMS)
def test_a_models_text_is_nowhere_to_be_read(form: str, place: Place) -> None:
    """Alone or beside calls, in an offer, a reason, a correction or a confirmation: no word that only the model wrote is on a card."""
    words = draft_at(form, place).window[0].text
    calls = (
        ("say", {"act": "thank", "about": CANARY, "readings": [CANARY]}),
        ("say", {"act": CANARY}),
        ("offer", {"field": "account", "value": CANARY}),
        ("hand_over", {"reason": CANARY}),
        ("correct", {"field": "quantity", "value": CANARY, "words": words}),
        ("set_justification", {"justification": CANARY, "words": words}),
        ("set_security", {"security": CANARY, "words": words}),
        ("explain_form", {"field": CANARY}),
        (CANARY, {CANARY: CANARY}),
        ("add_expense", {"item": CANARY, "amount": "3.50"}),
    )
    for n, (tool, arguments) in enumerate(calls):
        reply = Reply(CANARY, (ToolCall(f"c{n}", tool, arguments, confirm=CANARY),), "calls", "claude-test")
        assert CANARY not in shown(form, *answered(form, place, reply, reply)), tool
    assert CANARY not in shown(form, *answered(form, place, Reply(CANARY), Reply(CANARY)))


def test_a_passage_is_passed_on_word_by_word() -> None:
    """The house's own text stands on the card as it stands in context.md, figures of the policy filled in."""
    told = shown("pa_dealing", *answered("pa_dealing", "words", saying("passage", "holding_period")))
    passage = WORKFLOWS["pa_dealing"].form.passages["holding_period"]
    assert "You must hold what you buy for the whole holding period" in passage and passage in told


@pytest.mark.parametrize("form", FORMS)
def test_every_text_of_the_form_may_be_passed_on(form: str) -> None:
    """What it begins with, how it works, what submitting confirms, how long it is kept and what its stage says are passages, word by word."""
    workflow, draft = WORKFLOWS[form], draft_at(form, "words")
    given, stage = workflow.form, workflow.form.stages.get(draft.stage)
    own = (
        given.introduction,
        given.statement,
        given.says.get("help"),
        given.retain and given.retain.why,
        stage and stage.ask,
    )
    assert {text for text in own if text} | {*given.passages.values()} == {*passages(given, draft).values()}
    for about, text in passages(given, draft).items():
        result = result_of(form, "words", saying("passage", about))
        told = shown(form, *answered(form, "words", saying("passage", about)))
        assert result["status"] == "ok" and plain(text) in plain(told), about


def test_what_happens_now_is_told_of_a_filed_record_alone() -> None:
    """The text of a record's state is a passage once the record is in that state, and no other state's ever is."""
    form = WORKFLOWS["loan"].form
    filed = with_record(draft_at("loan", "submitted"), state="eligible")
    assert passages(form, filed)["next"] == form.filing.states["eligible"].next
    assert "next" not in passages(form, draft_at("loan", "words"))


def test_a_field_is_explained_by_its_own_help() -> None:
    """An explanation is the form's, in every place, also after filing."""
    for place in PLACES:
        told = shown("pa_dealing", *answered("pa_dealing", place, saying("explain", "has_inside_info")))
        assert "would probably move the price" in told, place


@pytest.mark.parametrize(
    ("act", "about", "named"),
    [
        ("passage", "tips_from_friends", "holding_period"),
        ("explain", "salary", "has_inside_info"),
        ("which", "has_inside_info", "account"),
        ("approve", "", "cannot_answer"),
        ("passage", "", "after_submission"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(act: str, about: str, named: str) -> None:
    """An act, a field or a passage that does not exist is REJECTED, and the hint names some that do."""
    result = result_of("pa_dealing", "words", saying(act, about))
    assert result["reason"].startswith("REJECTED") and named in result["instructional_hint"]


def with_line(draft: Draft, text: str) -> Draft:
    """The draft in which the person has just said this."""
    return replace(draft, window=(ChatLine("user", text, "m1"),))


def test_two_readings_are_asked_about_with_a_button_each() -> None:
    """Which of two quantities is meant is asked with the person's own quotes, read by the field's parser; nothing is set."""
    form = WORKFLOWS["pa_dealing"]
    draft = with_line(draft_at("pa_dealing", "words"), "200 or rather 300, let me think")
    draft = replace(draft, values={n: v for n, v in draft.values.items() if n != "quantity"}, asked="quantity")
    reply = saying("which", "quantity", ("200", "300"))
    outcome = advance(
        form.form, form.rules, draft, ModelReplied("e", AT, "model", reply, draft.turn, 1, (), "understand", "m")
    )
    assert [(o.data, o.said) for o in outcome.draft.offers] == [(200, "200"), (300, "300")]
    assert "quantity" not in outcome.draft.values and any(isinstance(e, Post) for e in outcome.effects)


def test_readings_that_nobody_said_are_refused() -> None:
    """A question with made-up readings is not put."""
    result = result_of("pa_dealing", "words", saying("which", "account", ("my ISA", "my SIPP")))
    assert result["reason"].startswith("REJECTED")


def test_silence_leaves_the_forms_own_card_alone() -> None:
    """After a click a model may say nothing: nothing is posted or painted, and it is not asked again."""
    _, effects = answered("pa_dealing", "click", Reply("", model="m"))
    assert effects == []


def test_a_question_that_nobody_answers_is_told_so() -> None:
    """Where neither the model nor the form has an answer, the person reads that, and not that they were not understood."""
    form = WORKFLOWS["pa_dealing"]
    draft = with_line(draft_at("pa_dealing", "words"), "will the weather be nice in June?")
    effects: list[Effect] = []
    for step in (1, 2):
        event = ModelReplied(
            f"e{step}",
            AT,
            "model",
            Reply("It will.", model="m"),
            draft.turn,
            step,
            (),
            "understand",
            "m",
            regenerated=step > 1,
        )
        outcome = advance(form.form, form.rules, draft, event)
        draft, effects = outcome.draft, [*effects, *outcome.effects]
    told = shown("pa_dealing", draft, effects)
    key = f"say_cannot_answer_{chr(96 + draft.spoken[Act.CANNOT_ANSWER])}"
    assert catalogue("en")[key] in told and catalogue("en")["not_understood"] not in told


def test_a_model_that_writes_is_told_once_that_nobody_reads_it() -> None:
    """Words that came to nothing are asked for as an act, once; after a click they are not worth another call."""
    _, effects = answered("pa_dealing", "words", Reply("Hello!", model="m"))
    (again,) = [e for e in effects if isinstance(e, CallModel)]
    assert again.regenerated and "nobody reads" in again.exchange[-1].flaw
    _, effects = answered("pa_dealing", "click", Reply("Hello!", model="m"))
    assert effects == []


def test_the_schema_names_what_can_be_said_now() -> None:
    """The acts on offer come from the draft as it is: no passage without passages, nothing to choose between once it is closed."""
    form = WORKFLOWS["pa_dealing"].form
    assert Act.WHICH in acts(form, draft_at("pa_dealing", "words"))
    assert Act.WHICH not in acts(form, draft_at("pa_dealing", "submitted"))
    bare = form.model_copy(update={"passages": {}, "introduction": "", "statement": "", "retain": None})
    assert Act.PASSAGE not in acts(bare, draft_at("pa_dealing", "words"))


def test_utterances_of_the_house_are_the_only_verbatim_ones() -> None:
    """Whatever stands verbatim on a card is the form's help or a passage."""
    form = WORKFLOWS["pa_dealing"].form
    house = {*passages(form, draft_at("pa_dealing", "words")).values(), *(f.help for f in form.fields.values())}
    for about in form.passages:
        _, effects = answered("pa_dealing", "words", saying("passage", about, text=CANARY))
        told = [t for e in effects if isinstance(e, Post) for t in getattr(e.card, "lead_in", ())]
        assert {t.text for t in told if isinstance(t, Verbatim)} <= house and told
