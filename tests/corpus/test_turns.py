"""Whole turns in the shipped forms: what people write to a question is taken, put back or asked again, and never anything else."""

from dataclasses import replace

import pytest

from state.advance import begin
from state.draft.display import usable
from state.draft.reply import ToolCall
from state.draft.scope import EXPLAIN
from state.draft.utterance import Verbatim
from state.fields.base import Context
from state.understanding.reader import read_open
from tests.corpus.turns import AT, FORMS, Answer, Talk, answers, came_of, end, strays
from tests.shipped import shipped
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
    ("net_salary", "1800 lordi al mese", None), ("net_salary", "21.000 euro l'anno", None), ("net_salary", "1800 lordi, netti 1400", "1400.00"),
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


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("invest 2000 in Tesco", {"value": "2000.00"}), ("vorrei investire 2000 in Tesco", {"value": "2000.00"}),
        ("want to put 2k into Tesco, ISA with Northfield", {"value": "2000.00", "account": "ISA with Northfield"}),
        ("using my SIPP with northfield i want to buy 20 Tesco", {"account": "SIPP with northfield", "direction": "buy", "quantity": 20}),
        ("buy 20 Tesco in my ISA with immediate effect", {"account": "ISA", "direction": "buy", "quantity": 20}),
        ("sell 20 Tesco from my ISA at market open", {"account": "ISA", "direction": "sell", "quantity": 20}),
        ("sell 20 Tesco from my Northfield ISA", {"account": "Northfield ISA", "direction": "sell", "quantity": 20}),
        ("they're in a northfield sipp", {"account": "northfield sipp"}), ("it's held at Barclays", {}), ("liegt bei Barclays", {}),
        ("verkaufe 80 Tesco um mein Haus zu bezahlen", {"direction": "sell", "quantity": 80}),
    ],
)  # fmt: skip
def test_what_is_invested_is_a_sum_and_who_keeps_an_account_is_part_of_it(text: str, read: dict[str, object]) -> None:
    """Neither is a number of shares, or the thing that is traded."""
    came = Talk("pa_dealing", "any", "security").say(text)
    assert {field: data for field, (data,) in came.back.items()} == read and came.set.get("security") in (None, "Tesco")


@pytest.mark.parametrize(
    ("text", "reason", "others"),
    [
        ("because dividends look solid\n200 of them in my ISA please", "dividends look solid", {"quantity": 200, "account": "ISA"}),
        ("because it is cheap\n£700 roughly\nfor my SIPP", "it is cheap", {"value": "700.00", "currency": "GBP", "account": "SIPP"}),
        ("because they pay well\nand the sector is cheap since 2024", "they pay well\nand the sector is cheap since 2024", {}),
    ],
)  # fmt: skip
def test_a_reason_ends_before_a_line_that_names_something_else(
    text: str, reason: str, others: dict[str, object]
) -> None:
    """Lines that were sent one by one are read together; further lines of the reason stay with it."""
    came = Talk("pa_dealing", "any", "security").say(text)
    assert {field: data for field, (data,) in came.back.items()} == {"justification": reason, **others}


@pytest.mark.parametrize(("text", "set_", "back"), [
    ("pick up a few Unilever", {"security": "Unilever"}, {"direction": "buy"}), ("those Vodafone ones", {"security": "Vodafone"}, {}),
    ("un paio di azioni Tesco", {"security": "Tesco"}, {}), ("ein paar Siemens", {"security": "Siemens"}, {}),
    ("unas pocas Telefónica", {"security": "Telefónica"}, {}), ("More Than Gold", {"security": "More Than Gold"}, {}),
    ("circa 1.400 euro", {}, {"currency": "EUR"}), ("not the pension, the ISA", {}, {"account": "ISA"}),
    ("not my pension but my ISA", {}, {"account": "ISA"}), ("weil ich Geld brauche", {}, {"justification": "ich Geld brauche"}),
    ("mein Depot bei Northfield", {}, {"account": "mein Depot bei Northfield"}), ("conto personale", {}, {"account": "conto personale"}),
    ("sell half of my Tesco shares (I've 400)", {"security": "Tesco"}, {"direction": "sell"}),
    ("vorrei vendere la metà delle mie 400 Tesco", {"security": "Tesco"}, {"direction": "sell"}),
    ("sell 50 tesco because I'm buying a car", {"security": "tesco"}, {"direction": "sell", "quantity": 50, "justification": "I'm buying a car"}),
    ("ungefähr 3.500 Euro", {}, {"value": "3500.00", "currency": "EUR"}), ("about 1.750 euros", {}, {"currency": "EUR"}),
    ("sell all 60", {}, {"direction": "sell", "quantity": 60}), ("alle 50 verkaufen", {}, {"direction": "sell", "quantity": 50}),
    ("500 pounds yes", {}, {"value": "500.00", "currency": "GBP"}), ("no, 40 at 3", {}, {"quantity": 40}),
    *((text, {}, {}) for text in ("nein", "ninguna", "non è quella", "no es esa", "keine davon", "no he oído nada", "non proprio", "next monday",
        "es el lunes", "conto Fineco", "Depot bei der Comdirect", "está en mi cuenta de Openbank", "as many as possible", "so viele wie möglich",
        "next week probably", "my wife wants it", "lo quiere mi mujer", "trade approval")),
    ("it's a joint account", {}, {"account": "joint account"}),
    ("la de Tesco", {"security": "Tesco"}, {}), ("nein, Siemens", {"security": "Siemens"}, {}),
    *((text, {"security": text}, {}) for text in ("Non-Standard Finance", "KLAR", "NI")),
])  # fmt: skip
def test_words_that_mean_no_one_thing_are_not_looked_up(text: str, set_: dict[str, str], back: dict[str, str]) -> None:
    """Nor is a no, a day, an account that is denied, a sum, a reason or an account in another language: each is put back where it belongs.

    Neither what somebody has of which they sell a part, nor what a reason speaks of, is put back as an answer.
    """
    came = Talk("pa_dealing", "any", "security").say(text)
    assert (came.set, {field: data for field, (data,) in came.back.items()}) == (set_, back)


