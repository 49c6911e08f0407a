"""Finishes every draft of the kept database that was open, and says how each ended: python -m tests.stored [PART OF A NAME]."""

import asyncio
import sys
import tempfile
from pathlib import Path

from bot.operations import logs
from tests.stored.finishing import finish
from tests.stored.restored import PEOPLE, person_of, stored_world
from tests.world import TEAM, World


async def ended(world: World, situation: str) -> str:
    """How the situation's draft ended, in a line; empty where there was none to finish."""
    me = person_of(world, situation)
    drafts = await world.bot.store.drafts_of(f"{TEAM}:{me.alex.id}")
    if not any(stored.status == "open" for stored in drafts) or situation.startswith("expenses/"):
        return ""
    try:
        draft = await finish(me)
    except (AssertionError, LookupError) as problem:
        return f"{situation}: NOT FINISHED, {problem}"
    return f"{situation}: {draft.status} {draft.filed.number}"


async def main(part: str) -> int:
    """Finish those whose name has the part; 1 where one could not be finished."""
    logs.configure("ERROR")
    failed = 0
    with tempfile.TemporaryDirectory() as var:
        async with stored_world(Path(var)) as world:
            for situation in (name for name in PEOPLE if part in name):
                if line := await ended(world, situation):
                    failed += "NOT FINISHED" in line
                    sys.stdout.write(f"{line}\n")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(asyncio.run(main("".join(sys.argv[1:]))))
