"""Limits that belong together: wherever a form or a table beside it has two that contradict each other, the line is named."""

from pathlib import Path

import pytest

from bot.workflows import pa_dealing
from state.form.files import Files, contradictions
from state.form.source import FormError
from state.workflow.load import load_folder
from tests.forms.form_cases import FIELD, HEAD, marked, problems

DEALING = Path(pa_dealing.__file__).parent
LIST = """[lists.l]
title = "L"
by = "compliance"
file = "data/l.csv"
key = ["name"]
"""
NOTE = """[filing.states]
[filing.report]
day = "d"
[filing.report.fields.d]
kind = "date"
label = "D"
ask = "D?"
[filing.breaches]
by = "compliance"
[filing.note]
"""
CASES: dict[str, tuple[str, str]] = {
    "a list's column": (LIST
        + '[lists.l.columns.name]\n[lists.l.columns.n]\nkind = "number"\nminimum = 9 # <-\nmaximum = 1\n', "`minimum` is above `maximum`"),
    "how long things are kept": ("retention_months = 30 # <-\naudit_months = 24\n", "what is left of a record goes last"),
    "a reminder before its beginning": (NOTE + "days = 3\nremind = 30 # <-\n", "`remind` is above `days`"),
    "a tolerance that tolerates everything": (NOTE + "tolerance = 100 # <-\n", "`tolerance`"),
    "an operation's field": (
        '[operations.o]\ntitle = "O"\n[operations.o.fields.n]\nkind = "integer"\nlabel = "N"\nask = "N?"\nminimum = 3 # <-\nmaximum = 2\n',
        "`minimum` is above `maximum`",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_limits_of_a_form_that_contradict_each_other(tmp_path: Path, case: str) -> None:
    """The loader names the line to mend."""
    text, told = CASES[case]
    head = HEAD + (text if text.startswith("retention") else "")
    form = head + FIELD + ("" if text.startswith("retention") else text)
    found = problems(tmp_path / "small", form, data__l_csv="name,n\n")
    assert any(p.line == marked(form) and told in p.text for p in found), found


def test_limits_of_a_table_beside_a_form(tmp_path: Path) -> None:
    """Whatever a company calls its file, what holds from a day on does not end before that day."""
    own = "[rates.one]\nvalue = 1\neffective = 2027-01-01\nstale_after = 2026-01-01\n[[desk]]\nopens = 18:00:00\ncloses = 09:00:00\n"
    found = problems(tmp_path / "small", HEAD + FIELD, own_toml=own)
    assert [(p.file.name, p.line) for p in found] == [("own.toml", 3), ("own.toml", 6)]
    assert "`effective` is after `stale_after`" in found[0].text and "`opens` is after `closes`" in found[1].text


@pytest.mark.parametrize(
    ("was", "now", "table", "told"),
    [
        ("value = 1000000", "value = 99999", "[rules.medium_from]", "value of “medium_from” is higher than that of “high_above”"),
        ("value = 10000\n", "value = 100001\n", "[rules.auto_approve_below]", "higher than that of “medium_from”"),
        ("value = 2\n", "value = -2\n", "[rules.approval_validity]", "out of range"),
        ("value = 90\n", f"value = {'9' * 40}\n", "[rules.firm_traded_within]", ""),
    ],
)  # fmt: skip
def test_what_ships_is_held_against_what_an_upload_is(
    tmp_path: Path, was: str, now: str, table: str, told: str
) -> None:
    """A company's own policy.toml is refused where an upload of the same limits would be, at the limit's own lines."""
    over = tmp_path / "pa_dealing"
    over.mkdir()
    text = (DEALING / "policy.toml").read_text("utf-8")
    assert was in text
    (over / "policy.toml").write_text(text.replace(was, now, 1), "utf-8")
    with pytest.raises(FormError) as raised:
        load_folder(DEALING, (over,))
    at = 1 + (over / "policy.toml").read_text("utf-8").splitlines().index(table)
    found = raised.value.problems
    assert any(p.file == over / "policy.toml" and at <= p.line <= at + 1 and told in p.text for p in found), found


def test_a_chain_names_rows_that_there_are(tmp_path: Path) -> None:
    """A slip in a chain of limits is told, for nothing would be compared by it."""
    form = (
        HEAD
        + FIELD
        + LIST
        + 'fixed = true\nascending = { n = ["low", "hihg"] } # <-\n[lists.l.columns]\nname = {}\nn = { kind = "number" }\n'
    )
    found = problems(tmp_path / "small", form, data__l_csv="name,n\nlow,1\nhigh,2\n")
    assert [p.line for p in found] == [marked(form)] and "hihg" in found[0].text


def test_files_are_read_in_their_order(tmp_path: Path) -> None:
    """Only the file that counts is looked at: a company's own in the place of the workflow's."""
    for name, day in (("own", "2027-01-01"), ("theirs", "2025-01-01")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.toml").write_text(f"effective = 2026-01-01\nstale_after = {day}\n", "utf-8")
    assert not tuple(contradictions(Files((tmp_path / "own", tmp_path / "theirs"))))
    assert tuple(contradictions(Files((tmp_path / "theirs", tmp_path / "own"))))
