"""The log: who and how bad, never what people wrote."""

import asyncio
import logging
import sys
from pathlib import Path

import pytest
import structlog
from aiohttp import web
from slack_sdk.errors import SlackApiError
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.web.async_client import AsyncWebClient

from bot.operations.logs import PRIVATE, slack_answer, watch
from bot.root.installation import make_key
from bot.settings import Manner, Wrong, manner
from state.stores.opener import open_store
from tests.bot.test_slack_unwell import answering
from tests.bot.written import as_the_bot_logs, lines
from tests.whole.steps import open_request
from tests.world import World, settings, world

CANARY = "canary4d1b7e"


def test_names_that_could_carry_words_of_people_are_struck() -> None:
    """Whoever logs a text, a value or a token logs nothing of it; what else the line says stays."""
    with as_the_bot_logs() as written:
        for name in sorted(PRIVATE):
            structlog.get_logger().info("happened", number=7, **{name: CANARY})
    said = written.getvalue()
    assert CANARY not in said and said.count("happened") == said.count('"number": 7') == len(PRIVATE)


def test_an_exception_is_told_by_its_class_and_place() -> None:
    """The text of an exception may hold what people wrote, and is left out."""
    with as_the_bot_logs() as written:
        try:
            raise ValueError(CANARY)
        except ValueError:
            structlog.get_logger().exception("failed")
    said = written.getvalue()
    assert CANARY not in said and "ValueError" in said and "test_logs" in said


def test_a_librarys_line_is_told_by_the_words_of_its_source() -> None:
    """What a library wrote into its source is repeated, with its level; what it filled in at run time is not."""
    log = logging.getLogger("a.library")
    with as_the_bot_logs("debug") as written:
        log.error("got %s after %d tries", CANARY, 3)
        log.warning(f"cannot read {CANARY} of {CANARY}: {503}")
        log.info("nothing to hide")
        log.debug("first " + CANARY + " last")
        log.log(logging.WARNING, "formatted {}".format(CANARY))  # noqa: UP032  as libraries do
        text = f"assembled before: {CANARY}"
        log.error(text)
        log.error("".join(["made ", CANARY]))
    told = [(line["says"], line["level"]) for line in lines(written)]
    assert CANARY not in written.getvalue()
    assert told == [
        ("got … after 3 tries", "error"), ("cannot read …", "warning"), ("nothing to hide", "info"),
        ("first …", "debug"), ("…", "warning"), ("assembled before: …", "error"), ("made …", "error"),
    ]  # fmt: skip
    assert {line["library"] for line in lines(written)} == {"a.library"}


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("", Manner()), ("debug", Manner("debug")), ("json", Manner("", "json")), ("Warning, text", Manner("warning", "text")),
        ("json error", Manner("error", "json")),
    ],
)  # fmt: skip
def test_the_setting_names_level_and_form(text: str, means: Manner) -> None:
    """HOLDFAST_LOG takes a level, a form, or both, in any order."""
    assert manner(text) == means


@pytest.mark.parametrize("text", ["loud", "debug info", "json text", "info yaml"])
def test_a_setting_that_names_neither_is_told(text: str, tmp_path: Path) -> None:
    """What HOLDFAST_LOG does not know is said at the start, with what it knows."""
    with pytest.raises(Wrong, match="HOLDFAST_LOG must be one of debug, info, warning, error, with json or text"):
        settings(tmp_path, holdfast_log=text)


def test_levels_are_kept_to() -> None:
    """At "warning", information of the bot and of libraries stays unsaid."""
    with as_the_bot_logs("warning") as written:
        for log in (structlog.get_logger(), logging.getLogger("a.library")):
            log.info("so so")
            log.warning("oh")
    assert [line["level"] for line in lines(written)] == ["warning", "warning"]


