"""Interactive elements on a screen: finding them, what is typed or chosen in them, what Slack's client checks itself."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from bot.sandbox.workspace import Json

STATE_KEYS = {
    "plain_text_input": "value", "email_text_input": "value", "url_text_input": "value", "number_input": "value",
    "rich_text_input": "rich_text_value", "static_select": "selected_option", "external_select": "selected_option",
    "radio_buttons": "selected_option", "users_select": "selected_user",
    "conversations_select": "selected_conversation", "channels_select": "selected_channel",
    "datepicker": "selected_date", "timepicker": "selected_time", "datetimepicker": "selected_date_time",
    "checkboxes": "selected_options", "multi_static_select": "selected_options",
    "multi_external_select": "selected_options", "multi_users_select": "selected_users",
    "multi_conversations_select": "selected_conversations", "multi_channels_select": "selected_channels",
    "file_input": "files",
}  # fmt: skip
PRESSED = ("button", "workflow_button", "icon_button")
ACTION_KEYS = STATE_KEYS | {
    "overflow": "selected_option",
    "feedback_buttons": "value",
    **dict.fromkeys(PRESSED, "value"),
}
INITIAL_KEYS = {
    "value": "initial_value",
    "rich_text_value": "initial_value",
    **{key: key.replace("selected_", "initial_") for key in STATE_KEYS.values() if key.startswith("selected_")},
}


@dataclass(frozen=True)
class Placed:
    """An interactive element and the block it is in."""

    block: Json
    element: Json

    @property
    def block_id(self) -> str:
        """The block's id."""
        return str(self.block.get("block_id", ""))

    @property
    def action_id(self) -> str:
        """The element's id."""
        return str(self.element.get("action_id", ""))

    @property
    def label(self) -> str:
        """The words on it, or beside it."""
        words = self.element.get("text") or self.block.get("label") or self.element.get("placeholder") or {}
        return str(words.get("text", "")) if isinstance(words, dict) else ""

    def options(self) -> list[Json]:
        """Return its static options, those of groups included."""
        return flat(self.element)


def flat(offer: Json) -> list[Json]:
    """Return the options of a menu, or of an app's answer to `block_suggestion`, groups opened."""
    grouped = [option for group in offer.get("option_groups") or [] for option in group["options"]]
    return [*(offer.get("options") or []), *grouped]


def elements(blocks: list[Json]) -> Iterator[Placed]:
    """Yield every interactive element of these blocks, in order, those of cards and containers included."""
    for block in blocks:
        single = [block[key] for key in ("accessory", "element") if isinstance(block.get(key), dict)]
        own = [*_objects(block, "elements"), *_objects(block, "actions"), *single]
        yield from (Placed(block, element) for element in own if element.get("action_id"))
        yield from elements(nested(block))


def nested(block: Json) -> list[Json]:
    """Return the blocks inside a block: a container's children, a carousel's cards."""
    return [*_objects(block, "child_blocks"), *(_objects(block, "elements") if block.get("type") == "carousel" else [])]


def _objects(block: Json, key: str) -> list[Json]:
    found = block.get(key)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def find(blocks: list[Json], block_id: str | None, action_id: str) -> Placed | None:
    """Return the element with this action id, in this block when one is named."""
    for placed in elements(blocks):
        if placed.action_id == action_id and block_id in (None, "", placed.block_id):
            return placed
    return None


def values(blocks: list[Json], typed: Json) -> Json:
    """`state.values` as payloads carry it: every stateful element, with what was entered or its initial value."""
    state: Json = {}
    for placed in elements(blocks):
        key = STATE_KEYS.get(placed.element["type"])
        if key is not None:
            entered = typed.get(placed.block_id, {}).get(placed.action_id)
            stands = entered and _still_offered(placed, entered)
            state.setdefault(placed.block_id, {})[placed.action_id] = entered if stands else initial(placed.element)
    return state


def _still_offered(placed: Placed, entered: Json) -> bool:
    """False for a choice made before the element was repainted with other options, or as another element."""
    if entered.get("type") != placed.element["type"]:
        return False
    chosen = entered.get("selected_options") or [entered.get("selected_option")]
    offered = {option["value"] for option in placed.options()}
    return not offered or all(one is None or (isinstance(one, dict) and one.get("value") in offered) for one in chosen)


def initial(element: Json) -> Json:
    """Return an element's value before anybody touches it."""
    key = STATE_KEYS[element["type"]]
    empty: object = [] if key.endswith("s") else None
    return {"type": element["type"], key: element.get(INITIAL_KEYS.get(key, ""), empty)}


def unmet(blocks: list[Json], state: Json) -> dict[str, str]:
    """Return what Slack's client would not let through: block_id to sentence."""
    errors = {}
    for block in blocks:
        if block.get("type") == "input":
            element = block["element"]
            entered = state.get(block["block_id"], {}).get(element.get("action_id", ""), {})
            sentence = _complaint(element, entered.get(STATE_KEYS[element["type"]]), block.get("optional", False))
            if sentence:
                errors[block["block_id"]] = sentence
    return errors


def _complaint(element: Json, entered: object, optional: bool) -> str | None:
    if entered in (None, "", []):
        return None if optional else "Please complete this required field."
    if element["type"] == "number_input":
        return _number(element, str(entered))
    if element["type"] == "datepicker":
        try:
            datetime.strptime(str(entered), "%Y-%m-%d")  # noqa: DTZ007  # only its form is checked
        except ValueError:
            return "Please enter a valid date."
    if element["type"] == "plain_text_input":
        return _length(element, str(entered))
    return None


def _number(element: Json, entered: str) -> str | None:
    try:
        number = float(entered)
    except ValueError:
        return "Please enter a valid number."
    if not element.get("is_decimal_allowed") and "." in entered:
        return "Please enter a whole number."
    if "min_value" in element and number < float(element["min_value"]):
        return f"Please enter a number that is at least {element['min_value']}."
    if "max_value" in element and number > float(element["max_value"]):
        return f"Please enter a number that is at most {element['max_value']}."
    return None


def _length(element: Json, entered: str) -> str | None:
    if len(entered) < element.get("min_length", 0):
        return f"Please enter at least {element['min_length']} characters."
    if len(entered) > element.get("max_length", len(entered)):
        return f"Please enter at most {element['max_length']} characters."
    return None
