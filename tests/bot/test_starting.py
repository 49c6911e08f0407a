"""`holdfast run` as people start it: what is wrong is one sentence that says what to do, and nothing stays behind."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest
from sqlalchemy import make_url

from bot.sandbox.server import Sandbox
from tests import clocks
from tests.command import holdfast
from tests.patience import PATIENCE
from tests.warm import Warm, heard
from tests.world import begun

WRONG = 2
"""The exit status of a start that could not be."""
UP = {"sandbox": "Ctrl+C stops it", "slack": "connected to Slack"}


@dataclass
class Started:
    """A process in a group of its own, and what it wrote until its end."""

    process: asyncio.subprocess.Process | Warm
    out: str = ""

    async def says(self, words: str) -> None:
        """Wait for a line with these words."""
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            while words not in self.out:
                line = await self.process.stdout.readline()
                assert line, f"ended without “{words}”: {self.out}"
                self.out += line.decode()

    async def ends(self) -> tuple[int | None, str]:
        """Its exit status and what it wrote on stderr, logs left out."""
        async with asyncio.timeout(PATIENCE):
            out, err = await self.process.communicate()
        self.out += out.decode()
        assert "Traceback" not in self.out + err.decode()
        told = [line for line in err.decode().splitlines() if not line.startswith("{")]
        return self.process.returncode, "\n".join(told)


RUNNING: list[Started] = []
"""What the test at hand has started."""


@pytest.fixture(autouse=True)
async def stopped() -> AsyncIterator[None]:
    """Nothing that a test started outlives it, not even where it failed."""
    yield
    while RUNNING:
        process = RUNNING.pop().process
        if process.returncode is None:
            process.kill()
            await process.wait()


def surroundings(var: Path, **env: str) -> dict[str, str]:
    """This environment and no other, on any free port."""
    return {"PATH": os.environ["PATH"], "HOLDFAST_VAR": str(var), "HOLDFAST_PORT": "0", **clocks.passed_on(), **env}


async def start(var: Path, **env: str) -> Started:
    """`holdfast run`, all that it imports imported."""
    RUNNING.append(Started(await heard(["run"], surroundings(var, **env))))
    return RUNNING[-1]


async def start_anew(var: Path, **env: str) -> Started:
    """`holdfast run` in an interpreter that has imported nothing."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot.cli",
        "run",
        env=surroundings(var, **env),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    RUNNING.append(Started(process))
    return RUNNING[-1]


async def refused(var: Path, **env: str) -> str:
    """The one sentence with which a start ends; nothing of it is left, the embedded server included."""
    started = await start(var, **env)
    status, sentence = await started.ends()
    assert status == WRONG, (status, sentence, started.out)
    assert sentence.endswith(".") and "\n" not in sentence, sentence
    assert "secret" not in sentence + started.out
    assert left_over(var) == []
    return sentence


def left_over(var: Path) -> list[str]:
    """Processes whose command line names this folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(var) in words:
            found.append(words)
    return found


@pytest.fixture
async def slack() -> AsyncIterator[dict[str, str]]:
    """The settings for a Slack that answers."""
    sandbox = Sandbox()
    await sandbox.start()
    yield {"SLACK_BOT_TOKEN": sandbox.bot_token, "SLACK_APP_TOKEN": sandbox.app_token, "SLACK_API_URL": sandbox.api_url}
    await sandbox.stop()


@pytest.fixture
def taken() -> Iterator[str]:
    """A port that somebody else listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield str(listener.getsockname()[1])


TOKENS = {
    "SLACK_BOT_TOKEN": ("xoxb-1-2-secret", "Slack refuses SLACK_BOT_TOKEN (invalid_auth). Copy"),
    "SLACK_APP_TOKEN": ("xapp-1-A-secret", "Slack refuses SLACK_APP_TOKEN (invalid_auth). Make a new one"),
}


@pytest.mark.parametrize("name", TOKENS)
async def test_a_token_that_slack_refuses(name: str, slack: dict[str, str], tmp_path: Path) -> None:
    """A well-formed token that is none is told by its setting, without the token, and the start ends."""
    token, sentence = TOKENS[name]
    assert (await refused(tmp_path / "var", **{**slack, name: token})).startswith(sentence)


async def test_a_slack_that_is_not_there(slack: dict[str, str], taken: str, tmp_path: Path) -> None:
    """Without network, with a name that nobody has, and with a server that is not Slack, the address is told and what to check."""
    here = tmp_path / "var"
    nowhere = {**slack, "SLACK_API_URL": "http://127.0.0.1:9/api/"}
    assert "cannot be reached at http://127.0.0.1:9/api/" in await refused(here, **nowhere)
    nobody = {**slack, "SLACK_API_URL": "https://slack.invalid/api/"}
    assert "Check the network, a proxy, and SLACK_API_URL." in await refused(here, **nobody)
    no_slack = {**slack, "SLACK_API_URL": slack["SLACK_API_URL"].removesuffix("api/")}
    assert "Check SLACK_API_URL" in await refused(here, **no_slack)


