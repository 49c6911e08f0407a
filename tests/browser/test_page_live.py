"""The page follows what happens: posts, updates, streams, status, the draft, a lost connection."""

import pytest
from background_loop import Background
from page_cards import DRAFT, LEDGER, actions, button, section
from page_driver import PageDriver
from showcase_app import Inner, Showcase

from bot.sandbox.server import Sandbox

pytestmark = pytest.mark.browser


def test_a_message_appears_changes_and_goes(page: PageDriver, showcase: Showcase) -> None:
    """A post, its update and its deletion are on screen without a reload."""
    ts = showcase.post(section("Here"), actions(button("Yes", "yes")))
    page.message("Here")
    showcase.client.chat_update(channel="D0ALEX", ts=ts, text="x", blocks=[section("Answered: Yes")])
    page.shows("Answered: Yes", ".message")
    assert page.all("[data-action-id=yes]") == []
    showcase.client.chat_delete(channel="D0ALEX", ts=ts)
    page.hides("[data-message-ts]")


def test_a_message_that_did_not_change_is_not_repainted(page: PageDriver, showcase: Showcase) -> None:
    """What stands above keeps its elements when something new comes below."""
    showcase.post(section("Above"))
    above = page.message("Above")
    showcase.post(section("Below"))
    page.message("Below")
    assert above.is_displayed()


def test_a_new_message_is_read_out(page: PageDriver, showcase: Showcase) -> None:
    """A screen reader is told who said what."""
    showcase.post(text="Is this a derivative?")
    page.until(lambda: page.all("#announcer")[0].get_property("textContent") == "Holdfast: Is this a derivative?")


def test_a_card_that_asks_anew_is_read_out(page: PageDriver, showcase: Showcase) -> None:
    """What takes the place of the newest message is told to a screen reader; an older card that is painted anew is not."""
    old = showcase.post(section("An old card"), text="An old card")
    ts = showcase.post(section("Is this a derivative?"), text="Is this a derivative?")
    page.shows("Is this a derivative?")
    update = showcase.client.chat_update
    update(channel="D0ALEX", ts=ts, text="Is it leveraged?", blocks=[section("Is it leveraged?")])
    page.until(lambda: "Is it leveraged?" in page.script("return document.getElementById('announcer').textContent"))
    update(channel="D0ALEX", ts=old, text="Shrunk", blocks=[section("Shrunk")])
    page.shows("Shrunk")
    assert "Shrunk" not in page.script("return document.getElementById('announcer').textContent")


def test_thinking_is_shown_until_the_answer(page: PageDriver, showcase: Showcase) -> None:
    """The status line says what the app does, and goes with its next message."""
    root = showcase.post(text="Ask away")
    status = {"channel_id": "D0ALEX", "thread_ts": root, "status": "is thinking…"}
    showcase.client.assistant_threads_setStatus(**status)
    page.shows("Holdfast is thinking", "[data-role=status]")
    showcase.post(text="Here you are", thread_ts=root)
    page.message("Here you are")
    page.hides("[data-role=status]")


def test_the_list_follows_the_newest_unless_one_reads_above(page: PageDriver, showcase: Showcase) -> None:
    """At the end the list follows; further up it stays and offers what is new."""
    for number in range(30):
        showcase.post(text=f"Line {number}")
    page.message("Line 29")
    bottom = "const s = document.querySelector('.scroller'); return s.scrollHeight - s.scrollTop - s.clientHeight"
    page.until(lambda: page.script(bottom) < 2)
    page.script("document.querySelector('.scroller').scrollTop = 0")
    showcase.post(text="Something below")
    page.css(".news")
    assert page.script("return document.querySelector('.scroller').scrollTop") == 0
    page.click(".news")
    page.until(lambda: page.message("Something below").is_displayed() and page.script(bottom) < 80)


def test_a_lost_connection_is_said_and_mended(
    page: PageDriver, background: Background, sandbox: Sandbox, showcase: Showcase
) -> None:
    """When the sandbox goes the page says so; when it is back it catches up by itself."""
    port = int(sandbox.url.rpartition(":")[2])
    showcase.stop()
    background.run(sandbox.stop())
    page.shows("The connection to the sandbox is lost.", "#connection-bar")
    again = Sandbox()
    background.run(again.start(port=port))
    background.run(again.person("U0ALEX").say("Back again"))
    page.message("Back again")
    page.hides("#connection-bar")
    background.run(again.stop())
    background.run(sandbox.start())
    showcase.start()


