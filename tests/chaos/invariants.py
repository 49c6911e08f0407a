"""Hold a database, and what Slack's side saw, against the invariants of the design, by their numbers.

It reads rows of SQL as they are stored and messages as they are on screen, and decodes what is in them by itself: of the
product it takes the tables' address, the seals and `verify`. What cannot be told from outside is held elsewhere:
11 (losing Redis: tests/stores/test_redis.py; here: nothing is posted twice), 13 where no log is given (tests/bot/test_logs_leaks.py),
15 beyond numbers of records (tests/model, tests/prompts), 17 beyond an act without an answer (tests/state/test_useless_models.py).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

from bot.sandbox.server import Sandbox
from state.stores.opener import database_address
from state.stores.sql.engine import Database
from state.stores.sql.transaction import Transaction
from state.stores.store import Store
from state.stores.vault import Vault, installation_key

Json = dict[str, Any]
TABLES = {
    "person_keys": "id", "inbox": "id", "outbox": "id", "drafts": "id", "events": "draft, n", "records": "id", "tool_calls": "draft, n, place",
    "posts": "card",
}  # fmt: skip
"""What is read, and in which order."""
READERS = frozenset({"ModelReplied", "LookupCompleted", "DocumentsReceived", "OperationCompleted", "DeliveryChanged"})
"""Events that are nobody's own act."""
BINDING = frozenset({"RecordGiven", "Decided", "DecisionsVoided", "Disclosed", "Reported", "BreachSet", "SubmissionChosen"})
"""Changes by which something is confirmed, filed, decided or disclosed."""
SHOWN = frozenset({"post", "repaint", "whisper", "attach"})
READ = Decimal(1)
"""Seconds for which a card stands before an act on it counts."""


async def broken(
    database: str, key: bytes | Path, slack: Sandbox | None = None, *, over: bool = True, log: str = ""
) -> list[str]:
    """Return a sentence for each breach, which begins with "invariant N: ".

    `database` is a DATABASE_URL and `key` the installation's key, or its file. `over`: all has come to rest. `log` is what was logged.
    """
    opened = Database(database_address(database))
    store = Store(opened, Vault(installation_key(key) if isinstance(key, Path) else key))
    try:
        return await broken_in(store, slack, over=over, log=log)
    finally:
        await opened.stop()


async def broken_in(store: Store, slack: Sandbox | None = None, *, over: bool = True, log: str = "") -> list[str]:
    """Return the same of a store that is open already: one in memory has no address."""
    await store.open_root()
    rows, now = await store._snapshot(_rows)
    seen = Seen(rows, store.names, slack, now, over, log)
    found = [f"invariant {n}: {what}" for n, checks in CHECKS.items() for check in checks for what in check(seen)]
    report = await store.audit()
    return found + [f"invariant 19: {fault}" for fault in report.faults]


def _rows(transaction: Transaction) -> tuple[dict[str, list[Json]], datetime]:
    ask = transaction.connection.exec_driver_sql
    rows = {t: [dict(r) for r in ask(f"SELECT * FROM {t} ORDER BY {by}").mappings()] for t, by in TABLES.items()}  # noqa: S608
    return rows, datetime.now(UTC)


@dataclass(frozen=True)
class Happened:
    """An event as stored, and the draft before and after it, as folding its changes gives them."""

    n: int
    kind: str
    said: Json
    changes: list[Json]
    before: Json
    after: Json

    @property
    def who(self) -> str:
        """Return who did it."""
        return str(self.said.get("who", ""))


@dataclass(frozen=True)
class Story:
    """A draft's row, what is in it, and its events."""

    row: Json
    body: Json
    events: list[Happened]
    name: str = field(init=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.row["name"])

    @property
    def owner(self) -> str:
        """Return the id of the person who fills it in."""
        return str(self.body["owner"])


