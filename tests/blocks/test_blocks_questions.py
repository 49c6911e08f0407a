"""Question cards: what stands above the question, and the ways to answer it."""

from typing import Any

import pytest
from blocks_cases import (
    CARD,
    HELP,
    TODAY,
    VALUES,
    a_draft,
    a_form,
    a_value,
    accepted_options,
    buttons,
    clickable,
    field_form,
    screen,
    shown,
)

from blocks.ids import FIND, FOUND, OPEN_BOX, Press, is_edit_menu, press_of, read_press
from blocks.inputs import build_options
from state.draft.draft import Option
from state.draft.utterance import Phrase, Verbatim
from state.engine.cards import Question

INSIDE = "has_inside_info"


def choices(count: int) -> list[dict[str, str]]:
    return [{"value": f"c{n}", "label": f"Choice {n}"} for n in range(count)]


def select_of(**body: Any) -> dict[str, Any]:
    built = shown(Question("thing"), a_draft("none"), field_form(**body))
    return next(e for e in clickable(built.blocks) if e["type"] != "button")


def test_a_question_says_where_we_are_what_was_understood_and_what_comes_next() -> None:
    """From the top: the form and its progress, the answers, the lead-in, the form's own question with the values that it names."""
    card = Question(INSIDE, (Phrase("got_it", {"what": "Buy · 200"}), Verbatim("Declarations next.")))
    built = shown(card, a_draft("security", "direction"))
    on_screen = screen(built).splitlines()
    assert on_screen[:6] == [
        "Personal account dealing · 2 of 11",
        "✓ Security: Tesco PLC (GB00BLGZ9862)",
        "✓ Buy or sell: Buy",
        "Got it: Buy · 200.",
        "Declarations next.",
        "Do you hold any inside information about Tesco PLC?",
    ]
    assert built.text.endswith("Do you hold any inside information about Tesco PLC?\nYes / No")


def test_a_question_about_an_open_field_names_its_label() -> None:
    """A field that a question names and that has no value yet is named by its label."""
    assert "about security?" in screen(shown(Question(INSIDE), a_draft("direction")))


def test_yes_and_no_are_buttons_that_carry_the_answer() -> None:
    """A yes-or-no question is answered by two buttons, each with the draft, the field, the answer and the card."""
    pressed = buttons(shown(Question(INSIDE)))
    assert pressed["Yes"] == Press("answer", "D1", INSIDE, True, CARD)
    assert pressed["No"] == Press("answer", "D1", INSIDE, False, CARD)


def test_help_is_offered_until_it_is_on_screen() -> None:
    """A field with help offers to explain it; below the explanation the offer is gone."""
    assert buttons(shown(Question(INSIDE)))["What counts?"] == Press("explain", "D1", INSIDE, None, CARD)
    assert "What counts?" not in buttons(shown(Question(INSIDE, (Verbatim(HELP),))))


def test_a_question_is_not_its_own_explanation() -> None:
    """A field without help that is asked to be explained shows its question once."""
    built = shown(Question("direction", (Verbatim("Do you want to buy or to sell?"),)))
    assert screen(built).count("buy or to sell") == 1


def test_nothing_is_said_twice_above_a_question() -> None:
    """The same sentence twice in a lead-in is shown once."""
    assert (
        screen(shown(Question("direction", (Phrase("out_of_date"), Phrase("out_of_date"))))).count("out of date") == 1
    )


def test_an_acknowledgement_has_one_button() -> None:
    """What is only to be acknowledged cannot be refused: one button says yes."""
    pressed = buttons(shown(Question("holding_ack")))
    assert pressed == {"I understand": Press("answer", "D1", "holding_ack", True, CARD)}


def test_up_to_five_choices_are_buttons() -> None:
    """Five choices are five buttons with their labels."""
    pressed = buttons(shown(Question("thing"), a_draft("none"), field_form(kind="choice", choices=choices(5))))
    assert pressed["Choice 4"] == Press("answer", "D1", "thing", "c4", CARD)
    assert len(pressed) == 5


