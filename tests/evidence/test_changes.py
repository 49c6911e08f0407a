"""Whoever may write everything, and has no key, changes nothing unseen: each change is found, named, and told what to do about."""

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from bot.operations.evidence import HEADS, sign
from state.stores.evidence.heads import HeadsFile
from state.stores.evidence.links import digest
from state.stores.vault import Vault
from tests.command import holdfast
from tests.evidence.forging import forged_chain, forged_checkpoints, forged_custody, without_macs
from tests.evidence.history import DATABASE, EARLIER, FINN, expired, forgotten, make_small, said, store_of, submitted
from tests.stores.helpers import KEY

Change = Callable[[Path], None]


def sql(*statements: str) -> Change:
    """A change that a database tool makes."""

    def change(var: Path) -> None:
        with closing(sqlite3.connect(var / DATABASE)) as database, database:
            for statement in statements:
                database.execute(statement)

    return change


def lines(edit: Callable[[list[str]], list[str]]) -> Change:
    """A change to the file of heads."""

    def change(var: Path) -> None:
        file = var / HEADS
        file.write_text("".join(edit(file.read_text().splitlines(keepends=True))))

    return change


def rolled_back(var: Path) -> None:
    """An older copy of the database in the place of this one."""
    shutil.copyfile(var / EARLIER, var / DATABASE)


def rolled_back_and_on(var: Path) -> None:
    """An older copy, with which the bot goes on."""
    rolled_back(var)
    assert holdfast("erase", "--team", "T0NORTH", "--user", "U0ALEXREED", "--yes", var=var).returncode == 0


def foreign(var: Path) -> None:
    """Another installation's database."""
    (var / DATABASE).unlink()
    (var / "other").mkdir()
    make_small(var / "other", Vault.make_key())
    shutil.copyfile(var / "other" / DATABASE, var / DATABASE)


def another(var: Path) -> None:
    """The same, with this installation's name on its keys."""
    foreign(var)
    sql(f"UPDATE person_keys SET key_id = '{Vault(KEY).key_id}'")(var)


def retention_runs(var: Path) -> None:
    """The bot's own retention, with terms of a year and two; records stay five."""
    with ThreadPoolExecutor(1) as aside:
        aside.submit(asyncio.run, expired(var)).result()


def gone(var: Path) -> None:
    """The file of heads is deleted."""
    (var / HEADS).unlink()


def all_of(*changes: Change) -> Change:
    """One after the other."""

    def change(var: Path) -> None:
        for one in changes:
            one(var)

    return change


def whole_draft(name: str) -> Change:
    """A draft with everything of it is deleted."""
    tables = ("tool_calls", "documents", "records", "conversations", "events")
    return sql(
        *(f"DELETE FROM {table} WHERE draft = '{name}'" for table in tables),
        f"DELETE FROM drafts WHERE name = '{name}'",
    )


def tail_cut(var: Path) -> None:
    """A draft, its newest event and its record are put back to what they were earlier: all that is left was written with the key."""
    sql(
        f"ATTACH '{var / EARLIER}' AS earlier",
        "DELETE FROM events WHERE draft='d1' AND n > (SELECT last FROM earlier.drafts WHERE name='d1')",
        "DELETE FROM drafts WHERE name='d1'",
        "DELETE FROM records WHERE draft='d1'",
        "INSERT INTO drafts SELECT * FROM earlier.drafts WHERE name='d1'",
        "INSERT INTO records SELECT * FROM earlier.records WHERE draft='d1'",
    )(var)


def swapped(var: Path) -> None:
    """Two events change places."""
    sql(
        "UPDATE events SET n = -1 WHERE draft='d1' AND n=1",
        "UPDATE events SET n = 1 WHERE draft='d1' AND n=2",
        "UPDATE events SET n = 2 WHERE draft='d1' AND n=-1",
    )(var)


