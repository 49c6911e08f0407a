"""Publishing what was previewed: by whom, of what, and only as it was seen. And how a day becomes a moment."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.officers.lists import Lists, Officer, Refused, Uploads
from bot.officers.roles import Authority, RolesUnknown
from bot.slack.client import SlackClient
from bot.slack.downloads import Fetcher
from state.lists.versions import fingerprint
from state.stores.lists import ListKey
from state.stores.opener import memory_store
from state.stores.store import Store
from tests.workflows.dealing_cases import DEALING, ISINS

DANA = Officer("T1", "U0DANA", "America/New_York")
KEY = ListKey("T1", "pa_dealing", "restricted")
ROWS = ({"isin": ISINS["tesco"], "name": "", "from": "2026-11-20", "until": "", "note": ""},)


class Held:
    """Roles that the test changes."""

    def __init__(self) -> None:
        self.holders: set[tuple[str, str]] = {("U0DANA", "compliance"), ("U0SASHA", "compliance")}
        self.known = True

    async def authority(self, team: str, user: str, role: str, day: str) -> Authority:
        """What the test says."""
        if not self.known:
            raise RolesUnknown("the test")
        return Authority((user, role) in self.holders)


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    opened = memory_store()
    await opened.start()
    yield opened
    await opened.stop()


@pytest.fixture
def roles() -> Held:
    return Held()


@pytest.fixture
def uploads(store: Store, roles: Held) -> Uploads:
    workflows = {"pa_dealing": DEALING}

    async def nobody(_team: str) -> SlackClient:
        raise AssertionError("nothing is fetched here")

    async def kick(_lane: str) -> None:
        return None

    channels = {"pa_dealing": "C1"}
    return Uploads(store, workflows, Lists(store, workflows), roles, Fetcher(nobody), channels, kick, lambda: "new")


async def kept(store: Store, day: str = "", after: int = 0, user: str = "U0DANA", **of: Any) -> None:
    """What somebody has previewed under the name "it"."""
    body = {
        "of": ["T1", "pa_dealing", "restricted", user],
        "rows": [dict(row) for row in ROWS],
        "day": day,
        "after": after,
    }
    await store.keep_upload("it", {**body, **of}, 60)


async def refused(uploads: Uploads, officer: Officer = DANA, key: ListKey = KEY, hash_: str = "") -> str:
    """Why nothing was published."""
    with pytest.raises(Refused) as found:
        await uploads.publish(officer, key, "it", hash_ or fingerprint(ROWS))
    assert await uploads.store.list_versions(key) == []
    return found.value.why


async def test_only_what_was_seen_is_published(uploads: Uploads, store: Store) -> None:
    """Neither rows with another hash, nor somebody else's preview, nor one of another list, nor one that is over."""
    assert await refused(uploads) == "policy_over"
    await kept(store)
    assert await refused(uploads, hash_="0" * 64) == "policy_mismatch"
    assert await refused(uploads, Officer("T1", "U0SASHA", "")) == "policy_over"
    assert await refused(uploads, key=ListKey("T1", "pa_dealing", "closed_periods")) == "policy_over"
    assert await refused(uploads, key=ListKey("T1", "pa_dealing", "no_such_list")) == "policy_over"
    _, version, _ = await uploads.publish(DANA, KEY, "it", fingerprint(ROWS))
    assert version.number == 1


async def test_the_role_is_asked_for_again_at_confirm(uploads: Uploads, store: Store, roles: Held) -> None:
    """Whoever lost it meanwhile, audits, or of whom nobody can tell, publishes nothing."""
    await kept(store)
    roles.known = False
    assert await refused(uploads) == "policy_unknown"
    roles.known, before = True, set(roles.holders)
    roles.holders.discard(("U0DANA", "compliance"))
    assert await refused(uploads) == "policy_role"
    roles.holders = {*before, ("U0DANA", "auditor")}
    assert await refused(uploads) == "policy_auditor"


async def test_a_day_begins_where_the_officer_is(uploads: Uploads, store: Store) -> None:
    """A later day begins at their midnight; today, and one that came meanwhile, is the moment of Confirm. Nothing begins before it."""
    began = await store.now()
    later = (began + timedelta(days=9)).astimezone(UTC).date()
    await kept(store, later.isoformat())
    _, planned, said = await uploads.publish(DANA, KEY, "it", fingerprint(ROWS))
    midnight = datetime(later.year, later.month, later.day, tzinfo=UTC)
    assert planned.effective - midnight in (timedelta(hours=4), timedelta(hours=5)) and str(later.year) in said
    await kept(store, "2020-01-01", after=1)
    _, at_once, _ = await uploads.publish(DANA, KEY, "it", fingerprint(ROWS))
    assert began <= at_once.effective <= await store.now()
    held = await uploads.lists.in_force(KEY, planned.effective)
    assert (held.number, held.rows) == (2, ROWS)
    assert (await uploads.lists.in_force(KEY, began - timedelta(seconds=1))).number == 0


async def test_each_workspace_has_its_own(uploads: Uploads, store: Store) -> None:
    """What one uploads holds in no other one, which goes by what ships."""
    await kept(store)
    await uploads.publish(DANA, KEY, "it", fingerprint(ROWS))
    other = await uploads.lists.in_force(ListKey("T2", "pa_dealing", "restricted"), await store.now())
    assert other.number == 0 and other.rows == DEALING.lists["restricted"]
