"""Clicks and choices: finding what is on the screen, and telling the app what was done with it."""

import asyncio
from dataclasses import dataclass, replace

from bot.sandbox import inputs, limits, messages, payloads, shapes
from bot.sandbox.acts.talk import entered, known
from bot.sandbox.errors import ActError, SlackError, Undelivered
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Json, Message, View

SUGGESTED = "ack:block_suggestion"
GONE = "That is not on the screen any more."
NOT_OFFERED = "That choice is not offered any more."
OPTION_KEYS = ("selected_option", "selected_options")


@dataclass(frozen=True)
class Screen:
    """A screen on which a person clicks: its blocks, how payloads name it, and where its input is kept."""

    blocks: list[Json]
    where: Json
    key: str


def look(slack: Slack, person: str, container: Json, original: Json | None = None) -> Screen:
    """Return the message or view that a click is in; `original` stands in for a message that has changed since.

    Raises ActError when it is not there.
    """
    known(slack, person)
    if container.get("type") == "view":
        return _view(slack, person, str(container.get("view_id", "")))
    return _message(slack, person, container, original)


def _view(slack: Slack, person: str, view_id: str) -> Screen:
    view = own_view(slack, person, view_id)
    state = inputs.values(view.body["blocks"], slack.workspace.typing(view.id))
    return Screen(view.body["blocks"], payloads.in_view(view, state), view.id)


def _message(slack: Slack, person: str, container: Json, original: Json | None) -> Screen:
    channel = entered(slack, person, str(container.get("channel", "")))
    ts = str(container.get("message_ts", ""))
    ephemeral = bool(container.get("ephemeral"))
    found = messages.whispered(slack, person, ts) if ephemeral else channel.messages.get(ts)
    if original is not None:
        found = Message(channel.id, {key: value for key, value in original.items() if key not in shapes.PAGE_ONLY})
    if found is None:
        raise ActError(GONE)
    where = payloads.in_message(slack, channel, found, ephemeral=ephemeral)
    return Screen(found.body.get("blocks") or [], where, found.ts)


def own_view(slack: Slack, person: str, view_id: str) -> View:
    """Return a view that this person has open.

    Raises ActError otherwise.
    """
    view = slack.workspace.view(view_id)
    if view is None or view.person != person:
        raise ActError(GONE)
    return view


async def click(
    slack: Slack, person: str, container: Json, action: Json, *, state: Json | None = None, original: Json | None = None
) -> None:
    """Use an element; returns once the app has acked.

    `action` names the element by `block_id` and `action_id` and carries what was chosen; `state` is what is in
    the other inputs. Raises ActError when the element is not there or the app did not take the click.
    """
    screen = look(slack, person, container, original)
    placed = inputs.find(screen.blocks, action.get("block_id"), str(action.get("action_id", "")))
    if placed is None or action.get("type", placed.element["type"]) != placed.element["type"]:
        raise ActError(GONE)
    chosen = _chosen(placed, action)
    _type_in(slack, screen, state, placed, chosen)
    screen = _with_state(slack, screen)
    presses = range(1 + slack.knobs.duplicate_clicks)
    actions = [payloads.action(slack, placed.block_id, placed.element, chosen) for _ in presses]
    await asyncio.gather(*(_send(slack, person, screen, action) for action in actions))


async def _send(slack: Slack, person: str, screen: Screen, action: Json) -> None:
    state = inputs.values(screen.blocks, slack.workspace.typing(screen.key))
    payload = payloads.block_actions(slack, person, screen.where, state, [action])
    try:
        await slack.delivery.interact("interactive", payload, accepts_response=False)
    except Undelivered as lost:
        raise ActError(str(lost)) from lost


def _chosen(placed: inputs.Placed, action: Json) -> Json:
    if placed.element["type"] in inputs.PRESSED:
        return {}
    key = inputs.ACTION_KEYS[placed.element["type"]]
    if key not in action:
        raise ActError("Nothing was chosen.")
    if placed.element["type"] == "feedback_buttons":
        return _vote(placed.element, action[key])
    if key in OPTION_KEYS and "external" not in placed.element["type"]:
        return {key: _offered(placed, action[key])}
    return {key: action[key]}


def _vote(element: Json, value: object) -> Json:
    """Return the words and value of the thumb that was pressed, as Slack tells them."""
    for name in ("positive_button", "negative_button"):
        if element[name]["value"] == value:
            return {"text": element[name]["text"], "value": value}
    raise ActError(NOT_OFFERED)


def _offered(placed: inputs.Placed, chosen: object) -> object:
    """Return the chosen options as the element has them, whatever the page knows of them."""
    if isinstance(chosen, list):
        return [_offered(placed, one) for one in chosen]
    wanted = chosen.get("value") if isinstance(chosen, dict) else chosen
    if chosen is None:
        return None
    for option in placed.options():
        if option["value"] == wanted:
            return option
    raise ActError(NOT_OFFERED)


def _type_in(slack: Slack, screen: Screen, state: Json | None, placed: inputs.Placed, chosen: Json) -> None:
    kept = slack.workspace.typing(screen.key)
    for block_id, entered_values in ((state or {}).get("values") or state or {}).items():
        kept.setdefault(block_id, {}).update(entered_values)
    if placed.element["type"] in inputs.STATE_KEYS:
        kept.setdefault(placed.block_id, {})[placed.action_id] = {"type": placed.element["type"], **chosen}


def _with_state(slack: Slack, screen: Screen) -> Screen:
    if "view" not in screen.where:
        return screen
    state = inputs.values(screen.blocks, slack.workspace.typing(screen.key))
    return replace(screen, where=screen.where | {"view": {**screen.where["view"], "state": {"values": state}}})


async def options(slack: Slack, person: str, container: Json, block_id: str, action_id: str, value: str) -> Json:
    """Ask the app for the options of an external select: {"options": […]} or {"option_groups": […]}.

    Raises ActError when the element is not there or the app does not answer.
    """
    screen = look(slack, person, container)
    placed = inputs.find(screen.blocks, block_id, action_id)
    if placed is None or "external" not in placed.element["type"]:
        raise ActError(GONE)
    payload = payloads.block_suggestion(slack, person, screen.where, placed.block_id, action_id, value)
    try:
        answer = await slack.delivery.interact("interactive", payload, accepts_response=True) or {"options": []}
        limits.check_suggestions(answer)
    except Undelivered as lost:
        raise ActError(str(lost)) from lost
    except SlackError as error:
        slack.records.add_error(SUGGESTED, answer, error)
        raise ActError("No result") from error
    slack.records.add(SUGGESTED, answer, {"ok": True})
    return answer
