"""Every limit of Slack's is held on both sides: what just fits passes, one more is refused, with Slack's words."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox import limits
from bot.sandbox.errors import Refusal, SlackError
from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import Json

Build = Callable[[int], Json]


def plain(words: str) -> Json:
    """A plain_text object."""
    return {"type": "plain_text", "text": words}


def mrkdwn(words: str) -> Json:
    """A mrkdwn object."""
    return {"type": "mrkdwn", "text": words}


def option(text: str = "One", value: str = "1", **more: object) -> Json:
    """An option."""
    return {"text": plain(text), "value": value, **more}


def options(count: int) -> list[Json]:
    """Different options."""
    return [option(value=str(number)) for number in range(count)]


def button(**more: object) -> Json:
    """A button."""
    return {"type": "button", "text": plain("Go"), **more}


def confirm(**more: object) -> Json:
    """A confirmation dialog."""
    return {"title": plain("Sure?"), "text": plain("Really"), "confirm": plain("Yes"), "deny": plain("No"), **more}


def row(*elements: Json) -> Json:
    """An actions block."""
    return {"type": "actions", "elements": list(elements)}


def select(**more: object) -> Json:
    """A menu."""
    return {"type": "static_select", "options": options(1), **more}


def field(**element: object) -> Json:
    """An input block."""
    return {
        "type": "input",
        "label": plain("Why"),
        "element": {"type": "plain_text_input", "action_id": "a", **element},
    }


def section(**more: object) -> Json:
    """A section."""
    return {"type": "section", "text": mrkdwn("words"), **more}


def image(**more: object) -> Json:
    """An image."""
    return {"type": "image", "image_url": "https://northmoor.example/a.png", "alt_text": "a", **more}


def table(rows: int, cells: int) -> Json:
    """A table."""
    return {"type": "table", "rows": [[{"type": "raw_text", "text": "x"}] * cells] * rows}


def modal(**more: object) -> Json:
    """A modal."""
    return {"type": "modal", "title": plain("T"), "submit": plain("Go"), "blocks": [{"type": "divider"}], **more}


def home(**more: object) -> Json:
    """A home view."""
    return {"type": "home", "blocks": [{"type": "divider"}], **more}


@dataclass(frozen=True)
class Limit:
    """How large something may be, and the block that is that large."""

    name: str
    most: int
    build: Build
    words: str


def length(name: str, most: int, build: Callable[[str], Json], pointer: str) -> Limit:
    """A limit on characters."""
    return Limit(name, most, lambda size: build("x" * size), f"must be less than {most + 1} characters {at(pointer)}")


def count(name: str, most: int, build: Build, pointer: str) -> Limit:
    """A limit on items."""
    return Limit(name, most, build, f"no more than {most} items allowed {at(pointer)}")


def at(pointer: str) -> str:
    """How Slack names a place."""
    return f"[json-pointer:{pointer}]"


def buttons(count: int) -> Json:
    """A row of buttons."""
    return row(*(button(action_id=str(number)) for number in range(count)))


def contexts(count: int) -> Json:
    """A context block."""
    return {"type": "context", "elements": [mrkdwn("x")] * count}


def confirmed(**more: object) -> Json:
    """A row with a button that asks back."""
    return row(button(confirm=confirm(**more)))


def groups(size: int) -> Json:
    """A menu of option groups."""
    each = [{"label": plain("G"), "options": options(1)}] * size
    return row({"type": "static_select", "option_groups": each})


def group_of(size: int) -> Json:
    """A menu with one group."""
    return row({"type": "static_select", "option_groups": [{"label": plain("G"), "options": options(size)}]})


def overflow(*entries: Json) -> Json:
    """An overflow menu."""
    return row({"type": "overflow", "options": list(entries)})


def feedback(**more: object) -> Json:
    """Feedback buttons."""
    one = {"text": plain("Good"), "value": "1", **more}
    element = {"type": "feedback_buttons", "positive_button": one, "negative_button": one}
    return {"type": "context_actions", "elements": [element]}


FIRST = "/blocks/0/elements/0"
IN_MESSAGES = [
    length("section text", 3_000, lambda x: section(text=mrkdwn(x)), "/blocks/0/text/text"),
    length("section field", 2_000, lambda x: section(fields=[mrkdwn(x)]), "/blocks/0/fields/0/text"),
    count("section fields", 10, lambda n: section(fields=[mrkdwn("x")] * n), "/blocks/0/fields"),
    length("block_id", 255, lambda x: section(block_id=x), "/blocks/0/block_id"),
    length("header", 150, lambda x: {"type": "header", "text": plain(x)}, "/blocks/0/text/text"),
    length("markdown", 12_000, lambda x: {"type": "markdown", "text": x}, "/blocks/0/text"),
    count("actions", 25, buttons, "/blocks/0/elements"),
    count("context elements", 10, contexts, "/blocks/0/elements"),
    length("context text", 3_000, lambda x: {"type": "context", "elements": [mrkdwn(x)]}, f"{FIRST}/text"),
    length("button text", 75, lambda x: row(button(text=plain(x))), f"{FIRST}/text/text"),
    length("button value", 2_000, lambda x: row(button(value=x)), f"{FIRST}/value"),
    length("button url", 3_000, lambda x: row(button(url=x)), f"{FIRST}/url"),
    length("button label", 75, lambda x: row(button(accessibility_label=x)), f"{FIRST}/accessibility_label"),
    length("action_id", 255, lambda x: row(button(action_id=x)), f"{FIRST}/action_id"),
    length("confirm title", 100, lambda x: confirmed(title=plain(x)), f"{FIRST}/confirm/title/text"),
    length("confirm text", 300, lambda x: confirmed(text=mrkdwn(x)), f"{FIRST}/confirm/text/text"),
    length("confirm yes", 30, lambda x: confirmed(confirm=plain(x)), f"{FIRST}/confirm/confirm/text"),
    length("confirm no", 30, lambda x: confirmed(deny=plain(x)), f"{FIRST}/confirm/deny/text"),
    count("options", 100, lambda n: row(select(options=options(n))), f"{FIRST}/options"),
    count("option groups", 100, groups, f"{FIRST}/option_groups"),
    count("options of a group", 100, group_of, f"{FIRST}/option_groups/0/options"),
    length("option text", 75, lambda x: row(select(options=[option(x)])), f"{FIRST}/options/0/text/text"),
    length("option value", 150, lambda x: row(select(options=[option(value=x)])), f"{FIRST}/options/0/value"),
    length(
        "option description",
        75,
        lambda x: row(select(options=[option(description=plain(x))])),
        f"{FIRST}/options/0/description/text",
    ),
    length("placeholder", 150, lambda x: row(select(placeholder=plain(x))), f"{FIRST}/placeholder/text"),
    count("overflow options", 5, lambda n: overflow(*options(n)), f"{FIRST}/options"),
    length("overflow url", 3_000, lambda x: overflow(option(url=x)), f"{FIRST}/options/0/url"),
    count("checkboxes", 10, lambda n: row({"type": "checkboxes", "options": options(n)}), f"{FIRST}/options"),
    count("radio buttons", 10, lambda n: row({"type": "radio_buttons", "options": options(n)}), f"{FIRST}/options"),
    length("image url", 3_000, lambda x: image(image_url=x), "/blocks/0/image_url"),
    length("image text", 2_000, lambda x: image(alt_text=x), "/blocks/0/alt_text"),
    length("image title", 2_000, lambda x: image(title=plain(x)), "/blocks/0/title/text"),
    length("feedback text", 75, lambda x: feedback(text=plain(x)), f"{FIRST}/positive_button/text/text"),
    count("table rows", 100, lambda n: table(n, 1), "/blocks/0/rows"),
    count("table cells", 20, lambda n: table(1, n), "/blocks/0/rows/0"),
    length("card body", 200, lambda x: {"type": "card", "body": plain(x)}, "/blocks/0/body/text"),
    length("card title", 150, lambda x: {"type": "card", "title": plain(x)}, "/blocks/0/title/text"),
]
IN_VIEWS = [
    length("title", 24, lambda x: modal(title=plain(x)), "/view/title/text"),
    length("submit", 24, lambda x: modal(submit=plain(x)), "/view/submit/text"),
    length("close", 24, lambda x: modal(close=plain(x)), "/view/close/text"),
    length("private_metadata", 3_000, lambda x: modal(private_metadata=x), "/view/private_metadata"),
    length("callback_id", 255, lambda x: modal(callback_id=x), "/view/callback_id"),
    length("external_id", 255, lambda x: modal(external_id=x), "/view/external_id"),
    count("blocks of a modal", 100, lambda n: modal(blocks=[{"type": "divider"}] * n), "/view/blocks"),
    count("blocks of a home", 100, lambda n: home(blocks=[{"type": "divider"}] * n), "/view/blocks"),
    length("input label", 2_000, lambda x: modal(blocks=[{**field(), "label": plain(x)}]), "/view/blocks/0/label/text"),
    length("input hint", 2_000, lambda x: modal(blocks=[{**field(), "hint": plain(x)}]), "/view/blocks/0/hint/text"),
    length(
        "initial value",
        3_000,
        lambda x: modal(blocks=[field(initial_value=x)]),
        "/view/blocks/0/element/initial_value",
    ),
    Limit(
        "max_length",
        3_000,
        lambda n: modal(blocks=[field(max_length=n)]),
        f"must be less than 3001 {at('/view/blocks/0/element/max_length')}",
    ),
]


def refused(check: Callable[[], None]) -> tuple[str, list[str]]:
    """The code and the reasons of a refusal; nothing when it passes."""
    try:
        check()
    except SlackError as error:
        return error.code, list(error.problems) if isinstance(error, Refusal) else []
    return "", []


def message(*blocks: Json) -> tuple[str, list[str]]:
    """How a message with these blocks fares."""
    return refused(lambda: limits.check_message("x", list(blocks), None))


def view(given: Json) -> tuple[str, list[str]]:
    """How a view fares."""
    return refused(lambda: limits.check_view(given, str(given["type"])))


@pytest.mark.parametrize("limit", IN_MESSAGES, ids=lambda limit: limit.name)
def test_message_limits_are_held_on_both_sides(limit: Limit) -> None:
    """What just fits in a message passes; one more is invalid_blocks with Slack's words and place."""
    assert message(limit.build(limit.most)) == ("", [])
    code, words = message(limit.build(limit.most + 1))
    assert code == "invalid_blocks"
    assert limit.words in words


