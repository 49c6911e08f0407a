"""`POST /chat` with models that obey and models that do not: nothing runs that was not said, and nothing without its click."""

import json
from typing import Any

from bot.sandbox.models.answers import call, overloaded, text, tools
from bot.sandbox.models.scripts import in_order
from tests.chat.conftest import Caller, Calling
from tests.world import TEAM

COFFEE = {"item": "coffee", "amount": "3.50", "currency": None, "date": None, "category": None}


async def standing(c: Caller) -> list[dict[str, Any]]:
    """What stands, newest first."""
    return [e.body for e in await c.bot.store.entries(TEAM, "expenses")]


def told(c: Caller) -> str:
    """All that the last request told the model."""
    assert c.model is not None
    return json.dumps(c.model.requests[-1])


async def test_a_call_waits_and_confirming_asks_no_model(calling: Calling) -> None:
    """A model's call becomes a proposal; the click runs its exact arguments without another model call, whatever the model would say now."""
    script = in_order(tools(call("add_expense", **COFFEE)), tools(call("add_expense", **{**COFFEE, "amount": "500"})))
    async with calling(script) as c:
        asked = await c.say("coffee 3.50")
        assert asked["confirmationRequired"] and await standing(c) == []
        assert c.model is not None
        before = len(c.model.requests)
        status, _ = await c.confirm(asked["proposalId"])
        assert status == 200 and len(c.model.requests) == before
        assert [(e["item"], e["amount"], e["currency"]) for e in await standing(c)] == [("coffee", "3.50", "EUR")]


async def test_nothing_runs_on_a_question(calling: Calling) -> None:
    """What is not said is asked for in the form's own words, and nothing is proposed."""
    asked = tools(call("say", act="explain", about="add_expense.amount", readings=[]))
    async with calling(in_order(asked)) as c:
        assert await c.say("coffee today") == {"answer": "How much was it?"}
        assert await standing(c) == []


async def test_words_that_tell_what_nobody_said_are_dropped(calling: Calling) -> None:
    """A figure of the model's own is asked for otherwise once; then code says that it has no answer and that nothing was recorded."""
    async with calling(in_order(text("You may spend 812 more."))) as c:
        answer = (await c.say("may I spend more?"))["answer"]
        assert "812" not in answer and "answer" in answer and answer.endswith("Nothing was recorded.")
        assert c.model is not None and len(c.model.requests) == 2


async def test_what_a_useless_reply_leaves_is_read_by_rules_and_waits(calling: Calling) -> None:
    """Where words are dropped, an order that rules can read waits for a click, however fully it was said, and what it lacks is asked for."""
    async with calling(in_order(text("I have added it for 99 euros."))) as c:
        asked = await c.say("€3.50 coffee 2026-11-20")
        assert asked["confirmationRequired"] and "EUR 3.50" in asked["answer"] and await standing(c) == []
        assert (await c.say("add 5 euros"))["answer"] == "What was it for?\nNothing was recorded."
        assert (await c.say("list"))["listed"] == []
    async with calling(in_order(tools(call("say", act="acknowledge", about="", readings=[])))) as c:
        assert (await c.say("€3.50 coffee 2026-11-20"))["confirmationRequired"] and await standing(c) == []
        assert (await c.say("blue skies"))["answer"].endswith("\nNothing was recorded.")