@pytest.mark.parametrize(
    ("text", "set_"),
    [(text, {"account": "joint account"}) for text in ("yes", "yep, that's the one", "correct", "sí")]
    + [(text, {}) for text in ("no", "nope, none of that", "that's not it", "nein, das nicht", "not quite")],
)
def test_a_yes_or_a_no_answers_the_few_words_that_a_card_offers(text: str, set_: dict[str, str]) -> None:
    """What is known of what was read for a name is taken by a plain yes and dropped by a plain no; neither is a name."""
    talk = Talk("pa_dealing", "any", "account")
    assert talk.say("joint account with my husband").back["account"] == ["joint account"]
    came = talk.say(text)
    assert (came.set, came.back.get("account", [])) == (set_, [])


def test_a_yes_to_a_name_that_nobody_knows_leads_to_the_button() -> None:
    """It may be a part of what was said, or none at all: whoever says yes is shown where to press, and has not answered in vain."""
    talk = Talk("gifts", "any", "what")
    talk.say("acme like suppliers ltd")
    before = talk.draft.turns_in_vain
    assert talk.say("yes").set == {}
    assert (talk.draft.turns_in_vain, [o.data for o in talk.draft.offers]) == (before, ["acme like suppliers ltd"])


@pytest.mark.parametrize(
    "text",
    ["Fantastic.", "Lovely", "Che bello!", "¡Qué bien!", "Wunderbar", "Understood.", "Fair enough", "Exactly.", "Certo", "Vero.", "Claro", "Cierto.",
     "Genau", "Stimmt.", "Klar"],
)  # fmt: skip
def test_praise_and_assent_are_the_name_of_nothing(text: str) -> None:
    """Alone they answer no question for a name, in whatever language."""
    came = Talk("pa_dealing", "any", "account").say(text)
    assert came.set == came.back == {}


@pytest.mark.parametrize("text", ["Solo 2", "Nur 3", "Just 2"])
def test_a_number_beside_small_words_is_no_name_by_itself(text: str) -> None:
    """It may be meant for another question: the person says so by a click."""
    assert Talk("pa_dealing", "any", "account").say(text).set == {}


@pytest.mark.parametrize("text", ["siamo in tre", "sono in 3"])
def test_a_number_of_people_chooses_nothing(text: str) -> None:
    """Behind "in" it is no place in the list that is asked."""
    assert Talk("loan", "employment_type", "employment_type").say(text).set == {}


def test_what_was_read_stands_on_the_card_until_it_is_used() -> None:
    """Whatever was said since, one click takes all of it, a sum with its currency."""
    talk = Talk("pa_dealing", "any", "value")
    talk.say("about 1100 quid")
    talk.say("it's in the family isa")
    talk.say("no idea about the rest")
    assert [o.field for o in usable(talk.form, talk.draft, {"value"})] == ["value", "currency", "account"]


def test_an_account_is_answered_with_who_keeps_it_or_beside_one_that_is_denied() -> None:
    """Both are plain answers to the question for it."""
    texts = ("in my ISA with Northfield", "not the pension, the ISA", "mein Depot bei Northfield")
    took = [Talk("pa_dealing", "any", "account").say(text).set for text in texts]
    assert [came["account"] for came in took] == ["ISA with Northfield", "ISA", "mein Depot bei Northfield"]


