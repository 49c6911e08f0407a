"""Whole turns in the shipped forms: what people write to a question is taken, put back or asked again, and never anything else."""

from dataclasses import replace

import pytest

from state.draft.reply import ToolCall
from state.fields.base import Context
from state.understanding.reader import read_open
from tests.corpus.turns import FORMS, Talk, answers, end, strays
from tests.whole.steps import REASON

WRONG = {"pa_dealing": 8, "loan": 3, "gifts": 2, "vehicle_case": 2, "expenses": 2}
"""Answers of each form that still end with a value that they do not say: sums "each", parts of a whole, small letters within a name."""
LOST = 0.1


@pytest.mark.parametrize("name", FORMS)
def test_nearly_no_answer_sets_what_it_does_not_say(name: str) -> None:
    """What is set is what the words say for that field, and of what they say nearly nothing is lost."""
    some = list(answers(name))
    ends = [(a.asked, a.text, end(a)) for a in some]
    assert len(wrong := [e for e in ends if e[2] == "wrong"]) <= WRONG[name], wrong
    assert len(lost := [e for e in ends if e[2] == "lost"]) <= LOST * len(some), lost


FIGURES = [
    ("net_salary", "circa duemila", "2000.00"), ("net_salary", "più o meno 1800", "1800.00"), ("net_salary", "sui 1.600", "1600.00"),
    ("net_salary", "1500 lordi", None), ("net_salary", "12.000 l'anno", None), ("hire_date", "dal marzo 2015", None),
    ("hire_date", "estate 2016", None),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "text", "likely"), FIGURES)
@pytest.mark.parametrize("number", [0, 2000, 1800, 1600, 1500, 12000, 2015, 2016])
def test_a_figure_said_to_a_question_is_nobody_elses(asked: str, text: str, likely: str | None, number: int) -> None:
    """What the asked field declines is put back for it or asked again, and sets no other field: by the rules, and by a model that says so."""
    call = ToolCall("c1", "set_work", {"employer_size": number, "words": text})
    came = Talk("loan", "manual_emp", asked, *([call] if number else [])).say(text)
    assert "employer_size" not in came.set and asked not in came.set
    assert likely is None or came.back.get(asked) == [likely]
    assert "employer_size" not in came.back or likely is None


def test_a_figure_beside_the_answer_is_proposed_for_no_other_question() -> None:
    """A bare number beside the answer names no field, and is proposed for none."""
    came = Talk("loan", "manual_emp", "contract").say("indeterminato, siamo in 30")
    assert came.set == {} and came.back == {"contract": ["indeterminato"]}


@pytest.mark.parametrize(
    "text", ["230 euro al mese", "la rata è di 230 euro al mese", "€ 230,00 fino a dicembre", "no, 230 euro al mese"]
)
def test_a_sum_said_to_a_question_for_a_sum_changes_no_other_one(text: str) -> None:
    """Whatever stands beside it, a sum with its currency answers the question that is open, unless it names another."""
    came = Talk("loan", "liabilities_detail", "debt_instalment_1").say(text)
    assert came.proposed == {} and came.back == {"debt_instalment_1": ["230.00"]}


DECLARED = ("is_derivative", "is_leveraged", "has_inside_info", "is_related_party")
BOOKING = {
    "consent_contract": True, "consent_sensitive": True, "consent_marketing": False, "consent_third_party": False,
    "phone": "+393331234567", "appointment_day": "2026-12-03",
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "likely"), [("alle tre", "15:00"), ("le due e mezza", "14:30"), ("verso le 3", "15:00")]
)
def test_of_two_hours_the_one_that_the_rules_take_is_put_back(text: str, likely: str) -> None:
    """Where the words leave the half of the day open, only what the form's hours allow is put back."""
    came = Talk("loan", "scheduling", "appointment_time", given=BOOKING).say(text)
    assert came.set == {} and came.back == {"appointment_time": [likely]}


@pytest.mark.parametrize(
    "before, told", [("A long-term holding because ", True), ("Ok because ", False), ("No. Of course, since ", False)]
)
def test_words_before_a_reason_that_answer_nothing_are_a_part_of_it(before: str, told: bool) -> None:
    """A reason that is written to another question is put back whole; an answer before it is none of it."""
    reason = "I expect steady dividends for my retirement"
    came = Talk("pa_dealing", "any", "has_client_conflict", given=dict.fromkeys(DECLARED, False)).say(before + reason)
    assert came.back["justification"] == [before + reason if told else reason]


def test_a_reason_that_came_while_no_question_was_open_is_whole() -> None:
    """Words that were on their way when their question came up keep what stands before “because”, where nothing else is missing."""
    given = {**dict.fromkeys((*DECLARED, "has_client_conflict"), False), "holding_period_ack": True}
    talk = Talk("pa_dealing", "any", "justification", given=given)
    reply = read_open(talk.form, replace(talk.draft, asked=""), REASON, "m1", Context("en-GB", "2026-11-28"))
    assert [call.arguments["justification"] for call in reply.calls] == [REASON]


def test_a_named_figure_is_put_back_beside_another_question() -> None:
    """Its unit or its name beside it makes a number the answer of a field that was not asked, for one click with the rest."""
    came = Talk("loan", "manual_emp", "hire_date").say("3/4/2018, siamo 25 dipendenti")
    assert came.set == {} and came.back == {"hire_date": ["2018-04-03"], "employer_size": [25]}


