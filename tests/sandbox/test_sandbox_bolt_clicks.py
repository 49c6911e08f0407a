"""An unmodified Bolt app lives on the sandbox: clicks and menus."""

import asyncio
from typing import Any

import pytest
from sandbox_types import IMPATIENT, Connect, Seen
from slack_bolt.async_app import AsyncApp
from slack_screens import actions, button, feedback, option
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import ActError, Json
from tests.patience import PATIENCE

Handler = Any


@pytest.fixture
async def clicks(app: AsyncApp, connect: Connect, seen: Seen) -> Seen:
    """A connected bot that acks every click and notes its payload."""

    async def note(ack: Handler, body: Json) -> None:
        await ack()
        seen.append(body)

    app.action({"action_id": "go"})(note)
    for name in ("menu", "thumbs", "dots", "pair", "ticks"):
        app.action(name)(note)
    await connect(app)
    return seen


async def test_a_click_tells_where_what_and_the_state(client: AsyncWebClient, alex: Person, clicks: Seen) -> None:
    """A click carries container, message, the element's value and what stands in the message's inputs."""
    menu = {"type": "static_select", "action_id": "menu", "options": [option("buy"), option("sell")]}
    posted = await client.chat_postMessage(
        channel="D0ALEX", text="q", blocks=actions(button("go", "Go", value="7"), menu)
    )
    await alex.choose("menu", "Sell")
    await alex.click("Go")
    chosen, clicked = clicks
    assert chosen["actions"][0]["selected_option"]["value"] == "sell"
    assert clicked["actions"][0]["value"] == "7"
    assert clicked["container"] == {
        "type": "message",
        "message_ts": posted["ts"],
        "channel_id": "D0ALEX",
        "is_ephemeral": False,
    }
    assert clicked["message"]["ts"] == posted["ts"]
    assert clicked["state"]["values"]["choices"]["menu"]["selected_option"]["value"] == "sell"
    assert clicked["actions"][0]["action_ts"] > chosen["actions"][0]["action_ts"]


async def test_what_is_not_on_the_screen_cannot_be_clicked(
    client: AsyncWebClient, sandbox: Sandbox, alex: Person, clicks: Seen
) -> None:
    """After an update the old button is gone, unless the person still has the old message before them."""
    shown = actions(button("go", "Go"))
    ts = (await client.chat_postMessage(channel="D0ALEX", text="q <!here>", blocks=shown))["ts"]
    before = alex.messages()[0]
    await client.chat_update(channel="D0ALEX", ts=ts, text="done")
    with pytest.raises(LookupError, match="'Go' is not on the screen"):
        await alex.click("Go")
    await alex.click("Go", before, stale=True)
    assert [click["message"]["text"] for click in clicks] == ["q <!here>"]
    assert "notifies" not in clicks[0]["message"]


async def test_a_choice_must_be_offered(client: AsyncWebClient, alex: Person, clicks: Seen) -> None:
    """An option that the menu does not have cannot be chosen."""
    menu = {"type": "static_select", "action_id": "menu", "options": [option("buy")]}
    await client.chat_postMessage(channel="D0ALEX", text="q", blocks=actions(menu))
    with pytest.raises(LookupError, match="'short' is not among"):
        await alex.choose("menu", "short")
    with pytest.raises(ActError, match="not offered"):
        await alex.click("menu", selected_option=option("short"))
    assert clicks == []


async def test_a_click_in_a_whisper_brings_no_message(client: AsyncWebClient, alex: Person, clicks: Seen) -> None:
    """Clicks in ephemeral messages say so and carry no message, as in Slack."""
    blocks = actions(button("go", "Go"))
    await client.chat_postEphemeral(channel="C0GENERAL", user="U0ALEX", text="q", blocks=blocks)
    await alex.click("Go", channel="C0GENERAL")
    assert clicks[0]["container"]["is_ephemeral"] is True
    assert "message" not in clicks[0]


async def test_a_click_is_not_taken_without_an_app(client: AsyncWebClient, alex: Person) -> None:
    """With nobody connected a click fails at once and is not kept for later."""
    await client.chat_postMessage(channel="D0ALEX", text="q", blocks=actions(button("go", "Go")))
    with pytest.raises(ActError, match="not connected"):
        await alex.click("Go")


@IMPATIENT
async def test_a_click_that_is_not_acked_fails(
    app: AsyncApp, connect: Connect, client: AsyncWebClient, alex: Person, seen: Seen
) -> None:
    """A click without an ack is not repeated, and the person is told."""

    heard = asyncio.Event()

    @app.action("go")
    async def note(body: Json) -> None:
        seen.append(body)
        heard.set()

    await connect(app)
    await client.chat_postMessage(channel="D0ALEX", text="q", blocks=actions(button("go", "Go")))
    with pytest.raises(ActError, match="did not answer in time"):
        await alex.click("Go")
    async with asyncio.timeout(PATIENCE):
        await heard.wait()  # the app may hear of it after the person has given up
    assert len(seen) == 1


