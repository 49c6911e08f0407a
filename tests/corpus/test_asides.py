"""Words to whoever asks, answers by what or whom they speak of, words of another time, and answers put right by their names."""

from typing import Any

import pytest

from state.draft.reply import ToolCall
from state.draft.utterance import Verbatim
from state.engine.effects import CallModel, Ephemeral, Post
from state.engine.events import MessageReceived
from state.language import LANGUAGES
from state.language.asides import speaks_to_us
from tests.corpus.turns import AT, OWNER, Talk

BUG = {"document": "bug", "name": "Search finds nothing", "target": "the shop", "background": "A shop that sells seeds"}
DECLARED = {"has_client_conflict": False, "holding_period_ack": True}
REVIEWED = {**DECLARED, "justification": "long-term saving for my children and their studies"}


@pytest.mark.parametrize(
    ("name", "stage", "asked", "text"),
    [
        ("pa_dealing", "any", "justification", text)
        for text in (
            "I really ought to run this past my adviser before I say", "could somebody at your end ring me about it please",
            "will somebody pass that on to my boss", "what sort of reasons do people give there", "I told you the reason twice already",
            "right, I shall have to leave this until next week", "this form is a complete joke, honestly",
            "I would like to start again with another request",
            "why would you need to know that at all", "ich muss das vorher noch mit meiner Frau besprechen",
            "devo prima parlarne con il mio consulente",
            "tengo que consultarlo antes con mi gestor", "I haven't got time for this now, maybe on Friday",
            "I want to withdraw the request altogether", "i'll need to check with my broker first", "you sound like my mum",
            "your form is slow today", "what happens if I leave this blank", "if I say it is urgent will it be refused",
            "i won't answer that before somebody tells me why", "better ask Yvette", "undo my last answer", "please connect me with a person",
            "ihr Formular ist langsam", "ne parli con Marta, lo sa meglio", "póngame con una persona",
        )
    ],
)  # fmt: skip
def test_words_to_whoever_asks_are_no_text(name: str, stage: str, asked: str, text: str) -> None:
    """A wish about the form, a question without a mark, somebody to be asked first: at most put back whole, and never taken."""
    came = Talk(name, stage, asked, given=DECLARED).say(text)
    assert came.set == {} and came.back.get(asked, [text]) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "I have to move house in spring and need the deposit", "I want to stop losing money on a falling share",
        "my adviser asked me to hold fewer banks",
        "we need the cash for a new kitchen and a roof", "what they are doing with batteries looks promising to me",
        "to change the mix of my pension towards bonds", "I asked my broker and he suggests selling half of it",
    ],
)  # fmt: skip
def test_a_reason_that_begins_like_an_aside_is_taken(text: str) -> None:
    """What somebody has to do, wants to stop or was asked to do is a reason, where it is not about the form."""
    assert Talk("pa_dealing", "any", "justification", given=DECLARED).say(text).set == {"justification": text}


def test_a_text_that_may_be_said_to_us_is_put_back_as_it_stands() -> None:
    """Nothing is cut from it: the person says with one click that it is the answer after all."""
    text = "I have to ask the helpdesk every time to reset it"
    assert Talk("requirements", "any", "description", given=BUG).say(text).back == {"description": [text]}


def test_words_about_a_person_within_a_text_call_none() -> None:
    """Only a message that begins with the wish for a person is one."""
    text = "Visitors of the new help page of the shop who would like to talk to a human find no number there at all"
    assert Talk("requirements", "any", "description", given=BUG).say(text).set == {"description": text}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("will my boss see this", True), ("what did I say", True), ("what I said stands", False), ("back in 10", True),
        ("the back office is slow", False),
        ("I need to sell it", False), ("my manager needs to look at it first", True), ("lascio per oggi", False), ("muss ich das sagen", True),
    ],
)  # fmt: skip
def test_an_aside_speaks_of_the_form_or_asks(text: str, said: bool) -> None:
    """What is done to the form, who is asked before, a verb before who it is of."""
    assert speaks_to_us(text, LANGUAGES["en"]) is said


