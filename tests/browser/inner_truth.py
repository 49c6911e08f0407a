"""What the sandbox is told about the draft, in the place of a bot."""

from dataclasses import dataclass, field
from typing import Any

from background_loop import Background

from bot.sandbox.server import Sandbox


@dataclass
class Inner:
    """What `/ui/inspect` tells in these tests: set `told`, then call `changed()`."""

    told: dict[str, Any] | None = None
    asked: list[tuple[str, str, str | None]] = field(default_factory=list)

    async def __call__(self, person: str, channel: str, thread_ts: str | None) -> dict[str, Any] | None:
        """The callable that the sandbox is given."""
        self.asked.append((person, channel, thread_ts))
        return self.told

    def changed(self, background: Background, sandbox: Sandbox, person: str = "U0ALEX") -> None:
        """Tell the page that there is something new to ask for."""

        async def tell() -> None:
            sandbox.inspect_changed(person, person.replace("U0", "D0"))

        background.run(tell())