@pytest.mark.parametrize("limit", IN_VIEWS, ids=lambda limit: limit.name)
def test_view_limits_are_held_on_both_sides(limit: Limit) -> None:
    """What just fits in a view passes; one more is invalid_arguments with Slack's words and place."""
    assert view(limit.build(limit.most)) == ("", [])
    code, words = view(limit.build(limit.most + 1))
    assert code == "invalid_arguments"
    assert limit.words in words


@pytest.mark.parametrize(
    ("size", "code"),
    [(4_000, ""), (4_001, "msg_too_long")],
)
def test_a_text_has_4000_characters(size: int, code: str) -> None:
    """A text of 4,000 characters passes, one more may fail and does here."""
    assert refused(lambda: limits.check_message("x" * size, None, None))[0] == code


@pytest.mark.parametrize(("size", "code"), [(12_000, ""), (12_001, "msg_too_long")])
def test_a_markdown_text_has_12000_characters(size: int, code: str) -> None:
    """A markdown_text of 12,000 characters passes, streamed or posted, and one more does not."""
    blocks = [{"type": "markdown", "text": "x"}]
    assert refused(lambda: limits.check_message("x" * size, blocks, None, markdown=True))[0] == code
    assert refused(lambda: limits.check_markdown("x" * size))[0] == code


