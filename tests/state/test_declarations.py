"""A declaration's sentence: kept with the answer as it was on screen, whatever the form says later."""

from dataclasses import replace

import pytest

from state.advance import advance
from state.draft.draft import Draft
from state.engine.cards import Change, Question
from state.engine.codec import decode_draft, encode
from state.engine.effects import Post, Repaint
from state.engine.events import DraftEvent
from state.form import Form
from state.form.field import Declares
from tests.state.forms import (
    FIELDS,
    FORM,
    RULES,
    WHOLE,
    asking,
    call,
    click,
    filled,
    new_draft,
    replied,
    reviewing,
    said,
    value,
)

INSIDE, GEARED = "I hold {} inside information about {}.", "It is {} leveraged."


def declaring(**fields: tuple[str, str]) -> Form:
    """The small form with sentences for these fields: of a yes, and of a no."""
    given = {n: FIELDS[n].model_copy(update={"declares": Declares(yes=y, no=no)}) for n, (y, no) in fields.items()}
    return FORM.model_copy(update={"fields": {**FIELDS, **given}})


NOW = declaring(inside=("I hold inside information about {thing}.", "I hold no inside information about {thing}."))
LATER = declaring(inside=("I know something about {thing}.", "I know nothing about {thing}."))
THING = value("T1", "chosen", label="Tesco PLC (T1)")


def after(draft: Draft, event: DraftEvent, form: Form = NOW) -> Draft:
    """The draft after an event on a form."""
    return advance(form, RULES, draft, event).draft


def asked() -> Draft:
    """The question about inside information, open as the form of then put it."""
    draft = filled(
        new_draft(), ("thing",), **{n: v for n, v in WHOLE.items() if n not in ("inside", "thing", "side")}, thing=THING
    )
    return after(asking(draft, "side"), click("answer", field="side", value="buy", card="card-side"))


@pytest.mark.parametrize("form", [NOW, LATER], ids=["same form", "another form since"])
@pytest.mark.parametrize("act", ["click", "words"])
def test_the_sentence_on_screen_is_kept(form: Form, act: str) -> None:
    """Clicked or typed, an answer keeps the sentence of its card, with the answers that it names, though the form says it otherwise by then."""
    draft = asked()
    assert draft.card is not None and draft.asked == "inside"
    event = click("answer", field="inside", value=False, card=draft.card.id) if act == "click" else said("no")
    assert after(draft, event, form).values["inside"].declared == "I hold no inside information about Tesco PLC."


def test_the_card_is_painted_anew_with_the_sentence_that_counts() -> None:
    """A card that is painted again after the form has changed shows the sentence that its click would keep."""
    draft = asked()
    assert draft.card is not None
    painted = [
        e.card
        for e in advance(LATER, RULES, draft, click("box_closed", card=draft.card.id)).effects
        if isinstance(e, Repaint)
    ]
    (card,) = (c for c in painted if isinstance(c, Question))
    assert card.declares["inside"][1] == "I hold no inside information about Tesco PLC."


def test_a_card_from_before_declares_nothing() -> None:
    """An answer on a card that showed no sentence keeps none: nobody declares what was not there to be read."""
    draft = after(asking(asked(), "inside"), click("answer", field="inside", value=False, card="card-inside"))
    assert draft.values["inside"].declared == ""


def test_an_edit_declares_the_other_sentence() -> None:
    """An answer that is edited at the review keeps the sentence of the new answer."""
    draft = filled(reviewing(), thing=THING, inside=value(False, declared="Once said."))
    assert draft.card is not None
    draft = after(draft, click("amend", field="inside", value=True, card=draft.card.id))
    assert draft.values["inside"].declared == "I hold inside information about Tesco PLC."


def test_a_change_keeps_the_sentence_of_its_own_card() -> None:
    """A locked declaration that words would change shows the new sentence beside the button, and the click keeps that one."""
    form = declaring(leveraged=("It is leveraged.", "It is not leveraged."))
    draft = filled(reviewing(), leveraged=value(False, declared="It is not leveraged."))
    draft = replace(draft, card=replace(draft.card, hash=draft.hash))  # type: ignore[type-var]
    draft = after(draft, said("actually it is leveraged"), form)
    outcome = advance(
        form,
        RULES,
        draft,
        replied(draft, call("correct", field="leveraged", value=True, words="actually it is leveraged")),
    )
    (card,) = (e.card for e in outcome.effects if isinstance(e, Post) and isinstance(e.card, Change))
    assert card.value.declared == "It is leveraged." and outcome.draft.proposal is not None
    later = declaring(leveraged=("It has leverage.", "It has none."))
    draft = after(outcome.draft, click("change", field="leveraged", card=outcome.draft.proposal.card), later)
    assert draft.values["leveraged"].declared == "It is leveraged."


def test_the_sentence_belongs_to_what_is_confirmed() -> None:
    """A review's hash covers the sentences; of a draft without any it is what it was before there were sentences."""
    draft = filled(reviewing(), inside=value(False))
    worded = filled(draft, inside=value(False, declared="I hold none."))
    assert worded.hash != draft.hash != filled(draft, inside=value(True)).hash
    assert decode_draft(encode(worded)) == worded
