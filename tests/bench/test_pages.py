"""Pages of figures take runs, name the commit of each, and are not older than what they measured."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests import pages
from tests.bench import document
from tests.bench.__main__ import PARTS
from tests.bench.figures import Figure, Target, sample, single
from tests.chaos import document as reliability
from tests.chaos.trials import Guard, Trials
from tests.mutants.catalogue import MUTANTS

CLICK = Figure("click", "a click", "ms", sample([20.0]), sample([5.0]), Target(times=3), "Two commits.")


def test_the_page_takes_a_run_and_keeps_what_did_not_run(tmp_path: Path) -> None:
    """A part's table is replaced by the newest run, a part that did not run keeps its own; above them stands which run measured which."""
    page = tmp_path / "performance.md"
    page.write_text(
        "Words.\n<!-- run -->\n<!-- end -->\n<!-- click -->\nold\n<!-- end -->\n<!-- crowd -->\n<!-- end -->\n", "utf-8"
    )
    document.write([Figure("crowd", "a crowd", "/s", single(7.0))], "earlier", page)
    assert "Parts:" not in page.read_text("utf-8")
    document.write([CLICK], "later", page)
    text = page.read_text("utf-8")
    assert (
        "old" not in text and "| a click | 20 ms |" in text and "| a crowd | 7 /s |" in text and "Two commits." in text
    )
    assert "- earlier Parts: crowd.\n- later Parts: click.\n" in text
    assert {told["part"] for told in json.loads(page.with_suffix(".json").read_text("utf-8"))} == {"click", "crowd"}
    assert page.with_suffix(".png").stat().st_size > 0
    assert pages.commit() in pages.run_line() and pages.MEASURED.search(pages.run_line())


def test_the_page_has_a_place_for_every_part() -> None:
    """No part of the benchmark is without its table in the documentation."""
    text = document.PAGE.read_text("utf-8")
    assert [part for part in (*PARTS, "walls") if f"<!-- {part} -->" not in text] == []


def test_no_page_is_older_than_the_last_release_or_than_many_commits() -> None:
    """Each figure of each page was measured on a clean commit of this history, of the last released version and not too many commits ago."""
    told = {page: page.read_text("utf-8") for page in document.PAGE.parent.glob("*.md")}
    assert {page.name: old for page, text in told.items() if (old := list(pages.too_old(text)))} == {}
    assert all(pages.MEASURED.search(told[page]) for page in (document.PAGE, reliability.PAGE))


def test_a_page_that_is_too_old_is_told() -> None:
    """A commit with more of the product behind it than is allowed, one that nobody knows, and one with changes of its own are each named."""
    if pages.git("rev-parse", "--is-shallow-repository") != "false":
        pytest.skip("a shallow checkout knows no history")
    now, then = (pages.git("rev-list", "-n1", f"--skip={n}", "HEAD", "--", *pages.PRODUCT) for n in (0, pages.LAG + 1))
    version = pages.git("show", f"{now}:pyproject.toml").partition('version = "')[2].partition('"')[0]
    told = {
        one: list(pages.too_old(f"version {version}, commit {one}")) for one in (now, then, "0123456", f"{now}-dirty")
    }
    assert told.pop(now) == []
    assert all(len(said) == 1 for said in told.values()), told


def test_what_is_not_reached_says_why() -> None:
    """Every figure that misses its target has a sentence below its table on what bounds it; every broken promise and idle guard says why."""
    missed = [document.figure_of(one) for one in json.loads(document.PAGE.with_suffix(".json").read_text("utf-8"))]
    text = document.PAGE.read_text("utf-8")
    assert [f.what for f in missed if f.met is False and not (f.bound and f.bound in text)] == []
    assert list(reliability.unexplained(reliability.kept())) == []


def test_a_broken_promise_and_an_idle_guard_want_a_sentence() -> None:
    """A row that is not as it should be is named until a whole sentence stands beside it."""
    broken = Trials("kills", "kills", 20, 1, 3.0)
    assert list(reliability.unexplained([broken, Guard("a guard", (1,), 0, "NO TEST FALLS")])) == [
        "kills, kills: 1 broken, and no sentence says why",
        "a guard: no test falls",
    ]
    assert list(reliability.unexplained([replace(broken, note="A disk failed.")])) == []


def test_the_page_of_trials_keeps_what_was_not_tried_anew(tmp_path: Path) -> None:
    """A part replaces its own rows, a guard its own; a guard of old goes; n trials without a violation bound its rate at three in n."""
    page = tmp_path / "reliability.md"
    page.write_text("".join(f"<!-- {name} -->\n<!-- end -->\n" for name in ("run", "trials", "guards")), "utf-8")
    kills, talks = Trials("kills", "kills", 3_000, 0, 3.0, run="then"), Trials("talks", "turns", 9, 0, 1.0, run="then")
    names = [MUTANTS[0].guard, MUTANTS[1].guard, "a guard of old"]
    guards = [Guard(name, (1,), 2, "a test", run="then") for name in names]
    reliability.write([kills, talks, *guards], {"kills": "It is killed."}, page)
    reliability.write([replace(kills, n=6_000, run="now"), replace(guards[0], falls=3, run="now")], {}, page)
    text = page.read_text("utf-8")
    assert "| kills | 6,000 | 0 ✓ | 1 in 2,000 |" in text and "3,000" not in text and "| turns | 9 |" in text
    assert f"| {names[0]} | 1 | 3 ✓ |" in text and f"| {names[1]} | 1 | 2 ✓ |" in text and "of old" not in text
    assert "- then Parts: talks, guards." in text and "- now Parts: kills, guards." in text


def test_every_promise_of_the_page_has_a_guard() -> None:
    """The numbers of the promises are those that guards name, and no guard serves a promise that the page does not make."""
    told = set(map(int, re.findall(r"^(\d+)\. ", reliability.PAGE.read_text("utf-8"), re.MULTILINE)))
    assert told == {number for mutant in MUTANTS for number in mutant.keeps} and all(m.keeps for m in MUTANTS)
