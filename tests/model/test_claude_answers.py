"""What the adapter makes of each way in which the API can answer."""

import pytest

from bot.model.protocol import ModelOverflow, ModelRefused
from bot.model.reading import TEXT_LIMIT, reply_of
from bot.sandbox.models.answers import (
    Raw,
    broken_json,
    call,
    call_with,
    context_window_exceeded,
    cut_off,
    pause_turn,
    refusal,
    text,
    thinking,
    tools,
    unknown_block,
)
from bot.sandbox.models.scripts import in_order
from state.draft.reply import ToolCall, Usage
from tests.model.asking import asked, assistant, user


async def test_words_come_as_text(reply_to):
    """An answer in words is a reply with that text, the model's name and the end of its turn."""
    reply = await reply_to(text("Which account?"))
    assert (reply.text, reply.calls, reply.stop, reply.model) == ("Which account?", (), "end", "claude-haiku-5-5")


async def test_calls_come_with_ids_names_and_arguments(reply_to):
    """Tool calls arrive in their order, each with an id of its own, beside the words that came with them; unknown blocks hide none."""
    said = tools(call("set_quantity", value=200), call("set_side", value="buy"), text="Noted.")
    for answer in (said, unknown_block(said)):
        reply = await reply_to(answer)
        made = [(each.tool, each.arguments) for each in reply.calls]
        assert made == [("set_quantity", {"value": 200}), ("set_side", {"value": "buy"})]
        assert len({each.id for each in reply.calls}) == 2
        assert (reply.text, reply.stop) == ("Noted.", "calls")


async def test_content_is_kept_as_received(serve, claude):
    """The content of a reply goes back into the tool loop unaltered, and the API accepts it with the results."""
    server = await serve(in_order(thinking("Two hundred.", tools(call("set_quantity", value=200))), text("Done.")))
    model = await claude(server)
    first = await model.reply(asked())
    result = {"type": "tool_result", "tool_use_id": first.calls[0].id, "content": "ok"}
    then = await model.reply(asked(user("Buy 200 shares"), assistant(list(first.content)), user([result])))
    assert then.text == "Done."
    assert server.requests[1]["messages"][1]["content"] == list(first.content)


async def test_usage_is_recorded(reply_to):
    """The tokens that the API counted, cached ones included, are on the reply."""
    counted = {"input_tokens": 9, "output_tokens": 5, "cache_read_input_tokens": 70, "cache_creation_input_tokens": 3}
    assert (await reply_to(text("Hello.", **counted))).usage == Usage(input=9, output=5, cache_read=70, cache_write=3)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (refusal("I would rather"), ModelRefused),
        (cut_off(None), ModelOverflow),
        (cut_off(tools(call("set_quantity", value=2))), ModelOverflow),
        (cut_off(text("  ")), ModelOverflow),
        (context_window_exceeded("So you"), ModelOverflow),
    ],
    ids=["refusal", "cut: nothing", "cut: half a call", "cut: blank", "full context window"],
)
async def test_answers_that_hold_nothing_usable(reply_to, answer, error):
    """A refusal is an error, whatever it began with; so is an answer cut before a word or a whole call, and a context window that filled up."""
    with pytest.raises(error):
        await reply_to(answer)


async def test_what_came_before_a_cut_is_kept(reply_to):
    """An answer that ran out of tokens keeps its words, marked as cut; a call that stands last may be half a call: its arguments do not count."""
    reply = await reply_to(cut_off(text("You are bu")))
    assert (reply.text, reply.stop) == ("You are bu", "length")
    reply = await reply_to(cut_off(tools(call("set_quantity", value=200), call("set_side", value="b"))))
    assert [each.arguments for each in reply.calls] == [{"value": 200}, None]


async def test_paused_turn_is_continued(serve, claude):
    """A paused turn is continued by sending its content back as received; the reply is both halves and both bills."""
    server = await serve(in_order(pause_turn("One moment."), text("You want 200.")))
    reply = await (await claude(server)).reply(asked())
    assert (reply.text, reply.stop) == ("One moment.\n\nYou want 200.", "end")
    assert server.requests[1]["messages"][-1] == {
        "role": "assistant",
        "content": [{"type": "text", "text": "One moment."}],
    }
    assert reply.usage.output > 7
    assert [block["text"] for block in reply.content] == ["One moment.", "You want 200."]


