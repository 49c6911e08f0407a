"""Composition objects, elements made of them, and blocks, one row each; modals and home tabs as a whole. Limits from Slack's Block Kit reference."""

from collections.abc import Iterator, Mapping
from typing import cast

from bot.sandbox.inputs import flat
from bot.sandbox.limits.schema import (
    MRKDWN,
    PLAIN,
    Check,
    Problem,
    anything,
    figure,
    flag,
    items,
    nullable,
    number,
    one_of,
    shape,
    string,
    text,
    typed,
)
from bot.sandbox.workspace import Json

ID = 255
URL = 3_000
STYLE = one_of("primary", "danger")
ACTION_ID = string(ID)
PLACEHOLDER = text(150, PLAIN)

CONFIRM = shape(
    {
        "title": text(100, PLAIN),
        "text": text(300, PLAIN, MRKDWN),
        "confirm": text(30, PLAIN),
        "deny": text(30, PLAIN),
        "style": STYLE,
    },
    needed=("title", "text", "confirm", "deny"),
)

DISPATCH = shape({"trigger_actions_on": items(one_of("on_enter_pressed", "on_character_entered"), most=2)})

FILTER = shape(
    {
        "include": items(one_of("im", "mpim", "private", "public"), most=4),
        "exclude_external_shared_channels": flag,
        "exclude_bot_users": flag,
    }
)

SLACK_FILE = shape({"id": string(ID), "url": string(URL)}, either=("id", "url"))


def option(*kinds: str, url: bool = False) -> Check:
    """Return an option: its words may be mrkdwn only in checkboxes and radio buttons, and have a link only in overflows."""
    link = {"url": string(URL)} if url else {}
    return shape(
        {"text": text(75, *kinds), "value": string(150), "description": text(75, *kinds), **link},
        needed=("text", "value"),
    )


OPTION = option(PLAIN)
RICH_OPTION = option(PLAIN, MRKDWN)
OVERFLOW_OPTION = option(PLAIN, url=True)
OPTIONS = items(OPTION, most=100)
GROUPS = items(shape({"label": text(75, PLAIN), "options": OPTIONS}, needed=("label", "options")), most=100)

FEEDBACK = shape(
    {"text": text(75, PLAIN), "value": string(2_000), "accessibility_label": string(75)}, needed=("text", "value")
)

RICH_TEXT_PARTS = ("rich_text_section", "rich_text_list", "rich_text_preformatted", "rich_text_quote")
RICH_TEXT_PART = shape(
    {
        "type": one_of(*RICH_TEXT_PARTS),
        "elements": items(anything, most=10_000, least=0),
        "style": anything,
        "indent": anything,
        "offset": anything,
        "border": anything,
        "language": anything,
    },
    needed=("type", "elements"),
)
RICH_TEXT = shape(
    {"type": one_of("rich_text"), "block_id": string(ID), "elements": items(RICH_TEXT_PART, most=10_000, least=0)},
    needed=("type", "elements"),
)


DATE = r"\d{4}-\d{2}-\d{2}"
TIME = r"\d{2}:\d{2}"
LONGEST_INPUT = 3_000
MOST_SELECTED = 1_000
NAMES = items(string(ID), most=100)


def begun(check: Check) -> Check:
    """Return an element whose initial options are among those that it offers."""

    def checked(value: object, pointer: str) -> Iterator[Problem]:
        found = list(check(value, pointer))
        yield from found or _elsewhere(cast(Json, value), pointer)

    return checked


def _elsewhere(value: Json, pointer: str) -> Iterator[Problem]:
    offered = flat(value)
    for name in ("initial_option", "initial_options"):
        given = value.get(name) or []
        for one in [given] if isinstance(given, dict) else given:
            if one not in offered:
                yield Problem(f"{pointer}/{name}", "must be one of the options")


def element(fields: Mapping[str, Check], needed: tuple[str, ...] = (), either: tuple[str, ...] = ()) -> Check:
    """Return an element with an action id."""
    return shape({"type": anything, "action_id": ACTION_ID, **fields}, needed, either)


