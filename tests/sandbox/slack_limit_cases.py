"""Every limit of Slack's as a row: how large something may be, and a payload that is that large."""

from collections.abc import Callable
from dataclasses import dataclass

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
    length("initial value", 3_000, lambda x: modal(blocks=[field(initial_value=x)]), "/view/blocks/0/element/initial_value"),
    Limit("max_length", 3_000, lambda n: modal(blocks=[field(max_length=n)]), f"must be less than 3001 {at('/view/blocks/0/element/max_length')}"),
]  # fmt: skip