def empty_body(table: str, draft: str) -> Change:
    """A body is emptied as retention does it, with the right digest in its place."""

    def change(var: Path) -> None:
        with closing(sqlite3.connect(var / DATABASE)) as database, database:
            first = f"SELECT rowid, sealed FROM {table} WHERE draft=? LIMIT 1"
            row, sealed = database.execute(first, (draft,)).fetchone()
            database.execute(f"UPDATE {table} SET sealed=x'', digest=? WHERE rowid=?", (digest(sealed), row))

    return change


def reused(var: Path) -> None:
    """The counter is lowered once the newest record is gone, and the bot files another request under its number."""
    number = "PA-2026-000003"

    async def one(name: str, *, forget: bool) -> None:
        async with store_of(var) as store:
            await said(store, name, FINN, f"T0NORTH:D0{name}:", "gifts")
            await submitted(store, name, number, FINN, f"T0NORTH:D0{name}:", "gifts")
            for _ in range(2 if forget else 0):
                await forgotten(store, "gifts", audit=True)
            await sign(store, HeadsFile(var / HEADS))

    with ThreadPoolExecutor(1) as aside:
        aside.submit(asyncio.run, one("d8", forget=True)).result()
        sql("UPDATE series SET last=2 WHERE prefix='PA-2026'")(var)
        aside.submit(asyncio.run, one("d9", forget=False)).result()