THINGS = [
    ("pa_dealing", "is_derivative", "no, it's a warrant on an index", True), ("pa_dealing", "is_derivative", "plain shares", False),
    ("pa_dealing", "is_derivative", "no options", None), ("pa_dealing", "is_derivative", "does a fund of bonds count", None),
    ("pa_dealing", "is_leveraged", "nope it's on margin", True), ("pa_dealing", "is_leveraged", "bought outright", False),
    ("pa_dealing", "has_inside_info", "no but I did hear about a bid", True), ("pa_dealing", "has_inside_info", "only what's public", False),
    ("pa_dealing", "has_inside_info", "yes, only what's public", None), ("pa_dealing", "has_inside_info",
    "what I read in the news about a takeover", None),
    ("pa_dealing", "is_related_party", "nobody else, only myself", False), ("pa_dealing", "is_related_party", "yes for myself", None),
    ("loan", "has_debts", "sto ancora pagando l'auto", True), ("loan", "has_debts", "debiti finiti", False),
]  # fmt: skip


@pytest.mark.parametrize(("name", "asked", "text", "answer"), THINGS)
def test_a_thing_that_is_named_answers(name: str, asked: str, text: str, answer: bool | None) -> None:
    """What the form lists for a yes or a no is put back as that, whatever stands before it; a yes before what is better says neither."""
    stage = {"loan": "liabilities_intro"}.get(name, "any")
    came = Talk(name, stage, asked).say(text)
    back = came.back.get(asked) or [came.proposed.get(asked)]
    assert came.set == {} and (back == [answer] if answer is not None else True not in back or text == "no options")


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("has_inside_info", "No - only what their CFO told me at dinner"), ("has_inside_info", "no inside info besides the win they kept back"),
        ("has_client_conflict", "no, only with one mandate"), ("has_client_conflict", "none except for one client"),
        ("is_related_party", "no it's my daughter's account"), ("is_leveraged", "no, just a little of it"),
        ("is_derivative", "I'm buying the real thing, no options or futures or swaps"),
    ],
)  # fmt: skip
def test_a_no_that_takes_something_back_is_offered_as_neither(asked: str, text: str) -> None:
    """An exception, or somebody close, behind a no: the person presses the button; things that are denied in a row give no yes."""
    came = Talk("pa_dealing", "any", asked).say(text)
    assert came.set == {} and asked not in came.back


@pytest.mark.parametrize(
    ("asked", "text", "answer"),
    [
        ("has_client_conflict", "not that I can see, no", False), ("is_derivative", "no just shares", False),
        ("is_derivative", "It is, yes. Covered call on my holding.", True), ("has_inside_info", "no, only what's public", False),
    ],
)  # fmt: skip
def test_clauses_that_lean_one_way_are_put_back(asked: str, text: str, answer: bool) -> None:
    """Several clauses that lean alike, and a thing that comes only behind a no, give that answer."""
    assert Talk("pa_dealing", "any", asked).say(text).back == {asked: [answer]}


@pytest.mark.parametrize(
    ("stage", "asked", "text", "value"),
    [
        ("manual_emp", "net_salary", "vorrei 2500 euro", "2500.00"), ("household_data", "household_size", "eravamo in 5", 5),
        ("household_data", "household_size", "saremo in 6 da marzo", 6), ("household_data", "province", "vivevo a Torino", "Torino"),
        ("employment_type", "employment_type", "ero dipendente", "dipendente"),
    ],
)  # fmt: skip
def test_what_is_so_today_is_not_what_was_or_is_wished(stage: str, asked: str, text: str, value: Any) -> None:
    """Beside words of a wish or of another time a value is put back, and not taken."""
    came = Talk("loan", stage, asked).say(text)
    assert came.set == {} and value in came.back[asked]


def test_a_model_takes_no_other_time_for_today() -> None:
    """What a model reads of another time is put back as well."""
    call = ToolCall("c1", "set_household", {"household_size": 5, "words": "eravamo in 5"})
    came = Talk("loan", "household_data", "household_size", call).say("eravamo in 5")
    assert came.set == {} and came.back["household_size"] == [5]


RIGHTED = [
    ("pa_dealing", "any", "the account is my SIPP", "account", "SIPP"), ("pa_dealing", "any", "oops, 900 pounds not 90", "value", "900.00"),
    ("pa_dealing", "any", "sorry, the reason is that my daughter starts university and needs the money", "justification",
     "that my daughter starts university and needs the money"),
    ("vehicle_case", "collect_vehicle", "la calle es Calle del Olmo 6", "calle", "Calle del Olmo 6"),
    ("vehicle_case", "collect_vehicle", "me llamo Marta, no {nombre}", "nombre", "Marta"),
    ("vehicle_case", "collect_vehicle", "el correo bueno es marta@example.org", "email", "marta@example.org"),
    ("vehicle_case", "collect_vehicle", "marta@example.org", "email", "marta@example.org"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "stage", "text", "field", "value"), RIGHTED)
