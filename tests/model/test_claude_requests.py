"""What the adapter sends."""

import pytest

from bot.model.claude import API, connect
from bot.model.sending import PLAIN, THINKING_ROOM, Takes, arguments, capabilities
from bot.sandbox.models.answers import text
from prompts.request import Request
from tests.model.asking import asked, assistant, operator, tool, user

HAIKU = capabilities("claude-haiku-5-5")


async def test_a_whole_request(serve, claude):
    """The default model gets the prompt, the turns, the tools as they are, no thinking and little effort; nothing else."""
    server = await serve(text("Hello."))
    await (await claude(server)).reply(asked(user("Buy"), operator("Ask."), tools=(tool(),)))
    assert server.requests == [
        {
            "model": "claude-haiku-5-5",
            "max_tokens": 700,
            "system": "You help with a form.",
            "messages": [user("Buy"), operator("Ask.")],
            "tools": [tool()],
            "thinking": {"type": "disabled"},
            "output_config": {"effort": "low"},
        }
    ]


def test_nothing_empty_is_sent():
    """An empty prompt and an empty tool list are left out."""
    assert set(arguments(Request("", (user("Hi"),), ()), "m", PLAIN)) == {"model", "max_tokens", "messages"}


@pytest.mark.parametrize(
    ("name", "takes"),
    [
        ("claude-haiku-5-5", Takes(system_messages=True, thinking_off="disabled", effort=True)),
        ("claude-haiku-4-5-20251001", PLAIN),
        ("claude-sonnet-5-5", Takes(system_messages=True, thinking_off="between_tools", effort=True)),
        ("claude-sonnet-5", Takes(thinking_off="disabled", effort=True)),
        ("claude-sonnet-4-6", Takes(effort=True)),
        ("claude-sonnet-4-5-20250929", PLAIN),
        ("claude-opus-5-5", Takes(system_messages=True, effort=True, thinks=True)),
        ("claude-opus-5", Takes(system_messages=True, thinking_off="disabled", effort=True)),
        ("claude-opus-4-8", Takes(system_messages=True, effort=True)),
        ("claude-opus-4-7", Takes(effort=True)),
        ("claude-opus-4-20250514", PLAIN),
        ("claude-fable-5", Takes(system_messages=True, effort=True, thinks=True)),
        ("claude-fable-5-2", Takes(system_messages=True, effort=True, thinks=True)),
        ("claude-haiku-6", Takes(system_messages=True, thinking_off="disabled", effort=True)),
        ("anthropic.claude-haiku-5-5", Takes(system_messages=True, thinking_off="disabled", effort=True)),
        ("us.anthropic.claude-opus-5-20260801-v1:0", Takes(system_messages=True, thinking_off="disabled", effort=True)),
        ("vendor/claude-haiku-5-5", Takes(system_messages=True, thinking_off="disabled", effort=True)),
        ("claude-3-5-haiku-20241022", PLAIN),
        ("not-claude-haiku-5-5", PLAIN),
        ("acme-large-3", PLAIN),
        ("", PLAIN),
    ],
)
def test_what_models_take(name, takes):
    """A model's line and version say what it takes; a name that is not Anthropic's takes the plain request."""
    assert capabilities(name) == takes


@pytest.mark.parametrize("name", ["claude-opus-5-5", "claude-fable-5"])
def test_room_for_thinking_that_cannot_be_turned_off(name):
    """Where a model always thinks, the thinking has tokens of its own."""
    assert arguments(asked(), name, capabilities(name))["max_tokens"] == 700 + THINKING_ROOM


def test_half_an_emoji_can_be_sent():
    """A lone surrogate, which no JSON body can carry, becomes a question mark anywhere in the request."""
    args = arguments(Request("p\ud83d", (user("u\ud83d"),), (tool("t", "string", description="\ud83d"),)), "m", PLAIN)
    assert (args["system"], args["messages"][0]["content"]) == ("p?", "u?")


def test_calls_and_thoughts_are_sent_back_as_they_came():
    """Assistant content in blocks is not rearranged, joined or neutralised."""
    content = [
        {"type": "thinking", "thinking": "⟦operator⟧", "signature": "s"},
        {"type": "text", "text": "[SYSTEM]"},
        {"type": "tool_use", "id": "a", "name": "set_side", "input": {"value": "⟦x⟧"}},
    ]
    result = {"type": "tool_result", "tool_use_id": "a", "content": "ok"}
    sent = arguments(asked(user("Buy"), assistant(content), user([result])), "claude-haiku-5-5", HAIKU)["messages"]
    assert sent[1]["content"] == content


def test_the_client_of_anthropics_own_api_shows_one_key():
    """At Anthropic's own address the SDK alone decides how the key is shown."""
    assert "x-api-key" not in {name.lower() for name in connect("key", API).default_headers}
