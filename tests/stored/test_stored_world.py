"""A bot of today on the kept database: what waited is worked off, and old buttons, boxes and tabs are understood."""

import pytest

from tests.stored.restored import PEOPLE, person_of
from tests.world import TEAM, World

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group(__name__)]


async def test_nothing_waits_after_the_start(stored: World) -> None:
    """Rows of inbox and outbox that waited are worked off, and only what was a dead letter before is one."""
    assert (await stored.bot.store.sweep()).lanes == []
    assert [queue for queue, _, _ in await stored.bot.store.dead()] == ["inbox", "outbox"]


@pytest.mark.parametrize("situation", ["inbox_message", "inbox_click", "inbox_several"])
async def test_an_act_that_waited_counts(stored: World, situation: str) -> None:
    """A message or a click that was received and not handled answers its question, and the next question is on screen."""
    me = person_of(stored, f"pa_dealing/{situation}")
    assert (await me.values())["is_derivative"] is False
    several = situation == "inbox_several"
    assert ("Change it to 250?" if several else "Is this a leveraged product?") in me.transcript()
    assert (await me.draft()).asked == "is_leveraged"


async def test_words_that_waited_begin_a_request(stored: World) -> None:
    """The first words of a conversation, received and not handled, begin the form and show what was read of them."""
    me = person_of(stored, "pa_dealing/inbox_first")
    assert "*Quantity:* 200" in me.last() and "Use all of it" in me.last() and "Use this" in me.last()


@pytest.mark.parametrize("situation", ["inbox_submit", "gather_waits"])
async def test_a_submission_that_waited_is_filed_once(stored: World, situation: str) -> None:
    """A click on Submit that was not handled, or whose facts were not fetched yet, files one record."""
    me = person_of(stored, f"pa_dealing/{situation}")
    (record,) = await me.records()
    assert (await me.draft()).status == "submitted" and record.number in me.transcript()


async def test_clicks_that_waited_count_in_every_form(stored: World) -> None:
    """A consent, a way on, a choice and a confirmed expense that were clicked before are taken after."""
    assert (await person_of(stored, "loan/inbox_loan").values())["consent_sensitive"] is True
    assert (await person_of(stored, "vehicle_case/inbox_case").draft()).asked == "espejos_fotos"
    assert (await person_of(stored, "requirements/inbox_requirements").values()) == {"document": "bug"}
    assert "Added" in person_of(stored, "expenses/inbox_confirm").transcript()


async def test_posts_that_waited_are_delivered_once(stored: World) -> None:
    """A message that was not posted yet is; the file that was asked for is shared."""
    me = person_of(stored, "pa_dealing/post_waits")
    assert me.transcript().count("Is this a leveraged product?") == 1
    assert me.transcript().count("✓ Derivative: No") == 1
    assert "Nothing is filed before you press Submit" in person_of(stored, "pa_dealing/post_unclear").transcript()
    assert [m["files"] for m in person_of(stored, "expenses/attach_waits").screen() if m.get("files")]


async def test_lookups_and_commands_that_waited_come_back(stored: World) -> None:
    """Search results, an answer from the records and a form begun anew arrive, though their effects were stored before."""
    assert "Tesco PLC" in person_of(stored, "pa_dealing/look_up_waits").last()
    me = person_of(stored, "pa_dealing/command_waits")
    assert (await me.records())[0].number in me.last()
    me = person_of(stored, "pa_dealing/begin_waits")
    assert (await me.draft()).asked == "security" and (await me.values()) == {}


async def test_files_and_operations_that_waited_are_done(stored: World) -> None:
    """A file that was not fetched yet is kept; operations that were asked for or confirmed run once."""
    me = person_of(stored, "vehicle_case/fetch_waits")
    assert "escape_fotos" in await me.values()
    store = stored.bot.store
    for situation, item in (("operate_waits", "coffee"), ("operation_asked", "taxi")):
        mine = await store.entries(TEAM, "expenses", f"{TEAM}:{PEOPLE[f'expenses/{situation}']['id']}")
        assert [e.body["item"] for e in mine] == [item]


@pytest.mark.parametrize(
    ("situation", "asked"), [("model_waits", "is_derivative"), ("model_waits_after_click", "is_leveraged")]
)
async def test_a_model_call_that_waited_ends(stored: World, situation: str, asked: str) -> None:
    """A call that was stored and not made is answered by today's reader; the question stands."""
    assert (await person_of(stored, f"pa_dealing/{situation}").draft()).asked == asked


async def test_data_asked_for_before_are_sent(stored: World) -> None:
    """A wish for one's data that waited in the inbox is answered with the file."""
    assert any(m.get("files") for m in person_of(stored, "pa_dealing/inbox_right").screen())
