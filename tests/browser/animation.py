"""`make animation`: README's pictures, played in the sandbox's page: docs/animation.gif, and docs/screenshot.png.

A sentence, clicks, a model that overwrites what was answered and is refused beside the draft that stays as it is, and the receipt.
"""

import sys
import tempfile
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import pytest
from background_loop import Background
from chromium import LAPTOP, launch
from page_driver import PageDriver
from PIL import Image
from selenium.webdriver.remote.webelement import WebElement

from bot.sandbox.models.answers import Answer, call, text, tools
from bot.sandbox.models.scripts import by_newest_message
from tests.whole.steps import OPENING, REASON
from tests.world import World, world

DOCS = Path(__file__).parents[2] / "docs"
FILE, STILL = DOCS / "animation.gif", DOCS / "screenshot.png"
SIZE = (980, 620)
"""Pixels of the page: README shows them nearly one to one."""
COLOURS = 96
MOST = 1_500_000
"""Bytes."""
PIECES = 5
"""Pictures of a sentence that is being typed."""
FAST, READ, LOOK = 0.12, 1.1, 3.2
"""Seconds of a picture: while something moves, to read a line, to look at what it is about."""
TAMPERS = tools(call("set_declarations", is_leveraged=True, words="No"))
"""What the model does as soon as the person has answered No."""

CAPTION = """
const bar = document.getElementById('animation-caption') ?? document.body.appendChild(document.createElement('div'));
bar.id = 'animation-caption';
Object.assign(bar.style, {position: 'fixed', insetInline: '0', bottom: '0', zIndex: 50, padding: '11px 24px', fontSize: '19px',
  fontWeight: '600', color: '#fff', background: arguments[1] ? '#b3261e' : '#14352e', textAlign: 'center'});
bar.textContent = arguments[0];
"""
ROOM = """
document.querySelector('#sidebar').style.display = 'none';
document.querySelector('#app').style.gridTemplateColumns = 'minmax(0, 1fr) 23.5rem';
document.querySelector('.panel-lower').style.flexGrow = '15';
document.body.style.paddingBottom = '46px';
"""
POINTER = """
const dot = document.getElementById('animation-pointer') ?? document.body.appendChild(document.createElement('div'));
dot.id = 'animation-pointer';
const box = arguments[0]?.getBoundingClientRect();
Object.assign(dot.style, {position: 'fixed', width: '22px', height: '22px', borderRadius: '50%', zIndex: 51, pointerEvents: 'none',
  background: 'rgb(179 38 30 / 55%)', border: '2px solid #fff', display: box ? 'block' : 'none',
  left: `${(box?.left ?? 0) + (box?.width ?? 0) / 2 - 11}px`, top: `${(box?.top ?? 0) + (box?.height ?? 0) / 2 - 11}px`});
"""
MARK = """
for (const one of document.querySelectorAll('[data-animation-mark]')) one.style.outline = '';
for (const one of arguments) {
  one.dataset.animationMark = '';
  Object.assign(one.style, {outline: '3px solid #b3261e', outlineOffset: '0', borderRadius: '8px'});
  one.scrollIntoView({block: 'center'});
}
"""


