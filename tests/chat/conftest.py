"""A bot with its HTTP open, a local model where one plays, and callers with tokens."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.http.tokens import digest_of
from bot.root.lifecycle import Bot
from bot.sandbox.local import sandboxed
from bot.sandbox.models.playback import MessagesServer, Script
from tests.world import TEAM, in_memory, settings

CALLERS = {
    "hf_alex": (TEAM, "U0ALEX", "[]"),
    "hf_dana": (TEAM, "U0DANA", "[]"),
    "hf_admin": (TEAM, "U0DANA", '["finance_admin"]'),
    "hf_other": ("T0OTHER", "U0ALEX", '["super_admin"]'),
}


@dataclass
class Caller:
    """Calls `/chat` with a token."""

    bot: Bot
    session: aiohttp.ClientSession
    model: MessagesServer | None
    token: str = "hf_alex"

    @property
    def url(self) -> str:
        """Where the bot listens."""
        return f"http://127.0.0.1:{self.bot.web.port}/chat"

    async def post(self, body: Any, token: str = "", **more: Any) -> tuple[int, dict[str, Any]]:
        """Status and body."""
        headers = {"Authorization": f"Bearer {token or self.token}"}
        async with self.session.post(self.url, json=body, headers=headers, **more) as response:
            return response.status, await response.json()

    async def raw(self, data: bytes) -> tuple[int, str]:
        """Status and text of whatever bytes are posted."""
        headers = {"Authorization": f"Bearer {self.token}"}
        async with self.session.post(self.url, data=data, headers=headers) as response:
            return response.status, await response.text()

    async def say(self, message: str, token: str = "") -> dict[str, Any]:
        """The answer to a message that is expected to be answered."""
        status, body = await self.post({"message": message}, token)
        assert status == 200, body
        return body

    async def add(self, message: str, token: str = "") -> dict[str, Any]:
        """The answer to the click that adds what a message tells."""
        status, body = await self.confirm((await self.say(message, token))["proposalId"], token)
        assert status == 200, body
        return body

    async def confirm(self, proposal: str, token: str = "") -> tuple[int, dict[str, Any]]:
        """A click, by the proposal's id."""
        return await self.post({"confirm": {"proposal": proposal}}, token)


Calling = Callable[..., AbstractAsyncContextManager[Caller]]


def tokens(folder: Path) -> Path:
    """The file of hashed tokens."""
    file = folder / "tokens.toml"
    entries = (
        f'[[tokens]]\nsha256 = "{digest_of(token)}"\ntenant = "{tenant}"\nuser = "{user}"\nroles = {roles}\nzone = "UTC"\n'
        for token, (tenant, user, roles) in CALLERS.items()
    )
    file.write_text("".join(entries))
    return file


@pytest.fixture
def calling(tmp_path: Path) -> Calling:
    """Opens a bot for callers; with a script, a model plays it."""

    @asynccontextmanager
    async def opened(script: Script | None = None, patience: float = 5.0, **given: Any) -> AsyncIterator[Caller]:
        async with AsyncExitStack() as stack:
            model = MessagesServer(script) if script else None
            if model:
                await model.start()
                stack.push_async_callback(model.stop)
                given = {"anthropic_api_key": "sk-test", "anthropic_base_url": model.url, **given}
            made = settings(tmp_path / "var", holdfast_chat_tokens=tokens(tmp_path), **given)
            _, bot = await stack.enter_async_context(sandboxed(made, serves=0, store=in_memory(), patience=patience))
            session = await stack.enter_async_context(aiohttp.ClientSession())
            yield Caller(bot, session, model)

    return opened
