"""How people ask for their data and for its erasure, and who is answered where."""

import json
from pathlib import Path
from typing import Any

import pytest

from blocks.text import escape
from bot.sandbox import payloads
from bot.sandbox.people import Person
from bot.sandbox.screen import look
from state.draft.draft import Status
from tests.whole.steps import FILED, file_request, open_request
from tests.world import TEAM, World, shown, world

pytestmark = pytest.mark.behind(walk=open_request)

ITALIAN = """
name = "ferie"
title = "Ferie"
version = "1"
prefix = "FER"
language = "it-IT"
words = ["ferie"]

[fields.giorni]
kind = "integer"
label = "Giorni"
ask = "Quanti giorni?"

[fields.motivo]
kind = "text"
label = "Motivo"
ask = "Perché?"
"""
SPANISH = (
    ITALIAN.replace("ferie", "permiso").replace("Ferie", "Permiso").replace("FER", "PER").replace("it-IT", "es-ES")
)


def forms(folder: Path, **texts: str) -> str:
    """A folder of workflows."""
    for name, text in texts.items():
        (folder / "forms" / name).mkdir(parents=True)
        (folder / "forms" / name / "form.toml").write_text(text, "utf-8")
    return str(folder / "forms")


def files(w: World, person: Person | None = None, channel: str | None = None) -> list[dict[str, Any]]:
    """The complete files of the bot's in a conversation, opened."""
    return [json.loads(content) for content in contents(w, ".json", person, channel)]


def contents(w: World, ending: str, person: Person | None = None, channel: str | None = None) -> list[str]:
    """What stands in the bot's files of a conversation whose names end so."""
    posted = [m for m in (person or w.alex).messages(channel) if m.get("bot_id")]
    names = {f["id"]: f["name"] for m in posted for f in m.get("files", ())}
    kept = w.sandbox.slack.workspace.files
    return [kept[i].content.decode() for i, name in names.items() if name.endswith(ending)]


async def test_the_file_holds_everything_and_stands_in_the_direct_message(kept: World) -> None:
    """Asked for in a channel by a command, the file goes into the direct message: answers with their words, record, calls, messages."""
    await file_request(kept)
    await kept.alex.command("/my_data", "", "C0GENERAL")
    await kept.settled()
    (data,) = files(kept)
    assert data["person"] == f"{TEAM}:U0ALEX" and files(kept, channel="C0GENERAL") == []
    by_table: dict[str, list[dict[str, Any]]] = {}
    for row in data["held"]:
        by_table.setdefault(row["table"], []).append(row)
    assert {name: len(rows) for name, rows in by_table.items()} == data["rows"]
    (record,) = by_table["records"]
    assert {n: v["data"] for n, v in record["sealed"]["body"]["values"].items()} == FILED
    assert record["sealed"]["body"]["values"]["account"]["provenance"]["words"]
    assert {"drafts", "events", "inbox", "outbox", "tool_calls"} <= set(by_table)
    assert any("buy 200 Tesco" in str(row) for row in by_table["inbox"])


async def test_nobody_gets_anothers_data(plain: World) -> None:
    """The file of one person holds nothing of another's, and nobody else reads where it stands."""
    dana = plain.sandbox.person("U0DANA")
    await plain.say("my data", dana)
    (data,) = files(plain, dana)
    assert data["person"] == f"{TEAM}:U0DANA" and "Tesco" not in str(data) and "U0ALEX" not in str(data)
    assert files(plain) == []


@pytest.mark.parametrize(
    ("language", "data", "ask", "yes", "done"),
    [
        ("it", ("i miei dati", "/i_miei_dati"), "/elimina_dati", "Sì, elimini tutto", "è eliminato"),
        ("es", ("mis datos", "/mis_datos"), "/elimina_mis_datos", "Sí, elimine todo", "está eliminado"),
    ],
)
async def test_each_language_has_its_words_and_commands(
    language: str, data: tuple[str, str], ask: str, yes: str, done: str, tmp_path: Path
) -> None:
    """Words and commands of the form's language ask, and are answered in it."""
    text = {"it": ITALIAN, "es": SPANISH}[language]
    name = {"it": "ferie", "es": "permiso"}[language]
    async with world(tmp_path / "var", holdfast_workflows=forms(tmp_path, **{name: text})) as w:
        await w.say(name)
        for words in data:
            await w.say(words)
        assert len(files(w)) == 2
        await w.say(ask)
        await w.click(yes)
        await w.sandbox.until(lambda: done in w.last())


