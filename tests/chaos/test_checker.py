"""Whoever corrupts a database or a screen is found by the checker, under the number of the invariant."""

import asyncio
import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.sandbox.workspace import Message, Profile
from tests.chaos.invariants import CHECKS, broken, broken_in
from tests.chaos.stored import Json, Seen, rows_of
from tests.whole.officers import file_large, press
from tests.whole.steps import REASON, to_review
from tests.world import World, world

IDENTITY = {"events": "events:{draft}:{n}", "drafts": "drafts:{name}:{revision}", "records": "records:{number}"}
FALSE = "The blue heron sleeps standing"


@dataclass
class Scene:
    """A copy of a finished request, its decision and a second request, in which something is to be planted."""

    seen: Seen

    def rows(self, table: str, **like: Any) -> list[Json]:
        """Return the rows that are like this; events are the filed request's."""
        like |= {"draft": self.seen.rows["records"][0]["draft"]} if table == "events" else {}
        return [row for row in self.seen.rows[table] if all(row[name] == value for name, value in like.items())]

    def within(self, table: str, edit: Callable[[Json], object], *, last: bool = False, **like: Any) -> None:
        """Edit what is sealed in the first or last row like this, and seal it as the bot would."""
        row = self.rows(table, **like)[-1 if last else 0]
        vault, key, identity = self.seen.vault, self.seen.keys[row["sealed_by"]], IDENTITY[table].format_map(row)
        body = vault.open(key, identity, row["sealed"])
        assert key and body
        edit(body)
        row["sealed"] = vault.seal(key, identity, body)

    def change(self, kind: str, change: str, *, last: bool = True, **told: Any) -> None:
        """Add a change to an event of this kind."""
        self.within("events", lambda e: e["changes"].append({"kind": change, **told}), kind=kind, last=last)

    def post(self, text: str, channel: str = "D0ALEX", **more: Any) -> None:
        """Add a message to Slack; the bot's, unless `user` says whose."""
        by = {"bot_id": "B0"} if "user" not in more else {"user": more["user"]}
        message = Message(channel, {"text": text, "ts": "1999999999.000100", **by}, more.get("metadata"))
        self.seen.slack.workspace.channels[channel].messages[message.ts + str(len(text))] = message  # type: ignore[union-attr]


async def _finished(var: Path) -> Seen:
    async with world(var) as w:
        await file_large(w)
        await press(w, "U0ROBIN", "Approve")
        await w.alex.command("/pa")
        await w.settled()
        assert await broken_in(w.bot.store, w.sandbox) == []
        slack = SimpleNamespace(
            workspace=w.sandbox.workspace,
            bot_token="xoxb-1",
            app_token="",
            signing_secret="",
            under_way=0,
            slack=w.sandbox.slack,
        )
        return Seen(await w.bot.store._snapshot(rows_of), w.bot.store.names, slack, await w.bot.store.now(), True, "")  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """What a request leaves that was filed, approved and followed by another one."""
    return asyncio.run(_finished(tmp_path_factory.mktemp("finished")))


@pytest.fixture
def scene(finished: Seen) -> Scene:
    """A copy to corrupt."""
    slack = copy.copy(finished.slack)
    slack.workspace = copy.deepcopy(finished.slack.workspace)  # type: ignore[union-attr]
    rows = {table: [dict(row) for row in rows] for table, rows in finished.rows.items()}
    return Scene(Seen(rows, finished.vault, slack, finished.now, True, ""))


def _value(body: Json, name: str) -> Json:
    return body["values"][name] if "values" in body else body["body"]["values"][name]


def _unread(s: Scene) -> None:
    line = {"role": "user", "text": "x", "message": "1.0", "clicked": False, "unread": True}
    s.within("drafts", lambda d: d["body"].update(window=[line]), status="open")


def _stranger(s: Scene) -> None:
    s.seen.slack.workspace.add_person(Profile("U0MINA", "mina", "Mina"), "D0MINA")  # type: ignore[union-attr]
    s.post(f"A colleague said: {REASON}", "D0MINA")


def _shared_words(s: Scene) -> None:
    def twice(draft: Json) -> None:
        draft["body"]["values"]["account"] = draft["body"]["values"]["justification"]

    s.within("drafts", twice, status="submitted")


def _decision(name: str, value: Any) -> Callable[[Scene], None]:
    def edit(event: Json) -> None:
        next(c for c in event["changes"] if c["kind"] == "Decided")["decision"][name] = value

    return lambda s: s.within("events", edit, kind="DecisionMade")


LONG_AGO = "2026-01-01T00:00:00+00:00"


def _row(table: str, name: str, value: Any, **like: Any) -> Callable[[Scene], None]:
    return lambda s: s.rows(table, **like)[-1].update({name: value})


def _origin(name: str, value: str) -> Callable[[Scene], None]:
    return lambda s: s.within(
        "drafts", lambda d: _value(d, "justification")["provenance"].update({name: value}), status="submitted"
    )


def _first_id(s: Scene) -> str:
    return str(next(one.said["id"] for _, one in s.seen.happened if one.kind == "Clicked"))


def _repaint(s: Scene) -> None:
    shown: Iterator[Message] = iter(s.seen.slack.workspace.channels["D0ALEX"].messages.values())  # type: ignore[union-attr]
    for message in shown:
        message.body["blocks"] = [{"type": "section", "text": {"type": "mrkdwn", "text": FALSE}}]


def _hasty(event: Json) -> None:
    event["body"]["shown"] = event["body"]["clicked_at"] = "1795165825.056802"
    event["changes"].append({"kind": "Locked", "field": "direction"})


