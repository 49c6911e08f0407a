"""When a record goes, and what keeps it until then."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from state.form import Form
from state.stores.proof import LegalHold
from state.stores.protocol import Record
from state.stores.rights import months_before

YEAR = 12


@dataclass(frozen=True)
class Due:
    """A record's class, how many months from filing it is kept, until when, why, and whether a hold stands on it."""

    number: str
    form: str
    state: str
    months: int
    at: datetime
    why: str
    held: bool


def due_of(form: Form, record: Record, holds: Sequence[LegalHold]) -> Due:
    """When a record that is there goes."""
    months = months_kept(form, record.state)
    filed = record.filed_at
    assert filed is not None  # noqa: S101  the store sets it
    why = form.why_kept(record.state) if YEAR * form.years_kept(record.state) >= form.retention_months else ""
    names = {("record", record.number), ("person", record.person)}
    held = any((one.scope, one.name) in names for one in holds)
    return Due(record.number, record.form, record.state, months, months_before(filed, -months), why, held)


def months_kept(form: Form, state: str) -> int:
    """Months from filing: what the law asks for, or the form's own where that is longer."""
    return max(form.retention_months, YEAR * form.years_kept(state))
