"""The gate as a service: proposals bound to person, tenant, arguments and rows; validated and authorised again; once, in time."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.effects.service import OperationCaller, OperationOutcome, Operations, Unknown
from state.draft.operations import Conflict, Forbidden, Identity, Invalid, NotFound, Wanted
from state.fields.base import Context
from state.stores.opener import memory_store
from state.workflow.load import Workflow
from tests.shipped import shipped

WORKFLOW = shipped("expenses")
ALEX, DANA = Identity("T1", "U0ALEX"), Identity("T1", "U0DANA")
ADMIN = WORKFLOW.rules.roles.given("T1", "U0DANA", {"finance_admin"})
FAR = Identity("T2", "U0ALEX", wide=True)
COFFEE = {"item": "coffee", "amount": "3.50", "currency": "EUR", "date": "2026-11-20"}


class Desk:
    """Asks for operations in somebody's name, on a clock that the test moves."""

    def __init__(self, workflow: Workflow = WORKFLOW) -> None:
        self.now = datetime(2026, 11, 20, 9, tzinfo=UTC)
        self.store = memory_store(lambda: self.now)
        self.operations, self.workflow, self._keys = Operations(self.store), workflow, 0

    def whose(self, identity: Identity = ALEX, key: str = "") -> OperationCaller:
        """Who asks; every request is a new one unless a key is given."""
        self._keys += 1
        return OperationCaller(self.workflow, identity, Context("en-GB", "2026-11-20"), key or f"k{self._keys}")

    async def call(
        self, operation: str, identity: Identity = ALEX, key: str = "", *, sure: bool = True, **given: Any
    ) -> OperationOutcome:
        """One call; not `sure` where something was inferred."""
        wanted = Wanted(operation, given, () if sure else ("date",))
        return await self.operations.call(self.whose(identity, key), (wanted,))

    async def items(self, tenant: str = "T1") -> list[str]:
        """What stands."""
        return [str(e.body["item"]) for e in await self.store.entries(tenant, "expenses")]


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    """A store in memory, and the shipped expenses."""
    made = Desk()
    await made.store.start()
    yield made
    await made.store.stop()


async def test_the_gate_holds_what_is_always_confirmed(desk: Desk) -> None:
    """Adding what was said runs at once; adding what was inferred, changing and deleting wait, whatever was said."""
    assert (await desk.call("add_expense", **COFFEE)).status == "done"
    assert (await desk.call("add_expense", sure=False, **{**COFFEE, "item": "tea"})).status == "waits"
    assert (await desk.call("update_expense", id=1, amount="5.00")).status == "waits"
    assert (await desk.call("delete_expense", id=1)).status == "waits"
    assert await desk.items() == ["coffee"]


async def test_a_repeated_request_is_done_once(desk: Desk) -> None:
    """A performer that repeats itself after a crash, proposing, running or confirming, gets the first outcome again."""
    first, again = [await desk.call("add_expense", key="row1", **COFFEE) for _ in range(2)]
    assert first.told == again.told and again.undoable and await desk.items() == ["coffee"]
    waits, twice = [await desk.call("delete_expense", key="row2", id=1) for _ in range(2)]
    assert waits.proposal == twice.proposal
    done, repeated = [await desk.operations.confirm(desk.whose(key="row3"), waits.proposal) for _ in range(2)]
    assert done.told == repeated.told and await desk.items() == []


async def test_two_clicks_at_the_same_time_run_once(desk: Desk) -> None:
    """Of several confirmations one runs, and the others are told that it is used."""
    waits = await desk.call("add_expense", sure=False, **COFFEE)
    clicks = (desk.operations.confirm(desk.whose(), waits.proposal) for _ in range(5))
    came = await asyncio.gather(*clicks, return_exceptions=True)
    assert [c.key for c in came if isinstance(c, Conflict)] == ["op_used"] * 4
    assert await desk.items() == ["coffee"]


