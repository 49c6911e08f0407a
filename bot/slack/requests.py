"""Read Slack's requests before Bolt does, over HTTP or a socket: in time, and checked against the shape of what listeners look at."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import parse_qs

import structlog
from aiohttp import web
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, model_validator
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse

from state.exact_json import loads

log = structlog.get_logger("holdfast.slack")

MISSHAPEN = (LookupError, TypeError, AttributeError, ValueError)
"""What code raises that looks for something in a body that has another shape."""
BODY = 5.0
"""Seconds for a body."""
FORMS = frozenset({"command", "ssl_check"})
"""What a form holds that is no envelope of JSON: a slash command, or Slack's look at a certificate."""
Id = Annotated[str, StringConstraints(max_length=500)]
Who = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]{0,99}$")]
"""The id of a person, a team, a channel."""
Moment = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,16}(\.[0-9]{1,9})?$")]
"""A timestamp of Slack's, by which what was said is put in order."""


class Shape(BaseModel):
    """An object of which listeners look at these keys; what else is in it is nobody's concern."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class Reference(Shape):
    """Somebody or something by its id, with what Slack knows of it."""

    id: Who | None = None
    team_id: Who | None = None


Named = Who | Reference | None
"""What may be an object or a name."""


class File(Shape):
    """A file that somebody sent."""

    id: Id | None = None
    name: str | None = None
    title: str | None = None
    mimetype: str | None = None
    url_private: str | None = None
    url_private_download: str | None = None
    file_access: str | None = None


class Event(Shape):
    """An event of the Events API."""

    type: Id
    subtype: Id | None = None
    user: Named = None
    bot_id: Id | None = None
    team: Named = None
    channel: Named = None
    channel_type: Id | None = None
    ts: Moment | None = None
    thread_ts: Moment | None = None
    text: str | None = None
    tab: Id | None = None
    files: list[File] | None = None

    @model_validator(mode="after")
    def _said_somewhere(self) -> "Event":
        """Return a message of somebody's has a place and a time."""
        says = self.type == "app_mention" or (self.type == "message" and self.user and not self.subtype)
        if says and not (isinstance(self.user, str) and isinstance(self.channel, str) and self.ts):
            raise ValueError("A message needs user, channel and ts.")
        return self


class Text(Shape):
    """A text object."""

    text: str | None = None


class Option(Shape):
    """An option chosen in a menu."""

    value: str | None = None
    text: Text | None = None


class Action(Shape):
    """A control that was clicked."""

    action_id: Id
    block_id: Id | None = None
    action_ts: Moment | None = None
    value: str | None = None
    text: Text | None = None
    selected_date: str | None = None
    selected_option: Option | None = None
    selected_options: list[Option] | None = None


class State(Shape):
    """The values in the inputs of a view or a message."""

    values: dict[str, dict[str, dict[str, Any]]] = {}


class View(Shape):
    """A modal, or App Home."""

    id: Id
    hash: Id | None = None
    callback_id: Id | None = None
    private_metadata: str | None = None
    state: State | None = None


class Container(Shape):
    """The message in which a click was made."""

    channel_id: Who | None = None
    message_ts: Moment | None = None
    thread_ts: Moment | None = None


class Request(Shape):
    """Any body of Slack's: an event, an interaction, or a slash command."""

    type: Id | None = None
    command: Id | None = None
    ssl_check: Id | None = None
    challenge: str | None = None
    token: Id | None = None
    api_app_id: Id | None = None
    team: Named = None
    team_id: Who | None = None
    enterprise: Named = None
    enterprise_id: Who | None = None
    user: Named = None
    user_id: Who | None = None
    channel: Named = None
    channel_id: Who | None = None
    text: str | None = None
    trigger_id: Id | None = None
    response_url: str | None = None
    callback_id: Id | None = None
    block_id: Id | None = None
    action_id: Id | None = None
    value: str | None = None
    event: Event | None = None
    container: Container | None = None
    message: dict[str, Any] | None = None
    view: View | None = None
    actions: list[Action] | None = None
    state: State | None = None
    authorizations: list[dict[str, Any]] | None = None
    authed_users: list[Any] | None = None
    authed_teams: list[Any] | None = None
    response_urls: list[dict[str, Any]] | None = None
    function_data: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _whole(self) -> "Request":
        """Each sort of body has what its listeners begin with."""
        needed: dict[str, tuple[Any, ...]] = {
            "event_callback": (self.event,),
            "url_verification": (self.challenge is not None,),
            "block_actions": (_who(self.user), self.actions),
            "block_suggestion": (_who(self.user), self.action_id),
            "view_submission": (_who(self.user), self.view),
            "view_closed": (_who(self.user), self.view),
        }
        if self.command is not None:
            given: tuple[Any, ...] = (self.command, self.user_id, self.team_id, self.trigger_id)
        else:
            given = needed.get(self.type or "", (self.type or self.ssl_check,))
        if not all(given):
            raise ValueError("Something is missing of what such a body has.")
        return self


