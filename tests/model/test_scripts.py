"""The ready-made scripted models."""

import pytest

from bot.model.protocol import ModelError
from bot.model.sending import marked
from bot.sandbox.models.answers import ModelMessage, call, text, tools
from bot.sandbox.models.scripts import by_newest_message, in_order
from state.draft.reply import Reply
from tests.chaos.hostile.misdeeds import MANY, MISDEEDS, hostile
from tests.model.asking import asked, assistant, dice, operator, tool, user

A, B, C = text("a"), text("b"), text("c")


def body(*messages, tools=()):
    return {"messages": list(messages), "tools": list(tools)}


def test_in_order():
    """Answers come one after the other, and the last one stays."""
    play = in_order(A, lambda _: B, C)
    assert [play(body()) for _ in range(4)] == [A, B, C, C]


def test_by_newest_message():
    """The newest user's words choose the answer, in any case; anything else gets the other one."""
    play = by_newest_message({"no inside": A, r"\d+ shares": lambda _: B}, otherwise=C)
    assert play(body(user("200 shares"), assistant("?"), user("NO inside information"))) == A
    assert play(body(user("200 Shares"), operator("no inside"))) == B
    assert play(body(user("200 shares"), assistant("?"), user("hello"))) == C


def test_by_newest_message_looks_past_the_operator():
    """Words in the operator's marked block choose nothing."""
    assert by_newest_message({"leveraged": A}, otherwise=C)(body(user(f"hello\n\n{marked('leveraged')}"))) == C


def test_by_newest_message_ends_a_tool_loop():
    """After tool results comes the closing answer, not the one that made the calls."""
    play = by_newest_message({"buy": tools(call("set_side"))}, after_tools=C)
    assert play(body(user("buy"), user([{"type": "tool_result", "tool_use_id": "a", "content": "buy"}]))) == C


CONVERSATION = body(
    user("I buy 200 shares of it"),
    assistant([{"type": "tool_use", "id": "a", "name": "set_quantity", "input": {"value": 200}}]),
    user([{"type": "tool_result", "tool_use_id": "a", "content": "[clicked] Leveraged product: No"}]),
    tools=[tool("set_side", "string", enum=["buy", "sell"]), tool("set_limit", ["number", "null"])],
)


@pytest.mark.parametrize("misdeed", MISDEEDS, ids=lambda misdeed: misdeed.__name__)
@pytest.mark.parametrize("conversation", [CONVERSATION, body(user("Hi"))], ids=["a form", "no tools"])
def test_misdeeds_need_only_the_request(misdeed, conversation):
    """Every misdeed works on any conversation, with tools on offer and without."""
    for seed in range(20):
        assert isinstance(misdeed(conversation, dice(seed)), ModelMessage)


def test_the_hostile_model_commits_every_misdeed():
    """In a few hundred answers the hostile model re-asks, overwrites, invents, loops, claims, and writes without end."""
    play = hostile(dice(1))
    answers = [play(CONVERSATION) for _ in range(400)]
    words = [block["text"] for answer in answers for block in answer.content if block["type"] == "text"]
    called = [block for answer in answers for block in answer.content if block["type"] == "tool_use"]
    assert any("leveraged product?" in each for each in words)
    assert any("submitted" in each for each in words)
    assert max(map(len, words)) > 100_000
    assert max(len(answer.content) for answer in answers) == MANY
    assert {"set_leveraged_product", "set_quantity", "set_side"} <= {block["name"] for block in called}
    assert any(block["name"] == "set_quantity" and block["input"] == {"value": 200} for block in called)
    assert {answer.stop_reason for answer in answers} >= {"end_turn", "tool_use", "max_tokens", "pause_turn", "refusal"}


def test_the_hostile_model_is_reproducible():
    """One seed is one model."""
    plays = [hostile(dice(7)) for _ in range(2)]
    assert [plays[0](CONVERSATION) for _ in range(50)] == [plays[1](CONVERSATION) for _ in range(50)]


@pytest.mark.parametrize("stream", [False, True])
async def test_the_adapter_survives_the_hostile_model(serve, claude, stream):
    """Through the adapter, whatever the hostile model does is a reply whose content can go back, or a model error."""
    model = await claude(await serve(hostile(dice(3))), stream=stream)
    conversation = [user("I buy 200 shares")]
    for _ in range(60):
        try:
            reply = await model.reply(asked(*conversation, tools=tuple(CONVERSATION["tools"])))
        except ModelError:
            continue
        conversation = continued(conversation, reply) if len(conversation) < 9 else conversation[:1]


def continued(conversation: list, reply: Reply) -> list:
    """The conversation after this reply, with a result for every call."""
    results = [{"type": "tool_result", "tool_use_id": each.id, "content": "rejected"} for each in reply.calls]
    content = [block for block in reply.content if block["type"] in ("text", "tool_use")]
    return [*conversation, assistant(content), user(results or "And?")] if content else conversation
