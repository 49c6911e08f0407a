"""A declaration's sentence on cards: whole wherever its answer is shown, and never more than Slack takes."""

from typing import Any

import pytest
from blocks_cases import CARD, FIELDS, TODAY, VALUES, a_draft, a_form, a_value, accepted_view, screen, shown, texts

from blocks.cards.decision import decision_parts
from blocks.history import story_line
from blocks.ids import Press
from blocks.modal import build_edit
from blocks.page import Page
from blocks.phrases import Phrasebook
from blocks.request import Filed, build_opened, build_origins, build_request
from state.draft.draft import Draft, Value
from state.draft.record import PendingDecision, Record
from state.engine.cards import Change, DecisionCard, Question, Receipt, Review
from state.engine.timeline import Happening
from state.form import Field, Form
from state.form.schema import QuestionGroup

WORDS = Phrasebook("en-GB")
FLAGS = tuple(name for name, body in FIELDS.items() if body.get("kind") in ("yes_no", "acknowledgement"))
SHORT = "I hold no inside information about Tesco PLC & its affiliates."
LONG = ("A sentence of a firm that is fond of long ones. " * 21)[:1000].strip()


def declared(sentence: str) -> dict[str, Value]:
    """The values of a draft whose declarations all keep this sentence."""
    return {
        n: Value(v.data, v.provenance, v.sure, v.label, declared=sentence) if n in FLAGS else v
        for n, v in VALUES.items()
    }


def a_record(sentence: str) -> Draft:
    """A draft with such declarations that waits for a verdict."""
    filed = Record("PA-1", "pending_manager", pending=PendingDecision(card=CARD))
    return a_draft(values=declared(sentence), filed=filed, status="submitted")


ROUTE = {"states": {"pending_manager": {"by": "manager", "decide": {"approve": "approved"}}, "approved": "Approved"}}


def routed() -> Form:
    """The form with a stage of decision."""
    return a_form(filing=ROUTE)


def whole(draft: Draft, text: str) -> bool:
    """True if every declared sentence is on screen in full."""
    return " ".join(text.replace("&amp;", "&").split()).count(draft.values[FLAGS[0]].declared) == len(FLAGS)


@pytest.mark.parametrize("sentence", [SHORT, LONG], ids=["short", "long"])
def test_every_card_shows_the_whole_sentence(sentence: str) -> None:
    """The review, the receipt, the decision card, its modal, the person's own modal and where answers come from show it in full."""
    draft, form = a_record(sentence), routed()
    page = Page(form, draft, TODAY, CARD)
    on_screen = {
        "review": screen(shown(Review(), draft, form)),
        "receipt": screen(shown(Receipt("PA-1", "2026-11-20T14:32:00+00:00", "pending_manager"), draft, form)),
        "card": screen(shown(DecisionCard("pending_manager"), draft, form)),
        "modal": "\n".join(texts(decision_parts(page, "pending_manager", verdicts=True))),
    }
    views: dict[str, Any] = {
        "opened": build_opened(WORDS, page, decides=True),
        "origins": build_origins(page),
        "own": build_request(WORDS, page, Filed("PA-1", "pending_manager", "2026-11-20T14:32:00+00:00"), ()),
    }
    for name, view in views.items():
        accepted_view(view)
        on_screen[name] = "\n".join(texts(view))
    assert [name for name, text in on_screen.items() if not whole(draft, text)] == []


def test_the_question_shows_what_each_answer_declares() -> None:
    """Below the question stand both sentences, each behind its answer; an acknowledgement has the one, and nothing before it."""
    asked = screen(shown(Question("is_leveraged", declares={"is_leveraged": ("It is geared.", "It is not geared.")})))
    assert "Is this a leveraged product?\nYes – It is geared.\nNo – It is not geared.\n" in asked
    assert "\nI will hold it.\n" in screen(
        shown(Question("holding_ack", declares={"holding_ack": ("I will hold it.", "")}))
    )


@pytest.mark.parametrize("count", [1, 10])
def test_the_fullest_card_of_several_is_taken(count: int) -> None:
    """Ten questions with all the text that a form may give them fit one card below a long sheet: their help goes first, a sentence never."""
    names = [f"flag_{n}" for n in range(count)]
    size = 4000 // count // 3
    ask, sentence = f"{'q' * (size - 1)}?", f"{'s' * (size - 1)}."
    flags = {n: Field(name=n, kind="yes_no", label=f"Flag {n}", ask=ask[:600], help="h" * 2000) for n in names}
    others = {f"text_{n}": Field(name=f"text_{n}", kind="text", label=f"Text {n}", ask="What?") for n in range(12)}
    form = a_form(
        fields={**others, **flags}, groups={"all": QuestionGroup(name="all", fields=tuple(names), together=True)}
    )
    draft = a_draft(values={n: a_value("x" * 400, "entered") for n in others})
    card = Question(names[0], fields=tuple(names), declares=dict.fromkeys(names, (sentence[:1000], sentence[:1000])))
    assert screen(shown(card, draft, form)).count(sentence[:1000]) == 2 * count


def test_an_answer_among_several_shows_its_sentence_and_the_sheet_does_not() -> None:
    """On the card of several an answered one keeps its sentence to be read; on the sheet, which says how far it is, the answer is enough."""
    draft = a_draft(values=declared(SHORT))
    form = a_form(groups={"all": QuestionGroup(name="all", fields=("is_leveraged", "has_inside_info"), together=True)})
    together = screen(shown(Question("is_leveraged", fields=("is_leveraged", "has_inside_info")), draft, form))
    assert together.count("No – I hold no inside") == 2 and "✓ Derivative: No\n" in together


def test_a_change_and_an_edit_show_the_sentence_that_they_would_declare() -> None:
    """The card that asks about a change shows the new sentence, and the box of Edit those of both answers."""
    value = a_value(True, declared="I hold inside information.")
    assert "Yes – I hold inside information." in screen(shown(Change("has_inside_info", value)))
    field = {"declares": {"yes": "I hold some about {security}.", "no": "I hold none."}}
    form = a_form(
        fields={
            n: Field.model_validate({"name": n, **b, **(field if n == "has_inside_info" else {})})
            for n, b in FIELDS.items()
        }
    )
    view = build_edit(form, a_draft(), Press("edit", "D1", "has_inside_info", None, CARD), TODAY)
    assert view is not None and "Yes – I hold some about Tesco PLC.\nNo – I hold none." in "\n".join(texts(view))
    accepted_view(view)


def test_the_story_tells_both_sentences_of_a_change() -> None:
    """The story of a record tells what was declared before and after."""
    was, now = (a_value(v, declared=f"{LONG} {n}") for n, v in enumerate((False, True)))
    one = Happening("2026-11-20T14:00:00+00:00", "U0ALEX", "changed", "has_inside_info", "", was, now)
    assert f"No – {LONG} 0 → Yes – {LONG} 1" in story_line(Page(a_form(), a_draft(), TODAY), one)
