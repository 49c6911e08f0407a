"""The search among requests: a modal to say what is wanted, and what was found in its place, a page at a time."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from blocks.desk import Listed, listed_row
from blocks.elements import Element, actions, context, option, plain_button, plain_text
from blocks.ids import SEARCH, found_page
from blocks.message import Block
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
    """The modal for `views.open`. `forms` and `states` are values and labels."""
    return {
        "type": "modal",
        "callback_id": SEARCH,
        "title": plain_text(words.say("desk_find"), TITLE),
        "submit": plain_text(words.say("desk_find"), TITLE),
        "close": plain_text(words.say("request_close"), TITLE),
        "blocks": [
            _input(
                words,
                "text",
                {"type": "plain_text_input", "max_length": LONGEST} | ({"initial_value": text} if text else {}),
            ),
            _input(words, "person", {"type": "users_select"}),
            *([_input(words, "form", _menu(forms))] if len(forms) > 1 else []),
            *([_input(words, "state", _menu(states))] if states else []),
            _input(words, "since", {"type": "datepicker"}),
            _input(words, "until", {"type": "datepicker"}),
        ],
    }


def _menu(choices: Sequence[tuple[str, str]]) -> Element:
    return {"type": "static_select", "options": [option(label, value) for value, label in choices[:MOST]]}


def _input(words: Phrasebook, name: str, element: Element) -> Block:
    block = {"type": "input", "block_id": name, "optional": True, "label": plain_text(words.say(f"find_{name}"), LABEL)}
    hint = {"hint": plain_text(words.say("find_text_hint"), LONGEST)} if name == "text" else {}
    return block | hint | {"element": element | {"action_id": name}}


def read_search(view: Mapping[str, Any]) -> Query:
    """What was entered."""
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
    ways = [
        *(
            [plain_button(words.say("desk_before"), found_page("before"), str(max(0, query.skip - FOUND)))]
            if query.skip
            else []
        ),
        *([plain_button(words.say("desk_after"), found_page("after"), str(query.skip + FOUND))] if more else []),
    ]
    return {
        "type": "modal",
        "title": plain_text(words.say("desk_find"), TITLE),
        "close": plain_text(words.say("request_close"), TITLE),
        "private_metadata": json.dumps({n: v for n, v in asdict(query).items() if v}, separators=(",", ":")),
        "blocks": [*(shown or [context(literal(words.say("find_nothing")))]), *([actions(ways)] if ways else [])],
    }


def read_query(written: object) -> Query:
    """What `build_found` wrote down; nothing for anything else."""
    try:
        told = json.loads(written) if isinstance(written, str) and written else {}
        known = {name: told[name] for name in asdict(Query()) if name in told}
        typed: dict[str, Any] = {name: int(value) if name == "skip" else str(value) for name, value in known.items()}
        return Query(**typed)
    except (ValueError, TypeError, AttributeError):
        return Query()
