"""Proposes, confirms and takes back operations. Every way in goes through the same checks: arguments, role, rows, gate.

A proposal holds exact arguments and the revisions of the rows that it was shown with. Confirming validates and authorises
all of it again, without asking any model; what changed meanwhile is refused. Whoever repeats a request under the same key
(a performer after a crash) gets the outcome that is stored.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import TypeAdapter

from blocks.phrases import Phrasebook as Catalogue
from bot.effects.sources import PersonsRows, holders, owner_of, write_of
from bot.slack.places import person_key
from state.draft.operations import (
    Ask,
    Conflict,
    Forbidden,
    Identity,
    Invalid,
    Produced,
    Refused,
    Result,
    Wanted,
    may_call,
    may_touch,
    needs_confirmation,
)
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.fields.base import Context
from state.form import Form
from state.stores.ledger import OPEN, USED, Came, EntryWrite, OperationResult, Pending
from state.stores.store import Store
from state.understanding.arguments import Checked, check
from state.understanding.rows import meant_by, name_field, put_right_of
from state.workflow.load import Workflow

WAITS = 900.0
"""Seconds that a proposal waits for its click."""
LABEL = 60
"""Characters of a name on a button."""
TRIES = 50
"""How often new rows are written anew where others, at the same time, were first to have their numbers."""
MOST = 1000
"""Proposals of a person among which one is looked for by what it holds."""
TOLD: TypeAdapter[tuple[Utterance, ...]] = TypeAdapter(tuple[Utterance, ...])
CALLS: TypeAdapter[tuple[Wanted, ...]] = TypeAdapter(tuple[Wanted, ...])
Call = tuple[str, dict[str, Any]]
"""An operation's name and its arguments."""


@dataclass(frozen=True)
class OperationOutcome:
    """The outcome. `status` is done, waits (then `proposal` is the click's), or asks: which of several rows is meant, a click says."""

    status: Literal["done", "waits", "asks"]
    told: tuple[Utterance, ...]
    proposal: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[Produced, ...] = ()
    undoable: bool = False
    last: int = 0
    what: tuple[Utterance, ...] = ()
    """What waits, a line for each call."""
    calls: tuple[Wanted, ...] = ()
    """The calls that wait."""
    picks: tuple[Utterance, ...] = ()
    """The buttons of a proposal that may mean several things."""


@dataclass(frozen=True)
class OperationCaller:
    """The caller of operations: of which workflow, on which day of theirs, in which language. `key` is the same for a repetition."""

    workflow: Workflow
    identity: Identity
    context: Context
    key: str

    @property
    def form(self) -> Form:
        """The workflow's form."""
        return self.workflow.form

    @property
    def person(self) -> str:
        """The person's key in the store."""
        return person_key(self.identity.tenant, self.identity.user)


