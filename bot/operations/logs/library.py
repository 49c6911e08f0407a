"""Lines of libraries: the words of their own source, and at how bad a level they are meant for whoever runs the bot.

What a library puts into its text at run time (payloads, addresses, texts of exceptions) is left out by structure: only what
stands in its source is repeated, and of what was filled in only figures, codes and names of methods.
"""

import inspect
import logging
import re
import sys
from typing import Any, Final

import structlog

from bot.operations.logs.redactor import redacted, slack_answer, told

TOKEN_REFUSED: Final = frozenset(
    {
        "access_denied", "account_inactive", "ekm_access_denied", "invalid_auth", "missing_scope", "no_permission",
        "not_allowed_token_type", "not_authed", "org_login_required", "token_expired", "token_revoked",
        "user_removed_from_team",
    }
)  # fmt: skip
MEND: Final = (
    "Slack refuses SLACK_APP_TOKEN, so nothing reaches the bot. Make a new one with connections:write in “Basic "
    "Information”, and start anew."
)
HOLE: Final = "…"
PERCENT: Final = re.compile(r"%(?:\(\w+\))?[-#0-9 +.*]*[a-zA-Z%]")
SAFE: Final = re.compile(
    r"-?\d{1,5}(?:\.\d{1,6})?|s_-?\d{1,20}|GET|POST|True|False|None|(?:[a-z]{2,20}\.){1,3}[a-z][A-Za-z]{2,30}", re.ASCII
)
"""A figure, a socket session of the SDK's, a verb, a method of Slack's: what may fill a hole."""
API: Final = re.compile(r"https://(?:www\.)?slack\.com/api/((?:[a-z]{2,20}\.){1,3}[a-z][A-Za-z]{2,30})", re.ASCII)

RETRIED: Final = (
    ("Failed to connect (error: ", "warning"),
    ("Failed to retrieve WSS URL: ", "warning"),
    ("Failed to check the current session or reconnect", "warning"),
    ("Failed to receive or enqueue a message: ", "info"),
    ("Failed to send a ping message (", "info"),
    ("Failed to close the old session : ", "info"),
    ("The current session (", "info"),
    ("The session (", "info"),
    ("Received CLOSE event from ", "info"),
)
"""How the SDK begins to say that the socket is made anew, and how bad that is: it goes on trying by itself."""

QUIET: Final = (
    "aiohttp", "anthropic", "httpx", "httpcore", "alembic", "sqlalchemy", "aiosqlite", "redis", "asyncio", "matplotlib",
    "pypdfium2",
)  # fmt: skip
"""Libraries that say more than anybody wants to know below a warning."""
CHATTY: Final = ("slack_bolt", "slack_sdk")
"""Those whose information is worth a line: a socket that is made anew."""


class LibraryHandler(logging.Handler):
    """Turns a record of the standard library's logging into a line of ours."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            write(record)
        except Exception:  # a line that cannot be told must not hide what it is about
            structlog.get_logger("holdfast").warning(
                "library", library=record.name, place=place(record), unreadable=True
            )


def write(record: logging.LogRecord) -> None:
    """One line: event, level, library, place, its own words, and what is known of the exception at hand."""
    problem = _problem(record)
    words = said(record)
    level, event = judged(record, words, problem)
    line: dict[str, Any] = {"library": record.name, "place": place(record), "says": words}
    if event == "slack_refuses_app_token":
        line["do"] = MEND
    log = structlog.get_logger(record.name)
    getattr(log, level)(event, **line, **(told(problem) if problem else {}))


def place(record: logging.LogRecord) -> str:
    """Module and line."""
    return f"{record.module}:{record.lineno}"


def said(record: logging.LogRecord) -> str:
    """Return what the record's own source says: a template with what is safe in its holes, else the words that its text begins with."""
    text, template, literals = record.getMessage(), str(record.msg), _literals(record)
    if template not in literals:
        return redacted(max(filter(text.startswith, literals), key=len, default="") + HOLE)
    parts = PERCENT.split(template) if record.args else [text]
    found = re.fullmatch("(.*?)".join(map(re.escape, parts)), text, re.DOTALL)
    if found is None:
        return HOLE
    shown = [*map(_safe, found.groups()), ""]
    return redacted("".join(part + filling for part, filling in zip(parts, shown, strict=True)))


def _literals(record: logging.LogRecord) -> set[str]:
    """Return the strings that are written in the function that logs; nothing where it is not the one that runs."""
    frame = inspect.currentframe()
    while frame is not None:
        if frame.f_code.co_filename == record.pathname and frame.f_lineno == record.lineno:
            return {one for one in frame.f_code.co_consts if isinstance(one, str)}
        frame = frame.f_back
    return set()


def judged(record: logging.LogRecord, words: str, problem: BaseException | None) -> tuple[str, str]:
    """Level and event of a library's line."""
    refused = problem is not None and slack_answer(problem)[0] in TOKEN_REFUSED
    if words.startswith("Failed to retrieve WSS URL: ") and refused:
        return "error", "slack_refuses_app_token"
    for begins, level in RETRIED:
        if words.startswith(begins):
            return "info" if refused else level, "slack_socket_made_anew"
    return record.levelname.lower() if record.levelno in _LEVELS else "warning", "library"


_LEVELS: Final = frozenset({logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL})


def _problem(record: logging.LogRecord) -> BaseException | None:
    """Return the exception that the line is about: its own, or, above information, the one that is being handled."""
    if record.exc_info and record.exc_info[1] is not None:
        return record.exc_info[1]
    return sys.exc_info()[1] if record.levelno > logging.INFO else None


def _safe(filling: str) -> str:
    if SAFE.fullmatch(filling):
        return filling
    method = API.fullmatch(filling)
    return method[1] if method else HOLE