async def test_a_port_that_is_taken(slack: dict[str, str], taken: str, tmp_path: Path) -> None:
    """On the sandbox and on Slack, the port is named and the setting that chooses another."""
    sentence = f"Port {taken} is in use. Stop what uses it, or set HOLDFAST_PORT to another one."
    assert await refused(tmp_path / "one", HOLDFAST_PORT=taken) == sentence
    assert await refused(tmp_path / "two", **{**slack, "HOLDFAST_PORT": taken}) == sentence


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://bot:secret@127.0.0.1:9/holdfast", "postgresql://bot:***@127.0.0.1:9/holdfast cannot be reached"),
        ("postgresql://bot:secret@db.invalid/holdfast", "postgresql://bot:***@db.invalid/holdfast cannot be reached"),
        ("sqlite:///{scribbled}", "file is not a database"),
    ],
)
async def test_a_database_that_is_none(url: str, words: str, slack: dict[str, str], tmp_path: Path) -> None:
    """An address where nobody answers, a name that nobody has and a file that is no database are told by the setting, without the password."""
    scribbled = tmp_path / "scribbled.db"
    scribbled.write_bytes(b"words" * 1000)
    env = {**slack, "DATABASE_URL": url.format(scribbled=scribbled)}
    sentence = await refused(tmp_path / "var", **env)
    assert words in sentence and "DATABASE_URL" in sentence


async def test_a_postgresql_that_has_no_such_database(postgres: str, slack: dict[str, str], tmp_path: Path) -> None:
    """A server that answers, but has no database of that name, is told so."""
    url = make_url(postgres).set(drivername="postgresql", database="nowhere").render_as_string(hide_password=False)
    sentence = await refused(tmp_path, **slack, DATABASE_URL=url)
    assert "nowhere cannot be reached (InvalidCatalogNameError)" in sentence or "nowhere?" in sentence


async def test_a_redis_url_that_is_none(tmp_path: Path) -> None:
    """An address of no Redis ends the start."""
    assert "REDIS_URL is no address of a Redis" in await refused(tmp_path, REDIS_URL="http://:secret@localhost")


async def test_a_redis_that_does_not_answer(tmp_path: Path) -> None:
    """Nothing is lost without Redis, so the bot starts; one sentence says that it does without."""
    started = await start(tmp_path, REDIS_URL="redis://:secret@127.0.0.1:9")
    await started.says(UP["sandbox"])
    assert "The Redis of REDIS_URL does not answer (ConnectionError): Holdfast runs without it" in started.out
    assert "secret" not in started.out
    started.process.send_signal(signal.SIGINT)
    assert (await started.ends())[0] == 0


@pytest.mark.parametrize("content", [b"\xff\xfe not a key", b"", None])
async def test_a_key_that_cannot_be_read(content: bytes | None, tmp_path: Path) -> None:
    """An empty, a scribbled, a short key file, or a folder in its place: the file is named, and nothing is made over it."""
    key = tmp_path / "holdfast.key"
    if content is None:
        key.mkdir()
    else:
        key.write_bytes(content)
    sentence = await refused(tmp_path)
    assert f"The key in {key} cannot be used (" in sentence and "Put the right one back" in sentence
    assert content is None or key.read_bytes() == content


READERS = (
    ("check",),
    ("status",),
    ("verify",),
    ("report",),
    ("show", "PA-2026-000001"),
    ("export", "--workflow", "loan"),
)


async def test_a_key_that_is_gone_or_another_one(tmp_path: Path) -> None:
    """Beside a database that is sealed, the start and every command that reads say what to put back, and no new key is made."""
    await begun(tmp_path)
    key = tmp_path / "holdfast.key"
    old = key.read_bytes()
    key.unlink()
    for words in READERS:
        told = holdfast(*words, var=tmp_path)
        assert told.returncode and f"The key is not here: put {key} back" in told.stderr, words
    assert f"The key is not here: put {key} back" in await refused(tmp_path)
    assert not key.exists()
    other = {"HOLDFAST_KEY": "A" * 43}
    for words in READERS:
        told = holdfast(*words, var=tmp_path, **other)
        assert told.returncode and "sealed under another key" in told.stderr and "HOLDFAST_KEY." in told.stderr, words
    assert "sealed under another key" in await refused(tmp_path, **other)
    key.write_bytes(old)
    assert [holdfast(*words, var=tmp_path).returncode for words in READERS] == [0, 0, 0, 0, 2, 0]


def test_what_only_reads_makes_nothing(tmp_path: Path) -> None:
    """Where nothing was started yet, or DATABASE_URL has a slip, a command that reads says so; no key and no database are made."""
    for words in READERS[1:]:
        told = holdfast(*words, var=tmp_path)
        assert told.returncode and f"There is no database at {tmp_path / 'holdfast.db'} yet" in told.stderr, words
    assert holdfast("check", var=tmp_path).returncode == 0 and list(tmp_path.iterdir()) == []


