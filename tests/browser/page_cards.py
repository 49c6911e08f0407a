"""Block Kit written short, one card with every kind of element, and what `/ui/inspect` gives for a small draft: a field of every state."""

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
    "title": words("Are you sure?"), "text": mrkdwn("It tells *compliance*."), "confirm": words("I am"),
    "deny": words("Not yet"),
}  # fmt: skip
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

NOTHING = {"value": None, "locked": False, "who": None, "how": None, "words": None, "marked": False}
SECURITY = {"value": "Tesco PLC", "locked": True, "who": "U0ALEX", "how": "chose", "words": "Use this", "marked": True}
DRAFT: Json = {
    "draft": {
        "id": "d1",
        "form": "pa_dealing",
        "title": "Personal account dealing",
        "status": "open",
        "stage": "collecting",
        "revision": 4,
        "progress": [1, 2],
        "record": None,
        "fields": [
            {"name": "security", "label": "Security", "state": "filled", **SECURITY},
            {"name": "quantity", "label": "Quantity", "state": "asked", **NOTHING},
            {"name": "why", "label": "Why", "state": "hidden", **NOTHING},
            {"name": "note", "label": "Note", "state": "optional", **NOTHING},
            {"name": "value", "label": "Value", "state": "missing", **NOTHING},
        ],
        "missing": ["quantity"],
        "locked": ["security"],
    },
    "tools": [{"name": "set_quantity", "description": "Set it.", "properties": ["quantity"]}],
    "prompt": {
        "at": "2026-11-20T14:32:05Z",
        "system": "Be kind.",
        "messages": [{"role": "user", "text": "buy Tesco"}],
        "tokens": {"input": 1382, "output": 14},
        "reply": "How many?",
    },
    "events": [
        {"revision": 1, "at": "2026-11-20T14:31:05Z", "kind": "said", "summary": "buy Tesco"},
        {"revision": 2, "at": "2026-11-20T14:32:05Z", "kind": "chose", "summary": "Tesco PLC"},
    ],
}
LEDGER: Json = {
    **DRAFT,
    "draft": {
        **DRAFT["draft"],
        "id": "d2",
        "form": "expenses",
        "title": "Expenses",
        "progress": [0, 0],
        "fields": [],
        "ledger": {
            "rows": [{"number": 12, "words": "coffee · EUR 3.50 · 21 Nov 2026 · Food"}],
            "count": 1,
            "waiting": [{"words": ["Delete an expense: 11"], "until": "2026-11-22T14:45:00+00:00"}],
        },
    },
}
