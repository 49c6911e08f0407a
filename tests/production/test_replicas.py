"""Three replicas as docs/production puts them up: HTTP mode behind HAProxy, on PostgreSQL and Valkey; one is of the version before."""

from pathlib import Path

import pytest

from tests.chaos.cluster import NO_BEFORE, Cluster, cluster, code_before
from tests.chaos.faults import Fault, kill, renew_all
from tests.chaos.haproxy import MISSING, program
from tests.chaos.processes import under, without


async def kill_and_renew(c: Cluster) -> str | None:
    """Kill a replica, wait for it, and start all anew."""
    await kill(c)
    await c.whole()
    return await renew_all(c)


async def test_no_click_fails_while_replicas_go_and_a_new_version_comes(postgres: str, tmp_path: Path) -> None:
    """One of the version before and two of this one serve together, one is killed, each is renewed: every click counts, every request ends whole."""
    if not program():
        pytest.skip(MISSING)
    old = code_before(tmp_path / "before")
    async with cluster(tmp_path, 3, seed=2, postgres=postgres, old=(old, 1) if old else None, http=True) as c:
        tried, found = await under(c, Fault("", kill_and_renew), people=3, times=1, wanted=await without(c))
    assert (tried.n, found) == (1, []), tried.note
    if old is None:
        pytest.skip(NO_BEFORE)
