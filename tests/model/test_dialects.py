"""Replies of models without native tools, through the real SDK, from a local Messages API."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model.dialects import Meant, Speaking, read
from bot.model.protocol import Away, ModelAway, ModelRefused
from bot.sandbox.models.answers import call, cut_off, http_error, refusal, slow, text, tools
from bot.sandbox.models.scripts import in_order
from bot.sandbox.scenarios.staging import ScriptedModel
from prompts.dialects import acts, in_dialect, written
from prompts.marks import FLAW
from prompts.request import Dialect, Request
from state.advance import advance
from state.draft.draft import ChatLine, Draft, OpenCard
from state.draft.reply import ToolCall, Usage
from state.engine.effects import Post
from state.engine.events import ModelReplied
from state.exact_json import Flawed
from tests.model.asking import asked, operator, tool, user
from tests.model.conftest import Ask, Serve
from tests.model.dialect_cases import DIALECTS, FOREIGN, flawed, garbled, good, overreaching
from tests.model.dialect_cases import written as reply_of
from tests.thoroughness import ANY, examples
from tests.workflows.dealing_cases import DEALING, draft_of

FORMAT = re.compile(r'[{}]|```|^\s*-{3,}\s*$|"[a-z_]+"\s*:|\[\s*["\[]', re.MULTILINE)
"""JSON, a fence, or a dialect's own line: what a model writes for code, and no person reads."""
NOTED = {"block": "Thank you.", "json": '{"answer": {"text": "Thank you."}}'}
SETTER = tool("set_trade") | {
    "strict": False,
    "input_schema": {
        "type": "object",
        "properties": {"quantity": {"type": "integer"}, "direction": {"type": "string"}, "words": {"type": "string"}},
        "required": ["words"],
    },
}


