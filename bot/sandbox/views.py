"""Modals and home views: opening, stacking, changing, closing, with hashes and external ids."""

from bot.sandbox import content, limits
from bot.sandbox.clock import new_id
from bot.sandbox.errors import SlackError
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Json, View

MOST_STACKED = 3
HASH_LENGTH = 8


def open_modal(slack: Slack, person: str, given: Json) -> View:
    """Show a modal as the first of a new stack."""
    limits.check_view(given, "modal")
    _check_external_id(slack, given)
    view = View(person, _body(slack, given, root=None, previous=None))
    slack.workspace.modals[person] = [view]
    tell_modals(slack, person)
    return view


def push_modal(slack: Slack, person: str, given: Json) -> View:
    """Put a modal on top of the open ones.

    Raises SlackError not_found without an open one, push_limit_reached on three.
    """
    stack = slack.workspace.modals.get(person)
    if not stack:
        raise SlackError("not_found")
    if len(stack) >= MOST_STACKED:
        raise SlackError("push_limit_reached")
    limits.check_view(given, "modal")
    _check_external_id(slack, given)
    view = View(person, _body(slack, given, root=stack[0].id, previous=stack[-1].id))
    stack.append(view)
    tell_modals(slack, person)
    return view


def replace(slack: Slack, view: View, given: Json, expected_hash: str | None = None) -> View:
    """Change what an open modal or a published home shows; what was typed stays under its ids.

    Raises SlackError hash_conflict when the view has changed since.
    """
    if expected_hash is not None and expected_hash != view.body["hash"]:
        raise SlackError("hash_conflict")
    limits.check_view(given, str(view.body["type"]))
    _check_external_id(slack, given, besides=view)
    view.body = _body(slack, given, root=view.body["root_view_id"], previous=view.body["previous_view_id"], same=view)
    show = tell_home if view.body["type"] == "home" else tell_modals
    show(slack, view.person)
    return view


def publish_home(slack: Slack, person: str, given: Json, expected_hash: str | None) -> View:
    """Show a person their home view."""
    home = slack.workspace.homes.get(person)
    if home is not None:
        return replace(slack, home, given, expected_hash)
    limits.check_view(given, "home")
    _check_external_id(slack, given)
    home = View(person, _body(slack, given, root=None, previous=None))
    slack.workspace.homes[person] = home
    tell_home(slack, person)
    return home


def find(slack: Slack, view_id: str | None, external_id: str | None) -> View:
    """Return a view by id or external id.

    Raises SlackError not_found.
    """
    if view_id:
        found = slack.workspace.view(view_id)
    else:
        found = next((view for view in _all(slack) if external_id and view.body["external_id"] == external_id), None)
    if found is None:
        raise SlackError("not_found")
    return found


def close_top(slack: Slack, person: str) -> None:
    """Take the topmost modal away; the one beneath is shown again."""
    stack = slack.workspace.modals.get(person, [])
    if stack:
        slack.workspace.typed.pop(stack.pop().id, None)
    tell_modals(slack, person)


def close_all(slack: Slack, person: str) -> None:
    """Take every modal of a person away."""
    while slack.workspace.modals.get(person):
        close_top(slack, person)


def tell_modals(slack: Slack, person: str) -> None:
    """Show a person's modals on the page as they are now."""
    stack = [view.body for view in slack.workspace.modals.get(person, [])]
    slack.changes.publish("modal", person=person, views=stack)


def tell_home(slack: Slack, person: str) -> None:
    """Show a person's home on the page as it is now."""
    slack.changes.publish("home", person=person, view=slack.workspace.homes[person].body)


def _all(slack: Slack) -> list[View]:
    stacked = [view for stack in slack.workspace.modals.values() for view in stack]
    return [*stacked, *slack.workspace.homes.values()]


def _check_external_id(slack: Slack, given: Json, besides: View | None = None) -> None:
    wanted = given.get("external_id")
    if wanted and any(view.body["external_id"] == wanted and view is not besides for view in _all(slack)):
        raise SlackError("duplicate_external_id")


def _body(slack: Slack, given: Json, *, root: str | None, previous: str | None, same: View | None = None) -> Json:
    view_id = same.id if same else new_id("V0")
    bot = slack.workspace.bot
    return {
        "id": view_id,
        "team_id": slack.workspace.team.id,
        "type": given["type"],
        "blocks": content.with_ids(given["blocks"]),
        "private_metadata": given.get("private_metadata", ""),
        "callback_id": given.get("callback_id", ""),
        "state": {"values": {}},
        "hash": f"{slack.clock.seconds()}.{new_id('', HASH_LENGTH)}",
        "title": given.get("title", {"type": "plain_text", "text": "View Title", "emoji": True}),
        "clear_on_close": given.get("clear_on_close", False),
        "notify_on_close": given.get("notify_on_close", False),
        "close": given.get("close"),
        "submit": given.get("submit"),
        "previous_view_id": previous,
        "root_view_id": root or view_id,
        "app_id": bot.app_id,
        "external_id": given.get("external_id", ""),
        "app_installed_team_id": slack.workspace.team.id,
        "bot_id": bot.bot_id,
    }
