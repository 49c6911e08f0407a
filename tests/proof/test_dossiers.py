"""A dossier is checked anywhere with the public key alone: each way to tamper with it is found and named."""

import csv
import io
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from pypdf import PdfReader

from bot.exports.export import TABLES, rows
from bot.exports.pdf import written
from bot.exports.verification import check, open_box
from bot.operations.evidence import readings
from state.stores.evidence.keys import EvidenceKey, public_pem, read_public
from tests.command import holdfast
from tests.proof.conftest import ANSWER, NUMBER
from tests.proof.test_show import ask

Edit = Callable[[Path], object]


def differences(exported: Path, given: Path, heads: bool = True) -> list[str]:
    """What checking says of a folder or a ZIP."""
    box, lines = open_box(given), (exported / "heads.jsonl").read_text().splitlines()
    assert box is not None
    found = check(box, read_public((exported / "public.pem").read_text()), {"heads.jsonl": lines} if heads else None)
    return [str(one) for one in found.differences]


@pytest.mark.parametrize("name", ["csv", "pdf", "json.zip"])
def test_an_export_verifies_anywhere(exported: Path, tmp_path: Path, name: str) -> None:
    """With the public key and the heads, on a machine that has neither database nor key; nothing is made there."""
    files = ["--export", str(exported / name), "--public-key", str(exported / "public.pem")]
    told = holdfast("verify", *files, "--heads", str(exported / "heads.jsonl"), var=tmp_path / "nowhere")
    assert (told.stderr, told.returncode) == ("", 0) and "1 records, 0 differences" in told.stdout
    assert "by os:" in told.stdout and not (tmp_path / "nowhere").exists()


def edit(name: str, was: str, now: str) -> Edit:
    """A file with other words in it."""
    return lambda folder: (folder / name).write_text((folder / name).read_text().replace(was, now, 1))


def without_row(folder: Path) -> None:
    """The last answer is left out."""
    lines = (folder / "answers.csv").read_text().splitlines(keepends=True)
    (folder / "answers.csv").write_text("".join(lines[:-1]), newline="")


def resigned(folder: Path) -> None:
    """Somebody with a key of their own signs another manifest over other files."""
    whole = json.loads((folder / "manifest.json").read_text())
    key = EvidenceKey("x", bytes(32))
    whole["manifest"]["by"] = "os:nobody"
    from bot.exports.verification import read, statement  # noqa: PLC0415

    manifest, _ = read(json.dumps(whole))
    whole |= {"key": "x", "public": key.public, "signature": key.sign(statement(manifest.hash))}
    (folder / "manifest.json").write_text(json.dumps(whole))


TAMPERED: dict[str, tuple[Edit, str]] = {
    "a changed file": (edit("answers.csv", "Tesco PLC", "Tesla Inc"), "answers.csv: It was changed after it was written"),
    "a missing row": (without_row, "answers.csv: It has 12 rows, of the 13 that were written."),
    "a missing file": (lambda f: (f / "decisions.csv").unlink(), "decisions.csv: It is missing."),
    "an added file": (lambda f: (f / "more.csv").write_text("x"), "more.csv: It was put in"),
    "an added folder": (lambda f: (f / "more").mkdir(), "more/: It was put in"),
    "a changed manifest": (edit("manifest.json", "os:", "us:"), "manifest.json: It was changed after it was signed"),
    "a manifest of somebody's own": (resigned, "manifest.json: It was signed with another key than yours"),
    "words beside what was signed": (
        edit("manifest.json", '"key": ', '"note": "approved", "key": '), "manifest.json: There is something in it beside"
    ),
    "a part of the manifest twice": (
        edit("manifest.json", '{', '{"manifest": {"by": "nobody"},'), "manifest.json: There is something in it beside"
    ),
    "another's file": (
        lambda f: shutil.copyfile(f.parent / "pdf" / "chains.jsonl", f / "checkpoints.jsonl"), "checkpoints.jsonl: It was changed"
    ),
    "a changed chain": (edit("chains.jsonl", "DecisionMade", "DecisionMake"), f"{NUMBER}: Event "),
}  # fmt: skip


