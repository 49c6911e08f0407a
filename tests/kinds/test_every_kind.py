"""What holds for every kind, in every locale, for any text at all."""

import re
import time
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import state.fields
from blocks.inputs import asking
from blocks.page import Page
from state.draft.draft import Draft
from state.fields import KINDS, kind_of
from state.fields.base import Context, Kind, Unreadable
from state.fields.values.marks import current_codes
from state.fields.values.schemes import SCHEMES
from state.form import Choice, Field, Form
from tests.kinds import fields as f
from tests.thoroughness import ANY, examples

PIECES = st.sampled_from(
    [
        "1",
        "2",
        "20",
        "200",
        "2,000",
        "1.750",
        "1.750,00",
        "0",
        "007",
        "£",
        "€",
        "$",
        "¥",
        "GBP",
        "EUR",
        "try",
        "k",
        "m",
        "mil",
        "mila",
        "million",
        "%",
        "-",
        "–",
        ".",
        ",",
        ";",
        ":",
        "?",
        "!",
        "/",
        "#",
        "@",
        "(",
        ")",
        "'",
        "’",
        '"',
        "\n",
        "\t",
        "no",
        "yes",
        "not",
        "isn't",
        "it",
        "is",
        "I",
        "do",
        "have",
        "leveraged",
        "inside",
        "information",
        "buy",
        "sell",
        "shares",
        "the",
        "of",
        "or",
        "and",
        "but",
        "if",
        "maybe",
        "today",
        "next",
        "Tuesday",
        "March",
        "3rd",
        "2026",
        "am",
        "pm",
        "half",
        "past",
        "at",
        "from",
        "to",
        "Tesco",
        "PLC",
        "TSCO",
        "GB00BLGZ9862",
        ":+1:",
        "<@U0ALEX>",
        "https://a.b",
        "a@b.co",
        "\u200b",
        "\u200f",
        "\u202e",
        "２００",
        "٢٠٠",
        "é",
        "é",
        "ß",
        "ſ",
        "K",
        "İ",
        "🎉",
        "because",
        "sì",
        "non",
        "è",
        "sí",
        "qué",
        "no_",
        "x",
    ]
)
TEXTS = st.text(ANY) | st.lists(PIECES, max_size=25).map(" ".join) | st.lists(PIECES, max_size=25).map("".join)
FIELDS = st.sampled_from(f.EVERY)
CONTEXTS = st.sampled_from(f.CONTEXTS)
DECIMALS = st.decimals(min_value=0, max_value=4, places=9, allow_nan=False)
CANONICAL = {
    "integer": st.integers(1, 10**12),
    "decimal": DECIMALS.map(lambda d: f.parsed(f.HEIGHT, format(d, "f"), f.ENGLISH)),
    "percentage": st.decimals(0, 100, places=4, allow_nan=False).map(lambda d: f.parsed(f.RATE, format(d, "f"))),
    "money": st.integers(100, 10**12).map(lambda n: f"{Decimal(n) / 100:.2f}"),
    "currency": st.sampled_from(sorted(current_codes())),
    "date": st.dates(date(1900, 1, 1), date(2199, 12, 31)).map(date.isoformat),
    "time": st.times().map(lambda t: f"{t:%H:%M}"),
    "yes_no": st.booleans(),
    "acknowledgement": st.just(True),
    "choice": st.sampled_from(["buy", "sell"]),
    "choices": st.sampled_from([("tent",), ("boat", "skis"), ("tent", "boat", "skis")]),
    "email": st.sampled_from(["alex.reed@northmoor.example", "D.Quill+pa@northmoor.example"]),
    "link": st.sampled_from(["https://example.org", "http://a.example/Minutes_(2026)?q=1&r=_x_#Top"]),
    "phone": st.sampled_from(["+393331234567", "3331234567", "051123456"]),
    "identifier": st.sampled_from(["GB00BLGZ9862", "US0378331005", "IT0003128367"]),
    "lookup": st.sampled_from(["GB00BLGZ9862", "Tesco PLC"]),
    "text": TEXTS.map(lambda t: t.strip())
    .filter(lambda t: f.refused(f.REASON, t) == "")
    .map(lambda t: f.parsed(f.REASON, t)),
}
BY_KIND = {
    "integer": f.QUANTITY, "decimal": f.HEIGHT, "percentage": f.RATE, "money": f.VALUE, "currency": f.CURRENCY, "date": f.DAY, "time": f.HOUR,
    "yes_no": f.LEVERAGED, "acknowledgement": f.HOLDING, "choice": f.DIRECTION, "choices": f.GEAR, "email": f.EMAIL, "phone": f.PHONE, "link": f.LINK,
    "identifier": f.ISIN,
    "lookup": f.SECURITY, "text": f.REASON,
}  # fmt: skip
FORM = Form(name="form", title="Form", version="1", prefix="FO", fields={"reason": f.REASON})
DRAFT = Draft("d1", "form", "T1", "U0ALEX", "C1")
ANSWERED_WHOLE = sorted(set(BY_KIND) - {"text", "lookup"})


