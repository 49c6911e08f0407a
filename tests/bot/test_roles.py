"""Who holds a role: read from roles.toml and from Slack's groups as they are at that moment, deputies on their days alone."""

from pathlib import Path
from typing import Any

import pytest

from bot.officers.roles import AUDITOR, Authority, Holders, Roles, RolesFile, RolesUnknown, read_roles
from bot.operations.files import read_managers, taken_managers
from bot.sandbox.server import Sandbox
from bot.slack.client import SlackClient
from state.draft.record import Decider, Deciders
from state.form.source import FormError

TEAM, DAY = "T0HOLDFAST", "2026-12-24"
WRITTEN = """
[roles.manager]
users = ["U0ROBIN", "U0SASHA"]
[roles.compliance]
groups = ["S0COMPLIANCE"]
[[delegates]]
of = "U0ROBIN"
to = "U0ALEX"
from = 2026-12-21
until = 2026-12-24
[[delegates]]
of = "U0DANA"
to = "U0ALEX"
role = "manager"
"""


async def no_slack(_team: str) -> SlackClient:
    """A client of a server that is not there."""
    return SlackClient("xoxb-test", base_url="http://127.0.0.1:1/api/", timeout=1)


def roles(folder: Path, text: str = WRITTEN, client_for: Any = no_slack) -> Roles:
    (folder / "roles.toml").write_text(text)
    return Roles(folder / "roles.toml", client_for)


@pytest.mark.parametrize(
    ("user", "day", "expected"),
    [
        ("U0ROBIN", DAY, Authority(own=True)),
        ("U0ALEX", DAY, Authority(deputy_of=("U0ROBIN",))),
        ("U0ALEX", "2026-12-25", Authority()),
        ("U0ALEX", "2026-12-20", Authority()),
        ("U0DANA", DAY, Authority()),
    ],
)
async def test_a_role_is_held_or_stood_in_for(tmp_path: Path, user: str, day: str, expected: Authority) -> None:
    """A deputy stands in from the first to the last day, for whoever holds the role and for nobody else."""
    assert await roles(tmp_path).authority(TEAM, user, "manager", day) == expected


async def test_the_file_is_read_anew_when_it_changes(tmp_path: Path) -> None:
    """Who is taken out of it holds nothing any more; without a file what the installation brings counts."""
    held = roles(tmp_path)
    assert (await held.authority(TEAM, "U0ROBIN", "manager", DAY)).own
    (tmp_path / "roles.toml").write_text('[roles.manager]\nusers = ["U0SASHA"]\n')
    assert not (await held.authority(TEAM, "U0ROBIN", "manager", DAY)).own
    brought = Roles(tmp_path / "none.toml", no_slack, RolesFile(roles={"manager": Holders(users=("U0ROBIN",))}))
    assert (await brought.authority(TEAM, "U0ROBIN", "manager", DAY)).own


async def test_a_group_is_asked_of_slack_and_remembered_for_a_minute(tmp_path: Path) -> None:
    """Two verdicts in a row cost one call."""
    sandbox = Sandbox()
    await sandbox.start()
    try:

        async def client_for(_team: str) -> SlackClient:
            return SlackClient(sandbox.bot_token, base_url=sandbox.api_url)

        held = roles(tmp_path, client_for=client_for)
        assert (await held.authority(TEAM, "U0DANA", "compliance", DAY)).own
        assert not (await held.authority(TEAM, "U0ROBIN", "compliance", DAY)).own
        assert [sent.method for sent in sandbox.sent] == ["usergroups.users.list"]
    finally:
        await sandbox.stop()


@pytest.mark.parametrize("text", ["[roles", "[roles.manager]\nuser = []\n", WRITTEN])
async def test_what_cannot_be_known_is_no_authority(tmp_path: Path, text: str) -> None:
    """A file that cannot be read, or a Slack that does not answer: RolesUnknown, so that nothing is decided."""
    with pytest.raises(RolesUnknown):
        await roles(tmp_path, text).authority(TEAM, "U0DANA", "compliance", DAY)


