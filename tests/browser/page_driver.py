"""The page as a person uses it: finds by what the page promises to keep (data attributes, roles, words)."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.patience import PATIENCE

Found = TypeVar("Found")
PAUSE = 0.03
REPAINTS = 20
"""Times that an element may be painted anew while its words are read."""
PASSING = (NoSuchElementException, StaleElementReferenceException)


class PageDriver:
    """One tab with the sandbox's page. Whatever is asked for is waited for."""

    def __init__(self, browser: Chrome, url: str) -> None:
        self.browser = browser
        self.url = url

    def open(self, person: str = "U0ALEX", channel: str | None = None, tab: str = "messages") -> None:
        """Load the page as one person in one conversation (by default their direct message with the app)."""
        place = channel or person.replace("U0", "D0")
        self.browser.get("about:blank")
        self.browser.get(f"{self.url}/#{person}/{place}/{tab}")
        self.css(".conversation-head h2")

    def until(self, look: Callable[[], Found | None], what: str = "that") -> Found:
        """The first true value of `look`; an element that is repainted meanwhile is looked for again."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                found = look()
            except PASSING:
                found = None
            if found:
                return found
            if time.monotonic() > end:
                raise AssertionError(f"{what} did not come about; the page shows:\n{self.text('body')[-1500:]}")
            time.sleep(PAUSE)

    def css(self, selector: str) -> WebElement:
        """The first visible element that a selector names."""
        return self.until(lambda: next((one for one in self.all(selector) if one.is_displayed()), None), selector)

    def all(self, selector: str) -> list[WebElement]:
        """Every element that a selector names now."""
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """The visible words of the first element that a selector names now; "" without one."""
        for _ in range(REPAINTS):
            with suppress(*PASSING):
                found = self.all(selector)
                return found[0].text if found else ""
        raise AssertionError(f"{selector} is repainted all the time")

    def shows(self, words: str, within: str = "body") -> None:
        """Wait until these words are on screen."""
        self.until(lambda: words in self.css(within).text, f"“{words}” in {within}")

    def hides(self, selector: str) -> None:
        """Wait until nothing visible is named by the selector."""
        self.until(lambda: not any(one.is_displayed() for one in self.all(selector)), f"the end of {selector}")

    def click(self, selector: str) -> None:
        """Click an element, also when it is repainted at that moment."""
        self._press_on(lambda: self.css(selector), selector)

    def act(self, action_id: str) -> None:
        """Click the element of an app by its action id."""
        self.click(f"[data-action-id='{action_id}']")

    def pick(self, action_id: str, words: str) -> None:
        """Open a menu of an app and choose the option with these words."""
        self.act(action_id)
        self._press_on(lambda: self._option(words), f"the option {words}")

    def type(self, selector: str, words: str) -> None:
        """Replace what stands in a field."""
        field = self.css(selector)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.DELETE)
        field.send_keys(words)

    def say(self, words: str) -> None:
        """Write into the composer and press Enter."""
        self.type("#composer-text", words)
        self.css("#composer-text").send_keys(Keys.ENTER)

    def press(self, *keys: str, holding: str | None = None) -> None:
        """Press keys where the focus is, each of them while `holding` is down."""
        chain = ActionChains(self.browser)
        for key in keys:
            (chain.key_down(holding).send_keys(key).key_up(holding) if holding else chain.send_keys(key)).perform()

    def tab_to(self, selector: str, most: int = 60, *, back: bool = False) -> WebElement:
        """Press Tab until the focus is on what the selector names."""
        for _ in range(most):
            if self.focused().get_property("isConnected") and self._has_focus(selector):
                return self.focused()
            self.press(Keys.TAB, holding=Keys.SHIFT if back else None)
        raise AssertionError(f"{selector} is not reached with Tab")

    def focused(self) -> WebElement:
        """The element that has the keyboard."""
        return self.browser.switch_to.active_element

    def script(self, source: str, *arguments: Any) -> Any:
        """What a piece of JavaScript gives in the page."""
        return self.browser.execute_script(source, *arguments)

    def message(self, words: str) -> WebElement:
        """The newest message with these words."""
        return self.until(
            lambda: next((one for one in self._messages() if words in one.text), None), f"a message “{words}”"
        )

    def complaints(self) -> list[str]:
        """What the browser's console holds against the page: scripts' errors and breaches of its policy."""
        return [entry["message"] for entry in self.browser.get_log("browser") if entry["source"] != "network"]

    def _press_on(self, find: Callable[[], WebElement], what: str) -> None:
        def clicked() -> bool:
            find().click()
            return True

        self.until(clicked, f"a click on {what}")

    def _messages(self) -> list[WebElement]:
        return self.all("[data-message-ts]")[::-1]

    def _option(self, words: str) -> WebElement:
        for row in self.all("[role=option], [role=menuitem]"):
            if row.is_displayed() and words in row.text:
                return row
        raise NoSuchElementException(f"no option {words}")

    def _has_focus(self, selector: str) -> bool:
        return bool(self.script("return document.activeElement.matches(arguments[0])", selector))