async def test_a_var_that_cannot_be_made(tmp_path: Path) -> None:
    """A file where the folder should be is told by its setting."""
    (tmp_path / "var").write_text("a file")
    assert "set HOLDFAST_VAR" in await refused(tmp_path / "var")


@pytest.mark.parametrize(
    ("number", "where"), [(signal.SIGINT, "sandbox"), (signal.SIGTERM, "slack"), (signal.SIGHUP, "sandbox")]
)
async def test_a_signal_stops_it(number: signal.Signals, where: str, slack: dict[str, str], tmp_path: Path) -> None:
    """Ctrl-C, an end asked for and a closed terminal: it says that it has stopped, with status 0, and leaves nothing running."""
    started = await (start_anew(tmp_path, **slack) if where == "slack" else start(tmp_path))
    await started.says(UP[where])
    started.process.send_signal(number)
    assert await started.ends() == (0, "")
    assert started.out.endswith("Holdfast has stopped.\n")
    assert left_over(tmp_path) == []


@pytest.mark.parametrize("line", ["Loading the workflows", "Opening the database"])
async def test_a_signal_while_it_starts(line: str, tmp_path: Path) -> None:
    """Ctrl-C at any moment of the start lets go of what was begun; pressing it twice changes nothing."""
    loads = line.startswith("Loading")  # which a fork of a process that has loaded them does in no time
    started = await (start_anew if loads else start)(tmp_path)
    await started.says(line)
    started.process.send_signal(signal.SIGINT)
    await asyncio.sleep(0)
    started.process.send_signal(signal.SIGINT)
    assert await started.ends() == (0, "")
    assert left_over(tmp_path) == []


async def test_a_conversation_outlives_a_kill(tmp_path: Path) -> None:
    """The sandbox's page shows after a kill what it showed before, and the draft's buttons go on where they were."""
    first = await start(tmp_path)
    await first.says(UP["sandbox"])
    before = await filing(page_of(first), "buy 200 Tesco for £720")
    first.process.kill()
    await first.ends()
    second = await start(tmp_path)
    await second.says(UP["sandbox"])
    assert await messages(page_of(second)) == before
    after = await clicking(page_of(second), before)
    assert len(after) >= len(before) and after != before
    second.process.send_signal(signal.SIGINT)
    assert (await second.ends())[0] == 0
    assert left_over(tmp_path) == []


def page_of(started: Started) -> str:
    """The address of the page, as the start told it."""
    line = next(line for line in started.out.splitlines() if line.startswith("Open http"))
    return line.split()[1]


READ = 2.5
"""Seconds in which somebody reads a card before they act on it."""
Shown = list[dict[str, object]]


async def messages(url: str) -> Shown:
    """What stands in Alex Reed's direct message."""
    async with aiohttp.ClientSession() as browser, browser.get(f"{url}/ui/state") as answer:
        found: Shown = (await answer.json())["messages"]["D0ALEX"]
        return found


async def changed(url: str, since: Shown) -> Shown:
    """What stands there once it has a question with buttons and nothing has changed for a moment."""
    async with asyncio.timeout(PATIENCE):
        shown = since
        while shown == since or not buttons(shown) or shown != (shown := await messages(url)):
            await asyncio.sleep(0.3)
            shown = await messages(url)
    return shown


def buttons(shown: Shown) -> list[tuple[str, str, str]]:
    """(message, block, action) of every button, oldest first."""
    found = []
    for message in shown:
        blocks = message.get("blocks")
        for block in blocks if isinstance(blocks, list) else []:
            for element in [*block.get("elements", []), block.get("accessory") or {}]:
                if element.get("type") == "button":
                    found.append((str(message["ts"]), block["block_id"], element["action_id"]))
    return found


async def filing(url: str, words: str) -> Shown:
    """Say something and wait for the question that follows."""
    said = {"person": "U0ALEX", "channel": "D0ALEX", "text": words}
    async with aiohttp.ClientSession() as browser, browser.post(f"{url}/ui/say", json=said) as answer:
        assert answer.status == 200, await answer.text()
    return await changed(url, await messages(url))


async def clicking(url: str, shown: Shown) -> Shown:
    """Click the first button of the newest message that has one."""
    await asyncio.sleep(READ)
    newest = buttons(shown)[-1][0]
    ts, block, action = next(one for one in buttons(shown) if one[0] == newest)
    container = {"type": "message", "channel": "D0ALEX", "message_ts": ts}
    told = {"person": "U0ALEX", "container": container, "action": {"block_id": block, "action_id": action}}
    async with aiohttp.ClientSession() as browser, browser.post(f"{url}/ui/click", json=told) as answer:
        assert answer.status == 200, await answer.text()
    return await changed(url, shown)