class Operations:
    """Raises Refused (and nothing else on purpose), before anything is written."""

    def __init__(self, store: Store, seconds: float = WAITS) -> None:
        self._store, self.seconds = store, seconds

    async def call(self, whose: OperationCaller, calls: Sequence[Wanted]) -> OperationOutcome:
        """Carry calls out at once where the gate lets them through, else keep them as a proposal."""
        if (before := await self._before(whose, whose.key)) is not None:
            return before
        meant = await self._meant(whose, calls[0]) if len(calls) == 1 else ()
        if len(meant) > 1:
            return await self._propose_one_of(whose, meant, calls[0].words)
        allowed = [_allowed(whose, call) for call in meant or calls]
        plans = await self._run(whose, allowed, dry=True)
        if not any(plan.writes for plan in plans):
            return _joined(plans)
        operations, several = whose.form.operations, len(calls) > 1
        for one, plan in zip(allowed, plans, strict=True):
            inferred, warned = bool(one.inferred) or one.suggested, bool(plan.warnings)
            if needs_confirmation(operations[one.operation], inferred=inferred, several=several, warned=warned):
                return await self._propose(whose, allowed, plans)
        await self._keep(whose, whose.key, allowed, plans)
        return await self._carry_out(whose, whose.key, allowed, plans)

    async def _meant(self, whose: OperationCaller, call: Wanted) -> tuple[Wanted, ...]:
        """Return what one call may mean by the rows that its words name. Raises Invalid where it needs a row and they name none."""
        if not call.words and not call.corrects:
            return (call,)
        rows = await PersonsRows(self._store, whose.form.name, whose.identity, dry=True).all()
        own = [row for row in rows if row.owner == whose.identity.user]
        if call.corrects:
            return (put_right_of(whose.form, call, own, whose.context.today),)
        meant = meant_by(whose.form, call, own)
        if not meant:
            raise Invalid("op_no_such_row", words=call.words)
        return meant

    async def confirm(self, whose: OperationCaller, name: str, pick: int = 0) -> OperationOutcome:
        """Run an open proposal of this person, once; of several things that it may mean, the one that was picked.

        Raises Conflict with its outcome.
        """
        pending = await self._mine(whose, name)
        if pending.status == USED and (pending.outcome or {}).get("by") == whose.key:
            return _from_outcome(pending)
        if pending.status != OPEN or pending.late:
            raise Conflict("op_expired" if pending.status == OPEN else f"op_{pending.status}")
        picked = (pending.body, *pending.body.get("others", ()))[pick]
        allowed = [_allowed(whose, call) for call in CALLS.validate_python(picked["calls"])]
        plans = await self._run(whose, allowed, dry=True)
        if _seen(plans) != picked["seen"]:
            raise Conflict("op_changed")
        return await self._carry_out(whose, name, allowed, plans)

    async def equal(self, whose: OperationCaller, calls: Sequence[Call], name: str = "") -> str:
        """Return the oldest open proposal of this person that holds exactly these calls and nothing else, and has this name. Raises Unknown."""
        waiting = await self._store.proposals_of(whose.person, whose.form.name, limit=MOST)
        mine = [p for p in waiting if p.tenant == whose.identity.tenant and p.status == OPEN and not p.late]
        held = {p.id: [(c.operation, dict(c.arguments)) for c in CALLS.validate_python(p.body["calls"])] for p in mine}
        found = [p.id for p in mine if name in ("", p.id) and held[p.id] == list(calls)]
        if not found:
            raise Unknown
        return found[-1]

    async def cancel(self, whose: OperationCaller, name: str) -> bool:
        """End an open proposal of this person; False where it had ended before."""
        return await self._store.withdraw((await self._mine(whose, name)).id)

    async def undo(self, whose: OperationCaller, name: str = "") -> OperationOutcome:
        """Take back what a proposal did, or the last thing that the person did. Raises Conflict."""
        if (before := await self._before(whose, whose.key)) is not None:
            return before
        mine = await self._store.proposals_of(
            whose.person, whose.form.name
        )  # what the person did last, not what they asked for last
        done = next((p for p in mine if name in ("", p.id) and p.status == USED and _touched(p)), None)
        if done is None:
            raise Conflict("op_nothing_to_undo")
        left = (done.outcome or {}).get("left", {})
        writes = [await self._back(whose, int(n), seen, left.get(n, "")) for n, seen in _touched(done).items()]
        await self._keep(whose, whose.key, (), ())
        told: tuple[Utterance, ...] = (undone(whose.form, TOLD.validate_python((done.outcome or {}).get("told", ()))),)
        outcome = {"by": whose.key, "told": TOLD.dump_python(told, mode="json"), "facts": {}, "touched": {}}
        came = await self._store.carry_out(OperationResult(whose.key, tuple(writes), outcome, undone=done.id))
        if came != "done":
            raise _conflict(came)
        return OperationOutcome("done", told, whose.key)

    async def _run(self, whose: OperationCaller, calls: Sequence[Wanted], *, dry: bool) -> list[Result]:
        rows = PersonsRows(self._store, whose.form.name, whose.identity, dry=dry)
        runners = whose.workflow.rules.operations
        asks = (Ask(c.operation, c.arguments, whose.identity, whose.context, frozenset(c.inferred)) for c in calls)
        results = [await runners[ask.operation](ask, rows) for ask in asks]
        numbers = [w.row.number for result in results for w in result.writes if w.row.revision]
        if len(numbers) != len(set(numbers)):
            raise Invalid("op_one_at_a_time")
        for owner in {w.row.owner for result in results for w in result.writes if w.row.revision}:
            await self._free(whose, person_key(whose.identity.tenant, owner), numbers)
        return results

    async def _free(self, whose: OperationCaller, person: str, numbers: Sequence[int]) -> None:
        """Raises Conflict where a record holds one of these rows of a person's: what others decide on stays as they see it."""
        held = await holders(self._store, person, whose.form.name)
        number = next((number for number in numbers if number in held), None)
        if number is not None:
            raise Conflict("op_held", row=str(number), record=held[number])

    async def _propose(
        self, whose: OperationCaller, calls: Sequence[Wanted], plans: Sequence[Result]
    ) -> OperationOutcome:
        pending = await self._keep(whose, whose.key, calls, plans)
        told = tuple(line for plan in plans for line in (*plan.plan, *plan.warnings))
        left = calls[0].words if len(calls) == 1 else ""
        told = (*told, Phrase("op_left", {"words": left})) if left else told
        what = tuple(plan.plan[0] for plan in plans if plan.plan)
        return OperationOutcome("waits", told, pending.id, what=what, calls=tuple(calls))

    async def _propose_one_of(self, whose: OperationCaller, meant: Sequence[Wanted], words: str) -> OperationOutcome:
        """One proposal with a button for each thing that may be meant; of several rows, none is the likeliest."""
        planned = [(call, plan) for call in meant if (plan := await self._planned(whose, call)) is not None]
        if len(planned) == 1:
            return await self._propose(whose, [planned[0][0]], [planned[0][1]])
        (first, plan), *others = planned
        pending = await self._keep(whose, whose.key, [first], [plan], others)
        asked = Phrase("op_which_row", {"words": words})
        lines = tuple(line for _, plan in planned for line in (*plan.plan, *plan.warnings))
        rows = [plan.writes[0].row for _, plan in planned]
        by = name_field(whose.form)
        picks = tuple(Verbatim(f"{row.number} · {str(row.body.get(by, ''))[:LABEL]}") for row in rows)
        return OperationOutcome("asks", (asked, *lines), pending.id, what=plan.plan[:1], calls=(first,), picks=picks)

    async def _planned(self, whose: OperationCaller, call: Wanted) -> Result | None:
        """Return what a call would do; None where it would change nothing, or may not."""
        try:
            return (await self._run(whose, [_allowed(whose, call)], dry=True))[0]
        except Refused:
            return None

    async def _keep(
        self,
        whose: OperationCaller,
        name: str,
        calls: Sequence[Wanted],
        plans: Sequence[Result],
        others: Sequence[tuple[Wanted, Result]] = (),
    ) -> Pending:
        body = _body(calls, plans)
        if others:
            body["others"] = [_body([call], [plan]) for call, plan in others]
        pending = Pending(name, whose.identity.tenant, whose.person, whose.form.name, body)
        return await self._store.propose(pending, self.seconds)

    async def _carry_out(
        self, whose: OperationCaller, name: str, calls: Sequence[Wanted], seen: Sequence[Result]
    ) -> OperationOutcome:
        """Write what the person saw; anew where somebody else's new row had taken the number."""
        came: Came = "changed"
        for _ in range(TRIES):
            results = await self._run(whose, calls, dry=False)
            if _seen(results) != _seen(seen):
                break
            deed, outcome = _written(whose, name, results)
            if (came := await self._store.carry_out(deed)) == "done":
                return outcome
            if came == "closed":
                break
        raise _conflict(came)

    async def _back(self, whose: OperationCaller, number: int, seen: int, left: str) -> EntryWrite:
        """Return an entry as it was before: a new one goes, a deleted one comes back, a changed one is what it was.

        It must be as it was left; one that was new may have changed since, if that was taken back again.
        """
        entry = await self._store.entry(whose.identity.tenant, whose.form.name, number)
        if entry is None or not may_touch(whose.identity, entry.tenant, owner_of(entry)):
            raise Conflict("op_changed")
        gone = seen == 0
        as_left = entry.revision == seen + 1 or (gone and _content(entry.body, deleted=entry.deleted) == left)
        if not as_left:
            raise Conflict("op_changed")
        await self._free(whose, entry.person, (number,))
        body = entry.body if gone or entry.deleted else entry.before or entry.body
        return EntryWrite(entry.tenant, entry.form, number, entry.person, body, entry.revision, gone)

    async def _mine(self, whose: OperationCaller, name: str) -> Pending:
        """Raises Conflict in the same words for another person's proposal and for one that does not exist."""
        pending = await self._store.proposal(name)
        mine = pending and (pending.person, pending.tenant) == (whose.person, whose.identity.tenant)
        if pending is None or not mine or pending.form != whose.form.name:
            raise Unknown
        return pending

    async def _before(self, whose: OperationCaller, name: str) -> OperationOutcome | None:
        """Return what came of the same request before, if it was made before."""
        pending = await self._store.proposal(name)
        used = pending is not None and pending.person == whose.person and pending.status == USED
        return _from_outcome(pending) if pending and used else None