def request(dialect: Dialect) -> Request:
    """One short message, one setter."""
    return in_dialect(asked(user("Buy 200"), operator("Set what was said."), tools=(SETTER,)), dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_what_cannot_be_read_is_asked_for_once_more_and_no_oftener(dialect: Dialect) -> None:
    """Hundreds of malformed replies, up to a megabyte: each takes one retry that names a flaw, then the model counts as garbled."""
    table = flawed(dialect)
    playing, requests = [""], list[Mapping[str, Any]]()
    model = Speaking(ScriptedModel(lambda body: (requests.append(body), text(playing[0]))[1]))
    assert len(table) > 200
    for name, playing[0] in table.items():
        requests.clear()
        assert await reason(model, request(dialect)) is Away.GARBLED, name
        assert len(requests) == 2, name
        assert f"{FLAW}\nYour last reply could not be read: " in requests[-1]["messages"][-1]["content"], name


async def reason(model: Speaking, asking: Request) -> Away | None:
    """Why there is no reply; None where there is one."""
    try:
        await model.reply(asking)
    except ModelAway as away:
        return away.reason
    return None


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_second_reply_that_can_be_read_counts(dialect: Dialect, serve: Serve, claude: Ask) -> None:
    """The retry sends back the flawed reply and what was wrong with it; what then comes is the reply, with the tokens of both."""
    fenced = '```json\n{"a": 1}\n```'
    steps = in_order(
        text(fenced, input_tokens=100, output_tokens=7), text(NOTED[dialect], input_tokens=130, output_tokens=5)
    )
    server = await serve(steps)
    reply = await Speaking(await claude(server)).reply(request(dialect))
    assert (reply.text, reply.calls, reply.stop) == ("Thank you.", (), "end")
    assert reply.usage == Usage(230, 12)
    *_, said, told = server.requests[-1]["messages"]
    assert said == {"role": "assistant", "content": fenced}
    assert "code fence" in told["content"] and server.requests[0]["messages"] == server.requests[1]["messages"][:-2]


async def test_tokens_count_even_where_nothing_comes_of_them(serve: Serve, claude: Ask) -> None:
    """Two replies that cannot be read, or one and an outage or a refusal, carry on the error what they cost."""
    bad = text("{", input_tokens=100, output_tokens=7)
    for second, error, cost in (
        (bad, ModelAway, Usage(200, 14)),
        (http_error(500), ModelAway, Usage(100, 7)),
        (refusal(), ModelRefused, Usage(100, 7)),
    ):
        model = Speaking(await claude(await serve(in_order(bad, second))))
        with pytest.raises(error) as problem:
            await model.reply(request("json"))
        assert problem.value.usage == cost


async def test_a_reply_and_its_retry_share_one_deadline(serve: Serve, claude: Ask) -> None:
    """A retry that comes too late is a timeout: nobody waits twice as long for a model without tools."""
    server = await serve(in_order(text("{", input_tokens=100, output_tokens=7), slow(5, text(NOTED["json"]))))
    model = Speaking(await claude(server), deadline=0.5)
    with pytest.raises(ModelAway) as away:
        await model.reply(request("json"))
    assert (away.value.reason, away.value.usage) == (Away.TIMEOUT, Usage(100, 7))


async def test_native_calls_in_a_dialect_are_no_reply(serve: Serve, claude: Ask) -> None:
    """A model that calls tools natively where none were offered is told so, and nothing of it counts."""
    server = await serve(in_order(tools(call("set_trade", quantity=200, words="200")), text(NOTED["json"])))
    reply = await Speaking(await claude(server)).reply(request("json"))
    assert (reply.text, reply.calls) == ("Thank you.", ())
    assert "native tool calls" in str(server.requests[-1]["messages"])


async def test_a_request_with_native_tools_passes_unchanged(serve: Serve, claude: Ask) -> None:
    """Without a dialect calls come as they are, and words are not looked at."""
    server = await serve(tools(call("set_trade", quantity=200, words="200"), text="{odd}"))
    reply = await Speaking(await claude(server)).reply(asked(user("Buy 200"), tools=(SETTER,)))
    assert reply.text == "{odd}" and reply.calls[0].arguments == {"quantity": 200, "words": "200"}
    assert len(server.requests) == 1 and "tools" in server.requests[0]


async def test_a_reply_cut_for_length_is_asked_for_anew(serve: Serve, claude: Ask) -> None:
    """Half an object is no object, whatever stopped it."""
    server = await serve(in_order(cut_off(text('{"answer": {"text": "Tha')), text(NOTED["json"])))
    assert (await Speaking(await claude(server)).reply(request("json"))).text == "Thank you."


def halfway() -> Draft:
    """A request with half of its answers, one question open, and small talk as the newest message."""
    whole = draft_of()
    kept = ("security", "direction", "quantity", "value", "currency", "is_derivative")
    return replace(
        whole,
        values={name: whole.values[name] for name in kept},
        locked_fields=frozenset({"security", "is_derivative"}),
        window=(ChatLine("user", "what a fine day", "1.1"),),
        asked="account",
        card=OpenCard("card", "question", "account"),
    )


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_readable_reply_writes_nothing_that_the_guards_refuse(
    dialect: Dialect, serve: Serve, claude: Ask
) -> None:
    """What nobody said, what is locked and what is no model's to do changes no answer, lock or status, and shows no JSON."""
    playing, draft = [""], halfway()
    model = Speaking(await claude(await serve(lambda _: text(playing[0]))))
    for name, playing[0] in overreaching(dialect).items():
        reply = await model.reply(request(dialect))
        event = ModelReplied("r1", "2026-11-20T12:00:00+00:00", "model", reply, draft.turn, reader=model.name)
        outcome = advance(DEALING.form, DEALING.rules, draft, event)
        after = outcome.draft
        assert reply.calls, name
        assert (after.values, after.locked_fields, after.status) == (draft.values, draft.locked_fields, draft.status), (
            name
        )
        assert not any(FORMAT.search(words) for e in outcome.effects if isinstance(e, Post) for words in _strings(e)), (
            name
        )


def _strings(thing: Any) -> Iterator[str]:
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, dict | list | tuple):
        for part in thing.values() if isinstance(thing, dict) else thing:
            yield from _strings(part)
    elif hasattr(thing, "__dict__"):
        yield from _strings(vars(thing))


def meant(dialect: Dialect, part: dict[str, Any]) -> Meant:
    """What a reply around such an object means."""
    return read(dialect, reply_of(dialect, json.dumps(part)), (SETTER,))


