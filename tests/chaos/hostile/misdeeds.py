"""A model that does everything wrong, at random: what the invariants are tested against."""

import random
import re
from collections.abc import Callable
from typing import Any

from bot.sandbox.models.answers import (
    Answer,
    Block,
    broken_json,
    call,
    call_with,
    context_window_exceeded,
    cut_off,
    pause_turn,
    refusal,
    text,
    tools,
    unknown_block,
)
from bot.sandbox.models.scripts import Body, Play, all_words, newest_words, offered

MANY = 50
"""Blocks or calls in one answer."""

ENDLESS = 40_000
"""Words of an endless text."""

_LABEL = re.compile(r"^\W*(?:\w+\]\W*)?([A-Za-z][\w ]{2,40}):\s+\S", re.MULTILINE)
"""A line that shows a value: "Leveraged product: No", "- account: …", "[clicked] Side: Buy"."""
_CLAIMS = (
    "Done! I have submitted your request.",
    "Your request has been approved, you may trade now.",
    "I've saved everything and sent it to compliance.",
)
_VALUES = (
    "yes", "no", "No inside information", "EUR 262,900", "12000", "2026-02-31", "Robin Vale", "submit anyway", "",
)  # fmt: skip


def hostile(rng: random.Random) -> Play:
    """Return a script that picks one misdeed per request; the same generator state gives the same model."""

    def play(body: Body) -> Answer:
        return rng.choice(MISDEEDS)(body, rng)

    return play


def re_asks(body: Body, rng: random.Random) -> Answer:
    """It asks about something that the conversation already shows a value for."""
    labels = [label for words in all_words(body) for label in _LABEL.findall(words)]
    return text(f"Before we go on: what is your {rng.choice(labels or ['first answer']).lower()}?")


def overwrites(body: Body, rng: random.Random) -> Answer:
    """It sets again what was set: by tools it called before, and by names it makes of the labels it sees."""
    labels = {label for words in all_words(body) for label in _LABEL.findall(words)}
    called = [block["name"] for message in body["messages"] for block in _calls_in(message)]
    names = [*called, *(f"set_{label.lower().replace(' ', '_')}" for label in sorted(labels))]
    return tools(call(rng.choice(names or ["set_justification"]), value=rng.choice(_VALUES), words=newest_words(body)))


def invents(body: Body, rng: random.Random) -> Answer:
    """It fills every field it may, out of thin air, with a quote that says no such thing."""
    calls, words = [], newest_words(body)
    for name, schema in offered(body).items():
        filled = {part: _value(of, words, rng) for part, of in schema.get("properties", {}).items()}
        calls.append(call_with(name, filled))
    return tools(*calls, text="I have filled in the rest for you.") if calls else text(rng.choice(_CLAIMS))


def calls_unknown_tools(body: Body, rng: random.Random) -> Answer:
    """It calls what is not on offer."""
    names = ["submit", "finalize", "approve_request", "set_justification", "unlock_field", "../../etc", ""]
    return tools(call(rng.choice(names), value="No inside information", words=newest_words(body), confirm=True))


def sends_wrong_types(body: Body, rng: random.Random) -> Answer:
    """Every argument has a type that its schema does not allow, or the input is no object at all."""
    name = rng.choice([*offered(body)] or ["set_value"])
    wrong: list[object] = [
        [],
        None,
        7,
        "text",
        {"value": {"deep": [1]}},
        {"value": [None]},
        {"value": 1e308, "x": True},
    ]
    return tools(call_with(name, rng.choice(wrong)))


def breaks_json(body: Body, rng: random.Random) -> Answer:
    """Its arguments do not parse."""
    written = rng.choice(['{"value": "no', "{'value': 'no'}", '{"value": no}', '"half', "]"])
    return broken_json(rng.choice([*offered(body)] or ["set_value"]), written)


def loops(body: Body, rng: random.Random) -> Answer:
    """It repeats its last calls to the letter, or starts on a call that it will repeat."""
    turns = [found for message in body["messages"] if (found := _calls_in(message))]
    if turns:
        return tools(*(call_with(block["name"], block["input"]) for block in turns[-1]))
    name = next(iter(offered(body)), "set_value")
    return tools(call(name, value="no", words="no"))


def claims(body: Body, rng: random.Random) -> Answer:
    """It says that things happened which did not."""
    return text(rng.choice(_CLAIMS))


def names_its_tools(body: Body, rng: random.Random) -> Answer:
    """It speaks of tools, and in another format than it was asked for."""
    name = rng.choice([*offered(body)] or ["set_value"])
    return text(f'I will call {name}.\n---\n{{"action": "{name}", "arguments": {{"value": "no"}}}}')


def writes_without_end(body: Body, rng: random.Random) -> Answer:
    """Return a text that nobody will read."""
    return text("very " * ENDLESS)


def writes_many_blocks(body: Body, rng: random.Random) -> Answer:
    """Its answer comes in far too many pieces."""
    return text(*(f"Part {number}: is this a leveraged product?" for number in range(MANY)))


def makes_many_calls(body: Body, rng: random.Random) -> Answer:
    """It proposes everything at once, again and again."""
    names = [*offered(body)] or ["set_value"]
    return tools(*(call(rng.choice(names), value=rng.choice(_VALUES), words="yes") for _ in range(MANY)))


def stops_oddly(body: Body, rng: random.Random) -> Answer:
    """It declines, pauses, runs out of room, or sends what nobody knows yet."""
    half = tools(call(rng.choice([*offered(body)] or ["set_value"]), value="no", words="no"))
    odd = [refusal("I would rather"), pause_turn(), cut_off(), cut_off(half), unknown_block(half)]
    return rng.choice([*odd, context_window_exceeded("So"), text(" ")])


MISDEEDS: tuple[Callable[[Body, random.Random], Answer], ...] = (
    re_asks,
    overwrites,
    invents,
    calls_unknown_tools,
    sends_wrong_types,
    breaks_json,
    loops,
    claims,
    names_its_tools,
    writes_without_end,
    writes_many_blocks,
    makes_many_calls,
    stops_oddly,
)


def _value(schema: dict[str, Any], words: str, rng: random.Random) -> Any:
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if branches := schema.get("anyOf"):
        return _value(rng.choice(branches), words, rng)
    kinds = schema.get("type", "string")
    kind = kinds if isinstance(kinds, str) else rng.choice(kinds)
    return {
        "integer": rng.choice((-1, 0, 12_000, 10**30)),
        "number": rng.choice((-0.5, 262_900.0)),
        "boolean": rng.choice((True, False)),
        "array": [],
        "object": {},
        "null": None,
    }.get(kind, rng.choice((*_VALUES, words)))


def _calls_in(message: dict[str, Any]) -> list[Block]:
    content = message["content"]
    return [block for block in content if isinstance(block, dict) and block["type"] == "tool_use"]
