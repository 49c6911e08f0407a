"""`holdfast show`: a record as it was at any time, from what is stored, and nobody reads it unseen."""

import asyncio
import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.commands.records import printed, read_moment
from bot.exports.dossier import Json
from bot.exports.export import gather
from bot.operations.evidence import Noted, readings
from bot.root.installation import load_workflows, make_store
from state.engine.codec import decode_draft
from state.engine.timeline import entries
from state.stores.proof import Account
from tests.command import holdfast
from tests.proof.conftest import NUMBER
from tests.whole.officers import BETTER
from tests.whole.steps import REASON
from tests.world import TEAM, settings


def ask(var: Path, work: Any) -> Any:
    """What some work with the store of an installation comes to."""

    async def whole() -> Any:
        store = make_store(settings(var))
        await store.start()
        try:
            return await work(store)
        finally:
            await store.stop()

    with ThreadPoolExecutor(1) as aside:
        return aside.submit(asyncio.run, whole()).result()


def account(var: Path) -> Account:
    """The record's story as it is stored."""
    found: Account = ask(var, lambda store: store.account(NUMBER))
    return found


def dossier(var: Path, moment: datetime | None = None) -> Json:
    """The dossier at a moment."""
    workflows = load_workflows(settings(var))
    found: Json = ask(var, lambda store: gather(store, workflows, NUMBER, moment))
    return found


def when(var: Path, kind: str, last: bool = False) -> datetime:
    """When the first event of a kind, or the last one, was written down."""
    times = [event.at for event in account(var).events if event.kind == kind and event.at]
    return times[-1 if last else 0]


def test_a_record_is_shown_with_all_that_proves_it(var: Path) -> None:
    """Answers with who, how and from which words; versions; rules; verdicts with reasons; what was confirmed and shown, word by word."""
    told = holdfast("show", NUMBER.lower(), var=var)
    assert (told.returncode, told.stderr) == (0, "")
    for wanted in (
        "State: Declined (declined)", "Requested by: U0ALEX in T0HOLDFAST", "clicked by U0ALEX", "Bears on it: Risk: LOW.",
        "approve by U0ROBIN as Manager: pending_manager → pending_compliance", "decline by U0DANA as Compliance", "Reason: =cmd|' /C calc'!A0",
        "│ By submitting, you confirm that these answers are true and complete.", "│ Waiting for: Compliance.", "answer value 720.00 → 50000.00",
        "prompt ", "policy 2026-11",
    ):  # fmt: skip
        assert wanted in told.stdout, wanted


def test_what_was_confirmed_and_shown_is_kept_as_it_was_rendered(var: Path) -> None:
    """The blocks of each post are those that were sent, whatever the form says today."""
    told = dossier(var)
    card, *_ = [s for s in told["shown"] if "Waiting for: Manager." in s["lines"] and s["kind"] == "post"]
    assert card["where"] == "C0COMPLIANCE" and "Approve" in json.dumps(card["blocks"]) and card["status"] == "done"
    assert told["confirmed"]["blocks"][0]["type"] == "header"


def test_nothing_that_people_wrote_moves_the_cursor(decided: Path) -> None:
    """Control codes and marks that turn the writing are named, a line break is marked: what is read is what was written."""
    told = printed(dossier(decided))
    assert "[U+001B][31m" in told and "[U+202E]second line" in told and "王. ⏎ " in told
    assert "\x1b" not in told and "\u202e" not in told


def test_folding_rebuilds_the_draft_that_is_stored(var: Path) -> None:
    """Without judging again: the folded events are the stored draft, attribute by attribute."""
    found = account(var)
    stored = ask(var, lambda store: store.draft(found.record.draft))
    assert list(entries(found.events))[-1].draft == decode_draft(stored.body)


