"""What is stored of drafts and of what happened to them comes back as it was, whichever version stored it."""

from dataclasses import replace
from typing import Any

import pytest

from state.advance import advance
from state.draft.changes import fold
from state.draft.draft import Draft
from state.draft.missing import missing
from state.engine.codec import decode_change, decode_draft, decode_effect, decode_event, encode
from state.engine.events import DecisionMade, DeliveryChanged
from tests.state.deciding import JUDGED, MANAGER, OFFICER, asked, decided, filed, verdict
from tests.state.executing import FORM as EXECUTED
from tests.state.executing import approval, approved, fired, judged, note, noted, reminders, report, reported
from tests.state.forms import AT, FORM, new_draft, reviewing

BREACHED = noted(reported(approved(), done_number="250"), "")
HAPPENED = {
    "an officer asks for more": (filed(), asked(filed(), MANAGER, "reason")),
    "an officer declines": (decided(filed(), MANAGER), verdict(decided(filed(), MANAGER), OFFICER, "decline")),
    "a delivery is held up": (new_draft(), DeliveryChanged("e1", AT, "delivery", "record", "held")),
    "what was done is reported": (approved(), report(approved())),
    "a note comes": (BREACHED, note(BREACHED)),
    "a breach is closed": (BREACHED, judged(BREACHED, "breach-1", OFFICER)),
    "an approval ends": (approved(), fired(reminders(approval())["expired"])),
}


@pytest.mark.parametrize("name", HAPPENED)
def test_what_happened_is_stored_and_read_back(name: str) -> None:
    """Event, changes, effects and draft come back from JSON as they were, and folding the changes rebuilds the draft."""
    before, event = HAPPENED[name]
    outcome = advance(EXECUTED, JUDGED, before, event)
    assert decode_event(encode(event)) == event and outcome.changes
    assert tuple(decode_effect(encode(e)) for e in outcome.effects) == outcome.effects
    assert fold(before, (decode_change(encode(c)) for c in outcome.changes)) == outcome.draft
    assert decode_draft(encode(outcome.draft)) == outcome.draft


def test_a_question_stored_before_it_named_fields_names_none() -> None:
    """A verdict that an earlier version stored has no fields to it."""
    stored = encode(asked(filed(), MANAGER, "reason"))
    former = decode_event({name: value for name, value in stored.items() if name != "fields"})
    assert isinstance(former, DecisionMade) and former.fields == ()


OLDER = (
    "locked_fields", "options", "undo", "undo_card", "proposal", "opening", "turns_in_vain", "ways_taken",
    "disclosures", "record",
)  # fmt: skip


@pytest.mark.parametrize(
    ("draft", "lacks", "loaded"),
    [
        (reviewing(), OLDER, replace(reviewing(), locked_fields=frozenset())),
        (new_draft(), ("state", "decisions", "docket", "receipt", "valid_until", "filed_at"), new_draft()),
        (approved(), ("reports", "notes", "breaches"), approved()),
    ],
)
def test_a_draft_stored_before_an_attribute_existed_still_loads(
    draft: Draft, lacks: tuple[str, ...], loaded: Draft
) -> None:
    """What a stored draft lacks takes its default; what it has beyond that is left out."""
    body = {name: value for name, value in encode(draft).items() if name not in lacks}
    assert decode_draft({**body, "of_a_later_version": 1}) == loaded


def test_a_field_that_the_form_gained_later_is_simply_missing() -> None:
    """A draft of an older form asks for the new field in its turn."""
    older = replace(reviewing(), values={n: v for n, v in reviewing().values.items() if n != "quantity"})
    assert [f.name for f in missing(FORM, older)] == ["quantity"]


IDENTITY = {"kind": "Draft", "id": "d1", "form": "small", "tenant": "T1", "owner": "U0ALEX", "conversation": "T1:D1:"}
BAG = {
    "stuck": 1, "failures": 2, "unfiled": 1, "away": 1, "shown": 4, "gained": 3, "phase_chosen": 0, "last_entry": 7,
    "stage:reading:retry": 2, "file_waits:doc-1": 1, "file_waits:doc-2": 0, "coached:reason": 1,
}  # fmt: skip
NAMED: dict[str, Any] = {
    "turns_in_vain": 1, "failures": 2, "submissions_failed": 1, "model_away": True, "shown_turn": 4, "gained_turn": 3,
    "phase_chosen": False, "last_entry": 7, "ways_taken": {"reading:retry": 2}, "files_waiting": ("doc-1",),
}  # fmt: skip


def test_a_stored_bag_of_counters_is_read_into_named_fields() -> None:
    """Every counter of a draft stored with the bag stands under its name; one that nobody knows any more is left out."""
    loaded = decode_draft({**IDENTITY, "revision": 3, "counts": BAG})
    assert {name: getattr(loaded, name) for name in NAMED} == NAMED
    assert decode_draft(encode(loaded)) == loaded


@pytest.mark.parametrize("bag", [{}, {"stuck": 0}, {"shown": 0, "away": 1}, {"stage:a:b": 1, "file_waits:x": 1}, BAG])
def test_folding_stored_counters_rebuilds_the_stored_draft(bag: dict[str, int]) -> None:
    """The changes of an event stored with the bag make the very draft that was stored after it."""
    changes = [{"kind": "Counted", "name": name, "to": to} for name, to in bag.items()]
    rebuilt = fold(decode_draft({**IDENTITY, "counts": {}}), [decode_change(c) for c in changes])
    assert rebuilt == decode_draft({**IDENTITY, "revision": int(bool(bag)), "counts": bag})


def test_a_draft_of_today_keeps_its_counters() -> None:
    """What is stored now is read back as it is, an empty bag beside it or none."""
    today = replace(Draft("d1", "small", "T1", "U0ALEX", "T1:D1:"), **NAMED)
    assert decode_draft({**encode(today), "counts": {}}) == decode_draft(encode(today)) == today