NAMES = [
    ("gifts", "any", "firm", "Stated"), ("gifts", "any", "firm", "Northfield Brokers"), ("gifts", "any", "firm", "Barnes, Cole & Partners LLP"),
    ("gifts", "any", "firm", "Quillbrook Partners, Ltd"), ("gifts", "any", "what", "two tickets for the opera"),
    ("gifts", "any", "what", "dinner for two at Northfield House"), ("gifts", "any", "other_party", "Ana Example"),
    ("gifts", "any", "firm", "a law firm in Leeds"), ("pa_dealing", "any", "account", "ISA with Northfield"),
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


@pytest.mark.parametrize(
    ("name", "stage", "asked", "text", "back"),
    [
        ("pa_dealing", "any", "account", "tell me the price", []), ("pa_dealing", "any", "account", "Yup, looks good", []),
        ("pa_dealing", "any", "account", "that's the one", []), ("pa_dealing", "any", "account", "could you show me the others", []),
        ("pa_dealing", "any", "account", "Great. I'd like to see the policy", []), ("pa_dealing", "any", "account", "zeig mir die anderen", []),
        ("gifts", "any", "firm", "I want to book a table", []), ("gifts", "any", "firm", "I need it for next Tuesday", []),
        ("gifts", "any", "firm", "please find a restaurant in Leeds and tell me what it would cost", ["Leeds"]),
        ("gifts", "any", "what", "a book about Leeds", ["a book about Leeds"]),
        ("vehicle_case", "collect_personal", "itv_nombre", "dime cuáles hay", []),
        ("vehicle_case", "collect_personal", "itv_nombre", "búsqueme la más barata", []),
        ("gifts", "any", "what", "yes I already said so", []), ("vehicle_case", "collect_personal", "itv_nombre", "sí, ya se lo he escrito", []),
        ("gifts", "any", "firm", "the bakery. show me the others", ["bakery"]),
        ("pa_dealing", "any", "account", "it is the one that I have been using for a long time now, since March", []),
        ("loan", "liabilities_detail", "debt_lender_1", "mi faccia vedere l'elenco", []),
        ("loan", "liabilities_detail", "debt_lender_1", "perfetto, va bene così", []),
    ],
)  # fmt: skip
def test_words_that_only_agree_or_have_something_done_are_no_name(
    name: str, stage: str, asked: str, text: str, back: list[str]
) -> None:
    """What is to be shown or found is not offered as the name of an account, a firm or a thing; a name with capitals beside it may be."""
    came = Talk(name, stage, asked).say(text)
    assert asked not in came.set and [str(data) for data in came.back.get(asked, ())] == back


@pytest.mark.parametrize(
    ("text", "taken"), [("Dos.", False), ("Veinte", False), ("Dos Hermanas", True), ("Norte Dos", True)]
)
def test_a_number_alone_is_no_name_without_a_click(text: str, taken: bool) -> None:
    """It may be meant for any question; beside another word it is a part of a name."""
    assert Talk("vehicle_case", "collect_personal", "itv_nombre").say(text).set == (
        {"itv_nombre": text} if taken else {}
    )


def test_many_words_may_begin_as_what_is_to_be_done() -> None:
    """A reason is one, however it begins."""
    told = "show me a better way to thank a whole team and I would take it"
    assert Talk("gifts", "any", "reason").say(told).back == {"reason": [told]}


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


@pytest.mark.parametrize(
    "text",
    [
        "What is inside information?", "what is inside information", "explain inside information", "cos'è inside information?",
        "qué es inside information", "was ist inside information?", "what exactly is inside information", "was genau ist inside information?",
    ],
)  # fmt: skip
@pytest.mark.parametrize("calls", [(), (ToolCall("c1", EXPLAIN, {"field": "has_inside_info"}),)])
def test_who_asks_what_a_declaration_means_declares_nothing(text: str, calls: tuple[ToolCall, ...]) -> None:
    """Right after a No to it, a question about a declaration offers no other answer: by the rules, and beside a model."""
    given = dict.fromkeys(DECLARED[:3], False)
    draft = Talk("pa_dealing", "any", "is_related_party", *calls, given=given).say(text).draft
    assert draft is not None and draft.proposal is None and draft.disclosures == () and draft.offers == ()


@pytest.mark.parametrize(
    "text",
    [
        "what happens with my answer", "che fine fa la mia risposta", "was passiert mit meiner Antwort", "qué pasa con mi respuesta",
        "who sees my answer", "chi vede la mia risposta", "wer sieht meine Antwort", "quién ve mi respuesta",
        "sorry?", "what?", "wie bitte?", "scusa?", "¿cómo?",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("name", "stage", "asked"), [("pa_dealing", "any", "is_leveraged"), ("loan", "manual_emp", "net_salary")]
)
def test_a_question_is_one_in_any_language(name: str, stage: str, asked: str, text: str) -> None:
    """Who asks in another language than the form's what an answer is for, or what was meant, has the question explained."""
    talk = Talk(name, stage, asked)
    reply = read_open(talk.form, talk.draft, text, "m1", Context(talk.form.language, AT[:10]))
    assert [(call.tool, call.arguments) for call in reply.calls] == [(EXPLAIN, {"field": asked})]


MAKE = ("vehicle_case", "collect_element_data", "escape_marca")


@pytest.mark.parametrize(
    ("name", "stage", "asked", "text", "back"),
    [
        (*MAKE, "Tronador, modelo Furia 300", {"escape_marca": ["Tronador"], "escape_modelo": ["Furia 300"]}),
        (*MAKE, "la marca no la sé, el modelo es Furia 300", {"escape_modelo": ["Furia 300"]}),
        (*MAKE, "Tronador, model Furia 300", {"escape_marca": ["Tronador, model Furia 300"]}),
        (*MAKE, "no lleva marca", {"escape_marca": ["no lleva marca"]}),
        ("gifts", "any", "other_party", "Ana Example, firm Tavenholm Ltd", {"other_party": ["Ana Example"], "firm": ["Tavenholm Ltd"]}),
        ("gifts", "any", "firm", "no brand", {"firm": ["no brand"]}),
    ],
)  # fmt: skip
def test_names_are_put_back_apart_and_with_their_denial(
    name: str, stage: str, asked: str, text: str, back: dict[str, list[str]]
) -> None:
    """Behind a pause another field's name begins another answer, and a word that denies is a part of what it denies."""
    came = Talk(name, stage, asked).say(text)
    assert came.set == {} and came.back == back


@pytest.mark.parametrize(
    "text", ["£25 each", "25 each", "25 € pro Stück", "jeweils 25 Euro", "25 euro l'una", "25 euros por persona"]
)
@pytest.mark.parametrize("calls", [(), (ToolCall("c1", "set_value", {"value": "25", "words": "25"}),)])
def test_a_sum_of_each_is_not_put_back_for_all(text: str, calls: tuple[ToolCall, ...]) -> None:
    """What one costs is not what was asked for: by the rules, and beside a model that takes it for that."""
    came = Talk("gifts", "any", "value", *calls).say(text)
    assert "value" not in {**came.set, **came.back}


@pytest.mark.parametrize(
    "text",
    [
        "1800 €, cioè 1850",
        "1800 €, I mean 1850",
        "1800 €, quiero decir 1850",
        "1800 €, o sea 1850",
        "1800 €, ich meine 1850",
    ],
)
@pytest.mark.parametrize(("name", "stage", "asked"), [("gifts", "any", "value"), ("loan", "manual_emp", "net_salary")])
def test_a_sum_put_right_in_its_line_is_put_back_beside_the_first(name: str, stage: str, asked: str, text: str) -> None:
    """The person says which one they mean."""
    came = Talk(name, stage, asked).say(text)
    assert came.set == {} and came.back[asked] == ["1800.00", "1850.00"]


@pytest.mark.parametrize(
    "text",
    [
        "I almost spent 40 on lunch", "casi gasto 40 en la comida", "quasi quasi spendevo 40 euro", "ich hätte fast 40 Euro ausgegeben",
        "no borres el 12", "don't delete 12", "non cancellare la 12", "lösch die 12 nicht",
    ],
)  # fmt: skip
def test_what_was_not_spent_or_must_not_be_deleted_is_no_operation(text: str) -> None:
    """In whatever language a line denies something, it asks for nothing."""
    assert came_of(Answer("expenses", "any", "", text, {}, {}, {}, {})).set == {}


@pytest.mark.parametrize("text", ["dinner 60 or 70", "lunch £12 each", "each ticket £12"])
def test_a_sum_of_two_or_of_each_is_asked_for(text: str) -> None:
    """Where a line tells two sums for one thing, or what each cost, the sum is asked for."""
    came = came_of(Answer("expenses", "any", "", text, {}, {}, {}, {}))
    assert came.set == {"operation": "say", "act": "explain", "about": "add_expense.amount"}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("nope, just plain shares, none of that", False), ("Nein, nichts dergleichen", False), ("Sí, es un producto de esos", True),
        ("sì, è proprio uno di quelli", True), ("Nein", False), ("no idea what you mean, mate", None), ("no, wait", None),
        ("ok then no", False), ("it isn't", False), ("I don't think it is", False), ("das ist es nicht", False), ("no lo es", False),
        ("yes no", None),
        ("not sure what counts as that", None), ("keine Ahnung was damit gemeint ist", None),
    ],
)  # fmt: skip
def test_a_yes_or_no_before_a_pause_is_put_back(text: str, answer: bool | None) -> None:
    """In any language it is shown with its words, for a click; nothing is taken of it."""
    came = Talk("pa_dealing", "any", "is_leveraged", given={"is_derivative": False}).say(text)
    assert came.set == {} and came.back == ({} if answer is None else {"is_leveraged": [answer]})


