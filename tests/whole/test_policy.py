"""Policy as data, in Slack: who keeps a list uploads it, sees what changes, confirms; requests are judged by what held when they were filed."""

from datetime import timedelta
from pathlib import Path

from bot.sandbox.people import Person
from bot.sandbox.workspace import Json
from state.lists.reading import written
from state.stores.lists import ListKey
from tests.whole.steps import file_request
from tests.workflows.dealing_cases import DEALING
from tests.world import TEAM, World, shown, words_of

CHANNEL = "C0COMPLIANCE"
VODAFONE = "GB00BH4HKS39,Vodafone Group Plc,2026-11-02,,"
TESCO = "GB00BLGZ9862,Tesco PLC,2026-11-20,,A client is about to bid"
BOTH = '[roles.compliance]\nusers = ["U0DANA", "U0SASHA"]\n'
HEADING = "isin,name,from,until,note"


def sheet(*rows: str, heading: str = HEADING) -> bytes:
    return "\r\n".join((heading, *rows, "")).encode()


async def a_day(w: World, days: int) -> str:
    """So many days from now."""
    return (await w.bot.store.now() + timedelta(days=days)).date().isoformat()


async def home(w: World, who: Person) -> str:
    """What the person's App Home says."""
    await who.open_home()
    await w.settled()
    return words_of((who.home or {})["blocks"])


async def pressed(w: World, who: Person, name: str = "restricted") -> Json:
    """Press Upload; the modal that opens."""
    await who.click(f"hf-list-up.pa_dealing/{name}", str((who.home or {})["id"]))
    await w.settled()
    return who.modal or {}


async def upload(w: World, who: Person, content: bytes, day: str = "", name: str = "restricted") -> Json:
    """Choose a file for a list, up to what the modal says of it."""
    await home(w, who)
    await pressed(w, who, name)
    given: Json = {"file": who.give("list.csv", content)} | ({"day": day} if day else {})
    return await who.submit(values=given)


async def confirm(w: World, who: Person) -> str:
    """Press Confirm; what the modal says then."""
    answer = await who.submit()
    await w.settled()
    return words_of(answer["update"]["blocks"])


async def test_a_list_is_uploaded_previewed_and_confirmed(w: World) -> None:
    """What changes is shown, the new version is announced to reviewers, and the next request is judged by it, for good."""
    dana = w.sandbox.person("U0DANA")
    assert "Restricted list" in await home(w, dana) and "Policy" not in await home(w, w.alex)
    preview = words_of((await upload(w, dana, sheet(VODAFONE, TESCO)))["update"]["blocks"])
    assert "Added: 1 · removed: 0 · changed: 0 · unchanged: 1" in preview and "A client is about to bid" in preview
    assert "version 1 from" in await confirm(w, dana)
    (told,) = [words_of(m["blocks"]) for m in dana.messages(CHANNEL) if "uploaded by" in m["text"]]
    assert "Restricted list" in told and "Added: 1" in told and "Tesco" not in told
    await file_request(w)
    (filed,) = await w.records()
    (reason,) = filed.body["reasons"]
    assert filed.state == "blocked" and "restricted list, version 1 of" in reason and "Note: A client" in reason
    assert "Tesco PLC can't be traded at the moment" in w.last() and "restricted" not in w.transcript().lower()
    await upload(w, dana, sheet(VODAFONE))
    await confirm(w, dana)
    assert "version 2 from" in await home(w, dana) and await w.records() == [filed]
    await w.say("can I buy Tesco?")
    assert "nothing that stops a request for Tesco PLC" in w.last()


