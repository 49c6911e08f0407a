"""A model that is up and takes nothing: whatever it says or calls, lines are read as they are without a model."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model.protocol import ModelError
from bot.sandbox.models.scripts import FAILING, USELESS, useless
from bot.sandbox.scenarios.staging import ScriptedModel
from prompts.build import build_request
from state.advance import advance
from state.draft.draft import Draft
from state.draft.reply import Reply, ToolCall
from state.draft.utterance import Phrase
from state.engine.cards import Question
from state.engine.effects import CallModel, Post
from state.engine.events import MessageReceived, ModelReplied
from tests.state.bursts import DEALING, LOAN, SMALL, TODAY, VEHICLE, VEHICLE_IDLE, Case, Conversation, Play, by_rules
from tests.state.forms import (
    AT,
    FORM,
    OWNER,
    RULES,
    after,
    asking,
    call,
    filled,
    gathered,
    new_draft,
    replied,
    reviewing,
)
from tests.thoroughness import examples

MODELS = {**USELESS, **FAILING}
OTHERS = (
    "the weather one over there", "thanks", "hello", "what does that mean?", "about 200, I think", "no", "Quillbrook Norte",
  "got a minute? about 300 of them",
)  # fmt: skip
"""Small talk, questions, doubt, plain answers, a name alone, a question beside an answer, and what nobody reads."""


def playing(name: str) -> Play:
    """A play of the model of that name; rules answer where it gives no answer."""
    model = ScriptedModel(useless(MODELS[name]))

    def play(talk: Conversation, call: CallModel) -> ModelReplied:
        try:
            reply = model.answer(build_request(talk.case.form, talk.draft, call, TODAY))
        except ModelError:
            return by_rules(talk, call)
        return talk.replied(call, reply)

    return play


def seen(draft: Draft) -> dict[str, Any]:
    """What must be the same: values, locks, what is put back, what is asked, and how often nothing came."""
    put_back = {(o.field, o.data, o.said) for o in draft.offers if o.said}
    values = {name: value.data for name, value in draft.values.items()}
    if draft.handed == "loop":  # where a form hands over at once, a loop that nothing came of does
        return {}
    return {
        "values": values,
        "locked": draft.locked_fields,
        "put back": put_back,
        "asked": draft.asked,
        "vain": draft.turns_in_vain,
    }


def after_each(case: Case, bursts: list[list[str]], play: Play) -> list[dict[str, Any]]:
    """What there is after each burst of lines, every call answered."""
    talk, states = Conversation(case), []
    for lines in bursts:
        for line in lines:
            talk.say(line)
        while talk.calls:
            talk.answer(play)
        states.append(seen(talk.draft))
    return states


@pytest.mark.parametrize("name", [n for n in MODELS if "person" not in n and n != "alternates"])
@given(data=st.data())
@settings(max_examples=examples(10))
def test_a_line_is_read_as_without_a_model(name: str, data: st.DataObject) -> None:
    """After every line, alone or in a burst, values, locks, what is put back, the question and the count in vain are those without a model."""
    case = data.draw(st.sampled_from((SMALL, DEALING, LOAN, VEHICLE)))
    lines = st.sampled_from([*(told.text for told in case.lines), *OTHERS])
    bursts = data.draw(st.lists(st.lists(lines, min_size=1, max_size=3), min_size=1, max_size=4))
    with_it = after_each(case, bursts, playing(name))
    compared = with_it.index({}) if {} in with_it else len(bursts)
    assert with_it[:compared] == after_each(case, bursts, by_rules)[:compared]


@pytest.mark.parametrize("play", [by_rules, playing("cannot answer")], ids=["no model", "cannot answer"])
def test_a_question_among_lines_is_no_part_of_an_answer_in_words(play: Play) -> None:
    """Of a burst under a question for words, the line that asks something is not put back as part of the answer."""
    bursts = [["mi correo es lucia.marin@example.org"], ["the weather one over there", "what does that mean?"]]
    put_back = after_each(VEHICLE, bursts, play)[-1]["put back"]
    assert not any("what does" in str(data) for _, data, _ in put_back)


@pytest.mark.parametrize("name", ["writes", "asks which of nothing", "is refused"])
def test_words_that_have_set_a_field_are_no_text_in_a_later_round(name: str) -> None:
    """A line that rules read while the model is asked on is not put back for the asked text once it gives up."""
    bursts = [["mi correo es lucia.marin@example.org"], ["el código postal es 28013"]]
    assert after_each(VEHICLE, bursts, playing(name)) == after_each(VEHICLE, bursts, by_rules)


def test_what_is_said_twice_is_no_text_beside() -> None:
    """A value that a burst holds twice is read once, and the second time is not put back for the text that was asked."""
    phone = "mi teléfono es el 600 000 000"
    put_back = after_each(
        VEHICLE, [["mi correo es lucia.marin@example.org"], [phone, "what does that mean?", phone]], by_rules
    )[-1]["put back"]
    assert {field for field, _, _ in put_back} == {"email", "telefono"}


def spoken(draft: Draft, *replies: ModelReplied) -> tuple[Draft, list[Any]]:
    """The draft after these replies, and the questions that they post."""
    posted: list[Any] = []
    for reply in replies:
        outcome = advance(FORM, RULES, draft, reply)
        draft, posted = outcome.draft, [*posted, *(e.card for e in outcome.effects if isinstance(e, Post))]
    return draft, posted


def typed(draft: Draft, text: str) -> Draft:
    """The draft after a line, before its reply."""
    return advance(
        FORM, RULES, draft, MessageReceived(f"s{draft.revision}", AT, OWNER, text, f"{draft.revision}.1")
    ).draft


@pytest.mark.parametrize("act", ["acknowledge", "thank", "empathise", "cannot_answer"])
def test_nothing_is_acknowledged_that_was_not_taken(act: str) -> None:
    """Above a question whose answer nobody understood stands that it was not understood, and no kind word or excuse."""
    draft = typed(asking(filled(new_draft(), thing="T1", side="buy"), "quantity"), "the weather one over there")
    _, (card,) = spoken(draft, replied(draft, call("say", act=act)))
    assert card.lead_in == (Phrase("not_understood"),)


def test_a_kind_word_stands_above_progress() -> None:
    """What was taken may be acknowledged."""
    draft = typed(asking(new_draft(), "side"), "I want to buy 200")
    buys = call("set_trade", side="buy", quantity=200, words="buy 200")
    _, (card,) = spoken(draft, replied(draft, buys, call("say", act="thank")))
    assert any(isinstance(t, Phrase) and t.key.startswith("say_thank") for t in card.lead_in)


@pytest.mark.parametrize(
    "answer",
    [call("say", act="acknowledge"), call("say", act="explain", about="leveraged"), call("say", act="offer_person")],
)
def test_the_third_time_there_is_a_way_out(answer: Any) -> None:
    """Whatever a model says in between, the third question in a row for one answer offers a person."""
    draft, cards = asking(filled(new_draft(), thing="T1", side="buy"), "quantity"), []
    for _ in range(2):
        draft = typed(draft, "the weather one over there")
        draft, posted = spoken(draft, replied(draft, answer))
        cards += [c for c in posted if isinstance(c, Question)]
    assert cards[-1].field == "quantity" and cards[-1].offer_person
    assert draft.turns_in_vain >= FORM.patience


def test_offering_a_person_each_time_does_not_hide_that_nothing_comes() -> None:
    """The count of turns in vain goes on where a person was offered already."""
    draft = asking(filled(new_draft(), thing="T1", side="buy"), "quantity")
    for _ in range(4):
        draft = typed(draft, "the weather one over there")
        draft, _ = spoken(draft, replied(draft, call("say", act="offer_person")))
    assert draft.turns_in_vain > FORM.patience


@pytest.mark.parametrize(
    ("line", "copy"),
    [
        ("for my son and his 12-345 plan", "for my son and his 12-354 plan"),
        ("it is for Marta's new flat", "it is for Martha's new flat"),
        ("the bank wants it, 12-345", "the bank wants it, 12-354"),
    ],
)
def test_a_text_is_put_back_in_the_persons_words(line: str, copy: str) -> None:
    """What a model copies wrongly is offered, if at all, as the person wrote it."""
    draft = typed(asking(filled(new_draft(), leveraged=True), "why_leveraged"), line)
    draft, _ = spoken(draft, replied(draft, call("set_why_leveraged", why_leveraged=copy, words=line)))
    held = draft.values.get("why_leveraged")
    shown = [str(o.data) for o in draft.offers if o.field == "why_leveraged"] + ([str(held.data)] if held else [])
    assert shown and all(text in line for text in shown)


def test_a_text_is_stored_in_the_persons_letters() -> None:
    """A copy that differs in its letters' case alone is stored as it was written."""
    draft = typed(asking(filled(new_draft(), leveraged=True), "why_leveraged"), "Because Marta's FLAT needs it")
    copied = "because marta's flat needs it"
    draft, _ = spoken(draft, replied(draft, call("set_why_leveraged", why_leveraged=copied, words=copied)))
    assert draft.values["why_leveraged"].data == "Because Marta's FLAT needs it"


