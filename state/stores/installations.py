"""Where the app is installed: one sealed document per workspace, and the OAuth states of installations under way.

Each workspace's document is sealed under a key of its own, as a person's are: rotating the installation's key wraps it anew,
and uninstalling destroys it. `workspace` is a team's id.
"""

from sqlalchemy import delete, func, select

from state.stores.rows import Body
from state.stores.sql.tables import installations, oauth_states, person_keys
from state.stores.sql.transaction import Transaction, with_key
from state.stores.sql.types import clock, later


def install(transaction: Transaction, workspace: str, body: Body) -> None:
    """Keep what a workspace granted (tokens among it); what it granted before is gone."""
    holder = _holder(workspace)
    key = transaction.key(holder)
    granted = transaction.vault.seal(key.key, holder, body)
    values = {"key": key.id, "granted": granted, "installed_at": clock()}
    new = transaction.insert(installations).values(workspace=transaction.vault.index(holder), **values)
    transaction.run(new.on_conflict_do_update(index_elements=["workspace"], set_=values))


def installation(transaction: Transaction, workspace: str) -> Body | None:
    """Return what a workspace granted; None where the app is not installed."""
    holder = _holder(workspace)
    theirs = with_key(installations).where(installations.c.workspace == transaction.vault.index(holder))
    row = transaction.run(theirs).first()
    return transaction.opened(row, holder, "granted") if row else None


def installed(transaction: Transaction) -> int:
    """Return in how many workspaces the app is installed."""
    return int(transaction.run(select(func.count()).select_from(installations)).scalar_one())


def uninstall(transaction: Transaction, workspace: str) -> bool:
    """Destroy what a workspace granted, and the key that sealed it; False where there was nothing."""
    index = transaction.vault.index(_holder(workspace))
    gone = transaction.run(delete(installations).where(installations.c.workspace == index)).rowcount
    transaction.run(delete(person_keys).where(person_keys.c.person == index))
    return gone == 1


def issue_state(transaction: Transaction, state: str, seconds: float) -> None:
    """Remember an OAuth state for so long; states whose time is over are forgotten."""
    transaction.run(delete(oauth_states).where(oauth_states.c.until < clock()))
    known = transaction.vault.index(f"state:{state}")
    transaction.run(transaction.insert(oauth_states).values(state=known, until=later(round(seconds, 3))))


def consume_state(transaction: Transaction, state: str) -> bool:
    """Return True if this state was issued, its time is not over, and nobody has used it yet: it counts once, on any replica."""
    known = transaction.vault.index(f"state:{state}")
    used = delete(oauth_states).where(oauth_states.c.state == known, oauth_states.c.until >= clock())
    return transaction.run(used).rowcount == 1


def _holder(workspace: str) -> str:
    return f"installation:{workspace}"
