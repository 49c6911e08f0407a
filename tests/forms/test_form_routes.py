"""The way of a record as a form says it, and what follows an approval: a slip is told before anybody waits in vain."""

from pathlib import Path

import pytest

from state.form.source import FormError
from tests.forms.filing_cases import gifts
from tests.forms.form_cases import examples

REPORT = """
[filing.states.approved]
report = "executed"
unused = "unused"

[filing.states.expired]
report = "executed"
valid = false

[filing.report]
day = "given_on"
approved = { given_value = "value", given_currency = "currency" }
most = ["given_value"]
same = ["given_currency"]

[filing.report.fields.given_on]
kind = "date"
label = "Day"
ask = "On which day was it given?"

[filing.report.fields.given_value]
kind = "money"
label = "Worth"
ask = "What was it worth?"

[filing.report.fields.given_currency]
kind = "currency"
label = "Currency"
ask = "In which currency?"

[filing.note]
days = 14
figures = ["given_value", "given_on"]

[filing.breaches]
by = "compliance"

[[filing.rules]]
state = "approved"
otherwise = true
"""
ROUTE = """
[filing.states.pending_manager]
by = "manager"
decide = { approve = "approved", decline = "declined" }

[[filing.rules]]
state = "pending_manager"
otherwise = true
"""
ROUTE_SLIPS = {
    "an unknown state": ('approve = "approved"', 'approve = "aproved"', '"aproved" is no state', "`approved`"),
    "nobody decides": ('by = "manager"\n', "", "Nobody decides here", 'by = "…"'),
    "nothing to decide": ('decide = { approve = "approved", decline = "declined" }', "", "can do nothing here", "take `by` out"),
    "a circle": (
        'decide = { approve = "approved", decline = "declined" }',
        'decide = { approve = "pending_manager", decline = "pending_manager" }',
        "for ever",
        "without `by`",
    ),
    "a reason of nothing": ('by = "manager"', 'by = "manager"\nreason = ["declin"]', '"declin" is no verdict', "`decline`"),
    "a way back to nowhere": ('by = "manager"', 'by = "manager"\nwithdraw = "withdrawed"', '"withdrawed" is no state', "`withdrawn`"),
    "a verdict without a name": ('approve = "approved"', '"Approve!" = "approved"', "`Approve!` must be", "small letters"),
    "several of what is not there": (
        'decide = { approve = "approved", decline = "declined" }',
        'needs = 2\ndecide = { decline = "declined" }',
        "about the verdict `approve`",
        "Add it",
    ),
    "what nobody waits for": ("[[filing.rules]]", '[filing.states.seen]\nlabel = "S"\nneeds = 2\n[[filing.rules]]', "`needs` is about", "Add `by`"),
    "what nothing leads to": (
        "[[filing.rules]]",
        '[filing.states.pending_senior]\nby = "senior"\ndecide = { approve = "approved" }\n[[filing.rules]]',
        "Nothing leads to the state pending_senior",
        "Name it",
    ),
}  # fmt: skip
REPORT_SLIPS = {
    "an unknown state after a report": ('unused = "unused"', 'unused = "unussed"', '"unussed" is no state', "`unused`"),
    "an unknown day": ('day = "given_on"', 'day = "givenon"', '"givenon" is no field of the report', "`given_on`"),
    "a day that is none": ('day = "given_on"', 'day = "given_value"', "is of kind money", "Name the day"),
    "an unknown answer": ('given_value = "value"', 'given_value = "vallue"', '"vallue" is no field of this form', "`value`"),
    "an answer of another kind": ('given_value = "value"', 'given_value = "currency"', "of kind money, and `currency`", "one kind"),
    "more of what nobody approved": ('most = ["given_value"]', 'most = ["given_on"]', "Nothing says what was approved of `given_on`", "`approved`"),
    "more of what is no number": ('most = ["given_value"]', 'most = ["given_currency"]', "none is above another", "currency"),
    "nobody who looks": ('[filing.breaches]\nby = "compliance"\n', "", "Nobody looks at what is wrong", "[filing.breaches]"),
    "an unknown figure": ('["given_value", "given_on"]', '["given_vallue"]', '"given_vallue" is no field of the report', "`given_value`"),
    "a number that rules.py lacks": ("days = 14", 'days = "note_days"', '"note_days" is no number', "`limits`"),
    "what no state leads to": ('report = "executed"\n', "", "No state leads to a report", "`report`"),
    "a field without a box": (
        'kind = "date"\nlabel = "Day"', 'kind = "document"\nlabel = "Day"', "A field of kind document is not answered in a box", "another kind",
    ),
    "an amount without its currency": (
        '.given_currency]\nkind = "currency"', '.given_currency]\nkind = "text"', "needs a currency", "currency",
    ),
    "a state that is not valid for nothing": ('report = "executed"\nvalid = false', "valid = false", "`valid` is about a report", "Add `report`"),
}  # fmt: skip


