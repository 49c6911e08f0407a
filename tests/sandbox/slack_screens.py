"""Small blocks and modals for tests, in Slack's own words."""

from bot.sandbox.workspace import Json


def plain(words: str) -> Json:
    """A plain_text object."""
    return {"type": "plain_text", "text": words}


def option(value: str) -> Json:
    """An option."""
    return {"text": plain(value.title()), "value": value}


def button(action_id: str, words: str, **more: object) -> Json:
    """A button."""
    return {"type": "button", "action_id": action_id, "text": plain(words), **more}


def actions(*elements: Json, block_id: str = "choices") -> list[Json]:
    """Blocks of one row of elements."""
    return [{"type": "actions", "block_id": block_id, "elements": list(elements)}]


def asking(block_id: str = "why", **element: object) -> Json:
    """A modal with one input."""
    field = {"type": "plain_text_input", "action_id": "words", **element}
    return {
        "type": "modal",
        "callback_id": "ask",
        "title": plain("Why"),
        "submit": plain("Send"),
        "blocks": [{"type": "input", "block_id": block_id, "label": plain("Reason"), "element": field}],
    }


def feedback(action_id: str) -> Json:
    """A pair of thumbs with the values "good" and "bad"."""
    good, bad = ({"text": plain(name), "value": name.lower()} for name in ("Good", "Bad"))
    pair = {"type": "feedback_buttons", "action_id": action_id, "positive_button": good, "negative_button": bad}
    return {"type": "context_actions", "block_id": "feedback", "elements": [pair]}


BLOCKS = actions(button("go", "Go"), block_id="b")
MODAL = asking()
HOME = {"type": "home", "blocks": [{"type": "divider"}]}
DIVIDER = [{"type": "divider"}]