async def test_an_external_menu_asks_the_app(
    app: AsyncApp, connect: Connect, client: AsyncWebClient, alex: Person, clicks: Seen
) -> None:
    """Typing into an external select asks the app, and its options can be chosen."""

    @app.options("menu")
    async def suggest(ack: Handler, payload: Json) -> None:
        await ack(options=[option(name) for name in ("tesco", "tate") if name.startswith(payload["value"].lower())])

    menu = {"type": "external_select", "action_id": "menu", "min_query_length": 0}
    await client.chat_postMessage(channel="D0ALEX", text="q", blocks=actions(menu))
    assert [one["value"] for one in await alex.options("menu", "t")] == ["tesco", "tate"]
    await alex.choose("menu", "Tate")
    assert clicks[0]["actions"][0]["selected_option"]["value"] == "tate"


async def test_too_many_suggestions_are_refused(
    app: AsyncApp, connect: Connect, client: AsyncWebClient, sandbox: Sandbox, alex: Person
) -> None:
    """More than 100 suggested options show no result and are recorded as refused."""

    @app.options("menu")
    async def suggest(ack: Handler) -> None:
        await ack(options=[option(str(number)) for number in range(101)])

    await connect(app)
    await client.chat_postMessage(
        channel="D0ALEX", text="q", blocks=actions({"type": "external_select", "action_id": "menu"})
    )
    with pytest.raises(ActError):
        await alex.options("menu", "x")
    assert sandbox.refused[0].problems == ("no more than 100 items allowed [json-pointer:/options]",)


async def test_feedback_tells_the_thumb_that_was_pressed(client: AsyncWebClient, alex: Person, clicks: Seen) -> None:
    """Feedback carries the pressed button's value and words, not the other's, and no state; a third answer there is not."""
    await client.chat_postMessage(channel="D0ALEX", text="q", blocks=[feedback("thumbs")])
    await alex.choose("thumbs", "bad")
    told = clicks[0]["actions"][0]
    assert {key: told[key] for key in ("type", "action_id", "block_id", "value", "text")} == {
        "type": "feedback_buttons",
        "action_id": "thumbs",
        "block_id": "feedback",
        "value": "bad",
        "text": {"type": "plain_text", "text": "Bad"},
    }
    assert clicks[0]["state"] == {"values": {}}
    with pytest.raises(ActError, match="not offered"):
        await alex.choose("thumbs", "perhaps")


async def test_every_choice_in_a_message_stands_in_the_state(
    client: AsyncWebClient, alex: Person, clicks: Seen
) -> None:
    """Radio buttons, checkboxes and menus of one message are told together in `state.values`; an overflow keeps none."""
    shown = actions(
        {"type": "radio_buttons", "action_id": "pair", "options": [option("yes"), option("no")]},
        {"type": "checkboxes", "action_id": "ticks", "options": [option("read"), option("agreed")]},
        {"type": "static_select", "action_id": "menu", "options": [option("buy"), option("sell")]},
        {"type": "overflow", "action_id": "dots", "options": [option("leave"), option("person")]},
    )
    await client.chat_postMessage(channel="D0ALEX", text="q", blocks=shown)
    await alex.choose("pair", "no")
    await alex.choose("ticks", "read", "agreed")
    await alex.choose("dots", "person")
    assert clicks[2]["actions"][0]["selected_option"] == option("person")
    state = clicks[2]["state"]["values"]["choices"]
    assert state["pair"] == {"type": "radio_buttons", "selected_option": option("no")}
    assert state["ticks"] == {"type": "checkboxes", "selected_options": [option("read"), option("agreed")]}
    assert state["menu"] == {"type": "static_select", "selected_option": None}
    assert "dots" not in state


async def test_a_repainted_menu_forgets_a_choice_that_it_no_longer_offers(
    client: AsyncWebClient, alex: Person, clicks: Seen
) -> None:
    """After an update with other options the state holds the new element's own value, not the old choice."""
    first = actions({"type": "radio_buttons", "action_id": "pair", "options": [option("yes"), option("no")]})
    again = actions(
        {"type": "radio_buttons", "action_id": "pair", "options": [option("buy"), option("sell")]}, button("go", "Go")
    )
    ts = (await client.chat_postMessage(channel="D0ALEX", text="q", blocks=first))["ts"]
    await alex.choose("pair", "no")
    await client.chat_update(channel="D0ALEX", ts=ts, text="q", blocks=again)
    await alex.click("Go")
    assert clicks[1]["state"]["values"]["choices"]["pair"]["selected_option"] is None