class Unknown(Refused):
    """There is no such proposal for this person."""

    def __init__(self) -> None:
        super().__init__("op_unknown")


def _allowed(whose: OperationCaller, call: Wanted) -> Wanted:
    """Return the call again, validated and authorised now. Raises Invalid, Forbidden."""
    operation = whose.form.operations.get(call.operation)
    if operation is None:
        raise Invalid("op_invalid")
    if not may_call(whose.identity, operation):
        raise Forbidden
    checked = check(operation, call.arguments, whose.context)
    if not isinstance(checked, Checked) or checked.arguments != call.arguments:
        raise Invalid("op_invalid")
    return call


def _body(calls: Sequence[Wanted], plans: Sequence[Result]) -> dict[str, Any]:
    """Return what a proposal holds: the exact calls, and the revisions of the rows with which they were shown."""
    return {"calls": CALLS.dump_python(tuple(calls), mode="json"), "seen": _seen(plans)}


def _seen(plans: Sequence[Result]) -> dict[str, int]:
    """Return the revisions of the rows that would change: new ones have none yet."""
    return {str(w.row.number): w.row.revision for plan in plans for w in plan.writes if w.row.revision}


def _written(whose: OperationCaller, name: str, results: Sequence[Result]) -> tuple[OperationResult, OperationOutcome]:
    """Return what is to be stored of results, and what the person is told."""
    came = _joined(results)
    writes = tuple(write_of(w, whose.form.name, whose.identity) for result in results for w in result.writes)
    outcome = {
        "by": whose.key, "told": TOLD.dump_python(came.told, mode="json"), "facts": dict(came.facts),
        "touched": {str(w.number): w.revision for w in writes},
        "left": {str(w.number): _content(w.body, deleted=w.deleted) for w in writes},
    }  # fmt: skip
    told = OperationOutcome(
        "done", came.told, name, came.facts, came.files, bool(writes), max((w.number for w in writes), default=0)
    )
    return OperationResult(name, writes, outcome), told


