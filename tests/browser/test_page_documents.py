"""Files in the browser: sent from the composer, shown on both sides, and what the bot makes of them."""

from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from background_loop import Background
from page_driver import PageDriver

from tests.browser.test_whole_request import click_in
from tests.documents.conftest import write_form
from tests.documents.files import pdf, png
from tests.documents.test_document_readings import FORM, SLIP
from tests.world import World, world

pytestmark = pytest.mark.browser


@pytest.fixture
def whole(background: Background, tmp_path: Path) -> Iterator[World]:
    """The bot on its sandbox with the form of documents, without a key."""
    stack = AsyncExitStack()
    made = world(tmp_path, holdfast_workflows=str(write_form(tmp_path, FORM)))
    yield background.run(stack.enter_async_context(made))
    background.run(stack.aclose())


def test_a_file_is_sent_and_what_it_says_confirmed(
    whole: World, open_page: Callable[[str], PageDriver], background: Background, tmp_path: Path
) -> None:
    """A payslip goes with its words in one message, stands in the conversation as a file, and its values wait for the click."""
    slip = tmp_path / "march.pdf"
    slip.write_bytes(pdf(*SLIP))
    page = open_page(whole.sandbox.url)
    page.say("papers")
    page.shows("Please send your last payslip.")
    page.all(".composer input[type=file]")[0].send_keys(str(slip))
    page.shows("march.pdf", ".attached")
    page.say("here it is")
    page.shows("This is what I read in “march.pdf”")
    assert page.css(".file a").get_attribute("download") == "march.pdf"
    page.css("[data-field='net'][data-state='missing']")
    background.run(whole.read())
    click_in(page, "This is what I read", "All of it is right")
    page.css("[data-field='net'][data-state='filled']")
    page.shows("Is all of it true?")
    assert page.complaints() == []


def test_a_picture_of_the_bot_is_shown(
    whole: World, open_page: Callable[[str], PageDriver], background: Background
) -> None:
    """What the bot uploads stands in the conversation too, a picture as a picture."""
    page = open_page(whole.sandbox.url)
    sent = whole.bot.app.client.files_upload_v2(
        channel=whole.alex.dm, filename="chart.png", title="Chart", content=png(40, 40)
    )
    background.run(sent)
    picture = page.css(".file img")
    page.until(lambda: page.script("return arguments[0].naturalWidth", picture) == 40, "the picture is loaded")
    assert "chart.png" in page.message("chart.png").text