def test_an_offered_text_is_as_the_person_wrote_it() -> None:
    """A text that a model offers comes from the person's line, letter by letter."""
    draft = typed(asking(filled(new_draft(), leveraged=True), "quantity"), "Marta's FLAT, what about it?")
    draft, _ = spoken(draft, replied(draft, call("offer", field="why_leveraged", value="marta's flat")))
    assert [o.data for o in draft.offers] == ["Marta's FLAT"]


def test_a_models_correction_waits_for_a_click() -> None:
    """Words that announce a correction, and that rules do not read as the model does, change nothing before the person's click."""
    draft = typed(
        asking(filled(new_draft(), quantity=720), "reason"),
        "sorry, the 200 pounds in fees do not count for the quantity",
    )
    after, _ = spoken(
        draft,
        replied(
            draft,
            call("correct", field="quantity", value=200, words="200 pounds in fees do not count for the quantity"),
        ),
    )
    assert after.values["quantity"].data == 720


@pytest.mark.parametrize("line", ["actually make the quantity 250", "sorry, 250 shares", "no wait, I meant 250 shares"])
@pytest.mark.parametrize(
    "wrong",
    [
        call("set_leveraged", leveraged=False, words="250"),
        call("correct", field="side", value="sell", words="250"),
        call("correct", field="quantity", value=2500, words="250"),
        call("set_reason", reason="250 are enough for me", words="250"),
    ],
)
def test_a_correction_is_read_whatever_a_model_reads_in_it(line: str, wrong: Any) -> None:
    """Words that plainly correct an answer correct it, and are no answer to the open question, though a model takes them for another thing."""
    draft = typed(asking(filled(new_draft(), thing="T1", side="buy", quantity=200), "leveraged"), line)
    draft, _ = spoken(draft, replied(draft, wrong), replied(draft))
    assert (draft.values["quantity"].data, draft.values["side"].data, draft.offers) == (250, "buy", ())