EXPECTED: dict[Dialect, list[tuple[str, list[tuple[str, dict[str, Any], str]]]]] = {
    "block": [
        ("Thank you.", [("set_trade", {"quantity": 200}, ""), ("go", {"to": "SCHEDULING"}, "")]),
        ("Thank you.", [("go", {"to": "proceed"}, "")]),
        ("Thank you.", [("go", {"to": "proceed"}, "")]),
        ("Thank you.", [("set_trade", {"quantity": 200}, "")]),
        ("Thank you.", []),
        ("Thank you.\nWhich account is it?", []),
        ("Thank you.", [("set_trade", {"quantity": 200}, "")]),
    ],
    "json": [
        ("", [("add", {"n": 1}, "Please confirm.")]),
        ("", [("add", {}, "Shall I?")]),
        ("", [("add", {"n": 1}, "")]),
        ("", [("set_trade", {"quantity": 200}, "")]),
        ("Which account is it?", []),
        ("Which account is it?", []),
        ("It is the whole trade's worth.", []),
        ("It is the whole trade's worth.", []),
        ("", []),
    ],
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_shapes_of_other_systems_are_read_as_what_they_mean(dialect: Dialect) -> None:
    """Steps by trigger or by stage with data beside them, values without a quote, reasons that nobody reads, kinds named in `type`."""
    for part, (words, calls) in zip(FOREIGN[dialect], EXPECTED[dialect], strict=True):
        found = meant(dialect, part)
        assert (found.text, [(c.tool, c.arguments, c.confirm) for c in found.calls]) == (words, calls), part


def test_a_mangled_action_is_no_word_for_a_person() -> None:
    """An action that stands in the words, in whatever other notation, makes the reply one that cannot be read."""
    table = garbled()
    passed = [name for name, written_reply in table.items() if outcome_of("block", written_reply) is not None]
    assert len(table) > 104 and passed == []


PROSE = (
    "Thank you! Which account is it: pension or ISA?",
    "Grazie, ho capito: 1.750,00 € al mese. E l'anzianità?",
    "Perfetto – andiamo avanti.\n\n1. 🚀 Veloce\n2. 💬 Manuale",
    "Se preferisce, può chiamare 800 000 000 (lun–ven, 9:00–18:00).",
    "“Trade” means the whole order; it's 2 + 2 = 4 shares then, isn't it?",
    "Sie sagten „zweihundert“: stimmt das?",
    "De acuerdo: 9.500 € – ¿y el plazo?",
    "She said 'no': is that right? Name it, please; the reason matters.",
    "Write to alex_reed@example.org & ask for the form (page 3/4) #12.",
    "- first\n- second\n* third",
)


@pytest.mark.parametrize("words", PROSE)
def test_plain_words_are_not_taken_for_an_action(words: str) -> None:
    """Colons, quotes, lists, sums, addresses and telephone numbers are what people read every day."""
    found = outcome_of("block", words)
    assert found is not None and found.text == words


# Whatever is written


HOSTILE = ("", "```", '"', "\\", "{", "}", "[" * 50, "\x00", "\ud83e", "---\n", "1e999", "NaN", "9" * 40, ",")


@st.composite
def mutated(draw: st.DrawFn) -> tuple[Dialect, str]:
    """A good reply with slices taken out, doubled, swapped, or something hostile put in."""
    dialect = draw(st.sampled_from(DIALECTS))
    reply = draw(st.sampled_from(good(dialect)))
    for _ in range(draw(st.integers(1, 4))):
        start, stop = sorted((draw(st.integers(0, len(reply))), draw(st.integers(0, len(reply)))))
        middle = draw(st.sampled_from([reply, *HOSTILE]) | st.just(reply[start:stop] * 2) | st.text(ANY, max_size=10))
        reply = reply[:start] + middle + reply[stop:]
    return dialect, reply


def outcome_of(dialect: Dialect, reply: str) -> Meant | None:
    """What the reply means; None where it cannot be read."""
    try:
        return read(dialect, reply, (SETTER,))
    except Flawed as flaw:
        assert flaw.what.isascii() and len(flaw.what) < 120
        return None


@settings(max_examples=examples(400))
@given(mutated() | st.tuples(st.sampled_from(DIALECTS), st.text(ANY, max_size=300)))
def test_no_text_breaks_the_reader_or_brings_json_through(written_reply: tuple[Dialect, str]) -> None:
    """Any text is read or refused; what is read has plain words, and arguments that can be stored and sent."""
    meant = outcome_of(*written_reply)
    if meant:
        assert not FORMAT.search(meant.text)
        for proposed in meant.calls:
            assert 0 < len(proposed.tool) <= 70
            told = json.dumps(proposed.arguments, ensure_ascii=False, allow_nan=False).encode()
            assert b"\\u0000" not in told


NAMES = st.text("abcdefghij_", min_size=1, max_size=12)
STORABLE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | STORABLE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
CALLS = st.lists(st.builds(ToolCall, st.uuids().map(str), NAMES, st.dictionaries(NAMES, JSON, max_size=3)), max_size=3) | st.lists(
    st.builds(
        lambda name, quantity: ToolCall(name, "set_trade", {"quantity": quantity, "words": "buy 200"}),
        st.uuids().map(str), st.integers(0, 9),
    ),
    min_size=1,
    max_size=2,
)  # fmt: skip


@settings(max_examples=examples(100))
@given(st.sampled_from(DIALECTS), CALLS)
def test_calls_written_for_a_later_round_are_read_back_as_the_same_calls(
    dialect: Dialect, calls: list[ToolCall]
) -> None:
    """What a model is shown of its own earlier acts is in the format that it has to write, and means what it had meant."""
    shown = [read(dialect, written(dialect, "", group), (SETTER,)) for group in acts(dialect, calls)]
    back = [(one.tool, one.arguments) for meant in shown for one in meant.calls]
    assert back == [(one.tool, one.arguments) for one in calls]
