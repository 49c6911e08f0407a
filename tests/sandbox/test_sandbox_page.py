"""The page's HTTP: state, acts, refusals in sentences, the event stream, files, and who may call."""

from typing import Any

import pytest
from aiohttp import ClientSession, FormData
from sandbox_page import Stream, Ui
from sandbox_types import Connect
from slack_bolt.async_app import AsyncApp
from slack_screens import BLOCKS, MODAL
from slack_sdk.web.async_client import AsyncWebClient
from yarl import URL

from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import Json

PLACE = {"person": "U0ALEX", "channel": "D0ALEX"}


async def test_the_state_shows_the_whole_workspace(ui: Ui, client: AsyncWebClient, alex: Person) -> None:
    """The state names team, bot, people, channels, messages, homes, modals, status, prompts, knobs and connections."""
    ts = await alex.say("hello")
    await client.chat_postEphemeral(channel="D0ALEX", user="U0ALEX", text="psst")
    await client.views_publish(user_id="U0ALEX", view={"type": "home", "blocks": BLOCKS})
    await client.assistant_threads_setStatus(channel_id="D0ALEX", thread_ts=ts, status="is thinking")
    state = await ui.get("state")
    assert state["team"] == {"id": "T0HOLDFAST", "name": "Northmoor Asset Management"}
    assert state["bot"] == {"user_id": "U0HOLDFAST", "name": "Holdfast"}
    assert state["people"][0] == {
        "id": "U0ALEX",
        "name": "alex.reed",
        "real_name": "Alex Reed",
        "title": "Portfolio analyst",
        "tz": "Europe/London",
        "dm": "D0ALEX",
    }
    assert {channel["id"]: channel["kind"] for channel in state["channels"]} == {
        "D0ALEX": "dm",
        "D0DANA": "dm",
        "D0ROBIN": "dm",
        "D0SASHA": "dm",
        "C0GENERAL": "channel",
        "C0COMPLIANCE": "channel",
    }
    assert [message["text"] for message in state["messages"]["D0ALEX"]] == ["hello"]
    assert [entry["message"]["text"] for entry in state["ephemerals"]["U0ALEX"]] == ["psst"]
    assert state["homes"]["U0ALEX"]["type"] == "home"
    assert state["homes"]["U0DANA"] is None
    assert state["modals"] == {"U0ALEX": [], "U0DANA": [], "U0ROBIN": [], "U0SASHA": []}
    assert state["status"] == {f"D0ALEX|{ts}": {"status": "is thinking", "loading_messages": []}}
    assert state["knobs"]["redeliver"] == 0
    assert (state["connected"], state["commands"]) == (0, ["/pa"])


async def test_people_speak_edit_and_delete_through_the_page(ui: Ui, alex: Person) -> None:
    """Saying, editing and deleting do what a person does."""
    ts = (await ui.post("say", {**PLACE, "text": "hello"}))["ts"]
    await ui.post("edit", {**PLACE, "ts": ts, "text": "hallo"})
    assert [message["text"] for message in alex.messages()] == ["hallo"]
    await ui.post("delete", {**PLACE, "ts": ts})
    assert alex.messages() == []


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("say", {**PLACE}, "The page left out text."),
        ("say", {**PLACE, "text": "  "}, "An empty message is not sent."),
        ("say", {**PLACE, "text": "x" * 40_001}, "A message has at most 40,000 characters."),
        ("say", {**PLACE, "text": "x", "thread_ts": "1.1"}, "That thread is not here any more."),
        ("say", {**PLACE, "channel": "D0DANA", "text": "x"}, "That person is not in this conversation."),
        ("say", {**PLACE, "person": "U0NOBODY", "text": "x"}, "There is no such person in this workspace."),
        ("edit", {**PLACE, "ts": "1.1", "text": "x"}, "That message is not here any more."),
        ("home", {"person": "U0ALEX", "tab": "attic"}, "The tab is home or messages."),
        ("view/close", {"person": "U0ALEX", "view_id": "V0NONE"}, "That is not on the screen any more."),
        ("knobs", {"gremlins": 1}, "There is no knob called gremlins."),
        ("knobs", {"disconnect": "boredom"}, "A disconnect's reason is one of: "),
    ],
)
async def test_what_cannot_be_done_is_said_in_a_sentence(path: str, body: Json, sentence: str, ui: Ui) -> None:
    """A refusal is HTTP 400 with a sentence for the person."""
    assert (await ui.post(path, body, status=400))["error"].startswith(sentence)


