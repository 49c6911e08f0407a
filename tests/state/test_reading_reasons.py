"""A reason is one answer: its words are none of other fields' answers."""

from state.advance import begin
from state.fields.base import Context
from state.understanding.reader import read_open
from tests.shipped import shipped

FORM = shipped("pa_dealing").form


def test_a_word_of_a_reason_is_no_answer_to_another_field() -> None:
    """ "Because I am spreading my pension" gives a reason and no account."""
    draft = begin(FORM, "d", "T", "U0ALEX", "T:D:", "2026-11-20T12:00:00+00:00")
    text = "I want to buy 200 Tesco because I am spreading my pension over more companies"
    told = {
        n for c in read_open(FORM, draft, text, "1.1", Context("en-GB", "2026-11-20")).calls for n in c.arguments or {}
    }
    assert {"direction", "quantity", "security", "justification"} <= told
    assert "account" not in told
