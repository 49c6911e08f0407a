"""Drafts that were open before a rename are finished after it, each by its owner on the screen: some here, all by `python -m tests.stored`."""

import pytest

from tests.stored.finishing import finish
from tests.stored.restored import person_of
from tests.world import World

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group(__name__)]

SHOWN = (
    "pa_dealing/change_waits", "pa_dealing/disclosure_waits", "pa_dealing/undo_stands", "pa_dealing/reopened", "pa_dealing/coached",
    "pa_dealing/offer_stands", "pa_dealing/results_wait", "pa_dealing/entered", "loan/reading_waits", "loan/repeats", "loan/unreadable",
    "vehicle_case/ticking", "vehicle_case/holder_by_model", "requirements/middle", "requirements/asked_by_model",
)  # fmt: skip
"""One draft for each kind of thing that can wait; the handed-over ones are in the tests of old buttons."""


@pytest.mark.parametrize("situation", SHOWN)
async def test_an_open_draft_is_finished(stored: World, situation: str) -> None:
    """From wherever it stood, with whatever waited, the draft ends in one record that holds its answers."""
    me = person_of(stored, situation)
    before = await me.draft()
    draft = await finish(me)
    (record,) = await me.records()
    assert (draft.id, draft.status, draft.filed.number) == (before.id, "submitted", record.number)
    assert set(record.body["values"]) == set(draft.values)