@pytest.mark.parametrize(("change", "words"), TAMPERED.values(), ids=TAMPERED.keys())
def test_tampering_is_found_and_named(exported: Path, tmp_path: Path, change: Edit, words: str) -> None:
    """Where it was done, and what."""
    for name in ("csv", "pdf"):
        shutil.copytree(exported / name, tmp_path / name)
    change(tmp_path / "csv")
    found = differences(exported, tmp_path / "csv")
    assert any(one.startswith(words) for one in found), found


def test_a_file_of_another_dossier_does_not_pass(exported: Path, tmp_path: Path) -> None:
    """Both are genuine, each in its own dossier alone."""
    shutil.copytree(exported / "pdf", tmp_path / "pdf")
    with zipfile.ZipFile(exported / "json.zip") as other:
        (tmp_path / "pdf" / "manifest.json").write_bytes(other.read("manifest.json"))
    found = differences(exported, tmp_path / "pdf")
    assert any(one.startswith("dossier.pdf: It was put in") for one in found), found


def test_a_file_twice_in_a_zip_is_named(exported: Path, tmp_path: Path) -> None:
    """A second file of a name, which some programs would show in the place of the first."""
    shutil.copyfile(exported / "json.zip", tmp_path / "json.zip")
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(tmp_path / "json.zip", "a") as file:
        file.writestr("records.json", "[]")
    assert "records.json: It is in it 2 times." in differences(exported, tmp_path / "json.zip")


def test_heads_that_do_not_know_the_chain_are_told(exported: Path) -> None:
    """A dossier of a database that was rolled back has ends of chains that the heads never saw."""
    box = open_box(exported / "csv")
    assert box is not None
    found = check(box, read_public((exported / "public.pem").read_text()), {"other.jsonl": []}).differences
    assert [str(one) for one in found] == [f"{NUMBER}: The end of its chain stands nowhere in other.jsonl."]


def test_under_another_public_key_nothing_counts(exported: Path, tmp_path: Path) -> None:
    """Whoever holds the key of another installation is told that this is not theirs."""
    (tmp_path / "other.pem").write_text(public_pem(EvidenceKey("x", bytes(32)).public))
    files = ["--export", str(exported / "csv"), "--public-key", str(tmp_path / "other.pem")]
    told = holdfast("verify", *files, var=tmp_path / "nowhere")
    assert told.returncode == 1 and "signed with another key than yours" in told.stderr


def test_what_is_no_export_is_told_in_a_sentence(exported: Path, tmp_path: Path) -> None:
    """A folder without a manifest, and one with a broken one, are no traceback."""
    for text in (None, "noise", "{}"):
        if text is not None:
            (tmp_path / "manifest.json").write_text(text)
        told = holdfast("verify", "--export", str(tmp_path), "--public-key", str(exported / "public.pem"), var=tmp_path)
        assert told.returncode == 2 and "manifest" in told.stderr


def test_no_cell_is_a_formula(exported: Path) -> None:
    """A reason that somebody wrote as a formula is text in every table."""
    (row,) = [
        r
        for r in csv.DictReader(io.StringIO((exported / "csv" / "decisions.csv").read_text()))
        if r["verdict"] == "decline"
    ]
    assert row["reason"] == "'=cmd|' /C calc'!A0"
    texts = [(exported / "csv" / f"{name}.csv").read_text() for name in ("records", "answers", "decisions")]
    cells = [cell for text in texts for row in csv.reader(text.splitlines()) for cell in row]
    assert not [c for c in cells if c.startswith(("=", "+", "-", "@"))]


def test_a_question_has_its_answer_beside_it(exported: Path) -> None:
    """In the table of decisions as on paper: what was asked, and the words that answered it."""
    rows = csv.DictReader(io.StringIO((exported / "csv" / "decisions.csv").read_text()))
    assert [(r["note"], r["answer"]) for r in rows if r["verdict"] == "ask"] == [("Who advised you?", ANSWER)]
    with zipfile.ZipFile(exported / "json.zip") as box:
        assert ANSWER in box.read("records.json").decode()


FIRST, SECOND = ("2026-11-22T09:00:00+00:00", False), ("2026-11-24T09:59:59+00:00", False)
VOID = ("2026-11-29T10:00:00+00:00", True)
"""When a verdict was given, and whether it was voided since."""


