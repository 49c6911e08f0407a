"""The scripted server is as strict about requests as the API it stands for."""

import asyncio
import json
from time import monotonic

import aiohttp
import pytest

from bot.model.claude import connect
from bot.sandbox.models.answers import call, dropped, pause_turn, slow, text, thinking, tools
from bot.sandbox.models.playback import MessagesServer
from bot.sandbox.models.scripts import in_order
from tests.model.asking import KEY, assistant, operator, tool, user

HEADERS = {"x-api-key": KEY, "anthropic-version": "2026-10-21"}
CALL = {"type": "tool_use", "id": "toolu_1", "name": "set_side", "input": {"value": "buy"}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok"}
LOOP = [user("Buy"), assistant([CALL]), user([RESULT])]


def body(*messages, **more):
    return {"model": "claude-haiku-5-5", "max_tokens": 9, "messages": list(messages) or [user("Hi")], **more}


async def post(server, sent, path="/v1/messages", headers=HEADERS):
    """Status and JSON body of one request, sent as it is."""
    data = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    async with (
        aiohttp.ClientSession() as session,
        session.post(server.url + path, data=data, headers=headers) as answer,
    ):
        return answer.status, await answer.json()


@pytest.fixture
async def server(serve):
    return await serve(text("Hello."))


FINE = {
    "plain": body(),
    "blocks": body(user([{"type": "text", "text": "Hi"}])),
    "system prompt": body(system="You help."),
    "system message last": body(user("Hi"), operator("Ask.")),
    "system message before an assistant": body(user("Hi"), operator("Ask."), assistant("What?"), user("Buy")),
    "tool loop": body(*LOOP, tools=[tool("set_side", "string")]),
    "system message after results": body(*LOOP, operator("Ask.")),
    "nullable": body(tools=[tool("set_side", ["string", "null"])]),
    "limits without strict": body(tools=[tool("set_side", "string", strict=False, maxLength=5)]),
    "no thinking": body(thinking={"type": "disabled"}, output_config={"effort": "low"}),
    "another vendor's model": {**body(), "model": "acme-large-3"},
}

FAULTY = {
    "no model": ({**body(), "model": None}, "model: Field required"),
    "no max_tokens": ({"model": "m", "messages": [user("Hi")]}, "max_tokens: Field required"),
    "max_tokens of nothing": (body(max_tokens=0), "max_tokens"),
    "max_tokens in words": (body(max_tokens="9"), "max_tokens"),
    "no messages": ({**body(), "messages": []}, "messages: Field required"),
    "messages of the wrong shape": ({**body(), "messages": "Hi"}, "messages"),
    "a message of the wrong shape": ({**body(), "messages": ["Hi"]}, "messages"),
    "unknown parameter": (body(mood="good"), "mood: Extra inputs are not permitted"),
    "temperature": (body(temperature=0), "temperature"),
    "top_p": (body(top_p=1), "top_p"),
    "top_k": (body(top_k=1), "top_k"),
    "prefill": (body(user("Hi"), assistant("I think")), "prefill"),
    "unknown role": (body({"role": "tool", "content": "x"}), "role"),
    "assistant first": (body(assistant("Hello"), user("Hi")), "first message"),
    "system message first": (body(operator("Ask."), user("Hi")), "top-level 'system'"),
    "two system messages": (body(user("Hi"), operator("a"), operator("b")), "directly follow a user"),
    "system message before a user": (body(user("Hi"), operator("a"), user("b")), "followed by an assistant"),
    "system message after an assistant": (body(user("a"), assistant("b"), operator("c")), "directly follow a user"),
    "system message of an old model": ({**body(user("a"), operator("b")), "model": "claude-haiku-4-5"}, "role 'system'"),
    "system message of Sonnet 5": ({**body(user("a"), operator("b")), "model": "claude-sonnet-5"}, "role 'system'"),
    "two users": (body(user("a"), user("b")), "alternate"),
    "two assistants": (body(user("a"), assistant("b"), assistant("c"), user("d")), "alternate"),
    "empty content": (body(user("")), "non-empty"),
    "empty list": (body(user([])), "non-empty"),
    "no content": (body({"role": "user"}), "non-empty"),
    "blank content": (body(user(" \n")), "non-whitespace"),
    "blank block": (body(user([{"type": "text", "text": " "}])), "non-whitespace"),
    "empty system prompt": (body(system=""), "system"),
    "unknown block": (body(user([{"type": "hologram"}])), "Input tag"),
    "call by a user": (body(user([CALL])), "Input tag"),
    "result by an assistant": (body(user("a"), assistant([RESULT]), user("b")), "Input tag"),
    "unknown key": (body({"role": "user", "content": "Hi", "mood": "good"}), "Extra inputs"),
    "call without a result": (body(user("a"), assistant([CALL]), user("b")), "without `tool_result`"),
    "result too late": (body(user("a"), assistant([CALL]), user("b"), assistant("c"), user([RESULT])), "without `tool_result`"),
    "result without a call": (body(user([RESULT])), "must answer one `tool_use`"),
    "two results for a call": (body(user("a"), assistant([CALL]), user([RESULT, RESULT])), "must answer one `tool_use`"),
    "one id twice": (body(*LOOP, assistant([CALL]), user([RESULT])), "unique"),
    "words before results": (body(user("a"), assistant([CALL]), user([{"type": "text", "text": "b"}, RESULT])), "come first"),
    "call with an impossible name": (body(user("a"), assistant([{**CALL, "name": "a b"}]), user([RESULT])), "pattern"),
    "call with input of the wrong type": (body(user("a"), assistant([{**CALL, "input": "x"}]), user([RESULT])), "dictionary"),
    "call without an id": (body(user("a"), assistant([{"type": "tool_use"}]), user([RESULT])), "id"),
    "tool name": (body(tools=[tool("set side")]), "pattern"),
    "tool name too long": (body(tools=[tool("a" * 65)]), "pattern"),
    "two tools of one name": (body(tools=[tool(), tool()]), "unique"),
    "tool of the wrong shape": (body(tools=["set_side"]), "tools"),
    "unknown key of a tool": (body(tools=[{**tool(), "mood": "good"}]), "Extra inputs"),
    "tool without a schema": (body(tools=[{"name": "a"}]), "input_schema"),
    "open schema": (body(tools=[{**tool(), "input_schema": {"type": "object"}}]), "additionalProperties"),
    "optional property": (
        body(tools=[{**tool(), "input_schema": {**tool()["input_schema"], "required": []}}]),
        "every property in 'required'",
    ),
    "minimum": (body(tools=[tool("a", "integer", minimum=1)]), "'minimum' is not supported"),
    "maxLength": (body(tools=[tool("a", "string", maxLength=9)]), "'maxLength' is not supported"),
    "maxLength of a nullable": (body(tools=[tool("a", ["string", "null"], maxLength=9)]), "'maxLength'"),
    "fault inside an array": (body(tools=[tool("a", "array", items={"type": "object"})]), "additionalProperties"),
    "21 strict tools": (body(tools=[tool(f"t{n}") for n in range(21)]), "Too many strict tools (21)"),
    "17 unions": (body(tools=[tool(f"t{n}", ["string", "integer"]) for n in range(17)]), "union-typed"),
    "25 nullables": (
        body(tools=[{**tool("t"), "input_schema": {
            "type": "object",
            "additionalProperties": False,
            "required": [f"p{n}" for n in range(25)],
            "properties": {f"p{n}": {"type": "string", "enum": ["a", None]} for n in range(25)},
        }}]),
        "optional parameters (25)",
    ),
    "thinking of an unknown type": (body(thinking={"type": "deep"}), "thinking.type"),
    "thinking with a budget": (body(thinking={"type": "enabled", "budget_tokens": 1024}), "thinking.type.enabled"),
    "thinking off where it stays on": ({**body(thinking={"type": "disabled"}), "model": "claude-opus-5-5"}, "not supported"),
    "effort of an old model": ({**body(output_config={"effort": "low"}), "model": "claude-haiku-4-5"}, "effort"),
    "unknown effort": (body(output_config={"effort": "heroic"}), "effort"),
    "no JSON": (b"{", "not valid JSON"),
    "no object": (b"[]", "not an object"),
}  # fmt: skip


@pytest.mark.parametrize("sent", FINE.values(), ids=FINE)
async def test_what_the_api_takes(server, sent):
    """A request within the API's rules is answered."""
    assert (await post(server, sent))[0] == 200


@pytest.mark.parametrize(("sent", "words"), FAULTY.values(), ids=FAULTY)
async def test_what_the_api_rejects(server, sent, words):
    """A request against the API's rules is a 400 that says which one."""
    status, answer = await post(server, sent)
    assert (status, answer["error"]["type"]) == (400, "invalid_request_error")
    assert words in answer["error"]["message"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"anthropic-version": "x"}, 401),
        ({"x-api-key": "other", "anthropic-version": "x"}, 401),
        ({"x-api-key": KEY}, 400),
        ({"authorization": f"Bearer {KEY}", "anthropic-version": "x"}, 200),
    ],
)
async def test_headers(serve, headers, status):
    """A request needs the key, in either header, and the API's version."""
    assert (await post(await serve(text("Hello."), key=KEY), body(), headers=headers))[0] == status


