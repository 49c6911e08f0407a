"""Strike what names a person or opens a door, rather too much than too little; tell an exception by kind, code and place, never by its text."""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Final

STRUCK: Final = "[struck]"
LONGEST: Final = 300
"""Characters of one value: nothing that the bot itself has to say is longer."""

PRIVATE: Final = frozenset(
    {
        "text", "words", "value", "body", "payload", "blocks", "arguments", "token", "key_material", "prompt", "response_url",
        "person", "user", "name", "conversation", "channel", "lane", "url", "file_name", "message", "said", "secret",
    }
)  # fmt: skip
"""What carries people's words, a secret, or a person, whatever it holds."""

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
    return redacted(str(value))


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