def _conflict(came: Came) -> Conflict:
    return Conflict("op_used" if came == "closed" else "op_changed")


def undone(form: Form, told: Sequence[Utterance]) -> Utterance:
    """Say that it was taken back, and what that was, in the words of when it was done."""
    what = one_line(form, told)
    return Phrase("op_undone_what", {"what": what}) if what else Phrase("op_undone")


def _joined(results: Sequence[Result]) -> OperationOutcome:
    """Return several results as one; lists among the facts are joined."""
    facts: dict[str, Any] = {}
    for result in results:
        for name, value in result.facts.items():
            facts[name] = [*facts[name], *value] if isinstance(value, list) and name in facts else value
    told = tuple(line for result in results for line in result.told)
    return OperationOutcome("done", told, facts=facts, files=tuple(s for result in results for s in result.files))


def _content(body: Mapping[str, Any], *, deleted: bool) -> str:
    """Return what tells one content of an entry from another."""
    return hashlib.sha256(json.dumps([dict(body), deleted], sort_keys=True).encode()).hexdigest()


def _touched(pending: Pending) -> dict[str, int]:
    touched: dict[str, int] = (pending.outcome or {}).get("touched", {})
    return touched


def _from_outcome(pending: Pending) -> OperationOutcome:
    kept, touched = pending.outcome or {}, _touched(pending)
    told = TOLD.validate_python(kept.get("told", ()))
    return OperationOutcome(
        "done", told, pending.id, kept.get("facts", {}), (), bool(touched), max(map(int, touched), default=0)
    )


def plain(form: Form, told: Iterable[Utterance]) -> str:
    """One sentence below the other, in the form's language."""
    return "\n".join(_worded(form, told))


def one_line(form: Form, told: Iterable[Utterance]) -> str:
    """Return all of it in one line, for what is named in passing."""
    return "; ".join(" ".join(said.split()) for said in _worded(form, told))


def _worded(form: Form, told: Iterable[Utterance]) -> list[str]:
    catalogue = Catalogue(form.language, form.says)
    return [t.text if isinstance(t, Verbatim) else catalogue.say(t.key, **t.args) for t in told]