def choosing(fields: Mapping[str, Check], needed: tuple[str, ...] = (), either: tuple[str, ...] = ()) -> Check:
    """Return a menu, picker or group: may be confirmed, focused, and (but for groups) have a placeholder."""
    common = {"confirm": CONFIRM, "focus_on_load": flag, "placeholder": PLACEHOLDER}
    return element({**common, **fields}, needed, either)


def group(fields: Mapping[str, Check]) -> Check:
    """Checkboxes or radio buttons: up to ten options."""
    options = items(RICH_OPTION, most=10)
    return begun(element({"options": options, "confirm": CONFIRM, "focus_on_load": flag, **fields}, ("options",)))


def typing(fields: Mapping[str, Check], needed: tuple[str, ...] = ()) -> Check:
    """Return a field to type into."""
    common = {"placeholder": PLACEHOLDER, "focus_on_load": flag, "dispatch_action_config": DISPATCH}
    return element({**common, **fields}, needed)


MANY = {"max_selected_items": number(1, MOST_SELECTED)}
STATIC = {"options": OPTIONS, "option_groups": GROUPS}
EITHER = ("options", "option_groups")
EXTERNAL = {"min_query_length": number(0, 1_000)}
CONVERSATIONS = {"default_to_current_conversation": flag, "filter": FILTER}

ELEMENTS: dict[str, Check] = {
    "button": element(
        {
            "text": text(75, PLAIN),
            "url": string(URL),
            "value": string(2_000),
            "style": STYLE,
            "confirm": CONFIRM,
            "accessibility_label": string(75),
            "agent_prompt": string(4_000),
        },
        needed=("text",),
    ),
    "workflow_button": element(
        {"text": text(75, PLAIN), "workflow": anything, "style": STYLE, "accessibility_label": string(75)},
        needed=("text", "workflow"),
    ),
    "icon_button": element(
        {
            "icon": one_of("trash"),
            "text": text(75, PLAIN),
            "value": string(2_000),
            "confirm": CONFIRM,
            "accessibility_label": string(75),
            "visible_to_user_ids": NAMES,
        },
        needed=("icon", "text"),
    ),
    "feedback_buttons": element(
        {"positive_button": FEEDBACK, "negative_button": FEEDBACK}, needed=("positive_button", "negative_button")
    ),
    "image": shape(
        {"type": anything, "image_url": string(URL), "slack_file": SLACK_FILE, "alt_text": string(2_000)},
        needed=("alt_text",),
        either=("image_url", "slack_file"),
    ),
    "overflow": element({"options": items(OVERFLOW_OPTION, most=5), "confirm": CONFIRM}, needed=("options",)),
    "checkboxes": group({"initial_options": items(RICH_OPTION, most=10)}),
    "radio_buttons": group({"initial_option": RICH_OPTION}),
    "static_select": begun(choosing({**STATIC, "initial_option": OPTION}, either=EITHER)),
    "multi_static_select": begun(choosing({**STATIC, **MANY, "initial_options": OPTIONS}, either=EITHER)),
    "external_select": choosing({**EXTERNAL, "initial_option": OPTION}),
    "multi_external_select": choosing({**EXTERNAL, **MANY, "initial_options": OPTIONS}),
    "users_select": choosing({"initial_user": string(ID)}),
    "multi_users_select": choosing({**MANY, "initial_users": NAMES}),
    "conversations_select": choosing(
        {**CONVERSATIONS, "initial_conversation": string(ID), "response_url_enabled": flag}
    ),
    "multi_conversations_select": choosing({**CONVERSATIONS, **MANY, "initial_conversations": NAMES}),
    "channels_select": choosing({"initial_channel": string(ID), "response_url_enabled": flag}),
    "multi_channels_select": choosing({**MANY, "initial_channels": NAMES}),
    "datepicker": choosing({"initial_date": string(form=DATE)}),
    "timepicker": choosing({"initial_time": string(form=TIME), "timezone": string(ID)}),
    "datetimepicker": element(
        {"initial_date_time": number(1_000_000_000, 9_999_999_999), "confirm": CONFIRM, "focus_on_load": flag}
    ),
    "plain_text_input": typing(
        {
            "initial_value": string(LONGEST_INPUT),
            "multiline": flag,
            "min_length": number(0, LONGEST_INPUT),
            "max_length": number(1, LONGEST_INPUT),
        }
    ),
    "email_text_input": typing({"initial_value": string(LONGEST_INPUT)}),
    "url_text_input": typing({"initial_value": string(LONGEST_INPUT)}),
    "number_input": typing(
        {"is_decimal_allowed": flag, "initial_value": string(ID), "min_value": string(ID), "max_value": string(ID)},
        needed=("is_decimal_allowed",),
    ),
    "rich_text_input": typing({"initial_value": RICH_TEXT}),
    "file_input": element({"filetypes": items(string(ID), most=100), "max_files": number(1, 10)}),
}

