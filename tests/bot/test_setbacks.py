"""The outcome of a row that could not be performed: pure rules, over every refusal, lane and kind."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.slack.errors import SCOPES, Expired, Fault, Scope, Undelivered, Unreadable
from bot.turns.trouble import ATTEMPTS, BLIND, Blindly, Terms, setback_of
from state.stores.rows import DeliveryFailure, OutboxRow

ROW = OutboxRow("k", "slack:T1:D1:", "post", "T1:U1", {}, id=1)
PAINT = replace(ROW, lane="cosmetic:c1", kind="repaint")
REFUSED = [Undelivered(Fault(scope, code)) for code, scope in sorted(SCOPES.items()) if scope is not Scope.OUTAGE]
DOWN = Undelivered(Fault(Scope.OUTAGE, "http_503", sent=True))


def after(row: OutboxRow, setback: DeliveryFailure) -> OutboxRow:
    """The row as it is read back after a setback."""
    attempts = row.attempts if setback.attempts is None else setback.attempts
    sent = row.sent if setback.sent is None else setback.sent
    return replace(row, attempts=attempts, sent=sent, status=setback.status, reason=setback.reason, fresh=False)


@pytest.mark.parametrize("refused", REFUSED, ids=lambda refused: refused.fault.code)
def test_no_refusal_ends_a_message_out_of_sight(refused: Undelivered) -> None:
    """Whatever Slack refuses for good is blocked under Slack's own word, at once; of a courtesy it is the end, by name."""
    blocked = setback_of(ROW, refused, Terms())
    assert isinstance(blocked, DeliveryFailure)
    assert (blocked.status, blocked.reason) == ("blocked", refused.fault.code)
    paint = setback_of(PAINT, refused, Terms())
    expired = refused.fault.scope is not Scope.WORKSPACE
    assert isinstance(paint, DeliveryFailure) and (paint.status, paint.delay) == (
        ("expired", None) if expired else ("blocked", 0)
    )


def test_what_the_place_refuses_holds_the_lane_and_what_the_message_is_refused_for_does_not() -> None:
    """An announcement keeps its place before those behind it; a message that is too long makes room for them; so does a file without its scope."""
    held = setback_of(ROW, Undelivered(Fault(Scope.PLACE, "not_in_channel")), Terms())
    aside = setback_of(ROW, Undelivered(Fault(Scope.MESSAGE, "msg_too_long")), Terms())
    file = setback_of(replace(ROW, kind="attach"), Undelivered(Fault(Scope.PLACE, "missing_scope")), Terms())
    assert (
        isinstance(held, DeliveryFailure) and isinstance(aside, DeliveryFailure) and isinstance(file, DeliveryFailure)
    )
    assert held.delay and aside.delay is None and file.delay is None


@given(st.integers(1, 2000))
def test_an_outage_takes_no_try(times: int) -> None:
    """However often an outage is met, the row stays open with as many tries as before."""
    row = ROW
    for _ in range(min(times, 50)):
        setback = setback_of(row, DOWN, Terms(wait=times))
        assert isinstance(setback, DeliveryFailure) and (setback.status, setback.delay) == ("unclear", times)
        row = after(row, setback)
    assert row.attempts == 0


def test_a_message_that_alone_is_not_taken_ends_in_sight() -> None:
    """Where others get through each time and this one never does, it is blocked after as many tries as a row has."""
    row, tries = ROW, 0
    while row.status != "blocked":
        setback = setback_of(row, DOWN, Terms(own=True))
        assert isinstance(setback, DeliveryFailure)
        row, tries = after(row, setback), tries + 1
    assert tries == ATTEMPTS and row.reason == "http_503"


@given(st.lists(st.sampled_from([DOWN, Unreadable("missing_scope"), Unreadable("unclear", looks=False)]), max_size=60))
def test_nobody_posts_blindly_twice(problems: list[Exception]) -> None:
    """However posts break off and looks are refused, a row is sent blindly once at most; then it is blocked, still looked for, or at its end."""
    row, blind = ROW, 0
    for problem in problems:
        setback = setback_of(row, problem, Terms())
        if isinstance(setback, Blindly):
            row, blind = replace(row, sent=BLIND, fresh=True), blind + 1
            continue
        assert setback.status in ("unclear", "blocked", "expired")
        if setback.status == "expired":
            break
        row = after(row, setback)
    assert blind <= 1


def test_what_surely_stands_nowhere_needs_no_look() -> None:
    """A refusal says that nothing was posted; where an earlier try was never cleared up, it says nothing of that one."""
    refused = Undelivered(Fault(Scope.PLACE, "not_in_channel"))
    sure, doubtful = setback_of(ROW, refused, Terms()), setback_of(replace(ROW, sent=BLIND), refused, Terms())
    assert isinstance(sure, DeliveryFailure) and isinstance(doubtful, DeliveryFailure)
    assert (sure.sent, doubtful.sent) == (0, None)


def test_our_own_faults_are_tried_again_and_then_given_up_by_name() -> None:
    """A fault of ours has eight tries, further and further apart; the dead letter names its class. What comes too late has expired."""
    first = setback_of(ROW, KeyError("secret words"), Terms())
    last = setback_of(replace(ROW, attempts=ATTEMPTS - 1), KeyError("secret words"), Terms())
    assert isinstance(first, DeliveryFailure) and isinstance(last, DeliveryFailure)
    assert (first.status, first.delay, first.attempts) == ("new", 0.5, 1)
    assert (last.status, last.delay, last.reason) == ("dead", None, "KeyError")
    late = setback_of(PAINT, Expired("repaint"), Terms())
    assert isinstance(late, DeliveryFailure) and (late.status, late.reason) == ("expired", "late")
