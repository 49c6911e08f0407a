"""Hold a database, and what Slack's side saw, against the invariants of the design, by their numbers.

It reads rows of SQL and messages on screen (`stored.py`); of the product it takes the address, the seals and `verify`. What
cannot be told from outside is held by tests: 11 (a Redis that is lost: tests/stores/test_redis.py), 15 (statements: tests/prompts,
tests/model; here, numbers of records), 17 (a way out: tests/state/test_useless_models.py; here, an act with no answer),
12 (a model that is down: tests/workflows/test_scenarios_beside_useless_models.py; here, that the screen is the newest paint).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from pathlib import Path

from bot.sandbox.server import Sandbox
from state.stores.opener import database_address
from state.stores.sql.engine import Database
from state.stores.store import Store
from state.stores.vault import Vault, installation_key
from tests.chaos.screen import answered, delivered, no_false_numbers, no_secrets, posted_once, private, true_screen
from tests.chaos.stored import Happened, Json, Seen, Story, rows_of

NOBODYS = frozenset({"ModelReplied", "LookupCompleted", "DocumentsReceived", "OperationCompleted", "DeliveryChanged"})
"""Events that are nobody's own act."""
BINDING = frozenset({"RecordGiven", "Decided", "DecisionsVoided", "Reported", "SubmissionChosen"})
"""Changes by which something is confirmed, filed or decided."""
FINAL = frozenset({"Decided", "Reported", "Locked", "SubmissionChosen"})
"""Changes by which an act cannot be taken back."""
READ = Decimal(1)
"""Seconds for which a card is on screen before an act on it counts."""


async def broken(
    database: str,
    key: bytes | Path,
    slack: Sandbox | None = None,
    *,
    over: bool = True,
    log: str = "",
    now: datetime | None = None,
) -> list[str]:
    """Return a sentence for each breach, which begins with "invariant N: ".

    `database` is a DATABASE_URL, `key` the installation's key or its file. `over`: all has come to rest. `log` is what was
    logged, `now` the time where it is not the database's own.
    """
    opened = Database(database_address(database))
    store = Store(opened, Vault(installation_key(key) if isinstance(key, Path) else key))
    try:
        return await broken_in(store, slack, over=over, log=log, now=now)
    finally:
        await opened.stop()


async def broken_in(
    store: Store, slack: Sandbox | None = None, *, over: bool = True, log: str = "", now: datetime | None = None
) -> list[str]:
    """Return the same of a store that is open already: one in memory has no address."""
    await store.open_root()
    seen = Seen(await store._snapshot(rows_of), store.names, slack, now or await store.now(), over, log)
    found = [f"invariant {n}: {what}" for n, checks in CHECKS.items() for check in checks for what in check(seen)]
    return found + [f"invariant 19: {fault}" for fault in (await store.audit()).faults]


def locks(seen: Seen) -> Iterator[str]:
    """A locked answer changes in its owner's own act alone, or to what they gave by one."""
    for story, one in seen.happened:
        for name in one.before.get("locked_fields", ()):
            was, now = one.before["values"].get(name), one.after["values"].get(name)
            if was and (now is None or now["data"] != was["data"]) and not _may_change(story, one, name, now):
                yield f"draft {story.name}, event {one.n} ({one.kind} by {one.who}) changed the locked {name}."


def _may_change(story: Story, one: Happened, name: str, now: Json | None) -> bool:
    own = one.who == story.owner and one.kind in ("Clicked", "MessageReceived")
    told = [value["data"] for value in one.before["values"].values()]
    given = one.kind == "LookupCompleted" and now is not None and now["data"] in told
    return own or given or name in one.before["reopened"]


def provenance(seen: Seen) -> Iterator[str]:
    """Every value says who, when, how and where; what was read of words names words that were said there."""
    for story in seen.stories:
        for name, value in story.body["values"].items():
            origin = value["provenance"]
            if origin["who"] != story.owner or not all(origin[part] for part in ("at", "how", "message")):
                yield f"draft {story.name}: {name} does not say who, when, how and where."
            elif origin["how"] == "read" and not _plain(origin["words"]):
                yield f"draft {story.name}: {name} was read of no words."
            elif origin["how"] == "read" and not _said(seen, story, origin):
                yield f"draft {story.name}: nobody said the words that {name} was read of."


