"""`holdfast erase`, as it is typed."""

from pathlib import Path

from bot.slack.places import person_key
from tests.command import Ran, holdfast
from tests.whole.steps import file_request
from tests.world import TEAM, begun, world


def erase(var: Path, user: str, *more: str) -> Ran:
    """The command about a person."""
    return holdfast("erase", "--team", TEAM, "--user", user, *more, var=var)


async def test_the_command_erases_and_says_what_stays(tmp_path: Path) -> None:
    """What went is counted, the kept record is named with its reason, and `verify` passes."""
    async with world(tmp_path, kept=True) as w:
        await file_request(w)
        (record,) = await w.bot.store.records_of(person_key(TEAM, "U0ALEX"))
    told = erase(tmp_path, "U0ALEX", "--yes")
    assert told.returncode == 0, told.stderr
    assert "Erased: 1 drafts" in told.stdout and f"Kept: {record.number} until" in told.stdout
    assert "for five years" in told.stdout
    checked = holdfast("verify", var=tmp_path)
    assert checked.returncode == 0 and "1 drafts checked, 0 broken" in checked.stdout


def test_the_command_asks_first(tmp_path: Path) -> None:
    """Without --yes it asks, and an answer that does not come erases nothing."""
    asked = erase(tmp_path, "U0ALEX")
    assert asked.returncode == 1 and "for ever?" in asked.stdout + asked.stderr


async def test_nobody_is_no_erasure(tmp_path: Path) -> None:
    """Where nothing is held of a person the command says so, and that it did nothing."""
    await begun(tmp_path)
    told = erase(tmp_path, "U0NOBODY", "--yes")
    assert told.returncode == 1 and "Nothing is held" in told.stdout