SEALED_1 = "(SELECT sealed FROM events WHERE draft='d1' AND n=1)"
CHANGES: dict[str, tuple[Change, str]] = {
    "an event is edited": (sql("UPDATE events SET kind='Clicked' WHERE draft='d1' AND n=2"), "Draft d1: Event 2 was changed"),
    "an event is dated back": (sql("UPDATE events SET at='2020-01-01 00:00:00.000000' WHERE draft='d1' AND n=2"), "Draft d1: Event 2 was"),
    "an event is edited and all hashes are recomputed": (
        forged_chain("d1", kind="Clicked"), "Draft d1: Event 2 has a MAC that was not made with the installation's key"
    ),
    "the same, and the MACs are taken away": (
        all_of(forged_chain("d1", kind="Clicked"), without_macs("d1")), "Draft d1: Event 1 has no MAC"
    ),
    "an event is deleted": (sql("DELETE FROM events WHERE draft='d1' AND n=2"), "Draft d1: Event 2 is missing"),
    "a draft is rolled back, with its record": (tail_cut, "Draft d1: The chain ends at event 4; checkpoint 3 signed event 5"),
    "two events change places": (swapped, "Draft d1: Event 1 does not follow event 0"),
    "a body is moved to another event": (sql(f"UPDATE events SET sealed={SEALED_1} WHERE draft='d1' AND n=2"), "Draft d1: Event 2 was"),
    "a body is swapped, and the digest filled in": (
        sql(
            "UPDATE events SET digest=(SELECT lower(hex(hash)) FROM events LIMIT 1) WHERE draft='d1' AND n=2",
            f"UPDATE events SET sealed={SEALED_1} WHERE draft='d1' AND n=2",
        ),
        "Draft d1: Event 2 was changed",
    ),
    "a body is emptied, and its digest filled in": (
        empty_body("events", "d1"), "Draft d1: The body of event 1 was emptied, and no link says that it was"
    ),
    "an event is put under the key that never was": (
        sql("UPDATE events SET sealed_by=(SELECT id FROM person_keys WHERE wrapped IS NULL LIMIT 1) WHERE draft='d1' AND n=2"),
        "Draft d1: Event 2 was put under another key",
    ),
    "a person's key is destroyed": (
        sql("UPDATE person_keys SET wrapped=NULL, person=NULL WHERE id=(SELECT sealed_by FROM drafts WHERE name='d1')"),
        "Draft d1: It reads as erased, and no link says that it was",
    ),
    "a person's key is deleted": (
        sql("DELETE FROM person_keys WHERE id=(SELECT sealed_by FROM drafts WHERE name='d1')"),
        "Draft d1: The key that its words are sealed with is not there",
    ),
    "a person's key is overwritten": (
        sql("UPDATE person_keys SET wrapped=zeroblob(61) WHERE id=(SELECT sealed_by FROM drafts WHERE name='d1')"),
        "Draft d1: The draft itself was changed",
    ),
    "the root is overwritten": (sql("UPDATE person_keys SET wrapped=zeroblob(61) WHERE person='root'"), "Database: A sealed body is not"),
    "the root is emptied": (sql("UPDATE person_keys SET wrapped=NULL WHERE person='root'"), "Database: A sealed body is not"),
    "the root is deleted": (sql("DELETE FROM person_keys WHERE person='root'"), "Draft d1: The draft itself was changed"),
    "a draft's status is changed": (sql("UPDATE drafts SET status='cancelled' WHERE name='d1'"), "Draft d1: The draft itself was"),
    "a draft's MAC is taken away": (sql("UPDATE drafts SET mac=NULL WHERE name='d1'"), "Draft d1: The draft itself was"),
    "a draft is put into another conversation": (
        sql("UPDATE drafts SET conversation=(SELECT conversation FROM drafts WHERE name='d5') WHERE name='d1'"), "Draft d1: The draft itself"
    ),
    "a whole draft is deleted": (whole_draft("d1"), "Draft d1: It is missing with everything of it; checkpoint"),
    "a draft's row alone is deleted": (sql("DELETE FROM drafts WHERE name='d1'"), "Draft d1: There are rows of it in events"),
    "a record's state is changed": (
        sql("UPDATE records SET state='rejected' WHERE number='PA-2026-000001'"), "Record PA-2026-000001: Its state is 'rejected'; the links say"
    ),
    "a record's state goes back, and is counted so": (
        sql("UPDATE records SET state='pending_manager', version=0 WHERE number='PA-2026-000001'"), "Record PA-2026-000001: Its state is"
    ),
    "a record's number is changed": (
        sql("UPDATE records SET number='PA-2026-000009' WHERE number='PA-2026-000001'"), "Record PA-2026-000001: It is missing"
    ),
    "a record's hash is changed": (sql("UPDATE records SET hash='beef' WHERE number='PA-2026-000001'"), "Record PA-2026-000001: Its hash is"),
    "a record's time is changed": (
        sql("UPDATE records SET filed_at='2020-01-01 00:00:00.000000' WHERE number='PA-2026-000001'"), "Record PA-2026-000001: Its filed_at is"
    ),
    "a record's tenant is changed": (sql("UPDATE records SET tenant='T0X' WHERE number='PA-2026-000001'"), "Record PA-2026-000001: Its tenant"),
    "a record's draft is changed": (
        sql("UPDATE records SET draft='d5' WHERE number='PA-2026-000001'"), "Record PA-2026-000001: No link says that it was filed"
    ),
    "a record is deleted": (sql("DELETE FROM records WHERE number='PA-2026-000001'"), "Record PA-2026-000001: It is missing"),
    "a record is put in": (
        sql(
            "INSERT INTO records (number, draft, form, tenant, state, hash, filed_at, sealed_by, sealed, version) SELECT 'PA-2026-000007', "
            "'d5', form, tenant, state, hash, filed_at, sealed_by, sealed, 0 FROM records WHERE number='PA-2026-000001'"
        ),
        "Record PA-2026-000007: No link says that it was filed",
    ),
    "a record's body is emptied": (empty_body("records", "d1"), "Record PA-2026-000001: Its body was emptied"),
    "a record's body is changed": (
        sql("UPDATE records SET sealed=CAST(sealed || x'00' AS BLOB) WHERE number='PA-2026-000001'"), "Record PA-2026-000001: Its body was changed"
    ),
    "a kept record is taken from its person": (
        sql("UPDATE records SET kept_for='someone' WHERE number='PA-2026-000002'"), "Record PA-2026-000002: Its body does not open, or it is not"
    ),
    "a kept record's day is changed": (
        sql("UPDATE person_keys SET destroy_at='2026-01-01 00:00:00.000000' WHERE destroy_at IS NOT NULL"), "The day on which it goes is 2026-01-01"
    ),
    "a kept record's day is changed, and the bot destroys it": (
        all_of(sql("UPDATE person_keys SET destroy_at='2026-01-01 00:00:00.000000' WHERE destroy_at IS NOT NULL"), retention_runs),
        "Record PA-2026-000002: Its body was emptied before its time",
    ),
    "a record is dated back, and the bot empties it": (
        all_of(sql("UPDATE records SET filed_at='2010-01-01 00:00:00.000000' WHERE number='PA-2026-000001'"), retention_runs),
        "Record PA-2026-000001: Its filed_at is",
    ),
    "the same, and its date is put back": (
        all_of(
            sql("CREATE TABLE t AS SELECT number, filed_at FROM records", "UPDATE records SET filed_at='2010-01-01 00:00:00.000000'"),
            retention_runs,
            sql("UPDATE records SET filed_at=(SELECT filed_at FROM t WHERE t.number=records.number)"),
        ),
        "Record PA-2026-000001: Its body was emptied before its time",
    ),
    "a draft is dated back, and the bot empties it": (
        all_of(sql("UPDATE drafts SET updated_at='2025-06-01 00:00:00.000000' WHERE name='d5'"), retention_runs),
        "Draft d5: Event 1 was emptied before its time",
    ),
    "a draft is dated further back, and the bot removes it": (
        all_of(sql("UPDATE drafts SET updated_at='2019-01-01 00:00:00.000000' WHERE name='d5'"), retention_runs),
        "Draft d5: It was removed before its time",
    ),
    "an emptied draft's record is put under an erased person's key": (
        sql("UPDATE records SET sealed_by=(SELECT id FROM person_keys WHERE person IS NULL) WHERE number='gifts-1'"),
        "Record gifts-1: It was put under another key",
    ),
    "a document's content is changed": (sql("UPDATE documents SET content=zeroblob(length(content))"), "Document doc1 of draft d1: What is said"),
    "a tool call is edited": (sql("UPDATE tool_calls SET status='rejected' WHERE draft='d1' AND n=2"), "Draft d1: Tool call 1 beside event 2 was"),
    "a tool call is deleted": (
        sql("DELETE FROM tool_calls WHERE draft='d1' AND n=2 AND place=1"), "Draft d1: Beside event 2 stand 1 tool calls of the 2"
    ),
    "a tool call is put in": (
        sql(
            "CREATE TEMP TABLE t AS SELECT * FROM tool_calls WHERE draft='d1' AND n=2 AND place=1",
            "UPDATE t SET place=2", "INSERT INTO tool_calls SELECT * FROM t",
        ),
        "Draft d1: Beside event 2 stand 3 tool calls, and 2 were logged",
    ),
    "a tool call's body is emptied": (empty_body("tool_calls", "d1"), "Draft d1: The body of a tool call beside event 1 was"),
    "a tombstone is deleted": (sql("DELETE FROM tombstones"), "Tombstone 1: It is missing"),
    "a tombstone is edited": (sql("UPDATE tombstones SET told=replace(told, '\"events\": 2', '\"events\": 1')"), "Tombstone 1: It was changed"),
    "a tombstone is dated back": (sql("UPDATE tombstones SET at='2020-01-01 00:00:00.000000'"), "Tombstone 1: It was changed"),
    "a tombstone is put in": (sql("INSERT INTO tombstones (id, at, told) SELECT 2, at, told FROM tombstones"), "Tombstone 2: No link says"),
    "an erasure's link is edited": (
        sql("UPDATE custody SET body=replace(body, '\"d2\"', '\"d1\"') WHERE kind='erased'"), "(erased) was changed after it was written"
    ),
    "an erasure is made up, with every hash of its chain": (forged_custody, "has a MAC that was not made with the installation's key"),
    "an erasure's link is deleted": (sql("DELETE FROM custody WHERE kind='erased'"), "Chain installation: Link 2 is missing"),
    "the end of the chain of erasures is cut off": (
        sql("DELETE FROM custody WHERE chain='installation' AND n > 1"), "Chain installation: It ends at link 1; checkpoint"
    ),
    "the whole chain of erasures is deleted": (sql("DELETE FROM custody"), "Chain installation: It is missing; checkpoint"),
    "a document is deleted": (sql("DELETE FROM documents WHERE name='doc1'"), "Document doc1 of draft d1: It is missing before its time"),
    "a document is edited": (sql("UPDATE documents SET type='exe' WHERE name='doc1'"), "Document doc1 of draft d1: What is said about it"),
    "a checkpoint is edited": (sql("UPDATE checkpoints SET text=replace(text, '\"d1\":[3', '\"d1\":[2') WHERE n=1"), "Checkpoint 1: In the data"),
    "a checkpoint is deleted": (sql("DELETE FROM checkpoints WHERE n=2"), "Checkpoint 2: It is missing from the database"),
    "the newest checkpoints are deleted": (sql("DELETE FROM checkpoints WHERE n>3"), "It has checkpoints 4 to 5; the database ends at 3"),
    "checkpoints are made anew under another key": (forged_checkpoints, "is signed under a key that is not this installation's"),
    "all checkpoints and heads are deleted": (
        all_of(sql("DELETE FROM checkpoints"), gone), "Checkpoints: There are links with MACs and no checkpoint"
    ),
    "every MAC, checkpoint and head is taken away, as though all were old": (
        all_of(
            *(without_macs(draft) for draft in ("d1", "d2", "d3", "d5")),
            sql("DELETE FROM checkpoints", "DELETE FROM custody", "UPDATE drafts SET mac=NULL"), gone,
        ),
        "Draft d1: The MAC of event 1 was taken away: its body says that it had one",
    ),
    "the database is rolled back": (rolled_back, "It has checkpoints 3 to 5; the database ends at 2 or lacks them: the database was rolled back"),
    "the database is rolled back, and the bot goes on": (rolled_back_and_on, "its checkpoint 3 is not the database's: the database was rolled back"),
    "the database is deleted": (lambda var: (var / DATABASE).unlink(), "Database: There is no database at"),
    "the database is another installation's": (another, "is another"),
    "the database is another installation's, as it is": (foreign, "Database: The database was sealed under another key"),
    "a head is edited": (lines(lambda all_: [all_[0].replace('"n":1', '"n":7'), *all_[1:]]), "Line 1: it was changed after it was signed"),
    "a line of heads is noise": (lines(lambda all_: [*all_[:2], "noise\n", *all_[2:]]), "Line 3: it is no checkpoint"),
    "a head says something twice": (
        lines(lambda all_: [all_[0].replace('"n":1', '"n":7,"n":1'), *all_[1:]]), "Line 1: it is no checkpoint"
    ),
    "a checkpoint says something twice": (
        sql("UPDATE checkpoints SET text=replace(text, '\"n\":2', '\"n\":9,\"n\":2') WHERE n=2"), "Checkpoint 2: In the database"
    ),
    "a line of heads is deleted": (lines(lambda all_: [*all_[:2], *all_[3:]]), "Lines are missing between checkpoint 2 and 4"),
    "the first heads are deleted": (lines(lambda all_: all_[2:]), "Lines are missing between checkpoint 0 and 3"),
    "the end of the heads is cut off": (lines(lambda all_: all_[:3]), "It ends at checkpoint 3, the database at 5: its end was cut off"),
    "half of the last head is cut off": (lines(lambda all_: [*all_[:4], all_[4][:50]]), "Line 5: it is no checkpoint"),
    "two heads change places": (lines(lambda all_: [all_[1], all_[0], *all_[2:]]), "Lines are missing between checkpoint 0 and 2"),
    "the file of heads is deleted": (gone, "It is not there or empty, and the database has 5 checkpoints"),
    "the file of heads is emptied": (lines(lambda _: []), "It is not there or empty, and the database has 5 checkpoints"),
    "an erased draft's rows are deleted": (whole_draft("d2"), "Draft d2: It is missing with everything of it; checkpoint"),
    "a removed draft is put back": (
        sql("CREATE TEMP TABLE t AS SELECT * FROM drafts WHERE name='d5'", "UPDATE t SET name='d4', id=99", "INSERT INTO drafts SELECT * FROM t"),
        "Draft d4: It was removed by retention, and is here again",
    ),
    "the counter of numbers is lowered": (
        sql("UPDATE series SET last=1 WHERE prefix='PA-2026'"), "Series PA-2026: Its counter is at 1, and 2 was given: it was lowered"
    ),
    "the counter of numbers is below zero": (sql("UPDATE series SET last=-5 WHERE prefix='PA-2026'"), "Series PA-2026: Its counter is at -5"),
    "the counter of numbers is deleted": (sql("DELETE FROM series WHERE prefix='PA-2026'"), "Series PA-2026: Its counter is missing"),
    "the counter of numbers is another series'": (sql("UPDATE series SET prefix='PA-2027' WHERE prefix='PA-2026'"), "Series PA-2026: Its counter"),
    "the counter of numbers is raised": (
        sql("UPDATE series SET last=9 WHERE prefix='PA-2026'"), "Series PA-2026: Its counter is at 9, and 2 was given last: it was raised"
    ),
    "a series is made up": (sql("INSERT INTO series VALUES ('PA-2031', 7)"), "Series PA-2031: Its counter is at 7, and 0 was given last"),
    "the counter of numbers is a word": (sql("UPDATE series SET last='noise'"), "Table series: A value in it is of another kind"),
    "the counter of the installation's links is lowered": (
        sql("UPDATE series SET last=1 WHERE prefix='custody:installation'"), "Series custody:installation: Its counter is at 1"
    ),
    "a number is given again": (reused, "Record PA-2026-000003: The number was given again: its first record was removed by retention"),
    "an event's time is no time": (sql("UPDATE events SET at='noise' WHERE draft='d1' AND n=2"), "Draft d1: A value of it, or of what is beside it"),
    "an event's body is a word": (sql("UPDATE events SET sealed='noise' WHERE draft='d1' AND n=2"), "Draft d1: A value of it, or of what is"),
    "a draft's revision is a word": (sql("UPDATE drafts SET revision='noise' WHERE name='d1'"), "Draft d1: "),
    "what is beside an event is noise": (sql("UPDATE events SET beside='[' WHERE draft='d1' AND n=2"), "Draft d1: Event 2 was changed"),
    "a checkpoint is noise": (sql("UPDATE checkpoints SET text='noise' WHERE n=2"), "Checkpoint 2: In the database it is signed under a key"),
    "a link of the chain of erasures is noise": (sql("UPDATE custody SET body='noise' WHERE kind='erased'"), "(erased) was changed after"),
    "a link's kind is another": (sql("UPDATE custody SET kind='begun' WHERE kind='erased'"), "(begun) was changed after it was written"),
    "a link's time is no time": (sql("UPDATE custody SET at='noise' WHERE kind='erased'"), "Table custody: A value in it is of another kind"),
    "a tombstone is noise": (sql("UPDATE tombstones SET told='['"), "Table tombstones: A value in it is of another kind"),
    "an emptied draft's digest is changed": (sql("UPDATE events SET digest='00' WHERE draft='d3' AND n=1"), "Draft d3: Event 1 was changed"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "words"), CHANGES.values(), ids=CHANGES.keys())
async def test_every_change_is_found_and_named(var: Path, change: Change, words: str) -> None:
    """verify ends with 1, says where and what, and what to do."""
    change(var)
    told = holdfast("verify", var=var)
    assert words in told.stderr
    assert "What to do: " in told.stderr and told.returncode == 1
