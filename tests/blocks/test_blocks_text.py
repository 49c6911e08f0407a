"""Words of people and models, made safe to show."""

import unicodedata

import pytest
from blocks_cases import PATIENT, WORDS
from hypothesis import given
from hypothesis import strategies as st

from blocks.text import NOTHING, clean, cut, escape, isolated, linked, one_line, plain, size, split


@pytest.mark.parametrize("words", ["<!channel>", "<@U0DANA>", "<https://example.com|Tesco>", "<!date^1^{time}|x>"])
def test_control_sequences_are_shown_letter_by_letter(words: str) -> None:
    """What Slack would take for a mention, a link or a date is shown as the letters it is made of."""
    assert escape(words) == words.replace("<", "&lt;").replace(">", "&gt;")


@PATIENT
@given(WORDS)
def test_nothing_that_slack_reads_as_markup_is_left(words: str) -> None:
    """Escaped words hold no angle bracket, no bare ampersand and no backtick, and no line of them opens a quote."""
    safe = escape(words, 50_000)
    rest = safe.replace("&amp;", "").replace("&lt;", "").replace("&gt;", "").removesuffix("…")
    assert not set("<>&`") & set(rest)
    assert not any(line.lstrip().startswith("&gt;") for line in safe.splitlines())


@pytest.mark.parametrize(
    ("words", "safe"),
    [
        ("*bold*", "∗bold∗"),
        ("_it_ and ~no~", "ˍitˍ and ∼no∼"),
        ("```rm```", "ˋˋˋrmˋˋˋ"),
        ("> said\n>> twice", "› said\n› twice"),
    ],
)
def test_marks_that_would_format_become_look_alikes(words: str, safe: str) -> None:
    """Marks of bold, italic, strike, code and quotes are shown and format nothing."""
    assert escape(words) == safe


@pytest.mark.parametrize("words", ["my_pension_account", "2*3", "a ~ b".replace(" ", "")])
def test_marks_inside_a_word_stay(words: str) -> None:
    """A mark between two letters formats nothing, and stays as the person wrote it."""
    assert escape(words) == words


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("pay\u202e001 \u202cGBP", "pay001 GBP"),
        ("No\u200b inside\ufeff info", "No inside info"),
        ("A\u200dB", "AB"),
        ("te\U000e0041st\u3164", "test"),
        ("one\r\ntwo\u2028three", "one\ntwo\nthree"),
        ("a\x00\x1bb\ud800", "ab"),
        ("👨‍👩‍👧", "👨‍👩‍👧"),
        ("می‌خواهم", "می‌خواهم"),
    ],
)
def test_what_nobody_sees_is_taken_out(words: str, kept: str) -> None:
    """Direction overrides, zero-width marks, tags and controls go; joiners that emoji and scripts need stay."""
    assert clean(words) == kept


@PATIENT
@given(WORDS, st.integers(1, 300))
def test_a_cut_text_keeps_its_limit_and_its_escapes(words: str, limit: int) -> None:
    """A text is never longer than its limit, ends in an ellipsis where something is missing, and holds whole escapes only."""
    safe = cut(escape(words, 50_000), limit)
    assert size(safe) <= limit
    assert "&" not in safe.replace("&amp;", "").replace("&lt;", "").replace("&gt;", "")
    assert safe.endswith("…") or safe == escape(words, 50_000)


@PATIENT
@given(WORDS, st.integers(1, 150))
def test_plain_text_is_one_line_and_never_empty(words: str, limit: int) -> None:
    """A label is one line of at least one and at most so many characters."""
    label = plain(words, limit)
    assert 1 <= len(label) <= limit
    assert "\n" not in label
    assert label == NOTHING or label.strip()


@PATIENT
@given(WORDS.map(lambda w: escape(w, 50_000)), st.integers(20, 3000))
def test_a_long_text_is_split_without_losing_a_word(safe: str, limit: int) -> None:
    """The parts of a split text keep the limit, and together hold every letter of it."""
    parts = split(safe, limit)
    assert all(0 < size(part) <= limit for part in parts)
    assert "".join("".join(parts).split()) == "".join(safe.split())


@pytest.mark.parametrize("words", ["שלום", "مرحبا 12"])
def test_right_to_left_words_stand_apart(words: str) -> None:
    """Right-to-left words keep to themselves, so that the sentence around them reads in its order."""
    assert isolated(words) == f"\u2068{words}\u2069"
    assert unicodedata.bidirectional(isolated(words)[0]) == "FSI"


@PATIENT
@given(WORDS)
def test_one_line_is_stable(words: str) -> None:
    """Making one line of a line changes nothing more."""
    assert one_line(one_line(words)) == one_line(words)


def test_an_address_that_is_shown_whole_is_a_link() -> None:
    """A web page's address is a link to exactly what is shown of it; one that is cut, or holds what ends a link, is plain text."""
    page = "https://example.org/_a?b=1&c=2"
    assert linked(page, escape(page)) == "<https://example.org/_a?b=1&amp;c=2|https://example.org/ˍa?b=1&amp;c=2>"
    for address, shown in (
        (page, escape(page, 20)),
        (page, "example.org"),
        ("https://a.example|b", escape("https://a.example|b")),
        ("https://a.example><!channel", escape("https://a.example><!channel")),
        ("javascript:alert(1)", "javascript:alert(1)"),
        (long := "https://a.example/" + 600 * "x", long),
    ):
        assert linked(address, shown) == shown
