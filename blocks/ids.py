"""Every id that Slack gives back, written once, and what a button carries."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar, get_args
from urllib.parse import unquote

from state.engine.events import Act
from state.form.field import Data

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Told = TypeVar("Told", bound="DataclassInstance")

ACTIONS = re.compile(r"^hf\.")
"""Matches the action_id of everything that can be clicked."""
OPEN_BOX = "hf.box"
"""Opens the modal for a field; its press is the modal's."""
TOGETHER = "hf.together"
"""Radio buttons of one of several questions on a card; its press stands in its block_id."""
TICK = "hf.tick"
"""Boxes to tick: they count once Done is pressed."""
FIND = "hf.find"
FOUND = re.compile(r"^hf\.find\b")
"""A menu whose options are asked for while the person types; its press stands in its block_id."""
OPEN_DM = "hf.open_dm"
"""A link into the direct message: it only wants an acknowledgement."""
ENTRY = "hf.entry"
"""callback_id of the modal in which an answer is written."""
ENTRY_BLOCK, ENTRY_INPUT = "hf.entry.block", "hf.entry.input"
HOME = "hf.home"
"""callback_id of the App Home."""

OPEN_REQUEST, HOME_PAGE = re.compile(r"^hf-request\."), re.compile(r"^hf-home\.")
"""Buttons of the App Home that are answered at once and are no event of a draft: their value is a record's number, how many to skip."""

DECIDE, DECIDE_IN_WORDS = re.compile(r"^hf-decide\."), re.compile(r"^hf-words\.")
"""A verdict's button, and one that asks for words first."""
ORIGINS = "hf-origins"
"""The button on a decision card that says where the answers come from."""
DOSSIER = "hf-dossier"
"""The button that asks for a record's dossier: its value is the record's number."""
VERDICT = "hf-verdict"
"""callback_id of the modal in which a verdict is given in words."""

OPEN_LISTED, DESK_FILTER, DESK_PAGE = (
    re.compile(r"^hf-listed\."),
    re.compile(r"^hf-only\."),
    re.compile(r"^hf-queue\."),
)
"""Of the officers' Home: a request is opened, the queue is filtered (the id ends in the filter's name), its page is turned."""
DESK_FIND, FOUND_PAGE = "hf-find", re.compile(r"^hf-found\.")
"""Opens the search, turns the page of what was found."""
STORY = re.compile(r"^hf-story\.")
"""Opens a record's whole story, or turns its page."""
SEARCH = "hf-search"
"""callback_id of the modal in which is searched."""
POLICY_UPLOAD, POLICY_DOWNLOAD = re.compile(r"^hf-list-up\."), re.compile(r"^hf-list-down\.")
"""Buttons of the App Home for keepers of a list: their value names it."""
POLICY_FILE, POLICY_CONFIRM = "hf-list-file", "hf-list-confirm"
"""callback_ids of the modals in which a list is uploaded, and in which what that changes is confirmed."""
POLICY_DAY = "day"
"""The block and the input of an upload's day; of its file: `POLICY_GIVEN`."""
POLICY_GIVEN = "file"
REPORT, REPORTED = re.compile(r"^hf-report\."), "hf-reported"
"""A button that opens the box of the report, and the one that records the figures read from a person's words."""
REPORT_BOX = "hf-report-box"
"""callback_id of that box."""
CASE = re.compile(r"^hf-case\.")
"""A button on the card of a breach or a note; its words are asked for first."""
CASE_BOX = "hf-case-box"
"""callback_id of the modal for them."""

VALUE_LIMIT, ID_LIMIT, OPTION_LIMIT = 2000, 255, 150
"""Characters of a button's value, of a block_id, of an option's value."""

_ACTS = frozenset(get_args(Act))
_PLAIN = str.maketrans({c: f"%{ord(c):02X}" for c in "%|&<>\n"})
_NUMBER = re.compile(r"i(-?[0-9]{1,18})")


@dataclass(frozen=True)
class Press:
    """The meaning of a click: the act, on which draft and field, with which value, on which card showing which hash."""

    act: Act
    draft: str = ""
    field: str = ""
    value: Data | None = None
    card: str = ""
    hash: str = ""