@dataclass
class Seen:
    """All that the checks look at."""

    rows: Mapping[str, list[Json]]
    vault: Vault
    slack: Sandbox | None
    now: datetime
    over: bool
    log: str

    @cached_property
    def keys(self) -> Mapping[int, bytes | None]:
        """Return each person's data key by its row; None where it is destroyed."""
        return {
            r["id"]: self.vault.unwrap(r["wrapped"], r["person"] or "", r["key_id"]) if r["wrapped"] else None
            for r in self.rows["person_keys"]
        }

    def opened(self, row: Json, identity: str) -> Json | None:
        """Return what is sealed in a row; None where it is emptied or erased."""
        return self.vault.open(self.keys[row["sealed_by"]], identity, row["sealed"]) if row["sealed"] else None

    @cached_property
    def stories(self) -> list[Story]:
        """Return every draft that can still be read."""
        events: dict[str, list[Json]] = {}
        for row in self.rows["events"]:
            events.setdefault(row["draft"], []).append(row)
        made = (self._story(row, events.get(row["name"], [])) for row in self.rows["drafts"])
        return [story for story in made if story]

    def _story(self, row: Json, events: list[Json]) -> Story | None:
        whole = self.opened(row, f"drafts:{row['name']}:{row['revision']}")
        told = [self.opened(e, f"events:{e['draft']}:{e['n']}") for e in events]
        if not whole or not whole["body"] or None in told:
            return None
        draft: Json = {}
        happened = []
        for event, said in zip(events, told, strict=True):
            assert said is not None
            before, draft = draft, said["body"] if event["kind"] == "Began" else folded(draft, said["changes"])
            happened.append(Happened(event["n"], event["kind"], said["body"], said["changes"], before, draft))
        return Story(row, whole["body"], happened)

    @cached_property
    def outgoing(self) -> list[Json]:
        """Return the rows of the outbox with what is in them, where that is there still."""
        return [{**row, **(self.opened(row, f"outbox:{row['key']}") or {})} for row in self.rows["outbox"]]

    @cached_property
    def records(self) -> dict[str, Json]:
        """Return each draft's record, with what is in it."""
        return {
            r["draft"]: {**r, **(self.opened(r, f"records:{r['number']}") or {})}
            for r in self.rows["records"]
            if not r["kept_for"]
        }

    @cached_property
    def lines(self) -> list[tuple[str, Json]]:
        """Return every message in Slack with its channel's id."""
        channels = self.slack.workspace.channels.values() if self.slack else ()
        return [(channel.id, {**m.body, "metadata": m.metadata}) for channel in channels for m in channel.messages.values()]


def _with(d: Json, name: str, key: str, value: Any) -> Json:
    return {name: {**d[name], key: value}}


def _without(d: Json, key: str, *names: str) -> Json:
    return {name: {k: v for k, v in d[name].items() if k != key} for name in names}


def _but(held: list[Any], one: Any) -> list[Any]:
    return [other for other in held if other != one]


def _record(**changed: Callable[[Json, Json], Any]) -> Callable[[Json, Json], Json]:
    return lambda d, c: {"filed": {**d["filed"], **{name: of(d["filed"], c) for name, of in changed.items()}}}


FOLD: Mapping[str, Callable[[Json, Json], Json]] = {
    "ValueSet": lambda d, c: _with(d, "values", c["field"], c["value"]),
    "ValueRetired": lambda d, c: {
        **_without(d, c["field"], "values"), "locked_fields": _but(d["locked_fields"], c["field"]), "reopened": _but(d["reopened"], c["field"]),
    },
    "Locked": lambda d, c: {"locked_fields": [*_but(d["locked_fields"], c["field"]), c["field"]]},
    "Unlocked": lambda d, c: {"locked_fields": _but(d["locked_fields"], c["field"])},
    "Reopened": lambda d, c: {"reopened": [c["field"], *_but(d["reopened"], c["field"])]},
    "Closed": lambda d, c: {"reopened": _but(d["reopened"], c["field"])},
    "CardOpened": lambda d, c: {"card": c["card"], "asked": c["asked"]},
    "Proposed": lambda d, c: {"proposal": c["proposal"]},
    "OffersMade": lambda d, c: {"offers": c["offers"]},
    "Disclosed": lambda d, c: {"disclosures": [*d["disclosures"], c["disclosure"]]},
    "TurnBegun": lambda d, _: {"turn": d["turn"] + 1},
    "StageMoved": lambda d, c: {"stage": c["to"], "going": "", "came_from": d["stage"]},
    "SubmissionChosen": lambda _, c: {"going": c["on"]},
    "HandedOver": lambda _, c: {"handed": c["why"]},
    "HandedBack": lambda *_: {"handed": ""},
    "StatusMoved": lambda _, c: {"status": c["to"]},
    "SubmissionKept": lambda d, _: {"submitted": d["values"]},
    "RecordGiven": _record(number=lambda _, c: c["number"]),
    "RecordMoved": _record(state=lambda _, c: c["to"], valid_until=lambda _, c: c["until"]),
    "Decided": _record(decisions=lambda r, c: [*r["decisions"], c["decision"]]),
    "DecisionsVoided": _record(decisions=lambda r, _: [{**one, "void": True} for one in r["decisions"]]),
    "Reported": _record(reports=lambda r, c: [*r["reports"], c["report"]]),
}  # fmt: skip
"""What each kind of change does to a draft, as JSON; the others touch nothing that is compared."""
COMPARED = ("values", "locked_fields", "reopened", "card", "asked", "proposal", "offers", "disclosures", "turn", "stage", "handed", "status")
OF_RECORD = ("number", "state", "valid_until", "reports")


