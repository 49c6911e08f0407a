"""Ready-made scripted models, those that are up and take nothing among them; they know only what a request tells them."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from typing import Any

from bot.model.sending import unmarked
from bot.sandbox.models.answers import (
    Answer,
    Block,
    ModelMessage,
    broken_json,
    call,
    cut_off,
    http_error,
    overloaded,
    rate_limited,
    refusal,
    text,
    tools,
)

Body = dict[str, Any]
Play = Callable[[Body], Answer]
"""A script without a clock: a request's body in, an answer out."""


def newest_words(body: Body) -> str:
    """Return what the newest user turn says, without the operator's blocks."""
    return unmarked("\n\n".join(_texts(_newest_turn(body))))


def tool_results(body: Body) -> list[dict[str, Any]]:
    """Return the tool results in the newest user turn, in order."""
    return _results(_newest_turn(body))


def offered(body: Body) -> dict[str, dict[str, Any]]:
    """Return the tools on offer: name and input schema."""
    return {tool["name"]: tool["input_schema"] for tool in body.get("tools", ())}


def all_words(body: Body) -> Iterator[str]:
    """Yield every text in the conversation, whoever wrote it, tool results included."""
    for message in body["messages"]:
        yield from _texts(message)
        yield from (text for result in _results(message) for text in _texts(result))


def _newest_turn(body: Body) -> dict[str, Any]:
    turns = (message for message in reversed(body["messages"]) if message["role"] == "user")
    return next(turns, {})


def _results(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content", "")
    return [block for block in content if isinstance(block, dict) and block["type"] == "tool_result"]


def _texts(message: dict[str, Any]) -> Iterator[str]:
    content = message.get("content", "")
    if isinstance(content, str):
        yield content
        return
    yield from (block["text"] for block in content if block["type"] == "text")


Step = Answer | Play
"""An answer, or what makes one of the request."""

ALL_RIGHT = text("All right.")
THANK_YOU = text("Thank you.")


def in_order(*steps: Step) -> Play:
    """Return the first step for the first request, and so on; the last one stands for all that come after."""
    left = list(steps)

    def play(body: Body) -> Answer:
        return _played(left.pop(0) if len(left) > 1 else left[0], body)

    return play


def by_newest_message(table: Mapping[str, Step], *, otherwise: Step = ALL_RIGHT, after_tools: Step = THANK_YOU) -> Play:
    """The step of the first pattern found in the newest user's words (any case); `after_tools` answers tool results."""

    def play(body: Body) -> Answer:
        if tool_results(body):
            return _played(after_tools, body)
        words = newest_words(body)
        found = (step for pattern, step in table.items() if re.search(pattern, words, re.IGNORECASE))
        return _played(next(found, otherwise), body)

    return play


def _played(step: Step, body: Body) -> Answer:
    return step(body) if callable(step) else step


ANY = "*"
"""Stands for the first setter on offer, and for the first field or name that an argument may be about."""
_ACKNOWLEDGE, _THANK, _EMPATHISE = (tools(call("say", act=act)) for act in ("acknowledge", "thank", "empathise"))
_CANNOT, _PERSON = tools(call("say", act="cannot_answer")), tools(call("say", act="offer_person"))
_EXPLAIN = tools(call("say", act="explain", about=ANY), call("explain_form", field=ANY))
_WHICH = tools(call("say", act="which", about=ANY, readings=["yes", "no"]))
_REFUSED = tools(call(ANY, value="never said", words="nobody said this"))

USELESS: Mapping[str, tuple[Answer, ...]] = {
    "acknowledges": (_ACKNOWLEDGE,),
    "thanks": (_THANK,),
    "empathises": (_EMPATHISE,),
    "explains": (_EXPLAIN,),
    "cannot answer": (_CANNOT,),
    "offers a person": (_PERSON, tools(call("hand_over", reason="they are lost"))),
    "asks which of nothing": (_WHICH,),
    "is refused": (_REFUSED, text("")),
    "is refused with other arguments each time": tuple(
        tools(call(ANY, value=f"never said {n}", words=f"nobody said this {n}")) for n in range(7)
    ),
    "breaks its calls": (broken_json("set_value"), text("")),
    "calls what is not there": (tools(call("approve", id=1)), text("")),
    "writes": (text("All right."), text("Thank you, noted.")),
    "says nothing": (text(""),),
    "is cut off": (cut_off(),),
    "alternates": (_ACKNOWLEDGE, _PERSON, _EXPLAIN, _REFUSED, text("I see."), _CANNOT, _THANK, _WHICH),
}
"""By what it does."""
FAILING: Mapping[str, tuple[Answer, ...]] = {
    "declines": (refusal("I would rather not"),),
    "is overloaded": (overloaded(),),
    "is out of requests": (rate_limited(),),
    "fails": (http_error(500), http_error(503)),
}
"""Those that give no answer at all."""


def useless(answers: tuple[Answer, ...]) -> Play:
    """Return a script that gives these answers in rotation, made out to what the request offers."""
    turns = cycle(answers)

    def play(body: Body) -> Answer:
        answer = next(turns)
        return _made_out(answer, offered(body)) if isinstance(answer, ModelMessage) else answer

    return play


def _made_out(said: ModelMessage, on_offer: Mapping[str, dict[str, Any]]) -> ModelMessage:
    """The answer with names for `ANY`; of calls, those that are on offer where any is."""
    blocks = [_named(block, on_offer) for block in said.content]
    kept = [b for b in blocks if b["type"] != "tool_use" or b["name"] in on_offer]
    return ModelMessage(tuple(kept or blocks), said.stop_reason, said.usage)


def _named(block: Block, on_offer: Mapping[str, dict[str, Any]]) -> Block:
    if block["type"] != "tool_use" or not isinstance(block["input"], dict):
        return block
    setters = [name for name, schema in on_offer.items() if "words" in schema.get("properties", ())]
    name = next(iter(setters), "set_value") if block["name"] == ANY else block["name"]
    field = next((n for s in setters for n in on_offer[s]["properties"]), "")
    properties = on_offer.get(name, {}).get("properties", {})
    given = {
        n: next(iter(properties.get(n, {}).get("enum", ())), field) if v == ANY else v
        for n, v in block["input"].items()
    }
    if "value" in given and block["name"] == ANY:
        own = next((n for n in properties if n != "words"), "value")
        given[own] = given.pop("value")
    return call(name, **given)