def test_a_slip_in_the_file_is_told(tmp_path: Path) -> None:
    """With the key that is wrong."""
    (tmp_path / "roles.toml").write_text("[roles.manager]\nuser = []\n")
    with pytest.raises(ValueError, match=r"roles\.manager\.user"):
        read_roles(tmp_path / "roles.toml")


ALEX, ROBIN, SASHA = "U0ALEX", "U0ROBIN", "U0SASHA"
AWAY = f'[roles.manager]\nusers = ["U0DANA", "{ROBIN}"]\n[[delegates]]\nof = "{ROBIN}"\nto = "U0EVE"\nuntil = {DAY}\n'
THERE = AWAY.partition("[[")[0]
ANYBODY = Deciders((Decider("U0DANA"), Decider(ROBIN)))


@pytest.mark.parametrize(
    ("row", "text", "decide"),
    [
        (f"{ALEX},{ROBIN},{SASHA}", THERE, Deciders((Decider(ROBIN),), named=True)),
        (f"{TEAM}:{ALEX},{TEAM}:{ROBIN},", THERE, Deciders((Decider(ROBIN),), named=True)),
        (
            f"{ALEX},{ROBIN},{SASHA}", AWAY,
            Deciders((Decider("U0EVE", ROBIN), Decider(SASHA, ROBIN), Decider(ROBIN)), named=True),
        ),
        (f"{ALEX},{ALEX},{SASHA}", THERE, Deciders((Decider(SASHA),), named=True)),
        (f"{ALEX},{ROBIN},{SASHA}", f'{THERE}[roles.auditor]\nusers = ["{ROBIN}"]\n', Deciders(named=True)),
        (f"{ALEX},{ALEX},", THERE, Deciders(named=True)),
        (f"{SASHA},{ROBIN},", THERE, ANYBODY),
        (f"T0OTHER:{ALEX},{SASHA},", THERE, ANYBODY),
        (f"{ALEX},T0OTHER:{SASHA},", THERE, ANYBODY),
    ],
)  # fmt: skip
async def test_the_table_of_managers_names_who_decides(tmp_path: Path, row: str, text: str, decide: Deciders) -> None:
    """Their manager, in their absence the deputies first; of whom it names nobody in this workspace, whoever holds the role."""
    kept = taken_managers(tmp_path)
    kept.parent.mkdir(parents=True)
    kept.write_text(f"person,manager,deputy\n{row}\n")
    held = roles(tmp_path, text)
    assert await held.deciders(TEAM, "manager", DAY, ALEX) == decide
    for one in decide.who:
        found = await held.authority(TEAM, one.who, "manager", DAY, ALEX)
        assert found == Authority(not one.deputy_of, (one.deputy_of,) if one.deputy_of else ())
    others = {"U0DANA", "U0NOBO"} - {one.who for one in decide.who}
    assert not any([(await held.authority(TEAM, one, "manager", DAY, ALEX)).own for one in others])
    assert not (await held.deciders(TEAM, AUDITOR, DAY, ALEX)).named


@pytest.mark.parametrize(
    ("rows", "line", "told"),
    [
        ("U0ALEX,robin,", 2, "no Slack user id"),
        ("U0ALEX,,U0SASHA", 2, "Correct the manager"),
        ("U0ALEX,U0ROBIN,\nU0ALEX,U0SASHA,", 3, "two rows"),
        ("", 1, "no row"),
    ],
)
def test_a_slip_in_the_table_is_told_with_its_line(tmp_path: Path, rows: str, line: int, told: str) -> None:
    """Nothing of such a table counts."""
    (tmp_path / "managers.csv").write_text(f"person,manager,deputy\n{rows}\n")
    with pytest.raises(FormError) as wrong:
        read_managers(tmp_path / "managers.csv")
    (problem,) = wrong.value.problems
    assert problem.line == line and told in problem.text