@dataclass
class Film:
    """Pictures of the page, each with how long it stays."""

    page: PageDriver
    world: World
    background: Background
    pictures: list[tuple[Image.Image, float]] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """How long it runs."""
        return sum(seconds for _, seconds in self.pictures)

    def shoot(self, seconds: float) -> None:
        """Take the page as it is now."""
        picture = Image.open(BytesIO(self.page.browser.get_screenshot_as_png())).convert("RGB")
        if self.pictures and self.pictures[-1][0].tobytes() == picture.tobytes():
            seconds += self.pictures.pop()[1]
        self.pictures.append((picture, seconds))

    def caption(self, words: str, *, loud: bool = False) -> None:
        """Say below the page what is to be seen."""
        self.page.script(CAPTION, words, loud)

    def open(self, size: tuple[int, int]) -> None:
        """Load the page in a window of this size."""
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        self.page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.page.open()

    def say(self, words: str, answer: str) -> None:
        """Type and send, and wait for its outcome: a message with these words."""
        for n in range(1, PIECES + 1):
            self.page.type("#composer-text", words[: len(words) * n // PIECES])
            self.shoot(FAST)
        self.shoot(READ)
        self.page.say(words)
        self.page.message(answer)
        self.settle()

    def click(self, question: str, label: str, seconds: float = FAST * 3) -> None:
        """Point at a button of the message with this question, press it, and wait for its outcome."""
        button = self.page.until(lambda: self._button(question, label), f"{label} below “{question}”")
        self.page.script("arguments[0].scrollIntoView({block: 'nearest'})", button)
        self.page.script(POINTER, button)
        self.shoot(seconds)
        self.background.run(self.world.read())  # the card may have come after the last look
        self.page.until(lambda: self._pressed(question, label), f"a click on {label}")
        self.settle()

    def settle(self) -> None:
        """Wait until every event is handled, and the page shows the newest message whole."""
        self.background.run(self.world.read())
        self.page.script(POINTER, None)
        self.page.script(
            "const list = document.querySelector('.messages'); if (list) list.scrollTop = list.scrollHeight;"
        )

    def mark(self, *found: WebElement) -> None:
        """Draw a frame around these, and around nothing else."""
        self.page.script(MARK, *found)

    def _pressed(self, question: str, label: str) -> bool:
        button = self._button(question, label)
        if button is not None:
            button.click()
        return button is not None

    def _button(self, question: str, label: str) -> WebElement | None:
        buttons = self.page.message(question).find_elements("css selector", "button[data-action-id]")
        return next((one for one in buttons if one.text.strip() == label), None)


def play(film: Film) -> None:
    """The five scenes."""
    film.open(SIZE)
    film.page.script(ROOM)
    film.page.click("[data-panel-tab=events]")
    film.caption("1 · Say what you want, in your own words")
    film.shoot(READ)
    film.say(OPENING, "Tesco PLC")
    film.shoot(2 * READ)
    film.caption("2 · Click what is left: each answer is locked at once")
    film.click("Tesco PLC", "Use all of it", READ)
    film.click("Tesco PLC", "Use this", READ)
    film.page.message("Is this a derivative?")
    film.shoot(READ)
    film.click("Is this a derivative?", "No", READ)
    film.click("Is this a leveraged product?", "No")
    tampered(film)
    film.caption("4 · The next question stands there already")
    for question in ("inside information about", "connected to you", "conflict with a client"):
        film.page.message(question)
        film.shoot(FAST * 3)
        film.click(question, "No")
    film.click("Please confirm that you understand", "I understand")
    film.say(REASON, "By submitting, you confirm")
    film.caption("5 · Nothing is submitted until you press Submit")
    film.shoot(READ * 2)
    film.click("By submitting, you confirm", "Submit", READ)
    film.page.shows("submitted", "#inspector")
    film.caption("5 · Filed once, as it stood on the card: what, how much, where, until when")
    film.shoot(LOOK)


def tampered(film: Film) -> None:
    """The model's call, refused beside the answer that it meant."""
    film.caption("3 · A model tries to turn that No into a Yes …", loud=True)
    film.page.until(lambda: film.page.all("[data-refused]"), "the refusal")
    film.page.message("inside information about")
    film.shoot(READ)
    film.caption("3 · … REJECTED: the answer is locked, and the draft stays as it was", loud=True)
    film.mark(film.page.css("[data-refused]"), film.page.css("[data-field='is_leveraged']"))
    film.shoot(LOOK)
    film.mark()


def take_still(film: Film) -> None:
    """A second request, half filled in, at a laptop's size."""
    film.open(LAPTOP)
    film.say(OPENING, "Is it this one?")
    film.click("Is it this one?", "Use all of it")
    film.click("Is it this one?", "Use this")
    film.click("Is this a derivative?", "No")
    film.page.message("Is this a leveraged product?")
    film.settle()
    film.pictures.clear()
    film.shoot(READ)
    film.pictures[0][0].quantize(256, dither=Image.Dither.NONE).save(STILL, optimize=True)


def tampering() -> Callable[[dict[str, object]], Answer]:
    """A model that leaves words alone, and overwrites the answer about leverage once it is clicked."""
    return by_newest_message({"leveraged product: no": TAMPERS}, otherwise=text(""), after_tools=text(""))


def write(pictures: list[tuple[Image.Image, float]], file: Path) -> None:
    """One palette for all pictures, so that only what changes is stored."""
    palette = pictures[len(pictures) // 2][0].quantize(COLOURS, dither=Image.Dither.NONE)
    frames = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture, _ in pictures]
    times = [round(seconds * 1000) for _, seconds in pictures]
    frames[0].save(file, save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=True, disposal=1)


def main() -> int:
    """Play, write, and say how long and how large it is; 1 where it is too large."""
    background, stack = Background(), AsyncExitStack()
    with tempfile.TemporaryDirectory() as folder:
        browser = launch(Path(folder) / "chromium")
        try:
            whole = background.run(stack.enter_async_context(world(Path(folder), tampering(), {"only": "pa_dealing"})))
            film = Film(PageDriver(browser, whole.sandbox.url), whole, background)
            play(film)
            write(film.pictures, FILE)
            told = f"{len(film.pictures)} pictures, {film.seconds:.0f} s"
            take_still(film)
        finally:
            browser.quit()
            background.run(stack.aclose())
            background.close()
    size = FILE.stat().st_size
    sys.stdout.write(f"{FILE.name}: {told}, {size / 1000:.0f} kB\n")
    return 1 if size > MOST else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except pytest.skip.Exception as missing:
        sys.exit(str(missing))
