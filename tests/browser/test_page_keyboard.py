"""The page without a mouse."""

import pytest
from page_cards import actions, button, element, entry, modal, option, section
from page_driver import PageDriver
from selenium.webdriver.common.keys import Keys
from showcase_app import Showcase

pytestmark = pytest.mark.browser

VISIBLE = """
const style = getComputedStyle(document.activeElement), box = document.activeElement.closest('.switcher, .composer-box, .person');
const ring = (s) => s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== 'none';
return ring(style) || (box && ring(getComputedStyle(box)));
"""


IN_TURN = (
    """
.skip | [name=person] | [type=search] | .channel | [data-tab=messages] | .panel-button | .scroller | [data-action-id=yes] |
[data-action-id=no] | [data-focus=reply] | [aria-label='Attach a file'] | #composer-text | [data-panel-tab=tools] | .panel-pane
""".replace("\n", " ")
    .strip()
    .split(" | ")
)


def test_ctrl_k_jumps_to_a_conversation(page: PageDriver) -> None:
    """Ctrl+K puts the focus into the switcher; a few letters and Enter open the conversation."""
    page.press("k", holding=Keys.CONTROL)
    assert page.focused().get_attribute("aria-label") == "Jump to a conversation"
    page.press("gen", Keys.ENTER)
    page.shows("general", ".conversation-head")


def test_arrows_walk_the_conversations(page: PageDriver) -> None:
    """From the switcher the arrow keys go down the list, and Enter opens what has the focus."""
    page.press("k", holding=Keys.CONTROL)
    page.press(Keys.DOWN)
    assert page.focused().get_attribute("data-channel") == "D0ALEX"
    page.press(Keys.DOWN, Keys.ENTER)
    page.shows("general", ".conversation-head")
    assert page.focused().get_attribute("data-channel") == "C0GENERAL"


def test_everything_is_reached_with_tab_and_seen(page: PageDriver, showcase: Showcase) -> None:
    """Tab reaches every part of the page, and what has the focus is always marked."""
    showcase.post(section("A question"), actions(button("Yes", "yes"), button("No", "no")))
    page.css("[data-action-id=no]")
    page.script("document.activeElement.blur()")
    for selector in IN_TURN:
        page.tab_to(selector)
        assert page.script(VISIBLE), f"no focus to be seen on {selector}"


def test_a_card_and_a_modal_are_worked_by_keys_alone(page: PageDriver, showcase: Showcase) -> None:
    """Open by Enter, choose in a menu with arrows, tick with Space, submit with Enter."""
    menu = element("static_select", "menu", options=[option("Red"), option("Green"), option("Blue")])
    showcase.views["open"] = modal(
        "Keys",
        entry("colour", "Colour", menu),
        entry("terms", "Terms", element("checkboxes", "terms", options=[option("Agree")])),
    )
    showcase.post(actions(button("Open", "open")))
    page.tab_to("[data-action-id=open]")
    page.press(Keys.ENTER)
    page.until(lambda: page.focused().get_attribute("data-action-id") == "menu")
    page.press(Keys.DOWN)
    page.shows("Green", "[role=listbox]:popover-open")
    page.press(Keys.DOWN, Keys.ENTER)
    page.until(lambda: page.focused().get_property("value") == "Green")
    page.press(Keys.TAB, Keys.SPACE)
    page.tab_to("[data-role=submit]")
    page.press(Keys.ENTER)
    values = page.until(lambda: showcase.submissions)[0]["view"]["state"]["values"]
    assert values["colour"]["menu"]["selected_option"]["value"] == "green"
    assert [one["value"] for one in values["terms"]["terms"]["selected_options"]] == ["agree"]


def test_an_overflow_menu_is_worked_by_keys(page: PageDriver, showcase: Showcase) -> None:
    """Enter opens the dots, arrows walk, Enter chooses, and the focus returns to the dots."""
    dots = element("overflow", "dots", options=[option("Copy"), option("Undo")])
    showcase.post(section("More", dots))
    page.tab_to("[data-action-id=dots]")
    page.press(Keys.ENTER, Keys.DOWN, Keys.ENTER)
    assert page.until(lambda: showcase.actions)[0]["actions"][0]["selected_option"]["value"] == "undo"
    assert page.focused().get_attribute("data-action-id") == "dots"


def test_the_focus_survives_a_repaint(page: PageDriver, showcase: Showcase) -> None:
    """A message that changes under the keyboard keeps the focus on the same button, or on itself when that is gone."""
    ts = showcase.post(section("Before"), actions(button("Yes", "yes", style="primary")))
    page.tab_to("[data-action-id=yes]")
    block = {**actions(button("Yes", "yes")), "block_id": page.focused().get_attribute("data-block-id")}
    showcase.client.chat_update(channel="D0ALEX", ts=ts, text="x", blocks=[section("After"), block])
    page.shows("After", ".message")
    assert page.focused().get_attribute("data-action-id") == "yes"
    showcase.client.chat_update(channel="D0ALEX", ts=ts, text="x", blocks=[section("Answered")])
    page.shows("Answered", ".message")
    assert page.focused().get_attribute("data-message-ts") == ts


def test_tabs_are_walked_with_arrows(page: PageDriver) -> None:
    """Left and right move between the tabs of the conversation and of the panel."""
    page.tab_to("[data-tab=messages]")
    page.press(Keys.RIGHT)
    page.css("[data-role=home]")
    assert page.focused().get_attribute("data-tab") == "home"
    page.tab_to("[data-panel-tab=tools]")
    page.press(Keys.RIGHT, Keys.RIGHT)
    page.until(lambda: page.focused().get_attribute("data-panel-tab") == "events")
    page.shows("Nothing has happened here yet.", "[data-pane=events]")


def test_motion_stops_for_those_who_ask(page: PageDriver, showcase: Showcase) -> None:
    """With reduced motion the thinking dots stand still."""
    reduced = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", reduced)
    ts = showcase.post(text="Hm")
    thinking = {"channel_id": "D0ALEX", "thread_ts": ts, "status": "is thinking…"}
    showcase.client.assistant_threads_setStatus(**thinking)
    page.css("[data-role=status]")
    running = "return parseFloat(getComputedStyle(document.querySelector('.dots i')).animationDuration)"
    assert page.script(running) < 0.001
