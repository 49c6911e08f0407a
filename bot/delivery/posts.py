"""Posts, repaints and whispers through Slack's Web API. What may have been posted before is looked for before it is sent again."""

import asyncio
import base64
import json
from collections import OrderedDict
from collections.abc import Awaitable, Mapping
from datetime import datetime
from typing import Any
from weakref import WeakValueDictionary

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from blocks.text import cut, one_line
from bot.clients import ClientFor
from bot.delivery.budget import DELETE, FILES, HISTORY, POST, REPLIES, UPDATE, WHISPER, Budget, Later
from bot.delivery.replies import Replies
from bot.keys import place
from bot.logs.problems import slack_answer
from state.stores.protocol import InboxRow, OutboxRow, Posted, Store

log = structlog.get_logger("holdfast.posting")

MARK = "holdfast_post"
"""Type of the message metadata that carries the outbox key."""
HOPELESS = frozenset({
    "channel_not_found", "not_in_channel", "is_archived", "account_inactive", "invalid_auth", "not_authed", "token_revoked",
    "missing_scope", "user_not_in_channel", "user_not_found", "restricted_action", "cannot_dm_bot", "messages_tab_disabled",
    "invalid_blocks", "invalid_blocks_format", "msg_too_long", "msg_blocks_too_long", "no_text", "invalid_arguments",
})  # fmt: skip
"""Errors that another try cannot mend."""
GONE = frozenset({"message_not_found", "cant_update_message", "edit_window_closed", "channel_not_found", "is_archived"})
KEPT = 5000
"""Cards whose place is remembered: a card is repainted soon after it was posted, or never."""
LOOK_BACK, ALT = 30, 1000
"""Messages searched for one that may have been delivered; characters of what a picture is told as."""
BEHIND = 1.0
"""Seconds after which paint looks again whether what it waits for is posted by now, where another process posts it."""


class Unclear(Exception):
    """Slack did not answer: the post may stand there or not."""


