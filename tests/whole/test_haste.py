"""Clicks that come faster than anybody reads, through the whole bot."""

import pytest

from tests.whole.steps import REASON, declare, open_request, to_review
from tests.world import World

HASTE = 0.3
TOO_SOON = "That had only just appeared, so your click changed nothing. Please read it, then click again."


@pytest.mark.parametrize("seconds", [0.0, 0.2, 0.45, 0.7])
async def test_two_quick_clicks_answer_one_declaration(plain: World, seconds: float) -> None:
    """The next question's button lies where the last one's was: what was not read is not declared, and says so in private."""
    await open_request(plain)
    await plain.click("No")
    await plain.alex.hasty(seconds).click("No")
    await plain.settled()
    draft = await plain.draft()
    assert set(draft.values) & {"is_leveraged"} == set() and draft.asked == "is_leveraged"
    assert [note["text"] for note in plain.alex.ephemerals()] == [TOO_SOON]
    await plain.click("No")
    assert (await plain.values())["is_leveraged"] is False


async def test_submit_right_after_the_last_answer_files_nothing(plain: World) -> None:
    """The review has to be on screen for a second before it is consented to."""
    await open_request(plain)
    await declare(plain)
    await plain.click("I understand")
    await plain.say(REASON)
    await plain.alex.hasty(HASTE).click("Submit")
    await plain.settled()
    assert await plain.records() == [] and plain.alex.ephemerals()[-1]["text"] == TOO_SOON
    await plain.click("Submit")
    assert len(await plain.records()) == 1


async def test_a_button_that_stood_counts_however_nervous_the_finger(plain: World) -> None:
    """Both clicks of a double click on one and the same button are about what was read, and count once."""
    await to_review(plain)
    plain.sandbox.knobs.duplicate_clicks = 1
    await plain.click("Submit")
    assert len(await plain.records()) == 1 and plain.alex.ephemerals() == []
