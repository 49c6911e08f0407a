"""The page hears of every change as it happens."""

from aiohttp import ClientSession
from sandbox_page import Stream, Ui
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox

BLOCKS = [
    {
        "type": "actions",
        "block_id": "b",
        "elements": [{"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}],
    }
]
MODAL = {
    "type": "modal",
    "callback_id": "ask",
    "title": {"type": "plain_text", "text": "T"},
    "submit": {"type": "plain_text", "text": "Go"},
    "blocks": [
        {
            "type": "input",
            "block_id": "why",
            "label": {"type": "plain_text", "text": "Why"},
            "element": {"type": "plain_text_input", "action_id": "words"},
        }
    ],
}


async def test_changes_stream_to_the_page_and_resume(ui: Ui, browser: ClientSession, alex: Person) -> None:
    """Each change is an event with an id; a page that comes back gets what it missed, or is told to start afresh."""
    async with browser.get(f"{ui.url}/ui/events") as response:
        stream = Stream(response)
        await alex.say("one")
        number, change = await stream.next()
        assert (change["kind"], change["channel"], change["message"]["text"]) == ("message", "D0ALEX", "one")
    await alex.say("two")
    async with browser.get(f"{ui.url}/ui/events", headers={"Last-Event-ID": number}) as response:
        assert (await Stream(response).next())[1]["message"]["text"] == "two"
    async with browser.get(f"{ui.url}/ui/events", headers={"Last-Event-ID": "other-1"}) as response:
        assert (await Stream(response).next())[1] == {"kind": "resync"}


async def test_every_kind_of_change_is_told(
    ui: Ui, browser: ClientSession, client: AsyncWebClient, sandbox: Sandbox, alex: Person
) -> None:
    """Messages, whispers, homes, modals, status, prompts, knobs, connections and the draft each have their kind."""
    ts = await alex.say("hello")
    async with browser.get(f"{ui.url}/ui/events") as response:
        await client.chat_postEphemeral(channel="D0ALEX", user="U0ALEX", text="psst")
        await client.views_publish(user_id="U0ALEX", view={"type": "home", "blocks": BLOCKS})
        await client.views_open(trigger_id=sandbox.slack.tickets.trigger("U0ALEX"), view=MODAL)
        place = {"channel_id": "D0ALEX", "thread_ts": ts}
        await client.assistant_threads_setStatus(**place, status="…")
        await client.assistant_threads_setSuggestedPrompts(**place, prompts=[{"title": "A", "message": "a"}])
        await ui.post("knobs", {"redeliver": 0})
        sandbox.inspect_changed("U0ALEX", "D0ALEX")
        await alex.delete(ts)
        stream, kinds = Stream(response), []
        while "message" not in kinds:
            kinds.append((await stream.next())[1]["kind"])
    assert kinds == ["ephemeral", "home", "modal", "status", "prompts", "knobs", "inspect", "message"]


async def test_the_stream_serves_again_after_a_restart(sandbox: Sandbox, browser: ClientSession, alex: Person) -> None:
    """A sandbox that stopped and started again tells of changes as before."""
    await sandbox.stop()
    await sandbox.start()
    async with browser.get(f"{sandbox.url}/ui/events") as response:
        await alex.say("hello")
        assert (await Stream(response).next())[1]["message"]["text"] == "hello"
