"""When a model is asked on: where words are left that it may have meant to read, or its words came to nothing."""

import pytest

from state.advance import advance
from state.draft.draft import Draft
from state.draft.reply import ToolCall
from state.engine.effects import CallModel
from state.engine.events import ModelReplied
from tests.state.forms import FORM, RULES, after, asking, call, new_draft, replied, said


def asked_on(draft: Draft, event: ModelReplied) -> CallModel | None:
    """The call that a reply leads to."""
    return next((e for e in advance(FORM, RULES, draft, event).effects if isinstance(e, CallModel)), None)


def typed(text: str) -> Draft:
    """A draft whose quantity is asked, and this line in it."""
    return after(asking(new_draft(), "quantity"), said(text))


def trade(**given: object) -> ToolCall:
    """A call that sets something of the trade."""
    return call("set_trade", **given)


@pytest.mark.parametrize(
    ("text", "made", "on"),
    [
        ("I want to buy 200 please", trade(side="buy", quantity=200, words="buy 200"), False),
        ("buy 200, and no rush with it", trade(side="buy", quantity=200, words="buy 200"), True),
        ("buy 200", trade(side="buy", words="buy 200"), True),
        ("buy 200 Quillbrook", trade(side="buy", quantity=200, words="buy 200 Quillbrook"), True),
        ("buy 200, no leverage", trade(side="buy", quantity=200, words="buy 200, no leverage"), True),
        ("buy 200, is that all right?", trade(side="buy", quantity=200, words="buy 200, is that all right?"), True),
        ("buy 200", trade(side="sell", quantity=200, words="buy 200"), True),
    ],
    ids=["all quoted", "words left", "a value left", "a name left", "an answer left", "a question left", "one refused"],
)
def test_a_model_is_asked_on_only_for_words_that_are_left(text: str, made: ToolCall, on: bool) -> None:
    """Calls that were taken and quote all that a line says end the turn without another call; what they leave of it is asked on."""
    draft = typed(text)
    assert (asked_on(draft, replied(draft, made)) is not None) is on


def test_what_a_model_calls_one_by_one_is_taken_whole() -> None:
    """A model that makes one call a reply and quotes the whole line each time is asked on until nothing of it is left."""
    draft = typed("buy 200")
    again = asked_on(draft, first := replied(draft, trade(side="buy", words="buy 200")))
    assert again is not None
    draft = after(draft, first)
    last = replied(draft, trade(quantity=200, words="buy 200"), step=2, exchange=again.exchange)
    assert asked_on(draft, last) is None
    draft = after(draft, last)
    assert {name: v.data for name, v in draft.values.items()} | {o.field: o.data for o in draft.offers} == {
        "side": "buy", "quantity": 200,
    }  # fmt: skip


def test_idle_words_behind_calls_that_were_taken_are_let_be() -> None:
    """A model whose calls were all taken, and which then writes what nobody reads, is not told to say it better."""
    draft = typed("buy 200, and no rush with it")
    again = asked_on(draft, first := replied(draft, trade(side="buy", quantity=200, words="buy 200")))
    assert again is not None
    draft = after(draft, first)
    assert asked_on(draft, replied(draft, text="Thank you.", step=2, exchange=again.exchange)) is None


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("what is inside information?", False),
        ("what does inside information mean here?", False),
        ("what is inside information? It is no leverage", True),
        ("is the value good?", True),
        ("what is a quantity?", True),
    ],
)
def test_a_model_that_writes_is_not_asked_again_for_what_the_forms_help_answers(text: str, on: bool) -> None:
    """Where a model writes instead of calling, the form's own help answers a question that it can answer, and nobody waits for a second reply."""
    draft = typed(text)
    event = replied(draft, text="It is what is not public yet.")
    assert (asked_on(draft, event) is not None) is on
    assert (FORM.fields["inside"].help in str(advance(FORM, RULES, draft, event).effects)) is not on