def test_rules_read_what_a_model_that_called_too_often_leaves() -> None:
    """A model's calls are counted as its own: when it fails after many, the rules' reading is no call too many."""
    made = iter(
        [
            Reply(
                "",
                tuple(ToolCall(f"c{n}", "set_side", {"side": f"x{n}", "words": "x"}) for n in range(20)),
                stop="calls",
            )
        ]
    )

    def play(talk: Conversation, request: CallModel) -> ModelReplied:
        reply = next(made, None)
        return by_rules(talk, request) if reply is None else talk.replied(request, reply)

    assert after_each(SMALL, [["200 shares"]], play) == after_each(SMALL, [["200 shares"]], by_rules)


@pytest.mark.parametrize(("line", "handed"), [("Lucía", False), ("esto es un lío, no me aclaro", True)])
def test_a_model_hands_nobody_over_who_answers(line: str, handed: bool) -> None:
    """Where a form hands over at once, a model's call for a person counts beside other words, and beside a plain answer it is an offer."""
    talk = Conversation(VEHICLE)
    talk.say("mi correo es lucia.marin@example.org")
    talk.finish()
    assert talk.draft.asked == "nombre"
    talk.say(line)
    while talk.calls:
        talk.answer(lambda t, c: t.replied(c, Reply("", (call(VEHICLE.form.escalate, reason="x"),), stop="calls")))
    assert bool(talk.draft.handed) is handed


def test_a_model_hands_nobody_over_who_answers_in_many_words() -> None:
    """Any words are the answer to a question for many; who asks for a person in them is heard by rules."""
    start = filled(
        VEHICLE_IDLE.start, tipo_vehiculo="furgoneta", elementos=("no_listado",), no_listado_fotos=("a", "b")
    )
    draft = replace(start, stage="collect_element_data", asked="no_listado_que_es")
    talk = Conversation(replace(VEHICLE_IDLE, start=draft))
    talk.say("es un portabicis fijo en el portón trasero")
    while talk.calls:
        talk.answer(lambda t, c: t.replied(c, Reply("", (call(VEHICLE.form.escalate, reason="x"),), stop="calls")))
    assert not talk.draft.handed


@pytest.mark.parametrize(
    ("line", "asks"), [("Lucía", False), ("Ana Marín", False), ("esto es un lío, no me aclaro", True)]
)
def test_a_model_cancels_nothing_for_a_plain_answer(line: str, asks: bool) -> None:
    """A model's wish to cancel puts the card up beside other words, and beside a plain answer or a click it does nothing."""
    talk, cancels = Conversation(VEHICLE), call(VEHICLE.form.cancel)
    talk.say("mi correo es lucia.marin@example.org")
    talk.finish()
    talk.say(line)
    while talk.calls:
        talk.answer(lambda t, c: t.replied(c, Reply("", (cancels,), stop="calls")))
    assert (talk.draft.proposal is not None) is asks


