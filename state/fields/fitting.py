"""Whether a value that an author wrote is one that the field can have, in its canonical form."""

from collections.abc import Iterator

from state.fields import kind_of
from state.fields.base import Context, Unreadable
from state.form.data import Data
from state.form.field import Field, Plain
from state.form.near import meant
from state.language import UnknownLanguage

ENGLISH = Context("en-GB", "2026-01-01")
"""Authors write values as they write keys."""
TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def misfit(field: Field, value: Plain | tuple[str, ...]) -> str:
    """What the value should have been ("must be true or false."), and what to write; empty where it fits."""
    kind = kind_of(field)
    if kind.fits(field, value):
        return ""
    if field.choices:
        values = [c.value for c in field.choices]
        called = {said.casefold(): c.value for c in field.choices for said in (c.label, *c.words)}
        return f"must be one of its choices: {', '.join(values)}.{meant(value, values, called)}"
    written = next((_as_written(other) for other in _others(field, value) if kind.fits(field, other)), "")
    return f"{kind.wanted}.{f' Write {written}.' if written else ''}"


def _others(field: Field, value: Plain | tuple[str, ...]) -> Iterator[Data]:
    """The same value in other types and spellings."""
    said = str(value).strip()
    yield said
    yield said.upper()
    if said.casefold() in TRUTHS:
        yield TRUTHS[said.casefold()]
    if said.isdigit():
        yield int(said)
    if not any(c.isdigit() for c in said):
        return
    try:
        yield kind_of(field).parse(field, value, ENGLISH)
    except (Unreadable, UnknownLanguage):
        return


def _as_written(value: Data) -> str:
    """As TOML has it."""
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)
