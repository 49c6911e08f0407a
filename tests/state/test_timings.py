"""Whatever the timing, no word is dropped: every fact that a line tells is taken or put back, and none is taken twice."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.state.bursts import (
    DEALING,
    LOAN,
    SMALL,
    VEHICLE,
    VEHICLE_IDLE,
    Case,
    Conversation,
    Told,
    attentive,
    by_rules,
    lost,
    nearsighted,
    talkative,
)
from tests.thoroughness import examples

PLAYS = (by_rules, attentive, nearsighted, talkative)
CASES = {"small": SMALL, "pa_dealing": DEALING, "loan": LOAN, "vehicle_case": VEHICLE, "vehicle_idle": VEHICLE_IDLE}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@settings(max_examples=examples(60))
@given(data=st.data())
def test_every_fact_is_taken_or_put_back_whatever_the_timing(case: Case, data: Any) -> None:
    """Lines, clicks and replies in any order, replies late or never: each fact ends up in the draft or before the person, once."""
    talk = Conversation(case)
    lines = data.draw(st.permutations(case.lines))[: data.draw(st.integers(2, len(case.lines)))]
    facts = {name for line in lines for name in line.facts}
    left: list[Told] = list(lines)
    while left:
        act = data.draw(st.sampled_from(["say", "say", "answer", "late", "click"]))
        if act == "say":
            talk.say(left.pop(0).text)
        elif act == "click":
            talk.click(facts)
        elif talk.calls:
            talk.answer(data.draw(st.sampled_from(PLAYS)), -1 if act == "answer" else 0)
    talk.finish()
    assert lost(talk.draft, lines) == {}
    assert len(talk.set) == len(set(talk.set))
