"""The search among requests: a modal to say what is wanted, and what was found in its place, a page at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from blocks.desk import Listed, listed_row, turning
from blocks.elements import Block, Element, actions, context, input_block, modal, option, text_box
from blocks.ids import SEARCH, write_private
from blocks.phrases import Phrasebook
from blocks.text import literal

FOUND = 10
"""Requests of a page."""
TITLE, LABEL, LONGEST, MOST = 24, 75, 150, 100


@dataclass(frozen=True)
class Query:
    """What is searched for: a Slack user id, words or a number, a form, a state, days (ISO 8601), and how many are skipped."""

    person: str = ""
    text: str = ""
    form: str = ""
    state: str = ""
    since: str = ""
    until: str = ""
    skip: int = 0


def build_search(
    words: Phrasebook, forms: Sequence[tuple[str, str]], states: Sequence[tuple[str, str]], text: str = ""
) -> dict[str, Any]:
    """Build the modal for `views.open`. `forms` and `states` are values and labels."""
    words_box = text_box("text", LONGEST, initial_value=text)
    blocks = [
        _input(words, "text", words_box),
        _input(words, "person", {"type": "users_select"}),
        *([_input(words, "form", _menu(forms))] if len(forms) > 1 else []),
        *([_input(words, "state", _menu(states))] if states else []),
        _input(words, "since", {"type": "datepicker"}),
        _input(words, "until", {"type": "datepicker"}),
    ]
    find = words.say("desk_find")
    return modal(find, words.say("request_close"), blocks, submit=find, callback_id=SEARCH)


def _menu(choices: Sequence[tuple[str, str]]) -> Element:
    return {"type": "static_select", "options": [option(label, value) for value, label in choices[:MOST]]}


def _input(words: Phrasebook, name: str, element: Element) -> Block:
    hint = words.say("find_text_hint") if name == "text" else ""
    return input_block(name, words.say(f"find_{name}"), element | {"action_id": name}, hint=hint, optional=True)


def read_search(view: Mapping[str, Any]) -> Query:
    """Return what was entered."""
    values = (view.get("state") or {}).get("values") or {}
    entered: dict[str, Any] = {name: _entered((values.get(name) or {}).get(name) or {}) for name in INPUTS}
    return Query(**entered)


INPUTS = ("person", "text", "form", "state", "since", "until")
"""The boxes, by a query's own names."""


def _entered(entry: Mapping[str, Any]) -> str:
    chosen = (entry.get("selected_option") or {}).get("value")
    found = chosen or entry.get("selected_user") or entry.get("selected_date") or entry.get("value")
    return str(found or "").strip()


def build_found(words: Phrasebook, query: Query, rows: Sequence[Listed], now: str, *, more: bool) -> dict[str, Any]:
    """What was found, in the place of the search; `more` behind this page."""
    shown = [listed_row(words, one, now) for one in rows]
    ways = turning(words, "hf-found", query.skip, FOUND, more=more)
    nothing = [context(literal(words.say("find_nothing")))]
    blocks = [*(shown or nothing), *([actions(ways)] if ways else [])]
    return modal(words.say("desk_find"), words.say("request_close"), blocks, data=write_private(query))