@pytest.mark.parametrize(("blocks", "code"), [(50, ""), (51, "invalid_blocks")])
def test_a_message_has_50_blocks(blocks: int, code: str) -> None:
    """Fifty blocks pass, one more does not."""
    found, words = message(*([{"type": "divider"}] * blocks))
    assert found == code
    assert not code or words == [f"no more than 50 items allowed {at('/blocks')}"]


@pytest.mark.parametrize(("size", "code"), [(3_000, ""), (3_001, "msg_blocks_too_long")])
def test_all_texts_of_a_message_have_12000_characters(size: int, code: str) -> None:
    """About 12,000 characters of blocks are taken in all."""
    texts = [3_000, 3_000, 3_000, 3_000] if size == 3_000 else [3_000, 3_000, 3_000, 3_000, 1]
    assert message(*(section(text=mrkdwn("x" * text)) for text in texts))[0] == code


def test_attachments_are_counted_and_looked_into() -> None:
    """A hundred attachments pass; their blocks obey the same rules."""
    attached = [{"blocks": [{"type": "divider"}]}]
    assert refused(lambda: limits.check_message("x", None, attached * 100)) == ("", [])
    assert refused(lambda: limits.check_message("x", None, attached * 101))[0] == "too_many_attachments"
    broken = [{"blocks": [{"type": "header"}]}]
    pointer = "/attachments/0/blocks/0"
    words = [f"missing required field: text {at(pointer)}"]
    assert refused(lambda: limits.check_message("x", None, broken)) == ("invalid_blocks", words)