async def test_unknown_addresses(server):
    """An address that the API does not have is a 404 in the API's words."""
    status, answer = await post(server, body(), path="/v1/massages")
    assert (status, answer["error"]["type"]) == (404, "not_found_error")


async def test_counting_tokens(server):
    """Tokens are counted under the same rules, without `max_tokens`; longer requests count more."""
    short, long = {**body(), "max_tokens": None}, body(user("Hi " * 99))
    for sent in (short, long):
        del sent["max_tokens"]
    counts = [(await post(server, sent, path="/v1/messages/count_tokens"))[1]["input_tokens"] for sent in (short, long)]
    assert counts[0] < counts[1]
    assert (await post(server, {**short, "temperature": 1}, path="/v1/messages/count_tokens"))[0] == 400
    assert server.requests == []


async def test_the_sdk_can_count_and_stream(server):
    """The SDK's own token counter and its own accumulator of streams understand the server."""
    async with connect(KEY, server.url) as client:
        counted = await client.messages.count_tokens(model="claude-haiku-5-5", messages=[user("Hi")])
        async with client.messages.stream(model="claude-haiku-5-5", max_tokens=9, messages=[user("Hi")]) as stream:
            assert await stream.get_final_text() == "Hello."
    assert counted.input_tokens > 0


async def test_every_request_is_kept(server):
    """Bodies are kept in order, the rejected ones too."""
    await post(server, body(user("a")))
    await post(server, body(temperature=1))
    assert [sent.get("temperature") for sent in server.requests] == [None, 1]


