"""The measure is measured: what counts as told and as put back, and what each kind of fault makes of a message."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from state.draft.draft import Draft, Offer, Option, Proposal, Provenance, Value
from state.form import Form
from tests.forms.form_cases import HEAD, form_of
from tests.replay.data import Turn, Write
from tests.replay.faults import KINDS, Moment, Proposed
from tests.replay.folders import TRAPS
from tests.replay.gold import tells
from tests.replay.outcomes import BACK, REFUSED, TAKEN, end_of, is_put_back
from tests.replay.report import Figure

FIELDS = """
[fields.from_city]
kind = "text"
label = "From"
ask = "From where?"
[fields.to_city]
kind = "text"
label = "To"
ask = "To where?"
[fields.day]
kind = "date"
label = "Day"
ask = "When?"
[fields.rooms]
kind = "integer"
label = "Rooms"
ask = "How many rooms?"
[fields.device]
kind = "choice"
label = "Device"
ask = "On which device?"
choices = ["TV", "Kitchen speaker"]
[fields.shared_ride]
kind = "yes_no"
label = "Shared ride"
ask = "Is the ride shared?"
"""
DRAFT = Draft("D1", "small", "T", "U1", "T:D:")


@pytest.fixture(scope="module")
def form(tmp_path_factory: pytest.TempPathFactory) -> Form:
    """A field of every kind that the data set's forms have."""
    return form_of(Path(tmp_path_factory.mktemp("form")), HEAD + FIELDS + TRAPS)


def wrote(field: str, value: str, how: str = "span", quote: str = "", *spellings: str) -> Write:
    """A value as the data set annotates it."""
    return Write(field, value, (value, *spellings), how, quote or value, correction=False)


@pytest.mark.parametrize(
    ("write", "text"),
    [
        (wrote("from_city", "San Jose"), "I leave from san jose tomorrow."),
        (wrote("day", "2019-03-06", "span", "the 6th", "the 6th"), "On the 6th, please."),
        (wrote("rooms", "2", "inform"), "I need two rooms."),
        (wrote("device", "Kitchen speaker", "inform"), "Play it on my kitchen device."),
        (wrote("shared_ride", "True", "inform"), "I don't mind sharing."),
        (wrote("from_city", "Long Beach", "accept"), "Yes, from Long Beach."),
    ],
)
def test_a_message_tells_a_value_of_which_it_holds_a_word(form: Form, write: Write, text: str) -> None:
    """A spelling of it, its number in letters, a word of the choice, or the field's name beside a yes: the value was told."""
    assert tells(write, text, form.fields[write.field], asked="")


@pytest.mark.parametrize(
    ("write", "text"),
    [
        (wrote("from_city", "San Jose", "accept"), "Sounds good, thanks."),
        (wrote("rooms", "2", "carry"), "A room there, please."),
        (wrote("rooms", "1", "inform"), "Just for me."),
        (wrote("device", "TV", "inform"), "Put it on my television."),
        (wrote("shared_ride", "True", "inform"), "Yes, I need a ride."),
        (wrote("from_city", "Nice", "span"), "Nicely done."),
    ],
)
def test_a_value_without_any_word_of_it_is_no_telling(form: Form, write: Write, text: str) -> None:
    """What was taken from the other bot's offer, carried over, paraphrased or left to be guessed was not told."""
    assert not tells(write, text, form.fields[write.field], asked="")


def test_the_answer_to_our_own_question_tells_it(form: Form) -> None:
    """What the annotation has as said otherwise is told by whatever answers the field that our form has asked."""
    write = wrote("rooms", "1", "inform")
    assert tells(write, "Just for me.", form.fields["rooms"], asked="rooms")


def holding(**data: str) -> Draft:
    """A draft with these values."""
    return replace(DRAFT, values={n: Value(d, Provenance("U1", "", "read")) for n, d in data.items()})


def test_what_came_of_a_value_is_read_off_the_draft() -> None:
    """Taken where it came in; put back where a card proposes it or results of its field are on screen; else refused, as where it stood before."""
    paris = holding(to_city="Paris").values["to_city"]
    proposing = replace(DRAFT, proposal=Proposal("change", "c", "to_city", paris))
    listing = replace(DRAFT, options={"to_city": (Option("1", "Paris, Texas"),)})
    for after, end in ((holding(to_city="Paris"), TAKEN), (proposing, BACK), (listing, BACK), (DRAFT, REFUSED)):
        assert end_of(DRAFT, after, "to_city", "Paris".__eq__) == end
    assert end_of(holding(to_city="Paris"), holding(to_city="Paris"), "to_city", "Paris".__eq__) == REFUSED
    assert end_of(DRAFT, holding(to_city="Rome"), "to_city", "Paris".__eq__) == REFUSED