async def test_an_invalid_reply_is_asked_for_once_more(calling: Calling) -> None:
    """Each sort of invalid reply is told to the model with what was wrong, and the second, good reply counts."""
    bad = {
        "no tool": tools(call("add_money", amount="3.50")),
        "has no property 'tip'": tools(call("add_expense", **COFFEE, tip="9")),
        "do not say this for 'amount'": tools(call("add_expense", **{**COFFEE, "amount": "35"})),
        "do not say this for 'item'": tools(call("add_expense", **{**COFFEE, "item": "limousine"})),
        "do not say this for 'currency'": tools(call("add_expense", **{**COFFEE, "currency": "USD"})),
        "it says that something was done": text("I have added your coffee."),
        "call an operation for figures": text("You have spent 812 euros."),
        "it is empty": text(" "),
        "there is no such act": tools(call("say", act="approve", about="", readings=[])),
        "cannot be the subject": tools(call("say", act="passage", about="discounts", readings=[])),
    }
    for wrong, first in bad.items():
        async with calling(in_order(first, tools(call("add_expense", **COFFEE)))) as c:
            asked = await c.say("€3.50 coffee")
            assert asked["confirmationRequired"], wrong
            assert wrong in told(c), wrong


async def test_a_second_invalid_reply_is_502(calling: Calling) -> None:
    """After one retry the caller is told that the model failed; nothing ran, and no word of the model's goes out."""
    async with calling(in_order(tools(call("add_expense", **{**COFFEE, "amount": "35"})))) as c:
        status, body = await c.post({"message": "coffee 3.50"})
        assert (status, body["error"]) == (502, "bad_reply") and "35" not in json.dumps(body)
        assert c.model is not None and len(c.model.requests) == 2
        assert await standing(c) == []


async def test_a_call_that_no_operation_can_take_is_422(calling: Calling) -> None:
    """An operation, a field or a value that there is not is told with the form's own names after one retry: two calls of the model in all."""
    bad = {
        "unknown_operation": call("add_money", amount="3.50"),
        "unknown_field": call("add_expense", **COFFEE, tip="9"),
        "bad_arguments": call("add_expense", **{**COFFEE, "amount": "plenty"}),
    }
    for error, wrong in bad.items():
        async with calling(in_order(tools(wrong))) as c:
            status, body = await c.post({"message": "coffee 3.50"})
            assert (status, body["error"]) == (422, error) and not {"tip", "add_money", "plenty"} & set(
                body["detail"].split()
            )
            assert c.model is not None and len(c.model.requests) == 2 and await standing(c) == []


LOOKS_LIKE = (
    "add_expense ", "ADD_EXPENSE", "add_expense\n", "add\u200b_expense", "add_expens\u0435", "add_expense\x00", "\x1badd_expense",
    "add_expense\ud800",
)  # fmt: skip


async def test_a_name_that_only_looks_like_an_operations_runs_nothing(calling: Calling) -> None:
    """Control characters, spaces, capitals, letters of other scripts and what cannot be seen make another name of it, natively and in JSON."""
    whole = {**COFFEE, "currency": "EUR", "date": "2026-11-20"}
    native = (tools(call(name, **whole)) for name in LOOKS_LIKE for _ in range(2))
    async with calling(in_order(*native)) as c:
        for name in LOOKS_LIKE:
            assert (await c.post({"message": "€3.50 coffee 2026-11-20"}))[0] == 422, name
        assert await standing(c) == []
    named = ({"type": "tool_call", "tool": name, "args": COFFEE} for name in LOOKS_LIKE[:5] for _ in range(2))
    async with calling(in_order(*(text(json.dumps(reply)) for reply in named)), anthropic_dialect="json") as c:
        for name in LOOKS_LIKE[:5]:
            assert 400 <= (await c.post({"message": "€3.50 coffee 2026-11-20"}))[0] < 500, name
        assert await standing(c) == []


async def test_one_retry_is_two_calls_of_the_model_whoever_finds_the_fault(calling: Calling) -> None:
    """What is no reply, and a reply that is refused, share one retry: in either order the model is asked twice and no oftener."""
    garbled = text("{ not json")
    refused = text(json.dumps({"tool_call": {"name": "add_expense", "arguments": {"item": "coffee", "amount": "35"}}}))
    for script in ((garbled, refused), (refused, garbled), (garbled, garbled), (refused, refused)):
        async with calling(in_order(*script, garbled, refused), anthropic_dialect="json") as c:
            assert (await c.post({"message": "coffee 3.50"}))[0] == 502
            assert c.model is not None and len(c.model.requests) == 2