@pytest.mark.behind(walk=None)
async def test_nothing_is_erased_before_the_click_and_all_of_it_after(plain: World) -> None:
    """Asking erases nothing; declining neither; the click does, what the process kept of shown texts with it, and the person begins anew."""
    await open_request(plain)
    await plain.say("delete my data")
    assert "Erase everything I hold about you" in plain.last() and (await plain.draft()).values
    await plain.click("No, keep it")
    assert "Nothing was erased" in plain.transcript() and (await plain.draft()).status is Status.OPEN
    await plain.say("delete my data")
    shown_before, at_hand = escape.cache_info().currsize, plain.bot.engine._turns.recent
    assert at_hand
    await plain.click("Yes, erase everything")
    await plain.sandbox.until(lambda: "is erased" in plain.last())
    assert await plain.bot.store.drafts_of(f"{TEAM}:U0ALEX") == [] and not at_hand
    assert escape.cache_info().currsize < shown_before
    await open_request(plain)
    assert (await plain.values())["quantity"] == 200


@pytest.mark.behind(walk=None)
async def test_what_another_process_erased_is_not_at_hand_here(plain: World) -> None:
    """A draft that this process had at hand is read from nowhere once its key is destroyed."""
    await open_request(plain)
    draft, store, turns = await plain.draft(), plain.bot.store, plain.bot.engine._turns
    await store.erase(f"{TEAM}:U0ALEX")
    current = await store.current(draft.conversation, draft.id)
    assert draft.id in turns.recent and current and current.erased
    assert await turns._read(current) is None and draft.id not in turns.recent


async def test_nothing_is_erased_by_a_click_on_what_nobody_can_have_read(plain: World) -> None:
    """The button lies where another one was a moment ago: the click is answered in private, and the card waits on."""
    await plain.say("delete my data")
    await plain.alex.hasty(0.3).click("Yes, erase everything")
    await plain.settled()
    assert (await plain.draft()).values and "only just appeared" in shown(plain.alex.ephemerals()[-1])
    await plain.click("Yes, erase everything")
    await plain.sandbox.until(lambda: "is erased" in plain.last())


async def test_the_click_counts_once_and_for_its_own_person(plain: World) -> None:
    """A declined card does nothing any more, and neither does a card after its erasure: what came later stays."""
    await plain.say("delete my data")
    card = plain.screen()[-1]
    await plain.click("No, keep it", card)
    await plain.alex.click("Yes, erase everything", card, stale=True)
    await plain.settled()
    assert "out of date" in plain.last() and (await plain.draft()).values
    await plain.say("delete my data")
    card = plain.screen()[-1]
    await plain.alex.click("Yes, erase everything", card)
    await plain.settled()
    await open_request(plain)
    await plain.alex.click("Yes, erase everything", card, stale=True)
    await plain.settled()
    assert (await plain.values())["quantity"] == 200


@pytest.mark.parametrize("wanted", ["Yes, erase everything", "No, keep it"])
async def test_another_persons_card_stays_as_it_is(wanted: str, plain: World) -> None:
    """Whoever presses another's card changes nothing, is told so where nobody else reads, and the owner's own click still counts."""
    await plain.say("delete my data")
    card, screen = plain.screen()[-1], plain.transcript()
    dana = plain.sandbox.person("U0DANA")
    await plain.say("I'd like to buy 5 Tesco", dana)
    before, seen = await plain.draft(dana), len(plain.screen(dana))
    await forged(plain, dana, card, wanted)
    assert plain.transcript() == screen and await plain.draft(dana) == before
    assert [shown(m) for m in plain.screen(dana)[seen:]] == [
        "This card belongs to somebody else. Only they can use it, so your click changed nothing."
    ]
    await plain.click("Yes, erase everything", card)
    await plain.sandbox.until(lambda: "is erased" in plain.last())


async def test_another_persons_old_card_stays_as_it_is(plain: World) -> None:
    """A card that no longer counts is painted by nobody but its owner either."""
    await plain.say("delete my data")
    card = plain.screen()[-1]
    await plain.click("Yes, erase everything", card)
    await plain.sandbox.until(lambda: "is erased" in plain.last())
    await plain.settled()
    screen = plain.transcript()
    await forged(plain, plain.sandbox.person("U0DANA"), card, "Yes, erase everything")
    assert plain.transcript() == screen


