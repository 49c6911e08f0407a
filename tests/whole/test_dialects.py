"""Models without native tools: a whole request in either dialect, and what happens when their replies cannot be read."""

import itertools
import json
import random
import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.models.answers import Answer, ModelMessage, text
from bot.sandbox.models.playback import Script
from bot.sandbox.models.scripts import newest_words
from prompts.marks import RESULT
from prompts.request import Dialect
from tests.model.dialect_cases import flawed, garbled, overreaching
from tests.whole.steps import FILED, OPENING, REASON, own_form, play
from tests.world import World, shown, world

TRADE = {"direction": "buy", "quantity": 200, "value": "720", "currency": "GBP", "account": "pension"}
QUOTE = "buy 200 Tesco for my pension, about £720"
ACTS = (OPENING, "[Use all of it]", "[Use this]", *["[No]"] * 5, "[I understand]", REASON, "[Submit]")
MACHINERY = re.compile(r"[{}].*|```.*|^---$|\"\w+\":.*|REJECTED.*", re.MULTILINE)


def block(lead: str, /, **action: Any) -> ModelMessage:
    """Words, the line, one action."""
    return text(f"{lead}\n---\n{json.dumps(action)}".strip())


def one(**kind: Any) -> ModelMessage:
    """One JSON object."""
    return text(json.dumps(kind))


def in_blocks(body: dict[str, Any]) -> Answer:
    """A good model that writes a block, and words that nobody reads."""
    words = newest_words(body)
    if words == OPENING:
        return block("", action="collect", data={"security": "Tesco", **TRADE}, words=QUOTE)
    if words == REASON:
        return block("", action="collect", data={"justification": REASON}, words=REASON)
    return block("Thanks! Declarations next.", action="tool", name="say", arguments={"act": "thank", "about": ""})


def in_objects(body: dict[str, Any]) -> Answer:
    """A good model that writes one object a reply: a call at a time."""
    words = newest_words(body)
    if words == OPENING:
        return one(tool_call={"name": "set_trade", "arguments": {**TRADE, "words": QUOTE}})
    if RESULT in words and "set_security" in body["system"] and "set_security" not in json.dumps(body["messages"]):
        return one(tool_call={"name": "set_security", "arguments": {"security": "Tesco", "words": "Tesco"}})
    if words == REASON:
        return one(tool_call={"name": "set_justification", "arguments": {"justification": REASON, "words": REASON}})
    if "[clicked]" in words:
        return one(tool_call={"name": "say", "arguments": {"act": "thank", "about": ""}})
    return one(silent={})


MODELS: dict[Dialect, Callable[[dict[str, Any]], Answer]] = {"block": in_blocks, "json": in_objects}


def asked(w: World) -> list[dict[str, Any]]:
    """Every request's body."""
    assert w.model is not None
    return w.model.requests


def json_on(w: World) -> list[str]:
    """What on the screen looks like JSON, a fence or a format's line; Slack's own tokens for dates apart."""
    screens = (re.sub(r"<!date[^>]*>", "", shown(message)) for message in w.screen())
    return [found for screen in screens for found in MACHINERY.findall(screen)]


@pytest.mark.parametrize("dialect", MODELS)
async def test_a_whole_request_with_a_model_without_tools(dialect: Dialect, tmp_path: Path) -> None:
    """In either dialect a request is filed in eleven acts; no request holds a tool, a call or a result, and no screen holds JSON."""
    async with world(tmp_path, MODELS[dialect], anthropic_dialect=dialect) as w:
        await play(w, *ACTS[:2])
        await play(w, *ACTS[2:3])
        assert "hank" in w.last() and "Declarations next." not in w.transcript()
        await play(w, *ACTS[3:])
        (record,) = await w.records()
        assert {n: v["data"] for n, v in record.body["values"].items()} == FILED
        assert record.body["values"]["justification"]["provenance"]["reader"] not in ("", "rules")
        for body in asked(w):
            assert "tools" not in body
            assert all(isinstance(message["content"], str) for message in body["messages"])
        assert not json_on(w)


