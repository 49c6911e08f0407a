"""What no model and nobody outside is asked is answered in the commit that keeps a person's words: readings, look-ups, facts."""

from pathlib import Path

import pytest

from tests.documents.conftest import write_form
from tests.whole.steps import OPENING
from tests.world import TEAM, World, world

FORM = """\
name = "papers"
title = "Things"
version = "1"
prefix = "THG"
words = ["things"]

[fields.thing]
kind = "lookup"
lookup = "things"
label = "Thing"
ask = "Which thing?"
"""
RULES = """
import time
from pathlib import Path
from state.draft.draft import Option
from state.rules import Results, Rules


def things(query):
    with Path(__file__).with_name("queries").open("a") as kept:
        print(query, file=kept)
    time.sleep(0.8 if query == "anvil" else 0)
    return Results((Option("k1", query.capitalize()),), exact=True)


rules = Rules(lookups={"things": things})
"""


async def asked(w: World, *kinds: str) -> list[str]:
    """What waited, or waits, in the outbox for an answer of these kinds."""
    held = [one.row async for one in w.bot.store.everything(f"{TEAM}:{w.alex.id}") if one.table == "outbox"]
    return [row["kind"] for row in held if row["kind"] in kinds]


async def readings(w: World) -> list[str]:
    """What waited for a reader."""
    return await asked(w, "model")


async def test_words_are_kept_and_read_in_one_commit(tmp_path: Path) -> None:
    """What was said is on the card at once, and no reading waited in the outbox."""
    async with world(tmp_path) as w:
        await w.say(OPENING)
        assert "Use all of it" in w.transcript()
        assert await readings(w) == []


async def test_lines_that_come_together_are_read_together(tmp_path: Path) -> None:
    """A line behind which others wait is read with them, in a turn of its own, so that what belongs together is one answer."""
    async with world(tmp_path) as w:
        for line in ("I want to buy", "200 Tesco", "for my pension", "for £720"):
            await w.alex.say(line)
        await w.settled()
        offered = {o.field for o in (await w.draft()).offers} | set(await w.values())
        assert {"direction", "quantity", "account", "value"} <= offered


async def test_in_a_conversation_of_operations_words_are_read_behind_it(tmp_path: Path) -> None:
    """“taxi” and “18 euros” may be one expense in two lines: there, a reading waits for what comes with it."""
    async with world(tmp_path) as w:
        await w.say("/expenses")
        await w.say("taxi 18 euros")
        assert await readings(w) == ["model"]


async def test_what_the_forms_tables_and_records_hold_is_known_at_once(tmp_path: Path) -> None:
    """A security is found, a request judged and a command answered without a wait in the outbox."""
    async with world(tmp_path) as w:
        await w.say(OPENING)
        await w.click("Use all of it")
        assert "Use this" in w.transcript()
        await w.say("/requests")
        assert await asked(w, "look_up") == []


@pytest.mark.parametrize(("said", "waited"), [("kettle", []), ("anvil", ["look_up"])])
async def test_a_slow_look_up_takes_a_turn_of_its_own(tmp_path: Path, said: str, waited: list[str]) -> None:
    """What is not found within half a second comes later: the conversation waits, and nobody else."""
    folder = write_form(tmp_path, FORM, rules_py=RULES)
    async with world(tmp_path, holdfast_workflows=str(folder)) as w:
        await w.say("things")
        await w.say(said)
        await w.click("Use this")
        assert await w.values() == {"thing": "k1"}
        assert await asked(w, "look_up") == waited


async def test_what_was_slow_is_not_waited_for_again_at_once(tmp_path: Path) -> None:
    """Who asks a slow look-up within the minute is not made to wait for it in the turn: it is asked once, beside the conversation."""
    folder = write_form(tmp_path, FORM, rules_py=RULES)
    async with world(tmp_path, holdfast_workflows=str(folder)) as w:
        for person, times in ((w.alex, 2), (w.sandbox.person("U0ROBIN"), 3)):
            await w.say("things", person)
            await w.say("anvil", person)
            assert next(folder.rglob("queries")).read_text().count("anvil") == times
