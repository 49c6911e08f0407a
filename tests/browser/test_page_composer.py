"""Writing: sending, lines, commands, mentions, threads, files, edits."""

from pathlib import Path

import pytest
from page_driver import PageDriver
from selenium.webdriver.common.keys import Keys
from showcase_app import Showcase

from bot.sandbox.server import Sandbox

pytestmark = pytest.mark.browser


def test_enter_sends_and_shift_enter_breaks_the_line(page: PageDriver, sandbox: Sandbox) -> None:
    """Enter sends what was written, with the lines that Shift+Enter made, and empties the box."""
    page.css("#composer-text").click()
    page.press("one")
    page.press(Keys.ENTER, holding=Keys.SHIFT)
    page.press("two", Keys.ENTER)
    page.message("one\ntwo")
    assert [one["text"] for one in sandbox.person("U0ALEX").messages()] == ["one\ntwo"]
    page.until(lambda: page.css("#composer-text").get_property("value") == "")


def test_nothing_is_not_sent(page: PageDriver, sandbox: Sandbox) -> None:
    """Enter on blanks sends nothing, and the send button is off."""
    page.say("   ")
    assert not page.css(".send").is_enabled()
    page.say("something")
    page.message("something")
    assert len(sandbox.person("U0ALEX").messages()) == 1


def test_a_slash_offers_the_commands(page: PageDriver, showcase: Showcase) -> None:
    """A slash lists the app's commands, Tab completes one, and its answer is private."""
    page.type("#composer-text", "/p")
    page.shows("/pa", "[role=listbox]:not([hidden])")
    page.press(Keys.TAB)
    page.until(lambda: page.css("#composer-text").get_property("value") == "/pa ")
    page.press("status", Keys.ENTER)
    assert "Only visible to you" in page.message("You asked for status").text
    assert showcase.commands[0]["text"] == "status"


def test_an_at_sign_offers_names(page: PageDriver, showcase: Showcase) -> None:
    """An at sign in a channel lists the app and the people, and the app hears that it was mentioned."""
    page.click("[data-channel=C0GENERAL]")
    page.shows("general", ".conversation-head")
    page.type("#composer-text", "hello @Hold")
    page.shows("@Holdfast", "[role=listbox]:not([hidden])")
    page.press(Keys.ENTER)
    page.press("please", Keys.ENTER)
    page.message("hello @Holdfast please")
    heard = page.until(lambda: [one for one in showcase.events if one["type"] == "app_mention"])
    assert heard[0]["text"] == "hello <@U0HOLDFAST> please"


def test_a_reply_stands_in_its_thread(page: PageDriver, showcase: Showcase) -> None:
    """A reply is indented under its message, with what the app says there; Escape leaves the thread."""
    alex = showcase.person()
    ts = alex.say("The first")
    alex.say("The second")
    page.script("arguments[0].querySelector('[data-focus=reply]').click()", page.message("The first"))
    page.shows("Replying to Alex Reed: The first", ".composer")
    page.say("An answer")
    assert "reply" in page.message("An answer").get_attribute("class")
    last_lines = [one.text.splitlines()[-1] for one in page.all("[data-message-ts]")]
    assert last_lines == ["The first", "An answer", "The second"]
    assert alex.messages()[-1]["thread_ts"] == ts
    page.shows("1 reply", ".foot")
    page.css("#composer-text").send_keys(Keys.ESCAPE)
    page.hides(".answering")
    page.say("Outside")
    page.message("Outside")
    assert "thread_ts" not in alex.messages()[-1]


def test_a_file_is_attached_and_sent(page: PageDriver, sandbox: Sandbox, tmp_path: Path) -> None:
    """A chosen file waits as a chip, can be taken away, and goes with the words in one message."""
    note = tmp_path / "note.txt"
    note.write_text("hello")
    picker = page.all(".composer input[type=file]")[0]
    picker.send_keys(str(note))
    page.click("[aria-label='Remove note.txt']")
    page.hides(".attached .chip")
    picker.send_keys(str(note))
    page.shows("note.txt", ".attached")
    page.say("Here it is")
    page.message("note.txt")
    (sent,) = sandbox.person("U0ALEX").messages()
    assert (sent["text"], [file["name"] for file in sent["files"]]) == ("Here it is", ["note.txt"])


def test_ones_own_message_is_edited_and_deleted(page: PageDriver, showcase: Showcase) -> None:
    """One can mend one's own words and take them away; other people's not."""
    alex = showcase.person()
    alex.say("Buy 200 & <wait>")
    page.script("arguments[0].querySelector('[data-focus=edit]').click()", page.message("Buy 200"))
    assert page.css(".editor textarea").get_property("value") == "Buy 200 & <wait>"
    page.type(".editor textarea", "Buy 250")
    page.press(Keys.ENTER)
    assert "(edited)" in page.message("Buy 250").text
    page.click("[data-channel=C0GENERAL]")
    showcase.person("U0DANA").say("Not yours", channel="C0GENERAL")
    assert page.message("Not yours").find_elements("css selector", "[data-focus=edit], [data-focus=delete]") == []
    page.click("[data-channel=D0ALEX]")
    page.script("arguments[0].querySelector('[data-focus=delete]').click()", page.message("Buy 250"))
    page.until(lambda: alex.messages() == [])
    page.hides("[data-message-ts]")


def test_a_suggested_prompt_is_said_with_a_click(page: PageDriver, showcase: Showcase) -> None:
    """Suggested prompts stand above the box; one click says the prompt's message, and they go until there are others."""
    prompts = [{"title": "Start", "message": "I want to trade"}]
    showcase.client.assistant_threads_setSuggestedPrompts(channel_id="D0ALEX", prompts=prompts)
    page.click("[data-prompt=Start]")
    page.message("I want to trade")
    page.hides(".prompts")
    other = [{"title": "Help", "message": "help"}]
    showcase.client.assistant_threads_setSuggestedPrompts(channel_id="D0ALEX", prompts=other)
    page.css("[data-prompt=Help]")
    page.say("No, thank you")
    page.hides(".prompts")


def test_what_was_begun_stays_in_its_conversation(page: PageDriver) -> None:
    """Words that were not sent wait where they were written."""
    page.type("#composer-text", "half a sen")
    page.click("[data-channel=C0GENERAL]")
    page.until(lambda: page.css("#composer-text").get_property("value") == "")
    page.click("[data-channel=D0ALEX]")
    page.until(lambda: page.css("#composer-text").get_property("value") == "half a sen")


def test_a_refused_message_comes_back(page: PageDriver, sandbox: Sandbox) -> None:
    """Words that the sandbox does not take are said to be refused and stand in the box again."""
    page.script("document.querySelector('#composer-text').value = 'x'.repeat(40001)")
    page.css("#composer-text").send_keys("y", Keys.ENTER)
    page.shows("A message has at most 40,000 characters.", "#toasts")
    page.until(lambda: len(page.css("#composer-text").get_property("value")) == 40_002)
