"""Composition objects, elements made of them, and blocks, one row each; modals and home tabs as a whole. Limits from Slack's Block Kit reference."""

from collections.abc import Iterator
from typing import cast

from bot.sandbox.inputs import flat
from bot.sandbox.limits.schema import (
    Check,
    Problem,
    anything,
    figure,
    flag,
    items,
    number,
    one_of,
    shape,
    string,
    text,
    typed,
)
from bot.sandbox.workspace import Json

ID, URL = string(255), string(3_000)
HTTPS = string(3_000, form="https://.*")
DATE, TIME = string(form=r"\d{4}-\d{2}-\d{2}"), string(form=r"\d{2}:\d{2}")
VALUE, INPUT, LABEL = string(2_000), string(3_000), string(75)
IDS = items(ID, most=100)
MARKDOWN = 12_000


def plain(most: int) -> Check:
    """Return a plain_text object of so many characters."""
    return text(most, "plain_text")


def rich(most: int) -> Check:
    """Return a text object of so many characters, plain_text or mrkdwn."""
    return text(most, "plain_text", "mrkdwn")


STYLE = one_of("primary", "danger")
CONFIRM = shape(
    "title text confirm deny", title=plain(100), text=rich(300), confirm=plain(30), deny=plain(30), style=STYLE
)
DISPATCH = shape(trigger_actions_on=items(one_of("on_enter_pressed", "on_character_entered"), most=2))
FILTER = shape(
    include=items(one_of("im", "mpim", "private", "public"), most=4),
    exclude_external_shared_channels=flag,
    exclude_bot_users=flag,
)
SLACK_FILE = shape("", "id url", id=ID, url=URL)
OPTION = shape("text value", text=plain(75), value=string(150), description=plain(75))
RICH_OPTION = shape("text value", text=rich(75), value=string(150), description=rich(75))
OVERFLOW_OPTION = shape("text value", text=plain(75), value=string(150), description=plain(75), url=URL)
OPTIONS = items(OPTION, most=100)
GROUPS = items(shape("label options", label=plain(75), options=OPTIONS), most=100)
FEEDBACK = shape("text value", text=plain(75), value=VALUE, accessibility_label=LABEL)
RICH_TEXT_PART = shape(
    "type elements",
    type=one_of("rich_text_section", "rich_text_list", "rich_text_preformatted", "rich_text_quote"),
    elements=items(anything, most=10_000, least=0),
    **dict.fromkeys(("style", "indent", "offset", "border", "language"), anything),
)
RICH_TEXT = shape(
    "type elements", type=one_of("rich_text"), block_id=ID, elements=items(RICH_TEXT_PART, most=10_000, least=0)
)
IMAGE = shape("alt_text", "image_url slack_file", type=anything, image_url=URL, slack_file=SLACK_FILE, alt_text=VALUE)


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


def element(needed: str = "", either: str = "", /, **fields: Check) -> Check:
    """Return an element with an action id."""
    return shape(needed, either, type=anything, action_id=ID, **fields)


def choosing(needed: str = "", either: str = "", /, **fields: Check) -> Check:
    """Return a menu or picker: may be confirmed, focused, and have a placeholder."""
    return element(needed, either, confirm=CONFIRM, focus_on_load=flag, placeholder=plain(150), **fields)


def group(**initial: Check) -> Check:
    """Return checkboxes or radio buttons: up to ten options."""
    options = items(RICH_OPTION, most=10)
    return begun(element("options", options=options, confirm=CONFIRM, focus_on_load=flag, **initial))


def typing(needed: str = "", /, **fields: Check) -> Check:
    """Return a field to type into."""
    return element(needed, placeholder=plain(150), focus_on_load=flag, dispatch_action_config=DISPATCH, **fields)


MANY = {"max_selected_items": number(1, 1_000)}
STATIC = {"options": OPTIONS, "option_groups": GROUPS}
EXTERNAL = {"min_query_length": number(0, 1_000)}
CONVERSATIONS = {"default_to_current_conversation": flag, "filter": FILTER}
BUTTON = {"text": plain(75), "accessibility_label": LABEL}

