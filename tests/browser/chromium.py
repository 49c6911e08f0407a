"""Headless Chromium from the system's packages: found or loudly missed, never downloaded."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

from tests import clocks

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--force-device-scale-factor=1",
)  # fmt: skip
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LAPTOP = (1440, 900)
PHONE = (390, 844)


def installed() -> tuple[str, str]:
    """Where the browser and its driver are; skips the test without them, or fails it where CI is set."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    if browser and driver:
        return browser, driver
    reason = "THE PAGE WAS NOT TESTED: chromium and chromedriver are not installed (Debian: chromium-driver)"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def launch(profile: Path) -> Chrome:
    """A browser with an empty profile in `profile`, and its console's messages kept."""
    browser, driver = installed()
    options = ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return Chrome(options=options, service=Service(driver, env=clocks.own_time()))


@contextmanager
def sized(browser: Chrome, width: int, height: int) -> Iterator[None]:
    """The page as on a screen of this size; a window of Chromium's own is never narrower than 500 pixels."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