KINDS_OF_ALL = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))


def test_every_kind_is_found() -> None:
    """Every kind that a module of the package declares is one of a form's."""
    texts = [file.read_text(encoding="utf-8") for file in Path(state.fields.__file__).parent.glob("*.py")]
    assert set(KINDS) == {name for text in texts for name in re.findall(r'\bname="(\w+)",', text)}


def test_nothing_outside_the_kinds_compares_their_names() -> None:
    """Outside its own module no kind is asked for by name, but where forms are written: a new one needs no edit elsewhere."""
    root = Path(state.fields.__file__).parents[2]
    named = re.compile(rf"kind (?:==|!=|in|not in) \(?[\"'](?:{'|'.join(KINDS)})[\"']")
    rooms = [root / room for room in ("state", "prompts", "blocks", "bot")]
    files = (file for room in rooms for file in room.rglob("*.py") if "new" not in file.parts[len(root.parts) :])
    found = [file for file in files if named.search(file.read_text(encoding="utf-8"))]
    assert found == []


@KINDS_OF_ALL
def test_an_author_is_told_what_a_kind_takes(kind: Kind) -> None:
    """What a kind takes or needs is an attribute of a field, and a value that does not fit is answered by a sentence's end."""
    assert kind.takes <= set(Field.model_fields)
    assert kind.needs in {"", *kind.takes}
    assert kind.wanted.startswith("must be ")


@KINDS_OF_ALL
def test_a_declaration_is_never_put_in_the_persons_mouth(kind: Kind) -> None:
    """What a person declares is neither offered by the bot nor read from paper, and rests on an answer to its own question."""
    if kind.declaration:
        assert not kind.offered and not kind.on_paper and kind.grounding == "answer"
    assert kind.declaration or not kind.polar


@KINDS_OF_ALL
def test_files_and_searches_are_not_read_from_words(kind: Kind) -> None:
    """No text answers a field of files or of search results, and neither is read from paper."""
    field = Field(
        name="thing", kind=kind.name, label="Thing", ask="Which?", scheme=("isin",) if "scheme" in kind.takes else ()
    )
    if kind.by_file or kind.searchable:
        assert not kind.on_paper
        assert {kind.whole(field, text, f.ENGLISH) for text in ("thing", "yes", "200", "GB00BLGZ9862")} == {None}
    assert kind.several or not kind.collects


@given(st.data())
def test_an_author_writes_what_a_kind_stores(data: st.DataObject) -> None:
    """A canonical value of a kind is one that its author may write as a default or a condition."""
    kind = data.draw(st.sampled_from(sorted(CANONICAL)))
    assert KINDS[kind].fits(BY_KIND[kind], data.draw(CANONICAL[kind]))


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_kind_is_asked_by_an_element_that_blocks_builds(name: str) -> None:
    """The element that a kind names is one that the screen has."""
    field = Field(name="thing", kind=name, label="Thing", ask="Which?", choices=(Choice(value="a", label="A"),))
    assert asking(Page(FORM, DRAFT, "2026-11-20", "card"), field).hint is not None


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_kind_has_a_schema_that_strict_tools_take(name: str) -> None:
    """The property of a tool says its type."""
    assert KINDS[name].schema(BY_KIND.get(name, f.REASON))["type"] in {
        "string",
        "boolean",
        "integer",
        "number",
        "array",
    }


def test_a_part_of_a_form_is_told_by_its_name() -> None:
    """A field and its copy are equal and one key; a field of another name, or with other words, is not."""
    copy, other = f.REASON.model_copy(), f.REASON.model_copy(update={"label": "Motive"})
    assert (copy, hash(copy)) == (f.REASON, hash(f.REASON))
    assert other not in (f.REASON, f.DAY) and {f.REASON: 1, f.DAY: 2}[copy] == 1


@given(st.data(), CONTEXTS)
def test_showing_and_parsing_are_inverse(data: st.DataObject, context: Context) -> None:
    """What is shown of a canonical value parses back to it, in every locale."""
    kind = data.draw(st.sampled_from(sorted(BY_KIND)))
    value = data.draw(CANONICAL[kind])
    field = BY_KIND[kind]
    assert f.parsed(field, f.shown(field, value, context), context) == value


