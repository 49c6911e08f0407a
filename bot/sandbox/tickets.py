"""What an interaction entitles the app to: a `trigger_id` (one modal, 3 s) and a `response_url` (5 answers, 30 min)."""

from collections import OrderedDict
from dataclasses import dataclass, field

from bot.sandbox.clock import Clock, new_id
from bot.sandbox.errors import SlackError

TRIGGER_SECONDS = 3
RESPONSE_SECONDS = 30 * 60
RESPONSE_USES = 5
TICKETS_KEPT = 2_000
SECRET_LENGTH = 24


@dataclass
class Trigger:
    """A person's act that may open one modal."""

    person: str
    until: float
    used: bool = False


@dataclass
class Reply:
    """Where answers through one `response_url` go; `message_ts` is the message that was clicked, if any."""

    person: str
    channel: str
    until: float
    message_ts: str | None = None
    thread_ts: str | None = None
    ephemeral: bool = False
    uses: int = 0


@dataclass
class Tickets:
    """All that were handed out lately."""

    clock: Clock
    triggers: "OrderedDict[str, Trigger]" = field(default_factory=OrderedDict)
    replies: "OrderedDict[str, Reply]" = field(default_factory=OrderedDict)

    def trigger(self, person: str) -> str:
        """A new trigger id for a person's act."""
        seconds, fraction = self.clock.ts().split(".")
        ticket = f"{seconds}.{fraction}.{new_id('', SECRET_LENGTH).lower()}"
        self.triggers[ticket] = Trigger(person, self.clock.waited() + TRIGGER_SECONDS)
        _trim(self.triggers)
        return ticket

    def holder(self, ticket: str) -> str:
        """The person behind a trigger id that is still good.

        Raises SlackError invalid_trigger_id, exchanged_trigger_id or expired_trigger_id.
        """
        trigger = self.triggers.get(ticket)
        if trigger is None:
            raise SlackError("invalid_trigger_id")
        if trigger.used:
            raise SlackError("exchanged_trigger_id")
        if self.clock.waited() > trigger.until:
            raise SlackError("expired_trigger_id")
        return trigger.person

    def spend(self, ticket: str) -> None:
        """A modal came of this trigger id: it is good for no other."""
        self.triggers[ticket].used = True

    def reply(
        self,
        person: str,
        channel: str,
        *,
        message_ts: str | None = None,
        thread_ts: str | None = None,
        ephemeral: bool = False,
    ) -> str:
        """A new secret for a response_url."""
        secret = new_id("", SECRET_LENGTH)
        until = self.clock.waited() + RESPONSE_SECONDS
        self.replies[secret] = Reply(person, channel, until, message_ts, thread_ts, ephemeral)
        _trim(self.replies)
        return secret

    def use(self, secret: str) -> Reply:
        """Spend one use of a response_url.

        Raises SlackError not_found, used_url or expired_url.
        """
        reply = self.replies.get(secret)
        if reply is None:
            raise SlackError("not_found")
        if reply.uses >= RESPONSE_USES:
            raise SlackError("used_url")
        if self.clock.waited() > reply.until:
            raise SlackError("expired_url")
        reply.uses += 1
        return reply


def _trim(kept: "OrderedDict[str, Trigger] | OrderedDict[str, Reply]") -> None:
    while len(kept) > TICKETS_KEPT:
        kept.popitem(last=False)
