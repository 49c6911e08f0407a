"""sinks.toml under HOLDFAST_VAR: which records go where, and what of them may leave. Read anew where it changed."""

import tomllib
from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import structlog
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, model_validator

from bot.operations.files import Watched
from state.form import Form
from state.form.filing import DECIDED, is_decided
from state.form.source import meant

log = structlog.get_logger("holdfast.sinks")

FILE = "sinks.toml"
ANSWERS = "answers."
BREACH = "breach"
"""Beside the states of records: a breach that was opened or closed."""
USUAL = ("filed_at", "valid_until", "decisions", "breaches")
"""What leaves beside the number, the form, the state and the times, unless the file says otherwise: nothing personal."""
OFFERED = (*USUAL, "reasons", "conditions", "decided_by", "reports", "owner", "team")
SECRET = 16
"""Bytes that a secret has at least."""
KEYS: Mapping[str, tuple[str, ...]] = {"webhook": ("url", "secret_file"), "csv": ("folder",)}
"""What each kind needs, and no other kind has."""
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,40}$")]


class Sink(BaseModel):
    """One sink as it is written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["webhook", "csv"]
    forms: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    """Left out: whatever comes into, or out of, a state in which nobody looks at a record any more."""
    fields: tuple[str, ...] = USUAL
    url: str = ""
    secret_file: str = ""
    folder: str = ""

    @model_validator(mode="after")
    def _whole(self) -> "Sink":
        if not self.forms:
            raise ValueError('Say of which forms: forms = ["pa_dealing"].')
        for kind, keys in KEYS.items():
            for key in keys:
                if bool(getattr(self, key)) != (kind == self.kind):
                    raise ValueError(f"A {self.kind} {'needs' if kind == self.kind else 'has no'} `{key}`.")
        if self.url:
            _check_url(self.url)
        if self.secret_file and (Path(self.secret_file).name != self.secret_file or self.secret_file.startswith(".")):
            raise ValueError("`secret_file` is the name of a file in the folder of HOLDFAST_VAR, without a path.")
        return self

    def takes(self, form: Form, moved: tuple[str, str] | None, *, breach: bool = False) -> bool:
        """Return True if a step concerns this sink: from one state to another, or a breach. What it was told is final it is told the end of, too."""
        if form.name not in self.forms:
            return False
        if self.states:
            return bool(moved and moved[1] in self.states) or (breach and BREACH in self.states)
        return breach or any(is_decided(form.filing, state) is True for state in moved or () if state)


class SinksFile(BaseModel):
    """sinks.toml as it is written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sinks: Mapping[Name, Sink] = {}


def _check_url(url: str) -> None:
    """Https, or http on this machine; nobody's password in it. Raises ValueError, without the address: it may be a secret."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError:
        raise ValueError("`url` is no address.") from None
    if not host or parts.username or parts.password or parts.fragment:
        raise ValueError("`url` is an address like https://archive.example/records, without user, password or #part.")
    if parts.scheme != "https" and not (parts.scheme == "http" and _loopback(host)):
        raise ValueError("`url` begins with https://; only an address of this machine's own may begin with http://.")


def _loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def read_sinks(path: Path, forms: Mapping[str, Form]) -> Mapping[str, Sink]:
    """Read sinks.toml; nothing where there is none. Raises ValueError with a sentence for each thing to mend."""
    try:
        written = SinksFile.model_validate(tomllib.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        return {}
    except ValidationError as wrong:
        raise ValueError("; ".join(_sentence(one) for one in wrong.errors())) from None
    problems = [f"sinks.{name}: {told}" for name, sink in written.sinks.items() for told in _strange(sink, forms)]
    folders = [sink.folder for sink in written.sinks.values() if sink.folder]
    problems += [
        f"Two sinks cannot share the folder {one!r}." for one in dict.fromkeys(folders) if folders.count(one) > 1
    ]
    if problems:
        raise ValueError("; ".join(problems))
    return written.sinks


def _sentence(error: object) -> str:
    """Return a problem of pydantic's, by its place; never the value, which may be a secret."""
    given: Mapping[str, object] = error if isinstance(error, Mapping) else {}
    place = given.get("loc")
    where = ".".join(str(part) for part in place) if isinstance(place, tuple) else ""
    return f"{where}: {str(given.get('msg')).removeprefix('Value error, ')}"


def _strange(sink: Sink, forms: Mapping[str, Form]) -> Iterator[str]:
    """Yield names that no form has, and answers that never leave."""
    for name in sink.forms:
        if name not in forms:
            yield f"There is no form {name!r}.{meant(name, forms)}"
    mine = [forms[name] for name in sink.forms if name in forms]
    states = {BREACH, *DECIDED, *(state for form in mine for state in form.filing.states)}
    yield from (f"No record of these forms is ever {s!r}.{meant(s, states)}" for s in sink.states if s not in states)
    for name in sink.fields:
        yield from _strange_field(name, mine)


def _strange_field(name: str, forms: list[Form]) -> Iterator[str]:
    if not name.startswith(ANSWERS):
        known = (*OFFERED, *(f"{ANSWERS}{field}" for form in forms for field in form.fields))
        yield from () if name in OFFERED else (f"Nothing of a record is called {name!r}.{meant(name, known)}",)
        return
    answer = name.removeprefix(ANSWERS)
    having = [form.fields[answer] for form in forms if answer in form.fields]
    if not having:
        yield f"None of these forms has the field {answer!r}.{meant(answer, {f for form in forms for f in form.fields})}"
    elif any(field.sensitive for field in having):
        yield f"{answer!r} is sensitive: it leaves by no sink."


class Sinks:
    """The sinks as they stand. A file that is wrong counts for nothing: what was there before it stands, and `problem` says why."""

    def __init__(self, folder: Path, forms: Mapping[str, Form]) -> None:
        self._watched, self._forms = Watched(folder / FILE), forms
        self._good: Mapping[str, Sink] = {}
        self.problem = ""
        self.var = folder
        self._take()

    def current(self) -> Mapping[str, Sink]:
        """By name."""
        if self._watched.changed():
            self._take()
        return self._good

    def _take(self) -> None:
        self._watched.take()
        try:
            self._good, self.problem = read_sinks(self._watched.path, self._forms), ""
        except (OSError, ValueError) as wrong:
            self.problem = str(wrong)
            log.error("sinks_wrong", kind=type(wrong).__name__)