async def test_rows_that_are_new_at_the_same_time_are_numbered_without_a_gap(desk: Desk) -> None:
    """Of several that add at once each gets a number of its own, and is told that one; no number is left out."""
    asked = [
        desk.call("add_expense", who, **{**COFFEE, "item": f"{n} coffees"}) for n in range(6) for who in (ALEX, DANA)
    ]
    came = await asyncio.gather(*asked)
    assert sorted(one.last for one in came) == list(range(1, 13)) and len(await desk.items()) == 12
    assert all(one.facts["added"][0]["id"] == one.last for one in came)


async def test_a_proposal_ends_with_its_time(desk: Desk) -> None:
    """A minute before its end it runs, at its end it does not; nothing was written then."""
    waits = await desk.call("add_expense", sure=False, **COFFEE)
    desk.now += timedelta(minutes=15)
    with pytest.raises(Conflict) as late:
        await desk.operations.confirm(desk.whose(), waits.proposal)
    assert late.value.key == "op_expired" and await desk.items() == []


async def test_a_cancelled_proposal_runs_no_more(desk: Desk) -> None:
    """After Cancel a click on Confirm is told so."""
    waits = await desk.call("add_expense", sure=False, **COFFEE)
    assert await desk.operations.cancel(desk.whose(), waits.proposal)
    with pytest.raises(Conflict) as ended:
        await desk.operations.confirm(desk.whose(), waits.proposal)
    assert ended.value.key == "op_cancelled" and await desk.items() == []


@pytest.mark.parametrize("thief", [DANA, ADMIN, FAR])
async def test_a_proposal_is_its_persons_alone(desk: Desk, thief: Identity) -> None:
    """Nobody else confirms, cancels or undoes it: not a colleague, not an admin, not the same id in another team."""
    waits = await desk.call("add_expense", sure=False, **COFFEE)
    for act in (desk.operations.confirm, desk.operations.cancel):
        with pytest.raises(Unknown):
            await act(desk.whose(thief), waits.proposal)
    await desk.operations.confirm(desk.whose(), waits.proposal)
    with pytest.raises(Conflict):
        await desk.operations.undo(desk.whose(thief), waits.proposal)
    assert await desk.items() == ["coffee"]


@pytest.mark.parametrize("stranger", [DANA, FAR])
async def test_rows_out_of_reach_read_like_rows_that_never_were(desk: Desk, stranger: Identity) -> None:
    """For another person or tenant a row is not found, in the same words as one that does not exist."""
    await desk.call("add_expense", **COFFEE)
    told = []
    for number in (1, 2):
        with pytest.raises(NotFound) as refused:
            await desk.call("delete_expense", stranger, id=number)
        told.append(str(refused.value.line).replace(str(number), "#"))
    assert told[0] == told[1]


async def test_a_list_holds_what_is_within_reach(desk: Desk) -> None:
    """A member sees their own rows, an admin the tenant's, somebody of another team none."""
    await desk.call("add_expense", **COFFEE)
    seen = {who: len((await desk.call("list_expenses", who)).facts["listed"]) for who in (ALEX, DANA, ADMIN, FAR)}
    assert seen == {ALEX: 1, DANA: 0, ADMIN: 1, FAR: 0}


async def test_an_admin_acts_on_the_tenants_rows(desk: Desk) -> None:
    """A finance admin changes a colleague's row, which stays the colleague's."""
    await desk.call("add_expense", **COFFEE)
    waits = await desk.call("update_expense", ADMIN, id=1, amount="4.00")
    await desk.operations.confirm(desk.whose(ADMIN), waits.proposal)
    entry = await desk.store.entry("T1", "expenses", 1)
    assert entry and (entry.person, entry.body["amount"]) == ("T1:U0ALEX", "4.00")


async def test_authority_is_asked_for_again_on_confirm(desk: Desk) -> None:
    """An admin who lost the role between the card and the click deletes nothing; a role that an operation wants is checked likewise."""
    await desk.call("add_expense", **COFFEE)
    waits = await desk.call("delete_expense", ADMIN, id=1)
    with pytest.raises(NotFound):
        await desk.operations.confirm(desk.whose(DANA), waits.proposal)
    held = await desk.call("delete_expense", id=1)
    operations = WORKFLOW.form.operations
    strict = operations["delete_expense"].model_copy(update={"roles": ("finance_admin",)})
    form = WORKFLOW.form.model_copy(update={"operations": {**operations, "delete_expense": strict}})
    desk.workflow = replace(WORKFLOW, form=form)
    with pytest.raises(Forbidden):
        await desk.operations.confirm(desk.whose(), held.proposal)
    assert await desk.items() == ["coffee"]


