"""Limits on what a person's records come to together: the form says the span of days, the facts say what was filed before."""

from pathlib import Path
from typing import Any

import pytest

from state.draft.criteria import EARLIER, earlier
from state.form.filing import DECIDED
from tests.forms.filing_cases import GIFTS, filing_of, gifts
from tests.forms.form_cases import MARK, marked, problems, told_at

OVER = '[[filing.rules]]\nstate = "pending_manager"\nover = {{ {} }}\nreason = "Over."\n'
ELSE = '[[filing.rules]]\nstate = "approved"\notherwise = true\n'
YEAR, DAYS = 'sum = "value", per = "year", limit = "GBP 250"', 'sum = "value", days = 30, limit = "GBP 250"'
BY_DAY = f'{DAYS}, by = "day"'


def before(*records: tuple[str, str, str], state: str = "approved", **values: Any) -> dict[str, Any]:
    """Records as they are gathered: the day of filing, the value and its currency of each."""
    filed = [
        {
            "number": f"GIFT-{n}",
            "state": state,
            "day": day,
            "values": {k: {"data": v} for k, v in {"value": value, "currency": code, **values}.items()},
        }
        for n, (day, value, code) in enumerate(records, 1)
    ]
    return {"records": filed}


def state_of(folder: Path, over: str, held: dict[str, Any], today: str = "2026-11-20", **changed: Any) -> str:
    """What a gift becomes beside earlier ones."""
    form = gifts(folder, OVER.format(over) + ELSE)
    facts = {EARLIER: earlier(form, held["records"], today)}
    return filing_of(form, facts=facts, **changed).state


JAN, OCT, NOV = ("2026-01-01", "200.00", "GBP"), ("2026-10-22", "200.00", "GBP"), ("2026-11-20", "200.00", "GBP")
LAST = ("2025-12-31", "200.00", "GBP")
HOLDS: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "earlier ones count": (YEAR, before(NOV), "50.01", "pending_manager"),
    "the limit itself is not past it": (YEAR, before(NOV), "50.00", "approved"),
    "one alone may be past it": (YEAR, before(), "250.01", "pending_manager"),
    "the year begins on its first day": (YEAR, before(JAN), "60.00", "pending_manager"),
    "last year is over": (YEAR, before(LAST), "60.00", "approved"),
    "several add up": (YEAR, before(("2026-03-01", "100.00", "GBP"), ("2026-04-01", "100.00", "GBP")), "51.00", "pending_manager"),
    "thirty days hold thirty": (DAYS, before(OCT), "60.00", "pending_manager"),
    "and not one more": (DAYS, before(("2026-10-21", "200.00", "GBP")), "60.00", "approved"),
    "spans are not joined": (DAYS, before(("2026-10-25", "100.00", "GBP"), ("2026-09-28", "200.00", "GBP")), "100.00", "approved"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOLDS)
def test_earlier_records_count_towards_a_limit(tmp_path: Path, case: str) -> None:
    """What was filed within the span and what is filed now are added up to the cent, and the limit itself is not past it."""
    over, held, value, wanted = HOLDS[case]
    assert state_of(tmp_path, over, held, value=value) == wanted


@pytest.mark.parametrize(
    ("state", "wanted"),
    [("blocked", "approved"), ("declined", "approved"), ("withdrawn", "approved"), ("expired", "approved")]
    + [(s, "pending_manager") for s in ("received", "escalated", "pending_compliance", "executed", "noted")],
)
def test_what_did_not_take_place_counts_nothing(tmp_path: Path, state: str, wanted: str) -> None:
    """A record that was blocked, declined, withdrawn or has expired counts towards no limit; every other one does."""
    assert state_of(tmp_path, YEAR, before(NOV, state=state), value="60.00") == wanted


def test_a_form_says_which_of_its_states_count(tmp_path: Path) -> None:
    """A state with `counts = false` counts nothing, and one with `counts = true` does, whatever its name."""
    states = '[filing.states.returned]\nlabel = "Returned"\ncounts = false\n[filing.states.declined]\nlabel = "No"\ncounts = true\n'
    form = gifts(tmp_path, states + OVER.format(YEAR) + ELSE)
    for state, wanted in (("returned", "approved"), ("declined", "pending_manager")):
        facts = {EARLIER: earlier(form, before(NOV, state=state)["records"], "2026-11-20")}
        assert filing_of(form, facts=facts, value="60.00").state == wanted


def test_a_day_of_the_forms_own_decides_where_it_says_so(tmp_path: Path) -> None:
    """With `by` the span is that of the days that people told, whichever record was filed first."""
    for day, wanted in (("2026-06-15", "pending_manager"), ("2026-08-15", "approved")):
        told = before(("2026-11-19", "200.00", "GBP"), day=day)
        assert state_of(tmp_path, BY_DAY, told, value="60.00", day="2026-06-10") == wanted


def test_only_alike_records_count_where_the_form_says_so(tmp_path: Path) -> None:
    """With `same` a record counts where it has the same answer, however that was spelt."""
    over = f'{YEAR}, same = ["note", "country"]'
    for note, wanted in (("  Fine   WINE", "pending_manager"), ("cheese", "approved")):
        assert state_of(tmp_path, over, before(NOV, note=note, country="GB"), value="60.00", note="fine wine") == wanted


