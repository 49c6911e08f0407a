"""An unmodified Bolt app lives on the sandbox: events, clicks, menus, modals, commands, home."""

import asyncio
from typing import Any

import pytest
from conftest import Connect
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox.errors import ActError
from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import Json

Handler = Any


def plain(words: str) -> Json:
    """A plain_text object."""
    return {"type": "plain_text", "text": words}


def option(value: str) -> Json:
    """An option."""
    return {"text": plain(value.title()), "value": value}


def button(action_id: str, words: str, **more: object) -> Json:
    """A button."""
    return {"type": "button", "action_id": action_id, "text": plain(words), **more}


def actions(*elements: Json, block_id: str = "choices") -> list[Json]:
    """Blocks of one row of elements."""
    return [{"type": "actions", "block_id": block_id, "elements": list(elements)}]


def asking(block_id: str = "why", **element: object) -> Json:
    """A modal with one input."""
    field = {"type": "plain_text_input", "action_id": "words", **element}
    return {
        "type": "modal",
        "callback_id": "ask",
        "title": plain("Why"),
        "submit": plain("Send"),
        "blocks": [{"type": "input", "block_id": block_id, "label": plain("Reason"), "element": field}],
    }


class Seen(list[Json]):
    """What a listener got, in order."""


@pytest.fixture
def seen() -> Seen:
    """Nothing yet."""
    return Seen()


@pytest.fixture
async def clicks(app: AsyncApp, connect: Connect, seen: Seen) -> Seen:
    """A connected bot that acks every click and notes its payload."""

    async def note(ack: Handler, body: Json) -> None:
        await ack()
        seen.append(body)

    app.action({"action_id": "go"})(note)
    app.action("menu")(note)
    await connect(app)
    return seen


async def test_words_reach_the_app_and_its_answer_the_person(
    app: AsyncApp, connect: Connect, sandbox: Sandbox, alex: Person
) -> None:
    """A message event carries who, where and what, escaped; say() answers there."""

    @app.event("message")
    async def answer(event: Json, say: Handler, context: Json) -> None:
        await say(f"{context['user_id']} {event['channel_type']} {event['text']}")

    await connect(app)
    await alex.say("5 < 6 & <!channel>")
    await sandbox.until(lambda: len(alex.messages()) == 2)
    assert alex.messages()[1]["text"] == "U0ALEX im 5 &lt; 6 &amp; &lt;!channel&gt;"


async def test_a_mention_is_heard_twice_as_in_slack(
    app: AsyncApp, connect: Connect, sandbox: Sandbox, alex: Person, seen: Seen
) -> None:
    """A mention in a channel comes as a message and as an app_mention with one timestamp."""

    async def note(event: Json) -> None:
        seen.append(event)

    app.event("message")(note)
    app.event("app_mention")(note)
    await connect(app)
    await alex.say("@Holdfast hello", channel="C0GENERAL")
    await sandbox.until(lambda: len(seen) == 2)
    assert {event["type"] for event in seen} == {"message", "app_mention"}
    assert seen[0]["ts"] == seen[1]["ts"]
    assert seen[0]["text"] == "<@U0HOLDFAST> hello"


async def test_the_bots_own_messages_come_back_and_bolt_ignores_them(
    app: AsyncApp, connect: Connect, sandbox: Sandbox, client: AsyncWebClient, alex: Person, seen: Seen
) -> None:
    """The app's own posts and their changes are events too, and Bolt drops them."""

    @app.event("message")
    async def note(event: Json) -> None:
        seen.append(event)

    await connect(app)
    ts = (await client.chat_postMessage(channel="D0ALEX", text="hello"))["ts"]
    await client.chat_update(channel="D0ALEX", ts=ts, text="other")
    await alex.say("mine")
    await sandbox.until(lambda: seen and not sandbox.slack.delivery.under_way)
    assert [event["text"] for event in seen] == ["mine"]
    assert not sandbox.slack.delivery.failed


async def test_edits_and_deletions_are_told(
    app: AsyncApp, connect: Connect, sandbox: Sandbox, alex: Person, seen: Seen
) -> None:
    """A person's edit and deletion come as message_changed and message_deleted."""

    @app.event("message")
    async def note(event: Json) -> None:
        seen.append(event)

    await connect(app)
    ts = await alex.say("hello")
    await alex.edit(ts, "hallo")
    await alex.delete(ts)
    await sandbox.until(lambda: len(seen) == 3)
    by_kind = {event.get("subtype"): event for event in seen}
    changed, deleted = by_kind["message_changed"], by_kind["message_deleted"]
    assert (changed["message"]["text"], changed["previous_message"]["text"]) == ("hallo", "hello")
    assert changed["message"]["edited"]["user"] == "U0ALEX"
    assert deleted["deleted_ts"] == ts


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
    ts = (await client.chat_postMessage(channel="D0ALEX", text="q", blocks=actions(button("go", "Go"))))["ts"]
    before = alex.messages()[0]
    await client.chat_update(channel="D0ALEX", ts=ts, text="done")
    with pytest.raises(LookupError, match="'Go' is not on the screen"):
        await alex.click("Go")
    await alex.click("Go", before, stale=True)
    assert [click["message"]["text"] for click in clicks] == ["q"]


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