async def test_paused_turn_is_continued_once(serve, claude):
    """A turn that pauses twice is handed back as paused."""
    server = await serve(pause_turn())
    assert (await (await claude(server)).reply(asked())).stop == "pause"
    assert len(server.requests) == 2


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("given", [[1], "words", 7, None])
async def test_input_that_is_no_object(reply_to, given, stream):
    """A call whose input is no JSON object has no arguments."""
    assert (await reply_to(tools(call_with("set_side", given)), stream=stream)).calls[0].arguments is None


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    "written", ['{"value": "no', "{'value': 1}", "]", '{"value": NaN}', '{"v":' * 2000 + "1" + "}" * 2000]
)
async def test_broken_input(serve, claude, written, stream):
    """A call whose input does not parse has no arguments, and its content can still be sent back."""
    server = await serve(in_order(broken_json("set_side", written), text("Sorry.")))
    model = await claude(server, stream=stream)
    first = await model.reply(asked())
    assert first.calls[0].arguments is None
    result = {"type": "tool_result", "tool_use_id": first.calls[0].id, "content": "rejected"}
    then = await model.reply(asked(user("Buy"), assistant(list(first.content)), user([result])))
    assert then.text == "Sorry."


DEEP: dict = {}
for _ in range(30):
    DEEP = {"a": DEEP}


@pytest.mark.parametrize(
    "value", ["\0", "\ud83d", {"a": ["\0"]}, {"\0": 1}, DEEP, [[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]
)
def test_arguments_that_no_store_can_hold(value):
    """Arguments with NUL, with half an emoji or nested beyond reason count as no arguments."""
    body = {"content": [{"type": "tool_use", "id": "a", "name": "set_side", "input": {"value": value}}]}
    reply = reply_of(body, "m")
    assert reply.calls == (ToolCall("a", "set_side", None),)
    assert reply.content[0]["input"] == {}


def test_text_that_no_store_can_hold():
    """NUL and half an emoji are taken out of a text."""
    assert reply_of({"content": [{"type": "text", "text": "a\0b\ud83dc"}]}, "m").text == "abc"


def test_calls_without_an_id_of_their_own():
    """Calls with no id, a strange one or one that was used get one, in the calls and in the content alike."""
    blocks = [{"type": "tool_use", "id": given, "name": "t", "input": {}} for given in ("a", "a", "", "b c", None)]
    reply = reply_of({"content": blocks}, "m")
    assert [each.id for each in reply.calls] == ["a", "call_1", "call_2", "call_3", "call_4"]
    assert [block["id"] for block in reply.content] == [each.id for each in reply.calls]


def test_names_that_the_api_would_not_take_back():
    """A call's impossible name is kept for the judge and mended in the content that goes back."""
    blocks = [
        {"type": "tool_use", "id": "a", "name": "../etc", "input": {}},
        {"type": "tool_use", "id": "b", "input": {}},
    ]
    reply = reply_of({"content": blocks}, "m")
    assert [each.tool for each in reply.calls] == ["../etc", ""]
    assert [block["name"] for block in reply.content] == ["___etc", "unnamed"]


async def test_endless_text_is_cut(reply_to):
    """A text beyond all reason is cut at its limit; fifty text blocks are one text, a paragraph each."""
    assert len((await reply_to(text("very " * 40_000))).text) == TEXT_LIMIT
    assert (await reply_to(text(*(f"Part {n}." for n in range(50))))).text.count("\n\n") == 49


@pytest.mark.parametrize(
    ("reason", "content", "stop"),
    [
        ("end_turn", [{"type": "tool_use", "id": "a", "name": "t", "input": {}}], "calls"),
        ("tool_use", [{"type": "text", "text": "Hi"}], "end"),
        ("something_new", [{"type": "text", "text": "Hi"}], "end"),
        ("stop_sequence", [{"type": "text", "text": "Hi"}], "end"),
        (None, [], "end"),
    ],
)
def test_stop_reasons_that_are_unknown_or_belied(reason, content, stop):
    """A stop reason that is new, absent or contradicted by the content is read from the content."""
    assert reply_of({"content": content, "stop_reason": reason}, "m").stop == stop


def test_nothing_in_a_body_is_trusted():
    """Fields of the wrong type are passed over, not fatal."""
    body = {
        "content": [7, {"type": "text", "text": 5}, {"text": "x"}],
        "usage": {"input_tokens": "many"},
        "model": None,
    }
    reply = reply_of(body, "m")
    assert (reply.text, reply.usage, reply.model) == ("", Usage(), "m")


async def test_a_body_without_content_is_asked_for_again(serve, claude):
    """An answer that is JSON but no message is asked for once more."""
    server = await serve(in_order(Raw('{"ok": true}', "application/json"), text("Hello.")))
    assert (await (await claude(server)).reply(asked())).text == "Hello."
    assert len(server.requests) == 2