def folded(draft: Json, changes: list[Json]) -> Json:
    """Return the draft after an event's changes."""
    for change in changes:
        draft = {**draft, **FOLD.get(change["kind"], lambda *_: {})(draft, change)}
    return draft


def locks(seen: Seen) -> Iterator[str]:
    """A locked answer changes in its owner's own act alone."""
    for story in seen.stories:
        for one in story.events[1:]:
            for name in one.before["locked_fields"]:
                was, now = one.before["values"].get(name), one.after["values"].get(name)
                if was and (now is None or now["data"] != was["data"]) and not _may_change(story, one, name):
                    yield f"draft {story.name}, event {one.n} ({one.kind} by {one.who}) changed the locked {name}."


def _may_change(story: Story, one: Happened, name: str) -> bool:
    return one.who == story.owner and one.kind in ("Clicked", "MessageReceived") or name in one.before["reopened"]


def provenance(seen: Seen) -> Iterator[str]:
    """Every value says who, when, how and where; one that was read of words names them."""
    for story in seen.stories:
        for name, value in story.body["values"].items():
            origin = value["provenance"]
            if origin["who"] != story.owner or not all(origin[part] for part in ("at", "how", "message")):
                yield f"draft {story.name}: {name} does not say who, when, how and where."
            if origin["how"] == "read" and not origin["words"]:
                yield f"draft {story.name}: {name} was read of no words."


def no_model_binds(seen: Seen) -> Iterator[str]:
    """Nothing is confirmed, filed, decided or disclosed by an event that is nobody's own act."""
    for story in seen.stories:
        for one in story.events:
            kinds = {c["kind"] for c in one.changes} & BINDING
            moved = {c["to"] for c in one.changes if c["kind"] == "StatusMoved"} - {"escalated"}
            if one.kind in READERS and (kinds or moved):
                yield f"draft {story.name}, event {one.n} ({one.kind}): {', '.join(sorted(kinds | moved))}."


def asked_again(seen: Seen) -> Iterator[str]:
    """No card asks for what is answered, unless the person opened it again."""
    for story in seen.stories:
        for one in story.events:
            card, asked = one.after.get("card") or {}, one.after.get("asked")
            opened = any(c["kind"] == "CardOpened" for c in one.changes)
            open_ = card.get("kind") == "question" and not card.get("hidden")
            if opened and open_ and asked in one.after["values"] and asked not in one.after["reopened"]:
                yield f"draft {story.name}, event {one.n} asks for {asked}, which is answered."


def one_submission(seen: Seen) -> Iterator[str]:
    """A draft is filed once, as it was when its card was confirmed, under the hash of that card."""
    for story in seen.stories:
        given = [one for one in story.events if any(c["kind"] == "RecordGiven" for c in one.changes)]
        record = seen.records.get(story.name)
        numbers = {c["number"] for one in given for c in one.changes if c["kind"] == "RecordGiven"}
        if len(numbers) > 1 or (record and {record["number"]} != numbers) or (numbers and not record):
            yield f"draft {story.name} was filed as {sorted(numbers)}, and its record is {record and record['number']}."
        elif record:
            yield from _confirmed(story, record)


def _confirmed(story: Story, record: Json) -> Iterator[str]:
    filed = [one for one in story.events if any(c["kind"] == "StatusMoved" and c["to"] == "submitted" for c in one.changes)]
    click = next((one for one in story.events if one.kind == "Clicked" and one.said.get("hash") == record["hash"]), None)
    if click is None or click.who != story.owner or not filed or click.n > filed[-1].n:
        yield f"record {record['number']} has a hash that its owner confirmed on no card."
    elif _data(click.after["values"]) != _data(filed[-1].before["values"]):
        yield f"record {record['number']} was filed with other answers than were confirmed."
    elif "body" in record and _data(record["body"]["values"]) != _data(filed[-1].before["values"]):
        yield f"record {record['number']} holds other answers than its draft did."


def _data(values: Json) -> Json:
    return {name: value["data"] for name, value in values.items()}


def ends(seen: Seen) -> Iterator[str]:
    """What was acked is done, or a dead letter, once all is over."""
    waiting = [row["id"] for row in seen.rows["inbox"] if row["status"] == "new"]
    if seen.over and waiting:
        yield f"rows {waiting} of the inbox have come to no end."


def once(seen: Seen) -> Iterator[str]:
    """No event happens to a draft twice."""
    for story in seen.stories:
        ids = Counter(one.said["id"] for one in story.events if one.kind != "Began")
        yield from (f"draft {story.name}: {event} happened {n} times." for event, n in ids.items() if n > 1)


