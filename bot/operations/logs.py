"""Structured logs: JSON lines for machines, short lines for a terminal; words of people and secrets never get in.

What the bot logs is redacted; a library's line keeps the words of its own source; an exception is logged by class, codes and place.
One id leads from Slack's event to everything that came of it: `about` binds it, and every line meanwhile carries it.
"""

import asyncio
import inspect
import logging
import os
import re
import sys
import threading
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import AbstractContextManager, suppress
from functools import lru_cache
from types import TracebackType
from typing import Any, Final, TextIO, cast

import structlog

OURS: Final = re.compile(r"[0-9a-f]{12}")
"""How a draft's id and the id of an event look: random, and nobody's."""


def configure(level: str = "INFO", form: str = "") -> None:
    """Set up once, at the start of a process. `form` is "json" or "text"; "" asks whether a person looks on."""
    logging.basicConfig(handlers=[LibraryHandler()], level=level.upper(), force=True)
    debug = logging.getLogger().level <= logging.DEBUG
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.DEBUG if debug else logging.WARNING)
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.NOTSET)
    text = form == "text" or (not form and sys.stderr.isatty())
    renderer: Any = structlog.dev.ConsoleRenderer() if text else structlog.processors.JSONRenderer(ensure_ascii=False)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            _trace_without_values,
            _without_private,
            structlog.contextvars.merge_contextvars,
            structlog.processors.TimeStamper(fmt="iso"),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level.upper()),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, Unfailing(sys.stderr))),
    )


class Unfailing:
    """A stream that loses what it cannot write: nothing that a full disk keeps from the log ends in whoever logged it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        """Write, if it can be."""
        with suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        """Have it written."""
        with suppress(OSError):
            self._stream.flush()


def about(event: str) -> AbstractContextManager[None]:
    """Return every line meanwhile carries this id."""
    return structlog.contextvars.bound_contextvars(id=event)


def remember(event: str) -> None:
    """Every line of this task carries this id from here on."""
    structlog.contextvars.bind_contextvars(id=event)


def forget() -> None:
    """A new request begins: what lines carried until now was another's."""
    structlog.contextvars.clear_contextvars()


def watch(loop: asyncio.AbstractEventLoop) -> None:
    """Log like everything else what nobody catches in a task, in a thread, or at the end of the process: a traceback quotes texts."""
    loop.set_exception_handler(_in_background)
    sys.excepthook = _fell
    threading.excepthook = lambda fell: _fell(fell.exc_type, fell.exc_value or fell.exc_type(), fell.exc_traceback)


def _in_background(_loop: asyncio.AbstractEventLoop, found: Mapping[str, Any]) -> None:
    """asyncio's own text names the task with its arguments: what happened is in the exception."""
    structlog.get_logger("asyncio").error("task_failed", exc_info=found.get("exception") or None)


