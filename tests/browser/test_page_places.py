"""Where one is: people, conversations, tabs, unread marks, the app's home."""

import pytest
from page_cards import actions, button, section
from page_driver import PageDriver
from showcase_app import Showcase

pytestmark = pytest.mark.browser


def channels(page: PageDriver) -> list[str]:
    """The names in the list of conversations."""
    return [one.text for one in page.all("#sidebar .channel")]


def test_one_acts_as_whom_one_chooses(page: PageDriver, showcase: Showcase) -> None:
    """Each person sees their own conversations, and what they say is theirs."""
    assert channels(page) == ["Holdfast", "general"]
    page.click("[data-person=U0DANA]")
    page.shows("Acting as Dana Quill", "#sidebar")
    assert channels(page) == ["Holdfast", "general", "compliance"]
    page.say("Good morning")
    page.message("Good morning")
    assert page.until(lambda: [one for one in showcase.events if one["type"] == "message"])[0]["user"] == "U0DANA"


def test_a_conversation_elsewhere_is_marked_until_it_is_read(page: PageDriver, showcase: Showcase) -> None:
    """New messages in another conversation are counted at its name, and reading it clears the count."""
    showcase.post(text="One", channel="C0GENERAL")
    showcase.post(text="Two", channel="C0GENERAL")
    page.until(lambda: page.text("[data-channel=C0GENERAL] .badge") == "2")
    page.click("[data-channel=C0GENERAL]")
    page.message("Two")
    page.hides("[data-channel=C0GENERAL] .badge")


def test_a_person_with_news_has_a_dot(page: PageDriver, showcase: Showcase) -> None:
    """Something new for somebody else shows at their face, and goes once they have looked."""
    showcase.post(text="For the officer", channel="D0DANA")
    page.css("[data-person=U0DANA] .dot")
    page.click("[data-person=U0DANA]")
    page.message("For the officer")
    page.click("[data-person=U0ALEX]")
    page.hides("[data-person=U0DANA] .dot")


def test_the_address_keeps_the_place(page: PageDriver) -> None:
    """Loading the page again leads to the same person, conversation and tab."""
    page.click("[data-person=U0ROBIN]")
    page.click("[data-channel=C0COMPLIANCE]")
    page.shows("compliance", ".conversation-head")
    page.browser.refresh()
    page.shows("compliance", ".conversation-head")
    page.shows("Acting as Robin Vale", "#sidebar")


def test_the_home_tab_shows_what_was_published(page: PageDriver, showcase: Showcase) -> None:
    """Opening Home tells the app; its view is drawn, its buttons work, and an update replaces it."""
    page.click("[data-tab=home]")
    page.shows("has not published a home for you yet")
    page.until(lambda: [one for one in showcase.events if one.get("tab") == "home"])
    showcase.publish(section("Your *requests*"), actions(button("Start", "start")))
    page.shows("Your requests", "[data-role=home]")
    page.act("start")
    heard = page.until(lambda: showcase.actions)[0]
    assert (heard["view"]["type"], heard["actions"][0]["value"]) == ("home", "start")
    showcase.publish(section("One draft is open"))
    page.shows("One draft is open", "[data-role=home]")
    page.click("[data-tab=messages]")
    page.css("#composer-text")


def test_opening_the_direct_message_is_told_to_the_app(page: PageDriver, showcase: Showcase) -> None:
    """The app hears that its messages tab was opened."""
    page.until(lambda: [one for one in showcase.events if one.get("tab") == "messages" and one["user"] == "U0ALEX"])


def test_the_foot_tells_whether_the_app_is_there(page: PageDriver) -> None:
    """The page says whether an app is connected."""
    page.shows("Holdfast is connected", "#sidebar")
