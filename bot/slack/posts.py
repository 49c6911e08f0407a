"""Posts, repaints and whispers through Slack's Web API. What may have been posted before is looked for before it is sent again."""

import asyncio
import base64
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from weakref import WeakValueDictionary

import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from blocks.text import cut, one_line
from bot.slack.client import DELETE, FILES, HISTORY, POST, REPLIES, UPDATE, WHISPER, Budget, ClientFor, SlackClient
from bot.slack.errors import Later, Scope, Undelivered, Unreadable, code_of, fault_of
from bot.slack.places import place
from bot.slack.replies import Replies, SlackTime, Unheard
from state.stores.proof import Shown
from state.stores.rows import InboxRow, OutboxRow, Posted
from state.stores.store import Store

log = structlog.get_logger("holdfast.posting")

MARK = "holdfast_post"
"""Type of the message metadata that carries the outbox key."""
GONE = frozenset({"message_not_found", "cant_update_message", "cant_delete_message", "edit_window_closed"})
"""Where a message is no more, or is none of ours to change."""
KEPT = 5000
"""Cards whose place is remembered: a card is repainted soon after it was posted, or never."""
RECONCILE, LATE = "reconcile", ("post", "repaint", "answer")
"""The kind of rows that put right what was sent too late, and the kinds that are put right."""
LOOK_BACK, IN_THREAD, ALT = 200, 999, 1000
"""Messages searched for one that may have been delivered, in a thread from its beginning; characters of what a picture is told as."""
MARGIN = timedelta(hours=1)
"""How far the database's clock may be ahead of Slack's."""
SILENT = 2.0
"""Seconds after which a post that Slack has not answered is looked for, while the answer is still waited for."""
LATER = timedelta(seconds=45)
"""After a second try, until it is looked whether the first one came yet."""
Headers = Mapping[str, Any]
PERSON = ("U", "W")
"""The first letter of people's ids, where others name a channel."""
PAINTED = ("new", "unclear", "done")
"""What a row may be whose paint is, or soon will be, on screen."""
ANSWER, NEVER = 15.0, "9999999999.999999"
"""Seconds that Slack's answer is waited for before words are read; and when a card of which it does not come is surely on screen."""
BEHIND, SELDOM, SOON = 1.0, 60.0, 0.5
"""Seconds after which paint looks again whether what it waits for is posted by now, where another process posts it: at first, and at last."""


