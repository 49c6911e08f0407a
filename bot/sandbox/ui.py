"""The page's own HTTP: the whole state, acts of people, knobs, files, and the draft beside the conversation."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import BodyPartReader, web

from bot.sandbox import screen, shapes, talk
from bot.sandbox.delivery import Sockets
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import ActError, Channel, Json

if TYPE_CHECKING:
    from bot.sandbox.preview import Forms

STATIC = Path(__file__).parent / "page"
Inspect = Callable[[str, str, str | None], Awaitable[Json | None]]
Act = Callable[[Json], Awaitable[Json | None]]
REFUSED = 400


class Page:
    """Endpoints under /ui; every refusal is {"error": a sentence}."""

    def __init__(self, slack: Slack, sockets: Sockets, inspect: Inspect | None) -> None:
        self._slack = slack
        self._sockets = sockets
        self._inspect = inspect
        self.forms: Forms | None = None
        """Of the bot in the same process, where there is one."""
        self._acts: dict[str, Act] = {
            "say": self._say,
            "edit": self._edit,
            "delete": self._delete,
            "click": self._click,
            "options": self._options,
            "view/submit": self._submit,
            "view/close": self._close,
            "home": self._home,
            "command": self._command,
            "knobs": self._knobs,
        }

    async def state(self, _: web.Request) -> web.Response:
        """GET /ui/state."""
        told = snapshot(self._slack, connected=len(self._sockets.connections))
        forms = self.forms.listed() if self.forms else None
        return web.json_response({**told, "forms": forms, "inspects": self._inspect is not None})

    async def preview(self, request: web.Request) -> web.Response:
        """GET /ui/preview: the cards of a form in one of its languages."""
        name, language = request.query.get("form", ""), request.query.get("language", "")
        cards = await asyncio.to_thread(self.forms.preview, name, language) if self.forms else []
        return web.json_response({"cards": cards})

    async def act(self, request: web.Request) -> web.Response:
        """POST /ui/<act> with a JSON body."""
        act = self._acts.get(request.match_info["act"])
        if act is None:
            return _refused("There is no such thing to do.", 404)
        try:
            return web.json_response(await act(_object(await request.text())) or {"ok": True})
        except ActError as error:
            return _refused(str(error))

    async def upload(self, request: web.Request) -> web.Response:
        """POST /ui/upload, multipart: person, channel, thread_ts?, text?, and one file or more. Without a channel: for a modal."""
        fields: dict[str, str] = {}
        uploads: list[talk.Upload] = []
        async for part in await request.multipart():
            if isinstance(part, BodyPartReader) and part.name == "file":
                mimetype = part.headers.get("Content-Type", "application/octet-stream")
                uploads.append(talk.Upload(part.filename or "file", bytes(await part.read(decode=True)), mimetype))
            elif isinstance(part, BodyPartReader):
                fields[part.name or ""] = await part.text()
        place = (fields.get("person", ""), fields.get("channel", ""))
        try:
            if not place[1]:
                return web.json_response({"ok": True, "files": talk.keep(self._slack, place[0], uploads)})
            ts = talk.share(self._slack, *place, uploads, fields.get("text", ""), fields.get("thread_ts") or None)
        except ActError as error:
            return _refused(str(error))
        return web.json_response({"ok": True, "ts": ts})

    async def inspect(self, request: web.Request) -> web.Response:
        """GET /ui/inspect: the draft as it is, by the callable that the composition root gave."""
        query = request.query
        place = (query.get("person", ""), query.get("channel", ""), query.get("thread_ts") or None)
        found = await self._inspect(*place) if self._inspect else None
        return web.json_response(found or {"draft": None})

    async def _say(self, body: Json) -> Json:
        ts = await talk.say(self._slack, *_place(body), _text(body, "text"), body.get("thread_ts") or None)
        return {"ok": True, "ts": ts}

    async def _edit(self, body: Json) -> None:
        talk.edit(self._slack, *_place(body), _text(body, "ts"), _text(body, "text"))

    async def _delete(self, body: Json) -> None:
        talk.delete(self._slack, *_place(body), _text(body, "ts"))

    async def _click(self, body: Json) -> None:
        original = body.get("message") if body.get("stale") else None
        told = (_text(body, "person"), _part(body, "container"), _part(body, "action"))
        await screen.click(self._slack, *told, state=body.get("state"), original=original)

    async def _options(self, body: Json) -> Json:
        asked = (_text(body, "block_id"), _text(body, "action_id"), str(body.get("value") or ""))
        return await screen.options(self._slack, _text(body, "person"), _part(body, "container"), *asked)

    async def _submit(self, body: Json) -> Json:
        state = _part(body, "state")
        told = (_text(body, "person"), _text(body, "view_id"), state.get("values", state))
        return await screen.submit(self._slack, *told)

    async def _close(self, body: Json) -> None:
        await screen.close(self._slack, _text(body, "person"), _text(body, "view_id"))

    async def _home(self, body: Json) -> None:
        talk.open_home(self._slack, _text(body, "person"), _text(body, "tab"))

    async def _command(self, body: Json) -> None:
        await talk.command(self._slack, *_place(body), _text(body, "command"), str(body.get("text") or ""))

    async def _knobs(self, body: Json) -> Json:
        given = dict(body)
        reason = given.pop("disconnect", None)
        self._slack.knobs.turn(given)
        self._slack.changes.publish("knobs", knobs=self._slack.knobs.as_json())
        if reason:
            await self._sockets.disconnect(str(reason))
        return {"ok": True, "knobs": self._slack.knobs.as_json()}


def snapshot(slack: Slack, *, connected: int) -> Json:
    """Everything that the page shows."""
    workspace = slack.workspace
    return {
        "team": {"id": workspace.team.id, "name": workspace.team.name},
        "bot": {"user_id": workspace.bot.user_id, "name": workspace.bot.name},
        "people": [
            {
                "id": person.id,
                "name": person.name,
                "real_name": person.real_name,
                "title": person.title,
                "tz": person.tz,
                "dm": workspace.dms[person.id],
            }
            for person in workspace.people.values()
        ],
        "channels": [_channel(channel) for channel in workspace.channels.values()],
        "messages": {
            channel.id: [shapes.for_page(message) for message in channel.messages.values()]
            for channel in workspace.channels.values()
        },
        "ephemerals": {
            person: [{"channel": message.channel, "message": shapes.for_page(message)} for message in kept]
            for person, kept in workspace.ephemerals.items()
        },
        "homes": {
            person: workspace.homes[person].body if person in workspace.homes else None for person in workspace.people
        },
        "modals": {person: [view.body for view in workspace.modals.get(person, [])] for person in workspace.people},
        "status": workspace.status,
        "prompts": workspace.prompts,
        "knobs": slack.knobs.as_json(),
        "connected": connected,
        "commands": list(slack.commands),
    }


def _channel(channel: Channel) -> Json:
    kind = "dm" if channel.kind == "dm" else "channel"
    return {"id": channel.id, "name": channel.name, "kind": kind, "members": channel.members}


def _refused(sentence: str, status: int = REFUSED) -> web.Response:
    return web.json_response({"error": sentence}, status=status)


def _object(body: str) -> Json:
    try:
        parsed = json.loads(body)
    except ValueError:
        parsed = None
    if not isinstance(parsed, dict):
        raise ActError("The page sent something that is not a JSON object.")
    return parsed


def _text(body: Json, name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not value:
        raise ActError(f"The page left out {name}.")
    return value


def _part(body: Json, name: str) -> Json:
    value = body.get(name)
    if not isinstance(value, dict):
        raise ActError(f"The page left out {name}.")
    return value


def _place(body: Json) -> tuple[str, str]:
    return _text(body, "person"), _text(body, "channel")