def test_as_of_a_time_nothing_later_is_known(var: Path) -> None:
    """Between the two verdicts the second one, its reason and its cards do not exist; before the filing there is no record's state."""
    between = dossier(var, when(var, "DecisionMade", last=True) - timedelta(milliseconds=1))
    given = [(d["who"], d["verdict"], d["void"]) for d in between["decisions"]]
    assert given == [("U0ROBIN", "approve", True), ("U0DANA", "ask", True), ("U0ROBIN", "approve", False)]
    assert between["record"]["state"] == "pending_compliance"
    assert "calc" not in json.dumps(between) and "quarter" not in json.dumps(between)
    before = dossier(var, when(var, "Clicked"))
    assert (before["record"]["state"], before["record"]["status"], before["rules"], before["confirmed"]) == (
        "",
        "open",
        {},
        None,
    )
    assert {a["field"] for a in before["answers"]} == {"direction", "quantity", "value", "currency", "account"}


def test_what_was_confirmed_first_is_shown_as_of_then(var: Path) -> None:
    """A record that was filed anew has the wording, the facts and the hash of each filing, as of its time."""
    first, now = dossier(var, when(var, "DecisionMade")), dossier(var)
    assert REASON in str(first["confirmed"]["lines"]) and BETTER not in json.dumps(first)
    assert BETTER in str(now["confirmed"]["lines"]) and first["record"]["hash"] != now["record"]["hash"]
    assert (
        first["rules"]["reasons"] == now["rules"]["reasons"] != []
        and first["rules"]["facts"].keys() == now["rules"]["facts"].keys()
    )
    assert "[Submit]" in str(first["confirmed"]["lines"])


def test_the_story_names_every_change_once(var: Path) -> None:
    """Who, what was said or clicked, before and after; each post names the event that wanted it."""
    found = account(var)
    story = dossier(var)["story"]
    assert [one["n"] for one in story] == [*range(1, len(found.events) + 1)]
    changed = [(move["field"], move["before"]) for one in story for move in one["moves"] if move["what"] == "answer"]
    assert changed.count(("value", None)) == 1 and ("value", "720.00") in changed
    assert {one.event for one in found.shown} <= {event.body["id"] for event in found.events}
    assert {one["who"] for one in story} >= {"U0ALEX", "U0ROBIN", "U0DANA"}


@pytest.mark.parametrize(
    ("as_of", "words"),
    [
        ("yesterday", "'yesterday' is no time."),
        ("2026-13-01", "is no time."),
        ("2026-11-22 10:00 Europe/Atlantis", "There is no time zone 'Europe/Atlantis'."),
        ("2026-11-22T10:00+01:00 Europe/Rome", "leave one of them out"),
        ("2999-01-01", "has not come yet"),
        ("2020-01-01T00:00Z", "had not begun by then: its first event is of"),
    ],
)
def test_a_time_that_cannot_be_is_told_in_a_sentence(decided: Path, as_of: str, words: str) -> None:
    """What is wrong with it, and how to write it; nothing is shown, and nothing was read."""
    told = holdfast("show", NUMBER, "--as-of", as_of, var=decided)
    assert told.returncode == 2 and words in told.stderr and told.stdout == ""


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("2026-11-22T10:00Z", 10),
        ("2026-11-22T10:00+01:00", 9),
        ("2026-11-22 10:00", 10),
        ("2026-07-01 10:00 Europe/Rome", 8),
    ],
)
def test_a_time_has_the_zone_that_is_written(text: str, hour: int) -> None:
    """An offset, a zone's name with its summer time, or UTC."""
    found = read_moment(text, datetime(2030, 1, 1, tzinfo=UTC))
    assert (found.hour, found.tzinfo) == (hour, UTC)


def test_no_record_is_told_in_a_sentence(decided: Path) -> None:
    """Of a number that nobody has, nothing is shown."""
    told = holdfast("show", "PA-2026-000009", var=decided)
    assert told.returncode == 2 and "There is no record 'PA-2026-000009'." in told.stderr