def rebuilt(seen: Seen) -> Iterator[str]:
    """Revisions have no gaps, and folding what happened gives the draft and its record as they are stored."""
    by_draft: dict[str, list[Json]] = {}
    for row in seen.rows["events"]:
        by_draft.setdefault(row["draft"], []).append(row)
    for story in seen.stories:
        revision = 0
        for row, one in zip(by_draft[story.name], story.events, strict=True):
            revision += bool(one.changes)
            if (row["n"], row["revision"]) != (one.n, revision):
                yield f"draft {story.name}: event {row['n']} is at revision {row['revision']}; {revision} follows."
        if (story.row["revision"], story.row["last"]) != (revision, len(story.events)):
            yield f"draft {story.name} is at revision {story.row['revision']} of {story.row['last']} events; there are {revision} of {len(story.events)}."
        last = story.events[-1].after
        differ = [name for name in COMPARED if _plain(last[name]) != _plain(story.body[name])]
        differ += [name for name in OF_RECORD if last["filed"][name] != story.body["filed"][name]]
        if differ:
            yield f"draft {story.name} is not what its events give: {', '.join(differ)}."


def _plain(thing: Any) -> Any:
    return sorted(thing) if isinstance(thing, list) and all(isinstance(one, str) for one in thing) else thing


def audited(seen: Seen) -> Iterator[str]:
    """What rows say beside a draft is what its events say: its status, its record's state, the calls that a model made."""
    calls = Counter((row["draft"], row["n"]) for row in seen.rows["tool_calls"])
    for story in seen.stories:
        if story.row["status"] != story.body["status"]:
            yield f"draft {story.name} is {story.row['status']} in its row and {story.body['status']} in its events."
        record = seen.records.get(story.name)
        if record and record["state"] != story.body["filed"]["state"]:
            yield f"record {record['number']} is {record['state']!r}; its events say {story.body['filed']['state']!r}."
        for one in story.events:
            made = len(one.said["reply"]["calls"]) if one.kind == "ModelReplied" and one.changes else 0
            if made > calls[story.name, one.n]:
                yield f"draft {story.name}, event {one.n}: {made} calls were made, {calls[story.name, one.n]} are logged."


def decided(seen: Seen) -> Iterator[str]:
    """Who decides is not who filed, and held the role."""
    for story in seen.stories:
        for one in story.events:
            for change in one.changes:
                verdict = change["decision"] if change["kind"] == "Decided" else None
                if verdict is None or verdict["verdict"] == "withdraw":
                    continue
                if verdict["who"] == story.owner or verdict["who"] != one.who:
                    yield f"draft {story.name}, event {one.n}: {verdict['who']} decided on it."
                if not verdict["role"] or (one.said.get("known") is False) or verdict["role"] != one.said.get("role"):
                    yield f"draft {story.name}, event {one.n}: {verdict['who']} did not hold the role {verdict['role']!r}."


def posted_once(seen: Seen) -> Iterator[str]:
    """Nothing is on screen twice."""
    marks = Counter(m["metadata"]["event_payload"]["key"] for _, m in seen.lines if m.get("metadata"))
    yield from (f"{key} was posted {n} times." for key, n in marks.items() if n > 1)


def delivered(seen: Seen) -> Iterator[str]:
    """What was to be delivered is delivered, superseded, expired, or before an operator."""
    for row in seen.outgoing:
        due = row["due_at"] if isinstance(row["due_at"], datetime) else datetime.fromisoformat(row["due_at"])
        if seen.over and row["status"] in ("new", "unclear") and due.replace(tzinfo=due.tzinfo or UTC) <= seen.now:
            yield f"row {row['id']} of the outbox ({row['kind']}) is {row['status']} still."


def readable(seen: Seen) -> Iterator[str]:
    """No act that binds counted within a second of its card."""
    for story in seen.stories:
        for one in story.events:
            at, shown = one.said.get("clicked_at"), one.said.get("shown")
            kinds = {c["kind"] for c in one.changes} & {"Decided", "Reported", "Locked", "Disclosed", "SubmissionChosen"}
            if kinds and at and not (shown and Decimal(at) - Decimal(shown) >= READ):
                yield f"draft {story.name}, event {one.n} counted at {at} on a card of {shown or 'no known time'}."


CHECKS: Mapping[int, tuple[Callable[[Seen], Iterator[str]], ...]] = {
    1: (locks,), 2: (provenance,), 3: (no_model_binds,), 4: (asked_again,), 5: (one_submission,), 6: (ends, once), 7: (rebuilt,), 8: (audited,),
    9: (decided,), 11: (posted_once,), 16: (delivered,), 18: (readable,),
}  # fmt: skip
"""The checks by the numbers of the design."""