async def test_a_body_that_is_no_object_is_refused(ui: Ui, browser: ClientSession) -> None:
    """A broken body is answered with a sentence, not an exception."""
    async with browser.post(f"{ui.url}/ui/say", data="[") as response:
        assert (response.status, (await response.json())["error"]) == (
            400,
            "The page sent something that is not a JSON object.",
        )
    assert (await ui.post("dance", {}, status=404))["error"]


async def test_somebody_elses_message_cannot_be_changed(ui: Ui, client: AsyncWebClient) -> None:
    """A person edits and deletes only what they wrote."""
    ts = (await client.chat_postMessage(channel="D0ALEX", text="mine"))["ts"]
    refused = await ui.post("delete", {**PLACE, "ts": ts}, status=400)
    assert refused["error"] == "Only its author can change a message."


async def test_clicks_and_modals_go_through_the_page(
    ui: Ui, app: AsyncApp, connect: Connect, client: AsyncWebClient, sandbox: Sandbox, alex: Person
) -> None:
    """A click opens a modal; submitting it gives errors, then closes; an old button is refused unless stale."""

    @app.action("go")
    async def ask(ack: Any, body: Json) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=MODAL)

    @app.view("ask")
    async def take(ack: Any, view: Json) -> None:
        words = view["state"]["values"]["why"]["words"]["value"]
        await (ack() if words == "because" else ack(response_action="errors", errors={"why": "No."}))

    await connect(app)
    ts = (await client.chat_postMessage(channel="D0ALEX", text="q", blocks=BLOCKS))["ts"]
    click = {
        "person": "U0ALEX",
        "container": {"type": "message", "channel": "D0ALEX", "message_ts": ts},
        "action": {"block_id": "b", "action_id": "go", "type": "button"},
    }
    assert await ui.post("click", click) == {"ok": True}
    await sandbox.until(lambda: alex.modal)
    submit = {"person": "U0ALEX", "view_id": alex.modal["id"]}
    words = {"type": "plain_text_input", "value": "hm"}
    assert await ui.post("view/submit", {**submit, "state": {"values": {"why": {"words": words}}}}) == {
        "errors": {"why": "No."}
    }
    words = {"type": "plain_text_input", "value": "because"}
    assert await ui.post("view/submit", {**submit, "state": {"values": {"why": {"words": words}}}}) == {"ok": True}
    before = alex.messages()[0]
    await client.chat_update(channel="D0ALEX", ts=ts, text="done")
    assert (await ui.post("click", click, status=400))["error"] == "That is not on the screen any more."
    assert await ui.post("click", {**click, "stale": True, "message": before}) == {"ok": True}


async def test_a_menu_is_filled_by_the_app(ui: Ui, app: AsyncApp, connect: Connect, client: AsyncWebClient) -> None:
    """The page asks the app for an external select's options."""

    @app.options("menu")
    async def suggest(ack: Any, payload: Json) -> None:
        await ack(options=[{"text": {"type": "plain_text", "text": payload["value"]}, "value": "1"}])

    await connect(app)
    menu = [{"type": "actions", "block_id": "b", "elements": [{"type": "external_select", "action_id": "menu"}]}]
    ts = (await client.chat_postMessage(channel="D0ALEX", text="q", blocks=menu))["ts"]
    container = {"type": "message", "channel": "D0ALEX", "message_ts": ts}
    asked = {"person": "U0ALEX", "container": container, "block_id": "b", "action_id": "menu", "value": "te"}
    assert (await ui.post("options", asked))["options"][0]["text"]["text"] == "te"


async def test_a_file_is_uploaded_and_shown(ui: Ui, browser: ClientSession, alex: Person) -> None:
    """A file goes up as multipart and is shown without a token, as inert data."""
    form = FormData(PLACE)
    form.add_field("file", b"<script>", filename="a.html", content_type="text/html")
    async with browser.post(f"{ui.url}/ui/upload", data=form) as response:
        assert (await response.json())["ts"] == alex.messages()[0]["ts"]
    file = alex.messages()[0]["files"][0]
    async with browser.get(f"{ui.url}/ui/file/{file['id']}") as response:
        assert await response.read() == b"<script>"
        assert "sandbox" in response.headers["Content-Security-Policy"]


