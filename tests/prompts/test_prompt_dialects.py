"""Requests for models without native tools."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_cases import DEALING, TODAY, bot, calls, draft_of, drafts, user

from prompts.build import build_request
from prompts.dialects import dialect_of, in_dialect
from prompts.request import Dialect, Request
from state.draft.draft import Draft
from state.draft.reply import Reply, Round, ToolCall
from state.draft.scope import OFFER
from state.engine.effects import CallModel
from tests.thoroughness import examples

DIALECTS: tuple[Dialect, ...] = ("block", "json")
TRADE = ToolCall("c1", "set_trade", {"quantity": 200, "words": "200 Tesco"})
SECURITY = ToolCall("c2", "set_security", {"security": "Tesco", "words": "200 Tesco"})
HELP = ToolCall("c3", "explain_form", {"field": "value"})
DONE = {"status": "ok"}
LOOP = (Round(Reply("I see.", (TRADE, SECURITY, HELP)), {"c1": DONE, "c2": DONE}),)
DRAFT = draft_of(asked="security", window=(user("200 Tesco", "m1"),), turn=1)


def turns(dialect: Dialect, *rounds: Round) -> list[tuple[str, str]]:
    """Role and text of every message but the closing one."""
    request = build_request(DEALING, DRAFT, CallModel(1, 2, exchange=rounds), TODAY, dialect)
    return [(m["role"], m["content"]) for m in request.messages[:-1]]


@settings(max_examples=examples(30))
@given(st.sampled_from(DIALECTS), drafts(), calls(), st.booleans())
def test_nothing_native_is_left(dialect: Dialect, draft: Draft, call: CallModel, loops: bool) -> None:
    """No tool, call or result is in the request: text only, in turns that begin with the user's and alternate."""
    call = replace(call, exchange=LOOP if loops else ())
    request = build_request(DEALING, draft, call, TODAY, dialect)
    assert request.tools == () and request.dialect == dialect
    assert all(isinstance(m["content"], str) and m["content"].strip() for m in request.messages)
    roles = [m["role"] for m in request.messages]
    assert roles[0] == "user" and roles[-2:] == ["user", "system"]
    assert all(before != role for before, role in pairwise(roles))


@settings(max_examples=examples(30))
@given(st.sampled_from(DIALECTS), drafts())
def test_every_tool_on_offer_is_described(dialect: Dialect, draft: Draft) -> None:
    """What a native tool says stands in the system prompt: what it is for, its arguments, the choices it takes; and no more.

    The offering tool is given up where a request is tight, which in a dialect may be sooner.
    """
    request = build_request(DEALING, draft, CallModel(1), TODAY, dialect)
    native = build_request(DEALING, draft, CallModel(1), TODAY)
    told, offered = ([t["name"] for t in tools if t["name"] != OFFER] for tools in (request.told, native.tools))
    assert told == offered
    lines = [line for line in request.system.splitlines() if line.startswith("- ")][-len(request.told) :]
    for tool, line in zip(request.told, lines, strict=True):
        assert line.endswith(f": {tool['description']}")
        for name, schema in tool["input_schema"]["properties"].items():
            assert (f"{name}: " in line or f"{name}?: " in line) or (dialect == "block" and name == "words")
            assert all(f'"{choice}"' in line for choice in schema.get("enum", ()) if isinstance(choice, str))


def test_types_are_written_short() -> None:
    """Choices, optional arguments, lists and objects each have one short way of being written."""
    item = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    properties: dict[str, Any] = {
        "side": {"enum": ["buy", "sell"]},
        "when": {"type": "string", "description": "YYYY-MM-DD"},
        "count": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "either": {"type": ["number", "null"]},
        "items": {"type": "array", "items": item},
    }
    tool = {
        "name": "add",
        "description": "Adds it.",
        "input_schema": {"type": "object", "properties": properties, "required": ["side", "items"]},
    }
    system = in_dialect(Request("You help.", (), (tool,)), "json").system
    assert (
        '- add(side: "buy"|"sell", when?: string (YYYY-MM-DD), count?: integer|null, either?: number|null, '
        "items: [{name: string}, …]): Adds it."
    ) in system


def test_actions_are_described_only_where_there_is_something_to_do() -> None:
    """A transition is told of where a stage offers one, collecting where a field is open; words and a question always are."""
    properties = {"to": {"type": "string", "enum": ["skip", "book"]}, "words": {"type": "string"}}
    go = {"name": "go", "description": "Moves on.", "input_schema": {"properties": properties}}
    bare, moving = (in_dialect(Request("You help.", (), tools), "block").system for tools in ((), (go,)))
    assert '"clarify"' in bare and '"collect"' not in bare and '"transition"' not in bare and '"tool"' not in bare
    assert '"transition", "to": "skip"|"book"' in moving and "Moves on." in moving and '"tool"' not in moving


def test_a_round_in_blocks_is_an_act_a_turn() -> None:
    """What one quote sets goes back as one act, all else as an act of its own, each with what it came to."""
    assert turns("block", *LOOP) == [
        ("user", "200 Tesco"),
        (
            "assistant",
            'I see.\n---\n{"action": "collect", "data": {"quantity": 200, "security": "Tesco"}, "words": "200 Tesco"}',
        ),
        ("user", '[TOOL RESULT] {"status":"ok"}\n[TOOL RESULT] {"status":"ok"}'),
        ("assistant", '---\n{"action": "tool", "name": "explain_form", "arguments": {"field": "value"}}'),
        ("user", '[TOOL RESULT] {"status":"rejected","reason":"REJECTED: this call was not looked at."}'),
    ]


def test_a_round_in_objects_is_a_call_a_turn() -> None:
    """One object holds one call, so each call is a turn of its own."""
    assert turns("json", Round(Reply("", (TRADE, HELP)), {"c1": DONE, "c3": DONE}))[1:] == [
        ("assistant", '{"tool_call": {"name": "set_trade", "arguments": {"quantity": 200, "words": "200 Tesco"}}}'),
        ("user", '[TOOL RESULT] {"status":"ok"}'),
        ("assistant", '{"tool_call": {"name": "explain_form", "arguments": {"field": "value"}}}'),
        ("user", '[TOOL RESULT] {"status":"ok"}'),
    ]


def test_earlier_words_of_the_bot_are_in_the_format_too() -> None:
    """In objects what the bot said before stands as answers, so that the conversation shows one format throughout."""
    draft = draft_of(window=(user("hello"), bot('Say "hi".'), user("200 Tesco")))
    said = [build_request(DEALING, draft, CallModel(1), TODAY, dialect).messages[1]["content"] for dialect in DIALECTS]
    assert said == ['Say "hi".', '{"answer": {"text": "Say \\"hi\\"."}}']


def test_native_tools_stay_native() -> None:
    """Without a dialect the request is untouched."""
    request = build_request(DEALING, DRAFT, CallModel(1), TODAY)
    assert in_dialect(request, "tools") is request and request.tools and not request.told


@pytest.mark.parametrize(
    ("setting", "own", "used"),
    [("tools", "tools", "tools"), ("tools", "json", "json"), ("block", "json", "block"), ("json", "tools", "json")],
)
def test_which_dialect_is_used(setting: Dialect, own: Dialect, used: Dialect) -> None:
    """The installation's, where it has one of its own; else the form's."""
    assert dialect_of(setting, DEALING.model_copy(update={"dialect": own})) == used
