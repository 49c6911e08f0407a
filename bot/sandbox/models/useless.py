"""Models that are up and take nothing: what each answers, over and over, as data."""

from collections.abc import Mapping
from itertools import cycle
from typing import Any

from bot.sandbox.models.answers import (
    Answer,
    Block,
    Said,
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
from bot.sandbox.models.scripts import Body, Play, offered

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
        return _made_out(answer, offered(body)) if isinstance(answer, Said) else answer

    return play


def _made_out(said: Said, on_offer: Mapping[str, dict[str, Any]]) -> Said:
    """The answer with names for `ANY`; of calls, those that are on offer where any is."""
    blocks = [_named(block, on_offer) for block in said.content]
    kept = [b for b in blocks if b["type"] != "tool_use" or b["name"] in on_offer]
    return Said(tuple(kept or blocks), said.stop_reason, said.usage)


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
