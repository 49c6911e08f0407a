"""Slack's text format: what people type is inert unless it is a mention; what a bot sends may alert people."""

from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox import messages, talk
from bot.sandbox.people import Person
from bot.sandbox.workspace import Json, seeded
from tests.thoroughness import ANY

WORKSPACE = seeded()


def typed(words: str) -> str:
    """What a message says after these words were typed."""
    return talk.wire(list(talk.parts_of(words, WORKSPACE)))


@pytest.mark.parametrize(
    ("words", "sent"),
    [
        ("5 < 6 & 7 > 2", "5 &lt; 6 &amp; 7 &gt; 2"),
        ("<!channel> <!here|x>", "&lt;!channel&gt; &lt;!here|x&gt;"),
        ("@channel and @HERE", "<!channel> and <!here>"),
        ("@Holdfast hi", "<@U0HOLDFAST> hi"),
        ("<@U0HOLDFAST> hi", "<@U0HOLDFAST> hi"),
        ("<@U0NOBODY> hi", "&lt;@U0NOBODY&gt; hi"),
        ("@Alex Reed and @dana.quill", "<@U0ALEX> and <@U0DANA>"),
        ("mail@holdfast.example", "mail@holdfast.example"),
        ("@holdfasting", "@holdfasting"),
        ("see https://a.example/?a=1&b=2.", "see <https://a.example/?a=1&amp;b=2>."),
        ("שלום 🙂", "שלום 🙂"),
    ],
)
def test_typed_words_become_slacks_text(words: str, sent: str) -> None:
    """Reserved characters are escaped; only real mentions, @channel and links become markup."""
    assert typed(words) == sent


@given(st.text(alphabet=st.characters(exclude_characters="@"), max_size=200).filter(lambda words: "http" not in words))
def test_words_without_mentions_come_through_unchanged(words: str) -> None:
    """Unescaping a message gives exactly what was typed."""
    assert unescape(typed(words)) == words


@given(st.text(ANY, max_size=200))
def test_typed_words_alert_nobody_by_markup(words: str) -> None:
    """No typed words make live markup except through a mention, @channel, @here or @everyone."""
    if "@" not in words:
        assert messages.alerted(typed(words), []) == ()


def test_rich_text_mirrors_the_parts() -> None:
    """The rich text of typed words has an element for each part, unescaped."""
    block = talk.rich_text(list(talk.parts_of("a & b @Holdfast https://a.example @here", WORKSPACE)))
    assert block["elements"][0]["elements"] == [
        {"type": "text", "text": "a & b "},
        {"type": "user", "user_id": "U0HOLDFAST"},
        {"type": "text", "text": " "},
        {"type": "link", "url": "https://a.example"},
        {"type": "text", "text": " "},
        {"type": "broadcast", "range": "here"},
    ]


def section(kind: str, words: str) -> Json:
    """A section with one text."""
    return {"type": "section", "text": {"type": kind, "text": words}}


RICH = {
    "type": "rich_text",
    "elements": [{"type": "rich_text_section", "elements": [{"type": "broadcast", "range": "everyone"}]}],
}


@pytest.mark.parametrize(
    ("words", "blocks", "alerted"),
    [
        ("hello", [], []),
        ("<!channel> hello", [], ["channel"]),
        ("<!here|here> <!here>", [], ["here"]),
        ("&lt;!channel&gt;", [], []),
        ("<!subteam^S0COMPLIANCE> <@U0DANA>", [], ["S0COMPLIANCE", "U0DANA"]),
        ("x", [section("mrkdwn", "<!everyone>")], ["everyone"]),
        ("x", [section("plain_text", "<!everyone>")], []),
        ("x", [{"type": "markdown", "text": "<!channel>"}], ["channel"]),
        ("x", [RICH], ["everyone"]),
        ("@channel", [], []),
    ],
)
async def test_a_bots_message_says_whom_it_alerts(
    words: str, blocks: list[Json], alerted: list[str], client: AsyncWebClient, alex: Person
) -> None:
    """Live control sequences in a bot's text, mrkdwn or rich text are flagged; escaped and plain ones are not."""
    await client.chat_postMessage(channel="D0ALEX", text=words, blocks=blocks)
    assert alex.messages()[0].get("notifies", []) == alerted


async def test_link_names_wakes_a_plain_at_channel(client: AsyncWebClient, alex: Person) -> None:
    """With link_names a plain @channel alerts too."""
    await client.chat_postMessage(channel="D0ALEX", text="@channel", link_names=True)
    assert alex.messages()[0]["notifies"] == ["channel"]


async def test_a_whom_it_alerts_mark_is_not_slacks(client: AsyncWebClient) -> None:
    """The flag is for tests and the page; the Web API does not have it."""
    answer = await client.chat_postMessage(channel="D0ALEX", text="<!channel>")
    assert "notifies" not in answer["message"]


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("a & b < c > d", "a &amp; b &lt; c &gt; d"),
        ("<b> <!channel <x>", "&lt;b&gt; &lt;!channel &lt;x&gt;"),
        ("a &amp; b", "a &amp; b"),
        ("<https://a.example|A> <@U0ALEX> <!channel>", "<https://a.example|A> <@U0ALEX> <!channel>"),
        ("*bold* _it_", "*bold* _it_"),
    ],
)
async def test_a_bots_stray_characters_are_escaped(sent: str, kept: str, client: AsyncWebClient, alex: Person) -> None:
    """Slack escapes stray reserved characters of a bot and leaves markup and mrkdwn as they are."""
    await client.chat_postMessage(channel="D0ALEX", text=sent)
    assert alex.messages()[0]["text"] == kept
