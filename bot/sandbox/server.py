"""The sandbox put together: one local Slack behind one HTTP server."""

import asyncio
import contextlib
import inspect as introspection
import json
import logging
import time
from collections.abc import Callable
from pathlib import Path

from aiohttp import web

from bot.sandbox import payloads
from bot.sandbox.archive import Archive
from bot.sandbox.changes import Changes, Records
from bot.sandbox.delivery import Delivery, HttpTarget, Sockets
from bot.sandbox.knobs import Knobs, Tiers
from bot.sandbox.people import Person
from bot.sandbox.routes import Addresses
from bot.sandbox.slack import APP_TOKEN, BOT_TOKEN, SIGNING_SECRET, VERIFICATION_TOKEN, Slack
from bot.sandbox.tickets import Clock, Tickets, new_id
from bot.sandbox.ui import Inspect, Page
from bot.sandbox.workspace import ActError, seeded

log = logging.getLogger("holdfast.sandbox")
LOOK_AGAIN_SECONDS = 0.25


class Sandbox:
    """A local Slack.

    `inspect` gives the draft panel's data; `clock` the time in epoch seconds; `commands` are the app's slash commands. Retry
    delays are seconds before each retry of an event: short here, 0, 60 and 300 at Slack. Conversations are kept in the
    file `keep` for the next start, and `say` is told where they cannot be; without a file they end with the process.

    `sent` is every call of the app, oldest first; `refused` the payloads that broke Slack's limits; `knobs` the faults on demand.
    """

    def __init__(
        self,
        inspect: Inspect | None = None,
        clock: Callable[[], float] | None = None,
        *,
        commands: tuple[str, ...] = ("/pa",),
        ack_timeout: float = 3.0,
        retry_delays: tuple[float, ...] = (0.0, 1.0, 3.0),
        keep: Path | None = None,
        say: Callable[[str], None] = log.warning,
    ) -> None:
        time_, changes, records = Clock(clock or time.time), Changes(), Records()
        self.workspace, self.knobs = seeded(), Knobs()
        self.bot_token, self.app_token, self.signing_secret = BOT_TOKEN, APP_TOKEN, SIGNING_SECRET
        self.sent, self.refused = records.sent, records.refused
        self._sockets = Sockets(self.workspace.bot.app_id, changes, ack_timeout)
        delivery = Delivery(self._sockets, self.knobs, retry_delays)
        tickets, tiers = Tickets(time_), Tiers(clock or time.monotonic)
        self.slack = Slack(self.workspace, time_, changes, records, self.knobs, tickets, delivery, tiers, "", commands)
        self.page = Page(self.slack, self._sockets, inspect)
        self._archive = Archive(keep, self.slack, say) if keep else None
        self._stopping = asyncio.Event()
        self._runner: web.AppRunner | None = None

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listen; port 0 takes a free one. A stopped sandbox starts again with all it holds."""
        self._stopping = asyncio.Event()
        if self._archive is not None:
            self._archive.open()
            self.slack.changes.keep = self._archive.keep
        addresses = Addresses(self.slack, self._sockets, self.page, self._stopping)
        self._runner = web.AppRunner(addresses.application(), access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        await web.TCPSite(self._runner, host, port).start()
        taken = self._runner.addresses[0][1]
        self.slack.url = f"http://{host}:{taken}"

    async def serve(self, port: int, say: Callable[[str], None], request_url: str = "") -> None:
        """Listen until cancelled, and say how an app connects: what it is to be started with, and when it is reached in HTTP mode."""
        await self.start(port=port)
        try:
            say(f"A local Slack without an app: {self.url}")
            say(f"SLACK_API_URL={self.api_url}\nSLACK_BOT_TOKEN={self.bot_token}")
            say(f"SLACK_APP_TOKEN={self.app_token}\nSLACK_SIGNING_SECRET={self.signing_secret}")
            while request_url and self.slack.delivery.address is None:
                with contextlib.suppress(ActError):
                    await self.deliver_to(request_url)
                    say(f"Everything goes to {request_url}.")
                await asyncio.sleep(LOOK_AGAIN_SECONDS)
            await asyncio.Event().wait()
        finally:
            await self.stop()

    async def stop(self) -> None:
        """Close every connection and stop listening; events that were not acked wait for the next start."""
        self._stopping.set()
        self.slack.changes.tick()
        await self._sockets.close()
        await self.slack.delivery.stop()
        if self._runner is not None:
            await self._runner.cleanup()
        if self._archive is not None:
            self._archive.close()

    async def deliver_to(self, url: str) -> None:
        """Send everything to an app in HTTP mode from now on, after the url_verification handshake.

        Raises ActError when the address does not give the challenge back.
        """
        challenge, target = new_id("", length=40), HttpTarget(url, SIGNING_SECRET, self._sockets.ack_timeout)
        handshake = {"token": VERIFICATION_TOKEN, "challenge": challenge, "type": "url_verification"}
        if challenge not in (await target.post(json.dumps(handshake), "application/json") or ""):
            raise ActError("The address did not give the challenge back.")
        self.slack.delivery.address = target
        self.slack.delivery.resume()

    @property
    def url(self) -> str:
        """The page's address."""
        return self.slack.url

    @property
    def api_url(self) -> str:
        """The Web API's base address, for SDKs' `base_url`."""
        return f"{self.slack.url}/api/"

    @property
    def connected(self) -> int:
        """How many sockets the app has open."""
        return len(self._sockets.connections)

    @property
    def under_way(self) -> int:
        """How many events and retries the app has neither acked nor missed for good; waiting ones are not counted."""
        return self.slack.delivery.under_way

    def person(self, person_id: str) -> Person:
        """Somebody at the keyboard. Raises LookupError for an unknown id."""
        if person_id not in self.workspace.people:
            raise LookupError(f"nobody has the id {person_id}; there are {', '.join(self.workspace.people)}")
        return Person(self.slack, person_id)

    def invite_bot(self, channel_id: str) -> None:
        """Let the app into a channel; it is told, as everybody there."""
        channel, bot = self.workspace.channels[channel_id], self.workspace.bot
        if bot.user_id not in channel.members:
            channel.members.append(bot.user_id)
        event = {"type": "member_joined_channel", "user": bot.user_id, "channel": channel_id, "channel_type": "C"}
        payloads.send(self.slack, {**event, "team": self.workspace.team.id, "event_ts": self.slack.clock.ts()})

    def remove_bot(self, channel_id: str) -> None:
        """Take the app out of a channel."""
        self.workspace.channels[channel_id].members.remove(self.workspace.bot.user_id)

    def archive(self, channel_id: str) -> None:
        """Nobody writes there any more."""
        self.workspace.channels[channel_id].archived = True

    def unarchive(self, channel_id: str) -> None:
        """Bring a channel back, and tell the app."""
        self.workspace.channels[channel_id].archived = False
        payloads.send(
            self.slack, {"type": "channel_unarchive", "channel": channel_id, "event_ts": self.slack.clock.ts()}
        )

    async def disconnect(self, reason: str = "refresh_requested") -> None:
        """Send every socket away with one of Slack's reasons."""
        await self._sockets.disconnect(reason)

    async def until(self, predicate: Callable[[], object], timeout: float = 60) -> object:  # noqa: ASYNC109  # the tests' own word
        """Wait until `predicate()` (plain or async) is true, looking again at each change; gives its value.

        What changes outside the sandbox is looked at four times a second.

        Raises TimeoutError with the last calls of the app.
        """
        try:
            async with asyncio.timeout(timeout):
                return await self._until(predicate)
        except TimeoutError:
            raise TimeoutError(f"not within {timeout} s; the app last sent {self.sent[-5:]}") from None

    async def _until(self, predicate: Callable[[], object]) -> object:
        while True:
            coming = self.slack.changes.next()
            found = predicate()
            if introspection.isawaitable(found):
                found = await found
            if found:
                return found
            with contextlib.suppress(TimeoutError):  # not wait_for, which swallows an end that comes with a change
                async with asyncio.timeout(LOOK_AGAIN_SECONDS):
                    await coming.wait()
