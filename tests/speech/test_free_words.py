"""Free words of a model where a form lets them through: what is fit passes, and what is refused leaves a sentence that stands by itself."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from state.draft.draft import ChatLine
from state.draft.reply import Reply
from state.engine.effects import CallModel
from state.fields.base import Context
from state.guards.sentences import sentences
from state.guards.statements import Speaker, fit_sentences
from tests.speech.places import WORKFLOWS, answered, draft_at, shown

FIT = tomllib.loads((Path(__file__).parent / "fit.toml").read_text("utf-8"))


def speaker(form: str) -> Speaker:
    """A model that speaks in a draft in which the person has said the corpus's line."""
    line = ChatLine("user", FIT[form]["said"], "m1")
    return Speaker(
        WORKFLOWS[form].form,
        replace(draft_at(form, "words"), window=(line,)),
        Context(WORKFLOWS[form].form.language, "2026-11-20"),
    )


def test_the_guard_is_no_muzzle() -> None:
    """Of at least 60 sentences that a good colleague would say, nine in ten or more pass as they are."""
    said = [(form, text) for form in FIT for text in FIT[form]["fit"]]
    refused = [
        (form, text, why)
        for form, text in said
        if (why := fit_sentences(speaker(form), text, asks=form == "requirements")[1])
    ]
    assert len(said) >= 60 and len(refused) <= len(said) // 10, refused


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Grazie. Il prestito è approvato.", "Grazie."),
        ("Il prestito è approvato. Quindi non si preoccupi.", ""),
        ("Capisco. Lo stipendio è di 9.000 euro. Non si preoccupi.", "Capisco. Non si preoccupi."),
    ],
)
def test_a_refused_sentence_goes_and_takes_along_what_leans_on_it(text: str, kept: str) -> None:
    """What is left still makes sense: a sentence that points back at one that is gone is gone as well."""
    assert fit_sentences(speaker("loan"), text)[0] == kept


def test_a_fit_rest_keeps_the_model_from_being_asked_again() -> None:
    """One good sentence beside a refused one is enough not to ask for a better one; above an answer that was not taken, neither is shown."""
    draft, effects = answered("loan", "words", Reply("Grazie mille. Ha diritto al prestito.", model="m"))
    told = shown("loan", draft, effects)
    assert "Grazie mille." not in told and "diritto" not in told and not any(isinstance(e, CallModel) for e in effects)


@pytest.mark.parametrize(
    "text",
    [
        "It is worth GBP 500,000.00 in all. I see.",
        "Il totale è di 1.750,50 euro circa. Bene.",
        "See https://northmoor.example/a.b.c for it. Right.",
        "Das war am 3. März 2026 um 14.30 Uhr. Gut.",
        "Some things, e.g. 2.5 hours, i.e. many. Fine.",
        "Hm... wait a moment. Yes.",
        "El coste (p. ej. 3.000 €) es este. Bien.",
    ],
)
def test_sentences_end_where_they_end(text: str) -> None:
    """Decimals, thousands, times, abbreviations, days, addresses and dots that trail off part no sentence."""
    found = sentences(text)
    assert len(found) == 2 and "".join(found) == text
