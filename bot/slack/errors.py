"""Slack's refusals and failures in one table, from the error to whom it concerns.

Codes are those of https://docs.slack.dev/reference/methods/chat.postMessage#errors and of its neighbours.
"""

import errno
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError, SlackRequestError

OK, MOVED, REFUSED, TOO_MANY, BROKEN = 200, 300, 400, 429, 500
AWAY = frozenset({408, 425, TOO_MANY})
"""What a sink says where the same will go later."""
CLOSED = frozenset({401, 403, 404, 405, 407, 410, 421, 451})
"""What a sink says where it would refuse everything."""
HOUR = 3600.0
UNREACHABLE = (errno.ECONNREFUSED, errno.ENETUNREACH, errno.EHOSTUNREACH)


class Scope(StrEnum):
    """The extent of a fault, and so who waits."""

    LIMITED = "limited"
    """A method, for as long as Slack says."""
    OUTAGE = "outage"
    """The workspace, until Slack answers again."""
    WORKSPACE = "workspace"
    """The workspace, until its token works again."""
    PLACE = "place"
    """A conversation or channel, until something changes there."""
    MESSAGE = "message"
    """This one message: it will never go as it is."""
    UNKNOWN = "unknown"
    """Nobody knows: a few more tries, then a dead letter."""


OUTAGES = frozenset({
    "internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org", "server_error",
    "external_channel_migrating",
})  # fmt: skip
WORKSPACE = frozenset({
    "not_authed", "invalid_auth", "token_revoked", "token_expired", "account_inactive", "org_login_required",
    "ekm_access_denied", "team_access_not_granted", "enterprise_is_restricted", "two_factor_setup_required",
    "accesslimited", "user_removed_from_team", "team_disabled", "invalid_token", "cannot_find_service",
})  # fmt: skip
PLACE = frozenset({
    "channel_not_found", "not_in_channel", "is_archived", "is_inactive", "thread_not_found", "not_in_conversation",
    "user_not_found", "users_not_found", "user_disabled", "user_not_visible", "cannot_dm_bot", "team_not_found",
    "messages_tab_disabled", "posting_to_general_channel_denied", "no_permission", "access_denied",
    "not_allowed_token_type", "channel_type_not_supported", "method_not_supported_for_channel_type", "missing_scope",
    "restricted_action", "restricted_action_read_only_channel", "restricted_action_thread_only_channel",
    "restricted_action_non_threadable_channel", "restricted_action_thread_locked", "not_allowed",
})  # fmt: skip
MESSAGE = frozenset({
    "msg_too_long", "msg_blocks_too_long", "no_text", "invalid_blocks", "invalid_blocks_format", "invalid_arguments",
    "invalid_attachments", "too_many_attachments", "too_many_contact_cards", "metadata_too_large",
    "metadata_must_be_sent_from_app", "invalid_metadata_format", "invalid_metadata_schema", "markdown_text_conflict",
    "invalid_arg_name", "invalid_array_arg", "invalid_charset", "invalid_form_data", "invalid_post_type", "invalid_json",
    "missing_post_type", "json_not_object", "cannot_reply_to_message", "user_not_in_channel", "file_uploads_disabled",
    "file_not_found", "file_uploads_except_images_disabled", "storage_limit_reached", "slack_connect_file_upload_sharing_blocked",
    "slack_connect_blocked_file_type", "blocked_file_type", "attachment_payload_limit_exceeded", "unknown_method",
})  # fmt: skip
SCOPES: Mapping[str, Scope] = {
    **dict.fromkeys(OUTAGES, Scope.OUTAGE),
    **dict.fromkeys(WORKSPACE, Scope.WORKSPACE),
    **dict.fromkeys(PLACE, Scope.PLACE),
    **dict.fromkeys(MESSAGE, Scope.MESSAGE),
}
OF_THE_METHOD = frozenset({"missing_scope", "not_allowed_token_type", "no_permission", "access_denied"})
"""What refuses a method, and may let others through: where a file may not be shared, a question may still be posted."""
OF_SINKS = ("no_such_sink", "no_secret", "short_secret", "certificate")
REASONS = frozenset((*SCOPES, *OF_SINKS, "unclear", "unreachable", "no_answer", "no_json", "other"))
"""Every reason by name, for metrics: what is not among them counts as "other"."""


