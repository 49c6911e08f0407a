"""Identifiers: every scheme with its check digit, compact, and what in a sentence is one."""

import pytest

from state.form import Field
from tests.kinds.fields import ENGLISH, ISIN, SECURITY, SPANISH, found, parsed, refused, whole

VALID = {
    "isin": ["US0378331005", "GB00BLGZ9862", "GB0002374006", "IT0003128367", "NL0010273215", "IE00B4L5Y983"],
    "sedol": ["BLGZ986", "3134865", "0237400"],
    "cusip": ["037833100", "594918104", "67066G104"],
    "codicefiscale": ["RSSMRA85H52F205C", "VRDNNA80A45L219M", "RSSMRA85H52F20RX"],
    "nif": ["12345678Z", "X1234567L", "A58818501"],
    "nie": ["X1234567L", "Y7654321G", "Z0000001Y"],
    "cif": ["A58818501"],
    "matricula": ["1234BCD", "0000BBB", "9999ZZZ"],
    "vin": ["WVWZZZ1JZ3W386752", "1M8GDM9AXKP042788"],
    "iban": ["GB33BUKB20201555555555", "IT60X0542811101000000123456"],
}
INVALID = {
    "isin": ["US0378331004", "US037833100", "XX0378331005", "GB00BLGZ986２"],
    "sedol": ["B0YBLH3", "ABCDEF1", "BLGZ98"],
    "codicefiscale": ["RSSMRA85H52F205R", "VRDNNA80A45L219P"],
    "nif": ["12345678A"],
    "matricula": ["1234ABC", "12345BC", "ES2018NO", "DE12345"],
    "vin": ["WVWZZZ1JZ3W38675", "WVWZZZ1JZ3W38675I", "ABCDEFGHJKLMNPRST"],
    "iban": ["GB33BUKB20201555555556"],
}
CASES = [(scheme, code) for scheme, codes in VALID.items() for code in codes]
BAD = [(scheme, code) for scheme, codes in INVALID.items() for code in codes]


def by(scheme: str) -> Field:
    """A field of one scheme."""
    return Field(name="number", kind="identifier", label="Number", ask="Which number?", scheme=(scheme,))


@pytest.mark.parametrize(("scheme", "code"), CASES)
def test_valid_identifiers(scheme: str, code: str) -> None:
    """A valid identifier is taken in any case, alone or in a short answer."""
    assert parsed(by(scheme), f" {code.lower()} ") == code
    assert whole(by(scheme), f"it's {code}") == code


@pytest.mark.parametrize(("scheme", "code"), BAD)
def test_invalid_identifiers(scheme: str, code: str) -> None:
    """An identifier whose check fails is refused, and no answer."""
    assert refused(by(scheme), code) == "bad_identifier"
    assert whole(by(scheme), code) is None


@pytest.mark.parametrize(
    ("scheme", "text", "code"),
    [("iban", "GB33 BUKB 2020 1555 5555 55", "GB33BUKB20201555555555"), ("nif", "12345678-Z", "12345678Z"), ("nif", "ES12345678Z", "12345678Z"),
     ("matricula", "1234 BCD", "1234BCD"), ("matricula", "M-1234-AB", "M1234AB"), ("codicefiscale", "RSS MRA 85H52 F205C", "RSSMRA85H52F205C"),
     ("piva", "IT00743110157", "00743110157")],
)  # fmt: skip
def test_identifiers_in_pieces(scheme: str, text: str, code: str) -> None:
    """Spaces, hyphens and country prefixes that people write are taken off."""
    assert parsed(by(scheme), text) == code


def test_an_identifier_may_have_one_of_several_schemes() -> None:
    """A field with several schemes takes any of them."""
    field = Field(name="id", kind="identifier", label="DNI/CIF", ask="¿DNI o CIF?", scheme=("nif", "nie", "cif"))
    assert found(field, "mi DNI es 12345678-Z, o la empresa A58818501", SPANISH) == ["12345678Z", "A58818501"]


def test_identifiers_in_open_words() -> None:
    """Only whole words are identifiers, never a part of one or words that happen to fit together."""
    assert found(ISIN, "buy GB00BLGZ9862, please") == ["GB00BLGZ9862"]
    assert found(ISIN, "xGB00BLGZ9862") == found(ISIN, "GB00BLGZ9862é") == []
    assert found(by("iban"), "GB33 BUKB 2020 1555 5555 55 is my account") == ["GB33BUKB20201555555555"]


@pytest.mark.parametrize(
    ("text", "queries"),
    [("TSCO", ["TSCO"]), ("VOD.L please", ["VOD.L"]), ("$AAPL", ["AAPL"]), ("gb00blgz9862", ["GB00BLGZ9862"]),
     ("A2A", ["A2A"]), ("SEDOL 3134865", ["3134865"]), ("0237400", ["0237400"]), ("TSCO or GB00BLGZ9862", ["GB00BLGZ9862"])],
)  # fmt: skip
def test_what_names_a_security_for_certain(text: str, queries: list[str]) -> None:
    """Identifiers and tickers in capitals are queries, identifiers first."""
    assert found(SECURITY, text) == queries


@pytest.mark.parametrize(
    "text", ["1", "3134865", "200 GBP", "I WANT TO BUY TSCO NOW", "US0378331004", "Tesco", "<@U0ALEX> hi"]
)
def test_what_is_no_ticker(text: str) -> None:
    """A number, a currency, a mention and a word in a longer message are never taken for a ticker."""
    assert found(SECURITY, text) == []


def test_a_look_up_is_never_answered_by_words() -> None:
    """Words are a query at most: only a pick from results answers a look-up."""
    assert whole(SECURITY, "Tesco PLC") is None
    assert parsed(SECURITY, "  Tesco   PLC ") == "Tesco PLC"
    assert [refused(SECURITY, g) for g in ("", "x" * 201, None)] == ["empty", "too_long", "not_text"]


def test_a_query_of_letters_is_no_cusip() -> None:
    """Nine letters and digits with a wrong check digit are no CUSIP."""
    assert found(SECURITY, "67066g105", ENGLISH) == []
