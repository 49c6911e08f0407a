"""Reads what a dossier is made from."""

from collections.abc import Mapping
from datetime import datetime

from bot.proof.dossier import Json, Source, build
from state.stores.store import Store
from state.workflow.load import Workflow


async def gather(store: Store, workflows: Mapping[str, Workflow], number: str, moment: datetime | None = None) -> Json:
    """The dossier of a record at a moment, now with None. Raises ValueError with a sentence where there is none."""
    return build(await source_of(store, workflows, number, moment))


async def source_of(
    store: Store, workflows: Mapping[str, Workflow], number: str, moment: datetime | None = None
) -> Source:
    """What it is made from. Raises ValueError with a sentence where there is no such record."""
    account = await store.account(number)
    if account is None:
        raise ValueError(f"There is no record {number!r}.")
    workflow = workflows.get(account.record.form)
    return Source(account, await store.links(account.record.draft), workflow.form if workflow else None, moment)