# fmt: off
ELEMENTS: dict[str, Check] = {
    "button": element("text", **BUTTON, url=URL, value=VALUE, style=STYLE, confirm=CONFIRM, agent_prompt=string(4_000)),
    "workflow_button": element("text workflow", **BUTTON, workflow=anything, style=STYLE),
    "icon_button": element(
        "icon text", **BUTTON, icon=one_of("trash"), value=VALUE, confirm=CONFIRM, visible_to_user_ids=IDS
    ),
    "feedback_buttons": element(
        "positive_button negative_button", positive_button=FEEDBACK, negative_button=FEEDBACK
    ),
    "image": IMAGE,
    "overflow": element("options", options=items(OVERFLOW_OPTION, most=5), confirm=CONFIRM),
    "checkboxes": group(initial_options=items(RICH_OPTION, most=10)),
    "radio_buttons": group(initial_option=RICH_OPTION),
    "static_select": begun(choosing("", "options option_groups", **STATIC, initial_option=OPTION)),
    "multi_static_select": begun(choosing("", "options option_groups", **STATIC, **MANY, initial_options=OPTIONS)),
    "external_select": choosing(**EXTERNAL, initial_option=OPTION),
    "multi_external_select": choosing(**EXTERNAL, **MANY, initial_options=OPTIONS),
    "users_select": choosing(initial_user=ID),
    "multi_users_select": choosing(**MANY, initial_users=IDS),
    "conversations_select": choosing(**CONVERSATIONS, initial_conversation=ID, response_url_enabled=flag),
    "multi_conversations_select": choosing(**CONVERSATIONS, **MANY, initial_conversations=IDS),
    "channels_select": choosing(initial_channel=ID, response_url_enabled=flag),
    "multi_channels_select": choosing(**MANY, initial_channels=IDS),
    "datepicker": choosing(initial_date=DATE),
    "timepicker": choosing(initial_time=TIME, timezone=ID),
    "datetimepicker": element(
        initial_date_time=number(1_000_000_000, 9_999_999_999), confirm=CONFIRM, focus_on_load=flag
    ),
    "plain_text_input": typing(initial_value=INPUT, multiline=flag, min_length=number(0, 3_000), max_length=number(1, 3_000)),
    "email_text_input": typing(initial_value=INPUT),
    "url_text_input": typing(initial_value=INPUT),
    "number_input": typing(
        "is_decimal_allowed", is_decimal_allowed=flag, initial_value=ID, min_value=ID, max_value=ID
    ),
    "rich_text_input": typing(initial_value=RICH_TEXT),
    "file_input": element(filetypes=IDS, max_files=number(1, 10)),
}
# fmt: on

MENUS = tuple(name for name in ELEMENTS if name.endswith("_select"))
PICKERS = ("datepicker", "timepicker", "datetimepicker")
TICKED = ("checkboxes", "radio_buttons")
IN_ACTIONS = ("button", "workflow_button", "overflow", "rich_text_input", *TICKED, *PICKERS, *MENUS)
IN_SECTION = ("button", "workflow_button", "image", "overflow", "datepicker", "timepicker", *TICKED, *MENUS)
IN_INPUT = (*(name for name in ELEMENTS if name.endswith("_input")), *TICKED, *PICKERS, *MENUS)
IN_CONTEXT_ACTIONS = ("feedback_buttons", "icon_button")


def block(needed: str = "", either: str = "", /, **fields: Check) -> Check:
    """Return a block with its id."""
    return shape(needed, either, type=anything, block_id=ID, **fields)


def _context_element(value: object, pointer: str) -> Iterator[Problem]:
    is_image = isinstance(value, dict) and value.get("type") == "image"
    return (IMAGE if is_image else rich(3_000))(value, pointer)


def _column(value: object, pointer: str) -> Iterator[Problem]:
    shown = shape(align=one_of("left", "center", "right"), is_wrapped=flag)
    return iter(()) if value is None else shown(value, pointer)


