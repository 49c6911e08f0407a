"""Forms in the page: looked at in order and in each language, and followed while somebody edits them."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from background_loop import Background
from page_driver import PageDriver

from tests.forms.own import example
from tests.world import world

pytestmark = pytest.mark.browser
CHOOSE = """
const menu = document.querySelectorAll('.forms-choices select')[arguments[0]];
menu.value = arguments[1];
menu.dispatchEvent(new Event('change'));
"""


def test_a_form_is_looked_at_while_it_is_edited(
    background: Background, open_page: Callable[[str], PageDriver], tmp_path: Path
) -> None:
    """A form and a language are chosen; a click fills nothing in; an edit opens its form by itself, a slip shows its line until it is mended."""
    mine, stack = example(tmp_path), AsyncExitStack()
    at = stack.enter_async_context(world(tmp_path / "var", options={"watches": True}, holdfast_workflows=str(mine)))
    page = open_page(background.run(at).sandbox.url)
    try:
        page.click("[data-tab='forms']")
        page.script(CHOOSE, 0, "gifts")
        page.css("[data-preview='attended']")
        page.script(CHOOSE, 1, "it-IT")
        page.shows("L'ha dato o l'ha ricevuto?", "#forms-pane")
        page.shows("asked if “Omaggio od ospitalità” is Ospitalità", "#forms-pane")
        page.click("#forms-pane button[data-action-id]")
        page.shows("This only shows the form.", "#toasts")
        form = mine / "holiday" / "form.toml"
        good = form.read_text("utf-8")
        form.write_text(good.replace("minimum", "minimun"), "utf-8")
        page.shows("form.toml:20", "#forms-bar")
        form.write_text(good.replace("How many days?", "How many days off?"), "utf-8")
        page.shows("How many days off?", "#forms-pane")
        page.hides("#forms-bar")
        assert page.complaints() == []
    finally:
        background.run(stack.aclose())