def test_an_offer_of_the_models_puts_nothing_back() -> None:
    """A suggestion that quotes no words of the person's is no answer to what they wrote."""
    offered = replace(DRAFT, offers=(Offer("to_city", "Paris", "Paris", 1),))
    assert not is_put_back(offered, "to_city", "Paris".__eq__)


def faults(form: Form, kind: str, text: str, *writes: Write, values: dict[str, str] | None = None) -> list[Proposed]:
    """The calls that one kind of fault makes of a message."""
    turn, held = Turn(text, writes), values or {}
    good = tuple((f"set_{w.field}", {w.field: w.value, "words": w.quote}) for w in writes)
    open_tools = {"correct", *(f"set_{n}" for n in form.fields if n not in held)}
    pool = {"to_city": ["Oslo"], "from_city": ["Oslo"], "day": ["2019-03-09"]}
    moment = Moment(form, turn, good, good, open_tools.__contains__, held, pool, text.casefold(), random.Random(1))
    return list(KINDS[kind](moment))


TRIP = "From Rome to Paris on 2019-03-06, 2 rooms"
TOLD = (wrote("from_city", "Rome"), wrote("to_city", "Paris"), wrote("day", "2019-03-06"), wrote("rooms", "2"))


def given(calls: list[Proposed]) -> dict[str, object]:
    """Field to the value that the calls give it."""
    return {n: v for _, arguments in calls for n, v in arguments.items() if n != "words"}


def test_a_swap_gives_two_values_of_a_kind_to_each_others_fields(form: Form) -> None:
    """Two places of one message change places, each with words that the person wrote."""
    calls = faults(form, "swap within a message", TRIP, *TOLD[:3])
    assert given(calls) == {"from_city": "Paris", "to_city": "Rome"}
    assert all(arguments["words"] in TRIP for _, arguments in calls)


def test_a_right_value_goes_to_a_slot_of_which_nothing_was_said(form: Form) -> None:
    """The only place of a message is given to the other field of its kind."""
    assert given(faults(form, "right value, wrong slot", "From Rome", TOLD[0])) == {"to_city": "Rome"}


def test_off_by_one_is_the_neighbour_of_what_was_said(form: Form) -> None:
    """The day before or after, one room more or less."""
    assert given(faults(form, "off by one", TRIP, TOLD[2]))["day"] in ("2019-03-05", "2019-03-07")
    assert given(faults(form, "off by one", TRIP, TOLD[3]))["rooms"] in ("1", "3")


def test_a_wrong_word_is_another_word_of_the_message(form: Form) -> None:
    """A text is given a word that no told value holds."""
    (call,) = faults(form, "wrong word", "Please book from Rome", TOLD[0])
    assert set(given([call]).values()) <= {"Please", "book", "from"}


def test_one_no_is_given_to_two_questions(form: Form) -> None:
    """A no that nobody is asked for becomes the answer of two yes/no fields."""
    calls = faults(form, "one no or yes for two", "No, that's all")
    assert list(given(calls).values()) == [False, False]


def test_the_whole_message_is_quoted_for_every_value(form: Form) -> None:
    """The right values come with words that hold more than they should."""
    calls = faults(form, "whole message as quote", TRIP, *TOLD)
    assert {arguments["words"] for _, arguments in calls} == {TRIP}
    assert given(calls) == {w.field: w.value for w in TOLD}


def test_what_is_invented_stands_nowhere_in_the_message(form: Form) -> None:
    """Neither an open field nor a finished one is given a value that the person could have meant."""
    assert "Oslo" in given(faults(form, "invents", "Good morning")).values()
    calls = faults(form, "overwrites", "Good morning", values={"to_city": "Paris"})
    assert [tool for tool, _ in calls] == ["correct", "set_to_city"]
    assert all("Oslo" in arguments.values() for _, arguments in calls)


def test_a_figure_says_whether_its_target_is_met() -> None:
    """A share beyond its limit is marked, one within it is not, and of nothing there is nothing wrong."""
    missed, met = Figure("wrong", 1, 100, most=0.005), Figure("wrong", 1, 200, most=0.005)
    assert (missed.met, missed.shown, missed.target) == (False, "1.00% of 100 !", "≤ 0.5%")
    assert (met.met, met.shown) == (True, "0.50% of 200")
    assert Figure("wrong", 0, 0, most=0.005).met