NOT_TAKEN = {
    "unknown block": ({"type": "marquee"}, f"unsupported type: marquee {at('/blocks/0/type')}"),
    "no type": ({"text": "x"}, f"missing required field: type {at('/blocks/0')}"),
    "unknown property": (section(colour="red"), f"invalid additional property: colour {at('/blocks/0')}"),
    "disabled button": (row(button(disabled=True)), f"invalid additional property: disabled {at(FIRST)}"),
    "input in a message": (field(), f"unsupported type: input {at('/blocks/0/type')}"),
    "mrkdwn header": (
        {"type": "header", "text": mrkdwn("x")},
        f"must be one of: plain_text {at('/blocks/0/text/type')}",
    ),
    "mrkdwn button": (row(button(text=mrkdwn("x"))), f"must be one of: plain_text {at(FIRST + '/text/type')}"),
    "mrkdwn option": (
        row(select(options=[{"text": mrkdwn("x"), "value": "1"}])),
        f"must be one of: plain_text {at(FIRST + '/options/0/text/type')}",
    ),
    "string for text": (section(text="words"), f"must provide an object {at('/blocks/0/text')}"),
    "empty text": (section(text=mrkdwn("")), f"must be more than 0 characters {at('/blocks/0/text/text')}"),
    "emoji in mrkdwn": (
        section(text={**mrkdwn("x"), "emoji": True}),
        f"invalid additional property: emoji {at('/blocks/0/text')}",
    ),
    "verbatim in plain_text": (
        section(text={**plain("x"), "verbatim": True}),
        f"invalid additional property: verbatim {at('/blocks/0/text')}",
    ),
    "empty section": ({"type": "section"}, f"must define either `text` or `fields` {at('/blocks/0')}"),
    "empty fields": (section(fields=[]), f"no fewer than 1 items allowed {at('/blocks/0/fields')}"),
    "empty actions": (row(), f"no fewer than 1 items allowed {at('/blocks/0/elements')}"),
    "empty context": (contexts(0), f"no fewer than 1 items allowed {at('/blocks/0/elements')}"),
    "no options": (row({"type": "static_select"}), f"must define either `options` or `option_groups` {at(FIRST)}"),
    "link in a menu": (
        row(select(options=[option(url="https://northmoor.example")])),
        f"invalid additional property: url {at(FIRST + '/options/0')}",
    ),
    "unknown style": (row(button(style="loud")), f"must be one of: primary, danger {at(FIRST + '/style')}"),
    "text input in actions": (
        row({"type": "plain_text_input"}),
        f"unsupported type: plain_text_input {at(FIRST + '/type')}",
    ),
    "button in context": (
        {"type": "context", "elements": [button()]},
        f"must be one of: plain_text, mrkdwn {at(FIRST + '/type')}",
    ),
    "incomplete confirm": (
        row(button(confirm={"title": plain("x")})),
        f"missing required field: text {at(FIRST + '/confirm')}",
    ),
    "image without text": (
        {"type": "image", "image_url": "https://northmoor.example/a.png"},
        f"missing required field: alt_text {at('/blocks/0')}",
    ),
    "date of another form": (
        row({"type": "datepicker", "initial_date": "1 May"}),
        rf"must match the pattern \d{{4}}-\d{{2}}-\d{{2}} {at(FIRST + '/initial_date')}",
    ),
    "date that is none": (row({"type": "datepicker", "initial_date": "2026-13-45"}), "initial_date"),
    "number for a string": (row(button(value=7)), f"must provide a string {at(FIRST + '/value')}"),
    "options and groups": (
        row(select(option_groups=[{"label": plain("G"), "options": options(1)}])),
        f"options and option_groups cannot both be specified {at('/blocks/0')}",
    ),
}


