"""An exception as a log may tell it: what kind, which code, where. Its text may hold what people wrote, and stays out."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any, Final

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
    """What Slack's refusal says: its error code ("" where there is none), and the HTTP status; whatever it was that came."""
    response = getattr(problem, "response", None)
    data = getattr(response, "data", None)
    code = data.get("error") if isinstance(data, dict) else None
    status = getattr(response, "status_code", None) or getattr(response, "status", None)
    known = isinstance(code, str) and CODE.fullmatch(code) is not None
    return str(code) if known else "", status if isinstance(status, int) else None


def frames(trace: TracebackType | None) -> list[str]:
    """The innermost places, as "module:line"."""
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
    """What an exception says by codes from closed lists."""
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
