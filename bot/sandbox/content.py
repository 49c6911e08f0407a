"""What an app wants to show, checked against Slack's limits and made into a message's body."""

from dataclasses import dataclass, field

from bot.sandbox import inputs, limits, shapes, text
from bot.sandbox.clock import new_id
from bot.sandbox.errors import Refusal, SlackError
from bot.sandbox.params import Params
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Json

BLOCK_ID_LENGTH = 5


@dataclass(frozen=True)
class Content:
    """A checked message; None means that the app did not mention it."""

    text: str | None
    blocks: list[Json] | None
    attachments: list[Json] | None
    metadata: Json | None
    notifies: tuple[str, ...] = field(default=())

    def body(self, slack: Slack) -> Json:
        """Return the body of a new message by the app."""
        bot = slack.workspace.bot
        known: Json = {
            "user": bot.user_id,
            "bot_id": bot.bot_id,
            "app_id": bot.app_id,
            "text": self.text or "",
            "team": slack.workspace.team.id,
            "bot_profile": shapes.bot_profile(slack),
        }
        return known | self._shown()

    def _shown(self) -> Json:
        shown = {"blocks": self.blocks, "attachments": self.attachments}
        return {key: value for key, value in shown.items() if value}


def read(slack: Slack, params: Params) -> Content:
    """Return the content in a call's parameters.

    Raises SlackError no_text, msg_too_long, invalid_blocks, invalid_metadata_format and their kin.
    """
    blocks, attachments = params.blocks("blocks"), params.blocks("attachments")
    words, markdown = params.text("text"), params.text("markdown_text")
    if markdown is not None and (words or blocks):
        raise SlackError("markdown_text_conflict")
    if markdown:
        words, blocks = markdown, [{"type": "markdown", "text": markdown}]
    limits.check_message(words, blocks, attachments, markdown=markdown is not None)
    _check_files(slack, blocks or [])
    return Content(
        text=None if words is None else text.from_bot(words),
        blocks=None if blocks is None else with_ids(blocks),
        attachments=attachments,
        metadata=params.metadata(),
        notifies=text.alerted(words or "", blocks or [], link_names=params.flag("link_names")),
    )


def _check_files(slack: Slack, blocks: list[Json]) -> None:
    """A picture of a file that Slack does not hold is refused, as Slack does."""
    lost = [
        f"invalid slack file [json-pointer:/blocks/{index}]"
        for index, block in enumerate(blocks)
        if (name := block.get("slack_file", {}).get("id")) and name not in slack.workspace.files
    ]
    if lost:
        raise Refusal("invalid_blocks", lost)


def with_ids(blocks: list[Json]) -> list[Json]:
    """Return blocks as Slack keeps them: each has a `block_id`, each interactive element an `action_id`."""
    return [_named_inside({**block, "block_id": block.get("block_id") or _random_id()}) for block in blocks]


def _named_inside(block: Json) -> Json:
    named: Json = {key: _named(value) if key in ("accessory", "element") else value for key, value in block.items()}
    for key in ("child_blocks", "elements") if block["type"] in ("container", "carousel") else ():
        if key in named:
            named[key] = with_ids(named[key])
    for key in ("elements", "actions") if block["type"] in ("actions", "context_actions", "card") else ():
        if key in named:
            named[key] = [_named(element) for element in named[key]]
    return named


def _named(element: Json) -> Json:
    if element["type"] not in inputs.ACTION_KEYS:
        return element
    return {**element, "action_id": element.get("action_id") or _random_id()}


def _random_id() -> str:
    return new_id("", BLOCK_ID_LENGTH)