def _said(seen: Seen, story: Story, origin: Json) -> bool:
    said = (one.said for _, one in seen.happened if one.kind == "MessageReceived" and one.who == story.owner)
    return any(_plain(origin["words"]) in _plain(one["text"]) for one in said if one["message"] == origin["message"])


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def no_model_binds(seen: Seen) -> Iterator[str]:
    """Nothing is confirmed, filed or decided by an event that is nobody's own act; a person's help it may fetch."""
    for story, one in seen.happened:
        moved = {c["to"] for c in one.changes if c["kind"] == "StatusMoved"}
        kinds = {c["kind"] for c in one.changes} & BINDING - ({"RecordGiven"} if moved == {"escalated"} else set())
        if one.kind in NOBODYS and (kinds or moved - {"escalated"}):
            yield f"draft {story.name}, event {one.n} ({one.kind}): {', '.join(sorted(kinds | moved))}."


def asked_again(seen: Seen) -> Iterator[str]:
    """No card asks for what is answered, unless the person opened it again."""
    for story, one in seen.happened:
        card, asked = one.after.get("card") or {}, one.after.get("asked")
        opened = any(c["kind"] == "CardOpened" for c in one.changes) and not card.get("hidden")
        answered = asked in one.after["values"] and asked not in one.after["reopened"]
        if opened and card.get("kind") == "question" and answered:
            yield f"draft {story.name}, event {one.n} asks for {asked}, which is answered."


def one_submission(seen: Seen) -> Iterator[str]:
    """A draft is filed once, with the answers that its owner confirmed, under the hash of that card."""
    for story in seen.stories:
        numbers = {c["number"] for one in story.events for c in one.changes if c["kind"] == "RecordGiven"}
        record = seen.records.get(story.name)
        if numbers != ({record["number"]} if record else set()):
            yield f"draft {story.name} was filed as {sorted(numbers)}; its record is {record and record['number']}."
        elif record:
            yield from _confirmed(story, record)


def _hash_confirmed(one: Happened) -> str:
    """Return the hash that a click carries; of words ("approved"), that of the review they were said under."""
    card = one.before.get("card") or {}
    if one.kind == "MessageReceived" and card.get("kind") == "review":
        return str(card["hash"])
    return str(one.said["hash"]) if one.kind == "Clicked" else ""


def _confirmed(story: Story, record: Json) -> Iterator[str]:
    to = [
        one for one in story.events if any(c["kind"] == "StatusMoved" and c["to"] == "submitted" for c in one.changes)
    ]
    if not to:  # handed to a person
        return
    confirmed = [one for one in story.events[: to[-1].n] if _hash_confirmed(one) == record["hash"]]
    if not confirmed or confirmed[-1].who != story.owner:
        yield f"record {record['number']} has a hash that its owner confirmed on no card."
    elif _data(confirmed[-1].after["values"]) != _data(to[-1].before["values"]):
        yield f"record {record['number']} was filed with other answers than were confirmed."
    elif "body" in record and _data(record["body"]["values"]) != _data(to[-1].after["values"]):
        yield f"record {record['number']} holds other answers than its draft did."


def _data(values: Json) -> Json:
    return {name: value["data"] for name, value in values.items()}


def ends(seen: Seen) -> Iterator[str]:
    """What was said is stored, and done or a dead letter once all is over."""
    waiting = [row["id"] for row in seen.rows["inbox"] if row["status"] == "new"]
    if seen.over and waiting:
        yield f"rows {waiting} of the inbox have come to no end."
    if seen.over and seen.slack and not seen.slack.under_way:
        known = {row["key"] for row in seen.rows["inbox"]}
        given_up = {one.payload.get("event", {}).get("ts") for one in seen.slack.slack.delivery.failed}
        said = ((ts, key) for _, ts, key in seen.own_messages if ts not in given_up)
        lost = [ts for ts, key in said if seen.vault.index(key) not in known]
        yield from (f"the message {ts} was acked and is not stored." for ts in lost)


def once(seen: Seen) -> Iterator[str]:
    """No event happens to a draft twice."""
    for story in seen.stories:
        ids = Counter(one.said["id"] for one in story.events if one.kind != "Began")
        yield from (f"draft {story.name}: {event} happened {n} times." for event, n in ids.items() if n > 1)


COMPARED = ("values", "card", "asked", "proposal", "offers", "disclosures", "turn", "stage", "handed", "status")
OF_RECORD = ("number", "state", "valid_until", "reports")


