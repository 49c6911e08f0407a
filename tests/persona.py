"""The persona test: twenty-four turns with a model that drifts, and what of the drift reaches the person.

Run: python -m tests.persona [SEEDS]
"""

import asyncio
import random
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.stored.finishing import TAKES, clickable
from tests.workflows.requirements_cases import FEATURE, GATHERED, Drifting, sent, violations
from tests.world import World, world


@dataclass(frozen=True)
class Played:
    """What one play came to. `asked` is the field whose question was open after each turn."""

    model: Drifting
    sent: tuple[str, ...]
    asked: tuple[str, ...]
    again: tuple[str, ...]
    """Fields asked for although they had an answer that was not too thin."""
    filed: dict[str, object]

    @property
    def wrong(self) -> list[tuple[str, list[str]]]:
        """What was sent and should not have been, with what is wrong with it."""
        return [(said, found) for said in self.sent if (found := violations(said))]

    @property
    def line(self) -> str:
        """One line of the report."""
        drifted, replies = self.model.drifted, self.model.replies
        kept = sum(self.filed.get(n) == v for n, v in GATHERED.items())
        return (
            f"raw drift {drifted} of {replies} replies ({drifted / replies:.0%}); violations sent {len(self.wrong)} of {len(self.sent)}; "
            f"repeated questions {len(self.again)}; facts in the summary {kept} of {len(GATHERED)}"
        )


async def play(var: Path, seed: int, rate: float = 0.4) -> Played:
    """All turns through a whole world."""
    model = Drifting(random.Random(seed), rate)
    async with world(var, model) as w:
        asked, again = [], []
        for words, facts in FEATURE:
            await w.say(words)
            if (await w.draft()).proposal:  # a correction is the person's to make
                await w.click("hf.change")
            if facts:
                await _use(w)
            name = await _asked(w)
            asked.append(name)
            again += [name] if name in await _answered(w) else []
        records = await w.records()
        filed = {n: v["data"] for n, v in records[0].body["values"].items()} if records else {}
        return Played(model, tuple(sent(w)), tuple(asked), tuple(again), filed)


async def _use(w: World) -> None:
    """Click what was read of words that told something, where it is what was meant."""
    for _ in (await w.draft()).offers:
        offers = (await w.draft()).offers
        found = [e["action_id"] for e in clickable(w.screen()[-1]) if e["action_id"].startswith(TAKES)]
        if found and all(GATHERED.get(o.field) == o.data for o in offers):
            await w.click(found[0])


async def _asked(w: World) -> str:
    return (await w.draft()).asked


async def _answered(w: World) -> set[str]:
    draft = await w.draft()
    return set(draft.values) - set(draft.reopened)


def main() -> None:
    """One line a seed, at three rates."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    for rate in (0.2, 0.4, 0.8):
        for seed in range(seeds):
            with tempfile.TemporaryDirectory() as var:
                played = asyncio.run(play(Path(var), seed, rate))
            sys.stdout.write(f"rate {rate}, seed {seed}: {played.line}\n")


if __name__ == "__main__":
    main()
