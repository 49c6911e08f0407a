"""Exports: every value with its provenance, and nothing that a spreadsheet would run."""

import csv
import io
import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from bot.exports.export import Wanted, wanted_text
from state.stores.cells import FORMULA, harmless
from tests.thoroughness import ANY
from tests.whole.steps import FILED, file_request
from tests.world import World, world


async def test_json_holds_everything_the_record_must_answer(tmp_path: Path) -> None:
    """Who said what, when, how and from which words; versions; the wording confirmed; what the rules computed."""
    async with world(tmp_path) as w:
        await file_request(w)
        (record,) = json.loads((await wanted_text(w.bot.store, Wanted("pa_dealing"), "json"))[1])
        assert {n: v["data"] for n, v in record["values"].items()} == FILED
        assert record["owner"] == "U0ALEX"
        assert all(
            v["provenance"]["at"] and v["provenance"]["how"] and v["provenance"]["words"]
            for v in record["values"].values()
        )
        assert record["versions"]["form"] and record["versions"]["rules"] and record["versions"]["prompt"]
        assert "By submitting, you confirm" in json.dumps(record["confirmed"])
        assert record["computed"]["risk"] == "LOW"
        await check_csv(w)


async def check_csv(w: World) -> None:
    """One row a value, in columns that say where it came from."""
    rows = list(csv.DictReader(io.StringIO((await wanted_text(w.bot.store, Wanted("pa_dealing"), "csv"))[1])))
    by_field = {row["field"]: row for row in rows}
    assert set(by_field) == set(FILED)
    assert by_field["quantity"]["value"] == "200" and by_field["quantity"]["how"] == "clicked"
    assert by_field["is_leveraged"]["words"] == "No"
    assert (
        by_field["is_leveraged"]["declared"] == "Tesco PLC is not a leveraged product."
        and not by_field["quantity"]["declared"]
    )


@given(st.text(ANY))
def test_no_cell_is_ever_a_formula(text: str) -> None:
    """Whatever a cell holds, it does not start like a formula, and nothing of it is lost."""
    made = harmless(text)
    assert not made.startswith(FORMULA) and not made.lstrip(" ").startswith(FORMULA)
    assert made in (text, f"'{text}")
