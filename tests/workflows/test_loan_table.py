"""The loan's stages against the table that the workflow promises: every stage, every trigger, where it leads."""

import pytest

from state.fields import tools_of
from tests.workflows.loan_cases import LOAN

EMP, PIV, PEN = "emp", "piv", "pen"
TRACKS = (EMP, PIV, PEN)
TABLE: dict[str, dict[str, set[str]]] = {
    "welcome": {"proceed": {"consent"}},
    "consent": {"accepted": {"needs_assessment"}, "declined": {"end"}},
    "needs_assessment": {"proceed": {"employment_type"}},
    "employment_type": {
        "dipendente": {"employer_class_dip"}, "pensionato": {"pension_class"}, "partita_iva": {"track_choice_piv"},
        "disoccupato": {"manual_dis"}, "misto": {"human_escalation"},
    },
    "employer_class_dip": {"classified": {"track_choice_emp"}},
    "pension_class": {"classified": {"track_choice_pen"}},
    **{f"track_choice_{t}": {"veloce": {f"doc_request_{t}"}, "manuale": {f"manual_{t}"}} for t in TRACKS},
    **{f"doc_request_{t}": {"received": {f"doc_processing_{t}"}, "switch": {f"manual_{t}"}} for t in TRACKS},
    **{
        f"doc_processing_{t}": {
            "confirmed": {"household_data"}, "retry": {f"doc_request_{t}"}, "failed": {f"manual_{t}", "human_escalation"},
        }
        for t in TRACKS
    },
    **{f"manual_{t}": {"complete": {"household_data"}} for t in (*TRACKS, "dis")},
    "household_data": {"proceed": {"liabilities_intro"}},
    "liabilities_intro": {"has_debts": {"liabilities_detail"}, "none": {"product_matching"}},
    "liabilities_detail": {
        "another": {"liabilities_detail"}, "document": {"liabilities_doc"}, "done": {"product_matching"},
        "too_many": {"human_escalation"},
    },
    "liabilities_doc": {"done": {"product_matching"}, "skip": {"product_matching"}},
    "product_matching": {"eligible": {"result_eligible"}, "partial": {"result_partial"}, "not_eligible": {"result_not_eligible"}},
    "result_eligible": {"schedule": {"scheduling"}, "done": {"end"}},
    "result_partial": {"schedule": {"scheduling"}, "done": {"end"}},
    "result_not_eligible": {"done": {"end"}},
    "scheduling": {"booked": {"confirmation"}, "skip": {"end"}},
    "confirmation": {"complete": {"end"}},
    "end": {},
    "human_escalation": {},
}  # fmt: skip


@pytest.mark.parametrize("stage", TABLE)
def test_a_stage_has_the_ways_of_the_table_and_no_other(stage: str) -> None:
    """From each stage every trigger of the table leads where the table says, and there is no further trigger."""
    found: dict[str, set[str]] = {}
    for way in LOAN.form.stages[stage].transitions:
        found.setdefault(way.on, set()).add(way.to)
    assert found == TABLE[stage]


def test_there_is_no_further_stage() -> None:
    """The form's stages are the table's."""
    assert set(LOAN.form.stages) == set(TABLE)


def test_a_person_can_be_had_from_anywhere() -> None:
    """An operator, a legal question, distress and cassa integrazione lead to a person from every stage; so do three turns in vain."""
    assert {(way.on, way.to) for way in LOAN.form.anywhere} == {
        (name, "human_escalation") for name in ("operatore", "legal", "distress", "cig")
    }
    assert (LOAN.form.stuck, LOAN.form.patience) == ("offer_first", 3)
    assert LOAN.form.stages["human_escalation"].hands_over


def test_documents_are_retried_twice_and_the_record_is_filed_at_the_end_only() -> None:
    """`retry` is open twice; only ways into the end file a record, and declining a consent files none."""
    retries = {w.at_most for s in LOAN.form.stages.values() for w in s.transitions if w.on == "retry"}
    filing = {(s.name, w.to) for s in LOAN.form.stages.values() for w in s.transitions if w.submits}
    assert retries == {2}
    assert {to for _, to in filing} == {"end"}
    assert "consent" not in {name for name, _ in filing}


SENTENCES = {
    "welcome": "Sta parlando con un assistente basato su intelligenza artificiale.",
    **dict.fromkeys(
        ("result_eligible", "result_partial", "result_not_eligible"),
        "Questa è una verifica preliminare basata sui dati forniti. L'idoneità definitiva sarà confermata dal consulente.",
    ),
    "human_escalation": "Se preferisce, può chiamare",
}


@pytest.mark.parametrize("stage", SENTENCES)
def test_what_the_law_and_the_broker_want_said_is_said(stage: str) -> None:
    """The disclosure of the machine, the disclaimer under each result and the telephone stand word for word in their stages."""
    assert SENTENCES[stage] in LOAN.form.stages[stage].ask


def test_each_consent_is_asked_for_itself() -> None:
    """Four consents, each a question of its own that ends in "Acconsente?", locked by the answer; no tool sets two at once."""
    consents = [f for name, f in LOAN.form.fields.items() if name.startswith("consent_")]
    assert len(consents) == 4
    assert all(f.ask.endswith("Acconsente?") and f.lock == "answered" and f.required for f in consents)
    assert all(len(tools_of(LOAN.form)[f"set_{f.name}"]) == 1 for f in consents)


def test_documents_and_data_are_kept_no_longer_than_told() -> None:
    """Files go after 30 days, data and conversation after 12 months, what is left for the audit after 24; the consent says the first two."""
    form = LOAN.form
    assert (form.retention_days, form.retention_months, form.audit_months) == (30, 12, 24)
    assert "30 giorni" in form.fields["consent_contract"].ask
    assert "12 mesi" in form.fields["consent_contract"].ask


def test_every_question_is_formal() -> None:
    """No text of the form says "tu"."""
    form = LOAN.form
    texts = [t for f in form.fields.values() for t in (f.ask, f.help)] + [s.ask for s in form.stages.values()]
    words = {w.strip(".,;:?!«»()").casefold() for text in texts for w in text.split()}
    assert not words & {"tu", "tuo", "tua", "tuoi", "tue", "puoi", "vuoi", "hai", "scrivi", "clicca"}
