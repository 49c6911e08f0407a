"""Finding a security in the shipped table, and in one of a company's own."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import isin

from state.form.source import FormError
from state.workflow.load import load_all
from tests.thoroughness import ANY
from tests.workflows.dealing_cases import DEALING, FOLDER

TESCO, TESLA, BARCLAYS, APPLE = "GB00BLGZ9862", "US88160R1014", "GB0031348658", "US0378331005"
HEADER = "isin,sedol,cusip,ticker,symbol,name,exchange,market,kind,currency\n"

QUERIES: dict[str, tuple[bool, list[str]]] = {
    "GB00BLGZ9862": (True, [TESCO]),
    " gb00 blgz 9862 ": (True, [TESCO]),
    "ISIN GB00BLGZ9862 please": (True, [TESCO]),
    "BLGZ986": (True, [TESCO]),
    "3134865": (True, [BARCLAYS]),
    "037833100": (True, [APPLE]),
    "TSCO": (True, [TESCO]),
    "tsco": (True, [TESCO]),
    "TSCO.L": (True, [TESCO]),
    "$AAPL": (True, [APPLE]),
    "Tesco": (False, [TESCO]),
    "tesco plc": (False, [TESCO]),
    "te": (False, [TESCO, TESLA]),
    "apple or tesla": (False, [APPLE, TESLA]),
    "200 Tesco for my pension": (False, [TESCO]),
    "100 AAPL": (False, [APPLE]),
    "3134865 Tesco shares": (False, [TESCO]),
    "Tesko": (False, [TESCO]),
    "Barclys": (False, [BARCLAYS]),
    "1": (False, []),
    "2": (False, []),
    "200": (False, []),
    "f": (False, []),
    "": (False, []),
    "🚀": (False, []),
    "plc": (False, []),
    "buy some shares please": (False, []),
    "US0378331004": (False, []),
    "GB0002634946": (False, []),
    "Northmoor Rockets": (False, []),
}


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_finds_what_it_names(query: str) -> None:
    """Identifiers and tickers are exact; names, and words spelt otherwise, give a list; bare numbers find nothing."""
    results = DEALING.rules.lookups["securities"](query)
    assert (results.exact, [o.id for o in results.options]) == QUERIES[query]


def test_a_result_shows_what_tells_it_apart() -> None:
    """A result is labelled with name and ISIN, and shows ticker and market; its facts hold the kind that the rules judge by."""
    (tesco,) = DEALING.rules.lookups["securities"]("Tesco").options
    assert (tesco.label, tesco.detail) == ("Tesco PLC (GB00BLGZ9862)", "TSCO · London")
    assert (tesco.facts["name"], tesco.facts["kind"], tesco.facts["exchange"]) == ("Tesco PLC", "share", "XLON")


@given(st.integers(0, 10**9), st.sampled_from(["{}", "{:,}", "{}.", "0{}", "#{}"]))
def test_a_bare_number_is_never_a_security(number: int, written: str) -> None:
    """A number finds nothing, unless all of it is the SEDOL or CUSIP of a known security."""
    text = written.format(number)
    results = DEALING.rules.lookups["securities"](text)
    assert not results.options or (results.exact and text in (results.options[0].id[4:11], results.options[0].id[2:11]))


@given(st.text(ANY, max_size=40))
def test_any_query_has_an_answer(text: str) -> None:
    """Whatever is typed, at most five results come back."""
    assert len(DEALING.rules.lookups["securities"](text).options) <= 5


def test_the_shipped_table_holds_real_identifiers() -> None:
    """Every shipped security has a valid ISIN, a CUSIP only where a US ISIN holds it, and no identifier twice."""
    lines = [line for line in (FOLDER / "data/securities.csv").read_text().splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines))
    assert len(rows) == 20
    assert all(isin.is_valid(row["isin"]) for row in rows)
    assert all(row["cusip"] == (row["isin"][2:11] if row["isin"].startswith("US") else "") for row in rows)
    assert all(row["sedol"] in ("", row["isin"][4:11]) for row in rows)
    for column in ("isin", "ticker", "symbol", "name"):
        assert len({row[column] for row in rows}) == len(rows)


def over(tmp_path: Path, file: str, text: str) -> Path:
    """A company's folder with one file of its own."""
    place = tmp_path / "ours" / "pa_dealing" / file
    place.parent.mkdir(parents=True)
    place.write_text(text, encoding="utf-8")
    return tmp_path / "ours"


def test_a_company_brings_its_own_table(tmp_path: Path) -> None:
    """A securities table in a folder of the company's own takes the place of the shipped one."""
    ours = over(tmp_path, "data/securities.csv", HEADER + "DE0007164600,,,SAP,SAP.DE,SAP SE,XETR,Xetra,share,EUR\n")
    look = load_all([FOLDER, ours])["pa_dealing"].rules.lookups["securities"]
    assert [o.id for o in look("sap").options] == ["DE0007164600"]
    assert look("Tesco").options == ()


BROKEN = {
    "wrong ISIN": (
        "data/securities.csv",
        HEADER + "DE0007164601,,,SAP,,SAP SE,XETR,Xetra,share,EUR\n",
        2,
        "no valid ISIN",
    ),
    "wrong SEDOL": (
        "data/securities.csv",
        HEADER + "GB00BLGZ9862,BLGZ987,,T,,Tesco,XLON,,share,GBP\n",
        2,
        "no valid SEDOL",
    ),
    "no kind": ("data/securities.csv", HEADER + "GB00BLGZ9862,,,T,,Tesco,XLON,,,GBP\n", 2, "The kind is empty"),
    "no date": ("data/restricted.csv", "isin,since\nGB00BLGZ9862,soon\n", 2, "is not a date"),
    "no rate": ("data/fx.csv", "currency,gbp,date,source\nEUR,much,2026-11-02,x\n", 2, "not a number"),
    "zero rate": ("data/fx.csv", "currency,gbp,date,source\n# x\nEUR,0,2026-11-02,x\n", 3, "above zero"),
    "no column": ("data/firm_trades.csv", "isin,date\n", 1, "lacks the column side"),
    "policy without a rule": ("policy.toml", 'version = "1"\n[rules]\n', 2, "[rules.holding_period] is missing"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_table_is_told_with_its_line(tmp_path: Path, case: str) -> None:
    """A company's file that cannot be used stops the start, with the line to mend."""
    file, text, line, says = BROKEN[case]
    with pytest.raises(FormError) as error:
        load_all([FOLDER, over(tmp_path, file, text)])
    told = [p for p in error.value.problems if says in p.text]
    assert [(p.file.name, p.line) for p in told[:1]] == [(Path(file).name, line)], error.value.problems
