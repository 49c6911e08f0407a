"""Every form can be finished with the model down: by clicks and plain words."""

from dataclasses import replace
from pathlib import Path

from bot.sandbox.models.answers import overloaded
from tests.whole.steps import FILED, REASON, declare, file_request, open_request, to_review
from tests.world import World, world


async def test_a_request_is_filed_by_clicks_and_plain_words(plain: World) -> None:
    """Without a key, one sentence, eight clicks and a reason make a record with every answer."""
    await file_request(plain)
    (record,) = await plain.records()
    assert {n: v["data"] for n, v in record.body["values"].items()} == FILED
    assert record.number.startswith("PA-20")
    assert record.state in ("auto_approved", "pending_manager")
    assert record.number in plain.transcript()


async def test_with_the_api_down_a_request_is_filed_and_the_person_is_told_once(tmp_path: Path) -> None:
    """An outage from start to end costs one sentence, said once."""
    away = replace(overloaded(), headers={"retry-after-ms": "10"})
    async with world(tmp_path, lambda _: away) as w:
        await file_request(w)
        assert len(await w.records()) == 1
        posts = [str(s.args) for s in w.sandbox.sent if s.method == "chat.postMessage"]
        assert sum("My language model is away" in post for post in posts) == 1


async def test_every_value_says_who_when_how_and_from_which_words(plain: World) -> None:
    """Provenance is whole for clicked, picked, typed and read values alike."""
    await to_review(plain)
    draft = await plain.draft()
    for name, value in draft.values.items():
        origin = value.provenance
        assert origin.who == "U0ALEX", name
        assert origin.at and origin.how and origin.words and origin.message, name
    assert (
        draft.values["quantity"].provenance.words == "200 Tesco" or "200" in draft.values["quantity"].provenance.words
    )
    assert draft.values["is_leveraged"].provenance.how == "clicked"
    assert draft.values["security"].provenance.how == "chosen"
    assert draft.values["justification"].provenance.words == REASON


async def test_the_record_is_announced_where_those_who_decide_read(plain: World) -> None:
    """The compliance channel gets the record's number and who filed it; nobody is notified by name of a channel."""
    await file_request(plain)
    (record,) = await plain.records()
    (post,) = [m for m in plain.alex.messages("C0COMPLIANCE") if m.get("bot_id")]
    assert record.number in str(post["blocks"])
    assert "<@U0ALEX>" in str(post["blocks"])
    assert post.get("notifies") == ["U0ALEX"]


async def test_what_is_asked_next_never_has_an_answer(plain: World) -> None:
    """At no point of a whole request does the open card ask for a field that has a value."""
    await open_request(plain)
    for _ in range(5):
        draft = await plain.draft()
        assert draft.asked not in draft.values
        await plain.click("No")
    await declare(plain, upto="is_derivative")
    assert (await plain.draft()).asked == "holding_period_ack"
