"""Backup, restore and a new key, by the commands that an operator gives."""

import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.commands.backup import backup, restore, rotate_key
from bot.commands.evidence import verify
from bot.root.installation import make_store, opened_store
from bot.settings import Settings, Wrong
from state.stores.errors import NoBackup, WrongKey
from tests.chain import verify_all
from tests.stored.restored import HERE, copied
from tests.whole.steps import FILED, file_request, open_request, play
from tests.world import World, settings, world


def elsewhere(var: Path, key: Path, **given: str) -> Settings:
    """Another machine's settings, with the key put back."""
    var.mkdir(parents=True, exist_ok=True)
    (var / "holdfast.key").write_bytes(key.read_bytes())
    return settings(var, **given)


async def sound(made: Settings) -> None:
    """Every draft opens, and is what its links say."""
    async with make_store(made) as store:
        names = await store.drafts()
        assert (
            len(names) > 100 and all([await store.draft(name) for name in names]) and (await store.audit()).faults == []
        )


async def verified(made: Settings) -> None:
    """What is there opens, and nothing of it is other than it was written and signed."""
    assert await verify(made) == 0


async def go_on(w: World) -> None:
    """Finish the request that was open, to its record."""
    await play(w, "the quantity is 500, not 200", "[hf.change]")
    assert (await w.values())["quantity"] == 500


async def test_a_drill(tmp_path: Path) -> None:
    """Backed up in the middle of a conversation while the bot goes on; all is lost; restored with the key, conversation and record go on."""
    file = tmp_path / "safe.backup"
    async with world(tmp_path / "lost", kept=True) as w:
        await file_request(w)
        (filed,) = await w.records()
        await open_request(w)
        before = await w.draft()
        await backup(w.bot.settings, file)
        await go_on(w)  # after the backup: lost with the machine
        assert (await w.draft()).revision > before.revision
    again = elsewhere(tmp_path / "new", tmp_path / "lost" / "holdfast.key")
    await restore(again, file)
    async with world(tmp_path / "new", kept=True) as w:
        (record,) = await w.records()
        assert record == filed and {n: v["data"] for n, v in record.body["values"].items()} == FILED
        assert await w.draft() == before
        await go_on(w)
        assert (await verify_all(w.bot.store))[1] == [] and (await w.bot.store.audit()).faults == []
    assert b"Tesco" not in file.read_bytes() and file.stat().st_mode & 0o077 == 0


async def test_a_restore_is_declared_and_not_found_as_a_theft(tmp_path: Path) -> None:
    """What was signed after the backup is told as lost with it; the file of heads goes on, and everything verifies."""
    file = tmp_path / "one.backup"
    made = await small(tmp_path / "var", file)
    async with world(tmp_path / "var", kept=True) as w:
        await go_on(w)
    await restore(made, file, replace=True)
    await verified(made)
    async with world(tmp_path / "var", kept=True) as w:
        await go_on(w)
    await verified(made)


async def test_from_sqlite_to_postgresql_and_back(postgres: str, tmp_path: Path) -> None:
    """A backup of either database is restored into the other, and what is filed there goes on with the next number."""
    first, second = tmp_path / "one.backup", tmp_path / "two.backup"
    async with world(tmp_path / "sqlite", kept=True) as w:
        await file_request(w)
        await backup(w.bot.settings, first)
    key = tmp_path / "sqlite" / "holdfast.key"
    there = elsewhere(tmp_path / "postgres", key, database_url=postgres)
    await restore(there, first)
    async with world(tmp_path / "postgres", database_url=postgres) as w:
        await file_request(w)
        newer, older = await w.records()
        assert (older.number[-1], newer.number[-1]) == ("1", "2")
        await backup(w.bot.settings, second)
    back = elsewhere(tmp_path / "back", key)
    await restore(back, second)
    async with world(tmp_path / "back", kept=True) as w:
        assert await w.records() == [newer, older] and (await w.bot.store.audit()).faults == []


async def small(var: Path, file: Path) -> Settings:
    """A database with one draft, backed up."""
    async with world(var, kept=True) as w:
        await open_request(w)
        await backup(w.bot.settings, file)
        return w.bot.settings


async def test_what_stands_in_the_way_of_restoring(tmp_path: Path) -> None:
    """A database that holds something, another key, no key, a damaged file, a changed one: each is a sentence, and nothing is changed."""
    file = tmp_path / "one.backup"
    made = await small(tmp_path / "var", file)
    with pytest.raises(NoBackup, match=r"not empty.*--replace"):
        await restore(made, file)
    await restore(made, file, replace=True)
    with pytest.raises(Wrong, match=r"The key is not here: put .*holdfast.key back"):
        await restore(settings(tmp_path / "bare"), file)
    assert not (tmp_path / "bare" / "holdfast.key").exists()
    stranger = settings(tmp_path / "other", holdfast_key="A" * 43)
    with pytest.raises(WrongKey, match=f"{file} was sealed under another key"):
        await restore(stranger, file)
    new = elsewhere(tmp_path / "new", tmp_path / "var" / "holdfast.key")
    for name, damage in DAMAGED.items():
        damage(file, tmp_path / name)
        with pytest.raises(NoBackup):
            await restore(new, tmp_path / name)
    assert not (tmp_path / "new" / "holdfast.db").exists()
    await restore(new, file)


