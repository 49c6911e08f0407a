"""The units, the Containerfile and compose.yml of docs/production: hardened, without a secret, and as the page says."""

import configparser
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.settings import Settings
from tests.databases import put_tables
from tests.stored.restored import HERE
from tests.warm import heard

ROOT = Path(__file__).parents[2]
FOLDER, PAGE = ROOT / "docs" / "production", ROOT / "docs" / "how_to" / "production.md"
UNIT, BACKUP, CONTAINER = FOLDER / "holdfast.service", FOLDER / "holdfast-backup.service", FOLDER / "Containerfile"
HARDENED = {
    "User": "holdfast", "ProtectSystem": "strict", "ProtectHome": "yes", "NoNewPrivileges": "yes", "PrivateTmp": "yes",
    "CapabilityBoundingSet": "", "StateDirectory": "holdfast", "UMask": "0077",
}  # fmt: skip
SECRET = re.compile(r"xox[bap]-|xapp-|sk-ant|(TOKEN|SECRET|PASSWORD|KEY)=\S", re.IGNORECASE)


def service(file: Path) -> dict[str, str]:
    """A unit's [Service]; of a key that is given twice, the last."""
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_file(io.StringIO(file.read_text("utf-8")))
    return dict(unit["Service"])


@pytest.mark.parametrize("file", [UNIT, BACKUP])
def test_a_unit_is_hardened_and_takes_its_secrets_as_a_credential(file: Path) -> None:
    """Each service runs as its own user, writes its state alone, and is handed holdfast.env, not an environment."""
    given = service(file)
    assert {name: given.get(name) for name in HARDENED} == HARDENED
    assert given["LoadCredential"] == "holdfast.env:/etc/holdfast/holdfast.env" and "EnvironmentFile" not in given
    assert given["Environment"] == f"HOLDFAST_VAR=/var/lib/{given['StateDirectory']}"
    assert file == BACKUP or (given["Restart"], given["ExecStart"].rpartition("/")[2]) == ("always", "holdfast run")


def test_the_exposure_in_the_page_is_what_systemd_says() -> None:
    """The page's figure and the page's command; where there is no systemd the units above are still looked at."""
    command = next(line for line in re.findall(r"`(systemd-analyze [^`]+)`", PAGE.read_text("utf-8")))
    (figure,) = re.findall(r"exposure of \*\*(\d\.\d)\*\*", PAGE.read_text("utf-8"))
    if shutil.which("systemd-analyze"):
        done = subprocess.run(command.split(), cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
        assert f"for holdfast.service: {figure} OK" in done.stdout


def test_no_file_holds_a_secret_and_the_sample_names_settings_alone() -> None:
    """Nothing that is deployed has a token in it; each line of the sample is a setting that there is."""
    for file in FOLDER.iterdir():
        assert not SECRET.search(file.read_text("utf-8")), file.name
    named = re.findall(r"^([A-Z_]+)=", (FOLDER / "holdfast.env.sample").read_text("utf-8"), re.MULTILINE)
    known = {name.upper() for name in Settings.model_fields}
    assert named and all(name in known or name.startswith("HOLDFAST_CHANNEL_") for name in named)


def instructions() -> list[tuple[str, str]]:
    """The Containerfile's instructions, lines that go on joined."""
    lines = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", CONTAINER.read_text("utf-8"), flags=re.MULTILINE)).splitlines()
    return [(line.split()[0], line.split(None, 1)[1]) for line in lines if line.strip()]


def test_the_containerfile_is_clean_and_installs_what_the_wheel_needs() -> None:
    """The linter finds nothing; every base has a version; it runs as a number, not as root; every package of the wheel is copied."""
    linter = Path(sys.executable).parent / "hadolint"
    done = subprocess.run([linter, CONTAINER], capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.returncode, done.stdout) == (0, "")
    made = instructions()
    assert all(re.search(r":\d+\.\d+", text) for name, text in made if name == "FROM")
    assert [text for name, text in made if name == "USER"] == ["10001:10001"]
    copied_in = {text.split()[0] for name, text in made if name == "COPY"}
    assert {"bot", "blocks", "prompts", "state", "pyproject.toml"} <= copied_in and "." not in copied_in
    assert all((ROOT / name).exists() for name in copied_in if not name.startswith("--"))


def test_the_health_check_asks_the_bots_own_address() -> None:
    """What the image asks fails where nobody listens, and is a path that the bot serves."""
    (text,) = [text for name, text in instructions() if name == "HEALTHCHECK"]
    _, *words = json.loads(text.partition("CMD ")[2])
    assert "127.0.0.1:3978/healthz" in words[1] and '"/healthz"' in (ROOT / "bot/http/server.py").read_text("utf-8")
    words[1] = words[1].replace(":3978", ":9")
    assert subprocess.run([sys.executable, *words], capture_output=True, check=False).returncode  # noqa: S603


def test_compose_runs_three_replicas_that_write_nothing_but_their_volume() -> None:
    """Three bots beside a proxy: read-only, without capabilities, secrets from files; no image without a version; one port is open."""
    whole: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yml").read_text("utf-8"))
    services = whole["services"]
    for name in ("bot1", "bot2", "bot3"):
        bot = services[name]
        assert bot["read_only"] and bot["cap_drop"] == ["ALL"] and bot["secrets"] == ["holdfast.env"]
        assert "environment" not in bot and f"server {name} {name}:3978" in (FOLDER / "haproxy.cfg").read_text("utf-8")
    images = [one["image"] for one in services.values() if "build" not in one]
    assert len(images) == 3 and all(re.search(r":\d", image) for image in images)
    assert [one["ports"] for one in services.values() if "ports" in one] == [["443:443"]]
    assert (ROOT / "docs/production" / services["bot1"]["build"]["context"]).resolve() == ROOT


async def run(var: Path, *words: str) -> str:
    """Run a command of the bot as the page does: settings in a folder of credentials. Return what it says."""
    asked = await heard(words, {"PATH": "/usr/bin", "HOLDFAST_VAR": str(var), "CREDENTIALS_DIRECTORY": str(var)})
    out, err = await asked.communicate()
    assert asked.returncode == 0, err.decode()
    return out.decode()


def swept(command: list[str]) -> None:
    """Delete what is too old, as the unit does."""
    subprocess.run(command, check=True)  # noqa: S603


async def test_the_timers_backup_comes_back(tmp_path: Path) -> None:
    """What the unit runs is restored with the key into an empty place, and verifies; old backups alone are deleted. What is in one: tests/whole."""
    given, old, new = service(BACKUP), tmp_path / "old", tmp_path / "new"
    put_tables(old / "holdfast.db")
    shutil.copy(HERE / "holdfast.key", old)
    await run(old, *given["ExecStart"].split()[1:])
    (file,) = (old / "backups").glob("holdfast-*.backup")
    find = given["ExecStartPost"].replace("/var/lib/holdfast", str(old)).split()
    shutil.copy(file, aged := file.with_name("holdfast-20200101-000000.backup"))
    os.utime(aged, (0, 0))
    swept(find)
    assert [*(old / "backups").iterdir()] == [file]
    new.mkdir()
    shutil.copy(old / "holdfast.key", new)
    assert "are back" in await run(new, "restore", str(file))
    await run(new, "verify")
