"""What the SDK raised or the endpoint said, as one of our errors. The only place that reads an endpoint's words, and it keeps none."""

import re
from collections.abc import Mapping

import anthropic

from bot.model.protocol import Away, BadModelRequest, Cause, ModelAway, ModelError, ModelOverflow
from bot.model.streaming import Broken, StreamError

BAD_REQUEST = frozenset({400, 422})
_TOO_LARGE = 413
_LAST_STATUS_BELOW_OUTAGE = 499

_BY_STATUS = {
    401: Away.KEY, 402: Away.BUDGET, 403: Away.KEY, 404: Away.NO_SUCH_MODEL, 408: Away.TIMEOUT, 429: Away.RATE_LIMITED,
    504: Away.TIMEOUT, 529: Away.OVERLOADED,
}  # fmt: skip
_STATUS_OF_KIND = {
    "invalid_request_error": 400, "authentication_error": 401, "billing_error": 402, "permission_error": 403,
    "not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "timeout_error": 504,
    "overloaded_error": 529,
}  # fmt: skip
_OVERFLOW = re.compile(r"prompt is too long|context (window|length)|too many (input )?tokens", re.IGNORECASE)
_MONEY = re.compile(r"credit balance|spend(ing)?[ _]limit|usage limit|quota", re.IGNORECASE)


def fault_of(error: Exception, cause: Cause) -> ModelError:
    """The error that this exception of the SDK, of a stream or of the clock stands for."""
    if isinstance(error, anthropic.APITimeoutError | TimeoutError):
        return ModelAway(Away.TIMEOUT, cause)
    if isinstance(error, anthropic.APIConnectionError):
        return ModelAway(Away.UNREACHABLE, cause)
    if isinstance(error, anthropic.APIStatusError):
        return fault_of_status(error.status_code, complaint_of(error), cause)
    if isinstance(error, StreamError):
        return fault_of_status(_STATUS_OF_KIND.get(error.kind, 500), "", cause)
    return ModelAway(error.reason if isinstance(error, Broken) else Away.GARBLED, cause)


def fault_of_status(status: int, complaint: str, cause: Cause) -> ModelError:
    """The error for an HTTP status and the words that came with it."""
    if status == _TOO_LARGE or (status in BAD_REQUEST and _OVERFLOW.search(complaint)):
        return ModelOverflow(cause)
    if status <= _LAST_STATUS_BELOW_OUTAGE and _MONEY.search(complaint):
        return ModelAway(Away.BUDGET, cause)
    if status in BAD_REQUEST:
        return BadModelRequest(cause)
    return ModelAway(_BY_STATUS.get(status, Away.OUTAGE), cause)


def complaint_of(error: anthropic.APIStatusError) -> str:
    """The endpoint's own words and its error code, to be searched and forgotten."""
    return f"{error.api_message or error.message} {error.error_code or ''}"


def wait_asked(headers: Mapping[str, str]) -> float | None:
    """Seconds that a 429 asks to wait (0 where it names a date, which the SDK reads), None where it names none."""
    if "retry-after" not in headers and "retry-after-ms" not in headers:
        return None
    try:
        return float(headers["retry-after-ms"]) / 1000 if "retry-after-ms" in headers else float(headers["retry-after"])
    except ValueError:
        return 0.0