PLANTED: dict[str, tuple[int, Callable[[Scene], object]]] = {
    "a model overwrites a locked answer": (
        1, lambda s: s.change("ModelReplied", "ValueSet", field="is_leveraged", value={"data": True}),
    ),
    "a model takes a locked answer away": (1, lambda s: s.change("ModelReplied", "ValueRetired", field="is_derivative", why="")),
    "a value does not say when": (2, _origin("at", "")),
    "a value is another person's": (2, _origin("who", "U0ROBIN")),
    "a value quotes what nobody said": (2, _origin("words", FALSE)),
    "a value was read of nothing": (2, _origin("words", "")),
    "a model submits": (3, lambda s: s.change("ModelReplied", "StatusMoved", to="submitted", on="")),
    "a model decides": (3, lambda s: s.change("ModelReplied", "RecordGiven", number="PA-2026-000001")),
    "a filled field is asked for": (
        4, lambda s: s.change("Clicked", "CardOpened", last=False, card={"kind": "question", "hidden": False}, asked="direction")
        or s.change("Clicked", "ValueSet", last=False, field="direction", value={"data": "buy"}),
    ),
    "the record has another hash": (5, _row("records", "hash", "0" * 64)),
    "the record holds another answer": (5, lambda s: s.within("records", lambda r: _value(r, "quantity").update(data=999))),
    "a draft is filed twice": (5, lambda s: s.change("DecisionMade", "RecordGiven", number="PA-2026-000002")),
    "a record without a filing": (5, _row("records", "draft", "another")),
    "an answer changed after it was confirmed": (
        5, lambda s: s.change("FactsGathered", "ValueSet", field="quantity", value={"data": 9}),
    ),
    "an event was never handled": (6, _row("inbox", "status", "new")),
    "an event happened twice": (6, lambda s: s.within("events", lambda e: e["body"].update(id=_first_id(s)), kind="Clicked", last=True)),
    "a message is not stored": (6, lambda s: s.post(FALSE, user="U0ALEX")),
    "a revision is left out": (7, lambda s: s.rows("events", kind="Clicked")[3].update(revision=99)),
    "the draft is at another revision": (7, lambda s: s.rows("drafts", status="submitted")[0].update(last=99)),
    "the draft holds what no event gave": (7, lambda s: s.within("drafts", lambda d: _value(d, "quantity").update(data=9), status="submitted")),
    "a lock is gone": (7, lambda s: s.within("drafts", lambda d: d["body"].update(locked_fields=[]), status="submitted")),
    "the row says another status": (8, _row("drafts", "status", "cancelled")),
    "the record's row says another state": (8, _row("records", "state", "declined")),
    "a tool call is not logged": (8, lambda s: s.rows("tool_calls") and s.seen.rows["tool_calls"].clear()),
    "the owner decided": (9, _decision("who", "U0ALEX")),
    "who decided had no role": (9, _decision("role", "")),
    "roles could not be looked up": (9, lambda s: s.within("events", lambda e: e["body"].update(known=False), kind="DecisionMade")),
    "a stranger reads what was said": (10, _stranger),
    "a post stands twice": (
        11, lambda s: [s.post("x" * n, metadata={"event_payload": {"key": "k"}}) for n in (1, 2)],
    ),
    "a message shows something else": (12, _repaint),
    "the open card was never posted": (12, lambda s: s.seen.rows["posts"].clear()),
    "a token is in the log": (13, lambda s: setattr(s.seen, "log", "token=xoxb-1")),
    "words are in the log": (13, lambda s: setattr(s.seen, "log", json.dumps({"text": REASON}))),
    "a line was read by nobody": (14, _unread),
    "words give two answers": (14, _shared_words),
    "a number is on screen that no record has": (15, lambda s: s.post("Submitted · PA-2026-000009")),
    "a post was never sent": (16, lambda s: s.rows("outbox")[-1].update(status="new", due_at=LONG_AGO)),
    "an act is followed by nothing": (17, lambda s: [row.update(kind="model") for row in s.rows("outbox")]),
    "a click counts too soon": (18, lambda s: s.within("events", _hasty, kind="Clicked", last=True)),
}  # fmt: skip
"""What is planted, and the invariant that it breaks."""


@pytest.mark.parametrize("what", PLANTED)
def test_what_is_planted_is_found(scene: Scene, what: str) -> None:
    """Each corruption of a real database or screen is named as a breach of its invariant."""
    number, plant = PLANTED[what]
    plant(scene)
    fresh = Seen(**{name: getattr(scene.seen, name) for name in ("rows", "vault", "slack", "now", "over", "log")})
    assert [found for check in CHECKS[number] for found in check(fresh)]


async def test_a_database_by_its_address(kept: World, tmp_path: Path) -> None:
    """A bot's own file and key are all that is needed; a row that is changed behind its back breaks the chain."""
    await kept.say("I'd like to buy 200 Tesco")
    url, key = f"sqlite:///{tmp_path}/holdfast.db", tmp_path / "holdfast.key"
    assert await broken(url, key, kept.sandbox) == []
    await kept.bot.store._database.write(lambda c: c.exec_driver_sql("UPDATE events SET kind = 'Clicked' WHERE n = 2"))
    assert any(found.startswith("invariant 19: ") for found in await broken(url, key, kept.sandbox))


async def test_an_answer_that_is_kept_is_no_breach(kept: World) -> None:
    """Who opens an answer again and leaves it as it is needs not have read its card; what they gave was locked before."""
    await to_review(kept)
    await kept.edit("Security")
    await kept.click("hf.keep")
    assert "security" in (await kept.draft()).locked_fields
    assert await broken_in(kept.bot.store, kept.sandbox) == []