MENUS = tuple(name for name in ELEMENTS if name.endswith("_select"))
PICKERS = ("datepicker", "timepicker", "datetimepicker")
GROUPS_OF_OPTIONS = ("checkboxes", "radio_buttons")
IN_ACTIONS = ("button", "workflow_button", "overflow", "rich_text_input", *GROUPS_OF_OPTIONS, *PICKERS, *MENUS)
IN_SECTION = ("button", "workflow_button", "image", "overflow", "datepicker", "timepicker", *GROUPS_OF_OPTIONS, *MENUS)
IN_INPUT = (
    "plain_text_input",
    "email_text_input",
    "url_text_input",
    "number_input",
    "rich_text_input",
    "file_input",
    *GROUPS_OF_OPTIONS,
    *PICKERS,
    *MENUS,
)
IN_CONTEXT_ACTIONS = ("feedback_buttons", "icon_button")


MARKDOWN = 12_000
CELL_TYPES = ("raw_text", "raw_number", "rich_text")


def block(fields: Mapping[str, Check], needed: tuple[str, ...] = (), either: tuple[str, ...] = ()) -> Check:
    """Return a block with its id."""
    return shape({"type": anything, "block_id": string(ID), **fields}, needed, either)


def _context_element(value: object, pointer: str) -> Iterator[Problem]:
    kind = value.get("type") if isinstance(value, dict) else None
    rule = ELEMENTS["image"] if kind == "image" else text(3_000, PLAIN, MRKDWN)
    return rule(value, pointer)


CELLS: dict[str, Check] = {
    "raw_text": shape({"type": anything, "text": string()}, needed=("text",)),
    "raw_number": shape({"type": anything, "value": figure, "text": string()}, needed=("value", "text")),
    "rich_text": RICH_TEXT,
}
COLUMN = nullable(shape({"align": one_of("left", "center", "right"), "is_wrapped": flag}))
CARD = block(
    {
        "hero_image": ELEMENTS["image"],
        "icon": ELEMENTS["image"],
        "title": text(150, PLAIN, MRKDWN),
        "subtitle": text(150, PLAIN, MRKDWN),
        "body": text(200, PLAIN, MRKDWN),
        "actions": items(typed(ELEMENTS, ("button",)), most=25),
    },
    either=("hero_image", "title", "actions", "body"),
)
TASK = block(
    {
        "task_id": string(ID),
        "title": string(ID),
        "details": RICH_TEXT,
        "output": RICH_TEXT,
        "sources": items(anything, most=100),
        "status": one_of("pending", "in_progress", "complete", "error"),
    },
    needed=("task_id", "title"),
)

