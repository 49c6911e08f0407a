"""Installations of the app in workspaces, as Slack's OAuth gives them: a code for a token, a refresh token for the next one."""

import time
from dataclasses import dataclass, field

from bot.sandbox.clock import new_id
from bot.sandbox.errors import SlackError
from bot.sandbox.workspace import Json

CODE_LENGTH, SECRET_LENGTH = 20, 24
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
    """Where people are sent back to, where the app names no address itself."""
    codes: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    refreshes: dict[str, str] = field(default_factory=dict)

    def code(self, team: str) -> str:
        """A code for a workspace whose person said yes."""
        made = new_id("", CODE_LENGTH).lower()
        self.codes[made] = team
        return made

    def team_of(self, token: str) -> str | None:
        """The workspace of a token; None for one that was not given out here.

        Raises SlackError token_expired.
        """
        known = self.tokens.get(token)
        if known and known.until and known.until < time.time():
            raise SlackError("token_expired")
        return known.team if known else None

    def revoke(self, team: str) -> None:
        """Take back every token of a workspace."""
        self.tokens = {token: one for token, one in self.tokens.items() if one.team != team}
        self.refreshes = {token: of for token, of in self.refreshes.items() if of != team}

    def access(self, args: Json) -> tuple[str, Json]:
        """oauth.v2.access: the workspace, and what it grants for a code, or for a refresh token, each of which counts once.

        Raises SlackError bad_client_secret, invalid_code or invalid_refresh_token.
        """
        if (args.get("client_id"), args.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            raise SlackError("bad_client_secret")
        if args.get("grant_type") == "refresh_token":
            team = self.refreshes.pop(str(args.get("refresh_token")), None)
            if team is None:
                raise SlackError("invalid_refresh_token")
        else:
            team = self.codes.pop(str(args.get("code")), None)
            if team is None:
                raise SlackError("invalid_code")
        return team, self._granted(team)

    def _granted(self, team: str) -> Json:
        token = f"xoxb-{team.lower()}-{new_id('', SECRET_LENGTH).lower()}"
        until = time.time() + self.lifetime if self.lifetime else 0.0
        self.tokens[token] = Token(team, until)
        granted: Json = {"access_token": token, "token_type": "bot"}
        if self.lifetime:
            refresh = f"xoxe-1-{new_id('', SECRET_LENGTH).lower()}"
            self.refreshes[refresh] = team
            granted |= {"refresh_token": refresh, "expires_in": self.lifetime}
        return granted