def _who(user: Named) -> str | None:
    return user.id if isinstance(user, Reference) else None


class Broken(Exception):
    """A request that did not come whole: the status and the code that it is answered with."""

    def __init__(self, status: int, error: str) -> None:
        super().__init__(error)
        self.status, self.error = status, error


@dataclass(frozen=True)
class Body:
    """A body as it came, as text, and whether it can be a request of Slack's."""

    raw: bytes
    text: str
    well_formed: bool


async def read(request: web.Request, seconds: float = BODY) -> Body:
    """Return the whole body. Raises Broken where it does not come in time, or is too large."""
    try:
        async with asyncio.timeout(seconds):
            raw = await request.read()
    except TimeoutError:
        raise Broken(408, "timeout") from None
    except web.HTTPRequestEntityTooLarge:
        raise Broken(413, "too_large") from None
    try:
        text = raw.decode()
        told = loads(text) if request.content_type == "application/json" or text[:1] in ("{", "[") else _form(text)
    except ValueError:
        return Body(raw, raw.decode(errors="replace"), well_formed=False)
    return Body(raw, text, shaped(told))


def shaped(told: object) -> bool:
    """Return True for the body of an event, an interaction or a slash command of which listeners can rely on every key."""
    try:
        Request.model_validate(told)
    except ValidationError:
        return False
    return True


ANSWERS = frozenset({None, "file_share", "thread_broadcast", "me_message"})
"""Subtypes in which a person says something."""


def said(event: Mapping[str, Any]) -> bool:
    """Return True for the message of a person: those of bots, edits and deletions are no answers."""
    return event.get("subtype") in ANSWERS and not event.get("bot_id") and bool(event.get("user"))


def _form(text: str) -> Any:
    fields = {name: values[0] for name, values in parse_qs(text, keep_blank_values=True).items()}
    if "payload" in fields:
        return loads(fields["payload"])
    return fields if fields.keys() & FORMS else None


NO_REQUESTS, REQUESTS = ("hello", "disconnect"), {"type", "envelope_id", "payload"}


class SocketHandler(AsyncSocketModeHandler):
    """Acknowledges what nobody can handle, so that Slack does not send it again, and says so in the log."""

    def __init__(self, app: AsyncApp, app_token: str) -> None:
        super().__init__(app, app_token)
        self.client.message_listeners.append(_envelope)

    async def handle(self, client: SocketModeClient, req: SocketModeRequest) -> None:  # type: ignore[override]  # as Bolt has it
        """Hand a request to Bolt, if it has the shape of one; else acknowledge it, as what the bot itself has posted."""
        if isinstance(req.type, str) and shaped(req.payload):
            event = req.payload.get("event") or {}
            if event.get("type") == "message" and not said(event):
                await client.send_socket_mode_response(SocketModeResponse(envelope_id=req.envelope_id))
                return
            with suppress(*MISSHAPEN):  # of Bolt's, over keys that no listener looks at
                await super().handle(client, req)
                return
        await _acknowledged(client, req.envelope_id)


async def _envelope(client: AsyncBaseSocketModeClient, message: dict[str, Any], _raw: str | None) -> None:
    """Acknowledge an envelope in which the SDK finds no request."""
    whole = message.keys() >= REQUESTS and isinstance(message["payload"], dict | str)
    if not whole and message.get("type") not in NO_REQUESTS:
        await _acknowledged(client, message.get("envelope_id"))


async def _acknowledged(client: AsyncBaseSocketModeClient, name: object) -> None:
    log.warning("misshapen", kind="envelope")
    if isinstance(name, str) and name:
        await client.send_socket_mode_response(SocketModeResponse(envelope_id=name))
