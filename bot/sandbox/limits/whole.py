"""Rules that look at all blocks of a payload together: ids used twice, one table, one focus, texts in sum."""

import json
from collections.abc import Iterator

from bot.sandbox.limits.problems import Problem
from bot.sandbox.workspace import Json

MOST_MARKDOWN = 12_000
MOST_TABLE_TEXT = 10_000


def problems(blocks: list[Json], pointer: str) -> Iterator[Problem]:
    """What is wrong with these blocks as a whole."""
    yield from _twice(blocks, pointer, "block_id")
    yield from _twice(blocks, pointer, "action_id")
    yield from _focused(blocks, pointer)
    yield from _tables(blocks, pointer)
    written = sum(len(block["text"]) for block in blocks if _is_markdown(block))
    if written > MOST_MARKDOWN:
        yield Problem(pointer, f"markdown blocks must have less than {MOST_MARKDOWN + 1} characters in all")


def submittable(view: Json, pointer: str) -> Iterator[Problem]:
    """A modal with inputs needs a button to submit them."""
    has_input = any(block.get("type") == "input" for block in view["blocks"])
    if view["type"] == "modal" and has_input and not view.get("submit"):
        yield Problem(pointer, "missing required field: submit")


def length(blocks: list[Json]) -> int:
    """The characters of all texts in these blocks."""
    return sum(len(words) for _, key, words in _strings(blocks, "") if key == "text")


def size(payload: Json) -> int:
    """Bytes of a payload as JSON."""
    return len(json.dumps(payload).encode())


def _is_markdown(block: Json) -> bool:
    return block.get("type") == "markdown" and isinstance(block.get("text"), str)


def _twice(blocks: list[Json], pointer: str, key: str) -> Iterator[Problem]:
    seen: set[str] = set()
    for place, name, value in _strings(blocks, pointer):
        if name == key and value in seen:
            yield Problem(place, f"`{key}` {value} already exists for another element")
        if name == key:
            seen.add(value)


def _focused(blocks: list[Json], pointer: str) -> Iterator[Problem]:
    focused = [place for place, node in _objects(blocks, pointer) if node.get("focus_on_load") is True]
    yield from (Problem(place, "only one element may have focus_on_load") for place in focused[1:])


def _tables(blocks: list[Json], pointer: str) -> Iterator[Problem]:
    tables = [(f"{pointer}/{index}", block) for index, block in enumerate(blocks) if block.get("type") == "table"]
    yield from (Problem(place, "only_one_table_allowed") for place, _ in tables[1:])
    for place, table in tables:
        if length([table]) > MOST_TABLE_TEXT:
            yield Problem(place, f"must be less than {MOST_TABLE_TEXT + 1} characters")


def _objects(node: object, pointer: str) -> Iterator[tuple[str, Json]]:
    if isinstance(node, dict):
        yield pointer, node
        for key, value in node.items():
            yield from _objects(value, f"{pointer}/{key}")
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from _objects(value, f"{pointer}/{index}")


def _strings(node: object, pointer: str) -> Iterator[tuple[str, str, str]]:
    for place, found in _objects(node, pointer):
        for key, value in found.items():
            if isinstance(value, str):
                yield f"{place}/{key}", key, value
