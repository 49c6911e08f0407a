"""Gifts and entertainment through the running bot: what a limit counts, and a form in two languages."""

from dataclasses import replace
from pathlib import Path

from bot.exports.erasure import Eraser
from bot.exports.sinks import SinksToTell
from bot.sandbox.edits import COMPLIANCE
from bot.sandbox.people import Person
from bot.slack.places import person_key
from state.draft.criteria import EARLIER
from state.engine.codec import encode
from state.engine.events import FactsGathered
from state.stores.rows import InboxRow
from tests.whole.officers import press
from tests.whole.steps import answer
from tests.world import TEAM, World, shown, world

ONLY = {"only": "gifts"}
PLAIN = (
    "a hamper", "Ana Example", "Quillbrook Partners", ">No", "today", "{value}", "the end of a project",
    ">I confirm",
)  # fmt: skip


async def fill(w: World, value: str, person: Person | None = None) -> None:
    """A gift up to its review; `>` is a click."""
    who = person or w.alex
    for line in ("/gifts", ">Received", ">Gift", *PLAIN):
        said = line.format(value=value)
        await (who.click(said[1:]) if said.startswith(">") else answer(w, said, who))
        await w.settled()


async def file(w: World, value: str, person: Person | None = None) -> str:
    """A gift filed; gives the state of its record."""
    await fill(w, value, person)
    await (person or w.alex).click("Submit")
    await w.settled()
    return (await w.records(person))[0].state


async def test_only_the_persons_own_records_count(w: World) -> None:
    """What a colleague filed counts towards nobody's limit but theirs."""
    dana = w.sandbox.person("U0DANA")
    assert await file(w, "£240", dana) == "noted"
    assert await file(w, "£240") == "noted"
    assert await file(w, "£20", dana) == "pending_manager"


async def test_a_gift_that_has_to_be_handed_back_counts_nothing(w: World) -> None:
    """Handing a gift back is decided with a reason that its person does not read, and what goes back counts towards no limit."""
    assert await file(w, "£260") == "pending_manager"
    await press(w, "U0ROBIN", "Return the gift…", note="Please hand it back.", reason="Their tender is with us")
    assert (await w.records())[0].state == "to_be_returned"
    assert "Give it back" in w.last() and "tender" not in w.transcript()
    assert await file(w, "£240") == "noted"


async def test_erased_records_count_nothing(w: World) -> None:
    """Once a person is erased, what they filed before is gone and counts towards no limit."""
    assert await file(w, "£240") == "noted"
    person = person_key(TEAM, w.alex.id)
    workflows = {
        name: replace(one, form=one.form.model_copy(update={"retain": None})) for name, one in w.bot.workflows.items()
    }
    await Eraser(w.bot.store, workflows, {}, SinksToTell(dict, workflows, "")).erase(person)
    w.bot.engine.forget(person)
    assert await file(w, "£20") == "noted"


async def test_a_submission_keeps_the_days_and_amounts_that_it_was_judged_by(w: World) -> None:
    """The record holds what its limit counted, so that it can be judged again, and no other answer of earlier records."""
    await file(w, "£240")
    assert (await w.records())[0].body["facts"][EARLIER]["records"] == []
    assert await file(w, "£20") == "pending_manager"
    (held,) = (await w.records())[0].body["facts"][EARLIER]["records"]
    assert held["values"]["value"] == "240.00" and set(held["values"]) == {"value", "currency", "day"}


async def test_what_was_filed_since_it_was_gathered_counts(w: World) -> None:
    """Facts that are older than a record of the same person are brought up to date in the turn that files."""
    await file(w, "£200")
    await fill(w, "£201")
    draft, now = await w.draft(), (await w.bot.store.now()).isoformat()
    stale = {EARLIER: {"today": now[:10], "records": []}}
    event = FactsGathered("late/gathered", now, "rules", "submit", stale, draft.hash)
    body = {"event": encode(event), "draft": draft.id}
    await w.bot.engine.receive(InboxRow(event.id, draft.conversation, person_key(TEAM, w.alex.id), body))
    await w.settled()
    assert [r.state for r in await w.records()] == ["pending_manager", "noted"]


async def test_those_who_decide_read_the_houses_language(w: World) -> None:
    """An entry made in Italian is announced in English, its record has canonical values, and its person's page is Italian."""
    people = w.sandbox.slack.workspace.people
    people[w.alex.id] = replace(people[w.alex.id], locale="it-IT")
    lines = (
        "/gifts", ">Ricevuto", ">Omaggio", "un cesto", "Ana Esempio", "Quillbrook S.p.A.", ">No", "oggi",
        "300 sterline",
    )  # fmt: skip
    for line in (*lines, "la fine di un progetto", ">Confermo", ">Invia"):
        await (w.click(line[1:]) if line.startswith(">") else answer(w, line))
    (record,) = await w.records()
    assert record.body["language"] == "it-IT" and record.body["values"]["direction"]["data"] == "received"
    assert record.body["reasons"][0].startswith("This takes the year's gifts")
    told = "\n".join(map(shown, w.sandbox.person("U0DANA").messages(COMPLIANCE)))
    assert "Gifts and entertainment" in told and "Omaggi" not in told and "With your manager" in told
    assert "superano GBP 250" in w.transcript() and "comes to more" not in w.transcript()
    await w.alex.open_home()
    await w.settled()
    assert "Omaggi" in str(w.alex.home) and "Ricevuto un cesto" in str(w.alex.home)


async def test_the_choice_of_forms_names_each_in_the_persons_language(tmp_path: Path) -> None:
    """Where a form is offered to begin, it has the name that it has in the person's language, where there is one."""
    async with world(tmp_path) as w:
        people = w.sandbox.slack.workspace.people
        people[w.alex.id] = replace(people[w.alex.id], locale="it-IT")
        await w.say("/holdfast")
        assert "Omaggi e ospitalità" in w.last() and "Gifts" not in w.last() and "Operazioni personali" in w.last()


async def test_a_draft_stays_in_its_language(w: World) -> None:
    """Whoever changes Slack's language half way goes on in the language in which they began."""
    await w.say("/gifts")
    people = w.sandbox.slack.workspace.people
    people[w.alex.id] = replace(people[w.alex.id], locale="it-IT")
    w.bot.engine.forget(person_key(TEAM, w.alex.id))
    await w.click("Received")
    assert "Is it a gift" in w.last()
