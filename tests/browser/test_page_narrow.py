"""The page on a phone: the conversation has the whole width, the rail is a drawer and the draft a sheet."""

from collections.abc import Iterator

import pytest
from chromium import PHONE, sized
from page_cards import DRAFT, EVERY_ELEMENT, actions, button, mrkdwn, section
from page_driver import PageDriver
from selenium.webdriver.common.keys import Keys
from showcase_app import Inner, Showcase
from test_page_rendering import BLOCKS

from bot.sandbox.server import Sandbox

pytestmark = pytest.mark.browser

LONG = "Verfügbarkeitsbescheinigung " * 8 + "https://example.org/" + "a" * 300
OVER_THE_EDGE = """
const scrolls = (node) => node.closest('.grid-frame, .carousel, .tabs, .prompts, pre');
return [...document.querySelectorAll('#app *')].filter((node) => node.checkVisibility() && !scrolls(node.parentElement))
  .filter((node) => node.getBoundingClientRect().right > innerWidth + 0.5).map((node) => node.outerHTML.slice(0, 100));
"""


@pytest.fixture
def phone(page: PageDriver) -> Iterator[PageDriver]:
    """The page at a phone's width."""
    with sized(page.browser, *PHONE):
        page.open()
        yield page


def left_and_right(page: PageDriver, selector: str) -> tuple[float, float]:
    """Where a part begins and ends, in pixels from the left."""
    box = page.css(selector).rect
    return box["x"], box["x"] + box["width"]


def test_the_conversation_has_the_whole_width(phone: PageDriver) -> None:
    """Neither the rail nor the draft takes anything of a phone's width until they are asked for."""
    assert left_and_right(phone, "#conversation") == (0, PHONE[0])
    phone.hides("#sidebar")
    phone.hides("#inspector")


def test_nothing_sticks_out_on_a_phone(phone: PageDriver, showcase: Showcase) -> None:
    """Every kind of block and element, long words included, ends before the edge, or scrolls in its own frame."""
    wide = {"type": "table", "rows": [[{"type": "raw_text", "text": "A column of words"}] * 12] * 3}
    showcase.post(*({**block, "block_id": name} for name, (block, _, _) in BLOCKS.items()))
    showcase.post(wide, section(LONG), actions(button(LONG[:75], "long")))
    showcase.post(*EVERY_ELEMENT)
    phone.css("[data-action-id=link]")
    assert phone.script(OVER_THE_EDGE) == []
    assert phone.script("return document.documentElement.scrollWidth") == PHONE[0]


def test_fields_stand_in_two_columns_or_in_one(page: PageDriver, showcase: Showcase) -> None:
    """A section's fields stand beside each other where there is room, and below each other on a phone, as in Slack."""
    fields = [mrkdwn("*Security*\nTesco"), mrkdwn("*Side*\nBuy")]
    showcase.post({"type": "section", "fields": fields})
    first, second = (one.rect for one in page.until(lambda: page.all(".section-field"), "the fields"))
    assert first["y"] == second["y"]
    with sized(page.browser, *PHONE):
        page.open()
        first, second = (one.rect for one in page.until(lambda: page.all(".section-field"), "the fields"))
        assert first["x"] == second["x"]


def test_the_drawer_leads_to_another_conversation(phone: PageDriver) -> None:
    """A button opens the rail over the conversation; choosing there closes it."""
    phone.click(".drawer-button")
    phone.click("[data-channel=C0GENERAL]")
    phone.shows("general", ".conversation-head")
    phone.hides("#sidebar")


def test_the_drawer_takes_the_keyboard_and_gives_it_back(phone: PageDriver) -> None:
    """Tab stays in the open drawer, Escape closes it, and the focus is on the button again."""
    phone.css(".drawer-button").send_keys(Keys.ENTER)
    phone.css("#sidebar")
    for _ in range(8):
        assert phone.script("return Boolean(document.activeElement.closest('#sidebar, body:focus, html'))")
        phone.press(Keys.TAB)
        if phone.script("return document.activeElement === document.body"):
            break
    phone.css("#sidebar .channel").send_keys(Keys.ESCAPE)
    phone.hides("#sidebar")
    assert "drawer-button" in (phone.focused().get_attribute("class") or "")


def test_the_draft_is_a_sheet(phone: PageDriver, showcase: Showcase, inner: Inner) -> None:
    """The draft comes as a sheet over the conversation, whole width, and a touch beside it puts it away."""
    showcase.post(section("A question"))
    inner.tell(DRAFT)
    phone.click(".panel-button")
    phone.shows("Tesco PLC", "#inspector")
    assert left_and_right(phone, "#inspector") == (0, PHONE[0])
    phone.script("document.getElementById('scrim').click()")
    phone.hides("#inspector")
    assert "panel-button" in (phone.focused().get_attribute("class") or "")


def test_something_new_elsewhere_is_marked_on_the_drawers_button(phone: PageDriver, showcase: Showcase) -> None:
    """The rail is out of sight, so its button tells that something is unread in it."""
    showcase.post(section("News"), channel="C0GENERAL")
    phone.css(".drawer-button[aria-label*='something is new']")


def test_a_request_is_written_and_sent_on_a_phone(phone: PageDriver, sandbox: Sandbox) -> None:
    """The message box is in reach and sends."""
    phone.type("#composer-text", "buy 200 Tesco")
    phone.click(".send")
    phone.shows("buy 200 Tesco", ".messages")
    assert sandbox.person("U0ALEX").messages()[-1]["text"] == "buy 200 Tesco"
