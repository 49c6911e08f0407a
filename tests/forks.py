"""Tests in several processes that were collected once: `--forks 4` forks four from the one that has collected, and deals out the tests.

Importing and collecting seven thousand tests takes a processor 20 s, which pytest-xdist's workers pay each, and none of them sees what another
one has made. A fork has everything that was imported, collected and loaded until then.
"""

import atexit
import importlib
import os
import signal
import sys
import traceback
import uuid
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any, NoReturn

import pytest

from tests.dealing import Deck

OPTION = "--forks"
MANY = 1000
"""Tests among which are some that want whatever the bot imports late: it is there before the first fork."""
Json = dict[str, Any]


def pytest_addoption(parser: pytest.Parser) -> None:
    """How many."""
    parser.addoption(OPTION, type=int, default=0, help="collect once, and run the tests in so many forks")


def pytest_configure(config: pytest.Config) -> None:
    """What runs the tests so, where it was asked for."""
    if processes := config.getoption(OPTION):
        config.pluginmanager.register(Forks(processes))


@dataclass
class Fork:
    """One process, as its parent sees it: which tests it has been given and not finished, the one under way first."""

    number: int
    pid: int
    pipe: Connection
    given: list[int] = field(default_factory=list)

    def give(self, test: int | None) -> None:
        """The test that comes after all that it has; None: there is none."""
        if test is not None:
            self.given.append(test)
        with suppress(OSError):  # it has died, which its pipe's end tells
            self.pipe.send(test)


class Forks:
    """Runs the tests of a session so."""

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self.run = uuid.uuid4().hex
        self.forks: dict[Connection, Fork] = {}
        self.begun = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """All tests to their end, or to where the session has had enough. What cannot be collected is pytest's own to tell."""
        if session.testsfailed or session.config.option.collectonly:
            return None
        if len(session.items) >= MANY:
            importlib.import_module("tests.imported")
        deck = Deck([item.path for item in session.items])
        try:
            while deck.left and len(self.forks) < self.processes:
                self._begin(session, deck)
            while self.forks:
                self._hear(session, deck)
                if session.shouldfail or session.shouldstop:
                    raise session.Failed(session.shouldfail or session.shouldstop)
        finally:
            for fork in self.forks.values():
                os.kill(fork.pid, signal.SIGKILL)
        return True

    def _begin(self, session: pytest.Session, deck: Deck) -> None:
        """A process more. It always knows the test that comes next, so that it keeps what that one shares with the one under way."""
        ours, theirs = Pipe()
        number, self.begun = self.begun, self.begun + 1
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if not pid:
            for pipe in (ours, *self.forks):
                pipe.close()
            _become(session, theirs, number, self.run)
        theirs.close()
        fork = self.forks[ours] = Fork(number, pid, ours)
        for _ in range(2):
            fork.give(deck.deal(number))

    def _hear(self, session: pytest.Session, deck: Deck) -> None:
        for pipe in wait(list(self.forks)):
            fork = self.forks[pipe]
            try:
                told = fork.pipe.recv()
            except (EOFError, OSError):
                self._ended(session, deck, fork)
                continue
            if told is None:
                item = session.items[fork.given.pop(0)]
                session.config.hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
                fork.give(deck.deal(fork.number))
            else:
                _report(session, told)

    def _ended(self, session: pytest.Session, deck: Deck, fork: Fork) -> None:
        """Where it died, the test under way has failed, and another process takes the rest."""
        del self.forks[fork.pipe]
        fork.pipe.close()
        status = os.waitstatus_to_exitcode(os.waitpid(fork.pid, 0)[1])
        if not fork.given and not status:
            return
        last = session.items[fork.given[0]] if fork.given else None
        name, location = (last.nodeid, last.location) if last else (f"end of fork {fork.number}", ("", None, ""))
        died = pytest.TestReport(name, location, {}, "failed", f"its process ended with status {status}", "call")
        session.config.hook.pytest_runtest_logreport(report=died)
        if last:
            deck.put_back(fork.given[1:])
            self._begin(session, deck)


def _report(session: pytest.Session, data: Json) -> None:
    hook = session.config.hook
    hook.pytest_runtest_logreport(report=hook.pytest_report_from_serializable(config=session.config, data=data))


def _become(session: pytest.Session, pipe: Connection, number: int, run: str) -> NoReturn:
    """In the new process: run what is given, tell what came of it, and end."""
    status, stderr = 1, os.dup(sys.__stderr__.fileno()) if sys.__stderr__ else 2
    try:
        _settle_in(session.config, number, run)
        session.config.pluginmanager.register(Teller(session.config, pipe))
        for item, following in _given(session.items, pipe):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            pipe.send(None)
        session.config._ensure_unconfigure()  # what was raised where nobody heard it is an error here as well
        atexit._run_exitfuncs()  # a forked process ends without
        status = 0
    except BaseException:
        os.write(stderr, traceback.format_exc().encode())
    finally:
        os._exit(status)


def _given(items: Sequence[pytest.Item], pipe: Connection) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    """Each test with the one that comes after it."""
    now = pipe.recv()
    while now is not None:
        following = pipe.recv()
        yield items[now], None if following is None else items[following]
        now = following


def _settle_in(config: pytest.Config, number: int, run: str) -> None:
    """Have output, temporary folders and a name of its own: what forks share is what was there before."""
    capture = config.pluginmanager.getplugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    config.get_terminal_writer()._file = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  to its end
    folders = config._tmp_path_factory
    folders._basetemp = folders.getbasetemp() / f"fork{number}"
    folders._basetemp.mkdir(mode=0o700)
    config.workerinput = {"workerid": f"fork{number}", "testrunuid": run}  # as xdist's have


class Teller:
    """Sends what came of a test to the process that collected it."""

    def __init__(self, config: pytest.Config, pipe: Connection) -> None:
        self.config, self.pipe = config, pipe

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One phase of a test."""
        self.pipe.send(self.config.hook.pytest_report_to_serializable(config=self.config, report=report))
