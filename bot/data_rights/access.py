"""Everything that is held of a person as one readable file."""

import json
from collections import Counter
from io import StringIO

from state.stores.protocol import Store

NAME = "holdfast-{day}.json"
PAGE = "holdfast-{day}.html"


async def collect(store: Store, person: str, day: str) -> str:
    """A JSON document: whose it is, how many rows each table holds, and all rows, as they come from the store page by page."""
    rows, counted = StringIO(), Counter[str]()
    async for held in store.everything(person):
        rows.write(",\n    " if counted else "    ")
        rows.write(json.dumps({"table": held.table, **held.row}, ensure_ascii=False))
        counted[held.table] += 1
    head = {"person": person, "day": day, "rows": dict(counted)}
    return f'{json.dumps(head, ensure_ascii=False)[:-1]}, "held": [\n{rows.getvalue()}\n]}}\n'
