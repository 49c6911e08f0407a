"""What is stored, as rows of SQL say it: drafts with their events, folded anew by a reader of its own; and what Slack holds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from bot.sandbox.server import Sandbox
from state.stores.sql.transaction import Transaction
from state.stores.vault import Vault
from tests.world import words_of

Json = dict[str, Any]
TABLES = {
    "person_keys": "id", "inbox": "id", "outbox": "id", "drafts": "id", "events": "draft, n", "records": "id", "tool_calls": "draft, n, place",
    "posts": "card",
}  # fmt: skip
"""What is read, and in which order."""


def rows_of(transaction: Transaction) -> dict[str, list[Json]]:
    """Return every row of these tables, as the database gives it."""
    ask = transaction.connection.exec_driver_sql
    asked = {table: f"SELECT * FROM {table} ORDER BY {by}" for table, by in TABLES.items()}  # noqa: S608 (names of ours)
    return {table: [dict(row) for row in ask(statement).mappings()] for table, statement in asked.items()}


@dataclass(frozen=True)
class Happened:
    """An event as stored, and the draft before and after it, as folding its changes gives them."""

    n: int
    revision: int
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

    @property
    def name(self) -> str:
        """Return the draft's id."""
        return str(self.row["name"])

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
            happened.append(
                Happened(event["n"], event["revision"], event["kind"], said["body"], said["changes"], before, draft)
            )
        return Story(row, whole["body"], happened)

    @cached_property
    def outgoing(self) -> list[Json]:
        """Return the rows of the outbox with what is in them, where that is there still."""
        return [{**row, **(self.opened(row, f"outbox:{row['key']}") or {})} for row in self.rows["outbox"]]

    @cached_property
    def happened(self) -> list[tuple[Story, Happened]]:
        """Return every event with its story."""
        return [(story, one) for story in self.stories for one in story.events[1:]]

    @cached_property
    def records(self) -> dict[str, Json]:
        """Return each draft's record, with what is in it."""
        return {
            r["draft"]: {**r, **(self.opened(r, f"records:{r['number']}") or {})}
            for r in self.rows["records"]
            if not r["kept_for"]
        }

    @cached_property
    def own_messages(self) -> list[tuple[str, str, str]]:
        """Return who wrote each message to the bot alone, when, and the key under which it came in."""
        team = self.slack.workspace.team.id if self.slack else ""
        return [
            (m["user"], m["ts"], f"message:{team}:{channel}:{m['ts']}")
            for channel, m in self.lines
            if channel.startswith("D")
            and not m.get("bot_id")
            and m.get("user")
            and m.get("subtype") in (None, "file_share")
        ]

    @cached_property
    def shown_to(self) -> dict[str, str]:
        """Return all that the bot shows to each person alone who is no reviewer."""
        if self.slack is None:
            return {}
        here, shown = self.slack.workspace, dict[str, list[Any]]()
        reviewers = {who for group in here.usergroups.values() for who in group}
        reviewers |= {
            who
            for c in here.channels.values()
            if c.kind == "channel" and {*here.people} - {*c.members}
            for who in c.members
        }
        for channel, message in self.lines:
            if message.get("bot_id") and here.channels[channel].kind == "dm":
                shown.setdefault(here.channels[channel].members[0], []).append(
                    message.get("blocks") or message.get("text")
                )
        for who, notes in here.ephemerals.items():
            shown.setdefault(who, []).extend(note.body.get("blocks") or note.body.get("text") for note in notes)
        for who, view in here.homes.items():
            shown.setdefault(who, []).append(view.body.get("blocks"))
        return {who: words_of(parts) for who, parts in shown.items() if who not in reviewers}

    @cached_property
    def lines(self) -> list[tuple[str, Json]]:
        """Return every message in Slack with its channel's id."""
        channels = self.slack.workspace.channels.values() if self.slack else ()
        return [
            (channel.id, {**m.body, "metadata": m.metadata}) for channel in channels for m in channel.messages.values()
        ]


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


def folded(draft: Json, changes: list[Json]) -> Json:
    """Return the draft after an event's changes."""
    for change in changes:
        draft = {**draft, **FOLD.get(change["kind"], lambda *_: {})(draft, change)}
    return draft
