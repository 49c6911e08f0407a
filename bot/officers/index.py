"""The index of what was filed: a record's entry follows from its form and draft; what an older bot left out is filled in."""

import asyncio
import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime

import structlog

from bot.officers.records import draft_of_record
from bot.operations.tasks import cancelled
from bot.slack.places import person_key
from state.draft.draft import Draft, Status
from state.draft.essence import subject_of, subject_words
from state.draft.record import EXTEND, WITHDRAW, Decision
from state.engine.codec import decode_draft
from state.form import Form
from state.stores.rows import Indexed
from state.stores.store import Store
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.index")

SHAPE = "1"
"""Counts the ways in which entries were made: with another one all are made anew."""


def shape_of(form: Form) -> str:
    """Return what of a form its entries are made by."""
    told = "|".join((SHAPE, *subject_of(form), *posts_of(form)))
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def indexed(form: Form, draft: Draft, filed_at: datetime | None = None, state: str = "") -> Indexed | None:
    """Return the entry of a submitted draft's record. `state` is the record's, where the draft is from before it kept that itself."""
    state, post = draft.filed.state or state, post_of(form, draft, draft.filed.state or state)
    filed = filed_at or _moment(draft.filed.filed_at)
    if not (draft.filed.number and state and filed):
        return None
    last = _last(draft) if draft.status is Status.SUBMITTED and not post else None
    return Indexed(
        draft.filed.number,
        draft.id,
        draft.tenant,
        draft.form,
        person_key(draft.tenant, draft.owner),
        state,
        filed,
        post,
        _moment(draft.filed.pending.due or draft.filed.pending.overdue) if post else None,
        _moment(last.at) if last else None,
        last.verdict if last else "",
        subject_words(form, draft),
        _judges(draft),
        _moment(max((one.at for one in draft.filed.breaches), default="")),
        sum(one.open for one in draft.filed.breaches),
        shape_of(form),
    )


def post_of(form: Form, draft: Draft, state: str) -> str:
    """Return what the record waits for: its state's verdict, or what was asked of a state in which nothing else is to be decided."""
    if draft.status is not Status.SUBMITTED:
        return ""
    return (
        state
        if form.filing.waits(state)
        else f"{state}:{draft.filed.pending.about}"
        if draft.filed.pending.about
        else ""
    )


def posts_of(form: Form) -> dict[str, str]:
    """Everything for which a form's records may wait, and the role that decides on it."""
    states = form.filing.states
    longer = {f"{name}:{EXTEND}": state.extend.by for name, state in states.items() if state.extend}
    return {name: state.by for name, state in states.items() if state.waits} | longer


def changed(form: Form, before: Draft, after: Draft) -> list[Indexed]:
    """Return the entry, where this turn changed it."""
    entry = indexed(form, after) if after.filed.state else None
    return [entry] if entry is not None and entry != indexed(form, before) else []


def _last(draft: Draft) -> Decision | None:
    return next((one for one in reversed(draft.filed.decisions) if not one.void), None)


def _judges(draft: Draft) -> tuple[str, ...]:
    """Who has decided on it, in their own or in somebody's place: they decide on it no more."""
    counted = [
        d for d in draft.filed.decisions if d.verdict != WITHDRAW and (d.state != draft.filed.state or not d.void)
    ]
    who = (name for one in counted for name in (one.who, one.deputy_of) if name)
    return tuple(person_key(draft.tenant, name) for name in dict.fromkeys(who))


def _moment(at: str) -> datetime | None:
    return datetime.fromisoformat(at).astimezone(UTC) if at else None


PAUSE = 3600.0
"""Seconds between two looks at whether anything is missing."""
AT_ONCE = 100


class Indexer:
    """Every step may be repeated and left off in the middle, by any number of replicas; what a turn entered meanwhile counts."""

    def __init__(self, store: Store, workflows: Mapping[str, Workflow]) -> None:
        self._store, self._workflows = store, workflows
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._watch(), name="index")

    async def stop(self) -> None:
        """Look no more."""
        if self._task:
            await cancelled(self._task)

    async def fill(self) -> int:
        """Enter what is missing; says how many records that were."""
        shapes = {name: shape_of(w.form) for name, w in self._workflows.items() if w.form.fields}
        done, before = 0, list[str]()
        while (missing := await self._store.unindexed(shapes, AT_ONCE)) and missing != before:
            await self._store.enter([one for number in missing if (one := await self._entry(number))])
            done, before = done + len(missing), missing
        return done

    async def _entry(self, number: str) -> Indexed | None:
        record = await self._store.record(number)
        if record is None or record.erased or record.form not in self._workflows:
            return None
        stored = await self._store.draft(record.draft)
        draft = decode_draft(stored.body) if stored and stored.body and not stored.erased else draft_of_record(record)
        return indexed(self._workflows[record.form].form, draft, record.filed_at, record.state)

    async def _watch(self) -> None:
        while True:
            try:
                if done := await self.fill():
                    log.info("indexed", records=done)
            except Exception:
                log.exception("index_failed")
            await asyncio.sleep(PAUSE)
