"""What a form's deciders alone may know stays out of the file that its owner gets, and the file says so."""

from collections.abc import Iterable, Mapping
from typing import Any

from bot.keys import place
from state.stores.rights import Held

WITHHELD = "withheld: known to those who decide"
JUDGED_BY = ("facts", "computed")
SHOWN = ("post", "repaint")
DIRECT = "D"
"""How the id of a direct message begins."""


def withhold(held: Held, drafts: frozenset[str], direct: frozenset[str]) -> Mapping[str, Any]:
    """The row without what a submission of these drafts is judged by, and without what posts elsewhere say of it below their heading.

    `direct` are the channels of the person's conversations: what stands there they have seen.
    """
    row, sealed = held.row, held.row.get("sealed") if drafts else None
    body = sealed.get("body") if isinstance(sealed, Mapping) else None
    if not isinstance(sealed, Mapping) or not isinstance(body, Mapping):
        return row
    kept = _without(held.table, row, body, drafts, direct)
    return row if kept is body else {**row, "sealed": {**sealed, "body": kept}}


def direct_channels(conversations: Iterable[str]) -> frozenset[str]:
    """The channels of conversations ("team:channel:thread")."""
    return frozenset(place(one).channel for one in conversations if one)


def _without(
    table: str, row: Mapping[str, Any], body: Mapping[str, Any], drafts: frozenset[str], direct: frozenset[str]
) -> Mapping[str, Any]:
    if table == "outbox":
        return _heading(body) if row["kind"] in SHOWN and _elsewhere(str(body.get("channel")), direct) else body
    if (row.get("draft") or body.get("draft")) not in drafts:
        return body
    if table == "records":
        told = tuple((body.get("filed") or {}).get("told", ()))
        reasons = [reason for reason in body.get("reasons", ()) if reason in told]
        return {**body, **{name: WITHHELD for name in JUDGED_BY if name in body}, "reasons": reasons}
    if table == "inbox":
        return {**body, "event": _unjudged(body.get("event") or {})}
    return _unjudged(body) if table == "events" else body


def _elsewhere(channel: str, direct: frozenset[str]) -> bool:
    return not channel.startswith(DIRECT) and channel not in direct


def _heading(post: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**post, "text": str(post.get("text", "")).partition("\n")[0], "blocks": WITHHELD}


def _unjudged(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """The event, without the facts that rules were given."""
    judged = event.get("kind") == "FactsGathered" and event.get("who") == "rules"
    return {**event, "facts": WITHHELD} if judged else event
