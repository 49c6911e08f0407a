"""Every limit of Slack's is held on both sides: what just fits passes, one more is refused, with Slack's words."""

import pytest
from slack_limit_cases import IN_MESSAGES, IN_VIEWS, Limit, at, mrkdwn, plain, section
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_verdicts import message, refused, view

from bot.sandbox import limits
from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox


@pytest.mark.parametrize("limit", IN_MESSAGES, ids=lambda limit: limit.name)
def test_message_limits_are_held_on_both_sides(limit: Limit) -> None:
    """What just fits in a message passes; one more is invalid_blocks with Slack's words and place."""
    assert message(limit.build(limit.most)) == ("", [])
    code, words = message(limit.build(limit.most + 1))
    assert code == "invalid_blocks"
    assert limit.words in words


@pytest.mark.parametrize("limit", IN_VIEWS, ids=lambda limit: limit.name)
def test_view_limits_are_held_on_both_sides(limit: Limit) -> None:
    """What just fits in a view passes; one more is invalid_arguments with Slack's words and place."""
    assert view(limit.build(limit.most)) == ("", [])
    code, words = view(limit.build(limit.most + 1))
    assert code == "invalid_arguments"
    assert limit.words in words


@pytest.mark.parametrize(("size", "code"), [(4_000, ""), (4_001, "msg_too_long")])
def test_a_text_has_4000_characters(size: int, code: str) -> None:
    """A text of 4,000 characters passes, one more may fail and does here."""
    assert refused(lambda: limits.check_message("x" * size, None, None))[0] == code


@pytest.mark.parametrize(("size", "code"), [(12_000, ""), (12_001, "msg_too_long")])
def test_a_markdown_text_has_12000_characters(size: int, code: str) -> None:
    """A markdown_text of 12,000 characters passes, one more does not."""
    blocks = [{"type": "markdown", "text": "x"}]
    assert refused(lambda: limits.check_message("x" * size, blocks, None, markdown=True))[0] == code


@pytest.mark.parametrize(("blocks", "code"), [(50, ""), (51, "invalid_blocks")])
def test_a_message_has_50_blocks(blocks: int, code: str) -> None:
    """Fifty blocks pass, one more does not."""
    found, words = message(*([{"type": "divider"}] * blocks))
    assert found == code
    assert not code or words == [f"no more than 50 items allowed {at('/blocks')}"]


@pytest.mark.parametrize(("size", "code"), [(3_000, ""), (3_001, "msg_blocks_too_long")])
def test_all_texts_of_a_message_have_12000_characters(size: int, code: str) -> None:
    """About 12,000 characters of blocks are taken in all."""
    texts = [3_000, 3_000, 3_000, 3_000] if size == 3_000 else [3_000, 3_000, 3_000, 3_000, 1]
    assert message(*(section(text=mrkdwn("x" * text)) for text in texts))[0] == code


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
