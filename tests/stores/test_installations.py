"""The contract of installations: one sealed document a workspace, and states that count once."""

import asyncio

from state.stores.store import Store
from tests.stores.conftest import Ground

GRANT = {"bot_token": "xoxb-secret-1", "bot_user_id": "U0BOT"}


async def test_a_workspace_has_what_it_granted_last(store: Store) -> None:
    """Each workspace has its own grant; a new one takes the place of the old one, and nobody else's is touched."""
    await store.install("T1", GRANT)
    await store.install("T2", {"bot_token": "xoxb-secret-2"})
    await store.install("T1", {**GRANT, "bot_token": "xoxb-secret-3"})
    assert (await store.installation("T1") or {})["bot_token"] == "xoxb-secret-3"
    assert await store.installation("T2") == {"bot_token": "xoxb-secret-2"}
    assert await store.installation("T3") is None and await store.installed() == 2


async def test_uninstalling_destroys_the_grant_and_its_key(store: Store) -> None:
    """Nothing of it is left that a key of the installation's could open; installing again begins anew."""
    await store.install("T1", GRANT)
    assert await store.uninstall("T1") and not await store.uninstall("T1")
    assert await store.installation("T1") is None and await store.installed() == 0
    await store.install("T1", GRANT)
    assert await store.installation("T1") == GRANT


async def test_a_state_counts_once_on_any_replica(ground: Ground) -> None:
    """Of many uses at the same time one counts; a state that was never issued, or whose time is over, counts never."""
    first, second = await ground.open(), await ground.open()
    await first.issue_state("abc", 60)
    came = await asyncio.gather(*(one.consume_state("abc") for one in (first, second, first, second)))
    assert sorted(came) == [False, False, False, True]
    await first.issue_state("late", -1)
    assert not await second.consume_state("late") and not await second.consume_state("never")