def test_a_model_cancels_nothing_after_a_click() -> None:
    """What is said over to the next question reads no words that could ask for it."""
    talk, cancels = Conversation(VEHICLE), call(VEHICLE.form.cancel)
    talk.say("mi correo es lucia.marin@example.org, esto es un lío")
    while talk.calls:
        talk.answer(lambda t, c: replace(t.replied(c, Reply("", (cancels,), stop="calls")), purpose="lead_in"))
    assert talk.draft.proposal is None


def test_a_model_may_ask_to_cancel_at_a_question_for_many_words() -> None:
    """Any words would be an answer there, so that they are no reason to refuse it."""
    draft = typed(
        asking(filled(new_draft(), leveraged=True), "why_leveraged"), "I would rather leave all of this be now"
    )
    cancels = call("cancel_it")
    outcome = advance(FORM.model_copy(update={"cancel": "cancel_it"}), RULES, draft, replied(draft, cancels))
    assert outcome.draft.proposal is not None and outcome.draft.proposal.act == "cancel"


def talked(*lines: str, replies: tuple[ToolCall, ...]) -> Conversation:
    """A conversation about a vehicle after these lines, of which a model makes the same each time."""
    talk = Conversation(VEHICLE)
    talk.say("mi correo es lucia.marin@example.org")
    talk.finish()
    for line in lines:
        talk.say(line)
        while talk.calls:
            talk.answer(lambda t, c: t.replied(c, Reply("", replies if c.step == 1 else (), stop="calls")))
    return talk


def test_a_name_that_a_model_gives_to_another_question_is_put_back_with_both() -> None:
    """Where one was asked for, and a model reads another in it, nobody but the person can say which it is."""
    given = call("set_domicilio", localidad="Lucía", words="Lucía")
    talk = talked("Lucía", replies=(given,))
    assert talk.draft.asked == "nombre" and "nombre" not in talk.draft.values
    assert {(o.field, o.data) for o in talk.draft.offers} > {("nombre", "Lucía"), ("localidad", "Lucía")}


SHARES = filled(
    DEALING.start, security="GB00BLGZ9862", direction="buy", quantity=200, value="720.00", currency="GBP", is_derivative=False
)  # fmt: skip
PERSON = filled(VEHICLE.start, email="lucia.marin@example.org", nombre="Lucía")


@pytest.mark.parametrize(
    ("case", "start", "asked", "line", "field", "value", "proposed"),
    [
        (DEALING, SHARES, "account", "the 4 of last month", "quantity", 4, "quantity"),
        (DEALING, filled(SHARES, account="isa"), "justification", "I sold the 4 of last month for my car", "quantity", 4, ""),
        (VEHICLE, PERSON, "apellidos", "Marín", "nombre", "Marín", ""),
        (VEHICLE, PERSON, "apellidos", "28014", "codigo_postal", "28014", "codigo_postal"),
    ],
)  # fmt: skip
def test_a_correction_that_may_be_the_name_is_asked_about_by_a_card(
    case: Case, start: Draft, asked: str, line: str, field: str, value: Any, proposed: str
) -> None:
    """Words that read as another value of an answer, said to the question for a name, stand on the change's card, and with the question.

    Said to a question for many words, or where any words would be that answer, they are the question's.
    """
    draft = filled(start, **({field: "28013"} if field == "codigo_postal" else {}))
    talk = Conversation(replace(case, start=replace(draft, asked=asked)))
    talk.say(line)
    while talk.calls:
        given = call("correct", field=field, value=value, words=line)
        talk.answer(lambda t, c, given=given: t.replied(c, Reply("", (given,) if c.step == 1 else (), stop="calls")))
    waits = talk.draft.proposal
    assert (waits.field if waits else "") == proposed
    assert asked in {o.field for o in talk.draft.offers} or (not proposed and asked in talk.draft.values)


def test_of_a_models_name_no_mere_small_word_is_put_back() -> None:
    """A line that shares less than half of its words with what a model calls for says something else."""
    line = "eso ya se verá cuando llegue la moto"
    talk = talked(line, replies=(call("set_titular", nombre="Eva la Roja", words=line),))
    assert "nombre" not in talk.draft.values and "la" not in [o.data for o in talk.draft.offers]