def test_an_answer_is_put_right_by_its_name(name: str, stage: str, text: str, field: str, value: Any) -> None:
    """Where no question waits for a text, what stands behind an answer's name, or in the place of what is denied, is proposed or taken."""
    talk = Talk(name, stage, {"pa_dealing": "", "vehicle_case": "cambian_dimensiones"}[name], given=REVIEWED)
    held = talk.draft.values
    came = talk.say(text.format(**{n: v.data for n, v in held.items()}))
    assert {**came.set, **came.proposed} == {field: value} or (field == "value" and came.back == {"value": [value]})


HELD = {**REVIEWED, "account": "ISA", "justification": "long term saving"}


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("could you change the number of shares to 1,000?", "quantity", 1000), ("can you make it a sale instead please?", "direction", "sell"),
        ("can you switch that to a sale?", "direction", "sell"),
        ("could we set the value to 900 pounds?", "value", "900.00"), ("not the ISA, the SIPP", "account", "SIPP"),
        ("SIPP not ISA", "account", "SIPP"),
        ("account should be GIA not ISA", "account", "GIA"), ("not ISA but SIPP", "account", "SIPP"),
        ("not long term saving, it's for school fees", "justification", "school fees"),
    ],
)  # fmt: skip
def test_a_change_may_be_asked_for_or_said_by_what_it_replaces(text: str, field: str, value: Any) -> None:
    """A request in the form of a question, and what was in the place of the answer, each in its whole and nothing of the denial."""
    assert Talk("pa_dealing", "any", "", given=HELD).say(text).proposed == {field: value}


def test_a_change_is_asked_for_beside_another_question() -> None:
    """A request that holds the new answer of another field is no question to which there is no answer."""
    assert Talk("pa_dealing", "any", "is_leveraged").say("could you change the quantity to 1,000?").proposed == {
        "quantity": 1000
    }
    assert Talk("pa_dealing", "any", "is_leveraged").say("can I change the quantity later?").proposed == {}


def test_a_name_within_an_address_is_not_denied() -> None:
    """Only whole words are what was said before: "Ana" is none in ana.sorzano@example.com."""
    came = Talk("vehicle_case", "collect_vehicle", "cambian_dimensiones").say("es .com no .es, ana.sorzano@example.com")
    assert "nombre" not in came.proposed


def test_a_model_is_told_before_the_person_is() -> None:
    """What a model gives and the rules refuse is the model's to mend; the person reads one message."""
    call = ToolCall("c1", "set_household", {"earners": 3, "words": "siamo in 3 a guadagnare"})
    talk = Talk("loan", "household_data", "earners", call, given={"household_size": 2})
    talk.say("siamo in 3 a guadagnare")
    assert [type(e) for e in talk.effects if isinstance(e, CallModel | Post)] == [CallModel, CallModel, Post]


@pytest.mark.parametrize(
    "text",
    [
        "can I change it later?",
        "what if I change the quantity to 500?",
        "through my old investment account, not the isa",
    ],
)
def test_a_question_about_changes_changes_nothing(text: str) -> None:
    """Only a request that holds the new answer is one; a name that cannot be told from its sentence is none."""
    assert Talk("pa_dealing", "any", "", given=HELD).say(text).proposed == {}


@pytest.mark.parametrize(
    ("name", "stage", "asked", "given", "text", "why"),
    [
        ("vehicle_case", "collect_vehicle", "cambian_dimensiones", {}, "el código postal es 46007", "Valencia"),
        ("loan", "household_data", "province", {"household_size": 3, "earners": 2}, "siamo in 1 in famiglia", "con un reddito"),
    ],
)  # fmt: skip
def test_what_the_rules_refuse_is_told_with_its_reason(
    name: str, stage: str, asked: str, given: dict[str, Any], text: str, why: str
) -> None:
    """Also where the answer is put right beside another question: the person reads why it cannot be, and nothing else."""
    talk = Talk(name, stage, asked, given=given)
    assert talk.say(text).set == {}
    (told,) = [e.card.lead_in for e in talk.effects if isinstance(e, Post)]
    assert [isinstance(one, Verbatim) and why in one.text for one in told] == [True]


