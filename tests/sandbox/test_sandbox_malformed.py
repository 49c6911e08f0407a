"""What Slack would not take is refused with the reason, and what it takes passes."""

import pytest
from slack_limit_cases import (
    FIRST,
    at,
    button,
    contexts,
    feedback,
    field,
    home,
    image,
    modal,
    mrkdwn,
    option,
    options,
    plain,
    row,
    section,
    select,
    table,
)
from slack_verdicts import message, refused, view

from bot.sandbox import limits
from bot.sandbox.workspace import Json

NOT_TAKEN = [
    ("unknown block", {"type": "marquee"}, "unsupported type: marquee", "/blocks/0/type"),
    ("no type", {"text": "x"}, "missing required field: type", "/blocks/0"),
    ("unknown property", section(colour="red"), "invalid additional property: colour", "/blocks/0"),
    ("disabled button", row(button(disabled=True)), "invalid additional property: disabled", FIRST),
    ("input in a message", field(), "unsupported type: input", "/blocks/0/type"),
    ("mrkdwn header", {"type": "header", "text": mrkdwn("x")}, "must be one of: plain_text", "/blocks/0/text/type"),
    ("mrkdwn button", row(button(text=mrkdwn("x"))), "must be one of: plain_text", FIRST + "/text/type"),
    ("mrkdwn option", row(select(options=[{"text": mrkdwn("x"), "value": "1"}])), "must be one of: plain_text", FIRST + "/options/0/text/type"),
    ("string for text", section(text="words"), "must provide an object", "/blocks/0/text"),
    ("empty text", section(text=mrkdwn("")), "must be more than 0 characters", "/blocks/0/text/text"),
    ("emoji in mrkdwn", section(text={**mrkdwn("x"), "emoji": True}), "invalid additional property: emoji", "/blocks/0/text"),
    ("verbatim in plain_text", section(text={**plain("x"), "verbatim": True}), "invalid additional property: verbatim", "/blocks/0/text"),
    ("empty section", {"type": "section"}, "must define either `text` or `fields`", "/blocks/0"),
    ("empty fields", section(fields=[]), "no fewer than 1 items allowed", "/blocks/0/fields"),
    ("empty actions", row(), "no fewer than 1 items allowed", "/blocks/0/elements"),
    ("empty context", contexts(0), "no fewer than 1 items allowed", "/blocks/0/elements"),
    ("no options", row({"type": "static_select"}), "must define either `options` or `option_groups`", FIRST),
    ("link in a menu", row(select(options=[option(url="https://northmoor.example")])), "invalid additional property: url", FIRST + "/options/0"),
    ("unknown style", row(button(style="loud")), "must be one of: primary, danger", FIRST + "/style"),
    ("text input in actions", row({"type": "plain_text_input"}), "unsupported type: plain_text_input", FIRST + "/type"),
    ("button in context", {"type": "context", "elements": [button()]}, "must be one of: plain_text, mrkdwn", FIRST + "/type"),
    ("incomplete confirm", row(button(confirm={"title": plain("x")})), "missing required field: text", FIRST + "/confirm"),
    ("image without text", {"type": "image", "image_url": "https://northmoor.example/a.png"}, "missing required field: alt_text", "/blocks/0"),
    (
        "date of another form",
        row({"type": "datepicker", "initial_date": "1 May"}),
        r"must match the pattern \d{4}-\d{2}-\d{2}",
        FIRST + "/initial_date",
    ),
    ("date that is none", row({"type": "datepicker", "initial_date": "2026-13-45"}), "initial_date", ""),
    ("number for a string", row(button(value=7)), "must provide a string", FIRST + "/value"),
    (
        "an initial choice that is not offered",
        row(select(initial_option=option(value="9"))),
        "must be one of the options",
        FIRST + "/initial_option",
    ),
    (
        "an initial tick that is not offered",
        row({"type": "checkboxes", "options": options(2), "initial_options": [option(value="9")]}),
        "must be one of the options",
        FIRST + "/initial_options",
    ),
    (
        "words for a number in a table",
        {"type": "table", "rows": [[{"type": "raw_number", "value": "7", "text": "7"}]]},
        "must provide a number",
        "/blocks/0/rows/0/0/value",
    ),
    ("a button in a table", {"type": "table", "rows": [[button()]]}, "unsupported type: button", "/blocks/0/rows/0/0/type"),
    (
        "options and groups",
        row(select(option_groups=[{"label": plain("G"), "options": options(1)}])),
        "options and option_groups cannot both be specified",
        "/blocks/0",
    ),
]  # fmt: skip
"""What is wrong, the block, and what Slack says of which place in it."""


@pytest.mark.parametrize(("block", "words", "place"), [row[1:] for row in NOT_TAKEN], ids=[row[0] for row in NOT_TAKEN])
def test_malformed_blocks_are_refused_with_the_reason(block: Json, words: str, place: str) -> None:
    """A block that Slack would not take is refused, and the reason points to the place."""
    code, found = message(block)
    assert code == "invalid_blocks"
    assert any((f"{words} {at(place)}" if place else words) in one for one in found), found


TOGETHER = {
    "block_id twice": [section(block_id="a"), section(block_id="a")],
    "action_id twice in a block": [row(button(action_id="a"), button(action_id="a"))],
    "action_id twice in a message": [row(button(action_id="a")), row(button(action_id="a"))],
    "two tables": [table(1, 1), table(1, 1)],
    "a table with too much text": [{"type": "table", "rows": [[{"type": "raw_text", "text": "x" * 1_001}]] * 10}],
    "too much markdown": [{"type": "markdown", "text": "x" * 6_001}, {"type": "markdown", "text": "x" * 6_000}],
}


