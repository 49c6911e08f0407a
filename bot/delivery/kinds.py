"""Who performs which kind of row."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.delivery.answers import AnswerPosts
from bot.delivery.budget import PROMPTS, Budget
from bot.delivery.data_rights import Rights
from bot.delivery.documents import Documents
from bot.delivery.facts import Facts
from bot.delivery.model_calls import ModelCaller
from bot.delivery.operations import Operator
from bot.delivery.posts import Poster
from bot.delivery.prompts import Prompts
from bot.delivery.timers import Timers
from bot.desk.digest import KIND as DIGEST
from bot.desk.digest import Digests
from bot.sinks.delivery import Deliverer
from bot.sinks.rows import KIND as SINK
from state.stores.rows import OutboxRow

TO_SLACK = frozenset({DIGEST, "post", "repaint", "attach", "forward", "whisper", "right", "prompts", "answer"})
"""Kinds that are performed by Slack: while it does not answer, they wait."""
Perform = Callable[[OutboxRow], Awaitable[Any]]


@dataclass(frozen=True)
class Performers:
    """Everybody who performs something."""

    poster: Poster
    thinker: ModelCaller
    facts: Facts
    documents: Documents
    operator: Operator
    rights: Rights
    prompts: Prompts
    timers: Timers
    sinks: Deliverer
    digests: Digests
    answers: AnswerPosts
    budget: Budget

    def by_kind(self) -> Mapping[str, Perform]:
        """What performs a row, by its kind."""
        return {
            "post": self.poster.post,
            "repaint": self.poster.repaint,
            "attach": self.poster.attach,
            "forward": self._attached(self.documents.whole),
            "whisper": self.poster.whisper,
            "model": self.thinker.think,
            "look_up": self.facts.look_up,
            "gather": self.facts.gather,
            "begin": self.facts.begin,
            "fetch": self.documents.fetch,
            "discard": self.documents.discard,
            "operate": self.operator.operate,
            "remind": self.timers.fire,
            "right": self.rights.serve,
            "prompts": self._suggest,
            DIGEST: self._attached(self.digests.made),
            SINK: self.sinks.serve,
            "answer": self.answers.serve,
        }

    async def _suggest(self, row: OutboxRow) -> None:
        """A courtesy, which waits like paint."""
        self.budget.spend_spare(team_of(row), PROMPTS, row.key)
        await self.prompts.serve(row)

    def _attached(self, make: Callable[[OutboxRow], Awaitable[OutboxRow | None]]) -> Perform:
        """What is made when it is due, and posted like any file; nothing where there is nothing to send."""

        async def attach(row: OutboxRow) -> None:
            made = await make(row)
            if made is not None:
                await self.poster.attach(made)

        return attach


def team_of(row: OutboxRow) -> str:
    """The workspace that a row is for."""
    return row.person.partition(":")[0]
