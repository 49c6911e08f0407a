"""The page can be read: enough contrast in light and dark, names for every control."""

import pytest
from page_cards import DRAFT, EVERY_ELEMENT, section
from page_driver import PageDriver
from showcase_app import Inner, Showcase

from bot.sandbox.server import Sandbox

pytestmark = pytest.mark.browser

# WCAG 2.2, 1.4.3: 4.5 to 1, or 3 to 1 for large words (24 px, or 18.66 px and bold). Opaque layers are laid upon each other.
FAINT = """
const canvas = document.createElement('canvas'); canvas.width = canvas.height = 1;
const pen = canvas.getContext('2d', { willReadFrequently: true });
const over = (colours) => {
  pen.clearRect(0, 0, 1, 1);
  for (const colour of colours) { pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); }
  return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
};
const light = (rgb) => rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
const layers = (node) => {
  const found = [];
  for (let at = node; at; at = at.parentElement) found.unshift(getComputedStyle(at).backgroundColor);
  return ['white', ...found];
};
const faint = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode.parentElement, style = getComputedStyle(node);
  const words = walker.currentNode.data.trim();
  if (!words || !node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || node.closest('.unseen, :disabled')) continue;
  const behind = layers(node);
  const [a, b] = [light(over(behind)), light(over([...behind, style.color]))].sort((x, y) => y - x);
  const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < (large ? 3 : 4.5)) faint.push(`${words.slice(0, 30)}: ${ratio.toFixed(2)}`);
}
return faint;
"""
NAMELESS = """
const named = (node) => node.getAttribute('aria-label') || node.textContent.trim() || node.labels?.length
  || (node.getAttribute('aria-labelledby') || '').split(' ').some((id) => document.getElementById(id));
return [...document.querySelectorAll('button, input, textarea, select, a, [role=option], [tabindex="0"], dialog')]
  .filter((node) => node.checkVisibility() && !node.closest('[aria-hidden=true]') && !named(node)).map((node) => node.outerHTML.slice(0, 120));
"""
ORPHANS = """
return ['aria-controls', 'aria-labelledby', 'aria-describedby', 'aria-activedescendant'].flatMap((name) =>
  [...document.querySelectorAll(`[${name}]`)].filter((node) => node.checkVisibility()).flatMap((node) =>
    node.getAttribute(name).split(' ').filter((id) => !document.getElementById(id)).map((id) => `${name}=${id}`)));
"""


@pytest.fixture
def full(page: PageDriver, sandbox: Sandbox, showcase: Showcase, inner: Inner) -> PageDriver:
    """The page with a bit of everything on it."""
    inner.told = DRAFT
    ts = showcase.person().say("See https://example.org and `code`")
    showcase.post(section("*Bold*, _slanted_, <@U0DANA>\n> quoted"), thread_ts=ts)
    showcase.client.chat_postEphemeral(channel="D0ALEX", user="U0ALEX", text="A whisper")
    for level in ("default", "info", "warning", "error", "success"):
        showcase.post({"type": "alert", "level": level, "text": {"type": "plain_text", "text": level}})
    showcase.post(*EVERY_ELEMENT)
    page.css("[data-action-id=link]")
    page.css("[data-field=value]")
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("tab", ["tools", "prompt", "events", "faults"])
def test_every_word_has_contrast(scheme: str, tab: str, full: PageDriver) -> None:
    """Each visible word stands out from what is behind it as WCAG AA asks."""
    preference = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    full.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", preference)
    full.click(f"[data-panel-tab={tab}]")
    assert full.script(FAINT) == []


def test_every_control_has_a_name(full: PageDriver) -> None:
    """Whatever takes the keyboard tells a screen reader what it is, and no reference leads nowhere."""
    assert full.script(NAMELESS) == []
    assert full.script(ORPHANS) == []
