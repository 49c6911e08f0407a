"""A browser at the sandbox's page, with an app behind it: `browser`, `background`, `sandbox`, `showcase`, `page`."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from background import Background
from chromium import LAPTOP, launch
from page_driver import PageDriver
from selenium.webdriver import Chrome
from showcase_app import Showcase

from bot.sandbox.server import Sandbox


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


@dataclass
class Inner:
    """What `/ui/inspect` tells in these tests: set `told` and call `changed()`."""

    told: dict[str, Any] | None = None
    asked: list[tuple[str, str, str | None]] = field(default_factory=list)

    async def __call__(self, person: str, channel: str, thread_ts: str | None) -> dict[str, Any] | None:
        """The callable that the sandbox is given."""
        self.asked.append((person, channel, thread_ts))
        return self.told


@pytest.fixture
def inner() -> Inner:
    """The data of the draft panel."""
    return Inner()


@pytest.fixture
def sandbox(background: Background, inner: Inner) -> Iterator[Sandbox]:
    """A running sandbox with a clean workspace."""
    running = Sandbox(inspect=inner)
    background.run(running.start())
    yield running
    background.run(running.stop())


@pytest.fixture
def showcase(background: Background, sandbox: Sandbox) -> Iterator[Showcase]:
    """The tiny app, connected."""
    app = Showcase(sandbox)
    background.run(app.start())
    yield app
    background.run(app.stop())


@pytest.fixture
def page(browser: Chrome, sandbox: Sandbox, showcase: Showcase) -> PageDriver:
    """The page, open as Alex Reed in the direct message with the app."""
    driver = PageDriver(browser, sandbox.url)
    driver.open()
    return driver