def _fell(kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> None:
    """An exception that nobody caught: a traceback would quote its text."""
    if issubclass(kind, KeyboardInterrupt):
        return
    structlog.get_logger("holdfast").critical("fell", exc_info=problem.with_traceback(trace))


def _without_private(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """Names that could carry what people wrote are struck, whoever logs them; in all the others, what looks like a secret."""
    told, draft = {name: plain(value) for name, value in event.items() if name not in PRIVATE}, event.get("draft")
    return told | ({"draft": draft} if isinstance(draft, str) and OURS.fullmatch(draft) else {})


def _trace_without_values(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """An exception is logged by class, codes and place: its text may hold what people wrote."""
    given = event.pop("exc_info", None)
    problem = sys.exc_info()[1] if given is True else given if isinstance(given, BaseException) else None
    return event if problem is None else {**event, **told(problem)}


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
    "aiohttp", "anthropic", "httpx2", "alembic", "sqlalchemy", "aiosqlite", "redis", "asyncio", "pypdfium2",
)  # fmt: skip
"""Libraries that say more than anybody wants to know below a warning."""
CHATTY: Final = ("slack_bolt", "slack_sdk")
"""Loggers whose information is worth a line: a socket that is made anew."""


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


STRUCK: Final = "[struck]"
LONGEST: Final = 300
"""Characters of one value: nothing that the bot itself has to say is longer."""

PRIVATE: Final = frozenset(
    {
        "text", "words", "value", "body", "payload", "blocks", "arguments", "token", "key_material", "prompt", "response_url",
        "person", "user", "name", "conversation", "channel", "lane", "url", "file_name", "message", "said", "secret",
    }
)  # fmt: skip
"""Names of fields that carry people's words, a secret, or a person, whatever they hold."""

_DATE: Final = r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?"
_MOMENT: Final = r"\d{10}\.\d{6}"
_KEPT: Final = re.compile(rf"(?<![\w.+-])(?:{_DATE}|{_MOMENT})(?![\w.+-])")
"""Days, times and places in Slack's time: figures that nobody can be called by."""

_SECRET: Final = re.compile(
    r"""
      \b(?:xox[a-z]|xapp|xwfp)[-.][\w.-]*                       # Slack's tokens
    | \b(?:sk|pk|rk|hf)[-_][\w-]{6,}                             # keys of models and payments, tokens of ours
    | \b(?:bearer|basic|authorization|token|password|secret|api[_-]?key)\b["']?\s*[:=]?\s*\S+
    | \b[A-Za-z][\w+.-]*://[^\s"'<>]*                            # any address: what follows the host may be a key to it
    | [^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+                          # an address of e-mail, or a password before a host
    | \b[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]){10,30}\b                   # an account
    | \b(?-i:[UWD](?=[A-Z]*\d)[A-Z0-9]{4,})\b                    # a person in Slack, and their direct message
    | \b[A-Za-z0-9+/_-]{40,}={0,2}                               # whatever is that long is a key
    | (?<!\w)\+?\(?\d(?:[\s()./-]*\d){6,}(?!\w)                  # a telephone number, a card, a tax code
    """,
    re.VERBOSE | re.IGNORECASE,
)


def redacted(text: str) -> str:
    """Return the text without secrets, addresses, numbers and ids of people, and no longer than a line of our own."""
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"\0{chr(len(kept))}\0"

    struck = _SECRET.sub(STRUCK, _KEPT.sub(keep, text.replace("\0", "")[: 4 * LONGEST]))
    whole = re.sub("\0(.)\0", lambda found: kept[ord(found[1]) - 1], struck, flags=re.DOTALL)
    return whole if len(whole) <= LONGEST else whole[:LONGEST] + "…"


def plain(value: Any) -> Any:
    """Return a value as a line may show it: figures as they are, texts redacted, names that are private without what they hold."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {redacted(str(name)): plain(one) for name, one in value.items() if str(name) not in PRIVATE}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    text = str(value)
    return _redacted_once(text) if len(text) <= SHORT else redacted(text)


SHORT = 40
"""Characters of a name that is logged again and again, as a kind of event is."""
_redacted_once = lru_cache(1024)(redacted)


FRAMES: Final = 6
CAUSES: Final = 4
CODE: Final = re.compile(r"[a-z]{2,20}(?:_[a-z]{1,20}){0,6}")
"""How Slack's error codes look."""
NAMED: Final = re.compile(r"[A-Z0-9_]{3,40}")
"""How SQLite and PostgreSQL name what is wrong."""


def told(problem: BaseException) -> dict[str, Any]:
    """Class, codes, place and causes of an exception, for the fields of a line."""
    causes = list(_causes(problem))[:CAUSES]
    codes: dict[str, Any] = {}
    for one in (problem, *causes):
        codes = {**_codes(one), **codes}
    line: dict[str, Any] = {"error": type(problem).__name__, **codes, "where": frames(problem.__traceback__)}
    return line | ({"because": [type(one).__name__ for one in causes]} if causes else {})


def slack_answer(problem: BaseException) -> tuple[str, int | None]:
    """Return what Slack's refusal says: its error code ("" where there is none), and the HTTP status; whatever it was that came."""
    response = getattr(problem, "response", None)
    data = getattr(response, "data", None)
    code = data.get("error") if isinstance(data, dict) else None
    status = getattr(response, "status_code", None) or getattr(response, "status", None)
    known = isinstance(code, str) and CODE.fullmatch(code) is not None
    return str(code) if known else "", status if isinstance(status, int) else None


def frames(trace: TracebackType | None) -> list[str]:
    """Return the innermost places, as "module:line"."""
    found: list[str] = []
    while trace is not None:
        found.append(f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}")
        trace = trace.tb_next
    return found[-FRAMES:]


def _causes(problem: BaseException) -> Iterator[BaseException]:
    seen = {id(problem)}
    following = _before(problem)
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        yield following
        following = _before(following)


def _before(problem: BaseException) -> BaseException | None:
    original = getattr(problem, "orig", None)
    if isinstance(original, BaseException):
        return original
    return problem.__cause__ or (None if problem.__suppress_context__ else problem.__context__)


def _codes(problem: BaseException) -> dict[str, Any]:
    """Return what an exception says by codes from closed lists."""
    code, status = slack_answer(problem)
    found: dict[str, Any] = {"code": code} if code else {}
    status = status or getattr(problem, "status_code", None) or getattr(problem, "status", None)
    if isinstance(status, int):
        found["status"] = status
    if isinstance(problem, OSError) and isinstance(problem.errno, int):
        with suppress(ValueError, OverflowError):
            found["system"] = os.strerror(problem.errno)
    for name in ("sqlite_errorname", "sqlstate"):
        given = getattr(problem, name, None)
        if isinstance(given, str) and NAMED.fullmatch(given):
            found["database"] = given
    return found
