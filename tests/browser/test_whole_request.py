"""A whole request in the browser: the real bot behind the page, every answer by keyboard and mouse, the draft beside it."""

from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from background_loop import Background
from page_driver import PageDriver

from tests.whole.steps import OPENING, REASON
from tests.world import World, world

pytestmark = pytest.mark.browser


@pytest.fixture
def whole(background: Background, tmp_path: Path) -> Iterator[World]:
    """The bot on its sandbox, without a key."""
    stack = AsyncExitStack()
    made = background.run(stack.enter_async_context(world(tmp_path)))
    yield made
    background.run(stack.aclose())


def click_in(page: PageDriver, question: str, label: str) -> None:
    """Click a button on the newest message with this question."""

    def clicked() -> bool:
        buttons = page.message(question).find_elements("css selector", "button[data-action-id]")
        next(b for b in buttons if b.text.strip() == label).click()
        return True

    page.until(clicked, f"{label} below “{question}”")


def test_a_request_is_filed_in_the_page(
    whole: World, open_page: Callable[[str], PageDriver], background: Background
) -> None:
    """From the first word to the receipt: cards turn into answers, the panel shows the draft as it is, one record stands at the end."""
    page = open_page(whole.sandbox.url)

    def click(question: str, label: str) -> None:
        page.message(question)
        background.run(whole.read())
        click_in(page, question, label)

    page.say(OPENING)
    click("This is what I read", "Use all of it")
    page.shows("Account: pension")
    click("Tesco PLC", "Use this")
    for question, field in (
        ("Is this a derivative?", "is_derivative"),
        ("Is this a leveraged product?", "is_leveraged"),
        ("Do you hold any inside information", "has_inside_info"),
        ("connected to you", "is_related_party"),
        ("conflict", "has_client_conflict"),
    ):
        click(question, "No")
        page.css(f"[data-field='{field}'][data-state='filled'][data-locked='true']")
    click("I understand", "I understand")
    page.message("why do you want to make this trade?")
    background.run(whole.read())
    page.say(REASON)
    page.shows("Review · everything you told me")
    click("Review", "Submit")
    page.shows("Submitted · PA-")
    background.run(whole.settled())
    (record,) = background.run(whole.records())
    assert record.body["values"]["justification"]["data"] == REASON
    page.shows(record.number, "#draft-panel" if page.all("#draft-panel") else "body")
    assert page.complaints() == []