@given(st.data(), CONTEXTS)
def test_parsing_is_idempotent(data: st.DataObject, context: Context) -> None:
    """A canonical value is its own reading, in every locale."""
    kind = data.draw(st.sampled_from(sorted(BY_KIND)))
    value = data.draw(CANONICAL[kind])
    assert f.parsed(BY_KIND[kind], value, context) == value


@given(st.data(), CONTEXTS)
def test_a_shown_value_is_a_plain_answer(data: st.DataObject, context: Context) -> None:
    """A value typed as it is shown answers its question, whatever its closed kind and locale."""
    kind = data.draw(st.sampled_from(ANSWERED_WHOLE))
    value = data.draw(CANONICAL[kind])
    field = BY_KIND[kind]
    assert f.whole(field, f.shown(field, value, context), context) == value


@given(FIELDS, TEXTS, CONTEXTS)
def test_no_text_breaks_a_reader(field: Field, text: str, context: Context) -> None:
    """Whatever a person types, a reader answers or says nothing, and its readings lie within the text."""
    kind = kind_of(field)
    kind.whole(field, text, context)
    for reading in kind.find(field, text, context):
        assert 0 <= reading.start < reading.end <= len(text)


@given(FIELDS, TEXTS, CONTEXTS)
def test_a_reading_is_canonical(field: Field, text: str, context: Context) -> None:
    """Whatever is read from words parses to itself, so that words and entries end in the same values."""
    kind = kind_of(field)
    values = [r.data for r in kind.find(field, text, context)]
    whole = kind.whole(field, text, context)
    for value in [*values, *([whole] if whole is not None else [])]:
        if field.kind != "text":
            assert kind.parse(field, value, context) == value


@given(FIELDS, TEXTS | st.integers() | st.floats() | st.booleans() | st.none() | st.lists(st.integers()), CONTEXTS)
def test_an_entry_is_taken_or_refused_by_a_sentence(field: Field, entry: object, context: Context) -> None:
    """Parsing gives a value that parses to itself, or a refusal with a key; nothing else comes out of it."""
    try:
        value = f.parsed(field, entry, context)
    except Unreadable as problem:
        assert problem.key.isidentifier()
    else:
        assert f.parsed(field, value, context) == value


@given(st.text(st.characters(categories=["Cs", "Cc", "Cf", "Lu", "Nd"]), max_size=20))
def test_a_stored_text_can_be_stored(text: str) -> None:
    """What a text field keeps can be written as UTF-8, whatever halves of characters it was given."""
    if f.refused(f.REASON, text) == "":
        str(f.parsed(f.REASON, text)).encode()


@pytest.mark.parametrize(
    "piece",
    ["a", "1 ", "1,", "£1 ", "1.750 EUR ", "no ", "it is not leveraged, ", "leveraged or ", "a@", "a.", "<@", ":a", "1\u200b",
     "a\u0301", "es12 ", "3 March ", "A and ", "? ", "half past 2 ", "because ", "\n", "()", ".", "1", "12.", "(1)", "£", "1%", "https://a.b/(", "<https://a.bc|"],
)  # fmt: skip
def test_reading_takes_time_in_proportion_to_length(piece: str) -> None:
    """Eight times the text takes no more than some twenty times as long, whatever is repeated in it."""
    _, short, long = (_seconds(piece, length) for length in (100, 1_000, 8_000))  # tables are made at the first
    assert long < 20 * short + 0.5


def test_forty_thousand_characters_are_read(text: str = "buy 200 Tesco, £720. ") -> None:
    """A message of forty thousand characters is read by every kind like any other."""
    long = (text * 2000)[:40_000]
    assert set(f.found(f.QUANTITY, long)) == {200}
    assert set(f.found(f.VALUE, long)) == {"720.00"}
    assert f.whole(f.QUANTITY, long) is None


@settings(max_examples=examples(60))
@given(st.sampled_from(sorted(SCHEMES)), st.text(ANY, max_size=40), CONTEXTS)
def test_no_text_breaks_an_identifier(scheme: str, text: str, context: Context) -> None:
    """Every scheme takes any text: a valid identifier of it, or a refusal."""
    field = Field(name="number", kind="identifier", label="Number", ask="Which?", scheme=(scheme,))
    assert f.refused(field, text, context) in ("", "bad_identifier")


def _seconds(piece: str, length: int) -> float:
    text = (piece * length)[:length]
    began = time.process_time()
    kinds = (f.QUANTITY, f.VALUE, f.INSIDE, f.DIRECTION, f.DAY, f.HOUR, f.EMAIL, f.LINK, f.PHONE, f.SECURITY, f.REASON)
    for field in kinds:
        kind_of(field).find(field, text, f.ENGLISH)
    return time.process_time() - began