def test_a_reason_before_a_thing_is_looked_up_is_whole() -> None:
    """No thing is called "a holding": words with an article before "because" are a part of the reason."""
    came = Talk("pa_dealing", "any", "security").say(REASON)
    assert came.set == {} and came.back == {"justification": [REASON]}


@pytest.mark.parametrize(
    ("asked", "text", "quantity"),
    [
        ("is_derivative", "ups, perdón, son 250", 250), ("is_derivative", "scusa, ho sbagliato: 250", 250),
        ("is_derivative", "Entschuldigung, es sind 250", 250), ("is_derivative", "oops, it's 250", 250),
        ("value", "oops 50", 50), ("value", "make it 50", 50), ("value", "oh wait, 50", 50), ("value", "perdón, 50", 50),
    ],
)  # fmt: skip
def test_a_correction_is_announced_in_any_language(asked: str, text: str, quantity: int) -> None:
    """A number behind words of correction is proposed for the answer that it fits, though it could answer the open question as well."""
    came = Talk("pa_dealing", "any", asked).say(text)
    assert came.set == {} and came.proposed == {"quantity": quantity}


ABROAD = [
    ("pa_dealing", "any", "quantity", "venti", 20), ("pa_dealing", "any", "quantity", "zwölf", 12),
    ("pa_dealing", "any", "quantity", "doscientos", 200), ("pa_dealing", "any", "quantity", "yo quiero cien acciones", 100),
    ("loan", "manual_emp", "net_salary", "two thousand euros", "2000.00"),
    ("loan", "manual_emp", "net_salary", "zweitausend", "2000.00"), ("loan", "manual_emp", "net_salary", "mil quinientos euros", "1500.00"),
    ("loan", "manual_emp", "hire_date", "March 3rd 2018", "2018-03-03"), ("loan", "manual_emp", "hire_date", "ersten März 2019", "2019-03-01"),
    ("loan", "manual_emp", "hire_date", "3 de mayo de 2016", "2016-05-03"), ("vehicle_case", "collect_vehicle", "anio", "duemilaquindici", 2015),
]  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "text"),
    [("net_salary", "1800 lordi"), ("net_salary", "30.000 l'anno lordi"), ("debt_instalment_1", "2.400 l'anno")],
)
def test_a_sum_in_another_measure_is_not_put_back(asked: str, text: str) -> None:
    """What is told before tax, or of a year, is no net or monthly sum."""
    came = Talk("loan", "liabilities_detail" if "debt" in asked else "manual_emp", asked).say(text)
    assert asked not in {**came.set, **came.back}


@pytest.mark.parametrize("text", ["sell all 60", "alle 50 verkaufen", "sell 200", "selling about 200 of them"])
def test_so_many_is_a_quantity_beside_a_direction(text: str) -> None:
    """A figure behind a word for all of them counts, and one right behind the choice that was asked for."""
    came = Talk("pa_dealing", "any", "direction").say(text)
    assert came.back["direction"] == ["sell"] and "quantity" in came.back


@pytest.mark.parametrize(("name", "stage", "asked", "text", "value"), ABROAD)
def test_a_number_or_a_day_in_another_language_is_put_back(
    name: str, stage: str, asked: str, text: str, value: object
) -> None:
    """It is read where the text is in that language, and never taken."""
    came = Talk(name, stage, asked).say(text)
    assert came.set == {} and came.back[asked] == [value]


@pytest.mark.parametrize("text", ["once", "25 euro l'una", "die Hard", "sei still"])
def test_a_word_of_this_language_is_no_number_of_another(text: str) -> None:
    """A word that counts in another language alone counts nothing here."""
    came = Talk("pa_dealing", "any", "quantity").say(text)
    assert "quantity" not in {**came.set, **came.back} or "25" in text


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("What is inside information? I have some", True), ("cosa sono le informazioni privilegiate? ne ho una", True),
        ("¿qué es? tengo alguna", True), ("was sind Insiderinformationen? ich habe welche", True), ("not that I know, what counts?", False),
        ("che cosa conta? non che io sappia", False), ("¿qué cuenta? no que yo sepa", False), ("was zählt? nicht dass ich wüsste", False),
        ("yes my wife holds some too", True), ("not that I know", False),
        ("do I have some?", None),
    ],
)  # fmt: skip
def test_an_answer_beside_a_question_is_put_back(text: str, answer: bool | None) -> None:
    """Words that lean to a yes or a no are shown, for a click; the question is answered as well."""
    came = Talk("pa_dealing", "any", "has_inside_info", given={"is_derivative": False, "is_leveraged": False}).say(text)
    assert came.set == {} and came.back == ({} if answer is None else {"has_inside_info": [answer]})


