"""Tables that an operator gives: whole or not at all, without a restart, and known by their hash wherever they are used."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.operations.files import References, refusals, taken_managers
from state.form.source import FormError
from state.record.filing import filed
from state.rules import Results
from state.workflow.load import Workflow
from tests.command import holdfast
from tests.shipped import shipped
from tests.whole.officers import cards, file_large
from tests.whole.test_delivery import said_in
from tests.workflows.dealing_cases import TODAY, Known, draft_of
from tests.world import world

FORM = "pa_dealing"
HEAD = "isin,sedol,cusip,ticker,symbol,name,exchange,market,kind,currency\n"
NEW = HEAD + "IE00B4L5Y983,,,NEWCO,NEWCO,Newcomer Holdings,XLON,London,share,GBP\n"
RATES = "currency,gbp,date,source\nGBP,1,{day},desk\nUSD,0.5,{day},desk\nEUR,0.9,{day},desk\n"


def put(var: Path, table: str, text: str, when: int = 1_700_000_000) -> Path:
    """A table as somebody laid it there a while ago."""
    file = var / "reference" / FORM / f"{table}.csv"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    os.utime(file, (when, when))
    return file


def references(var: Path) -> tuple[References, dict[str, Workflow]]:
    """The shipped workflow, and what replaces its tables."""
    workflows = {FORM: shipped(FORM)}
    return References(var, workflows), workflows


def found(workflows: Mapping[str, Workflow], query: str) -> list[str]:
    """Names that a look-up finds."""
    results = workflows[FORM].rules.lookups["securities"](query)
    assert isinstance(results, Results)
    return [option.facts["name"] for option in results.options]


def test_a_table_is_taken_while_the_bot_runs_and_the_shipped_one_stays_as_it_is(tmp_path: Path) -> None:
    """The next look-up finds what is in the new file, and says which file it was; others that were loaded keep theirs."""
    given, workflows = references(tmp_path)
    assert given.start() == [] and not found(workflows, "Newcomer") and found(workflows, "Tesco")
    put(tmp_path, "securities", NEW)
    assert (
        given.look() == [] and found(workflows, "Newcomer") == ["Newcomer Holdings"] and not found(workflows, "Tesco")
    )
    told = workflows[FORM].sources("2026-11-22")["securities"]
    assert len(told["sha256"]) == 64 and told["label"] == "Securities" and not shipped(FORM).taken


def test_a_firms_list_needs_four_columns(tmp_path: Path) -> None:
    """A list with ISIN, name, kind and currency is enough; what else it has is searched too, a ticker with or without its point."""
    given, workflows = references(tmp_path)
    put(
        tmp_path,
        "securities",
        "name,isin,kind,currency,ticker\nHarrowgate Mills plc,GB00B10RZP78,share,GBP,HM.\nA bond,DE0007164600,bond,EUR,\n",
    )
    assert given.start() == []
    searched = ("HM.", "HM", "$hm", "GB00B10RZP78", "harrowgate", "Harowgate")
    assert [found(workflows, query) for query in searched] == [["Harrowgate Mills plc"]] * len(searched)
    assert found(workflows, "bond") == ["A bond"] and not found(workflows, "Tesco")


WRONG = (
    ("securities", NEW + "US0378331006,,,AAPL,AAPL,An Apple,XNAS,Nasdaq,share,USD\n", 3, "no valid ISIN"),
    ("securities", NEW + "US0378331005,,,AAPL\n", 3, "4 cells"),
    ("securities", HEAD, 1, "no row"),
    ("securities", "isin\nUS0378331005\n", 1, "lacks the column"),
    ("fx", RATES.format(day="yesterday"), 2, "date like"),
    ("fx", RATES.format(day="2026-11-20").replace("0.9", "-0.9"), 4, "above zero"),
    ("restricted", "isin,since\nUS0378331005,2026-01-01\n", 1, "no table of pa_dealing that may be replaced"),
)


@pytest.mark.parametrize(
    ("table", "text", "line", "told"), WRONG, ids=[f"{table}: {told}" for table, _, _, told in WRONG]
)
def test_a_wrong_table_changes_nothing(tmp_path: Path, table: str, text: str, line: int, told: str) -> None:
    """Neither the table itself nor any other; the line to mend is named once, and the table before it stands, also after a restart."""
    given, workflows = references(tmp_path)
    put(tmp_path, "securities", NEW)
    assert given.start() == []
    put(tmp_path, table, text, 1_700_000_001)
    (refused,) = given.look()
    assert (refused.line, told in refused.text) == (line, True) and given.look() == []
    assert found(workflows, "Newcomer") and "restricted" not in workflows[FORM].taken
    again, anew = references(tmp_path)
    assert len(again.start()) == 1 and found(anew, "Newcomer")
    kept = tmp_path / "reference" / ".taken" / FORM
    assert [f.name for f in kept.iterdir()] == ["securities.csv"]


def test_half_a_file_does_not_count(tmp_path: Path) -> None:
    """While somebody still writes, what is there counts as nothing; once it is left alone it counts."""
    given, workflows = references(tmp_path)
    given.start()
    file = put(tmp_path, "securities", NEW, 4_000_000_000)
    assert given.look() == [] and not found(workflows, "Newcomer")
    os.utime(file, (1_700_000_000, 1_700_000_000))
    assert given.look() == [] and found(workflows, "Newcomer")


def test_a_file_that_is_taken_away_leaves_its_table(tmp_path: Path) -> None:
    """An operator's copying that begins by deleting does not bring the shipped figures back."""
    given, workflows = references(tmp_path)
    file = put(tmp_path, "securities", NEW)
    given.start()
    file.unlink()
    assert given.look() == [] and found(workflows, "Newcomer")
    again, anew = references(tmp_path)
    assert again.start() == [] and found(anew, "Newcomer")