def rebuilt(seen: Seen) -> Iterator[str]:
    """Revisions have no gaps, and folding what happened gives the draft and its record as they are stored."""
    for story in seen.stories:
        revision, last = 0, story.events[-1].after
        for place, one in enumerate(story.events, 1):
            revision += bool(one.changes)
            if (one.n, one.revision) != (place, revision):
                yield f"draft {story.name}: event {one.n} is at revision {one.revision}; {place} at {revision} follows."
        if (story.row["revision"], story.row["last"]) != (revision, len(story.events)):
            yield f"draft {story.name} is at revision {story.row['revision']}, and its events lead to {revision}."
        differ = [name for name in COMPARED if last[name] != story.body[name]]
        differ += [name for name in ("locked_fields", "reopened") if {*last[name]} != {*story.body[name]}]
        differ += [name for name in OF_RECORD if last["filed"][name] != story.body["filed"][name]]
        if differ:
            yield f"draft {story.name} is not what its events give: {', '.join(differ)}."


def audited(seen: Seen) -> Iterator[str]:
    """What rows say beside a draft is what its events say: its status, its record's state, the calls that a model made."""
    calls = Counter((row["draft"], row["n"]) for row in seen.rows["tool_calls"])
    for story in seen.stories:
        if story.row["status"] != story.body["status"]:
            yield f"draft {story.name} is {story.row['status']} in its row and {story.body['status']} in its events."
        record, state = seen.records.get(story.name), story.body["filed"]["state"]
        if record and record["state"] != state:
            yield f"record {record['number']} is {record['state']!r}; its events say {state!r}."
        for one in story.events:
            made = len(one.said["reply"]["calls"]) if one.kind == "ModelReplied" and one.changes else 0
            if made > calls[story.name, one.n]:
                yield f"draft {story.name}, event {one.n}: of {made} calls {calls[story.name, one.n]} are logged."


def decided(seen: Seen) -> Iterator[str]:
    """Who decides is not who filed, and held the role."""
    for story, one in seen.happened:
        for verdict in (c["decision"] for c in one.changes if c["kind"] == "Decided"):
            if verdict["verdict"] == "withdraw":
                continue
            if verdict["who"] == story.owner or verdict["who"] != one.who:
                yield f"draft {story.name}, event {one.n}: {verdict['who']} decided on it."
            if not verdict["role"] or one.said.get("known") is False or verdict["role"] != one.said.get("role"):
                yield f"draft {story.name}, event {one.n}: {verdict['who']} did not hold the role {verdict['role']!r}."


def nothing_unread(seen: Seen) -> Iterator[str]:
    """Once all is over, a reader has judged every line of an open draft."""
    for story in seen.stories:
        lines = [line for line in (*story.body["opening"], *story.body["window"]) if line["unread"]]
        if seen.over and story.body["status"] == "open" and not story.body["handed"] and lines:
            yield f"draft {story.name}: {len(lines)} lines were read by nobody."


def words_once(seen: Seen) -> Iterator[str]:
    """No span of words gives the same answer to two fields."""
    for story in seen.stories:
        used: dict[tuple[str, ...], str] = {}
        for name, value in story.body["values"].items():
            origin = value["provenance"]
            place = (origin["message"], _plain(origin["words"]), str(value["data"]))
            if origin["how"] in ("read", "typed") and used.setdefault(place, name) != name:
                yield f"draft {story.name}: the same words are behind {used[place]} and {name}."


def readable(seen: Seen) -> Iterator[str]:
    """No act that binds counted within a second of its card; a choice that is given up binds nobody."""
    for story, one in seen.happened:
        at, shown = one.said.get("clicked_at"), one.said.get("shown")
        bind = [c for c in one.changes if not _kept(one, c) and c.get("on") != ""]
        final = {c["kind"] for c in bind} & FINAL
        if final and at and not (shown and Decimal(at) - Decimal(shown) >= READ):
            yield f"draft {story.name}, event {one.n} counted at {at} on a card of {shown or 'no known time'}."


def _kept(one: Happened, change: Json) -> bool:
    """Return True if an answer that was opened again is left as it was, and so takes nothing."""
    name = change.get("field")
    return name in one.before["reopened"] and one.before["values"].get(name) == one.after["values"].get(name)


CHECKS: Mapping[int, tuple[Callable[[Seen], Iterator[str]], ...]] = {
    1: (locks,), 2: (provenance,), 3: (no_model_binds,), 4: (asked_again,), 5: (one_submission,), 6: (ends, once), 7: (rebuilt,), 8: (audited,),
    9: (decided,), 10: (private,), 11: (posted_once,), 12: (true_screen,), 13: (no_secrets,), 14: (nothing_unread, words_once),
    15: (no_false_numbers,), 16: (delivered,), 17: (answered,), 18: (readable,),
}  # fmt: skip
"""The checks by the numbers of the design."""