OUT_OF_WORK = {"employment_type": "disoccupato"}
ECHOES = [
    ("pa_dealing", "has_client_conflict", "it could", True), ("pa_dealing", "has_client_conflict", "it couldn't", False),
    ("pa_dealing", "has_client_conflict", "it could not", False), ("pa_dealing", "is_related_party", "yes just me", None),
    ("pa_dealing", "has_inside_info", "correct, none", None), ("pa_dealing", "has_client_conflict", "yes, no problem", True),
    ("pa_dealing", "has_inside_info", "not me", False),
    ("pa_dealing", "has_client_conflict", "this trade could conflict", True), ("pa_dealing", "has_client_conflict", "my interests", None),
    ("pa_dealing", "has_inside_info", "I don't hold any", False), ("pa_dealing", "has_inside_info", "about it", None),
    ("pa_dealing", "is_leveraged", "product", None), ("pa_dealing", "is_related_party", "for this trade", None),
    ("pa_dealing", "is_derivative", "do it", None), ("pa_dealing", "has_inside_info", "I can't say", None),
    ("gifts", "official", "she isn't", False), ("gifts", "official", "none of them are", False), ("gifts", "official", "on our side", None),
    ("loan", "consent_contract", "non acconsento", False), ("loan", "consent_contract", "non do il consenso", False),
    ("loan", "consent_contract", "accetto", True), ("loan", "consent_contract", "preferirei di no", False),
    ("loan", "consent_contract", "i miei dati", None), ("loan", "consent_contract", "nn acconsento", False),
    ("loan", "consent_contract", "non ho nulla in contrario", True), ("loan", "consent_contract", "nessuna obiezione", None),
    ("loan", "consent_contract", "no, nessun problema, acconsento", None), ("loan", "consent_contract", "meglio di no, grazie lo stesso", False),
    ("loan", "has_other_income", "ricevo un affitto", True),
    ("loan", "has_other_income", "un affitto", None), ("loan", "has_other_income", "al momento non ricevo redditi", False),
    ("vehicle_case", "cambian_dimensiones", "no cambia nada", False), ("vehicle_case", "cambian_dimensiones", "cambian las plazas", True),
    ("vehicle_case", "cambian_dimensiones", "la reforma", None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "asked", "text", "answer"), ECHOES)
def test_a_questions_own_words_lean_to_an_answer(name: str, asked: str, text: str, answer: bool | None) -> None:
    """Its verb repeated is a yes, any word of it denied a no, one click away; what it is about alone is neither, and so is a yes before the other."""
    given: dict[str, object] = {"loan": OUT_OF_WORK, "gifts": {"sort": "gift"}}.get(name, {})
    stage = next(iter(shipped(name).form.fields[asked].stage), "any")
    came = Talk(name, stage, asked, given=given).say(text)
    assert came.set == {} and came.back.get(asked) == (None if answer is None else [answer])


@pytest.mark.parametrize(
    "text", ["he cambiado las ruedas y los chismes", "ahora mismo le he puesto un escape nuevo y también le he cambiado las ruedas y los chismes"]
)  # fmt: skip
def test_what_is_listed_is_put_back_however_long_the_line(text: str) -> None:
    """Of several things those that the form lists are put back, beside one that it does not know."""
    came = Talk("vehicle_case", "idle", "elementos", given={"tipo_vehiculo": "motocicleta"}).say(text)
    assert came.set == {} and came.back["elementos"] == [("escape", "ruedas") if "escape" in text else ("ruedas",)]


@pytest.mark.parametrize("text", ["some bank", "any account", "plain account"])
def test_a_name_that_begins_with_a_word_for_none_in_particular_is_put_back(text: str) -> None:
    """It may be a name, and it may name nothing: only the person can say."""
    model = ToolCall("c1", "set_trade", {"account": text, "words": text})
    for calls in ((), (model,)):
        assert "account" not in Talk("pa_dealing", "any", "account", *calls).say(text).set


BESIDE_A_QUESTION = [
    ("I want steady dividends for my retirement. Is that enough?", "I want steady dividends for my retirement."),
    ("Does that count? I want steady dividends for my retirement.", "I want steady dividends for my retirement."),
    ("The app asks “really sure?” and I am: it pays steady dividends", "The app asks “really sure?” and I am: it pays steady dividends"),
    ("I want dividends for my retirement because rates fall. Is that enough?", "I want dividends for my retirement because rates fall."),
    ("Why do you ask? I told you that already.", None), ("can I skip this? not sure", None), ("can I skip this? it's late", None),
    ("?", None), ("¿?", None),
    ("Is that needed? I don't know what to write", None), ("What do you mean? I don't get that question at all", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), BESIDE_A_QUESTION)
def test_a_question_beside_a_text_does_not_lose_it(text: str, told: str | None) -> None:
    """Sentences that ask nothing are put back for the text that was asked, whatever is asked before or behind them; small talk is none."""
    given = {"has_client_conflict": False, "holding_period_ack": True}
    came = Talk("pa_dealing", "any", "justification", given=given).say(text)
    assert came.set == {} and came.back.get("justification") == (None if told is None else [told])


def test_a_text_beside_a_question_is_not_torn_apart() -> None:
    """Words that lead to another text of the form are a part of this one, where a question stands beside it."""
    form, text = (
        shipped("requirements").form,
        "When I click save nothing happens. I lose everything & have to start over. Any ideas?",
    )
    draft = begin(form, "d1", "T1", "U0ALEX", "T1:D1:", AT)
    draft = replace(draft, stage=next(iter(form.fields["description"].stage)), asked="description")
    calls = read_open(form, draft, text, "m1", Context(form.language, AT[:10])).calls
    told = [call.arguments for call in calls if call.tool != EXPLAIN]
    assert told == [{"description": text[:-11], "words": text[:-10]}]


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("a client, Dr. Ines van der Holt", ["Dr. Ines van der Holt"]),
        ("Klaus von Hagenow and his wife Birgit", ["Klaus von Hagenow", "Birgit"]),
        ("it was handed over by Ahmed bin Yusuf al-Rashidi on the stairs", ["Ahmed bin Yusuf al-Rashidi"]),
    ],
)
def test_a_name_keeps_the_small_words_within_it(text: str, who: list[str]) -> None:
    """What stands between the parts of a person's name is a part of it."""
    assert Talk("gifts", "any", "other_party").say(text).back["other_party"] == who


