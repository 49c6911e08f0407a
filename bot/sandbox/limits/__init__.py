"""Slack's limits, written down independently of the project's own builders; every payload that an app sends passes.

Slack answers `invalid_blocks` for messages and `invalid_arguments` for views, with the reasons in
`response_metadata.messages`. Texts over 4,000 characters and blocks over about 12,000 in all are refused here, where
Slack only may refuse them.
"""

from bot.sandbox.limits import whole
from bot.sandbox.limits.blocks import BLOCKS, GROUPS, IN_MESSAGES, MARKDOWN, OPTIONS, VIEWS
from bot.sandbox.limits.schema import Check, Problem, items, shape, typed, unmatched
from bot.sandbox.workspace import Json, Refusal, SlackError

MOST_BLOCKS = 50
MOST_ATTACHMENTS = 100
LONGEST_TEXT = 4_000
LONGEST_BLOCKS = 12_000
LARGEST_VIEW_BYTES = 250_000
MESSAGE_BLOCKS: Check = items(typed(BLOCKS, IN_MESSAGES), most=MOST_BLOCKS, least=0)
SUGGESTIONS: Check = shape(
    {"options": items(lambda value, pointer: OPTIONS([value], pointer), most=100, least=0), "option_groups": GROUPS},
    either=("options", "option_groups"),
)


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
    found = message_problems(blocks or [], "/blocks")
    for index, attachment in enumerate(attachments or []):
        found += message_problems(attachment.get("blocks") or [], f"/attachments/{index}/blocks")
    if found:
        raise _refusal("invalid_blocks", found)
    if whole.length(blocks or []) > LONGEST_BLOCKS:
        raise _refusal("msg_blocks_too_long", [Problem("/blocks", "too long")])


def check_markdown(text: str) -> None:
    """Let a streamed text pass.

    Raises SlackError msg_too_long.
    """
    if len(text) > MARKDOWN:
        raise _refusal("msg_too_long", [Problem("/markdown_text", "too long")])


def check_view(view: Json, kind: str, pointer: str = "/view") -> None:
    """Let a "modal" or "home" view pass.

    Raises SlackError invalid_arguments or view_too_large.
    """
    found = view_problems(view, kind, pointer)
    if found:
        raise _refusal("invalid_arguments", [unmatched(pointer), *found])
    if whole.size(view) > LARGEST_VIEW_BYTES:
        raise _refusal("view_too_large", [Problem(pointer, "too large")])


def check_suggestions(answer: Json) -> None:
    """Let the options that an app suggests pass.

    Raises SlackError invalid_arguments.
    """
    found = list(SUGGESTIONS(answer, ""))
    if found:
        raise _refusal("invalid_arguments", found)


def message_problems(blocks: list[Json], pointer: str) -> list[Problem]:
    """Everything that is wrong with a message's blocks; the SDK is asked once our own rules are content."""
    own = [*MESSAGE_BLOCKS(blocks, pointer), *whole.problems(blocks, pointer)]
    return own or list(whole.second_opinion(blocks, pointer))


def view_problems(view: Json, kind: str, pointer: str) -> list[Problem]:
    """Everything that is wrong with a view."""
    own = list(VIEWS[kind](view, pointer))
    if own:
        return own
    blocks = view["blocks"]
    together = [*whole.problems(blocks, f"{pointer}/blocks"), *whole.submittable(view, pointer)]
    return together or list(whole.second_opinion(blocks, f"{pointer}/blocks"))


def _refusal(code: str, found: list[Problem]) -> Refusal:
    return Refusal(code, [str(problem) for problem in found])