CELLS: dict[str, Check] = {
    "raw_text": shape("text", type=anything, text=string()),
    "raw_number": shape("value text", type=anything, value=figure, text=string()),
    "rich_text": RICH_TEXT,
}
CARD = block(
    "",
    "hero_image title actions body",
    hero_image=IMAGE,
    icon=IMAGE,
    title=rich(150),
    subtitle=rich(150),
    body=rich(200),
    actions=items(typed(ELEMENTS, ("button",)), most=25),
)
TASK = block(
    "task_id title",
    task_id=ID,
    title=ID,
    details=RICH_TEXT,
    output=RICH_TEXT,
    sources=items(anything, most=100),
    status=one_of("pending", "in_progress", "complete", "error"),
)
# fmt: off
BLOCKS: dict[str, Check] = {
    "actions": block("elements", elements=items(typed(ELEMENTS, IN_ACTIONS), most=25)),
    "alert": block("text", text=rich(3_000), level=one_of("default", "info", "warning", "error", "success")),
    "card": CARD,
    "carousel": block("elements", elements=items(typed({"card": CARD}, ("card",)), most=10)),
    "context": block("elements", elements=items(_context_element, most=10)),
    "context_actions": block("elements", elements=items(typed(ELEMENTS, IN_CONTEXT_ACTIONS), most=5)),
    "divider": block(),
    "header": block("text", text=plain(150)),
    "image": block(
        "alt_text", "image_url slack_file", image_url=URL, slack_file=SLACK_FILE, alt_text=VALUE, title=plain(2_000)
    ),
    "input": block(
        "label element", label=plain(2_000), element=typed(ELEMENTS, IN_INPUT), hint=plain(2_000),
        dispatch_action=flag, optional=flag,
    ),
    "markdown": block("text", text=string(MARKDOWN)),
    "plan": block("title", title=ID, tasks=items(typed({"task_card": TASK}, ("task_card",)), most=50)),
    "rich_text": RICH_TEXT,
    "section": block(
        "", "text fields", text=rich(3_000), fields=items(rich(2_000), most=10), expand=flag,
        accessory=typed(ELEMENTS, IN_SECTION),
    ),
    "table": block(
        "rows", rows=items(items(typed(CELLS, tuple(CELLS)), most=20), most=100),
        column_settings=items(_column, most=20),
    ),
    "task_card": TASK,
    "video": block(
        "alt_text title thumbnail_url video_url", alt_text=VALUE, author_name=string(49), description=plain(200),
        provider_icon_url=URL, provider_name=ID, title=plain(199), title_url=HTTPS, thumbnail_url=URL, video_url=HTTPS,
    ),
}
BLOCKS["container"] = block(
    "child_blocks", "title rich_text_title", title=plain(150), rich_text_title=RICH_TEXT, subtitle=rich(150),
    child_blocks=items(typed(BLOCKS, ("section", "context", "divider", "image", "actions", "header")), most=10),
    width=one_of("narrow", "standard", "wide", "full"), icon=IMAGE,
    is_collapsible=flag, default_collapsed=flag, has_header_divider=flag,
)
# fmt: on
ONLY_IN_MESSAGES = {"markdown", "table", "context_actions", "task_card", "plan", "card", "carousel", "container"}
IN_MESSAGES = tuple(name for name in BLOCKS if name != "input")
IN_VIEWS = tuple(name for name in BLOCKS if name not in ONLY_IN_MESSAGES)
IN_EVERY_VIEW: dict[str, Check] = {
    "blocks": items(typed(BLOCKS, IN_VIEWS), most=100),
    "private_metadata": string(3_000, least=0),
    **dict.fromkeys(("callback_id", "external_id"), string(255, least=0)),
}
MODAL = shape(
    "type title blocks",
    type=one_of("modal"),
    **dict.fromkeys(("title", "close", "submit"), plain(24)),
    **dict.fromkeys(("clear_on_close", "notify_on_close"), flag),
    **IN_EVERY_VIEW,
)
VIEWS: dict[str, Check] = {"modal": MODAL, "home": shape("type blocks", type=one_of("home"), **IN_EVERY_VIEW)}
