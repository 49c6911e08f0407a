"""Everything that is held of a person as one readable file."""

import json
from collections import Counter
from collections.abc import Collection
from io import StringIO

from bot.data_rights.confidential import direct_channels, withhold
from state.stores.store import Store

NAME = "holdfast-{day}.json"
PAGE = "holdfast-{day}.html"
EVERY = 1_000_000


async def collect(store: Store, person: str, day: str, confidential: Collection[str] = ()) -> str:
    """A JSON document: whose it is, how many rows each table holds, and all rows, as they come from the store page by page.

    Of `confidential` forms it leaves out what only those who decide know, and says where.
    """
    mine = await store.drafts_of(person, EVERY)
    drafts = frozenset(draft.id for draft in mine if draft.form in confidential)
    direct = direct_channels(draft.conversation for draft in mine)
    rows, counted = StringIO(), Counter[str]()
    async for held in store.everything(person):
        rows.write(",\n    " if counted else "    ")
        rows.write(
            json.dumps({"table": held.table, **withhold(held, drafts, direct, confidential)}, ensure_ascii=False)
        )
        counted[held.table] += 1
    head = {"person": person, "day": day, "rows": dict(counted)}
    return f'{json.dumps(head, ensure_ascii=False)[:-1]}, "held": [\n{rows.getvalue()}\n]}}\n'
