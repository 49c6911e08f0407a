"""The officers' half in the page: a request is approved, more is asked, it comes back, is approved, reported, and held against a note."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from page_driver import PageDriver

from bot.sandbox.scenarios.staging import pdf

CHANNEL = "C0COMPLIANCE"
LARGE = "I'd like to buy 200 Tesco for my pension, about £50,000"
BETTER = "A long-term holding for my retirement, on the advice of my pension's manager"
NOTE = (
    "Contract note", "We have bought for you: TESCO PLC ORD", "ISIN: GB00BLGZ9862", "Trade date: {day}", "Quantity: 200",
    "Consideration: GBP 50000.00",
)  # fmt: skip
RESTRICTED = "isin,name,from,until,note\nGB00BH4HKS39,Vodafone Group Plc,2026-11-20,,A client trades in it\n"


class Keeps(Protocol):
    """What keeps pictures of a page."""

    page: PageDriver

    def keep(self, name: str) -> None: ...

    def settle(self) -> None: ...


def tell(camera: Keeps, act: Callable[[PageDriver], str], most: int) -> None:
    """The whole story; `act` does what the newest card wants, `most` so many times."""
    page = camera.page
    page.say(LARGE)
    _until(camera, act, most, "With your manager")
    camera.keep("waits")
    _verdict(camera, "U0ROBIN", "Approve", "manager")
    _ask_for_more(camera)
    page.open("U0ALEX")
    camera.keep("asked-again")
    page.say(BETTER)
    _until(camera, act, most, "With your manager")
    _verdict(camera, "U0ROBIN", "Approve", "manager-again")
    page.open("U0DANA", tab="home")
    camera.keep("queue")
    _verdict(camera, "U0DANA", "Approve with conditions…", "conditions", "Not before Monday", "Reviewed with the desk")
    page.open("U0ALEX")
    camera.keep("approved")
    _report(camera)
    _policy(camera)
    _desk(camera)
    page.open("U0ALEX")


def _until(camera: Keeps, act: Callable[[PageDriver], str], most: int, words: str) -> None:
    for _ in range(most):
        camera.settle()
        if words in camera.page.text(".messages [data-message-ts]:last-child"):
            return
        act(camera.page)


def _verdict(camera: Keeps, person: str, label: str, name: str, *written: str) -> None:
    """A button of the newest decision card, and the words that its box wants."""
    page = camera.page
    page.open(person, CHANNEL)
    camera.keep(f"{name}-card")
    press(page, "Waiting for", label)
    if written:
        page.css("dialog textarea")
        for box, words in zip(page.all("dialog textarea"), written, strict=False):
            box.send_keys(words)
        camera.keep(f"{name}-box")
        page.click("dialog button[type=submit]")
    camera.keep(f"{name}-done")


def _ask_for_more(camera: Keeps) -> None:
    page = camera.page
    page.open("U0DANA", CHANNEL)
    camera.settle()
    press(page, "Waiting for", "Ask for more…")
    page.pick("fields", "Justification")
    page.css("dialog textarea").send_keys("Who advised you?")
    camera.keep("ask-box")
    page.click("dialog button[type=submit]")
    camera.keep("asked")


def _report(camera: Keeps) -> None:
    """What was traded, and the note that bears it out."""
    page = camera.page
    press(page, "I've traded", "I've traded")
    camera.keep("report-box")
    day = page.css("dialog input[type=date]").get_attribute("value") or ""
    page.click("dialog button[type=submit]")
    camera.keep("reported")
    with tempfile.TemporaryDirectory() as folder:
        note = Path(folder) / "note.pdf"
        note.write_bytes(pdf([line.format(day=day) for line in NOTE]))
        page.all(".composer input[type=file]")[0].send_keys(str(note))
        page.shows("note.pdf", ".attached")
        page.say("the contract note")
        camera.keep("note")


def _desk(camera: Keeps) -> None:
    """What compliance reads of it in App Home: found, opened, and told from its beginning."""
    page = camera.page
    page.open("U0DANA", tab="home")
    camera.keep("desk")
    page.act("hf-find")
    page.css("dialog input[type=text]").send_keys("Tesco")
    page.click("dialog button[type=submit]")
    camera.keep("found")
    next(b for b in page.all("dialog button[data-action-id]") if b.text.strip() == "Open").click()
    camera.keep("opened")
    next(b for b in page.all("dialog button[data-action-id]") if b.text.strip() == "Full history").click()
    camera.keep("story")


def _policy(camera: Keeps) -> None:
    """A list is uploaded, looked at, and confirmed."""
    page = camera.page
    page.open("U0DANA", tab="home")
    camera.settle()
    page.act("hf-list-up.pa_dealing/restricted")
    with tempfile.TemporaryDirectory() as folder:
        sheet = Path(folder) / "restricted.csv"
        sheet.write_text(RESTRICTED, encoding="utf-8")
        page.css("dialog")
        page.all("dialog input[type=file]")[0].send_keys(str(sheet))
        camera.keep("upload")
        page.click("dialog button[type=submit]")
        camera.keep("preview")
    page.click("dialog button[type=submit]")
    camera.keep("confirmed")
    page.click("dialog .dialog-foot button")
    page.hides("dialog")


def press(page: PageDriver, words: str, label: str) -> None:
    """The button with this label on the newest message with these words."""
    buttons = page.message(words).find_elements("css selector", "button[data-action-id]")
    next(b for b in buttons if b.text.strip() == label).click()
