"""Legitimate histories, which verify passes; and what is still found in them."""

import asyncio
import base64
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from bot.commands.evidence import verify
from bot.operations.evidence import HEADS, Checkpointer, declare_restored, sign
from state.stores.evidence.checkpoints import NOTHING, Checkpoint, sealed_by
from state.stores.evidence.heads import HeadsFile, heads_faults
from state.stores.evidence.keys import EvidenceKey
from state.stores.opener import open_store
from tests.command import Ran, holdfast
from tests.databases import put_tables
from tests.evidence.history import DATABASE, EARLIER, YEAR, decided, forgotten, kept, said, store_of, submitted
from tests.patience import PATIENCE
from tests.stored.restored import copied
from tests.stores.helpers import ALEX, DANA, KEY, OTHER, TALK, there
from tests.world import settings


def verified(var: Path, *more: str) -> Ran:
    """What verify says; nothing is wrong."""
    told = holdfast("verify", *more, var=var)
    assert (told.stderr, told.returncode) == ("", 0)
    return told


def begun(var: Path) -> Path:
    """An installation in which nothing has happened yet."""
    put_tables(var / DATABASE)
    (var / "holdfast.key").write_bytes(base64.b64encode(KEY) + b"\n")
    return var


def test_what_nobody_changed_verifies(var: Path) -> None:
    """Filing, decisions, erasure, retention and documents leave nothing that verify complains of, and it says how far it is signed."""
    told = verified(var)
    assert "4 drafts checked, 0 broken" in told.stdout
    assert "The newest checkpoint is 5" in told.stdout and "nothing has come since" in told.stdout
    assert "0 are from before links had MACs" in told.stdout


def test_an_installation_without_a_past_verifies(tmp_path: Path) -> None:
    """Before anything was said there is nothing to find."""
    assert "0 drafts checked, 0 broken" in verified(begun(tmp_path)).stdout


async def test_what_has_come_since_the_newest_checkpoint_is_told(var: Path) -> None:
    """Links that no checkpoint has signed yet are counted; they are checked by their MACs."""
    async with store_of(var) as store:
        await said(store, "d6", ALEX, TALK)
    assert "1 drafts have grown since" in verified(var).stdout


async def test_a_restart_goes_on_with_the_same_chain(var: Path) -> None:
    """A bot that starts again signs behind its newest checkpoint, into the same file; what did not change is not signed again."""
    for n in range(2):
        async with store_of(var) as store:
            signer = Checkpointer(store, var, period=60)
            await signer.start("T0NORTH")
            await said(store, f"d{n + 7}", ALEX, TALK)
            await signer.stop()
            assert await store.checkpoint() is None
    verified(var)


async def test_what_a_crash_left_unwritten_is_written_at_the_next_start(var: Path) -> None:
    """A bot that was killed between the commit and the file, or within a line, goes on with a whole file."""
    lines = (var / HEADS).read_text().splitlines(keepends=True)
    for left in ("".join(lines[:3]), "".join(lines[:4]) + lines[4][:80], "".join(lines)[:-1]):
        (var / HEADS).write_text(left)
        async with store_of(var) as store:
            assert await sign(store, HeadsFile(var / HEADS))
        assert (var / HEADS).read_text() == "".join(lines)
        verified(var)


async def test_two_replicas_sign_one_chain_into_files_of_their_own(tmp_path: Path) -> None:
    """Replicas that write and sign at the same time give each number once; each file holds all of them, and verify takes both."""
    var, stores = begun(tmp_path), [store_of(tmp_path) for _ in range(2)]
    files = [HeadsFile(var / f"heads{n}.jsonl") for n in range(2)]
    for store in stores:
        await store.start()
    for n in range(6):
        await asyncio.gather(
            said(stores[0], f"a{n}", ALEX, TALK), said(stores[1], f"b{n}", DANA, OTHER),
            *(sign(store, file) for store, file in zip(stores, files, strict=True)),
        )  # fmt: skip
    for store, file in zip(stores, files, strict=True):
        assert await sign(store, file)
    for store, file in zip(stores, files, strict=True):
        assert await sign(store, file)
        await store.stop()
    assert files[0].lines() == files[1].lines() != []
    verified(var, *(word for file in files for word in ("--heads", str(file.path))))


async def test_a_kept_record_and_a_tombstone_go_on_their_day(var: Path) -> None:
    """Retention's last steps are links as well: keys of kept records, tombstones, documents whose time is over."""
    async with store_of(var) as store:
        later = await store.now() + 6 * YEAR
        assert await store.expire_rest(later, later, later) == 1
        await kept(store, "old", "d1", ALEX, days=-1)
        assert await store.purge() == 1
        assert await store.tombstones() == []
        await sign(store, HeadsFile(var / HEADS))
    verified(var)


