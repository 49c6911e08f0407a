"""Views in the sandbox: triggers, hashes, external ids, stacks, and answers through a response_url."""

from collections.abc import AsyncIterator

import pytest
from aiohttp import ClientSession
from slack_clock import Hand, on_clock
from slack_errors import error_of
from slack_screens import HOME, asking
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import Json

MODAL = {"type": "modal", "title": {"type": "plain_text", "text": "Title"}, "blocks": [{"type": "divider"}]}


@pytest.fixture
async def sandbox(hand: Hand) -> AsyncIterator[Sandbox]:
    """A sandbox on our clock."""
    async for running in on_clock(hand):
        yield running


def trigger(sandbox: Sandbox) -> str:
    """A fresh trigger id for Alex."""
    return sandbox.slack.tickets.trigger("U0ALEX")


async def test_a_trigger_lives_three_seconds(client: AsyncWebClient, sandbox: Sandbox, hand: Hand) -> None:
    """A trigger id opens a modal within three seconds and not after."""
    early, late = trigger(sandbox), trigger(sandbox)
    hand.now += 3
    assert (await client.views_open(trigger_id=early, view=MODAL))["ok"]
    hand.now += 0.1
    assert await error_of(client.views_open(trigger_id=late, view=MODAL)) == "expired_trigger_id"


async def test_an_invalid_view_does_not_spend_the_trigger(client: AsyncWebClient, sandbox: Sandbox) -> None:
    """A refused view leaves the trigger for a better one."""
    ticket = trigger(sandbox)
    assert await error_of(client.views_open(trigger_id=ticket, view={**MODAL, "blocks": []})) == "invalid_arguments"
    assert (await client.views_open(trigger_id=ticket, view=MODAL))["ok"]


async def test_at_most_three_modals_are_stacked(client: AsyncWebClient, sandbox: Sandbox, alex: Person) -> None:
    """Two modals can be pushed onto an open one; closing the top shows the one beneath."""
    assert await error_of(client.views_push(trigger_id=trigger(sandbox), view=MODAL)) == "not_found"
    first = (await client.views_open(trigger_id=trigger(sandbox), view=MODAL))["view"]
    second = (await client.views_push(trigger_id=trigger(sandbox), view=MODAL))["view"]
    third = (await client.views_push(trigger_id=trigger(sandbox), view=MODAL))["view"]
    assert (third["root_view_id"], third["previous_view_id"]) == (first["id"], second["id"])
    assert await error_of(client.views_push(trigger_id=trigger(sandbox), view=MODAL)) == "push_limit_reached"
    await alex.close()
    assert alex.modal["id"] == second["id"]


async def test_a_hash_guards_against_lost_updates(client: AsyncWebClient, sandbox: Sandbox) -> None:
    """A view changes with its present hash; an old hash is a conflict."""
    view = (await client.views_open(trigger_id=trigger(sandbox), view=MODAL))["view"]
    changed = (await client.views_update(view_id=view["id"], hash=view["hash"], view=MODAL))["view"]
    assert changed["hash"] != view["hash"]
    assert await error_of(client.views_update(view_id=view["id"], hash=view["hash"], view=MODAL)) == "hash_conflict"
    home = (await client.views_publish(user_id="U0ALEX", view=HOME))["view"]
    await client.views_publish(user_id="U0ALEX", view=HOME, hash=home["hash"])
    assert await error_of(client.views_publish(user_id="U0ALEX", view=HOME, hash=home["hash"])) == "hash_conflict"


async def test_an_external_id_names_one_view(client: AsyncWebClient, sandbox: Sandbox, alex: Person) -> None:
    """A view is found by its external id, which no other view may have at the same time."""
    named = {**MODAL, "external_id": "mine"}
    await client.views_open(trigger_id=trigger(sandbox), view=named)
    await client.views_update(external_id="mine", view={**named, "callback_id": "changed"})
    assert alex.modal["callback_id"] == "changed"
    assert await error_of(client.views_push(trigger_id=trigger(sandbox), view=named)) == "duplicate_external_id"
    assert await error_of(client.views_update(external_id="other", view=MODAL)) == "not_found"


