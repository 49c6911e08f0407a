"""Performs what was written to the outbox: one small function per kind of row, and one table."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import structlog
from slack_sdk.errors import SlackApiError

from bot.delivery.budget import PROMPTS, Budget, Later
from bot.delivery.data_rights import Rights
from bot.delivery.documents import Documents
from bot.delivery.facts import Facts
from bot.delivery.model_calls import ModelCaller
from bot.delivery.operations import Operator
from bot.delivery.posts import Poster
from bot.delivery.prompts import Prompts
from bot.logs.problems import slack_answer
from bot.metrics import LIMITED, PERFORMED
from state.stores.protocol import Done, InboxRow, OutboxRow, Posted

log = structlog.get_logger("holdfast.performer")

TOO_MANY = 429


class Performer:
    """At-least-once by nature; each kind makes sure that a repetition does no harm."""

    def __init__(
        self,
        poster: Poster,
        thinker: ModelCaller,
        facts: Facts,
        documents: Documents,
        operator: Operator,
        rights: Rights,
        prompts: Prompts,
        budget: Budget,
    ) -> None:
        self._poster, self._prompts, self._budget = poster, prompts, budget
        self._kinds: Mapping[str, Callable[[OutboxRow], Awaitable[Any]]] = {
            "post": poster.post,
            "repaint": poster.repaint,
            "attach": poster.attach,
            "whisper": poster.whisper,
            "model": thinker.think,
            "look_up": facts.look_up,
            "gather": facts.gather,
            "begin": facts.begin,
            "fetch": documents.fetch,
            "discard": documents.discard,
            "operate": operator.operate,
            "right": rights.serve,
            "prompts": self._suggest,
        }

    async def perform(self, row: OutboxRow) -> Done:
        """Perform one row and say what came of it; the engine marks it done. Raises Later where Slack wants it later."""
        try:
            came = await self._kinds[row.kind](row)
        except SlackApiError as refusal:
            if slack_answer(refusal)[1] != TOO_MANY:
                raise
            raise self._limited(row, refusal) from None
        PERFORMED.labels(row.kind).inc()
        log.info("performed", kind=row.kind, row=row.id, ts=came.ts if isinstance(came, Posted) else None)
        return Done(row.id, came if isinstance(came, Posted) else None, came if isinstance(came, InboxRow) else None)

    def came(self, row: InboxRow) -> None:
        """Notice what an event brought that later posts can use."""
        self._poster.came(row)

    def forget(self) -> None:
        """Remember nothing of where posts stand."""
        self._poster.forget()

    async def _suggest(self, row: OutboxRow) -> None:
        """A courtesy, which waits like paint."""
        self._budget.spend_spare(row.person.partition(":")[0], PROMPTS, row.key)
        await self._prompts.serve(row)

    def _limited(self, row: OutboxRow, refusal: SlackApiError) -> Later:
        """What Slack asks to wait is kept for the method and the workspace: others wait too, before they are refused."""
        method = urlsplit(str(getattr(refusal.response, "api_url", None) or refusal.response.url)).path.rpartition("/")[
            2
        ]
        LIMITED.labels(method).inc()
        return self._budget.refused(row.person.partition(":")[0], method, _seconds(refusal))


def _seconds(refusal: SlackApiError) -> float:
    try:
        return max(float(refusal.response.headers.get("Retry-After", 1)), 0.0)
    except (TypeError, ValueError):
        return 1.0