def test_what_was_taken_and_cannot_be_read_any_more_stops_a_start(tmp_path: Path) -> None:
    """Nobody is judged by shipped figures because of a broken disk."""
    given, _ = references(tmp_path)
    put(tmp_path, "securities", NEW)
    given.start()
    (tmp_path / "reference" / ".taken" / FORM / "securities.csv").write_text("nonsense")
    with pytest.raises(FormError):
        references(tmp_path)[0].start()


def test_the_table_of_managers_is_every_forms(tmp_path: Path) -> None:
    """It lies beside the forms' folders and is taken like their tables; a wrong one leaves the one before, and one of another name is told."""
    given, _ = references(tmp_path)
    file, kept = tmp_path / "reference" / "managers.csv", taken_managers(tmp_path)
    file.parent.mkdir()
    rows = "person,manager,deputy\nU0ALEX,U0ROBIN,\n"
    file.write_text(rows)
    assert given.start() == [] and kept.read_text() == rows
    file.write_text(rows + "U0DANA,somebody,\n")
    file.with_name("manager.csv").write_text(rows)
    told = {one.file.name: (one.line, one.text) for one in references(tmp_path)[0].start()}
    assert told["managers.csv"][0] == 3 and "Did you mean `managers`" in told["manager.csv"][1]
    assert kept.read_text() == rows and {p.line for p in refusals(tmp_path, {})} == {1, 3}
    kept.write_text("nonsense")
    with pytest.raises(FormError):
        references(tmp_path)[0].start()


def test_check_names_the_line(tmp_path: Path) -> None:
    """Before a start, and without taking anything."""
    put(tmp_path, "fx", RATES.format(day="2026-11-20").replace("0.5", "half"))
    told = holdfast("check", var=tmp_path).stdout
    assert "fx.csv:3" in told and "half" in told and not (tmp_path / "reference" / ".taken").exists()


@pytest.mark.parametrize(
    ("day", "said", "risk"),
    [("2026-11-18", "rate is 2 days old", "LOW"), ("2025-11-01", "rate is 384 days old", "HIGH"), (None, "", "HIGH")],
)
async def test_one_old_or_missing_rate_is_judged_by_the_forms_own_rules(
    tmp_path: Path, day: str | None, said: str, risk: str
) -> None:
    """Older than the table, a rate is said to reviewers; older than it counts, or not there at all, the risk is HIGH."""
    given, workflows = references(tmp_path)
    put(tmp_path, "fx", f"currency,gbp,date,source\nGBP,1,{TODAY},desk\n" + (f"EUR,0.87,{day},desk\n" if day else ""))
    assert given.start() == []
    draft, workflow = draft_of(currency="EUR"), workflows[FORM]
    gathered = {**await workflow.rules.gather(draft, Known()), "sources": workflow.sources(TODAY)}
    filing = filed(workflow.form, workflow.rules, draft, gathered)
    assert filing.computed["risk"] == risk and said in " ".join(filing.background)


async def test_those_who_decide_read_how_old_rates_are(tmp_path: Path) -> None:
    """The card says of which day they are, the record's facts which file they came from, and operators hear once of a file that is wrong."""
    put(tmp_path, "fx", RATES.format(day="2026-11-01"))
    async with world(tmp_path, channels={"operators": "C0OPS"}) as w:
        w.sandbox.workspace.add_channel("C0OPS", "operators", ["U0DANA", w.sandbox.workspace.bot.user_id])
        await file_large(w)
        (card,) = cards(w)
        assert "Exchange rates are of" in card and "2026-11-01" in card
        given = (await w.records())[0].body["facts"]["sources"]["fx"]
        assert given["as_of"] == "2026-11-01" and given["late"] and "Exchange rates" not in w.transcript()
        put(tmp_path, "fx", RATES.format(day="2026-11-01").replace("0.5", "half"))
        assert w.bot.overseer is not None
        await w.bot.overseer.look()
        await w.bot.overseer.look()
        await w.sandbox.until(lambda: w.sandbox.workspace.channels["C0OPS"].messages)
        await w.settled()
        (told,) = await said_in(w, "C0OPS")
        assert "pa_dealing/fx.csv" in told and "Line 3" in told and "half" in told