def twice(file: Path, to: Path) -> None:
    """Write a table twice: which one counts is the reader's affair."""
    to.write_bytes(file.read_bytes())
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(to, "a") as archive:
        archive.writestr("series.jsonl", archive.read("series.jsonl"))


def told(change: Callable[[bytes], bytes]) -> Callable[[Path, Path], None]:
    """Write the same with another manifest, by somebody without the key."""

    def written(file: Path, to: Path) -> None:
        with zipfile.ZipFile(file) as old, zipfile.ZipFile(to, "w") as new:
            for part in old.namelist():
                new.writestr(part, change(old.read(part)) if part == "manifest.json" else old.read(part))

    return written


DAMAGED: dict[str, Callable[[Path, Path], object]] = {
    "cut in half": lambda file, to: to.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
    "another file": lambda _, to: to.write_bytes(gzip.compress(b"words")),
    "a table twice": twice,
    "a manifest that says something twice": told(lambda told: told.replace(b"{", b'{"format": 1,', 1)),
    "made at another time": told(
        lambda told: json.dumps({**json.loads(told), "made_at": "2020-01-01T00:00:00+00:00"}).encode()
    ),
    "of a version to come": told(lambda told: json.dumps({**json.loads(told), "format": 2}).encode()),
}


async def test_a_bot_is_not_restored_under(tmp_path: Path) -> None:
    """While a bot has the database open, at work or idle, it stays as it is, whatever is told."""
    file = tmp_path / "one.backup"
    made = await small(tmp_path / "var", file)
    async with world(tmp_path / "var", kept=True) as w:
        with pytest.raises(NoBackup, match="Stop every bot"):
            await restore(made, file, replace=True)
        assert (await w.draft()).values
    await restore(made, file, replace=True)


async def test_a_lease_that_still_runs_keeps_a_restore_out(tmp_path: Path) -> None:
    """Where no lock says who is there, a lease does."""
    file = tmp_path / "one.backup"
    made = await small(tmp_path / "var", file)
    async with opened_store(made) as store:
        assert await store.take("T1:D1:", 60)
    with pytest.raises(NoBackup, match="Stop every bot"):
        await restore(made, file, replace=True)


async def test_no_replica_on_postgresql_is_restored_under(postgres: str, tmp_path: Path) -> None:
    """A replica that has nothing to do is seen by the lock that dies with it."""
    file = tmp_path / "one.backup"
    async with world(tmp_path / "var", database_url=postgres) as w:
        await open_request(w)
        await backup(w.bot.settings, file)
        made = w.bot.settings
        await w.bot.store.free_gone()
        with pytest.raises(NoBackup, match="Stop every bot"):
            await restore(made, file, replace=True)
        assert (await w.draft()).values
    await restore(made, file, replace=True)


async def test_a_backup_of_the_first_schema_is_brought_up(tmp_path: Path) -> None:
    """What version 0.1 filled is backed up as it stands, restored, and opens with this version's tables; then its key is changed."""
    var = copied(tmp_path / "old")
    file = tmp_path / "old.backup"
    await backup(settings(var), file)
    with zipfile.ZipFile(file) as archive:
        assert json.loads(archive.read("manifest.json"))["schema"] < "0006"
    new = elsewhere(tmp_path / "new", HERE / "holdfast.key")
    await restore(new, file)
    await sound(new)
    assert await rotate_key(new, patience=0) == 0
    await sound(new)
    with pytest.raises(WrongKey, match="The database was sealed under another key"):
        await backup(settings(var, holdfast_key="A" * 43), tmp_path / "nobody's.backup")
    assert not (tmp_path / "nobody's.backup").exists()


async def test_a_new_key_in_the_file(tmp_path: Path) -> None:
    """The command changes the key under a running bot; the old one is kept beside it, opens nothing, and still opens older backups."""
    file = tmp_path / "one.backup"
    async with world(tmp_path / "var", kept=True) as w:
        await open_request(w)
        made = w.bot.settings
        await backup(made, file)
        old = (made.holdfast_var / "holdfast.key").read_bytes()
        await rotate_key(made, patience=2.5)
        await go_on(w)
        new = (made.holdfast_var / "holdfast.key").read_bytes()
        assert new != old
    kept = list(made.holdfast_var.glob("holdfast.key.*"))
    assert [path.read_bytes() for path in kept] == [old]
    await verified(made)
    with pytest.raises(WrongKey):
        await restore(made, file, replace=True)
    await restore(elsewhere(tmp_path / "then", kept[0]), file)


async def test_a_new_key_in_the_setting(tmp_path: Path) -> None:
    """Where HOLDFAST_KEY holds the key, both open until the setting is changed; then the command lets the old one go."""
    async with world(tmp_path / "var", kept=True) as w:
        await open_request(w)
        made = w.bot.settings
    old = (made.holdfast_var / "holdfast.key").read_text().strip()
    (made.holdfast_var / "holdfast.key").unlink()
    before = settings(made.holdfast_var, holdfast_key=old)
    await rotate_key(before, patience=0)
    new = (made.holdfast_var / "holdfast.key.new").read_text().strip()
    for key in (old, new):
        async with world(tmp_path / "var", kept=True, holdfast_key=key) as w:
            await w.say("small talk")
    await rotate_key(settings(made.holdfast_var, holdfast_key=new), patience=0)
    await verified(settings(made.holdfast_var, holdfast_key=new))
    with pytest.raises(WrongKey):
        await verified(before)