async def test_a_person_who_comes_back_is_erased_again(tmp_path: Path) -> None:
    """Erased, back, filing anew, erased again, emptied and removed: every step is a link, and nothing is left to complain of."""
    var = begun(tmp_path)
    async with store_of(tmp_path) as store:
        for n in range(2):
            await said(store, f"d{n}", ALEX, TALK, calls=1)
            await submitted(store, f"d{n}", f"PA-2026-00000{n + 1}", ALEX, TALK)
            await decided(store, f"d{n}", f"PA-2026-00000{n + 1}", "approved")
            await kept(store, f"doc{n}", f"d{n}", ALEX)
            assert await store.erase(ALEX, {"pa_dealing": 5 * n})
            await sign(store, HeadsFile(var / HEADS))
        await forgotten(store, "pa_dealing")
        await sign(store, HeadsFile(var / HEADS))
    verified(var)


def upgraded(tmp_path: Path) -> Path:
    """An installation that was last used before links had MACs."""
    return copied(tmp_path / "old")


async def signed_once(var: Path) -> None:
    """The first start of a bot that knows of MACs, as far as the evidence goes."""
    key = base64.b64decode((var / "holdfast.key").read_text())
    async with open_store(f"sqlite:///{var / DATABASE}", key) as store:
        assert await sign(store, HeadsFile(var / HEADS))


async def test_an_old_database_is_taken_over_as_it_is(tmp_path: Path) -> None:
    """Links from before are counted, and covered by links with MACs from the first start on; one changed afterwards is named."""
    var = upgraded(tmp_path)
    assert ", 0 broken" in holdfast("verify", var=var).stdout
    await signed_once(var)
    told = holdfast("verify", var=var)
    old = int(told.stdout.split(" events; ")[1].split()[0])
    assert ", 0 broken" in told.stdout and old > 100
    with closing(sqlite3.connect(var / DATABASE)) as database, database:
        name = database.execute("SELECT draft FROM records LIMIT 1").fetchone()[0]
        database.execute("UPDATE records SET state='other' WHERE draft=?", (name,))
        database.execute("DELETE FROM tool_calls WHERE rowid=(SELECT max(rowid) FROM tool_calls)")
        database.execute("UPDATE documents SET type='exe' WHERE id=(SELECT max(id) FROM documents)")
    found = holdfast("verify", var=var)
    assert found.returncode == 1
    for words in (
        "Its state is 'other'",
        "are not those that were there when links were given MACs",
        "What is said about it",
    ):
        assert words in found.stderr


async def test_a_new_link_cannot_pass_for_an_old_one(tmp_path: Path) -> None:
    """In an old database, an event written since without its MAC, and old ones beyond those that were taken over, are named."""
    var = upgraded(tmp_path)
    await signed_once(var)
    with closing(sqlite3.connect(var / DATABASE)) as database, database:
        draft, last = database.execute("SELECT name, last FROM drafts WHERE last > 3 LIMIT 1").fetchone()
        columns = "kind, revision, form_version, rules_version, at, previous, hash, sealed_by, sealed, beside"
        copy = (
            f"INSERT INTO events (draft, n, {columns}) SELECT draft, n + 1, {columns} FROM events WHERE draft=? AND n=?"
        )
        database.execute(copy, (draft, last))
        database.execute(
            "UPDATE events SET previous=(SELECT head FROM drafts WHERE name=?) WHERE draft=? AND n=?",
            (draft, draft, last + 1),
        )
    assert f"Draft {draft}: Event {last + 1} " in holdfast("verify", var=var).stderr


async def test_a_backup_that_is_put_back_is_declared(var: Path) -> None:
    """Who has the key may say that a backup was restored: what it lost is no fault any more, and what comes after follows it."""
    (var / DATABASE).write_bytes((var / EARLIER).read_bytes())
    assert holdfast("verify", var=var).returncode == 1
    heads = HeadsFile(var / HEADS)
    async with store_of(var) as store:
        assert not await sign(store, heads)
        assert await declare_restored(store, heads) is not None
        assert await declare_restored(store, heads) is None
        await said(store, "d9", ALEX, TALK)
        assert await sign(store, heads)
    verified(var)


