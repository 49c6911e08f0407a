"""An officer's upload in the browser: a file chosen in a modal, what it would change, and Confirm."""

from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from background_loop import Background
from page_driver import PageDriver

from tests.world import World, world

pytestmark = pytest.mark.browser
SHEET = "isin;name;from\nGB00BH4HKS39;Vodafone Group Plc;02.11.2026\nGB00BLGZ9862;Tesco PLC;20.11.2026\n"


@pytest.fixture
def whole(background: Background, tmp_path: Path) -> Iterator[World]:
    """The bot on its sandbox, without a key."""
    stack = AsyncExitStack()
    yield background.run(stack.enter_async_context(world(tmp_path)))
    background.run(stack.aclose())


def test_a_list_is_uploaded_on_the_page(whole: World, open_page: Callable[[str], PageDriver], tmp_path: Path) -> None:
    """A German spreadsheet's file is previewed in the modal, and confirmed it stands in App Home as the next version."""
    file = tmp_path / "restricted.csv"
    file.write_bytes(SHEET.encode("cp1252"))
    page = open_page(whole.sandbox.url)
    page.open("U0DANA", tab="home")
    page.shows("Restricted list", "[data-role=home]")
    page.act("hf-list-up.pa_dealing/restricted")
    page.shows("A CSV file with these columns")
    page.all(".modal input[type=file]")[0].send_keys(str(file))
    page.shows("restricted.csv", ".modal .file-named")
    page.click(".modal [data-role=submit]")
    page.shows("Added: 1 · removed: 0 · changed: 0 · as before: 1", ".modal")
    page.shows("Tesco PLC", ".modal")
    page.click(".modal [data-role=submit]")
    page.shows("is confirmed", ".modal")
    page.click(".modal [data-role=cancel]")
    page.open("U0DANA", tab="home")
    page.shows("version 1 from", "[data-role=home]")
    assert page.complaints() == []
