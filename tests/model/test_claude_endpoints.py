"""Endpoints that take less than Anthropic's, or deliver otherwise: the adapter tries once, learns, and goes on."""

import pytest
from structlog.testing import capture_logs

from bot.model.protocol import BadModelRequest
from bot.sandbox.models.answers import Failed, http_error, text, tools
from bot.sandbox.models.playback import Quirks
from bot.sandbox.models.scripts import in_order
from tests.model.asking import asked, operator, tool, user

EVERYTHING = asked(user("Buy 200 shares"), operator("Ask for the account."), tools=(tool(),))
HELLO = text("Hello.")


def held(body):
    """What a request's body holds beyond the plainest one."""
    found = {
        "system_messages": any(message["role"] == "system" for message in body["messages"]),
        "strict": any(each.get("strict") for each in body["tools"]),
        "thinking": "thinking" in body,
        "effort": "output_config" in body,
    }
    return {name for name, is_held in found.items() if is_held}


@pytest.mark.parametrize("lack", ["system_messages", "strict", "thinking", "effort"])
async def test_what_an_endpoint_does_not_take_is_left_out(serve, claude, lack):
    """A 400 about one feature costs one request; from then on that feature alone is left out."""
    server = await serve(HELLO, quirks=Quirks(lacks=frozenset({lack})))
    model = await claude(server)
    assert (await model.reply(EVERYTHING)).text == "Hello."
    await model.reply(EVERYTHING)
    everything = {"system_messages", "strict", "thinking", "effort"}
    assert [held(body) for body in server.requests] == [everything, everything - {lack}, everything - {lack}]


async def test_an_endpoint_that_takes_nothing_of_it(serve, claude):
    """An endpoint that takes the plainest request only gets it, after one complaint for each feature."""
    lacks = frozenset({"system_messages", "strict", "thinking", "effort"})
    server = await serve(HELLO, quirks=Quirks(lacks=lacks))
    model = await claude(server)
    await model.reply(EVERYTHING)
    await model.reply(EVERYTHING)
    assert [len(held(body)) for body in server.requests] == [4, 3, 2, 1, 0, 0]


async def test_an_endpoint_that_only_says_no(serve, claude):
    """A 400 that names nothing makes the adapter leave out everything at once."""
    server = await serve(HELLO, quirks=Quirks(lacks=frozenset({"effort"}), terse=True))
    model = await claude(server)
    assert (await model.reply(EVERYTHING)).text == "Hello."
    assert [len(held(body)) for body in server.requests] == [4, 0]


async def test_nothing_is_learned_from_a_request_that_fails_anyway(serve, claude):
    """What was left out in vain is sent again next time."""
    server = await serve(in_order(http_error(400), http_error(400), HELLO))
    model = await claude(server)
    with pytest.raises(BadModelRequest):
        await model.reply(EVERYTHING)
    await model.reply(EVERYTHING)
    assert [len(held(body)) for body in server.requests] == [4, 0, 4]


async def test_a_form_too_large_for_strict_tools(serve, claude):
    """Tools over the limits of strictness go out without it, this once: smaller lists are strict again."""
    server = await serve(HELLO)
    model = await claude(server)
    many = tuple(tool(f"set_{number}", "string") for number in range(21))
    await model.reply(asked(tools=many))
    await model.reply(asked(tools=many[:3]))
    assert [bool(body["tools"][0].get("strict")) for body in server.requests] == [True, False, True]


async def test_the_operators_words_survive(serve, claude):
    """Where no system message is taken, the operator's words travel marked in the user's turn, and the prompt says so."""
    server = await serve(HELLO, quirks=Quirks(lacks=frozenset({"system_messages"})))
    await (await claude(server)).reply(EVERYTHING)
    folded = server.requests[-1]
    assert folded["messages"] == [user("Buy 200 shares\n\n⟦operator⟧\nAsk for the account.\n⟦/operator⟧")]
    assert "⟦operator⟧" in folded["system"]


@pytest.mark.parametrize(("lack", "stream"), [("whole", False), ("streaming", True)])
async def test_an_endpoint_that_delivers_in_one_way(serve, claude, lack, stream):
    """An endpoint that insists on streaming is streamed from, one that refuses it asked for whole answers, and from then on at once."""
    server = await serve(tools(text="Hi"), quirks=Quirks(lacks=frozenset({lack})))
    model = await claude(server, stream=stream)
    assert [(await model.reply(asked())).text for _ in range(2)] == ["Hi", "Hi"]
    assert [bool(body.get("stream")) for body in server.requests] == [stream, not stream, not stream]


async def test_an_endpoint_that_takes_neither_delivery(serve, claude):
    """An endpoint that complains of streaming and of its absence is given up after both."""
    server = await serve(HELLO, quirks=Quirks(lacks=frozenset({"streaming", "whole"})))
    with pytest.raises(BadModelRequest):
        await (await claude(server, "acme-large-3")).reply(asked())
    assert len(server.requests) == 2


@pytest.mark.parametrize(("delivery", "stream"), [("stream", False), ("whole", True)])
async def test_delivery_other_than_asked_for(serve, claude, delivery, stream):
    """An answer is read by what it is: a stream nobody asked for, or a whole answer where a stream was due."""
    server = await serve(HELLO, quirks=Quirks(delivery=delivery))
    assert (await (await claude(server, stream=stream)).reply(asked())).text == "Hello."
    assert len(server.requests) == 1


async def test_what_was_learned_is_logged(serve, claude):
    """The log says what an endpoint does not take, once."""
    model = await claude(await serve(HELLO, quirks=Quirks(lacks=frozenset({"thinking"}))))
    with capture_logs() as logs:
        await model.reply(EVERYTHING)
        await model.reply(EVERYTHING)
    assert [log["extras"] for log in logs if log["event"] == "model_endpoint_lacks"] == [["thinking"]]


async def test_another_vendors_model_gets_the_plain_request(serve, claude):
    """A model that is not Anthropic's gets no system message, no thinking and no effort in the first place."""
    server = await serve(HELLO)
    await (await claude(server, "acme-large-3")).reply(EVERYTHING)
    assert [held(body) for body in server.requests] == [{"strict"}]


async def test_the_key_is_shown_where_others_look(serve, claude):
    """Endpoints other than Anthropic's own see the key in the header that most of them read."""
    server = await serve(HELLO, key="the-key", quirks=Quirks(reads_bearer=False))
    assert (await (await claude(server, key="the-key")).reply(asked())).text == "Hello."


@pytest.mark.parametrize(
    ("complaint", "lack"),
    [
        ("role 'system' is not supported on this model", "system_messages"),
        ("messages[1].role: unknown variant `system`, expected `user` or `assistant`", "system_messages"),
        ("messages.1.role: Input should be 'user' or 'assistant'", "system_messages"),
        ("tools.0.custom.strict: Extra inputs are not permitted", "strict"),
        ("tools.0.custom: For 'integer' type, property 'minimum' is not supported", "strict"),
        ('"thinking.type.disabled" is not supported for this model. Use "output_config.effort".', "thinking"),
        ("thinking: Extra inputs are not permitted", "thinking"),
        ("This model does not support effort level 'low'.", "effort"),
        ("output_config: Extra inputs are not permitted", "effort"),
    ],
)
async def test_complaints_in_the_wild(serve, claude, complaint, lack):
    """The words in which endpoints are known to complain name the feature that is then left out, and no other."""
    server = await serve(in_order(Failed(400, "invalid_request_error", complaint), HELLO))
    await (await claude(server)).reply(EVERYTHING)
    assert held(server.requests[0]) - held(server.requests[1]) == {lack}