async def test_a_click_that_is_not_acked_fails(
    app: AsyncApp, connect: Connect, client: AsyncWebClient, alex: Person, seen: Seen
) -> None:
    """A click without an ack is not repeated, and the person is told."""

    @app.action("go")
    async def note(body: Json) -> None:
        seen.append(body)

    await connect(app)
    await client.chat_postMessage(channel="D0ALEX", text="q", blocks=actions(button("go", "Go")))
    with pytest.raises(ActError, match="did not answer in time"):
        await alex.click("Go")
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


async def test_a_modal_opens_complains_and_closes(
    app: AsyncApp, connect: Connect, client: AsyncWebClient, alex: Person, seen: Seen
) -> None:
    """A click opens a modal; errors keep it open, an accepted submission closes it."""

    @app.action("go")
    async def ask(ack: Handler, body: Json) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=asking())

    @app.view("ask")
    async def take(ack: Handler, view: Json) -> None:
        seen.append(view)
        words = view["state"]["values"]["why"]["words"]["value"]
        await (ack() if words == "because" else ack(response_action="errors", errors={"why": "Say more."}))

    handler = await connect(app)
    await client.chat_postMessage(channel="D0ALEX", text="q", blocks=actions(button("go", "Go")))
    await alex.click("Go")
    await _opened(alex, handler)
    assert await alex.submit(values={"why": ""}) == {"errors": {"why": "Please complete this required field."}}
    assert await alex.submit(values={"why": "hm"}) == {"errors": {"why": "Say more."}}
    assert alex.modal is not None
    assert await alex.submit(values={"why": "because"}) == {"ok": True}
    assert alex.modal is None
    assert len(seen) == 2


async def _opened(alex: Person, _: object) -> None:
    async with asyncio.timeout(2):
        while alex.modal is None:
            await alex.slack.changes.next().wait()


async def test_a_submission_may_change_the_view(
    app: AsyncApp, connect: Connect, sandbox: Sandbox, alex: Person
) -> None:
    """An ack may update the modal, push one, or clear them all."""
    answers = iter(
        [
            {"response_action": "update", "view": asking("second")},
            {"response_action": "push", "view": asking("third")},
            {"response_action": "clear"},
        ]
    )

    @app.command("/pa")
    async def ask(ack: Handler, client: AsyncWebClient, body: Json) -> None:
        await client.views_open(trigger_id=body["trigger_id"], view=asking())
        await ack()

    @app.view("ask")
    async def take(ack: Handler) -> None:
        await ack(**next(answers))

    await connect(app)
    await alex.command("/pa")
    first = alex.modal
    assert (await alex.submit(values={"why": "x"}))["update"]["id"] == first["id"]
    assert alex.modal["blocks"][0]["block_id"] == "second"
    assert (await alex.submit(values={"second": "x"}))["update"]["previous_view_id"] == first["id"]
    assert len(sandbox.workspace.modals["U0ALEX"]) == 2
    assert await alex.submit(values={"third": "x"}) == {"cleared": True}
    assert alex.modal is None


@pytest.mark.parametrize(
    "answer",
    [
        {"response_action": "errors", "errors": {"nowhere": "x"}},
        {"response_action": "update", "view": {"type": "modal"}},
        {"response_action": "dance"},
    ],
)
async def test_a_broken_answer_to_a_submission_is_refused(
    answer: Json, app: AsyncApp, connect: Connect, sandbox: Sandbox, alex: Person
) -> None:
    """Errors for no input, an invalid view or an unknown action leave the modal open with Slack's apology."""

    @app.command("/pa")
    async def ask(ack: Handler, client: AsyncWebClient, body: Json) -> None:
        await client.views_open(trigger_id=body["trigger_id"], view=asking())
        await ack()

    @app.view("ask")
    async def take(ack: Handler) -> None:
        await ack(answer)

    await connect(app)
    await alex.command("/pa")
    with pytest.raises(ActError, match="some trouble connecting"):
        await alex.submit(values={"why": "x"})
    assert alex.modal is not None
    assert not sandbox.sent[-1].ok


async def test_closing_a_modal_is_told_where_asked(
    app: AsyncApp, connect: Connect, sandbox: Sandbox, alex: Person, seen: Seen
) -> None:
    """notify_on_close brings a view_closed; clear_on_close closes the whole stack."""

    @app.command("/pa")
    async def ask(ack: Handler, client: AsyncWebClient, body: Json) -> None:
        await client.views_open(
            trigger_id=body["trigger_id"], view={**asking(), "notify_on_close": True, "clear_on_close": True}
        )
        await ack()

    @app.view_closed("ask")
    async def note(ack: Handler, body: Json) -> None:
        await ack()
        seen.append(body)

    await connect(app)
    await alex.command("/pa")
    await alex.close()
    assert seen[0]["is_cleared"] is True
    assert alex.modal is None


