"""Build the file of everything that is held of a person; what a form's reviewers alone may know stays out, and the file says so."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from io import StringIO
from typing import Any

from bot.slack.places import place
from state.stores.rights import Held
from state.stores.store import Store

NAME = "holdfast-{day}.json"
PAGE = "holdfast-{day}.html"
EVERY = 1_000_000


async def collect(store: Store, person: str, day: str, confidential: Collection[str] = ()) -> str:
    """Return a JSON document: whose it is, how many rows each table holds, and all rows, as they come from the store page by page.

    Of `confidential` forms it leaves out what only reviewers know, and says where.
    """
    mine = await store.drafts_of(person, EVERY)
    drafts = frozenset(draft.id for draft in mine if draft.form in confidential)
    direct = direct_channels(draft.conversation for draft in mine)
    rows, counted = StringIO(), Counter[str]()
    async for held in store.everything(person):
        rows.write(",\n    " if counted else "    ")
        rows.write(
            json.dumps({"table": held.table, **withhold(held, drafts, direct, confidential)}, ensure_ascii=False)
        )
        counted[held.table] += 1
    head = {"person": person, "day": day, "rows": dict(counted)}
    return f'{json.dumps(head, ensure_ascii=False)[:-1]}, "held": [\n{rows.getvalue()}\n]}}\n'


WITHHELD = "withheld: known to those who decide"
JUDGED_BY = ("facts", "computed")
SHOWN = ("post", "repaint")
DIRECT = "D"
"""How the id of a direct message begins."""


def withhold(
    held: Held, drafts: frozenset[str], direct: frozenset[str], forms: Collection[str] = ()
) -> Mapping[str, Any]:
    """Return the row without what a submission of these drafts is judged by, and without what posts elsewhere say of it below their heading.

    `direct` are the channels of the person's conversations: what stands there they have seen. `forms` are the confidential ones: a record
    that outlived an erasure has no draft of the person's any more, and its story is theirs who decide.
    """
    if held.table == "records" and held.row.get("form") in forms:
        drafts = drafts | {str(held.row["draft"])}
        held = _untold(held)
    row, sealed = held.row, held.row.get("sealed") if drafts else None
    body = sealed.get("body") if isinstance(sealed, Mapping) else None
    if not isinstance(sealed, Mapping) or not isinstance(body, Mapping):
        return row
    kept = _without(held.table, row, body, drafts, direct)
    changes = [_change(one) for one in sealed.get("changes") or ()] if _is_of(row, body, drafts) else None
    if kept is body and (changes is None or changes == list(sealed.get("changes") or ())):
        return row
    return {**row, "sealed": {**sealed, "body": kept, **({"changes": changes} if changes else {})}}


def _untold(held: Held) -> Held:
    """Return a kept record without the story that was sealed with it."""
    sealed = held.row.get("sealed")
    if not isinstance(sealed, Mapping) or "account" not in sealed:
        return held
    return Held(held.table, {**held.row, "sealed": {**sealed, "account": WITHHELD}})


def direct_channels(conversations: Iterable[str]) -> frozenset[str]:
    """Return the channels of conversations ("team:channel:thread")."""
    return frozenset(place(one).channel for one in conversations if one)


def _without(
    table: str, row: Mapping[str, Any], body: Mapping[str, Any], drafts: frozenset[str], direct: frozenset[str]
) -> Mapping[str, Any]:
    if table == "outbox":
        return _heading(body) if row["kind"] in SHOWN and _elsewhere(str(body.get("channel")), direct) else body
    if not _is_of(row, body, drafts):
        return body
    if table == "drafts":
        return {**body, **_before_deciders(body)}
    if table == "records":
        told = tuple((body.get("filed") or {}).get("told", ()))
        reasons = [reason for reason in body.get("reasons", ()) if reason in told]
        return {**body, **{name: WITHHELD for name in JUDGED_BY if name in body}, "reasons": reasons}
    if table == "inbox":
        return {**body, "event": _unjudged(body.get("event") or {})}
    return _unjudged(body) if table == "events" else body


def _is_of(row: Mapping[str, Any], body: Mapping[str, Any], drafts: frozenset[str]) -> bool:
    return (row.get("draft") or body.get("draft") or body.get("id")) in drafts


def _before_deciders(draft: Mapping[str, Any]) -> dict[str, Any]:
    """Return what reviewers have before them, and why they decided as they did."""
    docket = {"docket": _docket(draft["docket"])} if draft.get("docket") else {}
    given = {name: [_decision(one) for one in draft[name]] for name in ("decisions", "notes") if draft.get(name)}
    breaches = {"breaches": [_breach(one) for one in draft["breaches"]]} if draft.get("breaches") else {}
    return docket | given | breaches


def _docket(docket: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**docket, **{name: WITHHELD for name in ("reasons", "background") if docket.get(name)}}


def _decision(decision: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**decision, "reason": WITHHELD} if decision.get("reason") else decision


def _breach(breach: Mapping[str, Any]) -> Mapping[str, Any]:
    """Why somebody opened it, and why it was closed; what a rule says of it the person was told."""
    return _decision({**breach, "words": WITHHELD} if breach.get("by") and breach.get("words") else breach)


def _change(change: Mapping[str, Any]) -> Mapping[str, Any]:
    if change.get("kind") == "PendingDecisionSet":
        return {**change, "docket": _docket(change.get("docket") or {})}
    name = {"Decided": "decision", "NoteSet": "note", "BreachSet": "breach"}.get(str(change.get("kind")), "")
    if not name:
        return change
    return {**change, name: (_breach if name == "breach" else _decision)(change.get(name) or {})}


def _elsewhere(channel: str, direct: frozenset[str]) -> bool:
    return not channel.startswith(DIRECT) and channel not in direct


def _heading(post: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**post, "text": str(post.get("text", "")).partition("\n")[0], "blocks": WITHHELD}


def _unjudged(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the event, without the facts that rules were given."""
    if event.get("kind") in ("DecisionMade", "CaseJudged"):
        return _decision(event)
    if event.get("kind") == "ReportMade":
        return {**event, "facts": WITHHELD} if event.get("facts") else event
    judged = event.get("kind") == "FactsGathered" and event.get("who") == "rules"
    return {**event, "facts": WITHHELD} if judged else event
