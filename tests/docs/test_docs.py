"""The project's pages are true: links lead somewhere, commands and files exist, blocks can be read, generated parts are today's."""

import asyncio
import json
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from bot.settings import Settings
from state.understanding.commands import read_command
from state.workflow.load import load_folder
from tests.docs.__main__ import copy
from tests.docs.generated import DATA, figures, generated, tree
from tests.docs.pages import ROOT, Block, anchors, blocks, links, pages, spans
from tests.whole.steps import play
from tests.world import world

WORDS = 700
"""What is read in three minutes."""
TARGETS = frozenset(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
TOP = tuple(f"{p.name}/" for p in ROOT.iterdir() if p.is_dir() and not p.name.startswith("."))
ELSEWHERE = ("var/", "build/", "mine/")
"""Folders that come to be when the bot is used."""
SHELL = {
    "apt-get", "cat", "cd", "chmod", "chown", "cp", "curl", "createdb", "docker", "echo", "export", "git", "grep", "haproxy", "install",
    "journalctl", "ls", "mkdir", "mv", "node", "npm", "openssl", "pip", "podman", "promtool", "psql", "rm", "rsync", "sed", "sudo",
    "systemctl", "systemd-analyze", "tail", "tar", "useradd", "uv",
}  # fmt: skip
"""Programs of the machine's own that pages call."""


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    """A link into the project leads to a file that there is, and to a heading that the file has."""
    for target in links(page):
        if re.match(r"\w+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), target
        assert not anchor or file.suffix != ".md" or anchor in anchors(file), target


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_in_a_sentence_exists(page: Path) -> None:
    """`holdfast …` and `make …` in backquotes name a command or target that there is, and options that it takes."""
    for span in spans(page):
        if re.match(r"(holdfast|make) [a-z]", span):
            check(span.replace("…", ""))


def test_every_command_of_a_shell_block_exists() -> None:
    """Each line of a shell block calls a program that there is, in a way that it takes."""
    for block in blocks("sh"):
        for line in block.text.replace("\\\n", " ").splitlines():
            words = line.split(" # ")[0]
            for part in re.split(r"\s(?:\|\||&&|\||;)\s", words):
                if part.strip() and not part.startswith("#"):
                    check(part)


def check(line: str) -> None:
    """Hold one command against what there is: its name, a subcommand, and options."""
    words = [w for w in shlex.split(line.replace("|", " "), comments=True) if not re.fullmatch(r"[A-Z_]+=.*", w)]
    program, rest = words[0].removeprefix(".venv/bin/"), words[1:]
    if program == "holdfast":
        command = tree().get(rest[0]) if rest else None
        assert command is not None, line
        known = {name for param in command.params for name in param.opts} | {"--help"}
        assert {w.split("=")[0] for w in rest if w.startswith("--")} <= known, line
    elif program == "make":
        assert {w for w in rest if "=" not in w and w[0] not in "-("} <= TARGETS, line
    elif program.startswith("python"):
        module = rest[rest.index("-m") + 1] if "-m" in rest else ""
        assert find_spec(module) if module else (ROOT / rest[0]).exists(), line
    else:
        assert program in SHELL, line


def test_every_file_in_a_sentence_exists() -> None:
    """A path of the project in backquotes is there; that of a proof begins below tests."""
    for page in pages():
        if page.name in ("CHANGELOG.md", "DECISIONS.md"):
            continue
        for span in spans(page):
            path = span.partition("::")[0]
            if re.fullmatch(r"[\w./-]+/[\w.-]*", path) and path.startswith(TOP) and not path.startswith(ELSEWHERE):
                assert (ROOT / path).exists() or (ROOT / "tests" / path).exists(), (page.name, path)


@pytest.mark.parametrize(
    "block", [*blocks("toml", "json", "yaml", "python")], ids=lambda b: f"{b.page.stem}-{b.language}"
)
def test_every_block_can_be_read(block: Block, tmp_path: Path) -> None:
    """A block is what its language says, and a whole form loads."""
    if block.language == "toml":
        told = tomllib.loads(block.text)
        if {"title", "version", "prefix", "fields"} <= told.keys():
            folder = tmp_path / told.get("name", "form")
            folder.mkdir()
            (folder / "form.toml").write_text(block.text, "utf-8")
            assert load_folder(folder).form.fields
    elif block.language == "json":
        json.loads(block.text)
    elif block.language == "yaml":
        yaml.safe_load(block.text)
    else:
        compile(block.text, str(block.page), "exec")


def test_generated_pages_are_todays() -> None:
    """Commands, settings, the request to a model and what it costs are what the code gives now; `make docs` writes them."""
    for path, text in asyncio.run(generated()).items():
        assert path.read_text("utf-8") == text, f"{path.relative_to(ROOT)}: make docs writes it anew"


def test_the_request_that_is_shown_names_nobody() -> None:
    """A call to the model carries no name and no id of the person, of a colleague or of the workspace."""
    shown = DATA.read_text("utf-8").partition("<!-- request -->")[2].partition("<!-- end -->")[0]
    assert "Tesco" in shown and not re.search(r"Alex|Dana|Robin|\b[UTCD]0[A-Z]+", shown)


def test_every_setting_is_in_the_sample() -> None:
    """.env.sample has a line for each setting, and none that there is not."""
    named = set(re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.sample").read_text("utf-8"), re.MULTILINE))
    channels = {name for name in named if name.startswith("HOLDFAST_CHANNEL_")}
    assert channels and named - channels == {name.upper() for name in Settings.model_fields} - {"CHANNELS"}


def test_readme_is_read_in_three_minutes() -> None:
    """README says what it has to in 700 words, and its figures are those of the comparison."""
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(readme.split()) <= WORDS
    assert [row for row in figures() if row not in readme] == []


async def test_the_tutorial_goes_as_it_says(tmp_path: Path) -> None:
    """What *Try it* tells people to write and press files one request that rules approve, and one that waits for the manager."""
    page = (ROOT / "docs" / "tutorial" / "try_it.md").read_text("utf-8")
    opening, no, reason, change, forced, larger, *_ = re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", page)
    begin, end = ("[Use all of it]", "[Use this]", no, *["[No]"] * 4, "[I understand]", reason), ("[Submit]",)
    async with world(tmp_path) as w:
        await play(w, opening, *begin, change)
        assert "was 200 → now 250" in w.last()
        await play(w, forced)
        assert not await w.records()
        await play(w, *end, larger, *begin, *end)
        assert [r.state for r in await w.records()] == ["pending_manager", "auto_approved"]
        assert "With your manager" in w.last()


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "it-IT", "es-ES"])
def test_what_the_people_who_file_may_write_is_understood(locale: str) -> None:
    """The page for the people who file names every command, in words that the bot takes in that language."""
    page = (ROOT / "docs" / "how_to" / "file.md").read_text("utf-8")
    title = {"en": "English", "de": "Deutsch", "it": "Italiano", "es": "Español"}[locale[:2]]
    part = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    said = re.findall(r"^\| [“\"„«](.+?)[”\"“»] \|", part, re.MULTILINE)
    known = ["missing", "undo", "back", "restart", "cancel", "my_requests", "person", "my_data", "erase"]
    assert [read_command(one, locale) for one in said] == known


def test_every_page_is_found_from_the_first() -> None:
    """Whoever begins at the index of the documentation reaches each page of it by links."""
    found, ahead = set(), [ROOT / "docs" / "README.md"]
    while ahead:
        page = ahead.pop()
        found.add(page)
        names = (t.partition("#")[0] for t in links(page) if not re.match(r"\w+:", t))
        ahead += [p for n in names if (p := (page.parent / n).resolve()).suffix == ".md" and p not in found]
    assert {p for p in pages() if p.is_relative_to(ROOT / "docs")} <= found


def test_the_site_is_built_and_loads_nothing_from_elsewhere() -> None:
    """`make docs` gives every page, can search them, and asks no other server for anything."""
    copy()
    build = [Path(sys.executable).with_name("zensical"), "build", "--clean", "--strict"]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False, env={"NO_COLOR": "1"})  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr
    site = ROOT / "build" / "site"
    assert json.loads((site / "search.json").read_text("utf-8"))
    for page in (p for p in pages() if p.is_relative_to(ROOT / "docs")):
        made = site / page.relative_to(ROOT / "docs").with_suffix(".html")
        made = made.with_name("index.html") if page.name == "README.md" else made
        html = made.read_text("utf-8")
        assert not re.search(r"<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)=[\"']?(?:https?:)?//", html), page
        assert 'class="mermaid"' not in html, "Mermaid would be loaded from the net"