class Poster:
    """`client_for` gives the Web API client of a team."""

    def __init__(self, store: Store, client_for: ClientFor, budget: Budget) -> None:
        self._store, self._client_for, self._budget, self._replies = store, client_for, budget, Replies()
        self._time = SlackTime(asyncio.get_running_loop().time)
        self._posted: OrderedDict[str, Posted] = OrderedDict()
        self._sent: OrderedDict[str, tuple[asyncio.Event, str]] = OrderedDict()
        self._painted: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._painting: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()
        self._unheard: set[int] = set()

    def came(self, incoming: InboxRow) -> None:
        """A click brings Slack's time, and a way to replace the message that it was on."""
        event, url = incoming.body.get("event") or {}, str(incoming.body.get("response_url") or "")
        if event.get("clicked_at"):
            self._time.heard(str(event["clicked_at"]))
        if url and event.get("message"):
            message = (place(incoming.conversation).channel, str(event["message"]))
            self._replies.came(message, url, datetime.fromisoformat(event["at"]))

    async def placed(self, card: str) -> Posted | None:
        """Return a card's place, as far as this process knows it; wait for Slack's answer to what is under way.

        What had no answer here may have been sent anew by another process, which has written down where it stands.
        """
        end = self._time.clock() + ANSWER
        while card in self._sent and self._time.clock() < end:
            answered, before = self._sent[card]
            with suppress(TimeoutError):
                async with asyncio.timeout(SOON):
                    await answered.wait()
            there = await self._store.posted(card) if card in self._sent else None
            if there is not None and there.surely > before:
                self._sent.pop(card, None)
                answered.set()
                return self._remember(there)
        return Posted(card, "", "", f"0 {NEVER}") if card in self._sent else self._posted.get(card)

    @contextmanager
    def _sending(self, card: str, before: str = "") -> Iterator[None]:
        """While Slack has not answered, and after an answer that tells nothing, the card may be on screen, anew since `before`.

        A later try that fails for certain tells nothing of an earlier one.
        """
        unclear = card in self._sent
        answered, _ = self._sent[card] = self._sent.get(card) or (asyncio.Event(), before)
        _trim(self._sent)
        clear = False
        try:
            yield
            clear = True
        except Exception as problem:
            fault = fault_of(problem)
            clear = not unclear and (fault is None or not fault.sent)
            raise
        finally:
            if clear:
                self._sent.pop(card, None)
                answered.set()

    async def post(self, row: OutboxRow) -> Posted | None:
        """Post a card's message; a message that carries this row's key already is taken as it is.

        A card for a person goes into their direct message. `into`: the card takes over the message of another one, if that is still there.
        """
        body, card, into = row.body, str(row.body["card"]), str(row.body.get("into") or "")
        with self._sending(card):
            client = await self._client_for(str(body["team"]))
            row = await _opened(client, row)
            body = row.body
            before = await self._place_of(into) if into else None
            if before is not None:
                there = "" if row.fresh else await self._shows(client, row, before)
                shown = there or await self._paint(client, row, before)
                if shown is not None:
                    if body.get("after") and shown:  # what was typed since that click may be meant for what it brought
                        shown = f"{body['after']} {shown.rpartition(' ')[2]}"
                    return self._remember(Posted(card, before.channel, before.ts, shown, into))
            ts = "" if row.fresh else await self._delivered(client, row)
            ts = ts or await self._send(client, row)
            return self._remember(Posted(card, str(body["channel"]), ts)) if ts and card else None

    async def repaint(self, row: OutboxRow) -> Posted | None:
        """Paint a card's message anew, or take it away where it has nothing to say; one that is gone needs no paint.

        What is no mere paint moves what can be clicked, which is on screen from then on.

        Raises Later while posts that were written before it are still to come, its own message's among them.
        """
        behind = str(row.body.get("behind") or "")
        if behind and await self._store.behind(behind, row.id):
            waited = (await self._store.now() - row.wanted_at).total_seconds() if row.wanted_at else 0.0
            raise Later(min(SELDOM, max(BEHIND, waited / 10)), behind)
        posted = await self._place_of(str(row.body["card"]))
        if posted is None:
            return None
        with nullcontext() if behind else self._sending(posted.card, posted.surely):
            shown = await self._paint(await self._client_for(team_of(row)), row, posted)
        return self._remember(replace(posted, shown=shown)) if shown and not behind else None

    async def attach(self, row: OutboxRow) -> None:
        """Share a file, with those `beside` it in one message.

        After an unclear outcome, a file of the same name and size that is there already counts as the first one.
        """
        body, client = row.body, await self._client_for(str(row.body["team"]))
        uploads = [_upload(file) for file in (body, *body.get("beside", ()))]
        if not row.fresh and await self._shared(client, row, len(uploads[0]["content"])):
            return
        self._budget.spend(team_of(row), FILES, row.key)
        row.still()
        await client.files_upload_v2(
            channel=str(body["channel"]),
            thread_ts=str(body["thread"]) or None,
            initial_comment=str(body["comment"]) or None,
            file_uploads=uploads,
        )

    def attached(
        self, make: Callable[[OutboxRow], Awaitable[OutboxRow | None]]
    ) -> Callable[[OutboxRow], Awaitable[None]]:
        """Return what makes a row's file when it is due and shares it; nothing is shared where nothing was made."""

        async def attach(row: OutboxRow) -> None:
            made = await make(row)
            if made is not None:
                await self.attach(made)

        return attach

    async def whisper(self, row: OutboxRow) -> None:
        """A note that one person sees, and no look at the conversation ever shows."""
        if not row.fresh:
            raise Unreadable("unclear", looks=False)
        body, client = row.body, await self._client_for(str(row.body["team"]))
        thread = {"thread_ts": body["thread"]} if body["thread"] else {}
        self._budget.spend(team_of(row), WHISPER, row.key)
        row.still()
        await client.chat_postEphemeral(channel=body["channel"], user=body["user"], text=body["text"], **thread)

    def late(self, row: OutboxRow, name: str) -> OutboxRow | None:
        """Return the row that puts right what was sent of this one after its lane had another holder; None where nothing can be.

        It is performed behind what the other did, which is what counts. `name` tells it from those of further processes.
        """
        self._posted.pop(str(row.body.get("card") or ""), None)
        return _righting(row, name)

    async def later(self, row: OutboxRow) -> OutboxRow | None:
        """Return the row that has the same done in a while, where nobody knows of an earlier try: it may come yet, over what is newer.

        Mere paint has none unless Slack left it unanswered: one that has waited its turn looks like one that was begun.
        """
        unheard = row.id in self._unheard
        self._unheard.discard(row.id)
        begun = row.kind in LATE and not (row.fresh or row.body.get("behind"))
        right = _righting(row, "later") if begun or unheard else None
        if right is None:
            return None
        due = await self._store.now() + LATER
        return replace(right, lane=f"slack:{right.key}", body={**right.body, "lane": row.lane}, due_at=due)

    async def reconcile(self, row: OutboxRow) -> None:
        """Take away what was posted late, and paint a message as it should be where an older paint may have come over a newer one.

        What was put off is put out behind what is in its lane by now.
        """
        if lane := row.body.get("lane"):
            body = {part: said for part, said in row.body.items() if part != "lane"}
            await self._store.reconcile(OutboxRow(f"{row.key}/due", str(lane), RECONCILE, row.person, body))
            return
        body, client, place = row.body, await self._client_for(team_of(row)), None
        for card in (str(body[part]) for part in ("card", "into") if body.get(part)):
            place = place or await self._store.posted(card)
        if "channel" in body:
            row = await _opened(client, row)
            with suppress(Unreadable):
                found = await self._marked(client, row, str(body["late"]))
                for ts in found:
                    if ts != (place.ts if place else found[-1]):
                        self._budget.spend(team_of(row), DELETE, row.key)
                        row.still()
                        await _there(client.chat_delete(channel=row.body["channel"], ts=ts))
        if place and ("channel" not in body or body.get("into")):
            for shown in reversed(await self._store.shown(str(body["draft"]))):
                if shown.kind in LATE and await self._is_of(shown, place):
                    newest = {name: shown.body[name] for name in ("text", "blocks")}
                    await self._paint(client, replace(row, body=newest), place)
                    return

    async def _is_of(self, shown: Shown, message: Posted) -> bool:
        """Return True if something was, or will be, painted on a message: nothing of a card that another one has taken over."""
        there = await self._store.posted(str(shown.body["card"])) if shown.status in PAINTED else None
        return there is not None and not there.gone and (there.channel, there.ts) == (message.channel, message.ts)

    def forget(self) -> None:
        """Remember nothing."""
        self._posted.clear()
        self._sent.clear()
        self._replies.forget()

    async def _place_of(self, card: str) -> Posted | None:
        """Return where a card's message is; where other processes post too, one of them may have taken it over since it was posted here."""
        known = self._posted.get(card)
        there = await self._store.posted(card) if known is None or self._store.shared else None
        posted = there or known
        return None if posted is None or posted.gone else posted

    def _remember(self, posted: Posted) -> Posted:
        self._posted.pop(posted.over, None)
        self._posted[posted.card] = posted
        _trim(self._posted)
        return posted

    async def _paint(self, client: SlackClient, row: OutboxRow, posted: Posted) -> str | None:
        """Paint a message, unless a newer row has; one paint of a message at a time. Gives when it was; None: the message is gone."""
        message = (posted.channel, posted.ts)
        async with self._painting.setdefault(message, asyncio.Lock()):
            if self._painted.get(message, 0) > row.id:
                return ""
            sent = self._time.clock()
            headers = await self._replaced(client, row, message)
            self._painted[message] = row.id
            _trim(self._painted)
        return None if headers is None else self._time.shown(sent, headers)

    async def _replaced(self, client: SlackClient, row: OutboxRow, message: tuple[str, str]) -> Headers | None:
        """Through the way that a click brought, else by chat.update; without blocks it is taken away. Gives the answer's headers."""
        (channel, ts), shown = message, {"text": row.body["text"], "blocks": row.body["blocks"]}
        if not shown["blocks"]:
            self._budget.spend_spare(team_of(row), DELETE, row.key)
            row.still()
            return await _there(client.chat_delete(channel=channel, ts=ts))
        now = await self._store.now()
        row.still()
        try:
            headers = await self._replies.replace(client, message, shown, now)
        except Unheard:
            headers = None
            self._unheard.add(row.id)
        if headers is not None:
            return headers
        spend = self._budget.spend_spare if row.body.get("behind") else self._budget.spend
        spend(team_of(row), UPDATE, row.key)
        row.still()
        return await _there(client.chat_update(channel=channel, ts=ts, **shown))

    async def _send(self, client: SlackClient, row: OutboxRow) -> str:
        body = row.body
        thread = {"thread_ts": body["thread"]} if body["thread"] else {}
        self._budget.spend(team_of(row), POST, row.key, str(body["channel"]))
        row.still()
        sent = self._time.clock()
        mark = {"event_type": MARK, "event_payload": {"key": row.key}}
        shown = {name: body[name] for name in ("channel", "text", "blocks")}
        call = asyncio.ensure_future(
            client.chat_postMessage(unfurl_links=False, unfurl_media=False, metadata=mark, **shown, **thread)
        )
        try:
            if not (await asyncio.wait([call], timeout=SILENT))[0]:
                with suppress(Exception):  # whatever a look comes to, the answer is still waited for
                    if ts := await self._delivered(client, row):
                        return ts
            answer = await call
        finally:
            call.cancel()
        self._time.posted(sent, str(answer["ts"]))
        return str(answer["ts"])

    async def _shows(self, client: SlackClient, row: OutboxRow, posted: Posted) -> str:
        """Return when the message showed the row's card, if it does already: whoever painted it died before that was written down.

        That was at some time before the look.
        """
        card, sent = str(row.body["card"]), self._time.clock()
        try:
            answer = await self._newest(client, row)
        except Unreadable:
            return ""  # painted twice is painted once
        found = (m for m in answer["messages"] if m.get("ts") == posted.ts)
        there = any(card in json.dumps(message.get("blocks") or []) for message in found)
        return f"{posted.not_before} {self._time.shown(sent, answer.headers).rpartition(' ')[2]}" if there else ""

    async def _delivered(self, client: SlackClient, row: OutboxRow) -> str:
        """Return the timestamp of a message that carries this row's key."""
        return next(iter(await self._marked(client, row, row.key)), "")

    async def _marked(self, client: SlackClient, row: OutboxRow, key: str) -> list[str]:
        """Return the timestamps of messages that carry a row's key, the newest first."""
        newest = sorted((await self._newest(client, row))["messages"], key=lambda m: float(m["ts"]), reverse=True)
        return [str(m["ts"]) for m in newest if m.get("metadata", {}).get("event_payload", {}).get("key") == key]

    async def _shared(self, client: SlackClient, row: OutboxRow, size: int) -> bool:
        """Return True if the file is in the conversation: files carry no metadata of ours."""
        newest = (await self._newest(client, row))["messages"]
        files = (file for message in newest for file in message.get("files") or ())
        return any(file.get("name") == row.body["name"] and file.get("size") == size for file in files)

    async def _newest(self, client: SlackClient, row: OutboxRow) -> AsyncSlackResponse:
        """Return what was said there since the row was written. Raises Unreadable where Slack does not show it, Later where it does not answer."""
        body: dict[str, Any] = row.body
        self._budget.spend(team_of(row), REPLIES if body["thread"] else HISTORY, f"{row.key}/looked")
        since = {"oldest": f"{(row.wanted_at - MARGIN).timestamp():.6f}"} if row.wanted_at else {}
        ask = {"channel": body["channel"], "include_all_metadata": True, **since}
        try:
            if body["thread"]:
                return await client.conversations_replies(ts=body["thread"], limit=IN_THREAD, **ask)
            return await client.conversations_history(limit=LOOK_BACK, **ask)
        except Exception as problem:
            raise _unread(client, problem) from None