@dataclass(frozen=True)
class Fault:
    """`code` is Slack's own, or a word of ours (`http_502`, `unreachable`). `sent`: what was to be sent may stand there all the same."""

    scope: Scope
    code: str
    sent: bool = False
    method: str = ""
    """Which call failed, where it was one of the Web API."""
    after: float = 0.0
    """Seconds for which whoever refused it wants to be left alone."""
    tried: bool = True
    """False where nothing was sent, because others were refused just now."""


class Later(Exception):
    """Not now: Slack would refuse it, or has. After so many `seconds` it is to be tried again, and this was no try.

    `behind`: a lane that it waits for; once nobody works there any more it may be tried sooner.
    """

    def __init__(self, seconds: float, behind: str = "") -> None:
        super().__init__(f"in {seconds:.1f} s")
        self.seconds, self.behind = seconds, behind


class Unreadable(Exception):
    """What may have been posted cannot be looked for, because of `code`. `looks`: another look may tell."""

    def __init__(self, code: str, *, looks: bool = True) -> None:
        super().__init__(code)
        self.code, self.looks = code, looks


class Undelivered(Exception):
    """Slack did not take what was sent."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.code)
        self.fault = fault


class Expired(Exception):
    """A courtesy has come too late to be one."""


def fault_of(problem: BaseException) -> Fault | None:
    """Return what a failed call to Slack means; None for what is no call's failure. The client notes on the error which call it was."""
    fault, notes = _fault_of(problem), getattr(problem, "__notes__", ())
    return replace(fault, method=str(notes[0])) if fault and notes else fault


def _fault_of(problem: BaseException) -> Fault | None:
    if isinstance(problem, SlackApiError):
        status, code = _status(problem.response), _code(problem.response)
        if status == TOO_MANY or code == "ratelimited":
            return Fault(Scope.LIMITED, "ratelimited")
        if status >= BROKEN:
            return Fault(Scope.OUTAGE, f"http_{status}", sent=True)
        if not code:
            return Fault(Scope.OUTAGE, "no_json" if status in (0, 200) else f"http_{status}", sent=True)
        scope = SCOPES.get(code) or (Scope.PLACE if code.startswith("restricted_action") else Scope.UNKNOWN)
        return Fault(scope, code, sent=scope is Scope.OUTAGE)
    if isinstance(problem, SlackRequestError):
        return Fault(Scope.OUTAGE, "no_answer")  # an upload's own: what is not completed is seen by nobody
    refused = isinstance(problem, OSError) and problem.errno in UNREACHABLE
    if isinstance(problem, aiohttp.ClientConnectorError) or refused:
        return Fault(Scope.OUTAGE, "unreachable")
    if isinstance(problem, aiohttp.ClientError | TimeoutError | ConnectionError):
        return Fault(Scope.OUTAGE, "no_answer", sent=True)
    return None


def _status(response: Any) -> int:
    """Return the HTTP status: the SDK hands over its own response, or the library's where the body was no JSON."""
    status = getattr(response, "status_code", None) or getattr(response, "status", 0)
    return status if isinstance(status, int) else 0


def _code(response: Any) -> str:
    """Return the error that Slack named; "" where what came is no answer of Slack's."""
    data = getattr(response, "data", response)
    return str(data.get("error") or "") if isinstance(data, dict) else ""


def status_fault(status: int, wanted: float = 0.0) -> Fault | None:
    """Return what a sink's HTTP status means; None where it took what was sent. `wanted`: seconds that it asks to be left alone, an hour at most."""
    if OK <= status < MOVED:
        return None
    after, code = min(max(0.0, wanted), HOUR), f"http_{status}"
    if status in AWAY or status >= BROKEN:
        return Fault(Scope.OUTAGE, code, sent=status >= BROKEN, after=after)
    return Fault(Scope.PLACE if status in CLOSED or status < REFUSED else Scope.MESSAGE, code)


def code_of(refusal: SlackApiError) -> str:
    """Return the error that Slack named; "" where what came is no answer of Slack's."""
    return _code(refusal.response)


def reason_of(code: str) -> str:
    """Return a code for a metric: from a closed list."""
    return code if code in REASONS or code.startswith(("http_", "disk_")) else "other"
