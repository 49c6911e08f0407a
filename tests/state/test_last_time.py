"""Same as last time: one click takes what the last record holds of the fields that the form lists, each judged anew; never anything else."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from state.advance import Outcome, advance, begin
from state.draft.draft import Draft
from state.engine.codec import decode_draft, encode
from state.engine.effects import Gather
from state.engine.events import Clicked, DraftEvent, FactsGathered, MessageReceived
from state.form.source import FormError
from state.workflow.load import Workflow, load_folder
from tests.shipped import shipped

AT = "2026-11-20T09:00:00+00:00"
FOLDER = Path(__file__).parents[2] / "bot" / "workflows" / "pa_dealing"
TESCO = {"id": "GB00BLGZ9862", "label": "Tesco PLC (GB00BLGZ9862)", "detail": "", "facts": {"kind": "share"}}


@cache
def workflow() -> Workflow:
    """The shipped PA dealing."""
    return shipped("pa_dealing")


def go(draft: Draft, event: DraftEvent) -> Outcome:
    """One event, with the draft stored and read between."""
    outcome = advance(workflow().form, workflow().rules, draft, event)
    return Outcome(decode_draft(encode(outcome.draft)), outcome.changes, outcome.effects, outcome.calls)


def begun() -> Outcome:
    """A new draft by a click."""
    return go(
        begin(workflow().form, "d1", "T1", "U1", "T1:D1:", AT), Clicked("b1", AT, "U1", "begin", value="pa_dealing")
    )


def gathered(draft: Draft, **values: Any) -> Outcome:
    """The last record is in."""
    facts = {"number": "PA-2026-000001", "values": values}
    return go(draft, FactsGathered("f1", AT, "records", "again", facts))


def full() -> Draft:
    """Tesco and the pension are offered."""
    held = {"security": {"data": TESCO["id"], "option": TESCO}, "account": {"data": "my pension"}}
    return gathered(begun().draft, **held).draft


def press(draft: Draft, who: str = "U1", card: str = "") -> Outcome:
    """The button of the open card, unless told otherwise."""
    open_card = draft.card.id if draft.card else ""
    return go(draft, Clicked("c1", AT, who, "again", card=card or open_card))


def test_a_new_draft_asks_for_the_last_record_once() -> None:
    """It is asked for with the first event, and never again."""
    first = begun()
    assert [e.purpose for e in first.effects if isinstance(e, Gather)] == ["again"]
    later = go(first.draft, MessageReceived("m1", AT, "U1", "hello", "1.1"))
    assert [e for e in later.effects if isinstance(e, Gather)] == []


def test_nothing_counts_before_the_click() -> None:
    """What the last record holds is no value until it is taken."""
    assert full().values == {} and full().last_time is not None


def test_the_click_takes_exactly_what_it_showed() -> None:
    """Security and account, with the person, the moment and the record's number as where they came from; the pick locks."""
    after = press(full()).draft
    assert {n: v.data for n, v in after.values.items()} == {"security": TESCO["id"], "account": "my pension"}
    assert all((v.provenance.who, v.provenance.words) == ("U1", "PA-2026-000001") for v in after.values.values())
    assert after.locked_fields == {"security"} and after.asked == "direction" and after.last_time is None


def test_only_its_owner_and_only_the_open_card_take_it() -> None:
    """Another person's press, an older card's and a second one change no value."""
    draft = full()
    assert press(draft, who="U2").draft.values == {}
    assert press(draft, card="d1-old-1").draft.values == {}
    taken = press(draft)
    again = go(taken.draft, Clicked("c2", AT, "U1", "again", card=draft.card.id if draft.card else ""))
    assert again.draft.values == taken.draft.values


def test_what_was_told_meanwhile_is_not_taken_over() -> None:
    """An account that is told stays as told; the rest of the last record is still offered."""
    typed = go(full(), Clicked("e1", AT, "U1", "answer", field="security", value="x", card="none")).draft
    told = advance(
        workflow().form, workflow().rules, typed, MessageReceived("m1", AT, "U1", "same as last time", "1.1")
    )
    assert told.draft.values == {}
    part = gathered(begun().draft, account={"data": "my pension"}).draft
    assert part.last_time is not None and set(part.last_time.values) == {"account"}
    assert press(part).draft.values["account"].data == "my pension"


@pytest.mark.parametrize(
    "values",
    [{}, {"quantity": {"data": 200}}, {"justification": {"data": "because"}}, {"account": {"data": "x" * 500}}],
)
def test_what_may_not_be_the_same_again_is_not_offered(values: dict[str, Any]) -> None:
    """No record, a figure, a reason, or a value that the field does not take any more: nothing is offered."""
    assert gathered(begun().draft, **values).draft.last_time is None


@pytest.mark.parametrize(
    "name",
    [
        "quantity", "value", "currency", "justification", "direction", "has_inside_info", "holding_period_ack", "is_derivative",
        "nothing", "related_party_relation",
    ],
)  # fmt: skip
def test_a_form_that_takes_over_what_must_be_told_does_not_load(tmp_path: Path, name: str) -> None:
    """Declarations, amounts, reasons, whatever locks by itself, and a field that is not there are refused with the line to mend."""
    for file in FOLDER.rglob("*"):
        if file.is_file() and "scenarios" not in file.parts and "__pycache__" not in file.parts:
            copy = tmp_path / "pa_dealing" / file.relative_to(FOLDER)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
    form = tmp_path / "pa_dealing" / "form.toml"
    form.write_text(form.read_text().replace('again = ["security", "account"]', f'again = ["security", "{name}"]'))
    with pytest.raises(FormError) as refused:
        load_folder(tmp_path / "pa_dealing")
    assert name in str(refused.value)
