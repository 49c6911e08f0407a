"""Each kind of element, used with the mouse, tells the app what was chosen."""

from typing import Any

import pytest
from page_cards import EVERY_ELEMENT, actions, button, section
from page_driver import PageDriver
from selenium.webdriver.common.keys import Keys
from showcase_app import Showcase

pytestmark = pytest.mark.browser

Json = dict[str, Any]


@pytest.fixture
def card(page: PageDriver, showcase: Showcase) -> PageDriver:
    """The page with one card of every element."""
    showcase.post(*EVERY_ELEMENT)
    page.css("[data-action-id=link]")
    return page


def heard(page: PageDriver, showcase: Showcase, action_id: str) -> Json:
    """The newest action with this id that the app heard."""

    def of_this() -> list[Json]:
        return [action for one in showcase.actions for action in one["actions"] if action["action_id"] == action_id]

    return page.until(of_this, f"the app hearing {action_id}")[-1]


def test_a_button_tells_its_value(card: PageDriver, showcase: Showcase) -> None:
    """A click arrives with the button's value, its message and the person."""
    card.act("plain")
    assert heard(card, showcase, "plain")["value"] == "plain"
    assert showcase.actions[-1]["user"]["id"] == "U0ALEX"
    assert showcase.actions[-1]["message"]["blocks"]


def test_a_confirmed_button_asks_first(card: PageDriver, showcase: Showcase) -> None:
    """A button with a confirmation is sent only when the person agrees."""
    card.act("sure")
    card.shows("Are you sure?", "dialog")
    card.click("[data-role=deny]")
    card.hides("dialog")
    card.act("sure")
    card.click("[data-role=confirm]")
    heard(card, showcase, "sure")
    assert [one["actions"][0]["action_id"] for one in showcase.actions] == ["sure"]


def test_a_link_button_leads_out_and_is_told(card: PageDriver, showcase: Showcase) -> None:
    """A button with an address is a link in a tab of its own, and the app hears of it."""
    link = card.css("[data-action-id=link]")
    assert link.get_attribute("href") == "https://example.org/"
    assert link.get_attribute("target") == "_blank"
    card.script("arguments[0].addEventListener('click', (event) => event.preventDefault())", link)
    link.click()
    heard(card, showcase, "link")


PICKED: dict[str, tuple[str, str, Any]] = {
    "menu": ("No", "selected_option", "no"),
    "dots": ("Undo", "selected_option", "undo"),
    "somebody": ("Dana Quill", "selected_user", "U0DANA"),
    "somewhere": ("#general", "selected_channel", "C0GENERAL"),
}


@pytest.mark.parametrize("menu", PICKED)
def test_a_menu_tells_what_was_chosen(card: PageDriver, showcase: Showcase, menu: str) -> None:
    """Choosing in a static menu, behind the dots, among people and among channels arrives as that option, person or channel."""
    words, key, value = PICKED[menu]
    card.pick(menu, words)
    told = heard(card, showcase, menu)[key]
    assert (told["value"] if isinstance(told, dict) else told) == value
    if menu == "menu":
        card.until(lambda: card.css("[data-action-id=menu]").get_property("value") == "No")


def test_radio_buttons_and_a_time_tell_their_value(card: PageDriver, showcase: Showcase) -> None:
    """A radio button arrives as the selected option, a time in 24 hours."""
    card.click("[data-action-id=one] [data-value=yes]")
    assert heard(card, showcase, "one")["selected_option"]["value"] == "yes"
    card.css("[data-action-id=time]").send_keys("0230PM", Keys.TAB)
    assert heard(card, showcase, "time")["selected_time"] == "14:30"


def test_an_external_menu_asks_the_app(card: PageDriver, showcase: Showcase) -> None:
    """A typeahead says how much to type, shows what the app finds, and tells what was chosen."""
    card.act("broker")
    card.shows("Type at least 2 characters")
    card.type("[data-action-id=broker]", "harb")
    card.until(lambda: [one.text for one in card.all("[role=option]") if one.is_displayed()] == ["Harbour ISA"])
    card.press(Keys.ENTER)
    assert heard(card, showcase, "broker")["selected_option"]["value"] == "Harbour ISA"