async def test_what_is_typed_survives_an_update(client: AsyncWebClient, sandbox: Sandbox, alex: Person) -> None:
    """An input that keeps its ids keeps its text when the view changes around it."""
    (field,) = asking()["blocks"]
    view = {**MODAL, "submit": MODAL["title"], "blocks": [field]}
    opened = (await client.views_open(trigger_id=trigger(sandbox), view=view))["view"]
    sandbox.workspace.typing(opened["id"])["why"] = {"words": {"type": "plain_text_input", "value": "kept"}}
    await client.views_update(view_id=opened["id"], view={**view, "blocks": [field, {"type": "divider"}]})
    assert sandbox.workspace.typing(opened["id"])["why"]["words"]["value"] == "kept"
    await alex.close()
    assert opened["id"] not in sandbox.workspace.typed


def reply_url(sandbox: Sandbox, ts: str | None = None, *, ephemeral: bool = False) -> str:
    """A response_url, as a click on this message brings."""
    secret = sandbox.slack.tickets.reply("U0ALEX", "D0ALEX", message_ts=ts, ephemeral=ephemeral)
    return f"{sandbox.url}/response/T0HOLDFAST/{secret}"


async def test_a_response_url_is_good_for_thirty_minutes(sandbox: Sandbox, hand: Hand) -> None:
    """After half an hour a response_url has expired."""
    webhook = AsyncWebhookClient(reply_url(sandbox))
    hand.now += 30 * 60
    assert (await webhook.send(text="x")).body == "ok"
    hand.now += 1
    late = await webhook.send(text="x")
    assert (late.status_code, "expired_url" in late.body) == (404, True)


async def test_an_answer_may_be_seen_by_all(sandbox: Sandbox, alex: Person) -> None:
    """response_type in_channel posts a real message."""
    await AsyncWebhookClient(reply_url(sandbox)).send(text="all", response_type="in_channel")
    assert [message["text"] for message in alex.messages()] == ["all"]


async def test_an_answer_may_replace_or_delete_the_original(
    client: AsyncWebClient, sandbox: Sandbox, alex: Person
) -> None:
    """replace_original changes the clicked message in its place, delete_original takes it away."""
    ts = (await client.chat_postMessage(channel="D0ALEX", text="q"))["ts"]
    webhook = AsyncWebhookClient(reply_url(sandbox, ts))
    await webhook.send(text="done", replace_original=True)
    assert [(message["ts"], message["text"]) for message in alex.messages()] == [(ts, "done")]
    await webhook.send(delete_original=True)
    assert alex.messages() == []
    assert "message_not_found" in (await webhook.send(text="late", replace_original=True)).body
    assert alex.messages() == alex.ephemerals() == []


async def test_a_whisper_may_be_replaced_or_deleted(client: AsyncWebClient, sandbox: Sandbox, alex: Person) -> None:
    """Only a response_url reaches an ephemeral message again."""
    ts = (await client.chat_postEphemeral(channel="D0ALEX", user="U0ALEX", text="q"))["message_ts"]
    assert await error_of(client.chat_update(channel="D0ALEX", ts=ts, text="x")) == "message_not_found"
    webhook = AsyncWebhookClient(reply_url(sandbox, ts, ephemeral=True))
    await webhook.send(text="done", replace_original=True)
    assert [(message["ts"], message["text"]) for message in alex.ephemerals()] == [(ts, "done")]
    await webhook.send(delete_original=True)
    assert alex.ephemerals() == []


async def test_answers_are_held_to_the_limits(sandbox: Sandbox, browser: ClientSession) -> None:
    """A broken answer through a response_url is refused and recorded."""
    answer: Json = {"text": "x", "blocks": [{"type": "header"}]}
    async with browser.post(reply_url(sandbox), json=answer) as response:
        assert (await response.json())["error"] == "invalid_blocks"
    assert sandbox.refused[0].method == "response_url"


async def test_uploads_take_three_steps(
    client: AsyncWebClient, sandbox: Sandbox, alex: Person, browser: ClientSession
) -> None:
    """The SDK's upload shares a file whose content is served to the bot's token only."""
    await client.files_upload_v2(
        channel="D0ALEX", filename="a b/ü.txt", content="hello", title="A", initial_comment="Here"
    )
    message = alex.messages()[0]
    assert (message["text"], message["files"][0]["title"]) == ("Here", "A")
    address = message["files"][0]["url_private"]
    async with browser.get(address) as response:
        assert response.status == 403
    async with browser.get(address, headers={"Authorization": f"Bearer {sandbox.bot_token}"}) as response:
        assert await response.text() == "hello"
    assert (await client.files_info(file=message["files"][0]["id"]))["file"]["size"] == 5
    assert await error_of(client.files_info(file="F0NONE")) == "file_not_found"
    assert await error_of(client.files_completeUploadExternal(files=[{"id": "F0NONE"}])) == "file_not_found"