def test_more_choices_are_a_menu() -> None:
    """Six choices and more are a menu, whose pick is the answer."""
    menu = select_of(kind="choice", choices=choices(6))
    picked = {**menu, "selected_option": menu["options"][5]}
    assert menu["type"] == "static_select"
    assert press_of(picked) == Press("answer", "D1", "thing", "c5", CARD, "0")


@pytest.mark.parametrize("count", [130, 99])
def test_a_menu_that_slack_would_not_take_is_searched(count: int) -> None:
    """More choices, or longer ones, than a menu holds are asked for while the person types, a hundred at most."""
    body = {"kind": "choice", "choices": choices(count)}
    menu = select_of(**body)
    form, press = field_form(**body), read_press(menu["block_id"])
    assert (menu["type"], menu["action_id"]) == ("external_select", f"{FIND}.answer")
    assert press is not None
    assert FOUND.match(menu["action_id"])
    assert len(build_options(form, a_draft(), press, "choice", TODAY)["options"]) == min(count, 100)
    assert values(build_options(form, a_draft(), press, " CHOICE  98", TODAY)) == ["c98"]


def test_a_menu_asks_only_for_its_own_options() -> None:
    """The edit menu asks for the answers that there are; a field that the form does not have has no options."""
    assert values(build_options(a_form(), a_draft(), Press("edit", "D1"), "inside", TODAY)) == [INSIDE]
    assert values(build_options(a_form(), a_draft(), Press("answer", "D1", "nothing"), "", TODAY)) == []


def values(answer: dict[str, Any]) -> list[str]:
    accepted_options(answer)
    return [o["value"] for o in answer["options"]]


def test_a_date_has_a_calendar_without_a_date_in_it() -> None:
    """A date is picked from a calendar that suggests none."""
    calendar = select_of(kind="date")
    assert calendar["type"] == "datepicker"
    assert "initial_date" not in calendar
    assert press_of({**calendar, "selected_date": "2026-11-23"}) == Press(
        "answer", "D1", "thing", "2026-11-23", CARD, "0"
    )


@pytest.mark.parametrize(
    "kind",
    ["text", "integer", "decimal", "percentage", "money", "currency", "time", "identifier", "email", "phone", "link"],
)
def test_what_is_written_has_a_hint_and_a_box(kind: str) -> None:
    """Words and figures are typed; a small hint says so, and a button opens a box."""
    built = shown(Question("thing"), a_draft("none"), field_form(kind=kind))
    (box,) = clickable(built.blocks)
    assert "Type your answer, or use the text box." in screen(built)
    assert (box["action_id"], press_of(box)) == (OPEN_BOX, Press("enter", "D1", "thing", None, CARD))


def test_results_are_a_list_to_pick_from() -> None:
    """Up to eight results, numbered, each with its button, and a way to say that it is none of them."""
    options = tuple(Option(f"id{n}", f"Tesco {n}", f"TSC{n} · London") for n in range(1, 11))
    built = shown(Question("security"), a_draft("direction", options={"security": options}))
    pressed = [press_of(e) for e in clickable(built.blocks) if not is_edit_menu(e)]
    assert "3. *Tesco 3*\nTSC3 · London" in screen(built)
    assert "Here are the first 8 of 10." in screen(built)
    assert pressed[2] == Press("pick", "D1", "security", "id3", CARD)
    assert pressed[8:] == [Press("none_of_these", "D1", "security", None, CARD)]


@pytest.mark.parametrize(
    ("opened", "sought", "there"),
    [("{quantity}", "Harrowgate", True), ("", "Harrowgate", False), ("{quantity}", "", False)],
)
def test_what_was_searched_for_may_be_called_not_listed(opened: str, sought: str, there: bool) -> None:
    """Where the form takes what its list does not hold, a button says so once something was searched for and no result waits for a pick."""
    fields = a_form().fields
    security = fields["security"].model_copy(update={"unlisted": opened})
    form = a_form().model_copy(update={"fields": {**fields, "security": security}})
    built = shown(Question("security"), a_draft("direction", sought={"security": sought} if sought else {}), form)
    press = Press("unlisted", "D1", "security", None, CARD)
    assert (press in [press_of(e) for e in clickable(built.blocks)]) is there
    found = a_draft(
        "direction", sought={"security": sought}, options={"security": (Option("id1", "Harrowgate Mills"),)}
    )
    assert press not in [press_of(e) for e in clickable(shown(Question("security"), found, form).blocks)]