@pytest.mark.parametrize(
    "text", ["no but his wife works for the tax office", "no, apart from the mayor", "nein, außer dem Bürgermeister", "yes, but they left"]
)  # fmt: skip
def test_a_yes_or_no_with_a_but_is_neither(text: str) -> None:
    """What is made an exception of may be what the question is about."""
    came = Talk("gifts", "any", "official").say(text)
    assert "official" not in {**came.set, **came.back}


@pytest.mark.parametrize(
    "text",
    ["tbd", "not decided yet", "I can't think of one right now", "steht noch nicht fest", "da decidere", "por decidir"],
)
def test_what_is_not_decided_yet_is_no_text(text: str) -> None:
    """Words that say that there is no answer yet are not stored as one."""
    came = Talk("gifts", "any", "what").say(text)
    assert "what" not in {**came.set, **came.back}


@pytest.mark.parametrize(
    ("asked", "text", "likely"),
    [
        ("net_salary", "mille e mezzo", "1500.00"), ("net_salary", "trentamila e mezzo", "30500.00"), ("debt_instalment_1", "il 27", None),
        ("debt_instalment_1", "200 euro 24 mesi", "200.00"), ("debt_instalment_1", "200 euro 24", "200.24"), ("net_salary", "1,8", None),
        ("debt_lender_1", "Banca Esempio o Cassa Prova", "Banca Esempio o Cassa Prova"),
    ],
)  # fmt: skip
def test_a_sum_or_a_name_that_may_be_another_is_not_taken(asked: str, text: str, likely: str | None) -> None:
    """A half of a thousand, a day of the month, months behind a sum, one of two names: what may be meant is put back, and nothing else."""
    came = Talk("loan", "liabilities_detail" if "debt" in asked else "manual_emp", asked).say(text)
    assert came.set == {} and came.back.get(asked) == (None if likely is None else [likely])


@pytest.mark.parametrize("text", ["12:60", "10:99", "10.75", "9:90"])
def test_no_hour_has_more_than_sixty_minutes(text: str) -> None:
    """A slip in the minutes is no later hour."""
    came = Talk("loan", "scheduling", "appointment_time", given=BOOKING).say(text)
    assert "appointment_time" not in {**came.set, **came.back}


@pytest.mark.parametrize("text", ["boh sì", "mah sì", "sì boh va bene"])
def test_a_doubt_beside_a_yes_consents_to_nothing(text: str) -> None:
    """A yes in doubt costs the click that a plain one does not."""
    came = Talk("loan", "consent", "consent_contract").say(text)
    assert came.set == {} and came.back == {"consent_contract": [True]}


@pytest.mark.parametrize(
    ("name", "asked", "text"),
    [
        ("pa_dealing", "direction", "the two"), ("pa_dealing", "direction", "both"), ("gifts", "sort", "the 2"), ("vehicle_case", "taller", "los 2"),
        ("vehicle_case", "taller", "las dos"),
    ],
)  # fmt: skip
def test_all_of_so_many_is_no_place_in_a_list(name: str, asked: str, text: str) -> None:
    """Who means two things does not mean the second one."""
    stage = next(iter(shipped(name).form.fields[asked].stage), "any")
    came = Talk(name, stage, asked).say(text)
    assert asked not in {**came.set, **came.back}


@pytest.mark.parametrize("text", ["Savings", "Nobody", "Next", "whatever"])
def test_a_word_of_the_language_alone_is_no_name_without_a_click(text: str) -> None:
    """Phones write the first word with a capital, whatever it says."""
    assert "account" not in Talk("pa_dealing", "any", "account").say(text).set


@pytest.mark.parametrize("text", ["200 not 300", "it's 200, not 300", "not 300 but 200"])
def test_the_value_that_stands_denied_beside_another_is_put_right(text: str) -> None:
    """Who says what it is not, and what it is, changes that answer, whatever is asked."""
    came = Talk("pa_dealing", "any", "account", given={"quantity": 300}).say(text)
    assert came.set == {} and came.back == {} and came.proposed == {"quantity": 200}


@pytest.mark.parametrize("text", ["25 apiece, 50 in total", "each share 25, 50 altogether", "jeweils 25, zusammen 50"])
def test_of_a_sum_of_each_and_one_of_all_the_latter_is_put_back(text: str) -> None:
    """The sum of one answers nothing beside the sum of all."""
    came = Talk("pa_dealing", "any", "value").say(text)
    assert came.set == {} and came.back == {"value": ["50.00"]}


@pytest.mark.parametrize(
    "text",
    [
        "buy Tesco for 2000 pounds, no make it 3000",
        "compro Tesco per 2000 sterline, anzi 3000",
        "quiero comprar Tesco por 2000 libras, no, mejor 3000",
        "ich kaufe Tesco für 2000 Pfund, nein 3000",
    ],
)
def test_what_puts_a_sum_right_is_a_sum(text: str) -> None:
    """The figure behind words of correction is of the kind of the one before it: asked which sum is meant, and no other field's."""
    came = Talk("pa_dealing", "any", "security").say(text)
    assert "quantity" not in {**came.set, **came.back} and came.back["value"] == ["2000.00", "3000.00"]


@pytest.mark.parametrize("text", ["well, no", "hm no", "so no", "no then", "in that case no"])
def test_words_that_hesitate_around_a_plain_answer_change_nothing_in_it(text: str) -> None:
    """They say nothing of it."""
    assert Talk("pa_dealing", "any", "is_leveraged", given={"is_derivative": False}).say(text).set == {
        "is_leveraged": False
    }


