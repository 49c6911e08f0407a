"""The suite's own runner: one process collects, its forks run, and what goes wrong in any of them fails the run."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2]
FILES = {
    "test_one.py": "def test_good(tmp_path): assert not list(tmp_path.iterdir())\ndef test_bad(): print('heard'); assert 1 == 2\n",
    "test_two.py": "import os\ndef test_dies(): os._exit(7)\ndef test_after(): pass\n",
    "test_end.py": "def fall(): raise SystemExit(3)\ndef test_leaves(request):\n    request.config.add_cleanup(fall)\n",
}


def run(folder: Path, *names: str) -> subprocess.CompletedProcess[str]:
    """The runner on some of the files."""
    for name in names:
        (folder / name).write_text(FILES[name])
    words = ["-m", "pytest", "-p", "tests.forks", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "--forks", "2"]
    return subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, *words, "--rootdir", str(folder), str(folder)],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_fails_and_what_dies_is_told(tmp_path: Path) -> None:
    """A failure comes with what was printed; a process that dies fails its test and no other one."""
    ran = run(tmp_path, "test_one.py", "test_two.py")
    assert ran.returncode == pytest.ExitCode.TESTS_FAILED
    assert "2 failed, 2 passed" in ran.stdout and "heard" in ran.stdout and "assert 1 == 2" in ran.stdout
    assert "its process ended with status 7" in ran.stdout and "test_two.py::test_dies" in ran.stdout


def test_what_goes_wrong_after_the_last_test_is_told(tmp_path: Path) -> None:
    """A process that ends badly once its tests have passed fails the run."""
    ran = run(tmp_path, "test_end.py")
    assert ran.returncode == pytest.ExitCode.TESTS_FAILED and "1 failed, 1 passed" in ran.stdout, ran.stdout