def test_other_currencies_go_to_a_person(tmp_path: Path) -> None:
    """What cannot be added up is in doubt: the record names it, and nobody's approval is taken for granted."""
    form = gifts(tmp_path, OVER.format(YEAR) + ELSE)
    facts = {EARLIER: earlier(form, before(("2026-11-01", "5.00", "EUR"))["records"], "2026-11-20")}
    found = filing_of(form, facts=facts, value="5.00")
    told = "Value in GIFT-1 is in EUR and the limit in GBP, so a person decides."
    assert found.state == "pending_manager" and found.told == (told,) and found.reasons[0] == told
    assert filing_of(form, value="5.00", currency="EUR").state == "pending_manager"


def test_what_is_past_the_limit_is_so_without_doubt(tmp_path: Path) -> None:
    """Where known amounts are past the limit, another currency beside them changes nothing, and no doubt is told."""
    form = gifts(tmp_path, OVER.format(YEAR) + ELSE)
    facts = {EARLIER: earlier(form, before(NOV, ("2026-11-01", "5.00", "EUR"))["records"], "2026-11-20")}
    assert filing_of(form, facts=facts, value="60.00").told == ("Over.",)


def test_a_sum_never_approves_in_doubt(tmp_path: Path) -> None:
    """A rule that approves what is not over a limit approves nothing that it could not add up."""
    form = gifts(tmp_path, f'[[filing.rules]]\nstate = "approved"\nnone_of = [{{ over = {{ {YEAR} }} }}]\n')
    facts = {EARLIER: earlier(form, before(("2026-11-01", "5.00", "EUR"))["records"], "2026-11-20")}
    found = filing_of(form, facts=facts, value="5.00")
    assert found.state == "received" and DECIDED[found.state] is False
    assert filing_of(form, value="5.00").state == "approved"


def test_those_who_decide_read_the_sum(tmp_path: Path) -> None:
    """A record that is over a limit says what it comes to and with which records."""
    form = gifts(tmp_path, OVER.format(YEAR) + ELSE)
    facts = {EARLIER: earlier(form, before(NOV)["records"], "2026-11-20")}
    reasons = filing_of(form, facts=facts, value="1060.00").reasons
    assert reasons == ("Over.", "Value together with earlier records: GBP 1,260.00 (GIFT-1).")


def test_a_record_without_the_amount_counts_nothing(tmp_path: Path) -> None:
    """A record that never told the amount, or a draft that does not, adds nothing."""
    form = gifts(tmp_path, OVER.format(YEAR) + ELSE)
    bare = {"number": "GIFT-1", "state": "received", "day": "2026-11-20", "values": {}}
    facts = {EARLIER: earlier(form, [bare], "2026-11-20")}
    assert filing_of(form, facts=facts, value="250.00").state == "approved"
    assert filing_of(form, facts=facts, value=None).state == "approved"


def test_nothing_but_what_the_limit_looks_at_is_gathered(tmp_path: Path) -> None:
    """The facts of a submission hold the earlier amounts and their currencies, and no other answer."""
    form = gifts(tmp_path, OVER.format(YEAR) + ELSE)
    held = earlier(form, before(NOV, note="secret", official=True)["records"], "2026-11-20")
    assert held["records"][0]["values"] == {"value": "200.00", "currency": "GBP"}


WRONG = {
    "unknown field": ('sum = "vlaue", per = "year", limit = "GBP 1"', "Did you mean `value`?"),
    "unknown day": ('sum = "value", per = "year", limit = "GBP 1", by = "dya"', "Did you mean `day`?"),
    "unknown same": ('sum = "value", per = "year", limit = "GBP 1", same = ["contry"]', "Did you mean `country`?"),
    "no span": ('sum = "value", limit = "GBP 1"', 'Write `per = "year"`, or `days = 365`.'),
    "two spans": ('sum = "value", limit = "GBP 1", days = 3, per = "year"', 'Write `per = "year"`, or `days = 365`.'),
    "another span": ('sum = "value", limit = "GBP 1", per = "yaer"', "Did you mean `year`?"),
    "no days": ('sum = "value", limit = "GBP 1", days = 0', "must be 1 or more"),
    "no limit": ('sum = "value", per = "year"', "`limit` is missing"),
    "no currency": ('sum = "value", per = "year", limit = 250', 'write "GBP 250"'),
    "a day added up": ('sum = "day", per = "year", limit = "2026-01-01"', "cannot be added up"),
    "a text added up": ('sum = "note", per = "year", limit = 3', "cannot be added up"),
    "by no day": ('sum = "value", per = "year", limit = "GBP 1", by = "guests"', "Name the date"),
    "a slip in a key": ('sum = "value", per = "year", limt = "GBP 1"', "Did you mean `limit`?"),
    "a bound of one answer": ('value = "GBP 100"', "`sum` is missing here"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_broken_limit_is_told_with_its_line(tmp_path: Path, case: str) -> None:
    """A limit that adds up what cannot be added up, over no span or by no day, is refused at its line with what was meant."""
    over, says = WRONG[case]
    form = GIFTS + f'[[filing.rules]]\nstate = "escalated"\nover = {{ {over} }} {MARK}\n'
    told_at(tmp_path / "gifts", form, says)


def test_a_rule_below_a_wider_limit_is_never_reached(tmp_path: Path) -> None:
    """Of two limits on the same sum the lower one must not stand first."""
    pair = OVER.format(YEAR) + OVER.format(YEAR.replace("250", "500")).replace(
        "[[filing.rules]]", f"[[filing.rules]] {MARK}"
    )
    found = problems(tmp_path / "gifts", GIFTS + pair)
    assert [p.line for p in found] == [marked(GIFTS + pair)] and "never reached" in found[0].text
    assert not problems(tmp_path / "other", GIFTS + OVER.format(YEAR) + OVER.format(DAYS))
