"""An unmodified Bolt app lives on the sandbox: modals and what it answers to a submission."""

import asyncio
from typing import Any

import pytest
from sandbox_types import Connect, Seen
from slack_bolt.async_app import AsyncApp
from slack_screens import actions, asking, button, plain
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import ActError, Json
from tests.patience import PATIENCE

Handler = Any


def opens(app: AsyncApp, view: Json) -> None:
    """The app answers its command with this modal."""

    @app.command("/pa")
    async def show(ack: Handler, client: AsyncWebClient, body: Json) -> None:
        await client.views_open(trigger_id=body["trigger_id"], view=view)
        await ack()


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
    async with asyncio.timeout(PATIENCE):
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
    opens(app, asking())

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
    opens(app, asking())

    @app.view("ask")
    async def take(ack: Handler) -> None:
        await ack(answer)

    await connect(app)
    await alex.command("/pa")
    with pytest.raises(ActError, match="some trouble connecting"):
        await alex.submit(values={"why": "x"})
    assert alex.modal is not None
    assert not sandbox.sent[-1].ok


async def test_a_modal_that_has_no_submit_button_is_submitted_by_nobody(
    app: AsyncApp, connect: Connect, alex: Person
) -> None:
    """Nothing is sent to the app, and the modal stays open."""
    told = [{"type": "section", "text": plain("You said so.")}]
    opens(app, {"type": "modal", "title": plain("Sources"), "blocks": told})
    await connect(app)
    await alex.command("/pa")
    with pytest.raises(ActError, match="no button that submits it"):
        await alex.submit()
    assert alex.modal is not None


async def test_closing_a_modal_is_told_where_asked(
    app: AsyncApp, connect: Connect, sandbox: Sandbox, alex: Person, seen: Seen
) -> None:
    """notify_on_close brings a view_closed; clear_on_close closes the whole stack."""
    opens(app, {**asking(), "notify_on_close": True, "clear_on_close": True})

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
