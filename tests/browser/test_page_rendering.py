"""What an app sends is on screen as Slack would show it."""

import pytest
from page_cards import EVERY_ELEMENT, button, mrkdwn, section, words
from page_driver import PageDriver
from showcase_app import Showcase

from bot.sandbox.server import Sandbox

pytestmark = pytest.mark.browser

PART = {"type": "rich_text_section", "elements": [{"type": "text", "text": "Rich", "style": {"bold": True}}]}
RICH = {"type": "rich_text", "elements": [PART, {"type": "rich_text_list", "style": "bullet", "elements": [PART]}]}
STEP = {"type": "task_card", "task_id": "t2", "title": "Ask for the quantity", "status": "in_progress"}
TASK = {"type": "task_card", "task_id": "t1", "title": "Look up the security", "status": "complete"}
CHOICE = {"type": "card", "title": mrkdwn("A choice"), "actions": [button("Take", "choice")]}
CARD = {"type": "card", "title": mrkdwn("A *card*"), "body": mrkdwn("Its body"), "actions": [button("Choose", "card")]}
BLOCKS = {
    "header": ({"type": "header", "text": words("A heading")}, "h3", "A heading"),
    "section": (section("A *bold* word"), "strong", "bold"),
    "fields": ({"type": "section", "fields": [mrkdwn("*Security*\nTesco")]}, ".section-field", "Security\nTesco"),
    "context": ({"type": "context", "elements": [mrkdwn("5 of 13")]}, ".context-text", "5 of 13"),
    "divider": ({"type": "divider"}, "hr", ""),
    "image": ({"type": "image", "image_url": "https://example.org/a.png", "alt_text": "A chart"}, "[role=img]", "A chart"),
    "markdown": ({"type": "markdown", "text": "# Big\n- one\n- two\n\n**strong** `code`"}, "ul li", "one"),
    "rich_text": (RICH, "ul strong", "Rich"),
    "table": ({"type": "table", "rows": [[{"type": "raw_text", "text": "Head"}]]}, "th", "Head"),
    "alert": ({"type": "alert", "level": "warning", "text": mrkdwn("Careful")}, ".alert-warning", "Careful"),
    "card": (CARD, ".card button", "Choose"),
    "carousel": ({"type": "carousel", "elements": [CHOICE]}, ".carousel .card-title", "A choice"),
    "container": ({"type": "container", "title": words("Held"), "child_blocks": [section("Inside")]}, ".container-body", "Inside"),
    "task_card": (TASK, ".task-complete", "Look up the security"),
    "plan": ({"type": "plan", "title": "The plan", "tasks": [STEP]}, ".card-title", "The plan"),
}  # fmt: skip


def test_every_block_kind_is_drawn(page: PageDriver, showcase: Showcase) -> None:
    """Each kind of block stands in the conversation with its words in the element that fits them."""
    showcase.post(*({**block, "block_id": name} for name, (block, _, _) in BLOCKS.items()))
    page.css(".message [data-block-id=plan]")
    for name, (_, selector, shown) in BLOCKS.items():
        found = [one.text for one in page.all(f".message [data-block-id='{name}'] {selector}")]
        assert any(shown in one for one in found), (name, found)
    assert page.all(".unknown") == []
    assert page.complaints() == []


def test_every_element_kind_is_drawn(page: PageDriver, showcase: Showcase) -> None:
    """Each kind of interactive element has a control that carries its action id, and nothing is left undrawn."""
    showcase.post(*EVERY_ELEMENT)
    page.css("[data-action-id=link]")
    wanted = "menu dots broker somebody somewhere several one some date time plain sure link"
    assert set(wanted.split()) == {
        found.get_attribute("data-action-id") for found in page.all(".message [data-action-id]")
    }
    assert page.all(".unknown") == []


MARKS = {
    "*bold*": ("strong", "bold"), "_slanted_": ("em", "slanted"), "~gone~": ("s", "gone"),
    "`code`": ("code", "code"), "```block```": ("pre", "block"), "> quoted": ("blockquote", "quoted"),
    "<https://example.org|a link>": ("a[href='https://example.org/'][rel~=noopener]", "a link"),
    "<@U0DANA>": (".mention", "@Dana Quill"), "<#C0GENERAL>": (".mention", "#general"),
    "<!channel>": (".mention", "@channel"), "fish &amp; chips": (".run", "fish & chips"),
}  # fmt: skip