def test_the_draft_stands_beside_the_conversation(page: PageDriver, inner: Inner) -> None:
    """Title, stage, progress, fields, locks, origins and marks are those that the code holds, and follow its changes."""
    inner.tell(DRAFT)
    page.shows("Personal account dealing", "[data-role=draft]")
    assert page.text("[data-fact=stage]") == "collecting"
    assert page.text("[data-fact=revision]") == "4"
    assert page.text("[data-role=progress]") == "1 of 2"
    states = {"security": "filled", "quantity": "asked", "why": "hidden", "note": "optional", "value": "missing"}
    page.until(lambda: states == states_of(page), f"the states {states}")
    assert page.css("[data-field=security][data-locked=true]")
    assert page.text("[data-field=security] mark") == "Tesco PLC"
    assert "Alex Reed · chose" in page.text("[data-field=security]")
    assert "Use this" in page.text("[data-field=security]")
    inner.tell({**DRAFT, "draft": {**DRAFT["draft"], "revision": 5, "progress": [2, 2]}})
    page.until(lambda: page.text("[data-role=progress]") == "2 of 2")


def revisions_of(page: PageDriver) -> list[str | None]:
    """Each event's revision, in the order of the panel."""
    return [one.get_attribute("data-event-revision") for one in page.all("[data-event-revision]")]


def states_of(page: PageDriver) -> dict[str | None, str | None]:
    """Each field's state as the panel shows it."""
    return {one.get_attribute("data-field"): one.get_attribute("data-state") for one in page.all("[data-field]")}


def test_a_ledger_stands_beside_a_form_of_operations(page: PageDriver, inner: Inner) -> None:
    """A form without questions shows what waits for a click and the rows that stand, and counts no fields."""
    inner.tell(LEDGER)
    page.shows("coffee · EUR 3.50", "[data-role=ledger]")
    page.shows("Delete an expense: 11", ".ledger-waits")
    assert page.all("[data-role=progress]") == []
    assert "0 of 0" not in page.text("#inspector")


def test_the_panel_tells_what_the_model_was_given(page: PageDriver, inner: Inner) -> None:
    """Tools with their properties, the exact prompt with its tokens, the reply and the events are one tab each."""
    inner.tell(DRAFT)
    page.shows("set_quantity", "[data-tool=set_quantity]")
    page.shows("quantity", "[data-tool=set_quantity] .property")
    page.click("[data-panel-tab=prompt]")
    page.shows("Be kind.", "[data-prompt-role=system]")
    page.shows("buy Tesco", "[data-prompt-role=user]")
    page.shows("How many?", "[data-prompt-role=reply]")
    page.shows("1,382 tokens in · 14 out", "[data-role=tokens]")
    page.click("[data-panel-tab=events]")
    page.until(lambda: revisions_of(page) == ["2", "1"], "the events, the newest first")


def test_the_panel_asks_for_the_thread_that_one_is_in(page: PageDriver, showcase: Showcase, inner: Inner) -> None:
    """The draft of the thread in which something was said last is the one that is shown."""
    root = showcase.post(text="A thread")
    showcase.post(text="In it", thread_ts=root)
    page.until(lambda: ("U0ALEX", "D0ALEX", root) in inner.asked)
    page.click("[data-person=U0DANA]")
    page.until(lambda: ("U0DANA", "D0DANA", None) in inner.asked)


def test_faults_are_set_from_the_page(page: PageDriver, sandbox: Sandbox) -> None:
    """A fault that is applied is what the sandbox plays from then on, shown at its control, and cleared with one click."""
    page.click("[data-panel-tab=faults]")
    page.click("[data-knob=rate_limit]")
    page.until(lambda: sandbox.knobs.rate_limit == {"chat.postMessage": 1})
    page.shows("chat.postMessage: 1", "[data-fault=rate_limit] [data-role=active]")
    assert page.focused().get_attribute("data-knob") == "rate_limit"
    page.type("[data-fault=redeliver] input", "2")
    page.click("[data-knob=redeliver]")
    page.until(lambda: sandbox.knobs.redeliver == 2)
    page.click("[data-knob=clear]")
    page.until(lambda: not sandbox.knobs.rate_limit and sandbox.knobs.redeliver == 0)
