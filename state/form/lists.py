"""Lists that officers keep beside a form: their columns, and the role that uploads them."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field as Limits

from state.form.field import Name, Named, Part


class ListColumn(Part):
    """One column. Its name is the heading in the file; `also` are further headings that stand for it."""

    kind: Literal["text", "date", "number", "identifier", "choice"] = "text"
    required: bool = True
    also: tuple[str, ...] = ()
    scheme: str = ""
    """Of an identifier: whose check digit is checked."""
    lookup: str = ""
    """A look-up of rules.py that has to find what stands here."""
    besides: tuple[str, ...] = ()
    """What may stand here though no look-up finds it: "all"."""
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    not_before: str = ""
    """A date's column that comes first: the end of a time is not before its beginning."""
    max_length: Annotated[int, Limits(ge=1, le=2000)] = 300


class ListTable(Named):
    """A list in versions: what ships is version 0, each upload the next one."""

    title: str
    by: str
    """The role that uploads it."""
    columns: Mapping[Name, ListColumn]
    key: Annotated[tuple[Name, ...], Limits(min_length=1)]
    """Columns by which rows are told apart."""
    file: str = ""
    """The CSV file of version 0; where there is none, rules.py gives its rows (`shipped`)."""
    one_of: tuple[Name, ...] = ()
    """Columns of which each row has exactly one filled in."""
    ascending: Mapping[Name, tuple[str, ...]] = {}
    """By column, rows (by their key) in which it never falls: a limit is not above the one that comes after it."""
    fixed: bool = False
    """The rows are those of version 0: an upload changes what stands in them and neither adds nor takes away any."""
