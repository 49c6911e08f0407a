"""A second opinion: what Slack's own SDK makes of the blocks, by its models' checks and a round trip."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block

from bot.sandbox.limits.problems import Problem
from bot.sandbox.workspace import Json


def problems(blocks: list[Json], pointer: str) -> Iterator[Problem]:
    """Blocks that the SDK refuses, or that come back from it as something else."""
    with _quiet():
        for index, block in enumerate(blocks):
            complaint = _complaint(json.dumps(block))
            if complaint:
                yield Problem(f"{pointer}/{index}", complaint)


@lru_cache(maxsize=1024)
def _complaint(written: str) -> str | None:
    """What the SDK says of a block, as JSON. Repainted cards repeat most of theirs, and the models look into each attribute of every part."""
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
    """A payload without what says nothing: nulls and empty lists."""
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
