"""A browser at the sandbox's page, with an app behind it: `page`, or `open_page(url)` for another."""

from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from background_loop import Background
from chromium import LAPTOP, launch
from page_driver import PageDriver
from selenium.webdriver import Chrome
from showcase_app import Inner, Showcase

from bot.sandbox.server import Sandbox
from tests.documents.conftest import write_form
from tests.world import World, world


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """One headless browser for all tests of this process."""
    driver = launch(tmp_path_factory.mktemp("chromium"))
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium: Chrome) -> Iterator[Chrome]:
    """The browser at a laptop's size, with a light page and an empty console."""
    chromium.set_window_size(*LAPTOP)
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    chromium.get_log("browser")
    yield chromium
    chromium.get("about:blank")


@pytest.fixture
def background() -> Iterator[Background]:
    """A running event loop beside the test."""
    loop = Background()
    yield loop
    loop.close()


@pytest.fixture
def inner(background: Background) -> Inner:
    """The data of the draft panel."""
    return Inner(background)


@pytest.fixture
def sandbox(background: Background, inner: Inner) -> Iterator[Sandbox]:
    """A running sandbox with a clean workspace. Its app posts as fast as a test wants: the page is looked at, not the app."""
    running = Sandbox(inspect=inner)
    inner.sandbox, running.knobs.tiers = running, 0
    background.run(running.start())
    yield running
    background.run(running.stop())


@pytest.fixture
def showcase(background: Background, sandbox: Sandbox) -> Iterator[Showcase]:
    """The tiny app, connected."""
    app = Showcase(sandbox, background)
    app.start()
    yield app
    app.stop()


@pytest.fixture
def open_page(browser: Chrome) -> Callable[[str], PageDriver]:
    """Opens the page of any running sandbox by its address, as Alex Reed in the direct message with the app."""

    def opened(url: str) -> PageDriver:
        driver = PageDriver(browser, url)
        driver.open()
        return driver

    return opened


@pytest.fixture
def page(open_page: Callable[[str], PageDriver], sandbox: Sandbox, showcase: Showcase) -> PageDriver:
    """The page with the tiny app behind it."""
    return open_page(sandbox.url)


@pytest.fixture
def whole(background: Background, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    """A whole bot on its sandbox, without a key; `@pytest.mark.parametrize("whole", [FORM], indirect=True)` gives it one more form."""
    more = {"holdfast_workflows": str(write_form(tmp_path, request.param))} if hasattr(request, "param") else {}
    stack = AsyncExitStack()
    yield background.run(stack.enter_async_context(world(tmp_path, **more)))
    background.run(stack.aclose())