async def test_nothing_is_put_up_that_nobody_asked_for(calling: Calling) -> None:
    """A deletion or a change that a model proposes beside a purchase waits for nobody's click; a good second reply counts."""
    async with calling(in_order(tools(call("delete_expense", id=1)), tools(call("add_expense", **COFFEE)))) as c:
        asked = await c.say("coffee 3.50")
        assert asked["confirmationRequired"] and "Add" in asked["answer"] and "do not ask for" in told(c)


async def test_one_refused_call_keeps_the_others_from_running(calling: Calling) -> None:
    """Of two calls in a reply the good one does not run either, until the reply is whole."""
    good = call("add_expense", **{**COFFEE, "currency": "EUR", "date": "2026-11-20"})
    async with calling(in_order(tools(good, call("add_expense", **{**COFFEE, "amount": "99"})))) as c:
        status, _ = await c.post({"message": "€3.50 coffee 2026-11-20"})
        assert status == 502 and await standing(c) == []


async def test_several_items_are_one_proposal(calling: Calling) -> None:
    """Several things in one message are listed together and run by one click, even where each was said in full."""
    items = (("bread", "12"), ("eggs", "15"))
    calls = (
        call("add_expense", **{**COFFEE, "item": n, "amount": a, "currency": "GBP", "date": "2026-11-20"})
        for n, a in items
    )
    async with calling(in_order(tools(*calls))) as c:
        asked = await c.say("on 2026-11-20 bread £12, eggs £15")
        assert "bread · GBP 12.00" in asked["answer"] and "eggs · GBP 15.00" in asked["answer"]
        status, body = await c.confirm(asked["proposalId"])
        assert status == 200 and [e["item"] for e in body["added"]] == ["bread", "eggs"]


async def test_a_model_cannot_delete_by_itself(calling: Calling) -> None:
    """A call that deletes waits like any other, also where the person said no such thing; a row that is not theirs is 404."""
    deletes = tools(call("delete_expense", id=1))
    async with calling(in_order(tools(call("get_balance", range=None)), deletes)) as c:
        assert (await c.say("how are we doing"))["balance"] == {}
        assert (await c.post({"message": "clean up"}))[0] == 404


async def test_the_json_dialect_keeps_the_same_contract(calling: Calling) -> None:
    """One JSON object a reply; a key too many is asked for once more, and a second one is 502."""
    whole = {"tool_call": {"name": "add_expense", "arguments": {"item": "coffee", "amount": "3.50"}}}
    clean, stray = text(json.dumps(whole)), text(json.dumps({**whole, "note": "x"}))
    async with calling(in_order(stray, clean, stray), anthropic_dialect="json") as c:
        assert (await c.say("coffee 3.50"))["confirmationRequired"]
        assert (await c.post({"message": "coffee 3.50"}))[0] == 502


async def test_a_suggested_confirmation_is_honoured_and_its_words_are_not_shown(calling: Calling) -> None:
    """Where the model suggests a confirmation the call waits, and the card speaks from the arguments alone."""
    arguments = {"item": "coffee", "amount": "3.50", "currency": "EUR", "date": "2026-11-20"}
    reply = {"tool_call": {"name": "add_expense", "arguments": arguments, "confirm": {"message": "Confirm one cent"}}}
    async with calling(in_order(text(json.dumps(reply))), anthropic_dialect="json") as c:
        asked = await c.say("€3.50 coffee 2026-11-20")
        assert asked["confirmationRequired"] and "one cent" not in asked["answer"]


async def test_an_outage_leaves_the_rule_based_reader(calling: Calling) -> None:
    """With the model down, a plain line is still read, and still waits where something was worked out."""
    async with calling(in_order(overloaded())) as c:
        assert (await c.say("coffee 3,50"))["confirmationRequired"]
