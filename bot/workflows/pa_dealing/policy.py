"""The firm's policy as data: each limit with its source and its dates, and the advisories that call for a person."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from state.form import Condition
from state.form.field import Part
from state.form.files import Files
from state.form.source import FormError, meant
from state.form.validation import read_as

FILE, FORM = "policy.toml", "form.toml"
NUMBERS = (
    "holding_period", "approval_validity", "contract_note", "medium_from", "high_above",
    "auto_approve_below", "firm_traded_within", "rate_valid_for", "justification_words",
)  # fmt: skip
OF_THE_FORM = "justification_words"
"""A limit of how the form is filled in: it changes with the folder, and stands on no list."""
MOST: Mapping[str, int] = {
    "holding_period": 3660, "approval_validity": 366, "contract_note": 3660,
    "firm_traded_within": 3660, "rate_valid_for": 3660,
}  # fmt: skip
"""The largest limit: beyond it there is no date."""
AMOUNT = 10**12
LISTS = (
    "prohibited_kinds", "medium_kinds", "exempt", "boilerplate", "compliance_words", "compliance_words_of_trades",
)  # fmt: skip


class Dated(Part):
    """What every entry of the policy says of itself."""

    source: str
    effective: date
    stale_after: date


class Rule(Dated):
    """One limit or list."""

    value: int | tuple[str, ...]
    unit: str = ""


class Advisory(Dated):
    """A sentence that keeps a request from being approved by rule alone, where its condition holds."""

    name: str
    text: str
    when: Condition


class Written(Part):
    """policy.toml as it is written."""

    version: str
    rules: Mapping[str, Rule]
    advisories: tuple[Advisory, ...] = ()


@dataclass(frozen=True)
class Policy:
    """The policy, complete: every limit that the rules use is in it, with a value of the right sort."""

    written: Written
    named: Mapping[str, str] = field(default_factory=dict)
    """Lists that are judged by, as results name them: "thresholds, version 3 of 20 Nov 2026"."""

    def as_of(self, facts: Mapping[str, Any]) -> "Policy":
        """Return the policy with the lists that were in force at the moment of these facts."""
        if "limits" not in facts:
            return self
        given = {name: Rule(**limit) for name, limit in facts["limits"].items() if name in NUMBERS}
        rules, words = self.written.rules, ((name, tuple(facts[name])) for name in ("prohibited_kinds", "exempt"))
        lists = {name: rules[name].model_copy(update={"value": value}) for name, value in words}
        written = self.written.model_copy(update={"rules": {**rules, **given, **lists}})
        return Policy(written, {name: str(one["named"]) for name, one in facts["lists"].items()})

    def origin(self, name: str = "") -> str:
        """Return where a result comes from: a list with its version; without a name, policy.toml with its own."""
        return self.named.get(name, "") or f"policy {self.version}"

    @property
    def shipped(self) -> dict[str, tuple[Mapping[str, str], ...]]:
        """Version 0 of the lists that policy.toml holds."""
        numbers = [(name, self.written.rules[name]) for name in NUMBERS if name != OF_THE_FORM]
        return {
            "thresholds": tuple(_row(name, rule) for name, rule in numbers),
            "prohibited_kinds": self._kinds("prohibited_kinds"),
            "exempt_kinds": self._kinds("exempt"),
        }

    def _kinds(self, name: str) -> tuple[Mapping[str, str], ...]:
        return tuple({"kind": kind, "source": self.written.rules[name].source} for kind in self.words(name))

    @property
    def version(self) -> str:
        """What records name."""
        return self.written.version

    @property
    def advisories(self) -> tuple[Advisory, ...]:
        """In the order in which they are written."""
        return self.written.advisories

    def number(self, name: str) -> int:
        """Return a limit, in its own unit."""
        value = self.written.rules[name].value
        return value if isinstance(value, int) else 0

    def amount(self, name: str) -> Decimal:
        """Return a limit in pounds."""
        return Decimal(self.number(name))

    def words(self, name: str) -> tuple[str, ...]:
        """Return a list."""
        value = self.written.rules[name].value
        return value if isinstance(value, tuple) else ()

    def unusable(self, day: date) -> tuple[str, ...]:
        """Return names of what does not hold on that day: not yet in force, or past the day on which it had to be looked at again."""
        entries = {**self.written.rules, **{f"advisory {a.name}": a for a in self.advisories}}
        return tuple(name for name, entry in entries.items() if not entry.effective <= day <= entry.stale_after)


def _row(name: str, rule: Rule) -> Mapping[str, str]:
    days = {"effective": rule.effective.isoformat(), "stale_after": rule.stale_after.isoformat()}
    return {"name": name, "value": str(rule.value), "unit": rule.unit, "source": rule.source, **days}


def vet_threshold(row: Mapping[str, str]) -> str:
    """Return what is wrong with a limit that was uploaded; empty where the rules can go by it."""
    most = MOST.get(row["name"], AMOUNT)
    return f"{row['name']} can be {most} at most. Correct it." if int(row["value"]) > most else ""


def read_policy(files: Files) -> Policy:
    """Read and check policy.toml. Raises FormError with the lines to mend."""
    source = files.toml(FILE)
    written = read_as(Written, source, {"rules": Rule, "advisories": Advisory})
    problems = [source.problem(("rules", name), text) for name, text in _wrong(written)]
    fields = files.toml(FORM).data.get("fields", {})
    for n, advisory in enumerate(written.advisories):
        for name in sorted(advisory.when.fields - set(fields)):
            told = f'"{name}" is no field of this form. Correct the name.{meant(name, fields)}'
            problems.append(source.problem(("advisories", n, "when"), told))
    if problems:
        raise FormError(problems)
    return Policy(written)


def _wrong(written: Written) -> Iterator[tuple[str, str]]:
    wanted: dict[str, type] = {**dict.fromkeys(NUMBERS, int), **dict.fromkeys(LISTS, tuple)}
    yield from ((name, f"[rules.{name}] is missing. Add it.") for name in wanted if name not in written.rules)
    for name, rule in written.rules.items():
        if name not in wanted:
            yield name, f"No rule reads [rules.{name}]. Correct its name, or take it out.{meant(name, wanted)}"
        elif not isinstance(rule.value, wanted[name]):
            yield name, f"[rules.{name}] needs {'a whole number' if wanted[name] is int else 'a list'}."
