"""README's animation: it can be made anew, tells what it promises, and is small enough to be looked at."""

from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from animation import FILE, MOST, SIZE, Film, play, tampering, write
from background_loop import Background
from page_driver import PageDriver
from PIL import Image
from selenium.webdriver import Chrome

from tests.world import World, world

LEAST_SECONDS, MOST_SECONDS = 20, 30


@pytest.fixture
def whole(background: Background, tmp_path: Path) -> Iterator[World]:
    """The bot on its sandbox, beside the model that overwrites."""
    stack = AsyncExitStack()
    yield background.run(stack.enter_async_context(world(tmp_path, tampering(), {"only": "pa_dealing"})))
    background.run(stack.aclose())


@pytest.mark.browser
def test_the_animation_can_be_made_anew(browser: Chrome, whole: World, background: Background, tmp_path: Path) -> None:
    """Played in the page: the model's call is refused, the record has the person's answer, the file is short and small."""
    film = Film(PageDriver(browser, whole.sandbox.url), whole, background)
    try:
        play(film)
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    (record,) = background.run(whole.records())
    assert record.body["values"]["is_leveraged"]["data"] is False
    refused = [c for c in background.run(whole.bot.store.tool_calls(record.draft)) if c.status == "rejected"]
    assert [c.reason for c in refused] == ["lock"]
    write(film.pictures, tmp_path / "animation.gif")
    assert_fit(tmp_path / "animation.gif")


def test_the_animation_that_is_shown_is_short_and_small() -> None:
    """README shows the file; it runs twenty to thirty seconds, is read at README's width, and weighs at most 1.5 MB."""
    assert "](docs/animation.gif)" in (FILE.parents[1] / "README.md").read_text("utf-8")
    assert_fit(FILE)


def assert_fit(file: Path) -> None:
    """It lasts long enough, is no larger than it may be, and has the size it was made for."""
    with Image.open(file) as film:
        times = [film.info["duration"] for n in range(film.n_frames) if film.seek(n) is None]
        assert film.size == SIZE
    assert file.stat().st_size <= MOST
    assert LEAST_SECONDS <= sum(times) / 1000 <= MOST_SECONDS
