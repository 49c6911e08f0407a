"""Callers' tokens: a file of their hashes, each of which fixes tenant, user and roles. The tokens themselves are nowhere."""

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from state.form.source import NotToml, hint, values_in

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class Caller(BaseModel):
    """The caller that a token stands for. `zone` is an IANA name; empty where Slack's profile is to be asked."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    tenant: Id
    user: Id
    roles: list[str] = []
    zone: str = ""
    workflow: str = ""


@dataclass(frozen=True)
class Tokens:
    """Every caller that is known."""

    callers: tuple[Caller, ...] = ()

    def caller(self, token: str) -> Caller | None:
        """Return the caller of a token. All hashes are compared, each in constant time, so that time tells nothing."""
        digest = digest_of(token)
        found = [caller for caller in self.callers if hmac.compare_digest(digest, caller.sha256)]
        return found[0] if found else None


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    tokens: list[Caller] = []


def read_tokens(file: Path | None, workflows: Iterable[str] = ()) -> Tokens:
    """Return the file of HOLDFAST_CHAT_TOKENS; nobody without one. Raises ValueError in a sentence, which holds no hash."""
    if file is None:
        return Tokens()
    try:
        callers = _File.model_validate(values_in(file)).tokens
    except OSError:
        raise ValueError(f"{file.name} cannot be read") from None
    except NotToml as problem:
        raise ValueError(f"{file.name}, {problem}") from None
    except ValidationError as problem:
        where = ".".join(str(part) for part in problem.errors()[0]["loc"])
        raise ValueError(f"{file.name}: {where} is not what it should be") from None
    unknown = sorted({c.workflow for c in callers} - {"", *workflows})
    if unknown:
        raise ValueError(f"{file.name}: there is no workflow {unknown[0]!r}{hint(unknown[0], workflows)}")
    return Tokens(tuple(callers))


def digest_of(token: str) -> str:
    """Return what is kept of a token: its SHA-256. It has 256 random bits, so no salt or stretching is needed."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