async def test_a_model_that_knows_neither_tools_nor_system_messages(tmp_path: Path) -> None:
    """Another vendor's model gets plain turns of user and assistant alone, and fills in the same form."""
    async with world(tmp_path, in_blocks, anthropic_dialect="block", anthropic_model="plain-7b") as w:
        await play(w, *ACTS)
        (record,) = await w.records()
        assert {n: v["data"] for n, v in record.body["values"].items()} == FILED
        assert {m["role"] for body in asked(w) for m in body["messages"]} == {"user", "assistant"}
        assert record.body["values"]["justification"]["provenance"]["reader"] == "plain-7b"


def unreadable(dialect: Dialect, seed: int) -> Callable[[dict[str, Any]], Answer]:
    """A model that never writes what can be read: the whole table, shuffled, again and again."""
    replies = list(flawed(dialect).values())
    random.Random(seed).shuffle(replies)
    endless = itertools.cycle(replies)
    return lambda _: text(next(endless))


@pytest.mark.parametrize("dialect", MODELS)
async def test_a_request_beside_a_model_that_nobody_can_read(dialect: Dialect, tmp_path: Path) -> None:
    """Each turn asks twice at the most, then the rules read; the record is what the person said and clicked, no screen holds JSON."""
    async with world(tmp_path, unreadable(dialect, 1), anthropic_dialect=dialect) as w:
        for act in ACTS:
            before = len(asked(w))
            await play(w, act)
            assert len(asked(w)) - before in (0, 2)
            assert not json_on(w)
        (record,) = await w.records()
        assert {n: v["data"] for n, v in record.body["values"].items()} == FILED
        assert all(v["provenance"]["reader"] in ("", "rules") for v in record.body["values"].values())
        assert len(asked(w)) > 12


@pytest.mark.parametrize("dialect", MODELS)
async def test_a_request_beside_a_model_that_overreaches(dialect: Dialect, tmp_path: Path) -> None:
    """Readable replies that set, correct, disclose, submit or approve what nobody said change nothing that the person made."""
    replies = [*overreaching(dialect).values(), *flawed(dialect).values()]
    dice = random.Random(2)
    async with world(tmp_path, lambda _: text(dice.choice(replies[:40])), anthropic_dialect=dialect) as w:
        for act in ACTS:
            await play(w, act)
            assert not json_on(w)
        (record,) = await w.records()
        assert {n: v["data"] for n, v in record.body["values"].items()} == FILED


async def test_tokens_of_replies_that_nobody_can_read_are_spent(tmp_path: Path) -> None:
    """Both replies of a turn that came to nothing count against the day's budget."""
    async with world(tmp_path, lambda _: text("{", input_tokens=1000, output_tokens=10), anthropic_dialect="json") as w:
        await w.say("I want to buy something")
        today = (await w.bot.store.now()).date().isoformat()
        assert await w.bot.store.spend(today, 0) == 2 * 1010


@pytest.mark.parametrize("dialect", MODELS)
async def test_a_refused_act_comes_back_as_text(dialect: Dialect, tmp_path: Path) -> None:
    """In the next round the model reads its own act as it would write it, and behind it why the guards refused it."""
    made_up = {"account": "ISA", "words": "my ISA"}

    def model(body: dict[str, Any]) -> Answer:
        if RESULT in newest_words(body) or "fine day" not in newest_words(body):
            return text("Noted.") if dialect == "block" else one(answer={"text": "Noted."})
        if dialect == "block":
            return block("I see.", action="collect", data={"account": "ISA"}, words="my ISA")
        return one(tool_call={"name": "set_trade", "arguments": made_up})

    async with world(tmp_path, model, anthropic_dialect=dialect) as w:
        await w.say("I want to buy 200 Tesco, what a fine day")
        act, result = next(
            (before, after)
            for before, after in itertools.pairwise(asked(w)[-1]["messages"])
            if after["content"].startswith(RESULT)
        )
        assert act["role"] == "assistant" and json.loads(act["content"].split("---\n")[-1]) == (
            {"action": "collect", "data": {"account": "ISA"}, "words": "my ISA"}
            if dialect == "block"
            else {"tool_call": {"name": "set_trade", "arguments": made_up}}
        )
        assert (
            result["role"] == "user" and "REJECTED: the user's words do not say this for 'account'" in result["content"]
        )
        assert "account" not in await w.values()


