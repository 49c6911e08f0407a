"""The security that a contract note is about: by its ISIN, or by its name."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from stdnum import isin as isin_numbers

from state.draft.draft import Draft

from .tables import Tables

Read = Callable[[str, Draft], Mapping[str, tuple[Any, str]]]
ISIN = re.compile(r"(?<![A-Z0-9])[A-Z]{2}[A-Z0-9]{9}[0-9](?![A-Z0-9])")


def reader_of_notes(tables: Tables) -> Read:
    """Read the one ISIN with a right check digit; without any, the name of the security that was approved. Nothing where there are two."""

    def read(text: str, draft: Draft) -> Mapping[str, tuple[Any, str]]:
        lines = [" ".join(line.split()) for line in text.splitlines()]
        codes = {code: line for line in lines for code in ISIN.findall(line) if isin_numbers.is_valid(code)}
        if codes:
            return {"security": next(iter(codes.items()))} if len(codes) == 1 else {}
        approved = tables.securities.get(str(draft.values["security"].data)) if "security" in draft.values else None
        named = next((line for line in lines if approved and approved.name.casefold() in line.casefold()), "")
        return {"security": (approved.isin, named)} if approved and named else {}

    return read