def test_what_is_looked_up_is_never_written_into_a_box() -> None:
    """Before there are results, a look-up only says what to type."""
    built = shown(Question("security"), a_draft("direction"))
    assert [e for e in clickable(built.blocks) if not is_edit_menu(e)] == []
    assert "Type a name or a code and I'll look it up." in screen(built)


def test_a_brief_answer_is_coached_once_and_may_be_kept() -> None:
    """A brief answer gets one kind sentence and a button to go on with it."""
    built = shown(Question("justification", (Phrase("coach_brief"),), coach=True))
    assert screen(built).count("say why, in one sentence") == 1
    assert "say why, in one sentence" in screen(shown(Question("justification", coach=True)))
    assert buttons(built)["Submit anyway"] == Press("submit_anyway", "D1", "justification", None, CARD)


def test_an_edited_answer_can_be_kept() -> None:
    """While an answer is edited, a button keeps the present one."""
    assert buttons(shown(Question(INSIDE, keep=True)))["Keep “No”"] == Press("keep", "D1", INSIDE, None, CARD)
    assert not any(label.startswith("Keep") for label in buttons(shown(Question(INSIDE))))


def test_a_person_is_offered_when_it_gets_no_further() -> None:
    """A sentence and a button offer a person."""
    built = shown(Question(INSIDE, offer_person=True))
    assert "I can bring in a person" in screen(built)
    assert buttons(built)["Talk to a person"] == Press("person", "D1", "", None, CARD)


def test_a_question_that_is_passed_on_has_the_one_button_of_its_words() -> None:
    """The button beside it carries the message; no second one offers a person on the same card, which Slack would refuse."""
    for stuck in (False, True):
        built = shown(Question(INSIDE, (Phrase("pass_on", {"message": "9.5"}),), offer_person=stuck))
        assert buttons(built)["Talk to a person"] == Press("person", "D1", "", "9.5", CARD)
        assert str(built.blocks).count("'Talk to a person'") == 1 and "bring in a person" not in screen(built)


def test_a_change_just_told_can_be_taken_back_beside_it() -> None:
    """ "Quantity was 200 → now 250." has Undo beside it while there is something to take back."""
    told = (Phrase("was_now", {"label": "Quantity", "was": "200", "now": "250"}),)
    assert "Undo" in buttons(shown(Question(INSIDE, told), a_draft(undo={"quantity": VALUES["quantity"]})))
    assert "Undo" not in buttons(shown(Question(INSIDE, told)))
    assert "Undo" not in buttons(shown(Question(INSIDE), a_draft(undo={"quantity": VALUES["quantity"]})))


def test_model_words_are_never_markup() -> None:
    """What a model says above a question mentions nobody, links nowhere and formats nothing."""
    built = shown(Question(INSIDE, (Verbatim("<!channel> *Submitted* <https://example.com|here>"),)))
    assert "&lt;!channel&gt; ∗Submitted∗ &lt;https://example.com|here&gt;" in screen(built)


def test_labels_and_values_of_other_fields_are_never_markup() -> None:
    """A value that a question names is as inert as any other words."""
    draft = a_draft(values={"security": a_value("x", label="<@U0DANA> *Tesco*")})
    assert "about &lt;@U0DANA&gt; ∗Tesco∗?" in screen(shown(Question(INSIDE), draft))


@pytest.mark.parametrize(("language", "yes", "counts"), [("it-IT", "Sì", "0 di 11"), ("es-ES", "Sí", "0 de 11")])
def test_a_form_is_asked_in_its_language(language: str, yes: str, counts: str) -> None:
    """Buttons, hints and progress are in the form's language."""
    built = shown(Question(INSIDE), a_draft("none"), a_form(language=language))
    assert yes in buttons(built)
    assert counts in screen(built)