BLOCKS: dict[str, Check] = {
    "actions": block({"elements": items(typed(ELEMENTS, IN_ACTIONS), most=25)}, needed=("elements",)),
    "alert": block(
        {"text": text(3_000, PLAIN, MRKDWN), "level": one_of("default", "info", "warning", "error", "success")},
        needed=("text",),
    ),
    "card": CARD,
    "carousel": block({"elements": items(typed({"card": CARD}, ("card",)), most=10)}, needed=("elements",)),
    "context": block({"elements": items(_context_element, most=10)}, needed=("elements",)),
    "context_actions": block({"elements": items(typed(ELEMENTS, IN_CONTEXT_ACTIONS), most=5)}, needed=("elements",)),
    "divider": block({}),
    "header": block({"text": text(150, PLAIN)}, needed=("text",)),
    "image": block(
        {"image_url": string(URL), "slack_file": SLACK_FILE, "alt_text": string(2_000), "title": text(2_000, PLAIN)},
        needed=("alt_text",),
        either=("image_url", "slack_file"),
    ),
    "input": block(
        {
            "label": text(2_000, PLAIN),
            "element": typed(ELEMENTS, IN_INPUT),
            "dispatch_action": flag,
            "hint": text(2_000, PLAIN),
            "optional": flag,
        },
        needed=("label", "element"),
    ),
    "markdown": block({"text": string(MARKDOWN)}, needed=("text",)),
    "plan": block(
        {"title": string(ID), "tasks": items(typed({"task_card": TASK}, ("task_card",)), most=50)}, needed=("title",)
    ),
    "rich_text": RICH_TEXT,
    "section": block(
        {
            "text": text(3_000, PLAIN, MRKDWN),
            "fields": items(text(2_000, PLAIN, MRKDWN), most=10),
            "accessory": typed(ELEMENTS, IN_SECTION),
            "expand": flag,
        },
        either=("text", "fields"),
    ),
    "table": block(
        {"rows": items(items(typed(CELLS, CELL_TYPES), most=20), most=100), "column_settings": items(COLUMN, most=20)},
        needed=("rows",),
    ),
    "task_card": TASK,
    "video": block(
        {
            "alt_text": string(2_000),
            "author_name": string(49),
            "description": text(200, PLAIN),
            "provider_icon_url": string(URL),
            "provider_name": string(ID),
            "title": text(199, PLAIN),
            "title_url": string(URL, form="https://.*"),
            "thumbnail_url": string(URL),
            "video_url": string(URL, form="https://.*"),
        },
        needed=("alt_text", "title", "thumbnail_url", "video_url"),
    ),
}
BLOCKS["container"] = block(
    {
        "title": text(150, PLAIN),
        "rich_text_title": RICH_TEXT,
        "subtitle": text(150, PLAIN, MRKDWN),
        "child_blocks": items(typed(BLOCKS, ("section", "context", "divider", "image", "actions", "header")), most=10),
        "width": one_of("narrow", "standard", "wide", "full"),
        "icon": ELEMENTS["image"],
        "is_collapsible": flag,
        "default_collapsed": flag,
        "has_header_divider": flag,
    },
    needed=("child_blocks",),
    either=("title", "rich_text_title"),
)

ONLY_IN_MESSAGES = {"markdown", "table", "context_actions", "task_card", "plan", "card", "carousel", "container"}
ONLY_IN_VIEWS = {"input"}
IN_MESSAGES = tuple(name for name in BLOCKS if name not in ONLY_IN_VIEWS)
IN_VIEWS = tuple(name for name in BLOCKS if name not in ONLY_IN_MESSAGES)


MOST_BLOCKS = 100
COMMON: dict[str, Check] = {
    "blocks": items(typed(BLOCKS, IN_VIEWS), most=MOST_BLOCKS),
    "private_metadata": string(3_000, least=0),
    "callback_id": string(ID, least=0),
    "external_id": string(ID, least=0),
}
MODAL = shape(
    {
        **COMMON,
        "type": one_of("modal"),
        "title": text(24, PLAIN),
        "close": text(24, PLAIN),
        "submit": text(24, PLAIN),
        "clear_on_close": flag,
        "notify_on_close": flag,
    },
    needed=("type", "title", "blocks"),
)
HOME = shape({**COMMON, "type": one_of("home")}, needed=("type", "blocks"))
VIEWS: dict[str, Check] = {"modal": MODAL, "home": HOME}
