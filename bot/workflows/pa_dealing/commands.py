"""What a person may ask at any time, answered in sentences from their own records and the tables."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from state.rules import Answerer

from .facts import AROUND, Facts, holding_until, last_buy, on, points, spoken
from .filing import not_now
from .policy import Policy
from .tables import Search, Security, Tables, same_issuer

MOST = 10
"""Requests listed at a time."""


Lines = tuple[str, ...]
Told = Callable[[Security], Iterable[str]]
NOT_FOUND = ("I found no security for “{name}”. Try its full name, ticker or ISIN.",)
NOT_LISTED = (
    "“{name}” isn't in our list of securities, so I can't check it. Its full name, ticker or ISIN may find it.",
    "If it isn't listed, you can still request it: start a request, type its name and press “It's not in the list”. Compliance then decides.",
)
"""What is said of a security that no name, code or list of ours knows."""
STATES = {
    "asked": "waiting for your answer",
    "pending_manager": "with your manager",
    "pending_compliance": "with compliance",
    "pending_senior": "with senior compliance",
    "approved": "approved",
    "auto_approved": "approved automatically",
    "blocked": "blocked",
    "escalated": "stopped and with compliance",
    "declined": "declined",
    "executed": "done",
    "expired": "expired",
    "withdrawn": "withdrawn",
    "unused": "not used",
}
"""The states of a request, as they are called in a sentence."""


@dataclass(frozen=True)
class Answers:
    """The facts from which answers are given."""

    policy: Policy
    tables: Tables
    search: Search

    @property
    def commands(self) -> Mapping[str, Answerer]:
        """Return the answers by the names that the form uses."""
        return {"my_requests": self.my_requests, "holding_period": self.holding_period, "can_i_trade": self.can_i_trade}

    def my_requests(self, _rest: str, facts: Facts) -> tuple[str, ...]:
        """Return the newest requests, a line each."""
        lines = tuple(self._line(request) for request in facts["requests"][:MOST])
        return lines or ("You haven't submitted a request yet.",)

    def holding_period(self, rest: str, facts: Facts) -> tuple[str, ...]:
        """Return until when a security has to be held; without one, how long that is for all."""
        days = self.policy.as_of(facts).number("holding_period")
        rule = f"You must hold what you buy for {days} days. Each further purchase restarts the period."
        if not rest.strip(AROUND):
            return (rule,)
        if told := self._unlisted(rest, facts):
            return tuple(self._held(told[0]["security"], told[0]["name"], facts))
        return self._about(rest, facts, lambda security: self._held(security.isin, security.name, facts), rule)

    def can_i_trade(self, rest: str, facts: Facts) -> tuple[str, ...]:
        """Return what speaks against a request for a security today, or how to ask for one that is not listed. Never a promise."""
        exempt = " and ".join(self.policy.as_of(facts).words("exempt"))
        rule = "Every trade needs approval first." + (f" These are exempt: {exempt}." if exempt else "")
        return self._about(rest, facts, lambda security: (*self._may_trade(security, facts), rule), rule, NOT_LISTED)

    def _about(self, rest: str, facts: Facts, answer: Told, rule: str, unknown: Lines = NOT_FOUND) -> Lines:
        """Return the answer for the one that the facts are about; else the rule for all, which ones could be meant, or that it is `unknown`."""
        if facts.get("about") in self.tables.securities:
            return tuple(answer(self.tables.securities[facts["about"]]))
        said = rest.strip(AROUND)
        if points(said):
            return (rule, "Which security do you mean? Ask again with its name, ticker or ISIN.")
        options = self.search.meant(said).options
        if not options:
            return tuple(sentence.format(name=said) for sentence in unknown)
        if len(options) > 1:
            return ("Which one do you mean? " + "; ".join(o.label for o in options) + ". Ask again with its ISIN.",)
        return tuple(answer(self.tables.securities[options[0].id]))

    @staticmethod
    def _unlisted(said: str, facts: Facts) -> list[Mapping[str, Any]]:
        """Return the person's requests for a security that is not listed, by its ISIN or its name."""
        sought = said.strip(AROUND)
        return [
            r for r in facts["requests"] if r["name"] and (r["security"] in sought or same_issuer(r["name"], sought))
        ]

    def _held(self, isin: str, name: str, facts: Facts) -> Iterator[str]:
        until = self._until(isin, facts)
        days = self.policy.as_of(facts).number("holding_period")
        if until is None:
            yield f"There is no holding period for {name}: you have no purchase on record in the last {days} days."
        else:
            yield f"You must hold {name} until {spoken(until)}. Each further purchase restarts the {days} days."

    def _may_trade(self, security: Security, facts: Facts) -> Iterator[str]:
        """Yield one sentence for whatever blocks it: another one for each cause would tell which it is."""
        policy, until = self.policy.as_of(facts), self._until(security.isin, facts)
        prohibited = security.kind in policy.words("prohibited_kinds")
        if prohibited or facts["restricted"] or facts.get("closed"):
            yield not_now(security.name)
        elif not until:
            yield f"I know of nothing that stops a request for {security.name} today."
        if until:
            yield f"The holding period of {security.name} runs until {spoken(until)}: a sale before then goes to compliance."

    def _until(self, isin: str, facts: Facts) -> date | None:
        today = date.fromisoformat(facts["today"])
        bought = last_buy(facts["requests"], isin, today)
        return holding_until(bought, self.policy.as_of(facts).number("holding_period"), today)

    def _line(self, request: Mapping[str, Any]) -> str:
        """ "PA-2026-000123: Buy 200 Tesco PLC · GBP 720.00 · pension, filed 20 Nov 2026, with your manager." """
        until = f" until {on(request['approval_until'])}" if request["approval_until"] and request["may_trade"] else ""
        until = f" on {on(request['traded_on'])}" if request["traded_on"] else until
        state = f"{STATES.get(request['state'], request['state'])}{until}"
        about = request.get("essence") or self._trade(request) or "no trade named"
        return f"{request['number']}: {about}, filed {on(request['day'])}, {state}."

    def _trade(self, request: Mapping[str, Any]) -> str:
        """Return what facts that were gathered without an essence say of the trade."""
        security = self.tables.securities.get(request["security"])
        name = security.name if security else request["security"]
        return " ".join(str(part) for part in (request["direction"], request["quantity"], name) if part)
