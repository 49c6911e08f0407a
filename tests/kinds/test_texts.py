"""Open texts, addresses and acknowledgements."""

import pytest

from tests.kinds.fields import EMAIL, HOLDING, ITALIAN, REASON, SPANISH, found, parsed, refused, whole


def test_a_message_alone_is_never_a_text_answer() -> None:
    """No message answers an open text by itself: the reader of the conversation decides."""
    assert whole(REASON, "I want long-term income") is None


@pytest.mark.parametrize(
    ("text", "values"),
    [("because I want income", ["I want income"]), ("buy it because rates fall. Thanks", ["rates fall"]), ("Growth, mostly", ["growth"]),
     ("for LONG-TERM income", ["long-term income"]), ("just because", []), ("outgrowth", []),
     ("because of this: because of that", ["of this: because of that"])],
)  # fmt: skip
def test_texts_in_open_words(text: str, values: list[str]) -> None:
    """A text is found by the values that the form knows and by the words that lead to one."""
    assert found(REASON, text) == values


def test_a_text_is_kept_as_written_without_what_cannot_be_seen() -> None:
    """Ends are trimmed; marks that would turn the text around and control characters go; lines and emoji stay."""
    assert parsed(REASON, "  two\r\nlines 🎉 \u200b") == "two\nlines 🎉"
    assert parsed(REASON, "safe\u202egnp.exe\x00") == "safegnp.exe"
    assert parsed(REASON, "half \ud83d") == "half"


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ("", "empty"),
        (" \u200b\n ", "empty"),
        ("x" * 201, "too_long"),
        (5, "not_text"),
        (None, "not_text"),
        (True, "not_text"),
    ],
)
def test_refused_texts(given: object, key: str) -> None:
    """An empty, a too long or a wordless entry is refused for that reason."""
    assert refused(REASON, given) == key


@pytest.mark.parametrize(
    "text",
    [
        "alex.reed@northmoor.example",
        "it's Alex.Reed@Northmoor.Example",
        "<mailto:alex.reed@northmoor.example|alex.reed@northmoor.example>",
        "alex.reed@northmoor.example, thanks",
    ],
)
def test_plain_addresses(text: str) -> None:
    """An address is taken alone, in a short answer, and with Slack's marking."""
    assert str(whole(EMAIL, text)).casefold() == "alex.reed@northmoor.example"


@pytest.mark.parametrize(
    "text",
    [
        "alex@",
        "@northmoor.example",
        "a@b",
        "a@b..co",
        "alex reed@northmoor",
        "a@b.co or c@d.co",
        "a@b.co?",
        "not a@b.co",
        "x" * 65 + "@b.co",
    ],
)
def test_what_is_no_plain_address(text: str) -> None:
    """A broken address, two of them, a question or a denial is no plain address."""
    assert whole(EMAIL, text) is None


def test_entries_of_addresses() -> None:
    """The domain is written small, the rest as given, letters of any script; what is no address on the internet is refused."""
    assert parsed(EMAIL, " Alex.Reed@Northmoor.Example ") == "Alex.Reed@northmoor.example"
    assert parsed(EMAIL, "josé@Bücher.example") == "josé@bücher.example"
    assert (
        refused(EMAIL, "alex@printer.local")
        == refused(EMAIL, "alex")
        == refused(EMAIL, None)
        == refused(EMAIL, "a@b.co c@d.co")
        == "not_an_email"
    )
    assert found(EMAIL, "write to a@b.co or c@d.co") == ["a@b.co", "c@d.co"]


@pytest.mark.parametrize(
    "text",
    ["I acknowledge", "ok", "yes", "I agree", "understood", "Yes, I accept the 30-day holding period", "sure, thanks"],
)
def test_plain_acknowledgements(text: str) -> None:
    """A message that acknowledges and says nothing else is one."""
    assert whole(HOLDING, text) is True


@pytest.mark.parametrize(
    "text",
    ["no", "I don't acknowledge", "I accept?", "ok I think", "maybe", "the holding period", "ok but why", "", "not ok"],
)
def test_what_is_no_acknowledgement(text: str) -> None:
    """A refusal, a doubt, a question or a mere mention acknowledges nothing; there is no other answer than True."""
    assert whole(HOLDING, text) is None


def test_acknowledgements_in_other_languages() -> None:
    """Acknowledgements are read in Italian and Spanish."""
    assert [whole(HOLDING, t, ITALIAN) for t in ("accetto", "ho capito, grazie", "non accetto")] == [True, True, None]
    assert [whole(HOLDING, t, SPANISH) for t in ("acepto", "de acuerdo", "no acepto")] == [True, True, None]


def test_acknowledgements_in_open_words() -> None:
    """In open words an acknowledgement names what it is about, undenied, undoubted and unasked."""
    assert found(HOLDING, "I understand the holding period") == [True]
    assert found(HOLDING, "I understand") == []
    assert found(HOLDING, "I don't understand the holding period") == []
    for text in ("I accept the holding period?", "do I accept the holding period", "the holding period is long"):
        assert found(HOLDING, text) == []


@pytest.mark.parametrize(
    ("given", "key"),
    [
        (True, ""),
        ("true", ""),
        ("I agree", ""),
        (False, "must_acknowledge"),
        ("no", "must_acknowledge"),
        (1, "must_acknowledge"),
        ("", "must_acknowledge"),
    ],
)
def test_entries_of_acknowledgements(given: object, key: str) -> None:
    """Only an acknowledgement is taken."""
    assert refused(HOLDING, given) == key


def test_a_model_says_true_in_any_language() -> None:
    """The word "true" is the value itself, whatever the form's language."""
    assert parsed(HOLDING, "true", ITALIAN) is True
