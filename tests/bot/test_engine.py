"""The engine: what cannot be handled ends as a visible dead letter, and holds nobody else up."""

from bot.slack.places import Place, person_key
from state.stores.rows import InboxRow
from tests.world import TEAM, World


async def test_what_cannot_be_handled_becomes_a_dead_letter_and_the_person_is_told(kept: World) -> None:
    """A row that fails every time is kept as a dead letter, the person gets a kind word, and the next message is handled."""
    kept.bot.engine.attempts = 1
    place = Place(TEAM, kept.alex.dm)
    broken = InboxRow("broken", place.key, person_key(TEAM, "U0ALEX"), {"event": {"kind": "Nothing"}})
    assert await kept.bot.store.receive(broken)
    await kept.bot.engine.kick("conversation", place.key)
    await kept.settled()
    ((queue, _, _),) = await kept.bot.store.dead()
    assert queue == "inbox"
    assert "Something went wrong on my side" in kept.last()
    await kept.say("I'd like to buy 200 Tesco")
    assert ("quantity", 200) in [(o.field, o.data) for o in (await kept.draft()).offers]


async def test_a_rate_limited_post_is_waited_out(kept: World) -> None:
    """Slack's 429 delays a post; it neither drops nor doubles it."""
    kept.sandbox.knobs.rate_limit = {"chat.postMessage": 1}
    await kept.say("I'd like to buy 200 Tesco")
    await kept.sandbox.until(kept.screen)
    await kept.settled()
    assert len(kept.screen()) == 1


async def test_another_teams_draft_is_as_good_as_none(kept: World) -> None:
    """A click that names another team's draft changes nothing and tells nothing."""
    await kept.say("I'd like to buy 200 Tesco")
    draft = await kept.draft()
    elsewhere = Place("T0OTHER", "D0X")
    body = {
        "event": {"kind": "Clicked", "id": "x", "at": draft.began, "who": "U0ALEX", "act": "cancel"},
        "draft": draft.id,
    }
    assert await kept.bot.store.receive(InboxRow("x", elsewhere.key, person_key("T0OTHER", "U0ALEX"), body))
    await kept.bot.engine.kick("conversation", elsewhere.key)
    await kept.settled()
    assert await kept.draft() == draft


async def test_a_stop_answers_first_what_was_acknowledged(kept: World) -> None:
    """Asked to end while a turn runs and Slack is slow, the process posts the answer before it lets go; nothing new is begun."""
    kept.sandbox.knobs.delay = {"chat.postMessage": 0.5}
    await kept.alex.say("I'd like to buy 200 Tesco")
    await kept.sandbox.until(lambda: not kept.sandbox.under_way)
    assert not kept.screen()
    await kept.bot.stop()
    assert "Tesco" in kept.last()
