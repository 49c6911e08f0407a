"""What a person types at a card that asks "was → now?", for every kind of answer and in the shipped forms' languages."""

from dataclasses import replace
from typing import Any

import pytest

from state.draft.draft import Proposal, Provenance, Value
from state.draft.utterance import Phrase
from state.engine.cards import Change, Moved
from state.engine.effects import LookUp, Post, Repaint
from tests.corpus.turns import AT, OWNER, Talk

MONEY = ("loan", "manual_emp", "hire_date", "net_salary", "80.00", "1750.00")
NUMBER = ("pa_dealing", "any", "is_derivative", "quantity", 200, 250)
DAY = ("gifts", "any", "value", "day", "2026-11-03", "2026-11-04")
CHOICE = ("gifts", "any", "firm", "direction", "received", "given")
TEXT = ("vehicle_case", "collect_personal", "email", "nombre", "Ana", "Eva")
NAMES = ("vehicle_case", "collect_personal", "apellidos", "nombre", "Ana", "Eva")
STREET = ("vehicle_case", "collect_personal", "codigo_postal", "calle", "Calle Mayor 4", "Calle Mayor 6")
SHARES = ("pa_dealing", "any", "value", "quantity", 200, 250)
CODE = ("vehicle_case", "collect_personal", "email", "dni_cif", "12345678Z", "00000000T")
ASKED = tuple[str, str, str, str, Any, Any]


def asking(case: ASKED, *, locked: bool = False) -> Talk:
    """A talk in which the card is the last thing said."""
    name, stage, asked, field, was, now = case
    talk = Talk(name, stage, asked, given={field: was})
    value = Value(now, Provenance(OWNER, AT, "read", "0.2", str(now)))
    locks = talk.draft.locked_fields | ({field} if locked else set())
    proposal = Proposal("change", "card-x", field, value, turn=talk.draft.turn)
    talk.draft = replace(talk.draft, proposal=proposal, locked_fields=locks)
    return talk


def left_as_it_was(talk: Talk) -> bool:
    """Return True if the card was painted as turned down."""
    return any(isinstance(e, Repaint) and isinstance(e.card, Moved) and e.card.why == "kept" for e in talk.effects)


@pytest.mark.parametrize(
    ("case", "text", "value"),
    [
        (MONEY, "1750", "1750.00"), (MONEY, "1.750,00", "1750.00"), (MONEY, "sì", "1750.00"), (MONEY, "va bene", "1750.00"),
        (MONEY, "1800", "1800.00"), (MONEY, "no, 1800", "1800.00"), (NUMBER, "250", 250), (NUMBER, "yes please", 250), (NUMBER, "yep", 250),
        (NUMBER, "no, 300", 300), (NUMBER, "make it 300", 300), (DAY, "4 November", "2026-11-04"), (DAY, "5 November", "2026-11-05"),
        (CHOICE, "given", "given"), (CHOICE, "ok", "given"), (TEXT, "Eva", "Eva"), (TEXT, "sí", "Eva"), (NAMES, "Eva", "Eva"),
        (TEXT, "no, Luz", "Luz"),
        (CODE, "00000000T", "00000000T"), (CODE, "11111111H", "11111111H"),
        (SHARES, "300", 300),
    ],
)  # fmt: skip
def test_the_value_that_is_typed_counts(case: ASKED, text: str, value: Any) -> None:
    """The proposed value, a plain yes or a third value takes the place of the old one, can be taken back, and answers no other question."""
    talk = asking(case)
    came = talk.say(text)
    assert came.set == {case[3]: value} and talk.draft.proposal is None and not came.back
    assert case[3] in talk.draft.undo and not left_as_it_was(talk)


@pytest.mark.parametrize(
    ("case", "text"),
    [
        (MONEY, "80"), (MONEY, "no"), (NUMBER, "200"), (NUMBER, "no"), (NUMBER, "neither"), (DAY, "3 November"), (CHOICE, "received"),
        (CHOICE, "no, received"), (TEXT, "Ana"), (TEXT, "no"), (CODE, "no"),
        (NAMES, "Ana"),
    ],
)  # fmt: skip
def test_the_old_value_or_a_plain_no_keeps_it(case: ASKED, text: str) -> None:
    """The card is done with, and says that the answer is what it was."""
    talk = asking(case)
    assert talk.say(text).set == {} and talk.draft.proposal is None and left_as_it_was(talk)


