"""Submitting and closing modals, with everything that an app may answer to a submission."""

from bot.sandbox import inputs, payloads, views
from bot.sandbox.acts.screen import own_view
from bot.sandbox.errors import ActError, Refusal, SlackError, Undelivered
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Json, View

ACK = "ack:view_submission"
TROUBLE = "We had some trouble connecting. Try again?"


async def submit(slack: Slack, person: str, view_id: str, state: Json) -> Json:
    """Press a modal's submit button with these inputs, {block_id: {action_id: value}}.

    Gives {"ok": true}, {"errors": {block_id: sentence}}, {"update": view} or {"cleared": true}.
    Raises ActError when the view is gone or the app did not answer.
    """
    view = own_view(slack, person, view_id)
    slack.workspace.typing(view.id).update(state)
    entered = inputs.values(view.body["blocks"], slack.workspace.typing(view.id))
    missing = inputs.unmet(view.body["blocks"], entered)
    if missing:
        return {"errors": missing}
    payload = payloads.view_submission(slack, person, view, entered)
    try:
        answer = await slack.delivery.interact("interactive", payload, accepts_response=True)
    except Undelivered as lost:
        raise ActError(TROUBLE) from lost
    return _react(slack, view, answer or {})


def _react(slack: Slack, view: View, answer: Json) -> Json:
    action = answer.get("response_action")
    if action is None:
        _leave(slack, view)
        return {"ok": True}
    try:
        result = _carry_out(slack, view, str(action), answer)
    except SlackError as error:
        slack.records.add_error(ACK, answer, error)
        raise ActError(TROUBLE) from error
    slack.records.add(ACK, answer, {"ok": True})
    slack.changes.tick()
    return result


def _carry_out(slack: Slack, view: View, action: str, answer: Json) -> Json:
    if action == "errors":
        return {"errors": _errors(view, answer.get("errors"))}
    if action == "clear":
        views.close_all(slack, view.person)
        return {"cleared": True}
    given = answer.get("view")
    if not isinstance(given, dict) or action not in {"update", "push"}:
        raise SlackError("invalid_arguments")
    show = views.replace if action == "update" else _push
    return {"update": show(slack, view, given).body}


def _push(slack: Slack, view: View, given: Json) -> View:
    return views.push_modal(slack, view.person, given)


def _errors(view: View, errors: object) -> dict[str, str]:
    """Return the errors to show; Slack refuses an answer that names a block which is no input of the view."""
    named = {block["block_id"] for block in view.body["blocks"] if block["type"] == "input"}
    if not isinstance(errors, dict) or not errors or not set(errors) <= named:
        raise Refusal("invalid_arguments", ["errors must name input blocks of this view"])
    return {block_id: str(sentence) for block_id, sentence in errors.items()}


def _leave(slack: Slack, view: View) -> None:
    stack = slack.workspace.modals.get(view.person, [])
    if view in stack:
        stack.remove(view)
        slack.workspace.typed.pop(view.id, None)
    views.tell_modals(slack, view.person)


async def close(slack: Slack, person: str, view_id: str) -> None:
    """Press a modal's close button.

    Raises ActError when the view is gone.
    """
    view = own_view(slack, person, view_id)
    cleared = bool(view.body["clear_on_close"])
    if cleared:
        views.close_all(slack, person)
    else:
        _leave(slack, view)
    if view.body["notify_on_close"]:
        await _notify(slack, payloads.view_closed(slack, person, view, cleared=cleared))


async def _notify(slack: Slack, payload: Json) -> None:
    try:
        await slack.delivery.interact("interactive", payload, accepts_response=False)
    except Undelivered:
        slack.changes.tick()
