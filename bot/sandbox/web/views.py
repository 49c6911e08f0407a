"""views.* and blocks.validate."""

from collections.abc import Callable

from bot.sandbox import limits, views
from bot.sandbox.errors import SlackError
from bot.sandbox.limits.schema import Problem
from bot.sandbox.params import Method, Params
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Json, View


def open_(slack: Slack, params: Params) -> Json:
    """views.open."""
    return _shown(slack, params, views.open_modal)


def push(slack: Slack, params: Params) -> Json:
    """views.push."""
    return _shown(slack, params, views.push_modal)


def _shown(slack: Slack, params: Params, show: Callable[[Slack, str, Json], View]) -> Json:
    ticket = params.text("trigger_id") or params.text("interactivity_pointer") or ""
    view = show(slack, slack.tickets.holder(ticket), _given(params))
    slack.tickets.spend(ticket)
    return {"ok": True, "view": view.body}


def update(slack: Slack, params: Params) -> Json:
    """views.update, by view_id or external_id."""
    given = _given(params)
    view = views.find(slack, params.text("view_id"), params.text("external_id"))
    return {"ok": True, "view": views.replace(slack, view, given, params.text("hash")).body}


def publish(slack: Slack, params: Params) -> Json:
    """views.publish."""
    given = _given(params)
    person = params.needed("user_id")
    if person not in slack.workspace.people:
        raise SlackError("user_not_found")
    return {"ok": True, "view": views.publish_home(slack, person, given, params.text("hash")).body}


def validate(slack: Slack, params: Params) -> Json:
    """blocks.validate: exactly one of `blocks`, `message` and `view`."""
    del slack
    named = [name for name in ("blocks", "message", "view") if params.given.get(name) is not None]
    if len(named) != 1:
        raise SlackError("invalid_arguments")
    found = VALIDATE[named[0]](params)
    if not found:
        return {"ok": True}
    errors = [{"pointer": one.pointer, "code": "failed_constraint", "message": one.message} for one in found]
    return {"ok": False, "error": f"invalid_{named[0]}", "errors": errors}


def _view_problems(params: Params) -> list[Problem]:
    view = _given(params)
    return limits.view_problems(view, "home" if view.get("type") == "home" else "modal", "")


VALIDATE: dict[str, Callable[[Params], list[Problem]]] = {
    "blocks": lambda params: limits.message_problems(params.blocks() or [], ""),
    "message": lambda params: limits.message_problems((params.object("message") or {}).get("blocks", []), "/blocks"),
    "view": _view_problems,
}


def _given(params: Params) -> Json:
    given = params.object("view")
    if given is None:
        params.needed("view")
        raise SlackError("invalid_arguments")
    return given


METHODS: dict[str, Method] = {
    "views.open": open_,
    "views.push": push,
    "views.update": update,
    "views.publish": publish,
    "blocks.validate": validate,
}
