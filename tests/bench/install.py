"""Installing: the wheel in an empty folder, beside the two libraries that a bare bot takes; and a fresh clone up to its page."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from tests.bench.figures import Figure, Scale, Target, single
from tests.documents.conftest import write_form

ROOT = Path(__file__).parents[2]
BARE = ("slack-bolt", "anthropic")
ASIDE = re.compile(r"(pip|setuptools|pkg_resources|wheel|_distutils_hack)\b")
"""What comes with every environment, and is nobody's size."""
SCENARIO = 'title = "It begins"\n[[steps]]\nsay = "papers"\nexpect = { asked = "payslip" }\n'
PATIENT = 1800.0
SIZE = "Names and patterns of the world's languages (babel), the model's client, SQLAlchemy, cryptography, holidays."
BOUND = {
    "MB, as unpacked": SIZE,
    "MB, with the bytecode that pip writes": SIZE,
    "CPU": "pip unpacks and compiles; uv, which `make run` takes, does the same in a tenth.",
    "seconds": "The way to the packages, and the processor.",
}


@dataclass(frozen=True)
class Installed:
    """An environment: its python, megabytes of it without and with bytecode, seconds of CPU and of the clock."""

    python: Path
    plain: float
    whole: float
    cpu: float
    seconds: float

    @property
    def figures(self) -> tuple[float, ...]:
        """Return them in the order of BOUND."""
        return self.plain, self.whole, self.cpu, self.seconds


def install(folder: Path, *wanted: str) -> Installed:
    """Install into a fresh environment, as `pip install` does it."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)  # noqa: S603  our own
    python = folder / "bin" / "python"
    began, used = time.monotonic(), cpu()
    subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True, stderr=-3, timeout=PATIENT)  # noqa: S603  our own
    took, worked = time.monotonic() - began, cpu() - used
    packages = next((folder / "lib").glob("python*/site-packages"))
    files = [p for p in packages.rglob("*") if p.is_file() and not ASIDE.match(p.relative_to(packages).parts[0])]
    plain = megabytes(p for p in files if "__pycache__" not in p.parts)
    return Installed(python, plain, megabytes(files), worked, took)


def megabytes(files: Iterable[Path]) -> float:
    """Return what files take on the disk, as `du` counts it."""
    return sum(file.stat().st_blocks for file in files) * 512 / 2**20


def cpu() -> float:
    """Return the seconds of CPU of every process that was waited for."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def use(python: Path, folder: Path) -> str:
    """Check, test a form of HOLDFAST_WORKFLOWS, and open the page, outside of a checkout. Return what was found. Raises where one fails."""
    empty = folder / "empty"
    scenarios = write_form(empty) / "papers" / "scenarios"
    scenarios.mkdir()
    (scenarios / "begins.toml").write_text(SCENARIO)
    env = {"PATH": os.environ["PATH"], "HOLDFAST_WORKFLOWS": "forms", "HOLDFAST_PORT": "0"}
    holdfast = python.with_name("holdfast")
    told = [
        subprocess.run([holdfast, *words], cwd=empty, env=env, check=True, capture_output=True, text=True).stdout  # noqa: S603  our own
        for words in (("check",), ("test", "papers"), ("test", "gifts"))
    ]
    page(holdfast, "run", cwd=empty, env=env)
    last = [text.strip().splitlines() for text in told]
    return f"  in an empty folder: check: {last[0][0]} test: {last[1][-1]}; gifts: {last[2][-1]}; the page opens"


def page(*command: str | Path, cwd: Path, env: dict[str, str]) -> None:
    """Start a bot on its own Slack, and stop it once it names its page. Raises where it ends before that."""
    process = subprocess.Popen(  # noqa: S603  our own
        command, cwd=cwd, env=env, stdout=-1, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    assert process.stdout is not None
    found = any("and say hello" in line for line in process.stdout)
    if found:
        os.killpg(process.pid, signal.SIGTERM)
    process.communicate(timeout=PATIENT)
    assert found, "it ended before it named its page"


async def run(_scale: Scale, folder: Path) -> AsyncIterator[Figure | str]:
    """The wheel, the wheel with the extras that the shipped forms use, and `make run` in a clone."""
    tree = folder / "tree"
    subprocess.run(["git", "clone", "--quiet", ROOT, tree], check=True)  # noqa: S603, S607, ASYNC221  our own
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, tree]
    subprocess.run(build, check=True, stderr=-3)  # noqa: S603, ASYNC221  our own
    wheel = str(next(folder.glob("*.whl")))  # noqa: ASYNC240  nobody waits meanwhile
    peer = await asyncio.to_thread(install, folder / "peer", *BARE)
    for extras, most in (("", 180.0), ("[charts,pdf]", None)):
        ours = await asyncio.to_thread(install, folder / f"ours{len(extras)}", wheel + extras)
        for (what, bound), mine, theirs in zip(BOUND.items(), ours.figures, peer.figures, strict=True):
            unit = "MB" if what.startswith("MB") else "s"
            target = Target(most=most) if what == "MB, as unpacked" and most else None
            name = f"pip install holdfast{extras}: {what.removeprefix('MB, ')}"
            yield Figure("install", name, unit, single(mine), single(theirs), target, bound, "slack-bolt anthropic")
        if not extras:
            yield await asyncio.to_thread(use, ours.python, folder)
    shutil.rmtree(tree / ".venv", ignore_errors=True)
    began, used = time.monotonic(), cpu()
    env = {**os.environ, "HOLDFAST_PORT": "0", "HOLDFAST_VAR": str(folder / "var")}
    await asyncio.to_thread(page, "make", "run", cwd=tree, env=env)
    yield Figure(
        "install",
        "make run, from a clone to the page: CPU",
        "s",
        single(cpu() - used),
        None,
        Target(most=30),
        "A fresh environment, uv, and Python's imports.",
    )
    yield Figure(
        "install",
        "make run, from a clone to the page",
        "s",
        single(time.monotonic() - began),
        None,
        None,
        "The way to the packages.",
    )
