"""Words reach the bot as they were typed: Slack writes three characters as entities, and nobody typed those."""

from tests.whole.steps import REASON, open_request
from tests.world import TEAM, World

AND = "Ben & Jerry's <large> at 3 > 2"


async def test_a_row_keeps_the_characters_that_slack_reserves(plain: World) -> None:
    """An ampersand and angle brackets are what they were when typed, in what is stored and in what is shown."""
    await plain.alex.command("/expenses")
    await plain.say("£4 fish & chips today")
    await plain.click("Confirm")
    (entry,) = await plain.bot.store.entries(TEAM, "expenses")
    assert entry.body["item"] == "fish & chips"
    assert "fish &amp; chips" in plain.last() and "amp;amp" not in plain.transcript()


async def test_an_answer_in_words_is_the_words(plain: World) -> None:
    """A reason with such characters is stored as it was typed, whether typed as &amp; or sent in a channel by a mention."""
    await open_request(plain)
    while (await plain.draft()).asked not in ("holding_period_ack", "justification"):
        await plain.click("No")
    await plain.click("I understand")
    await plain.say(f"{REASON}: {AND}")
    assert (await plain.values())["justification"] == f"{REASON}: {AND}"