@pytest.mark.parametrize(
    ("verdicts", "days"), [([], ""), ([FIRST], "1"), ([FIRST, SECOND], "3"), ([FIRST, VOID], "1"), ([VOID], "")]
)
def test_the_table_of_records_says_how_long_a_decision_took(verdicts: list[tuple[str, bool]], days: str) -> None:
    """In whole days from the filing to the last verdict that counts; nothing while nobody has decided."""
    record = {"number": NUMBER, "filed_at": "2026-11-20T10:00:00+00:00"}
    decisions = [{"at": at, "void": void} for at, void in verdicts]
    (row,) = rows("records.csv", {"record": record, "answers": [], "decisions": decisions})
    assert dict(zip(TABLES["records.csv"], row, strict=True))["days_to_decision"] == days


def test_a_record_decided_at_once_took_no_day(exported: Path) -> None:
    """What is exported of it has a nought, not an empty cell."""
    (row,) = csv.DictReader(io.StringIO((exported / "csv" / "records.csv").read_text()))
    assert row["days_to_decision"] == "0"


def test_a_dossier_has_what_was_declared(exported: Path) -> None:
    """As JSON, as a table and on paper, each declaration is told with its whole sentence."""
    sentence = "This trade is for me alone, and for nobody connected to me."
    with zipfile.ZipFile(exported / "json.zip") as file:
        (whole,) = json.loads(file.read("records.json"))
    (row,) = (
        r
        for r in csv.DictReader(io.StringIO((exported / "csv" / "answers.csv").read_text()))
        if r["field"] == "is_related_party"
    )
    (told,) = (one for one in whole["answers"] if one["field"] == "is_related_party")
    assert told["declared"] == row["declared"] == sentence and told["shown"] == row["shown"] == f"No – {sentence}"
    paper = " ".join(
        " ".join(page.extract_text() for page in PdfReader(exported / "pdf" / "dossier.pdf").pages).split()
    )
    assert f"Connected person: No – {sentence}" in paper


def test_the_paper_has_every_letter_or_its_code_point(exported: Path) -> None:
    """Accents and letters beyond Latin-1 are written as they are; what the font lacks is named, and nothing is left out."""
    text = "".join(page.extract_text() for page in PdfReader(exported / "pdf" / "dossier.pdf").pages)
    assert "Zoë Łukasz [U+738B]" in text and "By submitting, you confirm" in text and NUMBER in text
    assert written("Größe ñ è Ж Ω ő") == "Größe ñ è Ж Ω ő"


def test_each_export_is_a_link_with_its_manifest(exported: Path) -> None:
    """The link has the hash of the manifest that was handed out, the filters and the rows."""
    found = [one for one in ask(exported / "var", readings) if one.reading.what != "open"]
    assert [one.reading.what for one in found] == ["export"] * 3
    manifest = json.loads((exported / "csv" / "manifest.json").read_text())["manifest"]
    assert found[0].reading.filters == manifest["filters"] == {"workflow": "pa_dealing", "format": "csv"}
    told = holdfast(
        "verify", "--export", str(exported / "csv"), "--public-key", str(exported / "public.pem"), var=exported
    )
    assert f"Manifest: {found[0].reading.hash}" in told.stdout
    assert holdfast("verify", var=exported / "var").returncode == 0


def test_an_export_overwrites_nothing(exported: Path, var: Path) -> None:
    """A folder that holds something is left as it is."""
    told = holdfast("export", "--workflow", "pa_dealing", "--output", str(exported / "csv"), var=var)
    assert told.returncode == 2 and "is there already" in told.stderr
    told = holdfast("export", "--workflow", "pa_dealing", "--format", "pdf", var=var)
    assert told.returncode == 2 and "--output FOLDER" in told.stderr


def test_filters_leave_out_what_is_not_asked_for(var: Path, tmp_path: Path) -> None:
    """By state and by day; an export of nothing is one as well, and says so."""
    for words in (("--state", "approved"), ("--until", "2020-01-01"), ("--since", "2999-01-01")):
        told = holdfast(
            "export", "--workflow", "pa_dealing", *words, "--output", str(tmp_path / f"{words[0]}.zip"), var=var
        )
        assert told.returncode == 0 and ": 0 records" in told.stdout
