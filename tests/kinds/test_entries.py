"""A field's way in and out: its schema, what a tool or a box may give to it or why that is refused, and what is shown of it."""

import json
import math
from typing import Any

import jsonschema
import pytest

from state.draft.display import display_value, plainly
from state.draft.draft import Provenance, Value
from state.fields import kind_of
from state.fields.base import Context, Unreadable
from state.fields.money import show_money
from state.form import Choice, Field
from tests.kinds.fields import (
    COUNT,
    CURRENCY,
    DAY,
    DIRECTION,
    EMAIL,
    ENGLISH,
    EVERY,
    GEAR,
    HOLDING,
    HOUR,
    ISIN,
    ITALIAN,
    LEVERAGED,
    LINK,
    NET,
    PERIOD,
    PHONE,
    QUANTITY,
    RATE,
    REASON,
    SPANISH,
    VALUE,
    YEN,
    parsed,
    refused,
    shown,
    whole,
)

YEAR = Field(name="year", kind="integer", label="Year", ask="Which year?", minimum=1900, maximum=2100)
DISCOUNT = Field(name="discount", kind="percentage", label="Discount", ask="How much?", minimum=-10, maximum=250)
LISTED = Field(
    name="currency", kind="currency", label="Currency", ask="Which?",
    choices=(Choice(value="GBP", label="Pounds"), Choice(value="EUR", label="Euros"))
)  # fmt: skip
TAKEN: dict[str, tuple[Field, Context, list[tuple[object, object]]]] = {
    "number": (QUANTITY, ENGLISH, [(200, 200), (200.0, 200), ("200", 200), (" 2,000 ", 2000), ("200.00", 200)]),
    "count": (COUNT, ENGLISH, [("-5", -5), ("−5", -5)]),
    "sum": (
        VALUE,
        ENGLISH,
        [(720, "720.00"), (720.5, "720.50"), ("£720", "720.00"), ("720.00", "720.00"), ("720 GBP", "720.00")],
    ),
    "euros": (NET, ITALIAN, [("720.00", "720.00"), ("€ 720", "720.00"), ("1.750", "1750.00"), ("1750.00", "1750.00")]),
    "yen": (YEN, ENGLISH, [("5,000", "5000")]),
    "share": (DISCOUNT, ENGLISH, [("-5%", "-5"), ("200 percent", "200")]),
    "listed": (LISTED, ENGLISH, [("€", "EUR")]),
    "hour": (HOUR, ENGLISH, [("2:30 pm", "14:30")]),
    "stretch": (PERIOD, ENGLISH, [("2026-11-30/2026-11-01", "2026-11-01/2026-11-30")]),
    "phone": (PHONE, ITALIAN, [(" 333 1234567 ", "3331234567"), ("+44 (0)20 7946 0958", "+442079460958")]),
    "address": (
        EMAIL,
        ENGLISH,
        [
            (" Alex.Reed@Northmoor.Example ", "Alex.Reed@northmoor.example"),
            ("josé@Bücher.example", "josé@bücher.example"),
        ],
    ),
    "page": (
        LINK,
        ENGLISH,
        [
            (" HTTPS://Example.ORG/A_b/../C?X=1#Y ", "https://example.org/A_b/../C?X=1#Y"),
            ("<http://example.org|example.org>", "http://example.org"),
            ("https://bücher.example:8080/Über", "https://xn--bcher-kva.example:8080/Über"),
        ],
    ),
    "yes or no": (
        LEVERAGED,
        ENGLISH,
        [(True, True), (False, False), ("true", True), ("False", False), ("Yes", True), ("no", False)],
    ),
    "acknowledgement": (HOLDING, ENGLISH, [(True, True), ("true", True), ("I agree", True)]),
    "in any language": (HOLDING, ITALIAN, [("true", True)]),
    "choice": (DIRECTION, ENGLISH, [("buy", "buy"), ("Buy", "buy"), ("SELL", "sell"), ("purchase", "buy")]),
    "choices": (GEAR, ENGLISH, [(["Skis", "tent", "canoe", "skis"], ("tent", "boat", "skis"))]),
    "text": (
        REASON,
        ENGLISH,
        [
            ("  two\r\nlines 🎉 \u200b", "two\nlines 🎉"),
            ("safe\u202egnp.exe\x00", "safegnp.exe"),
            ("half \ud83d", "half"),
        ],
    ),
}
REFUSED: dict[str, tuple[Field, Context, dict[str, list[Any]]]] = {
    "number": (QUANTITY, ENGLISH, {
        "not_a_number": ["many", "", True, None, math.nan, math.inf, "NaN", "1e9", "２００", "٢٠٠", "2\u200b00", "£200", [200], "2m"],
        "not_whole": [200.5, "2.5"], "ambiguous_amount": ["2.000"], "too_small": [0, "-5"], "too_large": [10**18, 1e300, 10**400],
    }),
    "year": (YEAR, ENGLISH, {"too_small": [1850], "too_large": [2150]}),
    "sum": (VALUE, ENGLISH, {
        "not_a_number": ["", "a lot", True, math.nan, "720 or 800", "£3m"], "ambiguous_amount": ["£1.750", "1.750"],
        "too_many_decimals": [720.555, "720.5555"], "too_small": [0, "-£5"], "too_large": [1e16],
    }),
    "euros": (NET, ITALIAN, {"ambiguous_amount": ["1,750"], "wrong_currency": ["£720", "$720"]}),
    "yen": (YEN, ENGLISH, {"too_many_decimals": ["5000.50"]}),
    "share": (RATE, ENGLISH, {"not_a_number": ["a fifth", True], "too_large": [100.5], "too_small": ["-1"]}),
    "currency": (CURRENCY, ENGLISH, {"ambiguous_currency": ["$"], "not_a_currency": ["money", None, "", "XXX"]}),
    "listed": (LISTED, ENGLISH, {"not_a_choice": ["USD"]}),
    "day": (DAY, ENGLISH, {"not_a_date": ["", "soon", "31/02/2026", "5 May", None, 20261120, True]}),
    "hour": (HOUR, ENGLISH, {"not_a_time": ["soon", "2:30", None]}),
    "stretch": (PERIOD, ENGLISH, {"not_a_period": ["2026-13-01/2026-13-02", "soon"]}),
    "address": (EMAIL, ENGLISH, {"not_an_email": ["alex@printer.local", "alex", None, "a@b.co c@d.co"]}),
    "page": (LINK, ENGLISH, {"not_a_link": [
        "example.org", "ftp://example.org", "javascript:alert(1)", "https://localhost", "https://bank.example@example.org",
        "https://a.example:99999", "https://a.example/x|y", "https://a.example/x>", "<!channel>", "https://a.example https://b.example",
        "https://a.example/" + 2000 * "x", None, 5,
    ]}),
    "yes or no": (LEVERAGED, ENGLISH, {"not_yes_no": [1, 0, None, "maybe", "", "no idea", 1.0, "y/n", "no " * 20_000]}),
    "acknowledgement": (HOLDING, ENGLISH, {"must_acknowledge": [False, "no", 1, ""]}),
    "choice": (DIRECTION, ENGLISH, {"not_a_choice": ["", "hold", "buy or sell", None, True, 1.5, "2"]}),
    "choices": (GEAR, ENGLISH, {"not_a_choice": [[], ["sledge"], ["tent", "sledge"], "", None, 3, [["tent"]]]}),
    "text": (REASON, ENGLISH, {"empty": ["", " \u200b\n "], "too_long": ["x" * 201], "not_text": [5, None, True]}),
    "phone": (PHONE, ITALIAN, {"not_a_phone": ["casa", None, "333 1234567 casa", "12345"]}),
}  # fmt: skip


