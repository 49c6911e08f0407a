"""What is sent to Slack: blocks, and the text that stands for them in notifications and for those who do not see blocks."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from blocks.text import NOTHING, SECTION, cut

Block = dict[str, Any]

MOST_BLOCKS, MOST_CHARACTERS = 50, 11_500
"""Slack takes 50 blocks; about 12,000 characters of them in all, containers counted, fail with `msg_blocks_too_long`."""


@dataclass(frozen=True)
class Message:
    """`text` is escaped, never empty, and at most 3,000 characters."""

    text: str
    blocks: tuple[Block, ...]


def message(text: str, blocks: Sequence[Block]) -> Message:
    """A message whose fallback is `text` (escaped already), cut to size."""
    return Message(cut(text, SECTION).strip() or NOTHING, tuple(blocks))


def weight(blocks: Sequence[Block]) -> int:
    """Characters of the blocks as they are sent, which is never less than what Slack counts."""
    return len(json.dumps(blocks, ensure_ascii=False, separators=(",", ":")))


def first_that_fits(layouts: Iterable[list[Block]]) -> list[Block]:
    """The first layout that Slack takes; the last one where none is small enough."""
    blocks: list[Block] = []
    for blocks in layouts:
        if len(blocks) <= MOST_BLOCKS and weight(blocks) <= MOST_CHARACTERS:
            break
    return blocks
