"""Time and ids as Slack hands them out, and what the app is entitled to by them: trigger ids, response_urls, OAuth tokens."""

import secrets
import string
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.sandbox.workspace import Json, SlackError, keep_newest

MICROSECONDS = 1_000_000


class Clock:
    """The workspace's time in epoch seconds; every `ts` is later than the one before.

    It goes by `now`, and is ahead of it by as long as people have looked at their screens without anybody waiting for them.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self.waited = now
        """The same clock as those see it who wait: what lives for some seconds dies by it."""
        self._ahead = 0.0
        self._last = 0

    def now(self) -> float:
        """Epoch seconds."""
        return self.waited() + self._ahead

    def advance(self, seconds: float) -> None:
        """Let time pass for Slack and its people, and for nobody else."""
        self._ahead += seconds

    def seconds(self) -> int:
        """Epoch seconds, whole, as in `event_time`."""
        return int(self.now())

    def ts(self) -> str:
        """Return the next message timestamp, "1700000000.000100"; unique and increasing in the workspace."""
        self._last = max(int(self.now() * MICROSECONDS), self._last + 1)
        return f"{self._last // MICROSECONDS}.{self._last % MICROSECONDS:06d}"

    def after(self, ts: str) -> None:
        """Hand out no timestamp up to this one: it is taken by a message of an earlier run."""
        seconds, _, fraction = ts.partition(".")
        self._last = max(self._last, int(seconds) * MICROSECONDS + int(fraction))
        self._ahead = max(self._ahead, self._last / MICROSECONDS - self.waited())


def new_id(prefix: str, length: int = 10) -> str:
    """Return an id such as "Ev0A1B2C3D4E"; random, so that a restarted sandbox never repeats one."""
    return prefix + "".join(secrets.choice(string.ascii_uppercase + string.digits) for _ in range(length))


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
    """The place that answers through one `response_url` go to; `message_ts` is the message that was clicked, if any."""

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
    triggers: dict[str, Trigger] = field(default_factory=dict)
    replies: dict[str, Reply] = field(default_factory=dict)

    def trigger(self, person: str) -> str:
        """Return a new trigger id for a person's act."""
        seconds, fraction = self.clock.ts().split(".")
        ticket = f"{seconds}.{fraction}.{new_id('', SECRET_LENGTH).lower()}"
        keep_newest(self.triggers, ticket, Trigger(person, self.clock.waited() + TRIGGER_SECONDS), TICKETS_KEPT)
        return ticket

    def holder(self, ticket: str) -> str:
        """Return the person behind a trigger id that is still good.

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
        """Return a new secret for a response_url."""
        secret = new_id("", SECRET_LENGTH)
        until = self.clock.waited() + RESPONSE_SECONDS
        reply = Reply(person, channel, until, message_ts, thread_ts, ephemeral)
        keep_newest(self.replies, secret, reply, TICKETS_KEPT)
        return secret

    def use(self, secret: str) -> Reply:
        """Spend one use of a response_url. Raises SlackError not_found, used_url or expired_url."""
        reply = self.replies.get(secret)
        if reply is None:
            raise SlackError("not_found")
        if reply.uses >= RESPONSE_USES:
            raise SlackError("used_url")
        if self.clock.waited() > reply.until:
            raise SlackError("expired_url")
        reply.uses += 1
        return reply


CODE_LENGTH, TOKEN_LENGTH = 20, 24
CLIENT_ID = "100000000001.200000000002"
CLIENT_SECRET = "sandbox-client-secret"  # noqa: S105  the local Slack's, for everybody


@dataclass
class Token:
    """A bot token of a workspace; `until` is when it ends, in seconds since 1970, 0 for never."""

    team: str
    until: float = 0.0


@dataclass
class Grants:
    """Codes, tokens and refresh tokens that were given out. With a `lifetime` in seconds, tokens are rotated."""

    lifetime: int = 0
    redirect: str = ""
    """The address that people are sent back to unless the app names one."""
    codes: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    refreshes: dict[str, str] = field(default_factory=dict)

    def code(self, team: str) -> str:
        """Return a code for a workspace whose person said yes."""
        made = new_id("", CODE_LENGTH).lower()
        self.codes[made] = team
        return made

    def team_of(self, token: str) -> str | None:
        """Return the workspace of a token; None for one that was not given out here.

        Raises SlackError token_expired.
        """
        known = self.tokens.get(token)
        if known and known.until and known.until < time.time():
            raise SlackError("token_expired")
        return known.team if known else None

    def access(self, args: Json) -> tuple[str, Json]:
        """oauth.v2.access: the workspace, and what it grants for a code, or for a refresh token, each of which counts once.

        Raises SlackError bad_client_secret, invalid_code or invalid_refresh_token.
        """
        if (args.get("client_id"), args.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            raise SlackError("bad_client_secret")
        kind, known = (
            ("refresh_token", self.refreshes) if args.get("grant_type") == "refresh_token" else ("code", self.codes)
        )
        team = known.pop(str(args.get(kind)), None)
        if team is None:
            raise SlackError(f"invalid_{kind}")
        token = f"xoxb-{team.lower()}-{new_id('', TOKEN_LENGTH).lower()}"
        until = time.time() + self.lifetime if self.lifetime else 0.0
        self.tokens[token] = Token(team, until)
        granted: Json = {"access_token": token, "token_type": "bot"}
        if self.lifetime:
            refresh = f"xoxe-1-{new_id('', TOKEN_LENGTH).lower()}"
            self.refreshes[refresh] = team
            granted |= {"refresh_token": refresh, "expires_in": self.lifetime}
        return team, granted
