"""The CSV drop: one file a day for each form, whole at every moment, each step in it once."""

import csv
import io
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from bot.exports.sink_delivery import append
from bot.exports.sinks import Sink, payload
from bot.slack.errors import Undelivered
from state.draft.draft import Provenance, Value
from tests.sinks.sinking import FORM, sinking, step

SINK = Sink(kind="csv", forms=(FORM,), folder="drop")
TOML = f'[sinks.drop]\nkind = "csv"\nforms = ["{FORM}"]\nfolder = "drop"\n'


def rows(file: Path) -> list[dict[str, str]]:
    """What a spreadsheet finds in it."""
    return list(csv.DictReader(io.StringIO(file.read_text("utf-8"), newline="")))


async def test_a_day_of_a_form_is_one_file(tmp_path: Path) -> None:
    """Rows come under one header, in order; delivered again they are there already; a folder that is missing is told, and gets what waited."""
    async with sinking(tmp_path, TOML) as s:
        await s.until_idle(step())
        assert await s.stuck() == [("blocked", "disk_enoent")]
        (tmp_path / "drop").mkdir()
        await s.again()
        await s.until_idle(step(number=2), step("executed", 8, 2, "approved"))
        (file,) = (tmp_path / "drop").glob("*.csv")
        assert file.name == "pa_dealing-2026-11-22.csv" and await s.stuck() == []
        assert [(r["key"], r["state"]) for r in rows(file)] == [
            (step().key, "approved"), (step(number=2).key, "approved"), (step("executed", 8, 2, "approved").key, "executed"),
        ]  # fmt: skip
        assert not append(tmp_path / "drop", SINK, payload(SINK, step())) and len(rows(file)) == 3


def test_other_columns_begin_another_file(tmp_path: Path) -> None:
    """A header never changes below what stands there, and a step that is in either file is in none again."""
    wide = SINK.model_copy(update={"fields": ("owner", "decisions")})
    assert append(tmp_path, SINK, payload(SINK, step())) and append(tmp_path, wide, payload(wide, step(number=2)))
    assert [f.name for f in sorted(tmp_path.glob("*.csv"))] == [
        "pa_dealing-2026-11-22-2.csv",
        "pa_dealing-2026-11-22.csv",
    ]
    assert not append(tmp_path, wide, payload(wide, step()))
    assert append(tmp_path, SINK, payload(SINK, step(number=3)))
    assert len(rows(tmp_path / "pa_dealing-2026-11-22.csv")) == 2


def test_an_answer_leaves_with_what_it_declares(tmp_path: Path) -> None:
    """A sink that lets an answer out lets its sentence out: beside the answers in JSON, behind the answer in a cell; of others none."""
    sink = SINK.model_copy(update={"fields": ("answers.is_leveraged", "answers.quantity")})
    values = {
        n: Value(data, Provenance("U0ALEX", "2026-11-22T09:00:00+00:00", "clicked"), declared=text)
        for n, data, text in (
            ("is_leveraged", False, "It is not."),
            ("is_derivative", False, "Nor this."),
            ("quantity", 200, ""),
        )
    }
    one = step()
    told = payload(sink, replace(one, draft=replace(one.draft, values=values)))
    assert (told["answers"], told["declared"]) == (
        {"is_leveraged": False, "quantity": 200},
        {"is_leveraged": "It is not."},
    )
    assert append(tmp_path, sink, told)
    (row,) = rows(tmp_path / "pa_dealing-2026-11-22.csv")
    assert (row["answers.is_leveraged"], row["answers.quantity"]) == ("no – It is not.", "200")


def test_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    """Several processes, or replicas, that share the folder write one after the other, and leave nothing half-written beside it."""
    told = [payload(SINK, step(number=n)) for n in range(12)]
    writers = [threading.Thread(target=append, args=(tmp_path, SINK, one)) for one in told * 2]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    (file,) = tmp_path.glob("*.csv")
    assert sorted(r["key"] for r in rows(file)) == sorted(one["key"] for one in told)
    assert {f.name for f in tmp_path.iterdir()} == {file.name, ".lock"}


@pytest.mark.parametrize("words", ["=1+1", "+cmd", "@x", " -2", 'a "quote", a comma\nand a line'])
def test_no_cell_is_a_formula(tmp_path: Path, words: str) -> None:
    """What a person wrote is text in every spreadsheet."""
    sink = SINK.model_copy(update={"fields": ("answers.justification",)})
    told = {**payload(sink, step()), "answers": {"justification": words}}
    append(tmp_path, sink, told)
    (row,) = rows(next(tmp_path.glob("*.csv")))
    assert row["answers.justification"].lstrip("'") == words and row["answers.justification"][0] not in "=+@"


def test_a_folder_that_may_not_be_written_is_somebodys_to_mend(tmp_path: Path) -> None:
    """The reason is the system's own word for it, and names no path."""
    (tmp_path / "file").write_text("")
    with pytest.raises(Undelivered, match="disk_enotdir"):
        append(tmp_path / "file", SINK, payload(SINK, step()))
