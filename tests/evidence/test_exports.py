"""An export is verified with the public key alone: no database, no key."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.operations.evidence import HEADS
from state.stores.evidence.keys import EvidenceKey, public_pem
from tests.command import Ran, holdfast
from tests.evidence.test_changes import sql

Edit = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def exported(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export, the public key and the heads, in a folder of their own."""
    var, folder = tmp_path_factory.mktemp("var") / "var", tmp_path_factory.mktemp("exported")
    shutil.copytree(built, var)
    export(var, folder)
    return folder


def copied(exported: Path, folder: Path, **changed: str) -> Path:
    """A copy of what an auditor has, with the text of some files changed."""
    for kind, name in (("evidence", "evidence.json"), ("key", "public.pem"), ("heads", HEADS)):
        (folder / name).write_text(changed.get(kind, (exported / name).read_text()))
    return folder


def export(var: Path, folder: Path) -> None:
    """What an auditor is given."""
    for kind, name in (("evidence", "evidence.json"), ("public-key", "public.pem")):
        told = holdfast("export", "--format", kind, "--output", str(folder / name), var=var)
        assert (told.returncode, told.stderr) == (0, "")
    (folder / HEADS).write_bytes((var / HEADS).read_bytes())


def verified(folder: Path, nowhere: Path, *, heads: bool = True) -> Ran:
    """What verify says where nothing else of the installation is."""
    files = ["--export", str(folder / "evidence.json"), "--public-key", str(folder / "public.pem")]
    return holdfast("verify", *files, *(["--heads", str(folder / HEADS)] if heads else []), var=nowhere)


def test_an_export_verifies_anywhere(exported: Path, tmp_path: Path) -> None:
    """With the public key and the heads, on a machine that has neither database nor key; nothing is made there."""
    told = verified(exported, tmp_path / "nowhere")
    assert (told.stderr, told.returncode) == ("", 0)
    assert "4 drafts checked, 0 broken" in told.stdout and not (tmp_path / "nowhere").exists()


def test_an_export_says_nothing_that_anybody_said(exported: Path) -> None:
    """Neither words nor names nor conversations are in it."""
    text = (exported / "evidence.json").read_text()
    for personal in ("my own", "U0ALEX", "U0DANA", "D0ALEX", "a.pdf"):
        assert personal not in text


EDITS: dict[str, tuple[Edit, str]] = {
    "a kind": (lambda e: e["drafts"][0]["events"][1].update(kind="Clicked"), "Draft d1: Event 2 was changed"),
    "a state": (
        lambda e: e["drafts"][0]["records"][0]["facts"].__setitem__(7, "rejected"),
        "Record PA-2026-000001: Its state",
    ),
    "a draft": (lambda e: e["drafts"].pop(0), "Draft d1: It is missing with everything of it"),
    "a call": (lambda e: e["drafts"][0]["calls"].pop(), "tool calls of the"),
    "an erasure": (lambda e: e["custody"].pop(), "it was cut off or rolled back"),
    "a tombstone": (lambda e: e["tombstones"].clear(), "Tombstone 1: It is missing"),
    "a checkpoint": (lambda e: e["checkpoints"].pop(1), "Checkpoint 2: It is missing"),
    "the newest checkpoint": (lambda e: e["checkpoints"].pop(), "the database was rolled back"),
    "nothing but its time": (lambda e: e.update(at="2030-01-01T00:00:00+00:00"), "this public key did not sign it"),
    "a MAC, which no one can check there": (
        lambda e: e["drafts"][0]["events"][1].update(mac="x:00"),
        "this public key did not",
    ),
}


@pytest.mark.parametrize(("edit", "words"), EDITS.values(), ids=EDITS.keys())
def test_an_edited_export_is_found(exported: Path, tmp_path: Path, edit: Edit, words: str) -> None:
    """What was edited is named, and that the whole is not what was signed."""
    whole = json.loads((exported / "evidence.json").read_text())
    edit(whole["evidence"])
    told = verified(copied(exported, tmp_path, evidence=json.dumps(whole)), tmp_path / "nowhere")
    assert (
        told.returncode == 1 and words in told.stderr and "Export: It was changed after it was written" in told.stderr
    )


def test_an_export_of_what_was_changed_says_so(var: Path, tmp_path: Path) -> None:
    """What an audit with the keys finds while the export is written stands in it, signed: also what no public key could find."""
    sql("UPDATE drafts SET status='cancelled' WHERE name='d1'")(var)
    export(var, tmp_path)
    told = verified(tmp_path, tmp_path / "nowhere")
    assert told.returncode == 1 and "Draft d1: The draft itself was changed" in told.stderr


def test_anothers_export_is_none_of_ours(exported: Path, tmp_path: Path) -> None:
    """Under another public key nothing of it counts, and its heads do not either."""
    other = public_pem(EvidenceKey("x", bytes(32)).public)
    told = verified(copied(exported, tmp_path, key=other), tmp_path / "nowhere")
    assert told.returncode == 1
    assert (
        "this public key did not sign it" in told.stderr and "its signature is not this installation's" in told.stderr
    )


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"evidence": 1}', "noise"])
def test_what_is_no_export_is_told_in_a_sentence(exported: Path, tmp_path: Path, text: str) -> None:
    """A file that was cut off, or is something else, is no traceback."""
    told = verified(copied(exported, tmp_path, evidence=text), tmp_path / "nowhere", heads=False)
    assert told.returncode == 2 and "This is no export of the evidence, or it was cut off." in told.stderr


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ('"version": 1,', '"version": 1, "version": 1,'),
        ('"evidence": {', '"evidence": {}, "evidence": {'),
        ('"faults": []', '"faults": [], "faults": []'),
        ('"version": 1,', '"version": NaN, "version": 1,'),
        ('"version": 1,', f'"version": 1, "more": {"[" * 500}{"]" * 500},'),
    ],
)
def test_what_two_readers_would_read_in_two_ways_is_no_export(
    exported: Path, tmp_path: Path, was: str, now: str
) -> None:
    """A key that is given twice, no number, endless nesting: whoever opens the file may see another than the one that was signed."""
    text = (exported / "evidence.json").read_text()
    assert was in text
    changed = copied(exported, tmp_path, evidence=text.replace(was, now, 1))
    assert verified(changed, tmp_path / "nowhere", heads=False).returncode == 2


def test_a_public_key_must_be_one(exported: Path, tmp_path: Path) -> None:
    """Another file in the key's place is told by what it is not."""
    told = verified(copied(exported, tmp_path, key="noise"), tmp_path / "nowhere", heads=False)
    assert told.returncode == 2 and "no Ed25519 public key" in told.stderr
