"""What officers may read, whatever they ask for: their roles' forms, their own workspace, never their own requests; and how records stand."""

from dataclasses import replace
from pathlib import Path

import pytest

from blocks.queue import At, Query
from bot.officers.index import Indexer, changed, indexed, post_of, posts_of, shape_of
from bot.officers.queue import Duties, OfficerQueue, duties_of, why_not
from bot.officers.roles import Roles, RolesFile
from bot.slack.client import SlackClient
from bot.slack.people import People
from bot.slack.places import person_key
from bot.turns.writes import stored_draft
from state.draft.draft import Draft, with_record
from state.engine.events import TakenUp
from state.form.filing import FilingTable
from state.stores.opener import memory_store
from state.stores.rows import Record, StoredEvent, TurnWrites
from state.stores.store import Store
from state.workflow.load import Workflow
from tests.state.deciding import (
    DEPUTY,
    MANAGER,
    OFFICER,
    ROUTED,
    SENIOR,
    UNTIL,
    approved,
    asked,
    filed,
    routed,
    verdict,
    wanted,
)
from tests.state.forms import AT

TEAM, DAY = filed().tenant, "2026-11-20"
ROLES = RolesFile.model_validate({
    "roles": {"manager": {"users": [MANAGER]}, "compliance": {"users": [OFFICER]}, "senior": {"users": [SENIOR]}, "auditor": {"users": ["U0AUDI"]}},
    "delegates": [{"of": MANAGER, "to": DEPUTY, "from": "2026-11-19", "until": "2026-11-21"}],
})  # fmt: skip


async def no_slack(_team: str) -> SlackClient:
    """A client of a server that is not there."""
    return SlackClient("xoxb-test", base_url="http://127.0.0.1:1/api/", timeout=1)


def held(path: Path, roles: RolesFile = ROLES) -> Roles:
    """Roles, though there is no file of them."""
    return Roles(path / "roles.toml", no_slack, roles)


def made(store: Store, path: Path, roles: RolesFile = ROLES) -> OfficerQueue:
    """A desk over one form."""
    return OfficerQueue(store, {ROUTED.name: Workflow(ROUTED, None, path)}, held(path, roles), People(no_slack))  # type: ignore[arg-type]  # no rule is asked


async def put(store: Store, draft: Draft, *, index: bool = True) -> None:
    """A filed draft with its record, as a turn writes them."""
    stored = replace(stored_draft(draft, None), revision=1)
    work = TurnWrites(draft=stored, events=[StoredEvent(draft.id, "Began", {}, ({"kind": "TurnBegun"},), 1)])
    person, body = person_key(draft.tenant, draft.owner), {"values": stored.body["values"], "owner": draft.owner}
    work.records.append(
        Record(draft.filed.number, draft.id, draft.form, person, draft.tenant, draft.filed.state, "", body)
    )
    entry = indexed(ROUTED, draft)
    work.indexed = [entry] if entry and index else []
    lease = await store.take(draft.conversation, 30)
    assert lease is not None
    await store.write(lease, work)
    await store.release(lease)


@pytest.mark.parametrize(
    ("user", "day", "roles", "posts"),
    [
        (MANAGER, DAY, ("manager",), ("pending_manager",)),
        (DEPUTY, DAY, ("manager",), ("pending_manager",)),
        (DEPUTY, "2026-11-22", (), ()),
        (SENIOR, DAY, ("senior",), ("pending_senior", "approved:extend")),
        ("U0AUDI", DAY, ("auditor",), ()),
        ("U0NOBO", DAY, (), ()),
    ],
)
async def test_duties_are_those_of_the_day(
    tmp_path: Path, user: str, day: str, roles: tuple[str, ...], posts: tuple[str, ...]
) -> None:
    """One's own roles and those of whom one stands in for, on these days; an auditor decides on nothing and reads everything."""
    found = await duties_of(held(tmp_path), {ROUTED.name: Workflow(ROUTED, None, tmp_path)}, TEAM, user, day)  # type: ignore[arg-type]  # as above
    assert (found.roles, found.posts) == (roles, tuple((ROUTED.name, post) for post in posts))
    assert found.forms == ((ROUTED.name,) if roles else ()) and found.known


async def test_where_roles_cannot_be_read_nobody_reads_anything(tmp_path: Path) -> None:
    """A file that cannot be read gives nobody a duty, and says that it is not known."""
    (tmp_path / "roles.toml").write_text("[roles")
    found = await duties_of(held(tmp_path), {ROUTED.name: Workflow(ROUTED, None, tmp_path)}, TEAM, MANAGER, DAY)  # type: ignore[arg-type]  # as above
    assert (found.known, found.any, found.posts) == (False, False, ())


