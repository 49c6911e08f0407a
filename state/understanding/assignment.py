"""A value that some words give to a field."""

from dataclasses import dataclass

from state.fields import kind_of
from state.form import Field
from state.form.field import Data


@dataclass(frozen=True)
class Assignment:
    """A field, the value that the words from `start` up to `end` give it, and whether they name it."""

    field: Field
    data: Data
    start: int
    end: int
    named: bool = False


def family(field: Field) -> str:
    """Return what readings of this field compete with."""
    return kind_of(field).family
