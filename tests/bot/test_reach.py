"""Slack's availability: arithmetic over the outcomes of calls, with the time passed in."""

from datetime import UTC, datetime

import pytest
from aiohttp import ClientConnectorDNSError, ServerDisconnectedError
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.errors import SlackApiError

from bot.slack.client import FIRST, LONGEST, SlackAvailability
from bot.slack.errors import Fault, Later, Scope, fault_of
from tests.bot.test_budget import Hand

AT = datetime(2026, 11, 22, tzinfo=UTC)
POST, UPDATE = "chat.postMessage", "chat.update"
DOWN = Fault(Scope.OUTAGE, "http_503", sent=True, method=POST)


class Slack:
    """Answers auth.test, or does not."""

    def __init__(self, reach: SlackAvailability) -> None:
        self.reach, self.well, self.asked = reach, True, 0

    async def __call__(self) -> None:
        self.asked += 1
        if not self.well:
            self.reach.failed(Fault(Scope.OUTAGE, "http_503", method="auth.test"), AT)
            raise TimeoutError
        self.reach.answered("auth.test", AT)


def reaching() -> tuple[SlackAvailability, Slack, Hand]:
    """A workspace's reach, its Slack, and its clock."""
    clock = Hand()
    reach = SlackAvailability(clock=clock)
    slack = Slack(reach)
    reach.ask = slack
    return reach, slack, clock


async def test_one_asks_for_all_and_goes_first() -> None:
    """After an outage one caller asks and tries; the others wait until it is seen what came of that."""
    reach, slack, clock = reaching()
    await reach.clear()
    reach.failed(DOWN, AT)
    with pytest.raises(Later):
        await reach.clear()
    clock.now += FIRST
    await reach.clear()
    with pytest.raises(Later):
        await reach.clear()
    reach.answered(POST, AT)
    await reach.clear()
    assert (slack.asked, reach.reason, reach.since) == (1, "", None)


async def test_an_outage_of_any_length_is_asked_after_ever_less_often() -> None:
    """For hours nothing but auth.test is called, at most once a minute, and a minute after the end everything goes on."""
    reach, slack, clock = reaching()
    reach.failed(DOWN, AT)
    slack.well, until = False, clock.now + 5 * 3600
    while clock.now < until:
        with pytest.raises(Later):
            await reach.clear()
        clock.now += max(reach.seconds, 0.1)
    assert slack.asked <= 5 * 60 + 10 and reach.since == AT
    slack.well = True
    clock.now += LONGEST
    await reach.clear()


async def test_calls_that_fail_together_count_once() -> None:
    """Fifty calls that fail at the same time make nobody wait longer than one."""
    reach, _, _ = reaching()
    for _ in range(50):
        reach.failed(DOWN, AT)
    assert reach.seconds == FIRST


async def test_another_methods_success_ends_no_outage_at_once() -> None:
    """While posts fail, a change that goes through is no sign; the post itself is."""
    reach, _, _ = reaching()
    reach.failed(DOWN, AT)
    reach.answered(UPDATE, AT)
    assert reach.holding
    reach.answered(POST, AT)
    assert not reach.holding


async def test_a_courtesy_that_fails_holds_up_nobody() -> None:
    """Where Slack fails at a status line or a profile alone, messages go on."""
    reach, _, _ = reaching()
    reach.failed(Fault(Scope.OUTAGE, "http_500", method="assistant.threads.setStatus"), AT)
    assert not reach.holding


@given(
    st.sampled_from(
        [None, 7, "", "plain", b"<html>", {}, {"ok": False}, {"error": "new_one"}, {"error": "internal_error"}]
    ),
    st.integers(0, 600),
)
def test_whatever_slack_answers_has_a_name(data: object, status: int) -> None:
    """Any body and any status is somebody's fault; nothing that is no answer of Slack's is held against the message."""

    class Response:
        """The SDK's, or the library's in its place."""

    response = Response()
    response.data, response.status_code = data, status  # type: ignore[attr-defined]
    fault = fault_of(SlackApiError("no", response))  # type: ignore[no-untyped-call]
    assert fault is not None
    if status >= 500 or not isinstance(data, dict) or not data.get("error"):
        assert fault.scope in (Scope.OUTAGE, Scope.LIMITED)


def test_what_was_never_sent_is_told_from_what_may_have_been() -> None:
    """A name that is not found or a refused connection sent nothing; a connection that broke, or no answer in time, may have."""
    nowhere = fault_of(ClientConnectorDNSError(None, OSError("no such host")))  # type: ignore[arg-type]
    assert nowhere is not None and not nowhere.sent
    for problem in (ServerDisconnectedError(), TimeoutError(), ConnectionResetError()):
        fault = fault_of(problem)
        assert fault is not None and fault.sent
    assert fault_of(KeyError("x")) is None