async def test_a_bot_of_a_database_that_went_back_says_so(var: Path) -> None:
    """A bot that finds its file of heads ahead of its database writes nothing into the file: the proof of it stays."""
    (var / DATABASE).write_bytes((var / EARLIER).read_bytes())
    before = (var / HEADS).read_text()
    async with store_of(var) as store:
        for _ in range(4):
            await said(store, "d9", ALEX, TALK)
            assert not await sign(store, HeadsFile(var / HEADS))
    assert (var / HEADS).read_text() == before


async def test_verify_waits_for_a_running_bot(var: Path) -> None:
    """A checkpoint that is committed and not in the file yet is waited for, not complained of."""
    whole = (var / HEADS).read_text()
    (var / HEADS).write_text("".join(whole.splitlines(keepends=True)[:4]))

    async def write_on() -> None:
        await asyncio.sleep(0.1)
        (var / HEADS).write_text(whole)

    writing = asyncio.create_task(write_on())
    assert await verify(settings(var), patience=5) == 0
    await writing


async def test_a_day_has_its_line_in_the_operators_channel(var: Path) -> None:
    """Once a day the newest checkpoint is put out for the channel, short enough to be read; pasted into a file, verify takes it."""
    async with store_of(var) as store:
        signers = [Checkpointer(store, var, "C0OPS") for _ in range(2)]
        for signer in signers:
            await signer.start("T0NORTH")
        lane = "slack:C0OPS"
        async with asyncio.timeout(PATIENCE):
            while await store.next_outgoing(lane) is None:  # noqa: ASYNC110 (an outbox can only be asked)
                await asyncio.sleep(0.01)
        row = there(await store.next_outgoing(lane))
        for signer in signers:
            await signer.stop()
        lease = await store.take(lane, 30)
        assert lease is not None and not await store.behind(lane, row.id)
    (var / "anchor.txt").write_text(f"Pasted: {row.body['text']}\n")
    verified(var, "--heads", str(var / "anchor.txt"))
    (var / DATABASE).write_bytes((var / EARLIER).read_bytes())
    (var / HEADS).unlink()
    told = holdfast("verify", "--heads", str(var / "anchor.txt"), var=var)
    assert told.returncode == 1 and "the database was rolled back" in told.stderr


async def test_two_databases_under_one_folder(tmp_path: Path) -> None:
    """Each database signs into the one file, each verifies by its own lines, and what happens to one is told of that one alone."""
    var = begun(tmp_path)
    (var / DATABASE).rename(var / "other.db")
    put_tables(var / DATABASE)
    key = base64.b64decode((var / "holdfast.key").read_text())
    for n in range(3):
        for name in (DATABASE, "other.db"):
            async with open_store(f"sqlite:///{var / name}", key) as store:
                await said(store, f"{name[0]}{n}", ALEX, TALK)
                assert await sign(store, HeadsFile(var / HEADS, store.place))
    other = {"DATABASE_URL": f"sqlite:///{var / 'other.db'}"}
    verified(var)
    assert holdfast("verify", var=var, **other).returncode == 0
    text = (var / HEADS).read_text()
    assert text.count('"place":"holdfast.db"') == text.count('"place":"other.db"') == 3
    (var / "other.db").unlink()
    verified(var)
    gone = holdfast("verify", var=var, **other)
    assert gone.returncode == 1 and "There is no database at" in gone.stderr
    with closing(sqlite3.connect(var / DATABASE)) as database, database:
        database.execute("DELETE FROM checkpoints WHERE n = 3")
    assert "the database was rolled back" in holdfast("verify", var=var).stderr


def test_lines_from_before_places_belong_to_what_follows_them() -> None:
    """An old file goes on as it was; where two databases wrote into it, each line is whose chain goes on from it."""
    key = EvidenceKey("k", bytes(32))

    def chain(place: str, old: int) -> list[Checkpoint]:
        made = list[Checkpoint]()
        for n in range(1, 4):
            one = replace(NOTHING, n=n, previous=made[-1].hash if made else "", heads={place: (n, "0")}, key="k")
            made.append(sealed_by(key, replace(one, place=place if n > old else "")))
        return made

    ours, theirs = chain("a.db", 2), chain("b.db", 2)
    lines = [one.line for pair in zip(ours, theirs, strict=True) for one in pair]
    public = {"k": key.public}
    assert (
        heads_faults("heads", lines, ours, public, "a.db") == heads_faults("heads", lines, theirs, public, "b.db") == []
    )
    assert heads_faults("heads", lines, ours[:2], public, "a.db")[0].what.startswith("It has checkpoint 3")
    assert heads_faults("heads", [one.line for one in ours[:2]], ours[:2], public) == []