async def test_what_cannot_be_published_changes_nothing(w: World, tmp_path: Path) -> None:
    """A day that is over, a file that cannot be taken, a role that was lost, a version of somebody else's in between: each is said."""
    dana, sasha = w.sandbox.person("U0DANA"), w.sandbox.person("U0SASHA")
    (tmp_path / "roles.toml").write_text(BOTH)
    past = await upload(w, dana, sheet(TESCO), await a_day(w, -9))
    assert "can't start in the past" in past["errors"]["day"]
    await dana.close()
    wrong = words_of((await upload(w, dana, sheet("GB00BLGZ9863,,soon,,")))["update"]["blocks"])
    assert (
        "Line 2:" in wrong
        and "not a valid ISIN" in wrong
        and "“soon” is not a date" in wrong
        and "nothing was changed" in wrong
    )
    await dana.close()
    limits = written(DEALING.form.lists["thresholds"], DEALING.lists["thresholds"]).replace(b",30,", b",99999999,")
    said = words_of((await upload(w, dana, limits, name="thresholds"))["update"]["blocks"])
    assert "Line 2:" in said and "holding_period can be 3660 at most" in said
    await dana.close()
    await upload(w, dana, sheet(TESCO))
    await upload(w, sasha, sheet(VODAFONE, TESCO))
    assert "is confirmed" in await confirm(w, sasha)
    assert "Somebody else has uploaded this list meanwhile" in await confirm(w, dana)
    await dana.close()
    await upload(w, dana, sheet())
    (tmp_path / "roles.toml").write_text(BOTH.replace('"U0DANA", ', ""))
    assert "you don't hold it now" in await confirm(w, dana)
    (tmp_path / "roles.toml").write_text(BOTH)
    assert "Restricted list" in await home(w, dana)
    (tmp_path / "roles.toml").write_text(f'{BOTH}[roles.auditor]\nusers = ["U0DANA"]\n')
    assert "Auditors can read but not change anything" in words_of((await pressed(w, dana))["blocks"])
    assert len(await w.bot.store.list_versions(ListKey(TEAM, "pa_dealing", "restricted"))) == 1
    assert "Policy" not in await home(w, dana)


async def test_a_version_waits_for_its_day_and_is_downloaded_as_it_is(w: World) -> None:
    """A later day is announced as planned and holds nothing yet; the file of what holds now, uploaded again, changes nothing."""
    dana = w.sandbox.person("U0DANA")
    day = await a_day(w, 7)
    await upload(w, dana, sheet(TESCO), day)
    assert f"version 1 from {int(day[-2:])} " in await confirm(w, dana)
    assert "Planned: version 1" in await home(w, dana)
    await w.say("can I buy Tesco?")
    assert "nothing that stops" in w.last()
    await dana.click("hf-list-down.pa_dealing/restricted", str((dana.home or {})["id"]))
    await w.settled()
    file = w.sandbox.slack.workspace.files[dana.messages()[-1]["files"][0]["id"]]
    assert file.name == "restricted-v0.csv"
    same = words_of((await upload(w, dana, file.content))["update"]["blocks"])
    assert "changes nothing" in same
    gives_way = words_of((await upload(w, dana, sheet(VODAFONE, TESCO)))["update"]["blocks"])
    assert "never in force: version 1" in gives_way


async def test_a_question_is_answered_in_private_and_begins_no_form(w: World) -> None:
    """In the direct message, by a slash command, by a mention in a channel, and in the middle of another form, which stays as it is."""
    await w.say("am i ok to buy vodafone?")
    assert "Vodafone Group Plc can't be traded at the moment" in w.last() and await w.bot.store.drafts() == []
    await w.say("my requests")
    assert "haven't submitted anything here yet" in w.last() and await w.bot.store.drafts() == []
    await w.alex.command("/pa", "can I trade TSCO?", "C0GENERAL")
    assert "nothing that stops a request for Tesco PLC" in shown(w.alex.ephemerals("C0GENERAL")[-1])
    await w.alex.say(f"<@{w.sandbox.slack.workspace.bot.user_id}> when may I sell my Shell shares", "C0GENERAL")
    await w.settled()
    assert "There is no holding period for Shell plc" in shown(w.alex.ephemerals("C0GENERAL")[-1])
    assert not [m for m in w.alex.messages("C0GENERAL") if m.get("bot_id")]
    await w.say("I had dinner with a supplier, they gave me a gift")
    before = await w.draft()
    await w.say("is GB00BH4HKS39 restricted?")
    after = await w.draft()
    assert before.form == after.form == "gifts" and before.values == after.values
    assert before.asked == after.asked and "can't be traded" in w.last(2)
    assert shown(w.screen()[-1]) != shown(w.screen()[-2]) and before.card != after.card
    assert len(await w.bot.store.drafts()) == 1 and "restricted" not in w.transcript()