class Poster:
    """`client_for` gives the Web API client of a team."""

    def __init__(self, store: Store, client_for: ClientFor, budget: Budget) -> None:
        self._store, self._client_for, self._budget, self._replies = store, client_for, budget, Replies()
        self._posted: OrderedDict[str, Posted] = OrderedDict()
        self._painted: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._painting: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    def came(self, incoming: InboxRow) -> None:
        """A click brings a way to replace the message that it was on."""
        event, url = incoming.body.get("event") or {}, str(incoming.body.get("response_url") or "")
        if url and event.get("message"):
            message = (place(incoming.conversation).channel, str(event["message"]))
            self._replies.came(message, url, datetime.fromisoformat(event["at"]))

    async def post(self, row: OutboxRow) -> Posted | None:
        """Post a card's message; a message that carries this row's key already is taken as it stands.

        `into`: the card takes over the message of another one, if that is still there. Slack does not say when it came to be seen: at some
        time between the call and its answer. A question for words counts from the call, any other from the answer, since what was typed
        between may have been meant for the question before.
        """
        body, client = row.body, await self._client_for(str(row.body["team"]))
        into = str(body.get("into") or "")
        before = await self._stands(into) if into else None
        there, sent = (
            before is not None and not row.fresh and await self._shows(client, row, before),
            await self._store.now(),
        )
        if before is not None and (there or await self._paint(client, row, before)):
            since = row.due_at if there and row.due_at else sent if body.get("in_words") else await self._store.now()
            return self._remember(
                Posted(str(body["card"]), before.channel, before.ts, f"{since.timestamp():.6f}", into)
            )
        ts = "" if row.fresh else await self._delivered(client, row)
        if not ts:
            ts = await self._send(client, row)
        return self._remember(Posted(str(body["card"]), str(body["channel"]), ts)) if ts and body["card"] else None

    async def repaint(self, row: OutboxRow) -> None:
        """Paint a card's message anew, or take it away where it has nothing to say; one that is gone needs no paint.

        Raises Later while posts that were written before it are still to come, its own message's among them.
        """
        behind = str(row.body.get("behind") or "")
        if behind and await self._store.behind(behind, row.id):
            raise Later(BEHIND, behind)
        posted = await self._stands(str(row.body["card"]))
        if posted is not None:
            await self._paint(await self._client_for(_team(row)), row, posted)

    async def attach(self, row: OutboxRow) -> None:
        """Share a file, with those `beside` it in one message.

        After an unclear outcome, a file of the same name and size that stands there already counts as the first one.
        """
        body, client = row.body, await self._client_for(str(row.body["team"]))
        uploads = [_upload(file) for file in (body, *body.get("beside", ()))]
        if not row.fresh and await self._shared(client, row, len(uploads[0]["content"])):
            return
        self._budget.spend(_team(row), FILES, row.key)
        sent = client.files_upload_v2(
            channel=str(body["channel"]),
            thread_ts=str(body["thread"]) or None,
            initial_comment=str(body["comment"]) or None,
            file_uploads=uploads,
        )
        await _unless(HOPELESS, row, sent)

    async def whisper(self, row: OutboxRow) -> None:
        """A note that one person sees; repeated, it does no harm."""
        body, client = row.body, await self._client_for(str(row.body["team"]))
        thread = {"thread_ts": body["thread"]} if body["thread"] else {}
        self._budget.spend(_team(row), WHISPER, row.key)
        note = client.chat_postEphemeral(channel=body["channel"], user=body["user"], text=body["text"], **thread)
        await _unless(HOPELESS, row, note)

    def forget(self) -> None:
        """Remember nothing."""
        self._posted.clear()
        self._replies.forget()

    async def _stands(self, card: str) -> Posted | None:
        posted = self._posted.get(card) or await self._store.posted(card)
        return None if posted is None or posted.gone else posted

    def _remember(self, posted: Posted) -> Posted:
        self._posted.pop(posted.over, None)
        self._posted[posted.card] = posted
        _trim(self._posted)
        return posted

    async def _paint(self, client: AsyncWebClient, row: OutboxRow, posted: Posted) -> bool:
        """Paint a message, unless a newer row has; one paint of a message at a time. False: the message is gone."""
        message = (posted.channel, posted.ts)
        async with self._painting.setdefault(message, asyncio.Lock()):
            if self._painted.get(message, 0) > row.id:
                return True
            there = await self._replaced(client, row, message)
            self._painted[message] = row.id
            _trim(self._painted)
        return there

    async def _replaced(self, client: AsyncWebClient, row: OutboxRow, message: tuple[str, str]) -> bool:
        """Through the way that a click brought, else by chat.update; without blocks it is taken away."""
        shown = {"text": row.body["text"], "blocks": row.body["blocks"]}
        if not shown["blocks"]:
            return await self._taken_away(client, row, message)
        if await self._replies.replace(client, message, shown, await self._store.now()):
            return True
        if row.body.get("behind"):
            self._budget.spend_spare(_team(row), UPDATE, row.key)
        else:
            self._budget.spend(_team(row), UPDATE, row.key)
        change = client.chat_update(channel=message[0], ts=message[1], **shown)
        return await _unless(GONE, row, change) is not None

    async def _taken_away(self, client: AsyncWebClient, row: OutboxRow, message: tuple[str, str]) -> bool:
        self._budget.spend_spare(_team(row), DELETE, row.key)
        return await _unless(GONE, row, client.chat_delete(channel=message[0], ts=message[1])) is not None

    async def _send(self, client: AsyncWebClient, row: OutboxRow) -> str:
        body = row.body
        thread = {"thread_ts": body["thread"]} if body["thread"] else {}
        self._budget.spend(_team(row), POST, row.key, str(body["channel"]))
        answer = await _unless(
            HOPELESS,
            row,
            client.chat_postMessage(
                channel=body["channel"],
                text=body["text"],
                blocks=body["blocks"],
                unfurl_links=False,
                unfurl_media=False,
                metadata={"event_type": MARK, "event_payload": {"key": row.key}},
                **thread,
            ),
        )
        return str(answer["ts"]) if answer else ""

    async def _shows(self, client: AsyncWebClient, row: OutboxRow, posted: Posted) -> bool:
        """Whether the message shows the row's card already: whoever painted it died before that was written down."""
        card = str(row.body["card"])
        found = (m for m in await self._newest(client, row) if m.get("ts") == posted.ts)
        return any(card in json.dumps(message.get("blocks") or []) for message in found)

    async def _delivered(self, client: AsyncWebClient, row: OutboxRow) -> str:
        """The timestamp of a message that carries this row's key."""
        for message in await self._newest(client, row):
            if message.get("metadata", {}).get("event_payload", {}).get("key") == row.key:
                return str(message["ts"])
        return ""

    async def _shared(self, client: AsyncWebClient, row: OutboxRow, size: int) -> bool:
        """Whether the file stands in the conversation: files carry no metadata of ours."""
        files = (file for message in await self._newest(client, row) for file in message.get("files") or ())
        return any(file.get("name") == row.body["name"] and file.get("size") == size for file in files)

    async def _newest(self, client: AsyncWebClient, row: OutboxRow) -> list[dict[str, Any]]:
        body: dict[str, Any] = row.body
        self._budget.spend(_team(row), REPLIES if body["thread"] else HISTORY, f"{row.key}/looked")
        ask = {"channel": body["channel"], "limit": LOOK_BACK, "include_all_metadata": True}
        call = (
            client.conversations_replies(ts=body["thread"], **ask)
            if body["thread"]
            else client.conversations_history(**ask)
        )
        answer = await _unless(HOPELESS, row, call)
        return list(answer["messages"]) if answer else []


def _team(row: OutboxRow) -> str:
    return row.person.partition(":")[0]


def _trim(kept: OrderedDict[Any, Any]) -> None:
    while len(kept) > KEPT:
        kept.popitem(last=False)


def _upload(file: Mapping[str, Any]) -> dict[str, Any]:
    """A file as the SDK wants it: its bytes from base64 (`data`), or from its text."""
    content = base64.b64decode(file["data"]) if file["data"] else str(file["text"]).encode()
    about = cut(one_line(str(file.get("alt") or file["title"])), ALT)
    return {"content": content, "filename": str(file["name"]), "title": str(file["title"]), "alt_txt": about}


async def _unless(hopeless: frozenset[str], row: OutboxRow, call: Awaitable[Any]) -> Any:
    """The answer, or None after an error that another try cannot mend; the log keeps Slack's word for it."""
    try:
        return await call
    except SlackApiError as problem:
        error, status = slack_answer(problem)
        if error not in hopeless:
            raise
        log.warning("slack_refused", code=error, status=status, kind=row.kind, row=row.id)
        return None
    except (TimeoutError, aiohttp.ClientError) as problem:
        raise Unclear(type(problem).__name__) from None