@pytest.mark.parametrize("name", TAKEN)
def test_usual_spellings_are_taken(name: str) -> None:
    """Numbers as JSON or as the locale writes them, and canonical values, are taken."""
    field, context, entries = TAKEN[name]
    assert [parsed(field, given, context) for given, _ in entries] == [value for _, value in entries]


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_says_why(name: str) -> None:
    """What is none, in doubt between locales, too fine or out of the limits is refused for that reason."""
    field, context, keys = REFUSED[name]
    assert {key: [refused(field, given, context) for given in some] for key, some in keys.items()} == {
        key: [key] * len(some) for key, some in keys.items()
    }


def test_a_refusal_names_the_limit() -> None:
    """The sentence of a refusal can say which limit it was, as the locale writes it."""
    told = []
    for field, given, context in ((COUNT, 10**16, ENGLISH), (QUANTITY, 0, ENGLISH), (YEAR, 2150, ITALIAN)):
        with pytest.raises(Unreadable) as refusal:
            parsed(field, given, context)
        told.append(dict(refusal.value.args_))
    assert told == [{"maximum": "1,000,000,000,000,000"}, {"minimum": "1"}, {"maximum": "2.100"}]


def test_one_spelling_means_what_its_locale_says() -> None:
    """ "1.750" is 1750 in Italian and in Spanish and nothing in English; "1,750" the other way round."""
    assert whole(NET, "1.750", ITALIAN) == whole(NET, "1.750", SPANISH) == whole(VALUE, "1,750", ENGLISH) == "1750.00"
    assert whole(VALUE, "1.750", ENGLISH) is whole(NET, "1,750", ITALIAN) is None


