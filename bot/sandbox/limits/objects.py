"""Composition objects: what blocks and elements are made of. Limits from Slack's Block Kit reference."""

from bot.sandbox.limits.schema import MRKDWN, PLAIN, Check, anything, flag, items, one_of, shape, string, text

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
    """An option: its words may be mrkdwn only in checkboxes and radio buttons, and have a link only in overflows."""
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
