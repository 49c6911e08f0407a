"""An extra that is not installed: whoever can install it reads which one, people in Slack get the same in words, and nothing is lost."""

import asyncio
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from state.extras import MODULES
from state.stores.opener import memory_store
from tests.command import holdfast
from tests.documents.conftest import FORM, write_form
from tests.documents.files import pdf
from tests.pages import ROOT
from tests.proof.test_slack import ask_for, files_of
from tests.whole.officers import file_large, officer
from tests.world import begun, words_of, world

BLOCKED = [name for names in MODULES.values() for name in names]
IN_A_CHILD = """
import json, sys
sys.modules.update(dict.fromkeys(json.loads(sys.argv[1])))
from bot.cli import main
sys.argv = ["holdfast", *sys.argv[2:]]
main()
"""
SCENARIO = (
    'title = "A file is read"\n[[steps]]\nsay = "papers"\n[[steps]]\nsend = { "march.pdf" = "Net salary: 1,750.00" }\n'
)
PLAIN = 'title = "Nothing is sent"\n[[steps]]\nsay = "papers"\nexpect = { asked = "payslip" }\n'


def without(name: str) -> str:
    """Return the end of the sentence about a missing extra."""
    return f"needs the extra “{name}”, which `pip install 'holdfast[{name}]'` installs."


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """No module of an extra can be imported."""
    for name in BLOCKED:
        monkeypatch.setitem(sys.modules, name, None)


def test_check_in_a_process_without_extras_names_each_extra_that_a_form_or_a_setting_needs(tmp_path: Path) -> None:
    """Who checks reads which forms do less without charts and PDFs; PostgreSQL without its driver is a fault, and a form that needs none is good."""
    command = [sys.executable, "-c", IN_A_CHILD, json.dumps(BLOCKED), "check"]
    given = {"PYTHONPATH": ":".join(sys.path), "HOLDFAST_VAR": str(tmp_path), "HOLDFAST_CHANNEL_GIFTS": "C0GIFTS"}
    done = subprocess.run(command, env=given, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False)  # noqa: S603  our own
    told = done.stdout
    assert done.returncode == 0 and told.count("pip install") == 2, told
    assert f"Drawing charts (expenses, gifts; they come in words until then) {without('charts')}" in told
    assert "Reading PDFs (" in told and "loan" in told and "pa_dealing" in told and without("pdf") in told


@pytest.mark.usefixtures("bare")
def test_postgresql_without_its_driver_is_a_fault(tmp_path: Path) -> None:
    """Whoever sets DATABASE_URL reads what to install; a form that needs no extra is good without one."""
    wrong = holdfast("check", var=tmp_path, DATABASE_URL="postgresql://bot@db/holdfast")
    assert wrong.returncode == 1 and f"DATABASE_URL names PostgreSQL, which {without('postgres')}" in wrong.stderr
    assert holdfast("check", "expenses", var=tmp_path).stdout.startswith("Good")


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("report --output {here}/chart.png", "A chart (--output) " + without("charts")),
        ("export --workflow gifts --format pdf --output {here}/papers", "A PDF " + without("pdf")),
    ],
)
def test_a_command_that_needs_an_extra_says_so(tmp_path: Path, command: str, extra: str) -> None:
    """Whoever wants a chart or a PDF reads what to install, and no half of a file is written."""
    asyncio.run(begun(tmp_path))
    words = command.format(here=tmp_path).split()
    ran = holdfast(*words, var=tmp_path)
    assert (ran.returncode, ran.stderr.strip()) == (2, extra) and not Path(words[-1]).exists()


@pytest.mark.usefixtures("bare")
def test_scenarios_without_files_are_played_and_the_others_counted(tmp_path: Path) -> None:
    """`holdfast test` plays what it can, and says of each scenario that it left out why."""
    scenarios = write_form(tmp_path) / "papers" / "scenarios"
    scenarios.mkdir()
    (scenarios / "plain.toml").write_text(PLAIN)
    (scenarios / "read.toml").write_text(SCENARIO)
    ran = holdfast("test", "papers", var=tmp_path, HOLDFAST_WORKFLOWS=str(tmp_path / "forms"))
    assert ran.returncode == 0 and "1 passed, 0 failed, 1 skipped in" in ran.stdout, ran
    assert f"skipped papers/read: A scenario in which files are read {without('pdf')}" in ran.stdout


