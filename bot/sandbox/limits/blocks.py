"""Blocks, one row each, with the surfaces on which Slack takes them; modals and home tabs as a whole. Limits from Slack's Block Kit reference."""

from collections.abc import Iterator, Mapping

from bot.sandbox.limits.elements import (
    ELEMENTS,
    ID,
    IN_ACTIONS,
    IN_CONTEXT_ACTIONS,
    IN_INPUT,
    IN_SECTION,
    RICH_TEXT,
    SLACK_FILE,
    URL,
)
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
    one_of,
    shape,
    string,
    text,
    typed,
)

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