@pytest.mark.parametrize(
    "text", ["it's for me and my brother", "für mich und meine Frau", "es para mí y mi mujer", "per me e mia moglie"]
)
def test_who_else_a_trade_is_for_is_put_back(text: str) -> None:
    """In any language it is shown as the worse answer, for a click."""
    came = Talk("pa_dealing", "any", "direction").say(text)
    assert came.set == {} and came.back == {"is_related_party": [True]}


def test_a_text_that_was_said_too_early_is_offered_when_it_is_asked_for() -> None:
    """Nobody writes anew what nothing came of."""
    words = "I want to pay off part of my mortgage this year"
    talk = Talk("pa_dealing", "any", "has_client_conflict")
    talk.say(words)
    assert [o for o in talk.draft.offers if o.said] == []
    talk.say("no")
    talk.click("answer", "holding_period_ack", True)
    assert [(o.field, o.data) for o in talk.draft.offers] == [("justification", words)]


@pytest.mark.parametrize(("asked", "text", "last", "then", "field", "data"), [
    ("loan consent consent_contract", "guadagno 1800 al mese", "track_choice_emp", "manuale", "net_salary", "1800.00"),
    ("loan employment_type employment_type", "prendo 1.700 netti", "track_choice_emp", "manuale", "net_salary", "1700.00"),
    ("loan consent consent_contract", "sono nato il 3/4/1985", "track_choice_emp", "manuale", "birth_date", "1985-04-03"),
    ("loan employment_type employment_type", "siamo in 4 in famiglia", "manual_emp", "", "household_size", 4),
    ("loan consent consent_contract", "abito in provincia di Torino", "manual_emp", "", "province", "Torino"),
    *(("loan consent consent_contract", text, "household_data", "", "has_debts", False) for text in (
        "nessun debito", "non ho debiti", "zero debiti", "debiti zero", "senza finanziamenti in corso", "niente rate", "no debiti no rate",
        "non ho altri prestiti", "no debts", "no tengo deudas", "keine Schulden")),
    ("vehicle_case idle_quote ", "1234 BCD", "collect_personal", "", "matricula", "1234BCD"),
    ("vehicle_case idle_quote ", "año 2015", "collect_personal", "", "anio", 2015),
    ("vehicle_case idle_quote ", "no cambian las dimensiones", "collect_personal", "", "cambian_dimensiones", False),
    *(("loan consent consent_contract", text, last, then, field, None) for text, last, then, field in (
        ("lo stipendio di mia moglie è 1200", "track_choice_emp", "manuale", "net_salary"),
        ("il mio stipendio non arriva a 1500", "track_choice_emp", "manuale", "net_salary"),
        ("mio padre è nato il 3/4/1955", "track_choice_emp", "manuale", "birth_date"),
        ("non voglio fare altri debiti", "household_data", "", "has_debts"), ("non so se ho debiti", "household_data", "", "has_debts"),
        ("vorrei rate basse", "household_data", "", "has_debts"))),
    ("vehicle_case idle_quote ", "mi antigua furgo era 4321 XYZ", "collect_personal", "", "matricula", None),
])  # fmt: skip
def test_what_plainly_answers_a_later_question_is_offered_there(
    asked: str, text: str, last: str, then: str, field: str, data: object
) -> None:
    """A figure or a day beside the field's name, a code by itself, and a plain no to what it is called: nothing else, and none for the open one."""
    name, stage, question = asked.split(" ")
    talk = Talk(name, stage, question)
    talk.draft = replace(talk.draft, values={n: v for n, v in talk.draft.values.items() if n != field})
    came = talk.say(text)
    assert came.set == came.back == {} and (data is None or talk.draft.turns_in_vain == 0)
    talk.skip(last, field)
    talk.say(then) if then else talk.click("begin")
    assert [o.data for o in talk.draft.offers if o.field == field] == ([] if data is None else [data])


@pytest.mark.parametrize(("text", "shown"), [
    ("what did I say for the quantity?", "Quantity: 200"), ("how many shares did I put?", "Quantity: 200"),
    ("what does quantity mean?", "whole number"),
])  # fmt: skip
def test_what_was_answered_is_told_to_who_asks(text: str, shown: str) -> None:
    """Who asks what the question means gets its explanation instead."""
    talk = Talk("pa_dealing", "any", "account")
    talk.say(text)
    card = talk.draft.card
    assert card is not None and any(isinstance(t, Verbatim) and shown in t.text for t in card.lead_in)


@pytest.mark.parametrize(("text", "value"), [
    ("unos treinta euros", ["30.00"]), ("6 euro 40", ["6.40"]),
    ("15 mil dólares", ["15000.00"]), ("3 Tausend Euro", ["3000.00"]), ("12 mila euro", ["12000.00"]), ("15 mil dollars", []),
])  # fmt: skip
def test_a_word_for_thousands_counts_in_any_language(text: str, value: list[str]) -> None:
    """The sum is put back as it is meant; where it is not clear what the word comes to, there is none."""
    came = Talk("pa_dealing", "any", "value").say(text)
    assert came.set == {} and came.back.get("value", []) == value


