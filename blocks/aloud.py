"""A message as a notification or a screen reader tells it: its sentences, and, where they are few, the answers that its buttons give."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from blocks.elements import Block, Message
from blocks.ids import TICK, TOGETHER, read_press
from blocks.text import SECTION, cut, escape, size
from state.engine.events import Act

FEW, BETWEEN = 8, " / "
ANSWERING: frozenset[Act] = frozenset({
    "answer", "accept", "go", "keep", "change", "cancel_confirmed", "restart_confirmed", "disclose_confirmed", "stay", "confirm",
    "decline", "submit", "cancel", "submit_anyway", "take", "take_all", "leave",
    "erase_confirmed", "erase_kept", "decide", "withdraw", "withdraw_confirmed", "report", "unused", "unused_confirmed", "judge",
})  # fmt: skip
"""What a click says to the question above it; an explanation, a box to write in or a person is none."""
PICKING: Act = "pick"
"""Its button reads "Use this": what it picks stands beside it."""


def aloud(built: Message) -> Message:
    """The message with its answers told below its sentences, each once; with the text as it is, where there are none or many."""
    told = list(dict.fromkeys(answers(built.blocks)))
    below = BETWEEN.join(told)
    if not 0 < len(told) <= FEW or size(below) > SECTION // 2:
        return built
    return replace(built, text=f"{cut(built.text, SECTION - size(below) - 1)}\n{below}")


def answers(blocks: Sequence[Block]) -> Iterator[str]:
    """The answers that can be clicked, as escaped text in reading order."""
    for block in blocks:
        beside = block.get("accessory")
        if beside and _act(beside) == PICKING:
            yield str(block["text"]["text"]).partition("\n")[0].replace("*", "")
            continue
        for element in (*([beside] if beside else []), *_elements(block)):
            yield from _labels(element)


def _elements(block: Block) -> Sequence[dict[str, Any]]:
    return block.get("elements", ()) if block["type"] == "actions" else ()


def _labels(element: dict[str, Any]) -> Iterator[str]:
    if _act(element) in ANSWERING:
        yield escape(str(element["text"]["text"]))
    elif str(element.get("action_id", "")).startswith((TICK, f"{TOGETHER}.")):
        yield from (escape(str(option["text"]["text"])) for option in element.get("options", ()))


def _act(element: dict[str, Any]) -> Act | None:
    press = read_press(element.get("value")) if element.get("type") == "button" else None
    return press.act if press else None
