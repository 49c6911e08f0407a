"""What a model is told and how often it is asked, and what comes of its calls; `tests/chaos/hostile` plays those that misbehave."""

from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.models.answers import Answer, call, text, tools
from bot.sandbox.models.scripts import newest_words, tool_results
from tests.whole.steps import DECLARATIONS, OPENING, REASON, open_request
from tests.world import World, world


def helpful(body: dict[str, Any]) -> Answer:
    """Reads the opening sentence and the reason, leads over after clicks."""
    words, offered = newest_words(body), {t["name"] for t in body["tools"]}
    if tool_results(body):
        return text("Thank you, noted.")
    if words == OPENING and "set_security" in offered:
        nulls = dict.fromkeys(("direction", "quantity", "value", "currency", "account"))
        trade = {"direction": "buy", "quantity": 200, "value": "720", "currency": "GBP", "account": "pension"}
        return tools(
            call("set_security", security="Tesco", words="Tesco"),
            call("set_trade", **{**nulls, **trade}, words="buy 200 Tesco for my pension, about £720"),
        )
    if words == REASON:
        return tools(call("set_justification", justification=REASON, words=REASON), text="That is clear.")
    return tools(
        call("say", act="thank", about="", readings=[]), text="Thanks! Declarations next. Is this a derivative?"
    )


async def test_after_a_click_the_model_gets_an_action_summary_not_a_bare_continue(tmp_path: Path) -> None:
    """The request after a click holds the act as the user's line and, after it, a system message with what changed and what is next."""
    async with world(tmp_path, helpful) as w:
        await open_request(w)
        await w.click("No")
        assert w.model is not None
        body = w.model.requests[-1]
        *_, act, summary = body["messages"]
        assert act["role"] == "user" and "[clicked] Derivative: No" in str(act["content"])
        assert summary["role"] == "system"
        for wanted in ("[GROUND TRUTH]", "UI interaction", "locked", "Leveraged product"):
            assert wanted.casefold() in str(summary["content"]).casefold()
        offered = {p for t in body["tools"] if t["name"].startswith("set_") for p in t["input_schema"]["properties"]}
        assert "is_derivative" not in offered and "quantity" not in offered


async def test_the_page_shows_the_draft_as_it_is_and_the_exact_last_prompt(tmp_path: Path) -> None:
    """Beside the conversation stand fields, locks, provenance, the tools on offer, and the very request that was sent."""
    async with world(tmp_path, helpful) as w:
        await open_request(w)
        await w.click("No")
        seen = await w.bot.inspector.inspect("U0ALEX", w.alex.dm, None)
        assert seen is not None and w.model is not None
        fields = {f["name"]: f for f in seen["draft"]["fields"]}
        assert fields["is_derivative"] | {"words": "No"} == fields["is_derivative"]
        assert fields["is_derivative"]["locked"] and fields["is_derivative"]["how"] == "clicked"
        assert fields["is_leveraged"]["state"] == "asked" and fields["derivative_justification"]["state"] == "hidden"
        assert seen["prompt"]["system"] == w.model.requests[-1]["system"]
        assert [m["role"] for m in seen["prompt"]["messages"]] == [m["role"] for m in w.model.requests[-1]["messages"]]
        assert "is_derivative" not in {
            p for t in seen["tools"] if t["name"].startswith("set_") for p in t["properties"]
        }
        assert [e["revision"] for e in seen["events"]] == sorted(e["revision"] for e in seen["events"])


async def test_at_most_eight_model_calls_a_turn(tmp_path: Path) -> None:
    """A model that never comes to an end is asked eight times and no more."""
    counter = iter(range(1000))

    def model(_: dict[str, Any]) -> Answer:
        return tools(call("set_justification", justification=f"made up {next(counter)} times", words="nothing of this"))

    async with world(tmp_path, model) as w:
        await open_request(w)
        assert w.model is not None
        before = len(w.model.requests)
        await w.say("what a fine day")
        assert len(w.model.requests) - before == 8


async def test_a_locked_justification_is_refused_with_its_reason(tmp_path: Path) -> None:
    """A call on a locked field is answered with the structured refusal, and the model reads it."""
    seen: list[Any] = []

    def model(body: dict[str, Any]) -> Answer:
        results = [
            b
            for m in body["messages"]
            if isinstance(m["content"], list)
            for b in m["content"]
            if b["type"] == "tool_result"
        ]
        seen.extend(results)
        if results:
            return text("Thank you.")
        return tools(call("set_is_derivative", is_derivative=True, words="No"))

    async with world(tmp_path, model) as w:
        await w.say("hello")
        await open_request(w)
        await w.click("No")
        assert (await w.draft()).values["is_derivative"].data is False
    told = "".join(str(r["content"]) for r in seen)
    assert "REJECTED: 'is_derivative' is locked. Move on to the next missing field." in told
    assert "PROCEED: is_derivative is already set. Ask for the next missing field." in told


def repeats_itself(request: dict[str, Any]) -> Answer:
    """A model that makes one refused call for ever once it hears of the weather."""
    if "weather" not in str(request["messages"]):
        return text("Thank you.")
    return tools(call("set_declarations", is_derivative=True, words="never said"))


async def test_the_same_call_three_times_ends_in_the_question_and_then_in_an_offer(tmp_path: Path) -> None:
    """The third identical call of a turn ends it in the written question; after a second such turn a person is offered, not called."""
    async with world(tmp_path, repeats_itself, {"only": "pa_dealing"}) as w:
        await open_request(w)
        await w.say("the weather one over there")
        draft = await w.draft()
        calls = [c for c in await w.bot.store.tool_calls(draft.id) if c.reader != "rules"]
        assert len(calls) == 3 and draft.asked == "is_derivative" and not draft.handed
        assert "Talk to a person" not in w.last()
        await w.say("the weather one I meant")
        draft = await w.draft()
        assert "Talk to a person" in w.last() and not draft.handed and draft.asked == "is_derivative"
        await w.click("Talk to a person")
        assert not (await w.draft()).handed and w.alex.messages("C0COMPLIANCE")


BLANKET = "buy 200 Tesco for my pension, £720, no to all declarations"


async def check_opening(w: World) -> None:
    """What the sentence says is put back, and no declaration has a value or is put back with it."""
    draft = await w.draft()
    assert not set(DECLARATIONS) & set(draft.values)
    assert not set(DECLARATIONS) & {o.field for o in draft.offers}
    await w.click("Use all of it")
    told = {"quantity": 200, "account": "pension", "value": "720.00"}
    assert told.items() <= (await w.values()).items()


@pytest.mark.parametrize("quote", ["no to all declarations", "no", BLANKET])
async def test_a_model_that_takes_the_clause_for_answers_is_refused(quote: str, tmp_path: Path) -> None:
    """A model that sets every declaration from the clause is told why not, and nothing is declared."""

    def eager(request: dict[str, Any]) -> Answer:
        told = "REJECTED" in str(request["messages"])
        return text("") if told else tools(call("set_declarations", **dict.fromkeys(DECLARATIONS, False), words=quote))

    async with world(tmp_path, eager) as w:
        await w.say(BLANKET)
        await check_opening(w)
        assert w.model is not None and "REJECTED" in str(w.model.requests)