def action_id(act: Act, which: int | str = "") -> str:
    """Return the id of a button; `which` tells several of one act in a message apart."""
    return f"hf.{act}.{which}" if which != "" else f"hf.{act}"


def id_of(family: str, which: object) -> str:
    """Return the id of one button of a family that a listener answers at once ("hf-story", "open")."""
    return f"{family}.{which}"[:ID_LIMIT]


def write_press(press: Press, limit: int = VALUE_LIMIT) -> str:
    """Return a press as a button's value or (with ID_LIMIT) a select's block_id. Raises ValueError where it would not fit."""
    parts = (press.act, press.draft, press.field, _write_value(press.value), press.card, press.hash)
    value = "|".join(part.translate(_PLAIN) for part in parts)
    if len(value) > limit:
        raise ValueError(f"a press of {len(value)} characters does not fit into {limit}")
    return value


def read_press(value: object) -> Press | None:
    """Return the press that a value stands for; None for anything that `write_press` did not write."""
    parts = [unquote(part) for part in value.split("|")] if isinstance(value, str) and len(value) <= VALUE_LIMIT else []
    if len(parts) != 6 or parts[0] not in _ACTS:  # noqa: PLR2004  the six parts of a press
        return None
    act, draft, field, written, card, hash_ = parts
    try:
        return Press(act, draft, field, _read_value(written), card, hash_)  # type: ignore[arg-type]  # one of _ACTS
    except ValueError:
        return None


def write_private(told: "DataclassInstance") -> str:
    """Return a data class of texts and numbers as a view's private data; what is empty is left out."""
    return json.dumps({name: value for name, value in asdict(told).items() if value}, separators=(",", ":"))


def read_private(kind: type[Told], written: object) -> Told | None:
    """Return what `write_private` wrote; None for anything else."""
    try:
        told = json.loads(written) if isinstance(written, str) and written else {}
        known = {f.name: f.default for f in fields(kind) if f.name in told}
        return kind(**{name: (int if isinstance(was, int) else str)(told[name]) for name, was in known.items()})
    except (ValueError, TypeError, AttributeError):
        return None


def press_of(action: Mapping[str, Any]) -> Press | None:
    """Return the press of one of Slack's block actions: a button carries it, a select or a date picker has it in its block_id."""
    if action.get("type") in ("button", "feedback_buttons"):
        return read_press(action.get("value"))
    press = read_press(action.get("block_id"))
    option = action.get("selected_option")
    chosen = option.get("value") if isinstance(option, Mapping) else action.get("selected_date")
    if press is None or not isinstance(chosen, str):
        return None
    if action.get("type") == "radio_buttons":
        return replace(press, value=press_value(chosen))
    return replace(press, field=chosen) if press.act == "edit" else replace(press, value=chosen)


def is_edit_menu(element: Mapping[str, Any]) -> bool:
    """Return True if an element is the menu that edits an answer."""
    return str(element.get("action_id", "")) in (action_id("edit", "select"), f"{FIND}.edit")


def ticked(state: Mapping[str, Any]) -> tuple[tuple[str, ...], str]:
    """Return the values ticked in a message's `state`, and their labels in a row."""
    inputs = [block.get(TICK) for block in (state.get("values") or {}).values() if isinstance(block, Mapping)]
    options = [o for found in inputs if isinstance(found, Mapping) for o in found.get("selected_options") or ()]
    return tuple(str(o.get("value")) for o in options), ", ".join(
        str((o.get("text") or {}).get("text")) for o in options
    )


def written_value(value: Data) -> str:
    """Return a value as an option carries it; several in a row are told apart by the options themselves."""
    return "" if isinstance(value, tuple) else _write_value(value)


def press_value(written: str) -> Data | None:
    """Return the value that an option carries; None where `written_value` did not write it."""
    try:
        return _read_value(written)
    except ValueError:
        return None


def _write_value(value: Data | None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "y" if value else "n"
    if isinstance(value, tuple):
        raise TypeError("a button carries one value; several are ticked")
    return f"i{value}" if isinstance(value, int) else f"s{value}"


def _read_value(written: str) -> Data | None:
    if written in ("", "y", "n"):
        return {"": None, "y": True, "n": False}[written]
    if number := _NUMBER.fullmatch(written):
        return int(number[1])
    if written.startswith("s"):
        return written[1:]
    raise ValueError(written)
