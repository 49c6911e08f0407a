"""Models without native tools: a whole request in either dialect, and what happens when their replies cannot be read."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.model.answers import Answer, Said, text
from bot.model.scripted.asked import newest_words
from prompts.marks import RESULT
from prompts.request import Dialect
from tests.whole.steps import FILED, OPENING, REASON
from tests.world import World, shown, world

TRADE = {"direction": "buy", "quantity": 200, "value": "720", "currency": "GBP", "account": "pension"}
QUOTE = "buy 200 Tesco for my pension, about £720"
ACTS = (OPENING, "[Use this]", *["[No]"] * 5, "[I understand]", REASON, "[Submit]")
MACHINERY = re.compile(r"[{}].*|```.*|^---$|\"\w+\":.*|REJECTED.*", re.MULTILINE)


def block(lead: str, /, **action: Any) -> Said:
    """Words, the line, one action."""
    return text(f"{lead}\n---\n{json.dumps(action)}".strip())


def one(**kind: Any) -> Said:
    """One JSON object."""
    return text(json.dumps(kind))


def in_blocks(body: dict[str, Any]) -> Answer:
    """A good model that writes words and a block."""
    words = newest_words(body)
    if words == OPENING:
        return block("Thank you.", action="collect", data={"security": "Tesco", **TRADE}, words=QUOTE)
    if words == REASON:
        return block("That is clear.", action="collect", data={"justification": REASON}, words=REASON)
    return text("Thanks! A few declarations next.")


def in_objects(body: dict[str, Any]) -> Answer:
    """A good model that writes one object a reply: a call at a time."""
    words = newest_words(body)
    if words == OPENING:
        return one(tool_call={"name": "set_trade", "arguments": {**TRADE, "words": QUOTE}})
    if RESULT in words and "set_security" in body["system"] and "Tesco" not in json.dumps(body["messages"][1:-1]):
        return one(tool_call={"name": "set_security", "arguments": {"security": "Tesco", "words": "Tesco"}})
    if words == REASON:
        return one(tool_call={"name": "set_justification", "arguments": {"justification": REASON, "words": REASON}})
    return one(answer={"text": "Thanks! A few declarations next."})


MODELS: dict[Dialect, Callable[[dict[str, Any]], Answer]] = {"block": in_blocks, "json": in_objects}


async def play(w: World, acts: tuple[str, ...] = ACTS) -> None:
    """Clicks in brackets, the rest said."""
    for act in acts:
        await (w.click(act.strip("[]")) if act.startswith("[") else w.say(act))


def asked(w: World) -> list[dict[str, Any]]:
    """Every request's body."""
    assert w.model is not None
    return w.model.requests


def json_on(w: World) -> list[str]:
    """What on the screen looks like JSON, a fence or a format's line; Slack's own tokens for dates apart."""
    screens = (re.sub(r"<!date[^>]*>", "", shown(message)) for message in w.screen())
    return [found for screen in screens for found in MACHINERY.findall(screen)]


@pytest.mark.parametrize("dialect", MODELS)
async def test_a_whole_request_with_a_model_without_tools(dialect: Dialect, tmp_path: Path) -> None:
    """In either dialect a request is filed in ten acts; no request holds a tool, a call or a result, and no screen holds JSON."""
    async with world(tmp_path, MODELS[dialect], anthropic_dialect=dialect) as w:
        await play(w, ACTS[:2])
        assert "A few declarations next." in w.last()
        await play(w, ACTS[2:])
        (record,) = await w.records()
        assert {n: v["data"] for n, v in record.body["values"].items()} == FILED
        read_by_model = [n for n, v in record.body["values"].items() if v["provenance"]["reader"] not in ("", "rules")]
        assert {"quantity", "account", "justification"} <= set(read_by_model)
        for body in asked(w):
            assert "tools" not in body
            assert all(isinstance(message["content"], str) for message in body["messages"])
        assert not json_on(w)
