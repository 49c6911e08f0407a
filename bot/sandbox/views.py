"""Modals and home views: opening, stacking, changing and closing them, with hashes and external ids; the methods `views.*`."""

from functools import partial

from bot.sandbox import limits, messages
from bot.sandbox.slack import Method, Params, Slack
from bot.sandbox.tickets import new_id
from bot.sandbox.workspace import Json, SlackError, View

MOST_STACKED = 3


def push_modal(slack: Slack, person: str, given: Json) -> View:
    """Put a modal on top of the open ones.

    Raises SlackError not_found without an open one, push_limit_reached on three.
    """
    stack = slack.workspace.modals.get(person)
    if not stack:
        raise SlackError("not_found")
    if len(stack) >= MOST_STACKED:
        raise SlackError("push_limit_reached")
    return _shown(slack, person, given, stack)


def _shown(slack: Slack, person: str, given: Json, below: list[View]) -> View:
    limits.check_view(given, "modal")
    _check_external_id(slack, given)
    root, previous = (below[0].id, below[-1].id) if below else (None, None)
    view = View(person, _body(slack, given, root=root, previous=previous))
    slack.workspace.modals[person] = [*below, view]
    tell_modals(slack, person)
    return view


def replace(slack: Slack, view: View, given: Json, expected_hash: str | None = None) -> View:
    """Change what an open modal or a published home shows; what was typed stays under its ids.

    Raises SlackError hash_conflict when the view has changed since.
    """
    if expected_hash is not None and expected_hash != view.body["hash"]:
        raise SlackError("hash_conflict")
    kind = str(view.body["type"])
    limits.check_view(given, kind)
    _check_external_id(slack, given, besides=view)
    view.body = _body(slack, given, root=view.body["root_view_id"], previous=view.body["previous_view_id"], same=view)
    if kind == "home":
        slack.changes.publish("home", person=view.person, view=view.body)
    else:
        tell_modals(slack, view.person)
    return view


def close(slack: Slack, view: View) -> None:
    """Take one modal away; the one beneath is shown again."""
    stack = slack.workspace.modals.get(view.person, [])
    if view in stack:
        stack.remove(view)
        slack.workspace.typed.pop(view.id, None)
    tell_modals(slack, view.person)


def close_all(slack: Slack, person: str) -> None:
    """Take every modal of a person away."""
    for view in slack.workspace.modals.pop(person, []):
        slack.workspace.typed.pop(view.id, None)
    tell_modals(slack, person)


def tell_modals(slack: Slack, person: str) -> None:
    """Show a person's modals on the page as they are now."""
    stack = [view.body for view in slack.workspace.modals.get(person, [])]
    slack.changes.publish("modal", person=person, views=stack)


def _check_external_id(slack: Slack, given: Json, besides: View | None = None) -> None:
    wanted = given.get("external_id")
    if wanted and any(v.body["external_id"] == wanted and v is not besides for v in slack.workspace.views()):
        raise SlackError("duplicate_external_id")


def _body(slack: Slack, given: Json, *, root: str | None, previous: str | None, same: View | None = None) -> Json:
    view_id = same.id if same else new_id("V0")
    bot, team = slack.workspace.bot, slack.workspace.team
    return {
        "id": view_id,
        "team_id": team.id,
        "type": given["type"],
        "blocks": messages.with_ids(given["blocks"]),
        "private_metadata": given.get("private_metadata", ""),
        "callback_id": given.get("callback_id", ""),
        "state": {"values": {}},
        "hash": f"{slack.clock.seconds()}.{new_id('', length=8)}",
        "title": given.get("title", {"type": "plain_text", "text": "View Title", "emoji": True}),
        "clear_on_close": given.get("clear_on_close", False),
        "notify_on_close": given.get("notify_on_close", False),
        "close": given.get("close"),
        "submit": given.get("submit"),
        "previous_view_id": previous,
        "root_view_id": root or view_id,
        "app_id": bot.app_id,
        "external_id": given.get("external_id", ""),
        "app_installed_team_id": team.id,
        "bot_id": bot.bot_id,
    }


def _by_trigger(slack: Slack, params: Params, *, push: bool) -> Json:
    """views.open, the first modal of a new stack, or views.push."""
    ticket = params.text("trigger_id") or params.text("interactivity_pointer") or ""
    person, given = slack.tickets.holder(ticket), _given(params)
    view = push_modal(slack, person, given) if push else _shown(slack, person, given, [])
    slack.tickets.spend(ticket)
    return {"ok": True, "view": view.body}


def _update(slack: Slack, params: Params) -> Json:
    """views.update, by view_id or external_id."""
    given, view_id, external_id = _given(params), params.text("view_id"), params.text("external_id")
    named = (v for v in slack.workspace.views() if external_id and v.body["external_id"] == external_id)
    view = slack.workspace.view(view_id) if view_id else next(named, None)
    if view is None:
        raise SlackError("not_found")
    return {"ok": True, "view": replace(slack, view, given, params.text("hash")).body}


def _publish(slack: Slack, params: Params) -> Json:
    """views.publish."""
    given, person = _given(params), params.needed("user_id")
    if person not in slack.workspace.people:
        raise SlackError("user_not_found")
    home = slack.workspace.homes.get(person)
    if home is not None:
        return {"ok": True, "view": replace(slack, home, given, params.text("hash")).body}
    limits.check_view(given, "home")
    _check_external_id(slack, given)
    home = slack.workspace.homes[person] = View(person, _body(slack, given, root=None, previous=None))
    slack.changes.publish("home", person=person, view=home.body)
    return {"ok": True, "view": home.body}


def _given(params: Params) -> Json:
    params.needed("view")
    return params.object("view") or {}


METHODS: dict[str, Method] = {
    "views.open": partial(_by_trigger, push=False),
    "views.push": partial(_by_trigger, push=True),
    "views.update": _update,
    "views.publish": _publish,
}
