"""What can become of a record: the table of states.toml."""

from collections.abc import Iterator, Mapping

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from state.form.files import Files
from state.form.near import meant
from state.form.problems import FormError
from state.form.wording import worded

FILE = "states.toml"


class State(BaseModel):
    """One state: its name in a sentence, whether a filing may begin in it, who may act, and where each act leads."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    label: str
    first: bool = False
    may_trade: bool = False
    """Whether the trade may have been made by now."""
    by: str = ""
    next: Mapping[str, str] = {}


TABLE = TypeAdapter(Mapping[str, State])
"""The whole file."""


def read_states(files: Files) -> Mapping[str, State]:
    """Read and check states.toml. Raises FormError with the lines to mend."""
    source = files.toml(FILE)
    try:
        states = TABLE.validate_python(source.data)
    except ValidationError as error:
        raise FormError(worded(source, error, {"": State})) from error
    problems = [source.problem(keys, text) for keys, text in _wrong(states)]
    if problems:
        raise FormError(problems)
    return states


def _wrong(states: Mapping[str, State]) -> Iterator[tuple[tuple[str, ...], str]]:
    reached = {name for name, state in states.items() if state.first}.union(*(s.next.values() for s in states.values()))
    for name, state in states.items():
        for act, to in state.next.items():
            if to not in states:
                yield (name, "next", act), f'"{to}" is no state. Correct it.{meant(to, states)}'
        if name not in reached:
            yield (name,), f"Nothing leads to the state {name}. Write `first = true`, or name it in a `next`."
