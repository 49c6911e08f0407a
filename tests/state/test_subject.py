"""By which words a request is found: one form of them, the fields that the form names, and nothing sensitive."""

import pytest

from state.draft.draft import Draft, Provenance, Value
from state.draft.essence import MOST, subject_of, subject_words, words_of
from tests.shipped import shipped

WHO = Provenance("U0ALEX", "2026-11-20T09:00:00+00:00", "chosen")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Société Générale S.A.", ("societe", "generale")), ("TESCO plc", ("tesco", "plc")), ("Strauß", ("strauss",)), ("  ", ()),
        ("GB00BLGZ9862", ("gb00blgz9862",)), ("AT&T, AT&T", ("at",)), ("東京 電力", ("東京", "電力")),
    ],
)  # fmt: skip
def test_words_have_one_form(text: str, words: tuple[str, ...]) -> None:
    """Small letters without accents and marks, each once; what is too short is none."""
    assert words_of(text) == words


def test_a_request_is_found_by_the_subject_that_its_form_names() -> None:
    """A look-up by its name, its identifier and what the form names of it; never by an account or a reason."""
    form = shipped("pa_dealing").form
    tesco = Value("GB00BLGZ9862", WHO, label="Tesco PLC (GB00BLGZ9862)", facts={"ticker": "TSCO", "kind": "share"})
    draft = Draft("d", form.name, "T", "U", "C", values={"security": tesco, "account": Value("pension", WHO)})
    assert set(subject_words(form, draft)) == {"gb00blgz9862", "tesco", "plc", "tsco"}


def test_without_a_subject_the_words_of_the_essence_count() -> None:
    """Sums, declarations and whatever is sensitive are left out; an identifier is found with its marks and without them."""
    form = shipped("gifts").form
    named = subject_of(form)
    assert "firm" in named and "value" not in named and "currency" not in named
    hidden = {name: field.model_copy(update={"sensitive": True}) for name, field in form.fields.items()}
    values = {"firm": Value("Ärzte-Bund 12/3", WHO), "what": Value("x " * 400, WHO)}
    draft = Draft("d", form.name, "T", "U", "C", values=values)
    assert {"arzte", "bund", "12"} <= set(subject_words(form, draft)) and len(subject_words(form, draft)) <= MOST
    assert subject_words(form.model_copy(update={"fields": hidden}), draft) == ()
