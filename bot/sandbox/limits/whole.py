"""Look at all blocks of a payload together: ids used twice, one table, one focus, texts in sum, and what Slack's own SDK makes of them."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block

from bot.sandbox.limits.schema import Problem
from bot.sandbox.workspace import Json

MOST_MARKDOWN = 12_000
MOST_TABLE_TEXT = 10_000
Place = tuple[str, Json]
"""Where an object is in a payload, and the object."""


def problems(blocks: list[Json], pointer: str) -> Iterator[Problem]:
    """Return what is wrong with these blocks as a whole."""
    objects = list(_objects(blocks, pointer))
    yield from _twice(objects, "block_id")
    yield from _twice(objects, "action_id")
    yield from _focused(objects)
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
    """Return the characters of all texts in these blocks."""
    return sum(len(words) for _, found in _objects(blocks, "") if isinstance(words := found.get("text"), str))


def size(payload: Json) -> int:
    """Return bytes of a payload as JSON."""
    return len(json.dumps(payload).encode())


def _is_markdown(block: Json) -> bool:
    return block.get("type") == "markdown" and isinstance(block.get("text"), str)


def _twice(objects: list[Place], key: str) -> Iterator[Problem]:
    seen: set[str] = set()
    for place, found in objects:
        value = found.get(key)
        if not isinstance(value, str):
            continue
        if value in seen:
            yield Problem(f"{place}/{key}", f"`{key}` {value} already exists for another element")
        seen.add(value)


def _focused(objects: list[Place]) -> Iterator[Problem]:
    focused = [place for place, node in objects if node.get("focus_on_load") is True]
    yield from (Problem(place, "only one element may have focus_on_load") for place in focused[1:])


def _tables(blocks: list[Json], pointer: str) -> Iterator[Problem]:
    tables = [(f"{pointer}/{index}", block) for index, block in enumerate(blocks) if block.get("type") == "table"]
    yield from (Problem(place, "only_one_table_allowed") for place, _ in tables[1:])
    for place, table in tables:
        if length([table]) > MOST_TABLE_TEXT:
            yield Problem(place, f"must be less than {MOST_TABLE_TEXT + 1} characters")


def _objects(node: object, pointer: str) -> Iterator[Place]:
    """Yield every object in a payload, the outer before the inner."""
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    if isinstance(node, dict):
        yield pointer, node
    for key, value in inner:
        if isinstance(value, dict | list):
            yield from _objects(value, f"{pointer}/{key}")


def second_opinion(blocks: list[Json], pointer: str) -> Iterator[Problem]:
    """Yield blocks that the SDK refuses, or that come back from it as something else."""
    with _quiet():
        for index, block in enumerate(blocks):
            complaint = _complaint(json.dumps(block))
            if complaint:
                yield Problem(f"{pointer}/{index}", complaint)


@lru_cache(maxsize=1024)
def _complaint(written: str) -> str | None:
    """Return what the SDK says of a block, as JSON. Repainted cards repeat most of theirs, and the models look into each attribute of every part."""
    block: Json = json.loads(written)
    try:
        parsed = Block.parse(block)
        again = parsed.to_dict() if parsed is not None else {}
    except SlackObjectFormationError as error:
        return str(error)
    except (TypeError, KeyError, AttributeError, ValueError):
        return "failed to match all allowed schemas"
    return None if _plain(again) == _plain(block) else "failed to match all allowed schemas"


def _plain(node: object) -> object:
    """Return a payload without what says nothing: nulls and empty lists."""
    if isinstance(node, dict):
        kept = {key: _plain(value) for key, value in node.items()}
        return {key: value for key, value in kept.items() if value not in (None, [])}
    if isinstance(node, list | tuple):
        return [_plain(one) for one in node]
    return node


@contextmanager
def _quiet() -> Iterator[None]:
    logger = logging.getLogger("slack_sdk.models")
    loud, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = loud