def test_spaces_group_digits_where_the_locale_says_so() -> None:
    """A space between digits makes one figure of them in French, and one that is asked in English."""
    assert whole(COUNT, "1’000", Context("de-CH", "2026-11-20")) == 1000
    assert whole(COUNT, "1 000") is None


@pytest.mark.parametrize(
    ("locale", "text", "behind", "ahead"),
    [
        ("en-GB", "Monday", "2026-11-16", "2026-11-23"), ("it-IT", "lunedì", "2026-11-16", "2026-11-23"),
        ("de-DE", "Montag", "2026-11-16", "2026-11-23"), ("es-ES", "lunes", "2026-11-16", "2026-11-23"),
        ("en-GB", "25 November", "", "2026-11-25"), ("en-GB", "tomorrow", "", "2026-11-21"), ("de-DE", "gestern", "2026-11-19", ""),
        ("it-IT", "1/1/44", "1944-01-01", "2044-01-01"), ("en-GB", "today", "2026-11-20", "2026-11-20"),
    ],
)  # fmt: skip
def test_a_form_says_on_which_side_of_today_a_day_lies(locale: str, text: str, behind: str, ahead: str) -> None:
    """ "Monday" is the last one or the next; a day on the other side is not taken, in words or in a box."""
    context = Context(locale, "2026-11-20")
    for lies, wanted in (("behind", behind), ("ahead", ahead)):
        field = Field(name="day", kind="date", label="Day", ask="When?", lies=lies)
        assert whole(field, text, context) == (wanted or None)
        assert refused(field, text, context) in (("",) if wanted else (f"not_{lies}", "not_a_date"))


def test_values_are_shown_as_the_locale_writes_them() -> None:
    """Separators, signs and the order of a day are the locale's; a sum has its currency's minor units."""
    assert (shown(QUANTITY, 2000), shown(QUANTITY, 2000, ITALIAN)) == ("2,000", "2.000")
    assert (shown(VALUE, "262900.00"), shown(NET, "262900.00", ITALIAN)) == ("262,900.00", "262.900,00")
    assert (shown(RATE, "12.5"), shown(RATE, "12.5", SPANISH)) == ("12.5%", "12,5\N{NO-BREAK SPACE}%")
    assert (shown(DAY, "2026-11-20"), shown(DAY, "2026-11-20", ITALIAN)) == ("20 Nov 2026", "20/11/2026")
    assert shown(PERIOD, "2026-11-01/2026-11-30") == "2026-11"
    assert [shown(LEVERAGED, v, c) for c in (ENGLISH, ITALIAN, SPANISH) for v in (True, False)] == [
        "Yes",
        "No",
        "Sì",
        "No",
        "Sí",
        "No",
    ]
    assert shown(DIRECTION, "buy") == "Buy"
    assert [show_money(a, c, "en-GB") for a, c in (("720.00", "GBP"), ("5000.00", "JPY"), ("5000.50", "JPY"))] == [
        "GBP 720.00", "JPY 5,000", "JPY 5,000.50",
    ]  # fmt: skip


SAID = Provenance("U0ALEX", "2026-11-20T12:00:00+00:00", "typed")


@pytest.mark.parametrize(
    ("locale", "written"), [("it-IT", "€1.750,00"), ("en-GB", "€1,750.00"), ("es-ES", "1.750,00 €")]
)
def test_a_sum_in_the_one_currency_has_its_sign(locale: str, written: str) -> None:
    """A field with a fixed currency is shown with that currency's sign; what is stored stays the bare amount."""
    context = Context(locale, "2026-11-20")
    assert display_value(NET, Value("1750.00", SAID), context) == plainly(NET, "1750.00", context) == written


def test_a_sum_beside_a_currency_field_is_shown_bare() -> None:
    """Where the currency is an answer of its own, none is added."""
    assert plainly(VALUE, "1750.00", Context("it-IT", "2026-11-20")) == "1.750,00"


STRICT = {"type", "enum", "description", "items"}


@pytest.mark.parametrize("field", EVERY, ids=lambda f: f.name)
def test_schemas_are_strict_and_short(field: Field) -> None:
    """A field's schema is valid, uses nothing that strict tools refuse, and costs few characters."""
    schema = kind_of(field).schema(field)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert set(schema) | set(schema.get("items", {})) <= STRICT
    assert len(json.dumps(schema)) <= 90


def test_schemas_describe_their_kind() -> None:
    """Numbers are numbers, choices are listed, an acknowledgement can only be true."""
    schemas = [kind_of(f).schema(f) for f in (QUANTITY, LEVERAGED, HOLDING, DIRECTION, VALUE, ISIN)]
    assert [s["type"] for s in schemas] == ["integer", "boolean", "boolean", "string", "string", "string"]
    assert schemas[3]["enum"] == ["buy", "sell"]
    assert schemas[2]["enum"] == [True]
    assert schemas[5]["description"] == "ISIN"