HOLIDAY = """
title = "Holiday request"
version = "1"
prefix = "HOL"
command = "/holiday"
words = ["holiday"]
dialect = "json"

[fields.days]
kind = "integer"
label = "Days"
ask = "How many days?"
words = ["days"]
"""


STAGES = """
[stages.asking]
goal = "Learn the days."
transitions = [{ on = "complete", to = "done" }, { on = "drop", to = "ended", words = ["drop it"] }]

[stages.done]
final = true

[stages.ended]
final = true
"""
ASKING = HOLIDAY.replace('dialect = "json"', 'asked_by = "model"')


def on_holiday(
    tmp_path: Path, model: Script, dialect: str, more: str = "", form: str = HOLIDAY
) -> AbstractAsyncContextManager[World]:
    """A world that has the small form, and a model in a dialect."""
    given = {"holdfast_workflows": own_form(tmp_path, "holiday", form + more), "anthropic_dialect": dialect}
    return world(tmp_path / "var", model, **given)


@pytest.mark.parametrize("dialect", MODELS)
async def test_a_step_that_a_model_proposes_is_taken_if_it_is_open(dialect: Dialect, tmp_path: Path) -> None:
    """A transition of the block, or a call of its tool in an object, moves the form where its table has the way open, and nowhere else."""
    steps = {"nonsense": "done_at_once", "another": "drop"}

    def model(body: dict[str, Any]) -> Answer:
        words = newest_words(body)
        to = next((to for word, to in steps.items() if word in words), "")
        if not to:
            return text("Noted.") if dialect == "block" else one(answer={"text": "Noted."})
        if dialect == "block":
            return block("I see.", action="transition", to=to, words=words)
        return one(tool_call={"name": "go", "arguments": {"to": to, "words": words}})

    async with on_holiday(tmp_path, model, dialect, STAGES) as w:
        await play(w, "I need a holiday, perhaps", "what nonsense this is")
        assert (await w.draft()).stage == "asking"
        await w.say("rather another day, then")
        assert (await w.draft()).stage == "ended"
        assert not json_on(w)


def foreign(dialect: Dialect, **data: Any) -> ModelMessage:
    """Values in the shape of another system, without a quote."""
    if dialect == "block":
        return block("I see.", action="collect", data=data)
    return one(type="tool_call", tool="set_days", args=data)


UNQUOTED = [
    ("make it 5 days then, my sister agrees", 5, {"days": 5}),
    ("my 5 cats want 9 days", 9, {"days": 9}),
    ("what a fine day", 5, {}),
    ("make it 5 days then, my sister agrees", 9, {"days": 5}),
    ("how many may I take, 5 days or so?", 5, {"days": 5}),
]


@pytest.mark.parametrize(
    ("dialect", "said", "days", "expected"),
    [*(("block", *told) for told in UNQUOTED), *(("json", *told) for told in UNQUOTED[1:3])],
)
async def test_a_value_without_a_quote_has_to_be_said_by_the_newest_message(
    dialect: Dialect, said: str, days: int, expected: dict[str, int], tmp_path: Path
) -> None:
    """What the message holds for that field is put back with the message for its words; what nobody said is refused."""
    playing = [text("Noted.")]
    async with on_holiday(tmp_path, lambda _: playing[0], dialect) as w:
        await w.say("I need a holiday, you know")
        playing[0] = foreign(dialect, days=days)
        await w.say(said)
        offers = (await w.draft()).offers
        assert {o.field: o.data for o in offers} == expected and await w.values() == {} and not json_on(w)
        assert all(o.said == said for o in offers if o.data == days)