def test_a_menu_for_several_tells_all_of_them(card: PageDriver, showcase: Showcase) -> None:
    """Each choice is added to those before, and can be taken away again."""
    card.pick("several", "Red")
    heard(card, showcase, "several")
    card.pick("several", "Blue")
    card.until(lambda: len(showcase.actions) == 2)
    card.click("[aria-label='Remove Red']")
    card.until(lambda: len(showcase.actions) == 3)
    chosen = [[option["value"] for option in one["actions"][0]["selected_options"]] for one in showcase.actions]
    assert chosen == [["red"], ["red", "blue"], ["blue"]]


def test_checkboxes_tell_all_that_are_ticked(card: PageDriver, showcase: Showcase) -> None:
    """Ticking a second box arrives with the first one."""
    card.click("[data-action-id=some] [data-value=yes]")
    heard(card, showcase, "some")
    card.click("[data-action-id=some] [data-value=no]")
    card.until(lambda: len(showcase.actions) == 2)
    assert [option["value"] for option in showcase.actions[-1]["actions"][0]["selected_options"]] == ["yes", "no"]


def test_a_date_is_told_once_it_is_whole(card: PageDriver, showcase: Showcase) -> None:
    """Typing a date sends it once, not the years and months that pass by while it is typed."""
    picker = card.css("[data-action-id=date]")
    picker.send_keys("11202026")
    assert heard(card, showcase, "date")["selected_date"] == "2026-11-20"
    picker.send_keys(Keys.LEFT, Keys.LEFT, "1")
    picker.send_keys("2")
    card.until(lambda: len(showcase.actions) > 1)
    assert [one["actions"][0]["selected_date"] for one in showcase.actions] == ["2026-11-20", "2026-12-20"]


def test_feedback_is_a_pair_of_buttons(page: PageDriver, showcase: Showcase) -> None:
    """Thumbs under an answer are clicked like buttons, and the one that was pressed last is marked."""
    up, down = ({"text": {"type": "plain_text", "text": one}, "value": one} for one in ("good", "bad"))
    feedback = {"type": "feedback_buttons", "action_id": "thumbs", "positive_button": up, "negative_button": down}
    showcase.post(section("An answer"), {"type": "context_actions", "elements": [feedback]})
    page.click("[data-action-id=thumbs][data-value=bad]")
    assert heard(page, showcase, "thumbs")["value"] == "bad"
    page.css("[data-value=bad][aria-pressed=true]")
    page.click("[data-action-id=thumbs][data-value=good]")
    page.css("[data-value=good][aria-pressed=true]")
    page.css("[data-value=bad][aria-pressed=false]")


def test_a_refused_click_says_so(page: PageDriver, showcase: Showcase) -> None:
    """Without the app a click shows a quiet sentence, and the button can be used again."""
    showcase.post(actions(button("Go", "go")))
    page.css("[data-action-id=go]")
    showcase.stop()
    page.shows("is not connected", "#sidebar")
    page.act("go")
    page.shows("The app is not connected, so nothing happened.", "#toasts")
    page.until(lambda: page.css("[data-action-id=go]").get_attribute("aria-busy") is None)


def test_a_refused_choice_goes_back(card: PageDriver, showcase: Showcase) -> None:
    """A menu and a radio button whose choice was not taken show again what stood there before."""
    showcase.stop()
    card.shows("is not connected", "#sidebar")
    card.pick("menu", "No")
    card.shows("The app is not connected, so nothing happened.", "#toasts")
    card.until(lambda: card.css("[data-action-id=menu]").get_property("value") == "")
    radio = "[data-action-id=one] [data-value=yes]"
    card.click(radio)
    card.until(lambda: not card.css(radio).is_selected())


def test_the_same_button_twice_in_a_hurry_is_one_click(page: PageDriver, showcase: Showcase) -> None:
    """While a click is under way its button takes no second one."""
    showcase.post(actions(button("Go", "go")))
    page.script("arguments[0].click(); arguments[0].click()", page.css("[data-action-id=go]"))
    heard(page, showcase, "go")
    page.until(lambda: page.css("[data-action-id=go]").get_attribute("aria-busy") is None)
    assert len(showcase.actions) == 1
