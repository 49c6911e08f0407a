"""Lists from spreadsheets: what is read from a file, what is wrong with it, and what a new version would change."""

import csv
import io
import unicodedata
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.phrases import catalogue
from state.form.schema import ListColumn, ListTable
from state.lists.reading import SENTENCES, Reading, read_list, sentence, written
from state.lists.versions import Row, changes, fingerprint, key_of
from tests.thoroughness import ANY

RESTRICTED = ListTable(
    name="restricted", title="Restricted list", by="compliance", key=("isin",),
    columns={
        "isin": ListColumn(kind="identifier", scheme="isin", lookup="securities"),
        "name": ListColumn(required=False),
        "from": ListColumn(kind="date", also=("since", "ab")),
        "until": ListColumn(kind="date", required=False, not_before="from"),
        "note": ListColumn(required=False, max_length=60),
    },
)  # fmt: skip
LIMITS = ListTable(
    name="limits", title="Limits", by="compliance", key=("name",), fixed=True,
    columns={"name": ListColumn(), "value": ListColumn(kind="number", minimum=0, maximum=10_000_000)},
)  # fmt: skip
OPEN = ListTable(
    name="figures", title="Figures", by="compliance", key=("name",), ascending={"value": ("low", "middle", "high")},
    columns={
        "name": ListColumn(), "value": ListColumn(kind="number"), "unit": ListColumn(required=False),
        "effective": ListColumn(kind="date", required=False),
    },
)  # fmt: skip
ISINS = ("GB00BLGZ9862", "GB00BH4HKS39", "GB00BP6MXD84", "DE0007236101", "US0378331005")
TWO = ({"name": "high", "value": "1000000"}, {"name": "low", "value": "10000"})


def known(lookup: str, text: str) -> bool:
    return lookup == "securities" and text in ISINS


def read(text: str | bytes, table: ListTable = RESTRICTED, shipped: Sequence[Row] = ()) -> Reading:
    return read_list(table, text if isinstance(text, bytes) else text.encode(), known, shipped)


def row(isin: str, since: str, until: str = "", name: str = "", note: str = "") -> Row:
    return {"isin": isin, "name": name, "from": since, "until": until, "note": note}


TESCO = (row("GB00BLGZ9862", "2026-11-20", "2026-12-31", "Tesco, PLC", "Übernahme"),)
SPREADSHEETS = {
    "English": 'isin,name,from,until,note\nGB00BLGZ9862,"Tesco, PLC",2026-11-20,2026-12-31,Übernahme\n'.encode(),
    "with a mark and Windows' line ends": b"\xef\xbb\xbfisin,name,from,until,note\r\n"
    + 'GB00BLGZ9862,"Tesco, PLC",2026-11-20,2026-12-31,Übernahme\r\n'.encode(),
    "German": "isin;name;from;until;note\r\nGB00BLGZ9862;Tesco, PLC;20.11.2026;31.12.2026;Übernahme\r\n".encode("cp1252"),
    "with a hint": "sep=;\nISIN;Name;From;Until;Note\nGB00BLGZ9862;Tesco, PLC;20.11.2026;31.12.2026;Übernahme\n".encode(),
    "Italian": 'isin;name;from;until;note\nGB00BLGZ9862;"Tesco, PLC";"20/11/2026";31/12/2026;Übernahme\n'.encode(),
    "tabs in UTF-16": "isin\tname\tfrom\tuntil\tnote\nGB00BLGZ9862\tTesco, PLC\t2026-11-20\t2026-12-31\tÜbernahme\n".encode("utf-16"),
    "American days": 'isin,name,from,until,note\nGB00BLGZ9862,"Tesco, PLC",11/20/2026,12/31/2026,Übernahme\n'.encode(),
    "columns in another order, one called otherwise": "note;until;ab;name;isin\nÜbernahme;31.12.2026;20.11.2026;Tesco, PLC;gb00blgz9862\n".encode(),
    "comments above, empty lines between": b"# ours\n\n"
    + 'isin,name,from,until,note\n,,,,\nGB00BLGZ9862,"Tesco, PLC",2026-11-20,2026-12-31,Übernahme\n\n'.encode(),
    "moments for days": 'isin,name,from,until,note\nGB00BLGZ9862,"Tesco, PLC",2026-11-20 00:00:00,2026-12-31T00:00:00,Übernahme\n'.encode(),
}  # fmt: skip