@pytest.mark.parametrize("text", ["io, mia moglie e due figli", "due adulti e un bambino", "mia madre, io e due gatti"])
def test_a_number_of_some_people_is_not_that_of_all(text: str) -> None:
    """Who lists a household is asked how many they are."""
    came = Talk("loan", "household_data", "household_size").say(text)
    assert came.set == {} and came.back == {}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("it isnt one", False), ("nope its not", False), ("i havent got any", False), ("we dont", False), ("ive none of that", False),
        ("none at all", False), ("non ne ho alcuna", False), ("hab davon nichts gehört", False), ("no tengo nada de eso", False),
        ("not just mine", None), ("i dont know", None), ("no clue", None), ("no problem", None), ("no to all of them", None),
        ("no thats ordinary shares", False), ("yep its a warrant", True), ("Yes - covered calls, to earn a bit", True),
        ("sí, opciones de venta", True), ("hm, don't think so", False), ("boh, non credo", False), ("no, sell", None), ("no yes", None),
    ],
)  # fmt: skip
def test_a_short_no_and_a_yes_that_goes_on_are_put_back(text: str, answer: bool | None) -> None:
    """Without its apostrophe a word denies as with it; what limits a denial, doubts it or answers several questions is none."""
    came = Talk("pa_dealing", "any", "is_derivative").say(text)
    told = came.set.get("is_derivative", *came.back.get("is_derivative", [None]))
    assert told is answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("only me", False), ("just for myself", False), ("nur für mich selbst", False), ("solo para mí", False), ("solo per me", False),
        ("my own money", False), ("my daughter", True), ("me and my husband", True), ("meine Schwester", True), ("mia madre e me", True),
        ("not just for me", None), ("nicht nur für mich", None), ("somebody", None),
    ],
)  # fmt: skip
def test_who_names_somebody_answers_for_whom_it_is(text: str, answer: bool | None) -> None:
    """Somebody close is the worse answer, the speaker alone the other; both wait for a click."""
    came = Talk("pa_dealing", "any", "is_related_party").say(text)
    assert came.set == {} and came.back == ({} if answer is None else {"is_related_party": [answer]})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Tesco, no wait, Vodafone", "Vodafone"), ("not Tesco, Vodafone", "Vodafone"), ("Tesco no, mejor Vodafone", "Vodafone"),
        ("buy Tesco. no, sell Vodafone", "Vodafone"), ("gonna ditch my Tesco", "Tesco"), ("Barclays?", "Barclays"), ("Is Barclays ok?", None),
        ("swap my Tesco for Shell", None), ("scambio Enel con Eni", None), ("meine Tesco gegen Shell tauschen", None),
        ("buy a swap on Tesco", "Tesco"),
        ("Think Smart", "Think Smart"), ("buy 10 Think Smart", "Think Smart"), ("Maybe Ltd", "Maybe Ltd"), ("Kaufe 20 Aktien BASF", "BASF"),
        ("will meine BASF loswerden", "BASF"), ("Buying Tesco x 40", "Tesco"),
        ("3i Group, 50 shares", "3i Group"), ("sell my van Elle", "van Elle"), ("the same one as last time", None),
        ("my cousin at Tesco says it will be a great year, buy 50", "Tesco"), ("its tesco, in my SIPP w/ Northfield", "tesco"),
        ("one sec, need to look up the ticker", None), ("lol what are securities", None), ("aún no lo sé, luego le digo", None),
        ("ciao vorrei comprare duecento azioni tesco nel mio isa circa 700 sterline", "tesco"),
        ("quiero vender doscientas acciones de Tesco por 720 libras", "Tesco"), ("sell 50 La Doria", "La Doria"),
        ("Guten Tag, ich möchte zwölf Tesco Aktien verkaufen, Wert 45 Pfund", "Tesco"), ("quiero vender algo de mi cartera", None),
        ("vorrei vendere qualcosa del mio portafoglio", None),
        ("TSCO SELL 50 @ 2.40", "TSCO"), ("please buy me 10 Apple Inc shares at market for my SIPP", "Apple Inc"),
        ("a bank stock, Barclays", "Barclays"), ("thinking about Diageo", "Diageo"),
        ("vendo mis 10 acciones de Apple para comprar un coche", "Apple"), ("vendere 10 Eni per 1.200 euro", "Eni"),
        ("devo vendere 300 azioni Intesa che ho sul conto di Fineco, valgono circa 1.100 euro", "Intesa"), ("same as last time but 100", None),
        ("I want to get out of my Tesco position, worth 1.2k, they sit in my SIPP", "Tesco"), ("ich will was aus meinem Depot verkaufen", None),
    ],
)  # fmt: skip
def test_the_thing_that_is_meant_in_the_end_is_looked_up(text: str, name: str | None) -> None:
    """Not what is put aside, nor small words of any language around a name; words for what they own, or that ask for patience, name nothing."""
    assert Talk("pa_dealing", "any", "security").say(text).set.get("security") == name


@pytest.mark.parametrize(
    ("name", "stage", "asked", "text", "value"),
    [
        ("gifts", "any", "firm", "Quillbrook I think", "Quillbrook"), ("gifts", "any", "firm", "probably Quillbrook", "Quillbrook"),
        ("gifts", "any", "firm", "it was Quillbrook", "Quillbrook"), ("loan", "liabilities_detail", "debt_lender_1", "credo la Corallo", "Corallo"),
        ("loan", "liabilities_detail", "debt_lender_1", "con la Banca del Corso", "Banca del Corso"),
        ("vehicle_case", "collect_personal", "localidad", "creo que Villanueva", "Villanueva"),
        ("vehicle_case", "collect_personal", "localidad", "vivo en Villanueva", "Villanueva"),
        ("gifts", "any", "firm", "dunno, Quillbrook or sth", "Quillbrook"),
        ("gifts", "any", "firm", "Just Because Events", "Just Because Events"),
    ],
)  # fmt: skip
def test_words_for_how_sure_one_is_are_no_part_of_a_name(
    name: str, stage: str, asked: str, text: str, value: str
) -> None:
    """The name alone is put back, its kind with it where that has a capital, and waits for a click."""
    came = Talk(name, stage, asked).say(text)
    assert came.set == {} and value in came.back[asked]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("thurs", ["2026-11-26", "2026-11-19"]), ("am Mi", ["2026-11-25", "2026-11-18"]), ("yday", ["2026-11-19"]),
        ("il 3/11", ["2026-11-03"]), ("my sat nav", []),
    ],
)  # fmt: skip
def test_a_day_cut_short_is_one(text: str, days: list[str]) -> None:
    """People write few letters of a weekday; of a word that means something else, none."""
    came = Talk("gifts", "any", "day").say(text)
    assert sorted([*came.back.get("day", []), *filter(None, [came.set.get("day")])]) == sorted(days)
