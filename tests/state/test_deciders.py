"""Who can decide is known when a request is filed: nobody takes two seats on its way, and where a seat is empty the record says so."""

from dataclasses import replace
from typing import Any

import pytest

from state.advance import Outcome, advance, with_number
from state.draft.draft import Draft
from state.draft.record import Decider, Deciders
from state.engine.cards import Notice
from state.engine.effects import Announce, File, Post, Remind, Repaint
from state.engine.events import FactsGathered, TimerFired
from state.form.filing import FilingTable
from tests.state.deciding import (
    DEPUTY,
    HELD,
    JUDGED,
    MANAGER,
    OFFICER,
    ROUTE,
    ROUTED,
    SENIOR,
    approved,
    asked,
    decided,
    filed,
    refused,
    routed,
    verdict,
    wanted,
)
from tests.state.forms import AT, OWNER, click, reviewing

Held = dict[str, tuple[str, ...]]
STATES = {"manager": "pending_manager", "compliance": "pending_compliance", "senior": "pending_senior"}


def found(held: Held, *, named: bool = False) -> dict[str, Deciders]:
    """Who may decide, by state: "U1" in their own place, "U1>U2" in that of U2; of the manager's state by name if `named`."""
    who = {role: tuple(Decider(*one.split(">")) for one in users) for role, users in held.items()}
    return {STATES[role]: Deciders(users, named and role == "manager") for role, users in who.items()}


def filing(held: Held, *, named: bool = False) -> Outcome:
    """The outcome of filing while these hold the roles."""
    draft = reviewing()
    event = FactsGathered("g1", AT, "rules", "submit", {}, draft.hash, deciders=found(held, named=named))
    return with_number(routed(draft, event), "SM-2026-000001")


def looked(draft: Draft, held: Held, *, named: bool = False) -> Outcome:
    """The outcome of looking again who may decide."""
    pending = draft.filed.pending
    event = TimerFired(
        "t1", AT, "timer", "deciders", draft.filed.state, pending.card, AT, deciders=found(held, named=named)
    )
    return routed(draft, event)


def of_kind(outcome: Outcome, kind: type) -> list[Any]:
    return [one for one in outcome.effects if isinstance(one, kind)]


@pytest.mark.parametrize(
    ("held", "lacking"),
    [
        (HELD, ()),
        ({"manager": (), "compliance": (OFFICER,)}, ("pending_manager",)),
        ({"manager": (OWNER,), "compliance": (OFFICER,)}, ("pending_manager",)),
        ({"manager": (f"{DEPUTY}>{OWNER}",), "compliance": (OFFICER,)}, ("pending_manager",)),
        ({"manager": (f"{DEPUTY}>{MANAGER}",), "compliance": (OFFICER,)}, ()),
        ({"manager": (MANAGER,), "compliance": ()}, ("pending_compliance",)),
        ({"manager": (MANAGER,), "compliance": (MANAGER,)}, ("pending_compliance",)),
        ({"manager": (MANAGER, OFFICER), "compliance": (MANAGER,)}, ()),
        ({"manager": (MANAGER,), "compliance": (f"{DEPUTY}>{MANAGER}",)}, ("pending_compliance",)),
        ({"manager": (), "compliance": ()}, ("pending_manager", "pending_compliance")),
        ({"manager": (MANAGER,)}, ()),
        ({}, ()),
    ],
)
def test_every_seat_on_the_way_is_given_to_another_person(held: Held, lacking: tuple[str, ...]) -> None:
    """The requester has none, nor who stands in for them, and nobody has two; where it could not be looked up nobody is said to be missing."""
    outcome = filing(held)
    assert outcome.draft.filed.pending.lacking == lacking
    (file,) = of_kind(outcome, File)
    assert tuple(file.body.get("nobody_decides", ())) == lacking
    told = [(one.reasons, one.to) for one in of_kind(outcome, Announce) if one.what == "nobody"]
    assert told == ([(lacking, "operators")] if lacking else [])


def test_several_seats_of_one_state_want_several_people() -> None:
    """A state that two people have to approve lacks somebody while one alone holds its role, and has no seat left to fill for who approved."""
    second = decided(filed(), MANAGER)
    held = {"senior": (SENIOR,), "compliance": (OFFICER,)}
    alone = routed(second, verdict(second, "U0OFF2", "refer", deciders=found(held))).draft
    assert alone.filed.pending.lacking == ("pending_senior",)
    assert looked(alone, {**held, "senior": (SENIOR, OFFICER)}).draft.filed.pending.lacking == ()


def test_who_asked_for_more_has_their_seat_again() -> None:
    """A question is no verdict of its own state: once it is answered whoever asked may decide there."""
    second = decided(filed(), MANAGER)
    back = routed(second, asked(second, OFFICER, "reason")).draft
    again = FactsGathered(
        "g2", AT, "rules", "submit", {}, back.hash, deciders=found({"manager": (MANAGER,), "compliance": (OFFICER,)})
    )
    assert routed(back, again).draft.filed.pending.lacking == ()


def test_a_request_goes_on_when_somebody_can_decide() -> None:
    """Until then nothing happens but another look; then a new card is posted, the requester is told, and nobody is missing any more."""
    stuck = filing({"manager": (OWNER,), "compliance": (OFFICER,)}).draft
    (again,) = of_kind(looked(stuck, {"manager": (OWNER,), "compliance": (OFFICER,)}), Remind)
    assert (again.what, again.mark) == ("deciders", stuck.filed.pending.card) and not looked(stuck, {}).changes
    outcome = looked(stuck, HELD)
    assert outcome.draft.filed.pending.lacking == () and outcome.draft.filed.pending.card != stuck.filed.pending.card
    (card,) = of_kind(outcome, Announce)
    assert card.id == outcome.draft.filed.pending.card
    (told,) = [post.card for post in of_kind(outcome, Post)]
    assert isinstance(told, Notice) and told.lines[0].key == "decider_found"
    assert not of_kind(outcome, Remind) and {one.id for one in of_kind(outcome, Repaint)} >= {stuck.filed.pending.card}


