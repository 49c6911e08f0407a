"""The bot as the unit and the container confine it: not root, a file system that is read-only but for two folders, memory never turned into code."""

import asyncio
import os
import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.production.test_files import ROOT, instructions

USER = 10001
CONFINED = """
mount --bind "$1" /opt; mount --bind "$2" /srv; mount --bind "$3" /media; mount -t tmpfs tmpfs /tmp
for there in / /opt /media; do mount -o remount,bind,ro $there; done
cd /srv; shift 3
exec setpriv --reuid 10001 --regid 10001 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all env -i "$@"
"""
NO_NEW_CODE = """
import ctypes, os, sys
ctypes.CDLL(None).prctl(65, 1, 0, 0, 0)  # PR_SET_MDWE, as MemoryDenyWriteExecute= has it; older kernels know none
try:
    open("/opt/written", "w")
except OSError:
    os.execv(sys.executable, [sys.executable, "-m", "bot.cli", "run"])
"""


async def test_it_starts_and_stops_where_it_may_write_its_state_alone(tmp_path: Path) -> None:
    """With the image's environment, as a number without a name, it serves, keeps its files to itself, and ends in order."""
    if os.geteuid():
        pytest.skip("CONFINEMENT IS LEFT OUT: only root can make a file system of its own here")
    var, python = tmp_path / "var", f"python{sys.version_info[0]}.{sys.version_info[1]}"
    var.mkdir()
    os.chown(var, USER, USER)
    (text,) = [text for name, text in instructions() if name == "ENV"]
    image = shlex.split(text.replace("/var/lib/holdfast", "/srv").replace("0.0.0.0:3978", "0"))
    packages = f"/opt:/opt/.venv/lib/{python}/site-packages"
    given = [*image, "LD_LIBRARY_PATH=/media/lib", "PYTHONHOME=/media", f"PYTHONPATH={packages}", "PYTHONUNBUFFERED=1"]
    words = [str(ROOT), str(var), sys.base_prefix, *given, f"/media/bin/{python}", "-c", NO_NEW_CODE]
    process = await asyncio.create_subprocess_exec(
        "unshare", "--mount", "--propagation", "private", "sh", "-ec", CONFINED, "sh", *words,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    said = ""
    try:
        assert process.stdout
        async with asyncio.timeout(PATIENCE):
            while "Ctrl+C stops it" not in said:
                line = await process.stdout.readline()
                if not line and re.search("unshare|mount: .*permission denied", said):
                    pytest.skip("CONFINEMENT IS LEFT OUT: nothing can be mounted here")
                assert line, said
                said += line.decode()
            process.terminate()
            assert (await process.communicate())[0].endswith(b"Holdfast has stopped.\n")
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0
    assert all((file.stat().st_uid, file.stat().st_mode & 0o022) == (USER, 0) for file in var.iterdir())
    assert (var / "holdfast.db").exists()
