"""Plays README's request in the page and keeps pictures of it: `PYTHONPATH=. python tests/browser/screenshots.py FOLDER`.

With `docs` behind the folder it keeps what docs/how_to shows, and no more (`make animation`).

It clicks what stands on the newest card and types where words are asked for, so that it goes on working when cards change.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import officers_story
from background_loop import Background
from chromium import launch, sized
from page_driver import PageDriver
from PIL import Image
from selenium.webdriver import Chrome

from tests.whole.steps import OPENING, REASON
from tests.world import World, world

SIZES = {"1440": (1440, 900), "1280": (1280, 800), "390": (390, 844)}
SHOWN = {"queue": "#conversation", "conditions-card": "#conversation", "ask-box": "dialog", "story": "dialog"}
"""Pictures that the documentation shows, and which part of the page."""
PRESSED = ("Use all of it", "Use this", "I understand", "No", "Submit")
"""What is pressed first where the newest card offers several."""
MOST = 25
"""Acts after which a request that is not filed will never be."""
QUIET = 0.5
"""Seconds without a change after which the page stands still."""
BUTTONS = """
const cards = [...document.querySelectorAll('.message')].filter((node) => node.querySelector('button[data-action-id]'));
return [...(cards.at(-1)?.querySelectorAll('button[data-action-id], label.choice') ?? [])];
"""
OVERFLOW = """
return [document.documentElement.scrollWidth > innerWidth,
  ...[...document.querySelectorAll('#sidebar, #conversation, .messages-pane .scroller')]
    .filter((node) => node.checkVisibility()).map((node) => node.scrollWidth > node.clientWidth)].some(Boolean);
"""
HEIGHT = "return Math.round(document.querySelector('.messages').lastElementChild?.getBoundingClientRect().height ?? 0)"


class Camera:
    """One size of page; `keep(name)` saves what it shows."""

    def __init__(self, page: PageDriver, folder: Path, size: str, answered: Callable[[], None]) -> None:
        self.page, self.folder, self.size, self.taken, self.answered = page, folder, size, 0, answered

    def keep(self, name: str) -> None:
        """Save a picture once the page stands still."""
        self.settle()
        if self.size == "docs":
            self._show(name)
            return
        self.taken += 1
        path = self.folder / f"{self.size}-{self.taken:02}-{name}.png"
        self.page.browser.save_screenshot(str(path))
        beyond = " SOMETHING STICKS OUT" if self.page.script(OVERFLOW) else ""
        sys.stdout.write(f"{path} (newest message {self.page.script(HEIGHT)} px){beyond}\n")

    def _show(self, name: str) -> None:
        """Save a picture of the documentation's, in few colours."""
        if name in SHOWN:
            path = self.folder / f"{name}.png"
            self.page.css(SHOWN[name]).screenshot(str(path))
            Image.open(path).quantize(64).save(path, optimize=True)
            sys.stdout.write(f"{path} ({path.stat().st_size} bytes)\n")

    def settle(self) -> None:
        """Wait until the bot has answered and nothing changes any more."""
        self.answered()
        before, since = "", time.monotonic()
        while time.monotonic() - since < QUIET:
            now = self.page.script("return document.body.innerHTML")
            before, since = (now, time.monotonic()) if now != before else (before, since)
            time.sleep(QUIET / 8)


def play(camera: Camera) -> None:
    """From the first word to the receipt, and a look at what stands beside it."""
    page = camera.page
    camera.keep("empty")
    page.say(OPENING)
    camera.keep("said")
    for number in range(MOST):
        camera.settle()
        if "PA-2" in page.text(".messages"):
            break
        pressed = _act(page)
        if number in (0, 3) or pressed == "I understand":
            camera.keep(f"after-{number}")
        if pressed == REASON:
            camera.keep("review")
    camera.keep("receipt")
    page.click("[data-tab=home]")
    camera.keep("home")
    page.click("[data-tab=messages]")


def officers(camera: Camera) -> None:
    """A larger request, and everything that reviewers do with it."""
    officers_story.tell(camera, _act, MOST)


def _act(page: PageDriver) -> str:
    """Press the first of what is to be pressed on the newest card, or type the reason."""
    shown = {node.text.strip(): node for node in page.script(BUTTONS)}
    for label in PRESSED:
        if label in shown:
            shown[label].click()
            return label
    page.say(REASON)
    return REASON


def expenses(camera: Camera) -> None:
    """A line that waits, one that is done, and the month's summary."""
    page = camera.page
    page.say("/expenses")
    camera.settle()
    for words in ("£4 coffee today", "train to Leeds £38.50 today", "lunch 12,80"):
        page.say(words)
        camera.settle()
    camera.keep("expenses")
    page.say("summary this month")
    camera.keep("month")


def beside(camera: Camera) -> None:
    """On a phone: the drawer and the sheet; on a screen: the dark page."""
    page = camera.page
    if camera.size == "390":
        page.click(".panel-button")
        camera.keep("sheet")
        page.click("#inspector [data-over-close]")
        page.click(".drawer-button")
        camera.keep("drawer")
        page.click("#sidebar [data-over-close]")
        return
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    camera.keep("dark")
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


PARTS: tuple[Callable[[Camera], None], ...] = (play, officers, expenses, beside)


@contextmanager
def running(background: Background) -> Iterator[World]:
    """A whole bot on its sandbox, without a key."""
    stack = AsyncExitStack()
    with tempfile.TemporaryDirectory() as var:
        yield background.run(stack.enter_async_context(world(Path(var))))
        background.run(stack.aclose())


def take(browser: Chrome, folder: Path, size: str) -> None:
    """All pictures of one size."""
    background = Background()
    with running(background) as made, sized(browser, *SIZES.get(size, (1100, 1000))):
        page = PageDriver(browser, made.sandbox.url)
        page.open()
        camera = Camera(page, folder, size, lambda: background.run(made.read()))
        for part in PARTS if size in SIZES else (officers,):
            part(camera)
        sys.stdout.writelines(f"the console says: {line}\n" for line in page.complaints())
        browser.get("about:blank")
    background.close()


def main(folder: Path, sizes: list[str]) -> None:
    """Pictures of these sizes, or of all."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        browser = launch(Path(profile))
        try:
            for size in sizes or list(SIZES):
                take(browser, folder, size)
        finally:
            browser.quit()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
