"""Several of the form's own choices. Canonical: the choices' values as a tuple, in the form's order, at least one."""

from collections.abc import Iterable
from typing import Any

from state.fields import choice
from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.words.naming import names
from state.fields.words.plain import if_plain
from state.form import Field
from state.form.field import Data
from state.language.table import all_of, joined, listed
from state.language.tokens import masked, tokens


def whole(field: Field, text: str, context: Context) -> Data | None:
    """Return the choices of a message that names them and says nothing else."""
    one = choice.whole(field, text, context)
    if isinstance(one, str):
        return (one,)
    found = choice.find(field, text, context)
    row = tokens(masked(text), context.language)
    rest = [t for t in row if not any(r.start <= t.start < r.end for r in found)]
    around = joined(names(field, context), listed(context.language, "small", "polite", "and_words"))
    return _ordered(field, (r.data for r in found)) if found and all_of(rest, around) else None


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """All the choices that the text names, as one reading."""
    found = choice.find(field, text, context)
    if not found:
        return ()
    start, end = min(r.start for r in found), max(r.end for r in found)
    return (Candidate(_ordered(field, (r.data for r in found)), start, end, any(r.named for r in found)),)


def parse(field: Field, given: object, context: Context) -> Data:
    """The choices' values from a list of values, labels or words, or from a text that names them. Raises Unreadable: not_a_choice."""
    if isinstance(given, str):
        named = _ordered(field, (r.data for r in choice.find(field, given, context)))
        return named or (str(choice.parse(field, given, context)),)
    if not isinstance(given, list | tuple) or not given:
        raise Unreadable("not_a_choice")
    return _ordered(field, (choice.parse(field, one, context) for one in given))


def show(field: Field, data: Data, context: Context) -> str:
    """Their labels in a row."""
    values = data if isinstance(data, tuple) else (str(data),)
    return ", ".join(choice.KIND.show(field, value, context) for value in values)


def schema(field: Field) -> dict[str, Any]:
    """A list of the choices' values."""
    return {"type": "array", "items": {"type": "string", "enum": [c.value for c in field.choices]}}


def _ordered(field: Field, values: Iterable[Data]) -> tuple[str, ...]:
    named = set(values)
    return tuple(c.value for c in field.choices if c.value in named)


def fits(field: Field, value: object) -> bool:
    """Whether an author wrote one choice (as conditions name it) or several."""
    values = value if isinstance(value, tuple) else (value,)
    return bool(values) and all(field.choice(v) is not None for v in values)


KIND = Kind(
    name="choices", whole=if_plain(whole), find=find, parse=parse, show=show, schema=schema,
    fits=fits, wanted="must be one or several of its choices", takes=frozenset({"choices"}), needs="choices",
    element="tick", several=True, on_paper=False, offered=False,
)  # fmt: skip
