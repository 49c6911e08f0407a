"""The contract of the report's figures: every store counts the same, workflow by workflow, from plain columns alone."""

from dataclasses import replace
from datetime import timedelta

import pytest

from state.stores.figures import NAMED, Figures
from state.stores.rows import ToolLogEntry
from state.stores.store import Store
from tests.stores.helpers import ALEX, DANA, OTHER, TALK, filed, step, taken, write
from tests.stores.test_tool_calls import called

CASE = "vehicle_case"
WAITED = {"tool": "finalize", "status": "waiting", "finalizes": True}
AGAIN = {"tool": "finalize", "status": "success", "finalizes": True, "idempotent": True}
AGAIN_REFUSED = {"tool": "finalize", "status": "rejected", "reason": "filed", "finalizes": True}
TOO_EARLY = {"tool": "finalize", "status": "rejected", "reason": "submit", "finalizes": True}
LOOPED = {"tool": "hand_over", "status": "escalated", "reason": "loop", "reader": "code"}


async def talk(
    store: Store, name: str, *calls: ToolLogEntry, who: str = ALEX, where: str = TALK, form: str = "pa_dealing",
    status: str = "open", number: str = "", state: str = "pending_manager",
) -> None:  # fmt: skip
    """A draft of one turn with these calls, and its record where it has a number."""
    lease = await taken(store, where)
    draft, event = step(None, name, who, where, quantity=1)
    mine = [replace(call, draft=name, person=who, form=form) for call in calls]
    record = [replace(filed(number, name, who, form), state=state)] if number else []
    await write(
        store, lease, draft=replace(draft, form=form, status=status), events=[event], calls=mine, records=record
    )
    await store.release(lease)


async def story(store: Store) -> None:
    """A request is filed, and filed again; another conversation loops and is handed over; a third is submitted without a record."""
    await talk(store, "d1", called(), called(**WAITED), called(**AGAIN), status="submitted", number="PA-2026-000001")
    refused = called(status="rejected", reason="grounding")
    loop, broken = called(**LOOPED), called(tool="book", status="error")
    await talk(store, "d2", refused, refused, loop, broken, who=DANA, where=OTHER)
    await talk(store, "d3", called(), who=DANA, where="T0NORTH:D0DANA:", status="submitted")


async def of(store: Store, form: str = "pa_dealing") -> Figures:
    """The figures of a workflow."""
    return next(figures for figures in await store.figures() if figures.form == form)


async def test_figures_are_counted_alike_by_every_store(store: Store) -> None:
    """Calls by tool, status and reason; repeated finalisations; loops by day; what has no record and what waits."""
    await story(store)
    figures, today = await of(store), (await store.now()).date().isoformat()
    assert figures.by_tool == {"set_trade": 4, "finalize": 2, "book": 1}
    assert figures.by_reason == {"grounding": 2}
    assert (figures.conversations, figures.filed, figures.errors) == (3, 1, 1)
    assert (figures.idempotent, figures.repeated.count, figures.loops) == (1, 1, {today: 1})
    assert (figures.insistent.count, figures.unfiled.count, figures.stuck.count, figures.pending) == (1, 1, 0, 1)
    assert figures.pending_since is not None


async def test_conversations_behind_a_figure_are_named(store: Store) -> None:
    """Each by its draft and its record, with how often; nobody's name or words are in it."""
    await story(store)
    figures = await of(store)
    ((again,), (twice,), (looped,), (lost,)) = (
        b.first for b in (figures.repeated, figures.insistent, figures.looped, figures.unfiled)
    )
    assert (again.name, again.record, again.times) == ("d1", "PA-2026-000001", 1)
    assert (twice.name, twice.record, twice.times) == ("d1", "PA-2026-000001", 2)
    assert (looped.name, looped.record) == ("d2", "") and (lost.name, lost.record) == ("d3", "")
    assert all(one.at is not None for one in (again, twice, looped, lost))


INSISTENT = [
    ((), 0),
    ((WAITED,), 0),
    ((TOO_EARLY, TOO_EARLY), 0),
    ((TOO_EARLY, WAITED), 0),
    ((AGAIN,), 2),
    ((WAITED, WAITED), 2),
    ((WAITED, AGAIN), 2),
    ((AGAIN_REFUSED,), 2),
    ((TOO_EARLY, WAITED, AGAIN, AGAIN), 3),
]


@pytest.mark.parametrize(("given", "times"), INSISTENT)
async def test_a_call_that_came_too_early_is_no_second_one(
    store: Store, given: tuple[dict[str, object], ...], times: int
) -> None:
    """Of a filed case, calls that were taken count, or the click that filed it, and each call after that; refused too early, none does."""
    await talk(store, "d1", *(called(**call) for call in given), status="submitted", number="PA-2026-000001")
    assert [one.times for one in (await of(store)).insistent.first] == ([times] if times else [])


async def test_workflows_are_not_counted_together(store: Store) -> None:
    """Each has figures of its own, and none where nothing happened."""
    await story(store)
    again = called(**AGAIN)
    await talk(
        store, "v1", again, again, where=OTHER, form=CASE, status="submitted", number="V-1", state="pending_review"
    )
    dealing, case = await store.figures()
    assert (dealing.form, case.form) == ("pa_dealing", CASE)
    assert (dealing.idempotent, case.idempotent, case.conversations, case.filed, case.made) == (1, 2, 1, 1, 2)
    assert case.loops == {} and case.unfiled.count == 0


async def test_stuck_is_what_waits_in_review_and_was_not_completed(store: Store) -> None:
    """A case in review counts until its state moves on; one that waits for a manager, and a draft without a record, are others."""
    await story(store)
    for n, state in enumerate(("pending_review", "in_progress", "resolved", "pending_review")):
        await talk(store, f"v{n}", where=OTHER, form=CASE, status="submitted", number=f"V-{n}", state=state)
    assert (await of(store)).stuck.count == 0
    assert [one.record for one in (await of(store, CASE)).stuck.first] == ["V-0", "V-3"]
    lease = await taken(store, OTHER)
    await write(store, lease, amended={"V-0": "resolved"})
    assert [(one.name, one.record) for one in (await of(store, CASE)).stuck.first] == [("v3", "V-3")]


async def test_many_conversations_are_counted_and_the_first_named(store: Store) -> None:
    """However many there are, all count, and a report stays one that can be read."""
    for n in range(NAMED + 3):
        await talk(
            store, f"v{n:02}", where=OTHER, form=CASE, status="submitted", number=f"V-{n}", state="pending_review"
        )
    stuck = (await of(store, CASE)).stuck
    assert (stuck.count, len(stuck.first), stuck.first[0].name) == (NAMED + 3, NAMED, "v00")


async def test_figures_begin_where_they_are_asked_to(store: Store) -> None:
    """What came before the day that is asked for does not count; what stands still does."""
    await story(store)
    await talk(store, "v1", called(**AGAIN), where=OTHER, form=CASE)
    (figures,) = await store.figures((await store.now()) + timedelta(days=1))
    assert replace(figures, pending_since=None) == Figures("pa_dealing", unfiled=figures.unfiled, pending=1)
    assert figures.unfiled.count == 1


async def test_an_erasure_takes_nothing_from_the_figures(store: Store) -> None:
    """Figures are no personal data: they are the same after a person was erased."""
    await story(store)
    before = await store.figures()
    await store.erase(DANA)
    assert await store.figures() == before
