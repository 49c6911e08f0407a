"""Messages in the sandbox behave as in Slack: posting, changing, deleting, threads, whispers."""

import pytest
from slack_errors import error_of
from slack_screens import DIVIDER
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import MESSAGES_PER_CHANNEL, ActError, Json, Message

METADATA = {"event_type": "outbox", "event_payload": {"id": "7"}}


def texts(messages: list[Json]) -> list[str]:
    """What the messages say."""
    return [message["text"] for message in messages]


async def test_timestamps_are_unique_and_increase(client: AsyncWebClient, sandbox: Sandbox) -> None:
    """Messages posted in the same instant have different, increasing timestamps."""
    sandbox.knobs.tiers = 0  # no Slack would take twenty posts at once
    stamps = [(await client.chat_postMessage(channel="D0ALEX", text="x"))["ts"] for _ in range(20)]
    assert stamps == sorted(set(stamps))


async def test_posting_to_a_person_reaches_their_direct_message(client: AsyncWebClient, alex: Person) -> None:
    """A person's id serves as the channel."""
    assert (await client.chat_postMessage(channel="U0ALEX", text="hello"))["channel"] == "D0ALEX"
    assert texts(alex.messages()) == ["hello"]


async def test_metadata_comes_back_where_it_is_asked_for(client: AsyncWebClient) -> None:
    """Histories and threads give a message's metadata only with include_all_metadata."""
    ts = (await client.chat_postMessage(channel="D0ALEX", text="x", metadata=METADATA))["ts"]
    for read in (
        lambda **more: client.conversations_history(channel="D0ALEX", **more),
        lambda **more: client.conversations_replies(channel="D0ALEX", ts=ts, **more),
    ):
        assert "metadata" not in (await read())["messages"][0]
        assert (await read(include_all_metadata=True))["messages"][0]["metadata"] == METADATA


async def test_a_text_alone_takes_the_blocks_away(client: AsyncWebClient, alex: Person) -> None:
    """Updating with text only removes blocks and marks the message as edited."""
    ts = (await client.chat_postMessage(channel="D0ALEX", text="a", blocks=DIVIDER))["ts"]
    await client.chat_update(channel="D0ALEX", ts=ts, text="b")
    message = alex.messages()[0]
    assert message["text"] == "b"
    assert "blocks" not in message
    assert message["edited"]["user"] == "B0HOLDFAST"


async def test_blocks_replace_blocks_without_an_edited_mark(client: AsyncWebClient, alex: Person) -> None:
    """Updating with blocks shows no edited mark."""
    ts = (await client.chat_postMessage(channel="D0ALEX", text="a", blocks=DIVIDER))["ts"]
    await client.chat_update(channel="D0ALEX", ts=ts, text="b", blocks=[*DIVIDER, *DIVIDER])
    message = alex.messages()[0]
    assert len(message["blocks"]) == 2
    assert "edited" not in message


async def test_an_update_of_metadata_alone_leaves_the_content(client: AsyncWebClient, alex: Person) -> None:
    """Metadata changes without touching text and blocks, and {} takes it away."""
    ts = (await client.chat_postMessage(channel="D0ALEX", text="a", blocks=DIVIDER))["ts"]
    await client.api_call("chat.update", json={"channel": "D0ALEX", "ts": ts, "metadata": METADATA})
    assert (alex.messages()[0]["text"], alex.messages()[0]["metadata"]) == ("a", METADATA)
    assert alex.messages()[0]["blocks"][0]["type"] == "divider"
    await client.api_call("chat.update", json={"channel": "D0ALEX", "ts": ts, "text": "a", "metadata": {}})
    assert "metadata" not in alex.messages()[0]


async def test_a_thread_counts_its_replies(client: AsyncWebClient, alex: Person) -> None:
    """The parent knows how many replies there are, whose, and when the last came; deleting one counts down."""
    parent = await alex.say("question")
    await client.chat_postMessage(channel="D0ALEX", thread_ts=parent, text="answer")
    last = (await client.chat_postMessage(channel="D0ALEX", thread_ts=parent, text="more"))["ts"]
    shown = alex.messages()[0]
    assert (shown["reply_count"], shown["reply_users"], shown["latest_reply"]) == (2, ["U0HOLDFAST"], last)
    await client.chat_delete(channel="D0ALEX", ts=last)
    assert alex.messages()[0]["reply_count"] == 1


async def test_a_reply_to_a_reply_joins_its_thread(client: AsyncWebClient, alex: Person) -> None:
    """Naming a reply as the thread puts the message into the parent's thread."""
    parent = await alex.say("question")
    reply = (await client.chat_postMessage(channel="D0ALEX", thread_ts=parent, text="answer"))["ts"]
    await client.chat_postMessage(channel="D0ALEX", thread_ts=reply, text="more")
    assert alex.messages()[-1]["thread_ts"] == parent


async def test_histories_are_newest_first_and_without_replies(client: AsyncWebClient, alex: Person) -> None:
    """A history leaves replies to their thread; the thread gives the parent, then its replies in order."""
    first = await alex.say("one")
    await alex.say("two")
    await client.chat_postMessage(channel="D0ALEX", thread_ts=first, text="reply 1")
    reply = (await client.chat_postMessage(channel="D0ALEX", thread_ts=first, text="reply 2"))["ts"]
    assert texts((await client.conversations_history(channel="D0ALEX"))["messages"]) == ["two", "one"]
    for anchor in (first, reply):
        replies = await client.conversations_replies(channel="D0ALEX", ts=anchor)
        assert texts(replies["messages"]) == ["one", "reply 1", "reply 2"]


