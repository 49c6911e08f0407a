"""Hostile words are words: nothing that arrives as data becomes markup, script or a request."""

from typing import Any

import pytest
from page_cards import DRAFT, actions, button, element, modal, mrkdwn, option, section, words
from page_driver import PageDriver
from showcase_app import Inner, Showcase

pytestmark = pytest.mark.browser

ATTACKS = [
    "<img src=x onerror=window.hit=1>", "<script>window.hit=1</script>", '"><svg onload=window.hit=1>',
    "javascript:window.hit=1", "<javascript:window.hit=1|press here>", "[press](javascript:window.hit=1)",
    "<data:text/html,<script>window.hit=1</script>|press>", "{{constructor.constructor('window.hit=1')()}}",
    "&lt;img src=x onerror=window.hit=1&gt;", "`<img src=x onerror=window.hit=1>`",
    "```\n<img src=x onerror=window.hit=1>\n```", '<https://example.org/"onmouseover=window.hit=1|press>',
]  # fmt: skip
EVERYTHING = " ".join(ATTACKS)
CREATED = "return document.querySelectorAll('main img, main script:not([src]), main iframe, main svg[onload], dialog img').length"
RUNNABLE = "return [...document.querySelectorAll('a')].filter((a) => /^(javascript|data):/i.test(a.href)).length"


KEPT = ("id", "name", "state", "at", "role")


def poisoned(node: Any, key: str = "") -> Any:
    """What `/ui/inspect` gives, with the attacks in the place of every text."""
    if isinstance(node, dict):
        return {name: poisoned(value, name) for name, value in node.items()}
    if isinstance(node, list):
        return [poisoned(value, key) for value in node]
    return EVERYTHING if isinstance(node, str) and key not in KEPT else node


def unharmed(page: PageDriver) -> None:
    """Nothing ran, nothing was built from data, and the browser had nothing to refuse."""
    page.script("document.querySelectorAll('a').forEach((a) => a.dispatchEvent(new MouseEvent('mouseover')))")
    assert page.script("return window.hit ?? null") is None
    assert page.script(CREATED) == 0
    assert page.script(RUNNABLE) == 0
    assert page.complaints() == []


def test_what_people_say_is_inert(page: PageDriver, showcase: Showcase) -> None:
    """Markup in a person's message is shown letter by letter."""
    for attack in ATTACKS:
        showcase.person().say(attack)
    page.message("constructor")
    page.until(lambda: len(page.all("[data-message-ts]")) == len(ATTACKS))
    assert "<img src=x onerror=window.hit=1>" in page.css(".message").text
    unharmed(page)


def test_what_an_app_sends_is_inert(page: PageDriver, showcase: Showcase) -> None:
    """Markup in texts, labels, options and Markdown of blocks is shown letter by letter."""
    for attack in ATTACKS:
        card = [
            section(attack), {"type": "markdown", "text": attack}, {"type": "header", "text": words(attack)},
            actions(button(attack[:75], "b")),
        ]  # fmt: skip
        menu = element("static_select", "menu", options=[option(attack[:75])], placeholder=words(attack))
        context = {"type": "context", "elements": [mrkdwn(attack)]}
        showcase.post(*card, section("A menu", menu), context, text=attack)
    page.until(lambda: len(page.all("[data-message-ts]")) == len(ATTACKS))
    unharmed(page)


def test_a_view_is_inert(page: PageDriver, showcase: Showcase) -> None:
    """Markup in a modal's and a home's texts is shown letter by letter."""
    showcase.views["open"] = modal(ATTACKS[0][:24], section(EVERYTHING))
    showcase.publish(section(EVERYTHING), actions(button("Open", "open")))
    page.click("[data-tab=home]")
    page.act("open")
    page.shows("constructor", "dialog")
    unharmed(page)


def test_the_draft_panel_is_inert(page: PageDriver, inner: Inner) -> None:
    """Markup in values, words and prompts beside the conversation is shown letter by letter."""
    inner.tell(poisoned(DRAFT))
    page.shows("constructor", "[data-field=security]")
    page.click("[data-panel-tab=prompt]")
    page.shows("constructor", "[data-prompt-role=system]")
    unharmed(page)


def test_an_image_from_elsewhere_is_not_fetched(page: PageDriver, showcase: Showcase) -> None:
    """A picture's address is never asked for: its words stand in its place."""
    picture = {"type": "image", "image_url": "https://example.org/pixel.png", "alt_text": "A pixel"}
    showcase.post(picture, section("With one", picture))
    page.shows("A pixel", ".message")
    asked = page.script("return performance.getEntriesByType('resource').map((entry) => new URL(entry.name).origin)")
    assert set(asked) == {page.url}
    unharmed(page)


def test_a_long_run_of_marks_does_not_hang_the_page(page: PageDriver, showcase: Showcase) -> None:
    """Thousands of marks that never close are drawn at once."""
    for sign in ("*", "_", "~", "`", "<", "[", "**", ">", "&lt;", ":a"):
        showcase.person().say((sign + "a ") * (39_000 // (len(sign) + 2)))
    page.until(lambda: len(page.all("[data-message-ts]")) == 10)
    took = page.script(
        """
        const { mrkdwn } = await import('/static/text/mrkdwn.js');
        const { markdown } = await import('/static/text/markdown.js');
        const names = { person: (id) => id, channel: (id) => id };
        const start = performance.now();
        for (const sign of ['*', '_', '~', '`', '<', '[', '**', '__', '![', '](', '\\\\', 'http://', ':']) {
          mrkdwn(sign.repeat(20000), names); markdown((sign + 'a ').repeat(10000), names); mrkdwn((sign + 'a').repeat(10000), names);
        }
        return performance.now() - start;
        """
    )
    assert took < 5_000
