"""What a model is told of a loan: small at every stage, and without what is not its business."""

import json
from dataclasses import replace

import pytest

from prompts.build import build_request
from prompts.request import BUDGET, Request, estimate
from state.draft.missing import missing
from state.engine.effects import CallModel
from state.form.field import Data
from tests.workflows.loan_cases import LOAN, draft_of

TOLD: dict[str, dict[str, Data]] = {
    "emp": {"employment_type": "dipendente", "employer_category": "privato"},
    "piv": {"employment_type": "partita_iva"},
    "pen": {"employment_type": "pensionato", "pension_class": "ex_inpdap", "tfs_certificate": True},
    "dis": {"employment_type": "disoccupato", "has_other_income": True},
}


def request_at(stage: str) -> Request:
    """The request for a message in this stage, with the first missing field asked."""
    track = TOLD.get(stage.rpartition("_")[2], TOLD["emp"])
    draft = replace(draft_of(consent_contract=True, product_interest="consiglio", has_debts=True, **track), stage=stage)
    fields = missing(LOAN.form, draft)
    return build_request(LOAN.form, replace(draft, asked=fields[0].name if fields else ""), CallModel(1), "2026-11-20")


@pytest.mark.parametrize("stage", LOAN.form.stages)
def test_a_request_stays_small_at_every_stage(stage: str) -> None:
    """Persona, values and tools together stay within the budget of a request, whatever the stage."""
    assert estimate(request_at(stage)) <= BUDGET


def test_no_tool_can_reach_a_result_or_a_document() -> None:
    """In no stage is a model offered a tool that sets a document, decides the result or files the request."""
    for stage in LOAN.form.stages:
        tools = json.loads(json.dumps(list(request_at(stage).tools), default=str))
        setters = [t for t in tools if t["name"].startswith("set_")]
        assert not any(name.startswith("doc_") for t in setters for name in t["input_schema"]["properties"])
        assert not {t["name"] for t in tools} & {"submit", "finalize", "match_products"}