async def forged(w: World, person: Person, card: dict[str, Any], wanted: str) -> None:
    """A person presses a button of a message that they cannot see."""
    slack, where = w.sandbox.slack, {"channel": w.alex.dm, "message_ts": card["ts"]}
    screen = look(slack, w.alex.id, where, original=card)
    button = next(e for b in card["blocks"] if b["type"] == "actions" for e in b["elements"] if wanted in str(e))
    action = payloads.action(slack, "b", button, {})
    payload = payloads.block_actions(slack, person.id, screen.where, {}, action)
    await slack.delivery.interact("interactive", payload, accepts_response=False)
    await w.settled()


async def test_a_proposal_counts_for_nobody_else(plain: World) -> None:
    """Another person who presses a copy of the button erases neither themselves nor the other."""
    await plain.say("delete my data")
    button = next(
        e for b in plain.screen()[-1]["blocks"] if b["type"] == "actions" for e in b["elements"] if "danger" in str(e)
    )
    dana = plain.sandbox.person("U0DANA")
    await plain.say("I'd like to buy 5 Tesco", dana)
    before = await plain.draft(dana)
    await plain.bot.app.client.chat_postMessage(
        channel=dana.dm, text="x", blocks=[{"type": "actions", "elements": [button]}]
    )
    await dana.click("Yes, erase everything")
    await plain.settled()
    assert (await plain.values())["quantity"] == 200 and await plain.draft(dana) == before


@pytest.mark.behind(walk=file_request)
async def test_what_the_law_wants_kept_stays_and_the_answer_says_why(plain: World) -> None:
    """A filed request outlives the erasure: the card and the answer say how many, until when and why; the record reads as before."""
    (before,) = await plain.records()
    await plain.say("delete my data")
    why = "Investment firms must keep records of personal trades for five years."
    assert "1 submitted, kept until" in plain.last() and why in plain.last()
    await plain.click("Yes, erase everything")
    await plain.sandbox.until(lambda: "is erased" in plain.last())
    assert why in plain.last()
    assert await plain.bot.store.record(before.number) == before
    assert await plain.records() == [before]
    draft = await plain.bot.store.draft(before.draft)
    assert draft and draft.erased


RULES = """
from state.rules import CalledOff, Filing, Rules


def erased(record):
    day = record["values"]["giorni"]["data"]
    return CalledOff("cancelled", f"L'appuntamento {record['number']} ({day}) è annullato.")


rules = Rules(file=lambda draft, facts: Filing("booked"), erased=erased)
"""


async def test_appointments_are_called_off(tmp_path: Path) -> None:
    """Those who wait are told, without a name; the record says that it is cancelled, and nothing else any more."""
    folder = forms(tmp_path, ferie=ITALIAN)
    (Path(folder) / "ferie" / "rules.py").write_text(RULES, "utf-8")
    async with world(tmp_path / "var", holdfast_workflows=folder) as w:
        for words in ("ferie", "3", "sono stanco da mesi"):
            await w.say(words)
        await w.click("✓ sono stanco da mesi")
        await w.click("Invia")
        (record,) = await w.records()
        await w.say("elimina i miei dati")
        await w.click("Sì, elimini tutto")
        told = lambda: [shown(m) for m in w.alex.messages("C0COMPLIANCE") if "annullato" in shown(m)]  # noqa: E731
        await w.sandbox.until(lambda: bool(told()))
        await w.settled()
        assert told() == [f"L'appuntamento {record.number} (3) è annullato."]
        after = await w.bot.store.record(record.number)
        assert after and (after.state, after.erased, after.body) == ("cancelled", True, {})


async def test_help_a_person_and_a_start_by_command(tmp_path: Path) -> None:
    """The Italian commands do what their words do."""
    async with world(tmp_path / "var", holdfast_workflows=forms(tmp_path, ferie=ITALIAN)) as w:
        await w.alex.command("/start")
        await w.settled()
        assert "Che cosa desidera iniziare?" in w.last() or "What would you like" in w.last()
        await w.say("ferie")
        await w.alex.command("/aiuto")
        await w.settled()
        assert "Faccio una domanda alla volta" in w.last()
        await w.alex.command("/operatore")
        await w.settled()
        assert "Ho avvisato chi esamina le richieste" in w.transcript()
