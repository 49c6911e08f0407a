"""A streamed answer and a whole one are the same answer."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.model.protocol import ModelError
from bot.model.reading import Broken, StreamError, assembled
from bot.sandbox.models.answers import BrokenJson, ModelMessage, Raw, call_with, text
from bot.sandbox.models.scripts import in_order
from tests.model.asking import asked
from tests.thoroughness import ANY, examples

WORDS = st.text(ANY, max_size=40)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
BLOCKS = st.one_of(
    WORDS.map(lambda words: {"type": "text", "text": words}),
    st.builds(call_with, st.sampled_from(["set_side", "set_quantity", "no such tool"]), JSON),
    st.builds(call_with, st.just("set_side"), st.sampled_from(['{"value": "no', "]", "nope"]).map(BrokenJson)),
    WORDS.map(lambda words: {"type": "thinking", "thinking": words, "signature": ""}),
    st.just({"type": "hologram", "payload": [1]}),
)
STOPS = st.sampled_from(
    ["end_turn", "tool_use", "max_tokens", "refusal", "stop_sequence", "model_context_window_exceeded", "new"]
)
USAGE = st.fixed_dictionaries(
    {}, optional={"input_tokens": st.integers(0, 99), "cache_read_input_tokens": st.integers(0, 99)}
)


async def outcome(model):
    """The reply, or the kind of error in its place."""
    try:
        return await model.reply(asked())
    except ModelError as error:
        return type(error)


@pytest.fixture
async def both(serve, claude):
    """Two adapters that differ in delivery alone, and the servers they ask, which play what `said` holds."""
    said = [text("")]
    servers = [await serve(lambda _: said[0]) for _ in range(2)]
    return said, [await claude(servers[0]), await claude(servers[1], stream=True)]


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.lists(BLOCKS, max_size=4), stop=STOPS, usage=USAGE)
async def test_delivery_does_not_change_the_reply(both, content, stop, usage):
    """Whatever a model says, streaming it gives the reply, or the error, that the whole answer gives."""
    said, models = both
    said[0] = ModelMessage(tuple(content), stop, usage)
    whole, streamed = [await outcome(model) for model in models]
    assert whole == streamed


async def stream_of(*events):
    for event in events:
        yield event


START = {"type": "message_start", "message": {"role": "assistant", "usage": {"input_tokens": 3, "output_tokens": 1}}}
END = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}}


async def test_a_tools_input_that_gives_a_key_twice_is_no_input(serve, claude):
    """Readers differ in which of two values counts, so neither does, however the answer was delivered."""
    twice = '{"value": "buy", "value": "sell"}'
    block = {"type": "tool_use", "id": "t1", "name": "set_side"}
    message = {"type": "message", "role": "assistant", "content": ["BLOCK"], "stop_reason": "tool_use", "usage": {}}
    whole = json.dumps(message).replace('"BLOCK"', f'{json.dumps(block)[:-1]}, "input": {twice}}}')
    server = await serve(in_order(Raw(whole, "application/json")))
    assert [call.arguments for call in (await outcome(await claude(server))).calls] == [None]
    begun = {"type": "content_block_start", "index": 0, "content_block": {**block, "input": {}}}
    grown = {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": twice}}
    assert (await assembled(stream_of(START, begun, grown, END)))["content"][0]["input"] is None


async def test_a_stream_without_an_end_is_broken():
    """A stream is whole once it gave its stop reason, and broken before; totals in the end replace what they name, and leave what they do not."""
    end = {**END, "usage": {"output_tokens": 9, "input_tokens": None}}
    message = await assembled(stream_of(START, end))
    assert (message["usage"], message["content"]) == ({"input_tokens": 3, "output_tokens": 9}, [])
    with pytest.raises(Broken):
        await assembled(stream_of(START))


async def test_unknown_events_and_deltas_change_nothing():
    """Event and delta types that came later are passed over."""
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "a"}}
    odd = {"type": "content_block_delta", "index": 0, "delta": {"type": "aroma_delta", "aroma": "x"}}
    message = await assembled(stream_of(START, {"type": "weather"}, block, odd, END))
    assert message["content"] == [{"type": "text", "text": "a"}]


async def test_an_error_event_ends_the_stream():
    """An error in a stream is raised with its kind."""
    with pytest.raises(StreamError, match="overloaded_error"):
        await assembled(stream_of(START, {"type": "error", "error": {"type": "overloaded_error"}}))