async def test_thoughts_come_back_unchanged_behind_what_they_followed(serve):
    """A returned thinking block must be the one sent, behind the same prompt, tools and messages."""
    server = await serve(in_order(thinking("Hm.", text("Hello.")), text("Bye.")))
    content = (await post(server, body(system="You help.")))[1]["content"]
    back = [user("Hi"), assistant(content), user("And?")]
    altered = [{**content[0], "thinking": "Ha."}, content[1]]
    assert (await post(server, body(*back, system="You help.")))[0] == 200
    assert (await post(server, body(*back, system="You hinder.")))[0] == 400
    assert (await post(server, body(user("Ho"), *back[1:], system="You help.")))[0] == 400
    assert (await post(server, body(back[0], assistant(altered), back[2], system="You help.")))[0] == 400


async def test_calls_come_back_unchanged(serve):
    """A returned tool call must be the one sent."""
    server = await serve(in_order(tools(call("set_side", value="buy")), text("Bye.")))
    sent = (await post(server, body()))[1]["content"][0]
    result = user([{**RESULT, "tool_use_id": sent["id"]}])
    assert (await post(server, body(user("Hi"), assistant([sent]), result)))[0] == 200
    assert (await post(server, body(user("Hi"), assistant([{**sent, "input": {}}]), result)))[0] == 400


async def test_a_pause_is_continued_with_its_own_words_only(serve):
    """An assistant message may be last when it is the content of a paused turn, and only then."""
    server = await serve(pause_turn("One moment."))
    content = (await post(server, body()))[1]["content"]
    assert (await post(server, body(user("Hi"), assistant(content))))[0] == 200
    assert (await post(server, body(user("Hi"), assistant("One moment, I guess."))))[0] == 400


async def test_a_script_may_take_its_time(serve):
    """A script may be a coroutine, and an answer may be late."""

    async def script(_):
        await asyncio.sleep(0.05)
        return slow(0.05, text("Hello."))

    before = monotonic()
    assert (await post(await serve(script), body()))[0] == 200
    assert monotonic() - before >= 0.1


async def test_a_dropped_connection(serve):
    """A dropped connection answers nothing."""
    server = await serve(dropped())
    with pytest.raises(aiohttp.ClientError):
        await post(server, body())


async def test_an_error_in_a_script_is_not_swallowed():
    """A script that fails is a 500 to the client, and an error to whoever stops the server."""
    server = MessagesServer(lambda body: body["no such key"])
    await server.start()
    assert (await post(server, body()))[0] == 500
    with pytest.raises(KeyError):
        await server.stop()