async def test_one_id_leads_from_slacks_event_to_every_post(tmp_path: Path) -> None:
    """Received, judged, asked of a model, performed: every line that came of one message carries its id, and another's has another."""
    with as_the_bot_logs() as written:
        async with world(tmp_path / "var") as w:
            begun = len(lines(written))
            await open_request(w)
            first = len(lines(written))
            await w.say("500 please")
    before, after = lines(written)[begun:first], lines(written)[first:]
    happened = [line for line in before if line["event"] in ("received", "turn", "performed")]
    assert {line["event"] for line in happened} == {"received", "turn", "performed"}
    assert all("id" in line for line in happened)
    ids, others = {line["id"] for line in happened}, {line["id"] for line in after if "id" in line}
    assert len(others) == 1 and not ids & others
    for event in ids:
        told = [line["event"] for line in happened if line["id"] == event]
        assert told[0] == "received" and "turn" in told


async def test_the_id_is_the_same_after_a_restart(kept: World) -> None:
    """What is done in another process for an event that was stored before goes by the id it had, and it begins the row's key."""
    key = "message:T1:D1:1700000000.000100"
    found = kept.bot.store.trace(key)
    other = open_store(kept.bot.settings.database, make_key(kept.bot.settings))
    await other.start()
    assert other.trace(key) == found and len(found) == 12
    await other.stop()


async def test_no_line_names_a_person(tmp_path: Path) -> None:
    """Through a whole request, with clicks and at the lowest level, no id, name, direct message or word of the person is logged."""
    with as_the_bot_logs("debug") as written:
        async with world(tmp_path / "var") as w:
            await open_request(w)
            await w.say(f"because of {CANARY}")
            await w.say("cancel")
    said = written.getvalue()
    assert [mark for mark in ("U0ALEX", "Alex", "D0ALEX", CANARY, "Tesco", w.sandbox.bot_token) if mark in said] == []
    assert '"event": "turn"' in said and "slack_sdk" in said


REFUSED = {"ok": False, "error": "invalid_auth"}


async def test_a_refused_app_token_is_an_error_that_says_what_to_do() -> None:
    """While the bot runs, a token that Slack takes no more is told apart from a connection that is made anew."""
    with as_the_bot_logs() as written:
        async with answering(lambda: web.json_response(REFUSED)) as url:
            client = SocketModeClient("xapp-1", web_client=AsyncWebClient(base_url=url))
            with pytest.raises(SlackApiError):
                await client.issue_new_wss_url()
            await client.close()
    (line,) = [line for line in lines(written) if line["level"] == "error"]
    assert (line["event"], line["code"]) == ("slack_refuses_app_token", "invalid_auth")
    assert "SLACK_APP_TOKEN" in line["do"] and "connections:write" in line["do"]


async def test_a_socket_that_is_made_anew_is_no_error(plain: World) -> None:
    """When Slack closes the socket, which it does several times a day, the log has information and nothing worse."""
    with as_the_bot_logs() as written:
        await plain.sandbox.disconnect()
        await plain.sandbox.until(lambda: plain.sandbox.connected)
    assert {line["level"] for line in lines(written)} <= {"info"}


@pytest.mark.parametrize("text", ["gateway timeout", '{"ok": tr', "[]"])
@pytest.mark.parametrize("kind", ["text/plain", "application/json", "text/html"])
async def test_an_answer_that_is_no_json_keeps_its_status(text: str, kind: str) -> None:
    """A 502 with whatever body reads as a 502, for whoever handles the refusal and in the log."""
    client = AsyncWebClient("xoxb-1", retry_handlers=[])
    async with answering(lambda: web.Response(status=502, text=text, content_type=kind)) as url:
        client.base_url = url
        with as_the_bot_logs() as written:
            try:
                await client.chat_postMessage(channel="C1", text="x")
            except Exception as problem:
                structlog.get_logger().exception("failed")
                assert slack_answer(problem)[0] == ""
    (line,) = lines(written)
    assert line["status"] == 502 or line["error"] == "AttributeError"


def test_what_nobody_catches_is_a_line_too() -> None:
    """An exception that ends the process is told like every other, not by a traceback with its text."""
    with as_the_bot_logs() as written:
        loop = asyncio.new_event_loop()
        watch(loop)
        loop.close()
        problem = RuntimeError(CANARY)
        sys.excepthook(RuntimeError, problem, None)
    (line,) = lines(written)
    assert (line["event"], line["level"], line["error"]) == ("fell", "critical", "RuntimeError")