@pytest.mark.parametrize(("block", "words"), NOT_TAKEN.values(), ids=NOT_TAKEN)
def test_malformed_blocks_are_refused_with_the_reason(block: Json, words: str) -> None:
    """A block that Slack would not take is refused, and the reason points to the place."""
    code, found = message(block)
    assert code == "invalid_blocks"
    assert any(words in one for one in found), found


TOGETHER = {
    "block_id twice": [section(block_id="a"), section(block_id="a")],
    "action_id twice in a block": [row(button(action_id="a"), button(action_id="a"))],
    "action_id twice in a message": [row(button(action_id="a")), row(button(action_id="a"))],
    "two tables": [table(1, 1), table(1, 1)],
    "a table with too much text": [
        {"type": "table", "rows": [[{"type": "raw_text", "text": "x" * 1_001}]] * 10},
    ],
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
    row(
        {"type": "timepicker", "initial_time": "09:30"}, {"type": "datetimepicker", "initial_date_time": 1_700_000_000}
    ),
    row({"type": "radio_buttons", "options": [{"text": mrkdwn("*One*"), "value": "1", "description": mrkdwn("_d_")}]}),
    row({"type": "multi_users_select", "placeholder": plain("Who"), "max_selected_items": 3}),
    row({"type": "external_select", "min_query_length": 2, "placeholder": plain("Find")}),
    row({"type": "conversations_select", "filter": {"include": ["im"]}, "default_to_current_conversation": True}),
    row({"type": "users_select"}, {"type": "channels_select"}, {"type": "multi_static_select", "options": options(2)}),
    feedback(),
    {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "x"}]}]},
    {"type": "alert", "text": mrkdwn("x"), "level": "warning"},
    {"type": "task_card", "task_id": "1", "title": "T", "status": "in_progress"},
    {
        "type": "plan",
        "title": "P",
        "tasks": [{"type": "task_card", "task_id": "1", "title": "T", "status": "complete"}],
    },
    {"type": "card", "title": plain("T"), "actions": [button(action_id="a", style="primary")]},
    {"type": "carousel", "elements": [{"type": "card", "body": plain("B")}]},
    {"type": "container", "title": plain("T"), "child_blocks": [section()]},
    {"type": "context", "elements": [image(), plain("x")]},
    {**table(2, 2), "column_settings": [{"align": "right"}, {"is_wrapped": True}]},
]


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


async def test_a_refused_message_is_recorded_and_not_shown(
    client: AsyncWebClient, sandbox: Sandbox, alex: Person
) -> None:
    """A refusal is answered as Slack answers it, kept in the records, and nothing is posted."""
    with pytest.raises(SlackApiError) as error:
        await client.chat_postMessage(channel="D0ALEX", text="x", blocks=[{"type": "header", "text": plain("x" * 151)}])
    words = f"must be less than 151 characters {at('/blocks/0/text/text')}"
    assert error.value.response["error"] == "invalid_blocks"
    assert error.value.response["errors"] == [words]
    assert error.value.response["response_metadata"]["messages"] == [f"[ERROR] {words}"]
    assert [(one.method, one.problems) for one in sandbox.refused] == [("chat.postMessage", (words,))]
    assert alex.messages() == []


async def test_blocks_that_are_no_list_are_of_the_wrong_format(client: AsyncWebClient) -> None:
    """Blocks that are no JSON array of objects are invalid_blocks_format."""
    for blocks in ("[{", {"type": "divider"}, ["x"]):
        with pytest.raises(SlackApiError) as error:
            await client.api_call("chat.postMessage", json={"channel": "D0ALEX", "text": "x", "blocks": blocks})
        assert error.value.response["error"] == "invalid_blocks_format"
