"""Slack's limits, written down independently of the project's own builders; every payload that an app sends passes.

Slack answers `invalid_blocks` for messages and `invalid_arguments` for views, with the reasons in
`response_metadata.messages`. Texts over 4,000 characters and blocks over about 12,000 in all are refused here, where
Slack only may refuse them. Its own SDK is asked for a second opinion once our rules are content.
"""

import json
import logging
from collections.abc import Iterator
from functools import lru_cache

from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block

from bot.sandbox.limits.blocks import BLOCKS, GROUPS, IN_MESSAGES, MARKDOWN, OPTION, VIEWS
from bot.sandbox.limits.schema import Problem, items, shape, typed, unmatched
from bot.sandbox.workspace import Json, Refusal, SlackError

MOST_BLOCKS = 50
MOST_ATTACHMENTS = 100
LONGEST_TEXT = 4_000
LONGEST_BLOCKS = 12_000
LARGEST_VIEW_BYTES = 250_000
MOST_TABLE_TEXT = 10_000
MESSAGE_BLOCKS = items(typed(BLOCKS, IN_MESSAGES), most=MOST_BLOCKS, least=0)
SUGGESTIONS = shape("", "options option_groups", options=items(OPTION, most=100, least=0), option_groups=GROUPS)


def check_message(
    text: str | None, blocks: list[Json] | None, attachments: list[Json] | None, *, markdown: bool = False
) -> None:
    """Let a message pass.

    Raises SlackError no_text, msg_too_long, msg_blocks_too_long, too_many_attachments or invalid_blocks.
    """
    if not (text or blocks or attachments):
        raise SlackError("no_text")
    if len(text or "") > (MARKDOWN if markdown else LONGEST_TEXT):
        raise _refusal("msg_too_long", [Problem("/text", "too long")])
    if len(attachments or []) > MOST_ATTACHMENTS:
        raise _refusal("too_many_attachments", [Problem("/attachments", "too many")])
    places = {"/blocks": blocks or []}
    for index, attachment in enumerate(attachments or []):
        places[f"/attachments/{index}/blocks"] = attachment.get("blocks") or []
    found = []
    for pointer, given in places.items():
        own = [*MESSAGE_BLOCKS(given, pointer), *_together(given, pointer)]
        found += own or list(_second_opinion(given, pointer))
    if found:
        raise _refusal("invalid_blocks", found)
    if _length(blocks or []) > LONGEST_BLOCKS:
        raise _refusal("msg_blocks_too_long", [Problem("/blocks", "too long")])


def check_view(view: Json, kind: str) -> None:
    """Let a "modal" or "home" view pass. Raises SlackError invalid_arguments or view_too_large."""
    found = list(VIEWS[kind](view, "/view"))
    if not found:
        blocks = view["blocks"]
        found = list(_together(blocks, "/view/blocks"))
        if kind == "modal" and not view.get("submit") and any(block.get("type") == "input" for block in blocks):
            found.append(Problem("/view", "missing required field: submit"))
        found = found or list(_second_opinion(blocks, "/view/blocks"))
    if found:
        raise _refusal("invalid_arguments", [unmatched("/view"), *found])
    if len(json.dumps(view).encode()) > LARGEST_VIEW_BYTES:
        raise _refusal("view_too_large", [Problem("/view", "too large")])


def check_suggestions(answer: Json) -> None:
    """Let the options that an app suggests pass. Raises SlackError invalid_arguments."""
    found = list(SUGGESTIONS(answer, ""))
    if found:
        raise _refusal("invalid_arguments", found)


def _refusal(code: str, found: list[Problem]) -> Refusal:
    return Refusal(code, [str(problem) for problem in found])


def _together(blocks: list[Json], pointer: str) -> Iterator[Problem]:
    """Yield what is wrong with blocks together: ids used twice, a second focus or table, texts too long in sum."""
    objects = list(_objects(blocks, pointer))
    yield from _twice(objects, "block_id")
    yield from _twice(objects, "action_id")
    focused = [place for place, node in objects if node.get("focus_on_load") is True]
    yield from (Problem(place, "only one element may have focus_on_load") for place in focused[1:])
    tables = [(f"{pointer}/{index}", block) for index, block in enumerate(blocks) if block.get("type") == "table"]
    yield from (Problem(place, "only_one_table_allowed") for place, _ in tables[1:])
    for place, table in tables:
        if _length([table]) > MOST_TABLE_TEXT:
            yield Problem(place, f"must be less than {MOST_TABLE_TEXT + 1} characters")
    markdown = [block.get("text") for block in blocks if block.get("type") == "markdown"]
    if sum(len(written) for written in markdown if isinstance(written, str)) > MARKDOWN:
        yield Problem(pointer, f"markdown blocks must have less than {MARKDOWN + 1} characters in all")


def _twice(objects: list[tuple[str, Json]], key: str) -> Iterator[Problem]:
    seen: set[str] = set()
    for place, found in objects:
        value = found.get(key)
        if not isinstance(value, str):
            continue
        if value in seen:
            yield Problem(f"{place}/{key}", f"`{key}` {value} already exists for another element")
        seen.add(value)


def _length(blocks: list[Json]) -> int:
    """Return the characters of all texts in these blocks."""
    return sum(len(words) for _, found in _objects(blocks, "") if isinstance(words := found.get("text"), str))


def _objects(node: object, pointer: str) -> Iterator[tuple[str, Json]]:
    """Yield every object in a payload with its place, the outer before the inner."""
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    if isinstance(node, dict):
        yield pointer, node
    for key, value in inner:
        if isinstance(value, dict | list):
            yield from _objects(value, f"{pointer}/{key}")


def _second_opinion(blocks: list[Json], pointer: str) -> Iterator[Problem]:
    """Yield blocks that the SDK refuses, or that come back from it as something else."""
    logger = logging.getLogger("slack_sdk.models")
    loud, logger.disabled = logger.disabled, True
    try:
        complaints = [_complaint(json.dumps(block)) for block in blocks]
    finally:
        logger.disabled = loud
    yield from (Problem(f"{pointer}/{index}", told) for index, told in enumerate(complaints) if told)


@lru_cache(maxsize=1024)
def _complaint(written: str) -> str | None:
    """Return what the SDK says of a block, as JSON; repainted cards repeat most of theirs, and it looks into each attribute of every part."""
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
