"""What the bot offers on the card that is open: a line each, with the button that takes it."""

from blocks.elements import button, section
from blocks.message import Block
from blocks.page import Page
from blocks.text import line
from blocks.utterances import fill
from state.draft.draft import Data

_SHOWN = 200


def offers(page: Page) -> list[Block]:
    """One section per offer that no message has answered yet."""
    fresh = (o for o in page.draft.offers if not o.heard and o.field in page.form.fields)
    return [_offer(page, o.field, o.data, line(o.label, _SHOWN), n) for n, o in enumerate(fresh, 1)]


def _offer(page: Page, name: str, data: Data, label: str, n: int) -> Block:
    said = fill(page, "offer_ask", {"label": page.label(page.form.fields[name]), "now": label})
    return section(said, button(page.say("offer_yes", now=label), page.press("accept", name, data), n))