def test_a_named_manager_has_the_card_and_decides_alone() -> None:
    """The card is theirs, the verdict of another holder of the role is refused with their name, and compliance is asked in its channel after that."""
    outcome = filing({"manager": (MANAGER,), "compliance": (OFFICER,)}, named=True)
    (card,) = of_kind(outcome, Announce)
    assert (card.to, outcome.draft.filed.pending.named) == (MANAGER, (MANAGER,))
    assert refused(outcome.draft, verdict(outcome.draft, "U0OTHR", own=False)) == "decide_named"
    assert refused(outcome.draft, verdict(outcome.draft, MANAGER, own=False)) == "decide_role"
    after = routed(outcome.draft, verdict(outcome.draft, MANAGER, deciders=found(HELD)))
    (card,) = of_kind(after, Announce)
    assert (card.to, after.draft.filed.pending.named) == ("", ())


def test_the_deputy_has_the_card_once_the_manager_is_away() -> None:
    """The record is looked at again while it waits for somebody by name; its time to be decided does not begin anew."""
    draft = filing({"manager": (MANAGER,)}, named=True).draft
    outcome = looked(draft, {"manager": (f"{DEPUTY}>{MANAGER}", MANAGER)}, named=True)
    (card,) = of_kind(outcome, Announce)
    assert (card.to, outcome.draft.filed.pending.named) == (DEPUTY, (DEPUTY, MANAGER))
    assert outcome.draft.filed.pending.due == draft.filed.pending.due and not of_kind(outcome, Post)


def test_a_seat_that_is_filled_further_on_posts_no_second_card() -> None:
    """The manager's card stays where it is and is painted anew; the requester reads that the request can be decided."""
    draft = filing({"manager": (MANAGER,), "compliance": ()}).draft
    outcome = looked(draft, HELD)
    assert outcome.draft.filed.pending == replace(draft.filed.pending, lacking=()) and not of_kind(outcome, Announce)
    assert (
        draft.filed.pending.card in {one.id for one in of_kind(outcome, Repaint)} and len(of_kind(outcome, Post)) == 1
    )
    worse = looked(filing({"manager": (), "compliance": ()}).draft, {"manager": (MANAGER,), "compliance": ()})
    assert [one.what for one in of_kind(worse, Announce)] == ["record", "nobody"] and worse.draft.filed.pending.lacking


def test_the_time_to_decide_begins_when_somebody_can() -> None:
    """A late reminder of what nobody can decide goes to the operators as well; once somebody can, the whole time is theirs."""
    states = {**ROUTE.model_dump()["states"]}
    states["pending_manager"] |= {"hours": 24}
    form = ROUTED.model_copy(update={"filing": FilingTable.model_validate({"states": states})})
    draft = reviewing()
    nobody, somebody = found({"manager": ()}), found({"manager": (MANAGER,)})
    event = FactsGathered("g1", AT, "rules", "submit", {}, draft.hash, deciders=nobody)
    stuck = advance(form, JUDGED, draft, event).draft
    due, card = stuck.filed.pending.due, stuck.filed.pending.card
    late = TimerFired("t1", due, "timer", "overdue", "pending_manager", card, due, deciders=nobody)
    overdue = advance(form, JUDGED, stuck, late)
    assert [one.what for one in of_kind(overdue, Announce)] == ["record", "nobody"]
    pending = overdue.draft.filed.pending
    assert pending.overdue == due
    looks = TimerFired("t2", due, "timer", "deciders", "pending_manager", pending.card, due, deciders=somebody)
    after = advance(form, JUDGED, overdue.draft, looks)
    (again,) = of_kind(after, Remind)
    pending = after.draft.filed.pending
    assert (pending.overdue, pending.due, again.at) == ("", again.at, again.at) and again.at > due


def test_an_extension_that_nobody_can_grant_is_told_as_a_request_is() -> None:
    """The requester and the operators hear of it at once; it is looked up again, and whoever holds the role then extends."""
    draft = wanted(approved())
    asked_for = routed(approved(), click("extend", card=approved().filed.receipt))
    (look,) = of_kind(asked_for, Remind)
    assert (look.what, look.at, look.mark) == ("deciders", AT, draft.filed.pending.card)

    def again(at: Draft, *who: str) -> Outcome:
        held = {"approved": Deciders(tuple(Decider(one) for one in who))}
        return routed(
            at, TimerFired("t1", AT, "timer", "deciders", "approved", at.filed.pending.card, AT, deciders=held)
        )

    nobody = again(draft, OWNER)
    assert [(one.what, one.reasons, one.to) for one in of_kind(nobody, Announce)] == [
        ("nobody", ("approved",), "operators")
    ]
    (told,) = [post.card for post in of_kind(nobody, Post)]
    assert [line.key for line in told.lines[:1]] == ["extender_missing"] and of_kind(nobody, Remind)
    found_one = again(nobody.draft, SENIOR).draft
    assert found_one.filed.pending == draft.filed.pending and not again(found_one, SENIOR).changes
    extended = decided(found_one, SENIOR, "extend").filed
    assert extended.valid_until > approved().filed.valid_until
