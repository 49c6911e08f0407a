"""What expenses tell: a file without formulas, a chart that is a picture, roles that are read from configuration."""

import base64
import csv
import io
from pathlib import Path

import pytest

from state.draft.operations import Ask, Identity, Result, Row
from state.fields.base import Context
from state.form.source import FormError
from state.workflow.load import load_folder
from tests.shipped import shipped

FOLDER = Path(__file__).parents[2] / "bot" / "workflows" / "expenses"
WORKFLOW = shipped("expenses")
ALEX = Identity("T1", "U0ALEX")


class Given:
    """Rows that the person may see."""

    def __init__(self, *rows: Row) -> None:
        self.rows = list(rows)

    async def all(self) -> list[Row]:
        """All of them."""
        return self.rows

    async def one(self, number: int) -> Row:
        """One of them."""
        return next(row for row in self.rows if row.number == number)

    async def number(self) -> int:
        """The next one's."""
        return len(self.rows) + 1


def row(number: int, item: str, amount: str, date: str, currency: str = "EUR", category: str | None = None) -> Row:
    """A row of Alex's."""
    body = {"item": item, "amount": amount, "date": date, "currency": currency, "category": category}
    return Row(number, "U0ALEX", body, 1)


async def run(operation: str, rows: Given, **arguments: str) -> Result:
    """What the operation comes to."""
    ask = Ask(operation, arguments, ALEX, Context("en-GB", "2026-11-20"))
    return await WORKFLOW.rules.operations[operation](ask, rows)


async def test_a_file_holds_no_formula() -> None:
    """A cell that a spreadsheet would run is quoted, whatever it begins with; plain cells are as they were."""
    nasty = ("=1+1", "+cmd", "-2", "@SUM(A1)", "\tx", "\rx", "coffee")
    rows = Given(*(row(n, item, "3.50", "2026-11-20") for n, item in enumerate(nasty, 1)))
    (sheet,) = (await run("export_expenses", rows)).files
    cells = [line["item"] for line in csv.DictReader(io.StringIO(sheet.text, newline=""))]
    assert cells == [*(f"'{item}" for item in nasty[:-1]), "coffee"]
    assert sheet.name.endswith(".csv")


async def test_a_summary_compares_with_the_month_before() -> None:
    """Each category and each currency by itself, with its change; the chart is a PNG, whatever people call things."""
    rows = Given(
        row(1, "dinner", "40.00", "2026-10-12", category="food"),
        row(2, "dinner", "50.00", "2026-11-12", category="food"),
        row(3, "taxi $5", "9.00", "2026-11-12", "GBP"),
    )
    result = await run("summarise_expenses", rows, range="2026-11-01/2026-11-30")
    told = [str(line) for line in result.told]
    assert any("Food: EUR 50.00 (+25 % on October 2026)" in line for line in told)
    assert any("No category: GBP 9.00" in line for line in told)
    assert result.facts == {"balance": {"EUR": "50.00", "GBP": "9.00"}}
    (sheet,) = result.files
    assert base64.b64decode(sheet.data)[:8] == b"\x89PNG\r\n\x1a\n"


def test_roles_come_from_configuration(tmp_path: Path) -> None:
    """A company's own roles.toml says who is an admin, per team; whoever it does not name is a member."""
    ours = tmp_path / "expenses"
    ours.mkdir()
    (ours / "roles.toml").write_text('[T1]\nfinance_admin = ["U0DANA"]\nsuper_admin = ["U0SAM"]\n')
    roles = load_folder(FOLDER, (ours,)).rules.roles
    assert roles.of("T1", "U0ALEX").roles == {"member"} and not roles.of("T1", "U0ALEX").wide
    assert roles.of("T1", "U0DANA").roles == {"member", "finance_admin"} and roles.of("T1", "U0DANA").wide
    assert "finance_admin" in roles.of("T1", "U0SAM").roles
    assert roles.of("T2", "U0DANA").roles == {"member"}
    (ours / "roles.toml").write_text('[T1]\nboss = ["U0DANA"]\n')
    with pytest.raises(FormError, match="boss"):
        load_folder(FOLDER, (ours,))