async def test_arguments_are_validated_again_on_confirm(desk: Desk) -> None:
    """A form that no longer takes an argument refuses the proposal that holds it."""
    waits = await desk.call("add_expense", sure=False, **COFFEE)
    operations = WORKFLOW.form.operations
    add = operations["add_expense"]
    narrow = add.model_copy(update={"fields": {n: f for n, f in add.fields.items() if n != "date"}})
    desk.workflow = replace(
        WORKFLOW, form=WORKFLOW.form.model_copy(update={"operations": {**operations, add.name: narrow}})
    )
    with pytest.raises(Invalid):
        await desk.operations.confirm(desk.whose(), waits.proposal)
    assert await desk.items() == []


async def test_a_row_that_changed_meanwhile_is_left_alone(desk: Desk) -> None:
    """A deletion that was shown for one content does not delete another."""
    await desk.call("add_expense", **COFFEE)
    deletion = await desk.call("delete_expense", id=1)
    change = await desk.call("update_expense", id=1, item="tea")
    await desk.operations.confirm(desk.whose(), change.proposal)
    with pytest.raises(Conflict) as refused:
        await desk.operations.confirm(desk.whose(), deletion.proposal)
    assert refused.value.key == "op_changed" and await desk.items() == ["tea"]


async def test_undo_brings_back_what_was(desk: Desk) -> None:
    """An addition goes, a change turns back, a deletion returns; each once, and not after the row has changed again."""
    added = await desk.call("add_expense", **COFFEE)
    change = await desk.call("update_expense", id=1, item="tea")
    done = await desk.operations.confirm(desk.whose(), change.proposal)
    with pytest.raises(Conflict):
        await desk.operations.undo(desk.whose(), added.proposal)
    await desk.operations.undo(desk.whose(), done.proposal)
    assert await desk.items() == ["coffee"]
    deletion = await desk.call("delete_expense", id=1)
    await desk.operations.confirm(desk.whose(), deletion.proposal)
    await desk.operations.undo(desk.whose())
    assert await desk.items() == ["coffee"]
    with pytest.raises(Conflict):
        await desk.operations.undo(desk.whose(), deletion.proposal)


async def test_undo_goes_back_step_by_step(desk: Desk) -> None:
    """Once a later change was taken back, the addition before it can be taken back as well."""
    await desk.call("add_expense", **COFFEE)
    await desk.call("attach_receipt", id=1, receipt="d1")
    for _ in range(2):
        await desk.operations.undo(desk.whose())
    assert await desk.items() == []


async def test_a_likely_duplicate_asks_for_a_click(desk: Desk) -> None:
    """The same sum on the same day for nearly the same thing waits, with a warning; another person's does not."""
    await desk.call("add_expense", **COFFEE)
    twin = await desk.call("add_expense", **{**COFFEE, "item": "Coffees"})
    assert twin.status == "waits" and any("already have this as 1" in str(line) for line in twin.told)
    assert (await desk.call("add_expense", DANA, **COFFEE)).status == "done"


@pytest.mark.parametrize("bad", [{"amount": "0.00"}, {"amount": "3.50", "currency": "JPY"}])
async def test_a_sum_that_cannot_be_is_refused(desk: Desk, bad: dict[str, str]) -> None:
    """Nothing is spent in zeros, nor in parts of a yen."""
    with pytest.raises(Invalid):
        await desk.call("add_expense", **{**COFFEE, **bad})


async def test_two_changes_of_one_row_are_not_one_confirmation(desk: Desk) -> None:
    """A reply that changes a row twice is refused whole."""
    await desk.call("add_expense", **COFFEE)
    twice = tuple(Wanted("update_expense", {"id": 1, "item": item}) for item in ("tea", "milk"))
    with pytest.raises(Invalid):
        await desk.operations.call(desk.whose(), twice)
