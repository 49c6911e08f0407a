"""The tables of the shipped workflows, as a company writes its own: slips are told at their lines with what was meant."""

import shutil
from pathlib import Path

import pytest

import bot.workflows
from state.form.source import FormError
from state.workflow.load import load_folder

SHIPPED = Path(bot.workflows.__file__).parent
CASES = {
    "a state": (
        "pa_dealing",
        "form.toml",
        'approve = "pending_compliance"',
        'approve = "pending_complience"',
        "`pending_compliance`",
    ),
    "a state's key": ("pa_dealing", "form.toml", 'by = "manager"', 'bye = "manager"', "`by`"),
    "a limit": ("pa_dealing", "policy.toml", "[rules.holding_period]", "[rules.holding_perod]", "`holding_period`"),
    "an advisory's field": (
        "pa_dealing",
        "policy.toml",
        'when = "is_leveraged"',
        'when = "is_levereged"',
        "`is_leveraged`",
    ),
    "a column": ("pa_dealing", "data/fx.csv", "currency,gbp,date", "curency,gbp,date", "`curency`"),
    "a figure": ("loan", "figures.toml", "[rules.usury_margin]", "[rules.usury_margn]", "`usury_margin`"),
    "a category": ("loan", "figures.toml", "mortgage_fixed = ", "mortgage_fixd = ", "`mortgage_fixed`"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_slip_in_a_table_is_told_at_its_line(tmp_path: Path, case: str) -> None:
    """A name that nothing knows is told where it stands."""
    workflow, file, right, wrong, meant = CASES[case]
    folder = tmp_path / workflow
    shutil.copytree(SHIPPED / workflow, folder, ignore=shutil.ignore_patterns("scenarios", "__pycache__"))
    text = (folder / file).read_text("utf-8")
    assert right in text
    (folder / file).write_text(text.replace(right, wrong), "utf-8")
    line = next(n for n, written in enumerate((folder / file).read_text("utf-8").splitlines(), 1) if wrong in written)
    with pytest.raises(FormError) as error:
        load_folder(folder)
    assert any(p.line == line and f"Did you mean {meant}?" in p.text for p in error.value.problems), str(error.value)