@pytest.mark.usefixtures("bare")
async def test_a_month_is_told_in_figures_where_no_chart_can_be_drawn(tmp_path: Path) -> None:
    """Who asks for a summary reads the whole month and a sentence in the chart's place."""
    async with world(tmp_path) as w:
        await w.alex.command("/expenses")
        await w.settled()
        await w.say("coffee 3,50")
        await w.click("Confirm")
        await w.say("summary this month")
        assert "3.50" in w.last() and "I can't draw a chart here" in w.last() and not files_of(w, w.alex)


@pytest.mark.usefixtures("bare")
async def test_a_digest_comes_as_text_where_no_chart_can_be_drawn(tmp_path: Path) -> None:
    """Officers get the week's figures in words, beside them as a file of text."""
    now = [datetime(2026, 11, 18, 10, tzinfo=UTC)]
    async with world(tmp_path, options={"store": memory_store(lambda: now[0])}) as w:
        await file_large(w)
        assert w.bot.digests is not None
        await w.bot.digests.look()
        now[0] = datetime(2026, 11, 23, 9, 1, tzinfo=UTC)
        await w.bot.digests.look()
        await w.settled()
        (post,) = [m for m in w.sandbox.person("U0ROBIN").messages("C0COMPLIANCE") if m.get("files")]
        assert [file["name"] for file in post["files"]] == ["pa_dealing-2026-11-23.txt"]
        assert "Requests: 1 (the week before: 0)" in post["text"]


@pytest.mark.usefixtures("bare")
async def test_a_dossier_comes_as_data_where_no_pdf_can_be_written(tmp_path: Path) -> None:
    """An auditor gets the signed ZIP alone, and reads why."""
    (tmp_path / "roles.toml").write_text('[roles.auditor]\nusers = ["U0SASHA"]\n')
    async with world(tmp_path) as w:
        await file_large(w)
        sasha, number = officer(w, "U0SASHA"), (await w.records())[0].number
        await ask_for(w, sasha)
        assert [file["name"] for file in files_of(w, sasha)] == [f"{number}.zip"]
        assert "I can't make a PDF here" in words_of(w.screen(sasha)[-1]["text"])


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(
    ("unread", "says", "kept"), [("", "I've saved “slip.pdf”", 1), ("refuse", "I can't read PDFs here yet", 0)]
)
async def test_a_pdf_that_nothing_reads_is_kept_unread(tmp_path: Path, unread: str, says: str, kept: int) -> None:
    """A file is an answer all the same; a form that takes only what can be read says that it is not the file's fault."""
    text = FORM.replace('accept = ["pdf"]', f'accept = ["pdf"]\nunread = "{unread}"')
    async with world(tmp_path, holdfast_workflows=str(write_form(tmp_path, text))) as w:
        await w.say("I need to send papers")
        await w.alex.upload("slip.pdf", pdf(), "application/pdf")
        await w.settled()
        assert says in w.transcript() and len((await w.draft()).values) == kept


LOOP = """
import asyncio, json, sys
sys.modules.update(dict.fromkeys(json.loads(sys.argv[1])))
from bot import cli
async def told():
    print(type(asyncio.get_running_loop()).__module__)
    return 7
cli._go(told())
"""


@pytest.mark.parametrize(("blocked", "loop"), [([], "uvloop"), (["uvloop"], "asyncio.unix_events")])
def test_a_command_runs_on_the_event_loop_that_is_installed(blocked: list[str], loop: str) -> None:
    """With the extra `fast` a command runs on uvloop, without it on Python's own loop, and its exit code is the work's."""
    command = [sys.executable, "-c", LOOP, json.dumps(blocked)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)  # noqa: S603  our own
    assert (done.returncode, done.stdout.strip()) == (7, loop), done.stderr