@pytest.mark.parametrize("program", SPREADSHEETS)
def test_a_spreadsheet_of_any_language_reads_alike(program: str) -> None:
    """Encodings, separators, order and names of columns, and the ways in which days are written make no difference."""
    assert read(SPREADSHEETS[program]) == Reading(TESCO)


def test_columns_that_may_be_left_out() -> None:
    """A file with the needed columns alone is whole."""
    assert read("isin,since\nGB00BLGZ9862,2026-11-20\n") == Reading((row("GB00BLGZ9862", "2026-11-20"),))


@pytest.mark.parametrize(
    ("written_", "value"),
    [("10000", "10000"), ("10.000", "10000"), ("10,000", "10000"), ("10 000", "10000"), ("10’000", "10000"), ("10.000,00", "10000"),
     ("1,000,000.00", "1000000"), ("30,0", "30"), ("0", "0")],
)  # fmt: skip
def test_a_number_in_any_language(written_: str, value: str) -> None:
    """Thousands are grouped as the language does, and a whole number may have a decimal part of zeros."""
    text = f'name;value\nhigh;1000000\nlow;"{written_}"\n'
    assert read(text, LIMITS, TWO).rows == (TWO[0], {"name": "low", "value": value})


HEAD = "isin,name,from,until,note\n"
WRONG: dict[str, tuple[str | bytes, int, str]] = {
    "spreadsheet workbook": (b"PK\x03\x04rest", 0, "Save the sheet as CSV"),
    "no text": (b"\x00\x01\x02isin", 0, "can't read this file as text"),
    "nothing": ("", 0, "This file is empty"),
    "another heading": ("wkn,from\n1,2\n", 1, "“wkn”, which is not a column"),
    "no heading at all": ("GB00BLGZ9862,Tesco,2026-11-20,,\n", 1, "isin is missing from the heading"),
    "a column twice": ("isin,from,from\nGB00BLGZ9862,2026-11-20,2026-11-21\n", 1, "has from twice"),
    "a wrong check digit": (HEAD + "GB00BLGZ9863,,2026-11-20,,\n", 2, "not a valid ISIN"),
    "an unknown security": (HEAD + "IE00B4L5Y983,,2026-11-20,,\n", 2, "“IE00B4L5Y983” is unknown"),
    "not a date": (HEAD + "GB00BLGZ9862,,soon,,\n", 2, "“soon” is not a date"),
    "no such day": (HEAD + "GB00BLGZ9862,,31.11.2026,,\n", 2, "is not a date"),
    "either of two days": (HEAD + "GB00BLGZ9862,,03/04/2026,,\n", 2, "could be two dates"),
    "an end before its beginning": (HEAD + "GB00BLGZ9862,,2026-11-20,2026-11-19,\n", 2, "until is before from"),
    "nothing where something is needed": (HEAD + "GB00BLGZ9862,,,,\n", 2, "from is empty"),
    "twice": (HEAD + "GB00BLGZ9862,,2026-11-20,,\nGB00BH4HKS39,,2026-11-20,,\ngb00blgz9862,,2026-11-21,,\n", 4, "already in line 2"),
    "a formula": (HEAD + 'GB00BLGZ9862,"=cmd|x",2026-11-20,,\n', 2, "like a formula"),
    "too long": (HEAD + f"GB00BLGZ9862,,2026-11-20,,{'x' * 61}\n", 2, "longer than 60"),
    "too many cells": (HEAD + "GB00BLGZ9862,Tesco, PLC,2026-11-20,,x\n", 2, "more cells than the 5"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_told_by_its_line(case: str) -> None:
    """Each line that cannot be taken is named with what to do, and nothing of such a file counts."""
    text, line, says = WRONG[case]
    reading = read(text)
    told = [(one.line, sentence(one)) for one in reading.findings]
    assert reading.rows == () and any(at == line and says in said for at, said in told), told


FIGURES = "name,value,unit,effective\n"
ABSURD: dict[str, tuple[str | bytes, int]] = {
    "a number of 5,000 digits": (f"{FIGURES}low,{'9' * 5000},,\n", 2),
    "one of 5,000 digits in groups": (f'{FIGURES}low,"{"999," * 1600}999",,\n', 2),
    "one of 5,000 digits below zero": (f"{FIGURES}low,-{'9' * 5000},,\n", 2),
    "more than a spreadsheet keeps": (f"{FIGURES}high,1,,\nlow,1234567890123456,,\n", 3),
    "Arabic digits": (f"{FIGURES}low,٣٤,,\n", 2),
    "full-width digits": (f"{FIGURES}low,３４,,\n", 2),
    "a power": (f"{FIGURES}low,1e999,,\n", 2),
    "no number": (f"{FIGURES}low,NaN,,\n", 2),
    "infinity": (f"{FIGURES}low,-Infinity,,\n", 2),
    "a fraction": (f"{FIGURES}low,½,,\n", 2),
    "a number in hexadecimal": (f"{FIGURES}low,0x10,,\n", 2),
    "a formula in a name": (f"{FIGURES}=1+1,5,,\n", 2),
    "a formula in full width": (f"{FIGURES}＝HYPERLINK(1),5,,\n", 2),
    "a formula for a number": (f"{FIGURES}low,=2*3,,\n", 2),
    "a NUL": (f"{FIGURES}low,5,,\nhi\0gh,6,,\n", 3),
    "a direction mark": (f"{FIGURES}low,5,\u202egnp.exe,\n", 2),
    "a mark of an encoding in a cell": (f"{FIGURES}low,5,\ufeffGBP,\n", 2),
    "two marks of an encoding": ("\ufeff\ufeff" + FIGURES + "low,5,,\n", 1),
    "a zero-width space in the heading": ("name,va\u200blue\nlow,5\n", 1),
    "a name of 5,000 letters": (f"{FIGURES}{'x' * 5000},5,,\n", 2),
    "a cell of 200,000 letters": (f"{FIGURES}low,5,,\n{'x' * 200_000},5,,\n", 3),
    "a line of 1,000 cells": (f"{FIGURES}low,5{',x' * 1000}\n", 2),
    "a cell without a heading": ("name,value,\nlow,5,6\n", 2),
    "100,000 lines": (FIGURES + "low,5,,\n" * 100_000, 0),
    "the year 0": (f"{FIGURES}low,5,,0000-01-01\n", 2),
    "a day in another script's digits": (f"{FIGURES}low,5,,２０２６-11-20\n", 2),
    "UTF-8 with a broken letter": (f"{FIGURES}low,5,Gebühr,\n".encode() + b"high,6,\xff,\n", 3),
    "UTF-16 without its mark": (FIGURES.encode("utf-16-le"), 0),
    "UTF-32": (FIGURES.encode("utf-32"), 0),
    "half of UTF-16": (FIGURES.encode("utf-16")[:-1], 1),
    "a byte that Windows has not": (f"{FIGURES}low,5,,\n".encode() + b"h\x81gh,6,,\n", 3),
    "a quote that never ends": (f'{FIGURES}low,5,"GBP,\n' + "x" * 200_000, 2),
}  # fmt: skip


@pytest.mark.parametrize("case", ABSURD)
def test_what_is_absurd_is_told_by_its_line(case: str) -> None:
    """Whatever a cell holds ends in a sentence beside its line, and nothing of the file counts."""
    text, line = ABSURD[case]
    reading = read(text, OPEN)
    told = [(one.line, sentence(one)) for one in reading.findings]
    assert reading.rows == () and line in {at for at, _ in told}, told


def test_limits_that_contradict_each_other() -> None:
    """A limit above the one that comes after it is told at its line, by what the numbers are and not by their letters."""
    told = [(f.line, sentence(f)) for f in read(f"{FIGURES}high,90,,\nmiddle,100,,\nlow,5,,\n", OPEN).findings]
    assert told == [(3, "value of “middle” is higher than that of “high”. Correct one of them.")]
    assert read(f"{FIGURES}high,1000,,\nmiddle,1000,,\nlow,5,,\n", OPEN).rows, "equal ones leave nothing between them"
    assert read(f"{FIGURES}high,5,,\n", OPEN).rows, "what is absent contradicts nothing"


def test_a_rule_that_fails_on_a_row() -> None:
    """What a workflow's own Python cannot read is told by its line like anything else."""

    def broken(row: Row) -> str:
        raise ArithmeticError(row["value"])

    def lost(_lookup: str, _text: str) -> bool:
        raise RecursionError

    content = b"name,value\nlow,1\n"
    assert [(f.line, f.key) for f in read_list(OPEN, content, known, vet=broken).findings] == [(2, "list_unread")]
    found = read_list(RESTRICTED, b"isin,from\nGB00BLGZ9862,2026-11-20\n", lost).findings
    assert [(f.line, f.key) for f in found] == [(2, "list_unknown")]


def test_fixed_rows_stay_the_same() -> None:
    """A list of fixed rows takes other values, and neither a row more nor one less."""
    assert read("name,value\nlow,1\nhigh,2\n", LIMITS, TWO).rows == (
        {"name": "low", "value": "1"},
        {"name": "high", "value": "2"},
    )
    told = [sentence(one) for one in read("name,value\nlow,1\nmiddle,2\n", LIMITS, TWO).findings]
    assert any("“high” is missing" in one for one in told) and any("“middle” is not a row" in one for one in told)


def test_a_rule_of_the_workflows_own() -> None:
    """What no column can say of a row is told by its line as well."""
    content = b"name,value\nlow,1\nhigh,2\n"
    reading = read_list(LIMITS, content, known, TWO, lambda row: "Not even." if row["value"] == "1" else "")
    assert [(one.line, sentence(one)) for one in reading.findings] == [
        (2, "A rule of this form doesn't allow that: Not even.")
    ]


def test_every_sentence_is_the_catalogues() -> None:
    """What `holdfast check` says of a list that ships is what App Home says of one that is uploaded."""
    english = catalogue("en")
    assert {key: english[key] for key in SENTENCES} == SENTENCES


days = st.dates().map(lambda day: day.isoformat())
plain = st.text(st.characters(exclude_categories=("C", "Z")), max_size=8)
cells = (
    st.lists(plain, max_size=3)
    .map(" ".join)
    .map(lambda text: " ".join(text.split()))
    .filter(lambda text: not unicodedata.normalize("NFKC", text).startswith(("=", "+", "-", "@")))
)
lists = st.lists(
    st.tuples(st.sampled_from(ISINS), days, cells, cells), unique_by=lambda one: one[0], max_size=5
).map(lambda some: tuple(row(isin, day, name=name, note=note) for isin, day, name, note in some))  # fmt: skip


@given(lists)
def test_what_is_downloaded_and_uploaded_changes_nothing(rows: tuple[Row, ...]) -> None:
    """A version as a file reads back as the same rows, whatever stands in them."""
    again = read(written(RESTRICTED, rows))
    assert again == Reading(rows) and not changes(RESTRICTED, rows, again.rows)
    assert fingerprint(again.rows) == fingerprint(rows)


@given(lists, lists)
def test_a_preview_that_is_applied_makes_the_next_version(before: tuple[Row, ...], after: tuple[Row, ...]) -> None:
    """What is shown as removed, added and changed makes one list of the other, and nothing else differs."""
    shown = changes(RESTRICTED, before, after)
    made = {key_of(RESTRICTED, one): dict(one) for one in before}
    for one in shown.removed:
        del made[key_of(RESTRICTED, one)]
    made |= {key_of(RESTRICTED, one): dict(one) for one in shown.added}
    for change in shown.changed:
        target = made[(change.key.casefold(),)]
        for name, was, will in change.cells:
            assert target[name] == was
            target[name] = will
    assert made == {key_of(RESTRICTED, one): dict(one) for one in after}
    assert len(shown.added) + len(shown.changed) + shown.kept == len(after)


@given(st.binary(max_size=300))
def test_no_file_breaks_the_reading(content: bytes) -> None:
    """Whatever the file holds, it is read or refused in words."""
    reading = read(content)
    assert not reading.rows or not reading.findings
    assert all(sentence(one) for one in reading.findings)


@given(st.lists(st.lists(st.text(ANY, max_size=12), max_size=5), max_size=6))
def test_no_cell_breaks_the_reading(rows: list[list[str]]) -> None:
    """Whatever stands in the cells of a table, each is taken in its canonical form or told by its line."""
    out = io.StringIO(newline="")
    csv.writer(out).writerows([["name", "value", "unit", "effective"], *rows])
    reading = read(out.getvalue().encode("utf-8", "surrogatepass"), OPEN)
    assert all(one["value"].lstrip("-").isascii() and one["value"].lstrip("-").isdigit() for one in reading.rows)
    assert all(sentence(one) for one in reading.findings)
