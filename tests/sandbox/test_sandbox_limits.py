"""Every limit of Slack's is held on both sides: what just fits passes, one more is refused, with Slack's words."""

from collections.abc import Callable

import pytest
from slack_limit_cases import IN_MESSAGES, IN_VIEWS, Limit, at, mrkdwn, plain, section
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_verdicts import message, refused, view

from bot.sandbox import limits
from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox

MARKDOWN = [{"type": "markdown", "text": "x"}]


@pytest.mark.parametrize("limit", [*IN_MESSAGES, *IN_VIEWS], ids=lambda limit: limit.name)
def test_limits_are_held_on_both_sides(limit: Limit) -> None:
    """What just fits in a message or a view passes; one more is refused with Slack's code, words and place."""
    judge, refusal = (message, "invalid_blocks") if limit in IN_MESSAGES else (view, "invalid_arguments")
    assert judge(limit.build(limit.most)) == ("", [])
    code, words = judge(limit.build(limit.most + 1))
    assert code == refusal and limit.words in words


@pytest.mark.parametrize(
    ("judged", "most", "refusal"),
    [
        (lambda n: refused(lambda: limits.check_message("x" * n, None, None)), 4_000, "msg_too_long"),
        (
            lambda n: refused(lambda: limits.check_message("x" * n, MARKDOWN, None, markdown=True)),
            12_000,
            "msg_too_long",
        ),
        (lambda n: message(*([{"type": "divider"}] * n)), 50, "invalid_blocks"),
        (lambda n: message(*(section(text=mrkdwn("x" * part)) for part in parts(n))), 12_000, "msg_blocks_too_long"),
    ],
    ids=["a text's characters", "a markdown_text's characters", "a message's blocks", "all characters of blocks"],
)
def test_a_message_as_a_whole_has_limits(
    judged: Callable[[int], tuple[str, list[str]]], most: int, refusal: str
) -> None:
    """4,000 characters of text, 12,000 of markdown_text, fifty blocks and 12,000 characters in them pass; one more does not."""
    code, words = judged(most + 1)
    assert judged(most)[0] == "" and code == refusal
    assert code != "invalid_blocks" or words == [f"no more than 50 items allowed {at('/blocks')}"]


def parts(characters: int) -> list[int]:
    """So many characters in sections as long as one may be."""
    return [3_000] * (characters // 3_000) + [rest for rest in (characters % 3_000,) if rest]


def test_attachments_are_counted_and_looked_into() -> None:
    """A hundred attachments pass; their blocks obey the same rules."""
    attached = [{"blocks": [{"type": "divider"}]}]
    assert refused(lambda: limits.check_message("x", None, attached * 100)) == ("", [])
    assert refused(lambda: limits.check_message("x", None, attached * 101))[0] == "too_many_attachments"
    broken = [{"blocks": [{"type": "header"}]}]
    pointer = "/attachments/0/blocks/0"
    words = [f"missing required field: text {at(pointer)}"]
    assert refused(lambda: limits.check_message("x", None, broken)) == ("invalid_blocks", words)


async def test_a_refused_message_is_recorded_and_not_shown(
    client: AsyncWebClient, sandbox: Sandbox, alex: Person
) -> None:
    """A refusal is answered as Slack answers it, kept in the records, and nothing is posted."""
    with pytest.raises(SlackApiError) as error:
        await client.chat_postMessage(channel="D0ALEX", text="x", blocks=[{"type": "header", "text": plain("x" * 151)}])
    words = f"must be less than 151 characters {at('/blocks/0/text/text')}"
    assert error.value.response["error"] == "invalid_blocks"
    assert error.value.response["errors"] == [words]
    assert error.value.response["response_metadata"]["messages"] == [f"[ERROR] {words}"]
    assert [(one.method, one.problems) for one in sandbox.refused] == [("chat.postMessage", (words,))]
    assert alex.messages() == []


async def test_a_picture_must_be_a_file_that_slack_holds(client: AsyncWebClient, alex: Person) -> None:
    """An image block names an uploaded file; one that is not there is refused with Slack's words."""
    uploaded = await client.files_upload_v2(filename="month.png", content=b"\x89PNG", channel=alex.dm)
    picture = {"type": "image", "alt_text": "The month", "slack_file": {"id": uploaded["files"][0]["id"]}}
    assert (await client.chat_postMessage(channel=alex.dm, text="x", blocks=[picture]))["ok"]
    lost = {**picture, "slack_file": {"id": "F0NOWHERE"}}
    with pytest.raises(SlackApiError) as error:
        await client.chat_postMessage(channel=alex.dm, text="x", blocks=[lost])
    assert error.value.response["errors"] == [f"invalid slack file {at('/blocks/0')}"]
