"""Block Kit written short, and one card with every kind of element."""

from typing import Any

Json = dict[str, Any]


def words(text: str) -> Json:
    """Plain text."""
    return {"type": "plain_text", "text": text}


def mrkdwn(text: str) -> Json:
    """Formatted text."""
    return {"type": "mrkdwn", "text": text}


def section(text: str, accessory: Json | None = None, **more: Any) -> Json:
    """A section with mrkdwn."""
    return {"type": "section", "text": mrkdwn(text), **({"accessory": accessory} if accessory else {}), **more}


def actions(*elements: Json) -> Json:
    """A row of elements."""
    return {"type": "actions", "elements": list(elements)}


def button(label: str, action_id: str, **more: Any) -> Json:
    """A button whose value is its action id."""
    return {"type": "button", "text": words(label), "action_id": action_id, "value": action_id, **more}


def option(label: str, **more: Any) -> Json:
    """An option whose value is its label in lower case."""
    return {"text": words(label), "value": label.lower(), **more}


def element(kind: str, action_id: str, **more: Any) -> Json:
    """Any other element."""
    return {"type": kind, "action_id": action_id, **more}


def entry(block_id: str, label: str, made: Json, **more: Any) -> Json:
    """An input block."""
    return {"type": "input", "block_id": block_id, "label": words(label), "element": made, **more}


def modal(title: str, *blocks: Json, **more: Any) -> Json:
    """A modal that can be submitted."""
    return {"type": "modal", "title": words(title), "submit": words("Save"), "blocks": list(blocks), **more}


YES_NO = [option("Yes"), option("No")]
CONFIRM = {
    "title": words("Are you sure?"),
    "text": mrkdwn("It tells *compliance*."),
    "confirm": words("I am"),
    "deny": words("Not yet"),
}
EVERY_ELEMENT: list[Json] = [
    section("A menu", element("static_select", "menu", options=YES_NO, placeholder=words("Choose"))),
    section("Dots", element("overflow", "dots", options=[option("Copy"), option("Undo")])),
    section("A broker", element("external_select", "broker", min_query_length=2)),
    section("Somebody", element("users_select", "somebody")),
    section("Somewhere", element("channels_select", "somewhere")),
    section(
        "Several", element("multi_static_select", "several", options=[option("Red"), option("Green"), option("Blue")])
    ),
    section("One", element("radio_buttons", "one", options=YES_NO)),
    section("Some", element("checkboxes", "some", options=YES_NO)),
    actions(element("datepicker", "date"), element("timepicker", "time"), button("Plain", "plain")),
    actions(
        button("Do it", "sure", style="danger", confirm=CONFIRM), button("Read", "link", url="https://example.org/")
    ),
]