async def test_input_rules_of_slacks_client(sandbox: Sandbox, client: AsyncWebClient, alex: Person) -> None:
    """Lengths and numbers are checked before the app hears of a submission."""
    number = {"type": "number_input", "action_id": "n", "is_decimal_allowed": False, "min_value": "1", "max_value": "9"}
    view = asking(min_length=3, max_length=5)
    view["blocks"].append({"type": "input", "block_id": "count", "label": plain("N"), "element": number})
    trigger = sandbox.slack.tickets.trigger("U0ALEX")
    await client.views_open(trigger_id=trigger, view=view)
    for words, count, wrong in [
        ("ab", "5", "why"),
        ("abcdef", "5", "why"),
        ("abc", "1.5", "count"),
        ("abc", "10", "count"),
        ("abc", "x", "count"),
    ]:
        assert set((await alex.submit(values={"why": words, "count": count}))["errors"]) == {wrong}
    with pytest.raises(ActError, match="some trouble connecting"):
        await alex.submit(values={"why": "abc", "count": "9"})


async def test_home_is_opened_and_published(
    app: AsyncApp, connect: Connect, sandbox: Sandbox, alex: Person, seen: Seen
) -> None:
    """Opening the home tab tells the app, with the published view from the second time on."""

    @app.event("app_home_opened")
    async def publish(event: Json, client: AsyncWebClient) -> None:
        seen.append(event)
        await client.views_publish(user_id=event["user"], view={"type": "home", "blocks": [{"type": "divider"}]})

    await connect(app)
    await alex.open_home()
    await sandbox.until(lambda: alex.home)
    await alex.open_home()
    await sandbox.until(lambda: len(seen) == 2)
    assert [event["tab"] for event in seen] == ["home", "home"]
    assert "view" not in seen[0]
    assert seen[1]["view"]["id"] == alex.home["id"]


async def test_a_command_answers_in_its_ack(app: AsyncApp, connect: Connect, alex: Person, seen: Seen) -> None:
    """What a command's ack says is seen by the person alone, or by all with in_channel."""

    @app.command("/pa")
    async def answer(ack: Handler, body: Json) -> None:
        seen.append(body)
        await ack({"text": body["text"], "response_type": body["text"]})

    await connect(app)
    await alex.say("/pa in_channel", channel="C0GENERAL")
    await alex.command("/pa", "ephemeral", channel="C0GENERAL")
    assert [message["text"] for message in alex.messages("C0GENERAL")] == ["in_channel"]
    assert [message["text"] for message in alex.ephemerals("C0GENERAL")] == ["ephemeral"]
    assert (seen[0]["command"], seen[0]["channel_name"], seen[0]["user_name"]) == ("/pa", "general", "alex.reed")


async def test_commands_are_known_and_not_for_threads(sandbox: Sandbox, alex: Person) -> None:
    """An unknown command is plain words, and in a thread every command is."""
    ts = await alex.say("/unknown thing")
    assert alex.messages()[0]["text"] == "/unknown thing"
    assert await alex.say("/pa status", thread_ts=ts) is not None
    with pytest.raises(ActError, match="not a command"):
        await alex.command("/unknown")
    with pytest.raises(ActError, match="/pa failed"):
        await alex.command("/pa")


async def test_a_shared_file_is_told_and_can_be_fetched(
    app: AsyncApp, connect: Connect, sandbox: Sandbox, alex: Person, seen: Seen
) -> None:
    """A file comes with a file_share message and a file_shared event; its content needs the bot's token."""

    async def note(event: Json) -> None:
        seen.append(event)

    app.event("message")(note)
    app.event("file_shared")(note)
    await connect(app)
    await alex.upload("note.txt", b"hello", "text/plain")
    await sandbox.until(lambda: len(seen) == 2)
    shared = next(event for event in seen if event["type"] == "message")
    assert (shared["subtype"], shared["files"][0]["mimetype"]) == ("file_share", "text/plain")
    assert {event.get("file_id", shared["files"][0]["id"]) for event in seen} == {shared["files"][0]["id"]}


async def test_several_connections_share_the_work(
    client: AsyncWebClient, connect: Connect, sandbox: Sandbox, alex: Person
) -> None:
    """With two connections each event reaches one of them, and both get some."""
    heard: list[list[str]] = [[], []]
    for mine in heard:
        app = AsyncApp(client=client)
        app.event("message")(_noting(mine))
        await connect(app)
    for number in range(6):
        await alex.say(str(number))
    await sandbox.until(lambda: len(heard[0]) + len(heard[1]) == 6)
    assert len(heard[0]) == len(heard[1]) == 3


def _noting(mine: list[str]) -> Handler:
    async def note(event: Json) -> None:
        mine.append(event["text"])

    return note
