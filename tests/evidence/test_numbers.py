"""Numbers of records: each is given once, without a gap, and what was there before links had MACs is no fault."""

from datetime import UTC, datetime

from state.stores.evidence.audit import number_faults
from state.stores.evidence.found import Evidence, Facts


def told(
    issued: dict[str, list[str]], counters: dict[str, int] | None = None, facts: Facts | None = None, **entries: int
) -> list[str]:
    """Where something is wrong."""
    evidence = Evidence(datetime.now(UTC), {}, (), (), (), {}, frozenset(), counters=counters, entries=entries)
    return [fault.where for fault in number_faults(evidence, issued, facts or Facts())]


def filed(*numbers: int, series: str = "PA-2026") -> dict[str, list[str]]:
    """Each under a draft of its own."""
    return {f"{series}-{n:06d}": [f"d{n}"] for n in numbers}


def test_a_series_as_it_was_counted_has_no_fault() -> None:
    """Numbers in a row, with the counter at the newest; of another year, and of what is named otherwise, nothing is asked."""
    assert told({**filed(1, 2, 3), **filed(1, series="PA-2027"), "gifts-1": ["d9"]}, {"PA-2026": 3, "PA-2027": 1}) == []


def test_a_gap_is_told_once_however_wide_it_is() -> None:
    """Numbers that nobody filed and nobody removed are named from the first to the last."""
    assert told(filed(1, 3), {"PA-2026": 3}) == ["Record PA-2026-000002"]
    assert told(filed(2), {"PA-2026": 2}) == ["Record PA-2026-000001"]
    wide = told(filed(1, 900_000_000), {"PA-2026": 900_000_000})
    assert wide == ["Records PA-2026-000002 to PA-2026-899999999"]


def test_what_retention_removed_is_no_gap() -> None:
    """A number whose removal a link says was given, and is not given again."""
    gone = Facts(gone={"PA-2026-000002", "PA-2026-000004"})
    assert told(filed(1, 3), {"PA-2026": 4}, gone) == []
    assert told(filed(1, 3), {"PA-2026": 3}, gone) == ["Series PA-2026"]
    assert told(filed(1, 2, 3), {"PA-2026": 4}, gone) == ["Record PA-2026-000002"]


def test_a_number_of_two_drafts_is_told() -> None:
    """Where the database no longer keeps numbers apart, the links do."""
    assert told({"PA-2026-000001": ["d1", "d2"]}, {"PA-2026": 1}) == ["Record PA-2026-000001"]


def test_what_was_there_before_links_is_taken_as_it_was() -> None:
    """What had gone by then left no link: gaps up to there are none, a counter below it is a fault all the same."""
    before = Facts(before={"PA-2026-000002", "PA-2026-000005"})
    assert told(filed(2, 5), {"PA-2026": 6}, before) == []
    assert told(filed(2, 5, 7), {"PA-2026": 7}, before) == ["Record PA-2026-000006"]
    assert told(filed(2, 5), {"PA-2026": 4}, before) == ["Series PA-2026"]
    counted = Facts(before={"PA-2026-000002"}, counted={"PA-2026": 6, "health": 99, "custody:documents/d1": 3})
    assert told(filed(2), {"PA-2026": 6}, counted) == []
    assert told(filed(2), {"PA-2026": 7}, counted) == told(filed(2), {"PA-2026": 5}, counted) == ["Series PA-2026"]


def test_entries_and_exports() -> None:
    """A counter of entries below the highest that is there would give a number again; an export, without counters, is held by its numbers."""
    assert told({}, {"entries:T1:expenses": 1}, **{"entries:T1:expenses": 2}) == ["Series entries:T1:expenses"]
    assert told({}, {"entries:T1:expenses": 9}, **{"entries:T1:expenses": 2}) == [], (
        "a number may be taken and not used"
    )
    assert told(filed(1, 3)) == ["Record PA-2026-000002"] and told(filed(1, 2)) == []