def test_mrkdwn_is_formatted(page: PageDriver, showcase: Showcase) -> None:
    """Each mark of Slack's mrkdwn becomes the element that means it."""
    showcase.post(*(section(written) for written in MARKS))
    page.shows("fish & chips", ".message")
    for place, (written, (selector, shown)) in zip(page.all(".message .section-text"), MARKS.items(), strict=True):
        assert [one.text for one in place.find_elements("css selector", selector)] == [shown], written


def test_words_that_only_look_like_marks_stay_as_they_are(page: PageDriver, showcase: Showcase) -> None:
    """Signs inside words and sums, and shortcodes that nobody knows, are text."""
    written = "snake_case_name 5*3*2 a ~ b 10:30:45 :nobody_knows: * not bold *"
    showcase.post(section(written))
    assert page.css(".message .section-text").text == written


def test_a_message_says_who_when_and_that_it_was_edited(page: PageDriver, showcase: Showcase) -> None:
    """An app's message has its name, the APP badge and a time, and after a change the edited mark."""
    ts = showcase.post(text="First words")
    message = page.message("First words")
    assert "Holdfast" in message.text
    assert "APP" in message.text
    assert page.text(".message .time")
    showcase.client.chat_update(channel="D0ALEX", ts=ts, text="Second words")
    page.shows("(edited)", ".message")
    page.shows("Second words", ".message")


def test_a_private_message_is_marked_and_dismissed(page: PageDriver, showcase: Showcase) -> None:
    """An ephemeral message says that only this person sees it, and goes when it is dismissed."""
    showcase.client.chat_postEphemeral(channel="D0ALEX", user="U0ALEX", text="Only for Alex")
    assert "Only visible to you" in page.message("Only for Alex").text
    page.script("document.querySelector('.ephemeral [data-focus=dismiss]').click()")
    page.hides(".ephemeral")


def test_a_long_message_opens_on_demand(page: PageDriver, showcase: Showcase) -> None:
    """A message of 40,000 characters shows its beginning; the rest is drawn on "Show more" and goes on "Show less"."""
    showcase.person().say("word " * 8_000)
    page.message("Show more (40,000 characters)")
    assert len(page.text(".message [data-role=content]")) < 2_000
    page.click(".message .link-button")
    page.until(lambda: len(page.text(".message [data-role=content]")) > 39_000)
    page.click(".message .link-button")
    page.until(lambda: len(page.text(".message [data-role=content]")) < 2_000)


def test_words_of_any_script_stay_inside_the_column(page: PageDriver, showcase: Showcase) -> None:
    """A word without end does not widen the page, and right-to-left text starts at the right."""
    showcase.person().say("Donau" * 200)
    showcase.person().say("שלום 200 סהם")
    page.message("שלום")
    assert page.script("return document.documentElement.scrollWidth") <= page.script("return innerWidth")
    column = page.css(".messages-pane .scroller")
    assert column.get_property("scrollWidth") <= column.get_property("clientWidth")
    assert page.script("return getComputedStyle([...document.querySelectorAll('.run')].at(-1)).direction") == "rtl"


def test_a_file_is_a_link_to_its_bytes(page: PageDriver, sandbox: Sandbox, showcase: Showcase) -> None:
    """A shared file shows its name, kind and size, and downloads from the sandbox."""
    showcase.person().upload("note.txt", b"twelve bytes", "text/plain")
    assert "note.txt" in page.message("text/plain · 12 bytes").text
    link = page.css(".file a")
    assert link.get_attribute("download") == "note.txt"
    assert page.script("return fetch(arguments[0]).then((r) => r.text())", link.get_attribute("href")) == "twelve bytes"


@pytest.mark.parametrize("width", [1440, 1280, 1024])
def test_nothing_sticks_out_at_a_laptops_width(width: int, page: PageDriver, showcase: Showcase) -> None:
    """Everything fits beside each other from 1024 pixels on."""
    page.browser.set_window_size(width, 800)
    showcase.post(*EVERY_ELEMENT)
    page.css("[data-action-id=link]")
    assert page.script("return document.documentElement.scrollWidth") <= page.script("return innerWidth")
    for part in ("#sidebar", "#conversation", "#inspector", ".messages-pane .scroller"):
        assert page.css(part).get_property("scrollWidth") <= page.css(part).get_property("clientWidth"), part
