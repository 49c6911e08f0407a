"""Policy as data, in Slack: who keeps a list uploads it, sees what changes, confirms; requests are judged by what held when they were filed."""

from pathlib import Path

from bot.sandbox.people import Person
from bot.sandbox.workspace import Json
from tests.whole.steps import file_request
from tests.world import World, shown, words_of, world

CHANNEL = "C0COMPLIANCE"
VODAFONE = "GB00BH4HKS39,Vodafone Group Plc,2026-11-02,,"
TESCO = "GB00BLGZ9862,Tesco PLC,2026-11-20,,A client is about to bid"
HEADING = "isin,name,from,until,note"


def sheet(*rows: str, heading: str = HEADING) -> bytes:
    return "\r\n".join((heading, *rows, "")).encode()


async def home(w: World, who: Person) -> str:
    """What the person's App Home says."""
    await who.open_home()
    await w.settled()
    return words_of((who.home or {})["blocks"])


async def upload(w: World, who: Person, content: bytes, day: str = "", name: str = "restricted") -> Json:
    """Choose a file for a list, up to what the modal says of it."""
    await home(w, who)
    await who.click(f"hf-list-up.pa_dealing/{name}", str((who.home or {})["id"]))
    await w.settled()
    given: Json = {"file": who.give("list.csv", content)} | ({"day": day} if day else {})
    return await who.submit(values=given)


async def confirm(w: World, who: Person) -> str:
    """Press Confirm; what the modal says then."""
    answer = await who.submit()
    await w.settled()
    return words_of(answer["update"]["blocks"])


async def test_a_list_is_uploaded_previewed_and_confirmed(tmp_path: Path) -> None:
    """What changes is shown, the new version is announced to those who decide, and the next request is judged by it; older records stay."""
    async with world(tmp_path) as w:
        dana = w.sandbox.person("U0DANA")
        await file_request(w)
        first = (await w.records())[0]
        assert "Restricted list" in await home(w, dana) and "Policy" not in await home(w, w.alex)
        preview = words_of((await upload(w, dana, sheet(VODAFONE, TESCO)))["update"]["blocks"])
        assert "Added: 1 · removed: 0 · changed: 0 · as before: 1" in preview and "A client is about to bid" in preview
        assert "version 1 from" in await confirm(w, dana)
        (told,) = [words_of(m["blocks"]) for m in dana.messages(CHANNEL) if "uploaded by" in m["text"]]
        assert "Restricted list" in told and "Added: 1" in told and "Tesco" not in told
        assert "version 1 from" in await home(w, dana)
        await file_request(w)
        second = (await w.records())[0]
        assert (first.state, second.state) == ("auto_approved", "blocked")
        assert (
            "restricted list, version 1 of" in second.body["reasons"][0]
            and "Note: A client" in second.body["reasons"][0]
        )
        assert (await w.records())[1] == first
        assert "Tesco PLC may not be traded at the moment" in w.last() and "restricted" not in w.transcript().lower()


async def test_a_question_is_answered_in_private_and_begins_no_form(tmp_path: Path) -> None:
    """In the direct message, by a slash command, by a mention in a channel, and in the middle of another form, which stays as it is."""
    async with world(tmp_path) as w:
        await w.say("am i ok to buy vodafone?")
        assert "Vodafone Group Plc may not be traded at the moment" in w.last() and await w.bot.store.drafts() == []
        await w.alex.command("/pa", "can I trade TSCO?", "C0GENERAL")
        assert "nothing against a request for Tesco PLC" in shown(w.alex.ephemerals("C0GENERAL")[-1])
        await w.alex.say(f"<@{w.sandbox.slack.workspace.bot.user_id}> when may I sell my Shell shares", "C0GENERAL")
        await w.settled()
        assert "No holding period runs for Shell plc" in shown(w.alex.ephemerals("C0GENERAL")[-1])
        assert not [m for m in w.alex.messages("C0GENERAL") if m.get("bot_id")]
        await w.say("I had dinner with a supplier, they gave me a gift")
        before = await w.draft()
        await w.say("is GB00BH4HKS39 restricted?")
        after = await w.draft()
        assert before.form == after.form == "gifts" and before.values == after.values
        assert before.asked == after.asked and "may not be traded" in w.last(2)
        assert shown(w.screen()[-1]) != shown(w.screen()[-2]) and before.card != after.card
        assert len(await w.bot.store.drafts()) == 1 and "restricted" not in w.transcript()
