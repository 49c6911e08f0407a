"""Simple rules of filing as data: what state a submission begins in, why, and who is told."""

from collections.abc import Mapping
from datetime import date, time
from typing import Any

from pydantic import ValidationInfo, model_validator

from state.form.field import Name, Part, Plain

Bound = str | int | float | date | time
"""What an answer is compared with: "GBP 100", 1000, "12.5", 2026-12-01, "17:00"."""


class Criterion(Part):
    """True where everything holds that it says: values that fields have, bounds that they pass, and criteria in lists."""

    equals: Mapping[str, tuple[Plain, ...]] = {}
    """Fields and the values of which each has one."""
    above: Mapping[str, Bound] = {}
    below: Mapping[str, Bound] = {}
    any_of: tuple["Criterion", ...] = ()
    all_of: tuple["Criterion", ...] = ()
    none_of: tuple["Criterion", ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, given: Any, info: ValidationInfo) -> Any:
        """A field's name as a key is short for `equals`; a name alone means yes."""
        if isinstance(given, str):
            given = {given: True}
        if not isinstance(given, Mapping) or not isinstance(given.get("equals", {}), Mapping):
            return given
        for key in (key for key, value in given.items() if isinstance(value, Mapping) and key not in cls.model_fields):
            if key in (info.context or {}).get("fields", ()):
                raise ValueError(
                    f"What `{key}` is compared with stands below `above` or `below`: above = {{ {key} = … }}."
                )
        short = {
            key: value
            for key, value in given.items()
            if not isinstance(value, Mapping) and cls._is_field(key, info.context or {})
        }
        equals = {**given.get("equals", {}), **short}
        listed = {key: tuple(v) if isinstance(v, list | tuple) else (v,) for key, v in equals.items()}
        rest = {key: value for key, value in given.items() if key not in (*short, "equals")}
        return rest | ({"equals": listed} if listed else {})

    @classmethod
    def _is_field(cls, key: str, _context: Mapping[str, Any]) -> bool:
        """Everything else that a criterion names is a field; checking says which of them is none."""
        return key not in cls.model_fields

    @property
    def empty(self) -> bool:
        """Whether nothing is asked, so that it always holds."""
        return not (self.equals or self.above or self.below or self.any_of or self.all_of or self.none_of)

    @property
    def inner(self) -> tuple["Criterion", ...]:
        """The criteria in its lists."""
        return (*self.any_of, *self.all_of, *self.none_of)


class FilingRule(Criterion):
    """Where its criterion holds, and none above it did, the record begins in this state."""

    state: str
    otherwise: bool = False
    """Holds for whatever no rule above held for."""
    reason: str = ""
    """Why, in a sentence for those who decide."""
    told: str | None = None
    """What the person reads of it; the reason where it is left out, nothing where it is empty."""
    tell: str | bool = True
    """Who is told: the form's channel, or that of a name (HOLDFAST_CHANNEL_<NAME>); false: nobody."""

    @classmethod
    def _is_field(cls, key: str, context: Mapping[str, Any]) -> bool:
        """Beside a rule's own keys only what is a field for certain: a slip in a key is told as one."""
        return key not in cls.model_fields and key in context.get("fields", ())


class RecordState(Part):
    """One state of a form's records."""

    label: str
    """Its name on screen."""
    next: str = ""
    """What happens now, in a sentence to the person."""
    decided: bool | None = None
    """Whether nobody looks at such a record any more: what is in doubt is never filed so."""

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, given: Any) -> Any:
        """A text alone is its label."""
        return {"label": given} if isinstance(given, str) else given


class FilingTable(Part):
    """The states of a form's records, and the rules in their order."""

    states: Mapping[Name, RecordState] = {}
    rules: tuple[FilingRule, ...] = ()


DECIDED: Mapping[str, bool] = {
    "received": False, "blocked": False, "escalated": False, "pending_manager": False, "pending_compliance": False,
    "pending_senior": False, "approved": True, "auto_approved": True, "declined": True, "executed": True,
    "expired": True, "withdrawn": True,
}  # fmt: skip
"""States that have a name in every language, and whether nobody looks at such a record any more."""


def is_decided(table: FilingTable, state: str) -> bool | None:
    """Whether nobody looks at a record in this state any more; None where nothing says so."""
    known = table.states.get(state)
    said = known.decided if known is not None else None
    return DECIDED.get(state) if said is None else said


def sentences_of(table: FilingTable) -> dict[str, str]:
    """The states' names and what happens now, as sentences of the catalogue."""
    labels = {f"state_{name}": state.label for name, state in table.states.items()}
    return labels | {f"next_{name}": state.next for name, state in table.states.items() if state.next}
