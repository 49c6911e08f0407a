"""Whatever is pressed, answered, taken back, asked for and extended, in whatever order: nobody decides their own, or two stages of one request."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from state.advance import with_number
from state.draft.draft import Draft, Status
from state.draft.record import ASK, WITHDRAW
from state.draft.route import decision_wanted
from state.engine.effects import File
from state.engine.events import TimerFired
from tests.state.deciding import DEPUTY, HELD, MANAGER, OFFICER, ROUTED, SENIOR, UNTIL, decided, filed, routed, verdict
from tests.state.forms import AT, OTHER, OWNER, click, gathered

PEOPLE = (OWNER, MANAGER, OFFICER, "U0OFF2", SENIOR, DEPUTY, OTHER)
VERDICTS = ("approve", "decline", "refer", "ask", "extend", "keep")
FITTING = "fitting"
Act = tuple[str, str, bool, tuple[str, ...], str | None]


def resubmitted(draft: Draft, n: int) -> Draft:
    """What came back is kept as it is and submitted again."""
    for field in draft.reopened:
        card = draft.card.id if draft.card else ""
        draft = routed(draft, click("keep", field=field, card=card)).draft
    card = draft.card
    if card is None or card.kind != "review":
        return draft
    outcome = routed(draft, gathered(draft).__class__(f"g{n}", AT, "rules", "submit", {}, draft.hash))
    filings = [e for e in outcome.effects if isinstance(e, File)]
    assert all(e.again == draft.filed.number for e in filings)
    return with_number(outcome, draft.filed.number).draft


OWNERS: Mapping[str, Callable[[Draft, str, int], Draft]] = {
    "resubmit": lambda draft, _who, n: resubmitted(draft, n),
    "withdraw": lambda draft, who, _n: routed(draft, click("withdraw_confirmed", who=who, card="c")).draft,
    "wants longer": lambda draft, who, _n: routed(draft, click("extend", who=who, card=draft.filed.receipt)).draft,
    "ends": lambda draft, _who, n: routed(draft, TimerFired(f"t{n}", AT, "timer", "expired", "approved", UNTIL)).draft,
}

ACTS = st.lists(
    st.tuples(
        st.sampled_from(PEOPLE),
        st.sampled_from((*VERDICTS, *VERDICTS, *OWNERS)),
        st.booleans(),  # a card as it was one act ago
        st.lists(st.sampled_from(PEOPLE), max_size=2).map(tuple),
        st.sampled_from((None, FITTING, FITTING, *HELD)),  # a role that is held beside the listed ones, or whoever fits
    ),
    max_size=12,
)


def pressed(shown: Draft, now: Draft, act: Act, n: int) -> Draft:
    """The draft after a verdict on what was shown, by whoever holds the role now."""
    who, word, _, deputy_of, extra = act
    role = decision_wanted(ROUTED, now).by
    if extra == FITTING:
        who = next((one for one in HELD.get(role, ()) if one not in {d.who for d in now.filed.decisions}), who)
    own = who in HELD.get(role, ()) or extra == role
    fields = ("reason",) if word == ASK else ()
    event = verdict(shown, who, word, role=role, own=own, deputy_of=deputy_of, fields=fields, note="Say more.")
    return routed(now, event.__class__(**{**vars(event), "id": f"v{n}"})).draft


STARTS = st.sampled_from(((), (MANAGER,), (MANAGER, "U0OFF2")))
"""Who has approved already when the acts begin."""


@given(STARTS, ACTS)
def test_no_sequence_of_acts_lets_anybody_decide_twice_or_their_own(approved_by: Any, acts: Any) -> None:
    """One decider a stage, over every reopening, never the owner; the record is one, and moves along its route alone."""
    before = now = reduce(decided, approved_by, filed())
    for n, act in enumerate(acts):
        word, shown = act[1], before if act[2] else now
        after = OWNERS[word](now, act[0], n) if word in OWNERS else pressed(shown, now, act, n)
        before, now = now, after
        assert now.filed.number == filed().filed.number
        assert (now.status is Status.OPEN) == (now.filed.state == "asked")
    given_by = [d for d in now.filed.decisions if d.verdict != WITHDRAW]
    stages: dict[str, set[str]] = {}
    for one in given_by:
        for person in filter(None, (one.who, one.deputy_of)):
            stages.setdefault(person, set()).add(one.state)
    assert OWNER not in stages and all(len(of) == 1 for of in stages.values())
    valid = [(person, d.state) for d in given_by if not d.void for person in filter(None, {d.who, d.deputy_of})]
    assert len(valid) == len(set(valid))