async def test_the_draft_panel_asks_the_composition_root() -> None:
    """What the injected callable says of a person's draft is passed on; without one there is no draft."""

    async def inspect(person: str, channel: str, thread_ts: str | None) -> Json:
        return {"draft": {"id": f"{person} {channel} {thread_ts}"}}

    for sandbox, expected in ((Sandbox(inspect), "U0ALEX D0ALEX None"), (Sandbox(), None)):
        await sandbox.start()
        async with ClientSession() as session:
            draft = (await Ui(session, sandbox.url).get("inspect?person=U0ALEX&channel=D0ALEX&thread_ts="))["draft"]
        await sandbox.stop()
        assert (draft and draft["id"]) == expected


async def test_the_page_itself_is_served(ui: Ui, browser: ClientSession) -> None:
    """The index and its static files come from the page's folder, and nothing outside it does."""
    async with browser.get(ui.url) as response:
        assert "text/html" in response.headers["Content-Type"]
    async with browser.get(f"{ui.url}/static/index.html") as response:
        assert response.status == 200
    async with browser.get(URL(f"{ui.url}/static/%2e%2e/server.py", encoded=True)) as response:
        assert response.status == 404


@pytest.mark.parametrize("headers", [{"Origin": "https://elsewhere.example"}, {"Host": "elsewhere.example"}])
async def test_other_pages_are_kept_out(headers: dict[str, str], ui: Ui, browser: ClientSession, alex: Person) -> None:
    """Another site in the same browser cannot act through the sandbox."""
    async with browser.post(f"{ui.url}/ui/say", json={**PLACE, "text": "x"}, headers=headers) as response:
        assert response.status == 403
    assert alex.messages() == []


async def test_waiting_ends_with_the_last_calls_named(sandbox: Sandbox, client: AsyncWebClient) -> None:
    """until() gives the predicate's value, takes async ones, and says what the app last sent when time is up."""
    await client.auth_test()
    assert await sandbox.until(lambda: sandbox.sent) == sandbox.sent

    async def later() -> int:
        return len(sandbox.sent)

    assert await sandbox.until(later) == 1
    with pytest.raises(TimeoutError, match=r"auth\.test"):
        await sandbox.until(lambda: False, timeout=0.05)


async def test_a_new_sandbox_is_a_clean_slate(sandbox: Sandbox, alex: Person) -> None:
    """Nothing of one sandbox is in another."""
    await alex.say("hello")
    assert Sandbox().person("U0ALEX").messages() == []
    with pytest.raises(LookupError, match="U0ALEX"):
        sandbox.person("U0NOBODY")


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
    """Messages, whispers, homes, modals, status, prompts, knobs and connections each have their kind."""
    ts = await alex.say("hello")
    async with browser.get(f"{ui.url}/ui/events") as response:
        await client.chat_postEphemeral(channel="D0ALEX", user="U0ALEX", text="psst")
        await client.views_publish(user_id="U0ALEX", view={"type": "home", "blocks": BLOCKS})
        await client.views_open(trigger_id=sandbox.slack.tickets.trigger("U0ALEX"), view=MODAL)
        place = {"channel_id": "D0ALEX", "thread_ts": ts}
        await client.assistant_threads_setStatus(**place, status="…")
        await client.assistant_threads_setSuggestedPrompts(**place, prompts=[{"title": "A", "message": "a"}])
        await ui.post("knobs", {"redeliver": 0})
        await alex.delete(ts)
        stream, kinds = Stream(response), []
        while "message" not in kinds:
            kinds.append((await stream.next())[1]["kind"])
    assert kinds == ["ephemeral", "home", "modal", "status", "prompts", "knobs", "message"]


async def test_the_stream_serves_again_after_a_restart(sandbox: Sandbox, browser: ClientSession, alex: Person) -> None:
    """A sandbox that stopped and started again tells of changes as before."""
    await sandbox.stop()
    await sandbox.start()
    async with browser.get(f"{sandbox.url}/ui/events") as response:
        await alex.say("hello")
        assert (await Stream(response).next())[1]["message"]["text"] == "hello"
