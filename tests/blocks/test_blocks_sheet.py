"""The sheet: what a draft holds so far, above whatever is asked."""

from dataclasses import replace

import pytest
from blocks_cases import CARD, VALUES, a_draft, a_form, a_value, buttons, clickable, screen, shown

from blocks.ids import Press, is_edit_menu, press_of
from state.draft.draft import Status
from state.draft.utterance import Phrase
from state.engine.cards import Crossroads, Question
from state.form import Field, Stage

INSIDE = "has_inside_info"


def columns(count: int, length: int = 3) -> tuple[int, str]:
    """How many answers a question's sheet shows of so many, and what is on screen."""
    names = [f"field_{n}" for n in range(count + 1)]
    form = a_form(fields={n: Field(name=n, kind="text", label=f"Label {n}", ask="What?") for n in names})
    draft = a_draft(values={n: a_value("x" * length, "entered") for n in names[:-1]})
    built = shown(Question(names[-1]), draft, form)
    return sum(len(block.get("fields", ())) for block in built.blocks), screen(built)


def test_every_answer_stands_above_the_question_with_one_menu_for_all() -> None:
    """Answers are a line each, an amount with its currency; one menu edits any of them."""
    built = shown(Question(INSIDE), a_draft("security", "quantity", "value", "currency"))
    (block,) = (b for b in built.blocks if b.get("fields"))
    assert [text["text"] for text in block["fields"]] == [
        "✓ Security: Tesco PLC (GB00BLGZ9862)",
        "✓ Quantity: 250",
        ":warning: Value: GBP 720.00",
    ]
    (menu,) = (e for e in clickable(built.blocks) if is_edit_menu(e))
    assert [o["value"] for o in menu["options"]] == ["security", "quantity", "value"]
    assert press_of({**menu, "selected_option": {"value": "quantity"}}) == Press("edit", "D1", "quantity", None, CARD)


def test_nothing_stands_above_the_first_question_but_the_progress() -> None:
    """With no answer there is no row and no menu."""
    built = shown(Question(INSIDE), a_draft("none"))
    assert screen(built).startswith("Personal account dealing · 0 of 11\nDo you hold")
    assert not any(is_edit_menu(e) for e in clickable(built.blocks))


@pytest.mark.parametrize(("count", "on_sheet"), [(1, 1), (10, 10), (11, 11), (12, 12), (13, 12), (60, 12)])
@pytest.mark.parametrize("length", [3, 40_000])
def test_a_long_sheet_shows_the_last_answers_and_counts_the_others(count: int, on_sheet: int, length: int) -> None:
    """A dozen answers are shown however long they are, and the card says how many more there are."""
    shown_, on_screen = columns(count, length)
    assert shown_ == on_sheet
    assert (f"… and {count - on_sheet} more." in on_screen) is (count > on_sheet)


def test_a_closed_draft_s_sheet_has_no_menu() -> None:
    """What is filed or given up cannot be edited from a card that is painted late."""
    for status in (Status.SUBMITTED, Status.CANCELLED, Status.ESCALATED):
        built = shown(Question(INSIDE), a_draft(status=status))
        assert not any(is_edit_menu(e) for e in clickable(built.blocks))


def test_a_crossroads_shows_the_sheet_too() -> None:
    """A stage with nothing to ask shows what is known, and takes back the change that it tells of."""
    stage = Stage.model_validate({"name": "talk", "ask": "Where to now?"})
    draft = replace(a_draft(*VALUES), undo={"quantity": VALUES["quantity"]})
    told = (Phrase("was_now", {"label": "Quantity", "was": "200", "now": "250"}),)
    built = shown(Crossroads("talk", told), draft, a_form(stages={"talk": stage}))
    assert "✓ Quantity: 250" in screen(built) and "Where to now?" in screen(built)
    assert "Undo" in buttons(built)


def test_an_address_on_the_sheet_opens_by_a_click() -> None:
    """The address of a web page is a link on the sheet; the same letters as a text are none."""
    page = "https://example.org/Minutes"
    asked = {
        n: Field(name=n, kind=k, label="Page", ask="Where?") for n, k in (("a", "link"), ("b", "text"), ("c", "text"))
    }
    draft = a_draft(values={name: a_value(page, "entered") for name in "ab"})
    built = shown(Question("c"), draft, a_form(fields=asked))
    (block,) = (b for b in built.blocks if b.get("fields"))
    assert [text["text"] for text in block["fields"]] == [f"✓ Page: <{page}|{page}>", f"✓ Page: {page}"]
