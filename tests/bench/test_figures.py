"""What the benchmark makes of its measurements."""

import json
import re
from pathlib import Path

import pytest

from tests.bench import chart, document
from tests.bench.__main__ import PARTS
from tests.bench.figures import Figure, Target, cells, sample, single
from tests.bench.syncs import counted

CLICK = Figure("click", "a click", "ms", sample([30.0, 10.0, 20.0]), sample([5.0]), Target(times=3), "Two commits.")


def test_a_sample_is_a_median_and_the_nearest_rank() -> None:
    """The 99th percentile of a hundred measurements is the 99th of them, and of a few the largest."""
    hundred = sample([float(n) for n in range(1, 101)])
    assert (hundred.p50, hundred.p99, hundred.most, hundred.n) == (50.5, 99.0, 100.0, 100)
    assert sample([3.0, 1.0]).p99 == 3.0


@pytest.mark.parametrize(
    ("target", "ours", "peer", "met"),
    [
        (Target(times=3), 15.0, 5.0, True),
        (Target(times=3), 15.1, 5.0, False),
        (Target(times=5, plus=1000), 1025.0, 5.0, True),
        (Target(times=5, plus=1000), 1026.0, 5.0, False),
        (Target(least=0.4), 40.0, 100.0, True),
        (Target(least=0.4), 39.0, 100.0, False),
        (Target(most=4), 4.0, None, True),
        (Target(most=4), 5.0, None, False),
        (Target(times=3), 1.0, None, None),
    ],
)
def test_a_target_is_met_up_to_its_edge(target: Target, ours: float, peer: float | None, met: bool | None) -> None:
    """A target that counts in peers says nothing where there is no peer."""
    assert target.met(ours, peer) is met


def test_a_target_may_be_one_of_the_slowest() -> None:
    """Where the 99th percentile is what counts, a good median does not make up for it."""
    slow = Figure("hanging", "a click", "ms", sample([1.0, 1.0, 90.0]), sample([1.0]), Target(times=2, of="p99"))
    assert slow.met is False
    assert cells(slow)[6] == "p99 ≤ 2 × peer ✗"


def test_a_row_shows_both_sides_and_the_verdict() -> None:
    """Twenty milliseconds beside five are four times the peer, which is more than three."""
    row = cells(CLICK)
    assert row[1:7] == ("20 ms", "30", "5", "", "4.00", "≤ 3 × peer ✗")


def test_the_chart_marks_what_is_to_be_reached_in_peers() -> None:
    """A model's second stands in the mark too; a target for the slowest has no place among medians."""
    peer = sample([50.0])
    assert chart.mark(Figure("model", "", "ms", single(1.0), peer, Target(times=5, plus=1000))) == 25.0
    assert chart.mark(Figure("start", "", "s", single(1.0), peer, Target(most=100))) == 2.0
    assert chart.mark(Figure("hanging", "", "ms", single(1.0), peer, Target(times=2, of="p99"))) is None


def test_strace_is_read_by_name() -> None:
    """Rows with an errors column and rows without one are both counted."""
    summary = (
        "% time     seconds  usecs/call     calls    errors syscall\n"
        "------ ----------- ----------- --------- --------- ----------------\n"
        " 94.11    0.401000         133      3004       170 futex\n"
        "  5.89    0.025100        1792        14           fdatasync\n"
        "------ ----------- ----------- --------- --------- ----------------\n"
        "100.00    0.426100         141      3018       170 total\n"
    )
    assert counted(summary) == {"futex": 3004, "fdatasync": 14, "total": 3018}


def test_the_page_takes_a_run_and_keeps_what_did_not_run(tmp_path: Path) -> None:
    """A part's table is replaced by the newest run; a part that did not run keeps its table, and its figures in the JSON."""
    page = tmp_path / "performance.md"
    page.write_text(
        "Words.\n<!-- run -->\n<!-- end -->\n<!-- click -->\nold\n<!-- end -->\n<!-- crowd -->\n<!-- end -->\n", "utf-8"
    )
    document.write([Figure("crowd", "a crowd", "/s", single(7.0))], page)
    document.write([CLICK], page)
    text = page.read_text("utf-8")
    assert "old" not in text
    assert "| a click | 20 ms |" in text
    assert "| a crowd | 7 /s |" in text
    assert "Two commits." in text
    assert {told["part"] for told in json.loads(page.with_suffix(".json").read_text("utf-8"))} == {"click", "crowd"}
    assert page.with_suffix(".png").stat().st_size > 0


def test_a_run_names_what_it_measured(tmp_path: Path) -> None:
    """Beside the day and the machine stand version and commit; parts of an earlier run keep that one's."""
    page = tmp_path / "performance.md"
    page.write_text("<!-- run -->\n<!-- end -->\n<!-- click -->\n<!-- end -->\n<!-- crowd -->\n<!-- end -->\n", "utf-8")
    earlier, later = (
        "2026-11-20, version 0.0.1, commit 0123456789ab.",
        "2026-11-22, version 0.1.0, commit ba9876543210.",
    )
    document.write([CLICK], page, earlier)
    assert earlier in page.read_text("utf-8") and "Parts:" not in page.read_text("utf-8")
    document.write([Figure("crowd", "a crowd", "/s", single(7.0))], page, later)
    assert f"- {earlier} Parts: click.\n- {later} Parts: crowd.\n" in page.read_text("utf-8")
    assert document.commit() in document.run_line() and document.commit().startswith("version ")


def measured(text: str) -> list[tuple[str, str, str]]:
    """Each version and commit that a page names, and whether files had been changed since."""
    return re.findall(r"version (\S+), commit ([0-9a-f]{7,40})(-dirty)?", text)


def test_the_page_is_no_older_than_the_last_release() -> None:
    """Each figure was measured on a commit of this history whose version is the last released one, or a later one."""
    dated = re.findall(
        r"^## \[?(\d+)\.(\d+)\.(\d+)\]? - \d{4}-", (document.ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    released = max((tuple(map(int, one)) for one in dated), default=())
    told = measured(document.PAGE.read_text("utf-8"))
    assert told
    for version, commit, dirty in told:
        assert tuple(map(int, version.split("."))) >= released, (
            f"make bench BENCH=--document: {version} was released over"
        )
        assert not dirty, "measured with files that no commit holds"
        if document.git("rev-parse", "--is-shallow-repository") == "false":
            whole = document.git("rev-parse", "--verify", f"{commit}^{{commit}}")
            assert whole and document.git("merge-base", whole, "HEAD") == whole, (
                f"{commit} is no commit of this history"
            )
            assert f'version = "{version}"' in document.git("show", f"{whole}:pyproject.toml")


def test_what_is_not_reached_says_why() -> None:
    """Every row of the page that misses its target has a sentence below its table on what bounds it."""
    missed = [document.figure_of(one) for one in json.loads(document.PAGE.with_suffix(".json").read_text("utf-8"))]
    text = document.PAGE.read_text("utf-8")
    assert [
        figure.what for figure in missed if figure.met is False and not (figure.bound and figure.bound in text)
    ] == []


def test_the_page_has_a_place_for_every_part() -> None:
    """No part of the benchmark is without its table in the documentation."""
    text = document.PAGE.read_text("utf-8")
    assert [part for part in PARTS if f"<!-- {part} -->" not in text] == []