def _unread(client: SlackClient, problem: Exception) -> Exception:
    """Return what to raise where a look failed: nothing was sent by it, whatever Slack has made of it."""
    fault = fault_of(problem)
    if fault is None or fault.scope is Scope.LIMITED:
        return problem
    if fault.scope is Scope.OUTAGE:
        return Later(max(client.reach.seconds, SOON))
    return Undelivered(replace(fault, sent=True)) if fault.scope is Scope.WORKSPACE else Unreadable(fault.code)


async def _opened(client: SlackClient, row: OutboxRow) -> OutboxRow:
    """Return a row for a person as one for their direct message."""
    if str(row.body["channel"])[:1] not in PERSON:
        return row
    opened = await client.conversations_open(users=str(row.body["channel"]))
    return replace(row, body={**row.body, "channel": str(opened["channel"]["id"])})


def team_of(row: OutboxRow) -> str:
    """Return the workspace that a row is for."""
    return row.person.partition(":")[0]


def _trim(kept: OrderedDict[Any, Any]) -> None:
    while len(kept) > KEPT:
        kept.popitem(last=False)


def _righting(row: OutboxRow, name: str) -> OutboxRow | None:
    if row.kind not in (*LATE, RECONCILE) or (row.kind == "answer" and not row.body["direct"]):
        return None
    parts = ("team", "channel", "thread", "card", "into")
    about = {part: row.body[part] for part in parts if part in row.body} | {"late": row.key, "draft": row.of}
    body = row.body if row.kind == RECONCILE else about  # it paints too, perhaps over another's newer paint
    return OutboxRow(f"{row.key}/{name}", row.lane, RECONCILE, row.person, body)


def _upload(file: Mapping[str, Any]) -> dict[str, Any]:
    """Return a file as the SDK wants it: its bytes from base64 (`data`), or from its text."""
    content = base64.b64decode(file["data"]) if file["data"] else str(file["text"]).encode()
    about = cut(one_line(str(file.get("alt") or file["title"])), ALT)
    return {"content": content, "filename": str(file["name"]), "title": str(file["title"]), "alt_txt": about}


async def _there(call: Awaitable[AsyncSlackResponse]) -> Headers | None:
    """Return the headers of the answer; None where there was nothing left to change."""
    try:
        return (await call).headers
    except SlackApiError as refusal:
        if code_of(refusal) not in GONE:
            raise
        log.info("gone", error=code_of(refusal))
        return None
