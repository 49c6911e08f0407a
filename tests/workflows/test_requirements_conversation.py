"""Requirements by questions, through the whole world: phases, consent, the file, and a model that is of no use."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.models.answers import text
from bot.sandbox.models.playback import Script
from bot.sandbox.models.scripts import offered
from bot.slack.places import Place
from prompts.build import build_request, system_prompt
from prompts.request import BUDGET, estimate
from state.draft.changes import ChatLineAdded, fold
from state.draft.draft import ChatLine, Draft
from state.engine.codec import decode_draft
from state.engine.effects import CallModel
from tests.chaos.hostile.misdeeds import hostile
from tests.workflows.requirements_cases import Drifting, sent, violations
from tests.workflows.test_requirements_document import FORM, of_kind
from tests.world import TEAM, World, world

ANSWERS = {
    "name": "Monthly list", "target": "the billing portal", "description": "Clerks copy four hundred rows by hand every month",
    "examples": "Last Friday it took the office six hours", "impact": "Thirty hours of overtime each month and wrong invoices",
    "who": "The billing clerks", "context": "They sit under pressure at the month's end", "workflow": "They copy, paste and check every customer",
    "must_have_1": "All rows in one file", "criterion_1": "The list takes one minute", "criterion_2": "The sums match the ledger",
    "constraints": "none", "scope": "Single invoices", "edge_case_1": "A customer without rows", "edge_case_2": "A reopened month",
}  # fmt: skip


async def answer_all(w: World) -> None:
    """Begin a feature and answer each question by itself, as it is asked."""
    await w.say("/requirements")
    for _ in range(25):
        asked = (await w.draft()).asked
        if not asked:
            return
        await (
            w.click({"document": "Feature", "priority": "Low priority"}[asked])
            if asked not in ANSWERS
            else w.say(ANSWERS[asked])
        )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("what is a spike?", "a spike is a question to look into first"), ("qué es un spike?", "a spike is a question to look into first"),
        ("was ist ein Spike", "a spike is a question to look into first"), ("what does enhancement mean", "a spike is a question to look into first"),
        ("difference between a bug and a feature?", "a spike is a question to look into first"),
        ("it must send reminders", "*Must have 1:* it must send reminders"), ("it has to be fast", "*Must have 1:* it has to be fast"),
        ("it is done when nobody double books", "*Criterion 1:* it is done when nobody double books"),
        ("out of scope: the mobile app", "*Out of scope:* out of scope: the mobile app"),
    ],
)  # fmt: skip
async def test_what_is_said_before_the_kind_is_known_is_understood(plain: World, text: str, shown: str) -> None:
    """Who asks what a kind is gets it explained; what only some kinds ask for is put back at once."""
    await plain.say("/requirements")
    await plain.say(text)
    assert shown in plain.last() and "document" not in await plain.values()


async def test_without_a_model_a_feature_is_asked_for_answered_and_approved(plain: World) -> None:
    """The form's own questions lead to the summary; the click approves it, and the file stands below."""
    await answer_all(plain)
    assert (await plain.draft()).stage == "wrap_up"
    await plain.click("Approve")
    (record,) = await plain.records()
    assert {n: v["data"] for n, v in record.body["values"].items()} == {
        **ANSWERS,
        "document": "feature",
        "priority": "low",
    }
    (file,) = [f for m in plain.screen() for f in m.get("files", ())]
    assert file["name"] == f"{record.number}.md"
    text = plain.sandbox.slack.workspace.files[file["id"]].content.decode()
    assert all(words in text for words in ANSWERS.values())
    said = next(m for m in plain.alex.messages() if m["text"] == ANSWERS["description"])
    name = plain.sandbox.slack.workspace.people[plain.alex.id].real_name
    assert f"[{name}]({plain.sandbox.slack.url}/archives/{plain.alex.dm}/p{said['ts'].replace('.', '')})" in text


@pytest.mark.parametrize(
    ("model", "drifts"), [(lambda _: text("You should use PostgreSQL, I recommend it."), True), (hostile(random.Random(0)), False)]
)  # fmt: skip
async def test_a_model_that_never_keeps_to_its_part_costs_nothing_but_its_words(
    model: Script, drifts: bool, tmp_path: Path
) -> None:
    """With a model that only drifts, plain answers still make the record and no drift is sent; random misdeeds change no answer either."""
    async with world(tmp_path, model) as w:
        await answer_all(w)
        await w.say("approved")
        (record,) = await w.records()
        values = {n: v["data"] for n, v in record.body["values"].items()}
        assert values == {**ANSWERS, "document": "feature", "priority": "low"}
        assert not drifts or [s for s in sent(w) if violations(s)] == []


async def test_in_a_channel_everything_stays_in_the_thread(plain: World) -> None:
    """Begun by a mention, the conversation and its file stand in one thread of the channel."""
    workspace = plain.sandbox.slack.workspace
    channel = next(c.id for c in workspace.channels.values() if c.id.startswith("C") and plain.alex.id in c.members)
    thread = await plain.alex.say("@Holdfast I need a requirements document", channel)
    await plain.settled()

    def newest() -> dict[str, Any]:
        return [m for m in plain.alex.messages(channel) if m.get("bot_id")][-1]

    for _ in range(25):
        asked = await _asked_in(plain, channel, str(thread))
        if not asked:
            break
        if asked in ANSWERS:
            await plain.alex.say(ANSWERS[asked], channel, thread)
        else:
            await plain.alex.click({"document": "Feature", "priority": "Low priority"}[asked], newest())
        await plain.settled()
    await plain.alex.say("approved", channel, thread)
    await plain.settled()
    assert {m.get("thread_ts") for m in plain.alex.messages(channel) if m.get("bot_id")} == {thread}
    assert [f["name"] for f in newest()["files"]] == [(await plain.records())[0].number + ".md"]


