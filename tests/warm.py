"""Processes of the bot that had imported it before they were wanted: they start in a tenth of the time.

Each is a fork of one process per run that has done nothing but import, with an environment, a session and pipes of its own; it runs the command
line's own entry point. What an interpreter does until then is shown by those tests that start one (`python -m bot.cli`).
"""

import asyncio
import atexit
import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path

IMPORTED = ["tests.imported"]
OUT, ERR = 1, 2


def context() -> ForkServerContext:
    """Where such processes come from; what they import is imported when the first one is wanted."""
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(IMPORTED)
    return server


def command(
    words: Sequence[str], env: Mapping[str, str], out: Connection | None, err: Connection | Path | None
) -> None:
    """In the new process: become `holdfast WORDS` with this environment and these pipes, to the end."""
    os.setsid()
    os.environ.clear()
    os.environ.update(env)
    _lead(out, OUT)
    _lead(err, ERR)
    sys.argv = ["holdfast", *words]
    from bot.cli import main  # noqa: PLC0415  imported already, in the process that this one was forked from

    try:
        main()
    finally:
        sys.stdout.flush()
        atexit._run_exitfuncs()  # a forked process ends without


def _lead(to: Connection | Path | None, number: int) -> None:
    """Have what is written on a standard stream go there."""
    if isinstance(to, Connection):
        os.dup2(to.fileno(), number)
        to.close()
    else:
        file = os.open(to or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, number)
        os.close(file)


class Warm:
    """A process, by the names that asyncio's have."""

    def __init__(self, process: ForkServerProcess, transports: Sequence[asyncio.BaseTransport] = ()) -> None:
        self._process = process
        self._transports = transports
        self.stdout: asyncio.StreamReader | None = None
        self.stderr: asyncio.StreamReader | None = None

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """How it ended; None while it runs."""
        return self._process.exitcode

    async def wait(self) -> int:
        """Wait for its end. Returns how it ended."""
        ended, loop = asyncio.Event(), asyncio.get_running_loop()
        if self._process.exitcode is None:
            loop.add_reader(self._process.sentinel, ended.set)
            await ended.wait()
            loop.remove_reader(self._process.sentinel)
        for transport in self._transports:
            transport.close()
        self._process.join()
        assert self._process.exitcode is not None
        return self._process.exitcode

    async def communicate(self) -> tuple[bytes, bytes]:
        """The rest of what it writes, and wait for its end."""
        assert self.stdout is not None and self.stderr is not None
        told = await asyncio.gather(self.stdout.read(), self.stderr.read())
        await self.wait()
        return told

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


async def quiet(words: Sequence[str], env: Mapping[str, str], err: Path | None = None) -> Warm:
    """Start `holdfast WORDS`; what it writes on stderr goes to a file, if one is named, and the rest nowhere."""
    made = context().Process(target=command, args=(words, env, None, err))
    await asyncio.to_thread(made.start)
    return Warm(made)


async def heard(words: Sequence[str], env: Mapping[str, str]) -> Warm:
    """The same with pipes to read what it writes."""
    (out, writes_out), (err, writes_err) = (multiprocessing.Pipe(duplex=False) for _ in range(2))
    made = context().Process(target=command, args=(words, env, writes_out, writes_err))
    await asyncio.to_thread(made.start)
    writes_out.close()
    writes_err.close()
    (stdout, one), (stderr, other) = [await _reader(pipe) for pipe in (out, err)]
    warm = Warm(made, (one, other))
    warm.stdout, warm.stderr = stdout, stderr
    return warm


async def _reader(pipe: Connection) -> tuple[asyncio.StreamReader, asyncio.BaseTransport]:
    reader, file = asyncio.StreamReader(), os.fdopen(os.dup(pipe.fileno()), "rb", buffering=0)
    pipe.close()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), file
    )
    return reader, transport
