"""The officers' part of App Home: within Slack's limits however full, in four languages, and where somebody stands in it comes back."""

import pytest

from blocks.home import BESIDE, DRAFTS, FORMS, Request, build_home
from blocks.ids import read_private, write_private
from blocks.phrases import LANGUAGES, Phrasebook
from blocks.queue import (
    ALL,
    ROWS,
    At,
    Listed,
    Query,
    Queue,
    build_found,
    build_queue,
    build_search,
    chosen,
    read_search,
    view_of,
)
from bot.sandbox import limits
from state.draft.draft import Draft, Provenance, Value, with_record
from state.draft.record import PendingDecision, Record
from tests.shipped import shipped

NOW = "2026-11-20T09:00:00+00:00"
FORM = shipped("pa_dealing").form
LONG = Value("x*_~<@U0> " * 100, Provenance("U0ALEX", NOW, "typed"))
DOCKET = PendingDecision("c", background=("Risk: HIGH. " * 40,))
DRAFT = Draft(
    "d", FORM.name, "T", "U0ALEX", "C", values={"account": LONG}, filed=Record(number="PA-2026-000001", pending=DOCKET)
)
LISTED = Listed(FORM, DRAFT, "pending_manager", NOW, "2026-11-19T09:00:00+00:00")
CHOICES = {name: tuple((f"v{n}", f"label {n} " * 20) for n in range(120)) for name in ("form", "state", "role")}


def queue(rows: int, count: int, at: At = At(), **given: bool) -> Queue:  # noqa: B008  it is frozen
    """A queue with every filter."""
    every = tuple(Listed(FORM, DRAFT, "pending_manager", NOW, LISTED.due) for _ in range(rows))
    numbered = tuple(_numbered(one, n) for n, one in enumerate(every))
    return Queue(numbered, count, 3, at, NOW, {**CHOICES, "late": (("late", ""),)}, **given)


def _numbered(listed: Listed, n: int) -> Listed:
    draft = with_record(listed.draft, number=f"PA-2026-{n:06d}")
    return Listed(listed.form, draft, listed.state, listed.at, listed.due)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_fullest_home_passes_slacks_limits(language: str) -> None:
    """A full page of the queue with every filter, above as many drafts and requests as there may be."""
    words = Phrasebook(language)
    desk = build_queue(words, queue(ROWS, 10_000, At(skip=ROWS)))
    requests = [
        Request(FORM, f"PA-2026-9{n:05d}", "approved", NOW, DRAFT, "2026-11-27", "x" * 2000) for n in range(BESIDE)
    ]
    drafts = [(FORM, Draft(f"e{n}", FORM.name, "T", "U0ALEX", "C")) for n in range(DRAFTS + 1)]
    home = build_home(words, drafts, requests, [FORM] * FORMS, count=999, skipped=BESIDE, desk=desk)
    home["blocks"] = [b for b in home["blocks"] if b["type"] != "actions" or not _begins(b)]
    limits.check_view(view_of(At(skip=ROWS), home), "home")
    assert ":warning:" in str(desk) and "Risk: HIGH." in str(desk)


def _begins(block: dict[str, object]) -> bool:
    """The buttons that begin forms, which are one form's here."""
    return "hf.begin" in str(block)


def test_whoever_decides_on_nothing_has_the_search_alone() -> None:
    """And whose roles could not be looked up is told so, and has nothing."""
    words = Phrasebook("en-GB")
    assert "Find a request" in str(build_queue(words, queue(0, 0, decides=False)))
    unknown = str(build_queue(words, queue(3, 3, known=False)))
    assert "couldn't check" in unknown and "PA-2026" not in unknown


def test_where_somebody_stands_comes_back() -> None:
    """A filter leads to the first page, a form's takes those within it away; what is none of ours is the beginning."""
    at = At(own=5, skip=24, form="gifts", state="pending_manager", late="late")
    assert read_private(At, write_private(at)) == at
    assert chosen(at, "form", "pa_dealing") == At(own=5, form="pa_dealing", late="late")
    assert chosen(at, "late", ALL) == At(own=5, form="gifts", state="pending_manager")
    assert chosen(at, "nothing", "x") == At(own=5, form="gifts", state="pending_manager", late="late")
    for written in (None, "", "x", "[1]", '{"skip": "x"}', '{"strange": 1}', "5"):
        assert read_private(At, written) in (None, At())
        assert read_private(Query, written) in (None, Query())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_search_passes_slacks_limits(language: str) -> None:
    """With more forms and states than a menu takes, and a page of what was found."""
    words = Phrasebook(language)
    limits.check_view(build_search(words, CHOICES["form"], CHOICES["state"], "tesco"), "modal")
    query = Query(person="U0ALEX", text="x" * 150, skip=20)
    rows = [_numbered(LISTED, n) for n in range(10)]
    found = build_found(words, query, rows, NOW, more=True)
    limits.check_view(found, "modal")
    assert read_private(Query, found["private_metadata"]) == query
    entered = {
        "text": {"text": {"type": "plain_text_input", "value": " tesco "}},
        "person": {"person": {"selected_user": "U0A"}},
    }
    assert read_search({"state": {"values": entered}}) == Query(person="U0A", text="tesco")