async def _asked_in(w: World, channel: str, thread: str) -> str:
    current = await w.bot.store.current(Place(TEAM, channel, thread).key)
    stored = await w.bot.store.draft(current.draft) if current else None
    return decode_draft(stored.body).asked if stored else ""


async def test_a_phase_is_chosen_in_words(plain: World) -> None:
    """The person goes to the edge cases; told both, the conversation is back at the first gap."""
    await plain.say("/requirements")
    await plain.click("Feature")
    await plain.say("/requirements edge cases")
    assert ((await plain.draft()).stage, (await plain.draft()).asked) == ("edge_cases", "edge_case_1")
    await plain.say("A customer without rows")
    await plain.say("A reopened month")
    assert ((await plain.draft()).stage, (await plain.draft()).asked) == ("given", "name")


async def test_what_an_answer_implies_is_not_asked_again(tmp_path: Path) -> None:
    """A fact of a later phase, told early, is kept, and its question never comes."""

    said = "It is for the nine clerks in Lisbon"
    model = Drifting(random.Random(0), 0, ((said, {"who": "the nine clerks in Lisbon"}),))
    async with world(tmp_path, model) as w:
        await w.say("/requirements")
        await w.click("Feature")
        await w.say(said)
        await w.click("✓ the nine clerks in Lisbon")
        draft = await w.draft()
        assert draft.values["who"].provenance.words == said and draft.stage == "given"
        assert w.model is not None
        await w.say("hm")
        assert "who" not in offered(w.model.requests[-1])["set_story"]["properties"]


def long_talk(lines: int) -> Draft:
    """A draft after a long conversation, as `ChatLineAdded` leaves it."""
    draft = of_kind("feature")
    for n in range(lines):
        draft = fold(draft, [ChatLineAdded(ChatLine("assistant" if n % 2 else "user", f"line {n}", f"m{n}"))])
    return replace(draft, turn=lines // 2)


def test_a_long_conversation_keeps_its_first_two_and_last_eight_lines() -> None:
    """Of more than fourteen lines the first two and the last eight are sent, with a line on what was gathered between; each once."""
    draft = long_talk(31)
    request = build_request(FORM, draft, CallModel(draft.turn), "2026-11-20")
    said = "\n".join(str(m["content"]) for m in request.messages if m["role"] != "system")
    shown = [n for n in range(31) if f"line {n}\n" in f"{said}\n"]
    assert shown == [0, 1, *range(23, 31)]
    assert said.count("Lines are left out here.") == 1
    assert all(said.count(f"line {n}\n") <= 1 for n in shown)


def test_the_reminder_comes_every_fifth_turn_and_is_never_stored() -> None:
    """In the turns five, ten, … the request holds the persona's reminder; the conversation never does."""
    held = []
    for turn in range(1, 16):
        draft = replace(long_talk(4), turn=turn)
        request = build_request(FORM, draft, CallModel(turn), "2026-11-20")
        if any("[REMINDER]" in str(m["content"]) for m in request.messages):
            held.append(turn)
            assert "You ask and never solve" in str(request.messages[-1]["content"])
        assert not any("[REMINDER]" in line.text for line in (*draft.opening, *draft.window))
    assert held == [5, 10, 15]


def test_the_prompt_is_short_and_every_request_is_within_the_budget() -> None:
    """At most 200 lines of persona and rules; with every reminder, a request stays under the budget and tells the state."""
    assert len(system_prompt(FORM).splitlines()) <= 200
    for kind in ("feature", "bug", "spike", "enhancement"):
        draft = long_talk(30)
        request = build_request(
            FORM, of_kind(kind) if kind != "feature" else draft, CallModel(draft.turn), "2026-11-20"
        )
        assert estimate(request) <= BUDGET + 100
        assert "[GROUND TRUTH]" in str(request.messages[-1]["content"])


STATED = (
    "When a nurse swaps a shift nobody is told about it", "Not changing how shifts are planned", "How shifts are planned must not change",
    "What we need is a list of all open shifts", "No nurse knows which shifts are open", "Nobody can tell who swapped what and when",
    "Where the rota hangs is known to the night shift only", "Which nurse works when changes every single week",
)  # fmt: skip


async def test_a_statement_at_a_question_for_words_is_its_answer(plain: World) -> None:
    """A question word in it, or a "not" before it, makes no question and no refusal of what a person states."""
    for line in ("/requirements", "feature", "Swap board", "the ward app"):
        await plain.say(line)
    for line in STATED:
        asked = (await plain.draft()).asked
        await plain.say(line)
        assert (await plain.draft()).values[asked].data == line, plain.last()
        assert "you have a question" not in plain.last()


async def test_what_only_begins_like_a_question_is_put_back(plain: World) -> None:
    """Nobody is told that they have a question who may have none: the line comes back for one click; what is not understood is quoted."""
    for line in ("/requirements", "feature", "Swap board", "the ward app"):
        await plain.say(line)
    await plain.say("what is missing is a list of all the open shifts")
    assert "You wrote" in plain.last() and "you have a question" not in plain.last()
    await plain.say("how do I answer this")
    assert "you have a question" in plain.last()


async def test_nothing_is_called_clear_that_is_not(plain: World) -> None:
    """Where nothing was understood, what is clear is what the draft holds, by name, and the words that are not are quoted."""
    await plain.say("/requirements")
    await plain.say("qwertz")
    assert "✅ Clear: nothing yet." in plain.last() and "“qwertz”" in plain.last()
    await plain.click("Feature")
    await plain.say("👍 12")
    assert "answers so far" not in plain.transcript()