async def test_nobody_reads_their_own_another_workspaces_or_what_no_role_of_theirs_reads(tmp_path: Path) -> None:
    """By number, in the queue and in the search alike."""
    async with memory_store() as store:
        draft, path = filed(), tmp_path
        await put(store, draft)
        everybody = {"users": [MANAGER, draft.owner]}
        desk = made(
            store, path, RolesFile.model_validate({"roles": {"manager": everybody, "auditor": {"users": ["U0AUDI"]}}})
        )
        for team, user, reads in (
            (TEAM, MANAGER, True), (TEAM, "U0AUDI", True), (TEAM, draft.owner, False), (TEAM, "U0NOBO", False), ("T0OTHER", MANAGER, False),
        ):  # fmt: skip
            duties = await desk.duties(team, user)
            record = await desk.record(team, user, duties, draft.filed.number)
            found, _ = await desk.search(team, user, duties, Query(text=draft.filed.number))
            assert (record is not None, len(found)) == (reads, int(reads)), (team, user)
            waits = await desk.queue(team, user, duties, At())
            assert len(waits.rows) == int((team, user) == (TEAM, MANAGER))
        assert await desk.record(TEAM, MANAGER, await desk.duties(TEAM, MANAGER), "SM-2026-999999") is None
        duties = await desk.duties(TEAM, MANAGER)
        assert await desk.record(TEAM, MANAGER, replace(duties, forms=("gifts",)), draft.filed.number) is None
        for nothing in (Query(text="?!"), Query(form="gifts"), Query(since="not a date"), Query(until="2020-01-01")):
            assert await desk.search(TEAM, MANAGER, duties, nothing) == ((), False)


async def test_what_is_missing_in_the_index_is_entered(tmp_path: Path) -> None:
    """By whichever replica comes first, once; a form that is read otherwise by now has its entries made anew."""
    async with memory_store() as store:
        await put(store, filed(), index=False)
        indexer = Indexer(store, {ROUTED.name: Workflow(ROUTED, None, tmp_path)})  # type: ignore[arg-type]  # as above
        assert (await indexer.fill(), await indexer.fill()) == (1, 0)
        other = ROUTED.model_copy(update={"filing": FilingTable(subject=("why",), states=ROUTED.filing.states)})
        again = Indexer(store, {ROUTED.name: Workflow(other, None, tmp_path)})  # type: ignore[arg-type]  # as above
        assert (await again.fill(), await again.fill()) == (1, 0) and shape_of(other) != shape_of(ROUTED)


def test_an_entry_says_how_the_record_stands() -> None:
    """What it waits for, who has decided, and the last verdict once nothing is to be decided any more."""
    draft = filed()
    entry = indexed(ROUTED, draft)
    assert entry and (entry.post, entry.verdict, entry.decided_at, entry.judges) == ("pending_manager", "", None, ())
    after = routed(draft, verdict(draft, MANAGER)).draft
    entry = indexed(ROUTED, after)
    assert entry and (entry.post, entry.judges, entry.decided_at) == (
        "pending_compliance",
        (f"{TEAM}:{MANAGER}",),
        None,
    )
    last = routed(after, verdict(after, OFFICER, "decline")).draft
    entry = indexed(ROUTED, last)
    assert entry and (entry.state, entry.post, entry.verdict, len(entry.judges)) == ("declined", "", "decline", 2)
    assert entry.decided_at and changed(ROUTED, after, last) == [entry] and changed(ROUTED, last, last) == []


def test_a_request_that_its_owner_has_again_waits_for_nobody() -> None:
    """While more is asked for it is at no post, and nothing is decided; what was asked of an approval waits for its own role."""
    draft = filed()
    again = routed(draft, asked(draft, MANAGER, "reason")).draft
    entry = indexed(ROUTED, again)
    assert entry and (entry.state, entry.post, entry.verdict, entry.due_at) == ("asked", "", "", None)
    longer = wanted(approved())
    assert (
        post_of(ROUTED, longer, longer.filed.state) == "approved:extend"
        and posts_of(ROUTED)["approved:extend"] == "senior"
    )


def test_the_buttons_are_of_those_whose_verdict_may_count(tmp_path: Path) -> None:
    """Not the owner's, not theirs who decided before, not those of another role."""
    duties = Duties(posts=((ROUTED.name, "pending_manager"), (ROUTED.name, "pending_compliance")))
    draft = filed()
    after = routed(draft, verdict(draft, MANAGER)).draft
    assert not why_not(duties, ROUTED, draft, MANAGER) and why_not(duties, ROUTED, draft, draft.owner)
    assert not why_not(duties, ROUTED, after, OFFICER)
    assert why_not(duties, ROUTED, after, MANAGER) == "decide_twice"
    assert why_not(Duties(), ROUTED, draft, MANAGER) == "decide_role"
    assert why_not(Duties(roles=("auditor",)), ROUTED, draft, MANAGER) == "decide_auditor"


def test_a_record_from_before_routes_is_taken_up_once() -> None:
    """It gets its state, its day and a card; again, or in a state in which nobody decides, nothing happens."""
    draft = filed()
    old = with_record(draft, state="", pending=type(draft.filed.pending)(), filed_at="")
    known = TakenUp("t1", AT, MANAGER, state="pending_manager", until=UNTIL, reasons=("It is large.",), filed_at=AT)
    taken = routed(old, known).draft
    assert (taken.filed.state, taken.filed.valid_until, taken.filed.filed_at) == (
        "pending_manager",
        UNTIL,
        AT,
    ) and taken.filed.pending.card
    assert routed(taken, replace(known, id="t2")).changes == () == routed(old, replace(known, state="approved")).changes
    assert routed(replace(old, status=Draft("", "", "", "", "").status), known).changes == ()
