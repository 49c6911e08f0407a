"""One request before an officer, in a modal: the decision card's content with its verdicts, or how it was decided; and the way to its story."""

from typing import Any

from blocks.cards.decision import decision_parts, given_by_all
from blocks.cards.rows import layouts
from blocks.elements import Element, actions, context, header, link, plain_button, plain_text, section
from blocks.ids import OPEN_DM, story
from blocks.message import MOST_BLOCKS, Block, first_that_fits
from blocks.page import Page
from blocks.phrases import Phrasebook
from blocks.text import escape
from blocks.utterances import fill, mention
from state.engine.route import before_them

TITLE, ROOM = 24, MOST_BLOCKS - 6
"""Characters of a modal's title; blocks that are left to the answers."""


def build_opened(words: Phrasebook, page: Page, *, decides: bool, told: str = "", card: str = "") -> dict[str, Any]:
    """The modal. `decides`: they hold the role of its state, and see its buttons. `told` stands above; `card` is the address of its card."""
    state = page.draft.state
    waits = bool(page.draft.docket.card) and before_them(page.form, page.draft).waits
    above = [section(escape(told))] if told else []
    blocks = decision_parts(page, state, verdicts=decides) if waits else _decided(page)
    return {
        "type": "modal",
        "title": plain_text(page.draft.record, TITLE),
        "close": plain_text(words.say("request_close"), TITLE),
        "private_metadata": page.draft.record,
        "blocks": [*above, *blocks, actions(_ways(words, page, card))],
    }


def _ways(words: Phrasebook, page: Page, card: str) -> list[Element]:
    tell = plain_button(words.say("desk_story"), story("open"), f"{page.draft.record}|")
    return [tell, *([link(words.say("desk_card"), card, OPEN_DM)] if card else [])]


def _decided(page: Page) -> list[Block]:
    """Nothing is to be decided: what it was about, how it stands, every verdict with its reason, all answers."""
    until = page.draft.valid_until
    stands = fill(page, "announce_state", {"state": page.state(page.draft.state)})
    holds = f" {fill(page, 'valid_until', {'day': page.day(until)})}" if until else ""
    given = given_by_all(page)
    top: list[Block] = [
        header(page.say("announce_record", number=page.draft.record, form=page.form.title)),
        section(f"*{escape(page.essence or page.form.title)}*\n{mention(page.draft.owner)}\n{stands}{holds}"),
        *([section(given)] if given else []),
    ]
    return first_that_fits([*top, *shown] for shown in layouts(page, page.answered, to_others=True))


def build_gone(words: Phrasebook, number: str, key: str = "desk_gone", **said: str) -> dict[str, Any]:
    """What whoever may not read it, and whoever comes too late, is shown."""
    return {
        "type": "modal",
        "title": plain_text(number or words.say("desk_title"), TITLE),
        "close": plain_text(words.say("request_close"), TITLE),
        "blocks": [context(escape(words.say(key, **said)))],
    }