STEPS_SAID = [
    ("rather another day, then", "ended"), ("drop it all, would you", "ended"),
    ("what happens if I stop here?", "asking"), ("no, not yet", "asking"), ("hello", "asking"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "said", "stage"),
    [
        *(("trigger", *told) for told in STEPS_SAID),
        *((name, *told) for name in ("next_state", "to") for told in STEPS_SAID[1:3]),
    ],
)
async def test_a_step_without_a_quote_has_to_be_borne_by_the_newest_message(
    name: str, said: str, stage: str, tmp_path: Path
) -> None:
    """By its trigger or by the stage that it leads to: taken where the message may ask for it, never on a question, a no or a greeting."""
    target = "ENDED" if name == "next_state" else "drop"
    playing = [text("Noted.")]
    async with on_holiday(tmp_path, lambda _: playing[0], "block", STAGES) as w:
        await w.say("I need a holiday, perhaps")
        playing[0] = block("I see.", action="transition", data={}, **{name: target})
        await w.say(said)
        assert (await w.draft()).stage == stage and not json_on(w)


async def test_what_comes_with_a_step_is_judged_before_it(tmp_path: Path) -> None:
    """The data of a step that code takes by itself counts, and the step is no mistake: the model is not asked again for it."""
    step = block("Five.", action="transition", next_state="done", data={"days": 5})
    playing = [text("Noted.")]
    async with on_holiday(tmp_path, lambda _: playing[0], "block", STAGES) as w:
        await w.say("I need a holiday, perhaps")
        before, playing[0] = len(asked(w)), step
        await w.say("oh, 5 days would do nicely")
        assert [(o.field, o.data) for o in (await w.draft()).offers] == [("days", 5)] and len(asked(w)) - before <= 2
        calls = [(c.tool, c.status) for c in await w.bot.store.tool_calls((await w.draft()).id) if c.reader != "rules"]
        assert ("set_days", "put_back") in calls and ("go", "rejected") not in calls


@pytest.mark.parametrize("suggested", [True, False])
async def test_a_call_with_its_kind_in_type_runs_as_any_other(suggested: bool, tmp_path: Path) -> None:
    """An operation in that shape is judged like every call; a confirmation that it suggests is asked for in the form's words."""
    call = {"type": "tool_call", "tool": "add_expense", "confirmationSuggested": suggested,
            "args": {"item": "taxi", "amount": "18.40", "currency": "EUR", "date": "2026-11-20"}}  # fmt: skip
    if suggested:
        call["confirmationMessage"] = "Shall I just do it, my friend?"
    async with world(tmp_path, lambda _: one(**call), {"only": "expenses"}, anthropic_dialect="json") as w:
        await w.say("taxi on 20 November 2026, EUR 18.40")
        rows = "Added 1" in w.transcript()
        assert rows != suggested and "18.40" in w.transcript()
        assert "my friend" not in w.transcript() and not json_on(w)


MANGLED_REPLIES = list(garbled().values())


async def test_mangled_actions_reach_nobody(tmp_path: Path) -> None:
    """In a form where a model asks, an action written among its words in any notation is not shown: neither dialect's nor a native one's."""
    replies = itertools.cycle(MANGLED_REPLIES[::9])
    for dialect in ("block", "tools"):
        async with on_holiday(tmp_path / dialect, lambda _: text(next(replies)), dialect, form=ASKING) as w:
            await w.say("I need a holiday, you know")
            for _ in range(len(MANGLED_REPLIES[::9])):
                await w.say("what a fine day it is")
            bot = w.transcript().lower()
            assert "collect" not in bot and "next_state" not in bot and "trigger" not in bot


@pytest.mark.parametrize(("setting", "expected"), [("tools", "json"), ("block", "block")])
async def test_the_installations_dialect_wins_over_the_forms(setting: Dialect, expected: str, tmp_path: Path) -> None:
    """A form is spoken to in its own dialect; a setting other than native tools counts for every form."""
    async with on_holiday(tmp_path, lambda _: text("Noted."), setting) as w:
        await w.say("I need a holiday, would next week do?")
        assert {"json": '{"silent": {}}', "block": "---"}[expected] in asked(w)[0]["system"]
        assert "tools" not in asked(w)[0]
    async with on_holiday(tmp_path / "other", lambda _: text("Noted."), setting) as w:
        await w.say("I want to buy something, would next week do?")
        assert ("tools" in asked(w)[0]) == (setting == "tools")
