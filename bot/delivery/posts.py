"""Posts, repaints and whispers through Slack's Web API. What may have been posted before is looked for before it is sent again."""

import base64
from collections import OrderedDict
from collections.abc import Awaitable, Mapping
from typing import Any

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.clients import ClientFor
from state.stores.protocol import OutboxRow, Posted, Store

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
LOOK_BACK = 30
"""Messages searched for one that may have been delivered."""


class Unclear(Exception):
    """Slack did not answer: the post may stand there or not."""


class Poster:
    """`client_for` gives the Web API client of a team."""

    def __init__(self, store: Store, client_for: ClientFor) -> None:
        self._store, self._client_for = store, client_for
        self._posted: OrderedDict[str, Posted] = OrderedDict()

    async def post(self, row: OutboxRow) -> Posted | None:
        """Post a card's message; a message that carries this row's key already is taken as it stands."""
        body, client = row.body, await self._client_for(str(row.body["team"]))
        ts = "" if row.fresh else await self._delivered(client, row)
        if not ts:
            ts = await self._send(client, row)
        return self._remember(Posted(str(body["card"]), str(body["channel"]), ts)) if ts and body["card"] else None

    async def repaint(self, row: OutboxRow) -> None:
        """Paint a card's message anew; one that was never posted or is gone needs no paint."""
        card = str(row.body["card"])
        posted = self._posted.get(card) or await self._store.posted(card)
        if posted is None:
            return
        client = await self._client_for(row.person.partition(":")[0])
        change = {"channel": posted.channel, "ts": posted.ts, "text": row.body["text"], "blocks": row.body["blocks"]}
        await _unless(GONE, row, client.chat_update(**change))

    async def attach(self, row: OutboxRow) -> None:
        """Share a file, with those `beside` it in one message.

        After an unclear outcome, a file of the same name and size that stands there already counts as the first one.
        """
        body, client = row.body, await self._client_for(str(row.body["team"]))
        uploads = [_upload(file) for file in (body, *body.get("beside", ()))]
        if not row.fresh and await self._shared(client, row, len(uploads[0]["content"])):
            return
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
        note = client.chat_postEphemeral(channel=body["channel"], user=body["user"], text=body["text"], **thread)
        await _unless(HOPELESS, row, note)

    def forget(self) -> None:
        """Remember nothing."""
        self._posted.clear()

    def _remember(self, posted: Posted) -> Posted:
        self._posted[posted.card] = posted
        while len(self._posted) > KEPT:
            self._posted.popitem(last=False)
        return posted

    async def _send(self, client: AsyncWebClient, row: OutboxRow) -> str:
        body = row.body
        thread = {"thread_ts": body["thread"]} if body["thread"] else {}
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
        ask = {"channel": body["channel"], "limit": LOOK_BACK, "include_all_metadata": True}
        call = (
            client.conversations_replies(ts=body["thread"], **ask)
            if body["thread"]
            else client.conversations_history(**ask)
        )
        answer = await _unless(HOPELESS, row, call)
        return list(answer["messages"]) if answer else []


def _upload(file: Mapping[str, Any]) -> dict[str, Any]:
    """A file as the SDK wants it: its bytes from base64 (`data`), or from its text."""
    content = base64.b64decode(file["data"]) if file["data"] else str(file["text"]).encode()
    return {"content": content, "filename": str(file["name"]), "title": str(file["title"])}


async def _unless(hopeless: frozenset[str], row: OutboxRow, call: Awaitable[Any]) -> Any:
    """The answer, or None after an error that another try cannot mend; the log keeps Slack's word for it."""
    try:
        return await call
    except SlackApiError as problem:
        error = str(problem.response.get("error", ""))
        if error not in hopeless:
            raise
        log.warning("slack_refused", error=error, kind=row.kind, key=row.key)
        return None
    except (TimeoutError, aiohttp.ClientError) as problem:
        raise Unclear(type(problem).__name__) from None