async def test_histories_have_bounds(client: AsyncWebClient, alex: Person) -> None:
    """Oldest and latest exclude their messages unless inclusive is set."""
    stamps = [await alex.say(word) for word in ("one", "two", "three")]
    between = {"channel": "D0ALEX", "oldest": stamps[0], "latest": stamps[2]}
    assert texts((await client.conversations_history(**between))["messages"]) == ["two"]
    assert len((await client.conversations_history(**between, inclusive=True))["messages"]) == 3
    page = await client.conversations_history(channel="D0ALEX", limit=2)
    assert (texts(page["messages"]), page["has_more"]) == (["three", "two"], True)


async def test_a_deleted_parent_leaves_a_tombstone(client: AsyncWebClient, alex: Person) -> None:
    """A deleted message with replies stays as a tombstone; one without is gone."""
    parent = (await client.chat_postMessage(channel="D0ALEX", text="question"))["ts"]
    await alex.say("answer", thread_ts=parent)
    await client.chat_delete(channel="D0ALEX", ts=parent)
    assert alex.messages()[0]["subtype"] == "tombstone"
    alone = (await client.chat_postMessage(channel="D0ALEX", text="alone"))["ts"]
    await client.chat_delete(channel="D0ALEX", ts=alone)
    assert alone not in [message["ts"] for message in alex.messages()]


async def test_a_whisper_is_seen_by_one_person_only(client: AsyncWebClient, sandbox: Sandbox) -> None:
    """An ephemeral message is in nobody's history and on one person's screen."""
    await client.chat_postEphemeral(channel="C0GENERAL", user="U0ALEX", text="psst")
    assert texts(sandbox.person("U0ALEX").ephemerals("C0GENERAL")) == ["psst"]
    assert sandbox.person("U0DANA").ephemerals("C0GENERAL") == []
    assert (await client.conversations_history(channel="C0GENERAL"))["messages"] == []


async def test_the_status_ends_with_the_answer(client: AsyncWebClient, sandbox: Sandbox, alex: Person) -> None:
    """The thinking line is shown until the app answers in that thread, or empties it."""
    ts = await alex.say("question")
    place = {"channel_id": "D0ALEX", "thread_ts": ts}
    await client.assistant_threads_setStatus(**place, status="is thinking", loading_messages=["One moment"])
    assert sandbox.workspace.status == {f"D0ALEX|{ts}": {"status": "is thinking", "loading_messages": ["One moment"]}}
    await client.chat_postMessage(channel="D0ALEX", text="elsewhere")
    assert sandbox.workspace.status
    await client.chat_postMessage(channel="D0ALEX", thread_ts=ts, text="answer")
    assert sandbox.workspace.status == {}
    await client.assistant_threads_setStatus(**place, status="is thinking")
    await client.assistant_threads_setStatus(**place, status="")
    assert sandbox.workspace.status == {}


async def test_prompts_belong_to_their_thread(client: AsyncWebClient, sandbox: Sandbox, alex: Person) -> None:
    """Suggested prompts are kept per thread; five prompts are too many."""
    place = {"channel_id": "D0ALEX", "thread_ts": await alex.say("question")}
    prompts = [{"title": "Help", "message": "help"}]
    await client.assistant_threads_setSuggestedPrompts(**place, prompts=prompts, title="Try")
    shown = sandbox.workspace.prompts[f"D0ALEX|{place['thread_ts']}"]
    assert shown == {"title": "Try", "prompts": prompts}
    refused = client.assistant_threads_setSuggestedPrompts(**place, prompts=prompts * 5)
    assert await error_of(refused) == "invalid_arguments"


def test_a_conversation_forgets_its_oldest_messages(sandbox: Sandbox, alex: Person) -> None:
    """Memory is bounded: a conversation keeps its newest 2,000 messages."""
    for number in range(MESSAGES_PER_CHANNEL + 1):
        sandbox.workspace.channels["D0ALEX"].keep(Message("D0ALEX", {"ts": f"1.{number:06d}", "text": str(number)}))
    assert len(alex.messages()) == MESSAGES_PER_CHANNEL
    assert (alex.messages()[0]["text"], alex.messages()[-1]["text"]) == ("1", "2000")


async def test_files_are_bounded_in_number_and_size(alex: Person, sandbox: Sandbox) -> None:
    """The newest 200 files are kept, and no more than 64 MB of them."""
    for number in range(202):
        await alex.upload(f"{number}.txt", b"x")
    assert len(sandbox.workspace.files) == 200
    for _ in range(5):
        await alex.upload("large", bytes(15 * 1024 * 1024))
    assert len(sandbox.workspace.files) == 4
    with pytest.raises(ActError, match="20 MB"):
        await alex.upload("huge", bytes(20 * 1024 * 1024 + 1))


async def test_screens_and_threads_are_bounded(sandbox: Sandbox) -> None:
    """What was typed, and status and prompts of threads, are kept for the newest 2,000 only."""
    for number in range(2_001):
        sandbox.workspace.typing(str(number))
        sandbox.workspace.keep_for_thread(sandbox.workspace.prompts, str(number), {})
    assert len(sandbox.workspace.typed) == len(sandbox.workspace.prompts) == 2_000
    assert "0" not in sandbox.workspace.typed
    assert "0" not in sandbox.workspace.prompts
