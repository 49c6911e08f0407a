"""Act on a screen: click, choose, submit and close modals; tell the app, and carry out what it answers."""

import asyncio
from dataclasses import dataclass

from bot.sandbox import inputs, limits, messages, payloads, shapes, views
from bot.sandbox.slack import Slack
from bot.sandbox.talk import entered, known
from bot.sandbox.workspace import ActError, Json, Message, Refusal, SlackError, Undelivered, View

SUGGESTED, SUBMITTED = "ack:block_suggestion", "ack:view_submission"
GONE = "That is not on the screen any more."
NOT_OFFERED = "That choice is not offered any more."
TROUBLE = "We had some trouble connecting. Try again?"
OPTION_KEYS = ("selected_option", "selected_options")


@dataclass(frozen=True)
class Screen:
    """The message or view that a person clicks in: its blocks, how payloads name it, and where its input is kept."""

    blocks: list[Json]
    where: Json
    key: str


def look(slack: Slack, person: str, container: Json, original: Json | None = None) -> Screen:
    """Return the message or view that a click is in; `original` stands in for a message that has changed since.

    Raises ActError when it is not there.
    """
    known(slack, person)
    if container.get("type") == "view":
        view = own_view(slack, person, str(container.get("view_id", "")))
        state = inputs.values(view.body["blocks"], slack.workspace.typing(view.id))
        return Screen(view.body["blocks"], payloads.in_view(view, state), view.id)
    channel = entered(slack, person, str(container.get("channel", "")))
    ts, ephemeral = str(container.get("message_ts", "")), bool(container.get("ephemeral"))
    found = messages.whispered(slack, person, ts) if ephemeral else channel.messages.get(ts)
    if original is not None:
        found = Message(channel.id, {key: value for key, value in original.items() if key != shapes.PAGE_ONLY})
    if found is None:
        raise ActError(GONE)
    where = payloads.in_message(channel, found, ephemeral=ephemeral)
    return Screen(found.body.get("blocks") or [], where, found.ts)


def own_view(slack: Slack, person: str, view_id: str) -> View:
    """Return a view that this person has open. Raises ActError otherwise."""
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
    kept = slack.workspace.typing(screen.key)
    for block_id, values in ((state or {}).get("values") or state or {}).items():
        kept.setdefault(block_id, {}).update(values)
    if placed.element["type"] in inputs.STATE_KEYS:
        kept.setdefault(placed.block_id, {})[placed.action_id] = {"type": placed.element["type"], **chosen}
    entered_now, where = inputs.values(screen.blocks, kept), screen.where
    if "view" in where:
        where = where | {"view": {**where["view"], "state": {"values": entered_now}}}
    clicks = [
        payloads.block_actions(
            slack, person, where, entered_now, payloads.action(slack, placed.block_id, placed.element, chosen)
        )
        for _ in range(1 + slack.knobs.duplicate_clicks)
    ]
    deliveries = (slack.delivery.interact("interactive", one, accepts_response=False) for one in clicks)
    try:
        await asyncio.gather(*deliveries)
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


async def submit(slack: Slack, person: str, view_id: str, state: Json) -> Json:
    """Press a modal's submit button with these inputs, {block_id: {action_id: value}}.

    Gives {"ok": true}, {"errors": {block_id: sentence}}, {"update": view} or {"cleared": true}.
    Raises ActError when the view is gone, has no such button, or the app did not answer.
    """
    view = own_view(slack, person, view_id)
    if not view.body.get("submit"):
        raise ActError("This box has no button that submits it.")
    slack.workspace.typing(view.id).update(state)
    values = inputs.values(view.body["blocks"], slack.workspace.typing(view.id))
    missing = inputs.unmet(view.body["blocks"], values)
    if missing:
        return {"errors": missing}
    payload = payloads.view_submission(slack, person, view, values)
    try:
        answer = await slack.delivery.interact("interactive", payload, accepts_response=True) or {}
    except Undelivered as lost:
        raise ActError(TROUBLE) from lost
    action = answer.get("response_action")
    if action is None:
        views.close(slack, view)
        return {"ok": True}
    try:
        result = _carry_out(slack, view, str(action), answer)
    except SlackError as error:
        slack.records.add_error(SUBMITTED, answer, error)
        raise ActError(TROUBLE) from error
    slack.records.add(SUBMITTED, answer, {"ok": True})
    slack.changes.tick()
    return result


def _carry_out(slack: Slack, view: View, action: str, answer: Json) -> Json:
    given = answer.get("view")
    if action == "errors":
        errors, named = answer.get("errors"), {b["block_id"] for b in view.body["blocks"] if b["type"] == "input"}
        if not isinstance(errors, dict) or not errors or not set(errors) <= named:
            raise Refusal("invalid_arguments", ["errors must name input blocks of this view"])
        return {"errors": {block_id: str(sentence) for block_id, sentence in errors.items()}}
    if action == "clear":
        views.close_all(slack, view.person)
        return {"cleared": True}
    if isinstance(given, dict) and action == "update":
        return {"update": views.replace(slack, view, given).body}
    if isinstance(given, dict) and action == "push":
        return {"update": views.push_modal(slack, view.person, given).body}
    raise SlackError("invalid_arguments")


async def close(slack: Slack, person: str, view_id: str) -> None:
    """Press a modal's close button. Raises ActError when the view is gone."""
    view = own_view(slack, person, view_id)
    cleared = bool(view.body["clear_on_close"])
    if cleared:
        views.close_all(slack, person)
    else:
        views.close(slack, view)
    if view.body["notify_on_close"]:
        payload = payloads.view_closed(slack, person, view, cleared=cleared)
        try:
            await slack.delivery.interact("interactive", payload, accepts_response=False)
        except Undelivered:
            slack.changes.tick()