@pytest.mark.parametrize("blocks", TOGETHER.values(), ids=TOGETHER)
def test_blocks_that_do_not_go_together_are_refused(blocks: list[Json]) -> None:
    """Ids used twice, two tables, or too much text in sum are refused although each block is right."""
    assert message(*blocks)[0] == "invalid_blocks"
    assert len(blocks) == 1 or all(message(block) == ("", []) for block in blocks)


VIEWS_NOT_TAKEN = {
    "no title": {key: value for key, value in modal().items() if key != "title"},
    "no blocks": modal(blocks=[]),
    "unknown property": modal(colour="red"),
    "title in a home": home(title=plain("T")),
    "input without a submit button": {**modal(blocks=[field()]), "submit": None},
    "two focused inputs": modal(
        blocks=[
            {**field(focus_on_load=True), "block_id": "1"},
            {**field(focus_on_load=True, action_id="b"), "block_id": "2"},
        ]
    ),
    "markdown in a modal": modal(blocks=[{"type": "markdown", "text": "x"}]),
    "button in an input": modal(blocks=[{"type": "input", "label": plain("x"), "element": button()}]),
    "number without its kind": modal(
        blocks=[{"type": "input", "label": plain("x"), "element": {"type": "number_input"}}]
    ),
}


@pytest.mark.parametrize("given", VIEWS_NOT_TAKEN.values(), ids=VIEWS_NOT_TAKEN)
def test_malformed_views_are_refused(given: Json) -> None:
    """A view that Slack would not take is invalid_arguments."""
    code, words = view(given)
    assert code == "invalid_arguments"
    assert words[0] == f"failed to match all allowed schemas {at('/view')}"


def test_a_view_of_another_type_is_refused() -> None:
    """A home cannot be opened as a modal, nor a modal published as a home."""
    assert refused(lambda: limits.check_view(home(), "modal"))[0] == "invalid_arguments"
    assert refused(lambda: limits.check_view(modal(), "home"))[0] == "invalid_arguments"


def test_a_view_has_250_kilobytes() -> None:
    """A view beyond 250 kB is too large."""
    texts = [section(text=mrkdwn("x" * 3_000)) for _ in range(100)]
    assert view(modal(blocks=texts[:80])) == ("", [])
    assert view(modal(blocks=texts))[0] == "view_too_large"


GOOD = [
    section(accessory=select(action_id="a", placeholder=plain("Choose"), initial_option=option(value="0"))),
    section(accessory=image(), expand=True),
    row({"type": "datepicker", "action_id": "d", "initial_date": "2026-11-20", "placeholder": plain("Date")}),
    row({"type": "timepicker", "initial_time": "09:30"}, {"type": "datetimepicker", "initial_date_time": 1_700_000_000}),
    row({"type": "radio_buttons", "options": [{"text": mrkdwn("*One*"), "value": "1", "description": mrkdwn("_d_")}]}),
    row({"type": "multi_users_select", "placeholder": plain("Who"), "max_selected_items": 3}),
    row({"type": "external_select", "min_query_length": 2, "placeholder": plain("Find")}),
    row({"type": "conversations_select", "filter": {"include": ["im"]}, "default_to_current_conversation": True}),
    row({"type": "users_select"}, {"type": "channels_select"}, {"type": "multi_static_select", "options": options(2)}),
    feedback(),
    {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "x"}]}]},
    {"type": "alert", "text": mrkdwn("x"), "level": "warning"},
    {"type": "task_card", "task_id": "1", "title": "T", "status": "in_progress"},
    {"type": "plan", "title": "P", "tasks": [{"type": "task_card", "task_id": "1", "title": "T", "status": "complete"}]},
    {"type": "card", "title": plain("T"), "actions": [button(action_id="a", style="primary")]},
    {"type": "carousel", "elements": [{"type": "card", "body": plain("B")}]},
    {"type": "container", "title": plain("T"), "child_blocks": [section()]},
    {"type": "context", "elements": [image(), plain("x")]},
    {**table(2, 2), "column_settings": [None, {"align": "right", "is_wrapped": True}]},
    {"type": "table", "rows": [[{"type": "raw_number", "value": 720.5, "text": "£720.50"}]]},
]  # fmt: skip


@pytest.mark.parametrize("block", GOOD, ids=lambda block: block["type"])
def test_what_slack_takes_passes(block: Json) -> None:
    """Ordinary blocks of every kind pass our rules and the SDK's."""
    assert message(block) == ("", [])


GOOD_INPUTS = [
    {"type": "plain_text_input", "multiline": True, "min_length": 1, "max_length": 10, "placeholder": plain("x")},
    {"type": "number_input", "is_decimal_allowed": True, "min_value": "0", "initial_value": "1"},
    {"type": "email_text_input", "dispatch_action_config": {"trigger_actions_on": ["on_enter_pressed"]}},
    {"type": "url_text_input", "focus_on_load": True},
    {"type": "rich_text_input"},
    {"type": "file_input", "filetypes": ["pdf"], "max_files": 2},
    {"type": "datepicker"},
    {"type": "checkboxes", "options": options(2), "initial_options": options(1)},
    {"type": "multi_external_select", "min_query_length": 0},
]


@pytest.mark.parametrize("element", GOOD_INPUTS, ids=lambda element: element["type"])
def test_inputs_that_slack_takes_pass(element: Json) -> None:
    """Every kind of input passes in a modal."""
    block = {"type": "input", "label": plain("x"), "element": {"action_id": "a", **element}, "optional": True}
    assert view(modal(blocks=[block])) == ("", [])
