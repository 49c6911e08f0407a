"""Lists that officers keep, in versions that nobody changes any more, and uploads that wait for a confirmation.

What ships is version 0 and is in no store. The content of the others is sealed under a key of the workspace's own; the link that
says so covers what is sealed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, bindparam, delete, func, select

from state.stores.evidence.custody import NOW, append
from state.stores.evidence.links import version_facts
from state.stores.outbox import put_out
from state.stores.rows import Body, OutboxRow
from state.stores.sql.tables import list_uploads
from state.stores.sql.tables import list_versions as versions
from state.stores.sql.transaction import Transaction, with_key
from state.stores.sql.types import clock, later

UPLOADS = "list uploads"
"""Under whose key uploads are sealed while they wait."""


class Overtaken(Exception):
    """Another version came meanwhile, or the upload is there no more: nothing was written."""


@dataclass(frozen=True)
class ListKey:
    """Whose list: a workspace's, of a form, by its name."""

    tenant: str
    form: str
    list: str


@dataclass(frozen=True)
class ListVersion:
    """A version without its content."""

    number: int
    effective: datetime
    uploaded_at: datetime


OF = [versions.c[name] == bindparam(name) for name in ("tenant", "form", "list")]
ALL = select(versions.c.number, versions.c.effective, versions.c.uploaded_at).where(*OF).order_by(versions.c.number)
NEWEST = select(func.max(versions.c.number)).where(*OF)
ONE = with_key(versions).where(*OF, versions.c.number == bindparam("number"))


def list_versions(transaction: Transaction, key: ListKey) -> list[ListVersion]:
    """Return all versions of a list, oldest first."""
    rows = transaction.run(ALL, vars(key))
    return [ListVersion(row.number, row.effective, row.uploaded_at) for row in rows]


def list_content(transaction: Transaction, key: ListKey, number: int) -> Body | None:
    """Return what a version holds: its rows, and who uploaded them; None where there is no such version."""
    return _opened(transaction, ONE, _identity(key, number), vars(key) | {"number": number})


def keep_upload(transaction: Transaction, name: str, body: Body, seconds: float) -> None:
    """Keep what somebody looks at before they confirm it, for so long; what is over by now is forgotten."""
    transaction.run(delete(list_uploads).where(list_uploads.c.until < clock()))
    key = transaction.key(UPLOADS)
    content = transaction.vault.seal(key.key, f"list_uploads:{name}", body)
    values = {"name": name, "until": later(round(seconds, 3)), "key": key.id, "content": content}
    transaction.run(transaction.insert(list_uploads).values(**values))


def upload(transaction: Transaction, name: str) -> Body | None:
    """Return what is kept under this name; None where it is over, or was confirmed."""
    alive = with_key(list_uploads).where(list_uploads.c.name == name, list_uploads.c.until >= clock())
    return _opened(transaction, alive, f"list_uploads:{name}")


def publish(
    transaction: Transaction,
    name: str,
    key: ListKey,
    after: int,
    effective: datetime,
    body: Body,
    outgoing: Sequence[OutboxRow] = (),
) -> ListVersion:
    """Make the upload of this name the version behind `after`, with a link in the chain, in one transaction with `outgoing`.

    No version begins before it is there: an earlier `effective` is the moment of writing. Raises Overtaken, and nothing is written.
    """
    now = transaction.run(NOW).scalar_one()
    taken = delete(list_uploads).where(list_uploads.c.name == name, list_uploads.c.until >= now)
    newest = transaction.run(NEWEST, vars(key)).scalar_one() or 0
    if transaction.run(taken).rowcount != 1 or newest != after:
        raise Overtaken
    version, owner = ListVersion(after + 1, max(now, effective), now), transaction.key(f"lists:{key.tenant}")
    content = transaction.vault.seal(owner.key, _identity(key, version.number), body)
    row = {**vars(key), **vars(version), "key": owner.id, "content": content}
    new = transaction.insert(versions).values(**row)
    if transaction.run(new.on_conflict_do_nothing()).rowcount != 1:
        raise Overtaken
    put_out(transaction, outgoing, now)
    append(transaction, "version", version_facts(row), at=now)
    return version


def _opened(
    transaction: Transaction, wanted: Select[Any], identity: str, values: dict[str, Any] | None = None
) -> Body | None:
    row = transaction.run(wanted, values).first()
    return transaction.opened(row, identity, "content") if row else None


def _identity(key: ListKey, number: int) -> str:
    return f"list_versions:{key.tenant}:{key.form}:{key.list}:{number}"