def test_a_name_that_no_model_gives_elsewhere_is_taken() -> None:
    """A model that quotes nothing of it, or says nothing, costs no click."""
    for replies in ((), (call("set_domicilio", localidad="Madrid", words="Madrid"),)):
        assert talked("Lucía", replies=replies).draft.values["nombre"].data == "Lucía"


@pytest.mark.parametrize(
    ("line", "proposed"),
    [
        ("suena bien, gracias", False),
        ("Perfecto. ¿Y hoteles por ahí?", False),
        ("no, mejor por la tarde", False),
        ("lo del nombre era de broma", True),
    ],
)
def test_words_that_hold_nothing_of_a_models_text_are_no_change_to_them(line: str, proposed: bool) -> None:
    """A model that takes a courtesy or a question for another text has no card put up that would make it one; words that name the answer may."""
    talk = Conversation(replace(VEHICLE, start=filled(VEHICLE.start, nombre="Lucía", apellidos="Marín Peña")))
    wrong = call("correct", field="nombre", value="Ana", words=line)
    talk.say("mi correo es lucia.marin@example.org")
    talk.finish()
    assert talk.draft.asked == "dni_cif"
    talk.say(line)
    while talk.calls:
        talk.answer(lambda t, c: t.replied(c, Reply("", (wrong,) if c.step == 1 else (), stop="calls")))
    assert talk.draft.values["nombre"].data == "Lucía" and (talk.draft.proposal is not None) is proposed


@pytest.mark.parametrize(("purpose", "handed"), [("lead_in", ""), ("understand", "loop")])
def test_a_loop_about_an_act_hands_nobody_over(purpose: Any, handed: str) -> None:
    """Where a form hands over at once, a model that loops over words is a person's matter, and one that loops after a click is not."""
    talk = Conversation(VEHICLE)
    talk.say("vaya lío")
    same = Reply("", tuple(ToolCall(f"c{n}", "set_nothing", {}) for n in range(3)), stop="calls")
    event = ModelReplied("r", AT, "model", same, talk.draft.turn, purpose=purpose, reader="model")
    assert advance(VEHICLE.form, VEHICLE.rules, talk.draft, event).draft.handed == handed


def test_an_explanation_that_nobody_asked_for_is_no_answer() -> None:
    """A line that answers is read though the model explains another field."""
    draft = typed(asking(filled(new_draft(), leveraged=True), "why_leveraged"), "for the new flat")
    draft, _ = spoken(draft, replied(draft, call("say", act="explain", about="inside")))
    assert [(o.field, o.data) for o in draft.offers] == [("why_leveraged", "for the new flat")]


def test_an_explanation_answers_a_question() -> None:
    """What a person asks is answered by the form's help, and not taken for a text."""
    draft = typed(asking(filled(new_draft(), leveraged=True), "why_leveraged"), "what is inside information, please?")
    draft, (card,) = spoken(draft, replied(draft, call("say", act="explain", about="inside")))
    assert "why_leveraged" not in draft.values and Phrase("not_understood") not in card.lead_in


@pytest.mark.parametrize(
    "words", ["what counts as inside information?", "and what counts as inside information for you?"]
)
def test_a_question_that_its_answer_overtook_is_no_disclosure(words: str) -> None:
    """Who asks what a declaration means, and has made it when the words are read, has told nothing of it, whatever a model makes of them."""
    draft = typed(asking(filled(new_draft(), leveraged=True, inside=False), "why_leveraged"), words)
    for calls in ((), (call("say", act="explain", about="inside"),)):
        assert spoken(draft, replied(draft, *calls))[0].proposal is None


@pytest.mark.parametrize(("field", "given"), [("leveraged", {"inside": False}), ("inside", {"leveraged": False})])
def test_a_plain_answer_is_no_disclosure(field: str, given: dict[str, bool]) -> None:
    """A "no" that code took as the answer to its own question admits nothing, of that question or another: no card asks about it."""
    draft = typed(asking(filled(new_draft(), thing="T1", side="buy", quantity=2, **given), field), "no")
    assert draft.values[field].data is False
    after, _ = spoken(draft, replied(draft, call("disclose", field="inside", words="no"), purpose="lead_in"))
    assert after.proposal is None and after.open


@pytest.mark.parametrize("reply", ["Thanks, that is all.", ""])
def test_a_model_that_leads_over_to_a_review_comes_too_late_once_that_is_filed(reply: str) -> None:
    """Whatever it still says is dropped: nobody asked how the request stands."""
    review = reviewing()
    leading = replied(review, text=reply, purpose="lead_in")
    filed = after(review, gathered(review))
    assert not filed.open
    assert advance(FORM, RULES, filed, leading).effects == ()