@pytest.mark.parametrize(
    ("name", "stage", "asked", "text"),
    [
        ("gifts", "any", "firm", "sorry, it was for somebody else"), ("gifts", "any", "firm", "they told me, I forgot"),
        ("gifts", "any", "other_party", "let me look that up first please"), ("gifts", "any", "what", "something they sent us all again"),
        ("gifts", "any", "other_party", "2"), ("vehicle_case", "collect_workshop", "taller_nombre", "3/4"), ("pa_dealing", "any", "account", "250"),
        ("gifts", "any", "firm", "Northfield. They do our audit"), ("pa_dealing", "any", "related_party_relation", "that was a slip, sorry for it"),
        ("vehicle_case", "collect_element_data", "escape_marca", "eso lo sabe el taller, llámelos"),
        ("vehicle_case", "collect_workshop", "taller_nombre", "uno de mi pueblo, lo lleva un primo mío"),
        ("loan", "liabilities_detail", "debt_lender_1", "mi sa che era la Corallo, però l'hanno comprata"),
    ],
)  # fmt: skip
def test_a_sentence_is_no_name(name: str, stage: str, asked: str, text: str) -> None:
    """A sentence, or bare figures, said to a question for a few words is put back as it was said, or asked again; a model's copy of it as well."""
    tool = {"gifts": f"set_{asked}", "vehicle_case": "set_escape" if "escape" in asked else "set_taller"}.get(
        name, f"set_{asked}"
    )
    for calls in ((), (ToolCall("c1", tool, {asked: text, "words": text}),)):
        came = Talk(name, stage, asked, *calls).say(text)
        assert asked not in came.set and all(str(data) in text for data in came.back.get(asked, ()))


NAMES = [
    ("gifts", "any", "firm", "Northfield Brokers"), ("gifts", "any", "firm", "Barnes, Cole & Partners LLP"),
    ("gifts", "any", "firm", "Quillbrook Partners, Ltd"), ("gifts", "any", "what", "two tickets for the opera"),
    ("gifts", "any", "what", "dinner for two at Northfield House"), ("gifts", "any", "other_party", "Ana Example"),
    ("gifts", "any", "firm", "a law firm in Leeds"), ("pa_dealing", "any", "account", "my ISA with Northfield"),
    ("pa_dealing", "any", "account", "Northfield Brokers"), ("pa_dealing", "any", "related_party_relation", "my sister"),
    ("vehicle_case", "collect_workshop", "taller_nombre", "Talleres Hermanos Vega, S.L."),
    ("vehicle_case", "collect_element_data", "escape_modelo", "Furia 300"),
    ("vehicle_case", "collect_personal", "calle", "calle del Olmo 4, 2º izquierda"),
    ("loan", "liabilities_detail", "debt_lender_1", "Banca Corallo"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "stage", "asked", "text"), NAMES)
def test_a_name_is_taken_or_put_back_as_it_stands(name: str, stage: str, asked: str, text: str) -> None:
    """A name, a thing or a line of an address is the answer as it was written: at once where it looks like nothing else, else by a click."""
    came = Talk(name, stage, asked).say(text)
    told = [came.set[asked]] if asked in came.set else came.back[asked]
    assert text.rstrip(".") in [str(data).rstrip(".") for data in told]


@pytest.mark.parametrize("name", FORMS[:-1])
def test_nothing_is_put_back_that_was_not_said(name: str) -> None:
    """What is shown for a click is what the words may mean."""
    assert len(found := [(a.text, strays(a)) for a in answers(name) if strays(a)]) <= 5, found


@pytest.mark.parametrize(
    ("name", "stage", "asked", "text", "back"),
    [
        ("pa_dealing", "any", "quantity", "not 200 but 250", {"quantity": [250]}),
        ("pa_dealing", "any", "currency", "not euros, pounds", {"currency": ["GBP"]}),
        ("gifts", "any", "day", "Monday no, Tuesday rather", {"day": ["2026-11-24", "2026-11-17"]}),
        ("gifts", "any", "day", "any day but not Monday", {}),
    ],
)
def test_a_value_that_is_put_aside_is_not_offered(
    name: str, stage: str, asked: str, text: str, back: dict[str, list[str | int]]
) -> None:
    """A value right behind a word that denies it, or before a no, is none of those that are put back."""
    came = Talk(name, stage, asked).say(text)
    assert came.set == {} and came.back == back


def test_a_sum_beside_a_yes_or_no_changes_no_other_sum() -> None:
    """Where a form asks for several sums, a currency beside one does not say whose it is: no earlier answer is proposed anew."""
    came = Talk("loan", "liabilities_intro", "has_debts").say("sì, ho l'auto a rate, 230 euro al mese")
    assert "net_salary" not in {**came.set, **came.back, **came.proposed}


@pytest.mark.parametrize("text", ["abito a Torino città", "vicino Torino"])
def test_a_value_that_the_form_knows_is_put_back_out_of_more_words(text: str) -> None:
    """Where the whole of the words cannot be the answer, the one that the form knows is put back, and nothing is taken."""
    came = Talk("loan", "household_data", "province").say(text)
    assert came.set == {} and came.back == {"province": ["Torino"]}


def test_a_no_before_a_reason_announces_no_correction() -> None:
    """A no that answers the open question, and names another field behind it, changes no name that stands."""
    came = Talk("gifts", "any", "official").say("no, their firm is a private one")
    assert came.set == {} and came.proposed == {}


def test_of_a_weekday_that_may_be_this_weeks_both_are_put_back() -> None:
    """Nobody knows which Saturday the next one is on a Friday: both are shown."""
    came = Talk("gifts", "any", "day").say("next Saturday")
    assert came.set == {} and came.back == {"day": ["2026-11-21", "2026-11-28"]}