def test_a_statement_with_a_question_behind_it_is_put_back_whole() -> None:
    """What fell and will recover, why not buy it now: a reason, one click away."""
    text = "It has dropped a lot and I believe it will recover, why not buy at this level?"
    assert Talk("pa_dealing", "any", "justification", given=DECLARED).say(text).back == {"justification": [text]}
    text = "what do people put in such a box as a rule, do you know?"
    assert Talk("pa_dealing", "any", "justification", given=DECLARED).say(text).back == {}


@pytest.mark.parametrize("text", ["the reason is fine", "the account is right", "no, the account should be wrong"])
def test_a_judgement_of_an_answer_is_no_other_answer(text: str) -> None:
    """Words that say how an answer is propose none."""
    came = Talk("pa_dealing", "any", "", given=REVIEWED).say(text)
    assert {**came.set, **came.proposed} == {}


def test_what_is_denied_changes_no_other_answer() -> None:
    """A figure that the person denies is proposed for nothing."""
    came = Talk("pa_dealing", "any", "", given=REVIEWED).say("oops, 900 pounds not 90")
    assert "quantity" not in {**came.set, **came.proposed}


@pytest.mark.parametrize(
    "text", ["sorry, the account is 300", "change account to 40718822", "no wait, account 40718822"]
)
def test_a_figure_beside_another_answers_name_is_no_change_of_the_first_figure(text: str) -> None:
    """It is proposed for the answer that is named, and for no other."""
    came = Talk("pa_dealing", "any", "", given=REVIEWED).say(text)
    assert came.proposed == {"account": text.rsplit(" ", 1)[-1]} and came.back == {}


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("me ne mancano 18 di rate non 24", "debt_remaining_1", 18), ("la rata non è 150 ma 180", "debt_instalment_1", "180.00"),
        ("lo stipendio non è 1500, è 1650", "net_salary", "1650.00"),
    ],
)  # fmt: skip
def test_a_denied_figure_denies_no_answer_beside_it(text: str, field: str, value: Any) -> None:
    """A no before a figure is about the figure, and not about the yes or no whose name stands there; what it denies is no new answer."""
    given = {
        "net_salary": "1500.00",
        "has_debts": True,
        "debt_type_1": "prestito",
        "debt_instalment_1": "150.00",
        "debt_remaining_1": 24,
    }
    assert Talk("loan", "liabilities_detail", "debt_lender_1", given=given).say(text).proposed == {field: value}


def test_a_command_to_a_silent_bot_is_told_who_answers() -> None:
    """While a person has the conversation, a command is not met by silence: the bot says that it is theirs."""
    talk = Talk("loan", "manual_emp", "net_salary")
    talk.say("parlare con una persona")
    talk.say("ricomincia")
    assert talk.draft.handed and [e.line.key for e in talk.effects if isinstance(e, Ephemeral)] == ["handed_over"]
    talk.say("guadagno 1500 euro")
    assert not [e for e in talk.effects if isinstance(e, Ephemeral)]


def test_words_that_crossed_the_question_for_a_text_are_put_back_for_it() -> None:
    """Typed before that question was known to stand, and no answer to the one before: nothing is lost, nothing taken."""
    text = "It caps what I can lose if the price falls"
    talk = Talk("pa_dealing", "any", "is_derivative", given={"is_related_party": False})
    talk.say("yes")
    talk.happen(MessageReceived("late", AT, OWNER, text, "9.0", early=True, shown="9999999999.999999"))
    assert "derivative_justification" not in talk.draft.values
    assert [o.data for o in talk.draft.offers if o.field == "derivative_justification"] == [text]
    assert not [e for e in talk.effects if isinstance(e, Post) and "told_early" in repr(e.card)]


@pytest.mark.parametrize(
    ("text", "taken"), [("Ok. Thank you.", False), ("perfetto, grazie", False), ("sì, grazie", True), ("ok", True)]
)
def test_an_approval_beside_thanks_takes_nothing_that_was_read(text: str, taken: bool) -> None:
    """It ends a talk as well as it agrees: what stands with the question waits for a yes, or a click."""
    talk = Talk("loan", "employment_type", "employment_type")
    assert talk.say("ero dipendente").back == {"employment_type": ["dipendente"]}
    assert bool(talk.say(text).set) is taken


@pytest.mark.parametrize(
    ("text", "taken"),
    [("Stop sending duplicate invoices", True), ("Stop the second reminder", True), ("stop asking me", False)],
)
def test_a_title_may_begin_with_what_shall_end(text: str, taken: bool) -> None:
    """Only what speaks to the bot is none."""
    assert bool(Talk("requirements", "any", "name", given={"document": "feature"}).say(text).set) is taken