SLIPS = {name: (ROUTE, *slip) for name, slip in ROUTE_SLIPS.items()} | {
    name: (REPORT, *slip) for name, slip in REPORT_SLIPS.items()
}


def test_a_route_needs_a_few_lines(tmp_path: Path) -> None:
    """Who decides, and where each verdict leads; the states have their names in every language."""
    form = gifts(tmp_path, ROUTE)
    assert form.filing.waits("pending_manager") and not form.filing.waits("approved")


def test_a_report_needs_a_few_lines(tmp_path: Path) -> None:
    """Its fields learn their names, and the role that closes breaches is one of the form's."""
    filing = gifts(tmp_path, REPORT).filing
    assert filing.report and [f.name for f in filing.report.fields.values()] == [
        "given_on",
        "given_value",
        "given_currency",
    ]
    assert filing.note and (filing.note.days, filing.note.tolerance, filing.note.remind) == (14, 0, 5)
    assert "compliance" in filing.roles and filing.states["approved"].valid and not filing.states["expired"].valid


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_in_the_way_of_a_record_is_told(tmp_path: Path, slip: str) -> None:
    """With the line, what is wrong, and what was meant or is to be done."""
    good, was, now, what, mend = SLIPS[slip]
    assert was in good
    with pytest.raises(FormError) as told:
        gifts(tmp_path, good.replace(was, now))
    assert what in str(told.value) and mend in str(told.value) and "form.toml:" in str(told.value)


ALONE = {
    "breaches": ('[filing.breaches]\nby = "compliance"\n', "about what was reported"),
    "a note": ("[filing.note]\ndays = 3\n", "about what was reported"),
    "a state": ('[filing.states.approved]\nreport = "executed"\n', "what is to be reported"),
}


@pytest.mark.parametrize("part", ALONE)
def test_without_a_report_nothing_is_borne_out(tmp_path: Path, part: str) -> None:
    """A note and breaches are about what was reported; so is `report` of a state."""
    text, what = ALONE[part]
    with pytest.raises(FormError) as told:
        gifts(tmp_path, f'{text}\n[[filing.rules]]\nstate = "approved"\notherwise = true\n')
    assert what in str(told.value)


BESIDE = """
[fields.number]
kind = "integer"
label = "Number"
ask = "How many?"

[fields.sum]
kind = "money"
label = "Sum"
ask = "What will it come to?"

[[filing.rules]]
state = "approved"
otherwise = true
"""


def test_the_example_of_the_page_is_one(tmp_path: Path) -> None:
    """Beside fields of the names that it uses it says what it says."""
    (text,) = (t for t in examples("toml") if "[filing.report.fields.done_on]" in t)
    filing = gifts(tmp_path, f"{BESIDE}\n{text}").filing
    assert filing.report and filing.report.most == ("done_number",) and filing.note and filing.note.tolerance == 5
