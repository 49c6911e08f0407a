"""The way of a record: verdicts lead to states that exist, whoever waits is waited for, and every way comes to an end."""

from collections.abc import Iterator, Mapping
from zoneinfo import available_timezones

from state.draft.decisions import ASKED
from state.form.filing import DECIDED, RecordState
from state.form.locate import Path as Keys
from state.form.near import meant
from state.workflow.form_case import Finding, FormCase

TABLE = ("filing", "states")
NAME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")
OWN = ("conditions", "withdraw", "ask", "extend", "keep")
"""Names of acts on the decision card that are no verdict of a form's."""


def verdicts(case: FormCase) -> Iterator[Finding]:
    """A verdict has a plain name and leads to a state; what hangs on verdicts names those that there are."""
    for name, state in _states(case).items():
        keys = (*TABLE, name)
        for verdict, to in state.decide.items():
            yield from _verdict(case, (*keys, "decide", verdict), verdict, to)
        for verdict in state.reason if "reason" in state.model_fields_set else ():
            if verdict not in state.decide:
                yield (
                    (*keys, "reason"),
                    f'"{verdict}" is no verdict of this state. Correct the name.{meant(verdict, state.decide)}',
                )
        for key in ("withdraw", "overdue", "expires"):
            if getattr(state, key):
                yield from _leads(case, (*keys, key), getattr(state, key))
        if state.overdue and state.hours is None:
            yield (*keys, "overdue"), "Nothing says when it is overdue. Add `hours = 24`."
        if (state.conditions or state.needs > 1) and state.decide and "approve" not in state.decide:
            yield (
                keys,
                "`conditions` and `needs` are about the verdict `approve`, which this state does not have. Add it.",
            )


def _verdict(case: FormCase, keys: Keys, verdict: str, to: str) -> Iterator[Finding]:
    if not verdict or not set(verdict) <= NAME or verdict in OWN:
        yield keys, f'"{verdict}" cannot name a verdict. Use small letters, digits and _, and none of {", ".join(OWN)}.'
    yield from _leads(case, keys, to)


def _leads(case: FormCase, keys: Keys, to: str) -> Iterator[Finding]:
    known = {*_states(case), *DECIDED} - {ASKED}
    if to not in known:
        yield keys, f'"{to}" is no state. Correct the name, or add [filing.states.{to}].{meant(to, known)}'


def whose(case: FormCase) -> Iterator[Finding]:
    """Who decides has something to decide, and what is to be decided has somebody who does."""
    for name, state in _states(case).items():
        if state.by and not state.decide:
            yield (
                (*TABLE, name, "by"),
                f'{state.by} can do nothing here. Write `decide = {{ approve = "…", decline = "…" }}`, or take `by` out.',
            )
        if state.decide and not state.by:
            yield (*TABLE, name, "decide"), 'Nobody decides here. Write `by = "…"`, the role that does.'
        if state.extend and not state.expires:
            yield (
                (*TABLE, name, "extend"),
                'Nothing ends here, so nothing can be extended. Add `expires = "…"`, or take it out.',
            )
        for key in ("needs", "reason", "conditions", "withdraw", "hours", "overdue", "ask"):
            if key in state.model_fields_set and not state.decide:
                yield (*TABLE, name, key), f"`{key}` is about a state that waits for a verdict. Add `by` and `decide`."


def ends(case: FormCase) -> Iterator[Finding]:
    """From every state in which somebody decides, some verdicts lead to a state in which nobody has to any more."""
    states = _states(case)
    for name, state in states.items():
        if state.waits and not _comes_to_an_end(states, name):
            yield (
                (*TABLE, name, "decide"),
                f"From {name} every verdict leads back to another one, for ever. Let one lead to a state without `by`.",
            )


def _comes_to_an_end(states: Mapping[str, RecordState], first: str) -> bool:
    seen, left = {first}, [first]
    while left:
        state = states.get(left.pop())
        if state is None or not state.waits:
            return True
        left += [to for to in state.decide.values() if to not in seen]
        seen.update(state.decide.values())
    return False


def reached(case: FormCase) -> Iterator[Finding]:
    """Where the form's own rules say in which state a record begins, something leads to every state that waits."""
    table = case.form.filing
    if not table.rules:
        return
    led = {rule.state for rule in table.rules}.union(
        *((*state.decide.values(), state.overdue) for state in table.states.values())
    )
    for name, state in table.states.items():
        if state.waits and name not in led:
            yield (
                (*TABLE, name),
                f"Nothing leads to the state {name}: no rule begins in it, and no verdict. Name it in one.",
            )


def _states(case: FormCase) -> Mapping[str, RecordState]:
    return case.form.filing.states


def working_days(case: FormCase) -> Iterator[Finding]:
    """The time zone by which working days are counted is known."""
    table = case.form.filing
    if table.zone and table.zone not in available_timezones():
        yield ("filing", "zone"), f'"{table.zone}" is no time zone. Write one like "Europe/Rome".'


CHECKS = (verdicts, whose, ends, reached, working_days)
