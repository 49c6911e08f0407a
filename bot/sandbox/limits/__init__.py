"""Slack's limits, written down independently of the project's own builders; every payload that an app sends passes.

Slack answers `invalid_blocks` for messages and `invalid_arguments` for views, with the reasons in
`response_metadata.messages`. Texts over 4,000 characters and blocks over about 12,000 in all are refused here, where
Slack only may refuse them.
"""

from bot.sandbox.limits import whole
from bot.sandbox.limits.blocks import BLOCKS, GROUPS, IN_MESSAGES, MARKDOWN, OPTION, VIEWS
from bot.sandbox.limits.schema import Problem, items, shape, typed, unmatched
from bot.sandbox.workspace import Json, Refusal, SlackError

MOST_BLOCKS = 50
MOST_ATTACHMENTS = 100
LONGEST_TEXT = 4_000
LONGEST_BLOCKS = 12_000
LARGEST_VIEW_BYTES = 250_000
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
    found = _message_problems(blocks or [], "/blocks")
    for index, attachment in enumerate(attachments or []):
        found += _message_problems(attachment.get("blocks") or [], f"/attachments/{index}/blocks")
    if found:
        raise _refusal("invalid_blocks", found)
    if whole.length(blocks or []) > LONGEST_BLOCKS:
        raise _refusal("msg_blocks_too_long", [Problem("/blocks", "too long")])


def check_view(view: Json, kind: str) -> None:
    """Let a "modal" or "home" view pass.

    Raises SlackError invalid_arguments or view_too_large.
    """
    found = list(VIEWS[kind](view, "/view"))
    if not found:
        together = [*whole.problems(view["blocks"], "/view/blocks"), *whole.submittable(view, "/view")]
        found = together or list(whole.second_opinion(view["blocks"], "/view/blocks"))
    if found:
        raise _refusal("invalid_arguments", [unmatched("/view"), *found])
    if whole.size(view) > LARGEST_VIEW_BYTES:
        raise _refusal("view_too_large", [Problem("/view", "too large")])


def check_suggestions(answer: Json) -> None:
    """Let the options that an app suggests pass.

    Raises SlackError invalid_arguments.
    """
    found = list(SUGGESTIONS(answer, ""))
    if found:
        raise _refusal("invalid_arguments", found)


def _message_problems(blocks: list[Json], pointer: str) -> list[Problem]:
    """Return all that is wrong with a message's blocks; the SDK is asked once our own rules are content."""
    own = [*MESSAGE_BLOCKS(blocks, pointer), *whole.problems(blocks, pointer)]
    return own or list(whole.second_opinion(blocks, pointer))


def _refusal(code: str, found: list[Problem]) -> Refusal:
    return Refusal(code, [str(problem) for problem in found])