def read_links(var: Path) -> list[Noted]:
    """Who read what."""
    found: list[Noted] = ask(var, readings)
    return found


def test_reading_is_a_link_that_verify_covers(var: Path) -> None:
    """Who, what and how much, with the hash of what was handed out; whoever changes that link is found."""
    told = holdfast("show", NUMBER, var=var)
    *_opened, noted = read_links(var)
    assert noted.reading.by.startswith("os:") and (noted.reading.what, noted.reading.rows) == ("show", 1)
    assert noted.reading.filters == {"record": NUMBER} and noted.reading.hash and told.returncode == 0
    assert "Tesco" not in json.dumps(noted.reading.filters)
    with closing(sqlite3.connect(var / "holdfast.db")) as database, database:
        database.execute("UPDATE custody SET body=replace(body, 'show', 'look') WHERE kind='read'")
    found = holdfast("verify", var=var)
    assert found.returncode == 1 and "(read) was changed after it was written" in found.stderr


def test_tool_calls_are_read_as_records_are(var: Path) -> None:
    """The arguments of a conversation's calls are words of its person: who prints them is a link too."""
    draft = account(var).record.draft
    told = holdfast("report", "--conversation", draft, var=var)
    *_opened, noted = read_links(var)
    assert told.returncode == 0 and (noted.reading.what, noted.reading.filters) == ("calls", {"draft": draft})
    assert "calls: draft" in holdfast("report", "--retention", var=var).stdout


@pytest.mark.parametrize("change", ["DELETE FROM outbox WHERE {}", "UPDATE outbox SET sealed=X'01' WHERE {}"])
def test_a_card_that_is_taken_away_is_found(var: Path, change: str) -> None:
    """What was shown of a record is covered by the links of the events that showed it."""
    with closing(sqlite3.connect(var / "holdfast.db")) as database, database:
        database.execute(change.format("kind='post' AND draft IS NOT NULL"))
    found = holdfast("verify", var=var)
    assert found.returncode == 1 and "Of what was shown beside event" in found.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("show", NUMBER),
        ("export", "--workflow", "pa_dealing"),
        ("export", "--record", NUMBER, "--output", "{}/out.zip"),
    ],
)
def test_who_cannot_be_written_down_reads_nothing(var: Path, words: tuple[str, ...]) -> None:
    """Where the link cannot be written, nothing is printed and no file is made."""
    with closing(sqlite3.connect(var / "holdfast.db")) as database, database:
        database.execute(
            "CREATE TRIGGER full BEFORE INSERT ON custody WHEN NEW.kind='read' BEGIN SELECT RAISE(ABORT, 'disk full'); END"
        )
    told = holdfast(*(word.format(var) for word in words), var=var)
    assert told.returncode == 2 and told.stdout == "" and not (var / "out.zip").exists()


def test_of_who_was_erased_only_the_kept_record_reads(var: Path) -> None:
    """What the law keeps still shows its verdicts and cards; once its day has come it reads as erased, with times and kinds alone."""
    erased = holdfast("erase", "--team", TEAM, "--user", "U0ALEX", "--yes", var=var)
    assert erased.returncode == 0
    told = holdfast("show", NUMBER, var=var)
    assert (
        "Its person was erased" in told.stdout
        and "decline by U0DANA" in told.stdout
        and "│ Waiting for: Manager." in told.stdout
    )

    async def days_pass(store: Any) -> None:
        now = await store.now()
        await store.expire_rest(now + timedelta(days=365 * 6), now - timedelta(days=1), now - timedelta(days=1))

    ask(var, days_pass)
    told = holdfast("show", NUMBER, var=var)
    assert (
        told.returncode == 0
        and "erased" in told.stdout
        and "DecisionMade" in told.stdout
        and "State: declined" in told.stdout
    )
    assert "Tesco" not in told.stdout and "U0DANA" not in told.stdout