@pytest.mark.parametrize(
    ("case", "text"),
    [
        (MONEY, "quale?"), (MONEY, "lasci stare il resto"), (MONEY, "01/03/2015"), (NUMBER, "what?"), (NUMBER, "it's not a derivative"),
        (DAY, "about £40"), (CHOICE, "Quillbrook Partners"), (TEXT, "¿por qué?"),
        (TEXT, "lucia@example.org"), (NAMES, "Marín Peña"), (STREET, "28013"),
    ],
)  # fmt: skip
def test_anything_else_is_read_as_usual_and_leaves_the_card(case: ASKED, text: str) -> None:
    """Words about something else change nothing of what the card asks, which stands with its buttons."""
    talk = asking(case)
    came = talk.say(text)
    assert case[3] not in came.set and came.proposed == {case[3]: case[5]} and not left_as_it_was(talk)
    talk.click("change")
    assert talk.draft.values[case[3]].data == case[5]


@pytest.mark.parametrize(
    ("case", "text", "shown"),
    [(MONEY, "1750", "1750.00"), (MONEY, "sì", "1750.00"), (MONEY, "1800", "1800.00"), (NUMBER, "no, 300", 300), (TEXT, "Luz", "Luz")],
)  # fmt: skip
def test_of_a_locked_answer_words_change_nothing(case: ASKED, text: str, shown: Any) -> None:
    """The person is pointed to the button, with the value on it that they said."""
    talk = asking(case, locked=True)
    came = talk.say(text)
    cards = [e.card for e in talk.effects if isinstance(e, Post) and isinstance(e.card, Change)]
    assert (
        came.set == {} and came.proposed == {case[3]: shown} and [c.lead_in for c in cards] == [(Phrase("press_one"),)]
    )


@pytest.mark.parametrize("text", ["yes", "no", "yep", "nope"])
def test_a_declaration_is_changed_by_a_click_alone(text: str) -> None:
    """A yes or no to a card about a yes or no could mean either: nothing changes, and the card comes again."""
    talk = asking(("gifts", "any", "day", "official", False, True))
    came = talk.say(text)
    assert came.set == {} and came.proposed == {"official": True} and not left_as_it_was(talk)


@pytest.mark.parametrize("text", ["vale", "Ok.", "perfecto"])
def test_a_text_is_changed_by_no_mere_courtesy(text: str) -> None:
    """What is offered may be a part of what was said, or no answer at all: a plain yes takes it, and "ok" leads to the button."""
    talk = asking(TEXT)
    came = talk.say(text)
    cards = [e.card for e in talk.effects if isinstance(e, Post) and isinstance(e.card, Change)]
    assert came.set == {} and [card.lead_in for card in cards] == [(Phrase("press_one"),)]


def test_another_thing_to_look_up_waits_for_its_click() -> None:
    """A name typed at "Tesco → Vodafone?" stands on the button, and only the click searches for it."""
    talk = asking(("pa_dealing", "any", "is_derivative", "security", "GB00BLGZ9862", "Vodafone"))
    came = talk.say("Barclays")
    assert came.proposed == {"security": "Barclays"} and not any(isinstance(e, LookUp) for e in talk.effects)


def test_what_nobody_answered_is_asked_again_before_the_review() -> None:
    """A change that was passed over is asked about once more when nothing else is left to ask."""
    given = {"value": "40.00", "reason": "the end of our project"}
    talk = Talk("gifts", "any", "declaration", given=given)
    value = Value("400.00", Provenance(OWNER, AT, "read", "0.2", "400"))
    talk.draft = replace(talk.draft, proposal=Proposal("change", "card-x", "value", value, turn=0))
    card = talk.draft.card
    assert card is not None
    talk.click("answer", "declaration", True, card=card.id)
    assert any(isinstance(e, Post) and isinstance(e.card, Change) for e in talk.effects)
    talk.say("yes")
    assert talk.draft.values["value"].data == "400.00"
