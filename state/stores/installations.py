"""Where the app is installed: one sealed document per workspace, and the states of installations under way."""

from typing import Protocol

from state.stores.rows import Body


class Installations(Protocol):
    """Part of `Store`; every implementation passes the same contract test. `workspace` is a team's id."""

    async def install(self, workspace: str, body: Body) -> None:
        """Keep what a workspace granted (tokens among it); what it granted before is gone."""

    async def installation(self, workspace: str) -> Body | None:
        """What a workspace granted; None where the app is not installed."""

    async def installed(self) -> int:
        """In how many workspaces the app is installed."""

    async def uninstall(self, workspace: str) -> bool:
        """Destroy what a workspace granted, and the key that sealed it; False where there was nothing."""

    async def issue_state(self, state: str, seconds: float) -> None:
        """Remember an OAuth state for so long; states whose time is over are forgotten."""

    async def consume_state(self, state: str) -> bool:
        """Whether this state was issued, its time is not over, and nobody has used it yet: it counts once, on any replica."""
