"""The way of a record as a form says it: a slip in it is told before anybody waits for a verdict that cannot come."""

from pathlib import Path

import pytest

from state.form.source import FormError
from tests.forms.filing_cases import gifts

GOOD = """
[filing.states.pending_manager]
by = "manager"
decide = { approve = "approved", decline = "declined" }

[[filing.rules]]
state = "pending_manager"
otherwise = true
"""
SLIPS = {
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


def test_a_route_needs_a_few_lines(tmp_path: Path) -> None:
    """Who decides, and where each verdict leads; the states have their names in every language."""
    form = gifts(tmp_path, GOOD)
    assert form.filing.waits("pending_manager") and not form.filing.waits("approved")


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_in_a_route_is_told(tmp_path: Path, slip: str) -> None:
    """With the line, what is wrong, and what was meant or is to be done."""
    was, now, what, mend = SLIPS[slip]
    with pytest.raises(FormError) as told:
        gifts(tmp_path, GOOD.replace(was, now))
    assert what in str(told.value) and mend in str(told.value) and "form.toml:" in str(told.value)
